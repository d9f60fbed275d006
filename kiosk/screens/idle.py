"""Who sits here next; and before that, a box without a table."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import AskDirector, Do, Enter
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.look import Look
from kiosk.screens.spine import round_word
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Box, Node, Run, Tap
from kiosk.widgets.parts import button, chip, column, emphasised, note, panel, rich, row, rule, space, words
from tallybox.events.table import ClaimMade
from tallybox.seats import Side


def idle(look: Look) -> Screen:
    """The table this box belongs to, or that it has none yet."""
    if look.state.assignment is None:
        return _unassigned(look)
    return _claim(look) if look.entries.claiming else _next_table(look)


def _unassigned(look: Look) -> Screen:
    body = panel(
        space(),
        words(_("This box has no table yet"), 44, Weight.BOLD, line=50, align=Align.CENTER),
        words(_("The director gives it one. It then shows who sits here."), 22, Weight.MEDIUM, Tone.INK2, line=30,
              align=Align.CENTER),
        space(),
    )  # fmt: skip
    head = header(look, _("Waiting for a table"), look.box and _("Box {box}", box=look.box), chips=False)
    return Screen("no-table", head, body, actions(note(_("Nothing to do here"), MarkName.CLOCK)))


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
    return Screen("idle", head, body, actions(forward(_("Start at table {table}", table=playing.table), start)))


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
    if look.state.clock_started or look.playing.minutes is None:
        return _("The round is on: start as soon as both teams sit.")
    return _("The clock starts for all tables at once, when the director starts it.")


def _claim(look: Look) -> Screen:
    table = look.playing.table
    sign = panel(
        space(),
        words(_("Look at the sign on the table. Does it say"), 23, line=30, align=Align.CENTER),
        words(str(table), 150, Weight.BOLD, line=140, align=Align.CENTER),
        words(
            ngettext("Its hand is scored on this box.", "All {n} hands are scored on this box.", look.playing.hands),
            22, Weight.MEDIUM, Tone.INK2, line=28, align=Align.CENTER,
        ),
        space(),
        gap=4,
    )  # fmt: skip
    other = panel(
        words(_("Another number?"), 20, Weight.BOLD, line=24),
        words(_("Stop here. Only the director can give this box another table."), 18, Weight.MEDIUM, Tone.INK2,
              line=23, wrap=True),
        space(),
        button(_("Ask the director"), Tap("ask-director", AskDirector(True)), h=56, size=19),
        w=216,
    )  # fmt: skip
    body = Box((sign, other), gap=12, align=Align.STRETCH)
    go_back = Tap("back", Enter(replace(look.entries, claiming=False)))
    yes = Tap("yes", Do((ClaimMade(),)))
    bar = actions(
        button(_("Back"), go_back, icon=MarkName.LEFT, w=130),
        forward(_("Yes, this is table {table}", table=table), yes),
    )
    return Screen("claim", header(look, _("Is this table {table}?", table=table), chips=False), body, bar)


def claimed(look: Look) -> Screen:
    """The claim is on its way; the hub grants it."""
    waiting: list[Node] = [
        space(),
        words(_("Table {table}", table=look.playing.table), 112, Weight.BOLD, line=112, align=Align.CENTER),
        words(_("The hub gives this table to this box."), 24, Weight.SEMI, line=32, align=Align.CENTER),
        words(
            _("This takes a moment.") if look.linked else _("The hub is out of reach. Ask the director."),
            20, Weight.MEDIUM, Tone.INK2, line=27, align=Align.CENTER,
        ),
        space(),
    ]  # fmt: skip
    body = panel(*waiting, gap=4)
    bar = actions(note(_("Waiting for the hub"), MarkName.CLOCK))
    return Screen("claimed", header(look, _("Waiting for the table"), chips=False), body, bar)
