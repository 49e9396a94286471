// The list of tasks: filtered, sorted, drawn as far as it is scrolled.

const least = (row) => {
  const values = (row.sc || []).filter((one) => one !== null);
  return values.length ? Math.min(...values) : row.x ?? null;
};
const any = (name) => rows.some((row) => row[name] !== undefined && row[name] !== null && row[name] !== "");
const COLUMNS = [
  { id: "outcome", of: (row) => WORST[row.o] },
  { id: "task", of: (row) => row.id },
  ...SCORES.filter((_, i) => rows.some((row) => row.sc && row.sc[i] !== null))
    .map((name) => ({ id: name, of: (row) => row.sc?.[SCORES.indexOf(name)] ?? null, shown: score, n: true })),
  any("x") && { id: "score", of: (row) => row.x ?? null, shown: score, n: true },
  any("lb") && { id: "label", of: (row) => row.lb || null, shown: String },
  any("j") && { id: "judge", of: (row) => row.j || null, shown: String, by: true },
  any("t") && { id: "time", of: (row) => row.t ?? null, shown: (value) => `${value.toFixed(1)} s`, n: true },
  any("n") && { id: "tokens", of: (row) => row.n ?? null, shown: number, n: true },
  any("c") && { id: "cost", of: (row) => row.c ?? null, shown: money, n: true },
].filter(Boolean);
rows.forEach((row) => {
  row.text = [
    row.id, row.d && `domain:${row.d}`, row.s && `subclass:${row.s}`, row.l && `level:${row.l}`,
    `outcome:${row.o}`, row.j && `judge:${row.j}`, row.g && `generator:${row.g}`, row.lb && `label:${row.lb}`,
    row.k, row.w,
  ].filter(Boolean).join("\n").toLowerCase();
});

const state = { q: "", chosen: new Set(), sort: "outcome", down: false, found: rows, drawn: 0 };

const compare = (a, b) => {
  const of = COLUMNS.find((column) => column.id === state.sort).of;
  const [x, y] = [of(a), of(b)];
  if (x !== y) {
    if (x === null) return 1;
    if (y === null) return -1;
    return (x < y ? -1 : 1) * (state.down ? -1 : 1);
  }
  return (least(a) ?? 2) - (least(b) ?? 2) || a.index - b.index;
};

const short = rows.every((row) => !row.j || row.j.length < 12);
const cell = (row, column) => {
  if (column.id === "outcome") {
    const was = row.ao && row.ao !== row.o && el("small", {}, `was ${row.ao}`, row.aj && row.aj !== row.j && [", by ", bdi(row.aj)]);
    return el("td", {}, outcome(row.o), was);
  }
  if (column.id === "task") {
    const words = joined(row.d, row.s, row.l);
    return el("th", { scope: "row" },
      el("a", { href: address({ task: row.k }) }, bdi(row.id)),
      el("small", {}, bdi(words), row.j && el("span", { class: "only-phone" }, words && " · ", "by ", bdi(row.j), least(row) === null ? "" : `, least score ${score(least(row))}`)),
      row.w && el("small", { class: "why", dir: "auto" }, row.w));
  }
  const value = column.of(row);
  const low = SCORES.includes(column.id) && row.o === "fail" && value !== null && value === least(row) ? " low" : "";
  return el("td", { class: `not-phone${column.n ? " n" : ""}${column.by ? (short ? " by short" : " by") : ""}${low}` },
    value === null ? "–" : bdi(column.shown(value)));
};

const draw = (upto) => {
  const fresh = state.found.slice(state.drawn, upto);
  body.append(...fresh.map((row) => (row.element ??= el("tr", {}, COLUMNS.map((column) => cell(row, column))))));
  state.drawn += fresh.length;
  document.querySelector(".more").hidden = state.drawn >= state.found.length;
};

const refresh = () => {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  state.found = rows.filter((row) =>
    (!state.chosen.size || state.chosen.has(row.o) || (state.chosen.has("changed") && row.ao && row.ao !== row.o)) &&
    words.every((word) => row.text.includes(word)));
  state.found.sort(compare);
  body.replaceChildren();
  state.drawn = 0;
  draw(BATCH);
  $("found").textContent = state.found.length === rows.length ? plural(rows.length, "task") : `${number(state.found.length)} of ${plural(rows.length, "task")}`;
  $("nothing").hidden = state.found.length > 0;
  list.hidden = state.found.length === 0;
  for (const head of list.tHead.rows[0].cells) {
    if (head.dataset.id === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  for (const button of document.querySelectorAll("[data-outcome]")) {
    button.setAttribute("aria-pressed", String(state.chosen.has(button.dataset.outcome)));
  }
};

const remember = () => {
  const sort = state.sort === "outcome" && !state.down ? "" : (state.down ? "-" : "") + state.sort;
  history.replaceState(null, "", address({ q: state.q, only: [...state.chosen].join("."), sort }));
};
const restate = ({ q = "", only = "", sort = "outcome" }) => {
  state.q = q;
  input.value = q;
  state.chosen = new Set(only.split(".").filter(Boolean));
  state.down = sort.startsWith("-");
  const wanted = sort.replace(/^-/, "");
  state.sort = COLUMNS.some((column) => column.id === wanted) ? wanted : "outcome";
  refresh();
};

list.tHead.rows[0].append(...COLUMNS.map((column) =>
  el("th", { scope: "col", "data-id": column.id, class: (column.n ? "n " : "") + (["outcome", "task"].includes(column.id) ? "" : "not-phone") },
    el("button", { type: "button", on: { click: () => {
      state.down = state.sort === column.id ? !state.down : Boolean(column.n && !SCORES.includes(column.id) && column.id !== "score");
      state.sort = column.id;
      refresh();
      remember();
    } } }, column.id))));
input.addEventListener("input", () => { state.q = input.value; refresh(); remember(); });
input.form.addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll("[data-outcome]")) {
  button.addEventListener("click", () => {
    const word = button.dataset.outcome;
    if (!state.chosen.delete(word)) state.chosen.add(word);
    refresh();
    remember();
  });
}
$("more").addEventListener("click", () => draw(state.drawn + BATCH));
const below = document.querySelector(".more");
const watcher = new IntersectionObserver((seen) => {
  if (!seen.some((one) => one.isIntersecting)) return;
  draw(state.drawn + BATCH);
  // Asked anew, it tells again if the end of the list is still near.
  watcher.unobserve(below);
  watcher.observe(below);
}, { rootMargin: "600px" });
watcher.observe(below);
addEventListener("beforeprint", () => {
  draw(Infinity);
  for (const one of document.querySelectorAll("details")) one.open = true;
});
