(() => {
  "use strict";
  const NAMES = ["Start", "Control 1", "Control 2", "End"];
  const FIRST = [50, 250, 150, 50, 350, 50, 450, 250];
  const LIMIT = [500, 300];
  const ARROWS = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] };

  const board = document.querySelector("svg");
  const caption = document.querySelector("figcaption");
  const slider = document.querySelector("#t");
  const shown = document.querySelector(".shown");

  // The eight coordinates; every entry of `past` is an earlier set of eight.
  let now = [...FIRST];
  let past = [];
  let drag = null;

  function add(tag, attributes, parent = board) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  const ties = [add("line", { class: "tie" }), add("line", { class: "tie" })];
  const curve = add("path", { class: "curve" });
  const dot = add("circle", { class: "dot", r: 6 });
  const handles = NAMES.map((name, index) => {
    const group = add("g", {
      class: index % 3 ? "handle control" : "handle",
      tabindex: 0,
      role: "slider",
      "aria-label": name,
      "aria-valuemin": 0,
      "aria-valuemax": LIMIT[0],
    });
    add("circle", { r: 10 }, group);
    add("text", { x: 15, y: 5, "aria-hidden": true }, group).textContent = name;
    return group;
  });
  const lines = [0, 1, 2].map(() => caption.appendChild(document.createElement("div")));

  /** The point at `t` by de Casteljau: halve the polygon's sides until one point is left. */
  function at(t) {
    let points = [0, 2, 4, 6].map((i) => [now[i], now[i + 1]]);
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], i) => [
        points[i][0] + (x - points[i][0]) * t,
        points[i][1] + (y - points[i][1]) * t,
      ]);
    }
    return points[0];
  }

  function length() {
    let sum = 0;
    let before = at(0);
    for (let i = 1; i <= 1500; i += 1) {
      const here = at(i / 1500);
      sum += Math.hypot(here[0] - before[0], here[1] - before[1]);
      before = here;
    }
    return sum;
  }

  function draw() {
    const [ax, ay, bx, by, cx, cy, dx, dy] = now;
    const d = `M ${ax} ${ay} C ${bx} ${by}, ${cx} ${cy}, ${dx} ${dy}`;
    curve.setAttribute("d", d);
    [[ax, ay, bx, by], [dx, dy, cx, cy]].forEach((ends, i) => {
      ["x1", "y1", "x2", "y2"].forEach((key, k) => ties[i].setAttribute(key, ends[k]));
    });
    handles.forEach((handle, i) => {
      const [x, y] = [now[2 * i], now[2 * i + 1]];
      handle.setAttribute("transform", `translate(${x} ${y})`);
      // Near the right border the name changes sides.
      const flip = x > 410;
      handle.lastChild.setAttribute("x", flip ? -15 : 15);
      handle.lastChild.setAttribute("text-anchor", flip ? "end" : "start");
      handle.setAttribute("aria-valuenow", x);
      handle.setAttribute("aria-valuetext", `${x}, ${y}`);
    });
    const t = Number(slider.value);
    const [px, py] = at(t);
    dot.setAttribute("transform", `translate(${px} ${py})`);
    shown.textContent = t.toFixed(2);
    lines[0].textContent = `Path: ${d}`;
    lines[1].textContent = `Length: ${Math.round(length())}`;
    lines[2].textContent = `Point: (${px.toFixed(1)}, ${py.toFixed(1)})`;
  }

  /** Puts handle `index` at a place inside the area, in whole units; tells whether it moved. */
  function place(index, x, y) {
    const next = [...now];
    [x, y].forEach((value, axis) => {
      next[2 * index + axis] = Math.min(LIMIT[axis], Math.max(0, Math.round(value)));
    });
    const moved = next.some((value, i) => value !== now[i]);
    now = next;
    if (moved) draw();
    return moved;
  }

  function toUnits(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  handles.forEach((handle, index) => {
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || drag) return;
      const [x, y] = toUnits(event);
      // Where on the handle it was grabbed, so that it does not jump under the pointer.
      drag = { before: now, offset: [now[2 * index] - x, now[2 * index + 1] - y] };
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!drag || !handle.hasPointerCapture(event.pointerId)) return;
      const [x, y] = toUnits(event);
      place(index, x + drag.offset[0], y + drag.offset[1]);
    });
    handle.addEventListener("lostpointercapture", () => {
      if (drag?.before.some((value, i) => value !== now[i])) past.push(drag.before);
      drag = null;
    });
    handle.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      const before = now;
      // A key held down repeats, but it is one press to take back.
      if (place(index, now[2 * index] + step[0], now[2 * index + 1] + step[1]) && !event.repeat) past.push(before);
    });
  });

  slider.addEventListener("input", draw);
  document.querySelector(".undo").addEventListener("click", () => {
    now = past.pop() ?? now;
    draw();
  });
  document.querySelector(".reset").addEventListener("click", () => {
    now = [...FIRST];
    past = [];
    slider.value = 0.5;
    draw();
  });
  draw();
})();
