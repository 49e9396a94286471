"""React apps are built by the template's rules, in the sandbox, and fail with the compiler's words."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from buildkit import COUNTER, Yardstick
from pytest_appbench.artifacts import dependencies
from pytest_appbench.artifacts.builders import of, react
from pytest_appbench.artifacts.dependencies import DependenciesMissing
from pytest_appbench.errors import BuildFailed
from pytest_appbench.processes import bubblewrap
from pytest_appbench.sandbox import SandboxError


def test_an_app_of_one_component_becomes_a_page(tmp_path: Path) -> None:
    yard = Yardstick(tmp_path)
    files, notes, was_kept = yard.build(
        {"src/App.tsx": COUNTER, "src/index.css": "p { color: tan }", "public/a.txt": "as it is"}
    )
    assert (notes, was_kept) == ((), False)
    assert files["a.txt"] == "as it is"
    assert '<div id="root"></div>' in files["index.html"]
    (script,) = [name for name in files if name.endswith(".js")]
    (style,) = [name for name in files if name.endswith(".css")]
    assert f'src="./{script}"' in files["index.html"]
    assert f'href="./{style}"' in files["index.html"]
    assert "Add one" in files[script]
    assert "tan" in files[style]
    assert yard.build({})[2], "the same app is built again"


def test_the_same_sources_are_built_to_the_same_files(tmp_path: Path) -> None:
    first, _, _ = Yardstick(tmp_path / "1").build({"src/App.tsx": COUNTER})
    second, _, was_kept = Yardstick(tmp_path / "2").build({"src/App.tsx": COUNTER})
    assert not was_kept
    assert first == second


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"src/App.tsx": "export default () => <p>a</div>"}, r"closing tag for 'p'.*src/App.tsx:1"),
        ({"src/App.tsx": "export {x as default} from './x'"}, r"resolve './x' in src/App.tsx"),
        (
            {"src/App.tsx": "export {y as default} from './x'", "src/x.ts": "export const x = 1"},
            r'"y" is not exported by "src/x.ts"',
        ),
        (
            {
                "src/App.tsx": "import _ from 'lodash/fp'; import * as fs from 'node:fs'\n"
                "import pick from 'picomatch'; import x from '@my/kit/x'\n"
                "export default () => <p>{[_, fs, pick, x].length}</p>"
            },
            r'not available: "@my/kit" \(in src/App.tsx\); "lodash" .*; "node:fs" .*; "picomatch"'
            r".*own files and: react, react-dom$",
        ),
        (
            {
                "src/App.tsx": "import words from '/etc/passwd?raw'\n"
                f"import others from '{'../' * 20}etc/hosts?raw'\n"
                "export default () => <p>{words + others}</p>"
            },
            r"not available: the file .*etc/hosts .*; the file /etc/passwd \(in src/App.tsx\)",
        ),
        (
            {"src/App.tsx": COUNTER, "src/index.css": '@import "./gone.css";'},
            r"src/index\.css.*gone\.css",
        ),
        (
            {"src/App.tsx": COUNTER, "index.html": '<script type=module src="/gone.js"></script>'},
            r"gone\.js",
        ),
    ],
    ids=["syntax", "no-file", "no-export", "packages", "outside", "css", "page"],
)
def test_an_app_that_does_not_build_fails_with_the_compilers_words(
    files: dict[str, str], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(BuildFailed) as caught:
        Yardstick(tmp_path).build(files)
    message = str(caught.value)
    assert message.startswith("the app does not build: ")
    assert re.search(reason, message, re.DOTALL), message
    assert len(message) < react.QUOTED + 100
    assert "\x1b" not in message
    for text in (message, caught.value.notes):
        assert str(tmp_path) not in text
        assert "appbench-" not in text, "a place of this machine is told"


def test_an_app_cannot_configure_its_build(tmp_path: Path) -> None:
    files, notes, _ = Yardstick(tmp_path).build(
        {
            "src/App.tsx": COUNTER + "document.title = `${import.meta.env.VITE_SECRET}`",
            "vite.config.ts": "throw new Error('read')",
            "postcss.config.js": "throw new Error('read')",
            "package.json": '{"scripts": {"build": "touch owned"}, "dependencies": {"lodash": "4"}}',
            "tsconfig.json": '{"compilerOptions": {"jsx": "preserve"}}',
            "src/tsconfig.json": '{"compilerOptions": {"jsx": "preserve"}}',
            ".env": "VITE_SECRET=told",
            ".npmrc": "script-shell=evil",
            "dist/old.js": "1",
        }
    )
    assert sorted(name for name in files if not name.startswith("assets/")) == ["index.html"]
    assert not any("told" in text for text in files.values())
    (note,) = notes
    assert note.startswith("left out, because the template's own configuration is used: ")
    for name in ("vite.config.ts", "package.json", "src/tsconfig.json", ".env", "dist/old.js"):
        assert name in note


def test_sources_without_a_folder_and_an_own_entry_are_taken_as_they_are_meant(
    tmp_path: Path,
) -> None:
    loose, notes, _ = Yardstick(tmp_path / "1").build(
        {
            "App.jsx": "import B from './parts/B'; export default B",
            "parts/B.jsx": "export default () => <i>loose</i>",
        }
    )
    assert any("loose" in text for text in loose.values())
    assert notes == ("the sources were taken as lying in src/",)
    entry = "import { createRoot } from 'react-dom/client'\nimport x from '@/x.json'\ncreateRoot(document.body).render(<b>{x}</b>)"
    own, _, _ = Yardstick(tmp_path / "2").build(
        {"src/index.jsx": entry, "src/x.json": '"own entry"'}
    )
    assert any("own entry" in text for text in own.values())


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (["src/App.tsx", "index.html"], ""),
        (["app/src/main.jsx", "app/package.json", "README.md"], "app"),
        (["a/b/src/App.js", "src/lib/index.ts", "z/src/App.tsx"], "z"),
        (["App.tsx"], ""),
        (["web/App.tsx", "src/lib/index.ts"], "web"),
        (["index.html", "src/lib/main.tsx"], None),
        ([], None),
    ],
)
def test_the_sources_are_found_among_files(names: list[str], place: str | None) -> None:
    assert of("react").root(names) == place


def test_a_build_that_takes_too_long_is_the_apps_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(react, "BUILD_SECONDS", 0.05)
    with pytest.raises(BuildFailed, match=r"the build ran longer than 0\.05 s"):
        Yardstick(tmp_path).build({"src/App.tsx": COUNTER})


def test_without_a_sandbox_builds_are_refused_unless_the_user_wants_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = bubblewrap.Bubblewrap(problem="bwrap was not found")
    monkeypatch.setattr(bubblewrap, "find", lambda: missing)
    with pytest.raises(
        SandboxError, match=r"builds run .*bwrap was not found.*--appbench-sandbox none"
    ):
        Yardstick(tmp_path / "1").build({"src/App.tsx": COUNTER})
    yard = Yardstick(tmp_path / "2", sandbox="none")
    files, _, _ = yard.build({"src/App.tsx": COUNTER})
    assert "index.html" in files


# What builds share: programs of ours stand in for Node.js and npm, so nothing needs a registry.


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    folder = tmp_path / "manifest"
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (None, r"Node\.js 20\.19 .* is needed .*no `node` on PATH: install it"),
        ("v18.20.4", r"is v18\.20\.4: install a newer one"),
        ("v20.18.0", r"is v20\.18\.0"),
        ("v22.3.0", r"is v22\.3\.0"),
        ("nonsense", r"is nonsense"),
    ],
)
def test_a_machine_without_a_fitting_node_is_told_so(
    version: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version:
        program(tmp_path / "bin", "node", f"echo {version}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(DependenciesMissing, match=message):
        dependencies.node()


def test_a_registry_out_of_reach_is_told_with_npms_words_and_leaves_nothing_behind(
    manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(
        tmp_path / "bin",
        "npm",
        "mkdir node_modules; echo 'npm error code ENOTFOUND https://me:hunter2@registry.test' >&2; exit 1",
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(DependenciesMissing, match=r"appbench install(.|\n)*ENOTFOUND") as caught:
        dependencies.installed(manifest, tmp_path / "cache")
    assert "hunter2" not in str(caught.value)
    assert not dependencies.is_installed(manifest, tmp_path / "cache")
    left = [path for path in (tmp_path / "cache/dependencies").iterdir() if path.is_dir()]
    assert left == []


def test_several_processes_install_once_and_run_no_script_of_a_package(
    manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tmp_path / "calls"
    program(
        tmp_path / "bin",
        "npm",
        f'echo "$@" >> {calls}; sleep 0.2; mkdir -p node_modules/a; echo 1 > node_modules/a/index.js',
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with ThreadPoolExecutor(4) as threads:
        places = set(
            threads.map(lambda _: dependencies.installed(manifest, tmp_path / "cache"), range(4))
        )
    (packages,) = places
    (line,) = calls.read_text(encoding="utf-8").splitlines()
    assert line.startswith("ci --ignore-scripts ")
    file = packages / "a/index.js"
    assert not file.stat().st_mode & 0o222, "what builds share can be written to"
    (manifest / "package-lock.json").write_text('{"changed": 1}', encoding="utf-8")
    assert dependencies.installed(manifest, tmp_path / "cache") != packages
