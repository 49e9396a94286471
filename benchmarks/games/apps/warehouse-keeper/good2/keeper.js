const PLAN = [
  "########",
  "#  #  .#",
  "#  $ #.#",
  "# $$ @.#",
  "#   #  #",
  "#      #",
  "########",
];
const WIDE = PLAN[0].length;
const PLACES = [...PLAN.join("")];
const STEPS = { up: -WIDE, down: WIDE, left: -1, right: 1 };
const KEYS = {
  arrowup: "up", w: "up",
  arrowdown: "down", s: "down",
  arrowleft: "left", a: "left",
  arrowright: "right", d: "right",
};

const where = (sign) => PLACES.flatMap((each, place) => (each === sign ? [place] : []));
const goals = new Set(where("."));
const isWall = (place) => PLACES[place] === "#";

// A position never changes once it is made; undo simply goes back to the one before.
const START = { keeper: where("@")[0], crates: where("$"), moves: 0, pushes: 0 };
let history = [START];

const present = () => history.at(-1);
const homes = (position) => position.crates.filter((crate) => goals.has(crate)).length;
const isDone = (position) => homes(position) === position.crates.length;

/** The position after one step, or null when the step is blocked. */
function after({ keeper, crates, moves, pushes }, by) {
  const next = keeper + by;
  if (isWall(next)) return null;
  if (!crates.includes(next)) return { keeper: next, crates, moves: moves + 1, pushes };
  const behind = next + by;
  if (isWall(behind) || crates.includes(behind)) return null;
  return {
    keeper: next,
    crates: crates.map((crate) => (crate === next ? behind : crate)),
    moves: moves + 1,
    pushes: pushes + 1,
  };
}

function step(direction) {
  if (isDone(present())) return;
  const position = after(present(), STEPS[direction]);
  if (!position) return;
  history.push(position);
  draw();
}

function undo() {
  if (history.length > 1) history.pop();
  draw();
}

function restart() {
  history = [START];
  draw();
}

const hall = document.getElementById("hall");
const squares = PLACES.map(() => hall.appendChild(document.createElement("span")));
const write = (id, text) => { document.getElementById(id).textContent = text; };

function draw() {
  const position = present();
  const { keeper, crates, moves, pushes } = position;
  squares.forEach((square, place) => {
    square.classList.toggle("wall", isWall(place));
    square.classList.toggle("goal", goals.has(place));
    square.classList.toggle("crate", crates.includes(place));
    square.classList.toggle("keeper", place === keeper);
  });
  write("moves", `Moves: ${moves}`);
  write("pushes", `Pushes: ${pushes}`);
  write("home", `Crates home: ${homes(position)} of ${crates.length}`);
  write("done", isDone(position) ? `All crates home in ${moves} moves` : "");
  document.getElementById("undo").disabled = history.length === 1;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key.toLowerCase();
  const direction = KEYS[key];
  if (direction) {
    event.preventDefault();
    step(direction);
  } else if (key === "u") {
    undo();
  }
});
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => step(button.dataset.step));
}
document.getElementById("undo").addEventListener("click", undo);
document.getElementById("restart").addEventListener("click", restart);
draw();
