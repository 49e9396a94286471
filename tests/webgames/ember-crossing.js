const board = async () => (await see()).split(/\n+/).filter((line) => /^[@#._]{9}$/.test(line.trim())).map((line) => line.trim());
const lives = async () => number(await see(), /Lives:\s*(\d+)/);
const crossings = async () => number(await see(), /Crossings:\s*(\d+)/);
const place = async () => (await see()).match(/row (\d+), column (\d+)/).slice(1).map(Number);
const press = (key) => app.press(key, { settle: 0 });
const to = async (column) => {
  let step;
  for (let at; (at = (await place())[1]) !== column;) step = await press(at < column ? "ArrowRight" : "ArrowLeft");
  return step;
};

const first = await board();
note("P8", first.length === 7 && [1, 2, 4, 5].every((row) => first[row].split("#").length === 3), null);
const early = await press("ArrowLeft");
note("P5", (await place())[1] === 5, early);
const started = await app.click(button("Start"), { settle: 0 });
note("entry P1", (await lives()) === 3 && (await crossings()) === 0, started);
const drifted = await app.advance(800);
const next = await board();
note("P10", next[1].lastIndexOf("#") === first[1].lastIndexOf("#") + 1 && next[2].indexOf("#") === first[2].indexOf("#") - 1, drifted);
let step = await press("ArrowLeft");
note("input P3", (await place())[1] === 4, step);
step = await press("ArrowDown");
note("P4", (await place())[0] === 7, step);

const cross = async () => {
  for (let wait = 0; wait < 20; wait++) {
    const rows = await board();
    const free = [...Array(9).keys()].find((c) => [1, 2, 4, 5].every((row) => rows[row][c] !== "#"));
    if (free !== undefined) { await to(free + 1); break; }
    await app.advance(800);
  }
  const from = await place();
  step = await press("ArrowUp");
  const there = await place();
  note("P2", there[0] === from[0] - 1, step);
  const cell = (await board())[there[0] - 1].indexOf("@") + 1;
  note("mapping P9", cell === there[1], step, { aimed_at: `row ${there[0]}, column ${there[1]}`, took_effect_at: `column ${cell}` });
  for (let i = 0; i < 5; i++) step = await press("ArrowUp");
};
const burn = async () => {
  const ember = (await board())[5].indexOf("#") + 1;
  await to(ember);
  step = await press("ArrowUp");
};

await cross();
note("state P11", (await crossings()) === 1 && (await place())[0] === 7, step);
await burn();
note("rules P6", (await lives()) === 2 && (await place()).join() === "7,5", step);
await to((await board())[5].indexOf("#"));
await press("ArrowUp");
step = await app.advance(800);
note("P7", (await lives()) === 1, step);
await burn();
const lost = (await see()).includes("The embers got you");
const after = await press("ArrowLeft");
note("ending P13", lost && (await place())[1] === 5, after);
step = await app.click(button("Start"), { settle: 0 });
note("restart P14", (await lives()) === 3 && (await crossings()) === 0, step);
await cross();
await cross();
await cross();
note("P12", (await see()).includes("You crossed three times"), step);
