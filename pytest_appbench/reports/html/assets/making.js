// What all parts of the report share: the data, making elements, addresses. Text is only ever set
// as text: nothing in here reads markup.

const $ = (id) => document.getElementById(id);
const { rows } = JSON.parse($("data").textContent);
const BATCH = 40;
const SCORES = ["intention", "static", "dynamic"];
const WORST = { fail: 0, uncertain: 1, error: 2, pass: 3 };
const list = $("list"), body = list.tBodies[0], input = $("q"), task = $("task");

// Making things

const make = (kind) => (name, given = {}, ...children) => {
  const element = kind ? document.createElementNS(kind, name) : document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "on") for (const [type, act] of Object.entries(value)) element.addEventListener(type, act);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false && one !== ""));
  return element;
};
const el = make(""), svg = make("http://www.w3.org/2000/svg");
const bdi = (text) => el("bdi", {}, text);
const number = (value) => value.toLocaleString("en-US");
const score = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const money = (value) => (value === null || value === undefined ? "–" : `$${value.toFixed(value < 1 ? 4 : 2)}`);
const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
const outcome = (word) => [el("i", { class: `dot ${word}` }), el("span", { class: `word ${word}` }, word)];
const joined = (...words) => words.filter(Boolean).join(" · ");

// Addresses

const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const address = (given) => {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined && value !== "");
  return `#${new URLSearchParams(kept)}`;
};
const place = new Map();
rows.forEach((row, index) => { row.index = index; place.set(row.k, row); });
