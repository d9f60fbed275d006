"""The pictures that every screen is compared with, tile by tile.

A golden is a shrunk palette picture: small enough to keep, good enough to look at. It is compared with the screen in
cells of 8 by 8 of the screen's pixels, by the mean of each: another font rasteriser moves single pixels of an edge,
which hardly changes a mean; another word, or the same word elsewhere, changes many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gallery import SCENES, Scene
from gallery_rare import RARE
from PIL import Image, ImageChops
from pixels_panel import PanelUnderTest

from kiosk.theme import Panel

FOLDER = Path(__file__).parent / "goldens"
TILE = 32
"""Pixels of a tile's side."""
CELL = 8
"""Pixels of a cell's side; a tile has sixteen."""
NOISE = 12
"""Steps of 255 by which the mean of a cell may differ in any colour."""
SHRUNK = {Panel.SEVEN: 2, Panel.TEN: 4}
"""Pixels of the screen that become one of the golden, in each direction."""
COLORS = 160
IN_THE_DARK = ("k00-no-table", "k04a-auction-whist", "k07-play", "k11-check")
IN_SPANISH = ("k00-no-table", "k01-idle", "k04a-auction-whist", "k11-check-whist")

Opens = Callable[..., PanelUnderTest]


@dataclass(frozen=True)
class Golden:
    """One screen in one look."""

    scene: Scene
    size: Panel = Panel.SEVEN
    dark: bool = False
    language: str = "en"

    @property
    def name(self) -> str:
        """What its file is called, without the ending."""
        size = "10in" if self.size is Panel.TEN else "7in"
        rest = "-dark" if self.dark else "" if self.language == "en" else f"-{self.language}"
        return f"{self.scene.name}-{size}{rest}"

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.name}.png"

    def picture(self, panel: Opens) -> Image.Image:
        """The screen as it is drawn now."""
        return self.scene.show(panel, size=self.size, dark=self.dark, language=self.language).picture()


def _goldens() -> Iterator[Golden]:
    for scene in SCENES:
        yield from (Golden(scene, size) for size in Panel)
        if scene.name in IN_THE_DARK:
            yield Golden(scene, dark=True)
        if scene.name in IN_SPANISH:
            yield Golden(scene, language="es")
    yield from (Golden(scene) for scene in RARE)


GOLDENS = tuple(_goldens())


def kept(picture: Image.Image, size: Panel) -> Image.Image:
    """A screen's picture as it is kept."""
    small = picture.reduce(SHRUNK[size])
    return small.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def changed_tiles(golden: Image.Image, picture: Image.Image) -> list[tuple[int, int]]:
    """The tiles in which a screen differs from its golden by more than noise: column and row, counted from 0."""
    shrunk = picture.width // golden.width
    expected = (golden.width * shrunk, golden.height * shrunk)
    assert picture.size == expected, f"the screen is {picture.size}, its golden {expected}"
    apart = ImageChops.difference(golden.convert("RGB").reduce(CELL // shrunk), picture.reduce(CELL))
    width, height = apart.size
    step = TILE // CELL
    return [
        (x // step, y // step)
        for y in range(0, height, step)
        for x in range(0, width, step)
        if most(apart.crop((x, y, min(x + step, width), min(y + step, height)))) > NOISE
    ]


def most(picture: Image.Image) -> int:
    """The largest value in a picture, of any colour."""
    return max(max(band.tobytes()) for band in picture.split())
