"""The parts that screens are put together from: words, buttons, keys, chips, ruled boxes, banners."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from kiosk.text import _, told
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, At, Axis, Box, Mark, Node, Run, Skin, Tap, Text
from tallybox.said import template
from tallybox.seats import Seat, Side

PANEL = Skin(ground=Tone.CARD, border=Tone.LINE, line=1.5, radius=10)
BINDING = Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=10)
"""A fact that binds: the contract, the card to follow."""
RULED = Skin(ground=Tone.CARD, border=Tone.INK, line=2, radius=4)
"""The tally box: an important value, boxed as on the paper sheet."""


class Kind(StrEnum):
    """How much a button weighs."""

    FORWARD = "forward"
    PLAIN = "plain"
    NOT_YET = "not-yet"
    CALL = "call"
    CALL_NOW = "call-now"
    AGREED = "agreed"
    CHOICE = "choice"


_SKINS = {
    Kind.FORWARD: (Skin(ground=Tone.BAIZE, radius=8), Tone.ONBAIZE),
    Kind.PLAIN: (Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8), Tone.INK),
    Kind.NOT_YET: (Skin(border=Tone.EDGE, line=2, radius=8, dashed=True), Tone.INK2),
    Kind.CALL: (Skin(ground=Tone.CARD, border=Tone.CALL, line=2, radius=8), Tone.CALL),
    Kind.CALL_NOW: (Skin(ground=Tone.CALL, radius=8), Tone.ONCALL),
    Kind.AGREED: (Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=8), Tone.INK),
    Kind.CHOICE: (Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8), Tone.INK),
}


def words(
    text: str,
    size: float = 19,
    weight: Weight = Weight.MEDIUM,
    tone: Tone = Tone.INK,
    *,
    line: float | None = None,
    wrap: bool = False,
    align: Align = Align.START,
    cut: bool = False,
    grow: float = 0,
    foot: bool = False,
) -> Text:
    """One text in one style."""
    return Text((Run(told(text)),), size, weight, tone, line, wrap, align, cut, grow, foot)


def rich(
    *runs: Run | str,
    size: float = 19,
    weight: Weight = Weight.MEDIUM,
    tone: Tone = Tone.INK,
    line: float | None = None,
    wrap: bool = False,
    align: Align = Align.START,
    grow: float = 0,
) -> Text:
    """One text whose parts differ in style; they share a baseline."""
    return Text(
        tuple(Run(told(run)) if isinstance(run, str) else run for run in runs),
        size, weight, tone, line, wrap, align, grow=grow,
    )  # fmt: skip


def strong(text: str, tone: Tone | None = None, size: float | None = None) -> Run:
    """Words that stand out within a text."""
    return Run(told(text), Weight.BOLD, tone, size)


def emphasised(sentence: str, tone: Tone | None = None) -> tuple[Run, ...]:
    """A sentence from the catalogue whose ``**strong**`` parts are set in bold."""
    return tuple(
        Run(part, Weight.BOLD, tone) if index % 2 else Run(part)
        for index, part in enumerate(told(sentence).split("**"))
    )


def row(*children: Node, gap: float = 10, grow: float = 0, align: Align = Align.CENTER,
        justify: Align = Align.START, w: float | None = None, h: float | None = None,
        pad: tuple[float, float, float, float] = (0, 0, 0, 0)) -> Box:  # fmt: skip
    """Things side by side."""
    return Box(children, Axis.ROW, gap, pad, align, justify, w, h, grow)


def column(*children: Node, gap: float = 10, grow: float = 0, align: Align = Align.STRETCH,
           justify: Align = Align.START, w: float | None = None, h: float | None = None,
           pad: tuple[float, float, float, float] = (0, 0, 0, 0)) -> Box:  # fmt: skip
    """Things below each other."""
    return Box(children, Axis.COLUMN, gap, pad, align, justify, w, h, grow)


def stack(*children: Node, grow: float = 0, w: float | None = None, h: float | None = None,
          pad: tuple[float, float, float, float] = (0, 0, 0, 0), skin: Skin | None = None,
          align: Align = Align.CENTER) -> Box:  # fmt: skip
    """Things over each other."""
    return Box(children, Axis.STACK, 0, pad, align, Align.START, w, h, grow, skin)


def space(w: float | None = None, h: float | None = None) -> Box:
    """Nothing: it takes what is left, or exactly ``w`` by ``h``."""
    return Box(w=w, h=h, grow=0 if w or h else 1)


def rule(tone: Tone = Tone.INK, line: float = 2) -> Box:
    """A level line."""
    return Box(h=line, skin=Skin(ground=tone))


def panel(*children: Node, skin: Skin = PANEL, gap: float = 6, grow: float = 1,
          pad: tuple[float, float, float, float] = (14, 16, 14, 16), align: Align = Align.STRETCH,
          justify: Align = Align.START, w: float | None = None, h: float | None = None,
          tap: Tap | None = None) -> Box:  # fmt: skip
    """A card of stock with things below each other."""
    return Box(children, Axis.COLUMN, gap, pad, align, justify, w, h, 0 if w else grow, skin, tap)


def button(
    text: str,
    tap: Tap | None,
    kind: Kind = Kind.PLAIN,
    *,
    icon: MarkName | None = None,
    w: float | None = None,
    h: float | None = None,
    grow: float = 0,
    size: float | None = None,
    before: Node | None = None,
    cut: bool = False,
) -> Box:
    """A button that says its effect; ``before`` stands left of the words, ``cut`` is for names that may be long."""
    skin, tone = _SKINS[kind]
    big = kind in {Kind.FORWARD, Kind.CALL_NOW}
    weight = Weight.BOLD if big else Weight.MEDIUM if kind is Kind.NOT_YET else Weight.SEMI
    text_size = size or (25 if big else 21)
    lead: tuple[Node, ...] = (Mark(icon, text_size + 3, tone, 2.4 if big else 2.2),) if icon else ()
    lead = (*lead, before) if before else lead
    return Box(
        (*lead, words(text, text_size, weight, tone, cut=cut)),
        Axis.ROW, 9, (0, 8, 0, 8), Align.CENTER, Align.CENTER, w, h, grow, skin, tap,
    )  # fmt: skip


def icon_button(icon: MarkName, tap: Tap, *, w: float, h: float, size: float = 34, pen: float = 3.4) -> Box:
    """A plus or a minus."""
    skin = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
    return Box((Mark(icon, size, Tone.INK, pen),), Axis.ROW, 0, align=Align.CENTER, justify=Align.CENTER,
               w=w, h=h, skin=skin, tap=tap)  # fmt: skip


def note(text: str, icon: MarkName | None = None) -> Box:
    """What the action bar says when the way on is not a button."""
    lead: tuple[Node, ...] = (Mark(icon, 24, Tone.INK2),) if icon else ()
    return Box(
        (*lead, words(text, 20, Weight.MEDIUM, Tone.INK2)),
        Axis.ROW, 9, align=Align.CENTER, justify=Align.CENTER, grow=1,
    )  # fmt: skip


_LETTERS = (template("N"), template("E"), template("S"), template("W"), template("NS"), template("EW"))


def letters(place: Seat | Side) -> str:
    """A seat or a side by its letters in the language spoken; Spanish writes O for West."""
    return _(place.value)


def before_figure(seat: Seat) -> str:
    """A seat's letter where a figure follows: an O would be read as one, so that seat has its word there."""
    letter = letters(seat)
    return _(seat.word) if letter == "O" else letter


