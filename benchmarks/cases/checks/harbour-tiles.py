"""Checks of harbour-tiles: which tiles move, what is counted, and the way back."""

import re

from playwright.sync_api import Page, expect


def _board(page: Page) -> dict[int, tuple[float, float]]:
    """Where each tile is."""
    tiles = page.get_by_role("button", name=re.compile(r"^Tile \d"))
    expect(tiles, "there are not eight tiles").to_have_count(8)
    found = {}
    for tile in tiles.all():
        box = tile.bounding_box()
        assert box, "a tile has no place"
        number = re.search(r"\d", tile.get_attribute("aria-label") or tile.inner_text())
        assert number, "a tile has no number"
        found[int(number.group())] = (round(box["x"]), round(box["y"]))
    return found


def _press(page: Page, tile: int) -> None:
    page.get_by_role("button", name=re.compile(rf"^Tile {tile}\b")).click()


def _expect_moves(page: Page, count: int) -> None:
    expect(page.locator("body"), f"the moves are not {count}").to_contain_text(
        re.compile(rf"Moves:?\s*{count}\b")
    )


def check_static_eight_tiles_show_the_picture(page: Page) -> None:
    """Eight tiles have the picture on them, in three rows."""
    places = _board(page)
    assert len({y for _, y in places.values()}) == 3, f"the tiles are not in 3 rows: {places}"
    seen = page.get_by_role("button", name=re.compile("^Tile 1")).evaluate(
        "tile => getComputedStyle(tile).backgroundImage + tile.innerHTML"
    )
    assert "harbour" in seen or "img" in seen or "canvas" in seen, "the picture is not on the tiles"


def check_intention_only_tiles_beside_the_gap_move(page: Page) -> None:
    """Tile 1 is far from the gap and stays; tile 8 moves to where the gap was."""
    before = _board(page)
    _press(page, 1)
    assert _board(page) == before, "tile 1 moved although it is not beside the gap"
    _press(page, 8)
    after = _board(page)
    assert after[8] != before[8], "tile 8 does not move into the gap beside it"
    _expect_moves(page, 1)


def check_dynamic_a_whole_picture_says_how_many_moves(page: Page) -> None:
    """There and back are two moves, and the picture is solved."""
    _board(page)
    _press(page, 8)
    _press(page, 8)
    expect(page.get_by_text(re.compile("Solved in 2 moves", re.I)), "no word of it").to_be_visible()


def check_dynamic_arrow_keys_move_tiles(page: Page) -> None:
    """An arrow key moves a tile into the gap."""
    before = _board(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert _board(page) != before, "no arrow key moves a tile"


def check_dynamic_shuffle_and_restore(page: Page) -> None:
    """Shuffle mixes the tiles and counts from 0; Restore makes the picture whole."""
    before = _board(page)
    _press(page, 8)
    page.get_by_role("button", name=re.compile("Shuffle", re.I)).click()
    assert _board(page) != before, "Shuffle leaves the picture whole"
    _expect_moves(page, 0)
    page.get_by_role("button", name=re.compile("Restore", re.I)).click()
    assert _board(page) == before, "Restore does not bring the picture back"
