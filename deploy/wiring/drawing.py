"""A board's pins as SVG: readable in print, on a phone, and by whoever cannot tell colours apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from deploy.wiring.pinout import Board, Pin

WIDTH: Final = 820
ROW: Final = 30
TOP: Final = 92
PAD: Final = 24
GAP: Final = 40
"""Between the two rows of pins, from centre to centre; a Pico's are further apart, and read the same."""

INK, MUTED, PAPER, EDGE = "#1b2430", "#5b6573", "#ffffff", "#c8cfd8"
SIGNAL, GROUND_FILL, POWER = "#0b5c8a", "#1b2430", "#a32222"


def drawing(board: Board) -> str:
    """The picture, the same for the same board."""
    height = TOP + ROW * len(board.left) + 64
    body = "\n".join(_body(board, height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="IBM Plex Sans, Helvetica, Arial, sans-serif" font-size="15">\n'
        f"<title>{escape(board.title)}: pins and wires</title>\n{body}\n</svg>\n"
    )


def _body(board: Board, height: int) -> Iterator[str]:
    middle = WIDTH // 2
    yield f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    yield (
        f'<text x="{middle}" y="30" text-anchor="middle" font-size="20" font-weight="600" fill="{INK}">'
        f"{escape(board.title)}</text>"
    )
    yield f'<text x="{middle}" y="54" text-anchor="middle" fill="{MUTED}">{escape(board.seen)}</text>'
    half = GAP // 2 + PAD
    yield (
        f'<rect x="{middle - half}" y="{TOP - ROW // 2 - 6}" width="{2 * half}" '
        f'height="{ROW * len(board.left) + 12}" rx="8" fill="#eef1f4" stroke="{EDGE}"/>'
    )
    for row, (left, right) in enumerate(zip(board.left, board.right, strict=True)):
        y = TOP + ROW * row
        yield from _pin(left, middle - GAP // 2, y, -1)
        yield from _pin(right, middle + GAP // 2, y, 1)
    yield from _legend(height - 26)


def _pin(pin: Pin, x: int, y: int, side: int) -> Iterator[str]:
    """``side`` −1: to the left of the board, 1: to the right."""
    used = bool(pin.wired)
    fill = _fill(pin) if used else PAPER
    shape = _shape(pin, x, y, fill)
    yield shape
    yield (
        f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="11" font-weight="600" '
        f'fill="{PAPER if used else MUTED}">{pin.number}</text>'
    )
    anchor, edge = ("end", x - PAD - 6) if side < 0 else ("start", x + PAD + 6)
    if not used:
        yield _name(pin, edge, y, anchor, MUTED)
        return
    far = edge + side * 74
    yield _name(pin, edge, y, anchor, INK)
    yield f'<line x1="{edge + side * 62}" y1="{y}" x2="{far + side * 20}" y2="{y}" stroke="{fill}" stroke-width="3"/>'
    yield (
        f'<text x="{far + side * 28}" y="{y + 5}" text-anchor="{anchor}" font-weight="600" fill="{INK}">'
        f"{escape(pin.wired)}</text>"
    )


def _name(pin: Pin, x: int, y: int, anchor: str, colour: str) -> str:
    return f'<text x="{x}" y="{y + 5}" text-anchor="{anchor}" font-size="12" fill="{colour}">{escape(pin.name)}</text>'


def _fill(pin: Pin) -> str:
    if pin.ground:
        return GROUND_FILL
    return SIGNAL if pin.name.startswith("GPIO") else POWER


def _shape(pin: Pin, x: int, y: int, fill: str) -> str:
    """Signals are round, grounds square, supplies six-sided: the shape says it without the colour."""
    if pin.ground:
        return f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{fill}" stroke="{INK}"/>'
    if pin.name.startswith("GPIO"):
        return f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}" stroke="{INK}"/>'
    points = f"{x - 13},{y} {x - 7},{y - 12} {x + 7},{y - 12} {x + 13},{y} {x + 7},{y + 12} {x - 7},{y + 12}"
    return f'<polygon points="{points}" fill="{fill}" stroke="{INK}"/>'


def _legend(y: int) -> Iterator[str]:
    entries = [(Pin(0, "GPIO 0", "x"), "a signal"), (Pin(0, "ground", "x"), "ground"), (Pin(0, "3.3 V", "x"), "supply")]
    for index, (pin, words) in enumerate(entries):
        x = 250 + 130 * index
        yield _shape(pin, x, y, _fill(pin))
        yield f'<text x="{x + 20}" y="{y + 5}" fill="{INK}">{words}</text>'
