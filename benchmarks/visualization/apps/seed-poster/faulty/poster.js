const PALETTES = {
  Bauhaus: ["#f3ead7", "#d8402f", "#1f4e9b", "#f0b429", "#1c1c1c"],
  Lagoon: ["#e8f6f3", "#0b7a75", "#19535f", "#f2a65a", "#7ac7c4"],
  Dusk: ["#2b1b3d", "#c94b7b", "#f7b267", "#6a4c93", "#f4e4f0"],
  Moss: ["#f1f0e4", "#386641", "#a7c957", "#bc4749", "#2f3e34"],
};
const WORDS = ["amber", "basalt", "cedar", "comet", "ember", "fjord", "indigo", "lichen", "opal", "saffron", "tundra", "velvet"];

const $ = (id) => document.getElementById(id);
const canvas = $("poster");
const pen = canvas.getContext("2d");
const SIZE = canvas.width;

// Math.random cannot be seeded: hash the text (FNV-1a) and run mulberry32 from there.
function seeded(text) {
  let state = 0x811c9dc5;
  for (const char of text) {
    state ^= char.codePointAt(0);
    state = Math.imul(state, 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function disc(x, y, radius, from = 0, to = 2 * Math.PI) {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, radius, from, to);
  pen.fill();
}

// Every shape fills a tile of side 1 around the origin.
const SHAPES = [
  (a) => {
    pen.fillStyle = a;
    disc(-0.5, -0.5, 1, 0, Math.PI / 2);
  },
  (a, b) => {
    pen.fillStyle = a;
    disc(-0.5, 0, 0.5, -Math.PI / 2, Math.PI / 2);
    pen.fillStyle = b;
    disc(0.5, 0, 0.5, Math.PI / 2, Math.PI * 1.5);
  },
  (a) => {
    pen.fillStyle = a;
    pen.beginPath();
    pen.moveTo(-0.5, -0.5);
    pen.lineTo(0.5, -0.5);
    pen.lineTo(-0.5, 0.5);
    pen.fill();
  },
  (a, b) => {
    pen.fillStyle = a;
    disc(0, 0, 0.42);
    pen.fillStyle = b;
    disc(0, 0, 0.2);
  },
  (a) => {
    pen.fillStyle = a;
    for (const y of [-0.5, -0.1, 0.3]) pen.fillRect(-0.5, y, 1, 0.2);
  },
  (a, b) => {
    pen.fillStyle = a;
    disc(-0.5, -0.5, 0.5, 0, Math.PI / 2);
    pen.fillStyle = b;
    disc(0.5, 0.5, 0.5, Math.PI, Math.PI * 1.5);
  },
];

function drawTile(random, colours, x, y, side) {
  const rest = [...colours];
  const take = () => rest.splice(Math.floor(random() * rest.length), 1)[0];
  const [ground, first, second] = [take(), take(), take()];
  const shape = SHAPES[Math.floor(random() * SHAPES.length)];
  const turns = Math.floor(random() * 4);
  pen.save();
  pen.beginPath();
  pen.rect(x, y, side, side);
  pen.clip();
  pen.fillStyle = ground;
  pen.fillRect(x - 1, y - 1, side + 2, side + 2);
  pen.translate(x + side / 2, y + side / 2);
  pen.rotate((turns * Math.PI) / 2);
  pen.scale(side, side);
  shape(first, second);
  pen.restore();
}

function mirrorRightHalf() {
  pen.save();
  pen.translate(SIZE, 0);
  pen.scale(-1, 1);
  pen.drawImage(canvas, 0, 0, SIZE / 2, SIZE, 0, 0, SIZE / 2, SIZE);
  pen.restore();
}

function draw() {
  const seed = $("seed").value.trim();
  const tiles = Number($("tiles").value);
  $("tiles-value").textContent = tiles;
  $("message").textContent = seed ? "" : "Please enter a seed";
  $("seed").setAttribute("aria-invalid", String(!seed));
  if (!seed) return;
  const random = seeded(seed);
  const colours = PALETTES[$("palette").value];
  const edge = (i) => Math.round((i * SIZE) / tiles);
  for (let row = 0; row < tiles; row++) {
    for (let column = 0; column < tiles; column++) {
      drawTile(random, colours, edge(column), edge(row), edge(column + 1) - edge(column) + 1);
    }
  }
  if ($("mirror").checked) mirrorRightHalf();
}

function newSeed() {
  const word = WORDS[Math.floor(Math.random() * WORDS.length)];
  return `${word}-${Math.floor(Math.random() * 9000) + 1000}`;
}

$("new").addEventListener("click", () => {
  let seed = newSeed();
  while (seed === $("seed").value) seed = newSeed();
  $("seed").value = seed;
  draw();
});

for (const name of Object.keys(PALETTES)) $("palette").add(new Option(name));
for (const id of ["seed", "tiles", "palette", "mirror"]) $(id).addEventListener("input", draw);
$("form").addEventListener("submit", (event) => event.preventDefault());
draw();
