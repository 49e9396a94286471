const EXAMPLE = `Title,Author,Year,Pages
Middlemarch,George Eliot,1871,880
"Frankenstein; or, The Modern Prometheus",Mary Shelley,1818,280
Emma,Jane Austen,1815,474
The Time Machine,H. G. Wells,1895,118
"""Captains Courageous""",Rudyard Kipling,1897,245
Dracula,Bram Stoker,1897,418
Candide,Voltaire,1759,94`;

const $ = id => document.getElementById(id);
let heads = [];
let rows = [];
let numeric = []; // for each column, whether it holds numbers only
let sorting = null; // { column, direction: 1 or -1 }

/** Splits comma-separated text into records; quotes may enclose commas, line ends and doubled quotes. */
function parse(text) {
  const records = [];
  let record = [], value = '', quoted = false;
  const endRecord = () => {
    record.push(value);
    if (record.length > 1 || record[0] !== '') records.push(record); // skips blank lines
    record = [];
    value = '';
  };
  text = text.replace(/\r\n?/g, '\n');
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') value += c;
      else if (text[i + 1] === '"') value += text[++i];
      else quoted = false;
    } else if (c === '"' && value === '') quoted = true;
    else if (c === ',') {
      record.push(value);
      value = '';
    } else if (c === '\n') endRecord();
    else value += c;
  }
  endRecord();
  return records;
}

const isNumber = text => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

function load(text) {
  const records = parse(text);
  const width = Math.max(0, ...records.map(r => r.length));
  const padded = records.map(r => [...r, ...Array(width - r.length).fill('')]);
  heads = (padded.shift() ?? []).map((name, i) => name || `Column ${i + 1}`);
  rows = padded;
  numeric = heads.map((_, i) => {
    const filled = rows.map(row => row[i]).filter(cell => cell.trim() !== '');
    return filled.length > 0 && filled.every(isNumber);
  });
  sorting = null;
  $('search').value = '';
  render();
}

function compare(a, b) {
  const { column, direction } = sorting;
  const [x, y] = [a[column], b[column]];
  if (!x.trim() || !y.trim()) return !x.trim() - !y.trim(); // empty cells last, both ways
  if (numeric[column]) return direction * (Number(x) - Number(y));
  return direction * x.localeCompare(y, 'en', { sensitivity: 'base' });
}

function visibleRows() {
  const wanted = new RegExp($('search').value, 'i');
  const found = rows.filter(row => row.some(cell => wanted.test(cell)));
  return sorting ? found.sort(compare) : found;
}

function sortBy(column) {
  sorting = sorting?.column === column
    ? { column, direction: -sorting.direction }
    : { column, direction: 1 };
  render();
  $('head').children[column].querySelector('button').focus();
}

function renderHead(name, column) {
  const cell = document.createElement('th');
  const button = document.createElement('button');
  const arrow = document.createElement('span');
  cell.scope = 'col';
  cell.classList.toggle('number', numeric[column]);
  arrow.setAttribute('aria-hidden', 'true');
  if (sorting?.column === column) {
    cell.setAttribute('aria-sort', sorting.direction === 1 ? 'ascending' : 'descending');
    arrow.textContent = sorting.direction === 1 ? '▲' : '▼';
  }
  button.type = 'button';
  button.append(name, arrow);
  button.addEventListener('click', () => sortBy(column));
  cell.append(button);
  return cell;
}

function renderRow(row) {
  const tr = document.createElement('tr');
  row.forEach((text, column) => {
    const cell = tr.insertCell();
    cell.textContent = text;
    cell.classList.toggle('number', numeric[column]);
  });
  return tr;
}

function render() {
  const found = visibleRows();
  $('head').replaceChildren(...heads.map(renderHead));
  $('body').replaceChildren(...found.map(renderRow));
  $('scroll').hidden = !heads.length;
  if (!heads.length) $('count').textContent = 'There is no data yet: paste some lines first.';
  else if (!found.length) $('count').textContent = 'No matching rows';
  else $('count').textContent = `Showing ${found.length} of ${rows.length} rows`;
}

$('show').addEventListener('click', () => load($('data').value));
$('search').addEventListener('input', render);
$('data').value = EXAMPLE;
load(EXAMPLE);
