// Finds what a judge names (by reference, role, text, label or CSS), says what it is, and how it can be
// used. Runs in the isolated world, after observe.js and kin.js. Refusals are texts for the judge.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    INPUTS, activeIn, adopt, aim, attribute, census, childrenOf, clip, dispatch, find, frameless, getter, hasArea, hitAt, hostOrParent,
    isOneOf, kindOf, labelsOf, localName, matches, method, nameOf, nodeType, heldBy, inkSeen, pixelsOf, refer, rootElement, scrollTo, shadowOf, sketch, styleOf,
    textContent, walk, whatWas, within, heardBy, ownerDocument,
  } = observer.parts;
  const queryIn = [method(Document, "querySelectorAll"), method(ShadowRoot, "querySelectorAll")];
  const innerText = getter(HTMLElement, "innerText");
  const outerHTML = getter(Element, "outerHTML");
  const isVisible = method(Element, "checkVisibility");
  const closestTo = method(Element, "closest");
  const bodyOf = getter(Document, "body");

  const MOST_LISTED = 6;
  const MOST_FOUND = 200;
  const WORDS = { input: "textbox", field: "textbox", textfield: "textbox", number: "spinbutton", select: "combobox", dropdown: "combobox", image: "img", range: "slider", header: "heading", dropdownlist: "combobox" };
  const TYPES = { number: "spinbutton", search: "searchbox", checkbox: "checkbox", radio: "radio", range: "slider", submit: "button", button: "button", reset: "button", image: "button" };
  const TAGS = {
    button: "button", summary: "button", textarea: "textbox", canvas: "canvas", img: "img", dialog: "dialog", ul: "list", ol: "list", li: "listitem", table: "table", tr: "row",
    td: "cell", th: "columnheader", nav: "navigation", main: "main", form: "form", progress: "progressbar", meter: "meter", option: "option", video: "video", audio: "audio", svg: "img", iframe: "iframe", p: "paragraph",
  };
  const KINDS = { press: "clickable", area: "clickable", drag: "draggable", field: "textbox" };

  class Refusal extends Error {}
  const refuse = (text) => { throw new Refusal(text); };

  // --- what an element is, in words

  const outerStyle = (element) => {
    const outer = hostOrParent(element);
    return outer ? styleOf(outer) : null;
  };
  const kindIn = (element) => kindOf(element, localName(element), styleOf(element), outerStyle(element), heardBy.get(element));
  const roleOf = (element, kind = kindIn(element)) => {
    const tag = localName(element), role = (attribute(element, "role") ?? "").trim().split(/\s+/)[0];
    if (role && role !== "presentation" && role !== "none") return role;
    if (tag === "input") return TYPES[element.type] ?? (/^(pick|file)$/.test(INPUTS[element.type]) ? element.type : "textbox");
    if (tag === "select") return element.multiple ? "listbox" : "combobox";
    if (tag === "a" && attribute(element, "href") !== null) return "link";
    if (/^h[1-6]$/.test(tag)) return "heading";
    if (KINDS[kind] && (!TAGS[tag] || kind !== "area")) return KINDS[kind];
    return TAGS[tag] ?? "";
  };
  const shortText = (element) => clip(isOneOf(element, "input", "select", "textarea") ? "" : textContent(element), 60);
  const describe = (element) => {
    const role = roleOf(element), name = nameOf(element, localName(element)) || shortText(element);
    return `${role || sketch(element).split(" ")[0]}${name ? ` "${clip(name, 60)}"` : ""} ${refer(element)}`;
  };
  const isShown = (element) => isVisible(element, { opacityProperty: true, visibilityProperty: true }) && hasArea(element);
  // A check box that is drawn by its label is used by that label.
  const isUsable = (element) => isShown(element) || labelsOf(element).some(isShown);

  // --- finding

  const roots = () => {
    const found = [document];
    const enter = (element) => {
      if (shadowOf(element)) found.push(shadowOf(element));
      for (const child of childrenOf(element)) {
        if (isOneOf(element, "iframe")) found.push(ownerDocument(child));
        enter(child);
      }
    };
    if (rootElement(document)) enter(rootElement(document));
    return found;
  };
  const byCss = (selector) => {
    try {
      return roots().flatMap((root) => [...queryIn[nodeType(root) === 9 ? 0 : 1](root, selector)]);
    } catch {
      return null;
    }
  };
  const plain = (text) => String(text ?? "").replace(/\s+/g, " ").trim();
  // The best of three ways to agree that anything agrees in: wholly, but for case, in part.
  const bestOf = (items, textsOf, wanted) => {
    const want = plain(wanted), small = want.toLowerCase();
    const levels = [(text) => text === want, (text) => text.toLowerCase() === small, (text) => text.toLowerCase().includes(small)];
    const texts = items.map((item) => textsOf(item).map(plain).filter(Boolean));
    for (const agrees of levels) {
      const found = items.filter((_, index) => texts[index].some(agrees));
      if (found.length) return found;
    }
    return [];
  };
  const shown = (wanted) => {
    const found = [];
    walk((element, tag, style, outer, visible) => {
      const kind = kindOf(element, tag, style, outer, heardBy.get(element));
      if (wanted(kind, tag, element) && ((visible && hasArea(element)) || (kind && isUsable(element)))) found.push({ element, kind, tag });
    });
    return found;
  };
  const byRole = (role, name) => {
    const want = WORDS[role.toLowerCase()] ?? role.toLowerCase();
    const items = shown(() => true).filter(({ element, kind }) => roleOf(element, kind) === want).map(({ element }) => element);
    return name === undefined ? items : bestOf(items, (element) => [nameOf(element, localName(element)), isOneOf(element, "select") ? "" : textContent(element)], name);
  };
  const deepest = (items) => {
    const outer = new Set();
    for (const item of items) for (let node = hostOrParent(item); node; node = hostOrParent(node)) outer.add(node);
    return items.filter((item) => !outer.has(item));
  };
  const ownerOf = (element) => {
    for (let node = element, level = 0; node && level < 6; node = hostOrParent(node), level++) {
      const kind = kindIn(node);
      if (kind && kind !== "area") return node;
      if (kind === "area") return element;
    }
    return element;
  };
  const textsOf = ({ element, kind, tag }) => {
    if (tag === "select") return [];
    const texts = [tag === "input" ? (INPUTS[element.type] === "button" ? element.value : "") : textContent(element)];
    return kind && INPUTS[element.type] !== "button" ? [...texts, attribute(element, "aria-label"), attribute(element, "title")] : texts;
  };
  const byText = (text) => {
    const items = shown((kind, tag) => tag !== "html" && tag !== "body");
    const found = deepest(bestOf(items, textsOf, text).map(({ element }) => element));
    return [...new Set(found.map(ownerOf))];
  };
  const FIELDS = /^(field|select|toggle|range|pick|file|slider)$/;
  const byLabel = (label) => {
    const items = shown((kind) => FIELDS.test(kind)).map(({ element }) => element);
    const names = (element) => [nameOf(element, localName(element)), ...labelsOf(element).map(textContent), attribute(element, "aria-label"), attribute(element, "placeholder"), attribute(element, "title")];
    return bestOf(items, names, label);
  };
  const byString = (text) => {
    const asText = () => ({ found: byText(text), isCss: false });
    if (/^[A-Z]\w*$/.test(text)) {
      const found = asText();
      if (found.found.length) return found;
    }
    const found = byCss(text);
    return found?.length ? { found, isCss: true } : asText();
  };
  const gone = (reference) => {
    const was = whatWas(reference);
    if (!was) return `${reference} is not on the page (it may belong to a page that was left): look again`;
    const text = was.text ? ` "${clip(was.text, 60)}"` : "";
    const now = was.now && isShown(was.now) ? `; in its place there is now ${describe(was.now)}` : "";
    return `${reference} (<${was.tag}>${text}) is gone from the page${now}: look again`;
  };
  const pointed = ([x, y]) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) refuse(`(${x}, ${y}) is outside the window of ${innerWidth} x ${innerHeight}`);
    return hitAt(x, y) ?? rootElement(document);
  };
  // All that a target names, and whether hidden things count.
  const search = (target) => {
    if (target.ref) {
      const element = find(target.ref);
      return { found: element ? [element] : [], isCss: true, none: element ? "" : gone(target.ref) };
    }
    if (target.point) return { found: [pointed(target.point)], isCss: true };
    if (target.css !== undefined) {
      const found = byCss(target.css);
      return found ? { found, isCss: true } : refuse(`${JSON.stringify(target.css)} is no CSS selector`);
    }
    if (target.role !== undefined) return { found: byRole(target.role, target.name), isCss: false };
    if (target.label !== undefined) return { found: byLabel(target.label), isCss: false };
    if (target.text !== undefined) return { found: byText(target.text), isCss: false };
    return byString(target.any);
  };
  const wordsOf = (target) => target.ref ?? (target.any !== undefined ? JSON.stringify(target.any) : JSON.stringify(target.point ?? target));
  const list = (found) => found.slice(0, MOST_LISTED).map(describe).join(", ") + (found.length > MOST_LISTED ? `, and ${found.length - MOST_LISTED} more` : "");
  const usable = () => {
    const found = shown((kind) => kind && kind !== "area").map(({ element }) => element);
    return found.length ? `; usable now: ${list(found)}` : "; nothing on the page can be used";
  };
  const one = (target) => {
    let { found, isCss, none } = search(target);
    const isStrict = target.nth === undefined;
    if (isStrict && isCss && found.length > 1) {
      const seen = found.filter(isUsable);
      if (seen.length) found = seen;
    }
    if (!found.length) refuse(none || `nothing on the page fits ${wordsOf(target)}${usable()}`);
    if (isStrict && found.length > 1) refuse(`${found.length} things fit ${wordsOf(target)}: ${list(found)}. Use a ref, or nth (counted from 0)`);
    const element = isStrict ? found[0] : found[target.nth];
    return element ?? refuse(`only ${found.length} things fit ${wordsOf(target)}, so there is no nth ${target.nth}`);
  };

  // --- what it is like

  const isDisabled = (element) => matches(element, ":disabled") || Boolean(closestDisabled(element));
  const closestDisabled = (element) => {
    for (let node = element; node; node = hostOrParent(node)) if (attribute(node, "aria-disabled") === "true" || (isOneOf(node, "button") && matches(node, ":disabled"))) return node;
    return null;
  };
  const isChecked = (element) => {
    if (isOneOf(element, "input") && /^(checkbox|radio)$/.test(element.type)) return element.indeterminate ? "mixed" : element.checked;
    const said = attribute(element, "aria-checked") ?? attribute(element, "aria-pressed") ?? attribute(element, "aria-selected");
    return said === null ? null : said === "mixed" ? said : said === "true";
  };
  // The browser takes the focus from what can no longer have it, but only at its next frame.
  const keepsFocus = (element) => isVisible(element, { visibilityProperty: true }) && !matches(element, ":disabled") && !closestTo(element, "[inert]");
  const activeElement = () => {
    let active = activeIn(document);
    for (let inner = active; inner; ) {
      active = inner;
      inner = shadowOf(active)?.activeElement ?? (isOneOf(active, "iframe") && childrenOf(active).length ? activeIn(ownerDocument(childrenOf(active)[0])) : null);
    }
    return active && keepsFocus(active) ? active : bodyOf(document);
  };
  const valueOf = (element) => (isOneOf(element, "input", "textarea", "select", "output", "progress", "meter") ? String(element.value) : null);
  const facts = (element, { html = false } = {}) => {
    const tag = localName(element);
    const text = element instanceof HTMLElement && !isOneOf(element, "select", "input", "textarea") ? innerText(element).trim() : isOneOf(element, "svg") || element instanceof SVGElement ? plain(textContent(element)) : "";
    const [x, y, width, height] = frameless(element);
    const data = {
      ref: refer(element), role: roleOf(element) || tag, name: nameOf(element, tag), text: text.length > 4000 ? `${text.slice(0, 4000)}… (${text.length - 4000} more characters)` : text,
      value: valueOf(element), checked: isChecked(element), disabled: isDisabled(element), visible: isShown(element),
      focused: activeElement() === element, box: { x, y, width, height },
    };
    if (tag === "select") Object.assign(data, { label: [...element.selectedOptions].map((one) => one.label).join(", "), options: [...element.options].slice(0, 100).map((one) => one.label) });
    if (tag === "canvas") data.canvas = { width: element.width, height: element.height, ...inkOf(element) };
    if (html) data.html = outerHTML(element).slice(0, 20000);
    return data;
  };
  const inkOf = (canvas) => {
    const { ink, readable } = pixelsOf(canvas), { kind, texts } = heldBy(canvas), seen = inkSeen.get(canvas);
    const gl = /webgl|webgpu|offscreen/.test(kind);
    const [, , width, height] = frameless(canvas);
    const placed = texts.map(([x, y, text]) => ({ text, at: [Math.round((x * width) / canvas.width), Math.round((y * height) / canvas.height)] }));
    return { drawn: gl ? ink || (seen ?? null) : readable ? ink : null, ...(gl ? { context: kind } : {}), ...(texts.length ? { texts: placed } : {}) };
  };

  // --- aiming

  const inWindow = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const aimInside = (element, [right, down], force) => {
    const place = () => {
      const [x, y] = frameless(element);
      return { x: x + right, y: y + down };
    };
    if (!inWindow(place().x, place().y)) scrollTo(element, { block: "center", inline: "center", behavior: "instant" });
    const { x, y } = place();
    if (!inWindow(x, y)) return { why: `the point [${right}, ${down}] in it is outside the window` };
    const hit = hitAt(x, y);
    return force || (hit && within(hit, element)) ? { x, y } : { why: hit ? `at [${right}, ${down}] it is covered by ${sketch(hit)}` : "nothing is there", by: hit && refer(hit) };
  };
  const aimAtMiddle = (element) => {
    if (!hasArea(element)) return { why: "it has no size" };
    const [, , width, height] = frameless(element);
    return aimInside(element, [width / 2, height / 2], true);
  };
  const aimed = (target, element, { at, force }) => {
    if (target.point) return { x: target.point[0], y: target.point[1] };
    if (at) return aimInside(element, at, force);
    if (force) return aimAtMiddle(element);
    if (!isVisible(element, { visibilityProperty: true }) && !isUsable(element)) return { why: "it is not visible" };
    return aim(refer(element));
  };
  // A label stands for what it labels wherever that is what is wanted.
  const fieldOf = (element) => {
    for (let node = element; node; node = hostOrParent(node)) if (isOneOf(node, "label")) return node.control ?? element;
    return element;
  };
  const NEEDS = {
    field: (element) => isOneOf(element, "input", "textarea", "select") || matches(element, ":read-write"),
    select: (element) => isOneOf(element, "select"),
    file: (element) => isOneOf(element, "input") && element.type === "file",
    check: (element) => isChecked(element) !== null,
  };
  const SAID = {
    field: "is no field to fill", select: "is no select: click it, then click the choice", file: "is no file input", check: "is nothing to check: click it",
  };
  // Readies an action on some targets, one after the other; says what each is and where to press.
  const begin = ({ targets = [], need = "", force = false, at = null, aims = true }) => {
    adopt();
    const found = targets.map((target) => {
      let element = one(target);
      const fits = NEEDS[need];
      if (fits && !fits(element)) element = fits(fieldOf(element)) ? fieldOf(element) : childFitting(element, fits) ?? refuse(`${describe(element)} ${SAID[need]}`);
      const isNamed = kindIn(element) || isOneOf(element, "canvas", "svg");
      const words = target.point ? `(${target.point.join(", ")})${isNamed ? ` on ${describe(element)}` : ""}` : describe(element);
      if (!force && need !== "none" && isDisabled(element)) refuse(`${words} is disabled`);
      if (need === "field" && !force && element.readOnly === true) refuse(`${words} is read-only`);
      const place = aims ? aimed(target, element, { at, force }) : {};
      if (aims && place.x === undefined) refuse(`${words} cannot be reached: ${place.why}${place.by ? ` (${place.by})` : ""}${place.by ? "; force: true presses there all the same" : ""}`);
      return { ...place, ref: refer(element), words, tag: localName(element), kind: kindIn(element), type: isOneOf(element, "input") ? element.type : "", value: valueOf(element), checked: isChecked(element) };
    });
    census();
    return { found, due: globalThis.appbenchClock?.foreseen().due ?? null };
  };
  const childFitting = (element, fits) => {
    const found = [];
    const enter = (node) => childrenOf(node).forEach((child) => { if (fits(child)) found.push(child); enter(child); });
    enter(element);
    return found.length === 1 ? found[0] : null;
  };

  // --- reading and setting

  const read = ({ target, html }) => {
    adopt();
    const data = facts(one(target), { html });
    census();
    return data;
  };
  const readAll = (target) => {
    adopt();
    const { found } = search(target);
    const items = found.slice(0, MOST_FOUND).map((element) => facts(element));
    items.forEach((item) => { if (item.text.length > 300) item.text = `${item.text.slice(0, 300)}…`; });
    census();
    return { items, total: found.length };
  };
  const count = (target) => {
    adopt();
    return search(target).found.length;
  };
  const isThere = (target) => {
    adopt();
    return search(target).found.some(isUsable);
  };
  const locate = (target) => {
    adopt();
    return refer(one(target));
  };
  const bringIntoView = (reference) => {
    const element = find(reference);
    if (element) scrollTo(element, { block: "center", inline: "center", behavior: "instant" });
    return element ? frameless(element) : null;
  };
  const placeOf = (reference) => {
    const element = find(reference);
    return element ? { box: frameless(element), scroll: [scrollX, scrollY] } : null;
  };
  const tell = (element) => ["input", "change"].forEach((name) => dispatch(element, new Event(name, { bubbles: true, composed: true })));
  const select = ({ ref, wanted }) => {
    const element = find(ref) ?? refuse(gone(ref));
    const options = [...element.options];
    const chosen = wanted.map((want) => {
      const fits = (one, agrees) => agrees(one.value) || agrees(plain(one.label));
      const option = options.find((one) => fits(one, (text) => text === want)) ?? options.find((one) => fits(one, (text) => text.toLowerCase() === plain(want).toLowerCase()));
      if (!option) refuse(`${describe(element)} has no option ${JSON.stringify(want)}; it has ${options.slice(0, 20).map((one) => JSON.stringify(plain(one.label))).join(", ")}${options.length > 20 ? ` and ${options.length - 20} more` : ""}`);
      return option.disabled ? refuse(`the option ${JSON.stringify(want)} of ${describe(element)} is disabled`) : option;
    });
    element.focus();
    if (element.multiple) options.forEach((option) => { option.selected = chosen.includes(option); });
    else element.selectedIndex = options.indexOf(chosen[0]);
    tell(element);
    return element.value;
  };
  const setValue = ({ ref, value }) => {
    if (!observer.choose({ ref, value })) refuse(gone(ref));
    return find(ref)?.value ?? value;
  };
  const setFiles = ({ ref, files }) => {
    const element = find(ref) ?? refuse(gone(ref));
    if (files.length > 1 && !element.multiple) refuse(`${describe(element)} takes one file`);
    const carrier = new DataTransfer();
    for (const { name, type, base64 } of files) carrier.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }));
    element.files = carrier.files;
    tell(element);
    return element.files.length;
  };
  // Selects what a field holds, so that typing replaces it.
  const enterField = (reference) => {
    const element = find(reference) ?? refuse(gone(reference));
    if (activeElement() !== element) Reflect.apply(HTMLElement.prototype.focus, element, []);
    if (isOneOf(element, "input", "textarea")) element.select();
    else ownerDocument(element).getSelection().selectAllChildren(element);
    return element.value ?? textContent(element);
  };
  const range = (reference) => {
    const element = find(reference) ?? refuse(gone(reference));
    const number = (text, other) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : other);
    const min = number(element.min, 0), [x, y, width, height] = frameless(element);
    return { min, max: Math.max(min, number(element.max, 100)), step: element.step === "any" ? 0 : number(element.step, 1) || 1, value: Number(element.value), isFlipped: styleOf(element).direction === "rtl", x, y, width, height };
  };

  // Every answer is what was asked for or the text of a refusal.
  const forgiving = (answer) => (argument) => {
    try {
      return { answer: answer(argument) };
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.message };
      throw error;
    }
  };
  const checked = (reference) => {
    adopt();
    const element = find(reference);
    return element && isChecked(element);
  };
  const asked = { begin, checked, read, readAll, count, isThere, locate, bringIntoView, placeOf, select, setValue, setFiles, enterField, range };
  for (const [name, answer] of Object.entries(asked)) observer[name] = forgiving(answer);
  Object.assign(observer.parts, { activeElement, describe, forgiving, inkOf, kindIn, isChecked, isDisabled, isUsable, one, roleOf });
  return true;
}
