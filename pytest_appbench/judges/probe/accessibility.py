"""What axe-core finds on the page as it first shows: evidence, never a score.

It runs in the isolated world, where the app cannot reach it, and knows nothing of tasks or checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_appbench.browser.errors import ScriptFailed
from pytest_appbench.judges.verdict import Finding

if TYPE_CHECKING:
    from pytest_appbench.browser.session import Session

SECONDS = 15.0
MOST_ELEMENTS = 2500
"""On a page with more of them, axe-core takes longer than anybody waits for a note."""
_COUNT = "() => Document.prototype.getElementsByTagName.call(document, '*').length"

# The script puts `axe` on the global object of the world that it runs in.
_RUN = """async (options) => {
  const { violations } = await globalThis.axe.run(document, options);
  return violations.map(({ id, impact, help, nodes }) => (
    { id, impact, help, count: nodes.length, target: String(nodes[0]?.target ?? "") }
  ));
}"""
_OPTIONS = {"resultTypes": ["violations"], "iframes": False}


def check_accessibility(session: Session) -> list[Finding]:
    """Run axe-core on the page.

    Args:
        session: A page that shows the app.

    Returns:
        A note for each rule that is violated: its id, impact, one place and how many there are.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    elements = session.evaluate(_COUNT)
    if elements > MOST_ELEMENTS:
        text = f"axe-core was not run: the page holds {elements:,} elements"
        return [Finding(kind="axe", severity="note", text=text)]
    try:
        session.evaluate(f"() => {{ {AXE_SCRIPT} }}", timeout=SECONDS)
        violations = session.evaluate(_RUN, _OPTIONS, timeout=SECONDS)
    except ScriptFailed as error:
        text = f"axe-core could not examine the page: {str(error).splitlines()[0]}"
        return [Finding(kind="axe", severity="note", text=text)]
    return [
        Finding(
            kind="axe",
            severity="note",
            text=f"{found['id']} ({found['impact']}): {found['help']}; "
            f"{found['count']} in all, such as {found['target']}",
        )
        for found in violations
    ]
