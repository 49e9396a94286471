"""A model's reply becomes files, however it is written, and never files elsewhere."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_appbench.artifacts import extract as extract_module
from pytest_appbench.artifacts.candidate import entry_point
from pytest_appbench.artifacts.extract import checked, extract
from pytest_appbench.artifacts.paths import UnsafePath, safe_path
from pytest_appbench.artifacts.workspace import write
from pytest_appbench.errors import GenerationFailed

PAGE = '<!DOCTYPE html>\n<html lang="en"><body><h1>App</h1></body></html>'
STYLE = "h1 { color: red }"
SCRIPT = "console.log(1)"


def block(content: str, info: str = "html", fence: str = "```") -> str:
    return f"{fence}{info}\n{content}\n{fence}\n"


def marked(mark: str, gap: str) -> str:
    """A reply with two files, each below its mark."""
    parts = {"index.html": block(PAGE), "js/app.js": block(SCRIPT, "javascript")}
    return "".join(f"{mark.replace('{path}', path)}\n{gap}{part}\n" for path, part in parts.items())


@pytest.mark.parametrize(
    "reply",
    [
        block(PAGE),
        f"Here is your app.\n\n{block(PAGE)}\nHave fun! It uses `localStorage`.",
        block(PAGE, ""),
        block(PAGE, "HTML"),
        block(PAGE, "xml"),
        block(PAGE, "html", "~~~"),
        block(PAGE, "html", "`````"),
        block(PAGE, " html"),
        PAGE,
        f"Sure, here it is:\n\n{PAGE}\n\nOpen it in a browser.",
        f"```html\n{PAGE}",
        f"```html\n{PAGE}\n\nThat is all.",
        f"\ufeff\u200b```html\n{PAGE}\n\u200b```",
        block(PAGE).replace("\n", "\r\n"),
        block(PAGE).replace("\n", "\r"),
    ],
    ids=[
        "fence",
        "prose around",
        "no language",
        "upper case",
        "another language",
        "tildes",
        "long fence",
        "space before the language",
        "bare",
        "bare with prose around",
        "fence never closed",
        "fence never closed, with prose after",
        "characters that cannot be seen",
        "windows line ends",
        "old line ends",
    ],
)
def test_a_page_without_a_name_is_the_apps_page(reply: str) -> None:
    assert extract(reply).files == {"index.html": PAGE}


@pytest.mark.parametrize(
    "mark",
    [
        "#### `{path}`",
        "### {path}",
        "## 2. {path}",
        "### File: `{path}`",
        "### `{path}` (the main part)",
        "**{path}**",
        "**`{path}`:**",
        "`{path}`",
        "{path}:",
        "1. `{path}`",
        "// file: {path}",
        "<!-- {path} -->",
        "# {path}",
        "File: {path}",
        "This goes into `{path}`:",
        "#### `\u200b{path}\u200b`",
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_mark_above_a_block_is_its_name(mark: str, gap: str) -> None:
    assert extract(marked(mark, gap)).files == {"index.html": PAGE, "js/app.js": SCRIPT}


@pytest.mark.parametrize("mark", ["#### `{path}`", "## {path}", "**{path}**", "// file: {path}"])
def test_a_heading_names_the_next_block_also_over_prose(mark: str) -> None:
    reply = marked(mark, "\nIt holds what you asked for.\n\n")

    assert extract(reply).files == {"index.html": PAGE, "js/app.js": SCRIPT}


@pytest.mark.parametrize(
    "info",
    [
        "html {path}",
        "html:{path}",
        'html title="{path}"',
        "html title='{path}'",
        "html filename={path}",
        'html {file="{path}"}',
        "{path}",
        'html {1-3} path="./{path}"',
    ],
)
def test_the_words_after_a_fence_may_name_the_file(info: str) -> None:
    assert extract(block(PAGE, info.replace("{path}", "pages/../start.html"))).files != {}
    assert extract(block(PAGE, info.replace("{path}", "start.html"))).files == {"start.html": PAGE}


@pytest.mark.parametrize("comment", ["// {path}", "/* {path} */", "// file: {path}", "# {path}"])
def test_a_comment_in_the_first_line_may_name_the_file(comment: str) -> None:
    reply = block(PAGE) + block(f"{comment.replace('{path}', 'app.js')}\n{SCRIPT}", "js")

    assert extract(reply).files == {"index.html": PAGE, "app.js": SCRIPT}


def test_tags_may_hold_files() -> None:
    reply = (
        f'<file path="index.html">\n{PAGE}\n</file>\n'
        f"<file name='style.css'><![CDATA[\n{STYLE}\n]]></file>\n"
        f'<file path="app.js">\n{block(SCRIPT, "js")}</file>\nDone.'
    )

    assert extract(reply).files == {"index.html": PAGE, "style.css": STYLE, "app.js": SCRIPT}


def test_headings_may_name_files_without_fences() -> None:
    reply = f"#### `index.html`\n{PAGE}\n\n#### `style.css`\n{STYLE}\n"

    files = extract(reply).files

    assert files["index.html"] == PAGE
    assert files["style.css"].strip() == STYLE


def test_prose_that_names_files_below_a_bare_page_takes_nothing_from_it() -> None:
    reply = f"{PAGE}\n\n**index.html**\n\nholds everything.\n"

    assert extract(reply).files == {"index.html": PAGE}


def test_of_pages_without_a_name_the_largest_is_taken_and_that_is_said() -> None:
    snippet = "<button>Start</button>"

    found = extract(f"{block(snippet)}\n{block(PAGE)}\n{block(snippet)}")

    assert found.files == {"index.html": PAGE}
    assert found.notes == ("of 3 pages without a name the largest was taken as index.html",)


def test_styles_and_scripts_without_a_name_get_the_ones_that_the_page_links_to() -> None:
    page = PAGE.replace(
        "<body>", '<link rel="stylesheet" href="css/main.css?v=1"><script src="./app.js"></script>'
    )

    found = extract(block(page) + block(STYLE, "css") + block(SCRIPT, "javascript"))

    assert found.files == {"index.html": page, "css/main.css": STYLE, "app.js": SCRIPT}
    assert "a block without a name was taken as app.js, which a page links to" in found.notes


def test_a_link_that_leads_out_names_no_file() -> None:
    page = PAGE.replace("<body>", '<link href="../../x.css"><link href="//cdn.example/y.css">')

    found = extract(block(page) + block(STYLE, "css"))

    assert set(found.files) == {"index.html"}
    assert found.notes == ("css without a name, to which no page links, was left out",)


def test_of_a_file_given_twice_the_last_one_counts_and_that_is_said() -> None:
    reply = f"### index.html\n{block('<p>draft</p>')}\n### index.html\n{block(PAGE)}"

    found = extract(reply)

    assert found.files == {"index.html": PAGE}
    assert found.notes == ("index.html was given twice, the last one was taken",)


def test_a_readme_may_hold_fences_of_its_own() -> None:
    readme = "# App\n\n```bash\nopen index.html\n```\n\nand\n\n```js\nx\n```\n\nEnd."
    reply = f"#### `README.md`\n{block(readme, 'markdown')}\n#### `index.html`\n{block(PAGE)}"

    assert extract(reply).files == {"README.md": readme, "index.html": PAGE}


def test_a_page_may_hold_fences_of_its_own() -> None:
    page = PAGE.replace("<h1>", "<textarea>\n```js\nx = 1\n```\nmore\n```\ny\n```\n</textarea><h1>")

    assert extract(f"Here:\n{block(page)}\nDone.").files == {"index.html": page}


def test_a_page_that_writes_other_pages_is_taken_whole() -> None:
    page = PAGE.replace("<h1>", "<script>const x = '<html></html>'\n// more\n</script><h1>")

    assert extract(f"So:\n{page}\nDone.").files == {"index.html": page}


def test_a_fence_that_was_forgotten_ends_where_the_next_one_begins() -> None:
    page = PAGE.replace("<body>", '<script src="app.js"></script>')

    found = extract(f"```html\n{page}\n```js\n{SCRIPT}\n```\n")

    assert found.files == {"index.html": page, "app.js": SCRIPT}


def test_a_reply_that_was_cut_off_is_taken_as_far_as_it_goes() -> None:
    cut = PAGE[:-20]

    found = extract(f"#### `index.html`\n```html\n{cut}", truncated=True)

    assert found.files == {"index.html": cut}
    assert found.notes == ("the reply was cut off; what there is of its last file was taken",)


def test_emoji_that_are_joined_by_invisible_characters_stay_whole() -> None:
    page = PAGE.replace("App", "👩\u200d💻 \u200bApp")

    assert extract(block(page)).files == {"index.html": page}


def test_an_app_in_a_folder_of_its_own_is_taken_from_there() -> None:
    reply = (
        f"#### `timer/index.html`\n{block(PAGE)}\n#### `timer/js/a.js`\n{block(SCRIPT, 'js')}\n"
        f"#### `README.md`\n{block('# Timer', 'markdown')}"
    )

    found = extract(reply)

    assert found.files == {"index.html": PAGE, "js/a.js": SCRIPT}
    assert found.notes == (
        "the app was taken from the folder timer/, it was not at the top",
        "files outside that folder were left out: README.md",
    )


@pytest.mark.parametrize("name", ["index.htm", "Index.html", "INDEX.HTML"])
def test_an_index_by_another_spelling_is_the_index(name: str) -> None:
    assert extract(f"### {name}\n{block(PAGE)}").files == {"index.html": PAGE}


def test_a_heading_that_only_looks_like_a_file_names_no_page() -> None:
    assert extract(f"### Three.js\n{block(PAGE)}").files == {"index.html": PAGE}


HOSTILE = [
    "../index.html",
    "a/../../index.html",
    "/etc/index.html",
    "~/index.html",
    "C:/index.html",
    "C:\\index.html",
    "..\\index.html",
    "a\\b.html",
    "con.html",
    "AUX.html",
    "lpt1.html",
    "a./index.html",
    "in\x00dex.html",
    "in\x1b[2Jdex.html",
    "in\u202edex.html",
    "a:b.html",
    "what?.html",
    "x" * 300 + ".html",
    "a/" * 20 + "index.html",
    "ä" * 150 + ".html",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_is_no_place_in_the_app_is_refused(name: str) -> None:
    with pytest.raises(UnsafePath):
        safe_path(name)
    with pytest.raises(GenerationFailed, match="the file name"):
        checked({name: PAGE})


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.isprintable()])
def test_a_page_whose_name_is_refused_is_still_the_apps_page(name: str, tmp_path: Path) -> None:
    for reply in (f'<file path="{name}">\n{PAGE}\n</file>', block(PAGE, f'html title="{name}"')):
        assert extract(reply).files == {"index.html": PAGE}


@pytest.mark.parametrize(
    ("given_path", "path"),
    [("./a.html", "a.html"), ("a//b.html", "a/b.html"), (" é.html ", "é.html")],
)
def test_harmless_spellings_of_a_path_are_tidied(given_path: str, path: str) -> None:
    assert safe_path(given_path) == path


@pytest.mark.parametrize(
    "files",
    [
        {"index.html": "", "INDEX.html": ""},
        {"a": "", "a/b": ""},
        {f"{number}.txt": "" for number in range(201)},
        {"index.html": "x" * 20_000_001},
    ],
    ids=["case", "file and folder", "too many", "too large"],
)
def test_files_that_cannot_be_together_are_refused(files: dict[str, str]) -> None:
    with pytest.raises(GenerationFailed):
        checked(files)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "it is empty"),
        (" \n\t", "it is empty"),
        ("I'm sorry, but I can't help with that.", "it reads like a refusal"),
        ("Let me think about the pendulum first.", "it holds no HTML page"),
        (block("print(1)", "python"), "it holds no HTML page"),
        (f"### a.html\n{block(PAGE)}\n### b.html\n{block(PAGE)}", "it holds several pages"),
        ("x" * 20_000_001, "it is larger than 20 MB"),
    ],
)
def test_a_reply_without_an_app_fails_and_is_quoted(reply: str, why: str) -> None:
    with pytest.raises(GenerationFailed) as caught:
        extract(reply)

    assert str(caught.value).startswith(f"the model's reply is no app: {why}")
    assert " ".join(reply.split())[:30] in str(caught.value)
    assert caught.value.notes == reply[: extract_module.MAX_BYTES]


def test_a_reply_cut_off_before_its_page_says_so() -> None:
    with pytest.raises(GenerationFailed, match="it was cut off before a page began"):
        extract("I will now write", truncated=True)


def test_too_many_files_fail() -> None:
    reply = block(PAGE) + "".join(f"### {n}.js\n{block('x', 'js')}\n" for n in range(200))

    with pytest.raises(GenerationFailed, match="more than 200 files"):
        extract(reply)


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "\n",
                "```",
                "````",
                "~~~",
                "```html\n",
                "```markdown\n",
                "\n```\n",
                PAGE,
                "<!DOCTYPE html>\n<html>",
                "</html>",
                "#### `index.html`\n",
                "**a/b.css**\n",
                '<file path="../../x.html">',
                "</file>",
                "// file: /etc/passwd.html\n",
                '```html title="..\\..\\x.html"\n',
                '<link href="../../../y.css"><script src="con.js">',
                "```css\n",
                "```js\n",
                "\r",
                "\x00",
                "\ud800",
                "\u200b",
            ]
        ),
        st.text(max_size=20),
    ),
    max_size=40,
)


@given(pieces=PIECES, truncated=st.booleans())
@example(pieces=["```html\n", "<p>a</p>", "\n```\n", "**a/b.css**\n", "```css\n"], truncated=True)
@settings(max_examples=400, deadline=None)
def test_whatever_the_reply_there_is_an_app_inside_its_folder_or_a_failure(
    pieces: list[str], truncated: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    try:
        found = extract("".join(pieces), truncated=truncated)
    except GenerationFailed:
        return

    assert entry_point(name for name in found.files if "/" not in name) is not None
    folder = tmp_path_factory.mktemp("workspace").resolve()
    write(found.files, folder)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == set(found.files)
    assert not any(path.name.endswith((".css", ".html")) for path in folder.parent.glob("*"))


@given(
    name=st.text()
    | st.lists(st.sampled_from(["..", ".", "a", "", "~", " b", "C:", "\\"])).map("/".join)
)
@example(name=".//~")
@example(name="./\u3000a")
def test_a_safe_path_always_stays_inside(name: str) -> None:
    try:
        path = safe_path(name)
    except UnsafePath:
        return

    folder = Path("/workspace")
    assert (folder / path).resolve().is_relative_to(folder)
    assert safe_path(path) == path


def test_long_hostile_replies_are_read_in_reasonable_steps() -> None:
    """Each of these made a reader with backtracking, or one that looks ahead, take for ever."""
    for reply in (
        "```html\n<html>\n" + "```\n" * 50_000,
        "<html>\n" * 50_000,
        "</html>\n" * 50_000 + "```\n",
        "<link " * 100_000,
        block("<html>" + "<link " * 100_000),
        "`" * 200_000,
        "<!--" * 100_000,
        "<file " * 50_000,
        '<file path="a.html">\n' * 20_000,
        "**a.html" * 50_000,
        " " * 500_000 + "x",
    ):
        try:
            extract(dedent(reply))
        except GenerationFailed as failure:
            assert "no app" in str(failure)  # noqa: PT017
