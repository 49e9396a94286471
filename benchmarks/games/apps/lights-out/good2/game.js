"use strict";

// The whole board is one number: bit 5 * row + column is set while that light is on.
const SIZE = 5;
const CELLS = SIZE * SIZE;

/** For each light, the bits that a press on it turns over. */
const CROSS = Array.from({ length: CELLS }, (_, cell) => {
  const row = Math.floor(cell / SIZE);
  const column = cell % SIZE;
  return [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]]
    .map(([down, right]) => [row + down, column + right])
    .filter(([r, c]) => r >= 0 && r < SIZE && c >= 0 && c < SIZE)
    .reduce((bits, [r, c]) => bits | (1 << (r * SIZE + c)), 0);
});

const BULB = `<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M12 24v-3c-3-2-4-4-4-7a8 8 0 0 1
16 0c0 3-1 5-4 7v3zM13 28h6"/><path class="ray" d="M16 3V1M6 7 4 5M26 7l2-2M4 15H2M30 15h-2"/></svg>`;

let first = 0; // the current puzzle as it was set up
let lights = 0;
let moves = 0;
const buttons = [];

function build() {
  const table = document.getElementById("board");
  for (let row = 0; row < SIZE; row += 1) {
    const line = table.insertRow();
    for (let column = 0; column < SIZE; column += 1) {
      const cell = buttons.length;
      const button = document.createElement("button");
      button.type = "button";
      button.innerHTML = `${BULB}<span class="sr"></span>`;
      button.addEventListener("click", () => press(cell));
      button.addEventListener("keydown", (event) => walk(event, cell));
      line.insertCell().append(button);
      buttons.push(button);
    }
  }
}

/** The arrow keys walk over the board, Tab works as everywhere. */
function walk(event, cell) {
  const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
  const to = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
  }[event.key];
  if (!to || to.some((n) => n < 0 || n >= SIZE)) return;
  event.preventDefault();
  buttons[to[0] * SIZE + to[1]].focus();
}

function show() {
  const solved = lights === 0;
  buttons.forEach((button, cell) => {
    const on = Boolean(lights & (1 << cell));
    button.classList.toggle("lit", on);
    button.disabled = solved;
    button.querySelector(".sr").textContent =
      `Row ${Math.floor(cell / SIZE) + 1}, column ${(cell % SIZE) + 1}, ${on ? "on" : "off"}`;
  });
  document.getElementById("moves").textContent = `Moves: ${moves}`;
  document.getElementById("solved").textContent = solved
    ? `Solved in ${moves} ${moves === 1 ? "move" : "moves"}`
    : "";
}

function press(cell) {
  if (lights === 0) return;
  lights ^= CROSS[cell];
  moves += 1;
  show();
  // The lights are dead now, so do not leave the keyboard on one of them.
  if (lights === 0) document.getElementById("new").focus();
}

function startOver() {
  lights = first;
  moves = 0;
  show();
}

function newPuzzle() {
  // Random presses from the dark board can always be undone. Some sets of presses leave it dark.
  do {
    first = CROSS.reduce((bits, cross) => (Math.random() < 0.5 ? bits ^ cross : bits), 0);
  } while (first === 0);
  startOver();
}

build();
newPuzzle();
document.getElementById("new").addEventListener("click", newPuzzle);
document.getElementById("again").addEventListener("click", startOver);
