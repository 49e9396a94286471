const STORE = 'water-log';
const GOAL = { min: 500, max: 5000, start: 2000 };
const AMOUNT = { min: 1, max: 2000 };

const $ = id => document.getElementById(id);
const state = load();

function inRange(value, { min, max }) {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** Whatever of the saved log can be used; a first visit or a damaged log starts empty. */
function load() {
  let saved = null;
  try {
    saved = JSON.parse(localStorage.getItem(STORE));
  } catch {
    // Not readable: start empty.
  }
  const drinks = Array.isArray(saved?.drinks) ? saved.drinks.filter(ml => inRange(ml, AMOUNT)) : [];
  return { goal: inRange(saved?.goal, GOAL) ? saved.goal : GOAL.start, drinks };
}

function save() {
  try {
    localStorage.setItem(STORE, JSON.stringify(state));
  } catch {
    note('This browser does not keep the log after closing the page.');
  }
}

function note(text) {
  $('note').textContent = text;
}

function readNumber(input) {
  return input.value.trim() === '' ? NaN : Number(input.value);
}

function add(ml) {
  note('');
  state.drinks.push(ml);
  save();
  render();
}

function drinkItem(ml, index) {
  const item = document.createElement('li');
  const remove = document.createElement('button');
  remove.type = 'button';
  remove.textContent = 'Remove';
  remove.addEventListener('click', () => {
    state.drinks.splice(index, 1);
    save();
    render();
  });
  item.append(`${ml} ml`, remove);
  return item;
}

function render() {
  const total = state.drinks.reduce((sum, ml) => sum + ml, 0);
  const percent = Math.round(total / state.goal * 100);
  $('line').textContent = `Today: ${total} of ${state.goal} ml (${percent}%)`;
  $('bar').setAttribute('aria-valuenow', Math.min(100, percent));
  $('bar').firstElementChild.style.width = `${Math.min(100, total / state.goal * 100)}%`;
  $('reached').textContent = total >= state.goal ? 'Goal reached' : '';
  $('list').replaceChildren(...state.drinks.map(drinkItem));
  $('empty').hidden = state.drinks.length > 0;
}

for (const button of document.querySelectorAll('[data-ml]')) {
  button.addEventListener('click', () => add(Number(button.dataset.ml)));
}

$('form').addEventListener('submit', event => {
  event.preventDefault();
  const ml = readNumber($('other'));
  if (!inRange(ml, AMOUNT)) return note(`Other amount must be a whole number from ${AMOUNT.min} to ${AMOUNT.max} ml.`);
  $('other').value = '';
  add(ml);
});

$('goal').addEventListener('input', () => {
  const goal = readNumber($('goal'));
  if (!inRange(goal, GOAL)) return note(`The goal must be a whole number from ${GOAL.min} to ${GOAL.max} ml.`);
  note('');
  state.goal = goal;
  save();
  render();
});

$('new-day').addEventListener('click', () => {
  note('');
  state.drinks = [];
  save();
  render();
});

$('goal').value = state.goal;
render();
