const COLUMNS = ['Backlog', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const DAY_HOURS = 8;
const STORE = 'week-board';

const board = document.getElementById('board');
const form = document.getElementById('form');
const message = document.getElementById('message');
const undoButton = document.getElementById('undo');

let cards = load(); // in the order of their arrival in a column
const history = []; // earlier values of `cards`, which is never changed in place

/** Reads the saved board and drops whatever is not a proper card. */
function load() {
  try {
    const saved = JSON.parse(localStorage.getItem(STORE)) ?? [];
    return saved.filter(c => typeof c.task === 'string' && validHours(c.hours) && COLUMNS.includes(c.column));
  } catch {
    return [];
  }
}

function save() {
  try {
    localStorage.setItem(STORE, JSON.stringify(cards));
  } catch {
    say('This browser does not let the board be saved');
  }
}

function validHours(h) {
  return Number.isInteger(h) && h >= 1 && h <= DAY_HOURS;
}

function total(column) {
  return cards.filter(c => c.column === column).reduce((sum, c) => sum + c.hours, 0);
}

function say(text) {
  message.textContent = text;
}

function change(next) {
  history.push(cards);
  cards = next;
  save();
  render();
}

function add(task, hours) {
  change([...cards, { id: Math.max(0, ...cards.map(c => c.id)) + 1, task, hours, column: 'Backlog' }]);
}

function move(id, column) {
  const card = cards.find(c => c.id === id);
  if (!card || card.column === column) return render();
  if (column !== 'Backlog' && total(column) + card.hours > DAY_HOURS) {
    say(`${column} is full`);
    return render(); // puts the drop-down list back to the column the card is in
  }
  say('');
  change([...cards.filter(c => c.id !== id), { ...card, column }]);
}

function remove(id) {
  say('');
  change(cards.filter(c => c.id !== id));
}

function undo() {
  if (!history.length) return;
  say('');
  cards = history.pop();
  render();
}

function element(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

function renderCard(card) {
  const what = element('p', { className: 'what' }, card.task, element('small', {}, `${card.hours} h`));
  const select = element('select', { id: `move-${card.id}` },
    ...COLUMNS.map(name => element('option', { textContent: name, selected: name === card.column })));
  select.setAttribute('aria-label', `Move ${card.task} to`);
  select.addEventListener('change', () => move(card.id, select.value));
  const del = element('button', { type: 'button', textContent: '✕', title: 'Delete' });
  del.setAttribute('aria-label', `Delete ${card.task}`);
  del.addEventListener('click', () => remove(card.id));
  const item = element('li', { className: 'card', draggable: true }, what, element('div', { className: 'tools' }, select, del));
  item.addEventListener('dragstart', event => {
    event.dataTransfer.setData('text/plain', String(card.id));
    event.dataTransfer.effectAllowed = 'move';
    item.classList.add('dragging');
  });
  item.addEventListener('dragend', () => item.classList.remove('dragging'));
  return item;
}

function renderColumn(name) {
  const hours = total(name);
  const isDay = name !== 'Backlog';
  const heading = element('h2', { id: `heading-${name}`, textContent: `${name}: ${hours} ${isDay ? `of ${DAY_HOURS} ` : ''}h` });
  const section = element('section', { className: 'column' }, heading);
  section.setAttribute('aria-labelledby', heading.id);
  if (isDay) {
    const bar = element('i');
    bar.style.width = `${hours / DAY_HOURS * 100}%`;
    section.append(element('div', { className: hours === DAY_HOURS ? 'load full' : 'load' }, bar));
  }
  const inside = cards.filter(c => c.column === name);
  section.append(inside.length
    ? element('ul', {}, ...inside.map(renderCard))
    : element('p', { className: 'empty', textContent: isDay ? 'Nothing planned' : 'Add a task above' }));

  section.addEventListener('dragover', event => {
    event.preventDefault();
    section.classList.add('over');
  });
  section.addEventListener('dragleave', event => {
    if (!section.contains(event.relatedTarget)) section.classList.remove('over');
  });
  section.addEventListener('drop', event => {
    event.preventDefault();
    section.classList.remove('over');
    move(Number(event.dataTransfer.getData('text/plain')), name);
  });
  return section;
}

function render() {
  const focused = document.activeElement?.id;
  board.replaceChildren(...COLUMNS.map(renderColumn));
  undoButton.disabled = history.length === 0;
  // The cards are built anew, so keyboard users would lose their place without this.
  if (focused?.startsWith('move-')) document.getElementById(focused)?.focus();
}

form.addEventListener('submit', event => {
  event.preventDefault();
  const task = form.task.value.trim();
  const hours = form.hours.value.trim() === '' ? NaN : Number(form.hours.value);
  if (!task) say('Type a task first');
  else if (!validHours(hours)) say('Hours must be a whole number from 1 to 8');
  else {
    say('');
    add(task, hours);
    form.task.value = '';
  }
  form.task.focus();
});
undoButton.addEventListener('click', undo);
render();
