"""Every screen looks as it did: compared with its golden picture tile by tile (``make goldens`` draws them anew)."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gallery import SCENES
from goldens import FOLDER, GOLDENS, TILE, Golden, changed_tiles, kept
from guide import DOCS, PICTURES, Picture
from PIL import Image, ImageChops, ImageFilter
from pixels_panel import PanelUnderTest

from kiosk.text import speak
from kiosk.theme import Panel

pytestmark = pytest.mark.pixels

Opens = Callable[..., PanelUnderTest]
AUCTION = Golden(next(scene for scene in SCENES if scene.name == "k04a-auction-whist"))


def golden_of(which: Golden) -> Image.Image:
    with Image.open(which.path) as picture:
        return picture.copy()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All screens as they look now, drawn in a process of their own as ``make goldens`` draws them."""
    folder = tmp_path_factory.mktemp("drawn")
    subprocess.run([sys.executable, Path(__file__).with_name("draw_goldens.py"), folder], check=True, timeout=560)
    return folder


def now(golden: Golden, drawn: Path) -> Image.Image:
    with Image.open(drawn / golden.path.name) as picture:
        return picture.convert("RGB")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_screen_looks_as_it_did(golden: Golden, drawn: Path) -> None:
    tiles = changed_tiles(golden_of(golden), now(golden, drawn))
    where = [f"{x * TILE},{y * TILE}" for x, y in tiles]
    assert where == [], "look at the screen there; if it is right, run make goldens"


def test_every_golden_has_its_screen_and_all_are_small() -> None:
    files = set(FOLDER.glob("*.png"))
    assert files == {golden.path for golden in GOLDENS}
    assert sum(path.stat().st_size for path in files) < 2_200_000


class OneWord:
    """English, in which one word is another."""

    def gettext(self, message: str, /) -> str:
        return "Take hold" if message == "Take back" else message

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return one if n == 1 else many


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_one_changed_word_is_caught(size: Panel, panel: Opens) -> None:
    """Only the tiles of the button that says it differ."""
    golden = Golden(AUCTION.scene, size)
    shown = golden.scene.show(panel, size=size)
    button = shown.place("take-back:2")
    before = kept(shown.picture(), size)
    speak(OneWord())
    shown.root.render()
    speak(None)
    tiles = changed_tiles(before, shown.picture())
    assert tiles != []
    assert all(
        button.x - TILE < x * TILE < button.x + button.w and button.y - TILE < y * TILE < button.y + button.h
        for x, y in tiles
    )


@pytest.mark.parametrize(("right", "down"), [(8, 0), (0, 8)], ids=["right", "down"])
@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_a_shift_of_8_pixels_is_caught(size: Panel, right: int, down: int, panel: Opens) -> None:
    picture = Golden(AUCTION.scene, size).picture(panel)
    assert len(changed_tiles(kept(picture, size), ImageChops.offset(picture, right, down))) > 40


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_one_moved_button_is_caught(size: Panel, panel: Opens) -> None:
    golden = Golden(AUCTION.scene, size)
    shown = golden.scene.show(panel, size=size)
    picture, place = shown.picture(), shown.place("take-back:2")
    before = kept(picture, size)
    box = (round(place.x), round(place.y), round(place.x + place.w), round(place.y + place.h))
    picture.paste(picture.crop(box), (box[0] + 8, box[1]))
    assert changed_tiles(before, picture) != []


@pytest.mark.parametrize("size", Panel, ids=["7in", "10in"])
def test_edges_that_another_rasteriser_draws_differently_are_no_change(size: Panel, panel: Opens) -> None:
    """Letters a little softer, and every pixel a few steps lighter or darker."""
    golden = Golden(AUCTION.scene, size)
    picture = golden.picture(panel)
    soft = picture.filter(ImageFilter.GaussianBlur(0.4))
    grains = random.Random(7)
    noise = Image.frombytes(
        "RGB", soft.size, bytes(grains.randrange(9) for _byte in range(soft.width * soft.height * 3))
    )
    assert changed_tiles(kept(picture, size), ImageChops.add(soft, noise, offset=-4)) == []


def test_a_golden_is_its_own_screen_again(panel: Opens, tmp_path: Path) -> None:
    picture = AUCTION.picture(panel)
    kept(picture, AUCTION.size).save(tmp_path / "kept.png")
    with Image.open(tmp_path / "kept.png") as golden:
        assert changed_tiles(golden, picture) == []


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guides' pictures as the screens look now, drawn in a process of their own as ``make pictures`` draws them."""
    folder = tmp_path_factory.mktemp("guide")
    subprocess.run([sys.executable, Path(__file__).with_name("draw_pictures.py"), folder], check=True, timeout=280)
    return folder


@pytest.mark.timeout(300)
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_of_the_guide_shows_the_screen(picture: Picture, guide: Path) -> None:
    with Image.open(picture.path) as kept_picture, Image.open(guide / picture.path.name) as drawn_now:
        tiles = changed_tiles(kept_picture, drawn_now.convert("RGB"))
    assert tiles == [], "look at the guide's picture; if the screen is right, run make pictures"


def test_the_guide_shows_pictures_that_are_there() -> None:
    guide = (DOCS / "scorekeeper.md").read_text("utf-8")
    shown = set(re.findall(r"\(pictures/([a-z-]+)\.png\)", guide))
    assert shown == {picture.name for picture in PICTURES}
