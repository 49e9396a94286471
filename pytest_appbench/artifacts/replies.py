"""Reads the blocks out of a model's reply: what stands between marks, and how it was called.

It follows how people and models write Markdown, which is looser than any specification. It does not
decide which blocks make an app; that is `extract`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

_SUFFIX = re.compile(
    r"cjs|css|csv|frag|geojson|glsl|html?|jsx?|json|map|markdown|mdx?|mjs|py|sh|sql|svg|toml|tsx?|"
    r"tsv|txt|vert|webmanifest|wgsl|xhtml|xml|ya?ml",
    re.IGNORECASE,
)
"""Suffixes that make a word a file's name; `Three.js` in a heading still needs a fitting block."""

DOCUMENT = re.compile(r"\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
END_OF_DOCUMENT = re.compile(r"</html\s*>", re.IGNORECASE)

_BEGINNING = re.compile(
    r"(?:\s|\ufeff|\u200b|<\?xml[^>]*\?>|<!--.*?-->)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_BEGINNING = 4000
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([^`]*)")
_TAG = re.compile(r"\s*<(file|document|artifact|boltAction)\b([^<>]{0,500})>(.*)", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"\b(?:title|file_?path|file_?name|file|name|path)\s*[=:]\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s}]+))",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(.+?)\s*#*|(\*\*|__)(.+?)\2\s*:?)\s*")
_COMMENT = re.compile(r"\s*(?://|#|/\*|<!--|--)\s*(.+?)\s*(?:\*/|-->)?\s*")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])?\s*(.+?)\s*:?\s*")
_REMARK = re.compile(r"\s+[-–—(]")
_LABEL = re.compile(r"(?:file\s?(?:name|path)?|path|name)\s*[:=]\s*", re.IGNORECASE)
_SPAN = re.compile(r"`([^`]{1,200})`")
_LONGEST_MARK = 300


@dataclass(frozen=True)
class Block:
    """Something in a reply that may be a file.

    Attributes:
        text: Its content.
        name: What the reply calls it, unchecked; empty if it has no name.
        language: The word after the fence, in lower case; empty if there is none.
        is_closed: Whether its end was there.
    """

    text: str
    name: str = ""
    language: str = ""
    is_closed: bool = True

    @property
    def is_document(self) -> bool:
        """Whether it begins as a whole HTML page does."""
        return _BEGINNING.match(self.text[:_LONGEST_BEGINNING]) is not None

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.is_document or (
            self.language in ("html", "htm", "xhtml") and "<" in self.text and ">" in self.text
        )


def blocks(reply: str) -> list[Block]:
    """All blocks of a reply, in their order.

    Args:
        reply: The reply's text, with any line ends.
    """
    scanner = _Scanner(reply.replace("\r\n", "\n").replace("\r", "\n"))
    found = list(scanner.marked_sections()) or list(scanner.fenced_and_bare())
    return [_named_inside(block) for block in found if block.text.strip()]


class _Scanner:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        # Characters that cannot be seen are part of an app (they join emoji), but not of a mark.
        self._marks = [line.translate(_INVISIBLE) for line in self.lines]
        self._fences = [
            _FENCE.fullmatch(mark) if len(mark) < _LONGEST_MARK else None for mark in self._marks
        ]
        self._next_fence = self._following(lambda line: self._fences[line] is not None)
        self._next_start = self._following(lambda line: bool(DOCUMENT.match(self._marks[line])))
        self._next_end = self._following(
            lambda line: bool(END_OF_DOCUMENT.search(self.lines[line]))
        )

    def _following(self, is_it: Callable[[int], bool]) -> list[int]:
        """For each line the next one, itself included, of a kind; the number of lines if none."""
        following = [len(self.lines)] * (len(self.lines) + 2)
        for line in reversed(range(len(self.lines))):
            following[line] = line if is_it(line) else following[line + 1]
        return following

    def fenced_and_bare(self) -> Iterator[Block]:
        """Blocks between fences or tags, and pages without either."""
        line, name = 0, ""
        while line < len(self.lines):
            mark = self._marks[line]
            tag = _TAG.match(mark)
            if self._fences[line]:
                block, line = self._fenced(line, name)
            elif tag and _attribute(tag[2]):
                block, line = self._tagged(line, tag)
            elif DOCUMENT.match(mark):
                block, line = self._bare(line, name)
            else:
                name = self._mark_at(line, name)
                line += 1
                continue
            name = ""
            yield block

    def marked_sections(self) -> Iterator[Block]:
        """Blocks under headings that name files, where the reply has no fences and no tags."""
        if self._next_fence[0] < len(self.lines) or any(map(_TAG.match, self._marks)):
            return
        starts: list[tuple[int, str]] = []
        line = 0
        while line < len(self.lines):
            name = _heading_name(self._marks[line])
            if name:
                starts.append((line, name))
            if DOCUMENT.match(self._marks[line]):
                line = min(self._next_end[line], len(self.lines) - 1)
            line += 1
        if not starts or self._next_start[0] < starts[0][0]:
            return
        ends = [start for start, _ in starts[1:]] + [len(self.lines)]
        for (start, name), end in zip(starts, ends, strict=True):
            text = "\n".join(self.lines[start + 1 : end])
            yield Block(_until_end_of_document(text), name)

    def _mark_at(self, line: int, name: str) -> str:
        """The name that holds for the next block, after one more line outside all blocks."""
        mark = self._marks[line]
        if len(mark) > _LONGEST_MARK or not mark.strip():
            return name
        found = _heading_name(mark)
        if found:
            return found
        following = line + 1
        while following < len(self.lines) and not self._marks[following].strip():
            following += 1
        if following < len(self.lines) and self._fences[following]:
            return _line_name(mark) or ("" if _HEADING.fullmatch(mark) else name)
        return "" if _HEADING.fullmatch(mark) else name

    def _fenced(self, start: int, name: str) -> tuple[Block, int]:
        fence = self._fences[start]
        assert fence is not None
        language, own_name = _information(fence[2])
        name = own_name or name
        is_text = language in ("md", "markdown", "mdx") or name.lower().endswith((".md", ".mdx"))
        depth, line, has_document = 0, start + 1, False
        while line < len(self.lines):
            has_document = has_document or self._next_start[line] == line
            other = self._fences[line]
            if other and other[1][0] == fence[1][0] and len(other[1]) >= len(fence[1]):
                if is_text and (other[2].strip() or depth):
                    depth += 1 if other[2].strip() else -1
                elif not (has_document and self._goes_on(start + 1, line)):
                    break
            line += 1
        is_closed = line < len(self.lines)
        text = "\n".join(self.lines[start + 1 : line])
        if not is_closed:
            text = _until_end_of_document(text)
        # A fence that says a language opens the next block: this one was never closed.
        is_next = is_closed and bool((self._fences[line] or fence)[2].strip())
        return Block(text, name, language, is_closed), line if is_next else line + 1

    def _goes_on(self, start: int, line: int) -> bool:
        """Whether a page's own text holds this fence: its end comes only later."""
        end = self._next_end[line]
        has_ended = self._next_end[start] < line
        return not has_ended and end < len(self.lines) and end < self._next_start[line + 1]

    def _tagged(self, start: int, tag: re.Match[str]) -> tuple[Block, int]:
        end_tag = f"</{tag[1]}>"
        first = self.lines[start][self.lines[start].index(">") + 1 :]
        content, line = [first], start
        while end_tag not in content[-1] and line + 1 < len(self.lines):
            line += 1
            content.append(self.lines[line])
        text, found, _ = "\n".join(content).rpartition(end_tag)
        text = text if found else "\n".join(content)
        return Block(_unwrapped(text), _attribute(tag[2]), is_closed=bool(found)), line + 1

    def _bare(self, start: int, name: str) -> tuple[Block, int]:
        """A page without a fence; a script in it may hold other pages as texts."""
        end = self._next_end[start]
        while (later := self._next_end[end + 1] if end < len(self.lines) else end) < len(
            self.lines
        ):
            if self._next_fence[end + 1] < later and self._next_start[end + 1] < later:
                break
            end = later
        is_closed = end < len(self.lines)
        text = "\n".join(self.lines[start : end + 1])
        return Block(_until_end_of_document(text), name, "html", is_closed), end + 1


def _named_inside(block: Block) -> Block:
    """The block with the name that a comment in its first line gives, if it has no other."""
    first, _, rest = block.text.lstrip("\n").partition("\n")
    comment = _COMMENT.fullmatch(first) if len(first) < _LONGEST_MARK else None
    name = _path_in(comment[1].translate(_INVISIBLE)) if comment else ""
    if not name or block.name:
        return block
    return replace(block, text=rest, name=name)


def _information(words: str) -> tuple[str, str]:
    """Language and name in what follows a fence."""
    words = words.strip()
    language = re.match(r"[{.]*([A-Za-z0-9+#_-]*)", words)
    name = _attribute(words)
    for word in re.split(r"[\s:{}]+", words):
        name = name or _path_in(word)
    return (language[1].lower() if language else ""), name


def _attribute(words: str) -> str:
    for found in _ATTRIBUTE.finditer(words):
        name = _path_in(next(group for group in found.groups() if group is not None))
        if name:
            return name
    return ""


def _heading_name(mark: str) -> str:
    """The name in a line that is a heading, stands in bold, or says `// file:`."""
    if len(mark) > _LONGEST_MARK:
        return ""
    heading = _HEADING.fullmatch(mark)
    if heading:
        words = _REMARK.split(heading[1] or heading[3], maxsplit=1)[0]
        return _path_in(words) or _only_span(words)
    comment = _COMMENT.fullmatch(mark)
    return _path_in(comment[1]) if comment and _LABEL.match(comment[1]) else ""


def _line_name(mark: str) -> str:
    """The name in a line that stands just above a fence."""
    comment = _COMMENT.fullmatch(mark)
    bullet = _BULLET.fullmatch(mark)
    name = (_path_in(comment[1]) if comment else "") or (_path_in(bullet[1]) if bullet else "")
    return name or (_only_span(mark) if mark.rstrip().endswith((":", "：")) else "")


def _only_span(words: str) -> str:
    names = {name for span in _SPAN.findall(words) if (name := _path_in(span))}
    return names.pop() if len(names) == 1 else ""


def _path_in(words: str) -> str:
    """The words, without their decoration, if they are nothing but a file's name."""
    word = re.sub(r"^\d{1,3}[.)]\s+", "", words.strip())
    word = _LABEL.sub("", word.strip(" \t*_`\"'“”[]():："), count=1).strip(" \t*_`\"'“”[]():：")
    is_known = "." in word and _SUFFIX.fullmatch(word.rpartition(".")[2])
    is_name = is_known and not re.search(r"[\s`*\"'<>|]", word)
    return word if is_name else ""


def _until_end_of_document(text: str) -> str:
    """Without what follows the end of a page."""
    if not any(DOCUMENT.match(line) for line in text.split("\n")):
        return text
    ends = [found.end() for found in END_OF_DOCUMENT.finditer(text)]
    return text[: ends[-1]] if ends else text


def _unwrapped(text: str) -> str:
    """Without a fence or CDATA around the whole."""
    text = text.strip("\n")
    bare = text.strip()
    if bare.startswith("<![CDATA["):
        return bare.removeprefix("<![CDATA[").removesuffix("]]>").strip("\n")
    lines = bare.split("\n")
    first, last = _FENCE.fullmatch(lines[0][:_LONGEST_MARK]), _FENCE.fullmatch(lines[-1])
    if first and len(lines) > 1:
        return "\n".join(lines[1 : -1 if last and not last[2].strip() else None])
    return text
