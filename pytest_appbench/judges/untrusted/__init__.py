"""Content that came from an app, its maker or its build, on its way to a model.

It is fenced, made visible, searched for attempts to instruct the judge, and redacted on request.
This package knows texts only: no page, no model, no protocol.
"""

from __future__ import annotations

from pytest_appbench.judges.untrusted.detect import REMOVED, Span, detect, redact
from pytest_appbench.judges.untrusted.fence import Flag, Untrusted

__all__ = ["REMOVED", "Flag", "Span", "Untrusted", "detect", "redact"]
