// Runs first in each dedicated worker that an app makes, before the app's script: puts the worker's time to
// that of whoever made it, and its chance to a seed. The app's script finds itself where it believes to be, at
// the address that the app gave; nothing of this can be reached by it, and no primitive used here can be
// replaced by it.
(begin, facts, module, time, workers, chance) => {
  "use strict";
  const { token, address, load } = facts;
  const scope = globalThis;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getter = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { min } = Math;
  const TextOf = String, NumberOf = Number, Link = URL, links = URL.prototype;
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const slice = uncurry(String.prototype.slice);
  const begins = uncurry(String.prototype.startsWith);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const stop = uncurry(Event.prototype.stopImmediatePropagation);
  const dataOf = getter(MessageEvent, "data");
  const hrefOf = getter(URL, "href");
  const forget = URL.revokeObjectURL.bind(URL);
  const say = scope.postMessage.bind(scope);
  const end = scope.close;
  const run = scope.importScripts.bind(scope);
  const nextFrame = scope.requestAnimationFrame?.bind(scope), afterwards = scope.setTimeout.bind(scope);

  // The addresses of the scripts that hold our words are given up before the app's script could read them.
  forget(scope.location.href);
  if (facts.isModule) forget(module);
  const resolve = (url) => hrefOf(new Link(url, address));

  // There are no frames where a worker was made by a worker.
  const hasFrames = () => {
    try {
      scope.cancelAnimationFrame(nextFrame(() => {}));
      return true;
    } catch {
      return false;
    }
  };
  const isDrawing = hasFrames();

  let present = facts.now, heard = 0;
  const clock = time(present, () => facts.epoch, isDrawing);
  chance(facts.seed);
  const crew = scope.Worker
    ? workers({
        __proto__: null, token, resolve, now: () => present, epoch: () => facts.epoch, seed: facts.seed, isAllowed: () => true,
        sources: { __proto__: null, worker: TextOf(begin), time: TextOf(time), workers: TextOf(workers), chance: TextOf(chance) },
      })
    : null;

  const reply = (passed) => {
    const due = min(clock.due(), crew ? crew.due() : Infinity);
    const count = heard + passed;
    heard = 0;
    say(`${token}[${count},${due < Infinity ? due : null}]`);
  };
  const asked = (word) => {
    if (crew?.count()) crew.ask(word, reply);
    else reply(0);
  };
  const shown = () => {
    let isDone = false;
    const done = () => {
      if (!isDone) asked("f");
      isDone = true;
    };
    if (!isDrawing) return done();
    nextFrame(done);
    afterwards(done, 100);
  };
  listen(scope, "message", (event) => {
    const data = dataOf(event);
    if (typeof data !== "string" || !begins(data, token)) {
      heard += 1;
      return;
    }
    stop(event);
    const word = data[token.length];
    present = NumberOf(slice(data, token.length + 1));
    clock.moveTo(present);
    if (word === "t") crew?.tellTime();
    else if (word === "a") asked("a");
    else if (word === "f") shown();
    else if (crew && crew.due() < clock.due()) crew.step();
    else clock.step();
  });
  const holderOf = (name) => {
    let holder = scope;
    while (holder !== null && !getOwnPropertyDescriptor(holder, name)) holder = Object.getPrototypeOf(holder);
    return holder;
  };
  const { close } = {
    close() {
      say(`${token}gone`);
      return apply(end, scope, []);
    },
  };
  const closer = holderOf("close");
  defineProperty(closer, "close", { ...getOwnPropertyDescriptor(closer, "close"), value: close });

  // --- where the script is

  const place = new Link(address);
  for (const name of ["href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "hash"]) {
    const own = getOwnPropertyDescriptor(WorkerLocation.prototype, name), read = getter(URL, name);
    const get = new Proxy(own.get, { __proto__: null, apply: () => read(place) });
    defineProperty(WorkerLocation.prototype, name, { ...own, get });
  }
  const there = { __proto__: null, apply: () => hrefOf(place) };
  const spoken = getOwnPropertyDescriptor(WorkerLocation.prototype, "toString");
  defineProperty(WorkerLocation.prototype, "toString", { ...spoken, value: new Proxy(spoken.value, there) });

  const whole = (url) => {
    try {
      return resolve(TextOf(url));
    } catch {
      return url; // the browser says what is wrong with it
    }
  };
  // A request is handed on as it is: it has been made whole already.
  const isAddress = (value) => typeof value === "string" || isMadeFrom(links, value);
  const placed = (target, name, at) => {
    const own = target && getOwnPropertyDescriptor(target, name);
    if (typeof own?.value !== "function") return;
    const fit = (values) => {
      for (let i = at < 0 ? 0 : at; i < (at < 0 ? values.length : at + 1); i++) {
        if (i < values.length && isAddress(values[i])) values[i] = whole(values[i]);
      }
      return values;
    };
    const handler = {
      __proto__: null,
      apply: (real, self, values) => apply(real, self, fit(values)),
      construct: (real, values, newTarget) => construct(real, fit(values), newTarget),
    };
    const value = new Proxy(own.value, handler);
    defineProperty(target, name, { ...own, value });
    if (own.value.prototype?.constructor === own.value) {
      defineProperty(own.value.prototype, "constructor", { ...getOwnPropertyDescriptor(own.value.prototype, "constructor"), value });
    }
  };
  const every = -1;
  placed(holderOf("importScripts"), "importScripts", every);
  placed(holderOf("fetch"), "fetch", 0);
  placed(scope.XMLHttpRequest?.prototype, "open", 1);
  for (const name of ["Request", "EventSource", "WebSocket"]) placed(scope, name, 0);

  if (facts.isModule) {
    if (facts.isCopy) forget(load); // it is here already, and runs next
    return;
  }
  try {
    run(load);
  } finally {
    if (facts.isCopy) forget(load);
  }
}
