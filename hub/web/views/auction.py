"""The auction of one hand as it was called: sources, calls that were corrected, taken back, early or in conflict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hub.web.views.journal import Entry, TableJournal
from tallybox.calls import Call, Game, call_words, parse_call
from tallybox.envelope import KioskEvent
from tallybox.errors import TallyboxError
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, calling_order
from tallybox.table.state import Hand

_SOURCES: Final = {"scanned": "shown by card", "typed": "typed"}


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call in the order it was made. ``call`` ``None``: not yet. ``struck``: it does not stand."""

    seat: Seat
    call: Call | None
    says: str = ""
    differs: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class _Auction:
    """``early``: the seat that called before its turn last; the other side's answer is about it."""

    game: Game
    rows: tuple[CallRow, ...] = ()
    early: Seat | None = None

    def add(self, row: CallRow) -> _Auction:
        return replace(self, rows=(*self.rows, row))

    def change(self, seat: Seat, change: Callable[[CallRow], CallRow]) -> _Auction:
        """The same with the seat's last row changed."""
        place = next((at for at in range(len(self.rows) - 1, -1, -1) if self.rows[at].seat is seat), None)
        if place is None:
            return self
        return replace(self, rows=(*self.rows[:place], change(self.rows[place]), *self.rows[place + 1 :]))


def auction(journal: TableJournal, hand: Hand) -> tuple[CallRow, ...]:
    """The auction as the table's journal has it, then the seats that have not called."""
    made = _Auction(journal.table.state.playing.ruleset.game)
    for entry in journal.of(hand):
        if entry.event.type in _TOLD and _counted(entry):
            made = _TOLD[entry.event.type](made, entry.event, Seat(str(entry.event.body["seat"])))
    asked = hand.conflict
    if asked is not None:
        made = made.change(asked.seat, lambda row: replace(row, says=_differs(hand, asked.seat), differs=True))
    standing = {row.seat for row in made.rows if not row.struck}
    waiting = tuple(
        CallRow(seat, None, "bids now" if hand.turn is seat and hand.counted else "")
        for seat in calling_order(hand.dealer)
        if seat not in standing
    )
    return (*made.rows, *(waiting if hand.void is None else ()))


def auction_of(facts: HandFacts, says: str) -> tuple[CallRow, ...]:
    """The calls of a hand that no box recorded, all from one source."""
    return tuple(
        CallRow(seat, call, says) for seat, call in zip(calling_order(facts.dealer), facts.calls, strict=False)
    )


def _counted(entry: Entry) -> bool:
    """Whether the call was made, even if it was taken back later; what was refused and entered again is left out."""
    if entry.refused:
        return False
    return entry.gone is None or (entry.event.type in _UNDONE and entry.gone.type == "call.taken_back")


_UNDONE: Final = frozenset({"call.made", "out_of_turn.made"})


def _made(auction: _Auction, event: KioskEvent, seat: Seat) -> _Auction:
    says = _SOURCES.get(str(event.body.get("source")), "")
    said = event.body.get("said")
    if said is not None:
        says = f"said {_words(auction.game, said)}, which is too low: corrected (A-14)"
    return auction.add(CallRow(seat, _call(auction.game, event.body.get("call")), says, differs=said is not None))


def _taken_back(auction: _Auction, _event: KioskEvent, seat: Seat) -> _Auction:
    return auction.change(seat, lambda row: replace(row, says="taken back", struck=True))


def _resolved(auction: _Auction, event: KioskEvent, seat: Seat) -> _Auction:
    game, stands = auction.game, event.body.get("stands")
    said = f"the card said {_words(game, event.body.get('read'))}, typed was {_words(game, event.body.get('typed'))}"
    if stands is None:
        return auction.change(seat, lambda row: replace(row, says=f"{said}: bids again", differs=True, struck=True))
    call = _call(game, event.body.get("read" if stands == "read" else "typed"))
    return auction.change(seat, lambda row: replace(row, call=call, says=said, differs=True))


def _early(auction: _Auction, event: KioskEvent, seat: Seat) -> _Auction:
    row = CallRow(seat, _call(auction.game, event.body.get("call")), "called before its turn", differs=True)
    return replace(auction.add(row), early=seat)


def _early_taken(auction: _Auction, _event: KioskEvent, seat: Seat) -> _Auction:
    says = f"called before its turn; {seat.word} let it stand"
    return auction.change(auction.early or seat, lambda row: replace(row, says=says))


def _early_declined(auction: _Auction, _event: KioskEvent, seat: Seat) -> _Auction:
    says = f"called before its turn; {seat.word} did not let it stand"
    return auction.change(auction.early or seat, lambda row: replace(row, says=says, struck=True))


_TOLD: Final[Mapping[str, Callable[[_Auction, KioskEvent, Seat], _Auction]]] = {
    "call.made": _made,
    "call.taken_back": _taken_back,
    "reading.resolved": _resolved,
    "out_of_turn.made": _early,
    "out_of_turn.accepted": _early_taken,
    "out_of_turn.declined": _early_declined,
}


def _differs(hand: Hand, seat: Seat) -> str:
    asked = hand.conflict
    if asked is None or asked.seat is not seat:
        return ""
    return f"The card says {call_words(asked.read)}, the table typed {call_words(asked.typed.call)}."


def _call(game: Game, text: object) -> Call | None:
    try:
        return parse_call(game, str(text))
    except TallyboxError:
        return None


def _words(game: Game, text: object) -> str:
    call = _call(game, text)
    return "something else" if call is None else call_words(call)
