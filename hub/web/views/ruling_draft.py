"""What was chosen so far on the ruling form, from an address or a posted form; what cannot be read is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeVar

from hub.tournament.state import TableRound
from hub.web.typed import sentence, whole
from tallybox.calls import Call, Game, parse_call
from tallybox.errors import CallError
from tallybox.rules.cards import is_card
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.rulings import CODES, phases_of, sideless, taken_by
from tallybox.seats import Seat, Side
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.state import Hand, HandRuling, Irregularity

NO_REASON_YET: Final = "…"
"""Stands for an adjustment's reason until somebody writes one."""
SIDES_ALONE: Final = frozenset({"MISDEAL_LATE", "LATE"})
"""What is a side's doing, not one seat's."""
NO_OFFENDER: Final = frozenset({"ADJUST", "CLAIM"})
NO_CALLER: Final = frozenset({"ADJUST", "CONCEDED", "LAYDOWN", "LATE", "IMPROPER_BID"})
"""What nobody calls: the official, the bidder or the rule says so."""
_E = TypeVar("_E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Draft:
    """A ruling in the making. ``instead``: what each side shall get by it, where that differs from the rule's.

    ``points``, ``won_by``, ``boston`` and ``bags`` are an adjustment's (``ADJUST``).
    ``raised``: the irregularity it answers; ``replaces``: the ruling whose place it takes.
    """

    hand: int = 0
    code: str = ""
    caller: Seat | None = None
    seat: Seat | None = None
    side: Side | None = None
    suit: str = ""
    rank: str = ""
    accepted: bool | None = None
    phase: Phase | None = None
    proven: bool = True
    said: str = ""
    corrected: str = ""
    points: Mapping[Side, int] = field(default_factory=dict)
    won_by: Side | None = None
    boston: Side | None = None
    bags: Mapping[Side, int] = field(default_factory=dict)
    instead: Mapping[Side, int] = field(default_factory=dict)
    why: str = ""
    raised: str | None = None
    replaces: str | None = None

    @property
    def card(self) -> str | None:
        """The card, once suit and rank are chosen."""
        return self.suit + self.rank if is_card(self.suit + self.rank) else None


def read_draft(table: TableRound, fields: Mapping[str, str]) -> Draft:
    """The draft of a table's ruling; what is not chosen yet comes from what the table raised, if it waits."""
    hand = _hand(table, fields)
    waiting = None if hand is None else _waiting(table, hand, fields.get("raised", ""))
    known = None if hand is None else _standing(table, hand, fields.get("replaces", ""))
    made = Draft(
        hand=0 if hand is None else hand.number,
        code=fields.get("code", "") if fields.get("code", "") in CODES[table.state.playing.ruleset.game] else "",
        caller=_one(Seat, fields.get("caller")),
        seat=_one(Seat, fields.get("seat")),
        side=_one(Side, fields.get("side")),
        suit=fields.get("suit", "")[:1],
        rank=fields.get("rank", "")[:1],
        accepted={"yes": True, "no": False}.get(fields.get("accepted", "")),
        phase=_one(Phase, fields.get("phase")),
        proven=fields.get("proven", "yes") != "no",
        said=fields.get("said", "")[:12],
        corrected=fields.get("corrected", "")[:12],
        points=_numbers(fields, "points"),
        won_by=_one(Side, fields.get("won_by")),
        boston=_one(Side, fields.get("boston")),
        bags=_numbers(fields, "bags"),
        instead=_numbers(fields, "instead"),
        why=sentence(fields.get("why")),
        raised=None if waiting is None else waiting.id,
        replaces=None if known is None else known.id,
    )
    if made.code:
        return made
    if known is not None:
        return _again(made, known.ruling)
    return made if waiting is None else _as_raised(made, waiting)


def ruling_of(draft: Draft, game: Game) -> Ruling:
    """The ruling as far as it is chosen; what its code does not read is left out."""
    taken = taken_by(game, draft.code)
    seat = None if draft.code in SIDES_ALONE | {"ADJUST"} else draft.seat
    offender = draft.side if seat is None else seat.side
    phases = phases_of(game, draft.code)
    return Ruling(
        code=draft.code,
        side=None if sideless(draft.code) else offender,
        seat=seat,
        caller=None if draft.code in NO_CALLER else draft.caller,
        proven=draft.proven,
        phase=draft.phase if draft.phase in phases and len(phases) > 1 else None,
        card=draft.card if "card" in taken else None,
        accepted=draft.accepted if "accepted" in taken else None,
        said=_call(draft.said, game) if "said" in taken else None,
        corrected=_call(draft.corrected, game) if "corrected" in taken else None,
        points=dict(draft.points) or None if "points" in taken else None,
        won_by=draft.won_by if "won_by" in taken else None,
        boston=draft.boston if "boston" in taken else None,
        bags=dict(draft.bags) or None if "bags" in taken else None,
        why=draft.why or NO_REASON_YET if draft.code == "ADJUST" else None,
    )


def hands_of(table: TableRound) -> tuple[Hand, ...]:
    """The hands that can be ruled on: the open one and those on record, one for each number, newest first."""
    state = table.state
    every = (*state.hands, *(() if state.hand is None else (state.hand,)))
    last = {hand.number: hand for hand in every}
    return tuple(last[number] for number in sorted(last, reverse=True))


def _hand(table: TableRound, fields: Mapping[str, str]) -> Hand | None:
    hands = hands_of(table)
    wanted = whole(fields.get("hand"))
    raised = fields.get("raised")
    about = [hand for hand in hands if any(each.id == raised for each in hand.irregularities)]
    chosen = [hand for hand in hands if hand.number == wanted]
    return next(iter((*chosen, *about, *hands)), None)


def _waiting(table: TableRound, hand: Hand, raised: str) -> Irregularity | None:
    waiting = unanswered(table.state, hand)
    return next((each for each in waiting if each.id == raised), next(iter(waiting), None))


def _standing(table: TableRound, hand: Hand, ruling: str) -> HandRuling | None:
    return next((each for each in laid_over(table.state, hand).rulings if each.id == ruling), None)


def _as_raised(draft: Draft, waiting: Irregularity) -> Draft:
    """As the table tells it."""
    suit, rank = (waiting.card[0], waiting.card[1]) if waiting.card else ("", "")
    return replace(
        draft, code=waiting.code, caller=waiting.caller, seat=waiting.seat, side=waiting.side, suit=suit, rank=rank,
        accepted=waiting.accepted, phase=waiting.phase,
    )  # fmt: skip


def _again(draft: Draft, known: Ruling) -> Draft:
    """As it was ruled."""
    suit, rank = (known.card[0], known.card[1]) if known.card else ("", "")
    return replace(
        draft, code=known.code, caller=known.caller, seat=known.seat, side=known.side, suit=suit, rank=rank,
        accepted=known.accepted, phase=known.phase, proven=known.proven, points=dict(known.points or {}),
        won_by=known.won_by, boston=known.boston, bags=dict(known.bags or {}), why=known.why or "",
    )  # fmt: skip


def _one(kind: type[_E], text: str | None) -> _E | None:
    return next((each for each in kind if each.value == text), None)


def _numbers(fields: Mapping[str, str], name: str) -> dict[Side, int]:
    found = {side: whole(fields.get(f"{name}_{side.value.lower()}")) for side in Side}
    return {side: number for side, number in found.items() if number is not None}


def _call(text: str, game: Game) -> Call | None:
    try:
        return parse_call(game, text) if text else None
    except CallError:
        return None
