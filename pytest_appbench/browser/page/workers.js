// The dedicated workers of one global scope, a document's or a worker's, under its clock. Each is started by a
// script of ours that puts the worker's own time to this one's (see worker.js) and then runs the app's script.
// Whoever holds the answer speaks with them by their own queue of messages, so that nothing overtakes what the
// app says to them or they to it; the app sees none of it.
(kit) => {
  "use strict";
  // token: begins what is said to workers and by them; sources: worker.js and what it is made of;
  // resolve: makes an address whole; now, epoch: the present; seed: of chance; isAllowed: whether the app's
  // policy lets workers be made as they are here.
  const { token, sources, resolve, now, epoch, seed, isAllowed } = kit;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getter = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const TextOf = String, Table = Map, Plain = Blob, Link = URL;
  const { imul } = Math;
  const written = JSON.stringify, read = JSON.parse;
  const put = uncurry(Map.prototype.set);
  const take = uncurry(Map.prototype.get);
  const drop = uncurry(Map.prototype.delete);
  const each = uncurry(Map.prototype.forEach);
  const weakPut = uncurry(WeakMap.prototype.set);
  const weakTake = uncurry(WeakMap.prototype.get);
  const slice = uncurry(String.prototype.slice);
  const begins = uncurry(String.prototype.startsWith);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const stop = uncurry(Event.prototype.stopImmediatePropagation);
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const dataOf = getter(MessageEvent, "data");
  const protocolOf = getter(URL, "protocol");
  const originOf = getter(URL, "origin");
  const hrefOf = getter(URL, "href");
  const post = uncurry(Worker.prototype.postMessage);
  const sizeOf = getter(Map, "size");
  const addressOf = URL.createObjectURL.bind(URL);
  const native = Worker, blobs = Blob.prototype, failures = ErrorEvent.prototype;
  const ownOrigin = globalThis.origin;
  const OPTIONS = ["credentials", "name", "type"];

  // A blob whose address the app gives up as soon as it has made a worker of it is still to be had from here.
  const kept = new Table(), byWorker = new WeakMap(), crew = new Table();
  const through = (target, name, act) => {
    const own = getOwnPropertyDescriptor(target, name);
    defineProperty(target, name, { ...own, value: new Proxy(own.value, { __proto__: null, apply: act }) });
  };
  through(URL, "createObjectURL", (real, self, values) => {
    const address = apply(real, self, values);
    if (isMadeFrom(blobs, values[0])) put(kept, address, values[0]);
    return address;
  });
  through(URL, "revokeObjectURL", (real, self, values) => {
    drop(kept, TextOf(values[0]));
    return apply(real, self, values);
  });

  // A list would be read by ways that the app may have replaced, and give our words away.
  const only = (text) => {
    let isRead = false;
    const next = () => {
      const answer = { __proto__: null, done: isRead, value: text };
      isRead = true;
      return answer;
    };
    return { __proto__: null, [Symbol.iterator]: () => ({ __proto__: null, next }) };
  };
  const tokenOf = (id) => `${token}.${id};`;
  const script = (text) => addressOf(new Plain(only(text), { __proto__: null, type: "text/javascript" }));
  const isDriven = (url) => {
    const protocol = protocolOf(url);
    return protocol === "blob:" || protocol === "data:" || originOf(url) === ownOrigin;
  };
  let nextId = 1, heard = 0, waiting = null;

  const boot = (address, isModule) => {
    const blob = take(kept, address);
    const load = blob === undefined ? address : addressOf(blob);
    const facts = written({
      __proto__: null, token: tokenOf(nextId), address, load, isCopy: blob !== undefined, isModule,
      now: now(), epoch: epoch(), seed: imul(seed + nextId, 0x9e3779b1) >>> 0,
    });
    const { worker, time, workers, chance } = sources;
    const begin = (own) => `((begin) => begin(begin, ${facts}, ${own}, ${time}, ${workers}, ${chance}))(${worker});`;
    if (!isModule) return script(begin("null"));
    // What a module imports runs in its order, and before itself.
    const first = script(begin("import.meta.url"));
    return script(`import ${written(first)}; import ${written(load)};`);
  };
  const reached = (member) => {
    member.isAsked = member.isLate = false;
    if (waiting) waiting();
  };
  const leave = (member) => {
    drop(crew, member.id);
    reached(member);
  };
  const follow = (worker, id) => {
    const own = tokenOf(id);
    const member = { __proto__: null, id, worker, own, due: Infinity, isAsked: false, isLate: false, hasAnswered: false };
    put(crew, id, member);
    weakPut(byWorker, worker, member);
    listen(worker, "message", (event) => {
      const data = dataOf(event);
      if (typeof data !== "string" || !begins(data, own)) {
        heard += 1;
        return;
      }
      stop(event);
      const said = slice(data, own.length);
      if (said === "gone") return leave(member);
      // What was heard there since it was last asked, and when something is due.
      const answer = read(said);
      heard += answer[0];
      member.hasAnswered = true;
      member.due = answer[1] === null ? Infinity : answer[1];
      put(crew, id, member);
      reached(member);
    });
    // A module that cannot be had, or a script that the app's policy forbids, never answers.
    listen(worker, "error", (event) => {
      if (!member.hasAnswered && !isMadeFrom(failures, event)) leave(member);
    });
  };

  const Driven = new Proxy(native, {
    __proto__: null,
    construct(target, values, newTarget) {
      const given = values[1];
      const isPlain = given === undefined || given === null || typeof given === "object";
      let url = null;
      try {
        if (values.length > 0 && isPlain && isAllowed()) url = new Link(resolve(TextOf(values[0])));
      } catch {} // the browser says what is wrong with it
      if (url === null || !isDriven(url)) return construct(target, values, newTarget);
      const options = { __proto__: null };
      for (let i = 0; i < OPTIONS.length; i++) {
        const name = OPTIONS[i], value = given?.[name];
        if (value !== undefined) options[name] = TextOf(value);
      }
      const id = nextId;
      const worker = construct(target, [boot(hrefOf(url), options.type === "module"), options], newTarget);
      nextId += 1;
      follow(worker, id);
      return worker;
    },
  });
  defineProperty(globalThis, "Worker", { ...getOwnPropertyDescriptor(globalThis, "Worker"), value: Driven });
  defineProperty(native.prototype, "constructor", { ...getOwnPropertyDescriptor(native.prototype, "constructor"), value: Driven });
  through(native.prototype, "terminate", (real, self, values) => {
    const member = weakTake(byWorker, self);
    if (member) leave(member);
    return apply(real, self, values);
  });

  const tell = (member, word) => post(member.worker, `${member.own}${word}${now()}`);
  const earliest = () => {
    let best = null;
    each(crew, (member) => {
      if (!member.isLate && (best === null || member.due < best.due)) best = member;
    });
    return best;
  };
  return {
    __proto__: null,
    count: () => sizeOf(crew),
    due: () => earliest()?.due ?? Infinity,
    // Brings the present to all of them, ahead of whatever the app says to them next.
    tellTime: () => each(crew, (member) => { tell(member, "t"); }),
    // Lets the one with the earliest callback run it.
    step: () => tell(earliest(), "s"),
    // Asks all what is due, once they are done with all that was said to them; `word` is "a", or "f" to have
    // what they draw shown first. Calls `done` with how many messages of the app went to and fro.
    ask: (word, done) => {
      waiting = () => {
        let isDone = true;
        each(crew, (member) => { isDone &&= !member.isAsked || member.isLate; });
        if (!isDone) return;
        waiting = null;
        const passed = heard;
        heard = 0;
        done(passed);
      };
      each(crew, (member) => {
        if (member.isAsked) return; // one that is late still has the last question
        member.isAsked = true;
        tell(member, word);
      });
      waiting();
    },
    // Waits no longer for those that have not answered: time goes on without them until they do.
    giveUp: () => {
      each(crew, (member) => { member.isLate = member.isAsked; });
      waiting?.();
    },
  };
}
