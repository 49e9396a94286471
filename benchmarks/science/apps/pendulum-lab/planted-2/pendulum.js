const START = { length: 1, gravity: 9.8, angle: 20 };
const LIMIT = 60; // degrees to either side
const RAD = Math.PI / 180;

const el = (id) => document.getElementById(id);
const canvas = el("scene");
const ctx = canvas.getContext("2d");

let length = START.length;
let gravity = START.gravity;
let theta = START.angle * RAD; // angle from the vertical, positive to the right
let omega = 0; // angular velocity in rad/s
let running = false;
let held = false; // the bob is in somebody's hand
let lastFrame = null;

// ---------- physics ----------

const acceleration = (angle) => -(gravity / length) * Math.sin(angle);

/** One Runge-Kutta step: keeps the swing's height over many minutes. */
function step(dt) {
  const a1 = acceleration(theta);
  const v2 = omega + (a1 * dt) / 2;
  const a2 = acceleration(theta + (omega * dt) / 2);
  const v3 = omega + (a2 * dt) / 2;
  const a3 = acceleration(theta + (v2 * dt) / 2);
  const v4 = omega + a3 * dt;
  const a4 = acceleration(theta + v3 * dt);
  theta += ((omega + 2 * v2 + 2 * v3 + v4) * dt) / 6;
  omega += ((a1 + 2 * a2 + 2 * a3 + a4) * dt) / 6;
}

function advance(seconds) {
  const steps = Math.max(1, Math.ceil(seconds / 0.004));
  for (let i = 0; i < steps; i += 1) step(seconds / steps);
}

// ---------- drawing ----------

/** Everything is laid out for 2 m of thread pulled out to the limit. */
function geometry() {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const perMetre = Math.min((height - 80) / 2, (width / 2 - 26) / (2 * Math.sin(LIMIT * RAD)));
  return { width, height, perMetre, x: width / 2, y: 40 };
}

function draw() {
  const { width, height, perMetre, x, y } = geometry();
  const dpr = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * dpr) || canvas.height !== Math.round(height * dpr)) {
    canvas.width = Math.round(width * dpr);
    canvas.height = Math.round(height * dpr);
  }
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.clearRect(0, 0, width, height);

  const reach = length * perMetre;
  const bobX = x + reach * Math.sin(theta);
  const bobY = y + reach * Math.cos(theta);

  // beam
  ctx.fillStyle = "#6d5637";
  ctx.fillRect(x - 70, y - 16, 140, 12);

  // arc with marks every ten degrees
  ctx.strokeStyle = "#4b6157";
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(x, y, reach, Math.PI / 2 - LIMIT * RAD, Math.PI / 2 + LIMIT * RAD);
  ctx.stroke();
  for (let mark = -LIMIT; mark <= LIMIT; mark += 10) {
    const long = mark % 30 === 0 ? 10 : 5;
    ctx.beginPath();
    ctx.moveTo(x + (reach - long) * Math.sin(mark * RAD), y + (reach - long) * Math.cos(mark * RAD));
    ctx.lineTo(x + (reach + long) * Math.sin(mark * RAD), y + (reach + long) * Math.cos(mark * RAD));
    ctx.stroke();
  }

  // plumb line
  ctx.setLineDash([4, 7]);
  ctx.strokeStyle = "#8fa396";
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x, Math.min(height - 8, y + reach + 34));
  ctx.stroke();
  ctx.setLineDash([]);

  // thread, pivot, bob
  ctx.strokeStyle = "#f1efe2";
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(bobX, bobY);
  ctx.stroke();
  ctx.fillStyle = "#f1efe2";
  ctx.beginPath();
  ctx.arc(x, y, 5, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = "#e0201b";
  ctx.beginPath();
  ctx.arc(bobX, bobY, bobRadius(), 0, 2 * Math.PI);
  ctx.fill();
}

const bobRadius = () => (canvas.clientWidth < 500 ? 12 : 17);

function show() {
  const degrees = (theta / RAD).toFixed(1).replace(/^-0\.0$/, "0.0");
  el("angle").textContent = `${degrees}°`;
  canvas.setAttribute("aria-valuenow", degrees);
  canvas.setAttribute("aria-valuetext", `${degrees} degrees`);
  el("period").textContent = `${(2 * Math.PI * Math.sqrt(length / gravity)).toFixed(2)} s`;
  el("length-value").textContent = `${length.toFixed(1)} m`;
  el("gravity-value").textContent = `${gravity.toFixed(1)} m/s²`;
  el("toggle").textContent = running ? "Pause" : "Start";
  draw();
}

// ---------- running ----------

function frame(now) {
  if (!running) return;
  // A tab that slept for a while goes on instead of racing to catch up.
  if (lastFrame !== null) advance(Math.min(0.25, (now - lastFrame) / 1000));
  lastFrame = now;
  show();
  requestAnimationFrame(frame);
}

function run(on) {
  if (on && !running) {
    lastFrame = performance.now();
    requestAnimationFrame(frame);
  }
  running = on;
  show();
}

function pull(degrees) {
  theta = Math.max(-LIMIT, Math.min(LIMIT, degrees)) * RAD;
  omega = 0;
  show();
}

// ---------- controls ----------

/** A new length or gravity in mid-swing keeps the swing as wide as it was. */
function retune(change) {
  const before = gravity / length;
  change();
  omega *= Math.sqrt(gravity / length / before);
  show();
}

el("length").addEventListener("input", (event) => {
  retune(() => { length = Number(event.target.value); });
});
el("gravity").addEventListener("input", (event) => {
  retune(() => { gravity = Number(event.target.value); });
});
el("toggle").addEventListener("click", () => run(!running));

el("reset").addEventListener("click", () => {
  length = START.length;
  gravity = START.gravity;
  theta = START.angle * RAD;
  held = false;
  canvas.classList.remove("held");
  el("length").value = START.length;
  el("gravity").value = START.gravity;
  run(false);
});

function pointerPolar(event) {
  const box = canvas.getBoundingClientRect();
  const { perMetre, x, y } = geometry();
  const dx = event.clientX - box.left - x;
  const dy = event.clientY - box.top - y;
  const reach = length * perMetre;
  return {
    degrees: Math.atan2(dx, dy) / RAD,
    toBob: Math.hypot(dx - reach * Math.sin(theta), dy - reach * Math.cos(theta)),
  };
}

canvas.addEventListener("pointerdown", (event) => {
  if (pointerPolar(event).toBob > bobRadius() + 14) return; // a generous grip for fingers
  held = true;
  run(false);
  canvas.setPointerCapture(event.pointerId);
  canvas.classList.add("held");
});
canvas.addEventListener("pointermove", (event) => {
  if (held) pull(pointerPolar(event).degrees);
});
function letGo() {
  if (!held) return;
  held = false;
  canvas.classList.remove("held");
  run(true);
}
canvas.addEventListener("pointerup", letGo);
canvas.addEventListener("pointercancel", letGo);

canvas.addEventListener("keydown", (event) => {
  const turn = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (!turn) return;
  event.preventDefault();
  run(false);
  pull(Math.round(theta / RAD) + turn * (event.shiftKey ? 10 : 1));
});

new ResizeObserver(draw).observe(canvas);
show();
