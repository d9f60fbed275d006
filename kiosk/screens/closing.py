"""After the signatures: what the hub has, and where each team goes."""

from __future__ import annotations

from typing import Final

from kiosk.screens.acts import AskDirector, Open, Over
from kiosk.screens.frame import Screen, actions, header, waited
from kiosk.screens.look import Look
from kiosk.screens.spine import round_word
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Box, Mark, Node, Tap
from kiosk.widgets.parts import (
    BINDING,
    PANEL,
    Kind,
    Tenor,
    banner,
    button,
    column,
    note,
    panel,
    row,
    space,
    team_chip,
    words,
)
from tallybox.messages import NextSeat
from tallybox.seats import Side

LONG_PLACE: Final = 22
"""Characters from which on the line under a table's number is set smaller."""


def _see_sheet() -> Node:
    return button(_("See the sheet"), Tap("see-sheet", Open(Over.SHEET)), icon=MarkName.SHEET, w=200)


def submitted(look: Look) -> Screen:
    """The sheet is on its way, or with the hub, or comes back with a reason."""
    outcome = look.state.outcome
    if outcome.stale is not None or outcome.reopened is not None:
        return _comes_back(look, outcome.reopened)
    if look.unsent:
        stage, after = _("Sending the sheet…"), _("It waits in this box and goes by itself.")
    else:
        stage = _("The hub has the sheet.")
        after = _("The monitor looks at it now.") if _monitor(look) else _("The director looks at it now.")
    body = panel(
        space(),
        words(stage, 52, Weight.BOLD, line=60, align=Align.CENTER),
        words(after, 24, Weight.SEMI, line=34, align=Align.CENTER),
        words(_("Please stay seated until this box tells you to move."), 21, Weight.MEDIUM, Tone.INK2, line=30,
              align=Align.CENTER),
        space(),
        Box(tuple(_signed(look, side) for side in Side), gap=12, align=Align.STRETCH, h=64),
        gap=4,
    )  # fmt: skip
    if look.let_go and not look.linked:
        return _let_go(look)
    whom = _("Waiting for the monitor") if _monitor(look) else _("Waiting for the director")
    if look.unsent:
        whom = _("Waiting for the hub")
    bar = actions(_see_sheet(), *_override(look), waited(look, whom))
    small = _("Round {round} · sheet {sheet}", round=round_word(look.playing.round), sheet=look.playing.sheet_id)
    return Screen("submitted", header(look, _("The sheet is signed"), small), body, bar)


def _monitor(look: Look) -> bool:
    """Whether a monitor looks at the sheets, as the rules in force have it; else the director does."""
    return look.playing.ruleset.settings.sheet_acceptance == "monitor"


def _override(look: Look) -> tuple[Node, ...]:
    """Without a hub nobody releases the table: an official can let the teams go with a PIN."""
    if look.linked:
        return ()
    return (button(_("PIN…"), Tap("official-pin", Open(Over.PIN, "move")), icon=MarkName.LOCK, w=130),)


def _let_go(look: Look) -> Screen:
    """The teams move on an official's word; the sheet stays here until the hub is back."""
    body = panel(
        space(),
        words(_("Both teams may move"), 52, Weight.BOLD, line=60, align=Align.CENTER),
        words(_("An official let this table go without the hub."), 24, Weight.SEMI, line=34, align=Align.CENTER),
        words(_("Look at the pairings for your next table. The sheet waits in this box and goes by itself."), 21,
              Weight.MEDIUM, Tone.INK2, line=28, wrap=True, align=Align.CENTER),
        space(),
        gap=4,
    )  # fmt: skip
    small = _(
        "let go by {official} · sheet {sheet}", official=look.officials.name(look.let_go), sheet=look.playing.sheet_id
    )
    return Screen("let-go", header(look, _("Move now"), small), body, actions(_see_sheet(), space()))


def _signed(look: Look, side: Side) -> Node:
    signature = look.state.signatures.get(side)
    name = look.player(signature.seat) if signature else ""
    return Box(
        (team_chip(side, look.number(side)), words(name, 20, Weight.MEDIUM, grow=1, cut=True),
         Mark(MarkName.PEN, 24, Tone.BAIZE, 2.4), words(_("signed"), 20, Weight.BOLD, Tone.BAIZE)),
        gap=12, pad=(0, 16, 0, 14), align=Align.CENTER, grow=1, skin=PANEL,
    )  # fmt: skip


