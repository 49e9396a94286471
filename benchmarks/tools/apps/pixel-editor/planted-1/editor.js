const SIZE = 16;
const WHITE = '#ffffff';

const $ = id => document.getElementById(id);
const canvas = $('picture');
const ctx = canvas.getContext('2d');
const scale = canvas.width / SIZE;

let pixels = Array(SIZE * SIZE).fill(WHITE);
const undoStack = []; // earlier pictures
const redoStack = []; // pictures taken back by undo
let cursor = { x: 0, y: 0 }; // moved by the arrow keys
let hover = null; // square under the mouse, if any
let stroke = null; // { before, last } while a pointer is down

const at = (x, y) => y * SIZE + x;
const tool = () => document.querySelector('input[name=tool]:checked').value;

// ---- drawing on the pixels -------------------------------------------------

function dot(x, y) {
  const colour = tool() === 'eraser' ? WHITE : $('colour').value;
  pixels[at(x, y)] = colour;
  if ($('mirror').checked) pixels[at(SIZE - x, y)] = colour;
}

/** All squares between two squares (Bresenham), so that a fast mouse leaves no gaps. */
function lineOfDots(from, to) {
  const dx = Math.abs(to.x - from.x), dy = -Math.abs(to.y - from.y);
  const sx = Math.sign(to.x - from.x), sy = Math.sign(to.y - from.y);
  let { x, y } = from, error = dx + dy;
  for (;;) {
    dot(x, y);
    if (x === to.x && y === to.y) return;
    const twice = 2 * error;
    if (twice >= dy) { error += dy; x += sx; }
    if (twice <= dx) { error += dx; y += sy; }
  }
}

function fill({ x, y }) {
  const old = pixels[at(x, y)], colour = $('colour').value;
  if (old === colour) return;
  const open = [[x, y]];
  while (open.length) {
    const [cx, cy] = open.pop();
    if (cx < 0 || cy < 0 || cx >= SIZE || cy >= SIZE || pixels[at(cx, cy)] !== old) continue;
    pixels[at(cx, cy)] = colour;
    open.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
  }
}

// ---- history ---------------------------------------------------------------

/** Makes one step of undo out of everything that changed since `before`. */
function commit(before) {
  if (before.every((colour, i) => colour === pixels[i])) return;
  undoStack.push(before);
  redoStack.length = 0;
}

function travel(from, to) {
  if (stroke || !from.length) return;
  to.push(pixels);
  pixels = from.pop();
  render();
}

function useTool(square) {
  const before = pixels.slice();
  if (tool() === 'fill') fill(square);
  else dot(square.x, square.y);
  commit(before);
  render();
}

// ---- view ------------------------------------------------------------------

function render() {
  pixels.forEach((colour, i) => {
    ctx.fillStyle = colour;
    ctx.fillRect(i % SIZE * scale, Math.floor(i / SIZE) * scale, scale, scale);
  });
  ctx.fillStyle = 'rgba(90, 90, 110, .28)';
  for (let i = 1; i < SIZE; i++) {
    ctx.fillRect(i * scale - .5, 0, 1, canvas.height);
    ctx.fillRect(0, i * scale - .5, canvas.width, 1);
  }
  if (document.activeElement === canvas) {
    // Black inside white is visible on every colour.
    for (const [style, inset] of [['#fff', 1.5], ['#000', 4]]) {
      ctx.strokeStyle = style;
      ctx.lineWidth = 3;
      ctx.strokeRect(cursor.x * scale + inset, cursor.y * scale + inset, scale - 2 * inset, scale - 2 * inset);
    }
  }
  const { x, y } = hover ?? cursor;
  $('line').textContent = `Column ${x + 1}, row ${y + 1}: ${pixels[at(x, y)]}`;
  $('undo').disabled = !undoStack.length;
  $('redo').disabled = !redoStack.length;
}

// ---- input -----------------------------------------------------------------

function squareAt(event) {
  const box = canvas.getBoundingClientRect();
  const clamp = v => Math.min(SIZE - 1, Math.max(0, Math.floor(v * SIZE)));
  return { x: clamp((event.clientX - box.left) / box.width), y: clamp((event.clientY - box.top) / box.height) };
}

canvas.addEventListener('pointerdown', event => {
  if (event.button !== 0 || stroke) return;
  const square = hover = cursor = squareAt(event);
  if (tool() === 'fill') return useTool(square);
  canvas.setPointerCapture(event.pointerId);
  stroke = { before: pixels.slice(), last: square };
  dot(square.x, square.y);
  render();
});

canvas.addEventListener('pointermove', event => {
  hover = squareAt(event);
  if (stroke) {
    lineOfDots(stroke.last, hover);
    stroke.last = cursor = hover;
  }
  render();
});

function endStroke() {
  if (!stroke) return;
  commit(stroke.before);
  stroke = null;
  render();
}
canvas.addEventListener('pointerup', endStroke);
canvas.addEventListener('pointercancel', endStroke);
canvas.addEventListener('pointerleave', () => { hover = null; render(); });
canvas.addEventListener('focus', render);
canvas.addEventListener('blur', render);

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
canvas.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in ARROWS) {
    const [dx, dy] = ARROWS[event.key];
    const clamp = v => Math.min(SIZE - 1, Math.max(0, v));
    cursor = { x: clamp(cursor.x + dx), y: clamp(cursor.y + dy) };
    hover = null;
    render();
  } else if (event.key === ' ' && !stroke) {
    hover = null;
    useTool(cursor);
  } else return;
  event.preventDefault();
});

addEventListener('keydown', event => {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  if (key === 'z' && !event.shiftKey) travel(undoStack, redoStack);
  else if (key === 'y' || key === 'z') travel(redoStack, undoStack);
  else return;
  event.preventDefault();
});

$('undo').addEventListener('click', () => travel(undoStack, redoStack));
$('redo').addEventListener('click', () => travel(redoStack, undoStack));
$('clear').addEventListener('click', () => {
  const before = pixels;
  pixels = Array(SIZE * SIZE).fill(WHITE);
  commit(before);
  render();
});
render();
