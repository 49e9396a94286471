// Where one is, and the keys that go elsewhere.

// Where one is

const title = document.title;
let listed = "#", last = null;
const route = () => {
  const asked = read(), row = asked.task !== undefined && place.get(asked.task);
  if (row) { last = row; open(row, asked); return; }
  wanted += 1;
  const came = opened && last;
  opened = "";
  player = null;
  document.title = title;
  task.hidden = true;
  task.replaceChildren();
  $("overview").hidden = false;
  restate(asked);
  listed = location.hash || "#";
  if (came) {
    while (!came.element?.isConnected && state.drawn < state.found.length) draw(state.drawn + BATCH);
    const link = came.element?.isConnected && came.element.querySelector("a");
    if (link) { link.focus(); link.scrollIntoView({ block: "center" }); }
  } else if (asked.q || asked.only) $("tasks").scrollIntoView();
};
addEventListener("hashchange", route);
task.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  // The same address again gives no event, but the reader wants to be taken there all the same.
  if (link && link.hash === location.hash) route();
});

// Keys

const walk = (by) => {
  const at = body.contains(document.activeElement) ? [...body.rows].indexOf(document.activeElement.closest("tr")) : -1;
  const next = at < 0 ? 0 : at + by;
  if (next < 0) return;
  if (next >= state.drawn) draw(state.drawn + BATCH);
  body.rows[next]?.querySelector("a").focus();
};
const keys = () => $("help").showModal();
$("keys").addEventListener("click", keys);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  if (event.target === input) {
    if (event.key === "Escape" || event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      if (event.key === "Escape" && input.value) { input.value = ""; input.dispatchEvent(new Event("input")); } else if (event.key === "Escape") input.blur();
      else walk(1);
    }
    return;
  }
  const within = !task.hidden, scrolls = event.target.matches?.("pre, .stage, .track *, .wide");
  const act = {
    "/": () => { if (within) location.hash = listed; input.focus(); input.select(); },
    "?": keys,
    Escape: () => { if (within) location.hash = listed; },
    j: () => (within ? task.querySelector("[rel=next]")?.click() : walk(1)),
    k: () => (within ? task.querySelector("[rel=prev]")?.click() : walk(-1)),
    ArrowDown: !within && body.contains(event.target) && (() => walk(1)),
    ArrowUp: !within && body.contains(event.target) && (() => walk(-1)),
    l: within && player && (() => show(player.at + 1)),
    h: within && player && (() => show(player.at - 1)),
    ArrowRight: within && player && (!scrolls || event.target.matches(".track *, .stage")) && (() => show(player.at + 1)),
    ArrowLeft: within && player && (!scrolls || event.target.matches(".track *, .stage")) && (() => show(player.at - 1)),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

route();
