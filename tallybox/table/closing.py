"""The end of a table's round: two signatures under one digest, or an official's waiver for one; the submission.

Here too: the silent call for the director, and what an official asks for at the table.
"""

from __future__ import annotations

from tallybox.events.rulings import MenuOpened, OfficialRequested, RoundClosed, SignatureWaived
from tallybox.events.table import DirectorCalled, DirectorCancelled, SheetSigned, SheetSubmitted
from tallybox.renewed import renewed
from tallybox.said import say
from tallybox.seats import Side
from tallybox.table.entry import Entry
from tallybox.table.overlay import awards_pending
from tallybox.table.refused import require
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Calling, Closed, Signature, Step, TableState, Waiver
from tallybox.table.steps import step

MOST_POINTS = 4000
"""Points in one signature; a person draws a few hundred."""


def sheet_signed(state: TableState, entry: Entry, body: SheetSigned) -> TableState:
    """A person signs exactly what is shown; nothing refused may stand open."""
    require(
        body.seat.side is body.side,
        "other-seat",
        say("{seat} does not play for {side}.", seat=body.seat.word, side=body.side.word),
    )
    _ready(state, body.digest)
    points = sum(len(stroke) for stroke in body.strokes) // 2
    require(points <= MOST_POINTS, "too-much-ink", "This signature has too many strokes. Clear it and sign again.")
    require(
        all(len(stroke) % 2 == 0 for stroke in body.strokes), "bad-strokes", "The signature was not drawn. Sign again."
    )
    signature = Signature(entry.id, body.side, body.seat, body.digest, body.strokes)
    return renewed(state, signatures={**state.signatures, body.side: signature})


def signature_waived(state: TableState, entry: Entry, body: SignatureWaived) -> TableState:
    """An official lets the sheet go without a side's signature; it counts for exactly this sheet."""
    _ready(state, body.digest)
    require(
        body.side not in valid_signatures(state, body.digest),
        "signed",
        say("{side} have signed this sheet.", side=body.side.word),
    )
    waiver = Waiver(entry.id, body.side, body.digest, body.official, body.reason)
    return renewed(state, waivers={**state.waivers, body.side: waiver})


def sheet_submitted(state: TableState, entry: Entry, body: SheetSubmitted) -> TableState:
    """Each side signed the sheet as it stands, or an official waived its signature; it goes to the hub."""
    require(step(state) is Step.SIGN, "round-not-over", "The sheet can be submitted when the round is over.")
    shown = sheet_digest(state)
    require(body.digest == shown, "sheet-stale", "The sheet changed after it was signed. Both sides sign again.")
    require(
        valid_signatures(state, shown) | valid_waivers(state, shown) == frozenset(Side),
        "signature-missing",
        "Both sides sign before it is submitted.",
    )
    return renewed(state, submitted=body.digest)


def round_closed(state: TableState, entry: Entry, body: RoundClosed) -> TableState:
    """An official calls time while no hub can: no new hand begins, one whose contract stands is played out (Q-09)."""
    require(
        state.playing.minutes is not None, "untimed", "This round has no clock. It ends with its hands or its points."
    )
    require(not state.clock_ended, "time-is-up", "Time was called already.")
    closed = renewed(state, closed=Closed(entry.id, body.official, body.deadline))
    return renewed(closed, clock_ended=closed.closed_here)


def menu_opened(state: TableState, entry: Entry, body: MenuOpened) -> TableState:
    """An official looked in; that alone changes nothing."""
    return state


def official_requested(state: TableState, entry: Entry, body: OfficialRequested) -> TableState:
    """An official asks the hub for what is the hub's to do; the table changes once the hub has said so."""
    require(
        body.minutes is not None or body.what != "extension", "no-minutes", "Say how many more minutes this table gets."
    )
    return state


def director_called(state: TableState, entry: Entry, body: DirectorCalled) -> TableState:
    """The table waits for the director."""
    require(state.calling is None, "called", "The director is called already.")
    return renewed(state, calling=Calling(entry.id, entry.at, body.reason))


def director_cancelled(state: TableState, entry: Entry, body: DirectorCancelled) -> TableState:
    """The call is taken back."""
    require(state.calling is not None, "not-called", "The director is not called.")
    return renewed(state, calling=None)


def valid_signatures(state: TableState, digest: str) -> frozenset[Side]:
    """The sides whose signature covers the sheet with ``digest``; a signature of another version is void."""
    return frozenset(side for side, signature in state.signatures.items() if signature.digest == digest)


def valid_waivers(state: TableState, digest: str) -> frozenset[Side]:
    """The sides whose signature an official waived for the sheet with ``digest``."""
    return frozenset(side for side, waiver in state.waivers.items() if waiver.digest == digest)


def _ready(state: TableState, digest: str) -> None:
    """Refuse to sign a sheet that is not finished, or is another one than was shown."""
    require(step(state) is Step.SIGN, "round-not-over", "The sheet can be signed when the round is over.")
    require(
        not state.refused,
        "refused-open",
        "Something on this table's record does not count yet. Ask the director before signing.",
    )
    require(
        not awards_pending(state),
        "awards-pending",
        "A side was late and hands are left over. The desk says first what becomes of them.",
    )
    require(digest == sheet_digest(state), "sheet-changed", "The sheet changed before it was signed. Look at it again.")
