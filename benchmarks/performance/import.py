"""What an import costs beside its parts: reading the JSON, writing YAML, loading the tasks.

The claims: 10,000 records of MiniAppBench's shape become task files in seconds, and what the
importer adds to its parts is less than they are. The floor is measured in the same process on the
same records: `json.loads`, PyYAML's C dumper on plain data, and `appbench validate` on the
result, which is part of the import. Times are CPU seconds of this process. Exit code 1 when a
claim does not hold.

    python benchmarks/performance/import.py [--records 10000]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import tempfile
import time
from pathlib import Path

import yaml

from pytest_appbench.cli import main as appbench
from pytest_appbench.tasks.validate import validate

MOST_SECONDS, MOST_RATIO = 30.0, 2.0
DOMAINS = ("Science", "Games", "Tools", "Humanities", "Lifestyle", "Visualization")
WORDS = (
    "a slider for the length of the pendulum, a button that resets: the score counts down while "
    "each card turns over and a line chart follows the two values that were chosen last; nothing "
    "is lost when the window is made smaller"
)


def records(number: int) -> list[dict[str, object]]:
    """Records of the size that the published ones have: a request and some 15 statements."""
    chance, known = random.Random(7), WORDS.split()

    def text(words: int) -> str:
        return " ".join(chance.choice(known) for _ in range(words)).capitalize()

    return [
        {
            "index": index,
            "class": chance.choice(DOMAINS),
            "subclass": "Creative Tools",
            "query": f"{text(60)}.\n{text(20)}",
            "level": chance.choice(("Easy", "Mid", "Hard")),
            "eval-reference": json.dumps(
                {name: [text(16) for _ in range(5)] for name in ("intention", "static", "dynamic")}
            ),
        }
        for index in range(1, number + 1)
    ]


def main() -> int:
    """Measure, print, compare with the claims."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "query.json"), Path(folder, "bench")
        source.write_text(json.dumps(records(options.records), indent=2), encoding="utf-8")

        begun = time.process_time()
        found = json.loads(source.read_bytes())
        for each in found:
            each["eval-reference"] = json.loads(each["eval-reference"])
        parsing = time.process_time() - begun
        begun = time.process_time()
        yaml.dump_all(found, io.StringIO(), Dumper=yaml.CSafeDumper, allow_unicode=True, width=100)
        dumping = time.process_time() - begun

        begun = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = appbench(["import", "miniappbench", str(source), "-o", str(out)])
        importing = time.process_time() - begun
        begun = time.process_time()
        checked = validate([out])
        loading = time.process_time() - begun

    assert code == 0, said.getvalue()
    assert checked.tasks == options.records
    parts = parsing + dumping + loading
    print(f"{options.records:,} records, {said.getvalue().splitlines()[-1]}")
    print(f"  json.loads            {parsing:6.2f} s")
    print(f"  PyYAML's C dumper     {dumping:6.2f} s")
    print(f"  validate              {loading:6.2f} s")
    print(f"  appbench import       {importing:6.2f} s, {importing / parts:.2f} of its parts")
    return int(importing > MOST_SECONDS or importing / parts > MOST_RATIO)


if __name__ == "__main__":
    raise SystemExit(main())
