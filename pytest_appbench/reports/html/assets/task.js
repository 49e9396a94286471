// The page of a task: its verdict, its reasons, and the player of its steps.

const unpacked = async (index) => {
  const bytes = Uint8Array.from(atob($(`d${index}`).textContent), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const image = (picture, words) => {
  const source = picture.u ?? `data:image/${picture.t};base64,${$(`p${picture.i}`).textContent}`;
  const shown = el("img", { src: source, alt: words, loading: "lazy" });
  shown.addEventListener("error", () => shown.replaceWith(el("p", { class: "muted" }, `The picture ${picture.n} is not beside the report any more.`)), { once: true });
  return shown;
};

const bar = (value, threshold) => svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
  svg("path", { class: "axis", d: "M0 5H100" }),
  value > 0 && svg("path", { class: "range", d: `M0 5H${value * 100}` }),
  svg("path", { class: "threshold", d: `M${threshold * 100} 0V10` }));

const scores = (part) => {
  const given = SCORES.map((name) => [name, part.sc?.[name]]).filter(([, value]) => value !== null && value !== undefined);
  if (part.x !== null && part.x !== undefined) given.push(["score", part.x]);
  if (!given.length) return null;
  return el("dl", { class: "scores" }, given.map(([name, value]) =>
    el("div", { class: value + 1e-9 < part.th ? "low" : "" }, el("dt", {}, name), el("dd", {}, score(value), bar(value, part.th)))));
};

const cites = (evidence, link) => evidence.length > 0 && el("ul", { class: "cites" }, evidence.map(([source, where, quote]) => {
  const to = link(source, where);
  const name = bdi(source === "probe" ? where.replace(/^check_/, "").replaceAll("_", " ") : `${source} ${where}`);
  return el("li", { dir: "auto" }, to ? el("a", { href: to }, name) : name, " ", quote && el("q", {}, quote));
}));

const reasons = (part, link) => part.re.length > 0 && el("section", {},
  el("h2", {}, "Reasons"),
  el("ul", { class: "reasons" }, part.re.map((one) =>
    el("li", {}, el("div", { class: "said", dir: "auto" }, one.d && [el("b", {}, one.d), " "], one.x), cites(one.e, link)))));

const checks = (part, mark) => part.ch.length > 0 && el("section", {},
  el("h2", {}, `Checks: ${part.ch.filter((one) => one.o === "passed").length} of ${part.ch.length} passed`),
  el("ul", { class: "items" }, part.ch.map((one) => {
    const word = one.o === "passed" ? "pass" : "fail";
    return el("li", { "data-mark": mark("check", one.n) },
      el("span", {}, outcome(word)),
      el("div", {}, el("span", { dir: "auto" }, one.x), one.m && el("div", { class: "symptom pre", dir: "auto" }, one.m),
        el("small", {}, bdi(joined(one.d, one.n, one.w)))));
  })));

const apart = (part, mark, link) => [...new Set(part.pa.map((one) => one.k))].map((kind) => {
  const own = part.pa.filter((one) => one.k === kind);
  const count = (word) => own.filter((one) => one.o === word).length;
  const told = ["pass", "fail", "uncertain", "skip"].filter(count).map((word) => `${count(word)} ${word}`).join(", ");
  return el("section", {},
    el("h2", {}, `Each ${kind}: ${told}`),
    el("ul", { class: "items" }, own.map((one) =>
      el("li", { "data-mark": mark(kind, one.n) },
        el("span", {}, one.o === "skip" ? el("span", { class: "muted" }, "skip") : outcome(one.o)),
        el("div", {}, el("b", {}, bdi(one.n)), one.s !== null && ` ${one.s}`, one.x && el("div", { dir: "auto" }, one.x),
          one.m && el("div", { class: one.o === "fail" ? "symptom pre" : "pre", dir: "auto" }, one.m),
          joined(one.g, one.d) && el("small", {}, bdi(joined(one.g, one.d))), cites(one.e, link))))));
});

const findings = (part, mark, link) => (part.fi.length > 0 || part.at.length > 0) && el("section", {},
  el("h2", {}, "Findings"),
  el("ul", { class: "items" },
    part.fi.map((one) => el("li", { "data-mark": mark("finding", one.n) },
      el("span", { class: one.s === "fault" ? "word fail" : "muted" }, one.s),
      el("div", {}, el("b", {}, bdi(one.n)), el("div", { class: "pre", dir: "auto" }, one.x), cites(one.e, link)))),
    part.at.map((text) => el("li", {}, el("span", { class: "muted" }, "blocked"), el("div", {}, bdi(text))))));

const named = (items) => {
  let again = "";
  return items.map((item, index) => {
    if (item.k === "again") again = "r";
    return { ...item, id: again + (item.k === "action" ? item.n : item.k === "turn" ? `t${item.n}` : `${item.k}${index}`) };
  });
};

const stage = (items, at) => {
  const item = items[at], parts = [];
  const heading = (text) => parts.push(el("h3", {}, text));
  if (item.k === "turn") {
    parts.push(el("p", { class: "now" }, `Turn ${item.n}`));
    if (item.x) { heading("The judge said"); parts.push(el("div", { class: "pre", dir: "auto" }, item.x)); }
    for (const call of item.c) {
      heading(`The judge used ${call.n}`);
      if (call.a) parts.push(el("pre", { tabindex: "0", dir: "auto" }, call.a));
    }
    if (item.i !== null && item.i !== undefined) {
      heading("Tokens");
      parts.push(el("p", {}, `${number(item.i)} in${item.h ? ` (${number(item.h)} of them cached)` : ""}, ${number(item.o ?? 0)} out`));
    }
  } else if (item.k === "action") {
    parts.push(el("p", { class: "now", dir: "auto" }, `Step ${item.n}: ${item.a} `, bdi(item.w)));
    const seeing = ["look", "read", "readAll", "evaluate", "note"].includes(item.a);
    if (item.c) { heading(["look", "read", "readAll", "evaluate"].includes(item.a) ? "What was seen" : item.a === "note" ? "What was noted" : "What changed"); parts.push(el("div", { class: "pre", dir: "auto" }, seeing ? item.c : item.c.replaceAll("; ", "\n"))); }
    if (item.s) { heading("What the page said"); parts.push(el("pre", { tabindex: "0", dir: "auto" }, item.s.join("\n"))); }
    const seen = items.slice(0, at + 1).findLast((one) => one.p);
    if (seen === item && item.p.length > 1) {
      heading("While it moved");
      parts.push(el("div", { class: "strip" }, item.p.slice(0, -1).map((one, i) => image(one, `Step ${item.n}, frame ${i + 1}`))));
    }
    if (seen) parts.push(image(seen.p.at(-1), `The app after step ${seen.n}`), seen !== item && el("small", {}, `as it was after step ${seen.n}`));
    if (item.t) parts.push(el("p", { class: "muted" }, el("small", {}, `took ${item.t} s`)));
  } else {
    parts.push(el("p", { class: "now" }, item.k === "again" ? "Second judging" : "Note"));
    parts.push(el("p", {}, item.k === "again" ? "The app had addressed its judge; it was judged again with those words removed." : item.x));
  }
  return parts;
};

let player = null;
const show = (at, { follow = true, remembered = true } = {}) => {
  if (!player) return;
  player.at = Math.max(0, Math.min(player.items.length - 1, at));
  const { items, track, board, where } = player;
  board.replaceChildren(...stage(items, player.at).filter(Boolean));
  board.scrollTop = 0;
  where.textContent = `${player.at + 1} of ${items.length}`;
  player.back.disabled = player.at === 0;
  player.on.disabled = player.at === items.length - 1;
  track.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = track.children[player.at].firstChild;
  button.setAttribute("aria-current", "step");
  if (follow) track.scrollTop = button.offsetTop - track.clientHeight / 2;
  if (remembered) history.replaceState(null, "", address({ ...read(), step: items[player.at].id, mark: "" }));
};

const steps = (part) => {
  if (!part.st?.length) return null;
  const items = named(part.st);
  const label = (item) => item.k === "action" ? `${item.a} ${item.w}` : item.k === "turn" ? joined(`turn ${item.n}`, item.c.map((one) => one.n).join(", ") || "answer") : item.k === "again" ? "second judging" : "note";
  const track = el("ol", { class: "track", "aria-label": "Steps" }, items.map((item, index) =>
    el("li", {}, el("button", { type: "button", on: { click: () => show(index, { follow: false }) } },
      el("span", {}, item.k === "action" ? String(item.n) : ""),
      el("span", { class: item.k === "turn" ? "turn" : "" }, el("span", { dir: "auto" }, label(item)), item.k === "action" && item.c && el("span", { class: "muted", dir: "auto" }, item.c.split("\n", 1)[0].slice(0, 160)))))));
  const board = el("div", { class: "stage", role: "region", "aria-label": "The step", "aria-live": "polite", tabindex: "0" });
  const where = el("span", {});
  const back = el("button", { type: "button", "aria-keyshortcuts": "h ArrowLeft", on: { click: () => show(player.at - 1) } }, "Previous");
  const on = el("button", { type: "button", "aria-keyshortcuts": "l ArrowRight", on: { click: () => show(player.at + 1) } }, "Next");
  player = { items, track, board, where, back, on, at: 0 };
  return el("section", { "data-mark": "steps" }, el("h2", {}, "Steps"), el("div", { class: "controls" }, back, on, where), el("div", { class: "player" }, track, board));
};

const pictures = (part) => part.im?.length > 0 && el("section", {}, el("h2", {}, "Windows"),
  el("div", { class: "pictures" }, part.im.map((one) => el("figure", {}, image(one, `The app, ${one.n}`), el("figcaption", {}, one.n.replace(/\.\w+$/, "").replace(/^(\d+)x(\d+)$/, "$1 × $2"))))));

const files = (part, mark) => {
  const cited = new Map();
  for (const one of part.re ?? []) for (const [source, where, quote] of one.e) if (source === "file") cited.set(where, (cited.get(where) ?? new Set()).add(quote));
  return cited.size > 0 && el("section", {}, el("h2", {}, "Cited files"),
    el("ul", { class: "items" }, [...cited].map(([name, quotes]) => el("li", { "data-mark": mark("file", name) }, el("span", { class: "muted" }, "file"),
      el("div", {}, el("code", {}, bdi(name)), [...quotes].map((quote) => el("small", { dir: "auto" }, el("q", {}, quote))))))));
};

const facts = (detail, part, row) => {
  const usage = part.u, made = part.gen;
  const tokens = (one) => one && one.tokens_in !== null ? `${number(one.tokens_in)} in, ${number(one.tokens_out ?? 0)} out, ${one.cost_usd === null ? "at a cost that is not known" : money(one.cost_usd)}` : "";
  const shown = [
    ["judge", part.j && joined(part.j, part.m && part.m !== part.j && `model ${part.m}`, `protocol ${part.pr}`, `threshold ${part.th}`)],
    ["label", part.lb && `${part.lb}, by ${part.j}`], ["cause", part.ca],
    ["judging", usage && joined(`${part.t.toFixed(1)} s`, plural(usage.actions, "action"), usage.turns > 0 && plural(usage.turns, "turn"), tokens(usage))],
    ["kept", part.old && "the verdict was given in an earlier run"],
    ["cut short", part.cut && "a limit or a refusal ended it"],
    ["deviations", part.dv?.join(", ")],
    ["app", joined(part.g, part.f && part.f.slice(0, 12))], ["building", tokens(made)],
    ["guard", part.gu], ["sandbox", part.sb], ["reruns", part.r > 0 && String(part.r)],
    ["run", detail.run], ["evidence", part.ev],
  ].filter(([, value]) => value);
  const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return el("section", {}, el("h2", {}, "Particulars"),
    el("dl", { class: "plain-facts" }, shown.map(([name, value]) => [el("dt", {}, name), el("dd", {}, bdi(value))]),
      part.f && [el("dt", {}, "open the app"), el("dd", {}, el("code", {}, `appbench view ${quoted(detail.at)} ${quoted(row.k)}`))]));
};

const request = (detail) => el("section", {}, el("h2", {}, "Request"),
  detail.q ? el("blockquote", { dir: "auto" }, detail.q) : el("p", { class: "muted" }, "The records do not hold the request."),
  Object.keys(detail.ref).length > 0 && el("details", {}, el("summary", {}, "Reference, a guide for the judge"),
    Object.entries(detail.ref).map(([name, texts]) => [el("h3", {}, name), el("ul", {}, texts.map((text) => el("li", { dir: "auto" }, text)))])));

const verdict = (part) => {
  const by = part.j ? [", by ", el("strong", {}, bdi(part.j))] : [" of the harness, no verdict"];
  const label = part.lb && [", label ", el("strong", {}, bdi(part.lb))];
  const limit = part.j && el("small", {}, `threshold ${part.th}`);
  const own = part.fg?.length > 0 && el("p", { class: "muted" }, part.fg.map(([of, value]) => `${of} ${+value.toFixed(4)}`).join(" · "));
  return [el("p", { class: "verdict" }, outcome(part.o), label, by, limit), scores(part), own, part.err && el("pre", { class: "pre", dir: "auto" }, part.err)];
};

const name = (part) => part.a === 0 || (part.v === 0 && part.a <= 1) ? "all together" : joined(`attempt ${part.a}`, part.v > 0 && `judge ${part.v}`);
const tabs = (row, detail, chosen) => detail.p.length > 1 && el("nav", { "aria-label": "Attempts and judges" }, el("ul", { class: "parts" }, detail.p.map((part, index) =>
  el("li", {}, el("a", { href: address({ task: row.k, part: index || "" }), "aria-current": index === chosen && "page" }, index ? name(part) : "all together", part.j && ` (${part.j})`, `: ${part.o}`)))));

const whole = (row, detail, index, paired) => {
  const part = detail.p[index] ?? detail.p[0];
  const mark = (kind, of) => `${kind} ${of}`;
  const ids = new Set(named(part.st ?? []).map((one) => String(one.id)));
  const probed = new Set([...(part.ch ?? []).map((one) => mark("check", one.n)), ...(part.fi ?? []).map((one) => mark("finding", one.n))]);
  const link = (source, where) => {
    const base = { task: row.k, part: index || "" };
    if (source === "step") return ids.has(where) ? address({ ...base, step: where }) : null;
    if (source === "file") return address({ ...base, mark: mark("file", where) });
    const found = [mark("check", where), mark("finding", where)].find((one) => probed.has(one));
    return found ? address({ ...base, mark: found }) : null;
  };
  const asked = request(detail);
  return [
    tabs(row, detail, index),
    // Side by side, the verdict on the whole task stands above already.
    paired && !index ? asked : el("div", { class: "split" }, el("section", { "aria-label": "Verdict" }, verdict(part)), asked),
    part.j && [reasons(part, link), apart(part, mark, link), checks(part, mark), findings(part, mark, link)], pictures(part), steps(part), files(part, mark), facts(detail, part, row),
  ];
};

const beside = (shown) => {
  const column = (words, detail) => {
    const [part] = detail.p;
    const said = part.re?.map((one) => el("li", { class: "said", dir: "auto" }, one.d && [el("b", {}, one.d), " "], one.x));
    return el("section", {}, el("p", { class: "eyebrow" }, words, " ", bdi(detail.run)), verdict(part),
      said?.length > 0 && el("ul", { class: "reasons" }, said));
  };
  return el("section", { "aria-label": "Side by side" },
    el("div", { class: "pair" }, column("this run", shown.main), column("the other run", shown.other)));
};

let opened = "", wanted = 0;
const open = async (row, asked) => {
  const turn = ++wanted, part = Number(asked.part) || 0, key = `${row.k}\n${part}`;
  if (key !== opened) {
    const shown = await unpacked(row.index);
    if (turn !== wanted) return;
    player = null;
    const order = state.found.includes(row) ? state.found : rows, at = order.indexOf(row);
    const near = (step, words) => order[at + step] && el("a", { href: address({ task: order[at + step].k }), rel: step < 0 ? "prev" : "next" }, words);
    const title = el("h1", { tabindex: "-1" }, bdi(row.id));
    task.replaceChildren(
      el("nav", { class: "crumbs", "aria-label": "Tasks" }, el("a", { href: listed, class: "back" }, "All tasks"), near(-1, "Previous"), near(1, "Next"), el("span", {}, `${number(at + 1)} of ${number(order.length)}`)),
      title, el("p", { class: "meta" }, bdi(joined(row.d, row.s, row.l, row.k))),
      ...(shown.other ? [beside(shown)] : []), ...whole(row, shown.main, part, Boolean(shown.other)).flat(3).filter(Boolean));
    $("overview").hidden = true;
    task.hidden = false;
    document.title = `${row.id} · pytest-appbench`;
    opened = key;
    scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }
  task.querySelector(".marked")?.classList.remove("marked");
  if (player) {
    const at = player.items.findIndex((item) => String(item.id) === asked.step);
    show(at < 0 ? (player.at ?? 0) : at, { remembered: false });
    if (at >= 0) task.querySelector("[data-mark=steps]").scrollIntoView();
  }
  if (asked.mark) {
    const found = [...task.querySelectorAll("[data-mark]")].find((one) => one.dataset.mark === asked.mark);
    found?.classList.add("marked");
    found?.scrollIntoView({ block: "center" });
  }
};
