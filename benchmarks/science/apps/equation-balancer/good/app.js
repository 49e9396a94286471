const byId = (id) => document.getElementById(id);
const field = byId("equation");

function element(name, text, className = "") {
  const node = document.createElement(name);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

/** Digits after a letter or bracket go low; the number of water molecules after a dot does not. */
function formulaNodes(formula) {
  return formula.replace(/[.*•]/g, "·").split(/((?<=[A-Za-z)\]}])\d+)/).map((piece, i) => (
    i % 2 ? element("sub", piece) : document.createTextNode(piece)
  ));
}

function termNode(term, factor) {
  const node = element("span", "", "term");
  if (factor !== 1n) node.append(element("b", String(factor)), " ");
  node.append(...formulaNodes(term.formula));
  return node;
}

function showNothing() {
  byId("error").textContent = "";
  byId("outcome").hidden = true;
  byId("balanced").replaceChildren();
  byId("atoms").replaceChildren();
  field.removeAttribute("aria-invalid");
}

function showResult(equation, result) {
  const { left, right } = equation;
  const line = byId("balanced");
  [...left, ...right].forEach((term, i) => {
    if (i === left.length) line.append(" -> ");
    else if (i > 0) line.append(" + ");
    line.append(termNode(term, result.factors[i]));
  });
  for (const count of result.atoms) {
    const row = document.createElement("tr");
    const head = element("th", count.element);
    head.scope = "row";
    row.append(head, element("td", String(count.left)), element("td", String(count.right)));
    byId("atoms").append(row);
  }
  byId("outcome").hidden = false;
}

function run() {
  showNothing();
  try {
    const equation = readEquation(field.value);
    showResult(equation, balance(equation));
  } catch (error) {
    if (!(error instanceof EquationError)) throw error;
    byId("error").textContent = error.message;
    field.setAttribute("aria-invalid", "true");
  }
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});

byId("clear").addEventListener("click", () => {
  field.value = "";
  showNothing();
  field.focus();
});

for (const example of document.querySelectorAll(".example")) {
  example.addEventListener("click", () => {
    field.value = example.textContent;
    run();
  });
}
