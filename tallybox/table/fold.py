"""The fold itself: one event after another, each either counts or is refused with a sentence.

Order is the journal's: tenure, then ``seq``. What the rules refuse stays in the journal and on ``refused``, blocks
signing, and is cured only by a later event that counts and names it in ``supersedes`` (docs/journal.md, Accepting 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from tallybox.envelope import KioskEvent, event_id
from tallybox.errors import MessageError
from tallybox.events import rulings, type_of
from tallybox.events import table as bodies
from tallybox.events.table import Body
from tallybox.renewed import renewed
from tallybox.said import say
from tallybox.table import bidding, closing, correcting, early, opening, playing, ruling
from tallybox.table.entry import Entry, entry_of
from tallybox.table.refused import NotNow
from tallybox.table.state import Refusal, TableState

Handler = Callable[[TableState, Entry, Body], TableState]

_HANDLERS: Final = cast(
    "Mapping[type[Body], Handler]",
    {
        bodies.ClaimMade: opening.claim_made,
        bodies.SeatsConfirmed: opening.seats_confirmed,
        bodies.ScorekeeperChosen: opening.scorekeeper_chosen,
        rulings.SeatsSwapped: opening.seats_swapped,
        rulings.BidDeckWaived: opening.bid_deck_waived,
        bodies.DealerDrawn: opening.dealer_drawn,
        bodies.HandOpened: opening.hand_opened,
        bodies.HandCounted: opening.hand_counted,
        bodies.HandVoided: correcting.hand_voided,
        bodies.CardRead: bidding.card_read,
        bodies.CardRemoved: bidding.card_removed,
        bodies.CallMade: bidding.call_made,
        bodies.CallTakenBack: bidding.call_taken_back,
        bodies.ReadingResolved: bidding.reading_resolved,
        rulings.OutOfTurnMade: early.out_of_turn_made,
        rulings.OutOfTurnAccepted: early.out_of_turn_accepted,
        rulings.OutOfTurnDeclined: early.out_of_turn_declined,
        bodies.ContractLocked: bidding.contract_locked,
        bodies.DirectionStated: bidding.direction_stated,
        bodies.PlayStarted: playing.play_started,
        rulings.IrregularityRaised: ruling.irregularity_raised,
        rulings.IrregularityWithdrawn: ruling.irregularity_withdrawn,
        rulings.RulingEntered: ruling.ruling_entered,
        rulings.ClaimOfTricksMade: ruling.claim_of_tricks_made,
        rulings.SetConceded: ruling.set_conceded,
        bodies.ResultEntered: playing.result_entered,
        bodies.HandQuestioned: playing.hand_questioned,
        bodies.HandChecked: playing.hand_checked,
        bodies.HandRecorded: correcting.hand_recorded,
        bodies.SheetSigned: closing.sheet_signed,
        bodies.SheetSubmitted: closing.sheet_submitted,
        rulings.SignatureWaived: closing.signature_waived,
        rulings.RoundClosed: closing.round_closed,
        rulings.MenuOpened: closing.menu_opened,
        rulings.OfficialRequested: closing.official_requested,
        bodies.DirectorCalled: closing.director_called,
        bodies.DirectorCancelled: closing.director_cancelled,
    },
)

_ALWAYS: Final = (
    bodies.DirectorCalled, bodies.DirectorCancelled, bodies.CardRead, bodies.CardRemoved, rulings.MenuOpened,
    rulings.OfficialRequested,
)  # fmt: skip
"""What may still happen at a table whose sheet is with the hub, or that waits for the director."""


_NOT_YET: Final = "0" * 64
"""The id of an act that is only asked about."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """Why the hub refuses an event that this box took: the hub's word counts."""

    code: str
    message: str


def fold(state: TableState, entry: Entry, ruled: Ruled | None = None) -> TableState:
    """The state after one more event; a refused one changes nothing but the list of refusals."""
    if ruled is not None:
        return _refuse(state, entry, ruled)
    try:
        return _handle(state, entry)
    except NotNow as no:
        return _refuse(state, entry, Ruled(no.code, no.message))


def judge(state: TableState, body: Body, supersedes: tuple[str, ...] = ()) -> Refusal | None:
    """Whether an act would count now, before it is journalled; ``None`` when it would."""
    entry = Entry(id=_NOT_YET, seq=0, type=type_of(body), body=body, supersedes=supersedes)
    refused = fold(state, entry).refused
    return refused[-1] if refused and refused[-1].id == _NOT_YET else None


def fold_events(
    state: TableState, events: Iterable[KioskEvent], ruled: Mapping[str, Ruled] | None = None
) -> TableState:
    """Fold a journal; ``ruled`` holds, by event id, what the hub refused."""
    for event in events:
        state = fold_event(state, event, ruled)
    return state


def fold_event(
    state: TableState, event: KioskEvent, ruled: Mapping[str, Ruled] | None = None, identity: str | None = None
) -> TableState:
    """Fold one event as it travels; an event that this version cannot read is refused, not lost.

    ``identity``: its id, where it is computed already.
    """
    try:
        entry = entry_of(event, identity)
    except MessageError as reason:
        unread = Refusal(event_id(event), event.seq, event.type, reason.code, reason.message)
        return renewed(state, refused=(*state.refused, unread))
    return fold(state, entry, (ruled or {}).get(entry.id))


def _refuse(state: TableState, entry: Entry, why: Ruled) -> TableState:
    refusal = Refusal(entry.id, entry.seq, entry.type, why.code, why.message)
    return renewed(state, refused=(*state.refused, refusal))


def _handle(state: TableState, entry: Entry) -> TableState:
    handler = _HANDLERS.get(type(entry.body))
    if handler is None:
        raise NotNow("not-a-table-event", say("{type} is the hub's to say, not a table's.", type=entry.type))
    if not isinstance(entry.body, bodies.ClaimMade):
        _gate(state, entry.body)
    if state.refused and entry.supersedes:
        state = renewed(state, refused=tuple(no for no in state.refused if no.id not in entry.supersedes))
    return handler(state, entry, entry.body)


def _gate(state: TableState, body: Body) -> None:
    """Nothing counts without a table and a tenure, nor after the sheet went to the hub.

    While the director holds the table only an official enters anything.
    """
    if state.assignment is None or state.tenure is None:
        raise NotNow("no-tenure", "This box does not speak for the table yet. Claim the table first.")
    submitted = state.submitted is not None and state.outcome.reopened is None
    if (submitted or state.outcome.accepted is not None) and not isinstance(body, _ALWAYS):
        raise NotNow("submitted", "The sheet is with the hub. Only an official can change it now.")
    if state.held is not None and not isinstance(body, _ALWAYS) and getattr(body, "official", None) is None:
        raise NotNow(
            "held", say("This table waits for the director: {reason} What was entered is kept.", reason=state.held)
        )
