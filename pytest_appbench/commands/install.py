"""Install what builds of apps share, so that runs need no network."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument(
        "--cache-dir",
        type=Path,
        default=Path(".appbench-cache"),
        help="the cache directory of the runs (ini appbench_cache_dir)",
    )


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench.artifacts import dependencies
    from pytest_appbench.artifacts.builders import formats
    from pytest_appbench.commands import relative

    for form in formats().values():
        if form.builder is None:
            continue
        version = dependencies.node().version
        with form.builder.manifest() as manifest:
            was_there = dependencies.is_installed(manifest, options.cache_dir)
            packages = dependencies.installed(manifest, options.cache_dir)
        how = "were there" if was_there else "installed"
        print(f"{form.name}: packages {how}, in {relative(packages)} (Node.js {version})")
    return 0
