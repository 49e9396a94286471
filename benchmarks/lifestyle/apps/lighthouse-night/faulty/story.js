const START = {
  place: 'Cottage',
  hours: 6,
  bag: ['bread'],
  things: { Cottage: [], Yard: [], Store: ['oil', 'matches'], Tower: [] }, // what lies where
  ending: null, // 'saved' or 'lost'
};
const BAG_SIZE = 2;
const PATHS = { Cottage: ['Yard'], Yard: ['Cottage', 'Store', 'Tower'], Store: ['Yard'], Tower: ['Yard'] };
const SCENES = {
  Cottage: 'The stove ticks as it cools. Beyond the window the fog has swallowed the sea.',
  Yard: 'Wet cobbles, and a wind that turns with you. Three doors wait: cottage, store and tower.',
  Store: 'It smells of rope and tar. Your lantern finds the shelves one by one.',
  Tower: 'A hundred steps up, the great lamp stands cold behind its glass.',
};

const $ = id => document.getElementById(id);
let name = 'Keeper';
let state = { ...START };

function moveThing(from, to, thing) {
  from.splice(from.indexOf(thing), 1);
  to.push(thing);
}

function walk(place) {
  state.place = place;
  state.hours--;
  if (state.hours === 0) state.ending = 'lost';
  tell(SCENES[place]);
}

function take(thing) {
  moveThing(state.things[state.place], state.bag, thing);
  tell(`You put the ${thing} into your bag.`);
}

function drop(thing) {
  moveThing(state.bag, state.things[state.place], thing);
  tell(`You leave the ${thing} here.`);
}

function light() {
  state.ending = 'saved';
  tell('The wick catches, the lens turns, and a white arm sweeps over the water.');
}

const canLight = () => state.bag.includes('oil') && state.bag.includes('matches');

/** What can be done now: label, action, and whether it is possible. */
function choices() {
  if (state.ending) return [['Play again', playAgain, true]];
  return [
    ...(state.place === 'Tower' ? [['Light the lamp', light, canLight()]] : []),
    ...PATHS[state.place].map(place => [`Go to ${place}`, () => walk(place), true]),
    ...state.things[state.place].map(thing => [`Take ${thing}`, () => take(thing), state.bag.length < BAG_SIZE]),
    ...state.bag.map(thing => [`Drop ${thing}`, () => drop(thing), true]),
  ];
}

function choiceButton([label, action, possible]) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.disabled = !possible;
  if (label === 'Light the lamp' || label === 'Play again') button.className = 'main';
  button.addEventListener('click', action);
  return button;
}

function tell(text) {
  if (state.ending === 'saved') text += `\nThe ship is saved, and its crew will drink to you, ${name}.`;
  if (state.ending === 'lost') text += `\nThe ship is lost. From the rocks comes a sound that you, ${name}, will never forget.`;
  $('story').textContent = text;
  render();
  $('story').focus(); // the button just pressed is gone
}

function render() {
  $('place').textContent = `Place: ${state.place}`;
  $('hours').textContent = `Hours left: ${state.hours}`;
  $('bag').textContent = `Bag: ${state.bag.join(', ') || 'empty'}`;
  $('choices').replaceChildren(...choices().map(choiceButton));
  $('page').classList.toggle('saved', state.ending === 'saved');
}

function begin(event) {
  event.preventDefault();
  name = $('name').value.trim() || 'Keeper';
  state = { ...START };
  $('intro').hidden = true;
  $('game').hidden = false;
  tell(`“${name}, wake up!” A ship's bell, far too close to the rocks, and the lamp has gone out. ` +
    'It takes oil and matches to light it, and the night is short.\n' + SCENES.Cottage);
}

function playAgain() {
  $('game').hidden = true;
  $('intro').hidden = false;
  $('page').classList.remove('saved');
  $('name').value = '';
  $('name').focus();
}

$('intro').addEventListener('submit', begin);
