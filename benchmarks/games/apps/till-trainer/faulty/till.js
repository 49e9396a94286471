// All values are euros.
const PIECES = [
  { euros: 10, name: "€10", look: "note" },
  { euros: 5, name: "€5", look: "note five" },
  { euros: 2, name: "€2", look: "rim" },
  { euros: 1, name: "€1", look: "inverse" },
  { euros: 0.5, name: "50c", look: "" },
  { euros: 0.2, name: "20c", look: "" },
  { euros: 0.1, name: "10c", look: "" },
  { euros: 0.05, name: "5c", look: "copper" },
  { euros: 0.02, name: "2c", look: "copper" },
  { euros: 0.01, name: "1c", look: "copper" },
];
const CUSTOMERS = 10;
const GOODS = [
  "A loaf of rye bread, please.", "Six eggs and some milk.", "A bunch of tulips!", "Apples, the red ones.",
  "A kite for my brother.", "Two tickets, please.", "Honey from the hills.", "A big piece of cheese.",
];

const $ = (id) => document.getElementById(id);
let customer;
let points;
let price;
let paid;
let given; // the pieces on the tray, in the order in which they were put there
let missed; // whether this customer has been handed a wrong sum
let wants;

const money = (euros) => `€${euros.toFixed(2)}`;
const sum = () => given.reduce((total, piece) => total + piece.euros, 0);
const closed = () => customer > CUSTOMERS;

function fewest(euros) {
  // For these values taking the largest piece that fits always gives the fewest pieces.
  let rest = Math.round(euros * 100);
  let count = 0;
  for (const piece of PIECES) {
    const cents = Math.round(piece.euros * 100);
    count += Math.floor(rest / cents);
    rest %= cents;
  }
  return count;
}

function welcome() {
  price = Number((0.5 + Math.random() * 19).toFixed(2));
  paid = [5, 10, 20].find((note) => note > price);
  given = [];
  missed = false;
  wants = GOODS[Math.floor(Math.random() * GOODS.length)];
}

function play() {
  customer = 1;
  points = 0;
  welcome();
  draw("Give the change: press the coins, then hand over.");
}

function handOver() {
  if (closed()) return;
  const change = paid - price;
  if (sum() !== change) {
    missed = true;
    draw(sum() < change ? "Too little – add some more." : "Too much – take some back.");
    return;
  }
  const perfect = !missed && given.length === fewest(change);
  points += perfect ? 2 : 1;
  customer += 1;
  const praise = perfect ? "Perfect, 2 points!" : "Right, 1 point.";
  if (closed()) {
    given = [];
    draw(`${praise} Final score: ${points} of ${2 * CUSTOMERS}`);
    $("again").focus();
  } else {
    welcome();
    draw(praise);
  }
}

function draw(words = "") {
  $("customer").textContent = closed() ? "Closing time" : `Customer ${customer} of ${CUSTOMERS}`;
  $("points").textContent = `Points: ${points}`;
  $("wants").textContent = closed() ? "The shop is closed. Thank you!" : `“${wants}”`;
  $("price").textContent = `Price: ${money(price)}`;
  $("paid").textContent = `Paid: ${money(paid)}`;
  $("given").textContent = `Given: ${money(sum())}`;
  $("message").textContent = words;
  $("tray").replaceChildren(...given.map((piece) => {
    const coin = document.createElement("span");
    coin.className = `piece ${piece.look}`;
    coin.textContent = piece.name;
    return coin;
  }));
  $("tray").setAttribute("aria-label", given.length
    ? `On the tray: ${given.map((piece) => piece.name).join(", ")}` : "Empty tray");
  for (const button of document.querySelectorAll(".drawer button, #back, #hand")) button.disabled = closed();
  $("again").hidden = !closed();
}

for (const piece of PIECES) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `piece ${piece.look}`;
  button.textContent = piece.name;
  button.addEventListener("click", () => {
    given.push(piece);
    draw();
  });
  $("drawer").append(button);
}
$("back").addEventListener("click", () => {
  given.pop();
  draw();
});
$("hand").addEventListener("click", handOver);
$("again").addEventListener("click", play);
play();
