// What an SVG shows besides its texts: shapes by colour, and where shapes stand at a scale, as bars and points
// of a chart do, the values that a person reads off. Runs in the isolated world, after looks.js.
() => {
  const observer = globalThis.appbenchObserver;
  const { SHAPES, boxOf, childrenOf, clip, localName, styleOf, textContent, wordOf } = observer.parts;

  const MOST_SHAPES = 600;
  const MOST_VALUES = 40;
  const SPREAD = 3;

  const isDrawn = (style) => style.display !== "none" && style.visibility === "visible" && Number(style.opacity) > 0;
  const shapesIn = (svg) => {
    const shapes = [], texts = [];
    const enter = (node) => {
      const tag = localName(node), style = styleOf(node);
      if (!isDrawn(style) || /^(defs|title|desc|clipPath|mask)$/.test(tag) || shapes.length + texts.length > MOST_SHAPES) return;
      if (tag === "text") texts.push({ text: clip(textContent(node), 40), box: boxOf(node) });
      else if (SHAPES.has(tag)) {
        const stroke = style.stroke !== "none" && parseFloat(style.strokeWidth) > 0 ? wordOf(style.stroke) : "";
        const fill = style.fill === "none" || Number(style.fillOpacity) === 0 ? "" : wordOf(style.fill);
        shapes.push({ tag, box: boxOf(node), fill: tag === "line" ? "" : fill, stroke, dash: stroke && style.strokeDasharray !== "none" ? "dashed or dotted" : "" });
      } else for (const child of childrenOf(node)) enter(child);
    };
    for (const child of childrenOf(svg)) enter(child);
    return { shapes, texts };
  };
  const tally = (items) => {
    const counts = new Map();
    for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  };
  const paintOf = ({ fill, stroke, dash }) => [fill, stroke && stroke !== fill && `${fill ? "with a " : ""}${stroke} ${fill ? "outline" : "line"}`, dash].filter(Boolean).join(" ");
  const shapeWords = (shapes) => {
    const byTag = new Map();
    for (const shape of shapes) (byTag.get(shape.tag) ?? byTag.set(shape.tag, []).get(shape.tag)).push(paintOf(shape));
    return [...byTag].map(([tag, paints]) => {
      const [first, ...others] = tally(paints);
      const said = others.length ? `: ${[first, ...others].slice(0, 6).map(([paint, count]) => `${count} ${paint || "unpainted"}`).join(", ")}` : ` ${first[0]}`;
      return `${paints.length} ${tag}${said.trimEnd()}`;
    });
  };

  // --- scales: numbers in a column or a row, and the line that fits them

  const middleX = (box) => box.left + box.width / 2;
  const middleY = (box) => box.top + box.height / 2;
  const numberOf = (text) => (/^[^\d-]{0,2}-?[\d.,]+\s?[^\d\s]{0,3}$/.test(text) ? Number(text.replace(/[^\d.-]/g, "")) : NaN);
  // A number stands at the middle of its text, or where a line beside it says.
  const scaleOf = (texts, shapes) => {
    const levels = shapes.filter(({ box }) => box.height < 2 && box.width > 2).map(({ box }) => middleY(box));
    const levelOf = (box) => levels.find((level) => Math.abs(level - middleY(box)) < box.height / 2) ?? middleY(box);
    const numbers = texts.map((one) => ({ ...one, value: numberOf(one.text), level: levelOf(one.box) })).filter(({ value }) => Number.isFinite(value));
    for (const edge of ["right", "left"]) {
      for (const { box } of numbers) {
        const column = numbers.filter((other) => Math.abs(other.box[edge] - box[edge]) < SPREAD);
        if (column.length < 3 || new Set(column.map(({ level }) => Math.round(level))).size < column.length) continue;
        const mean = (of) => column.reduce((sum, one) => sum + of(one), 0) / column.length;
        const y = mean(({ level }) => level), v = mean(({ value }) => value);
        const slope = mean(({ level, value }) => (level - y) * (value - v)) / mean(({ level }) => (level - y) ** 2);
        const fits = column.every(({ level, value }) => Math.abs(v + slope * (level - y) - value) < Math.abs(slope) * SPREAD);
        if (fits && slope < 0) return { valueAt: (at) => v + slope * (at - y), step: Math.abs(slope), marks: column };
      }
    }
    return null;
  };
  const rounded = (value, step) => Number(value.toFixed(Math.max(0, Math.min(3, Math.ceil(-Math.log10(step))))));
  // The texts that stand in one row below the chart, each under its place.
  const labelsBelow = (texts, bottom) => {
    const below = texts.filter(({ box }) => middleY(box) > bottom);
    const rows = tally(below.map(({ box }) => Math.round(middleY(box) / SPREAD)));
    return rows.length ? below.filter(({ box }) => Math.abs(Math.round(middleY(box) / SPREAD) - rows[0][0]) <= 1) : [];
  };
  const nearest = (labels, x, within) => labels.map((label) => [Math.abs(middleX(label.box) - x), label]).filter(([far]) => far <= within).sort((a, b) => a[0] - b[0])[0]?.[1];
  const barsAmong = (shapes) => {
    const upright = shapes.filter(({ tag, box }) => tag === "rect" && box.width > 1 && box.height > 0);
    for (const { box } of upright) {
      const bars = upright.filter((other) => Math.abs(other.box.width - box.width) < 1 && Math.abs(other.box.bottom - box.bottom) < SPREAD);
      if (bars.length >= 3 && new Set(bars.map((one) => Math.round(one.box.left))).size === bars.length) return bars;
    }
    return [];
  };
  const usual = (items) => tally(items)[0]?.[0];
  const barWords = (bars, scale, labels, others) => {
    const paint = usual(bars.map(paintOf)), width = bars[0].box.width;
    const values = bars.slice(0, MOST_VALUES).map((bar) => {
      const label = nearest(labels, middleX(bar.box), width), own = paintOf(bar);
      const value = scale ? rounded(scale.valueAt(bar.box.top), scale.step) : `${Math.round(bar.box.height)}px`;
      const above = others.filter(({ box }) => Math.abs(middleX(box) - middleX(bar.box)) < width / 2 && box.bottom <= bar.box.top + SPREAD && bar.box.top - box.bottom < 24);
      return [label?.text ?? "?", value, own !== paint && own, ...above.map(({ text }) => JSON.stringify(text))].filter((part) => part !== false).join(" ");
    });
    return `${bars.length} bars ${paint}${scale ? ", about" : ", heights"}: ${values.join(", ")}`;
  };
  const pointWords = (shapes, scale, labels) => {
    const series = new Map();
    for (const shape of shapes) {
      if (shape.tag !== "circle" && shape.tag !== "ellipse") continue;
      const key = shape.stroke || shape.fill;
      (series.get(key) ?? series.set(key, []).get(key)).push(shape);
    }
    return [...series].filter(([, points]) => points.length >= 3 && points.length <= MOST_VALUES).map(([paint, points]) => {
      const values = points.map(({ box }) => `${nearest(labels, middleX(box), 30)?.text ?? "?"} ${rounded(scale.valueAt(middleY(box)), scale.step)}`);
      return `${points.length} ${paint} points, about: ${values.join(", ")}`;
    });
  };
  // The parts of what an SVG shows, and the texts that are not told with them.
  const chartOf = (svg) => {
    const { shapes, texts } = shapesIn(svg), scale = scaleOf(texts, shapes), bars = barsAmong(shapes);
    const bottom = bars.length ? bars[0].box.bottom - 1 : scale ? Math.max(...scale.marks.map(({ box }) => middleY(box))) : Infinity;
    const labels = labelsBelow(texts, bottom), marks = new Set([...(scale?.marks ?? []), ...(bars.length || scale ? labels : [])]);
    const others = texts.filter((text) => ![...marks].some((mark) => mark.box === text.box));
    const parts = [];
    if (bars.length) parts.push(barWords(bars, scale, labels, others));
    if (scale && !bars.length) parts.push(...pointWords(shapes, scale, labels));
    if (scale) parts.push(`scale ${scale.marks.map(({ value }) => value).sort((a, b) => a - b).join(" ")}`);
    const isTold = parts.length > 0;
    return { shapes: shapeWords(shapes.filter((shape) => !bars.includes(shape))), parts, texts: (isTold && (bars.length || parts.length > 1) ? others : texts).map(({ text }) => text) };
  };
  Object.assign(observer.parts, { chartOf });
  return true;
}
