"""Where everything in a tree stands, in panel pixels with y running down. Pure: it is told how wide words are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from kiosk.theme import Theme, Tone, Weight
from kiosk.widgets.marks import tally
from kiosk.widgets.node import Align, At, Axis, Box, Code, Edge, Ink, Mark, Node, Run, Tally, Tap, Text

Extent = Callable[[str, int, Weight], int]
"""Width in pixels of some words at a size and a weight."""

CAP_HEIGHT: Final = 0.698
"""Height of capitals and figures as a share of the type size."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A place on the panel."""

    x: float
    y: float
    w: float
    h: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a finger at (x, y) is inside."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def meets(self, other: Rect) -> bool:
        """Whether the two have a part of the panel in common."""
        across = self.x < other.x + other.w and other.x < self.x + self.w
        return across and self.y < other.y + other.h and other.y < self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """The centre, where a finger aims."""
        return self.x + self.w / 2, self.y + self.h / 2


@dataclass(frozen=True, slots=True)
class Turn:
    """Quarter turns clockwise about a point."""

    quarters: int
    x: float
    y: float

    def rect(self, rect: Rect) -> Rect:
        """Where ``rect`` ends up once turned."""
        x, y = rect.middle
        for _ in range(self.quarters % 4):
            x, y = self.x - (y - self.y), self.y + (x - self.x)
        w, h = (rect.h, rect.w) if self.quarters % 2 else (rect.w, rect.h)
        return Rect(x - w / 2, y - h / 2, w, h)

    def back(self, x: float, y: float) -> tuple[float, float]:
        """The point of the unturned content that is seen at (x, y)."""
        for _ in range(-self.quarters % 4):
            x, y = self.x - (y - self.y), self.y + (x - self.x)
        return x, y


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in one style at one place: left edge and baseline."""

    words: str
    size: int
    weight: Weight
    tone: Tone
    x: float
    baseline: float
    width: int


@dataclass(frozen=True, slots=True)
class Placed:
    """One thing of the tree with its place; a text carries the pieces it was broken into."""

    node: Node
    rect: Rect
    turn: Turn | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def seen(self) -> Rect:
        """The place on the panel, after turning."""
        return self.turn.rect(self.rect) if self.turn else self.rect


@dataclass(frozen=True, slots=True)
class Target:
    """Where a finger can act."""

    tap: Tap
    rect: Rect


def targets(placed: tuple[Placed, ...]) -> list[Target]:
    """All targets, the one on top last."""
    return [Target(item.node.tap, item.seen) for item in placed if isinstance(item.node, Box) and item.node.tap]


def layout(node: Node, rect: Rect, theme: Theme, extent: Extent) -> tuple[Placed, ...]:
    """Place ``node`` and everything in it into ``rect``; what is painted first comes first."""
    return tuple(_Layout(theme, extent).place(node, rect, None))


class _Layout:
    def __init__(self, theme: Theme, extent: Extent) -> None:
        self.theme = theme
        self.extent = extent
        self._measured: dict[tuple[int, float | None], tuple[float, float]] = {}

    # --- how large things want to be

    def measure(self, node: Node, width: float | None) -> tuple[float, float]:
        """Width and height that ``node`` wants, given the width there is."""
        key = (id(node), width)
        if key not in self._measured:
            self._measured[key] = self._measure(node, width)
        return self._measured[key]

    def _measure(self, node: Node, width: float | None) -> tuple[float, float]:
        match node:
            case Text():
                lines = self._lines(node, width)
                return max((sum(p.width for p in line) for line in lines), default=0), len(lines) * self._line(node)
            case Mark(size=size) | Code(size=size):
                side = self.theme.px(size)
                return side, side
            case Tally():
                height = self.theme.px(node.height)
                return tally(node.done, node.total, height, node.current)[2], height
            case At(child=child):
                return self.measure(child, width)
            case Edge() | Ink():
                return 0, 0
            case Box():
                return self._measure_box(node, width)

    def _measure_box(self, box: Box, width: float | None) -> tuple[float, float]:
        top, right, bottom, left = (self.theme.px(side) for side in box.pad)
        own = self.theme.px(box.w) if box.w is not None else width
        inner = max(0.0, own - left - right) if own is not None else None
        w, h = self._content(box, inner)
        outer_w, outer_h = w + left + right, h + top + bottom
        if box.turn % 2:
            outer_w, outer_h = outer_h, outer_w
        wanted_w = self.theme.px(box.w) if box.w is not None else outer_w
        return wanted_w, self.theme.px(box.h) if box.h is not None else outer_h

    def _content(self, box: Box, inner: float | None) -> tuple[float, float]:
        gaps = self.theme.px(box.gap) * max(0, len(box.children) - 1)
        if box.axis is Axis.ROW:
            widths = self._row_widths(box, inner) if inner is not None else [None] * len(box.children)
            sizes = [self.measure(child, room) for child, room in zip(box.children, widths, strict=True)]
            total = sum(room if room is not None else size[0] for size, room in zip(sizes, widths, strict=True))
            return total + gaps, max((h for _, h in sizes), default=0)
        sizes = [self.measure(child, inner) for child in box.children]
        if box.axis is Axis.COLUMN:
            return max((w for w, _ in sizes), default=0), sum(h for _, h in sizes) + gaps
        return max((w for w, _ in sizes), default=0), max((h for _, h in sizes), default=0)

    def _row_widths(self, box: Box, inner: float) -> list[float]:
        """Fixed things take what they want; growing things and wrapping texts share the rest."""
        room = inner - self.theme.px(box.gap) * max(0, len(box.children) - 1)
        wanted = [self._fixed_width(child, room) for child in box.children]
        shares = [_grow(child) for child in box.children]
        rest = room - sum(w for w, share in zip(wanted, shares, strict=True) if not share)
        total = sum(shares)
        return [
            max(0.0, rest * share / total) if share else w for w, share in zip(wanted, shares, strict=True)
        ]  # fmt: skip

    def _fixed_width(self, child: Node, room: float) -> float:
        if _grow(child):
            return 0.0
        if isinstance(child, Box) and child.w is not None:
            return float(self.theme.px(child.w))
        return min(self.measure(child, None)[0], room) if isinstance(child, Text) else self.measure(child, None)[0]

    # --- where things stand

    def place(self, node: Node, rect: Rect, turn: Turn | None) -> Iterator[Placed]:
        """``node`` in ``rect``, then everything in it."""
        match node:
            case Text():
                yield Placed(node, rect, turn, tuple(self._pieces(node, rect)))
            case At(child=child):
                yield from self.place(child, rect, turn)
            case Box():
                yield from self._place_box(node, rect, turn)
            case _:
                yield Placed(node, rect, turn)

    def _place_box(self, box: Box, rect: Rect, turn: Turn | None) -> Iterator[Placed]:
        rect = _whole(rect)
        if box.skin or box.tap or box.trail:
            yield Placed(box, rect, turn)
        top, right, bottom, left = (self.theme.px(side) for side in box.pad)
        inner = Rect(rect.x + left, rect.y + top, rect.w - left - right, rect.h - top - bottom)
        if box.turn:
            assert turn is None, "a turned box does not stand in a turned box"
            x, y = inner.middle
            turn = Turn(box.turn, x, y)
            if box.turn % 2:
                inner = Rect(x - inner.h / 2, y - inner.w / 2, inner.h, inner.w)
        for child, place in self._children(box, inner):
            yield from self.place(child, place, turn)

    def _children(self, box: Box, inner: Rect) -> Iterator[tuple[Node, Rect]]:
        if box.axis is Axis.STACK:
            for child in box.children:
                yield child, self._in_stack(child, box, inner)
            return
        along = box.axis is Axis.ROW
        sizes = self._sizes(box, inner)
        gap: float = self.theme.px(box.gap)
        used = sum(size for size, _ in sizes) + gap * max(0, len(sizes) - 1)
        spare = (inner.w if along else inner.h) - used
        at = inner.x if along else inner.y
        if box.justify is Align.BETWEEN and len(sizes) > 1:
            gap += max(0.0, spare) / (len(sizes) - 1)
        elif box.justify is Align.CENTER or (box.justify is Align.BETWEEN and sizes):
            at += spare / 2
        elif box.justify is Align.END:
            at += spare
        for child, (length, across) in zip(box.children, sizes, strict=True):
            if along:
                yield child, Rect(at, inner.y + _offset(box.align, inner.h - across), length, across)
            else:
                yield child, Rect(inner.x + _offset(box.align, inner.w - across), at, across, length)
            at += length + gap

    def _sizes(self, box: Box, inner: Rect) -> list[tuple[float, float]]:
        """For each child its length along the axis and its size across it."""
        if box.axis is Axis.ROW:
            widths = self._row_widths(box, inner.w)
            return [
                (w, inner.h if self._stretches(child, box, across_h=True) else self.measure(child, w)[1])
                for child, w in zip(box.children, widths, strict=True)
            ]
        across = [
            inner.w if self._stretches(child, box, across_h=False) else min(inner.w, self.measure(child, inner.w)[0])
            for child in box.children
        ]
        heights = [self.measure(child, w)[1] for child, w in zip(box.children, across, strict=True)]
        shares = [_grow(child) for child in box.children]
        rest = inner.h - self.theme.px(box.gap) * max(0, len(heights) - 1)
        rest -= sum(h for h, share in zip(heights, shares, strict=True) if not share)
        lengths = [
            max(0.0, rest * share / sum(shares)) if share else h for h, share in zip(heights, shares, strict=True)
        ]
        return list(zip(lengths, across, strict=True))

    def _stretches(self, child: Node, box: Box, *, across_h: bool) -> bool:
        if box.align is not Align.STRETCH:
            return False
        if isinstance(child, Box):
            return (child.h if across_h else child.w) is None
        return not across_h or isinstance(child, Edge | Ink)

    def _in_stack(self, child: Node, box: Box, inner: Rect) -> Rect:
        if isinstance(child, At):
            w, h = self.measure(child.child, inner.w)
            dx, dy = self.theme.px(child.dx), self.theme.px(child.dy)
            return Rect(inner.x + (inner.w - w) * child.x + dx, inner.y + (inner.h - h) * child.y + dy, w, h)
        if box.align is Align.STRETCH:
            w, h = self.measure(child, inner.w)
            fixed_w = isinstance(child, Box) and child.w is not None
            fixed_h = isinstance(child, Box) and child.h is not None
            return Rect(inner.x, inner.y, w if fixed_w else inner.w, h if fixed_h else inner.h)
        w, h = self.measure(child, inner.w)
        return Rect(inner.x + (inner.w - w) / 2, inner.y + (inner.h - h) / 2, w, h)

    # --- words

    def _line(self, text: Text) -> int:
        size = max((run.size or text.size for run in text.runs), default=text.size)
        return self.theme.type_px(text.line) if text.line is not None else round(self.theme.type_px(size) * 1.2)

    def _pieces(self, text: Text, rect: Rect) -> Iterator[Piece]:
        line_height = self._line(text)
        lines = self._lines(text, rect.w)
        top = rect.y + (rect.h - line_height * len(lines)) / 2
        for number, line in enumerate(lines):
            size = max((piece.size for piece in line), default=0)
            baseline = round(top + line_height * number + line_height / 2 + size * CAP_HEIGHT / 2)
            width = sum(piece.width for piece in line)
            x = round(rect.x + _offset(text.align, rect.w - width))
            for piece in line:
                yield replace(piece, x=x, baseline=baseline)
                x += piece.width

    def _lines(self, text: Text, width: float | None) -> list[list[Piece]]:
        pieces = [self._piece(run, text) for run in text.runs if run.words]
        if text.wrap and width is not None:
            return self._wrapped(pieces, width)
        if text.cut and width is not None:
            return [self._cut(pieces, width)]
        return [pieces]

    def _piece(self, run: Run, text: Text) -> Piece:
        size = self.theme.type_px(run.size or text.size)
        weight = run.weight or text.weight
        return Piece(
            run.words, size, weight, run.tone or text.tone, 0, 0, self.extent(run.words, size, weight)
        )  # fmt: skip

    def _sized(self, piece: Piece, words: str) -> Piece:
        return replace(piece, words=words, width=self.extent(words, piece.size, piece.weight))

    def _wrapped(self, pieces: list[Piece], width: float) -> list[list[Piece]]:
        """Break at spaces, greedily; a style may change within a word."""
        lines: list[list[Piece]] = [[]]
        for word in _words(pieces):
            grown = _joined([*lines[-1], *(self._sized(p, p.words) for p in word)])
            grown = [self._sized(piece, piece.words) for piece in grown]
            shown = [*grown[:-1], self._sized(grown[-1], grown[-1].words.rstrip())]
            if lines[-1] and sum(piece.width for piece in shown) > width:
                lines.append([self._sized(p, p.words) for p in word])
            else:
                lines[-1] = grown
        return [[*line[:-1], self._sized(line[-1], line[-1].words.rstrip())] if line else line for line in lines]

    def _cut(self, pieces: list[Piece], width: float) -> list[Piece]:
        if sum(piece.width for piece in pieces) <= width:
            return pieces
        kept: list[Piece] = []
        left = width
        for piece in pieces:
            if piece.width <= left - self.extent("…", piece.size, piece.weight):
                kept.append(piece)
                left -= piece.width
                continue
            words = piece.words
            while words and self.extent(words.rstrip() + "…", piece.size, piece.weight) > left:
                words = words[:-1]
            return [*kept, self._sized(piece, words.rstrip() + "…")]
        return kept


def _words(pieces: list[Piece]) -> list[list[Piece]]:
    """Groups of pieces between which a line may be broken: each ends with its space."""
    words: list[list[Piece]] = [[]]
    for piece in pieces:
        starts = [0, *(i + 1 for i, char in enumerate(piece.words) if char == " "), len(piece.words)]
        for low, high in pairwise(starts):
            if low < high:
                words[-1].append(replace(piece, words=piece.words[low:high]))
                if piece.words[high - 1] == " ":
                    words.append([])
    return [word for word in words if word]


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbours in one style become one piece, so that their letters keep their kerning."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and (last.size, last.weight, last.tone) == (piece.size, piece.weight, piece.tone):
            joined[-1] = replace(last, words=last.words + piece.words)
        else:
            joined.append(piece)
    return joined


def _grow(node: Node) -> float:
    return node.grow if isinstance(node, Box | Text) else 0.0


def _offset(align: Align, spare: float) -> float:
    return spare / 2 if align is Align.CENTER else spare if align is Align.END else 0.0


def _whole(rect: Rect) -> Rect:
    """Edges on whole pixels, so that straight lines stay crisp and neighbours never gape."""
    x, y = round(rect.x), round(rect.y)
    return Rect(x, y, round(rect.x + rect.w) - x, round(rect.y + rect.h) - y)
