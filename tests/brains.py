"""Scripted judges for the loopback provider: small state machines that really use the app.

They know nothing of a particular app. What they conclude comes from what they were shown, and every
quote is copied from it, as the harness demands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from provider import Answer, Conversation, ToolUse

USE = """
const seen = await app.look();
const refs = [...new Set(seen.match(/\\be\\d+\\b/g) ?? [])].slice(0, 6);
for (const ref of refs) {
  try { print(ref, (await app.click(ref)).changed); } catch (error) { print(ref, String(error)); }
}
return refs.length;
"""
STEP = re.compile(r"^#(\d+) (\w+) (.*?): (.+)$", re.MULTILINE)


def clicker(conversation: Conversation) -> Answer:
    """A judge that tests with one script, looks again, and passes whatever changed when used.

    Args:
        conversation: What it was sent.
    """
    if "submit_verdict" not in {tool["name"] for tool in conversation.tools}:
        return Answer("I judge apps; I am not asked to.")
    if conversation.turn == 1 and has(conversation, "script"):
        return Answer(tools=[ToolUse("script", {"code": USE})])
    if conversation.turn == 2 and has(conversation, "look"):
        return Answer(tools=[ToolUse("look", {})])
    return Answer(tools=[ToolUse("submit_verdict", concluded(conversation))])


def has(conversation: Conversation, tool: str) -> bool:
    """Whether the judge has a tool."""
    return tool in {one["name"] for one in conversation.tools}


def clicks(conversation: Conversation) -> list[tuple[str, str]]:
    """Number and effect of every click that it was shown."""
    said = conversation.everything.partition(conversation.system)[2]
    return [(n, changed) for n, action, _, changed in STEP.findall(said) if action == "click"]


def source(conversation: Conversation) -> dict[str, str]:
    """A citation of the first line of the app's page that is long enough to be found."""
    said = conversation.everything
    title = re.search(r"<title>[^<]{3,80}</title>", said, re.IGNORECASE)
    quote = title.group() if title else "<html"
    return {"source": "file", "where": "index.html", "quote": quote}


def first_look(conversation: Conversation) -> dict[str, str]:
    """A citation of the first look at the app."""
    found = re.search(r"Step (\d+), window [^\n]*\n=== [^\n]*\n([^\n]*)", conversation.everything)
    assert found, "no look was shown"
    return {"source": "step", "where": found.group(1), "quote": found.group(2)[:80]}


def concluded(conversation: Conversation, **changes: Any) -> dict[str, Any]:
    """A verdict from what was seen: dynamic is high when a click changed something."""
    browse, code = has(conversation, "look"), has(conversation, "read_source")
    cited = source(conversation) if code else first_look(conversation)
    dynamic, score, reason = [cited], 0.9, "the source handles the events"
    if browse:
        used = clicks(conversation)
        working = [one for one in used if "no visible change" not in one[1]]
        number, changed = (working or used or [("1", "no control was found")])[0]
        dynamic = [{"source": "step", "where": number, "quote": changed[:80]}]
        score = 0.95 if working else 0.1
        reason = f"{len(working)} of {len(used)} clicks changed something"
    return {
        "intention": {"score": 0.9, "reason": "the title names it", "evidence": [cited]},
        "static": {"score": 0.85, "reason": "all parts are there", "evidence": [cited]},
        "dynamic": {"score": score, "reason": reason, "evidence": dynamic},
        **changes,
    }


def blind(conversation: Conversation) -> Answer:
    """A judge of both stages of the blind protocol.

    Args:
        conversation: What it was sent.
    """
    if has(conversation, "submit_description"):
        if conversation.turn == 1:
            return Answer(tools=[ToolUse("script", {"code": USE})])
        changed = "; ".join(effect for _, effect in clicks(conversation)) or "nothing changes"
        controls = [{"type": "button", "description": f"clicked: {changed}"}]
        described = {
            "page_summary": "A page with a heading and a button",
            "interactive_elements": controls,
        }
        return Answer(tools=[ToolUse("submit_description", described)])
    dead = "no visible change" in conversation.everything.partition(conversation.system)[2]
    quote = "no visible change" if dead else "became"
    given = {
        "completion_score": 0.2 if dead else 0.9,
        "reason": "nothing comes of a click" if dead else "clicks are counted",
        "evidence": [{"source": "description", "where": "interactive_elements", "quote": quote}],
    }
    return Answer(tools=[ToolUse("submit_comparison", given)])


def always(answer: Answer) -> Callable[[Conversation], Answer]:
    """A model that says the same whatever it is asked."""
    return lambda _: answer
