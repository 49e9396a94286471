const ELEMENTS = [
  ["Hydrogen", "H"], ["Helium", "He"], ["Lithium", "Li"], ["Beryllium", "Be"], ["Boron", "B"],
  ["Carbon", "C"], ["Nitrogen", "N"], ["Oxygen", "O"], ["Fluorine", "F"], ["Neon", "Ne"],
  ["Sodium", "Na"], ["Magnesium", "Mg"], ["Aluminium", "Al"], ["Silicon", "Si"],
  ["Phosphorus", "P"], ["Sulfur", "S"], ["Chlorine", "Cl"], ["Argon", "Ar"],
  ["Potassium", "K"], ["Calcium", "Ca"],
];
const HYDROGEN = { protons: 1, electrons: 1 };
const MOST = { protons: 20, neutrons: 24, electrons: 20 };
const SHELL_ROOM = [2, 8, 8, 2];
const SHELL_RADIUS = [80, 116, 150, 184];

const byId = (id) => document.getElementById(id);
let atom = { neutrons: 0, ...HYDROGEN };

function shellsOf(electrons) {
  const shells = [];
  let left = electrons;
  for (const room of SHELL_ROOM) {
    if (left <= 0) break;
    shells.push(Math.min(room, left));
    left -= room;
  }
  return shells;
}

function shape(name, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

/** Protons and neutrons alternate along a sunflower spiral, so the nucleus stays round. */
function drawNucleus() {
  const { protons, neutrons } = atom;
  const total = protons + neutrons;
  const nodes = [];
  let placedProtons = 0;
  for (let i = 0; i < total; i += 1) {
    const isProton = placedProtons < Math.round(((i + 1) * protons) / total);
    if (isProton) placedProtons += 1;
    const distance = total === 1 ? 0 : 8.6 * Math.sqrt(i + 0.5);
    const turn = i * 2.39996;
    const x = distance * Math.cos(turn);
    const y = distance * Math.sin(turn);
    nodes.unshift(shape("circle", { cx: x, cy: y, r: 9, class: isProton ? "p" : "n" }));
    if (isProton) nodes.splice(1, 0, shape("text", { x, y, class: "sign" }, "+"));
  }
  byId("nucleus").replaceChildren(...nodes);
}

function drawShells(shells) {
  byId("shells").replaceChildren(...shells.map((count, index) => {
    const radius = SHELL_RADIUS[index];
    const orbit = shape("g", { class: "orbit" });
    orbit.append(shape("circle", { r: radius, class: "shell" }));
    for (let i = 0; i < count; i += 1) {
      const turn = (2 * Math.PI * i) / count - Math.PI / 2;
      const cx = radius * Math.cos(turn);
      const cy = radius * Math.sin(turn);
      orbit.append(shape("circle", { cx, cy, r: 7, class: "e" }));
    }
    return orbit;
  }));
}

function signed(number) {
  return number > 0 ? `+${number}` : String(number);
}

function show() {
  const { protons, neutrons, electrons } = atom;
  const shells = shellsOf(electrons);
  const [name, symbol] = ELEMENTS[protons - 1] ?? [];
  byId("protons").textContent = `Protons: ${protons}`;
  byId("neutrons").textContent = `Neutrons: ${neutrons}`;
  byId("electrons").textContent = `Electrons: ${electrons}`;
  byId("element").textContent = `Element: ${name ? `${name} (${symbol})` : "none"}`;
  byId("mass").textContent = `Mass number: ${protons + neutrons}`;
  byId("charge").textContent = `Charge: ${signed(protons - electrons)}`;
  byId("shell-list").textContent = `Shells: ${shells.join(", ") || "none"}`;
  byId("atom").setAttribute(
    "aria-label",
    `Drawing of the atom: ${protons} protons, ${neutrons} neutrons, ${electrons} electrons`,
  );
  for (const button of document.querySelectorAll("[data-particle]")) {
    const next = atom[button.dataset.particle] + Number(button.dataset.step);
    button.disabled = next < 0 || next > MOST[button.dataset.particle];
  }
  drawNucleus();
  drawShells(shells);
}

for (const button of document.querySelectorAll("[data-particle]")) {
  button.addEventListener("click", () => {
    const { particle, step } = button.dataset;
    atom[particle] = Math.min(MOST[particle], Math.max(0, atom[particle] + Number(step)));
    show();
  });
}

byId("reset").addEventListener("click", () => {
  atom = { ...atom, ...HYDROGEN };
  show();
});

show();
