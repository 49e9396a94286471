// Writes the page down as a person reads it: texts and usable things in the order of the document, a line
// for what stands in a line, no more than needed. Runs in the isolated world, after looks.js.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    PRESSES, SHAPES, UNSEEN, activeElement, adopt, attribute, boardLines, boxOf, cellsOf, census, chartOf, childrenOf, clip, describe, drawnAs, drawnText, firstChild,
    floatOf, forgetLooks, forgiving, hasArea, heardBy, hearsPresses, heldBy, hitAt, hostOrParent, inkOf, isChecked, isDisabled, isOneOf, isPressed, isUsable, kindOf, labelsOf, localName, marksOf, matches,
    nameOf, nextSibling, nodeType, one, refer, rendered, roleOf, rootElement, rowLooks, scrollsOf, shadowOf, shapesOn, styleOf, tallyOf, textContent, titleOf, tryAim, viewOf, within,
  } = observer.parts;

  const ROOMS = { brief: { text: 300, list: 10, seen: 60, options: 8, cells: 400, total: 8000 }, full: { text: 4000, list: 2000, seen: 2000, options: 100, cells: 2000, total: 24000 } };
  const FOLDED = 14;
  const LINE = 160;
  const SEPARATOR = " · ";
  const INLINE = /^(inline|contents|ruby)/;
  const HEARD = [...PRESSES, "pointermove", "mousemove", "touchmove", "wheel", "keydown", "keyup", "keypress", "drop"];
  const KEYS = ["keydown", "keyup", "keypress"];

  let room = ROOMS.brief, used = 0, active = null;
  const quote = (text) => JSON.stringify(text);
  const short = (text, most = room.text) => {
    const whole = text.replace(/\s+/g, " ").trim();
    return whole.length > most ? `${whole.slice(0, most)}… (${whole.length - most} more characters)` : whole;
  };

  // --- the small words of a usable thing

  const statesOf = (element, kind) => {
    const said = (name) => attribute(element, name), states = [], checked = isChecked(element), tag = localName(element);
    if (checked !== null) {
      const word = said("aria-selected") !== null ? "selected" : said("aria-pressed") !== null ? "pressed" : "checked";
      states.push(checked === "mixed" ? "half checked" : checked ? word : `not ${word}`);
    }
    if (isDisabled(element)) states.push("disabled");
    if (element.readOnly === true && kind === "field") states.push("read-only");
    if (said("aria-invalid") === "true" || (/^(input|select|textarea)$/.test(tag) && matches(element, ":user-invalid"))) states.push("invalid");
    if (said("required") !== null) states.push("required");
    const expanded = said("aria-expanded") ?? (tag === "summary" && isOneOf(hostOrParent(element), "details") ? String(hostOrParent(element).open) : null);
    if (expanded !== null) states.push(expanded === "true" ? "expanded" : "collapsed");
    if (/^(true|page|step|date|time|location)$/.test(said("aria-current") ?? "")) states.push("current");
    if (said("draggable") === "true" && kind !== "drag") states.push("draggable");
    if (element === active) states.push("focused");
    return states;
  };
  const canvasWords = (element) => {
    const { drawn, context, texts = [] } = inkOf(element);
    const heard = HEARD.filter((name) => heardBy.get(element)?.has(name));
    const hears = heard.length ? `hears ${heard.join(" ")}` : hearsPresses(element) ? "presses are heard around it" : "";
    const ink = context ? `${context}, ${drawn === null ? "not in the window" : drawn ? "drawn on" : "blank"}` : drawn === null ? "empty or unreadable" : drawn ? "drawn on" : "one colour only";
    // In the order of reading, each with its place in the canvas.
    const lines = texts.slice(-room.options).sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]).map(({ text, at }) => `${quote(clip(text, 40))} at ${at}`);
    const written = lines.length ? `; written on it: ${lines.join(", ")}${texts.length > lines.length ? ", …" : ""}` : "";
    const shapes = drawn && !context && hasArea(element) ? shapesOn(element, heldBy(element).texts) : "";
    return [`${element.width}x${element.height} ${ink}${hears && `, ${hears}`}${written}${shapes && `; shapes: ${shapes}`}`];
  };
  const valueWords = (element, tag, kind) => {
    if (tag === "select") {
      const chosen = [...element.selectedOptions].map((option) => clip(option.label, 40)).join(", ");
      const all = [...element.options].map((option) => clip(option.label, 24));
      const rest = all.length > room.options ? `, … ${all.length - room.options} more` : "";
      return [`= ${quote(chosen)} of ${all.slice(0, room.options).join(", ")}${rest}`];
    }
    if (kind === "toggle" || kind === "button" || !isOneOf(element, "input", "textarea")) return [];
    const limits = attribute(element, "min") || attribute(element, "max") ? ` (${attribute(element, "min") ?? ""}..${attribute(element, "max") ?? ""})` : "";
    const value = element.type === "password" ? "•".repeat(element.value.length) : short(element.value, 200);
    const placeholder = attribute(element, "placeholder");
    const hint = !value && placeholder && placeholder !== nameOf(element, tag) ? `placeholder ${quote(short(placeholder, 60))}` : "";
    return [kind === "file" ? `${element.files.length} files` : `= ${quote(value)}${limits}`, hint];
  };
  const coverOf = (element) => {
    const box = boxOf(element), view = viewOf(document);
    if (box.bottom <= 0 || box.top >= view.innerHeight || viewOf(element.ownerDocument) !== view) return "";
    if (box.right <= 0 || box.left >= view.innerWidth) return "outside the window";
    const { by } = tryAim(element, labelsOf(element));
    return by ? `covered by ${by}` : "";
  };
  const outerStyle = (element) => (hostOrParent(element) ? styleOf(hostOrParent(element)) : null);
  // What stands on a thing besides the name it goes by, such as the number on a badge.
  const shownBeside = (element, tag, name) => {
    if (!/^(button|a)$/.test(tag)) return "";
    const text = [drawnText(element, "::before"), textContent(element), drawnText(element, "::after")].map((part) => part.replace(/\s+/g, " ").trim()).filter(Boolean).join(" ");
    return /[\p{L}\d]/u.test(text) && text.length <= 40 && !name.includes(text) ? `shows ${quote(text)}` : "";
  };
  const usableWords = (element, tag, kind, name, struck) => {
    const role = kind === "button" && /^(submit|image)$/.test(element.type) && tag === "input" ? "button" : roleOf(element, kind) || kind;
    const mark = !name && !/^(canvas|select|input|textarea)$/.test(tag) ? classesOf(element, 2) : "";
    const word = tag !== "canvas" || role === tag ? role + mark : `canvas (${role})`;
    const words = [refer(element), word, name && (/\{.*\}/.test(name) ? `: ${name}` : quote(name)), ...valueWords(element, tag, kind), ...(tag === "canvas" ? canvasWords(element) : [])];
    if ((tag === "video" || tag === "audio") && kind === "media") words.push(element.paused ? "paused" : "playing");
    const style = styleOf(element), shown = shownBeside(element, tag, name), marks = marksOf(element, style, outerStyle(element));
    return [...words, shown, ...statesOf(element, kind), struck && "struck", drawnAs(element, style), marks && `{${marks}}`, coverOf(element)].filter(Boolean).join(" ").replace(" : ", ": ");
  };
  const classesOf = (element, most) => (attribute(element, "class") ?? "").trim().split(/\s+/).filter(Boolean).slice(0, most).map((name) => `.${name.slice(0, 20)}`).join("");

  // --- pictures

  const svgItem = (element, depth, outer) => {
    const box = boxOf(element), name = attribute(element, "aria-label") ?? "";
    const pressed = [];
    const enter = (node, above) => {
      const tag = localName(node), style = styleOf(node);
      if (style.display === "none" || tag === "defs" || tag === "title") return;
      if (node !== element && kindOf(node, tag, style, above, heardBy.get(node))) pressed.push(node);
      for (const child of childrenOf(node)) enter(child, style);
    };
    enter(element, outer);
    const { shapes, parts, texts } = chartOf(element);
    const kind = kindOf(element, "svg", styleOf(element), outer, heardBy.get(element));
    const title = childrenOf(element).find((child) => isOneOf(child, "title"));
    if (!kind && !pressed.length && !texts.length && !name && !title && box.width <= 48 && box.height <= 48) return null;
    const shown = texts.slice(0, room.list * 2).map(quote).join(" ");
    const label = name || (title ? short(textContent(title), 80) : "");
    const head = [kind && refer(element), "svg", label && quote(label), `${Math.round(box.width)}x${Math.round(box.height)}`, shapes.length && `(${shapes.join("; ")})`, ...parts.map((part) => `${part};`), shown, texts.length > room.list * 2 && `… ${texts.length - room.list * 2} more texts`];
    const few = pressed.slice(0, room.list + 2).map((node) => {
      const kindOfIt = kindOf(node, localName(node), styleOf(node), styleOf(hostOrParent(node)), heardBy.get(node));
      return line(`${refer(node)} ${roleOf(node, kindOfIt) || kindOfIt} ${localName(node)}${nameOf(node, localName(node)) ? ` ${quote(nameOf(node, localName(node)))}` : classesOf(node, 1)}`, depth + 1, boxOf(node), 1);
    });
    if (pressed.length > few.length) few.push(line(folded(element, pressed.length - few.length, "shapes to press"), depth + 1, box));
    return { lines: [line(head.filter(Boolean).join(" "), depth, box, kind ? 1 : 0), ...few] };
  };
  const imageWords = (element) => {
    const alt = attribute(element, "alt"), file = short((attribute(element, "src") ?? "").replace(/^data:.*/, "data").split("/").at(-1), 30);
    const isBroken = element.complete && !element.naturalWidth;
    if (alt === "" && !isBroken) return "";
    return ["img", alt ? quote(short(alt, 80)) : file, isBroken && "broken"].filter(Boolean).join(" ");
  };

  // --- lines

  let view = null, layer = null, layers = [];
  const line = (text, depth, box, usable = 0) => ({ text, depth, y: box.top, bottom: box.bottom, usable, middle: [box.left + Math.min(box.width / 2, 40), (box.top + box.bottom) / 2], view, layer });
  const folded = (element, count, what) => `… ${count} more ${what}; look({scope: '${refer(element)}', full: true})`;
  const nodesOf = (element) => {
    if (isOneOf(element, "iframe")) return childrenOf(element);
    const assigned = isOneOf(element, "slot") ? element.assignedNodes() : [];
    if (assigned.length) return assigned;
    const nodes = [];
    for (let node = firstChild(shadowOf(element) ?? element); node; node = nextSibling(node)) nodes.push(node);
    return nodes;
  };
  const isLike = (a, b) => localName(a) === localName(b) && (attribute(a, "class") ?? "").trim().split(/\s+/)[0] === (attribute(b, "class") ?? "").trim().split(/\s+/)[0];

  // The lines of what lies in an element.
  const inside = (element, style, depth, state) => {
    const lines = [], box = boxOf(element), isTall = box.height > innerHeight / 2;
    let buffer = [], isUsed = 0, place = box, isApart = false;
    const flush = () => {
      let text = "", wasUsable = false;
      for (const { text: part, usable, isGlued } of buffer) {
        text += (text && (usable || wasUsable) ? SEPARATOR : text && !isGlued ? " " : "") + part;
        wasUsable = Boolean(usable);
      }
      text = text.replace(/(?: ·)? ([,.;:!?)])/g, "$1");
      if (text) lines.push(line(isUsed ? text : short(text), depth, place, isUsed));
      used += Math.min(text.length, room.text);
      buffer = [];
      isUsed = 0;
    };
    const put = (text, usable, node) => {
      if (!text) return;
      if (!buffer.length) place = isTall ? placeOf(node) : box;
      const raw = nodeType(node) === 3 ? node.data : textContent(node);
      const isInline = nodeType(node) === 3 || styleOf(node).display === "inline";
      const isGlued = isInline && !isApart && !/^\s/.test(raw);
      buffer.push({ text: state.struck && !usable ? `~~${text}~~` : text, usable, isGlued });
      isApart = !isInline || /\s$/.test(raw);
      isUsed += usable;
    };
    const putDrawn = (pseudo) => {
      isApart = true;
      put(drawnText(element, pseudo), 0, element);
      isApart = true;
    };
    const scrolls = isOneOf(element, "html", "body") ? "" : scrollsOf(element, style), outerView = view;
    if (scrolls) {
      lines.push(line(`(${scrolls})`, depth, { ...placeIn(box), left: box.left, width: 0 }));
      view = { top: Math.max(view.top, box.top), bottom: Math.min(view.bottom, box.bottom), isPart: true };
    }
    const nodes = nodesOf(element), hides = style.visibility !== "visible";
    const isLeaf = nodes.every((node) => nodeType(node) !== 1);
    if (isLeaf && !hides) putDrawn("::before");
    const folding = foldingOf(nodes);
    for (const node of nodes) {
      if (used > room.total * 2) break;
      if (nodeType(node) === 3) {
        const text = node.data.replace(/\s+/g, " ").trim();
        if (!text) isApart = true;
        else if (!hides && !state.mute) put(text, 0, node);
      } else if (nodeType(node) === 1) {
        if (folding.skips(node)) continue;
        const found = item(node, style, depth, state);
        if (found?.text !== undefined) put(found.text, found.usable, node);
        else if (!found) isApart ||= /^\s+$/.test(textContent(node));
        else {
          flush();
          lines.push(...found.lines);
        }
        if (folding.last === node) {
          flush();
          lines.push(line(folded(element, folding.count, `<${localName(node)}>`), depth, box));
        }
      }
    }
    if (isLeaf && !hides) putDrawn("::after");
    put(tallyOf(element), 0, element);
    flush();
    view = outerView;
    return lines;
  };
  const placeIn = (box) => ({ top: Math.max(box.top, view.top), bottom: Math.min(box.bottom, view.bottom) });
  const placeOf = (node) => {
    if (nodeType(node) === 1) return boxOf(node);
    const range = new Range();
    range.selectNode(node);
    return range.getBoundingClientRect();
  };
  const isInView = (element) => {
    const box = boxOf(element);
    return box.bottom > view.top && box.top < view.bottom && box.right > 0 && box.left < innerWidth;
  };
  const inOrder = (a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
  // Of a long row of alike children those in view are told, or the first, and the last.
  const foldingOf = (nodes) => {
    const children = nodes.filter((node) => nodeType(node) === 1 && !UNSEEN.has(localName(node)));
    const alike = children.filter((child) => isLike(child, children[children.length >> 1]));
    // Letters and words in a line make a sentence.
    const isSentence = alike.length > 0 && styleOf(alike[0]).display === "inline" && !isPressed(alike[0]);
    if (isSentence || alike.length <= Math.max(FOLDED, room.list)) return { skips: () => false, last: null, count: 0 };
    const seen = alike.filter(isInView).slice(0, room.seen);
    const kept = new Set([...seen, ...(seen.length >= room.list ? [alike[0]] : alike.slice(0, room.list)), alike.at(-1)]);
    const dropped = new Set(alike.filter((child) => !kept.has(child)));
    if (!dropped.size) return { skips: () => false, last: null, count: 0 };
    return { skips: (node) => dropped.has(node), last: [...kept].filter((child) => child !== alike.at(-1)).sort(inOrder).at(-1), count: dropped.size };
  };
  const isRow = (element, tag, style) =>
    /^(li|label|p|dt|dd|td|th|figcaption|caption|legend)$/.test(tag) || (/flex/.test(style.display) && style.flexDirection.startsWith("row"));
  // What stands in one line is told in one line.
  const joined = (element, tag, style, lines) => {
    if (lines.length < 2) return lines;
    const length = lines.reduce((sum, { text }) => sum + text.length + 3, 0), usable = lines.reduce((sum, one) => sum + one.usable, 0);
    const isFlat = lines.every(({ depth }) => depth === lines[0].depth) && !lines.some(({ text }) => /^(#|…|dialog)/.test(text));
    const isShort = isRow(element, tag, style) ? length <= LINE : length <= 60 && lines.length <= 3 && usable === 0 && /^(div|span|a|b)$|-/.test(tag);
    if (!isFlat || !isShort) return lines;
    return [{ ...lines[0], text: lines.map(({ text }) => text).join(SEPARATOR), usable }];
  };
  const isSealed = (element, style) => {
    const box = boxOf(element);
    return style.overflow !== "visible" && (box.width <= 1 || box.height <= 1) && style.position === "absolute";
  };
  // What floats over the rest is told as such, and covers what lies under it.
  const item = (element, outer, depth, state) => {
    const float = UNSEEN.has(localName(element)) ? "" : floatOf(element, styleOf(element));
    if (!float) return itemOf(element, outer, depth, state);
    const outerLayer = layer;
    layers.push((layer = element));
    const lines = linesOf(itemOf(element, outer, depth, state), depth, element);
    layer = outerLayer;
    return lines.length ? { lines: [{ ...lines[0], text: `(${float}:)`, layer: element, depth }, ...lines] } : null;
  };
  // One element: a piece of the present line, or lines of its own, or nothing.
  const itemOf = (element, outer, depth, state) => {
    const tag = localName(element);
    if (UNSEEN.has(tag) && tag !== "title") return null;
    const style = styleOf(element);
    if (style.display === "none" || tag === "title") return null;
    const kind = kindOf(element, tag, style, outer, heardBy.get(element));
    const isVisible = style.visibility === "visible" && style.opacity !== "0";
    if (!isVisible || isSealed(element, style)) {
      if (kind && isUsable(element)) return piece(usableWords(element, tag, kind, nameOf(element, tag)), 1);
      if (style.opacity === "0" || isSealed(element, style)) return null;
    }
    if (tag === "br") return { lines: [] };
    if (tag === "svg") return svgItem(element, depth, outer);
    if (tag === "img") return withUse(element, tag, kind, imageWords(element));
    if (tag === "canvas") return hasArea(element) ? { lines: [line(usableWords(element, tag, kind, nameOf(element, tag)), depth, boxOf(element), 1)] } : null;
    if (tag === "video" || tag === "audio") return hasArea(element) ? piece(usableWords(element, tag, kind, nameOf(element, tag)), 1) : null;
    if (tag === "progress" || tag === "meter") return piece(`${tag} ${element.value}/${element.max}`);
    if (/^(input|select|textarea)$/.test(tag)) return kind && isUsable(element) ? piece(usableWords(element, tag, kind, nameOf(element, tag)), 1) : null;
    if (tag === "iframe" && !childrenOf(element).length) return piece(`iframe ${quote(nameOf(element, tag))} of another site`);
    const isStruck = state.struck || /line-through/.test(style.textDecorationLine);
    // A label whose field is told is told with it.
    const isMuted = state.mute || (tag === "label" && element.control && /^(input|select|textarea)$/.test(localName(element.control)) && isUsable(element.control));
    const within = { struck: isStruck, mute: isMuted };
    if (kind === "field") {
      const text = textContent(element), name = nameOf(element, tag);
      return piece(`${usableWords(element, tag, kind, name === clip(text, 60) ? "" : name)} = ${quote(short(text))}`, 1);
    }
    if (kind && kind !== "area" && /^(button|link)$/.test(kind)) return hasArea(element) ? leaf(element, tag, kind, style, depth, isStruck) : contents(element, tag, style, depth, within);
    const drawn = kind ? "" : drawnAs(element, style);
    if (drawn) return piece(drawn);
    const cells = cellsOf(element, style);
    if (cells.length) return { lines: boardLines(element, cells, depth, room.cells).map((one) => line(one.text, one.depth, boxOf(element), one.usable)) };
    if (tag === "tr") return { lines: rowLines(element, tag, kind, style, depth, within) };
    if (/^h[1-6]$/.test(tag)) return { lines: headed(inside(element, style, depth, within), "#".repeat(Number(tag[1])) + " ") };
    if (tag === "details" && !element.open) return { lines: childrenOf(element).filter((child) => isOneOf(child, "summary")).flatMap((child) => linesOf(item(child, style, depth, within), depth, child)) };
    const title = frameTitle(element, tag);
    if (title) {
      // Boxes in a frame are told from the frame's own corner.
      const box = boxOf(element), lines = inside(element, style, depth + 1, within);
      if (lines.length === 1 && /^(status|alert)$/.test(title)) return { lines: [{ ...lines[0], depth, text: `${title}: ${lines[0].text}` }] };
      return { lines: [line(title, depth, box), ...lines.map((one) => (tag === "iframe" ? { ...one, y: box.top, bottom: box.bottom } : one))] };
    }
    if (kind) return pressable(element, tag, kind, style, depth, within);
    return marked(element, contents(element, tag, style, depth, within), marksOf(element, style, outer));
  };
  // The looks of what holds several lines are told with the first.
  const marked = (element, found, marks) => {
    if (!marks || !found || isOneOf(element, "html", "body") || !textContent(element).trim()) return found;
    if (found.text !== undefined) return { ...found, text: `${found.text} {${marks}}` };
    const [first, ...rest] = found.lines;
    return first ? { lines: [{ ...first, text: `${first.text} {${marks}}` }, ...rest] } : found;
  };
  const piece = (text, usable = 0) => (text ? { text, usable } : null);
  const withUse = (element, tag, kind, words) => (kind ? piece(usableWords(element, tag, kind, nameOf(element, tag)), 1) : piece(words));
  const linesOf = (found, depth, element) => (!found ? [] : found.lines ?? [line(found.text, depth, boxOf(element), found.usable)]);
  const headed = (lines, mark) => (lines.length ? [{ ...lines[0], text: mark + lines.map(({ text }) => text).join(SEPARATOR) }] : []);
  const leaf = (element, tag, kind, style, depth, struck) => {
    const words = usableWords(element, tag, kind, nameOf(element, tag), struck);
    return INLINE.test(style.display) ? piece(words, 1) : { lines: [line(words, depth, boxOf(element), 1)] };
  };
  const contents = (element, tag, style, depth, state) => {
    const lines = joined(element, tag, style, inside(element, style, depth, state));
    if (INLINE.test(style.display) && lines.length === 1) return piece(lines[0].text, lines[0].usable);
    return lines.length || !INLINE.test(style.display) ? { lines } : null;
  };
  const pressable = (element, tag, kind, style, depth, state) => {
    const lines = joined(element, tag, style, inside(element, style, depth + 1, state));
    const hasUsable = lines.some(({ usable }) => usable);
    if (kind === "area" && (hasUsable || lines.length > 3)) return lines.length ? { lines: lines.map((one) => ({ ...one, depth: one.depth - 1 })) } : null;
    if (!hasArea(element)) return lines.length ? { lines } : null;
    if (hasUsable) return { lines: [line(usableWords(element, tag, kind, ""), depth, boxOf(element), 1), ...lines] };
    const words = usableWords(element, tag, kind, short(lines.map(({ text }) => text).join(SEPARATOR), LINE) || nameOf(element, tag), state.struck);
    return INLINE.test(style.display) ? piece(words, 1) : { lines: [line(words, depth, boxOf(element), 1)] };
  };
  const rowLines = (element, tag, kind, style, depth, state) => {
    const cells = rendered(element).map((cell) => linesOf(item(cell, style, depth, state), depth, cell));
    const usable = cells.flat().reduce((sum, one) => sum + one.usable, 0);
    if (cells.some((lines) => lines.length > 3)) return cells.flat();
    const text = cells.map((lines) => lines.map((one) => one.text).join(SEPARATOR)).join(" | ");
    const mark = kind && kind !== "area" ? usableWords(element, tag, kind, "") + ": " : kind ? `${refer(element)} ` : "";
    const first = rendered(element)[0], looks = [kind && kind !== "area" ? "" : marksOf(element, style, null), rowLooks(element)].filter(Boolean).join(", "), isSticky = first && styleOf(first).position === "sticky";
    const said = [looks, isSticky && "sticky, lies over what is scrolled"].filter(Boolean).join(", ");
    return /[^ |]/.test(text) ? [line(mark + text + (said && ` {${said}}`), depth, boxOf(isSticky ? first : element), usable + (mark ? 1 : 0))] : [];
  };
  const frameTitle = (element, tag) => {
    const role = attribute(element, "role");
    if (tag === "dialog" || role === "dialog" || role === "alertdialog") {
      const isModal = (tag === "dialog" && matches(element, ":modal")) || attribute(element, "aria-modal") === "true";
      const label = attribute(element, "aria-label");
      return `${refer(element)} dialog${label ? ` ${quote(label)}` : ""}${isModal ? " modal" : ""}`;
    }
    if (role === "alert" || role === "status") return textContent(element).trim() ? role : "";
    return tag === "iframe" ? `iframe ${nameOf(element, tag) && quote(nameOf(element, tag))}`.trim() : "";
  };

  // --- the whole

  const header = () => {
    const view = viewOf(document), root = rootElement(document), down = Math.max(0, root.scrollHeight - view.innerHeight);
    const address = clip(`${location.pathname}${location.search}${location.hash}`, 100);
    const keys = [...new Set([document, document.body, view].flatMap((node) => KEYS.filter((name) => heardBy.get(node)?.has(name))))];
    const parts = [`${quote(clip(titleOf(document), 100))} ${address}`, `window ${view.innerWidth}x${view.innerHeight}`, down > 1 && `scrolled ${Math.round(view.scrollY)} of ${down}`, keys.length && `the page hears ${keys.join(" ")}`];
    return parts.filter(Boolean).join(", ");
  };
  const placed = (lines) => {
    const out = [];
    let before = "in";
    for (const { text, depth, y, bottom, usable, middle, view: seen, layer: own } of lines) {
      const side = bottom <= seen.top ? "above" : y >= seen.bottom ? "below" : "in";
      const place = side === "in" ? side : `${side} ${seen.isPart ? "what it shows, scrolled out of view" : "the window"}`;
      if (place !== before) out.push(place === "in" ? "(in the window)" : `(${place})`);
      before = place;
      const isUnder = side === "in" && !usable && layers.length > 0 && isCovered(middle, own);
      out.push(" ".repeat(Math.max(0, depth)) + text + (isUnder ? " (covered)" : ""));
    }
    return out;
  };
  const isCovered = ([x, y], own) => {
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? hitAt(x, y) : null;
    return Boolean(hit) && layers.some((one) => one !== own && within(hit, one) && !(own && within(own, one)) && !(own && within(hit, own)));
  };
  const outline = ({ scope, full = false }) => {
    adopt();
    room = full ? ROOMS.full : ROOMS.brief;
    used = 0;
    [view, layer, layers] = [{ top: 0, bottom: innerHeight }, null, []];
    forgetLooks();
    active = activeElement();
    if (active && isOneOf(active, "body", "html")) active = null;
    const element = scope ? one(scope) : rootElement(document);
    const outer = hostOrParent(element);
    const lines = element ? linesOf(item(element, outer ? styleOf(outer) : null, 0, { struck: false, mute: false }), 0, element) : [];
    const all = placed(lines), kept = [];
    let left = room.total;
    for (const text of all) {
      left -= text.length + 1;
      if (left < 0 && kept.length) break;
      kept.push(text);
    }
    const cut = all.length > kept.length ? [`… ${all.length - kept.length} more lines; look({scope: a ref or CSS selector${full ? "" : ", full: true"}}) shows a part`] : [];
    const nothing = all.length ? [] : ["(nothing to see)"];
    census();
    return [scope ? `within ${describe(element)}:` : header(), ...kept, ...cut, ...nothing].join("\n");
  };
  observer.outline = forgiving(outline);
  return true;
}
