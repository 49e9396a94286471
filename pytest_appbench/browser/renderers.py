"""Knows by its id which process draws a page, how much memory that holds, and how to end it.

Nothing in the DevTools protocol names a page's process. But a context's first page starts one, so
the renderer that came up since the page before is its own. Where that does not leave exactly one,
none is named: a process that might be another page's is never touched.
"""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Lock

import psutil

MOST_BYTES = 1 << 30
"""How much memory the renderer of one page may hold: several times what rich apps take."""


class Renderer:
    """The process that draws a page.

    Args:
        process: The process.
    """

    def __init__(self, process: psutil.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def held(self) -> int:
        """How much memory it holds, in bytes; 0 once it has ended."""
        with suppress(psutil.Error):
            return int(self._process.memory_info().rss)
        return 0

    def spent(self) -> float:
        """How much processor time it has had, in seconds; 0 once it has ended."""
        with suppress(psutil.Error):
            times = self._process.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def end(self) -> None:
        """End it. A process that was given its id afterwards is left alone."""
        with suppress(psutil.Error):
            self._process.kill()


class Renderers:
    """Tells which renderer is new. One serves all pages of a process."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._family = {os.getpid()}
        self._lock = Lock()

    def newest(self) -> Renderer | None:
        """The renderer below this process that came up since the last call, if it was one only."""
        with self._lock:
            present = set(psutil.pids())
            new, self._seen = present - self._seen, present
            self._family &= present
            found = [process for process in map(self._renderer, new) if process is not None]
        return Renderer(found[0]) if len(found) == 1 else None

    def _renderer(self, pid: int) -> psutil.Process | None:
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            # A fork that has not become another program yet shows its parent's command line.
            if "--type=renderer" in process.cmdline() and self._is_ours(process):
                return process
        return None

    def _is_ours(self, process: psutil.Process) -> bool:
        """Whether it descends from this process; remembers those that its likes descend from."""
        if process.ppid() not in self._family:
            above = [one.pid for one in process.parents()]
            if os.getpid() in above:
                self._family.update(above[: above.index(os.getpid())])
        return process.ppid() in self._family
