const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 400;
const ZERO = 350; // y of the zero line
const TOP = 40; // y of the tallest bar's upper edge
const LEFT = 56;
const HEIGHTS = [310, 181, 78, 240, 130, 205, 95, 275];
const COLOURS = ["#b83b5e", "#6a2c70", "#d96c3f", "#2f6690", "#3a7d44"];

const $ = (id) => document.getElementById(id);
let bars = [
  { label: "Apples", value: 12, colour: COLOURS[0] },
  { label: "Pears", value: 7, colour: COLOURS[1] },
  { label: "Plums", value: 3, colour: COLOURS[2] },
];
let added = bars.length; // counts on for the colours, so that a bar keeps its own when sorted

function shape(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Round steps of 1, 2 or 5 times a power of ten, about four to the chart.
function tickStep(max) {
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((f) => f * power >= rough) ?? 10;
  return factor * power;
}

function short(value) {
  if (value >= 1e9 || (value > 0 && value < 1e-4)) return value.toExponential(1);
  return String(Number(value.toPrecision(10)));
}

function fit(text, width) {
  const room = Math.max(2, Math.floor(width / 8.5));
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

function drawAxis(svg, max, width, y) {
  const step = tickStep(max);
  for (let i = 0; i * step <= max * 1.0001; i++) {
    const at = y(i * step);
    svg.append(
      shape("line", { class: "grid", x1: LEFT, x2: width, y1: at, y2: at }),
      shape("text", { class: "tick", x: LEFT - 8, y: at + 4 }, short(i * step)),
    );
  }
}

function draw() {
  const svg = $("chart");
  const room = svg.parentElement.clientWidth - 20; // as wide as the page allows
  const slot = Math.max(62, Math.min(150, (room - LEFT - 8) / Math.max(1, bars.length)));
  const width = Math.max(room, LEFT + slot * bars.length + 8);
  const max = Math.max(0, ...bars.map((bar) => bar.value)) || 1;
  const y = (value) => ZERO - (value / max) * (ZERO - TOP);
  svg.replaceChildren();
  svg.setAttribute("width", width);
  svg.setAttribute("height", HEIGHT);
  if (bars.length) drawAxis(svg, max, width, y);
  bars.forEach((bar, i) => {
    const left = LEFT + i * slot + slot * 0.15;
    const middle = left + slot * 0.35;
    const top = ZERO - HEIGHTS[i % HEIGHTS.length];
    svg.append(
      shape("rect", {
        role: "img",
        "aria-label": `${bar.label}: ${bar.value}`,
        x: left,
        y: top,
        width: slot * 0.7,
        height: ZERO - top,
        fill: bar.colour,
      }),
      shape("text", { x: middle, y: top - 9, "aria-hidden": true }, short(bar.value)),
      shape("text", { x: middle, y: ZERO + 24, "aria-hidden": true }, fit(bar.label, slot)),
    );
  });
  svg.append(shape("line", { class: "axis", x1: LEFT, x2: width, y1: ZERO, y2: ZERO }));
  $("empty").hidden = bars.length > 0;
  for (const id of ["sort", "remove", "clear"]) $(id).disabled = bars.length === 0;
}

function complain(text, field) {
  $("message").textContent = text;
  for (const id of ["label", "value"]) $(id).setAttribute("aria-invalid", String(id === field));
  if (field) $(field).focus();
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const label = $("label").value.trim();
  const text = $("value").value.trim().replace(",", ".");
  const value = Number(text);
  if (!label) return complain("Please enter a label.", "label");
  if (!text || !Number.isFinite(value)) return complain("The value must be a number.", "value");
  if (value < 0) return complain("The value must not be negative.", "value");
  bars.push({ label, value, colour: COLOURS[added++ % COLOURS.length] });
  complain("");
  $("form").reset();
  $("label").focus();
  draw();
});

$("sort").addEventListener("click", () => {
  bars.sort((a, b) => b.value - a.value);
  draw();
});
$("remove").addEventListener("click", () => {
  bars.pop();
  draw();
});
$("clear").addEventListener("click", () => {
  bars = [];
  draw();
});

window.addEventListener("resize", draw);
draw();
