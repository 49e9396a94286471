// What shows only in the looks of a thing, in a few words: that it stands out among its like, its colour where
// that says something, bars and dots, what is cut, turned, faded, or floats over the rest. Runs in the
// isolated world, after boards.js. It says what is there to see, never what it means.
() => {
  const observer = globalThis.appbenchObserver;
  const { UNSEEN, attribute, boxOf, childrenOf, firstChild, hasPseudos, hostOrParent, isOneOf, localName, nextSibling, nodeType, rootOf, styleOf, textContent, viewOf, ownerDocument } = observer.parts;

  const MOST_PEERS = 60;
  const DRAWN_ITSELF = /^(input|select|textarea|canvas|img|video|audio|iframe|progress|meter|svg|object|embed|hr|br)$/;
  const NEAR = 4;
  const SMALL = 26;

  // --- colours, in words

  const partsOf = (colour) => {
    const parts = colour.startsWith("rgb") ? colour.match(/[\d.]+/g).map(Number) : null;
    return parts && { red: parts[0] / 255, green: parts[1] / 255, blue: parts[2] / 255, alpha: parts[3] ?? 1 };
  };
  const toneOf = (colour) => {
    const parts = partsOf(colour);
    if (!parts || parts.alpha < 0.15) return null;
    const { red, green, blue } = parts, most = Math.max(red, green, blue), least = Math.min(red, green, blue), chroma = most - least, light = (most + least) / 2;
    const hue = !chroma ? 0 : 60 * (most === red ? ((green - blue) / chroma + 6) % 6 : most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4);
    return { hue, chroma: chroma * parts.alpha, light };
  };
  const HUES = [[14, "red"], [40, "orange"], [68, "yellow"], [165, "green"], [192, "teal"], [252, "blue"], [292, "purple"], [340, "pink"], [361, "red"]];
  const wordOf = (colour) => {
    const tone = toneOf(colour);
    if (!tone) return "";
    if (tone.chroma < 0.12) return tone.light > 0.93 ? "white" : tone.light < 0.2 ? "black" : "grey";
    const name = HUES.find(([end]) => tone.hue < end)[1];
    return name === "orange" && tone.light < 0.33 ? "brown" : tone.light > 0.85 && name === "red" ? "pink" : name;
  };
  const isVivid = (colour) => (toneOf(colour)?.chroma ?? 0) > 0.2;

  // --- how one thing looks, feature by feature

  const ringOf = (style) => {
    if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1) return wordOf(style.outlineColor);
    const [, colour, blur, spread] = style.boxShadow.match(/^(rgba?\([^)]*\)) \S+ \S+ (\S+) (\S+)/) ?? [];
    return colour && parseFloat(spread) > 0 && parseFloat(blur) <= 4 ? wordOf(colour) : "";
  };
  const borderOf = (style) => {
    const sides = ["Top", "Right", "Bottom", "Left"].filter((side) => parseFloat(style[`border${side}Width`]) > 0 && !/none|outset|inset/.test(style[`border${side}Style`]));
    if (!sides.length) return { word: "", sides: 0, kind: "" };
    const widest = sides.reduce((a, b) => (parseFloat(style[`border${b}Width`]) > parseFloat(style[`border${a}Width`]) ? b : a));
    return { word: wordOf(style[`border${widest}Color`]), colour: style[`border${widest}Color`], sides: sides.length, width: parseFloat(style[`border${widest}Width`]), side: widest, kind: style[`border${widest}Style`] };
  };
  const featuresOf = (element, style = styleOf(element)) => {
    const border = borderOf(style), gradient = /gradient/.test(style.backgroundImage);
    return {
      ground: wordOf(style.backgroundColor), striped: /repeating/.test(style.backgroundImage) ? "striped" : gradient ? "gradient" : "",
      text: wordOf(style.color), bold: Number(style.fontWeight) >= 600 ? "bold" : "", edge: border.word && `${border.kind} ${border.word} ${border.width}`, ring: ringOf(style),
      faded: Number(style.opacity) < 0.75 ? "faded" : "", under: /underline/.test(style.textDecorationLine) ? "underlined" : "",
    };
  };
  const SAYS = {
    ground: ({ ground }) => ground && `highlighted ${ground}`, striped: ({ striped }) => striped, text: ({ text }) => (/black|white/.test(text) ? "" : `${text} text`), bold: ({ bold }) => bold,
    edge: ({ edge }) => (edge ? `${edge.replace(/^solid |( [\d.]+)$/g, "").replace(/ [\d.]+$/, "")} border` : ""), ring: ({ ring }) => ring && `${ring} ring`, faded: ({ faded }) => faded, under: ({ under }) => under,
  };

  // --- among its like: siblings, or what stands in the same place in them

  const classOf = (element) => (attribute(element, "class") ?? "").trim().split(/\s+/)[0];
  // Of one tag, and of one class unless only one of them has a class.
  const isLike = (a, b) => localName(a) === localName(b) && (classOf(a) === classOf(b) || !classOf(a) || !classOf(b));
  const rendersWords = (element) => !UNSEEN.has(localName(element)) && styleOf(element).display !== "none";
  let families = new Map();
  // The children of one parent that are like a given one; asked for each of many, so kept.
  const likeOf = (parent, node) => {
    const family = families.get(parent) ?? families.set(parent, { children: childrenOf(parent), byKin: new Map() }).get(parent);
    const kin = `${localName(node)} ${classOf(node)}`;
    return family.byKin.get(kin) ?? family.byKin.set(kin, family.children.filter((child) => isLike(child, node))).get(kin);
  };
  const peersOf = (element) => {
    const path = [];
    for (let node = element, level = 0; level < 3; level++) {
      const parent = hostOrParent(node);
      if (!parent || isOneOf(parent, "html")) return [element];
      const alike = likeOf(parent, node);
      if (alike.length > 1) {
        const found = alike.slice(0, MOST_PEERS).map((other) => path.reduce((inner, tag) => inner && childrenOf(inner).find((child) => localName(child) === tag), other));
        return found.filter((other) => other && rendersWords(other));
      }
      path.unshift(localName(node));
      node = parent;
    }
    return [element];
  };
  let known = new Map();
  const featuresFor = (element) => known.get(element) ?? known.set(element, featuresOf(element)).get(element);
  let groups = new Map();
  // For each feature of a group, the value that most of it have.
  const usualOf = (peers) => {
    const key = peers[0];
    if (groups.get(key)?.size === peers.length) return groups.get(key).usual;
    const usual = {}, all = peers.map(featuresFor);
    for (const name of Object.keys(SAYS)) {
      const counts = new Map();
      for (const features of all) counts.set(features[name], (counts.get(features[name]) ?? 0) + 1);
      const [[value, count], second] = [...counts].sort((a, b) => b[1] - a[1] || String(a[0]).length - String(b[0]).length);
      // Where half are one way and half another, the plain one is the usual; where all differ, none is.
      usual[name] = count > 1 || peers.length === 2 ? (second && second[1] === count && count > 1 && second[0] === "" ? "" : value) : null;
    }
    groups.set(key, { size: peers.length, usual });
    return usual;
  };
  // A row of a table may be painted by its cells.
  const rowLooks = (row) => {
    const firstOf = (one) => childrenOf(one).find(rendersWords), own = firstOf(row);
    if (!own) return "";
    const rows = likeOf(hostOrParent(row), row), at = rows.indexOf(row), near = rows.slice(Math.max(0, at - NEAR), at + NEAR + 1);
    return standsOut(own, near.map(firstOf).filter(Boolean)).filter((word) => word.startsWith("highlighted")).join(", ");
  };
  const standsOut = (element, peers = peersOf(element)) => {
    if (peers.length < 2 || !peers.includes(element)) return [];
    const usual = usualOf(peers), own = featuresFor(element);
    const differs = Object.keys(SAYS).filter((name) => usual[name] !== null && own[name] !== usual[name]);
    // On another ground a text has another colour: that says nothing more.
    return differs.filter((name) => name !== "text" || !differs.includes("ground")).map((name) => SAYS[name](own)).filter(Boolean);
  };

  // --- by itself

  const colours = (element, style, outer) => {
    const words = [], border = borderOf(style);
    if (style.display !== "contents" && isVivid(style.backgroundColor)) words.push(`on ${wordOf(style.backgroundColor)}`);
    else if (isVivid(style.color) && !isOneOf(element, "a") && (!outer || outer.color !== style.color)) words.push(`${wordOf(style.color)} text`);
    if (border.sides === 1 && border.width >= 3 && isVivid(border.colour)) words.push(`${border.word} stripe`);
    else if (border.sides === 4 && isVivid(border.colour)) words.push(`${border.word} border`);
    if (border.sides === 4 && /dashed|dotted/.test(border.kind)) words.push(border.kind);
    if (/repeating/.test(style.backgroundImage)) words.push("striped");
    return words;
  };
  const isCut = (element) => {
    if (!element || isOneOf(element, "html", "body")) return false;
    const { left, right, width } = boxOf(element);
    return width > 60 && width <= innerWidth && ((left < innerWidth - 8 && right > innerWidth + 8) || (right > 8 && left < -8));
  };
  // In the middle of a sentence looks would only break it up.
  const isInSentence = (element, style) => {
    if (style.display !== "inline" && style.display !== "inline-block") return false;
    const beside = (node) => node && nodeType(node) === 3 && /\w/.test(node.data);
    return beside(nextSibling(element)) || isOneOf(element, "kbd", "code");
  };
  const shape = (element, style) => {
    const words = [], turn = style.transform.match(/^matrix\(([^)]*)\)/)?.[1].split(",").map(Number);
    if (turn && Math.abs(turn[1]) > 0.02) words.push("tilted");
    if (/vertical|sideways/.test(style.writingMode)) words.push("turned, top to bottom");
    if (Number(style.opacity) < 0.75) words.push("faded");
    if (isCut(element) && !isCut(hostOrParent(element))) words.push("partly outside the window");
    if (style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth) words.push("cut off …");
    return words;
  };
  const marksOf = (element, style, outer) => {
    if (isInSentence(element, style)) return "";
    const said = new Set([...standsOut(element), ...colours(element, style, outer), ...shape(element, style)]);
    // The same said twice: what it stands out by, and what it is.
    for (const word of [...said]) {
      const [, ground] = word.match(/^highlighted (\w+)/) ?? [], [, edge] = word.match(/^(.*) border$/) ?? [], [, stripe] = word.match(/^(\w+) stripe$/) ?? [];
      if (ground) said.delete(`on ${ground}`);
      if (edge) for (const kind of ["dashed", "dotted"]) if (edge.startsWith(kind)) { said.delete(kind); said.delete(`${edge.slice(kind.length + 1)} border`); }
      if (stripe) said.delete(`${stripe} border`);
    }
    return [...said].join(", ");
  };

  // --- what is drawn by boxes without a text

  const isEmpty = (element) => {
    for (let node = firstChild(element); node; node = nextSibling(node)) if (nodeType(node) === 1 || (nodeType(node) === 3 && node.data.trim())) return false;
    return true;
  };
  const paintOf = (style) => {
    if (wordOf(style.backgroundColor)) return wordOf(style.backgroundColor);
    return partsOf(style.backgroundImage.match(/rgba?\([^)]*\)/)?.[0] ?? "") ? wordOf(style.backgroundImage.match(/rgba?\([^)]*\)/)[0]) : "";
  };
  // A filled part of a track, a dot, or some little boxes in a row; empty for anything else.
  const drawnAs = (element, style) => {
    if (DRAWN_ITSELF.test(localName(element)) || !isEmpty(element)) return "";
    const paint = paintOf(style), box = boxOf(element), parent = hostOrParent(element);
    if (!parent || box.width < 2 || box.height < 2) return "";
    const border = borderOf(style);
    const siblings = childrenOf(parent).filter((child) => localName(child) === localName(element) && isEmpty(child));
    if (siblings.length > 2) {
      if (siblings[0] !== element || box.height > SMALL) return "";
      const counts = new Map();
      for (const one of siblings) counts.set(paintOf(styleOf(one)) || "empty", (counts.get(paintOf(styleOf(one)) || "empty") ?? 0) + 1);
      return counts.size > 1 ? `${siblings.length} little bars (${[...counts].map(([word, count]) => `${count} ${word}`).join(", ")})` : "";
    }
    const track = boxOf(parent), isRound = parseFloat(style.borderRadius) >= Math.min(box.width, box.height) / 2 || style.borderRadius === "50%";
    const isKnob = isRound && Math.abs(box.width - box.height) < 2 && track.width > box.width * 1.4 && track.width < box.width * 4 && track.height <= box.height * 1.6 && isBare(parent);
    if (isKnob) return box.left - track.left < track.right - box.right ? "switch, its knob at the left (off)" : "switch, its knob at the right (on)";
    const share = box.width / (track.width || 1), rise = box.height / (track.height || 1);
    if (paint && box.height <= SMALL && track.height <= box.height * 2.5 && track.width > 30 && share < 0.995 && Math.abs(box.left - track.left) < 4 && isBare(parent)) return `bar ${Math.round(share * 1000) / 10}% ${paint}`;
    if (paint && box.width <= SMALL * 2 && track.width <= box.width * 1.5 && track.height > 30 && rise < 0.995 && Math.abs(box.bottom - track.bottom) < 4 && isBare(parent)) return `bar ${Math.round(rise * 1000) / 10}% high ${paint}`;
    const isDot = Math.max(box.width, box.height) <= SMALL && box.width / box.height < 2 && box.height / box.width < 2;
    if (isDot && paint && paint !== "white" && (isVivid(style.backgroundColor) || paint !== "grey")) return `● ${paint}`;
    if (border.kind === "dashed" && box.width > 40 && box.height > 16) return "(dashed empty box)";
    return "";
  };
  const isBare = (element) => !textContent(element).trim();

  // Of alike little signs in a row, such as stars, how many have which colour.
  const tallyOf = (element) => {
    const byText = new Map();
    for (const child of childrenOf(element)) {
      const text = textContent(child).trim();
      if (text && [...text].length <= 2) (byText.get(text) ?? byText.set(text, []).get(text)).push(child);
    }
    const signs = [...byText.values()].find((alike) => alike.length >= 3 && alike.length <= 12) ?? [], counts = new Map();
    for (const sign of signs) counts.set(wordOf(styleOf(sign).color), (counts.get(wordOf(styleOf(sign).color)) ?? 0) + 1);
    return counts.size > 1 ? `(${[...counts].map(([word, count]) => `${count} ${word}`).join(", ")})` : "";
  };

  // --- over the rest

  const floatOf = (element, style) => {
    if (!/^(fixed|absolute|sticky)$/.test(style.position)) return "";
    const box = boxOf(element), view = viewOf(ownerDocument(element));
    if (box.width * box.height < 2000 || box.bottom <= 0 || box.top >= view.innerHeight || !textContent(element).trim()) return "";
    if (style.position === "sticky") return "";
    if (style.position === "fixed" || Number(style.zIndex) >= 1) return "floats on top of the page";
    const overlaps = (other) => {
      const their = boxOf(other), width = Math.min(box.right, their.right) - Math.max(box.left, their.left), height = Math.min(box.bottom, their.bottom) - Math.max(box.top, their.top);
      return other !== element && width > 0 && height > 0 && width * height > (box.width * box.height) / 2;
    };
    return (partsOf(style.backgroundColor)?.alpha ?? 0) > 0.7 && childrenOf(hostOrParent(element)).some(overlaps) ? "floats on top of what is beside it" : "";
  };
  const scrollsOf = (element, style) => {
    const parts = [];
    for (const [overflow, size, room, at, way] of [[style.overflowY, element.scrollHeight, element.clientHeight, element.scrollTop, "down"], [style.overflowX, element.scrollWidth, element.clientWidth, element.scrollLeft, "sideways"]]) {
      if (/auto|scroll/.test(overflow) && room > 20 && size > room + 2) parts.push(`scrolls ${way}, at ${Math.round(at)} of ${Math.round(size - room)}`);
    }
    return parts.join("; ");
  };

  // --- drawn text

  const counted = (element, name) => {
    let count = 0;
    for (let node = element; node; ) {
      const increment = (styleOf(node).counterIncrement.match(new RegExp(`(?:^| )${name} (-?\\d+)`)) ?? [])[1];
      if (increment) count += Number(increment);
      const reset = (styleOf(node).counterReset.match(new RegExp(`(?:^| )${name} (-?\\d+)`)) ?? [])[1];
      if (reset) return count + Number(reset);
      let before = node.previousElementSibling;
      node = before ?? hostOrParent(node);
    }
    return count;
  };
  // The content of ::before or ::after as it is read; empty where it is no text.
  let spoken = new Map();
  const drawnText = (element, pseudo) => {
    const root = rootOf(element);
    if (!spoken.has(root)) spoken.set(root, hasPseudos(root));
    if (!spoken.get(root)) return "";
    const style = styleOf(element, pseudo), content = style.content;
    if (!/["'(]/.test(content) || style.display === "none") return "";
    const parts = content.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|counters?\([^)]*\)|attr\([^)]*\)/g) ?? [];
    const text = parts.map((part) => {
      if (part.startsWith("attr")) return attribute(element, part.slice(5, -1).trim().split(/[ ,]/)[0]) ?? "";
      if (!part.startsWith("counter")) return part.slice(1, -1).replace(/\\(.)/g, "$1");
      const name = part.match(/\(([\w-]+)/)[1];
      const own = (style.counterIncrement.match(new RegExp(`(?:^| )${name} (-?\\d+)`)) ?? [])[1];
      return String(counted(element, name) + Number(own ?? 0));
    });
    return text.join("").trim();
  };

  const forgetLooks = () => {
    known = new Map();
    groups = new Map();
    families = new Map();
    spoken = new Map();
  };
  Object.assign(observer.parts, { drawnAs, drawnText, floatOf, forgetLooks, isVivid, marksOf, rowLooks, scrollsOf, tallyOf, wordOf });
  return true;
}
