"""Who sits here next; and before that, a box without a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Enter, Practise, Speak
from kiosk.screens.claim import which_table
from kiosk.screens.first_boot import first_boot, title
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.look import Look
from kiosk.screens.spine import round_word
from kiosk.text import LANGUAGES, _, ngettext
from kiosk.text import language as spoken
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Box, Node, Run, Tap
from kiosk.widgets.parts import button, chip, column, emphasised, note, panel, rich, row, rule, space, words
from tallybox.seats import Side

_LANGUAGE_NAMES: Final = {"en": "English", "es": "Español"}
"""Each language by its own name, whatever is spoken."""


def idle(look: Look) -> Screen:
    """The table this box belongs to, or that it has none yet."""
    if look.state.assignment is None:
        return _unassigned(look)
    return which_table(look) if look.entries.claiming else _next_table(look)


def _unassigned(look: Look) -> Screen:
    head = header(look, title(look), _("This box has no table yet"), chips=False)
    waits = note(_("The director gives tables"), MarkName.CLOCK)
    return Screen("no-table", head, first_boot(look), actions(*_aside(), waits))


def _aside() -> tuple[Node, ...]:
    """What anybody may do while nothing is asked: another language, and a hand that counts nowhere."""
    other = next(language for language in LANGUAGES if language != spoken())
    return (
        button(_LANGUAGE_NAMES[other], Tap("language", Speak(other)), w=150, size=20),
        button(_("Practice hand"), Tap("practice", Practise(True)), w=170, size=20),
    )


def _next_table(look: Look) -> Screen:
    playing = look.playing
    facts = column(
        rich(*emphasised(_("Round **{round}** of {rounds}", round=round_word(playing.round),
                           rounds=round_word(playing.rounds))), size=22, line=28),
        rich(*_length(look), size=22, line=28),
        gap=3,
    )  # fmt: skip
    body = panel(
        row(
            words(_("This box belongs to"), 24, Weight.SEMI, grow=1),
            words(_("Box {box}", box=look.box) if look.box else "", 18, Weight.MEDIUM, Tone.INK2),
        ),
        row(
            words(_("Table {table}", table=playing.table), 112 if playing.table < 100 else 92, Weight.BOLD, line=106),
            facts,
            gap=24,
        ),
        space(h=2),
        rule(),
        space(h=12),
        row(*(_team(look, side) for side in Side), gap=14),
        space(),
        words(_waiting(look), 20, Weight.MEDIUM, Tone.INK2, wrap=True, line=25),
        pad=(14, 20, 14, 20),
        gap=2,
    )
    head = header(look, _("Sit down when both teams are here"), chips=False)
    start = Tap("forward", Enter(replace(look.entries, claiming=True)))
    return Screen(
        "idle", head, body, actions(*_aside(), forward(_("Start at table {table}", table=playing.table), start))
    )


def _length(look: Look) -> tuple[Run, ...]:
    playing = look.playing
    hands = ngettext("**{n}** hand", "**{n}** hands", playing.hands)
    if playing.minutes is None:
        return emphasised(f"{hands} · {_('no clock')}")
    return emphasised(f"{hands} · " + ngettext("**{n}** minute", "**{n}** minutes", playing.minutes))


def _team(look: Look, side: Side) -> Box:
    team = look.state.teams[side]
    return row(
        chip(side, 24),
        column(
            words(_("Team {team}", team=team.number), 38, Weight.BOLD, line=42),
            words(look.pair(side), 22, Weight.MEDIUM, Tone.INK2, line=28, cut=True),
            gap=0, grow=1,
        ),
        gap=12, grow=1,
    )  # fmt: skip


def _waiting(look: Look) -> str:
    if not look.linked and look.known_at:
        return _("No hub yet: this is what it said at {time}. An official can start this table with a PIN.",
                 time=look.known_at)  # fmt: skip
    if look.state.clock_started or look.playing.minutes is None:
        return _("The round is on: start as soon as both teams sit.")
    return _("The clock starts for all tables at once, when the director starts it.")
