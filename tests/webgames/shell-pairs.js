const card = (index) => ({ css: "button", nth: index + 1 });
const face = async (index) => (await app.read(card(index))).text;
const moves = async () => number(await see(), /Moves: (\d+)/);

const started = await app.click(button("New game"));
const count = (await app.count({ css: "button" })) - 1;
note("entry P1", count === 12 && (await face(0)) === "?", started);
const tops = [];
for (let i = 0; i < 12; i++) tops.push((await app.read(card(i))).box.y);
note("P7", new Set(tops).size === 3, null);

const turned = await app.click(card(5));
const up = [];
for (let i = 0; i < 12; i++) if ((await face(i)) !== "?") up.push(i);
note("input P2", up.length === 1, turned);
note("mapping P8", up.join() === "5", turned, { aimed_at: "card 6", took_effect_at: `card ${up.map((i) => i + 1)}` });
const again = await app.click(card(5));
note("P3", (await moves()) === 0 && (await face(5)) !== "?", again);
await app.click(button("New game"));

const seen = {};
let pairs = 0, played = 0, last;
for (let i = 0; i < 12; i += 2) {
  const shells = [];
  for (const index of [i, i + 1]) {
    last = await app.click(card(index));
    shells.push(await face(index));
    (seen[shells.at(-1)] ??= []).push(index);
  }
  played += 1;
  if (shells[0] === shells[1]) { pairs += 1; continue; }
  if (i + 2 < 12) {
    const third = await app.click(card(i + 2));
    note("P6", (await face(i + 2)) === "?", third);
  }
  const waited = await app.advance(1100);
  note("P5", (await face(i)) === "?" && (await face(i + 1)) === "?", last);
}
note("P9", Object.values(seen).every((two) => two.length === 2) && Object.keys(seen).length === 6, last);
for (const [first, second] of Object.values(seen)) {
  if ((await face(first)) !== "?") continue;
  await app.click(card(first));
  last = await app.click(card(second));
  played += 1;
  pairs += 1;
  note("rules P4", number(await see(), /Pairs: (\d+) of 6/) === pairs && (await face(first)) !== "?", last);
}
note("state P10", (await moves()) === played, last);
note("ending P11", (await see()).includes(`All pairs found in ${played} moves`), last);
const anew = await app.click(button("New game"));
note("restart P12", (await moves()) === 0 && (await face(0)) === "?", anew);
