// Makes chance repeatable: Math.random and the random bytes of crypto follow from a seed, and from how
// the document was come by, so that an app that starts anew by loading itself again is dealt new cards. In a
// worker they follow from the seed alone, which its maker gives.
(seed) => {
  "use strict";
  const visit = globalThis.history ? history.length * 2 + (performance.navigation?.type === 1 ? 1 : 0) : 0;
  let state = (Math.imul(seed + 1, 0x9e3779b9) ^ Math.imul(visit, 0x85ebca6b)) | 0;
  const { imul } = Math;
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = imul(state ^ (state >>> 15), 1 | state);
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const replace = (target, name, value) => {
    Object.defineProperty(target, name, { ...Object.getOwnPropertyDescriptor(target, name), value });
  };
  replace(Math, "random", { random: () => bits() / 4294967296 }.random);
  if (!globalThis.crypto) return;

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const fill = uncurry(Crypto.prototype.getRandomValues);
  const Bytes = Uint8Array;
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  const [bufferOf, offsetOf, lengthOf] = ["buffer", "byteOffset", "byteLength"].map((name) =>
    uncurry(Object.getOwnPropertyDescriptor(typed, name).get),
  );
  const methods = {
    getRandomValues(array) {
      fill(this, array);
      const bytes = new Bytes(bufferOf(array), offsetOf(array), lengthOf(array));
      for (let i = 0; i < bytes.length; i++) bytes[i] = bits() & 255;
      return array;
    },
    randomUUID() {
      let id = "";
      for (let i = 0; i < 32; i++) {
        if (i === 8 || i === 12 || i === 16 || i === 20) id += "-";
        const digit = bits() & 15;
        id += "0123456789abcdef"[i === 12 ? 4 : i === 16 ? (digit & 3) | 8 : digit];
      }
      return id;
    },
  };
  for (const name of Object.keys(methods)) {
    if (name in Crypto.prototype) replace(Crypto.prototype, name, methods[name]);
  }
}
