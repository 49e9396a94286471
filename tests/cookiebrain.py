"""A scripted model for the protocol `cookie`: it tests what a request asks for, and weighs that.

It knows the requests of the shipped tasks, as anybody does who reads them, and nothing of the apps.
Each test is a script that acts on the page and prints what came out, OK or WRONG; what is deducted
follows from these lines alone.
"""

from __future__ import annotations

import re
from typing import Any

from provider import Answer, Conversation, ToolUse

HELPERS = """
const text = async () => (await app.look({ full: true }));
const told = (name, ok, seen) => print(ok ? "OK" : "WRONG", name + ":", seen);
const tried = async (name, test) => {
  try { const [ok, seen] = await test(); told(name, ok, seen); } catch (error) { told(name, false, String(error).slice(0, 150)); }
};
const body = async () => String(await app.evaluate("() => document.body.innerText")).replace(/\\s+/g, " ");
"""
TESTS = {
    "Tide Hall": """
for (const name of ["Tickets", "Exhibits", "Visit"]) await tried("link " + name, async () => {
  await app.evaluate("() => scrollTo(0, 0)");
  await app.click({ role: "link", name });
  const top = await app.evaluate(`() => [...document.querySelectorAll("h2")].find((h) => h.textContent.trim() === "${name}").getBoundingClientRect().top`);
  return [top >= 0 && top < innerHeight(), "its heading is at " + Math.round(top)];
});
function innerHeight() { return 420; }
await tried("hours", async () => {
  const said = await body();
  return [/Sunday 11:00 to 18:00/.test(said) && /Friday 10:00 to 17:00/.test(said), said.slice(said.indexOf("Saturday"), said.indexOf("Saturday") + 50)];
});
""",
    "pour-over": """
for (const [strength, ratio] of [["Light (1:17)", 17], ["Strong (1:15)", 15]]) await tried("water " + strength, async () => {
  await app.select({ label: "Strength" }, strength);
  const said = await body();
  return [said.includes(`Water: ${20 * ratio} g`), said.match(/Water: \\d+ g/)?.[0]];
});
const time = async () => (await body()).match(/(?<![\\d:(])\\d:\\d\\d/)[0];
await app.click({ role: "button", name: "Start" });
await app.advance(20300);
const before = await time();
await app.click({ role: "button", name: "Pause" });
await app.advance(30000);
await tried("pause", async () => { const now = await time(); return [now.slice(0, 3) === before.slice(0, 3), before + " became " + now]; });
""",
    "two colours": """
const lum = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16) / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
for (const [one, two] of [["#1d3557", "#f1faee"], ["#777777", "#ffffff"]]) await tried(one + " on " + two, async () => {
  await app.fill({ label: "Text colour" }, one);
  await app.fill({ label: "Background" }, two);
  const [low, high] = [lum(one), lum(two)].sort((a, b) => a - b);
  const said = (await body()).match(/Contrast: ([\\d.]+)/)?.[1];
  return [Math.abs(said - (high + 0.05) / (low + 0.05)) < 0.011, said];
});
await tried("swap", async () => {
  await app.click({ role: "button", name: "Swap" });
  const value = (await app.read({ label: "Background" })).value;
  return [value === "#777777", value];
});
""",
    "一席茶": """
await app.scroll([0, 900]);
await tried("table", async () => { const said = await body(); return [/100 ?℃/.test(said), said.slice(-60)]; });
""",
    "分账": """
for (const [service, each] of [["10%", "66.00"], ["15%", "69.00"], ["0%", "60.00"]]) await tried("每人 " + service, async () => {
  await app.select({ label: "服务费" }, service);
  const said = (await body()).match(/每人：([\\d.]+)/)?.[1];
  return [said === each, said];
});
await tried("加一人", async () => {
  await app.click({ role: "button", name: "加一人" });
  const said = (await body()).match(/每人：([\\d.]+)/)?.[1];
  return [said === "48.00", said];
});
""",
    "成语接龙": """
const facts = async () => (await body()).match(/得分：(\\d+).*生命：(\\d+)/).slice(1).join(" ");
await app.click({ role: "button", name: "意气风发" });
await tried("right", async () => { const now = await facts(); return [now === "1 3", now]; });
const names = (await app.readAll({ role: "button" })).map((one) => one.name).filter((name) => !/发扬光大|再来/.test(name));
await app.click({ role: "button", name: names[0] });
await tried("wrong costs a life", async () => { const now = await facts(); return [now === "1 2", now]; });
await app.click({ role: "button", name: "再来一局" });
await tried("again", async () => { const now = await facts(); return [now === "0 3", now]; });
""",
}
WRONG = re.compile(r"^WRONG .+$", re.MULTILINE)
SCRIPT = re.compile(r"^Step (\d+), what a script", re.MULTILINE)
DONE = re.compile(r"^#(\d+) (?:click|select|scroll|fill) [^\n]*?: ([^\n]{3,60})", re.MULTILINE)
MERITS = ["hierarchy", "palette", "small-window"]
L1 = "L1 wrong-language is deducted already"


