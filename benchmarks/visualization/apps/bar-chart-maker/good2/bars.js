"use strict";

const COLOURS = ["#f79d65", "#7fd1c7", "#c8a2f0", "#f4d35e", "#8bb8f8", "#f28fa8"];
const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 380; // of the drawing, in its own units
const FLOOR = 335; // where the zero line lies
const ROOM = 290; // the height that the top of the scale gets

function svg(tag, attributes = {}, text = "") {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

/** A round number at or just above the value, where the scale ends. */
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value);
  return step === undefined ? value : step * power;
}

class BarChart extends HTMLElement {
  #bars = [];
  #resize = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    this.tabIndex = 0; // a wide chart scrolls with the arrow keys
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Bar chart");
    this.#resize.observe(this);
    this.#draw();
  }

  set bars(list) {
    this.#bars = [...list];
    this.#draw();
  }

  get bars() {
    return [...this.#bars];
  }

  #draw() {
    const bars = this.#bars;
    const longest = Math.max(0, ...bars.flatMap((bar) => [bar.label.length, String(bar.value).length]));
    const inner = Math.max(260, this.clientWidth - 24);
    // Every bar gets the width that its words need; when that is too much, the chart scrolls.
    const slot = Math.max(longest * 9 + 14, Math.min(120, inner / Math.max(1, bars.length)));
    const width = Math.max(inner, slot * bars.length);
    const picture = svg("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` });
    if (bars.length === 0) {
      picture.append(svg("text", { x: width / 2, y: HEIGHT / 2, class: "empty" }, "No data yet"));
      this.replaceChildren(picture);
      return;
    }
    const top = roundUp(Math.max(...bars.map((bar) => bar.value)));
    for (const part of [0.25, 0.5, 0.75, 1]) {
      const y = FLOOR - ROOM * part;
      picture.append(svg("line", { x1: 0, x2: width, y1: y, y2: y, class: "grid" }));
    }
    const left = (width - slot * bars.length) / 2;
    // Inside this group the origin is the zero line.
    const plot = svg("g", { transform: `translate(${left} ${FLOOR})` });
    bars.forEach((bar, index) => {
      const height = (bar.value / top) * ROOM;
      const thick = Math.min(70, slot * 0.7);
      const middle = slot * (index + 0.5);
      const rect = svg("rect", {
        role: "img",
        x: middle - thick / 2,
        y: -height,
        width: thick,
        height,
        fill: COLOURS[index % COLOURS.length],
      });
      rect.append(svg("title", {}, `${bar.label}: ${bar.value}`));
      plot.append(
        rect,
        svg("text", { x: middle, y: -height - 8 }, String(bar.value)),
        svg("text", { x: middle, y: 24 }, bar.label),
      );
    });
    picture.append(plot, svg("line", { x1: 0, x2: width, y1: FLOOR, y2: FLOOR, class: "zero" }));
    this.replaceChildren(picture);
  }
}

customElements.define("bar-chart", BarChart);

const chart = document.querySelector("bar-chart");
const message = document.querySelector("#message");
const nameField = document.querySelector("#name");
const valueField = document.querySelector("#value");

chart.bars = [
  { label: "Apples", value: 12 },
  { label: "Pears", value: 7 },
  { label: "Plums", value: 3 },
];

/** A plain decimal number of 0 or more, or NaN: Number() alone would let "0x1f" and "" pass. */
function parse(text) {
  const trimmed = text.trim();
  const value = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

function complain(field, text) {
  for (const each of [nameField, valueField]) each.removeAttribute("aria-invalid");
  message.textContent = text;
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
}

document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const label = nameField.value.trim();
  const value = parse(valueField.value);
  if (!label) {
    complain(nameField, "The label is empty: give the bar a name.");
  } else if (Number.isNaN(value)) {
    complain(valueField, "The value must be a number of 0 or more.");
  } else {
    complain(null, "");
    chart.bars = [...chart.bars, { label, value }];
    nameField.value = valueField.value = "";
    nameField.focus();
    chart.scrollLeft = chart.scrollWidth;
  }
});

const actions = {
  sort: (bars) => bars.sort((a, b) => b.value - a.value),
  pop: (bars) => bars.slice(0, -1),
  clear: () => [],
};
document.querySelector(".tools").addEventListener("click", (event) => {
  const action = actions[event.target.dataset.do];
  if (!action) return;
  complain(null, "");
  chart.bars = action(chart.bars);
});
