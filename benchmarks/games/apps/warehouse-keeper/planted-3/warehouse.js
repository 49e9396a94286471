const MAP = [
  "########",
  "#  #  .#",
  "#  $ #.#",
  "# $$ @.#",
  "#   #  #",
  "#      #",
  "########",
];
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const KEYS = {
  arrowup: "up", arrowdown: "down", arrowleft: "left", arrowright: "right",
  w: "up", s: "down", a: "left", d: "right",
};

const walls = new Set();
const goals = new Set();
const start = { keeper: [0, 0], crates: [], moves: 0, pushes: 0 };
MAP.forEach((line, y) => [...line].forEach((mark, x) => {
  if (mark === "#") walls.add(`${x},${y}`);
  if (mark === ".") goals.add(`${x},${y}`);
  if (mark === "$") start.crates.push([x, y]);
  if (mark === "@") start.keeper = [x, y];
}));

let state = structuredClone(start);
let past = [];
const HISTORY = 100;

const homeCount = () => state.crates.filter(([x, y]) => goals.has(`${x},${y}`)).length;
const finished = () => homeCount() === state.crates.length;
const crateAt = (x, y) => state.crates.findIndex(([cx, cy]) => cx === x && cy === y);

function step(way) {
  if (finished()) return;
  const [dx, dy] = WAYS[way];
  const [x, y] = [state.keeper[0] + dx, state.keeper[1] + dy];
  if (walls.has(`${x},${y}`)) return;
  const crate = crateAt(x, y);
  if (crate >= 0) {
    const [bx, by] = [x + dx, y + dy];
    if (walls.has(`${bx},${by}`) || crateAt(bx, by) >= 0) return;
  }
  past.push(structuredClone(state));
  if (past.length > HISTORY) past.shift();
  state.keeper = [x, y];
  state.moves += 1;
  if (crate >= 0) {
    state.crates[crate] = [x + dx, y + dy];
    state.pushes += 1;
  }
  draw();
}

function undo() {
  if (!past.length) return;
  state = past.pop();
  draw();
}

function restart() {
  state = structuredClone(start);
  past = [];
  draw();
}

// ---- drawing: ten units per square ----

const hall = document.getElementById("hall");

function shape(parent, tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.append(node);
  return node;
}

const places = (set) => [...set].map((key) => key.split(",").map(Number));

for (const [x, y] of places(walls)) {
  shape(hall, "rect", { x: x * 10, y: y * 10, width: 10, height: 10, fill: "#6b5d4d" });
  for (const dy of [0, 5]) {
    const shift = dy ? 2.5 : 5;
    shape(hall, "path", {
      d: `M${x * 10} ${y * 10 + dy + 5}h10M${x * 10 + shift} ${y * 10 + dy}v5${dy ? "m5 0v-5" : ""}`,
      stroke: "#50443a", "stroke-width": 0.6, fill: "none",
    });
  }
}
for (const [x, y] of places(goals)) {
  shape(hall, "circle", {
    cx: x * 10 + 5, cy: y * 10 + 5, r: 3.2, fill: "none", stroke: "#b3261e", "stroke-width": 1, "stroke-dasharray": "2 1",
  });
}
const crateNodes = start.crates.map(() => {
  const group = shape(hall, "g", {});
  shape(group, "rect", { x: 0.8, y: 0.8, width: 8.4, height: 8.4, rx: 0.6, stroke: "#4a2f10", "stroke-width": 0.8 });
  shape(group, "path", { d: "M1 1L9 9M9 1L1 9", stroke: "#4a2f10", "stroke-width": 0.8 });
  return group;
});
const keeperNode = shape(hall, "g", {});
shape(keeperNode, "path", { d: "M1.6 9.2q0-4.4 3.4-4.4t3.4 4.4z", fill: "#0a5c8a" });
shape(keeperNode, "circle", { cx: 5, cy: 3.6, r: 2.1, fill: "#f1c7a0", stroke: "#2c2a26", "stroke-width": 0.4 });
shape(keeperNode, "path", { d: "M2.4 3h5.2q-.3-2.2-2.6-2.2T2.4 3z", fill: "#e0a100", stroke: "#2c2a26", "stroke-width": 0.4 });

function draw() {
  state.crates.forEach(([x, y], i) => {
    crateNodes[i].setAttribute("transform", `translate(${x * 10} ${y * 10})`);
    crateNodes[i].setAttribute("fill", goals.has(`${x},${y}`) ? "#7fb069" : "#cf9147");
  });
  keeperNode.setAttribute("transform", `translate(${state.keeper[0] * 10} ${state.keeper[1] * 10})`);
  document.getElementById("moves").textContent = `Moves: ${state.moves}`;
  document.getElementById("pushes").textContent = `Pushes: ${state.pushes}`;
  document.getElementById("home").textContent = `Crates home: ${homeCount()} of ${state.crates.length}`;
  document.getElementById("message").textContent = finished() ? `All crates home in ${state.moves} moves` : "";
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "u") {
    undo();
  } else if (KEYS[key]) {
    event.preventDefault(); // the arrows would scroll a small screen
    step(KEYS[key]);
  }
});
for (const button of document.querySelectorAll("[data-way]")) {
  button.addEventListener("click", () => step(button.dataset.way));
}
document.getElementById("undo").addEventListener("click", undo);
document.getElementById("restart").addEventListener("click", restart);
draw();
