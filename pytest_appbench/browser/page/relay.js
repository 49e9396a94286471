// The isolated world's end of hooks.js: takes the detached element over and passes each report on to the
// harness by a binding that only this world has.
(secret, binding) => {
  const send = globalThis[binding];
  const take = (event) => {
    const channel = event.relatedTarget;
    channel.addEventListener("report", () => {
      const [kind, text, answer] = ["kind", "text", "answer"].map((name) => channel.getAttribute(name));
      send(JSON.stringify({ kind, text, answer }));
    });
  };
  document.addEventListener(`${secret}-offer`, take, { once: true });
  document.dispatchEvent(new Event(`${secret}-ask`));
}
