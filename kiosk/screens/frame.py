"""What all screens share: header, action bar, the answers to taps, and the regions of the panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kiosk.screens.acts import OFFICIAL, AskDirector, Close, Do, Open, Over, Practise, Say
from kiosk.screens.look import Help, Look
from kiosk.screens.spine import clock_face
from kiosk.text import _, ngettext, told
from kiosk.theme import Tone, Weight
from kiosk.widgets.layout import Rect
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import Kind, button, note, row, stack, team_chip, words
from tallybox.events.table import DirectorCalled, DirectorCancelled
from tallybox.seats import Side

CLOCK: Final = "clock"
"""The region that changes every second."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen without its spine. ``name`` changes when the question changes."""

    name: str
    header: Node
    body: Node
    actions: Node


def header(look: Look, title: str, small: str | None = None, *, chips: bool = True) -> Node:
    """The step as a question or a sentence, over it what it is about, and the two teams."""
    if look.said or look.notice or not look.disk.keeps:
        return _answer(look, title)
    if look.practice:
        return _practising(title, small)
    line = small if small is not None else _("{title} · sheet {sheet}", title=look.playing.title, sheet=sheet_id(look))
    heads = Box(
        (words(line, 16, Weight.MEDIUM, Tone.INK2, line=18, cut=True), words(title, 28, Weight.BOLD, line=32)),
        Axis.COLUMN, 2, align=Align.STRETCH, justify=Align.CENTER, grow=1,
        h=look.theme.frame.header / look.theme.frame.scale, tap=_for_officials(look),
    )  # fmt: skip
    if not chips or look.state.assignment is None:
        return Box((heads,), align=Align.CENTER, pad=(0, 0, 0, 0))
    teams = row(*(team_chip(side, look.number(side)) for side in Side), gap=12)
    return Box((heads, teams), gap=14, align=Align.CENTER, pad=(0, 0, 0, 0))


def _practising(title: str, small: str | None) -> Node:
    """A practice hand says so on every screen, and can be left from every screen."""
    about = small if small is not None else _("Hand 1")
    heads = Box(
        (words(_("practice · {line}", line=about), 16, Weight.SEMI, Tone.BLUE, line=18, cut=True),
         words(title, 28, Weight.BOLD, line=32, cut=True)),
        Axis.COLUMN, 2, align=Align.STRETCH, justify=Align.CENTER, grow=1,
    )  # fmt: skip
    leave = button(_("End practice"), Tap("practice:end", Practise(False)), w=140, h=48, size=18)
    return Box((heads, leave), gap=14, align=Align.CENTER)


def _for_officials(look: Look) -> Tap | None:
    """The way to the menu of officials: nobody opens it by accident."""
    if look.over is not None and look.over.over in OFFICIAL:
        return None
    how = _("For officials: keep a finger here for two seconds.")
    return Tap("officials", Say(how), held=Open(Over.PIN, "menu"))


def sheet_id(look: Look) -> str:
    """The number of the sheet, the same on screen, paper and code."""
    return look.playing.sheet_id


def hand_line(look: Look) -> str:
    """The small line of a screen about the open hand."""
    return _("Hand {hand} · sheet {sheet}", hand=look.hand.number, sheet=sheet_id(look))


def actions(*children: Node) -> Node:
    """The action bar: outlined ways aside at the left, the one way on at the right."""
    return Box(children, Axis.ROW, 10, align=Align.STRETCH)


def not_yet(text: str, reason: str, *, w: float | None = None) -> Box:
    """A way on that is not open yet: it says what is missing, and answers a tap with the reason."""
    return button(text, Tap("not-yet", Say(reason)), Kind.NOT_YET, grow=0 if w else 1, w=w, size=20)


def forward(text: str, tap: Tap, *, size: float | None = None) -> Box:
    """The one filled button."""
    return button(text, tap, Kind.FORWARD, grow=1, size=size)


def back(text: str, *, w: float = 170) -> Box:
    """Closes what is laid over the step."""
    return button(text, Tap("close", Close()), icon=MarkName.LEFT, w=w)


