const SIZE = 5;
const board = document.getElementById("board");
const movesText = document.getElementById("moves");
const statusText = document.getElementById("status");

let lights = [];
let opening = [];
let moves = 0;
let solved = false;

const buttons = Array.from({ length: SIZE * SIZE }, (_, i) => {
  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => press(i));
  button.addEventListener("keydown", (event) => walk(event, i));
  board.append(button);
  return button;
});

/** The light itself and its direct neighbours, as indexes. */
function cross(index) {
  const row = Math.floor(index / SIZE);
  const column = index % SIZE;
  return [[row, column], [row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]]
    .filter(([r, c]) => r >= 0 && r < SIZE && c >= 0 && c < SIZE)
    .map(([r, c]) => r * SIZE + c);
}

function flip(state, index) {
  for (const i of cross(index)) state[i] = !state[i];
}

function press(index) {
  if (solved) return;
  flip(lights, index);
  moves += 1;
  solved = !lights.includes(true);
  draw();
}

/**
 * Only about one random pattern in four can be solved, so a puzzle is made backwards: from the dark
 * board by random presses. Some sets of presses cancel out, hence the loop.
 */
function newPuzzle() {
  do {
    opening = Array(SIZE * SIZE).fill(false);
    for (let i = 0; i < opening.length; i += 1) {
      if (Math.random() < 0.4) flip(opening, i);
    }
  } while (!opening.includes(true));
  startOver();
}

function startOver() {
  lights = [...opening];
  moves = 0;
  solved = false;
  draw();
}

function draw() {
  lights.forEach((on, i) => {
    const button = buttons[i];
    button.className = on ? "light on" : "light";
    const place = `Row ${Math.floor(i / SIZE) + 1}, column ${(i % SIZE) + 1}`;
    button.setAttribute("aria-label", `${place}, ${on ? "on" : "off"}`);
    button.setAttribute("aria-disabled", String(solved));
  });
  movesText.textContent = `Moves: ${moves}`;
  statusText.textContent = solved ? `Solved in ${moves} ${moves === 1 ? "move" : "moves"}` : "";
}

function walk(event, index) {
  const row = Math.floor(index / SIZE);
  const column = index % SIZE;
  const target = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
  }[event.key];
  if (!target) return;
  event.preventDefault();
  const [r, c] = target;
  if (r >= 0 && r < SIZE && c >= 0 && c < SIZE) buttons[r * SIZE + c].focus();
}

document.getElementById("new").addEventListener("click", newPuzzle);
document.getElementById("over").addEventListener("click", startOver);
newPuzzle();
