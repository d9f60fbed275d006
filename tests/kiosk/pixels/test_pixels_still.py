"""A second that passes paints the clock; everything else is composed again only when it changes."""

from __future__ import annotations

from collections.abc import Callable

from gallery import SCENES
from pixels_panel import PanelUnderTest

from kiosk.text import use

Opens = Callable[..., PanelUnderTest]
AUCTION = next(scene for scene in SCENES if scene.name == "k04a-auction-whist")


def _composed_anew(shown: PanelUnderTest, act: Callable[[], object]) -> set[str]:
    before = dict(shown.root.surface._shown)
    act()
    return {
        name for name, part in shown.root.surface._shown.items() if part.region.node is not before[name].region.node
    }


def test_a_second_composes_only_the_clock(panel: Opens) -> None:
    shown = AUCTION.show(panel)
    words = shown.words
    assert _composed_anew(shown, lambda: shown.wait(1000)) == {"clock"}
    assert len(set(words) ^ set(shown.words)) == 2


def test_a_second_changes_pixels_of_the_clock_and_no_others(panel: Opens) -> None:
    shown = AUCTION.show(panel)
    before = shown.picture()
    shown.wait(1000)
    clock = shown.root.surface._shown["clock"].region.rect
    box = (round(clock.x), round(clock.y), round(clock.x + clock.w), round(clock.y + clock.h))
    after = shown.picture()
    assert after.crop(box).tobytes() != before.crop(box).tobytes()
    after.paste(before.crop(box), box[:2])
    assert after.tobytes() == before.tobytes()


def test_another_language_is_spoken_at_once(panel: Opens) -> None:
    shown = AUCTION.show(panel)
    use("es")
    assert {"spine", "body", "actions"} <= _composed_anew(shown, shown.root.render)
