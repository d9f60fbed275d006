"""What can be measured about the look: contrast, marks that stay themselves when turned, paper and patterns, width."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import pytest
from PIL import Image, ImageChops
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, two_hands

from kiosk.screens.seatmap import around
from kiosk.text import _, ngettext, speak
from kiosk.theme import LIGHT, Panel, Theme, Tone, Weight, contrast
from kiosk.widgets.edges import band
from kiosk.widgets.fitting import overflows
from kiosk.widgets.fonts import extent
from kiosk.widgets.layout import Rect, Turn, layout
from kiosk.widgets.marks import MarkName, draw, tally
from kiosk.widgets.node import Box, Skin
from kiosk.widgets.parts import column, row, words
from kiosk.widgets.vector import FULL, Triangles, dashes, disc, fill, rounded, stroke
from tallybox.papers import PAPERS
from tallybox.seats import Seat

PAIRS = [
    (Tone.INK, Tone.STOCK, 7), (Tone.INK, Tone.CARD, 7), (Tone.INK, Tone.WELL, 7), (Tone.INK2, Tone.CARD, 4.5),
    (Tone.INK2, Tone.STOCK, 4.5), (Tone.INK2, Tone.WELL, 4.5), (Tone.ONBAIZE, Tone.BAIZE, 7),
    (Tone.BAIZE, Tone.CARD, 7), (Tone.INK, Tone.BAIZESOFT, 7), (Tone.BAIZE, Tone.BAIZESOFT, 4.5),
    (Tone.ONCALL, Tone.CALL, 4.5), (Tone.CALL, Tone.CARD, 4.5), (Tone.CALL, Tone.STOCK, 4.5),
    (Tone.INK, Tone.CALLSOFT, 7), (Tone.CALL, Tone.CALLSOFT, 4.5), (Tone.ONAMBER, Tone.AMBER, 7),
    (Tone.AMBERTEXT, Tone.CARD, 4.5), (Tone.AMBERTEXT, Tone.BAIZESOFT, 4.5), (Tone.INK, Tone.AMBERSOFT, 7),
    (Tone.BLUE, Tone.CARD, 4.5), (Tone.BLUE, Tone.BLUESOFT, 4.5), (Tone.INK, Tone.BLUESOFT, 7),
    (Tone.CARD, Tone.INK, 7), (Tone.EDGE, Tone.CARD, 3), (Tone.EDGE, Tone.STOCK, 3),
    (Tone.INK, Tone.PAPER, 7), (Tone.INK2, Tone.PAPER, 4.5), (Tone.BAND, Tone.PAPER, 3),
]  # fmt: skip


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("number", range(1, 9))
def test_every_pair_of_tones_has_its_contrast(number: int, dark: bool) -> None:
    theme = Theme(dark=dark, round_number=number)
    poor = [
        (ink, ground)
        for ink, ground, least in PAIRS
        if contrast(theme.color(ink), theme.color(ground)) < least
    ]  # fmt: skip
    assert poor == []


def test_light_and_dark_name_the_same_tones() -> None:
    assert set(LIGHT) == set(Tone) - {Tone.PAPER, Tone.BAND, Tone.PAPERLINE}


def test_ninth_round_is_canary_with_a_doubled_edge() -> None:
    assert (Theme(round_number=9).sheet.name, Theme(round_number=9).doubled) == ("Canary", True)
    assert (Theme(round_number=8).sheet.name, Theme(round_number=8).doubled) == ("Mint", False)


def test_type_grows_with_the_panel_and_never_falls_below_the_floor() -> None:
    ten = Theme(Panel.TEN)
    sizes = [ten.type_px(size) for size in (16, 19, 21, 25, 28, 34, 52, 100, 200)]
    assert sizes == [21, 26, 29, 35, 42, 52, 74, 150, 310]
    assert all(small < large for small, large in pairwise(sizes))


@pytest.mark.pixels
def test_figures_are_all_of_one_width(panel: Callable[..., PanelUnderTest]) -> None:
    panel(FoldingBox())
    widths = {extent(figure, 100, weight) for figure in "0123456789" for weight in Weight}
    assert widths == {54}
    assert extent("−", 100, Weight.BOLD) == 54


# --- shapes


def drawn(mark: MarkName, size: int = 96) -> Image.Image:
    """A mark in black and white, without the soft edge."""
    return flat(draw(mark, float(size), 2.6), size)


def flat(shape: Triangles, size: int) -> Image.Image:
    from PIL import ImageDraw  # noqa: PLC0415 (only here)

    picture = Image.new("L", (size, size))
    pen = ImageDraw.Draw(picture)
    points = list(zip(shape.vertices[0::4], shape.vertices[1::4], shape.vertices[2::4], strict=True))
    for a, b, c in zip(*[iter(shape.indices)] * 3, strict=True):
        corners = [points[a], points[b], points[c]]
        if all(ink == FULL for _x, _y, ink in corners):
            pen.polygon([(x, y) for x, y, _ink in corners], fill=255)
    return picture


def likeness(one: Image.Image, other: Image.Image) -> float:
    """How much two marks share: 1 for the same."""
    return inked(ImageChops.darker(one, other)) / inked(ImageChops.lighter(one, other))


def inked(picture: Image.Image) -> int:
    """How many pixels are black."""
    return sum(picture.tobytes()) // 255


CALLS = (MarkName.SUN, MarkName.MOON, MarkName.NO, MarkName.PASS, MarkName.NIL, MarkName.NOT_YET)


def test_no_call_mark_becomes_another_one_when_the_panel_is_turned() -> None:
    pictures = {mark: drawn(mark) for mark in CALLS}
    alike = {
        (one, other, turn): likeness(pictures[one].rotate(turn), pictures[other])
        for one, other in product(CALLS, CALLS)
        if one is not other
        for turn in (0, 90, 180, 270)
    }
    worst = max(alike, key=lambda pair: alike[pair])
    assert alike[worst] < 0.56, worst
    assert frozenset(worst[:2]) == {MarkName.MOON, MarkName.NIL}, "marks of two different games"


@pytest.mark.parametrize("mark", list(MarkName), ids=lambda mark: mark.value)
def test_every_mark_has_ink_and_stays_in_its_square(mark: MarkName) -> None:
    shape = draw(mark, 48.0, 2.4)
    xs, ys = shape.vertices[0::4], shape.vertices[1::4]
    assert min(xs) > -1.5
    assert min(ys) > -1.5
    assert max(xs) < 49.5
    assert max(ys) < 49.5
    assert 0.02 < inked(flat(shape, 48)) / 48**2 < 0.75


def test_pass_nil_no_and_not_yet_are_four_shapes() -> None:
    kinds = [drawn(mark) for mark in (MarkName.PASS, MarkName.NIL, MarkName.NO, MarkName.NOT_YET)]
    assert max(likeness(one, other) for one, other in product(kinds, kinds) if one is not other) < 0.35


def area(shape: Triangles) -> float:
    points = list(zip(shape.vertices[0::4], shape.vertices[1::4], shape.vertices[2::4], strict=True))
    total = 0.0
    for a, b, c in zip(*[iter(shape.indices)] * 3, strict=True):
        (ax, ay, au), (bx, by, bu), (cx, cy, cu) = points[a], points[b], points[c]
        ink = ((au + bu + cu) / 3 - 0.25) * 2
        total += abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2 * ink
    return total


def test_soft_edges_keep_the_area_of_a_shape() -> None:
    square, round_one, hook = Triangles(), Triangles(), Triangles()
    fill(square, [(0, 0), (40, 0), (40, 20), (0, 20)])
    disc(round_one, 50, 50, 30)
    fill(hook, [(0, 0), (30, 0), (30, 10), (10, 10), (10, 30), (0, 30)])
    assert area(square) == pytest.approx(800, rel=0.01)
    assert area(round_one) == pytest.approx(2827, rel=0.02)
    assert area(hook) == pytest.approx(500, rel=0.02)


def test_stroke_of_one_point_is_a_dot_and_of_none_is_nothing() -> None:
    dot, nothing = Triangles(), Triangles()
    stroke(dot, [(5, 5), (5, 5)], 4)
    stroke(nothing, [], 4)
    assert area(dot) == pytest.approx(12.6, rel=0.1)
    assert nothing.indices == []


def test_dashes_come_out_even() -> None:
    lengths = [
        sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(dash))
        for dash in dashes(rounded(0, 0, 100, 50, 0), 7, 5)
    ]
    assert len(lengths) == 25
    assert max(lengths) - min(lengths) < 0.01


@pytest.mark.parametrize("sheet", PAPERS, ids=lambda sheet: sheet.name)
def test_edge_pattern_has_ink_and_paper_and_stays_on_the_edge(sheet: object) -> None:
    ink, paper = band(sheet.pattern, 14.0, 480.0, 1.0)  # type: ignore[attr-defined]
    share = (area(ink) - area(paper)) / (14 * 480)
    assert max(ink.vertices[0::4]) < 15
    assert max(ink.vertices[1::4]) < 481
    assert (share > 0.99) if sheet.name == "Canary" else (0.3 < share < 0.9)  # type: ignore[attr-defined]


def test_every_fifth_stroke_crosses() -> None:
    four, five = tally(4, 4, 20, None), tally(5, 5, 20, None)
    assert five[2] > four[2]
    assert area(five[0]) > area(four[0])
    done, to_come, _width = tally(2, 5, 20, 3)
    assert area(done) > 0
    assert area(to_come) > 0


_SKIN = Skin(ground=Tone.CARD)


# --- layout


def plain_extent(text: str, size: int, _weight: Weight) -> int:
    return len(text) * size // 2


def test_row_shares_what_is_left() -> None:
    tree = row(Box(w=100), Box(grow=1), Box(grow=2), gap=10)
    placed = layout(Box(tree.children, gap=10, h=20), Rect(0, 0, 420, 20), Theme(), plain_extent)
    assert placed == ()
    named = Box(tuple(Box(grow=child.grow, w=child.w, tap=None, skin=_SKIN) for child in tree.children), gap=10)  # type: ignore[union-attr]
    places = [item.rect.w for item in layout(named, Rect(0, 0, 420, 20), Theme(), plain_extent)]
    assert places == [100, 100, 200]


def test_words_wrap_at_spaces_and_report_what_does_not_fit() -> None:
    tree = column(words("one two three", 10, line=12, wrap=True))
    placed = layout(tree, Rect(0, 0, 40, 60), Theme(), plain_extent)
    assert [piece.words for piece in placed[0].pieces] == ["one two", "three"]
    assert overflows(placed) == []
    tight = layout(column(words("immovable", 10)), Rect(0, 0, 30, 60), Theme(), plain_extent)
    assert overflows(tight) == ["“immovable” (45 px) is wider than its place (30 px)"]


def test_names_that_are_too_long_end_in_dots() -> None:
    placed = layout(column(words("a very long name", 10, cut=True)), Rect(0, 0, 40, 20), Theme(), plain_extent)
    assert [piece.words for piece in placed[0].pieces] == ["a very…"]


def test_turn_brings_every_point_back() -> None:
    turn = Turn(3, 50, 20)
    where = turn.rect(Rect(0, 0, 10, 4)).middle
    assert turn.back(*where) == pytest.approx(Rect(0, 0, 10, 4).middle)


def test_seats_stand_clockwise_around_the_table() -> None:
    for bottom in Seat:
        top, right, low, left = around(bottom)
        assert (low, left, top, right) == (bottom, bottom.left, bottom.left.left, bottom.left.left.left)


@pytest.mark.pixels
def test_same_table_gives_the_same_pixels(panel: Callable[..., PanelUnderTest]) -> None:
    first, second = (panel(two_hands(FoldingBox().sit())).picture().tobytes() for _shown in range(2))
    assert first == second


class Shouting:
    """A catalogue that shows what went through it."""

    def gettext(self, message: str) -> str:
        return message.upper().replace("{SEAT}", "{seat}")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{n}!" if n == 1 else msgid2


def test_sentences_go_through_the_catalogue_in_use() -> None:
    assert (_("{seat} to bid", seat="East"), ngettext("{n} hand", "{n} hands", 1)) == ("East to bid", "1 hand")
    speak(Shouting())
    try:
        assert _("{seat} to bid", seat="East") == "East TO BID"
        assert [ngettext("{n} hand", "{n} hands", n) for n in (1, 2)] == ["1!", "2 hands"]
    finally:
        speak(None)
    assert ngettext("{n} hand", "{n} hands", 0) == "0 hands"
