"""A reference stands for the thing it was given to, or for nothing: whatever an app does to its elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from browserkit import Visit
from pytest_appbench.browser.hands import Hands
from pytest_appbench.browser.session import Session

PAGE = """<!doctype html><title>List</title><ul></ul><script>
const list = document.querySelector("ul")
const made = ({ text, done }) => {
  const item = document.createElement("li")
  item.innerHTML = `<input type=checkbox ${done ? "checked" : ""}><button>${text}</button>`
  return item
}
globalThis.ways = {
  // as an app does that holds no elements: everything is drawn anew
  anew: (items) => { list.innerHTML = items.map((item) => made(item).outerHTML).join("") },
  // as one does that keeps its elements by key, such as React
  keyed: (items) => {
    const old = new Map([...list.children].map((node) => [node.key, node]))
    list.replaceChildren(...items.map((item) => {
      const node = old.get(item.key) ?? Object.assign(made(item), { key: item.key })
      node.querySelector("input").checked = item.done
      return node
    }))
  },
}
</script>"""
DRAW = "([way, items]) => globalThis.ways[way](items)"
PLACES = """() => {
  const { find, elements } = globalThis.appbenchObserver.parts
  const buttons = [...document.querySelectorAll("li button")]
  return [...elements.keys()].map((ref) => [ref, buttons.indexOf(find(ref))])
}"""
STEP = st.tuples(
    st.sampled_from(["insert", "delete", "toggle", "move", "nothing"]),
    st.integers(0, 20),
    st.integers(0, 20),
    st.sampled_from(["Milk", "Bread", "Milk 2", "Eggs"]),
)


@dataclass
class Items:
    """What the app holds; a key is a thing's identity, which no page shows."""

    keys: count[int] = field(default_factory=count)
    all: list[dict[str, object]] = field(default_factory=list)

    def insert(self, at: int, text: str) -> None:
        self.all.insert(
            at % (len(self.all) + 1), {"key": next(self.keys), "text": text, "done": False}
        )

    def step(self, name: str, one: int, other: int, text: str) -> None:
        if name == "insert":
            self.insert(one, text)
        elif self.all and name != "nothing":
            item = self.all[one % len(self.all)]
            if name == "delete":
                self.all.remove(item)
            elif name == "toggle":
                item["done"] = not item["done"]
            elif sum(each["text"] == item["text"] for each in self.all) == 1:
                # Of twins nobody could tell which of them moved.
                self.all.remove(item)
                self.all.insert(other % (len(self.all) + 1), item)


def draw(session: Session, way: str, items: Items) -> None:
    with session.bounded(5):
        session.page.evaluate(DRAW, [way, items.all])


@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    first=st.lists(st.sampled_from(["Milk", "Bread", "Eggs"]), min_size=1, max_size=5),
    way=st.sampled_from(["anew", "keyed"]),
    steps=st.lists(STEP, max_size=7),
)
def test_a_reference_never_passes_to_another_thing(
    visit: Visit, first: list[str], way: str, steps: list[tuple[str, int, int, str]]
) -> None:
    session, items = visit(PAGE), Items()
    for text in first:
        items.insert(len(items.all), text)
    draw(session, way, items)
    hands, given_to = Hands(session, session.url), dict[str, object]()
    hands.call("look", [])
    for step in [("nothing", 0, 0, ""), *steps]:
        items.step(*step)
        draw(session, way, items)
        hands.call("look", [])
        for ref, place in session.evaluate(PLACES):
            if place >= 0:
                key = items.all[place]["key"]
                assert given_to.setdefault(ref, key) == key, (ref, step)
