const ROUNDS = 10;
const POINTS = { CC: [3, 3], CD: [0, 5], DC: [5, 0], DD: [1, 1] };
const WORDS = { C: "Cooperate", D: "Defect" };

// A strategy sees only the student's moves of earlier rounds.
const OPPONENTS = {
  "Always cooperate": () => "C",
  "Always defect": () => "D",
  "Tit for tat": (seen) => seen.at(-1) ?? "C",
  Grudger: (seen) => {
    if (seen.at(-1) === "D") betrayed = true;
    return betrayed ? "D" : "C";
  },
};

const $ = (id) => document.getElementById(id);
let history = [];
let betrayed = false;

for (const name of Object.keys(OPPONENTS)) $("opponent").add(new Option(name));

function isOver() {
  return history.length >= ROUNDS;
}

function total(side) {
  return history.reduce((sum, round) => sum + round.points[side], 0);
}

function play(you) {
  if (isOver()) return;
  const they = OPPONENTS[$("opponent").value](history.map((round) => round.you));
  history.push({ you, they, points: POINTS[you + they] });
  draw();
}

function newGame() {
  history = [];
  draw();
}

function verdict() {
  const lead = total(0) - total(1);
  if (lead === 0) return "Draw";
  return lead > 0 ? "You win" : "They win";
}

function cell(text, className = "") {
  const td = document.createElement("td");
  td.textContent = text;
  td.className = className;
  return td;
}

function drawHistory() {
  $("history").replaceChildren(
    ...history.map((round, i) => {
      const row = document.createElement("tr");
      row.append(
        cell(i + 1),
        cell(WORDS[round.you], round.you.toLowerCase()),
        cell(WORDS[round.they], round.they.toLowerCase()),
        cell(round.points[0]),
        cell(round.points[1]),
      );
      return row;
    }),
  );
  const scroller = $("history").closest(".scroll");
  scroller.scrollTop = scroller.scrollHeight;
}

function drawTrack() {
  $("track").replaceChildren(
    ...Array.from({ length: ROUNDS }, (_, i) => {
      const slot = document.createElement("span");
      const round = history[i];
      for (const move of round ? [round.you, round.they] : []) {
        const half = document.createElement("i");
        half.className = move.toLowerCase();
        slot.append(half);
      }
      return slot;
    }),
  );
}

function draw() {
  const over = isOver();
  $("round").textContent = `Round ${over ? ROUNDS : history.length + 1} of ${ROUNDS}`;
  $("yours").textContent = `Your score: ${total(0)}`;
  $("theirs").textContent = `Their score: ${total(1)}`;
  $("result").textContent = over ? `Game over – ${verdict()}` : "";
  $("cooperate").disabled = over;
  $("defect").disabled = over;
  if (over && document.activeElement === document.body) $("new").focus();
  drawHistory();
  drawTrack();
}

$("cooperate").addEventListener("click", () => play("C"));
$("defect").addEventListener("click", () => play("D"));
$("new").addEventListener("click", newGame);
$("opponent").addEventListener("change", () => {
  betrayed = false;
  newGame();
});
document.addEventListener("keydown", (event) => {
  // Letters typed on the drop-down choose an opponent there and are no moves.
  if (event.target.tagName === "SELECT") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const move = event.key.toUpperCase();
  if (move in WORDS) play(move);
});

draw();
