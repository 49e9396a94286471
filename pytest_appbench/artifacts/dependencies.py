"""The installed packages that builds share: put there once with npm, and only read afterwards.

A set of packages is named by its lock file and the machine. It is installed from pinned versions,
each checked against the hash in the lock file, and no script of any package is run. This is the
only step of a build that uses the network.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_appbench.errors import AppbenchError

NODE = ((20, 19), (22, 12))
"""The least Node.js of its release line, and the least of any later one."""

INSTALL_SECONDS = 600.0
"""For all packages together."""

_INSTALL = (
    "ci",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
)
_COMPLETE = "complete"
_QUOTED = 1_200


class DependenciesMissing(AppbenchError):
    """What builds need is not on this machine; no app is to blame for that."""


@dataclass(frozen=True)
class Node:
    """The Node.js of this machine.

    Attributes:
        program: Its path.
        version: Such as `v20.20.2`.
    """

    program: Path
    version: str


def node() -> Node:
    """Find Node.js.

    Raises:
        DependenciesMissing: There is none, or it is too old.
    """
    found = shutil.which("node")
    if found is None:
        raise DependenciesMissing(
            f"{_WANTED} is needed to build this app, and there is no `node` on PATH: install it "
            f"(https://nodejs.org), or leave such tasks out"
        )
    version = _version(found)
    match = re.match(r"v(\d+)\.(\d+)", version)
    given = (int(match[1]), int(match[2])) if match else (0, 0)
    first, later = NODE
    if not (given >= later or (given[0] == first[0] and given >= first)):
        raise DependenciesMissing(
            f"{_WANTED} is needed to build this app, and {found} is {version or 'broken'}: install "
            "a newer one (https://nodejs.org), or leave such tasks out"
        )
    return Node(Path(found), version)


_WANTED = f"Node.js {NODE[0][0]}.{NODE[0][1]} (or {NODE[1][0]}.{NODE[1][1]}) or newer"


@cache
def _version(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def place(manifest: Path, cache_dir: Path) -> Path:
    """Where a set of packages is kept.

    Args:
        manifest: A folder with `package.json` and `package-lock.json`.
        cache_dir: The cache directory.

    Returns:
        The folder; whether anything is installed there is another question.
    """
    whole = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for name in ("package.json", "package-lock.json"):
        whole.update((manifest / name).read_bytes())
    return cache_dir.resolve() / "dependencies" / whole.hexdigest()[:32]


def is_installed(manifest: Path, cache_dir: Path) -> bool:
    """Whether a set of packages is there, whole.

    Args:
        manifest: A folder with `package.json` and `package-lock.json`.
        cache_dir: The cache directory.
    """
    return (place(manifest, cache_dir) / _COMPLETE).is_file()


def installed(manifest: Path, cache_dir: Path) -> Path:
    """A set of packages, installed now if it is not there yet; safe for several processes.

    Args:
        manifest: A folder with `package.json` and `package-lock.json`.
        cache_dir: The cache directory.

    Returns:
        Its `node_modules`.

    Raises:
        DependenciesMissing: npm is not there, or could not install them.
    """
    folder = place(manifest, cache_dir)
    if not is_installed(manifest, cache_dir):
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder.with_suffix(".lock"), timeout=2 * INSTALL_SECONDS):
                if not is_installed(manifest, cache_dir):
                    _install(manifest, folder)
        except Timeout:
            raise DependenciesMissing(
                f"another process has held {folder.with_suffix('.lock')} for "
                f"{2 * INSTALL_SECONDS:.0f} s: end the one that hangs"
            ) from None
    return folder / "node_modules"


def _install(manifest: Path, folder: Path) -> None:
    """Install beside the place and move there at once, so that nobody sees half of it."""
    npm = shutil.which("npm")
    if npm is None:
        raise DependenciesMissing(
            "npm is needed to install what builds of apps share, and it is not on PATH: install it "
            "with Node.js (https://nodejs.org; Debian: apt-get install npm)"
        )
    draft = Path(tempfile.mkdtemp(prefix=".incoming-", dir=folder.parent))
    try:
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(manifest / name, draft / name)
        _npm(npm, draft)
        (draft / _COMPLETE).touch()
        _make_readonly(draft / "node_modules")
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _npm(npm: str, folder: Path) -> None:
    """Run npm as the user runs it: with their registry, proxy and credentials."""
    from pytest_appbench import sandbox

    userconfig = os.environ.get("NPM_CONFIG_USERCONFIG", str(Path.home() / ".npmrc"))
    with tempfile.TemporaryDirectory(prefix="appbench-npm-") as home:
        finished = sandbox.run(
            [npm, *_INSTALL],
            workspace=folder,
            home=Path(home),
            environment={**os.environ, "NPM_CONFIG_USERCONFIG": userconfig},
            time_limit=INSTALL_SECONDS,
            sandbox="none",
        )
    if finished.exit_code == 0:
        return
    from pytest_appbench.models.scrub import scrub

    said = scrub((finished.stderr.strip() or finished.stdout.strip())[-_QUOTED:])
    late = f"it did not finish within {INSTALL_SECONDS:.0f} s" * (finished.ended == "time")
    raise DependenciesMissing(
        "npm could not install what builds of apps share: see that it reaches its registry "
        "(`npm ping`; `npm config get registry`), or run `appbench install` once where it does, "
        f"with the same cache directory. It said:\n{said or late or 'nothing'}"
    )


def _make_readonly(folder: Path) -> None:
    """Against accidents; a sandbox keeps what is installed from being written in earnest."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
