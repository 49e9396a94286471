"""Say what was found on this machine and what not."""

from __future__ import annotations

import argparse

from pytest_appbench.commands import count


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    del parser  # it takes no words


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.doctor import examine

    findings = examine()
    for finding in findings:
        print(
            f"{'ok     ' if finding.ok else finding.severity:<8} {finding.subject}: {finding.text}"
        )
    missing = [finding for finding in findings if finding.severity == "missing"]
    if missing:
        print(f"\n{count(len(missing), 'thing')} missing; tasks cannot run until this is mended.")
    else:
        print("\nReady: run `pytest` on a folder of task files.")
    return 1 if missing else 0
