// The shapes on a canvas, as its pixels show them: patches of one colour apart from the ground, with place, size
// and colour. What they stand for is for the judge to say. Runs in the isolated world, after looks.js.
() => {
  const observer = globalThis.appbenchObserver;
  const { boxOf, wordOf } = observer.parts;

  const LONGEST = 800; // pixels of the picture that is searched
  const SMALLEST = 10; // pixels of it that make a shape
  const GROUND = 0.2; // of all pixels: a colour that covers more, in all its patches, is the ground
  const MOST_GROUPS = 10;
  const MOST_PLACES = 8;
  const NEAR = 2;

  let scratch = null;
  const picture = (canvas) => {
    const scale = Math.min(1, LONGEST / Math.max(canvas.width, canvas.height));
    const width = Math.max(1, Math.round(canvas.width * scale)), height = Math.max(1, Math.round(canvas.height * scale));
    scratch ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    Object.assign(scratch.canvas, { width, height });
    scratch.drawImage(canvas, 0, 0, width, height);
    return { width, height, scale, data: scratch.getImageData(0, 0, width, height).data };
  };
  // A number for each of few names of colours, so that a shade or a gradient is one patch; 0 is nothing.
  const words = [""], codes = new Int16Array(4096).fill(-1);
  const codeOf = (red, green, blue) => {
    const key = ((red >> 4) << 8) | (green & 240) | (blue >> 4);
    if (codes[key] < 0) {
      const word = wordOf(`rgb(${(red & 240) | 8}, ${(green & 240) | 8}, ${(blue & 240) | 8})`);
      if (!words.includes(word)) words.push(word);
      codes[key] = words.indexOf(word);
    }
    return codes[key];
  };
  const patchesOf = ({ width, height, data }) => {
    const size = width * height, label = new Uint8Array(size), seen = new Uint8Array(size), stack = new Int32Array(size), totals = new Array(32).fill(0), patches = [];
    for (let i = 0, at = 0; i < size; i++, at += 4) totals[(label[i] = data[at + 3] < 40 ? 0 : codeOf(data[at], data[at + 1], data[at + 2]))] += 1;
    for (let start = 0; start < size; start++) {
      const code = label[start];
      if (seen[start] || !code || totals[code] > size * GROUND) continue;
      let area = 0, left = width, right = 0, top = height, bottom = 0, waiting = 1;
      seen[start] = 1;
      stack[0] = start;
      const visit = (next) => {
        if (seen[next] || label[next] !== code) return;
        seen[next] = 1;
        stack[waiting++] = next;
      };
      const colours = new Map();
      while (waiting) {
        const i = stack[--waiting], x = i % width, y = (i - x) / width;
        area += 1;
        if (area < 64 || !(area & 7)) {
          const colour = (data[i * 4] << 16) | (data[i * 4 + 1] << 8) | data[i * 4 + 2];
          colours.set(colour, (colours.get(colour) ?? 0) + 1);
        }
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < top) top = y;
        if (y > bottom) bottom = y;
        if (x > 0) visit(i - 1);
        if (x < width - 1) visit(i + 1);
        if (y > 0) visit(i - width);
        if (y < height - 1) visit(i + width);
      }
      const isAcross = (left === 0 && right === width - 1) || (top === 0 && bottom === height - 1);
      if (area < SMALLEST || isAcross) continue;
      const [colour] = [...colours].sort((a, b) => b[1] - a[1])[0];
      const isHollow = label[((top + bottom) >> 1) * width + ((left + right) >> 1)] !== code;
      // Whether a place of the box, in shares of it, lies within the outline: something of it on all four sides.
      const within = (across, down) => {
        const x = left + Math.round(across * (right - left)), y = top + Math.round(down * (bottom - top));
        const meets = (from, step, upto) => {
          for (let i = from; i !== upto; i += step) if (label[i] === code) return true;
          return false;
        };
        const row = y * width;
        return meets(row + x, -1, row + left - 1) && meets(row + x, 1, row + right + 1) && meets(row + x, -width, (top - 1) * width + x) && meets(row + x, width, (bottom + 1) * width + x);
      };
      patches.push({ within, word: words[code], colour: `#${colour.toString(16).padStart(6, "0")}`, area, left, right: right + 1, top, bottom: bottom + 1, isHollow });
    }
    return patches;
  };
  // The soft edge or the outline of a shape is no shape of its own.
  const isEdgeOf = (patch, other) =>
    patch !== other && other.area > patch.area && ["left", "right", "top", "bottom"].every((side) => Math.abs(patch[side] - other[side]) <= NEAR);
  const isLetter = (patch, texts, scale) => texts.some(([x, y]) => {
    const across = (patch.left + patch.right) / 2 / scale - x, up = y - (patch.top + patch.bottom) / 2 / scale;
    return (patch.bottom - patch.top) / scale <= 26 && (patch.right - patch.left) / scale <= 26 && Math.abs(across) < 300 && up > -10 && up < 24;
  });
  // What a person has a name for, by places that lie within it (1) and those that do not (0).
  const OUTLINES = {
    heart: [[0.5, 0.04, 0], [0.25, 0.16, 1], [0.75, 0.16, 1], [0.5, 0.5, 1], [0.08, 0.75, 0], [0.92, 0.75, 0], [0.5, 0.88, 1]],
    star: [[0.5, 0.12, 1], [0.15, 0.15, 0], [0.85, 0.15, 0], [0.5, 0.5, 1], [0.12, 0.41, 1], [0.88, 0.41, 1], [0.05, 0.65, 0], [0.95, 0.65, 0], [0.5, 0.95, 0]],
    triangle: [[0.5, 0.15, 1], [0.15, 0.3, 0], [0.85, 0.3, 0], [0.5, 0.6, 1], [0.1, 0.95, 1], [0.5, 0.95, 1], [0.9, 0.95, 1]],
  };
  const SMALLEST_NAMED = 12, LARGEST_NAMED = 240; // pixels across
  const nameOf = ({ left, right, top, bottom, within }) => {
    const width = right - left, height = bottom - top;
    if (Math.min(width, height) < SMALLEST_NAMED || Math.max(width, height) > LARGEST_NAMED || width > height * 2 || height > width * 2) return "";
    return Object.keys(OUTLINES).find((name) => OUTLINES[name].every(([x, y, is]) => within(x, y) === Boolean(is))) ?? "";
  };
  const formOf = (patch) => {
    const { area, left, right, top, bottom, isHollow } = patch, name = nameOf(patch);
    if (name) return isHollow ? `hollow ${name}` : name;
    const width = right - left, height = bottom - top, share = area / (width * height), isEven = Math.abs(width - height) <= Math.max(2, width * 0.1);
    if (isHollow && share < 0.45) return isEven ? "ring" : "frame";
    if (share > 0.92) return "box";
    return isEven && Math.abs(share - Math.PI / 4) < 0.05 ? "disc" : "shape";
  };
  // In words, the largest first; places are of the middle, in CSS pixels of the canvas, as those of its texts.
  const shapesOn = (canvas, texts) => {
    let seen = null;
    try {
      seen = picture(canvas);
    } catch {
      return ""; // its pixels cannot be read
    }
    const patches = patchesOf(seen), box = boxOf(canvas), across = box.width / seen.width, down = box.height / seen.height;
    const shapes = patches.filter((patch) => !patches.some((other) => isEdgeOf(patch, other)) && !isLetter(patch, texts, seen.scale));
    const groups = new Map();
    for (const shape of shapes.sort((a, b) => b.area - a.area)) {
      const key = `${shape.word} ${formOf(shape)} ${shape.colour}`;
      (groups.get(key) ?? groups.set(key, []).get(key)).push(shape);
    }
    const said = [...groups].slice(0, MOST_GROUPS).map(([key, alike]) => {
      const places = alike.slice(0, MOST_PLACES).map(({ left, right, top, bottom }) =>
        `${Math.round((right - left) * across)}x${Math.round((bottom - top) * down)} at ${Math.round(((left + right) / 2) * across)},${Math.round(((top + bottom) / 2) * down)}`);
      return `${alike.length > 1 ? `${alike.length} ` : ""}${key} ${places.join(" and ")}${alike.length > MOST_PLACES ? " and more" : ""}`;
    });
    return said.join("; ");
  };
  Object.assign(observer.parts, { shapesOn });
  return true;
}
