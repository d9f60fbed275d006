"""Every screen in both languages and on both panels: words fit their places, no sentence is cut, targets are large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gallery import SCENES, Scene
from gallery_rare import RARE
from pixels_panel import PanelUnderTest

from kiosk.text import LANGUAGES, use
from kiosk.theme import Panel
from kiosk.widgets.layout import Placed
from kiosk.widgets.node import Text

pytestmark = pytest.mark.pixels


def ill_set(shown: PanelUnderTest) -> list[str]:
    """What does not fit as it should, in words; names in these scenes are short, so nothing may end in dots."""
    found = list(shown.overflows)
    for item in shown.root.surface.placed():
        if isinstance(item.node, Text) and item.pieces:
            found += _faults(shown, item, item.node)
    return found


def _faults(shown: PanelUnderTest, item: Placed, text: Text) -> Iterator[str]:
    said = " ".join(piece.words for piece in item.pieces)
    if said.endswith("…") and not "".join(run.words for run in text.runs).endswith("…"):
        yield f"“{said}” is cut"
    size = max(run.size or text.size for run in text.runs)
    line = shown.theme.type_px(text.line if text.line is not None else size * 1.2)
    lines = len({piece.baseline for piece in item.pieces})
    if lines > 1 and lines * line > item.rect.h + 1.5:
        yield f"“{said}” takes {lines} lines of {line} px, its place is {item.rect.h:.0f} px high"


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_screen_holds_its_words_and_has_large_targets(
    scene: Scene, language: str, size: Panel, panel: Callable[..., PanelUnderTest], shots: Path | None
) -> None:
    shown = scene.show(panel, language=language, size=size)
    shown.shoot(shots, f"{scene.name}-{'10in' if size is Panel.TEN else '7in'}-{language}")
    least = 64 if size is Panel.TEN else 48
    small = [
        (target.tap.key, target.rect.w, target.rect.h)
        for target in shown.root.surface.targets()
        if min(target.rect.w, target.rect.h) < least - 1
    ]
    assert (ill_set(shown), small) == ([], [])


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
@pytest.mark.parametrize("scene", RARE, ids=lambda scene: scene.name)
def test_a_rarer_screen_holds_its_words_in_the_longer_language(
    scene: Scene, size: Panel, panel: Callable[..., PanelUnderTest]
) -> None:
    assert ill_set(scene.show(panel, language="es", size=size)) == []


def test_a_screen_changes_its_language_when_it_is_rendered_next(
    panel: Callable[..., PanelUnderTest],
) -> None:
    scene = next(scene for scene in SCENES if scene.name == "k04a-auction-whist")
    shown = scene.show(panel)
    assert {"West to bid", "EW", "W"} <= set(" ".join(shown.words).split(" ")) | set(shown.words)
    use("es")
    shown.root.render()
    assert {"Declara Oeste", "EO"} <= set(shown.words)
    assert not shown.says("West")
    use("en")
    shown.root.render()
    assert shown.says("West to bid")


@pytest.mark.parametrize("name", ["k06d-contract-spades-open", "k07b-auction", "k10-result-spades", "k12-sheet",
                                  "k12-sheet-spades"])  # fmt: skip
def test_west_is_an_o_in_spanish_and_a_word_where_a_figure_follows(
    name: str, panel: Callable[..., PanelUnderTest]
) -> None:
    shown = next(scene for scene in SCENES if scene.name == name).show(panel, language="es")
    said = {word.strip() for word in shown.words}
    assert not {word for word in said if word in {"W", "EW"} or word.startswith("EW ")}
    west = "Oeste" if name in {"k06d-contract-spades-open", "k12-sheet"} else "O" if "sheet" not in name else "EO"
    assert west in said
