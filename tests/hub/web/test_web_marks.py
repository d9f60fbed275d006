"""Marks and tokens: what is drawn says what it should, and every colour pair can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from web_site import read

from hub.web.marks import Strokes, call_mark, signature, tally
from hub.web.render import STATIC
from tallybox.calls import NIL, PASS, Bid, Call, Direction, Number, Strain

points = st.lists(st.integers(0, 1000), min_size=2, max_size=60).map(lambda flat: tuple(flat[: len(flat) // 2 * 2]))


@settings(deadline=None)
@given(st.lists(points, min_size=1, max_size=8))
def test_signature_draws_every_point_in_order(strokes: list[tuple[int, ...]]) -> None:
    pad = read(str(signature(strokes, "Signature"))).one("svg")
    drawn: list[tuple[int, ...]] = []
    for node in pad.all():
        if node.tag == "polyline":
            drawn.append(tuple(int(value) for value in re.findall(r"\d+", node.attrs["points"])))
        else:
            x, y = re.findall(r"\d+", node.attrs["d"])[:2]
            drawn.append((int(x), int(y)))
    collapsed = [
        stroke if len({stroke[at : at + 2] for at in range(0, len(stroke), 2)}) > 1 else stroke[:2]
        for stroke in strokes
    ]
    assert drawn == collapsed


@settings(deadline=None)
@given(st.integers(0, 25), st.integers(1, 25))
def test_tally_draws_one_stroke_a_hand(done: int, total: int) -> None:
    row = read(str(tally(Strokes(min(done, total), total)))).one("svg")
    coming = row.all("path", cls="coming")
    assert (len(row.all("path")), len(coming)) == (total, total - min(done, total))


@pytest.mark.parametrize(
    ("call", "direction", "words", "marks"),
    [
        (None, None, "", 1),
        (PASS, None, "PASS", 1),
        (NIL, None, "NIL", 1),
        (Number(4), None, "4", 0),
        (Bid(4, Strain.HIGH), None, "4 HIGH", 1),
        (Bid(5, Strain.SPECIAL), None, "5 SPECIAL", 1),
        (Bid(5, Strain.NO), None, "5 NO", 1),
        (Bid(5, Strain.NO), Direction.UP, "5 NO UP", 2),
        (Bid(5, Strain.NO), Direction.DOWN, "5 NO DOWN", 2),
    ],
)
def test_pass_nil_a_number_and_not_yet_have_different_shapes(
    call: Call | None, direction: Direction | None, words: str, marks: int
) -> None:
    node = read(str(call_mark(call, 20, direction))).one("span", cls="call")
    assert (node.text, len(node.all("svg"))) == (words, marks)


def test_no_two_marks_share_a_shape() -> None:
    calls: list[Call | None] = [None, PASS, NIL, Bid(4, Strain.HIGH), Bid(4, Strain.SPECIAL), Bid(4, Strain.NO)]
    shapes = [re.findall(r"<svg.*?</svg>", str(call_mark(call)))[0] for call in calls]
    assert len(set(shapes)) == len(shapes)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes() -> list[dict[str, str]]:
    """The colours of the light and of the dark page, papers and bands as ``paper1`` and so on."""
    text = (STATIC / "tokens.css").read_text()
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    depth_dark = False
    for line in text.splitlines():
        if line.startswith("@media (prefers-color-scheme: dark)"):
            depth_dark = True
        elif line == "}":
            depth_dark = False
        paper = re.search(r"\.paper-([1-8]) ", line)
        for name, value in re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})", line):
            (dark if depth_dark else light)[name + (paper[1] if paper else "")] = value
    return [light, {**light, **dark}]


PAIRS = [
    ("ink", "stock", 7), ("ink", "card", 7), ("ink", "well", 7), ("ink2", "card", 4.5), ("ink2", "stock", 4.5),
    ("ink2", "well", 4.5), ("onbaize", "baize", 7), ("baize", "card", 7), ("ink", "baizesoft", 7),
    ("baize", "baizesoft", 4.5), ("oncall", "call", 4.5), ("call", "card", 4.5), ("call", "stock", 4.5),
    ("ink", "callsoft", 7), ("call", "callsoft", 4.5), ("onamber", "amber", 7), ("ambertext", "card", 4.5),
    ("ink", "ambersoft", 7), ("blue", "card", 4.5), ("blue", "bluesoft", 4.5), ("ink", "bluesoft", 7),
    ("card", "ink", 7), ("edge", "card", 3), ("edge", "stock", 3), ("onnav", "nav", 7), ("onnav2", "nav", 4.5),
    ("onnavon", "navon", 7), ("ink2", "baizesoft", 4.5), ("ink2", "bluesoft", 4.5), ("ink2", "ambersoft", 4.5),
    *[("ink", f"paper{number}", 7) for number in range(1, 9)],
    *[(f"band{number}", f"paper{number}", 3) for number in range(1, 9)],
]  # fmt: skip


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_pair_of_colours_can_be_read(theme: int) -> None:
    colours = themes()[theme]
    short = [
        (a, b, round(contrast(colours[a], colours[b]), 2))
        for a, b, least in PAIRS
        if contrast(colours[a], colours[b]) < least
    ]
    assert short == []


def test_no_stylesheet_fetches_anything_from_elsewhere() -> None:
    for sheet in sorted(Path(STATIC).glob("*.css")):
        found = re.findall(r"url\(\"?([^)\"]+)", sheet.read_text()) + re.findall(r"@import", sheet.read_text())
        assert [address for address in found if not address.startswith("/static/")] == []
