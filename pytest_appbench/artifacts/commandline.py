"""A user's command line for a coding agent: its words, its placeholders, and the files it names.

Nothing is run here. The words are never read by a shell, and what a placeholder stands for always
stays inside the word that holds it.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_appbench.errors import SettingsError

PLACEHOLDERS = ("workspace", "prompt_file", "task_id", "prompt")

_PLACEHOLDER = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")
_SCRIPT = re.compile(r".+\.(?:bash|cjs|js|mjs|php|pl|py|rb|sh|ts)")


@dataclass(frozen=True)
class CommandLine:
    """A command line, ready to be filled in.

    Attributes:
        words: The words; the first is the absolute path of a program.
        named: Files and folders that the user named and that exist, absolute.
        misplaced: Words that look like a script beside pytest, but will be looked for in the
            workspace.
    """

    words: tuple[str, ...]
    named: tuple[Path, ...] = ()
    misplaced: tuple[str, ...] = ()

    @property
    def wants_stdin(self) -> bool:
        """Whether the prompt can only come by standard input."""
        used = {found for word in self.words for found in _PLACEHOLDER.findall(word)}
        return not used & {"prompt", "prompt_file"}

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """The words with each placeholder replaced.

        Args:
            values: What each of `PLACEHOLDERS` stands for.
        """
        # One pass: what stands in a prompt is not a placeholder. An argument cannot hold a NUL.
        return [
            _PLACEHOLDER.sub(lambda found: values[found[1]].replace("\0", ""), word)
            for word in self.words
        ]


def parse(text: str, root: Path, hidden: Iterable[Path] = ()) -> CommandLine:
    """Read a command line.

    Args:
        text: As the user wrote it, quoted as for a shell.
        root: Where pytest was started: words such as `./agent` and `tools/agent.py` that exist
            there are taken from there.
        hidden: Folders that an agent must not be shown.

    Returns:
        The command line.

    Raises:
        SettingsError: It cannot be read, its program was not found, or it names a folder that holds
            what an agent must not see.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SettingsError(f"'command:{text}' cannot be read: {error}") from None
    if not words:
        raise SettingsError("'command' needs the agent's command line, such as command:./my-agent")
    root = root.resolve()
    found = [_place(word, root) for word in words]
    program = _on_path(str(found[0][1] or words[0]), root)
    named = tuple(path for _, path in found if path)
    covers = [folder.resolve() for folder in hidden]
    for path in named:
        if path.is_dir() and any(cover.is_relative_to(path.resolve()) for cover in covers):
            raise SettingsError(
                f"'command:{text}' names the folder {path}, which holds the benchmark, its cache "
                "or its runs; an agent must not see these: name a folder of the agent's own"
            )
    misplaced = tuple(
        word for word in words[1:] if _SCRIPT.fullmatch(word) and (root / word).is_file()
    )
    return CommandLine(
        (str(program), *(word for word, _ in found[1:])),
        named,
        tuple(word for word in misplaced if "/" not in word),
    )


def _place(word: str, root: Path) -> tuple[str, Path | None]:
    """A word with its path made absolute, and the path, if it names something that exists.

    In a word such as `--config=./agent.toml` the path stands after the `=`.
    """
    head, equals, tail = word.partition("=")
    if equals and re.fullmatch(r"[\w-]+", head):
        head += equals
    else:
        head, tail = "", word
    if "/" not in tail or _PLACEHOLDER.search(tail) or tail in ("./", "../", "/"):
        return word, None
    try:
        path = root / Path(tail).expanduser()
        # The name stays as it is: a virtual environment's Python is a link that must be called so.
        place = path.parent.resolve() / path.name if path.name != ".." else path.resolve()
        if not place.exists():
            return word, None
    except (OSError, RuntimeError, ValueError):
        return word, None
    return head + str(place), place


def _on_path(word: str, root: Path) -> Path:
    found = shutil.which(word)
    if found:
        return Path(found).absolute()
    where = "on PATH"
    if "/" in word:
        where = f"in {root}" if not (root / word).exists() else "as a program; make it executable"
    beside = f"; write ./{word} for the one in {root}" if (root / word).is_file() else ""
    raise SettingsError(f"the agent's program '{word}' was not found {where}{beside}")
