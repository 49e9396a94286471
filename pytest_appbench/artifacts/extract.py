"""A model's reply becomes the files of an app: tolerant of how it is written, strict on where to.

Whatever is assumed on the way is said. The files are not written here, and not run anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_appbench.artifacts.builders.html import FORMAT as HTML
from pytest_appbench.artifacts.candidate import enumerate_names
from pytest_appbench.artifacts.paths import UnsafePath, clash, safe_path
from pytest_appbench.artifacts.replies import Block, blocks
from pytest_appbench.errors import GenerationFailed

if TYPE_CHECKING:
    from pytest_appbench.artifacts.builders import Format

MAX_FILES = 200
"""Files that one reply may hold."""

MAX_BYTES = 20_000_000
"""Size of a reply, and of all its files together, in bytes of UTF-8."""

_QUOTED = 200
_REFUSAL = re.compile(
    r"\W*(?:i(?:['’]m| am) (?:really |very )?(?:sorry|unable|not able)|sorry|i can(?:no|['’])t|"
    r"i can not|i won['’]t|unfortunately|as an ai|i must decline|i apologi[sz]e)\b",
    re.IGNORECASE,
)
_LINKS = {
    "css": re.compile(r"<link\b[^<>]{0,400}?\bhref\s*=\s*[\"']([^\"'<>]{1,200})", re.IGNORECASE),
    "js": re.compile(r"<script\b[^<>]{0,400}?\bsrc\s*=\s*[\"']([^\"'<>]{1,200})", re.IGNORECASE),
}
_LANGUAGES = {"css": "css", "js": "js", "javascript": "js", "mjs": "js"}
_TEXTS = ("html", "htm", "xhtml", "svg", "md", "markdown", "txt", "xml")


@dataclass(frozen=True)
class Extracted:
    """The files of an app.

    Attributes:
        files: Contents by relative path with forward slashes; one of them is the page that opens.
        notes: What was assumed to find them, as sentences.
    """

    files: Mapping[str, str]
    notes: tuple[str, ...] = ()


@dataclass
class _Gathered:
    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, text: str) -> None:
        while (other := clash(name, self.files)) is not None:
            del self.files[other]
            same = f"{name} was given twice, the last one was taken"
            self.note(same if other == name else f"{other} was left out, it clashes with {name}")
        self.files[name] = text

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


def extract(reply: str, form: Format = HTML, *, truncated: bool = False) -> Extracted:
    """Find the app in a reply.

    Args:
        reply: What the model wrote.
        form: What the app is made of.
        truncated: Whether it is known to have been cut off.

    Returns:
        The files, at least a page to open, and what was assumed.

    Raises:
        GenerationFailed: There is no app in it, or too much; the message quotes its start.
    """
    if len(reply) > MAX_BYTES or len(reply.encode("utf-8", "replace")) > MAX_BYTES:
        raise _failed(f"it is larger than {MAX_BYTES // 1_000_000} MB", reply)
    reply = reply.encode("utf-8", "replace").decode("utf-8")
    found = blocks(reply)
    if len(found) > 5 * MAX_FILES:
        raise _failed(f"it holds more than {5 * MAX_FILES} blocks", reply)
    gathered = _Gathered()
    unnamed = _take_named(found, gathered)
    if form.adopted is not None:
        _adopt(unnamed, gathered, form)
    else:
        _take_page(unnamed, gathered, form)
        _take_linked(unnamed, gathered)
    files = _from_the_top(gathered, form)
    if files is None:
        raise _failed(_why_nothing(reply, gathered.files, form, truncated), reply)
    if len(files) > MAX_FILES:
        raise _failed(f"it holds more than {MAX_FILES} files", reply)
    if truncated or any(not block.is_closed for block in found):
        gathered.note("the reply was cut off; what there is of its last file was taken")
    return Extracted(files, tuple(gathered.notes))


def checked(files: Mapping[str, str]) -> dict[str, str]:
    """Files that someone handed over by name, if all of them may be written.

    Args:
        files: Contents by path, as given.

    Returns:
        Contents by safe path.

    Raises:
        GenerationFailed: A path is not safe, there are too many files, or they are too large.
    """
    if len(files) > MAX_FILES:
        raise GenerationFailed(f"more than {MAX_FILES} files")
    if sum(len(text.encode("utf-8", "replace")) for text in files.values()) > MAX_BYTES:
        raise GenerationFailed(f"more than {MAX_BYTES // 1_000_000} MB of files")
    safe: dict[str, str] = {}
    for name, text in files.items():
        try:
            path = safe_path(name)
        except UnsafePath as error:
            raise GenerationFailed(f"the file name {name[:_QUOTED]!r} {error}") from None
        other = clash(path, safe)
        if other is not None:
            raise GenerationFailed(f"the files {other!r} and {path!r} cannot exist together")
        safe[path] = text
    return safe


def _take_named(found: Iterable[Block], gathered: _Gathered) -> list[Block]:
    """Take the blocks with a usable name; the others are returned."""
    unnamed = []
    for block in found:
        name = _name_of(block, gathered)
        if name:
            gathered.add(name, block.text)
        else:
            unnamed.append(block)
    return unnamed


def _name_of(block: Block, gathered: _Gathered) -> str:
    if not block.name:
        return ""
    try:
        name = safe_path(block.name)
    except UnsafePath as error:
        gathered.note(f"the name {block.name[:_QUOTED]!r} was not used, it {error}")
        return ""
    suffix = name.rpartition(".")[2].lower()
    if block.is_document and suffix not in _TEXTS:
        gathered.note(f"the name {name} was not used for a block of HTML")
        return ""
    folder, slash, last = name.rpartition("/")
    if last.lower() in ("index.html", "index.htm") and last != "index.html":
        gathered.note(f"{name} was taken as {folder}{slash}index.html")
        return f"{folder}{slash}index.html"
    return name


def _adopt(unnamed: list[Block], gathered: _Gathered, form: Format) -> None:
    """Without names, the largest block of each kind is the file that an app cannot do without."""
    for block in sorted(unnamed, key=lambda block: -len(block.text)):
        name = (form.adopted or {}).get(block.language)
        if name and clash(name, gathered.files) is None:
            gathered.add(name, block.text)
            gathered.note(f"a block without a name was taken as {name}")


def _take_page(unnamed: list[Block], gathered: _Gathered, form: Format) -> None:
    """Without a named page, the largest one without a name is the app's."""
    pages = [block for block in unnamed if block.is_page]
    if not pages or form.root(gathered.files) is not None:
        return
    page = max(pages, key=lambda block: (block.is_document, len(block.text)))
    gathered.add("index.html", page.text)
    if len(pages) > 1:
        gathered.note(f"of {len(pages)} pages without a name the largest was taken as index.html")
    if not page.is_document:
        gathered.note("index.html is a part of a page, without <html>")


