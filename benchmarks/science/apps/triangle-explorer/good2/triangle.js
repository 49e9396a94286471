const WIDE = 12;
const HIGH = 8;
const START = [[1, 1], [9, 1], [3, 7]];
const NAMES = ["A", "B", "C"];
const NONE = "Not a triangle";

const board = document.getElementById("board");
const canvas = document.getElementById("paper");
const corners = [...board.querySelectorAll(".corner")];
const drags = new Map(); // pointer id -> where on the corner it took hold

let points = START.map((p) => [...p]);

const within = (value, most) => Math.max(0, Math.min(most, Math.round(value)));
const distance = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);

/** Everything there is to say about the three points. */
function measure([a, b, c]) {
  const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  // At each corner: the dot and cross product of the two sides that leave it, whole numbers all.
  const dots = [[a, b, c], [b, c, a], [c, a, b]].map(
    ([p, q, r]) => (q[0] - p[0]) * (r[0] - p[0]) + (q[1] - p[1]) * (r[1] - p[1]),
  );
  const flat = twice === 0;
  const least = Math.min(...dots);
  return {
    sides: [distance(a, b), distance(b, c), distance(c, a)],
    angles: flat ? null : dots.map((dot) => (Math.atan2(Math.abs(twice), dot) * 180) / Math.PI),
    area: Math.abs(twice) / 2,
    kind: flat ? NONE : least < 0 ? "obtuse" : least === 0 ? "right-angled" : "acute",
  };
}

function list(id, lines) {
  document.getElementById(id).replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
  );
}

function write() {
  const facts = measure(points);
  const perimeter = facts.sides.reduce((sum, side) => sum + side, 0);
  list("corners", points.map(([x, y], i) => `${NAMES[i]} (${x}, ${y})`));
  list("sides", ["AB", "BC", "CA"].map((name, i) => `${name}: ${facts.sides[i].toFixed(2)}`));
  list("angles", NAMES.map(
    (name, i) => `Angle ${name}: ${facts.angles ? `${facts.angles[i].toFixed(1)}°` : NONE}`,
  ));
  list("whole", [
    `Area: ${facts.area.toFixed(2)}`,
    `Perimeter: ${perimeter.toFixed(2)}`,
    `Kind: ${facts.kind}`,
  ]);
  corners.forEach((corner, i) => {
    const [x, y] = points[i];
    corner.style.left = `${(x / WIDE) * 100}%`;
    corner.style.top = `${(1 - y / HIGH) * 100}%`;
    corner.setAttribute("aria-description", `at ${x}, ${y}`);
  });
}

function paint() {
  const area = board.getBoundingClientRect();
  const sheet = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(sheet.width * ratio);
  canvas.height = Math.round(sheet.height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, (area.left - sheet.left) * ratio, (area.top - sheet.top) * ratio);
  const X = (x) => (x / WIDE) * area.width;
  const Y = (y) => (1 - y / HIGH) * area.height;

  pen.font = "12px Georgia, serif";
  pen.fillStyle = "#c1c8da";
  pen.textBaseline = "middle";
  pen.lineWidth = 1;
  for (let x = 0; x <= WIDE; x += 1) {
    stroke(pen, x === 0 ? "#8d97b3" : "#465069", [[X(x), Y(0)], [X(x), Y(HIGH)]]);
    pen.textAlign = "center";
    pen.fillText(x, X(x), Y(0) + 20);
  }
  for (let y = 0; y <= HIGH; y += 1) {
    stroke(pen, y === 0 ? "#8d97b3" : "#465069", [[X(0), Y(y)], [X(WIDE), Y(y)]]);
    pen.textAlign = "right";
    pen.fillText(y, X(0) - 18, Y(y));
  }
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(X(x), Y(y));
  pen.closePath();
  pen.fillStyle = "rgb(255 209 102 / 0.22)";
  pen.fill();
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = "#ffd166";
  pen.stroke();
}

function stroke(pen, colour, [from, to]) {
  pen.strokeStyle = colour;
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

function move(index, x, y) {
  const next = [within(x, WIDE), within(y, HIGH)];
  if (next[0] === points[index][0] && next[1] === points[index][1]) return;
  points[index] = next;
  write();
  paint();
}

for (const [index, corner] of corners.entries()) {
  corner.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const box = corner.getBoundingClientRect();
    corner.setPointerCapture(event.pointerId);
    drags.set(event.pointerId, [
      event.clientX - (box.left + box.width / 2),
      event.clientY - (box.top + box.height / 2),
    ]);
  });
  corner.addEventListener("pointermove", (event) => {
    const grip = drags.get(event.pointerId);
    if (!grip) return;
    const area = board.getBoundingClientRect();
    move(
      index,
      ((event.clientX - grip[0] - area.left) / area.width) * WIDE,
      (1 - (event.clientY - grip[1] - area.top) / area.height) * HIGH,
    );
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    corner.addEventListener(end, (event) => drags.delete(event.pointerId));
  }
  corner.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(index, points[index][0] + step[0], points[index][1] + step[1]);
  });
}

document.getElementById("reset").addEventListener("click", () => {
  drags.clear();
  points = START.map((p) => [...p]);
  write();
  paint();
});

write();
new ResizeObserver(paint).observe(board);
paint();
