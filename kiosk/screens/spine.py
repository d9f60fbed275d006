"""The left edge of every screen: the round's sheet. Nothing in it ever moves or is covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kiosk.screens.acts import AskDirector, Open, Over
from kiosk.screens.look import Clock, Help, Urgency
from kiosk.text import _, ngettext
from kiosk.theme import PanelSize, Theme, Tone, Weight
from kiosk.widgets.layout import Rect
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Edge, Mark, Node, Skin, Tally, Tap
from kiosk.widgets.parts import column, row, space, words
from tallybox.said import template

LONGEST = 13
"""Characters that fit one line of the spine."""
MOST_STROKES = 9
"""Rounds that fit beside their figure as tally strokes."""
NUMBERS = (
    template("zero"),
    template("one"),
    template("two"),
    template("three"),
    template("four"),
    template("five"),
    template("six"),
    template("seven"),
    template("eight"),
    template("nine"),
    template("ten"),
    template("eleven"),
    template("twelve"),
)


@dataclass(frozen=True, slots=True)
class Spine:
    """What the spine says."""

    round: int | None
    table: int | None
    hand_words: str
    hands_done: int
    hands: int
    hand_now: int | None
    linked: bool
    unsent: int
    reader: bool | None
    """Whether the card reader answers; none for a box without one."""
    help: Help
    called_for: int = 0
    """Seconds since the director was called."""
    keeps: bool = True
    """Whether the box's disk takes what is entered."""


def round_word(number: int) -> str:
    """The number of a round in words, as sentences use it."""
    return _(NUMBERS[number]) if number < len(NUMBERS) else str(number)


_ROUND: Final = 88
_TABLE: Final = 70
_HANDS: Final = 55
_CLOCK: Final = 62
"""Heights of the blocks down to the clock; between them lies a rule of one pixel."""
_LINE: Final = 2
"""Width of the line at the spine's right."""


def spine(said: Spine, theme: Theme) -> Node:
    """The spine as a tree that fills its region, with the clock's place left empty."""
    tall = _tall(theme)
    blocks = column(
        _round(said, theme, tall),
        _rule(),
        _table(said, tall),
        _rule(),
        _hands(said, tall),
        _rule(),
        Box(h=_CLOCK * tall),
        _status(said, tall),
        _director(said, theme.frame),
        gap=0,
        grow=1,
    )
    return Box(
        (_edge(theme), blocks, Box(w=_LINE, skin=Skin(ground=Tone.INK))),
        align=Align.STRETCH, skin=Skin(ground=Tone.PAPER),
    )  # fmt: skip


def clock_face(clock: Clock, theme: Theme) -> tuple[Rect, Node]:
    """The clock and its place in the spine, apart from the rest: it alone changes every second."""
    tall = _tall(theme)
    top = sum(theme.px(height) for height in (_ROUND * tall, 1, _TABLE * tall, 1, _HANDS * tall, 1))
    left, right = theme.px(_edge_width(theme)), theme.px(_LINE)
    place = Rect(left, top, theme.frame.spine - left - right, theme.px(_CLOCK * tall))
    return place, Box((_clock(clock),), axis=Axis.STACK, align=Align.STRETCH, h=_CLOCK * tall, pad=(8, 5, 0, 5),
                      skin=Skin(ground=Tone.PAPER))  # fmt: skip


def _tall(theme: Theme) -> float:
    """How much higher the panel is than the 7-inch design, in its own units."""
    return theme.frame.height / theme.frame.scale / 480


def _edge_width(theme: Theme) -> float:
    return theme.frame.edge / theme.frame.scale


def _edge(theme: Theme) -> Node:
    """The round's pattern; from round nine on twice, with an ink line between."""
    width = _edge_width(theme)
    if not theme.doubled:
        return Box((Edge(),), Axis.STACK, align=Align.STRETCH, w=width)
    halves = [Box((Edge(),), Axis.STACK, align=Align.STRETCH, grow=1) for _half in range(2)]
    return Box((halves[0], Box(w=2, skin=Skin(ground=Tone.INK)), halves[1]), align=Align.STRETCH, w=width)


def _rule() -> Node:
    return Box(h=1, skin=Skin(ground=Tone.PAPERLINE))


def _block(*children: Node, h: float, tap: Tap | None = None) -> Box:
    return Box(children, Axis.COLUMN, 2, (0, 0, 0, 9), Align.START, Align.CENTER, h=h, tap=tap)


def _round(said: Spine, theme: Theme, tall: float) -> Node:
    if said.round is None:
        return _block(words(_("Round"), 16, Weight.MEDIUM, Tone.INK2, line=18), words("–", 42, Weight.BOLD, line=40),
                      h=_ROUND * tall)  # fmt: skip
    height = 28 if said.round < 5 else 24 if said.round == 5 else 15
    strokes: tuple[Node, ...] = (
        (Tally(said.round, said.round, height, ground=Tone.PAPER),) if said.round <= MOST_STROKES else ()
    )
    label, below = _("Round"), f"{round_word(said.round)} · {_(theme.sheet.name)}"
    if len(below) > LONGEST:
        label, below = _("Round {round}", round=round_word(said.round)), _(theme.sheet.name)
    return _block(
        words(label, 16, Weight.MEDIUM, Tone.INK2, line=18),
        row(words(str(said.round), 42, Weight.BOLD, line=38), *strokes, gap=6),
        words(below, 16, Weight.SEMI, line=18),
        h=_ROUND * tall, tap=Tap("spine:round", Open(Over.ROUND)),
    )  # fmt: skip


