"""Judge the labelled apps of a benchmark: how far can a judge be trusted."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_appbench.commands import count, relative
from pytest_appbench.commands.judge import BY_NAME, OF_JUDGE, add_options
from pytest_appbench.errors import AppbenchError, MissingArtifact, RecordsError

if TYPE_CHECKING:
    from pytest_appbench.calibrating import Witness
    from pytest_appbench.calibration import Calibration, Judged, LabelledApp

SEES_CHECKS = (
    "The probe sees the checks that were written for these very apps. What follows says how good\n"
    "those checks are; of apps whose tasks have no checks it says nothing."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's words."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("benchmarks"),
        metavar="BENCHMARK_DIR",
        help="task files with apps beside them (default: benchmarks)",
    )
    parser.add_argument("-n", dest="workers", metavar="N", help="so many at a time, by xdist")
    parser.add_argument("-k", dest="words", metavar="EXPR", help="only these, as pytest has it")
    parser.add_argument("--dry-run", action="store_true", help="say what it may cost, and end")
    parser.add_argument("-o", dest="out", type=Path, metavar="FILE", help="a copy of the outcome")
    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Do it."""
    from pytest_appbench import judges
    from pytest_appbench.calibration import conclude, labelled_apps, place_of

    if not options.folder.is_dir():
        raise MissingArtifact(f"{options.folder}: there is no such folder of task files")
    specs = tuple(options.judge or (BY_NAME["judge"].default,))
    for spec in specs:
        judges.require(spec)
    apps = list(labelled_apps(options.folder))
    if not apps:
        raise MissingArtifact(
            f"{options.folder}: no app is labelled; name the folders of good ones apps/<task "
            "id>/good, good2, ... and those of faulty ones faulty or planted-1, planted-2, ..."
        )
    _announce(apps, specs, Path(options.run_dir or BY_NAME["run-dir"].default))
    if options.dry_run:
        return 0
    witness = _judge(options)
    judged = _judged(apps, witness)
    if not any(one.case.outcome != "error" for one in judged):
        raise RecordsError(f"{witness.run}: no app was judged; what pytest said is above")
    found = conclude(
        judged, witness.settings, witness.run.name, time.strftime("%Y-%m-%d", time.gmtime())
    )
    _tell(found, judged, len(apps))
    text = found.model_dump_json(indent=2) + "\n"
    for file in filter(None, (place_of(found, witness.settings.cache_dir), options.out)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="replace")
        print(f"calibration: {relative(file)}")
    print(f"evidence:    {relative(witness.run)}")
    return 1 if found.missed or found.wronged else 0


def _announce(apps: Sequence[LabelledApp], specs: Sequence[str], runs: Path) -> None:
    """Say what there is to judge and what that may cost."""
    from pytest_appbench.calibration import estimate
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.results import read

    good = sum(app.good for app in apps)
    tasks = len({(app.task.path, app.task.id) for app in apps})
    print(
        f"{count(len(apps), 'labelled app')} of {count(tasks, 'task')}: {good} good, "
        f"{len(apps) - good} faulty, to be judged by {spaced(' + '.join(specs))}"
    )
    known = []
    if any(":" in spec for spec in specs) and runs.is_dir():
        for folder in sorted(runs.iterdir())[-20:]:
            try:
                known += read(folder) if folder.is_dir() else []
            except RecordsError:
                continue
    found = estimate(apps, specs, known)
    if found.tokens:
        price = "a price that is not known" if found.cost is None else f"${found.cost:,.2f}"
        print(
            f"estimate: {found.tokens:,} tokens at {price} ({found.source}); verdicts that are "
            "kept from earlier runs cost nothing"
        )
    else:
        print("estimate: $0.00, no model is asked")


def _judge(options: argparse.Namespace) -> Witness:
    """Run pytest over all labelled apps."""
    import pytest

    from pytest_appbench.calibrating import Witness

    words: list[str] = []
    for name in OF_JUDGE:
        given: Any = getattr(options, BY_NAME[name].attribute)
        for value in [given] if isinstance(given, str) else given or ():
            words.append(f"--appbench-{name}={value}")
    witness = Witness()
    quiet = ("-p", "pytest_appbench.calibrating", "-q", "--tb=no", "--no-summary", "--no-header")
    for flag, word in (("-n", options.workers), ("-k", options.words)):
        words += [flag, word] if word else []
    code = pytest.main([str(options.folder), *quiet, *words], plugins=[witness])
    if code == pytest.ExitCode.INTERRUPTED:
        raise AppbenchError(
            f"interrupted: what was judged is in {relative(witness.run)}; give the same command "
            "again, and verdicts of models are not paid twice"
        )
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise AppbenchError("pytest did not judge the apps; what it said is above")
    return witness


def _judged(apps: Sequence[LabelledApp], witness: Witness) -> list[Judged]:
    """The labelled apps that the run has a record of."""
    from pytest_appbench.calibration import Judged
    from pytest_appbench.reports.figures import scores_of
    from pytest_appbench.reports.results import Run
    from pytest_appbench.statistics.agreement import Case
    from pytest_appbench.statistics.paired import sides

    by_place = {(str(app.task.path.resolve()), app.task.id, app.name): app for app in apps}
    found = []
    for side in sides(Run(witness.run.parent, witness.run.name).join()).values():
        file = witness.settings.root_dir / side.nodeid.partition("::")[0]
        name = (side.record.generator or "").partition(":")[2]
        app = by_place.get((str(file.resolve()), side.record.task.id, name))
        if app is None:
            continue
        case = Case(
            name=f"{app.task.id}/{app.name}",
            good=app.good,
            outcome=side.outcome,
            scores=scores_of(side),
            group=app.task.domain or "-",
        )
        verdict = side.record.verdict
        found.append(Judged(app, case, verdict.judge if verdict else ""))
    return found


def _tell(found: Calibration, judged: Sequence[Judged], there: int) -> None:
    from pytest_appbench.reports.escape import spaced
    from pytest_appbench.reports.figures import agreement_lines, sweep_lines
    from pytest_appbench.reports.tables import aligned, percent_within
    from pytest_appbench.statistics import wilson_interval

    cases = [one.case for one in judged if one.case.outcome != "error"]
    print(f"\n{spaced(str(found))}\n")
    if "probe" in found.judges:
        print(SEES_CHECKS + "\n")
    if found.screened:
        print(f"{count(found.screened, 'verdict')} came from the probe, which looks first.\n")
    if found.unjudged or len(judged) < there:
        missing = there - len(cases)
        print(f"without a verdict: {count(missing, 'app')} {spaced(', '.join(found.unjudged))}\n")
    said = Counter((case.good, case.outcome) for case in cases)
    rows = [["label \\ judge", "pass", "fail", "uncertain"]]
    for name, good in (("good", True), ("faulty", False)):
        rows.append([name, *(str(said[good, word]) for word in rows[0][1:])])
    faults = [["fault", "apps", "caught (95 %)"]]
    for kind, (have, caught) in found.faults.items():
        interval = wilson_interval(caught, have)
        faults.append([kind, str(have), percent_within(caught / have, interval)])
    for lines in (aligned(rows), agreement_lines(cases), aligned(faults), sweep_lines(cases)):
        print(*lines, "", sep="\n")
    of_name = {one.case.name: one.app for one in judged}
    for title, names in (("faults missed", found.missed), ("good apps wronged", found.wronged)):
        print(f"{title}: {len(names) or 'none'}")
        for name in names:
            fault = of_name[name].fault
            print(spaced(f"  {name}{': ' + fault if fault else ''}"))
    print()
