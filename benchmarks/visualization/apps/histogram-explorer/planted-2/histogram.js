const TEAL = "#0f766e";
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i; // keeps words such as Infinity out

const $ = (id) => document.getElementById(id);

function parse(text) {
  const words = text.replaceAll("−", "-").split(/[\s,;]+/).filter(Boolean);
  const numbers = words.filter((word) => NUMBER.test(word)).map(Number).filter(Number.isFinite);
  return { numbers, skipped: words.length - numbers.length };
}

function mean(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function deviation(numbers) {
  const centre = mean(numbers);
  const squares = numbers.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  return Math.sqrt(squares / (numbers.length - 1));
}

function makeBins(numbers, wanted) {
  if (numbers.length === 0) return [];
  const min = numbers.reduce((a, b) => Math.min(a, b));
  const max = numbers.reduce((a, b) => Math.max(a, b));
  if (min === max) return [{ from: min, to: max, count: numbers.length }];
  const width = (max - min) / wanted;
  const bins = Array.from({ length: wanted }, (_, i) => ({
    from: min + i * width,
    to: min + (i + 1) * width,
    count: 0,
  }));
  for (const x of numbers) {
    // The small amount makes up for edges such as 0.3 / 0.1 = 2.999…
    const index = Math.floor((x - min) / width + 1e-9);
    bins[Math.min(index, wanted - 1)].count += 1;
  }
  return bins;
}

function accumulate(bins) {
  let total = 0;
  return bins.map((bin) => ({ ...bin, count: (total += bin.count) }));
}

function edge(value) {
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 0.01)) return value.toExponential(2);
  return String(Number(value.toFixed(2)));
}

function tickStep(max) {
  const rough = Math.max(1, max / 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
}

function drawPicture(bins) {
  if (bins.length === 0) return;
  const canvas = $("picture");
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  const left = 48;
  const right = width - 20;
  const ground = height - 34;
  const top = 18;
  const highest = Math.max(...bins.map((bin) => bin.count));
  const y = (count) => ground - (count / highest) * (ground - top);

  pen.font = "12px Arial, 'DejaVu Sans', sans-serif";
  pen.textAlign = "right";
  const step = tickStep(highest);
  for (let count = 0; count <= highest; count += step) {
    pen.fillStyle = "#d5dae0";
    pen.fillRect(left, Math.round(y(count)), right - left, 1);
    pen.fillStyle = "#3b4653";
    pen.fillText(String(count), left - 8, y(count) + 4);
  }

  const slot = (right - left) / bins.length;
  pen.fillStyle = TEAL;
  bins.forEach((bin, i) => {
    const start = Math.round(left + i * slot);
    const end = Math.round(left + (i + 1) * slot);
    const above = Math.round(y(bin.count));
    pen.fillRect(start, above, end - start - 1, ground - above);
  });

  pen.fillStyle = "#1b2430";
  pen.fillRect(left, ground, right - left, 1.5);
  pen.textAlign = "center";
  const every = Math.ceil(46 / slot); // leave out edges that would overlap
  const edges = bins.length === 1 && bins[0].from === bins[0].to ? [] : bins.map((bin) => bin.from);
  if (edges.length) edges.push(bins.at(-1).to);
  else pen.fillText(edge(bins[0].from), (left + right) / 2, ground + 20);
  edges.forEach((value, i) => {
    if (i % every === 0) pen.fillText(edge(value), left + i * slot, ground + 20);
  });
}

function drawTable(bins) {
  $("rows").replaceChildren(
    ...bins.map((bin) => {
      const row = document.createElement("tr");
      for (const text of [edge(bin.from), edge(bin.to), bin.count]) {
        row.insertCell().textContent = text;
      }
      return row;
    }),
  );
}

function drawFigures(numbers, skipped) {
  const some = numbers.length > 0;
  const show = (value) => (Math.abs(value) < 1e15 ? value.toFixed(2) : value.toExponential(4));
  $("problem").textContent = some ? "" : "No data";
  $("numbers").textContent = `Numbers: ${numbers.length}`;
  $("skipped").textContent = `Skipped: ${skipped}`;
  $("mean").textContent = `Mean: ${some ? show(mean(numbers)) : "n/a"}`;
  $("median").textContent = `Median: ${some ? show(median(numbers)) : "n/a"}`;
  const spread = numbers.length > 1 ? show(deviation(numbers)) : "n/a";
  $("deviation").textContent = `Standard deviation: ${spread}`;
}

function update() {
  const { numbers, skipped } = parse($("data").value);
  const wanted = Number($("bins").value);
  const plain = makeBins(numbers, wanted);
  const bins = $("cumulative").checked ? accumulate(plain) : plain;
  $("bins-value").textContent = wanted;
  drawTable(bins);
  drawFigures(numbers, skipped);
  drawPicture(bins);
}

for (const id of ["data", "bins", "cumulative"]) $(id).addEventListener("input", update);
window.addEventListener("resize", update);
update();