def brain(conversation: Conversation) -> Answer:
    """All three stages.

    Args:
        conversation: What it was sent.
    """
    names = {tool["name"] for tool in conversation.tools}
    if "submit_impression" in names:
        return Answer(tools=[ToolUse("submit_impression", impression(conversation))])
    if "submit_record" in names:
        return used(conversation)
    return Answer(tools=[ToolUse("submit_scores", scores(conversation))])


def taken(conversation: Conversation) -> float:
    """What the harness has deducted by itself."""
    return 2.0 if L1 in conversation.system else 0.0


def impression(conversation: Conversation, *deductions: dict[str, Any]) -> dict[str, Any]:
    """A first impression: complete and clean, but for given problems of functionality."""
    lost = taken(conversation) + sum(one["points"] for one in deductions)
    return {
        "summary": "It looks complete.",
        "functionality": {"level": "complete", "deductions": [*deductions], "score": 8 - lost},
        "aesthetics": {"level": "professional", "merits": MERITS, "score": 6.5},
    }


def used(conversation: Conversation) -> Answer:
    """Runs the tests of the request, looks at a phone's window, and gives account."""
    if conversation.turn == 1:
        request = conversation.everything.partition(conversation.system)[2]
        (test,) = [code for words, code in TESTS.items() if words in request[:1500]]
        size = "await app.viewport(1000, 420);\n" if "link " in test else ""
        return Answer(tools=[ToolUse("script", {"code": HELPERS + size + test})])
    if conversation.turn == 2:
        return Answer(tools=[ToolUse("resize", {"width": 390, "height": 844})])
    tried = [{"what": "the request", "observed": "see the script", "outcome": "works"}]
    account = {"summary": "It was used as asked.", "tried": tried, "language": "see the page"}
    return Answer(tools=[ToolUse("submit_record", account)])


def scores(conversation: Conversation, **changes: Any) -> dict[str, Any]:
    """A point and a half off for each line that says WRONG, with that line as evidence."""
    said = conversation.everything.partition(conversation.system)[2]
    step = SCRIPT.search(said)
    assert step, "the scorer was shown no script"
    wrong = list(dict.fromkeys(WRONG.findall(said)))
    lost = [
        {
            "kind": "feature-wrong",
            "points": 1.5,
            "what": line.removeprefix("WRONG "),
            "evidence": [{"source": "step", "where": step.group(1), "quote": line[:60]}],
        }
        for line in wrong
    ]
    done = DONE.search(said)
    assert done, "the scorer was shown no action"
    cited = [{"source": "step", "where": done.group(1), "quote": done.group(2)}]
    total = max(0.0, 8 - taken(conversation) - 1.5 * len(lost))
    return {
        "settled": [],
        "functionality": {
            "level": "complete",
            "deductions": lost,
            "score": total,
            "reason": f"{len(lost)} of its tests failed",
            "evidence": cited,
        },
        "aesthetics": {
            "level": "professional",
            "merits": ["response"],
            "score": 7.0,
            "reason": "calm and clear in both windows",
            "evidence": cited,
        },
        **changes,
    }
