"""What the people at a table may do besides the next thing: another call, a card, an irregularity, a second thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from split_world import Table

from firmware_bridge.decks import load_deck
from firmware_bridge.reader import CardRead, DeviceStamp
from kiosk.errors import JournalError
from tallybox.calls import Game, call_text, parse_call
from tallybox.events import rulings
from tallybox.events import table as bodies
from tallybox.events.table import Body
from tallybox.seats import Seat, Side
from tallybox.table.shown import facts_json, sheet_digest
from tallybox.table.state import Step

CALLS: Final = ("pass", "4", "5", "5no", "6", "7")
SHARES: Final = 24
STUCK: Final = (Step.DISPUTED, Step.RULING, Step.CONFLICT, Step.EARLY)


def somebody_acts(table: Table, chance: int, choice: int) -> None:
    """Mostly the next thing; ``chance`` says whether it is something else, ``choice`` which of its kind."""
    other = _OTHERS.get(chance % SHARES)
    if other is not None:
        body = other(table, choice)
        if body is not None:
            table.scribe.act(body)
            table.scribe.react()
        return
    if table.scribe.step in STUCK:
        settle(table)
        return
    table.act(books=choice % 14)


def settle(table: Table) -> None:
    """The people drop what they raised, or an official at the table writes the hand down."""
    state = table.state
    hand = state.hand
    assert hand is not None
    for raised in hand.irregularities:
        if not raised.ruled:
            table.scribe.act(rulings.IrregularityWithdrawn(hand=hand.number, raised=raised.id))
            table.scribe.act(
                rulings.RulingEntered(
                    hand=hand.number, official="dana", raised=raised.id,
                    ruling={"code": raised.code, "side": raised.side.value, "caller": raised.caller.value,
                            "proven": False, **({} if raised.phase is None else {"phase": raised.phase.value})},
                )
            )  # fmt: skip
    if table.scribe.step is Step.CONFLICT and hand.conflict is not None:
        both = (call_text(hand.conflict.read), call_text(hand.conflict.typed.call))
        table.scribe.act(
            bodies.ReadingResolved(
                hand=hand.number, seat=hand.conflict.seat, read=both[0], typed=both[1], stands="typed"
            )
        )
    if table.scribe.step in (Step.DISPUTED, Step.CONFLICT, Step.EARLY):
        table.scribe.act(bodies.HandVoided(hand=hand.number, reason="director", official="dana", why="too long"))
    table.scribe.react()


def _call(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None or hand.turn is None:
        return None
    return bodies.CallMade(hand=hand.number, seat=hand.turn, call=CALLS[choice % len(CALLS)], source="typed")


def _card(table: Table, choice: int) -> None:
    hand = table.state.hand
    seat = tuple(Seat)[choice % 4] if hand is None or hand.turn is None or choice % 3 == 0 else hand.turn
    text = CALLS[choice % len(CALLS)]
    uid = load_deck("bid-whist").uid_for(parse_call(Game.BID_WHIST, "4" if text == "5no" else text), seat)
    ms = table.clockwork.ms()
    try:
        table.scribe.card(CardRead(seat, uid, DeviceStamp("R-1", "b0", ms % 2**40, ms % 2**40)))
    except JournalError:
        raise AssertionError("the journal takes a card") from None
    table.scribe.react()


def _back(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None or not hand.calls:
        return None
    return bodies.CallTakenBack(hand=hand.number, seat=hand.calls[-1].seat)


def _raised(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None:
        return None
    side = tuple(Side)[choice % 2]
    return rulings.IrregularityRaised(
        hand=hand.number, code="RENEGE", side=side, caller=side.other.seats[choice % 2], phase="play"
    )


def _ruled(table: Table, choice: int) -> Body | None:
    hands = (*table.state.hands, *(() if table.state.hand is None else (table.state.hand,)))
    if not hands:
        return None
    ruling: dict[str, object] = {"code": "ADJUST", "points": {"NS": choice % 3 + 1}, "why": "as it was"}
    return rulings.RulingEntered(hand=hands[choice % len(hands)].number, official="dana", ruling=ruling)


def _questioned(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    return None if hand is None else bodies.HandQuestioned(hand=hand.number, side=Side.EW, what="result")


def _voided(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None:
        return None
    if choice % 2:
        return bodies.HandVoided(hand=hand.number, reason="misdeal")
    return bodies.HandVoided(hand=hand.number, reason="director", official="dana", why="cards on the floor")


def _record(table: Table, choice: int) -> Body | None:
    done = table.state.counting
    if not done:
        return None
    hand = done[choice % len(done)]
    facts: dict[str, object] = {**facts_json(hand)}
    if "books" in facts:
        facts["books"] = {"NS": choice % 14, "EW": 13 - choice % 14}
    return bodies.HandRecorded(
        hand=hand.number, facts=facts, ruleset=table.state.playing.ruleset.digest, lines="0" * 64, official="dana",
        reason="counted again",
    )  # fmt: skip


def _director(table: Table, choice: int) -> Body | None:
    return bodies.DirectorCalled(reason="help") if choice % 2 else bodies.DirectorCancelled()


def _waived(table: Table, choice: int) -> Body | None:
    if table.scribe.step is not Step.SIGN:
        return None
    return rulings.SignatureWaived(
        side=tuple(Side)[choice % 2], digest=sheet_digest(table.state), official="dana", reason="went home"
    )


def _swapped(table: Table, choice: int) -> Body | None:
    return rulings.SeatsSwapped(side=(None, *Side)[choice % 3], official="dana" if choice % 2 else None)


def _asked(table: Table, choice: int) -> Body | None:
    what = ("extension", "lock", "unlock", "replacement", "release")[choice % 5]
    minutes = 3 if what == "extension" else None
    return rulings.OfficialRequested(what=what, official="dana", minutes=minutes)  # type: ignore[arg-type]


def _scorekeeper(table: Table, choice: int) -> Body | None:
    return bodies.ScorekeeperChosen(seat=tuple(Seat)[choice % 4])


def _conceded(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None:
        return None
    seat = tuple(Seat)[choice % 4]
    if choice % 3:
        return rulings.SetConceded(hand=hand.number, seat=seat)
    return rulings.ClaimOfTricksMade(hand=hand.number, seat=seat, agreed=True)


def _closed(table: Table, choice: int) -> Body | None:
    if choice % 4:
        return None
    return rulings.RoundClosed(official="dana", reason="the hub is away", deadline=table.state.deadline)


def _result(table: Table, choice: int) -> Body | None:
    hand = table.state.hand
    if hand is None:
        return None
    return bodies.ResultEntered(hand=hand.number, books={Side.NS: choice % 14, Side.EW: 13 - choice % 14})


_OTHERS: Final[dict[int, Callable[[Table, int], Body | None]]] = {
    1: _call, 2: _card, 3: _card, 4: _back, 5: _raised, 6: _ruled, 7: _questioned, 8: _voided, 9: _record,
    10: _director, 11: _waived, 12: _swapped, 13: _asked, 14: _scorekeeper, 15: _conceded, 16: _closed, 17: _result,
}  # fmt: skip
