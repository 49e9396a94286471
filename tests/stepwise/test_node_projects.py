"""Projects with Playwright's own tests run in copies of the pristine project, kept in.

A small script plays Playwright, so that nothing has to be installed: it runs the files it is told
and writes the same report.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kit import Benchmark
from pytest_appbench import sandbox
from pytest_appbench.browser.launch import find_chromium
from stepkit import PAGE, PARTS, STEPS, add_task, page_of

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
needs_bubblewrap = pytest.mark.skipif(
    sandbox.describe() == "none", reason=f"no sandbox here: {sandbox.warning()}"
)
pytestmark = needs_node
MODES = [pytest.param("auto", marks=needs_bubblewrap), "none"]
RUNNER = """\
const fs = require('node:fs'), path = require('node:path')
const args = process.argv.slice(2)
const files = args.filter((one) => one.includes('spec')).map((one) => one.replace(/\\\\/g, ''))
const env = process.env
const page = fs.readFileSync(path.join(env.EVAL_PROJECT_ROOT, 'index.html'), 'utf8')
if (!fs.existsSync(args[args.indexOf('--config') + 1])) process.exit(3)
const facts = `EVAL=${env.EVAL} PRODUCTION=${env.IS_EVAL_PRODUCTION} PORT=${env.EVAL_PROJECT_PORT} `
  + `ROOT=${env.EVAL_PROJECT_ROOT} SECRET=${env.MY_SECRET}`
const specs = files.map((file) => {
  const ok = page.includes(require(path.resolve(file)).wanted)
  const errors = ok ? [] : [{ message: `\\u001b[31mnot there\\u001b[39m ${facts}` }]
  return { title: 'is there', ok, tests: [{ results: [{ errors }] }] }
})
const bad = specs.filter((spec) => !spec.ok).length
const stats = { expected: specs.length - bad, unexpected: bad, flaky: 0, skipped: 0 }
const report = { stats, errors: [], suites: [{ title: 'shop', specs }] }
fs.writeFileSync(env.PLAYWRIGHT_JSON_OUTPUT_NAME, JSON.stringify(report))
process.exit(bad ? 1 : 0)
"""
BUILD = "node -e \"require('fs').existsSync('src/build.js') && require('./src/build.js')\""


@pytest.fixture
def project(benchmark: Benchmark) -> Path:
    """The project of three steps, as Web-Bench lays it out, with a build."""
    folder = "bench/projects/shop"
    lines = [json.dumps({"id": name, "description": text}) for name, text in STEPS.items()]
    benchmark.write(f"{folder}/tasks.jsonl", "\n".join(lines))
    benchmark.write(f"{folder}/src-init/index.html", PAGE.format(""))
    benchmark.write(f"{folder}/src/index.html", page_of(*PARTS))
    benchmark.write(f"{folder}/playwright.config.js", "module.exports = {}")
    package = {"scripts": {"build": BUILD, "test": "npx @web-bench/test-util"}}
    benchmark.write(f"{folder}/package.json", json.dumps(package))
    for name, part in PARTS.items():
        benchmark.write(f"{folder}/test/{name}.spec.js", f"exports.wanted = {part!r}")
    runner = benchmark.root / "bench/node_modules/@playwright/test/cli.js"
    runner.parent.mkdir(parents=True)
    runner.write_text(RUNNER, encoding="utf-8")
    add_task(benchmark)
    return benchmark.root / folder


@pytest.mark.parametrize("mode", MODES)
def test_a_published_folder_runs_as_it_is(
    benchmark: Benchmark, project: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    benchmark.app("shop", page_of("task-1", "task-2"), "half")
    benchmark.run(f"--appbench-sandbox={mode}").assert_outcomes(passed=1)
    assert benchmark.verdict("shop").figures == {"pass@1": 100, "pass@2": 100, "error@1": 0}
    assert benchmark.record("shop").sandbox == sandbox.describe(mode)
    benchmark.run(f"--appbench-sandbox={mode}", "--appbench-generator=reference:half")
    verdict = benchmark.verdict("shop")
    assert verdict.figures == {"pass@1": 66.67, "pass@2": 66.67, "error@1": 33.33}
    said = verdict.parts[2].message
    assert "shop > is there\nnot there EVAL=true PRODUCTION=true PORT=" in said
    assert "ROOT=./src SECRET=undefined" in said  # no colour, no path, nothing of ours
    assert not (project / "test-results").exists()


@pytest.mark.parametrize("mode", MODES)
def test_code_that_rewrites_tests_while_it_is_built_gains_nothing(
    benchmark: Benchmark, project: Path, mode: str
) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    benchmark.app("shop", page_of("task-1", "task-2"), "sly")
    rewrite = "require('fs').writeFileSync('test/task-3.spec.js', \"exports.wanted = 'Shop'\")"
    benchmark.write("bench/apps/shop/sly/build.js", rewrite)
    benchmark.run(f"--appbench-sandbox={mode}", "--appbench-generator=reference:sly")
    verdict = benchmark.verdict("shop")
    assert (verdict.status, verdict.figures["pass@2"]) == ("fail", 0)
    if mode == "none":
        texts = [one.text for one in verdict.findings if one.kind == "not-its-own"]
        assert "task-1, attempt 1: test/task-3.spec.js was written to while the tests ran" in texts
    else:  # what is not its own cannot be written to
        assert "npm run build failed" in verdict.parts[0].message
        assert "EROFS" in verdict.parts[0].message
    assert {path: path.read_bytes() for path in before} == before


def test_a_build_that_fails_fails_the_step_with_its_own_words(
    benchmark: Benchmark, project: Path
) -> None:
    benchmark.app("shop", page_of(*PARTS), "broken")
    benchmark.write("bench/apps/shop/broken/build.js", "throw new Error('Menu is not defined')")
    benchmark.run("--appbench-sandbox=none", "--appbench-generator=reference:broken")
    verdict = benchmark.verdict("shop")
    assert verdict.status == "fail"
    assert "Menu is not defined" in verdict.parts[0].message


def test_what_is_not_installed_is_told_and_nobody_is_blamed(
    benchmark: Benchmark, project: Path
) -> None:
    shutil.rmtree(benchmark.root / "bench/node_modules")
    benchmark.run("--appbench-sandbox=none").assert_outcomes(errors=1)
    assert "its packages are not installed" in (benchmark.record("shop").error or "")


def test_without_a_sandbox_foreign_tests_are_refused(
    benchmark: Benchmark, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "node").symlink_to(shutil.which("node") or "")
    monkeypatch.setenv("APPBENCH_BROWSER", find_chromium().executable)
    monkeypatch.setenv("PATH", str(empty))
    benchmark.run().assert_outcomes(errors=1)
    assert "--appbench-sandbox none" in (benchmark.record("shop").error or "")
