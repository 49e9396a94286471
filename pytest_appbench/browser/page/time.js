// What tells and takes time in one global scope, of a document or of a worker: timers, animation frames, Date,
// performance and Temporal, put on a time that stands still until whoever holds the answer moves it. The app
// holds no way to it, and no primitive used here can be replaced by it.
(start, epoch, isDrawing) => {
  "use strict";
  const FRAME = 1000 / 60;
  const NESTED_DEPTH = 5;
  const NESTED_LEAST = 4;

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getter = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { floor, max } = Math;
  const TextOf = String, NumberOf = Number, Table = Map, WeakTable = WeakMap, RealDate = Date;
  const put = uncurry(Map.prototype.set);
  const drop = uncurry(Map.prototype.delete);
  const each = uncurry(Map.prototype.forEach);
  const weakGet = uncurry(WeakMap.prototype.get);
  const weakPut = uncurry(WeakMap.prototype.set);
  const weakHas = uncurry(WeakMap.prototype.has);
  const runText = globalThis.eval;

  let now = start, nextId = 1, sequence = 0, depth = 0, frame = -1;
  const timers = new Table(), frames = new Table(), plans = new Table();
  const since = () => now - start;

  // What belongs to a worker's scope may be held by what the scope is made from.
  const replace = (target, name, value) => {
    while (!getOwnPropertyDescriptor(target, name)) target = Object.getPrototypeOf(target);
    defineProperty(target, name, { ...getOwnPropertyDescriptor(target, name), value });
  };
  const replaceGetter = (target, name, get) => {
    const old = getOwnPropertyDescriptor(target, name);
    if (old?.get) defineProperty(target, name, { ...old, get });
  };
  const replaceAll = (target, methods) => {
    for (const name of Object.keys(methods)) if (name in target) replace(target, name, methods[name]);
  };

  // --- timers and frames

  // As the platform does: a 32-bit integer, never negative, and longer when timers set timers.
  const waitOf = (delay, level, repeats) => max(level > NESTED_DEPTH ? NESTED_LEAST : repeats ? 1 : 0, delay);
  const add = (queue, entry) => {
    entry.id = nextId++;
    entry.order = sequence++;
    put(queue, entry.id, entry);
    return entry.id;
  };
  const addTimer = (action, delay, values, repeats) => {
    const callback = typeof action === "function" ? action : TextOf(action);
    const wait = NumberOf(delay) | 0, level = depth + 1;
    const at = now + waitOf(wait, level, repeats);
    return add(timers, { __proto__: null, at, callback, values, level, repeats, wait });
  };
  const cancel = (queue, id) => {
    drop(queue, NumberOf(id));
  };
  const doneIdling = { didTimeout: false, timeRemaining: () => 10 };
  const natives = {
    setTimeout(action, delay = 0, ...values) {
      return addTimer(action, delay, values, false);
    },
    setInterval(action, delay = 0, ...values) {
      return addTimer(action, delay, values, true);
    },
    clearTimeout(id = 0) {
      cancel(timers, id);
    },
    clearInterval(id = 0) {
      cancel(timers, id);
    },
    requestIdleCallback(callback) {
      return addTimer(callback, 1, [doneIdling], false);
    },
    cancelIdleCallback(id) {
      cancel(timers, id);
    },
  };
  const drawing = {
    requestAnimationFrame(callback) {
      if (typeof callback !== "function") throw new TypeError("The callback provided as parameter 1 is not a function.");
      const at = (floor(now / FRAME + 1e-6) + 1) * FRAME;
      return add(frames, { __proto__: null, at, callback });
    },
    cancelAnimationFrame(id) {
      cancel(frames, id);
    },
  };
  replaceAll(globalThis, natives);
  if (isDrawing) replaceAll(globalThis, drawing);

  // The earliest entry; at one time a frame that has begun goes first, then timers, then a new frame.
  const earliest = (isQuietToo = true) => {
    let best = null, bestRank = 0;
    const consider = (entry, rank) => {
      if (entry.isQuiet && !isQuietToo) return;
      const isEarlier =
        best === null || entry.at < best.at ||
        (entry.at === best.at && (rank < bestRank || (rank === bestRank && entry.order < best.order)));
      if (isEarlier) {
        best = entry;
        bestRank = rank;
      }
    };
    each(plans, (entry) => consider(entry, 1));
    each(timers, (entry) => consider(entry, 1));
    each(frames, (entry) => consider(entry, entry.at === frame ? 0 : 2));
    return best;
  };
  // What the clock itself is to do at a time: no number of the app's cancels it. What is quiet is none of the
  // app's own callbacks: an element that plays.
  const plan = (at, callback, isQuiet = false) =>
    add(plans, { __proto__: null, at: max(at, now), callback, isPlan: true, isQuiet });
  // One callback a step: what it throws is reported by the browser as any uncaught exception.
  const step = () => {
    const entry = earliest();
    if (entry === null || entry.at > now) return;
    if (entry.isPlan) {
      drop(plans, entry.id);
      entry.callback();
      return;
    }
    if (entry.level === undefined) {
      frame = entry.at;
      drop(frames, entry.id);
      apply(entry.callback, undefined, [since()]);
      return;
    }
    if (entry.repeats) {
      entry.level += 1;
      entry.at += waitOf(entry.wait, entry.level, true);
      entry.order = sequence++;
    } else {
      drop(timers, entry.id);
    }
    depth = entry.level;
    try {
      if (typeof entry.callback === "string") runText(entry.callback);
      else apply(entry.callback, globalThis, entry.values);
    } finally {
      depth = 0;
    }
  };

  // --- what tells the time

  const today = () => floor(epoch() + now);
  const LogicalDate = new Proxy(RealDate, {
    __proto__: null,
    apply: () => TextOf(new RealDate(today())),
    construct: (target, values, newTarget) =>
      construct(target, values.length === 0 ? [today()] : values, newTarget),
  });
  replace(RealDate, "now", { now: today }.now);
  replace(RealDate.prototype, "constructor", LogicalDate);
  replace(globalThis, "Date", LogicalDate);

  replace(Performance.prototype, "now", { now: since }.now);
  replaceGetter(Performance.prototype, "timeOrigin", () => epoch() + start);
  if (globalThis.DocumentTimeline) {
    const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
    const documents = DocumentTimeline.prototype;
    const timelineTime = getter(AnimationTimeline, "currentTime");
    replaceGetter(AnimationTimeline.prototype, "currentTime", function () {
      const real = timelineTime(this);
      return isMadeFrom(documents, this) ? since() : real;
    });
  }
  const seen = new WeakTable();
  const realStamp = getter(Event, "timeStamp");
  replaceGetter(Event.prototype, "timeStamp", function () {
    realStamp(this); // throws as the original does where `this` is no event
    if (!weakHas(seen, this)) weakPut(seen, this, since());
    return weakGet(seen, this);
  });
  const formats = Intl.DateTimeFormat.prototype;
  const partsOf = uncurry(formats.formatToParts);
  const formatOf = getter(Intl.DateTimeFormat, "format");
  const bound = new WeakTable();
  replaceAll(formats, {
    formatToParts(date) {
      return partsOf(this, date === undefined ? today() : date);
    },
  });
  replaceGetter(formats, "format", function () {
    const native = formatOf(this);
    if (!weakHas(bound, native)) weakPut(bound, native, (date) => native(date === undefined ? today() : date));
    return weakGet(bound, native);
  });
  if (globalThis.Temporal) {
    const Now = Temporal.Now;
    const zoneId = Now.timeZoneId;
    const fromEpoch = Temporal.Instant.fromEpochMilliseconds;
    const inZone = uncurry(Temporal.Instant.prototype.toZonedDateTimeISO);
    const moment = () => apply(fromEpoch, Temporal.Instant, [today()]);
    const zoned = (zone = zoneId()) => inZone(moment(), zone);
    const part = (name) => uncurry(Temporal.ZonedDateTime.prototype[name]);
    const [toDateTime, toDate, toTime] = ["toPlainDateTime", "toPlainDate", "toPlainTime"].map(part);
    replaceAll(Now, {
      instant: moment,
      zonedDateTimeISO: zoned,
      plainDateTimeISO: (zone) => toDateTime(zoned(zone)),
      plainDateISO: (zone) => toDate(zoned(zone)),
      plainTimeISO: (zone) => toTime(zoned(zone)),
    });
  }
  if (AbortSignal.timeout) {
    const Controller = AbortController, Failure = DOMException;
    const abort = uncurry(AbortController.prototype.abort);
    const signalOf = getter(AbortController, "signal");
    replace(AbortSignal, "timeout", {
      timeout(ms) {
        const controller = new Controller();
        plan(now + NumberOf(ms), () => abort(controller, new Failure("signal timed out", "TimeoutError")));
        return signalOf(controller);
      },
    }.timeout);
  }
  if (globalThis.Scheduler) {
    const Later = Promise;
    const post = uncurry(Scheduler.prototype.postTask);
    replaceAll(Scheduler.prototype, {
      postTask(callback, options) {
        const delay = NumberOf(options?.delay ?? 0);
        if (!(delay > 0)) return post(this, callback, options);
        return new Later((resolve) => {
          const start = () => resolve(post(this, callback, { ...options, delay: 0 }));
          plan(now + delay, start);
        });
      },
    });
  }

  return {
    __proto__: null,
    since,
    step,
    plan,
    drop: (id) => drop(plans, id),
    now: () => now,
    moveTo: (time) => { now = time; },
    // When the next callback is due; Infinity if there is none.
    due: (isQuietToo) => earliest(isQuietToo)?.at ?? Infinity,
  };
}
