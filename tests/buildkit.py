"""What tests of builds share: the packages that `appbench install` put into this project's cache.

Tests install nothing: that needs a registry. `scripts/test` does it once, where it can.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_appbench.artifacts.build import Builds
from pytest_appbench.artifacts.builders import Yard, of
from pytest_appbench.artifacts.builders.react import template
from pytest_appbench.artifacts.cache import Cache
from pytest_appbench.artifacts.dependencies import DependenciesMissing, is_installed, node
from pytest_appbench.artifacts.store import Artifact, Store
from pytest_appbench.tasks.model import Task

INSTALLED = Path(__file__).parents[1] / ".appbench-cache"

COUNTER = """\
import { useState } from 'react'

export default function App() {
  const [count, setCount] = useState<number>(0)
  return (
    <main>
      <h1>Counter</h1>
      <p role="status">{count}</p>
      <button onClick={() => setCount(count + 1)}>Add one</button>
    </main>
  )
}
"""


def share_packages(cache_dir: Path) -> None:
    """Give a cache directory what builds share, or skip the test where nobody installed it."""
    try:
        node()
    except DependenciesMissing as error:
        pytest.skip(f"no React builds here: {error}")
    with template() as manifest:
        if not is_installed(manifest, INSTALLED):
            pytest.skip("no React builds here: run `appbench install` in this project first")
    cache_dir.mkdir(parents=True, exist_ok=True)
    (cache_dir / "dependencies").symlink_to(INSTALLED / "dependencies")


class Yardstick:
    """Builds React apps without a browser and without pytest around them.

    Args:
        root: A folder of its own.
        sandbox: auto or none.
    """

    def __init__(self, root: Path, sandbox: str = "auto") -> None:
        self.root, self.cache_dir = root, root / "cache"
        share_packages(self.cache_dir)
        self.store = Store(self.cache_dir)
        policy = {"generate": "read", "build": "read", "judge": "read"}
        yard = Yard(self.cache_dir, (root,), sandbox)
        self.builds = Builds(self.store, Cache(self.cache_dir, policy), yard)
        self.task = Task(
            id="counter",
            domain="tools",
            query="A counter.",
            format="react",
            path=root / "a.task.yaml",
            line=1,
        )

    def source(self, files: dict[str, str]) -> Artifact:
        """An app of some files."""
        folder = self.root / "app"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return self.store.add(folder, "test")

    def build(self, files: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...], bool]:
        """What was built (text by path), the notes, and whether it was kept from before."""
        builder = of("react").builder
        assert builder is not None
        built = self.builds.now(builder, self.task, self.source(files))
        root = built.artifact.root
        texts = {name: (root / name).read_text(encoding="utf-8") for name in built.artifact.files}
        return texts, built.notes, built.reused
