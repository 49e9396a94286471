"use strict";

const $ = (id) => document.getElementById(id);
const CLIFF = 20; // metres
const NEAR = 5; // metres that still count as a hit
const SHOTS = 5;
const LONGEST = 3; // seconds that any flight may take on screen
const BOXES = [
  { box: $("angle"), name: "Angle", low: 0, high: 80, unit: "degrees" },
  { box: $("speed"), name: "Speed", low: 10, high: 60, unit: "m/s" },
];

let target = 0;
let shots = SHOTS;
let score = 0;
let flight = null; // the ball in the air
let scale = 1; // drawing units per metre

// Drawing: x grows to the right from the foot of the cliff, y upwards from the ground.
const FOOT = 60;
const GROUND = 335;
const X = (metres) => FOOT + metres * scale;
const Y = (metres) => GROUND - metres * scale;

function pickTarget() {
  const old = target;
  do target = 60 + Math.floor(Math.random() * 191);
  while (target === old);
}

/** The true path without air: where the ball is `t` seconds after the shot. */
function pathOf(angle, speed, gravity) {
  const across = speed * Math.cos((angle * Math.PI) / 180);
  const up = speed * Math.sin((angle * Math.PI) / 180);
  const time = (up + Math.sqrt(up * up + 2 * gravity * CLIFF)) / gravity;
  return {
    time,
    range: across * time,
    top: CLIFF + (up * up) / (2 * gravity),
    at: (t) => [across * t, Math.max(0, CLIFF + up * t - (gravity * t * t) / 2)],
  };
}

/** Zoom so that the target, and the whole flight if there is one, fits into the picture. */
function fit(range = 0, top = 0) {
  const wide = Math.max(280, target + 20, range * 1.04);
  const high = Math.max(60, top * 1.08);
  scale = Math.min((1000 - FOOT) / wide, GROUND / high);
  drawLand();
}

function drawLand() {
  const step = [25, 50, 100, 250, 500].find((metres) => metres * scale >= 60) ?? 1000;
  let marks = "";
  for (let m = 0; X(m) < 965; m += step) {
    marks += `<line class="mark" x1="${X(m)}" x2="${X(m)}" y1="${GROUND}" y2="${GROUND + 8}"></line>
      <text class="metres" x="${X(m)}" y="${GROUND + 28}">${m}</text>`;
  }
  $("land").innerHTML = `
    <rect class="soil" x="0" y="${GROUND}" width="1000" height="${380 - GROUND}"></rect>
    <rect class="rock" x="0" y="${Y(CLIFF)}" width="${FOOT}" height="${380 - Y(CLIFF)}"></rect>
    <rect class="zone" x="${X(target - NEAR)}" y="${GROUND - 3}" width="${2 * NEAR * scale}" height="6"></rect>
    <line class="pole" x1="${X(target)}" x2="${X(target)}" y1="${GROUND}" y2="${GROUND - 34}"></line>
    <path class="zone" d="M${X(target)} ${GROUND - 34}l18 7l-18 7z"></path>${marks}`;
  $("wheel").setAttribute("cx", FOOT - 8);
  $("wheel").setAttribute("cy", Y(CLIFF) - 8);
  aim();
}

function aim() {
  const angle = Math.max(0, Math.min(80, Number($("angle").value) || 0));
  $("cannon").setAttribute("transform", `translate(${FOOT - 8} ${Y(CLIFF) - 10}) rotate(${-angle})`);
}

function write() {
  $("target").textContent = `Target at ${target} m`;
  $("shots").textContent = `Shots left: ${shots}`;
  $("score").textContent = `Score: ${score}`;
  $("over").textContent = shots === 0 && !flight ? "Game over" : "";
  $("fire").disabled = shots === 0 || flight !== null;
}

function clearNews() {
  $("landed").textContent = "";
  $("verdict").textContent = "";
}

/** What is wrong with the boxes, or an empty text. */
function complain() {
  const problems = [];
  for (const { box, name, low, high, unit } of BOXES) {
    const value = box.valueAsNumber;
    const wrong = !(value >= low && value <= high); // true for an empty box as well
    box.setAttribute("aria-invalid", String(wrong));
    if (wrong) problems.push(`${name} must be a number from ${low} to ${high} ${unit}.`);
  }
  return problems.join(" ");
}

function fire(event) {
  event.preventDefault();
  if (flight || shots === 0) return;
  const problem = complain();
  $("problem").textContent = problem;
  if (problem) return;
  clearNews();
  const gravity = Number(new FormData($("controls")).get("planet"));
  const path = pathOf($("angle").valueAsNumber, $("speed").valueAsNumber, gravity);
  const shown = Math.min(LONGEST, path.time);
  flight = { path, shown, began: null, points: [] };
  shots -= 1;
  fit(path.range, path.top);
  write();
  requestAnimationFrame(fly);
}

function fly(now) {
  if (!flight) return;
  flight.began ??= now;
  const { path, shown, began, points } = flight;
  const part = Math.min(1, (now - began) / 1000 / shown);
  const [x, y] = path.at(part * path.time);
  points.push(`${X(x).toFixed(1)} ${Y(y).toFixed(1)}`);
  $("trail").setAttribute("d", `M${points.join("L")}`);
  $("ball").setAttribute("cx", X(x));
  $("ball").setAttribute("cy", Y(y));
  $("ball").setAttribute("visibility", "visible");
  if (part < 1) requestAnimationFrame(fly);
  else land(path.range);
}

function land(range) {
  flight = null;
  // What counts is the distance that is shown, so that 5.0 m is never a miss.
  const tenths = Math.round(range * 10);
  const miss = Math.abs(tenths - target * 10) / 10;
  $("landed").textContent = `Landed at ${(tenths / 10).toFixed(1)} m`;
  if (miss <= NEAR) {
    score += 1;
    $("verdict").textContent = "Hit! The flag has moved on.";
    pickTarget();
    fit(range, 0);
    $("trail").setAttribute("d", "");
    $("ball").setAttribute("visibility", "hidden");
  } else {
    $("verdict").textContent = `${miss.toFixed(1)} m ${tenths > target * 10 ? "too far" : "short"}.`;
  }
  write();
}

function newGame() {
  flight = null;
  shots = SHOTS;
  score = 0;
  pickTarget();
  clearNews();
  $("problem").textContent = "";
  for (const { box } of BOXES) box.removeAttribute("aria-invalid");
  $("trail").setAttribute("d", "");
  $("ball").setAttribute("visibility", "hidden");
  fit();
  write();
}

$("controls").addEventListener("submit", fire);
$("angle").addEventListener("input", () => flight || aim());
$("new").addEventListener("click", newGame);
newGame();
