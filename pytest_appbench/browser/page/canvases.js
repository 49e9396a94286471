// Keeps what the pixels of a canvas do not say: what kind of drawing it holds, and the texts drawn on it.
// Runs in every document before its own scripts, answers the isolated world only, and cannot be reached
// from the page by name. No primitive used here can be replaced by the page.
(secret) => {
  "use strict";
  const MOST_TEXTS = 60;
  const LONGEST = 120;
  const SMALLEST = 300; // square pixels of a rectangle that may wipe out a text

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getter = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { abs, min, max, round } = Math;
  const TextOf = String, Table = Map, WeakTable = WeakMap;
  const slice = uncurry(String.prototype.slice);
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const take = uncurry(WeakMap.prototype.get);
  const put = uncurry(WeakMap.prototype.set);
  const write = uncurry(Map.prototype.set);
  const erase = uncurry(Map.prototype.delete);
  const eraseAll = uncurry(Map.prototype.clear);
  const each = uncurry(Map.prototype.forEach);
  const sizeOf = getter(Map, "size");
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const setAttribute = uncurry(Element.prototype.setAttribute);
  const relatedOf = getter(MouseEvent, "relatedTarget");
  const canvases = HTMLCanvasElement.prototype, Context = CanvasRenderingContext2D, contexts = Context.prototype;
  const canvasOf = getter(Context, "canvas");
  const transformOf = uncurry(contexts.getTransform);
  const [a, b, c, d, e, f] = ["a", "b", "c", "d", "e", "f"].map((name) => getter(DOMMatrixReadOnly, name));

  const channel = document.createElement("i");
  dispatch(document, new MouseEvent(`${secret}-canvases`, { __proto__: null, relatedTarget: channel }));

  // An object is not asked a second time what number it stands for.
  const numberOf = (value) => (typeof value === "number" || typeof value === "string" ? +value : NaN);
  const known = new WeakTable();
  const factsOf = (canvas) => {
    let facts = take(known, canvas);
    if (!facts) put(known, canvas, (facts = { __proto__: null, kind: "", texts: new Table() }));
    return facts;
  };
  const wrap = (type, name, after) => {
    const old = getOwnPropertyDescriptor(type.prototype, name);
    if (!old) return;
    const part = "value" in old ? "value" : "set";
    const handler = {
      __proto__: null,
      apply(native, self, values) {
        const answer = apply(native, self, values);
        after(self, values, answer);
        return answer;
      },
    };
    defineProperty(type.prototype, name, { ...old, [part]: new Proxy(old[part], handler) });
  };

  wrap(HTMLCanvasElement, "getContext", (canvas, values, context) => {
    if (typeof values[0] !== "string") return;
    const facts = factsOf(canvas);
    if (context !== null) facts.kind = values[0];
    else if (facts.kind === "" && (values[0] === "webgl" || values[0] === "webgl2")) facts.kind = `no ${values[0]}`; // the browser has none
  });
  wrap(HTMLCanvasElement, "transferControlToOffscreen", (canvas) => {
    factsOf(canvas).kind = "offscreen";
  });

  // --- texts, by where they were drawn, until something is drawn over that place

  const drawn = (context, values) => {
    const canvas = canvasOf(context);
    if (!isMadeFrom(canvases, canvas)) return;
    const said = values[0];
    if (typeof said === "object" || typeof said === "function" || typeof said === "symbol") return;
    const text = slice(TextOf(said), 0, LONGEST), x = numberOf(values[1]), y = numberOf(values[2]), matrix = transformOf(context);
    const left = round(a(matrix) * x + c(matrix) * y + e(matrix)), top = round(b(matrix) * x + d(matrix) * y + f(matrix));
    if (left !== left || top !== top) return;
    const { texts } = factsOf(canvas), key = `${left} ${top}`;
    erase(texts, key); // so that it comes last
    if (text) write(texts, key, text);
    if (sizeOf(texts) > MOST_TEXTS) {
      let isFirst = true;
      each(texts, (_, oldest) => {
        if (isFirst) erase(texts, oldest);
        isFirst = false;
      });
    }
  };
  wrap(Context, "fillText", drawn);
  wrap(Context, "strokeText", drawn);
  const wiped = (context, values) => {
    const width = numberOf(values[2]), height = numberOf(values[3]);
    if (!(abs(width * height) >= SMALLEST)) return;
    const facts = take(known, canvasOf(context));
    if (!facts || sizeOf(facts.texts) === 0) return;
    const matrix = transformOf(context);
    if (b(matrix) !== 0 || c(matrix) !== 0) return;
    const x = numberOf(values[0]) * a(matrix) + e(matrix), y = numberOf(values[1]) * d(matrix) + f(matrix);
    const right = x + width * a(matrix), bottom = y + height * d(matrix);
    each(facts.texts, (_, key) => {
      let space = 0;
      while (key[space] !== " ") space += 1;
      const left = +slice(key, 0, space), top = +slice(key, space + 1);
      if (left >= min(x, right) - 1 && left <= max(x, right) + 1 && top >= min(y, bottom) - 1 && top <= max(y, bottom) + 1) erase(facts.texts, key);
    });
  };
  wrap(Context, "fillRect", wiped);
  wrap(Context, "clearRect", wiped);
  wrap(Context, "reset", (context) => {
    const facts = take(known, canvasOf(context));
    if (facts) eraseAll(facts.texts);
  });
  for (const name of ["width", "height"]) {
    wrap(HTMLCanvasElement, name, (canvas) => {
      const facts = take(known, canvas);
      if (facts) eraseAll(facts.texts);
    });
  }

  // Each text goes with its length, so that no text can pass for two.
  listen(channel, "tell", (event) => {
    const facts = take(known, relatedOf(event));
    let texts = "";
    if (facts) each(facts.texts, (text, key) => { texts += `${key} ${text.length} ${text}`; });
    setAttribute(channel, "kind", facts ? facts.kind : "");
    setAttribute(channel, "texts", texts);
  });
}
