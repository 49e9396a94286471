const ACID_VOLUME = 25; // mL
const BURETTE = 50; // mL
const BASE = 0.1; // mol/L
const WATER = 1e-14; // ionic product of water at 25 °C
const FLOW = 1; // mL per second

// Each indicator: name and paint below its range, within it, and above it.
const INDICATORS = {
  phenolphthalein: {
    from: 8.2, to: 10,
    below: ["colourless", "#dbe8f3"], between: ["pale pink", "#f8c6de"], above: ["pink", "#ec4899"],
  },
  orange: {
    from: 3.1, to: 4.4,
    below: ["red", "#d93636"], between: ["orange", "#f08a24"], above: ["yellow", "#f4d23c"],
  },
  bromothymol: {
    from: 6, to: 7.6,
    below: ["yellow", "#f4d23c"], between: ["green", "#3f9b56"], above: ["blue", "#2f62c9"],
  },
};

const byId = (id) => document.getElementById(id);
const canvas = byId("curve");

let acid = 0.1; // mol/L
const indicator = "phenolphthalein";
let volume = 0; // mL of base added
let open = false;
let lastFrame = 0;

// ---------- chemistry ----------

function phAt(added) {
  // Strong acid and base: the charges of what is left over, H+ and OH- must balance.
  const excess = (acid * ACID_VOLUME - BASE * added) / (ACID_VOLUME + added);
  const larger = Math.abs(excess) / 2 + Math.sqrt((excess * excess) / 4 + WATER);
  const hydrogen = excess >= 0 ? larger : WATER / larger;
  return Math.min(14, Math.max(0, -Math.log10(hydrogen)));
}

function colourAt(ph) {
  const { from, to, below, between, above } = INDICATORS[indicator];
  if (ph < from) return below;
  return ph > to ? above : between;
}

// ---------- drawing ----------

function drawScale() {
  for (let mark = 0; mark <= BURETTE; mark += 5) {
    const y = 20 + (mark / BURETTE) * 260;
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    line.setAttribute("x1", 142);
    line.setAttribute("x2", mark % 10 ? 149 : 154);
    line.setAttribute("y1", y);
    line.setAttribute("y2", y);
    byId("scale").append(line);
    if (mark % 10) continue;
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("x", 159);
    text.setAttribute("y", y);
    text.textContent = mark;
    byId("scale").append(text);
  }
}

function drawCurve() {
  const dpr = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * dpr);
  canvas.height = Math.round(height * dpr);
  const ctx = canvas.getContext("2d");
  ctx.scale(dpr, dpr);
  const box = { left: 46, top: 14, right: width - 14, bottom: height - 42 };
  const x = (ml) => box.left + (ml / BURETTE) * (box.right - box.left);
  const y = (ph) => box.bottom - (ph / 14) * (box.bottom - box.top);

  ctx.font = "12px 'Segoe UI', Arial, sans-serif";
  ctx.fillStyle = "#4d5b6d";
  ctx.strokeStyle = "#dde4ec";
  ctx.lineWidth = 1;
  ctx.textAlign = "center";
  for (let ml = 0; ml <= BURETTE; ml += 10) {
    ctx.strokeRect(x(ml), box.top, 0, box.bottom - box.top);
    ctx.fillText(ml, x(ml), box.bottom + 16);
  }
  ctx.fillText("Volume added in mL", (box.left + box.right) / 2, box.bottom + 34);
  ctx.textAlign = "right";
  for (let ph = 0; ph <= 14; ph += 2) {
    ctx.strokeRect(box.left, y(ph), box.right - box.left, 0);
    ctx.fillText(ph, box.left - 7, y(ph) + 4);
  }
  ctx.save();
  ctx.translate(14, (box.top + box.bottom) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textAlign = "center";
  ctx.fillText("pH", 0, 0);
  ctx.restore();

  ctx.strokeStyle = "#1f4fa8";
  ctx.lineWidth = 2.5;
  ctx.lineJoin = "round";
  ctx.beginPath();
  ctx.moveTo(x(0), y(phAt(0)));
  for (let ml = 0.1; ml < volume; ml += 0.1) ctx.lineTo(x(ml), y(phAt(ml)));
  ctx.lineTo(x(volume), y(phAt(volume)));
  ctx.stroke();
  ctx.fillStyle = "#d0670a";
  ctx.beginPath();
  ctx.arc(x(volume), y(phAt(volume)), 5, 0, 2 * Math.PI);
  ctx.fill();
}

function show() {
  const ph = phAt(volume);
  const [name, paint] = colourAt(ph);
  const empty = volume >= BURETTE;
  byId("volume").textContent = `${volume.toFixed(2)} mL`;
  byId("ph").textContent = ph.toFixed(2);
  byId("colour").textContent = name;
  byId("flow").textContent = open ? "Close tap" : "Open tap";
  for (const id of ["add-one", "add-drop", "flow"]) byId(id).disabled = empty;

  const gone = (volume / BURETTE) * 260;
  byId("base").setAttribute("y", 20 + gone);
  byId("base").setAttribute("height", 280 - 20 - gone);
  byId("liquid").setAttribute("y", 462 - volume);
  byId("liquid").setAttribute("fill", paint);
  byId("tap").classList.toggle("open", open);
  byId("stream").setAttribute("visibility", open ? "visible" : "hidden");
  drawCurve();
}

// ---------- handling ----------

function add(ml) {
  // Rounding keeps ten drops of 0.1 mL exactly one millilitre.
  volume = Math.min(BURETTE, Math.round((volume + ml) * 1e6) / 1e6);
  if (volume >= BURETTE) open = false;
  show();
}

function frame(now) {
  if (!open) return;
  const passed = Math.max(0, now - lastFrame) / 1000;
  lastFrame = now;
  add(passed * FLOW);
  requestAnimationFrame(frame);
}

function startOver() {
  open = false;
  volume = 0;
  show();
}

byId("add-one").addEventListener("click", () => add(1));
byId("add-drop").addEventListener("click", () => add(0.1));
byId("refill").addEventListener("click", startOver);

byId("flow").addEventListener("click", () => {
  open = !open;
  if (open) {
    lastFrame = performance.now();
    requestAnimationFrame(frame);
  }
  show();
});

byId("acid").addEventListener("change", (event) => {
  acid = Number(event.target.value);
  startOver();
});

drawScale();
new ResizeObserver(drawCurve).observe(canvas);
show();
