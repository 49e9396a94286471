// What a person sees on the page and can use. Runs in an isolated world, where the app's overrides
// do not reach; primitives are taken from the prototypes because named form fields, which every
// world sees, shadow plain properties. It reads, aims and compares; it never decides what is a fault.
// `given` is how many references earlier documents of the page used up.
(given = 0) => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (object) => Reflect.apply(get, object, []);
  };
  const method = (type, name) => {
    const call = type.prototype[name];
    return (object, ...args) => Reflect.apply(call, object, args);
  };
  const firstChild = getter(Node, "firstChild");
  const nextSibling = getter(Node, "nextSibling");
  const parentNode = getter(Node, "parentNode");
  const nodeType = getter(Node, "nodeType");
  const textContent = getter(Node, "textContent");
  const isConnected = getter(Node, "isConnected");
  const ownerDocument = getter(Node, "ownerDocument");
  const rootOf = method(Node, "getRootNode");
  const localName = getter(Element, "localName");
  const shadowOf = getter(Element, "shadowRoot");
  const attributesOf = getter(Element, "attributes");
  const attribute = method(Element, "getAttribute");
  const matches = method(Element, "matches");
  const boxOf = method(Element, "getBoundingClientRect");
  const boxesOf = method(Element, "getClientRects");
  const scrollTo = method(Element, "scrollIntoView");
  const frameDocument = getter(HTMLIFrameElement, "contentDocument");
  const rootElement = getter(Document, "documentElement");
  const bodyOf = getter(Document, "body");
  const viewOf = getter(Document, "defaultView");
  const titleOf = getter(Document, "title");
  const cookieOf = getter(Document, "cookie");
  const activeIn = getter(Document, "activeElement");
  const fullscreenIn = getter(Document, "fullscreenElement");
  const sheetsOf = getter(Document, "styleSheets");
  const animationsOf = method(Document, "getAnimations");
  const hitIn = method(Document, "elementFromPoint");
  const hitInShadow = method(ShadowRoot, "elementFromPoint");
  const byId = method(Document, "getElementById");
  const dispatch = method(EventTarget, "dispatchEvent");

  const MOST_RECORDS = 3000;
  const MOST_PIXELS = 1 << 20;
  const UNSEEN = new Set(["head", "script", "style", "template", "noscript", "link", "meta", "title", "base", "option", "optgroup"]);
  const LABELLED = new Set(["input", "select", "textarea", "button", "meter", "output", "progress"]);
  const SHAPES = new Set(["path", "circle", "rect", "ellipse", "line", "polygon", "polyline", "use", "image"]);
  const PICTURES = new Set(["video", "iframe", "embed", "object"]);
  const ROLES = new Set(["button", "link", "tab", "checkbox", "radio", "switch", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "textbox", "searchbox", "combobox", "gridcell", "treeitem"]);
  const PRESSES = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick", "contextmenu"];
  const INPUTS = { checkbox: "toggle", radio: "toggle", range: "range", button: "button", submit: "button", reset: "button", image: "button", color: "pick", date: "pick", time: "pick", month: "pick", week: "pick", "datetime-local": "pick", file: "file", hidden: "" };
  const LOOKS = ["color", "background-color", "background-image", "background-position", "border-top-color", "border-top-width", "border-bottom-color", "border-bottom-width", "border-left-color", "transform", "translate", "rotate", "scale", "filter", "box-shadow", "text-decoration-line", "font-size", "font-weight", "opacity", "clip-path", "fill", "stroke", "stroke-width", "stroke-dashoffset"];
  const STATES = ["aria-checked", "aria-pressed", "aria-selected", "aria-expanded", "aria-current", "aria-disabled", "aria-invalid", "aria-valuenow", "disabled", "readonly", "placeholder", "src"];
  const DRAWN = new Set(["class", "style", "id", "tabindex", "role"]);

  const clip = (text, most) => {
    const short = String(text ?? "").replace(/\s+/g, " ").trim();
    return short.length > most ? short.slice(0, most - 1) + "…" : short;
  };
  const isOneOf = (element, ...tags) => tags.includes(localName(element));
  const hostOrParent = (node) => {
    const parent = parentNode(node);
    if (!parent) return null;
    if (nodeType(parent) === 11) return parent.host ?? null;
    return nodeType(parent) === 9 ? viewOf(parent)?.frameElement ?? null : parent;
  };
  const within = (node, ancestor) => {
    for (let n = node; n; n = hostOrParent(n)) if (n === ancestor) return true;
    return false;
  };

  // --- references: an element keeps its own for as long as it lives

  const references = new WeakMap();
  const elements = new Map();
  const refer = (element) => {
    let reference = references.get(element);
    if (!reference) {
      reference = "e" + ++given;
      references.set(element, reference);
      elements.set(reference, new WeakRef(element));
    }
    return reference;
  };
  const find = (reference) => {
    const element = elements.get(reference)?.deref();
    return element && isConnected(element) ? element : null;
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

  // --- walking what is rendered, through open shadow roots and frames of the same origin

  const childrenOf = (element) => {
    if (isOneOf(element, "iframe")) {
      let inner = null;
      try { inner = frameDocument(element); } catch { /* another origin */ }
      return inner && rootElement(inner) ? [rootElement(inner)] : [];
    }
    const found = [];
    for (const parent of [shadowOf(element), element]) {
      for (let n = parent && firstChild(parent); n; n = nextSibling(n)) if (nodeType(n) === 1) found.push(n);
    }
    return found;
  };
  const offsetOf = (element) => {
    let x = 0, y = 0;
    for (let frame = viewOf(ownerDocument(element))?.frameElement; frame; frame = viewOf(ownerDocument(frame))?.frameElement) {
      const box = boxOf(frame);
      x += box.left + frame.clientLeft;
      y += box.top + frame.clientTop;
    }
    return { x, y };
  };
  const frameless = (element) => {
    const box = boxOf(element), offset = offsetOf(element);
    return [box.left + offset.x, box.top + offset.y, box.width, box.height].map(Math.round);
  };
  const styleOf = (element, pseudo) => (viewOf(ownerDocument(element)) ?? globalThis).getComputedStyle(element, pseudo);
  const ownText = (element) => {
    let text = "";
    for (let n = firstChild(element); n; n = nextSibling(n)) if (nodeType(n) === 3) text += n.data;
    return text.trim() && clip(text, 400);
  };
  const walk = (visit) => {
    const enter = (element, outer, seen) => {
      const tag = localName(element);
      if (UNSEEN.has(tag)) return;
      const style = styleOf(element);
      if (style.display === "none") return;
      const visible = seen && style.opacity !== "0";
      visit(element, tag, style, outer, visible && style.visibility === "visible");
      if (style.contentVisibility === "hidden") return;
      const closed = tag === "details" && !element.open;
      for (const child of childrenOf(element)) if (!closed || isOneOf(child, "summary")) enter(child, style, visible);
    };
    if (rootElement(document)) enter(rootElement(document), null, true);
  };
  const isBig = (box) => box.width > 1 && box.height > 1;
  const hasArea = (element) => isBig(boxOf(element)) || [...boxesOf(element)].some(isBig);

  // --- canvases, by their pixels

  let scratch = null;
  const pixelsOf = (canvas) => {
    const { width, height } = canvas;
    if (!width || !height) return { tiles: [], ink: false, readable: true };
    const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
    const w = Math.max(1, Math.floor(width * shrink)), h = Math.max(1, Math.floor(height * shrink));
    try {
      scratch ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      scratch.canvas.width = w;
      scratch.canvas.height = h;
      scratch.drawImage(canvas, 0, 0, w, h);
      const data = new Uint32Array(scratch.getImageData(0, 0, w, h).data.buffer);
      const tiles = new Array(64).fill(17), first = data[0];
      let ink = false;
      for (let y = 0, i = 0; y < h; y++) {
        const row = Math.floor((y * 8) / h) * 8;
        for (let column = 0; column < 8; column++) {
          const end = y * w + Math.floor(((column + 1) * w) / 8);
          let sum = tiles[row + column];
          for (; i < end; i++) {
            if (data[i] !== first) ink = true;
            sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ data[i], 0x9e3779b1);
          }
          tiles[row + column] = sum;
        }
      }
      return { tiles, ink, readable: ink || first !== 0 };
    } catch {
      return { tiles: [], ink: false, readable: false };
    }
  };

  // --- controls: what a person would take for something to use

  const heardBy = new WeakMap();
  const hear = (types, ...targets) => targets.forEach((target, index) => heardBy.set(target, new Set(types[index])));
  // What many elements listen to in one place of the source is told of a few: the rest is of their kin.
  const hearAlike = (types, ...samples) => {
    const byKin = new Map(samples.map((sample, index) => [kinOf(sample), new Set(types[index])]));
    walk((element) => {
      const heard = byKin.get(kinOf(element));
      if (heard && !heardBy.has(element)) heardBy.set(element, heard);
    });
  };

  const labelsOf = (element) => (LABELLED.has(localName(element)) ? [...(element.labels ?? [])] : []);
  const labelText = (node) => {
    if (nodeType(node) === 3) return node.data;
    if (nodeType(node) !== 1 || /^(select|textarea|button)$/.test(localName(node))) return "";
    let text = "";
    for (let n = firstChild(node); n; n = nextSibling(n)) text += labelText(n);
    return text;
  };
  const nameOf = (element, tag) => {
    const root = rootOf(element);
    const referred = (attribute(element, "aria-labelledby") ?? "").split(/\s+/).filter(Boolean)
      .map((id) => (nodeType(root) === 9 ? byId(root, id) : root.getElementById?.(id))).filter(Boolean);
    const candidates = [
      referred.map(textContent).join(" "), attribute(element, "aria-label"), labelsOf(element).map(labelText).join(" "),
      tag === "input" && INPUTS[element.type] === "button" ? element.value || element.type : "",
      /^(input|select|textarea|canvas|iframe)$/.test(tag) ? "" : textContent(element),
    ];
    for (const one of [element, ...childrenOf(element)]) for (const name of ["alt", "aria-label", "title", "placeholder", "name"]) candidates.push(attribute(one, name));
    return clip(candidates.find((text) => text && text.trim()), 60);
  };
  const kindOf = (element, tag, style, outer, heard) => {
    if (tag === "input") return INPUTS[element.type] ?? "field";
    if (tag === "select") return tag;
    if (tag === "canvas") return hearsPresses(element) ? tag : "";
    if (tag === "textarea") return "field";
    if (tag === "button" || tag === "summary") return "button";
    if (tag === "a" && attribute(element, "href") !== null) return "link";
    if ((tag === "video" || tag === "audio") && attribute(element, "controls") !== null) return "media";
    const role = attribute(element, "role");
    if (matches(element, ":read-write") && !matches(hostOrParent(element) ?? element, ":read-write")) return "field";
    if (role === "slider" || role === "spinbutton") return "slider";
    if (attribute(element, "draggable") === "true") return "drag";
    if (ROLES.has(role)) return "button";
    if (tag === "label" && element.control) return "";
    if (/^(grab|move)$/.test(style.cursor) && outer?.cursor !== style.cursor) return "drag";
    if (style.cursor === "pointer" && outer?.cursor !== "pointer") return "press";
    if (heard && PRESSES.some((name) => heard.has(name))) return style.cursor === "pointer" ? "press" : "area";
    return "";
  };
  const kinOf = (element) => {
    const parts = [];
    for (let n = element; n && parts.length < 3; n = hostOrParent(n)) parts.push(localName(n) + "." + (attribute(n, "class") ?? "").trim().split(/\s+/)[0]);
    return parts.join(" in ");
  };
  // Whoever listens on a container, the document or the window listens for a canvas, too.
  const hearsPresses = (element) => {
    const hears = (node) => PRESSES.some((name) => heardBy.get(node)?.has(name));
    for (let n = element; n; n = hostOrParent(n)) if (hears(n)) return true;
    return hears(document);
  };
  const describe = (element, tag, kind) => {
    const valued = LABELLED.has(tag) && tag !== "output";
    return {
      ref: refer(element), kind, tag, type: tag === "input" ? element.type : "", name: nameOf(element, tag),
      disabled: valued && (matches(element, ":disabled") || element.readOnly === true) || attribute(element, "aria-disabled") === "true",
      chosen: ["aria-selected", "aria-current", "aria-pressed", "aria-checked"].some((name) => /^(true|page|step|date)$/.test(attribute(element, name) ?? "")) || valued && element.type === "radio" && element.checked,
      numeric: attribute(element, "type") === "number" || /numeric|decimal/.test(attribute(element, "inputmode") ?? "") || valued && /^\s*[-+]?\d[\d.,]*\s*$/.test(element.value),
      value: valued ? String(element.value).slice(0, 200) : "",
      options: tag === "select" ? [...element.options].filter((one) => !one.disabled).slice(0, 50).map((one) => one.value) : [],
      min: attribute(element, "min") ?? "", max: attribute(element, "max") ?? "",
      kin: kinOf(element),
      href: kind === "link" ? String(element.href) : "",
      heard: [...(heardBy.get(element) ?? [])],
      box: frameless(element),
    };
  };
  const controlsAmong = (candidates) => candidates.filter((one) => !candidates.some((other) => {
    if (other === one) return false;
    if (one.kind === "area" && within(other.element, one.element)) return true;
    return /^(button|link|select)$/.test(other.kind) && !/^(canvas|field|toggle|range)$/.test(one.kind) && within(one.element, other.element);
  }));

  const look = () => {
    const candidates = [], zones = [], seen = { text: 0, pictures: 0, shapes: 0, ink: 0, elements: 0 };
    let text = "", odd = "";
    walk((element, tag, style, outer, visible) => {
      seen.elements += 1;
      const shown = visible && hasArea(element);
      if (shown) {
        const own = ownText(element);
        seen.text += own.length;
        odd ||= /\b(NaN|undefined|Infinity|Invalid Date)\b|\[object \w+\]/.test(own) ? own : "";
        if (own && text.length < 2000) text += own + " ";
        seen.pictures += PICTURES.has(tag) || (tag === "img" && element.naturalWidth > 0);
        seen.shapes += SHAPES.has(tag);
        if (tag === "canvas") seen.ink += pixelsOf(element).ink;
      }
      if (isOneOf(element, "html", "body") || candidates.length >= 400) return;
      const heard = heardBy.get(element);
      if (shown && (heard?.has("drop") || heard?.has("dragover"))) zones.push(frameless(element));
      const kind = kindOf(element, tag, style, outer, heard);
      if (kind && (shown || labelsOf(element).some(hasArea))) candidates.push({ element, kind, tag });
    });
    const controls = controlsAmong(candidates).map(({ element, tag, kind }) => describe(element, tag, kind));
    return { url: location.href, title: titleOf(document), text: text.trim(), odd: clip(odd, 80), seen, controls, zones };
  };
  const overflow = () => {
    const root = rootElement(document), body = bodyOf(document);
    const excess = root.scrollWidth - root.clientWidth;
    const hidden = [root, body].some((element) => element && /hidden|clip/.test(styleOf(element).overflowX));
    if (hidden || excess <= 1) return { excess: 0, culprit: "" };
    let culprit = null, right = 0;
    walk((element, tag, style, outer, visible) => {
      const box = boxOf(element);
      if (visible && !isOneOf(element, "html", "body") && box.right > right + 1) [culprit, right] = [element, box.right];
    });
    return { excess, culprit: culprit ? sketch(culprit) : "" };
  };
  const sketch = (element) => {
    const name = nameOf(element, localName(element));
    const mark = attribute(element, "id") ? "#" + attribute(element, "id") : (attribute(element, "class") ?? "").trim().replace(/^(?=.)|\s+/g, ".");
    return clip(`<${localName(element)}${mark.slice(0, 40)}>${name ? ` "${clip(name, 40)}"` : ""}`, 100);
  };

  // --- aiming: where to press so that the press arrives

  const hitAt = (x, y) => {
    let hit = hitIn(document, x, y);
    for (let depth = 0; hit && depth < 10; depth++) {
      let inner = null;
      if (isOneOf(hit, "iframe") && childrenOf(hit).length) {
        const box = boxOf(hit);
        [x, y] = [x - box.left - hit.clientLeft, y - box.top - hit.clientTop];
        inner = hitIn(frameDocument(hit), x, y);
      } else if (shadowOf(hit)) {
        inner = hitInShadow(shadowOf(hit), x, y);
      }
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const AIMS = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.75], [0.25, 0.75], [0.75, 0.25], [0.5, 0.1], [0.5, 0.9], [0.1, 0.5], [0.9, 0.5]];
  const tryAim = (element, labels) => {
    let missed = { why: "it has no size" };
    for (const target of [element, ...labels]) {
      const offset = offsetOf(target);
      const largest = [...boxesOf(target)].sort((a, b) => b.width * b.height - a.width * a.height)[0];
      if (!largest || largest.width < 1 || largest.height < 1) continue;
      for (const [right, down] of AIMS) {
        const x = offset.x + largest.left + largest.width * right, y = offset.y + largest.top + largest.height * down;
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) {
          if (right === 0.5 && down === 0.5) missed = { why: "it is outside the window" };
          continue;
        }
        const hit = hitAt(x, y);
        if (hit && (within(hit, element) || labels.some((label) => within(hit, label)))) return { x, y };
        if (hit && right === 0.5 && down === 0.5) missed = { why: `it is covered by ${sketch(hit)}`, by: refer(hit) };
      }
    }
    return missed;
  };
  const aim = (reference) => {
    const element = find(reference);
    if (!element) return { why: "it is no longer on the page" };
    const labels = labelsOf(element);
    const first = tryAim(element, labels);
    if ("x" in first) return first;
    const target = hasArea(element) ? element : labels[0] ?? element;
    scrollTo(target, { block: "center", inline: "center", behavior: "instant" });
    return tryAim(element, labels);
  };

  // --- comparing: what a person could notice between two moments

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
  const looksOf = (element, style) => {
    let looks = "";
    for (const name of LOOKS) looks += style.getPropertyValue(name) + "|";
    for (const pseudo of ["::before", "::after"]) {
      const extra = styleOf(element, pseudo);
      if (extra.content === "none" || extra.content === "normal") continue;
      for (const name of ["content", "color", "background-color", "background-image", "transform", "opacity", "display", "width", "left"]) looks += extra.getPropertyValue(name) + "|";
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
  const photograph = () => {
    const records = new Map();
    let cut = 0;
    walk((element, tag, style, outer, visible) => {
      if (records.size >= MOST_RECORDS) { cut += 1; return; }
      const box = boxOf(element), text = ownText(element);
      if (!visible || !(text || hasArea(element))) return;
      records.set(element, {
        element, parent: hostOrParent(element), tag, text,
        state: stateOf(element, tag), looks: looksOf(element, style),
        box: [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round).join(" "),
        tiles: tag === "canvas" ? pixelsOf(element) : null,
      });
    });
    return {
      records, cut, scroll: `${Math.round(scrollX)} ${Math.round(scrollY)}`, address: location.href.replace(/#$/, ""), title: titleOf(document),
      storage: storageOf(), cookies: cookieOf(document), rules: rulesOf(), full: Boolean(fullscreenIn(document)),
      speaking: Boolean(globalThis.speechSynthesis?.speaking || globalThis.speechSynthesis?.pending),
    };
  };

  let before = null, unread = [], control = null, focused = null, mutated = 0, animated = 0;
  const touched = new Set();
  const note = (list) => list.forEach((record) => {
    mutated += 1;
    if (touched.size < 5000) touched.add(record.target);
  });
  const watcher = new MutationObserver(note);
  const watch = (root) => watcher.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  const remember = (reference) => {
    control = reference ? find(reference) : null;
    focused = activeIn(document);
    before = photograph();
    watcher.disconnect();
    touched.clear();
    mutated = animated = 0;
    watch(document);
    walk((element, tag) => {
      if (shadowOf(element)) watch(shadowOf(element));
      if (tag === "iframe") childrenOf(element).forEach((root) => watch(ownerDocument(root)));
    });
    startedAnimations();
    unread = [...before.records.values()].filter(({ tiles }) => tiles && !tiles.readable).map(({ element }) => element);
    return unread.map(placeOf);
  };
  const placeOf = (element) => {
    const [x, y, width, height] = frameless(element);
    return { x: x + scrollX, y: y + scrollY, width, height };
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
  const underHand = (element) => [control, focused, activeIn(document)].some((hand) => hand && !isOneOf(hand, "body") && (within(hand, element) || within(element, hand)));
  const isTouched = (element) => {
    for (let n = element; n; n = hostOrParent(n)) if (touched.has(n)) return true;
    return false;
  };
  const isOwn = (element) => Boolean(control) && (within(element, control) || labelsOf(control).some((label) => within(element, label)) || isSameRadioGroup(element));
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
    const gone = [], come = [], found = [];
    for (const [element, old] of before.records) {
      const now = after.records.get(element);
      if (!now) { gone.push(old); continue; }
      const share = old.tiles ? old.tiles.tiles.filter((tile, index) => tile !== now.tiles?.tiles[index]).length / 64 : 0;
      if (old.text !== now.text) found.push({ what: "text", record: now, from: old.text, to: now.text });
      else if (share) found.push({ what: "canvas", record: now, from: "", to: `${Math.ceil(share * 100)} % of it` });
      else if (old.state !== now.state) found.push({ what: "value", record: now, from: "", to: stateWords(old, now) });
      else if (causes && old.looks !== now.looks && (!underHand(element) || isTouched(element))) found.push({ what: "appearance", record: now, from: "", to: "" });
      else if (causes && old.box !== now.box && (!underHand(element) || isTouched(element))) found.push({ what: "place", record: now, from: old.box, to: now.box });
    }
    for (const [element, now] of after.records) if (!before.records.has(element)) come.push(now);
    return [...found, ...comparePairs(gone, come)];
  };
  const wordsOf = (element) => (element ? clip(textContent(element), 200) : "");
  // Words only: numbers and signs are what changes in place.
  const gistOf = (text) => (text.match(/\p{L}{3,}/gu) ?? []).join(" ").toLowerCase();
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
    const after = photograph();
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
    const { records, address, title, storage } = photograph();
    const lines = [...records.values()].map((one) => [one.tag, one.text, one.state, underHand(one.element) ? "" : one.looks + one.box, one.tiles?.tiles].join("|"));
    let sum = 5381;
    for (const character of [address, title, storage, ...lines].join("\n")) sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ character.codePointAt(0), 0x9e3779b1);
    return sum;
  };

  // --- choosing what cannot be typed: the value is set as the browser's own picker would

  const VALUES = { input: HTMLInputElement, select: HTMLSelectElement, textarea: HTMLTextAreaElement };
  const choose = ({ ref, value }) => {
    const element = find(ref), type = element && VALUES[localName(element)];
    if (!type) return false;
    Reflect.apply(Object.getOwnPropertyDescriptor(type.prototype, "value").set, element, [value]);
    for (const name of ["input", "change"]) dispatch(element, new Event(name, { bubbles: true, composed: true }));
    return true;
  };

  const blur = () => {
    const active = activeIn(document);
    if (active && !isOneOf(active, "body", "html")) Reflect.apply(HTMLElement.prototype.blur, active, []);
    return true;
  };

  const isReady = () => true;
  // What further scripts of this world build on.
  const parts = {
    getter, method, firstChild, nextSibling, nodeType, textContent, isConnected, ownerDocument, localName, shadowOf, attributesOf, attribute,
    matches, boxOf, rootElement, viewOf, titleOf, activeIn, scrollTo, dispatch, clip, isOneOf, hostOrParent, within, references, elements,
    refer, find, childrenOf, frameless, styleOf, walk, hasArea, pixelsOf, heardBy, hearsPresses, labelsOf, nameOf, kindOf, kinOf, sketch, hitAt, aim, tryAim, gistOf,
    PRESSES, INPUTS, UNSEEN, SHAPES,
  };
  globalThis.appbenchObserver = {
    look, overflow, aim, remember, changes, unexplained, fingerprint, choose, blur, hear, hearAlike, isReady, parts, given: () => given,
  };
  return true;
}