def _comes_back(look: Look, reason: str | None) -> Screen:
    said = reason or _("The sheet on this box is not the one the hub has. Both sides look again and sign again.")
    body = column(
        banner(Tenor.DISPUTE, said, size=24, h=110),
        panel(
            words(_("What to do"), 24, Weight.BOLD, line=32),
            words(_("Stay seated. The director comes to this table; nothing that was entered is lost."), 22,
                  line=30, wrap=True),
            gap=6,
        ),
        gap=12,
    )  # fmt: skip
    ask = button(_("Ask the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, w=230)
    return Screen("reopened", header(look, _("The sheet comes back")), body, actions(ask, space(), _see_sheet()))


def accepted(look: Look) -> Screen:
    """The sheet is final; the teams wait for the move."""
    body = panel(
        space(),
        row(Mark(MarkName.CHECK, 84, Tone.BAIZE, 2.6), words(_("The sheet is final"), 60, Weight.BOLD, line=70), gap=22,
            justify=Align.CENTER),
        words(_("Stay seated. This box shows both teams where to go next."), 24, Weight.SEMI, line=36,
              align=Align.CENTER),
        words(_("All tables move together, when the director says so."), 21, Weight.MEDIUM, Tone.INK2, line=30,
              align=Align.CENTER),
        space(),
        gap=6,
    )  # fmt: skip
    small = _("Round {round} is final · sheet {sheet}", round=round_word(look.playing.round),
              sheet=look.playing.sheet_id)  # fmt: skip
    if look.let_go and not look.linked:
        return _let_go(look)
    bar = actions(_see_sheet(), *_override(look), waited(look, _("Waiting for the move")))
    return Screen("accepted", header(look, _("Stay seated"), small), body, bar)


def released(look: Look) -> Screen:
    """Where each side goes: the movers' card is framed in ink."""
    small = _("Round {round} is final · sheet {sheet}", round=round_word(look.playing.round),
              sheet=look.playing.sheet_id)  # fmt: skip
    moves = look.state.outcome.moves
    if look.playing.round >= look.playing.rounds and not moves:
        return _the_end(look, small)
    done = banner(Tenor.GOOD, _("The hub has the sheet, and it is accepted."), size=21, h=50)
    order = sorted(Side, key=lambda side: not _moves(look, side, moves.get(side)))
    cards = Box(
        tuple(_card(look, side, moves.get(side), order[0] is side) for side in order),
        gap=12, align=Align.STRETCH, grow=1,
    )  # fmt: skip
    bar = actions(_see_sheet(), note(_("The next round comes by itself"), MarkName.CLOCK))
    return Screen("released", header(look, _("Move now"), small, chips=False), column(done, cards, gap=10), bar)


def _the_end(look: Look, small: str) -> Screen:
    """Nobody moves any more: the last sheet counts, and there is nothing left to do here."""
    after = _("The director says who has won.")
    if look.room is not None and look.room.standings:
        after = _("The standings come on this screen in a minute. The director says who has won.")
    body = panel(
        space(),
        row(Mark(MarkName.CHECK, 72, Tone.BAIZE, 2.6), words(_("That was the last round"), 46, Weight.BOLD, line=56),
            gap=18, justify=Align.CENTER),
        words(_("The hub has the sheet, and it is accepted."), 24, Weight.SEMI, line=36, align=Align.CENTER),
        words(after, 21, Weight.MEDIUM, Tone.INK2, line=28, wrap=True, align=Align.CENTER),
        space(),
        gap=6,
    )  # fmt: skip
    return Screen("the-end", header(look, _("The tournament is over"), small), body,
                  actions(_see_sheet(), note(_("Thank you for playing"), MarkName.CHECK)))  # fmt: skip


def _moves(look: Look, side: Side, seat: NextSeat | None) -> bool:
    return seat is not None and (seat.table, seat.sits) != (look.playing.table, side)


def _card(look: Look, side: Side, seat: NextSeat | None, first: bool) -> Node:
    moving = _moves(look, side, seat)
    names = " · ".join(name.split()[-1] for name in look.state.teams[side].names)
    head = row(team_chip(side, look.number(side)), words(names, 19, Weight.MEDIUM, Tone.INK2, cut=True, grow=1,
                                                         align=Align.END), gap=10)  # fmt: skip
    if seat is None or seat.table is None:
        middle: Node = Box(
            (words(_("No table in the next round"), 34, Weight.BOLD, line=42, wrap=True, grow=1),),
            align=Align.CENTER, h=124,
        )  # fmt: skip
        sits, small = _("Look at the pairings"), _("Ask the director if in doubt")
    else:
        way = _("Go to|table") if moving else _("Stay at|table")
        arrow: tuple[Node, ...] = (Mark(MarkName.ARROW, 62, pen=2.8),) if moving else ()
        said = column(*(words(part, 30, Weight.SEMI, line=33) for part in way.split("|")), gap=0)
        middle = row(*arrow, said, words(str(seat.table), 150, Weight.BOLD, line=124), gap=14)
        place = _(seat.sits.word) if seat.sits else ""
        sits = _("Sit {side}", side=place) if moving else place
        small = _("Round {round}", round=round_word(look.playing.round + 1))
        if seat.against is not None:
            small = _("Round {round} · against team {team}", round=round_word(look.playing.round + 1),
                      team=seat.against)  # fmt: skip
    return Box(
        (head, middle, words(sits, 27 if len(sits) < LONG_PLACE else 22, Weight.BOLD, line=34), space(),
         words(small, 19, Weight.MEDIUM, Tone.INK2, line=24)),
        axis=panel().axis, gap=4, pad=(12, 16, 12, 16), align=Align.STRETCH,
        grow=1.25 if first and moving else 1, skin=BINDING if moving else PANEL,
    )  # fmt: skip
