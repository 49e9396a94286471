// Tells the isolated world what sounds, and when. Runs in every document before its own scripts. What is
// wrapped behaves and reads as before; nothing of this can be reached from the page by name, and no
// primitive used here can be replaced by it.
(secret) => {
  "use strict";
  const MOST = 1000;
  const LONGEST = 200;
  const DEEPEST = 24;

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const partOf = (type, name, part = "get") => type && uncurry(Object.getOwnPropertyDescriptor(type.prototype, name)[part]);
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { max } = Math;
  const TextOf = String, Plain = Event, WeakTable = WeakMap, Names = Set;
  const slice = uncurry(String.prototype.slice);
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const take = uncurry(WeakMap.prototype.get);
  const put = uncurry(WeakMap.prototype.set);
  const drop = uncurry(WeakMap.prototype.delete);
  const add = uncurry(Set.prototype.add);
  const removeFrom = uncurry(Set.prototype.delete);
  const each = uncurry(Set.prototype.forEach);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const setAttribute = uncurry(Element.prototype.setAttribute);
  const targetOf = partOf(Event, "target");
  const isTrusted = uncurry(getOwnPropertyDescriptor(new Plain(""), "isTrusted").get);
  const isUsed = partOf(globalThis.UserActivation, "hasBeenActive");
  const activation = navigator.userActivation;
  const later = queueMicrotask.bind(globalThis);

  const channel = document.createElement("i");
  dispatch(document, new MouseEvent(`${secret}-sounds`, { __proto__: null, relatedTarget: channel }));

  let left = MOST, nextId = 1;
  const report = (kind, id, what, { when = "", until = "", now = "", length = "", hz = "", gain = "", silent = "" }) => {
    left -= 1;
    if (left < 0) return;
    setAttribute(channel, "kind", left === 0 ? "flood" : kind);
    setAttribute(channel, "id", TextOf(id));
    setAttribute(channel, "what", slice(TextOf(what), 0, LONGEST));
    setAttribute(channel, "when", TextOf(when));
    setAttribute(channel, "until", TextOf(until));
    setAttribute(channel, "now", TextOf(now));
    setAttribute(channel, "length", TextOf(length));
    setAttribute(channel, "hz", hz);
    setAttribute(channel, "gain", TextOf(gain));
    setAttribute(channel, "silent", silent);
    dispatch(channel, new Plain("sound"));
  };
  // An object is not asked a second time what number it stands for.
  const numberOf = (value, otherwise) => (typeof value === "number" || typeof value === "string" ? +value : otherwise);
  const wrap = (type, name, around) => {
    const old = type && getOwnPropertyDescriptor(type.prototype, name);
    if (!old) return;
    const part = "value" in old ? "value" : "set";
    const handler = { __proto__: null, apply: (native, self, values) => around(self, values, () => apply(native, self, values)) };
    defineProperty(type.prototype, name, { ...old, [part]: new Proxy(old[part], handler) });
  };

  // --- Web Audio: what a source is connected to says how loud it is, what is scheduled how high

  const Param = globalThis.AudioParam, Node = globalThis.AudioNode, Source = globalThis.AudioScheduledSourceNode;
  if (Param && Node && Source && globalThis.AudioContext) {
    const [gains, ends, tones, samples, live] = [GainNode, AudioDestinationNode, OscillatorNode, AudioBufferSourceNode, AudioContext].map(({ prototype }) => prototype);
    const params = Param.prototype, nodes = Node.prototype;
    const valueOf = partOf(Param, "value"), contextOf = partOf(Node, "context"), stateOf = partOf(BaseAudioContext, "state");
    const timeOf = partOf(BaseAudioContext, "currentTime");
    const gainOf = partOf(GainNode, "gain"), frequencyOf = partOf(OscillatorNode, "frequency"), typeOf = partOf(OscillatorNode, "type");
    const bufferOf = partOf(AudioBufferSourceNode, "buffer"), rateOf = partOf(AudioBufferSourceNode, "playbackRate");
    const loops = partOf(AudioBufferSourceNode, "loop"), lengthOf = partOf(AudioBuffer, "duration");
    const plans = new WeakTable(), outputs = new WeakTable(), started = new WeakTable();

    const plan = (isRamp) => (param, values, go) => {
      const answer = go(), value = numberOf(values[0], NaN);
      if (!isMadeFrom(params, param) || value !== value) return answer;
      const old = take(plans, param) ?? (isRamp ? { most: valueOf(param), list: TextOf(valueOf(param)) } : { most: value, list: "" });
      const list = slice(old.list ? `${old.list} ${value}` : TextOf(value), 0, LONGEST);
      put(plans, param, { most: max(old.most, value), list });
      return answer;
    };
    wrap(Param, "setValueAtTime", plan(false));
    for (const name of ["linearRampToValueAtTime", "exponentialRampToValueAtTime", "setTargetAtTime"]) wrap(Param, name, plan(true));
    const forget = (param, _, go) => {
      const answer = go();
      drop(plans, param);
      return answer;
    };
    wrap(Param, "value", forget);
    wrap(Param, "cancelScheduledValues", forget);

    wrap(Node, "connect", (node, values, go) => {
      const answer = go();
      if (isMadeFrom(nodes, values[0])) {
        if (!take(outputs, node)) put(outputs, node, new Names());
        add(take(outputs, node), values[0]);
      }
      return answer;
    });
    wrap(Node, "disconnect", (node, values, go) => {
      const answer = go(), found = take(outputs, node);
      if (found && isMadeFrom(nodes, values[0])) removeFrom(found, values[0]);
      else drop(outputs, node);
      return answer;
    });
    // The loudest way from a node to the loudspeaker; below 0 if there is none.
    const loudness = (node, depth) => {
      if (isMadeFrom(ends, node)) return 1;
      const found = take(outputs, node);
      if (!found || depth > DEEPEST) return -1;
      let most = -1;
      each(found, (next) => { most = max(most, loudness(next, depth + 1)); });
      if (most <= 0 || !isMadeFrom(gains, node)) return most;
      const gain = gainOf(node);
      return most * (take(plans, gain)?.most ?? valueOf(gain));
    };
    const silence = (node, gain) => {
      if (gain < 0) return "it is connected to no loudspeaker";
      if (gain < 1e-4) return "its volume is 0";
      const isHeld = stateOf(contextOf(node)) !== "running" && !isUsed(activation);
      return isHeld ? "a browser keeps it silent until the page is used" : "";
    };
    const tell = (node) => {
      const facts = take(started, node), context = contextOf(node);
      facts.isTold = true;
      const gain = loudness(node, 0);
      let what = "", length = "", hz = "";
      if (isMadeFrom(tones, node)) {
        const frequency = frequencyOf(node);
        what = typeOf(node);
        hz = take(plans, frequency)?.list ?? TextOf(valueOf(frequency));
      } else if (bufferOf(node)) {
        const whole = lengthOf(bufferOf(node)), rate = valueOf(rateOf(node)) || 1;
        const end = facts.length ?? whole - facts.offset;
        length = loops(node) ? "" : end / rate;
      }
      const shown = gain < 0 ? "" : gain;
      report(isMadeFrom(tones, node) ? "tone" : "sample", facts.id, what, { when: facts.when, until: facts.stop ?? "", now: timeOf(context), length, hz, gain: shown, silent: silence(node, gain) });
    };
    const start = (node, values, go) => {
      const answer = go();
      if ((isMadeFrom(tones, node) || isMadeFrom(samples, node)) && isMadeFrom(live, contextOf(node))) {
        put(started, node, {
          __proto__: null, id: nextId++, when: numberOf(values[0], 0), offset: numberOf(values[1], 0),
          length: numberOf(values[2], undefined), isTold: false, stop: undefined,
        });
        later(() => tell(node)); // once the app has connected it and said how long it lasts
      }
      return answer;
    };
    wrap(Source, "start", start);
    wrap(AudioBufferSourceNode, "start", start);
    wrap(Source, "stop", (node, values, go) => {
      const answer = go(), facts = take(started, node), when = numberOf(values[0], 0);
      if (facts?.isTold) report("stop", facts.id, "", { when, now: timeOf(contextOf(node)) });
      else if (facts) facts.stop = when;
      return answer;
    });
  }

  // --- audio and video elements, in the document or not

  const [sourceOf, isMuted, volumeOf, isEnded, durationOf] = ["currentSrc", "muted", "volume", "ended", "duration"].map((name) => partOf(HTMLMediaElement, name));
  const media = HTMLMediaElement.prototype, followed = new WeakTable();
  const begun = (element) => {
    const id = nextId++, volume = volumeOf(element);
    put(followed, element, id);
    const silent = isMuted(element) ? "it is muted" : volume === 0 ? "its volume is 0" : "";
    const length = durationOf(element);
    report("media", id, sourceOf(element), { length: length > 0 && length < 1e7 ? length : "", gain: volume, silent });
  };
  const follow = (element) => {
    if (take(followed, element) !== undefined) return;
    put(followed, element, 0);
    const ended = () => {
      const id = take(followed, element);
      if (id) report("stop", id, isEnded(element) ? "ended" : "paused", {});
      put(followed, element, 0);
    };
    listen(element, "play", (event) => { if (isTrusted(event)) begun(element); });
    for (const name of ["pause", "ended"]) listen(element, name, (event) => { if (isTrusted(event)) ended(); });
  };
  wrap(HTMLMediaElement, "play", (element, _, go) => {
    if (isMadeFrom(media, element)) follow(element);
    return go();
  });
  listen(globalThis, "play", (event) => { // by itself, or by the browser's own buttons
    const element = targetOf(event);
    if (!isTrusted(event) || !isMadeFrom(media, element) || take(followed, element) !== undefined) return;
    follow(element);
    begun(element);
  }, true);

  // --- speech: it is spoken without a sound, which the app cannot see

  const Utterance = globalThis.SpeechSynthesisUtterance;
  if (globalThis.SpeechSynthesis && Utterance) {
    const [textOf, rateOf] = ["text", "rate"].map((name) => partOf(Utterance, name));
    const realVolume = getOwnPropertyDescriptor(Utterance.prototype, "volume");
    const readVolume = uncurry(realVolume.get), setVolume = uncurry(realVolume.set), volumes = new WeakTable();
    const volumeNow = (utterance) => take(volumes, utterance) ?? readVolume(utterance);
    const through = (native, answer) => new Proxy(native, { __proto__: null, apply: (_, self, values) => answer(self, values) });
    defineProperty(Utterance.prototype, "volume", {
      ...realVolume,
      get: through(realVolume.get, volumeNow),
      set: through(realVolume.set, (self, values) => {
        drop(volumes, self);
        setVolume(self, values[0]);
      }),
    });
    wrap(globalThis.SpeechSynthesis, "speak", (self, values, go) => {
      const utterance = values[0];
      if (!isMadeFrom(Utterance.prototype, utterance)) return go();
      const volume = volumeNow(utterance);
      put(volumes, utterance, volume);
      setVolume(utterance, 0);
      const answer = go();
      report("speech", nextId++, textOf(utterance), { gain: volume, hz: "", silent: volume === 0 ? "its volume is 0" : rateOf(utterance) > 0 ? "" : "its rate is 0" });
      return answer;
    });
  }
}
