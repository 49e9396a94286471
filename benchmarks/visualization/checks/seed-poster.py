"""Checks of seed-poster: pictures compared with each other and with their mirror image."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from pytest_appbench.browser.clock import Clock

# Measures of two screenshots, both brought to 240 by 240 pixels.
MEASURE = """async ([first, second]) => {
    const N = 240;
    const load = async source => {
        const picture = new Image();
        picture.src = 'data:image/png;base64,' + source;
        await picture.decode();
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = N;
        const pen = canvas.getContext('2d');
        pen.imageSmoothingEnabled = false;
        pen.drawImage(picture, 0, 0, N, N);
        return pen.getImageData(0, 0, N, N).data;
    };
    const [a, b] = [await load(first), await load(second)];
    const far = (p, i, q, j) => Math.abs(p[i] - q[j]) + Math.abs(p[i + 1] - q[j + 1])
        + Math.abs(p[i + 2] - q[j + 2]) > 60 ? 1 : 0;
    let differ = 0, lopsided = 0, changes = 0;
    const tints = {};
    for (let y = 0; y < N; y++) for (let x = 0; x < N; x++) {
        const i = 4 * (y * N + x);
        differ += far(a, i, b, i);
        // Rescaling may shift a contour by one pixel, so the neighbours count as well.
        lopsided += [0, -1, 1].every(d => {
            const other = Math.min(N - 1, Math.max(0, N - 1 - x + d));
            return far(a, i, a, 4 * (y * N + other));
        }) ? 1 : 0;
        if (x) changes += far(a, i, a, i - 4);
        const tint = [a[i] >> 4, a[i + 1] >> 4, a[i + 2] >> 4].join();
        tints[tint] = (tints[tint] || 0) + 1;
    }
    const colours = Object.values(tints).filter(n => n > 0.02 * N * N).length;
    return { differ: differ / N / N, lopsided: lopsided / N / N, changes: changes / N, colours };
}"""


def _poster(page: Page) -> Locator:
    poster = page.get_by_role("img", name=re.compile("poster", re.I)).first
    expect(poster, 'no picture announced as "Poster"').to_be_visible()
    return poster


def _picture(page: Page, clock: Clock) -> str:
    clock.run_for(400)
    return base64.b64encode(_poster(page).screenshot()).decode()


def _measure(page: Page, first: str, second: str) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(MEASURE, [first, second])
    return found


def _seed(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("seed", re.I))


def _tiles(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile("tiles per side", re.I))


def _palette(page: Page) -> Locator:
    return page.get_by_role("combobox", name=re.compile("palette", re.I))


def _mirror(page: Page) -> Locator:
    return page.get_by_role("checkbox", name=re.compile("mirror", re.I))


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name, re.I))


def _assert_same(page: Page, first: str, second: str, message: str) -> None:
    differ = _measure(page, first, second)["differ"]
    assert differ < 0.01, f"{message}: {differ:.0%} of the picture differ"


def _assert_other(page: Page, first: str, second: str, message: str) -> None:
    differ = _measure(page, first, second)["differ"]
    assert differ > 0.05, f"{message}: only {differ:.0%} of the picture differ"


def check_static_controls_with_their_values(page: Page) -> None:
    """Seed, Tiles per side, Palette, Mirror and the two buttons are there, set as asked."""
    expect(_seed(page), "no text field labelled Seed").to_be_visible()
    expect(_seed(page), "the field Seed does not start with aurora").to_have_value("aurora")
    expect(_tiles(page), "no slider labelled Tiles per side").to_be_visible()
    expect(_tiles(page), "Tiles per side does not start at 8").to_have_value("8")
    for end in ("2", "16"):
        _tiles(page).fill(end)
        value = _tiles(page).input_value()
        assert value == end, f"the slider Tiles per side does not reach {end}"
    expect(_palette(page), "no drop-down labelled Palette").to_be_visible()
    options = _palette(page).locator("option").count()
    assert options >= 3, f"Palette offers {options} palettes instead of three or more"
    expect(_mirror(page), "no check box labelled Mirror").to_be_visible()
    expect(_mirror(page), "Mirror is ticked at the start").not_to_be_checked()
    for name in ("New seed", "Save PNG"):
        expect(_button(page, name), f"no button {name}").to_be_visible()


def check_static_square_picture_in_colours(page: Page, clock: Clock) -> None:
    """The poster is square and shows at least three colours."""
    clock.run_for(400)
    box = _poster(page).bounding_box()
    assert box, "the poster is not drawn"
    assert abs(box["width"] - box["height"]) <= 0.03 * box["width"], (
        f"the poster is not square, but {box['width']:.0f} by {box['height']:.0f} px"
    )
    assert box["width"] >= 150, f"the poster is only {box['width']:.0f} px wide"
    picture = _picture(page, clock)
    colours = _measure(page, picture, picture)["colours"]
    assert colours >= 3, f"the poster shows {colours:.0f} colour(s) instead of three or more"


def check_intention_same_seed_same_picture(page: Page, clock: Clock) -> None:
    """A seed gives its picture again after detours and after a reload, and others give others."""
    aurora = _picture(page, clock)
    _seed(page).fill("night-7")
    night = _picture(page, clock)
    _assert_other(page, aurora, night, "the seeds aurora and night-7 give the same picture")
    _seed(page).fill("night-8")
    _assert_other(
        page, night, _picture(page, clock), "the seeds night-7 and night-8 give the same picture"
    )
    _seed(page).fill("aurora")
    again = _picture(page, clock)
    _assert_same(page, aurora, again, "the seed aurora, entered again, gives another picture")
    page.reload()
    _seed(page).fill("night-7")
    again = _picture(page, clock)
    _assert_same(page, night, again, "after reloading, the seed night-7 gives another picture")


def check_intention_mirror_makes_the_halves_alike(page: Page, clock: Clock) -> None:
    """With Mirror the right half is the mirror image of the left one, without it is not."""
    plain = _picture(page, clock)
    assert _measure(page, plain, plain)["lopsided"] > 0.1, "the poster is mirrored without Mirror"
    _mirror(page).check()
    for tiles in ("8", "5"):
        _tiles(page).fill(tiles)
        picture = _picture(page, clock)
        lopsided = _measure(page, picture, picture)["lopsided"]
        assert lopsided < 0.03, (
            f"with Mirror and {tiles} tiles per side the halves are no mirror images: "
            f"{lopsided:.0%} of the picture differ"
        )
    _tiles(page).fill("8")
    _mirror(page).uncheck()
    again = _picture(page, clock)
    _assert_same(page, plain, again, "without Mirror the former picture does not come back")


def check_intention_more_tiles_give_finer_detail(page: Page, clock: Clock) -> None:
    """Sixteen tiles per side give a finer picture than eight, and eight than two."""
    changes = []
    for tiles in ("2", "8", "16"):
        _tiles(page).fill(tiles)
        picture = _picture(page, clock)
        changes.append(_measure(page, picture, picture)["changes"])
    assert changes[0] * 1.4 < changes[1] < changes[2] / 1.2, (
        "the picture does not get finer with 2, 8 and 16 tiles per side: "
        f"{changes[0]:.0f}, {changes[1]:.0f} and {changes[2]:.0f} changes of colour across it"
    )


def check_dynamic_palette_changes_colours_and_back(page: Page, clock: Clock) -> None:
    """Every palette gives other colours, and the first one its picture again."""
    first = _picture(page, clock)
    chosen = _palette(page).input_value()
    seen = [first]
    for value in _palette(page).locator("option").evaluate_all("all => all.map(o => o.value)")[:3]:
        if value == chosen:
            continue
        _palette(page).select_option(value)
        picture = _picture(page, clock)
        for other in seen:
            _assert_other(page, other, picture, f"the palette {value} looks like another one")
        seen.append(picture)
    _palette(page).select_option(chosen)
    again = _picture(page, clock)
    _assert_same(page, first, again, "back at the first palette the picture is another one")


def check_dynamic_new_seed_fills_the_field_and_draws(page: Page, clock: Clock) -> None:
    """New seed writes another seed into the field, and the picture is that seed's."""
    before = _picture(page, clock)
    _button(page, "new seed").click()
    picture = _picture(page, clock)
    seed = _seed(page).input_value()
    assert seed.strip(), "New seed leaves the field Seed empty"
    assert seed != "aurora", "New seed does not change the field Seed"
    _assert_other(page, before, picture, "New seed does not draw another picture")
    _seed(page).fill("aurora")
    _seed(page).fill(seed)
    again = _picture(page, clock)
    _assert_same(page, picture, again, f"the new seed {seed}, entered by hand, draws another one")


