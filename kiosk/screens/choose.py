"""Which screen is shown: what is laid over comes first, then the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kiosk.screens.about import about_round, keeper_anew
from kiosk.screens.acts import OFFICIAL, Open, Over
from kiosk.screens.auction import auction
from kiosk.screens.check import check, something_wrong
from kiosk.screens.claim import claimed
from kiosk.screens.claims import claim, claim_about, concede
from kiosk.screens.closing import accepted, released, submitted
from kiosk.screens.compare import compare
from kiosk.screens.conflict import conflict
from kiosk.screens.contract import contract
from kiosk.screens.deal import deal, misdeal, next_hand
from kiosk.screens.early import early
from kiosk.screens.frame import Screen
from kiosk.screens.idle import idle
from kiosk.screens.improper import improper
from kiosk.screens.irregular import irregularity
from kiosk.screens.lines import explain
from kiosk.screens.look import Look, Urgency
from kiosk.screens.officials import official_screen
from kiosk.screens.opening import clock_waits, draw, scorekeeper
from kiosk.screens.over import locked, status, time_is_up
from kiosk.screens.play import auction_as_called, play
from kiosk.screens.practice import practice_over
from kiosk.screens.result import result
from kiosk.screens.room import room_page
from kiosk.screens.ruling import ruling_sheet
from kiosk.screens.seating import seats, wrong_team
from kiosk.screens.sheet import sheet
from kiosk.screens.sign import sign
from kiosk.screens.waiting import ruled, unread, waiting
from tallybox.table.shown import open_hand_ended
from tallybox.table.state import Step

IN_PLAY: Final = frozenset(
    {
        Step.NEXT,
        Step.DEAL,
        Step.AUCTION,
        Step.EARLY,
        Step.CONFLICT,
        Step.CONTRACT,
        Step.PLAY,
        Step.RESULT,
        Step.COMPARE,
        Step.CHECK,
        Step.DISPUTED,
    }
)
"""Steps in which the end of the time has to be said first; a ruling is waited for and read before that."""


def choose(look: Look) -> Screen:
    """The one screen for this look."""
    if look.locked and not (look.over is not None and look.over.over in OFFICIAL):
        return locked(look)
    laid = _laid_over(look)
    if laid is not None:
        return laid
    if look.idle_page:
        return room_page(look)
    if look.practice and look.step is Step.SIGN:
        return practice_over(look)
    return _before_step(look) or _STEPS[look.step](look)


def _before_step(look: Look) -> Screen | None:
    """What both sides read before they go on: a ruling, then that the time is up."""
    made = unread(look)
    if made is not None:
        return ruled(look, made)
    up = look.clock.urgency is Urgency.UP and look.step in IN_PLAY
    return time_is_up(look) if up and look.entries.time_seen != look.playing.round else None


def _laid_over(look: Look) -> Screen | None:
    """What lies over the step; a sheet about something that has moved on closes by itself."""
    if look.over is None:
        return None
    if look.over.over is Over.STATUS:
        return status(look)
    official = official_screen(look, look.over)
    if official is not None:
        return official
    return None if look.state.assignment is None else _over_table(look, look.over)


def _over_table(look: Look, asked: Open) -> Screen | None:
    hand = look.state.hand is not None
    match asked.over:
        case Over.SHEET:
            return sheet(look, over=True)
        case Over.ROUND:
            return about_round(look)
        case Over.KEEPER:
            return keeper_anew(look, asked)
        case Over.WRONG_TEAM if look.step is Step.SEATS:
            return wrong_team(look)
        case Over.WHY if hand or asked.about != "open":
            return explain(look, asked)
        case _:
            return _over_hand(look, asked) if hand else None


def _over_hand(look: Look, asked: Open) -> Screen | None:
    if asked.over not in _OVER_HAND:
        return None
    steps, shown = _OVER_HAND[asked.over]
    return shown(look, asked) if look.step in steps else None


def _claim(look: Look, asked: Open) -> Screen | None:
    return claim(look) if asked.about == claim_about(look) else None


def _disputed(look: Look) -> Screen:
    """The sides do not agree, or their scorekeepers counted differently twice."""
    return check(look) if open_hand_ended(look.state) else compare(look)


def _compare(look: Look) -> Screen:
    return compare(look) if look.entries.changing is None else result(look)


def _play(look: Look) -> Screen:
    return result(look) if look.entries.entering else play(look)


def _sign(look: Look) -> Screen:
    return sign(look) if look.entries.signing else sheet(look)


_ANY: Final = frozenset(Step)
_OVER_HAND: Final[Mapping[Over, tuple[frozenset[Step], Callable[[Look, Open], Screen | None]]]] = {
    Over.IMPROPER: (frozenset({Step.AUCTION}), improper),
    Over.IRREGULARITY: (_ANY - {Step.RULING, Step.EARLY, Step.CONFLICT}, irregularity),
    Over.CLAIM: (frozenset({Step.PLAY}), _claim),
    Over.CONCEDE: (frozenset({Step.PLAY}), lambda look, _asked: concede(look)),
    Over.RULING: (frozenset({Step.RULING}), lambda look, _asked: ruling_sheet(look)),
    Over.AUCTION: (_ANY, lambda look, _asked: auction_as_called(look)),
    Over.MISDEAL: (frozenset({Step.DEAL}), lambda look, _asked: misdeal(look)),
    Over.WRONG: (frozenset({Step.CHECK, Step.DISPUTED}), lambda look, _asked: something_wrong(look)),
}
"""What can be laid over the open hand, and at which steps."""

_STEPS: Final[Mapping[Step, Callable[[Look], Screen]]] = {
    Step.IDLE: idle,
    Step.CLAIMED: claimed,
    Step.SEATS: seats,
    Step.SCOREKEEPER: scorekeeper,
    Step.CLOCK: clock_waits,
    Step.DRAW: draw,
    Step.NEXT: next_hand,
    Step.DEAL: deal,
    Step.AUCTION: auction,
    Step.EARLY: early,
    Step.CONFLICT: conflict,
    Step.CONTRACT: contract,
    Step.PLAY: _play,
    Step.RULING: waiting,
    Step.RESULT: result,
    Step.COMPARE: _compare,
    Step.CHECK: check,
    Step.DISPUTED: _disputed,
    Step.SIGN: _sign,
    Step.SUBMITTED: submitted,
    Step.ACCEPTED: accepted,
    Step.RELEASED: released,
}
