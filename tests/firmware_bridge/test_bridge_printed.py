"""Printed bid cards: the page as the PDF has it, its codes read back by a decoder of somebody else's."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image, ImageDraw

from firmware_bridge.decks import DECKS, load_deck
from firmware_bridge.decks.printed import (
    A_PAGE,
    CODE,
    COLUMNS,
    HEIGHT,
    ROWS,
    WIDTH,
    Face,
    Mark,
    Paper,
    deck_pdf,
    face_of,
    place,
)
from tallybox.seats import CLOCKWISE, Seat

POINTS_TO_MM = 25.4 / 72
DOTS = 6
"""Dots a millimetre in these pictures: 150 to the inch, less than any office printer has."""


@dataclass(frozen=True)
class Matrix:
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, inner: Matrix) -> Matrix:
        return Matrix(
            inner.a * self.a + inner.b * self.c, inner.a * self.b + inner.b * self.d,
            inner.c * self.a + inner.d * self.c, inner.c * self.b + inner.d * self.d,
            inner.e * self.a + inner.f * self.c + self.e, inner.e * self.b + inner.f * self.d + self.f,
        )  # fmt: skip

    def point(self, x: float, y: float) -> tuple[float, float]:
        return x * self.a + y * self.c + self.e, x * self.b + y * self.d + self.f


@dataclass(frozen=True)
class Drawing:
    """Where a page's content has got to: the place, the fill colour."""

    matrix: Matrix = Matrix()
    fill: tuple[float, ...] = (0.0, 0.0, 0.0)


def streams(pdf: bytes) -> Iterator[str]:
    """The pages' content, in order."""
    for found in re.finditer(rb"/Filter \[ /FlateDecode \] /Length (\d+)[^>]*>>\s*stream\r?\n", pdf):
        text = zlib.decompress(pdf[found.end() : found.end() + int(found[1])])
        if b" re" in text and b" cm" in text:
            yield text.decode("latin-1")


def pictures(pdf: bytes, paper: Paper) -> list[Image.Image]:
    """What every page has in plain black, which is its codes; letters and lines are in the house's ink."""
    return [_picture(content, paper) for content in streams(pdf)]


def _picture(content: str, paper: Paper) -> Image.Image:
    width, height = paper.size
    scale = POINTS_TO_MM * DOTS
    picture = Image.new("L", (round(width * scale), round(height * scale)), 255)
    pen = ImageDraw.Draw(picture)
    stack: list[Drawing] = []
    now, boxes, numbers = Drawing(), list[tuple[float, float, float, float]](), list[float]()
    for token in re.sub(r"BT.*?ET", " ", content, flags=re.DOTALL).split():
        if re.fullmatch(r"-?\d*\.?\d+", token):
            numbers.append(float(token))
            continue
        match token:
            case "q":
                stack.append(now)
            case "Q":
                now = stack.pop()
            case "cm":
                now = replace(now, matrix=now.matrix.then(Matrix(*numbers[-6:])))
            case "rg":
                now = replace(now, fill=tuple(numbers[-3:]))
            case "re":
                x, y, w, h = numbers[-4:]
                boxes.append((*now.matrix.point(x, y), *now.matrix.point(x + w, y + h)))
            case "f" | "f*":
                if now.fill == (0.0, 0.0, 0.0):
                    for x0, y0, x1, y1 in boxes:
                        left, right = sorted((x0 * scale, x1 * scale))
                        top, bottom = sorted(((height - y0) * scale, (height - y1) * scale))
                        pen.rectangle((round(left), round(top), round(right) - 1, round(bottom) - 1), fill=0)
                boxes = []
            case "n" | "S" | "B":
                boxes = []
        numbers = []
    return picture


def codes(picture: Image.Image) -> list[tuple[str, float, float, float]]:
    """Each code's text, its middle in millimetres from the upper left, and its width."""
    found = []
    for each in zxingcpp.read_barcodes(picture):
        corners = each.position
        xs = [corners.top_left.x, corners.bottom_right.x]
        ys = [corners.top_left.y, corners.bottom_right.y]
        found.append((each.text, sum(xs) / 2 / DOTS, sum(ys) / 2 / DOTS, (xs[1] - xs[0]) / DOTS))
    return found


