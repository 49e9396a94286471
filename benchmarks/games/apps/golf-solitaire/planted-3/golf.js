const SUITS = [
  { name: "spades", sign: "♠" },
  { name: "hearts", sign: "♥", red: true },
  { name: "clubs", sign: "♣" },
  { name: "diamonds", sign: "♦", red: true },
];
const RANKS = ["Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King"];
const SHORT = { Ace: "A", Jack: "J", Queen: "Q", King: "K" };
const $ = (id) => document.getElementById(id);

let deck = []; // the cards of this deal in their order: 35 for the columns, 1 waste, 16 stock
let columns = [];
let waste = [];
let stock = [];
let done = []; // for Undo: the number of a column that was played from, or "draw"

const name = (card) => `${RANKS[card.rank]} of ${SUITS[card.suit].name}`;
const shortName = (card) => `${SHORT[RANKS[card.rank]] ?? RANKS[card.rank]}${SUITS[card.suit].sign}`;

function newDeal() {
  deck = SUITS.flatMap((_, suit) => RANKS.map((__, rank) => ({ suit, rank })));
  for (let i = deck.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  layOut();
}

function layOut() {
  columns = Array.from({ length: 7 }, (_, i) => deck.slice(i * 5, i * 5 + 5));
  waste = [deck[35]];
  stock = deck.slice(36);
  show();
}

/** Ranks are neighbours in a ring, so King (12) and Ace (0) are one apart as well. */
function fits(card) {
  const apart = Math.abs(card.rank - waste.at(-1).rank);
  return apart === 1 || apart === RANKS.length - 1;
}

const left = () => columns.reduce((sum, column) => sum + column.length, 0);
const won = () => left() === 0;
const stuck = () => !won() && stock.length === 0 && !columns.some((column) => column.length && fits(column.at(-1)));

function play(index, card) {
  const column = columns[index];
  if (card !== column.at(-1) || !fits(card)) return;
  waste.push(column.pop());
  done.push(index);
  show();
}

function draw() {
  if (!stock.length || won()) return;
  waste.push(stock.shift());
  done.push("draw");
  show();
}

function undo() {
  if (!done.length) return;
  const last = done.pop();
  const card = waste.pop();
  if (last === "draw") stock.unshift(card);
  else columns[last].push(card);
  show();
}

function face(node, card) {
  node.className = SUITS[card.suit].red ? "card red" : "card";
  node.textContent = shortName(card);
}

function show() {
  const held = document.activeElement?.closest?.("ol")?.dataset.column;
  $("columns").replaceChildren(...columns.map((column, index) => {
    const list = document.createElement("ol");
    list.setAttribute("aria-label", `Column ${index + 1}`);
    list.dataset.column = index;
    column.forEach((card, place) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      face(button, card);
      button.setAttribute("aria-label", name(card));
      button.setAttribute("aria-disabled", String(place < column.length - 1));
      if (place < column.length - 1) button.tabIndex = -1;
      button.addEventListener("click", () => play(index, card));
      item.append(button);
      list.append(item);
    });
    return list;
  }));
  // The cards are made anew, so keyboard players get their place in the column back.
  if (held) $("columns").children[held].querySelector("li:last-child button")?.focus();
  face($("waste-card"), waste.at(-1));
  $("waste").textContent = `Waste: ${name(waste.at(-1))}`;
  $("stock").textContent = `Stock: ${stock.length}`;
  $("left").textContent = `Cards left: ${left()}`;
  $("draw").disabled = !stock.length || won();
  $("message").textContent = won() ? "You win" : stuck() ? "No moves left" : "";
}

$("draw").addEventListener("click", draw);
$("undo").addEventListener("click", undo);
$("restart").addEventListener("click", () => {
  done = [];
  layOut();
});
$("new").addEventListener("click", newDeal);
newDeal();
