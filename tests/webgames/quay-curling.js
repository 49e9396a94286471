// A click takes some 60 ms of page time, in which the needle runs on by 3.
const value = async (name) => number(await see(), new RegExp(name + ":\\s*(\\d+)"));
const stones = async () => [...(await see()).matchAll(/Power (\d+), target (\d+): (\d+) points/g)].map((m) => m.slice(1).map(Number));
const worth = (far) => (far <= 3 ? 3 : far <= 10 ? 1 : 0);

note("P7", (await app.count(button("Begin"))) === 1 && (await app.count(button("Throw"))) === 0, null);
let step = await app.click(button("Begin"), { settle: 0 });
note("entry P1", (await value("Stone")) === 1, step);
let total = 0;
const targets = new Set();
for (const [index, off] of [0, -3, 7, -14, 16].entries()) {
  const target = await value("Target"), before = await value("Power");
  targets.add(target);
  const passed = await app.advance((target + off - before) * 20);
  const shown = await value("Power");
  if (index === 0) note("P9", Math.abs(shown - target - off) <= 3, passed);
  step = index === 0 ? await app.press(" ", { settle: 0 }) : await app.click(button("Throw"), { settle: 0 });
  const all = await stones();
  if (index === 0) note("P3", all.length === 1, step);
  if (all.length !== index + 1) { step = await app.click(button("Throw"), { settle: 0 }); }
  const [power, , points] = (await stones()).at(-1);
  const far = Math.abs(power - target);
  note("input P2", (await stones()).length === index + 1, step);
  if (all.length === index + 1) note("mapping P8", Math.abs(power - shown) <= 4, step, { aimed_at: `power ${shown}`, took_effect_at: `power ${power}` });
  note("rules " + { 3: "P4", 1: "P5", 0: "P6" }[worth(far)], points === worth(far), step);
  total += points;
  if (index < 4) note("state P11", (await value("Points")) === total, step);
}
note("P10", targets.size > 1 && [...targets].every((one) => one >= 20 && one <= 80), step);
note("ending P12", (await see()).includes(`Total: ${total} of 15`), step);
step = await app.click(button("Play again"), { settle: 0 });
note("restart P13", (await value("Stone")) === 1 && (await value("Points")) === 0, step);
