const NS = "http://www.w3.org/2000/svg";
const WIDTH = 500;
const HEIGHT = 300;
const STEP = 10;
const START = [
  { name: "Start", x: 50, y: 250 },
  { name: "Control 1", x: 150, y: 50 },
  { name: "Control 2", x: 350, y: 50 },
  { name: "End", x: 450, y: 250 },
];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const $ = (id) => document.getElementById(id);
const area = $("area");
const copy = (points) => points.map((point) => ({ ...point }));
const clamp = (value, max) => Math.min(max, Math.max(0, Math.round(value)));

let points = copy(START);
let past = []; // earlier positions, one entry for each drag or key press
let t = 0.5;

function onCurve(at) {
  const u = 1 - at;
  const weights = [u ** 3, 3 * u * u * at, 3 * u * at * at, at ** 3];
  const sum = (axis) => weights.reduce((total, w, i) => total + w * points[i][axis], 0);
  return { x: sum("x"), y: sum("y") };
}

// No closed formula exists: the chords of many short pieces come close enough.
function curveLength() {
  const pieces = 1000;
  let length = 0;
  let last = onCurve(0);
  for (let i = 1; i <= pieces; i++) {
    const next = onCurve(i / pieces);
    length += Math.hypot(next.x - last.x, next.y - last.y);
    last = next;
  }
  return length;
}

function place(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
}

function tie(id, a, b) {
  place($(id), { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
}

function draw() {
  const [a, b, c, d] = points;
  const data = `M ${a.x} ${a.y} C ${b.x} ${b.y}, ${c.x} ${c.y}, ${d.x} ${d.y}`;
  const dot = onCurve(t);
  place($("curve"), { d: data });
  tie("tie-1", a, b);
  tie("tie-2", d, c);
  place($("dot"), { cx: dot.x, cy: dot.y });
  points.forEach((point, i) => place($("handles").children[i], { cx: point.x, cy: point.y }));
  $("path").textContent = `Path: ${data}`;
  $("length").textContent = `Length: ${Math.round(curveLength())}`;
  $("point").textContent = `Point: (${dot.x.toFixed(1)}, ${dot.y.toFixed(1)})`;
  $("t").value = t;
  $("t-value").textContent = t.toFixed(2);
  $("undo").disabled = past.length === 0;
}

function moveTo(index, x, y) {
  points[index].x = clamp(x, WIDTH);
  points[index].y = clamp(y, HEIGHT);
}

function differs(before) {
  return before.some((point, i) => point.x !== points[i].x || point.y !== points[i].y);
}

function toUnits(event) {
  const screen = new DOMPoint(event.clientX, event.clientY);
  return screen.matrixTransform(area.getScreenCTM().inverse());
}

function addHandle(point, index) {
  const handle = document.createElementNS(NS, "circle");
  const control = index === 1 || index === 2;
  place(handle, {
    class: control ? "handle control" : "handle",
    r: 11,
    tabindex: 0,
    role: "button",
    "aria-label": point.name,
    "aria-describedby": "path",
  });

  let grab = null; // where inside the handle it was taken, and the positions before
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = toUnits(event);
    grab = { dx: points[index].x - at.x, dy: points[index].y - at.y, before: copy(points) };
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("held");
  });
  handle.addEventListener("pointermove", (event) => {
    if (!grab) return;
    const at = toUnits(event);
    moveTo(index, at.x + grab.dx, at.y + grab.dy);
    draw();
  });
  const release = () => {
    if (!grab) return;
    if (differs(grab.before)) past.push(grab.before);
    grab = null;
    handle.classList.remove("held");
    draw();
  };
  handle.addEventListener("pointerup", release);
  handle.addEventListener("pointercancel", release);

  handle.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const before = copy(points);
    moveTo(index, points[index].x + arrow[0] * STEP, points[index].y + arrow[1] * STEP);
    if (differs(before)) past.push(before);
    draw();
  });
  $("handles").append(handle);
}

$("t").addEventListener("input", () => {
  t = Number($("t").value);
  draw();
});
$("undo").addEventListener("click", () => {
  points = past.pop() ?? points;
  draw();
});
$("reset").addEventListener("click", () => {
  points = copy(START);
  past = [];
  t = 0.5;
  draw();
});

START.forEach(addHandle);
draw();
