const DAY = 86400000;
const ANCHOR = { date: Date.UTC(2012, 11, 21), days: 1872000 }; // 13.0.0.0.0, 4 Ajaw
const NAMES = (
  "Imix Ik' Ak'bal K'an Chikchan Kimi Manik' Lamat Muluk Ok " +
  "Chuwen Eb Ben Ix Men Kib Kaban Etz'nab Kawak Ajaw"
).split(" ");
const UNITS = [
  { name: "b'ak'tun", made: "20 k'atun", days: 144000 },
  { name: "k'atun", made: "20 tun", days: 7200 },
  { name: "tun", made: "18 winal", days: 360 },
  { name: "winal", made: "20 k'in", days: 20 },
  { name: "k'in", made: "1 day", days: 1 },
];

const $ = (id) => document.getElementById(id);
const mod = (n, m) => ((n % m) + m) % m;

// All reckoning is in UTC, so that summer time never makes a day of 23 hours.
function readDate() {
  const text = $("date").value;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || !$("date").checkValidity()) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) ? null : time;
}

function isoDate(time) {
  return new Date(time).toISOString().slice(0, 10);
}

function daysSinceCreation(time) {
  return Math.round((time - ANCHOR.date) / DAY) + ANCHOR.days;
}

function longCount(days) {
  let rest = days;
  const count = [];
  for (let place = 0; place < 4; place++) {
    count.unshift(rest % 20);
    rest = Math.floor(rest / 20);
  }
  return [rest, ...count];
}

// Day 0 is 4 Ajaw; number and name both step on daily, with periods of 13 and 20.
function tzolkin(days) {
  return `${mod(days + 3, 13) + 1} ${NAMES[mod(days + 19, 20)]}`;
}

// Maya numerals: a dot is one, a bar is five, a shell is nothing.
function numeral(n) {
  const bars = Math.floor(n / 5);
  const dots = n % 5;
  const parts = [];
  for (let i = 0; i < bars; i++) {
    parts.push(`<rect x="8" y="${44 - i * 10}" width="44" height="7" rx="2"/>`);
  }
  for (let i = 0; i < dots; i++) {
    parts.push(`<circle cx="${30 + (i - (dots - 1) / 2) * 11.5}" cy="${47 - bars * 10}" r="4.5"/>`);
  }
  if (n === 0) parts.push('<path d="M8 30q22-22 44 0q-22 22-44 0zM19 30h22" fill="none" stroke="#1f2a26" stroke-width="3"/>');
  return `<svg viewBox="0 0 60 60" fill="#1f2a26">${parts.join("")}</svg>`;
}

function show() {
  const time = readDate();
  $("result").hidden = time === null;
  $("problem").textContent = time === null ? "Please choose a date" : "";
  if (time === null) return;
  const days = daysSinceCreation(time);
  const count = longCount(days);
  $("long-count").textContent = `Long Count: ${count.join(".")}`;
  $("tzolkin").textContent = `Tzolk'in: ${tzolkin(days)}`;
  $("days").textContent = `Days since creation: ${days}`;
  $("glyphs").innerHTML = count
    .map((n, i) => `<li>${numeral(n)}${UNITS[i].name}</li>`)
    .join("");
}

function setDate(time) {
  const text = isoDate(time);
  if (text < $("date").min || text > $("date").max) return; // the ends of the calendar
  $("date").value = text;
  show();
}

function fillUnits() {
  for (const unit of UNITS) {
    const row = $("units").insertRow();
    for (const text of [unit.name, unit.made, unit.days]) row.insertCell().textContent = text;
  }
}

$("date").addEventListener("input", show);
$("form").addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => {
    const time = readDate();
    if (time !== null) setDate(time + Number(button.dataset.step) * DAY);
  });
}
$("today").addEventListener("click", () => {
  const now = new Date();
  setDate(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
});

fillUnits();
setDate(ANCHOR.date);
