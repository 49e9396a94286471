const COLUMNS = 12;
const ROWS = 8;
const UNIT = 60; // drawing units per grid step
const START = { A: [1, 1], B: [9, 1], C: [3, 7] };
const NAMES = ["A", "B", "C"];
const SVG = "http://www.w3.org/2000/svg";

const plane = document.getElementById("plane");
const handles = {};
let points = structuredClone(START);
let held = null;

// ---------- geometry ----------

const toX = (x) => x * UNIT;
const toY = (y) => (ROWS - y) * UNIT; // the screen's y runs downwards
const clamp = (value, top) => Math.min(top, Math.max(0, value));
const distance = (p, q) => Math.hypot(q[0] - p[0], q[1] - p[1]);
/** Dot and cross product of the two sides that leave corner p: whole numbers on the grid. */
function corner(p, q, r) {
  const [ax, ay] = [q[0] - p[0], q[1] - p[1]];
  const [bx, by] = [r[0] - p[0], r[1] - p[1]];
  return { dot: ax * bx + ay * by, cross: ax * by - ay * bx };
}

function measure() {
  const { A, B, C } = points;
  const corners = { A: corner(A, B, C), B: corner(B, C, A), C: corner(C, A, B) };
  const doubleArea = Math.abs(corners.A.cross);
  const sides = { AB: distance(A, B), BC: distance(B, C), CA: distance(C, A) };
  let kind = "acute";
  for (const name of NAMES) {
    if (corners[name].dot === 0) kind = "right-angled";
    if (corners[name].dot < 0) kind = "obtuse";
  }
  const angles = {};
  for (const name of NAMES) {
    angles[name] = (Math.atan2(doubleArea, corners[name].dot) * 180) / Math.PI;
  }
  return {
    sides,
    angles,
    kind,
    area: doubleArea / 2,
    perimeter: sides.AB + sides.BC + sides.CA,
    flat: doubleArea === 0,
  };
}

// ---------- drawing ----------

function node(name, attributes, parent, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

function drawGrid() {
  const grid = document.getElementById("grid");
  for (let x = 0; x <= COLUMNS; x += 1) {
    node("line", { x1: toX(x), y1: toY(0), x2: toX(x), y2: toY(ROWS), class: x ? "" : "axis" }, grid);
    node("text", { x: toX(x), y: toY(0) + 24 }, grid, x);
  }
  for (let y = 0; y <= ROWS; y += 1) {
    node("line", { x1: toX(0), y1: toY(y), x2: toX(COLUMNS), y2: toY(y), class: y ? "" : "axis" }, grid);
    if (y) node("text", { x: -20, y: toY(y) + 5 }, grid, y);
  }
}

function makeHandle(name) {
  const handle = node("g", {
    class: "handle",
    role: "button",
    tabindex: 0,
    "aria-roledescription": "movable corner",
  }, document.getElementById("handles"));
  node("circle", { r: 17 }, handle);
  node("text", {}, handle, name);
  handle.addEventListener("pointerdown", (event) => {
    held = name;
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("held");
  });
  handle.addEventListener("pointermove", (event) => {
    if (held !== name) return;
    const at = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(plane.getScreenCTM().inverse());
    move(name, Math.round(at.x / UNIT), Math.round(ROWS - at.y / UNIT));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, () => {
      held = null;
      handle.classList.remove("held");
    });
  }
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by) return;
    event.preventDefault();
    move(name, points[name][0] + by[0], points[name][1] + by[1]);
  });
  handles[name] = handle;
}

function move(name, x, y) {
  points[name] = [clamp(x, COLUMNS), clamp(y, ROWS)];
  show();
}

function list(id, lines) {
  document.getElementById(id).replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
}

function show() {
  const facts = measure();
  for (const name of NAMES) {
    const [x, y] = points[name];
    handles[name].setAttribute("transform", `translate(${toX(x)} ${toY(y)})`);
    handles[name].setAttribute("aria-label", `Point ${name}, x ${x}, y ${y}`);
  }
  document.getElementById("shape").setAttribute(
    "points",
    NAMES.map((name) => `${toX(points[name][0])},${toY(points[name][1])}`).join(" "),
  );
  list("corners", NAMES.map((name) => `${name} (${points[name].join(", ")})`));
  list("sides", Object.entries(facts.sides).map(([name, value]) => `${name}: ${value.toFixed(2)}`));
  list("angles", NAMES.map((name) => (
    `Angle ${name}: ${facts.flat ? "Not a triangle" : `${facts.angles[name].toFixed(1)}°`}`
  )));
  list("whole", [
    `Area: ${facts.area.toFixed(2)}`,
    `Perimeter: ${facts.perimeter.toFixed(2)}`,
    `Kind: ${facts.flat ? "Not a triangle" : facts.kind}`,
  ]);
}

document.getElementById("reset").addEventListener("click", () => {
  points = structuredClone(START);
  show();
});

drawGrid();
NAMES.forEach(makeHandle);
show();
