// The isolated world's end of sounds.js and canvases.js: passes each sound on to the harness with the page's
// time, and lets this world ask what a canvas holds.
(secret, binding) => {
  const send = globalThis[binding];
  const FIELDS = ["kind", "id", "what", "when", "until", "now", "length", "hz", "gain", "silent"];
  const clock = () => {
    try {
      return window.top.appbenchClock ?? null;
    } catch {
      return null; // a frame of another origin
    }
  };
  const own = String(Math.random());

  // Sounds are scheduled by the time that the app reads from the audio context, in seconds: how far ahead this
  // one is, and how long it lasts.
  const scheduled = ({ when, until, now, length }) => {
    const current = Number(now);
    const begin = when === "" ? current : Math.max(current, Number(when));
    const most = until === "" ? Infinity : Math.max(0, Number(until) - begin);
    const lasts = Math.min(most, length === "" ? Infinity : Number(length));
    return { ahead: (begin - current) * 1000, length: lasts < Infinity ? String(lasts) : "" };
  };
  document.addEventListener(`${secret}-sounds`, (event) => {
    const channel = event.relatedTarget;
    channel.addEventListener("sound", () => {
      const said = Object.fromEntries(FIELDS.map((name) => [name, channel.getAttribute(name)]));
      const time = clock()?.time();
      const date = time ? time.epoch + time.now : performance.timeOrigin + performance.now();
      const { ahead, length } = scheduled(said);
      send(JSON.stringify({ ...said, length, id: `${own} ${said.id}`, date: date + ahead }));
    });
  }, { once: true });

  document.addEventListener(`${secret}-canvases`, (event) => {
    const channel = event.relatedTarget;
    // The kind of context, empty if there is none yet, and [x, y, text] in pixels of the canvas.
    globalThis.appbenchCanvas = (canvas) => {
      channel.dispatchEvent(new MouseEvent("tell", { relatedTarget: canvas }));
      const all = channel.getAttribute("texts") ?? "", texts = [];
      for (let at = 0; at < all.length; ) {
        const [head, x, y, length] = all.slice(at).match(/^(-?\d+) (-?\d+) (\d+) /) ?? [];
        if (!head) break;
        at += head.length + Number(length);
        texts.push([Number(x), Number(y), all.slice(at - Number(length), at)]);
      }
      return { kind: channel.getAttribute("kind") ?? "", texts };
    };
  }, { once: true });
}
