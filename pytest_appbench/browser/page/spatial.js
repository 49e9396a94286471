// Measures by pixels: where something changed, what is drawn, and whether what is drawn is what reacts. Runs
// in the isolated world, after find.js. Pictures come from outside, as the browser shows them, so that it is
// the same for elements, SVG, canvas and WebGL.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    activeElement, boxOf, describe, find, forgiving, frameless, hasArea, heldBy, hitAt, hostOrParent, inkSeen, isOneOf, kindIn, labelsOf, matches,
    refer, walk, within,
  } = observer.parts;

  const CELL = 4;
  const GAP = 2; // cells between changes that count as one
  const MOST_REGIONS = 12;
  const MOST_CELLS = 64; // along the longer side of what hitZone samples
  const NOTICEABLE = 3; // of 255: less is how the same is drawn twice
  const CONTRAST = 24; // of 255: less is no shape on its background
  const READ_ONLY_BY_SIGHT = /webgl|webgpu|offscreen/;

  const decoded = async (data) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const differs = (one, i, other, j, least) =>
    Math.abs(one[i] - other[j]) > least || Math.abs(one[i + 1] - other[j + 1]) > least || Math.abs(one[i + 2] - other[j + 2]) > least;

  // Cells that are set, put together where no more than `gap` cells lie between them.
  const together = (cells, columns, rows, gap) => {
    const found = [], seen = new Uint8Array(cells.length);
    for (let first = 0; first < cells.length; first++) {
      if (!cells[first] || seen[first]) continue;
      const members = [first];
      seen[first] = 1;
      for (let next = 0; next < members.length; next++) {
        const x = members[next] % columns, y = Math.floor(members[next] / columns);
        for (let v = Math.max(0, y - gap - 1); v <= Math.min(rows - 1, y + gap + 1); v++) {
          for (let u = Math.max(0, x - gap - 1); u <= Math.min(columns - 1, x + gap + 1); u++) {
            const cell = v * columns + u;
            if (!cells[cell] || seen[cell]) continue;
            seen[cell] = 1;
            members.push(cell);
          }
        }
      }
      found.push(members);
    }
    return found;
  };

  // --- what is in the window of a target

  const inWindow = (box) => {
    const left = Math.max(0, Math.floor(box.x)), top = Math.max(0, Math.floor(box.y));
    const right = Math.min(innerWidth, Math.ceil(box.x + box.width)), bottom = Math.min(innerHeight, Math.ceil(box.y + box.height));
    return right - left < 1 || bottom - top < 1 ? null : { x: left, y: top, width: right - left, height: bottom - top };
  };
  const boxIn = (element) => {
    const [x, y, width, height] = frameless(element);
    return { x, y, width, height };
  };
  const grown = ({ x, y, width, height }) => {
    const margin = Math.min(120, Math.max(16, Math.max(width, height) * 0.6));
    return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  };
  // The part of the window that a target takes up, or that lies around it; and where the page is scrolled to.
  const regionOf = ({ ref = "", around = false }) => {
    const element = ref && find(ref);
    if (ref && !element) return null;
    const box = element ? boxIn(element) : { x: 0, y: 0, width: innerWidth, height: innerHeight };
    const region = inWindow(around ? grown(box) : box);
    return { box, region, scroll: [scrollX, scrollY], isCanvas: Boolean(element) && isOneOf(element, "canvas") };
  };

  // --- changes

  const isCaret = (region) => {
    const active = activeElement();
    if (!active || region.width > 3 || !matches(active, ":read-write")) return false;
    const box = boxIn(active);
    return region.x >= box.x && region.y >= box.y && region.x <= box.x + box.width && region.y + region.height <= box.y + box.height + 1;
  };
  const round = (box) => Object.fromEntries(Object.entries(box).map(([name, value]) => [name, Math.round(value)]));
  const changedBetween = async ({ before, after, ref, region }) => {
    const [old, now] = await Promise.all([decoded(before), decoded(after)]);
    const { width, height } = now, scale = width / region.width;
    if (old.width !== width || old.height !== height) return { resized: true, regions: [], rest: 0 };
    const columns = Math.ceil(width / CELL), rows = Math.ceil(height / CELL), cells = new Uint8Array(columns * rows), counts = new Uint16Array(columns * rows);
    const edges = new Map();
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i += 4) {
        if (!differs(old.data, i, now.data, i, NOTICEABLE)) continue;
        const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL), edge = edges.get(cell);
        cells[cell] = 1;
        counts[cell] += 1;
        if (!edge) edges.set(cell, [x, y, x, y]);
        else edges.set(cell, [Math.min(edge[0], x), Math.min(edge[1], y), Math.max(edge[2], x), Math.max(edge[3], y)]);
      }
    }
    const element = ref && find(ref), origin = element ? boxIn(element) : { x: 0, y: 0, width: innerWidth, height: innerHeight };
    const found = together(cells, columns, rows, GAP).map((members) => {
      const all = members.map((cell) => edges.get(cell));
      const [left, top] = [0, 1].map((side) => Math.min(...all.map((edge) => edge[side])) / scale);
      const [right, bottom] = [2, 3].map((side) => (Math.max(...all.map((edge) => edge[side])) + 1) / scale);
      const box = { x: region.x + left, y: region.y + top, width: right - left, height: bottom - top };
      const said = { ...round(box), at: [Math.round(box.x + box.width / 2 - origin.x), Math.round(box.y + box.height / 2 - origin.y)] };
      if (element && isOneOf(element, "canvas") && origin.width && origin.height) {
        const [across, down] = [element.width / origin.width, element.height / origin.height];
        said.canvas = round({ x: (box.x - origin.x) * across, y: (box.y - origin.y) * down, width: box.width * across, height: box.height * down });
      }
      return { ...said, pixels: members.reduce((sum, cell) => sum + counts[cell], 0) };
    }).filter((one) => !isCaret(one)).sort((a, b) => b.pixels - a.pixels);
    return { resized: false, regions: found.slice(0, MOST_REGIONS), rest: Math.max(0, found.length - MOST_REGIONS) };
  };

  // --- what is drawn, and what reacts

  const usual = (data, width, height, isRing) => {
    const counts = new Map();
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (isRing && y > 1 && y < height - 2 && x === 2) x = Math.max(x, width - 2);
        const i = (y * width + x) * 4, key = (data[i] >> 2 << 16) | (data[i + 1] >> 2 << 8) | (data[i + 2] >> 2);
        const one = counts.get(key);
        if (one) one.count += 1;
        else counts.set(key, { count: 1, colour: [data[i], data[i + 1], data[i + 2]] });
      }
    }
    return [...counts.values()].reduce((best, one) => (one.count > best.count ? one : best)).colour;
  };
  // Cells of a picture that stand out from its background, and those that they enclose.
  const drawnIn = ({ data, width, height }, size, isRing) => {
    const columns = Math.ceil(width / size), rows = Math.ceil(height / size), cells = new Uint8Array(columns * rows);
    const background = usual(data, width, height, isRing);
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i += 4) if (differs(data, i, background, 0, CONTRAST)) cells[Math.floor(y / size) * columns + Math.floor(x / size)] = 1;
    }
    const open = new Uint8Array(cells.length), queue = [];
    const enter = (x, y) => {
      const cell = y * columns + x;
      if (x < 0 || y < 0 || x >= columns || y >= rows || cells[cell] || open[cell]) return;
      open[cell] = 1;
      queue.push(cell);
    };
    for (let x = 0; x < columns; x++) { enter(x, 0); enter(x, rows - 1); }
    for (let y = 0; y < rows; y++) { enter(0, y); enter(columns - 1, y); }
    for (let next = 0; next < queue.length; next++) {
      const x = queue[next] % columns, y = Math.floor(queue[next] / columns);
      enter(x - 1, y); enter(x + 1, y); enter(x, y - 1); enter(x, y + 1);
    }
    return { columns, rows, background, cells: cells.map((_, cell) => (open[cell] ? 0 : 1)) };
  };
  const boundsOf = (members, columns, size, region) => {
    if (!members.length) return null;
    const xs = members.map((cell) => cell % columns), ys = members.map((cell) => Math.floor(cell / columns));
    const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
    return round({ x: region.x + left * size, y: region.y + top * size, width: (right - left) * size, height: (bottom - top) * size });
  };
  const isUsableKind = (element) => /^(?!area$)./.test(kindIn(element));
  const usableAt = (x, y) => {
    for (let node = hitAt(x, y); node; node = hostOrParent(node)) {
      if (isUsableKind(node)) return node;
      if (isOneOf(node, "label") && node.control) return node.control;
    }
    return null;
  };
  // What is used by pressing an element: itself, what it lies in, or what lies over it.
  const usedBy = (element) => {
    for (let node = element, level = 0; node && level < 4; node = hostOrParent(node), level++) if (isUsableKind(node)) return node;
    const counts = new Map(), { x, y, width, height } = boxIn(element);
    for (let v = 0.5; v < 9; v++) {
      for (let u = 0.5; u < 9; u++) {
        const found = usableAt(x + (width * u) / 9, y + (height * v) / 9);
        if (found) counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  };
  const near = (cells, columns, rows, cell, reach) => {
    const x = cell % columns, y = Math.floor(cell / columns);
    for (let v = Math.max(0, y - reach); v <= Math.min(rows - 1, y + reach); v++) {
      for (let u = Math.max(0, x - reach); u <= Math.min(columns - 1, x + reach); u++) if (cells[v * columns + u]) return true;
    }
    return false;
  };
  const shiftOf = (from, to) => from && to && [Math.round(to.x + to.width / 2 - from.x - from.width / 2), Math.round(to.y + to.height / 2 - from.y - from.height / 2)];
  const zoneOf = async ({ ref, shot, region }) => {
    const element = find(ref), used = element && usedBy(element);
    if (!used) return { by: null };
    const picture = await decoded(shot), scale = picture.width / region.width;
    const size = Math.max(2, Math.ceil(Math.max(region.width, region.height) / MOST_CELLS));
    const { columns, rows, cells } = drawnIn(picture, size * scale, true);
    const reacting = new Uint8Array(columns * rows), labels = labelsOf(used);
    const isUsed = (hit) => hit && (within(hit, used) || labels.some((label) => within(hit, label)));
    for (let cell = 0; cell < reacting.length; cell++) {
      const x = region.x + ((cell % columns) + 0.5) * size, y = region.y + (Math.floor(cell / columns) + 0.5) * size;
      reacting[cell] = isUsed(hitAt(x, y)) ? 1 : 0;
    }
    // Of what is drawn here, what belongs to the element: it lies in its box, at least in part.
    const box = boxIn(element);
    const isInBox = (cell) => {
      const x = region.x + ((cell % columns) + 0.5) * size, y = region.y + (Math.floor(cell / columns) + 0.5) * size;
      return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
    };
    const drawn = together(cells, columns, rows, 0).filter((members) => members.some(isInBox)).flat();
    const own = new Uint8Array(cells.length);
    for (const cell of drawn) own[cell] = 1;
    const reacts = [...reacting.keys()].filter((cell) => reacting[cell]);
    const heard = drawn.filter((cell) => near(reacting, columns, rows, cell, 1));
    const reach = Math.ceil(6 / size), outside = reacts.filter((cell) => !near(own, columns, rows, cell, reach));
    const [drawnBox, reactsBox] = [drawn, reacts].map((members) => boundsOf(members, columns, size, region));
    const share = (part, whole) => (whole ? Math.round((part / whole) * 100) / 100 : null);
    return {
      by: describe(used), share: share(heard.length, drawn.length), outside: share(outside.length, reacts.length),
      drawn: drawnBox, reacts: reactsBox, outsideBox: boundsOf(outside, columns, size, region), shift: shiftOf(drawnBox, reactsBox),
    };
  };
  // The shape drawn at a point, and where to try whether it reacts: over it and around it.
  const shapeAt = async ({ shot, region, at, trials }) => {
    const picture = await decoded(shot), scale = picture.width / region.width, size = 2;
    const { columns, rows, cells, background } = drawnIn(picture, size * scale, false);
    const cell = Math.floor((at[1] - region.y) / size) * columns + Math.floor((at[0] - region.x) / size);
    const members = together(cells, columns, rows, 0).find((all) => all.includes(cell));
    if (!members) return null;
    const drawn = boundsOf(members, columns, size, region), wide = inWindow(grown(drawn)), side = Math.max(2, Math.floor(Math.sqrt(trials)));
    const points = [];
    for (let v = 0; v < side; v++) for (let u = 0; u < side; u++) points.push([wide.x + (wide.width * (u + 0.5)) / side, wide.y + (wide.height * (v + 0.5)) / side]);
    const inside = points.filter(([x, y]) => x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height);
    return { drawn, background, points: inside.map((point) => point.map(Math.round)) };
  };
  const isDrawnAt = async ({ shot, background }) => {
    const { data } = await decoded(shot);
    for (let i = 0; i < data.length; i += 4) if (differs(data, i, background, 0, CONTRAST)) return true;
    return false;
  };

  // --- canvases that can be read only by looking at the window

  const sightOnly = () => {
    const found = [];
    walk((element, tag, style, outer, visible) => {
      if (tag !== "canvas" || !visible || found.length >= 4 || !hasArea(element) || !READ_ONLY_BY_SIGHT.test(heldBy(element).kind)) return;
      const region = inWindow(boxIn(element));
      if (region) found.push({ ref: refer(element), region, scroll: [scrollX, scrollY] });
    });
    return found;
  };
  const seeInk = async ({ ref, shot }) => {
    const { data } = await decoded(shot), element = find(ref);
    let ink = false;
    for (let i = 4; i < data.length && !ink; i += 4) ink = differs(data, i, data, 0, NOTICEABLE);
    if (element) inkSeen.set(element, ink);
    return ink;
  };

  for (const [name, answer] of Object.entries({ regionOf, sightOnly })) observer[name] = forgiving(answer);
  Object.assign(observer, { changedBetween, zoneOf, shapeAt, isDrawnAt, seeInk });
  return true;
}
