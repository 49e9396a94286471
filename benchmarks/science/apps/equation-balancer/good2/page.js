"use strict";

const form = document.getElementById("form");
const field = document.getElementById("equation");
const answer = document.getElementById("answer");
const count = document.getElementById("count");

function wipe() {
  answer.textContent = "";
  answer.className = "";
  count.replaceChildren();
  field.removeAttribute("aria-invalid");
}

function showTable(lines) {
  const table = document.createElement("table");
  table.createCaption().textContent = "Atoms on each side";
  const head = table.createTHead().insertRow();
  for (const name of ["Element", "Left", "Right"]) {
    head.append(Object.assign(document.createElement("th"), { scope: "col", textContent: name }));
  }
  const body = table.createTBody();
  for (const [element, left, right] of lines) {
    const row = body.insertRow();
    row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: element }));
    row.insertCell().textContent = left;
    row.insertCell().textContent = right;
  }
  count.append(table);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  wipe();
  try {
    const result = balance(field.value);
    answer.textContent = result.text;
    showTable(result.table);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    answer.textContent = error.message;
    answer.className = "wrong";
    field.setAttribute("aria-invalid", "true");
  }
});

// A result belongs to the text it was made from.
field.addEventListener("input", wipe);

document.getElementById("clear").addEventListener("click", () => {
  field.value = "";
  wipe();
  field.focus();
});
