// What a person sees on the page and can use. Runs in an isolated world, where the app's overrides
// do not reach; primitives are taken from the prototypes because named form fields, which every
// world sees, shadow plain properties. It reads and aims; it never decides what is a fault.
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
  const lastChild = getter(Node, "lastChild");
  const nextSibling = getter(Node, "nextSibling");
  const parentNode = getter(Node, "parentNode");
  const nodeType = getter(Node, "nodeType");
  const textContent = getter(Node, "textContent");
  const isConnected = getter(Node, "isConnected");
  const ownerDocument = getter(Node, "ownerDocument");
  const rootOf = method(Node, "getRootNode");
  const localName = getter(Element, "localName");
  const namespaceOf = getter(Element, "namespaceURI");
  const shadowOf = getter(Element, "shadowRoot");
  const attributesOf = getter(Element, "attributes");
  const attribute = method(Element, "getAttribute");
  const matches = method(Element, "matches");
  const boxOf = method(Element, "getBoundingClientRect");
  const boxesOf = method(Element, "getClientRects");
  const scroll = method(Element, "scrollIntoView");
  const frameDocument = getter(HTMLIFrameElement, "contentDocument");
  const rootElement = getter(Document, "documentElement");
  const bodyOf = getter(Document, "body");
  const viewOf = getter(Document, "defaultView");
  const titleOf = getter(Document, "title");
  const activeIn = getter(Document, "activeElement");
  const hitIn = method(Document, "elementFromPoint");
  const hitInShadow = method(ShadowRoot, "elementFromPoint");
  const byId = method(Document, "getElementById");
  const dispatch = method(EventTarget, "dispatchEvent");
  let scrolls = 0;
  const scrollTo = (element, options) => {
    scrolls += 1;
    scroll(element, options);
  };

  const MOST_PIXELS = 1 << 20;
  const UNSEEN = new Set(["head", "script", "style", "template", "noscript", "link", "meta", "title", "base", "option", "optgroup"]);
  const LABELLED = new Set(["input", "select", "textarea", "button", "meter", "output", "progress"]);
  const SHAPES = new Set(["path", "circle", "rect", "ellipse", "line", "polygon", "polyline", "use", "image"]);
  const PICTURES = new Set(["video", "iframe", "embed", "object"]);
  const ROLES = new Set(["button", "link", "tab", "checkbox", "radio", "switch", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "textbox", "searchbox", "combobox", "gridcell", "treeitem"]);
  const PRESSES = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick", "contextmenu"];
  const INPUTS = { checkbox: "toggle", radio: "toggle", range: "range", button: "button", submit: "button", reset: "button", image: "button", color: "pick", date: "pick", time: "pick", month: "pick", week: "pick", "datetime-local": "pick", file: "file", hidden: "" };

  const clip = (text, most) => {
    const short = String(text ?? "").replace(/\s+/g, " ").trim();
    return short.length > most ? short.slice(0, most - 1) + "…" : short;
  };
  // Words only: numbers and signs are what changes in place.
  const gistOf = (text) => (text.match(/\p{L}{3,}/gu) ?? []).join(" ").toLowerCase();
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
  // What the app draws with, and the texts that it drew, as its own hooks tell (see canvases.js).
  const heldBy = (canvas) => (viewOf(ownerDocument(canvas)) ?? globalThis).appbenchCanvas?.(canvas) ?? { kind: "", texts: [] };
  // Whether there is something to see on a canvas that only a screenshot shows.
  const inkSeen = new WeakMap();
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
      // What another buffer holds can be read at some moments and not at others.
      return /webgl|webgpu|offscreen/.test(heldBy(canvas).kind) ? { tiles: [], ink, readable: false } : { tiles, ink, readable: ink || first !== 0 };
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
  // The text of an element as it is read: what stands apart is apart, whatever the source says.
  const readAs = (element) => {
    const text = textContent(element);
    if (!firstChild(element) || (firstChild(element) === lastChild(element) && nodeType(firstChild(element)) === 3) || text.length > 200) return text;
    let said = "", last = null;
    const enter = (node) => {
      if (nodeType(node) === 1 || node === element) for (let n = firstChild(node); n; n = nextSibling(n)) enter(n);
      if (nodeType(node) !== 3 || !node.data.trim()) return (said += nodeType(node) === 3 ? " " : "");
      const range = new Range();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (last && (box.left - last.right > 2 || box.top >= last.bottom - 1)) said += " ";
      said += node.data;
      last = box;
    };
    enter(element);
    return said;
  };
  const nameOf = (element, tag) => {
    const root = rootOf(element);
    const referred = (attribute(element, "aria-labelledby") ?? "").split(/\s+/).filter(Boolean)
      .map((id) => (nodeType(root) === 9 ? byId(root, id) : root.getElementById?.(id))).filter(Boolean);
    const candidates = [
      referred.map(textContent).join(" "), attribute(element, "aria-label"), labelsOf(element).map(labelText).join(" "),
      tag === "input" && INPUTS[element.type] === "button" ? element.value || element.type : "",
      /^(input|select|textarea|canvas|iframe)$/.test(tag) ? "" : readAs(element),
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

  // --- choosing what cannot be typed: the value is set as the browser's own picker would

  const VALUES = { input: HTMLInputElement, select: HTMLSelectElement, textarea: HTMLTextAreaElement };
  const choose = ({ ref, value }) => {
    const element = find(ref), type = element && VALUES[localName(element)];
    if (!type) return false;
    Reflect.apply(Object.getOwnPropertyDescriptor(type.prototype, "value").set, element, [value]);
    for (const name of ["input", "change"]) dispatch(element, new Event(name, { bubbles: true, composed: true }));
    return true;
  };

  // Each family of elements has a blur of its own, which refuses those of the others.
  const BLURS = {
    "http://www.w3.org/2000/svg": method(SVGElement, "blur"),
    "http://www.w3.org/1998/Math/MathML": method(MathMLElement, "blur"),
    "http://www.w3.org/1999/xhtml": method(HTMLElement, "blur"),
  };
  const blur = () => {
    const active = activeIn(document);
    if (active && !isOneOf(active, "body", "html")) BLURS[namespaceOf(active)]?.(active);
    return true;
  };

  const isReady = () => true;
  // What further scripts of this world build on.
  const parts = {
    activeIn, aim, attribute, attributesOf, boxOf, childrenOf, clip, dispatch, elements, find, firstChild, frameless, getter,
    gistOf, hasArea, heardBy, heldBy, hearsPresses, hitAt, hostOrParent, inkSeen, isBig, isConnected, isOneOf, kindOf, kinOf, labelsOf, localName,
    matches, method, nameOf, namespaceOf, nextSibling, nodeType, ownerDocument, ownText, parentNode, pixelsOf, refer, references, rootElement,
    rootOf, scrolls: () => scrolls, scrollTo, shadowOf, sketch, styleOf, textContent, titleOf, tryAim, viewOf, walk, within,
    INPUTS, LABELLED, readAs, PRESSES, SHAPES, UNSEEN,
  };
  globalThis.appbenchObserver = {
    look, overflow, aim, choose, blur, hear, hearAlike, isReady, parts, given: () => given,
  };
  return true;
}
