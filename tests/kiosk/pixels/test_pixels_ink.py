"""How much ink a signature may have: up to the bound it stays, beyond it the pad says so and keeps what was drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest
from pixels_panel import PanelUnderTest
from pixels_table import FoldingBox, whole_round

from kiosk.screens.acts import Enter, Say
from kiosk.screens.sign import LONGEST_STROKE, MOST_POINTS, MOST_STROKES, with_stroke
from kiosk.widgets.surface import PEN_DRY
from kiosk.widgets.vector import Triangles
from tallybox.events import table as ev
from tallybox.seats import Side

pytestmark = pytest.mark.pixels

Open = Callable[..., PanelUnderTest]
TOO_MUCH = "That is more ink than a signature needs. Clear it and sign again."


def signing(panel: Open) -> tuple[FoldingBox, PanelUnderTest]:
    box = whole_round(FoldingBox().sit())
    shown = panel(box)
    shown.tap("forward")
    return box, shown


def wave(points: int) -> tuple[tuple[int, int], ...]:
    return tuple((at % 1000, 500 + at % 2) for at in range(points))


@pytest.mark.parametrize(
    ("fits", "more"),
    [
        ([wave(50)] * MOST_STROKES, wave(2)),
        ([wave(200)], wave(LONGEST_STROKE + 1)),
        ([wave(LONGEST_STROKE), wave(MOST_POINTS - LONGEST_STROKE)], wave(1)),
    ],
)
def test_ink_up_to_the_bound_is_kept_and_more_is_answered_in_words(
    panel: Open, fits: list[tuple[tuple[int, int], ...]], more: tuple[tuple[int, int], ...]
) -> None:
    look = signing(panel)[1].root.look
    for stroke in fits:
        kept = with_stroke(look, Side.NS, stroke)
        assert isinstance(kept, Enter)
        look = replace(look, entries=kept.entries)
    assert look.entries.strokes[Side.NS] == tuple(fits)
    assert with_stroke(look, Side.NS, more) == Say(TOO_MUCH)


def test_as_much_ink_as_there_may_be_is_drawn_and_signs(panel: Open) -> None:
    box, shown = signing(panel)
    strokes = {Side.NS: (wave(LONGEST_STROKE), wave(MOST_POINTS - LONGEST_STROKE))}
    shown.root.act(Enter(replace(shown.root.look.entries, strokes=MappingProxyType(strokes))))
    shown.frames(2)
    shown.tap("sign:NS")
    assert [len(body.strokes) for body in box.done if isinstance(body, ev.SheetSigned)] == [2]
    assert Side.NS in box.view.state.signatures


def test_a_finger_that_is_never_lifted_draws_no_line_without_an_end(panel: Open) -> None:
    _, shown = signing(panel)
    rect = next(item.seen for item in shown.root.surface.placed() if getattr(item.node, "pad", None) == "NS")
    finger = shown.finger(rect.x + rect.w * 0.2, rect.y + rect.h * 0.5)
    finger.touch_down()
    held = shown.root.surface._finger
    assert held is not None
    held.stroke[:] = wave(PEN_DRY)
    finger.touch_move(rect.x + rect.w * 0.4, shown.height - (rect.y + rect.h * 0.5))
    assert len(held.stroke) == PEN_DRY
    finger.touch_up()
    shown.frames(2)
    assert shown.says(TOO_MUCH)


def test_a_shape_of_more_corners_than_a_screen_takes_at_once_is_drawn_in_parts() -> None:
    whole = Triangles()
    for at in range(400):
        left = [whole.vertex(at, y, 0.75) for y in range(3)]
        right = [whole.vertex(at + 1, y, 0.75) for y in range(3)]
        whole.strip(left, right)
    parts = list(whole.parts(most=100))
    assert list(whole.parts()) == [whole]
    assert max(len(part.vertices) // 4 for part in parts) <= 100
    assert [corners(part) for part in (whole,)] == [[each for part in parts for each in corners(part)]]


def corners(shape: Triangles) -> list[tuple[float, ...]]:
    return [tuple(shape.vertices[4 * at : 4 * at + 4]) for at in shape.indices]
