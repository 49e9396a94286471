const COLUMNS = 6;
const ROWS = 4;
const STEP = 150; // ms
const WAYS = {
  arrowup: [0, -1], arrowdown: [0, 1], arrowleft: [-1, 0], arrowright: [1, 0],
  w: [0, -1], s: [0, 1], a: [-1, 0], d: [1, 0],
};

const canvas = document.getElementById("field");
const pen = canvas.getContext("2d");
const message = document.getElementById("message");

let snake; // squares [column, row], the head first
let way; // the direction of the last step
let turns; // turns that wait for the coming steps, so that quick presses are not lost
let food;
let stage = "ready"; // ready, running, paused, over
let timer = 0;

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

function lay() {
  snake = [[3, 2], [2, 2], [1, 2]];
  way = [1, 0];
  turns = [];
  placeFood();
}

function placeFood() {
  const free = [];
  for (let row = 1; row <= ROWS; row += 1) {
    for (let column = 1; column <= COLUMNS; column += 1) {
      if (!snake.some((part) => same(part, [column, row]))) free.push([column, row]);
    }
  }
  food = free.length ? free[Math.floor(Math.random() * free.length)] : null;
}

function start() {
  lay();
  stage = "running";
  message.textContent = "";
  timer = setInterval(step, STEP);
  draw();
}

function end(words) {
  stage = "over";
  message.textContent = `${words} – Space starts a new game`;
  draw();
}

function pause() {
  if (stage === "running") {
    stage = "paused";
    clearInterval(timer);
    message.textContent = "Paused – P goes on";
  } else if (stage === "paused") {
    stage = "running";
    timer = setInterval(step, STEP);
    message.textContent = "";
  }
}

function step() {
  if (stage !== "running") return;
  way = turns.shift() ?? way;
  const next = [snake[0][0] + way[0], snake[0][1] + way[1]];
  const eats = food && same(next, food);
  // The tail moves on in the same step unless the snake grows, so its square is free then.
  const body = eats ? snake : snake.slice(0, -1);
  const inside = next[0] >= 1 && next[0] <= COLUMNS && next[1] >= 1 && next[1] <= ROWS;
  if (!inside || body.some((part) => same(part, next))) {
    end("Game over");
    return;
  }
  snake = [next, ...body];
  if (eats) {
    placeFood();
    if (!food) {
      end("You win");
      return;
    }
  }
  draw();
}

function turn(to) {
  if (stage !== "running" || turns.length >= 2) return;
  const from = turns.at(-1) ?? way;
  const straight = from[0] === to[0] && from[1] === to[1];
  const back = from[0] === -to[0] && from[1] === -to[1];
  if (!straight && !back) turns.push(to);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === " ") {
    event.preventDefault();
    if (stage === "ready" || stage === "over") start();
  } else if (key === "p") {
    pause();
  } else if (WAYS[key]) {
    event.preventDefault();
    turn(WAYS[key]);
  }
});

// ---- drawing ----

function draw() {
  const size = canvas.width / COLUMNS;
  const middle = ([column, row]) => [(column - 0.5) * size, (row - 0.5) * size];
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      pen.fillStyle = (row + column) % 2 ? "#f6e2bb" : "#fdf0d5";
      pen.fillRect(column * size, row * size, size, size);
    }
  }
  pen.lineCap = pen.lineJoin = "round";
  pen.lineWidth = size * 0.62;
  pen.strokeStyle = stage === "over" && food ? "#6c757d" : "#2a7f62";
  pen.beginPath();
  snake.forEach((part) => pen.lineTo(...middle(part)));
  pen.stroke();

  const [x, y] = middle(snake[0]);
  const [dx, dy] = way;
  for (const side of [-1, 1]) {
    pen.fillStyle = "#fff";
    dot(x + dx * size * 0.1 - dy * side * size * 0.14, y + dy * size * 0.1 + dx * side * size * 0.14, size * 0.09);
    pen.fillStyle = "#111";
    dot(x + dx * size * 0.14 - dy * side * size * 0.14, y + dy * size * 0.14 + dx * side * size * 0.14, size * 0.045);
  }
  if (food) {
    const [fx, fy] = middle(food);
    pen.fillStyle = "#c9302c";
    dot(fx, fy + size * 0.04, size * 0.24);
    pen.fillStyle = "#3c5a14";
    pen.fillRect(fx - 2, fy - size * 0.34, 5, size * 0.16);
  }
  document.getElementById("length").textContent = `Length: ${snake.length}`;
  document.getElementById("head").textContent = `Head: ${snake[0].join(", ")}`;
  document.getElementById("food").textContent = food ? `Food: ${food.join(", ")}` : "Food: none";
}

function dot(x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

lay();
draw();
