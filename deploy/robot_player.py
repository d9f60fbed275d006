"""What a robot table does next: a pure function of the table's state and a seed, through the same acts as people.

The same seed and state give the same act, whatever the threads do; so a whole demo tournament can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from tallybox.calls import Bid, Call, Nil, Number, Pass, call_text
from tallybox.events.table import (
    Body,
    ClaimMade,
    ContractLocked,
    DealerDrawn,
    DirectionStated,
    HandChecked,
    HandCounted,
    HandVoided,
    PlayStarted,
    ReadingResolved,
    ResultEntered,
    ScorekeeperChosen,
    SeatsConfirmed,
    SheetSigned,
    SheetSubmitted,
)
from tallybox.rules.auction import SpadesContract, WhistContract, legal_calls
from tallybox.seats import CLOCKWISE, Seat, Side
from tallybox.table.closing import valid_signatures
from tallybox.table.shown import agreed_now, lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Hand, Step, TableState
from tallybox.table.steps import needs_direction, step

MISDEALS: Final = 0.03
"""How often a robot's deal goes wrong and is dealt again."""

PASSES: Final = 0.55
"""How often a robot that may pass does."""


@dataclass(frozen=True, slots=True)
class LayCard:
    """Lay the card that says this call on the seat's reader."""

    seat: Seat
    call: Call


Act = Body | LayCard


def next_act(state: TableState, seed: str) -> tuple[Act, float] | None:
    """What to do now, and how many seconds people would take before they do it; ``None``: wait for others."""
    at = step(state)
    chooser = _CHOOSERS.get(at)
    if chooser is None or state.assignment is None:
        return None
    act = chooser(state, _luck(state, at, seed))
    return None if act is None else (act, _SECONDS.get(at, 2.0))


def _luck(state: TableState, at: Step, seed: str) -> Random:
    """Chance that depends on where the table is and on nothing else."""
    calls = len(state.hand.calls) if state.hand else 0
    where = (seed, state.playing.round, state.playing.table, len(state.hands), at.value, calls, len(state.signatures))
    return Random("/".join(map(str, where)))  # noqa: S311 (robots play cards, not cryptography)


def _claim(state: TableState, luck: Random) -> Act | None:
    return None if state.claimed else ClaimMade()


def _confirm(state: TableState, luck: Random) -> Act:
    side = next(side for side in Side if side not in state.seats_confirmed)
    return SeatsConfirmed(side=side, team=state.teams[side].number)


def _scorekeeper(state: TableState, luck: Random) -> Act:
    """Where one of each side is wanted, the second sits beside whoever was chosen first, be it by a person."""
    return ScorekeeperChosen(seat=Seat.N if state.scorekeeper is None else state.scorekeeper.left)


def _draw(state: TableState, luck: Random) -> Act:
    return DealerDrawn(seat=luck.choice(CLOCKWISE))


def _deal(state: TableState, luck: Random) -> Act:
    hand = _hand(state)
    if luck.random() < MISDEALS:
        return HandVoided(hand=hand.number, reason="misdeal")
    return HandCounted(hand=hand.number)


def _bid(state: TableState, luck: Random) -> Act | None:
    hand = _hand(state)
    if hand.turn is None:
        return None
    legal = legal_calls(state.playing.ruleset, hand.dealer, hand.made, hand.locked_calls)
    return LayCard(hand.turn, _sensible(legal, luck))


def _sensible(legal: tuple[Call, ...], luck: Random) -> Call:
    """Pass often, bid low, rarely nil: auctions that look like people's."""
    if any(isinstance(call, Pass) for call in legal) and luck.random() < PASSES:
        return next(call for call in legal if isinstance(call, Pass))
    bids = [call for call in legal if isinstance(call, Bid)]
    if bids:
        lowest = min(bid.level for bid in bids)
        return luck.choice([bid for bid in bids if bid.level == lowest])
    numbers = [call for call in legal if isinstance(call, Number) and call.tricks <= 5]
    nils = [call for call in legal if isinstance(call, Nil)]
    if nils and (luck.random() < 0.07 or not numbers):
        return nils[0]
    return luck.choice(numbers) if numbers else legal[-1]


def _settle(state: TableState, luck: Random) -> Act | None:
    hand = _hand(state)
    if hand.conflict is None:
        return None
    from_card, typed = _texts(hand)
    return ReadingResolved(hand=hand.number, seat=hand.conflict.seat, read=from_card, typed=typed, stands="read")


