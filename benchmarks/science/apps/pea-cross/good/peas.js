const LOOKS = ["Yellow round", "Yellow wrinkled", "Green round", "Green wrinkled"];
const BATCH = 160;

const byId = (id) => document.getElementById(id);
let harvest = LOOKS.map(() => 0);

// ---------- genetics ----------

const parent = (n) => ({ colour: byId(`colour${n}`).value, shape: byId(`shape${n}`).value });

/** Either letter of one pair with either letter of the other: four gametes, equally likely. */
function gametes({ colour, shape }) {
  return [...colour].flatMap((c) => [...shape].map((s) => c + s));
}

/** Two letters of a kind, the capital one first. */
const pair = (a, b) => (a < b ? a + b : b + a);

function offspring(one, two) {
  return pair(one[0], two[0]) + pair(one[1], two[1]);
}

function look(genotype) {
  return (genotype.includes("Y") ? 0 : 2) + (genotype.includes("R") ? 0 : 1);
}

function expected() {
  const counts = LOOKS.map(() => 0);
  for (const one of gametes(parent(1))) {
    for (const two of gametes(parent(2))) counts[look(offspring(one, two))] += 1;
  }
  return counts;
}

// ---------- tables ----------

function cell(row, name, text, scope = "") {
  const node = document.createElement(name);
  node.textContent = text;
  if (scope) node.scope = scope;
  row.append(node);
  return node;
}

function seed(index) {
  const node = document.createElement("span");
  node.className = `seed ${LOOKS[index].toLowerCase()}`;
  node.setAttribute("aria-hidden", "true");
  return node;
}

function drawSquare() {
  const head = document.createElement("tr");
  cell(head, "td", "");
  for (const gamete of gametes(parent(2))) cell(head, "th", gamete, "col");
  byId("square").tHead.replaceChildren(head);

  byId("square").tBodies[0].replaceChildren(...gametes(parent(1)).map((one) => {
    const row = document.createElement("tr");
    cell(row, "th", one, "row");
    for (const two of gametes(parent(2))) {
      const genotype = offspring(one, two);
      const pea = cell(row, "td", genotype);
      pea.className = "pea";
      pea.title = LOOKS[look(genotype)];
      pea.prepend(seed(look(genotype)));
    }
    return row;
  }));
}

function drawLooks() {
  const shares = expected();
  byId("looks").tBodies[0].replaceChildren(...LOOKS.map((name, i) => {
    const row = document.createElement("tr");
    cell(row, "th", name, "row").prepend(seed(i));
    cell(row, "td", `${shares[i]} of 16`);
    cell(row, "td", harvest[i]);
    return row;
  }));
  byId("total").textContent = harvest.reduce((sum, n) => sum + n, 0);
}

// ---------- handling ----------

const pick = (list) => list[Math.floor(Math.random() * list.length)];

byId("grow").addEventListener("click", () => {
  const [ones, twos] = [gametes(parent(1)), gametes(parent(2))];
  for (let i = 0; i < BATCH; i += 1) harvest[look(offspring(pick(ones), pick(twos)))] += 1;
  drawLooks();
});

function startOver() {
  harvest = LOOKS.map(() => 0);
  drawSquare();
  drawLooks();
}

byId("clear").addEventListener("click", startOver);
byId("parents").addEventListener("change", startOver);
byId("parents").addEventListener("submit", (event) => event.preventDefault());

startOver();
