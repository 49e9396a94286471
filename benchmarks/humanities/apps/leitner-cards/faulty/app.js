const STORE = "five-boxes";
const REST = [1, 2, 4, 8, 16]; // days until a card of box 1 … 5 is asked again

const $ = (id) => document.getElementById(id);
const fresh = () => ({ day: 1, nextId: 1, cards: [] });

let state = load();
let revealed = false;

function load() {
  const saved = JSON.parse(localStorage.getItem(STORE));
  return { day: saved.day, nextId: saved.nextId, cards: saved.cards };
}

function save() {
  try {
    localStorage.setItem(STORE, JSON.stringify(state));
  } catch {
    $("message").textContent = "Your browser does not let me keep the cards.";
  }
}

// Longest overdue first; within a day in the order in which the cards were added.
function dueCards() {
  return state.cards
    .filter((card) => card.due <= state.day)
    .sort((a, b) => a.due - b.due || a.id - b.id);
}

function current() {
  return dueCards()[0];
}

function line(className, text) {
  const p = document.createElement("div");
  p.className = className;
  p.textContent = text;
  return p;
}

function drawCard(card) {
  const holder = $("card");
  holder.classList.toggle("empty", !card);
  if (!card) {
    holder.replaceChildren(line("", "Nothing due today"));
    return;
  }
  // The back enters the page only now, so that it cannot be peeked at.
  const sides = [line("question", card.front)];
  if (revealed) sides.push(line("answer", card.back));
  holder.replaceChildren(...sides);
}

function turn() {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still) return;
  $("card").animate([{ transform: "rotateX(-75deg)" }, { transform: "none" }], {
    duration: 220,
    easing: "ease-out",
  });
}

function drawBoxes(card) {
  $("boxes").replaceChildren(
    ...REST.map((_, i) => {
      const item = document.createElement("li");
      const count = state.cards.filter((c) => c.box === i + 1).length;
      item.textContent = `Box ${i + 1}: ${count}`;
      item.classList.toggle("asked", card?.box === i + 1);
      return item;
    }),
  );
}

function draw() {
  const card = current();
  $("day").textContent = `Day ${state.day}`;
  $("due").textContent = `Due today: ${dueCards().length}`;
  $("show").hidden = !card || revealed;
  $("knew").hidden = $("forgot").hidden = !card || !revealed;
  drawCard(card);
  drawBoxes(card);
}

function grade(known) {
  const card = current();
  if (!card || !revealed) return;
  card.box = known ? Math.min(card.box + 1, REST.length) : 1;
  card.due = state.day + REST[card.box - 1];
  revealed = false;
  save();
  draw();
  if (current()) $("show").focus();
  else $("next-day").focus();
}

$("show").addEventListener("click", () => {
  revealed = true;
  draw();
  turn();
  $("knew").focus();
});
$("knew").addEventListener("click", () => grade(true));
$("forgot").addEventListener("click", () => grade(false));

$("next-day").addEventListener("click", () => {
  state.day += 1;
  revealed = false;
  save();
  draw();
});

$("start-over").addEventListener("click", () => {
  state = fresh();
  revealed = false;
  $("message").textContent = "";
  save();
  draw();
});

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const front = $("front").value.trim();
  const back = $("back").value.trim();
  if (!front || !back) {
    $("message").textContent = front
      ? "The back is blank: please fill it in."
      : "The front is blank: please fill it in.";
    (front ? $("back") : $("front")).focus();
    return;
  }
  state.cards.push({ id: state.nextId, front, back, box: 1, due: state.day });
  state.nextId += 1;
  $("message").textContent = `“${front}” is in box 1.`;
  $("form").reset();
  $("front").focus();
  save();
  draw();
});

$("rests").replaceChildren(
  ...REST.map((days, i) => {
    const row = document.createElement("tr");
    row.append(document.createElement("td"), document.createElement("td"));
    row.cells[0].textContent = `${i + 1}`;
    row.cells[1].textContent = days === 1 ? "1 day" : `${days} days`;
    return row;
  }),
);
draw();
