"""Documents as other programs read them: text by pdftotext, pictures by pdftoppm, codes by zxing."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import zxingcpp
from PIL import Image

XHTML = "{http://www.w3.org/1999/xhtml}"


def pdf_text(document: bytes, page: int | None = None, *, layout: bool = False) -> str:
    """What a person could copy out of it, of one page or all."""
    pages = [] if page is None else ["-f", str(page), "-l", str(page)]
    said = _run(["pdftotext", *pages, *(["-layout"] if layout else []), "-", "-"], document)
    return said.decode()


def flat(document: bytes, page: int | None = None) -> str:
    """The same in the order in which it was written, on one line, words parted by one space."""
    pages = [] if page is None else ["-f", str(page), "-l", str(page)]
    return " ".join(_run(["pdftotext", *pages, "-raw", "-", "-"], document).decode().split())


def page_count(document: bytes) -> int:
    said = _run(["pdfinfo", "-"], document).decode()
    return next(int(line.split()[1]) for line in said.splitlines() if line.startswith("Pages:"))


def page_size(document: bytes) -> tuple[float, float]:
    said = _run(["pdfinfo", "-"], document).decode()
    words = next(line.split() for line in said.splitlines() if line.startswith("Page size:"))
    return float(words[2]), float(words[4])


@dataclass(frozen=True)
class Word:
    """A word and the box it stands in, in points."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Word) -> bool:
        """Whether the middle of each stands in the other's place."""
        apart = other.left >= self.right - 0.8 or self.left >= other.right - 0.8
        low, high = (other.top + other.bottom) / 2, (self.top + self.bottom) / 2
        return not apart and self.top < low < self.bottom and other.top < high < other.bottom


def outside(document: bytes) -> list[str]:
    """Words that stick out of their page."""
    return [
        word.text
        for page in _pages(document)
        for word in page.words
        if word.left < 0 or word.top < 0 or word.right > page.width or word.bottom > page.height
    ]


def overlapping(document: bytes) -> list[tuple[str, str]]:
    """Pairs of words that are written over each other."""
    return [
        (one.text, other.text)
        for page in _pages(document)
        for at, one in enumerate(page.words)
        for other in page.words[at + 1 :]
        if one.meets(other)
    ]


@dataclass(frozen=True)
class _Page:
    width: float
    height: float
    words: list[Word]


def _pages(document: bytes) -> list[_Page]:
    read = ET.fromstring(_run(["pdftotext", "-bbox", "-", "-"], document))
    return [
        _Page(
            float(page.attrib["width"]),
            float(page.attrib["height"]),
            [
                Word(str(word.text), *(float(word.attrib[key]) for key in ("xMin", "yMin", "xMax", "yMax")))
                for word in page.iter(f"{XHTML}word")
            ],
        )
        for page in read.iter(f"{XHTML}page")
    ]


def pictures(document: bytes, *, dpi: int = 80, grey: bool = False) -> list[Image.Image]:
    """Every page as it prints."""
    with TemporaryDirectory() as folder:
        tone = ["-gray"] if grey else []
        _run(["pdftoppm", "-r", str(dpi), *tone, "-png", "-", f"{folder}/page"], document)
        return [Image.open(path).convert("L" if grey else "RGB") for path in sorted(Path(folder).iterdir())]


def codes(document: bytes) -> list[str]:
    """What a scanner reads on each page."""
    return [
        found.text for page in pictures(document, dpi=150) for found in zxingcpp.read_barcodes(page)
    ]  # fmt: skip


def _run(command: list[str], given: bytes) -> bytes:
    return subprocess.run(command, input=given, capture_output=True, check=True, timeout=60).stdout
