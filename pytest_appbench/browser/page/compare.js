// What a person could notice between two moments: a photograph of what is rendered before an action, another
// after it, and the differences in words. Runs in the isolated world, after observe.js.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    INPUTS, LABELLED, SHAPES, activeIn, attribute, attributesOf, boxOf, childrenOf, clip, find, firstChild, frameless, getter,
    gistOf, hasArea, hostOrParent, isBig, isConnected, isOneOf, labelsOf, localName, matches, method, namespaceOf, nextSibling, nodeType,
    ownText, ownerDocument, parentNode, pixelsOf, references, rootOf, scrolls, shadowOf, sketch, styleOf, textContent, titleOf,
    walk, within,
  } = observer.parts;
  const cookieOf = getter(Document, "cookie");
  const sheetsOf = getter(Document, "styleSheets");
  const animationsOf = method(Document, "getAnimations");
  const fullscreenIn = getter(Document, "fullscreenElement");

  const SVG = "http://www.w3.org/2000/svg";
  const MOST_RECORDS = 3000;
  // What moves or turns an element shows in its box, too; colours of borders without a width do not show.
  const LOOKS = ["color", "background-color", "transform", "rotate", "filter", "box-shadow", "text-decoration-line", "font-size", "font-weight", "opacity", "clip-path"];
  const SIDES = ["top", "bottom", "left"];
  const DRAWN_LOOKS = ["fill", "stroke", "stroke-width", "stroke-dashoffset"];
  const PSEUDO_LOOKS = ["content", "color", "background-color", "background-image", "transform", "opacity", "display", "width", "left"];
  const STATES = ["aria-checked", "aria-pressed", "aria-selected", "aria-expanded", "aria-current", "aria-disabled", "aria-invalid", "aria-valuenow", "disabled", "readonly", "placeholder", "src"];
  const DRAWN = new Set(["class", "style", "id", "tabindex", "role"]);

  // --- a photograph: everything about everything that is rendered

  const stateOf = (element, tag) => {
    const parts = STATES.map((name) => attribute(element, name) ?? "~"); // an empty one says something, too
    if (tag === "input") parts.push(element.value, element.checked, element.indeterminate);
    if (tag === "textarea" || tag === "progress" || tag === "meter") parts.push(element.value);
    if (tag === "select") parts.push([...element.options].map((one) => (one.selected ? "*" : "") + one.label));
    if (tag === "details" || tag === "dialog") parts.push(element.open);
    if (tag === "video" || tag === "audio") parts.push(element.paused, element.ended, element.muted, element.volume);
    if (tag === "img") parts.push(element.currentSrc);
    if (attribute(element, "popover") !== null) parts.push(matches(element, ":popover-open"));
    if (SHAPES.has(tag) || tag === "text" || tag === "g" || tag === "svg" || tag === "stop") {
      for (const { name, value } of attributesOf(element)) if (!DRAWN.has(name)) parts.push(name + "=" + value);
    }
    return parts.join("|").slice(0, 4000);
  };
  // Whether rules of a document or shadow root speak of ::before or ::after; asking each element costs.
  const spoken = new WeakMap();
  const speaksOfPseudos = (sheet) => {
    const rules = sheet.cssRules, known = spoken.get(sheet);
    if (known?.count === rules.length) return known.speaks;
    const speaks = [...rules].some((rule) => /:(before|after)\b/.test(rule.cssText));
    spoken.set(sheet, { count: rules.length, speaks });
    return speaks;
  };
  const hasPseudos = (root) => {
    try {
      return [...root.styleSheets, ...root.adoptedStyleSheets].some(speaksOfPseudos);
    } catch {
      return true; // a sheet of another origin
    }
  };
  const looksOf = (element, style, pseudos) => {
    let looks = "";
    const add = (name, from = style) => {
      const value = from.getPropertyValue(name);
      looks += value + "|";
      return value;
    };
    for (const name of LOOKS) add(name);
    if (add("background-image") !== "none") add("background-position");
    for (const side of SIDES) if (add(`border-${side}-width`) !== "0px") add(`border-${side}-color`);
    if (namespaceOf(element) === SVG) for (const name of DRAWN_LOOKS) add(name);
    for (const pseudo of pseudos ? ["::before", "::after"] : []) {
      const extra = styleOf(element, pseudo);
      if (extra.content !== "none" && extra.content !== "normal") for (const name of PSEUDO_LOOKS) add(name, extra);
    }
    return looks;
  };
  const storageOf = () => {
    let text = "";
    for (const store of ["localStorage", "sessionStorage"]) {
      try { text += JSON.stringify(globalThis[store]); } catch { /* refused for this origin */ }
    }
    return text;
  };
  const rulesOf = () => {
    let rules = 0;
    for (const sheet of sheetsOf(document)) {
      try { rules += sheet.disabled ? 1e6 : 1 + sheet.cssRules.length; } catch { /* another origin */ }
    }
    return rules;
  };
  const known = new WeakSet();
  const startedAnimations = () => {
    const fresh = animationsOf(document).filter((one) => Object.getPrototypeOf(one) === Animation.prototype && !known.has(one));
    fresh.forEach((one) => known.add(one));
    return fresh.length;
  };
  // Nobody notices what colour a thing takes on that is out of sight.
  const isInWindow = ({ top, bottom, left, right }) => bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const scrollNow = () => `${Math.round(scrollX)} ${Math.round(scrollY)}`;
  const photograph = () => {
    const records = new Map(), pseudos = new Map();
    const pseudosFor = (element) => {
      const root = rootOf(element);
      return pseudos.get(root) ?? pseudos.set(root, hasPseudos(root)).get(root);
    };
    let cut = 0;
    walk((element, tag, style, outer, visible) => {
      if (records.size >= MOST_RECORDS) { cut += 1; return; }
      const box = boxOf(element), text = ownText(element);
      if (!visible || !(text || isBig(box) || hasArea(element))) return;
      records.set(element, {
        element, parent: hostOrParent(element), tag, text,
        state: stateOf(element, tag), looks: isInWindow(box) ? looksOf(element, style, pseudosFor(element)) : "",
        box: [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round).join(" "),
        tiles: tag === "canvas" ? pixelsOf(element) : null,
      });
    });
    return {
      records, cut, scroll: scrollNow(), address: location.href.replace(/#$/, ""), title: titleOf(document),
      storage: storageOf(), cookies: cookieOf(document), rules: rulesOf(), full: Boolean(fullscreenIn(document)),
      speaking: Boolean(globalThis.speechSynthesis?.speaking || globalThis.speechSynthesis?.pending),
    };
  };

  // The last photograph, for as long as nothing can have changed since: it then is the next one, too.
  let latest = null;
  const timeNow = () => globalThis.appbenchClock?.now() ?? NaN;
  const keep = (taken) => {
    latest = { taken, time: timeNow(), scrolls: scrolls() };
    return taken;
  };
  const kept = () => {
    const isSame = latest?.time === timeNow() && latest.scrolls === scrolls() && latest.taken.scroll === scrollNow();
    return isSame ? latest.taken : null;
  };
  let before = null, unread = [], control = null, labels = [], focused = null, mutated = 0, animated = 0;
  const touched = new Set();
  const note = (list) => list.forEach((record) => {
    latest = null;
    mutated += 1;
    if (touched.size < 5000) touched.add(record.target);
  });
  const watcher = new MutationObserver(note);
  const watch = (root) => watcher.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  const watchAll = () => {
    watcher.disconnect();
    watch(document);
    walk((element, tag) => {
      if (shadowOf(element)) watch(shadowOf(element));
      if (tag === "iframe") childrenOf(element).forEach((root) => watch(ownerDocument(root)));
    });
  };
  // `isDoubted` if something ran in the page of which nothing here can know.
  const remember = ({ ref, isDoubted }) => {
    control = ref ? find(ref) : null;
    labels = control ? labelsOf(control) : [];
    focused = activeIn(document);
    note(watcher.takeRecords());
    before = isDoubted ? null : kept();
    if (!before) {
      before = photograph();
      watchAll();
    }
    touched.clear();
    mutated = animated = 0;
    startedAnimations();
    unread = [...before.records.values()].filter(({ tiles }) => tiles && !tiles.readable).map(({ element }) => element);
    return unread.map(placeOf);
  };
  const placeOf = (element) => {
    const [x, y, width, height] = frameless(element);
    return { x: x + scrollX, y: y + scrollY, width, height };
  };

  const pathOf = (element) => {
    const parts = [];
    for (let node = element; node; node = hostOrParent(node)) {
      let index = 0;
      const parent = parentNode(node);
      for (let n = parent && firstChild(parent); n && n !== node; n = nextSibling(n)) index += nodeType(n) === 1;
      parts.push(localName(node) + index);
    }
    return parts.reverse().join("/");
  };
  const restless = new WeakSet();
  const restlessPlaces = new Set();
  const anchorOf = (record) => (isConnected(record.element) ? record.element : isConnected(record.parent) ? record.parent : null);
  const isRestless = (record) => {
    const anchor = anchorOf(record);
    return restless.has(record.element) || !anchor || restless.has(anchor) || (restlessPlaces.size > 0 && restlessPlaces.has(pathOf(anchor)));
  };
  const markRestless = (record) => {
    const anchor = anchorOf(record);
    for (const element of [record.element, anchor, record.parent]) if (element) restless.add(element);
    if (anchor && restlessPlaces.size < 2000) restlessPlaces.add(pathOf(anchor));
  };

  // Hover, focus and press restyle what is under the pointer without the app doing anything.
  const handsNow = () => {
    const hands = new Set([control, focused, activeIn(document)].filter((hand) => hand && !isOneOf(hand, "body"))), around = new Set(), inside = new Map();
    for (const hand of hands) for (let n = hand; n; n = hostOrParent(n)) around.add(n);
    const isInside = (element) => {
      if (!element) return false;
      if (!inside.has(element)) inside.set(element, hands.has(element) || isInside(hostOrParent(element)));
      return inside.get(element);
    };
    return (element) => around.has(element) || isInside(element);
  };
  const isTouched = (element) => {
    for (let n = element; n; n = hostOrParent(n)) if (touched.has(n)) return true;
    return false;
  };
  const isOwn = (element) => Boolean(control) && ([control, ...labels].some((own) => within(element, own)) || isSameRadioGroup(element));
  const isSameRadioGroup = (element) => isOneOf(element, "input") && isOneOf(control, "input") && control.type === "radio" && element.name === control.name;

  const stateWords = (old, { element, tag, state }) => {
    if (tag === "input" && INPUTS[element.type] === "toggle") return element.checked ? "checked" : "not checked";
    const [was, is] = [old.state, state].map((text) => text.split("|").slice(0, STATES.length));
    const words = STATES.map((name, index) => {
      if (was[index] === is[index] || name === "src" || name === "placeholder") return "";
      return name === "disabled" || name === "readonly" ? (is[index] === "~" ? `not ${name}` : name) : `${name}=${is[index].replace("~", "none")}`;
    });
    const said = words.filter(Boolean).join(", ");
    if (!said && (tag === "details" || tag === "dialog")) return element.open ? "open" : "closed";
    if (!said && tag === "select") return clip([...element.selectedOptions].map((option) => option.label).join(", "), 60);
    return clip(said || (LABELLED.has(tag) ? element.value || "(empty)" : ""), 60);
  };
  const compareRecords = (after, causes) => {
    const gone = [], come = [], found = [], underHand = handsNow();
    for (const [element, old] of before.records) {
      const now = after.records.get(element);
      if (!now) { gone.push(old); continue; }
      const share = old.tiles ? old.tiles.tiles.filter((tile, index) => tile !== now.tiles?.tiles[index]).length / 64 : 0;
      if (old.text !== now.text) found.push({ what: "text", record: now, from: old.text, to: now.text });
      else if (share) found.push({ what: "canvas", record: now, from: "", to: `${Math.ceil(share * 100)} % of it` });
      else if (old.state !== now.state) found.push({ what: "value", record: now, from: "", to: stateWords(old, now) });
      else if (causes && old.looks && now.looks && old.looks !== now.looks && (!underHand(element) || isTouched(element))) found.push({ what: "appearance", record: now, from: "", to: "" });
      else if (causes && old.box !== now.box && (!underHand(element) || isTouched(element))) found.push({ what: "place", record: now, from: old.box, to: now.box });
    }
    for (const [element, now] of after.records) if (!before.records.has(element)) come.push(now);
    return [...found, ...comparePairs(gone, come)];
  };
  const wordsOf = (element) => (element ? clip(textContent(element), 200) : "");
  // What was drawn anew is paired with what it was: first what is the same, then what only stands elsewhere,
  // then what stands in the same place. What is left came or went.
  const SAME = ({ tag, text, state, looks, tiles }) => [tag, text, state, looks, tiles?.tiles];
  const PAIRINGS = [
    [(one) => [...SAME(one), one.words, one.outerWords, one.box], ""],
    [(one) => [...SAME(one), one.words, one.outerWords], "place"],
    [(one) => [...SAME(one), one.words, one.box], ""],
    [(one) => [...SAME(one), one.words], "place"],
    [(one) => [...SAME(one), one.box], ""],
    [({ tag, text, state, box, tiles }) => [tag, text, state, box, tiles?.tiles], "appearance"],
    [({ tag, text, box, tiles }) => !tiles && [tag, text, box], "value"],
    [({ tag, text, box, tiles }) => text && !tiles && [tag, box], "text"],
    [({ tag, text, state }) => gistOf(text) && [tag, state, gistOf(text)], "text"],
    [(one) => !one.text && !one.tiles && one.words && SAME(one), "place"],
  ];
  const comparePairs = (gone, come) => {
    const found = [];
    for (const one of [...gone, ...come]) [one.words, one.outerWords] = [wordsOf(one.element), wordsOf(one.parent)];
    for (const [keyOf, what] of PAIRINGS) {
      const waiting = new Map();
      for (const old of gone) {
        const key = keyOf(old) && keyOf(old).join("\u0000");
        if (key) (waiting.get(key) ?? waiting.set(key, []).get(key)).push(old);
      }
      const paired = new Set();
      come = come.filter((now) => {
        const key = keyOf(now) && keyOf(now).join("\u0000"), old = waiting.get(key)?.shift();
        if (!old) return true;
        paired.add(old);
        const to = { text: now.text, value: stateWords(old, now) }[what] ?? "";
        if (what) found.push({ what, record: now, from: what === "text" ? old.text : "", to });
        return false;
      });
      gone = gone.filter((old) => !paired.has(old));
    }
    for (const one of come) found.push({ what: "appeared", record: one, from: "", to: one.text });
    for (const one of gone) found.push({ what: "disappeared", record: one, from: one.text, to: "" });
    return found;
  };
  const ORDER = ["text", "value", "canvas", "appeared", "disappeared", "appearance", "place"];
  let compared = [];
  const changes = ({ skip, mark }) => {
    note(watcher.takeRecords());
    if (!before) return null;
    const after = keep(photograph());
    animated += startedAnimations();
    const whole = ["address", "title", "scroll", "storage", "cookies", "full", "speaking"].filter((name) => before[name] !== after[name]);
    const stateful = [...after.records.values()].some((now) => before.records.has(now.element) && before.records.get(now.element).state !== now.state);
    const causes = mutated > 0 || animated > 0 || stateful || before.rules !== after.rules || before.address !== after.address || before.full !== after.full;
    const all = compareRecords(after, causes);
    if (mark) all.forEach(({ record }) => markRestless(record));
    else compared = all;
    const found = skip ? all.filter(({ record }) => !isRestless(record)) : [...all];
    if (!all.length && (before.cut || after.cut) && mutated) found.push({ what: "beyond", record: after.records.values().next().value, from: "", to: "" });
    // What came or went with what it lies in says nothing of its own.
    const moved = new Map(found.filter(({ what }) => /appeared$/.test(what)).map(({ what, record }) => [record.element, what]));
    for (const one of found) one.nested = moved.has(one.record.element) && moved.get(one.record.parent) === one.what;
    found.sort((a, b) => ORDER.indexOf(a.what) - ORDER.indexOf(b.what));
    const others = found.filter(({ nested, record }) => !nested && !isOwn(record.element)).slice(0, 6);
    const own = found.filter(({ record }) => isOwn(record.element)).slice(0, 2);
    const things = [...others, ...own].map((one) => (
      { what: one.what, own: own.includes(one), who: sketch(one.record.element), ref: references.get(one.record.element) ?? "", from: clip(one.from, 60), to: clip(one.to, 60) }
    ));
    const minor = found.filter(({ what, nested }) => nested || (what === "place" && others[0]?.what !== "place")).length;
    const places = unread.map((element) => (after.records.get(element)?.tiles?.readable === false ? placeOf(element) : null));
    return { total: found.length, minor, things, whole, unread: places, skipped: Math.max(0, all.length - found.length) };
  };
  const unexplained = () => compared.filter(({ record }) => !isRestless(record)).length;
  const fingerprint = () => {
    const { records, address, title, storage } = photograph(), underHand = handsNow();
    const lines = [...records.values()].map((one) => [one.tag, one.text, one.state, underHand(one.element) ? "" : one.looks + one.box, one.tiles?.tiles].join("|"));
    let sum = 5381;
    for (const character of [address, title, storage, ...lines].join("\n")) sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ character.codePointAt(0), 0x9e3779b1);
    return sum;
  };

  Object.assign(observer.parts, { hasPseudos });
  Object.assign(observer, { remember, changes, unexplained, fingerprint });
  return true;
}