@pytest.mark.parametrize("paper", list(Paper))
@pytest.mark.parametrize("name", DECKS)
def test_every_card_of_every_deck_is_read_back_in_its_place(name: str, paper: Paper) -> None:
    deck = load_deck(name)
    cards = [card for seat in CLOCKWISE for card in deck.set_of(seat)]
    pages = pictures(deck_pdf(deck, paper), paper)
    assert len(pages) == -(-len(cards) // A_PAGE)
    read: list[str] = []
    for page in pages:
        by_place = {}
        for text, x, y, width in codes(page):
            index = next(at for at in range(A_PAGE) if _middle(paper, at) == pytest.approx((x, y), abs=0.6))
            assert width == pytest.approx(CODE, abs=0.5)
            by_place[index] = text
        read += [text for _, text in sorted(by_place.items())]
        assert sorted(by_place) == list(range(len(by_place)))
    assert read == [card.uid for card in cards]


def _middle(paper: Paper, index: int) -> tuple[float, float]:
    x, y = place(paper, index)
    return x * POINTS_TO_MM + WIDTH / 2, (paper.size[1] - y) * POINTS_TO_MM - HEIGHT / 2


def test_a_code_is_read_from_a_card_that_lies_askew_in_a_poor_picture() -> None:
    page = pictures(deck_pdf(load_deck("mso"), Paper.A4, (Seat.E,)), Paper.A4)[0]
    x, y = _middle(Paper.A4, 0)
    box = ((x - WIDTH / 2) * DOTS, (y - HEIGHT / 2) * DOTS, (x + WIDTH / 2) * DOTS, (y + HEIGHT / 2) * DOTS)
    card = page.crop(box)
    poor = card.rotate(37, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)
    small = poor.resize((poor.width // 2, poor.height // 2), Image.Resampling.BOX).point(lambda grey: 60 + grey // 2)
    assert [each.text for each in zxingcpp.read_barcodes(small)] == ["MSO-E-A"]


@pytest.mark.parametrize("paper", list(Paper))
def test_nine_cards_fit_a_page_with_room_for_the_marks(paper: Paper) -> None:
    width, height = (points * POINTS_TO_MM for points in paper.size)
    corners = [place(paper, index) for index in range(A_PAGE)]
    lefts, bottoms = {x * POINTS_TO_MM for x, _ in corners}, {y * POINTS_TO_MM for _, y in corners}
    assert (len(lefts), len(bottoms)) == (COLUMNS, ROWS)
    assert min(lefts) > 5
    assert width - max(lefts) - WIDTH > 5
    assert min(bottoms) > 5
    assert height - max(bottoms) - HEIGHT > 5


def test_the_same_deck_gives_the_same_bytes_and_one_set_may_be_printed_alone() -> None:
    deck = load_deck("mso")
    whole = deck_pdf(deck, Paper.A4)
    assert deck_pdf(deck, Paper.A4) == whole
    alone = pictures(deck_pdf(deck, Paper.A4, (Seat.W,)), Paper.A4)
    read = sorted(text for page in alone for text, *_ in codes(page))
    assert read == sorted(card.uid for card in deck.set_of(Seat.W))


@pytest.mark.parametrize(
    ("name", "faces"),
    [
        (
            "mso",
            [
                Face("A", "Ace  ·  1 trick"), Face("2", "2 tricks"), Face("3", "3 tricks"), Face("4", "4 tricks"),
                Face("5", "5 tricks"), Face("6", "6 tricks", foot=True), Face("7", "7 tricks"), Face("8", "8 tricks"),
                Face("9", "9 tricks", foot=True), Face("10", "10 tricks"), Face("J", "Jack  ·  11 tricks"),
                Face("Q", "Queen  ·  12 tricks"), Face("K", "King  ·  NIL", Mark.RING),
            ],
        ),
        (
            "wsos",
            [
                Face("0", "NIL", Mark.RING), Face("1", "1 trick"), Face("2", "2 tricks"), Face("3", "3 tricks"),
                Face("4", "4 tricks"), Face("5", "5 tricks"), Face("6", "6 tricks", foot=True), Face("7", "7 tricks"),
                Face("8", "8 tricks"), Face("9", "9 tricks", foot=True), Face("Skip", "10 tricks"),
                Face("Reverse", "11 tricks"), Face("Draw Two", "12 tricks"), Face("Wild", "13 tricks"),
            ],
        ),
        (
            "bid-whist",
            [
                Face("PASS"),
                *(Face(str(level), "HIGH", Mark.SUN, foot=True) for level in range(4, 8)),
                *(Face(str(level), "SPECIAL", Mark.MOON, foot=True) for level in range(4, 8)),
                *(Face(str(level), "NO", Mark.STRUCK, foot=True) for level in range(4, 8)),
            ],
        ),
    ],
)  # fmt: skip
def test_every_face_says_what_the_card_calls(name: str, faces: list[Face]) -> None:
    for seat in Seat:
        assert [face_of(card) for card in load_deck(name).set_of(seat)] == faces


def test_the_command_writes_a_deck_or_one_set_and_says_how_to_print_it(tmp_path: Path) -> None:
    out = tmp_path / "deck.pdf"
    command = [sys.executable, "-m", "deploy.cli", "bridge", "print-deck", "--deck", "mso", "--out", str(out)]
    done = subprocess.run([*command, "--paper", "letter"], capture_output=True, text=True, check=True, timeout=60)
    assert out.read_bytes() == deck_pdf(load_deck("mso"), Paper.LETTER)
    assert done.stdout == (
        f"{out}: 52 cards on 6 sheets. Print it at 100 % on card stock, on one side, and cut along the marks.\n"
    )
    done = subprocess.run([*command, "--seat", "E"], capture_output=True, text=True, check=True, timeout=60)
    assert out.read_bytes() == deck_pdf(load_deck("mso"), Paper.A4, (Seat.E,))
    assert "13 cards on 2 sheets" in done.stdout
    refused = subprocess.run(
        [*command[:-1], str(tmp_path / "no" / "deck.pdf")], capture_output=True, text=True, check=False, timeout=60
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "cannot be written" in refused.stderr
