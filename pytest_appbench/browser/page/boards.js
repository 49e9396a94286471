// Writes down boards, many small alike things: a line for each row of them, with what tells the cells apart.
// Runs in the isolated world, after find.js.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    UNSEEN, attribute, boxOf, childrenOf, clip, hasArea, heardBy, hostOrParent, isDisabled, isOneOf, kindOf, localName, nameOf, refer, roleOf, styleOf,
    textContent,
  } = observer.parts;

  const rendered = (element) => childrenOf(element).filter((child) => !UNSEEN.has(localName(child)) && styleOf(child).display !== "none");
  const isCell = (element) => element.childElementCount <= 2 && textContent(element).trim().length <= 4 && !isOneOf(element, "select", "input", "textarea", "canvas") && hasArea(element);
  const isPressed = (element) => kindOf(element, localName(element), styleOf(element), styleOf(hostOrParent(element)), heardBy.get(element)) !== "";
  const areAlike = (cells) => cells.length >= 9 && new Set(cells.map(localName)).size === 1 && cells.every(isCell);
  // The cells of a board, also where they lie in rows; none if it is no board.
  const cellsOf = (element, style) => {
    if (element.childElementCount < 3) return [];
    const children = rendered(element);
    if (areAlike(children) && (/grid|flex/.test(style.display) || children.some(isPressed))) return children;
    if (children.length < 3 || new Set(children.map(localName)).size > 1) return [];
    if (!rendered(children[0]).every(isCell)) return [];
    const nested = children.map(rendered);
    if (nested.some((row) => row.length < 3 || row.length !== nested[0].length)) return [];
    const cells = nested.flat();
    return areAlike(cells) && cells.filter(isPressed).length * 2 >= cells.length ? cells : [];
  };
  const lookOf = (cells) => {
    const classes = cells.map((cell) => (attribute(cell, "class") ?? "").trim().split(/\s+/).filter(Boolean));
    const common = classes[0].filter((name) => classes.every((names) => names.includes(name)));
    const marks = classes.map((names) => names.filter((name) => !common.includes(name)).slice(0, 2).map((name) => `.${name.slice(0, 12)}`).join(""));
    if (marks.some(Boolean)) return { common, marks };
    const colours = cells.map((cell) => styleOf(cell).backgroundColor);
    const counts = new Map();
    for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    const usual = [...counts].sort((a, b) => b[1] - a[1])[0][0];
    return { common, marks: colours.map((colour) => (colour === usual ? "" : hex(colour))) };
  };
  const hex = (colour) => {
    const parts = colour.match(/[\d.]+/g)?.slice(0, 3).map(Number);
    return parts?.length === 3 && colour.startsWith("rgb") ? "#" + parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("") : `(${colour})`;
  };
  // Cells that look alike and have consecutive references are written as one.
  const rowOf = (cells) => {
    const runs = [];
    for (const { reference, look } of cells) {
      const last = runs.at(-1), number = Number(reference.slice(1));
      if (last && last.look === look && (reference ? last.to + 1 === number : !last.to)) {
        last.to = number;
        last.count += 1;
      } else runs.push({ from: number, to: number, look, count: 1 });
    }
    return runs.map(({ from, to, look, count }) => {
      const who = !from ? "" : count > 1 ? `e${from}–e${to}` : `e${from}`;
      return who ? who + look : (look.replace(/^:/, "") || "_") + (count > 1 ? ` x${count}` : "");
    }).join(" ");
  };
  // What the names of cells do not have in common.
  const namesOf = (cells) => {
    const names = cells.map((cell) => nameOf(cell, localName(cell)).split(" "));
    const common = new Set(names[0].filter((word) => names.every((words) => words.includes(word))));
    return names.map((words) => words.filter((word) => !common.has(word)).join(" "));
  };
  const boardLines = (element, cells, depth, most) => {
    const { common, marks } = lookOf(cells), shownCells = cells.slice(0, most);
    const rows = new Map();
    let kind = "", disabled = 0;
    const names = namesOf(shownCells);
    shownCells.forEach((cell, index) => {
      const style = styleOf(cell), own = kindOf(cell, localName(cell), style, styleOf(hostOrParent(cell)), heardBy.get(cell));
      kind ||= own && (roleOf(cell, own) || own);
      const text = clip(textContent(cell), 12) || (own === "button" ? clip(names[index], shownCells.length > 64 ? 12 : 24) : "");
      const off = isDisabled(cell) ? "(disabled)" : "";
      disabled += off !== "";
      const top = Math.round(boxOf(cell).top / 4);
      if (!rows.has(top)) rows.set(top, []);
      rows.get(top).push({ reference: own ? refer(cell) : "", look: marks[index] + (text ? `:${text}` : ""), off });
    });
    const allOff = disabled === shownCells.length;
    const lines = [...rows.values()].map((row) => rowOf(row.map(({ reference, look, off }) => ({ reference, look: look + (allOff ? "" : off) }))));
    const widest = Math.max(...[...rows.values()].map((row) => row.length));
    const what = `${refer(element)} board of ${rows.size} x ${widest} ${kind || "cells"}${common.slice(0, 2).map((name) => `.${name}`).join("")}${allOff ? ", all disabled" : ""}`;
    const rest = cells.length > shownCells.length ? [`… ${cells.length - shownCells.length} more cells`] : [];
    return [what, ...lines, ...rest].map((text, index) => ({ text, depth: depth + (index > 0), usable: 1 }));
  };

  Object.assign(observer.parts, { boardLines, cellsOf, isPressed, rendered });
  return true;
}
