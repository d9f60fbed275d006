"""The pictures in the guides: which scene each shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gallery import SCENES
from PIL import Image
from pixels_panel import PanelUnderTest

DOCS = Path(__file__).parents[3] / "docs"


@dataclass(frozen=True)
class Picture:
    """One picture of the guides."""

    name: str
    scene: str

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return DOCS / "pictures" / f"{self.name}.png"

    def drawn(self, panel: Callable[..., PanelUnderTest]) -> Image.Image:
        """The screen as it is now, in few colours."""
        scene = next(scene for scene in SCENES if scene.name == self.scene)
        return scene.show(panel).picture().quantize(64, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


PICTURES = (
    Picture("auction", "k04a-auction-whist"),
    Picture("table-idle", "k01-idle"),
    Picture("table-seats", "k02b-seats"),
    Picture("table-deal", "k03b-deal"),
    Picture("table-play", "k07-play"),
    Picture("table-books", "k09-result-made"),
    Picture("table-tricks", "k10-result-spades"),
    Picture("table-check", "k11-check"),
    Picture("table-irregular", "k08-irregularity"),
    Picture("table-sign", "k13-signatures"),
    Picture("table-next", "k14c-next"),
)
