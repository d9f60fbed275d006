"""What an act replaces without anybody saying so: the earlier result, the call taken back, what was refused. Pure."""

from __future__ import annotations

from typing import Final

from tallybox.events import type_of
from tallybox.events.rulings import MenuOpened, OfficialRequested, SignatureWaived
from tallybox.events.table import (
    Body,
    CallTakenBack,
    DirectorCalled,
    DirectorCancelled,
    HandOpened,
    HandRecorded,
    HandVoided,
    ResultEntered,
    SheetSigned,
)
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.overlay import rests_on
from tallybox.table.state import Hand, TableState

MOST_REPLACED: Final = 64
"""An event names at most so many others (docs/journal.md, Envelope)."""

_SIGNING: Final = ("sheet.signed", "sheet.submitted", "signature.waived")
_ALWAYS: Final = (DirectorCalled, DirectorCancelled, MenuOpened, OfficialRequested)


def always(body: Body) -> bool:
    """Whether an act is taken even at a locked box: a call for the director, or an official's own act."""
    return isinstance(body, _ALWAYS) or getattr(body, "official", None) is not None


def replaced_by(state: TableState, entries: tuple[Entry, ...], body: Body) -> tuple[str, ...]:
    """The ids of the events that this act supersedes as the table stands; ``entries`` are the round's so far."""
    ids = (*_earlier(state, entries, body), *_record(state, body), *_cured(state, body))
    return tuple(dict.fromkeys(ids))[:MOST_REPLACED]


def _earlier(state: TableState, entries: tuple[Entry, ...], body: Body) -> tuple[str, ...]:
    hand = state.hand
    match body:
        case ResultEntered():
            return _earlier_result(hand, entries, body)
        case CallTakenBack() if hand is not None and (hand.early is not None or hand.calls):
            return (hand.early.id if hand.early is not None else hand.calls[-1].id,)
        case DirectorCancelled() if state.calling is not None:
            return (state.calling.id,)
        case SheetSigned(side=side) if side in state.signatures:
            return (state.signatures[side].id,)
    return ()


def _earlier_result(hand: Hand | None, entries: tuple[Entry, ...], body: ResultEntered) -> tuple[str, ...]:
    """What stands entered, or was; where two scorekeepers enter apart, each replaces only the own count (C-13)."""
    if hand is not None:
        before = hand.result if body.scorer is None else hand.entries.get(body.scorer)
        if before is not None:
            return (before.id,)
    return _withdrawn_result(entries, body.hand, body.scorer)


def _withdrawn_result(entries: tuple[Entry, ...], number: int, scorer: Side | None) -> tuple[str, ...]:
    """The result of this deal that a side said was wrong, from the same scorekeeper; a void deal's stays its own."""
    for entry in reversed(entries):
        match entry.body:
            case HandOpened():
                return ()
            case ResultEntered(hand=hand, scorer=by) if (hand, by) == (number, scorer):
                return (entry.id,)
    return ()


def _record(state: TableState, body: Body) -> tuple[str, ...]:
    """What an official's correction of a recorded hand takes the place of; an open deal that is void has no record."""
    if not isinstance(body, HandRecorded | HandVoided) or body.official is None:
        return ()
    if isinstance(body, HandVoided) and state.hand is not None and state.hand.number == body.hand:
        return ()
    recorded = [hand for hand in state.hands if hand.number == body.hand]
    return rests_on(state, recorded[-1]) if recorded else ()


def _cured(state: TableState, body: Body) -> tuple[str, ...]:
    """Refusals that stand open and are mended by this act: those of its own kind, and all of signing by a signature."""
    mended = _SIGNING if isinstance(body, SheetSigned | SignatureWaived) else (type_of(body),)
    return tuple(refusal.id for refusal in state.refused if refusal.type in mended)
