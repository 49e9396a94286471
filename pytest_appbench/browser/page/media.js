// Audio and video elements of a document under its clock. Each plays at a speed of 0, so that the browser keeps
// all its states and events but moves nothing; where it is follows from the clock, and the browser's own place is
// brought there when somebody could see it: when time comes to rest, before what the app draws, and at the end.
// Nothing of this can be reached from the page by name, and no primitive used here can be replaced by it.
(clock, afterwards, nextFrame) => {
  "use strict";
  const TELL_MS = 250;
  const SEEN_MS = 34, NEAR_MS = 1;
  const SHOWN_FRAMES = 4, MOST_FRAMES = 20;

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { abs, max, min } = Math;
  const Plain = Event, Table = Map, media = HTMLMediaElement.prototype, natives = HTMLMediaElement;
  const partOf = (type, name, part = "get") => uncurry(getOwnPropertyDescriptor(type.prototype, name)[part]);
  const put = uncurry(Map.prototype.set);
  const drop = uncurry(Map.prototype.delete);
  const each = uncurry(Map.prototype.forEach);
  const sizeOf = partOf(Map, "size");
  const weakPut = uncurry(WeakMap.prototype.set);
  const weakTake = uncurry(WeakMap.prototype.get);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const stop = uncurry(Event.prototype.stopImmediatePropagation);
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const isTrusted = uncurry(getOwnPropertyDescriptor(new Plain(""), "isTrusted").get);
  const targetOf = partOf(Event, "target"), typeOf = partOf(Event, "type");
  const timeOf = partOf(natives, "currentTime"), setTime = partOf(natives, "currentTime", "set");
  const rateOf = partOf(natives, "playbackRate"), setRate = partOf(natives, "playbackRate", "set");
  const [durationOf, isPaused, isEnded, loops, starts, isMuted, streamOf, isSeeking, rangesOf] = [
    "duration", "paused", "ended", "loop", "autoplay", "muted", "srcObject", "seeking", "seekable",
  ].map((name) => partOf(natives, name));
  const countOf = partOf(TimeRanges, "length"), endOf = uncurry(TimeRanges.prototype.end), pause = uncurry(media.pause);
  const isConnected = partOf(Node, "isConnected");
  const videos = HTMLVideoElement.prototype;
  const widthOf = partOf(HTMLVideoElement, "videoWidth"), onPicture = uncurry(videos.requestVideoFrameCallback);

  const known = new WeakMap(), playing = new Table();
  let waiting = null;

  const placeOf = (state) => {
    const { element, base, since, rate, isRunning } = state;
    if (!isRunning) return base;
    const at = max(0, base + ((clock.now() - since) / 1000) * rate), end = durationOf(element);
    return end === end ? min(at, end) : at;
  };
  // From here on the element's place follows from this moment.
  const rebase = (state, base = placeOf(state)) => {
    state.base = base;
    state.since = clock.now();
    clock.drop(state.tick);
    clock.drop(state.end);
    if (!state.isRunning) return;
    const { element, rate, since } = state;
    const tell = () => {
      state.tick = clock.plan(clock.now() + TELL_MS, tell, true);
      dispatch(element, new Plain("timeupdate"));
    };
    state.tick = clock.plan(since + TELL_MS, tell, true);
    const left = ((durationOf(element) - base) / rate) * 1000;
    if (rate > 0 && left < Infinity) state.end = clock.plan(since + left, () => finish(state), true);
  };
  const settle = () => {
    let isSettled = true;
    each(playing, (state) => { isSettled &&= !state.isAwaited || state.isLate; });
    if (!isSettled || waiting === null) return;
    const done = waiting;
    waiting = null;
    done();
  };
  const hasPicture = (element) => isMadeFrom(videos, element) && widthOf(element) > 0;
  const isSeen = (element) => isConnected(element) || hasPicture(element);
  const offOf = (element, place) => abs(place - timeOf(element)) * 1000;
  const rest = (state) => {
    rebase(state);
    state.isRunning = state.isAwaited = false;
    rebase(state, state.base);
    const { element, base } = state;
    if (isSeen(element) && canSeek(element, base) && offOf(element, base) > NEAR_MS) seek(state, base, true);
    else drop(playing, state.element);
    settle();
  };
  const afterFrames = (count, act) => (count > 0 ? nextFrame(() => afterFrames(count - 1, act)) : act());
  // A seek is over when the browser says so and has put the picture of that place where it is drawn from; for a
  // place that it is at already it puts none there, and many frames are waited for. On the screen that picture is
  // for certain only where the browser rests for some frames before and after.
  const seek = (state, place, isShown, isPictured = !hasPicture(state.element)) => {
    const { element } = state, frames = isShown && hasPicture(element) ? SHOWN_FRAMES : 0;
    const wanted = { __proto__: null, isSought: false, isLast: false, isPictured };
    const look = () => {
      if (!wanted.isSought || !wanted.isPictured) return;
      afterFrames(frames, () => {
        if (state.wanted !== wanted) return;
        state.wanted = null;
        if (wanted.isLast) rest(state);
        else arrive(state);
      });
    };
    const picture = () => {
      wanted.isPictured = true;
      look();
    };
    state.wanted = wanted;
    state.isAwaited = true;
    state.isShown = isShown;
    state.show = () => {
      wanted.isSought = true;
      look();
      if (!wanted.isPictured) afterFrames(MOST_FRAMES, picture);
    };
    afterFrames(frames, () => {
      if (state.wanted !== wanted) return;
      state.isOurs = true;
      if (!wanted.isPictured) onPicture(element, picture);
      setTime(element, place);
    });
  };
  // A seek of ours is overtaken, by the app or because there is nothing to seek in any more.
  const forgo = (state) => {
    if (state.wanted !== null) state.isAwaited = false;
    state.wanted = null;
    state.isOurs = state.isNear = false;
  };
  // Where a seek of ours is over, and its picture handed on.
  const arrive = (state) => {
    const { element } = state;
    if (!state.isOurs || isSeeking(element)) return;
    if (state.isNear) {
      state.isNear = false;
      return seek(state, durationOf(element), false, true);
    }
    state.isOurs = false;
    if (state.isEnding) return isEnded(element) ? undefined : end(state); // or the browser is about to tell
    state.isAwaited = false;
    if (isPaused(element)) drop(playing, element);
    settle();
  };
  // What comes from a server that gives no parts of files cannot be sought: its end is told by us.
  const canSeek = (element, place) => {
    const ranges = rangesOf(element), count = countOf(ranges);
    return count > 0 && endOf(ranges, count - 1) >= place - 1e-3;
  };
  const end = (state) => {
    const { element } = state;
    state.isOver = true;
    pause(element);
    afterwards(() => {
      state.isEnding = false;
      rest(state);
      dispatch(element, new Plain("ended"));
    }, 0);
  };
  const finish = (state) => {
    const { element } = state, place = durationOf(element);
    if (loops(element)) return rebase(state, 0);
    rebase(state, place);
    state.isRunning = false;
    rebase(state, place);
    state.isEnding = state.isAwaited = true;
    if (!canSeek(element, place)) return end(state);
    dispatch(element, new Plain("timeupdate"));
    // The browser ends it, and may then not show its last picture any more: that is shown just before.
    state.isNear = hasPicture(element);
    return seek(state, state.isNear ? max(0, place - NEAR_MS / 1000) : place, true);
  };

  // The element's own events, ahead of the app's listeners where it is in the document or we came first.
  const OURS = ["seeking", "seeked", "timeupdate", "waiting", "canplay", "canplaythrough", "playing", "ratechange"];
  const take = (event, state) => {
    if (!isTrusted(event)) return;
    const type = typeOf(event), { element } = state;
    let isHushed = false;
    for (let i = 0; i < OURS.length; i++) isHushed ||= OURS[i] === type;
    isHushed &&= state.isOurs || (type === "ratechange" && state.isSlowed);
    if (type === "ratechange") state.isSlowed = false;
    if (isHushed) stop(event);
    if (type === "seeked" && state.isOurs) {
      afterwards(state.show, 0);
    } else if (type === "playing" && !state.isOurs && !state.isRunning && !isPaused(element)) {
      state.isRunning = true;
      state.isAwaited = state.isLate = false;
      rebase(state, state.base);
      settle();
    } else if (type === "durationchange") {
      rebase(state);
    } else if (type === "ended" && state.wanted !== null) {
      state.wanted.isLast = true; // its last picture is still to come
      state.isEnding = state.isOurs = false;
    } else if ((type === "pause" && !state.isEnding) || type === "ended") {
      state.isEnding = false;
      rest(state);
    } else if (type === "error" || (type === "canplaythrough" && isPaused(element))) {
      if (type === "error") forgo(state);
      state.isAwaited = false;
      settle();
    } else if (type === "emptied") {
      state.isRunning = state.isEnding = state.isOver = false;
      forgo(state);
      if (rateOf(element) !== 0) slow(state); // loading anew sets the speed back
      rebase(state, 0);
    }
  };
  const TOLD = [...OURS, "durationchange", "ended", "pause", "error", "emptied"];
  const hold = (element) => {
    const held = weakTake(known, element);
    if (held) {
      if (rateOf(element) !== 0) slow(held);
      return held;
    }
    const state = {
      __proto__: null, element, base: timeOf(element), since: clock.now(), rate: 1, tick: 0, end: 0,
      isRunning: false, isAwaited: false, isLate: false, isOurs: false, isNear: false, isEnding: false, isSlowed: false, isOver: false, isShown: true, wanted: null, show: null,
    };
    weakPut(known, element, state);
    slow(state);
    for (let i = 0; i < TOLD.length; i++) {
      listen(element, TOLD[i], (event) => {
        // What the window has seen already is not taken twice.
        if (weakTake(seen, event) === undefined) take(event, state);
      });
    }
    return state;
  };
  const slow = (state) => {
    state.rate = rateOf(state.element);
    state.isSlowed = state.rate !== 0;
    setRate(state.element, 0);
  };
  const expect = (state) => {
    if (isPaused(state.element)) return;
    state.isAwaited = !state.isRunning;
    put(playing, state.element, state);
  };
  const seen = new WeakMap();
  const isOwned = (element) => isMadeFrom(media, element) && streamOf(element) === null;
  for (const type of [...TOLD, "loadstart", "play"]) {
    listen(globalThis, type, (event) => {
      const element = targetOf(event);
      if (!isMadeFrom(media, element) || !isTrusted(event)) return;
      weakPut(seen, event, true);
      if ((type === "loadstart" || type === "play") && isOwned(element)) {
        const state = hold(element);
        if (type === "play") expect(state);
        else if (starts(element) && isMuted(element)) {
          state.isAwaited = true;
          put(playing, element, state);
        }
        return;
      }
      const state = weakTake(known, element);
      if (state) take(event, state);
    }, true);
  }

  const wrap = (name, act) => {
    const own = getOwnPropertyDescriptor(media, name);
    const handler = { __proto__: null, apply: (real, self, values) => act(self, () => apply(real, self, values), values[0]) };
    if (own) defineProperty(media, name, { ...own, value: new Proxy(own.value, handler) });
  };
  const property = (name, get, set) => {
    const own = getOwnPropertyDescriptor(media, name);
    const through = (real, act) => new Proxy(real, { __proto__: null, apply: (_, self, values) => act(self, values[0], () => apply(real, self, values)) });
    const accessor = { get: through(own.get, get), set: own.set && through(own.set, set) };
    defineProperty(media, name, { ...own, ...accessor });
  };
  wrap("play", (element, go) => {
    if (!isOwned(element)) return go();
    const state = hold(element);
    if (isEnded(element) || state.isOver) {
      state.wanted = null;
      rebase(state, 0);
    }
    state.isOver = false;
    const answer = go();
    expect(state);
    return answer;
  });
  wrap("pause", (element, go) => {
    const answer = go();
    const state = isMadeFrom(media, element) ? weakTake(known, element) : undefined;
    if (state) rest(state);
    return answer;
  });
  const moveTo = (element, place, go) => {
    const answer = go();
    const state = weakTake(known, element);
    if (state) {
      const end = durationOf(element);
      state.isOver = false;
      forgo(state);
      rebase(state, max(0, end === end ? min(+place, end) : +place));
    }
    return answer;
  };
  wrap("fastSeek", (element, go, place) => moveTo(element, place, go));
  property("currentTime", (element, _, go) => {
    const real = go(), state = weakTake(known, element);
    return state ? placeOf(state) : real;
  }, moveTo);
  property("ended", (element, _, go) => go() || weakTake(known, element)?.isOver === true);
  property("playbackRate", (element, _, go) => {
    const real = go(), state = weakTake(known, element);
    return state ? state.rate : real;
  }, (element, rate, go) => {
    const state = isMadeFrom(media, element) ? weakTake(known, element) : undefined;
    if (!state) return go();
    const old = state.rate, before = placeOf(state);
    go(); // which says what is wrong with it
    const wanted = rateOf(element);
    setRate(element, 0);
    state.isSlowed = wanted !== 0; // of two changes the app is told one
    state.rate = wanted;
    rebase(state, before);
    if (wanted === 0 && old !== 0) dispatch(element, new Plain("ratechange"));
    return undefined;
  });

  return {
    __proto__: null,
    count: () => sizeOf(playing),
    // Waits until what was to play does; with `isShown`, until pictures are where they belong.
    ask: (isShown, done) => {
      waiting = done;
      each(playing, (state) => {
        const { element } = state;
        if (!state.isRunning || state.isAwaited || !isSeen(element) || !canSeek(element, placeOf(state))) return;
        const place = placeOf(state), off = offOf(element, place);
        if (isShown ? off > NEAR_MS || !state.isShown : off > SEEN_MS) seek(state, place, isShown);
      });
      settle();
    },
    giveUp: () => {
      each(playing, (state) => { state.isLate = state.isAwaited; });
      settle();
    },
  };
}