def chip(side: Side, size: float = 18) -> Box:
    """A side: North–South filled, East–West outlined; hue is never used for sides."""
    ns = side is Side.NS
    skin = Skin(ground=Tone.INK if ns else Tone.CARD, border=Tone.INK, line=2, radius=4)
    return Box(
        (words(letters(side), size, Weight.BOLD, Tone.CARD if ns else Tone.INK),),
        Axis.ROW, align=Align.CENTER, justify=Align.CENTER,
        w=round(size * 2.05), h=round(size * 1.55), skin=skin,
    )  # fmt: skip


def team_chip(side: Side, number: int, size: float = 18, figure: float = 24) -> Box:
    """A side and the number of its team."""
    return row(chip(side, size), words(str(number), figure, Weight.BOLD), gap=7)


def tally_box(
    label: str,
    *children: Node,
    w: float | None = None,
    h: float | None = None,
    grow: float = 0,
    skin: Skin = RULED,
    label_ground: Tone = Tone.CARD,
    label_tone: Tone = Tone.INK,
    icon: MarkName | None = None,
) -> Box:
    """A ruled box with its name set into the upper edge."""
    lead: tuple[Node, ...] = (Mark(icon, 18, label_tone, 2.6),) if icon else ()
    name = Box(
        (*lead, words(label, 16, Weight.SEMI, label_tone, line=20)),
        Axis.ROW, 5, (0, 6, 0, 6), skin=Skin(ground=label_ground, radius=3 if icon else 0),
    )  # fmt: skip
    inner = Box(children, Axis.ROW, 8, align=Align.CENTER, justify=Align.CENTER, skin=skin)
    return Box(
        (inner, At(name, 0, 0, 10, -10)), Axis.STACK, 0, (9, 0, 0, 0), Align.STRETCH, w=w, h=h, grow=grow,
    )  # fmt: skip


