"""An idle box as a small projector: pairings, standings, the announcement and the clock of the whole room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kiosk.screens.acts import Close
from kiosk.screens.frame import Screen, header
from kiosk.screens.look import Look
from kiosk.screens.spine import round_word
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.node import Align, Axis, Box, Node, Skin, Tap
from kiosk.widgets.parts import PANEL, boxed_word, chip, column, panel, row, space, words
from tallybox.events.hub import Pairing
from tallybox.messages import Room, Standing
from tallybox.seats import Side

UNTOUCHED: Final = 60_000
"""Milliseconds after which an idle box shows the room."""
EACH: Final = 12_000
"""Milliseconds that a page stays."""
_LINES: Final = 6


def pages(room: Room | None, *, timed: bool) -> tuple[Callable[[Look], Node], ...]:
    """What there is to show, page by page."""
    if room is None:
        return ()
    made: list[Callable[[Look], Node]] = []
    each = 2 * _LINES
    made += [_pairing_page(room.pairings[at : at + each]) for at in range(0, len(room.pairings), each)]
    made += [_standing_page(room.standings[at : at + each]) for at in range(0, len(room.standings), each)]
    if room.announcement:
        made.append(_announcement)
    if timed:
        made.append(_clock)
    return tuple(made)


def page_at(untouched: int, count: int) -> int:
    """Which page is on after so many ms without a touch, from 1; 0: the box's own screen, which has its turn too."""
    if count == 0 or untouched < UNTOUCHED:
        return 0
    turn = (untouched - UNTOUCHED) // EACH + 1
    return turn % (count + 1)


def next_page(untouched: int) -> int:
    """Milliseconds until another page may be due."""
    return UNTOUCHED - untouched if untouched < UNTOUCHED else EACH - (untouched - UNTOUCHED) % EACH


def room_page(look: Look) -> Screen:
    """One page; any touch brings the box's own screen back."""
    shown = pages(look.room, timed=bool(look.clock.figures))
    body = shown[(look.idle_page - 1) % len(shown)](look)
    title = look.room.title if look.room is not None and look.room.title else _("The tournament")
    foot = Box((words(_("Touch anywhere for this table"), 20, Weight.MEDIUM, Tone.INK2),), Axis.ROW,
               align=Align.CENTER, justify=Align.CENTER, tap=Tap("wake-foot", Close()))  # fmt: skip
    whole = Box((body,), Axis.STACK, align=Align.STRETCH, tap=Tap("wake", Close()))
    return Screen(f"room-{look.idle_page}", header(look, title, _small(look), chips=False), whole, foot)


def _small(look: Look) -> str:
    room = look.room
    if room is None or room.round is None:
        return look.box and _("Box {box}", box=look.box)
    if room.rounds is None:
        return _("Round {round}", round=round_word(room.round))
    return _("Round {round} of {rounds}", round=round_word(room.round), rounds=round_word(room.rounds))


def _table(lines: list[Node]) -> Node:
    """Two columns of lines."""
    lines += [Box(grow=1) for _gap in range(2 * _LINES - len(lines))]
    halves = [Box(tuple(lines[at : at + _LINES]), Axis.COLUMN, 6, align=Align.STRETCH, grow=1) for at in (0, _LINES)]
    return Box(tuple(halves), gap=12, align=Align.STRETCH)


def _line(*parts: Node, mine: bool = False) -> Node:
    skin = Skin(ground=Tone.BLUESOFT, border=Tone.BLUE, line=2, radius=10) if mine else PANEL
    return Box(parts, Axis.ROW, 6, (2, 10, 2, 12), Align.CENTER, grow=1, skin=skin)


def _number(text: str) -> Node:
    """A team's number in a column of its own, beside the side it sits on."""
    size = 24 if len(text) < 4 else 18
    return Box((words(text, size, Weight.BOLD),), Axis.ROW, w=38, align=Align.CENTER, justify=Align.START)


def _pairing_line(pair: Pairing, here: int | None) -> Node:
    mine = pair.table == here
    mark: tuple[Node, ...] = (boxed_word(_("here")),) if mine else ()
    table = words(_("Table {table}", table=pair.table), 21, Weight.BOLD)
    return _line(
        row(table, *mark, gap=6, grow=1), chip(Side.NS, 15), _number(str(pair.ns)), chip(Side.EW, 15),
        _number(str(pair.ew)), mine=mine,
    )  # fmt: skip


def _pairing_page(shown: tuple[Pairing, ...]) -> Callable[[Look], Node]:
    def page(look: Look) -> Node:
        here = look.state.assignment.table if look.state.assignment is not None else None
        return _table([_pairing_line(pair, here) for pair in shown])

    return page


def _standing_page(shown: tuple[Standing, ...]) -> Callable[[Look], Node]:
    def page(_look: Look) -> Node:
        return _table([
            _line(
                Box((words(f"{standing.rank}.", 22, Weight.BOLD),), w=32, align=Align.CENTER),
                words(_("Team {team}", team=standing.team), 20, Weight.SEMI, grow=1, cut=True), *_result(standing),
            )
            for standing in shown
        ])  # fmt: skip

    return page


def _result(standing: Standing) -> tuple[Node, ...]:
    if standing.wins or standing.net_points or standing.bags:
        return (
            words(_("{n} won", n=standing.wins), 18),
            words(str(standing.net_points).replace("-", "−"), 22, Weight.BOLD),
        )
    return (
        words(_("{n} won", n=standing.hands_won), 18),
        words(_("{n} pts", n=standing.points), 21, Weight.BOLD),
    )


def _announcement(look: Look) -> Node:
    said = "" if look.room is None else look.room.announcement
    size = 44 if len(said) < 80 else 32 if len(said) < 180 else 24
    return panel(space(), words(said, size, Weight.BOLD, line=size * 1.25, wrap=True, align=Align.CENTER), space(),
                 pad=(20, 26, 20, 26))  # fmt: skip


def _clock(look: Look) -> Node:
    return panel(
        space(),
        column(words(look.clock.figures, 150, Weight.BOLD, line=160, align=Align.CENTER),
               words(look.clock.words, 30, Weight.SEMI, Tone.INK2, line=38, align=Align.CENTER)),
        space(), row(),
    )  # fmt: skip
