// Live audio contexts of a document under its clock: their time, and when a source has come to its end. What the
// browser renders goes on by itself; nobody hears it.
(clock) => {
  "use strict";
  if (!globalThis.AudioContext || !globalThis.AudioScheduledSourceNode) return;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { max, min } = Math;
  const Plain = Event, Table = Map;
  const partOf = (type, name) => uncurry(getOwnPropertyDescriptor(type.prototype, name).get);
  const put = uncurry(Map.prototype.set);
  const drop = uncurry(Map.prototype.delete);
  const each = uncurry(Map.prototype.forEach);
  const weakPut = uncurry(WeakMap.prototype.set);
  const weakTake = uncurry(WeakMap.prototype.get);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const stop = uncurry(Event.prototype.stopImmediatePropagation);
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const isTrusted = uncurry(getOwnPropertyDescriptor(new Plain(""), "isTrusted").get);
  const isUsed = uncurry(getOwnPropertyDescriptor(UserActivation.prototype, "hasBeenActive").get);
  const activation = navigator.userActivation;
  const contextOf = partOf(AudioNode, "context"), bufferOf = partOf(AudioBufferSourceNode, "buffer");
  const lengthOf = partOf(AudioBuffer, "duration"), loops = partOf(AudioBufferSourceNode, "loop");
  const rateOf = partOf(AudioBufferSourceNode, "playbackRate"), valueOf = partOf(AudioParam, "value");
  const live = AudioContext.prototype, samples = AudioBufferSourceNode.prototype;

  const contexts = new WeakMap(), sources = new WeakMap();
  // Browsers let a context run once its page was used; it stands where the app suspends it.
  const stateOf = (context) => {
    let state = weakTake(contexts, context);
    if (state === undefined) {
      const isRunning = isUsed(activation);
      state = { __proto__: null, base: 0, since: clock.now(), isRunning, isHeld: false, isClosed: false, waiting: new Table() };
      weakPut(contexts, context, state);
    }
    return state;
  };
  const timeOf = (state) => state.base + (state.isRunning ? (clock.now() - state.since) / 1000 : 0);
  const finish = (node, facts) => {
    facts.isOver = true;
    drop(stateOf(contextOf(node)).waiting, node);
    dispatch(node, new Plain("ended"));
  };
  const schedule = (node, facts, state) => {
    clock.drop(facts.plan);
    const whole = isMadeFrom(samples, node) && bufferOf(node) && !loops(node) ? lengthOf(bufferOf(node)) - facts.offset : Infinity;
    const rate = isMadeFrom(samples, node) ? valueOf(rateOf(node)) || 1 : 1;
    const end = min(facts.begins + min(whole, facts.length) / rate, facts.stop);
    if (facts.isOver || !(end < Infinity)) return;
    put(state.waiting, node, facts);
    if (!state.isRunning) return;
    const left = max(0, end - timeOf(state)) * 1000;
    facts.plan = clock.plan(clock.now() + left, () => finish(node, facts), true);
  };
  const turn = (state, isRunning) => {
    if (state.isRunning === isRunning) return;
    state.base = timeOf(state);
    state.since = clock.now();
    state.isRunning = isRunning;
    each(state.waiting, (facts, node) => {
      clock.drop(facts.plan);
      if (isRunning) schedule(node, facts, state);
    });
  };

  const wrap = (type, name, act) => {
    const own = getOwnPropertyDescriptor(type.prototype, name);
    if (!own) return;
    const part = "value" in own ? "value" : "get";
    const handler = { __proto__: null, apply: (real, self, values) => act(self, values, apply(real, self, values)) };
    defineProperty(type.prototype, name, { ...own, [part]: new Proxy(own[part], handler) });
  };
  const isLive = (context) => isMadeFrom(live, context);
  wrap(BaseAudioContext, "currentTime", (context, _, real) => (isLive(context) ? timeOf(stateOf(context)) : real));
  wrap(AudioContext, "resume", (context, _, answer) => {
    const state = stateOf(context);
    state.isHeld = false;
    if (isUsed(activation) && !state.isClosed) turn(state, true);
    return answer;
  });
  for (const name of ["suspend", "close"]) {
    wrap(AudioContext, name, (context, _, answer) => {
      const state = stateOf(context);
      state.isHeld = true;
      state.isClosed ||= name === "close";
      turn(state, false);
      return answer;
    });
  }

  // What ends by the browser's own time ends nothing.
  const made = (node) => {
    if (isLive(contextOf(node))) listen(node, "ended", (event) => { if (isTrusted(event)) stop(event); });
    return node;
  };
  for (const name of ["createOscillator", "createBufferSource", "createConstantSource"]) {
    wrap(BaseAudioContext, name, (_context, _values, node) => made(node));
  }
  const rename = (name, handler) => {
    const native = globalThis[name];
    if (typeof native !== "function") return;
    const value = new Proxy(native, { __proto__: null, ...handler });
    for (const [target, key] of [[globalThis, name], [native.prototype, "constructor"]]) {
      defineProperty(target, key, { ...getOwnPropertyDescriptor(target, key), value });
    }
  };
  for (const name of ["OscillatorNode", "AudioBufferSourceNode", "ConstantSourceNode"]) {
    rename(name, { construct: (real, values, newTarget) => made(construct(real, values, newTarget)) });
  }
  const born = (real, values, newTarget) => {
    const context = construct(real, values, newTarget);
    stateOf(context);
    return context;
  };
  rename("AudioContext", { construct: born });
  if (globalThis.webkitAudioContext) rename("webkitAudioContext", { construct: born });

  const numberOf = (value, otherwise) => (typeof value === "number" || typeof value === "string" ? +value : otherwise);
  const begin = (node, values, answer) => {
    const context = contextOf(node);
    if (!isLive(context)) return answer;
    const state = stateOf(context);
    if (isUsed(activation) && !state.isHeld) turn(state, true);
    const facts = {
      __proto__: null, begins: max(numberOf(values[0], 0), timeOf(state)), offset: numberOf(values[1], 0),
      length: numberOf(values[2], Infinity), stop: Infinity, plan: 0, isOver: false,
    };
    weakPut(sources, node, facts);
    schedule(node, facts, state);
    return answer;
  };
  wrap(AudioScheduledSourceNode, "start", begin);
  wrap(AudioBufferSourceNode, "start", begin);
  wrap(AudioScheduledSourceNode, "stop", (node, values, answer) => {
    const facts = weakTake(sources, node);
    if (facts) {
      facts.stop = max(numberOf(values[0], 0), facts.begins);
      schedule(node, facts, stateOf(contextOf(node)));
    }
    return answer;
  });
}
