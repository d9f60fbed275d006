"""The end of a table's round: two signatures under one digest, the submission, and the silent call for the director."""

from __future__ import annotations

from dataclasses import replace

from tallybox.events.table import DirectorCalled, DirectorCancelled, SheetSigned, SheetSubmitted
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.refused import require
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Calling, Signature, Step, TableState
from tallybox.table.steps import step

MOST_POINTS = 4000
"""Points in one signature; a person draws a few hundred."""


def sheet_signed(state: TableState, entry: Entry, body: SheetSigned) -> TableState:
    """A person signs exactly what is shown; nothing refused may stand open."""
    require(step(state) is Step.SIGN, "round-not-over", "The sheet can be signed when the round is over.")
    require(
        not state.refused,
        "refused-open",
        "Something on this table's record does not count yet. Ask the director before signing.",
    )
    require(body.seat.side is body.side, "other-seat", f"{body.seat.word} does not play for {body.side}.")
    require(
        body.digest == sheet_digest(state), "sheet-changed", "The sheet changed before it was signed. Look at it again."
    )
    points = sum(len(stroke) for stroke in body.strokes) // 2
    require(points <= MOST_POINTS, "too-much-ink", "This signature has too many strokes. Clear it and sign again.")
    require(
        all(len(stroke) % 2 == 0 for stroke in body.strokes), "bad-strokes", "The signature was not drawn. Sign again."
    )
    signature = Signature(entry.id, body.side, body.seat, body.digest, body.strokes)
    return replace(state, signatures={**state.signatures, body.side: signature})


def sheet_submitted(state: TableState, entry: Entry, body: SheetSubmitted) -> TableState:
    """Both signatures cover the sheet as it stands; it goes to the hub."""
    require(step(state) is Step.SIGN, "round-not-over", "The sheet can be submitted when the round is over.")
    shown = sheet_digest(state)
    require(body.digest == shown, "sheet-stale", "The sheet changed after it was signed. Both sides sign again.")
    require(
        valid_signatures(state, shown) == frozenset(Side),
        "signature-missing",
        "Both sides sign before it is submitted.",
    )
    return replace(state, submitted=body.digest)


def director_called(state: TableState, entry: Entry, body: DirectorCalled) -> TableState:
    """The table waits for the director."""
    require(state.calling is None, "called", "The director is called already.")
    return replace(state, calling=Calling(entry.id, entry.at, body.reason))


def director_cancelled(state: TableState, entry: Entry, body: DirectorCancelled) -> TableState:
    """The call is taken back."""
    require(state.calling is not None, "not-called", "The director is not called.")
    return replace(state, calling=None)


def valid_signatures(state: TableState, digest: str) -> frozenset[Side]:
    """The sides whose signature covers the sheet with ``digest``; a signature of another version is void."""
    return frozenset(side for side, signature in state.signatures.items() if signature.digest == digest)