def waited(look: Look, whom: str) -> Box:
    """For whom the table waits, and for how long."""
    minutes, seconds = divmod(look.step_for, 60)
    return note(f"{whom} · {minutes}:{seconds:02}", MarkName.CLOCK)


def director_bar(look: Look) -> Node:
    """The question before a call, or before one is cancelled, in the row of the director's button."""
    if look.state.calling is None:
        question, yes, act = _("Call the director?"), _("Call"), Do((DirectorCalled(),))
    else:
        question, yes, act = _("Cancel the call?"), _("Cancel the call"), Do((DirectorCancelled(),))
    return actions(
        Box((words(question, 25, Weight.BOLD),), grow=1, align=Align.CENTER),
        button(_("Not now"), Tap("director:no", AskDirector(False)), w=150),
        button(yes, Tap("director:yes", act), Kind.CALL_NOW, w=220),
    )


def regions(look: Look, screen: Screen, spine: Node) -> list[tuple[str, Rect, Node]]:
    """The parts of the panel with what stands in them."""
    frame = look.theme.frame
    body_height = frame.height - frame.header - frame.actions
    width = frame.width - frame.spine - frame.left - frame.right
    left = frame.spine + frame.left
    bar = director_bar(look) if look.help is Help.ASKING else screen.actions
    bar_top, bar_bottom = round(10 * frame.scale), round(12 * frame.scale)
    return [
        ("ground", Rect(frame.spine, 0, frame.width - frame.spine, frame.height), _ground()),
        ("spine", Rect(0, 0, frame.spine, frame.height), spine),
        (CLOCK, *clock_face(look.clock, look.theme)),
        ("header", Rect(left, 0, width, frame.header), screen.header),
        ("body", Rect(left, frame.header, width, body_height), screen.body),
        ("actions", Rect(left, frame.header + body_height + bar_top, width, frame.actions - bar_top - bar_bottom), bar),
    ]


def _ground() -> Node:
    return stack(skin=Skin(ground=Tone.STOCK))


_ONE_LINE = 66
"""Characters that surely fit one line of an answer in the size of what is read aloud."""
_TWO_LINES = 168
"""Characters that surely fit two lines under the title."""


def _answer(look: Look, title: str) -> Node:
    """The answer to a tap, or what the box has to say: under the title, in place of what the screen is about.

    It covers nothing that can be tapped, and the title stays; only a very long answer takes its place too.
    """
    stays = "" if look.disk.keeps else disk_words(look)
    answer = look.said or stays or look.notice
    warns = look.said or stays
    ground, edge, icon = (
        (Tone.AMBERSOFT, Tone.AMBERTEXT, MarkName.WARN) if warns else (Tone.BLUESOFT, Tone.BLUE, MarkName.WHY)
    )
    ink = Tone.INK if warns else Tone.BLUE
    size, line = (19, 23) if len(answer) <= _ONE_LINE else (16, 18)
    said = Box(
        (Mark(icon, 22, ink, 2.6), words(answer, size, Weight.SEMI, ink, line=line, wrap=True, grow=1)),
        Axis.ROW, 10, (0, 10, 0, 10), Align.CENTER, grow=1,
        skin=Skin(ground=ground, border=edge, line=2, radius=8),
    )  # fmt: skip
    head = words(title, 19, Weight.BOLD, line=20, cut=True)
    lines: tuple[Node, ...] = (head, said) if len(answer) <= _TWO_LINES else (said,)
    more = Open(Over.STATUS) if answer is stays else Say("")
    return Box(lines, Axis.COLUMN, 2, (2, 0, 0, 0), Align.STRETCH, tap=Tap("answer", more, held=Open(Over.PIN, "menu")))


def disk_words(look: Look) -> str:
    """What is the matter with the disk, and what becomes of the taps that it did not take."""
    if not look.disk.waiting:
        return told(look.disk.message)
    waits = ngettext("{n} tap waits here and goes in by itself; leave this box on.",
                     "{n} taps wait here and go in by themselves; leave this box on.",
                     look.disk.waiting)  # fmt: skip
    return f"{told(look.disk.message)} {waits}"