def _texts(hand: Hand) -> tuple[str, str]:
    assert hand.conflict is not None
    return call_text(hand.conflict.read), call_text(hand.conflict.typed.call)


def _contract(state: TableState, luck: Random) -> Act:
    hand = _hand(state)
    if not hand.locked:
        return ContractLocked(hand=hand.number)
    if needs_direction(hand, state):
        return DirectionStated(hand=hand.number, direction="up" if luck.random() < 0.6 else "down")
    return PlayStarted(hand=hand.number)


def _result(state: TableState, luck: Random) -> Act | None:
    hand = _hand(state)
    match hand.contract(state.playing.ruleset):
        case WhistContract() as won:
            return ResultEntered(hand=hand.number, books=_books(won, luck))
        case SpadesContract() as won:
            return ResultEntered(hand=hand.number, tricks=_tricks(won, luck))
        case _:
            return None


def _books(won: WhistContract, luck: Random) -> dict[Side, int]:
    """Made two times in three, sometimes with overbooks, now and then a Boston."""
    if luck.random() < 0.66:
        bidders = min(won.books, won.needed + luck.choice((0,) * 8 + (1,) * 4 + (2, 2, 3)))
    else:
        bidders = max(1, won.needed - luck.choice((1, 1, 2)))
    return {won.side: bidders, won.side.other: won.books - bidders}


def _tricks(won: SpadesContract, luck: Random) -> dict[Seat, int]:
    """Thirteen tricks fall roughly as bid; a nil rarely takes one."""
    taken = dict.fromkeys(CLOCKWISE, 0)
    weights = [0.15 if isinstance(bid, Nil) else bid.tricks for bid in (won.bids[seat] for seat in CLOCKWISE)]
    if not any(weights):
        weights = [1.0] * 4
    for _ in range(13):
        taken[luck.choices(CLOCKWISE, weights)[0]] += 1
    return taken


def _check(state: TableState, luck: Random) -> Act | None:
    hand = _hand(state)
    agreed = agreed_now(state)
    side = next((side for side in Side if side not in agreed), None)
    if side is None:
        return None
    return HandChecked(hand=hand.number, side=side, lines=lines_digest(open_hand_score(state)))


def _sign(state: TableState, luck: Random) -> Act | None:
    shown = sheet_digest(state)
    signed = valid_signatures(state, shown)
    if state.refused:
        return None
    side = next((side for side in Side if side not in signed), None)
    if side is None:
        return SheetSubmitted(digest=shown)
    return SheetSigned(side=side, seat=side.seats[0], digest=shown, strokes=_scribble(luck))


def _scribble(luck: Random) -> tuple[tuple[int, ...], ...]:
    """A signature: loops along a line, as vectors on a pad of 1000 × 1000."""
    strokes = []
    for start in (120, 430):
        x, y, points = start, 520, []
        for turn in range(18):
            x += luck.randint(4, 30)
            y = 520 + (luck.randint(60, 230) if turn % 2 else -luck.randint(60, 230))
            points += [min(x, 1000), max(0, min(y, 1000))]
        strokes.append(tuple(points))
    return tuple(strokes)


def _hand(state: TableState) -> Hand:
    assert state.hand is not None
    return state.hand


Chooser = Callable[[TableState, Random], Act | None]

_CHOOSERS: Final[Mapping[Step, Chooser]] = {
    Step.IDLE: _claim,
    Step.SEATS: _confirm,
    Step.SCOREKEEPER: _scorekeeper,
    Step.DRAW: _draw,
    Step.DEAL: _deal,
    Step.AUCTION: _bid,
    Step.CONFLICT: _settle,
    Step.CONTRACT: _contract,
    Step.PLAY: _result,
    Step.RESULT: _result,
    Step.CHECK: _check,
    Step.SIGN: _sign,
}

_SECONDS: Final[Mapping[Step, float]] = {
    Step.IDLE: 5.0,
    Step.SEATS: 5.0,
    Step.SCOREKEEPER: 4.0,
    Step.DRAW: 8.0,
    Step.DEAL: 30.0,
    Step.AUCTION: 4.0,
    Step.CONTRACT: 8.0,
    Step.PLAY: 120.0,
    Step.RESULT: 20.0,
    Step.CHECK: 5.0,
    Step.SIGN: 10.0,
}
"""Seconds that people take over each step, before ``--speed`` divides them."""
