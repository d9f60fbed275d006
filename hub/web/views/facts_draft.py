"""The facts of a hand as somebody types them: from the sheet, from an address or from a form, and to a sheet's form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tallybox.calls import Game, call_text
from tallybox.canonical import Json
from tallybox.errors import SheetError, shown
from tallybox.rules.hand import HandFacts
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet import hand_facts_to_json

VOIDS: Final = {
    "": "It counts",
    "misdeal": "Void: misdeal",
    "exposed-in-deal": "Void: a card was exposed in the deal",
    "director": "Void by the director",
}
LONGEST: Final = 24
"""Letters of one field; the longest call has nine."""
_WHOLE: Final = re.compile(r"[0-9]{1,3}", re.ASCII)
_HEAD: Final = re.compile(r"^hands\[\d+\]\.?")
_ITEM: Final = re.compile(r"^(calls|rulings)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FactsDraft:
    """What stands in the fields, as typed. ``kept``: which of the hand's rulings stay, by their place."""

    dealer: Seat = Seat.N
    calls: Mapping[Seat, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    direction: str = ""
    void: str = ""
    kept: tuple[int, ...] = ()

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order in which they call."""
        return calling_order(self.dealer)

    @property
    def empty(self) -> bool:
        """Whether nothing but a dealer is there."""
        return not (any(self.calls.values()) or any(self.counts.values()) or self.direction or self.void)


def counted(game: Game) -> tuple[str, ...]:
    """The names of the fields in which books or tricks are counted."""
    return tuple(side.value for side in Side) if game is Game.BID_WHIST else tuple(seat.value for seat in Seat)


def draft_of(facts: HandFacts) -> FactsDraft:
    """The fields filled in from a hand."""
    result: Mapping[Side, int] | Mapping[Seat, int] = facts.books or facts.tricks or {}
    return FactsDraft(
        dealer=facts.dealer,
        calls={seat: call_text(call) for seat, call in zip(calling_order(facts.dealer), facts.calls, strict=False)},
        counts={key.value: str(count) for key, count in result.items()},
        direction=facts.direction.value if facts.direction else "",
        void=facts.void or "",
        kept=tuple(range(len(facts.rulings))),
    )


def read_facts(fields: Mapping[str, str], game: Game, prefix: str = "") -> FactsDraft:
    """The fields as somebody typed them; a dealer that is none is North."""

    def typed(name: str) -> str:
        return " ".join(fields.get(prefix + name, "").split())[:LONGEST]

    dealer = typed("dealer").upper()
    return FactsDraft(
        dealer=Seat(dealer) if dealer in set(Seat) else Seat.N,
        calls={seat: typed(f"call_{seat}") for seat in Seat if typed(f"call_{seat}")},
        counts={name: typed(f"count_{name}") for name in counted(game) if typed(f"count_{name}")},
        direction=typed("direction") if game is Game.BID_WHIST else "",
        void=typed("void") if typed("void") in VOIDS else "",
        kept=tuple(place for place in range(50) if typed(f"ruling_{place}") == "on"),
    )


def facts_json(draft: FactsDraft, before: HandFacts | None, game: Game) -> dict[str, Json]:
    """The facts in the form of a sheet file; a void deal keeps its rulings and nothing else.

    Raises ``SheetError`` for what is no number, its place named.
    """
    kept = hand_facts_to_json(before)["rulings"] if before is not None and before.rulings else []
    assert isinstance(kept, list)
    made: dict[str, Json] = {"dealer": draft.dealer.value}
    rulings = [kept[place] for place in draft.kept if place < len(kept)]
    if rulings:
        made["rulings"] = rulings
    if draft.void:
        return {**made, "void": draft.void}
    calls = _calls(draft)
    if calls:
        made["calls"] = list(calls)
    if draft.counts:
        made["books" if game is Game.BID_WHIST else "tricks"] = _numbers(draft, game)
    if draft.direction:
        made["direction"] = draft.direction
    return made


def _calls(draft: FactsDraft) -> list[str]:
    """The calls from the dealer's left on; an auction that a ruling ended has fewer than four."""
    calls = [draft.calls.get(seat, "") for seat in draft.order]
    while calls and not calls[-1]:
        calls.pop()
    for place, text in enumerate(calls):
        if not text:
            said = f"{draft.order[place].word} has no call here, and a later seat has one. Write it down."
            raise SheetError("calls-missing", said, where=f"calls[{place}]")
    return calls


def _numbers(draft: FactsDraft, game: Game) -> dict[str, Json]:
    """Books or tricks; of the two sides' books one is enough, the other side has the rest (INV-1)."""
    what = "books" if game is Game.BID_WHIST else "tricks"
    made: dict[str, Json] = {}
    for name, text in draft.counts.items():
        if not _WHOLE.fullmatch(text) or int(text) > 13:
            message = f"“{shown(text)}” is no number of {what} in one hand. Write 0 to 13."
            raise SheetError("wrong-type", message, where=f"{what}.{name}")
        made[name] = int(text)
    if what == "books" and len(made) == 1:
        ((name, count),) = made.items()
        other = Side(name).other.value
        made[other] = max(0, 13 - int(str(count)))
    return made


def place_of(where: str | None, draft: FactsDraft) -> str:
    """The field in which something is wrong, from its place in the facts: ``call_E``, ``counts``, ``ruling_0`` …"""
    place = _HEAD.sub("", where or "")
    listed = _ITEM.match(place)
    if listed is not None:
        at = int(listed[2])
        if listed[1] == "rulings":
            return f"ruling_{draft.kept[at]}" if at < len(draft.kept) else "rulings"
        return f"call_{draft.order[at]}" if at < len(draft.order) else "calls"
    for name in ("books", "tricks"):
        if place.startswith(name):
            return "counts"
    return place.partition(".")[0].partition("[")[0]
