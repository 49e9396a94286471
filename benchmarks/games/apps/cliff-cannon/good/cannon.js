const CLIFF = 20; // metres above the plain
const HIT = 5; // metres
const SHOTS = 5;
const LONGEST = 1500; // ms: the slow flights on the Moon are shown in quick motion

const $ = (id) => document.getElementById(id);
const canvas = $("scene");
const pen = canvas.getContext("2d");

let target = 0;
let shots = SHOTS;
let score = 0;
let flight = null; // { angle, speed, gravity, time, landing }
let trail = []; // points of the last flight, in metres
let mark = null; // where the last ball came down

const newTarget = () => 60 + Math.floor(Math.random() * 191);

function newGame() {
  flight = null;
  trail = [];
  mark = null;
  shots = SHOTS;
  score = 0;
  target = newTarget();
  say("Aim and fire. The cannon stands 20 m above the plain; within 5 m of the target is a hit.");
  show();
}

function say(text) {
  $("message").textContent = text;
}

function show() {
  $("target").textContent = `Target at ${target} m`;
  $("shots").textContent = `Shots left: ${shots}`;
  $("score").textContent = `Score: ${score}`;
  $("fire").disabled = Boolean(flight) || shots === 0;
  draw();
}

/** The number in a box, or null with the box marked when it is missing or out of range. */
function read(id) {
  const box = $(id);
  const value = box.valueAsNumber;
  const good = Number.isFinite(value) && value >= Number(box.min) && value <= Number(box.max);
  box.setAttribute("aria-invalid", String(!good));
  return good ? value : null;
}

function fire() {
  if (flight || shots === 0) return;
  const degrees = read("angle");
  const speed = read("speed");
  if (degrees === null || speed === null) {
    const wrong = degrees === null ? "Angle must be a number from 0 to 80 degrees." : "";
    const slow = speed === null ? "Speed must be a number from 10 to 60 m/s." : "";
    say(`${wrong} ${slow} No shot was used.`.trim());
    return;
  }
  const angle = (degrees * Math.PI) / 180;
  const gravity = Number($("planet").value);
  const up = speed * Math.sin(angle);
  // The height CLIFF + up * t - gravity * t² / 2 is zero at:
  const time = (up + Math.sqrt(up * up + 2 * gravity * CLIFF)) / gravity;
  flight = { angle, speed, gravity, time, landing: speed * Math.cos(angle) * time };
  shots -= 1;
  trail = [];
  mark = null;
  say("The ball is in the air …");
  show();
  let begun = null;
  const shot = flight;
  requestAnimationFrame(function frame(now) {
    if (flight !== shot) return; // a new game was begun meanwhile
    begun ??= now;
    const share = Math.min(1, (now - begun) / Math.min(LONGEST, shot.time * 1000));
    trail.push(place(shot, share * shot.time));
    if (share < 1) {
      draw();
      requestAnimationFrame(frame);
    } else {
      land();
    }
  });
}

function place({ angle, speed, gravity }, t) {
  return [speed * Math.cos(angle) * t, Math.max(0, CLIFF + speed * Math.sin(angle) * t - (gravity * t * t) / 2)];
}

function land() {
  const { landing } = flight;
  flight = null;
  mark = landing;
  const hit = Math.abs(landing - target) <= HIT;
  const told = hit ? "a hit!" : `${Math.abs(landing - target).toFixed(1)} m too ${landing < target ? "short" : "far"}.`;
  if (hit) {
    score += 1;
    target = newTarget();
  }
  const over = shots === 0 ? ` Game over – ${score} of ${SHOTS} shots hit.` : "";
  say(`Landed at ${landing.toFixed(1)} m – ${told}${over}`);
  show();
}

// ---- drawing ----

function draw() {
  const { width: w, height: h } = canvas;
  const ground = h - 46;
  const left = Math.min(90, w / 8);
  const reach = Math.max(target, flight?.landing ?? 0, mark ?? 0) * 1.08 + 10;
  const points = flight ? [[0, peak(flight)]] : trail;
  const top = Math.max(CLIFF * 2.2, ...points.map(([, y]) => y)) * 1.08;
  const scale = Math.min((w - left - 20) / reach, (ground - 14) / top);
  const at = ([x, y]) => [left + x * scale, ground - y * scale];

  const sky = pen.createLinearGradient(0, 0, 0, ground);
  sky.addColorStop(0, "#f6b26b");
  sky.addColorStop(1, "#fde4bf");
  pen.fillStyle = sky;
  pen.fillRect(0, 0, w, h);
  pen.fillStyle = "#8c6a3f";
  pen.fillRect(0, ground, w, h - ground);
  pen.fillStyle = "#5b3a29";
  pen.fillRect(0, at([0, CLIFF])[1], left, h);

  pen.fillStyle = "#fff6ec";
  pen.font = "16px sans-serif";
  pen.textAlign = "center";
  const stride = [10, 20, 50, 100, 200, 500, 1000].find((s) => s * scale > 70) ?? 2000;
  for (let x = 0; at([x, 0])[0] < w - 10; x += stride) {
    const [px] = at([x, 0]);
    pen.fillRect(px - 1, ground, 2, 8);
    pen.fillText(`${x} m`, px, ground + 28);
  }

  const [tx] = at([target, 0]);
  pen.fillStyle = "#b00020";
  pen.fillRect(tx - Math.max(2, HIT * scale), ground - 5, Math.max(4, 2 * HIT * scale), 10);
  pen.fillRect(tx - 1, ground - 44, 3, 44);
  pen.beginPath();
  pen.moveTo(tx + 2, ground - 44);
  pen.lineTo(tx + 26, ground - 36);
  pen.lineTo(tx + 2, ground - 28);
  pen.fill();

  const [cx, cy] = at([0, CLIFF]);
  const degrees = Math.min(80, Math.max(0, $("angle").valueAsNumber || 0));
  pen.save();
  pen.translate(cx - 12, cy - 10);
  pen.rotate((-degrees * Math.PI) / 180);
  pen.fillStyle = "#2b2b33";
  pen.fillRect(-14, -7, 44, 14);
  pen.restore();
  pen.fillStyle = "#2b2b33";
  pen.beginPath();
  pen.arc(cx - 18, cy - 8, 10, 0, 7);
  pen.fill();

  pen.strokeStyle = "#33211a";
  pen.lineWidth = 2;
  pen.setLineDash([5, 6]);
  pen.beginPath();
  trail.forEach((point) => pen.lineTo(...at(point)));
  pen.stroke();
  pen.setLineDash([]);
  if (trail.length) {
    pen.beginPath();
    pen.arc(...at(trail.at(-1)), 8, 0, 7);
    pen.fillStyle = "#2b2b33";
    pen.fill();
  }
}

function peak({ angle, speed, gravity }) {
  return CLIFF + (speed * Math.sin(angle)) ** 2 / (2 * gravity);
}

/** As many dots as the page gives room for, so that the scale stays readable on a phone. */
function fit() {
  canvas.width = Math.max(200, canvas.clientWidth);
  canvas.height = Math.max(220, Math.round(canvas.width * 0.34));
  draw();
}

$("controls").addEventListener("submit", (event) => {
  event.preventDefault();
  fire();
});
$("angle").addEventListener("input", () => flight || draw());
$("again").addEventListener("click", newGame);
window.addEventListener("resize", fit);
newGame();
fit();