def _take_linked(unnamed: Iterable[Block], gathered: _Gathered) -> None:
    """Styles and scripts without a name get those that a page links to, in their order."""
    pages = [(name, text) for name, text in gathered.files.items() if name.endswith(".html")]
    for kind, pattern in _LINKS.items():
        missing = [
            path
            for name, text in pages
            for link in pattern.findall(text)
            if (path := _linked(name, link, kind)) and clash(path, gathered.files) is None
        ]
        missing = list(dict.fromkeys(missing))
        nameless = [block for block in unnamed if _LANGUAGES.get(block.language) == kind]
        for path, block in zip(missing, nameless, strict=False):
            gathered.add(path, block.text)
            gathered.note(f"a block without a name was taken as {path}, which a page links to")
        if len(nameless) > len(missing):
            gathered.note(f"{kind} without a name, to which no page links, was left out")


def _linked(page: str, link: str, kind: str) -> str:
    """The file that a link leads to, if it is one of the app's and of this kind."""
    plain = re.split(r"[?#]", link)[0]
    if not plain.endswith((f".{kind}", ".mjs" if kind == "js" else ".css")):
        return ""
    folder, slash, _ = page.rpartition("/")
    try:
        return safe_path(folder + slash + plain)
    except UnsafePath:
        return ""


def _from_the_top(gathered: _Gathered, form: Format) -> dict[str, str] | None:
    """The app's files with its page at the top, or None where there is no page."""
    root = form.root(gathered.files)
    if not root:
        return gathered.files if root is not None else None
    gathered.note(f"the app was taken from the folder {root}/, it was not at the top")
    inside = {
        name.removeprefix(f"{root}/"): text
        for name, text in gathered.files.items()
        if name.startswith(f"{root}/")
    }
    left_out = [name for name in gathered.files if not name.startswith(f"{root}/")]
    if left_out:
        gathered.note(f"files outside that folder were left out: {enumerate_names(left_out)}")
    return inside


def _why_nothing(reply: str, files: Mapping[str, str], form: Format, truncated: bool) -> str:
    if not reply.strip():
        return "it is empty"
    if form.adopted is None and any(name.endswith(".html") for name in files):
        named = enumerate_names(sorted(files))
        return f"it holds several pages and none of them is index.html (found: {named})"
    if _REFUSAL.match(reply):
        return "it reads like a refusal"
    if truncated:
        return "it was cut off before a page began"
    return f"it holds no {form.page} (found: {enumerate_names(sorted(files))})"


def _failed(why: str, reply: str) -> GenerationFailed:
    start = " ".join(reply[: 4 * _QUOTED].split())
    quote = start[:_QUOTED] + ("..." if len(start) > _QUOTED else "")
    said = f"; it begins: {quote!r}" if quote else ""
    return GenerationFailed(f"the model's reply is no app: {why}{said}", reply[:MAX_BYTES])
