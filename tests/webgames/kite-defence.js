const values = async () => {
  const text = await see();
  return Object.fromEntries(["Column", "Drones", "Bolts", "Shields", "Points"].map((n) => [n, number(text, new RegExp(n + ":\\s*(\\d+)"))]));
};
const press = (key) => app.press(key, { settle: 0 });
const begun = (v) => v.Drones === 14 && v.Bolts === 20 && v.Shields === 3 && v.Points === 0;

note("P8", (await app.count(button("Play"))) === 1, null);
let step = await app.click(button("Play"), { settle: 0 });
note("entry P1", begun(await values()), step);
step = await press("ArrowLeft");
note("input P2", (await values()).Column === 3, step);
const skies = () => app.evaluate(`() => {
  const pen = document.querySelector("canvas").getContext("2d");
  return [...Array(7).keys()].map((n) => pen.getImageData(n * 80 + 4, 0, 72, 160).data.reduce((sum, one) => sum + one, 0));
}`);
for (const column of [1, 7]) {
  const before = await skies();
  step = await app.click({ css: "canvas" }, { at: [column * 80 - 40, 40], settle: 0 });
  const after = await skies();
  const hit = [1, 2, 3, 4, 5, 6, 7].filter((n) => before[n - 1] !== after[n - 1]).join();
  const now = await values();
  note("mapping P9", now.Column === column && hit === String(column), step, { aimed_at: `column ${column}`, took_effect_at: `column ${hit}` });
}
step = await press("ArrowRight");
note("P3", (await values()).Column === 7, step);
step = await press(" ");
let now = await values();
note("rules P4", now.Drones === 11 && now.Points === 30 && (await see()).includes("Hit in column 7"), step);
note("state P11", now.Bolts === 17, step);
step = await press(" ");
now = await values();
note("P5", now.Drones === 11 && now.Bolts === 16 && (await see()).includes("Missed"), step);
await press("ArrowLeft");
step = await app.advance(2000);
note("P10", (await see()).includes("A spark falls in column 6"), step);
await press("ArrowLeft");
step = await app.advance(1000);
note("P7", (await values()).Shields === 3, step);
for (let left = 2; left >= 0; left--) {
  step = await app.advance(2000);
  note("P6", (await values()).Shields === left, step);
}
const over = (await see()).includes("The kite is down");
step = await press(" ");
note("ending P13", over && (await values()).Bolts === 16, step);
step = await app.click(button("Play again"), { settle: 0 });
note("restart P14", begun(await values()), step);
for (let column = 1; column <= 7; column++) {
  for (const _ of [1, 2]) step = await app.click({ css: "canvas" }, { at: [column * 80 - 40, 60], settle: 0 });
}
note("P12", (await see()).includes("The sky is clear: 140 points"), step);
