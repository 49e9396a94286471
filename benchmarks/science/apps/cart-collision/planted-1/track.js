const TRACK = 6; // m
const START = { x1: 1, x2: 4 }; // m, front bumpers
const LONGEST = 20; // s
const FIELDS = {
  m1: { name: "Left mass", from: 0.1, to: 10, unit: "kg" },
  v1: { name: "Left velocity", from: -5, to: 5, unit: "m/s" },
  m2: { name: "Right mass", from: 0.1, to: 10, unit: "kg" },
  v2: { name: "Right velocity", from: -5, to: 5, unit: "m/s" },
};

const byId = (id) => document.getElementById(id);
let status = "Ready";
let plan = null; // the whole course of the present run, known beforehand
let startedAt = 0;

// ---------- physics ----------

/** Momentum is kept; the carts part at bounciness times the speed they met with. */
function afterImpact({ m1, v1, m2, v2, bounce }) {
  const momentum = m1 * v1 + m2 * v2;
  const parting = bounce * (v1 - v2);
  return {
    v1: (momentum - m2 * parting) / (m1 + m2),
    v2: (momentum + m1 * parting) / (m1 + m2),
  };
}

/** When a bumper that is at x now and moves with v gets to an end of the track. */
function timeToEnd(x, v) {
  if (Math.abs(v) < 1e-12) return Infinity;
  return ((v > 0 ? TRACK : 0) - x) / v;
}

/** Between impacts nothing pushes the carts, so a run is two legs of constant velocity at most. */
function makePlan(values) {
  const first = { at: 0, ...START, v1: values.v1, v2: values.v2 };
  const legs = [first];
  const closing = values.v1 - values.v2;
  const impact = closing > 0 ? (START.x2 - START.x1) / closing : Infinity;
  const exit = Math.min(timeToEnd(first.x1, first.v1), timeToEnd(first.x2, first.v2));
  let end = exit;
  if (impact < exit) {
    const x = START.x1 + values.v1 * impact;
    const second = { at: impact, x1: x, x2: x, ...afterImpact(values) };
    legs.push(second);
    end = impact + Math.min(timeToEnd(x, second.v1), timeToEnd(x, second.v2));
  }
  return { values, legs, end: Math.min(end, LONGEST) };
}

function stateAt({ legs, end }, time) {
  const now = Math.min(time, end);
  const leg = legs.findLast((candidate) => candidate.at <= now);
  return {
    time: now,
    x1: leg.x1 + leg.v1 * (now - leg.at),
    x2: leg.x2 + leg.v2 * (now - leg.at),
    v1: leg.v1,
    v2: leg.v2,
  };
}

// ---------- input ----------

function readFields() {
  const values = { bounce: Number(byId("bounciness").value) };
  const errors = [];
  for (const [id, { name, from, to, unit }] of Object.entries(FIELDS)) {
    const field = byId(id);
    const value = field.value.trim() === "" ? NaN : Number(field.value);
    const right = value >= from && value <= to;
    field.setAttribute("aria-invalid", String(!right));
    if (!right) errors.push(`${name} must be a number from ${from} to ${to} ${unit}.`);
    values[id] = value;
  }
  byId("error").textContent = errors.join(" ");
  return errors.length === 0 ? values : null;
}

// ---------- showing ----------

function fixed(number, unit, signed = false) {
  const text = number.toFixed(2).replace(/^-(0\.00)$/, "$1");
  const sign = signed && Number(text) > 0 ? "+" : "";
  return `${sign}${text.replace("-", "−")} ${unit}`;
}

function drawTrack() {
  let shapes = '<rect x="-6" y="148" width="612" height="14" rx="3"/><rect x="20" y="162" width="14" height="26"/><rect x="566" y="162" width="14" height="26"/>';
  for (let x = 10; x < 600; x += 20) shapes += `<circle cx="${x}" cy="155" r="2"/>`;
  for (let m = 0; m <= TRACK; m += 1) shapes += `<text x="${m * 100}" y="208">${m} m</text>`;
  shapes += '<line x1="0" y1="136" x2="0" y2="166"/><line x1="600" y1="136" x2="600" y2="166"/>';
  byId("track").innerHTML = shapes;
}

function drawCart(side, x, v, mass) {
  byId(`${side}-cart`).setAttribute("transform", `translate(${x * 100} 0)`);
  const body = byId(`${side}-body`);
  const height = 24 + 9 * Math.sqrt(mass * 4); // heavier carts are taller
  body.setAttribute("height", height);
  body.setAttribute("y", 146 - height);
  const arrow = byId(`${side}-arrow`);
  arrow.setAttribute("x2", Number(arrow.getAttribute("x1")) + v * 26);
  arrow.setAttribute("visibility", Math.abs(v) < 0.01 ? "hidden" : "visible");
  const y = 146 - height - 14;
  arrow.setAttribute("y1", y);
  arrow.setAttribute("y2", y);
}

function show(state) {
  const { m1, m2 } = plan.values;
  const { time, x1, x2, v1, v2 } = state;
  byId("time").textContent = fixed(time, "s");
  byId("x1").textContent = fixed(x1, "m");
  byId("x2").textContent = fixed(x2, "m");
  byId("s1").textContent = fixed(v1, "m/s", true);
  byId("s2").textContent = fixed(v2, "m/s", true);
  byId("momentum").textContent = fixed(m1 * v1 + m2 * v2, "kg·m/s", true);
  byId("energy").textContent = fixed((m1 * v1 * v1 + m2 * v2 * v2) / 2, "J");
  drawCart("left", x1, v1, m1);
  drawCart("right", x2, v2, m2);
}

function setStatus(next) {
  status = next;
  byId("status").textContent = next;
  byId("inputs").disabled = next === "Running"; // values stay as they are during a run
  byId("run").disabled = next === "Running";
}

// ---------- running ----------

/** Puts the carts at their start places with the values in the fields. */
function prepare() {
  setStatus("Ready");
  const values = readFields();
  if (values) plan = makePlan(values);
  show(stateAt(plan, 0));
  return values !== null;
}

function frame(now) {
  if (status !== "Running") return;
  const state = stateAt(plan, Math.max(0, now - startedAt) / 1000);
  show(state);
  if (state.time >= plan.end) setStatus("Finished");
  else requestAnimationFrame(frame);
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (status === "Running" || !prepare()) return;
  setStatus("Running");
  startedAt = performance.now();
  requestAnimationFrame(frame);
});

byId("reset").addEventListener("click", () => {
  for (const id of [...Object.keys(FIELDS), "bounciness"]) byId(id).value = byId(id).defaultValue;
  byId("bounce-value").textContent = Number(byId("bounciness").value).toFixed(1);
  prepare();
});

byId("inputs").addEventListener("input", () => {
  byId("bounce-value").textContent = Number(byId("bounciness").value).toFixed(1);
  prepare();
});

drawTrack();
prepare();
