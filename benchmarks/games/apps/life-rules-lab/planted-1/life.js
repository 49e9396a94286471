const COLUMNS = 32;
const ROWS = 20;
const TICK = 100; // ms per generation while playing
const $ = (id) => document.getElementById(id);
const canvas = $("board");
const pen = canvas.getContext("2d");

let cells = new Uint8Array(COLUMNS * ROWS);
let generation = 0;
let rule = parse("B3/S23");
let timer = 0;
let frame = { column: 0, row: 0 }; // the square that the keyboard works on

function parse(text) {
  const match = /^B([0-8]*)\/S([0-8]*)$/i.exec(text.trim());
  if (!match) return null;
  const digits = (part) => new Set([...part].map(Number));
  return { born: digits(match[1]), stay: digits(match[2]) };
}

/** All squares change at once, so the next board is worked out beside the present one. */
function nextBoard() {
  const next = new Uint8Array(cells.length);
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      let count = 0;
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          if (!dx && !dy) continue;
          const y = (row + dy + ROWS) % ROWS;
          const x = (column + dx + COLUMNS) % COLUMNS;
          count += cells[y * COLUMNS + x];
        }
      }
      const here = row * COLUMNS + column;
      next[here] = Number((cells[here] ? rule.stay : rule.born).has(count));
    }
  }
  return next;
}

function step() {
  cells = nextBoard();
  generation += 1;
  show();
}

function play() {
  if (timer) return;
  timer = setInterval(step, TICK);
  show();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  show();
}

function fill(make) {
  cells = Uint8Array.from(cells, (_, i) => make(i % COLUMNS, Math.floor(i / COLUMNS)));
  generation = 0;
  show();
}

function load() {
  const lines = $("pattern").value.split(/\r?\n/);
  fill((column, row) => {
    const mark = lines[row]?.[column];
    return mark === undefined ? cells[row * COLUMNS + column] : Number(/o/i.test(mark));
  });
}

function toggle(column, row) {
  cells[row * COLUMNS + column] ^= 1;
  show();
}

function show() {
  const size = canvas.width / COLUMNS;
  pen.fillStyle = "#0b1d25";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#16323d";
  for (let x = 1; x < COLUMNS; x += 1) pen.fillRect(x * size - 0.5, 0, 1, canvas.height);
  for (let y = 1; y < ROWS; y += 1) pen.fillRect(0, y * size - 0.5, canvas.width, 1);
  pen.fillStyle = "#5ef2c2";
  let population = 0;
  const lines = [];
  for (let row = 0; row < ROWS; row += 1) {
    let line = "";
    for (let column = 0; column < COLUMNS; column += 1) {
      const alive = cells[row * COLUMNS + column];
      line += alive ? "O" : ".";
      if (!alive) continue;
      population += 1;
      pen.beginPath();
      pen.roundRect(column * size + 2, row * size + 2, size - 4, size - 4, 7);
      pen.fill();
    }
    lines.push(line);
  }
  if (document.activeElement === canvas) {
    pen.strokeStyle = "#ffd84d";
    pen.lineWidth = 3;
    pen.strokeRect(frame.column * size + 2, frame.row * size + 2, size - 4, size - 4);
  }
  $("snapshot").value = lines.join("\n");
  $("generation").textContent = `Generation: ${generation}`;
  $("population").textContent = `Population: ${population}`;
  $("play").disabled = Boolean(timer);
  $("pause").disabled = !timer;
}

canvas.addEventListener("click", (event) => {
  const box = canvas.getBoundingClientRect();
  const at = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  frame = {
    column: at((event.clientX - box.left) / box.width, COLUMNS),
    row: at((event.clientY - box.top) / box.height, ROWS),
  };
  toggle(frame.column, frame.row);
});
canvas.addEventListener("keydown", (event) => {
  const move = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (move) {
    event.preventDefault();
    frame.column = (frame.column + move[0] + COLUMNS) % COLUMNS;
    frame.row = (frame.row + move[1] + ROWS) % ROWS;
    show();
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    toggle(frame.column, frame.row);
  }
});
canvas.addEventListener("focus", show);
canvas.addEventListener("blur", show);

$("rule-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = parse($("rule").value);
  $("rule-message").classList.toggle("bad", !wanted);
  if (wanted) {
    rule = wanted;
    const list = (set) => [...set].sort().join("");
    $("rule-message").textContent = `In force: B${list(rule.born)}/S${list(rule.stay)}`;
  } else {
    $("rule-message").textContent = "Invalid rule – the old one stays in force";
  }
});
$("step").addEventListener("click", step);
$("play").addEventListener("click", play);
$("pause").addEventListener("click", pause);
$("random").addEventListener("click", () => fill(() => Number(Math.random() < 1 / 3)));
$("clear").addEventListener("click", () => fill(() => 0));
$("load").addEventListener("click", load);
show();
