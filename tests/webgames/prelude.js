// Notes what a play came to: the checks and points, whether they hold, and the step that shows it.
const done = [];
const note = (names, holds, step, places = {}) => {
  for (const name of names.split(" ")) {
    done.push({ name, holds: Boolean(holds), step: step?.step ?? 0, quote: (step?.changed ?? "").slice(0, 60), ...places });
  }
};
const see = async () => (await app.read({ css: "body" })).text;
const number = (text, pattern) => Number(text.match(pattern)?.[1] ?? NaN);
const button = (name) => ({ role: "button", name });
