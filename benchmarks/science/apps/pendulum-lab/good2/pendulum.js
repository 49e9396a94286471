"use strict";

const $ = (id) => document.getElementById(id);
const [scene, arm, rod, bob, form] = ["scene", "arm", "rod", "bob", "panel"].map($);
const PIXELS_PER_METRE = 160; // in the drawing's own units
const LIMIT = 60;
const START = 20;
const radians = (degrees) => (degrees * Math.PI) / 180;
const degrees = (angle) => (angle * 180) / Math.PI;

// The motion is kept in the pendulum's natural time, tau = t * sqrt(g / L), where it
// obeys theta'' = -sin(theta). A new length or gravity then changes the pace, never the amplitude.
let theta = radians(START);
let rate = 0;
let swinging = false;
let held = null; // the pointer that holds the bob, and where it took hold
let lastTime = null;

const length = () => Number($("length").value);
const gravity = () => Number($("gravity").value);
const pace = () => Math.sqrt(gravity() / length());

function advance(seconds) {
  const total = seconds * pace();
  const steps = Math.max(1, Math.ceil(total / 0.01));
  const h = total / steps;
  for (let i = 0; i < steps; i += 1) {
    // velocity Verlet: keeps the energy, so the swing does not die or grow
    rate -= (h / 2) * Math.sin(theta);
    theta += h * rate;
    rate -= (h / 2) * Math.sin(theta);
  }
}

function tick(now) {
  if (!swinging) return;
  if (lastTime !== null) advance(Math.min(0.5, Math.max(0, (now - lastTime) / 1000)));
  lastTime = now;
  draw();
  requestAnimationFrame(tick);
}

function setSwinging(on) {
  const begins = on && !swinging;
  swinging = on;
  $("run").textContent = on ? "Pause" : "Start";
  if (begins) {
    lastTime = null;
    requestAnimationFrame(tick);
  }
}

function put(newDegrees) {
  theta = radians(Math.max(-LIMIT, Math.min(LIMIT, newDegrees)));
  rate = 0;
  draw();
}

function draw() {
  const reach = length() * PIXELS_PER_METRE;
  rod.setAttribute("y2", reach);
  bob.setAttribute("cy", reach);
  // The bob hangs along +y; a positive angle lies to the right, so turn anticlockwise.
  arm.setAttribute("transform", `rotate(${-degrees(theta)})`);
  let shown = degrees(theta).toFixed(1);
  if (Number(shown) === 0) shown = "0.0";
  $("angle").textContent = `Angle: ${shown}°`;
  bob.setAttribute("aria-valuenow", shown);
  bob.setAttribute("aria-valuetext", `${shown} degrees`);
}

function drawSettings() {
  $("length-value").textContent = `${length().toFixed(1)} m`;
  $("gravity-value").textContent = `${gravity().toFixed(1)} m/s²`;
  $("length").setAttribute("aria-valuetext", $("length-value").textContent);
  $("gravity").setAttribute("aria-valuetext", $("gravity-value").textContent);
  $("period").textContent = `Period: ${((2 * Math.PI) / pace()).toFixed(2)} s`;
  draw();
}

function inScene(event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(scene.getScreenCTM().inverse());
}

bob.addEventListener("pointerdown", (event) => {
  if (held || event.button !== 0) return;
  event.preventDefault();
  bob.focus({ focusVisible: false });
  bob.setPointerCapture(event.pointerId);
  setSwinging(false);
  const at = inScene(event);
  const reach = length() * PIXELS_PER_METRE;
  held = {
    id: event.pointerId,
    dx: at.x - reach * Math.sin(theta),
    dy: at.y - reach * Math.cos(theta),
  };
});

bob.addEventListener("pointermove", (event) => {
  if (held?.id !== event.pointerId) return;
  const at = inScene(event);
  put(degrees(Math.atan2(at.x - held.dx, at.y - held.dy)));
});

function letGo(event) {
  if (held?.id !== event.pointerId) return;
  held = null;
  rate = 0;
  setSwinging(true);
}
bob.addEventListener("pointerup", letGo);
bob.addEventListener("pointercancel", letGo);

bob.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  setSwinging(false);
  put(Math.round(degrees(theta)) + step);
});

form.addEventListener("input", drawSettings);
form.addEventListener("submit", (event) => event.preventDefault());
$("run").addEventListener("click", () => setSwinging(!swinging));
form.addEventListener("reset", (event) => {
  event.preventDefault();
  held = null;
  setSwinging(false);
  $("length").value = $("length").defaultValue;
  $("gravity").value = $("gravity").defaultValue;
  put(START);
  drawSettings();
});

// A faint protractor, a tick every ten degrees up to the limit.
let ticks = "";
for (let mark = -LIMIT; mark <= LIMIT; mark += 10) {
  const [s, c] = [Math.sin(radians(mark)), Math.cos(radians(mark))];
  ticks += `M${340 * s} ${340 * c}L${350 * s} ${350 * c}`;
}
$("scale").setAttribute("d", ticks);
// A browser may bring back old slider positions on reload; the lab always starts afresh.
form.reset();
