"""Which screen is shown: what is laid over comes first, then the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kiosk.screens import officials
from kiosk.screens.acts import Open, Over
from kiosk.screens.auction import auction
from kiosk.screens.check import check, something_wrong
from kiosk.screens.closing import accepted, released, submitted
from kiosk.screens.conflict import conflict
from kiosk.screens.contract import contract
from kiosk.screens.deal import deal, misdeal, next_hand
from kiosk.screens.frame import Screen
from kiosk.screens.idle import claimed, idle
from kiosk.screens.improper import improper
from kiosk.screens.lines import explain
from kiosk.screens.look import Look, Urgency
from kiosk.screens.opening import clock_waits, draw, scorekeeper, seats, wrong_team
from kiosk.screens.over import status, time_is_up
from kiosk.screens.play import auction_as_called, play
from kiosk.screens.result import result
from kiosk.screens.sheet import sheet
from kiosk.screens.sign import sign
from tallybox.table.state import Step

IN_PLAY: Final = frozenset(
    {
        Step.NEXT,
        Step.DEAL,
        Step.AUCTION,
        Step.CONFLICT,
        Step.CONTRACT,
        Step.PLAY,
        Step.RESULT,
        Step.CHECK,
        Step.DISPUTED,
    }
)
"""Steps in which the end of the time has to be said before anything else."""


def choose(look: Look) -> Screen:
    """The one screen for this look."""
    laid = _laid_over(look)
    if laid is not None:
        return laid
    if look.clock.urgency is Urgency.UP and look.step in IN_PLAY and look.entries.time_seen != look.playing.round:
        return time_is_up(look)
    return _STEPS[look.step](look)


def _laid_over(look: Look) -> Screen | None:
    """What lies over the step; a sheet about something that has moved on closes by itself."""
    if look.over is None:
        return None
    if look.over.over is Over.STATUS:
        return status(look)
    if look.over.over in officials.SCREENS:
        return officials.SCREENS[look.over.over](look, look.over)
    return None if look.state.assignment is None else _over_table(look, look.over)


def _over_table(look: Look, asked: Open) -> Screen | None:
    hand = look.state.hand is not None
    match asked.over:
        case Over.SHEET:
            return sheet(look, over=True)
        case Over.WRONG_TEAM if look.step is Step.SEATS:
            return wrong_team(look)
        case Over.WHY if hand or asked.about != "open":
            return explain(look, asked)
        case _:
            return _over_hand(look, asked) if hand else None


def _over_hand(look: Look, asked: Open) -> Screen | None:
    match asked.over:
        case Over.IMPROPER if look.step is Step.AUCTION:
            return improper(look, asked)
        case Over.AUCTION:
            return auction_as_called(look)
        case Over.MISDEAL if look.step is Step.DEAL:
            return misdeal(look)
        case Over.WRONG if look.step in {Step.CHECK, Step.DISPUTED}:
            return something_wrong(look)
        case _:
            return None


def _play(look: Look) -> Screen:
    return result(look) if look.entries.entering else play(look)


def _sign(look: Look) -> Screen:
    return sign(look) if look.entries.signing else sheet(look)


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
    Step.CONFLICT: conflict,
    Step.CONTRACT: contract,
    Step.PLAY: _play,
    Step.RESULT: result,
    Step.CHECK: check,
    Step.DISPUTED: check,
    Step.SIGN: _sign,
    Step.SUBMITTED: submitted,
    Step.ACCEPTED: accepted,
    Step.RELEASED: released,
}