def _table(said: Spine, tall: float) -> Node:
    return _block(
        words(_("Table"), 16, Weight.MEDIUM, Tone.INK2, line=18),
        words("–" if said.table is None else str(said.table), 42, Weight.BOLD, line=38),
        h=_TABLE * tall,
    )


def _hands(said: Spine, tall: float) -> Node:
    height = 19 if said.hands <= 5 else 16 if said.hands <= 10 else 11
    strokes: Node = (
        Tally(said.hands_done, said.hands, height, said.hand_now, Tone.PAPER) if 0 < said.hands <= 15 else space(h=1)
    )
    return _block(
        words(said.hand_words, 16, Weight.SEMI, line=20, cut=True),
        strokes,
        h=_HANDS * tall,
        tap=Tap("spine:sheet", Open(Over.SHEET)) if said.hands else None,
    )


def _clock(clock: Clock) -> Node:
    looks = {
        Urgency.PLAIN: (Tone.CARD, Tone.INK, Tone.INK, Tone.INK2),
        Urgency.SOON: (Tone.AMBER, Tone.INK, Tone.ONAMBER, Tone.ONAMBER),
        Urgency.UP: (Tone.CALL, Tone.CALL, Tone.ONCALL, Tone.ONCALL),
    }
    ground, border, ink, soft = looks[clock.urgency]
    size = 32 if len(clock.figures) <= 5 else 25
    icon: tuple[Node, ...] = (Mark(MarkName.PAUSE, 14, soft, 2.6),) if clock.paused else ()
    figures: tuple[Node, ...] = (words(clock.figures, size, Weight.BOLD, ink, line=31),) if clock.figures else ()
    return Box(
        (*figures, row(*icon, words(clock.words, 16, Weight.MEDIUM, soft, line=16), gap=4)),
        Axis.COLUMN, 0, (1, 0, 1, 0), Align.CENTER, Align.CENTER,
        skin=Skin(ground=ground, border=border, line=2, radius=4),
    )  # fmt: skip


def _status(said: Spine, tall: float) -> Node:
    def line(icon: MarkName, text: str, ground: Tone | None, ink: Tone) -> Node:
        weight = Weight.SEMI if ground is Tone.AMBER else Weight.MEDIUM
        return Box(
            (Mark(icon, 17, ink, 2.2), words(text, 16, weight, ink, line=21)),
            Axis.ROW, 3, (0, 0, 0, 3), Align.CENTER, h=22,
            skin=Skin(ground=ground, radius=4),
        )  # fmt: skip

    link = (
        line(MarkName.LINK, _("Linked"), None, Tone.INK)
        if said.linked
        else line(MarkName.UNLINK, _("No hub"), Tone.INK, Tone.CARD)
    )
    waiting = said.unsent > 0
    unsent = line(MarkName.WARN, _("Not kept"), Tone.INK, Tone.CARD) if not said.keeps else line(
        MarkName.TRAY, ngettext("{n} unsent", "{n} unsent", said.unsent) if said.unsent < 100 else str(said.unsent),
        Tone.AMBER if waiting else None, Tone.ONAMBER if waiting else Tone.INK,
    )  # fmt: skip
    reader = {
        True: (MarkName.READER, _("Reader"), None, Tone.INK),
        False: (MarkName.KEYPAD, _("Type bids"), Tone.AMBER, Tone.ONAMBER),
        None: (MarkName.KEYPAD, _("Keypad"), None, Tone.INK),
    }[said.reader]
    return Box(
        (link, unsent, line(*reader)),
        Axis.COLUMN, 1 * tall, (6, 2, 0, 3), Align.STRETCH, Align.START, grow=1,
        tap=Tap("spine:status", Open(Over.STATUS)),
    )  # fmt: skip


def _director(said: Spine, frame: PanelSize) -> Node:
    called = said.help in {Help.CALLED, Help.COMING}
    label = {
        Help.IDLE: _("Director"),
        Help.ASKING: _("Director"),
        Help.CALLED: _("Called {clock}", clock=f"{said.called_for // 60}:{said.called_for % 60:02}"),
        Help.COMING: _("On the way"),
    }[said.help]
    ground, ink = (Tone.CALL, Tone.ONCALL) if called else (Tone.CARD, Tone.CALL)
    height = frame.actions / frame.scale
    bell = Box(
        (Mark(MarkName.BELL, 28, ink, 2.4), words(label, 17 if not called else 16, Weight.BOLD, ink, line=20)),
        Axis.COLUMN, 2, (0, 0, 0, 0), Align.CENTER, Align.CENTER,
        skin=Skin(ground=ground, border=Tone.CALL, line=4 if said.help is Help.ASKING else 2, radius=8),
        tap=Tap("spine:director", AskDirector(said.help is not Help.ASKING)),
    )  # fmt: skip
    return Box((bell,), Axis.STACK, 0, (0, 5, 8, 6), Align.STRETCH, h=height)
