"""Finds bubblewrap, tries it, and writes the command line that makes the view of one process."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SYSTEM = tuple(
    Path(name)
    for name in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
)
"""Folders that every sandbox shows, read-only."""

# What programs need of /etc to find names, users, time zones, fonts and certificates; not the rest.
_ETC = (
    "alternatives",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "fonts",
    "group",
    "host.conf",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "pki",
    "protocols",
    "resolv.conf",
    "services",
    "ssl",
    "terminfo",
    "timezone",
)
_PRIVATE = (Path("/etc/ssl/private"), Path("/etc/pki/tls/private"))
_TMP_BYTES = 1_000_000_000
_TRY_SECONDS = 20


@dataclass(frozen=True)
class Bubblewrap:
    """The bubblewrap of this machine.

    Attributes:
        version: Such as `bubblewrap 0.8.0`; empty if there is none that works.
        program: Its path.
        problem: Why there is none that works.
        bounds_tmp: Whether it can bound the size of a folder in memory.
    """

    version: str = ""
    program: str = ""
    problem: str = ""
    bounds_tmp: bool = False


@dataclass(frozen=True)
class View:
    """What one process sees beside the system's programs.

    Attributes:
        workspace: The folder it starts in, writable.
        home: Its scratch home, writable.
        readonly: Files and folders that it may read.
        hidden: Folders that are covered where something that is shown holds them.
        network: Whether it may use the network.
    """

    workspace: Path
    home: Path
    readonly: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    network: bool = True


@cache
def find() -> Bubblewrap:
    """Find bubblewrap and try it once, for what a container or a kernel may forbid."""
    program = shutil.which("bwrap")
    if program is None:
        return Bubblewrap(problem="bwrap was not found; install bubblewrap (Linux only)")
    try:
        helped = _said(program, "--help")
        version = _said(program, "--version").stdout.strip() or "bubblewrap"
        found = Bubblewrap(version, program, bounds_tmp="--size " in helped.stdout + helped.stderr)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            tried = _said(*arguments(found, View(folder, folder)), "--", "/bin/sh", "-c", "exit 0")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Bubblewrap(problem=f"bwrap does not work here: {error}")
    if tried.returncode != 0:
        return Bubblewrap(problem=f"bwrap does not work here: {tried.stderr.strip()}")
    return found


def _said(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=_TRY_SECONDS)


def arguments(bubblewrap: Bubblewrap, view: View) -> list[str]:
    """The command line up to the command itself.

    Args:
        bubblewrap: The program and what it can do.
        view: What the process is to see.
    """
    line = [bubblewrap.program, "--unshare-user-try", "--unshare-pid", "--unshare-ipc"]
    line += ["--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    # Root could otherwise unmount what hides a folder.
    line += ["--cap-drop", "ALL"]
    if not view.network:
        line.append("--unshare-net")
    for folder in SYSTEM:
        if folder.is_symlink():
            line += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            line += ["--ro-bind", str(folder), str(folder)]
    for name in _ETC:
        line += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    line += ["--proc", "/proc", "--dev", "/dev", "--dir", "/run"]
    for temporary in ("/tmp", "/var/tmp"):
        line += ["--size", str(_TMP_BYTES)] if bubblewrap.bounds_tmp else []
        line += ["--tmpfs", temporary]
    mounts, covered = _mounts(view)
    line += mounts
    for folder in (*covered, Path("/")):
        line += ["--remount-ro", str(folder)]
    return [*line, "--chdir", str(view.workspace)]


def _mounts(view: View) -> tuple[list[str], list[Path]]:
    """What is shown and what is covered: of two places, one inside the other, the inner decides."""
    shown = {path: "--ro-bind" for path in view.readonly if path.exists() and not in_system(path)}
    shown |= {view.workspace: "--bind", view.home: "--bind"}
    visible = {*shown, *(path.resolve() for path in (*shown, *SYSTEM))}
    covered = {
        folder
        for folder in (path.resolve() for path in view.hidden)
        if folder.is_dir() and any(folder.is_relative_to(path) for path in visible)
    }
    covered |= {folder for folder in _PRIVATE if folder.is_dir()}
    covered -= {view.workspace, view.home}
    line: list[str] = []
    for path in sorted({*shown, *covered}, key=lambda path: (len(path.parts), path)):
        line += ["--tmpfs", str(path)] if path in covered else [shown[path], str(path), str(path)]
    return line, sorted(covered)


def in_system(path: Path) -> bool:
    """Whether every sandbox shows a place anyway.

    Args:
        path: An absolute path.
    """
    return any(path.is_relative_to(folder) for folder in SYSTEM)
