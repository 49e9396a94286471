const SENTENCES = [
  "Practice makes perfect.",
  "Never odd or even.",
  "The quick brown fox jumps over the lazy dog.",
];
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm."];

const select = document.getElementById("sentence");
const box = document.getElementById("box");
const copy = document.getElementById("copy");
const statusLine = document.getElementById("status");
const keys = document.getElementById("keys");
const out = {
  time: document.getElementById("time"),
  speed: document.getElementById("speed"),
  accuracy: document.getElementById("accuracy"),
};

let startedAt = null; // set by the first keystroke
let endedAt = null; // set when the sentence is complete
let typed = 0; // characters typed, mistakes included
let right = 0; // of these, right at the moment of typing
let ticker = null;

for (const text of SENTENCES) select.add(new Option(text));

function sentence() {
  return select.value;
}

function elapsedMs() {
  if (startedAt === null) return 0;
  return (endedAt ?? performance.now()) - startedAt;
}

function correctSoFar() {
  const target = sentence();
  return [...box.value].filter((char, i) => char === target[i]).length;
}

function showNumbers() {
  const ms = elapsedMs();
  const speed = ms > 0 ? correctSoFar() / 5 / (ms / 60000) : 0;
  const accuracy = typed ? (100 * right) / typed : 100;
  out.time.textContent = `Time: ${(ms / 1000).toFixed(1)} s`;
  out.speed.textContent = `Speed: ${Math.round(speed)} WPM`;
  out.accuracy.textContent = `Accuracy: ${Math.round(accuracy)}%`;
}

function showSentence() {
  const target = sentence();
  copy.replaceChildren(
    ...[...target].map((char, i) => {
      const span = document.createElement("span");
      span.textContent = char;
      if (i < box.value.length) span.className = box.value[i] === char ? "ok" : "bad";
      else if (i === box.value.length) span.className = "next";
      return span;
    }),
  );
  showNextKey(endedAt === null ? target[box.value.length] : undefined);
}

function showNextKey(char) {
  const lower = char?.toLowerCase();
  const upper = char !== undefined && char !== lower;
  for (const key of keys.querySelectorAll(".key")) {
    const name = key.dataset.key;
    key.classList.toggle("on", name === lower || (name === "shift" && upper));
  }
}

function stopTicker() {
  clearInterval(ticker);
  ticker = null;
}

function say(text, warn = false) {
  statusLine.textContent = text;
  statusLine.classList.toggle("warn", warn);
}

function restart() {
  stopTicker();
  startedAt = null;
  endedAt = null;
  typed = 0;
  right = 0;
  box.value = "";
  box.readOnly = false;
  say("");
  showSentence();
  showNumbers();
}

function finish() {
  endedAt = performance.now();
  stopTicker();
  box.readOnly = true;
  say("Finished");
}

box.addEventListener("input", (event) => {
  const added = event.data ?? "";
  if (added) {
    if (startedAt === null) {
      startedAt = performance.now();
      ticker = setInterval(showNumbers, 100);
    }
    // The caret stands behind what was just typed, also in the middle of the text.
    const at = box.selectionStart - added.length;
    [...added].forEach((char, i) => {
      typed += 1;
      if (char === sentence()[at + i]) right += 1;
    });
    say("");
  }
  if (box.value === sentence()) finish();
  showSentence();
  showNumbers();
});

for (const kind of ["paste", "drop"]) {
  box.addEventListener(kind, (event) => {
    event.preventDefault();
    if (endedAt === null) say("Pasting is switched off: please type.", true);
  });
}

select.addEventListener("change", restart);
document.getElementById("restart").addEventListener("click", () => {
  restart();
  box.focus();
});

function drawKeys() {
  const make = (name, label, extra = "") => {
    const key = document.createElement("span");
    key.className = `key ${extra}`;
    key.dataset.key = name;
    key.textContent = label;
    return key;
  };
  const rows = ROWS.map((letters) => [...letters].map((letter) => make(letter, letter)));
  rows[2].unshift(make("shift", "Shift", "shift"));
  rows.push([make(" ", "Space", "wide")]);
  for (const row of rows) {
    const line = document.createElement("div");
    line.className = "row";
    line.append(...row);
    keys.append(line);
  }
}

drawKeys();
restart();
box.focus();
