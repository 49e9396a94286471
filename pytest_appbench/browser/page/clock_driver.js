// Moves the logical clock. Runs in the isolated world of every frame; the top frame's copy decides which
// callback of which frame is next, lets the page run it, and lets microtasks and messages drain before the
// next one. CSS and WAAPI animations stand still (their playback rate is 0) and are moved by seeking.
(secret) => {
  const FRAME = 1000 / 60;
  const LATE = 200;
  const ROUNDS = 200;
  const PATIENCE = 4000;
  const FRAMELESS = 2000;
  const USES = [
    "pointerdown", "pointermove", "pointerup", "keydown", "keyup", "wheel", "input", "focusin", "drop", "toggle",
  ];

  const animationsOf = (page) => Reflect.apply(Document.prototype.getAnimations, page, []);
  const imagesOf = (page) => {
    const moving = "animate, animateTransform, animateMotion, set";
    const parts = Reflect.apply(Document.prototype.querySelectorAll, page, [moving]);
    return new Set([...parts].map((part) => part.ownerSVGElement).filter(Boolean));
  };
  const messages = new MessageChannel();
  const turn = () =>
    new Promise((resolve) => {
      messages.port1.onmessage = resolve;
      messages.port2.postMessage(0);
    });
  // What the browser itself tells an app, it tells with a frame that it renders: that the window or an
  // element has another size, that something was scrolled or came into sight, that an animation ended.
  const rendered = async () => {
    for (const frame of frames) frame.watch();
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, FRAMELESS); // a crowded machine draws late, and a page that nobody draws never
    });
    await turn();
    await turn();
  };
  // Whether anything happened since the last such frame that the next one could tell an app of.
  const isStirred = () => [...frames].some((frame) => frame.isStirred());

  let top = null;
  try {
    top = window.top === window ? null : window.top.appbenchClock ?? undefined;
  } catch {
    top = undefined; // a frame of another origin
  }

  const frames = new Set();
  let now = 0, isStepping = false, last = Promise.resolve();

  const ask = (frame, question) => {
    frame.channel.setAttribute("time", String(now));
    frame.channel.dispatchEvent(new Event(question));
  };
  // When the next callback is due; asked for "soon", the next of the app's own.
  const dueOf = (frame, question = "due") => {
    ask(frame, question);
    const due = frame.channel.getAttribute("due");
    return due ? Number(due) : Infinity;
  };
  const hasCompany = (frame) => {
    ask(frame, "company");
    return Number(frame.channel.getAttribute("company")) > 0;
  };
  // How many messages of the app went to or from the workers of a frame before they had all answered, and what
  // plays there had come to where it belongs.
  const heardBy = (frame, word) =>
    new Promise((resolve) => {
      const { channel } = frame;
      const done = () => {
        clearTimeout(timer);
        channel.removeEventListener("answered", done);
        resolve(Number(channel.getAttribute("passed")));
      };
      const timer = setTimeout(() => {
        ask(frame, "give-up");
        done(); // also where the frame is gone
      }, PATIENCE);
      channel.setAttribute("passed", "0");
      channel.setAttribute("word", word);
      channel.addEventListener("answered", done);
      ask(frame, "ask");
    });
  // Lets workers take in what was said to them, and the page what they say, until nothing more is said.
  const drained = async (word = "a") => {
    for (let round = 0; round < ROUNDS; round++) {
      const working = [...frames].filter(hasCompany);
      if (!working.length) return;
      let passed = 0;
      for (const frame of working) passed += await heardBy(frame, round === 0 ? word : "a");
      await turn();
      if (!passed && round > 0) return;
    }
  };
  const running = () => {
    const found = [];
    for (const frame of frames) {
      for (const animation of animationsOf(frame.page)) {
        if (animation.playState === "running" && typeof animation.currentTime === "number") found.push(animation);
      }
    }
    return found;
  };
  const leftOf = (animation) => {
    const end = animation.effect?.getComputedTiming().endTime ?? Infinity;
    const left = (end - animation.currentTime) / animation.playbackRate;
    return left > 1e-3 ? left : Infinity;
  };
  // Moves time without running a callback; says whether an animation ended on the way.
  const moveTo = (time, animations) => {
    const passed = time - now;
    now = time;
    let isEnded = false;
    for (const animation of animations) {
      isEnded ||= leftOf(animation) <= passed;
      animation.currentTime += passed * animation.playbackRate;
    }
    for (const frame of frames) {
      ask(frame, "time");
      for (const image of imagesOf(frame.page)) {
        image.pauseAnimations();
        image.setCurrentTime(image.getCurrentTime() + passed / 1000);
      }
    }
    return isEnded;
  };

  const run = async (ms) => {
    await turn(); // whoever waits for this run must hold its promise before a callback can be ended
    if (isStirred()) await rendered();
    await drained();
    const end = now + ms;
    let isMoved = false, isTold = false, isShown = false;
    for (;;) {
      for (const frame of frames) if (!frame.page.defaultView) frames.delete(frame);
      let next = null, due = Infinity;
      for (const frame of frames) {
        const time = dueOf(frame);
        if (time < due) [next, due] = [frame, time];
      }
      const animations = running();
      const change = Math.min(...animations.map(leftOf)) + now;
      const shown = Math.max(change, Math.ceil(change / FRAME) * FRAME);
      // What is due at the end itself is run, also where time came there in parts.
      const last = due > end && due - end < 1e-6 ? due : end;
      const time = Math.max(now, Math.min(due, shown, last));
      if (time > now) {
        isMoved ||= animations.length > 0;
        isTold = false;
        if (moveTo(time, animations)) await rendered();
      } else if (due <= time) {
        isStepping = true;
        isTold = isShown = false;
        ask(next, "step");
        isStepping = false;
        await turn();
        await drained();
      } else if (!isTold && (isMoved || isStirred())) {
        isTold = true; // once: an app may answer each frame with a change that asks for the next
        isMoved = false;
        await rendered();
      } else if (!isShown) {
        isShown = true; // what workers have drawn, and what they or the page answer to all that was said
        await drained("f");
        if ([...frames].some(hasCompany)) await rendered();
      } else break;
    }
    await turn();
  };
  // What is to come, in ms from now: the next callback, and the end of the last animation that ends.
  const foreseen = () => {
    for (const frame of frames) if (!frame.page.defaultView) frames.delete(frame);
    const due = Math.min(...[...frames].map((frame) => dueOf(frame, "soon"))) - now;
    const moving = running(), moves = moving.length > 0 || [...frames].some((frame) => imagesOf(frame.page).size > 0);
    return { due: due < Infinity ? due : null, ends: Math.max(0, ...moving.map(leftOf).filter(Number.isFinite)), moves };
  };
  // The same once workers have taken in what was said to them.
  const pending = () => drained().then(foreseen);
  // A callback that never returns is ended from outside, and this loop with it: only a timer then notices.
  const watched = (ms) =>
    new Promise((resolve, reject) => {
      const timer = setInterval(() => {
        if (!isStepping) return;
        isStepping = false;
        clearInterval(timer);
        reject(new Error("a callback of the page did not return and was ended"));
      }, LATE);
      run(ms).then(resolve, reject).finally(() => clearInterval(timer));
    });

  const clock = {
    epoch: 0,
    now: () => now,
    foreseen,
    pending,
    time: () => ({ now, epoch: clock.epoch }),
    run: (ms) => (last = last.catch(() => {}).then(() => watched(ms))),
    // Runs on until no animation is under way, as far as that is before `most`.
    async settle({ least, most }) {
      let passed = least;
      await clock.run(least);
      for (let { ends } = await pending(); ends && passed + ends <= most; { ends } = await pending()) {
        await clock.run(Math.max(ends, FRAME));
        passed += Math.max(ends, FRAME);
      }
      return { passed, ...(await pending()) };
    },
    begin(epoch) {
      clock.epoch = epoch;
      for (const frame of frames) frame.channel.setAttribute("epoch", String(epoch));
    },
    join(frame) {
      frame.channel.setAttribute("epoch", String(clock.epoch));
      frame.channel.setAttribute("time", String(now));
      frames.add(frame);
    },
  };
  if (top === null) globalThis.appbenchClock = clock;
  document.addEventListener("DOMContentLoaded", () => {
    for (const image of imagesOf(document)) image.pauseAnimations();
  });

  // What stirs a document: its elements change, it is used, the window or its place in it changes. The
  // observer says so once and rests, so that an app that never rests costs nothing.
  let hasStirred = true, seen = "";
  const stir = () => {
    hasStirred = true;
    observer.disconnect();
  };
  const observer = new MutationObserver(stir);
  const measures = () => [innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY].join();
  const watch = () => {
    hasStirred = false;
    seen = measures();
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  for (const type of USES) addEventListener(type, stir, { capture: true, passive: true });

  let own = null;
  document.addEventListener(secret, (event) => {
    const channel = event.relatedTarget;
    if (top === null) clock.epoch = Number(channel.getAttribute("epoch"));
    if (own !== null) return;
    own = { channel, page: document, watch, isStirred: () => hasStirred || seen !== measures() };
    (top === null ? clock : top)?.join(own);
  });
}