def check_dynamic_saving_names_the_file_after_the_seed(page: Page) -> None:
    """Save PNG downloads a file with the current seed in its name."""
    save = _button(page, "save png")
    expect(save, "no button Save PNG to download the picture").to_be_visible()
    for seed in ("aurora", "night-7"):
        _seed(page).fill(seed)
        with page.expect_download(timeout=8_000) as waiting:
            save.click()
        name = waiting.value.suggested_filename
        assert name == f"poster-{seed}.png", (
            f"with the seed {seed} the picture is saved as {name} instead of poster-{seed}.png"
        )


def check_dynamic_empty_seed_keeps_the_picture(page: Page, clock: Clock) -> None:
    """Without a seed the app asks for one, keeps the picture, and then goes on."""
    _seed(page).fill("night-7")
    before = _picture(page, clock)
    _seed(page).fill("")
    after = _picture(page, clock)
    ask = page.get_by_text(re.compile("please enter a seed", re.I)).first
    expect(ask, 'the seed is empty, but "Please enter a seed" does not show').to_be_visible()
    _assert_same(page, before, after, "an empty seed changed the picture")
    _seed(page).fill("aurora")
    _assert_other(
        page, before, _picture(page, clock), "after an empty seed a new one draws nothing new"
    )
    expect(ask, '"Please enter a seed" stays although a seed was entered').to_be_hidden()