class Tenor(StrEnum):
    """What a banner is about."""

    CAUTION = "caution"
    DISPUTE = "dispute"
    INFO = "info"
    GOOD = "good"


_BANNERS = {
    Tenor.CAUTION: (Tone.AMBERSOFT, Tone.AMBERTEXT, MarkName.WARN),
    Tenor.DISPUTE: (Tone.CALLSOFT, Tone.CALL, MarkName.VERSUS),
    Tenor.INFO: (Tone.BLUESOFT, Tone.BLUE, MarkName.WHY),
    Tenor.GOOD: (Tone.BAIZESOFT, Tone.BAIZE, MarkName.CHECK),
}


def banner(
    tenor: Tenor,
    *runs: Run | str,
    size: float = 19,
    h: float | None = None,
    grow: float = 0,
    after: Node | None = None,
    tap: Tap | None = None,
    icon: MarkName | None = None,
    weight: Weight = Weight.SEMI,
) -> Box:
    """A sentence that matters, on a soft ground, with its icon; ``after`` stands at the right."""
    ground, edge, usual = _BANNERS[tenor]
    ink = Tone.INK if tenor in {Tenor.CAUTION, Tenor.GOOD} else edge
    sentence = rich(*runs, size=size, weight=weight, line=size * 1.2, wrap=True, grow=1)
    tail: tuple[Node, ...] = (after,) if after else ()
    return Box(
        (Mark(icon or usual, size + 8, ink, 2.6), sentence, *tail),
        Axis.ROW, 11, (8, 14, 8, 13), Align.CENTER, h=h, grow=grow,
        skin=Skin(ground=ground, border=edge, line=2, radius=8), tap=tap,
    )  # fmt: skip


def why(text: str = "", *, size: float = 17) -> Box:
    """The blue mark that means “this explains itself”."""
    said: tuple[Node, ...] = (words(text, size, Weight.SEMI, Tone.BLUE),) if text else ()
    return row(Mark(MarkName.WHY, size + 5, Tone.BLUE, 2.2), *said, gap=6)


def bullet(sentence: str, size: float = 22) -> Box:
    """One of a few things to mind."""
    mark = Box((Box(w=9, h=9, skin=Skin(ground=Tone.INK)),), h=size * 1.25, align=Align.CENTER)
    return row(mark, words(sentence, size, line=size * 1.25, wrap=True, grow=1), align=Align.START)


def boxed_word(text: str, tone: Tone = Tone.INK, size: float = 16) -> Box:
    """A word in a frame: Boston, void, set."""
    return Box((words(text, size, Weight.BOLD, tone, line=size * 1.2),), pad=(0, 5, 0, 5), align=Align.CENTER,
               skin=Skin(border=tone, line=2, radius=4))  # fmt: skip


def tapped(box: Box, tap: Tap | None) -> Box:
    """``box`` as a target."""
    return replace(box, tap=tap)
