"""The closed list of event types and the body each one carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

import msgspec

from tallybox.canonical import Json
from tallybox.envelope import Fact
from tallybox.errors import MessageError, heard
from tallybox.events import clock, desk, hub, proof, rulings, table, teams
from tallybox.events.table import Body
from tallybox.said import plain

TABLE_EVENTS: Final[Mapping[str, type[Body]]] = {
    "claim.made": table.ClaimMade,
    "seats.confirmed": table.SeatsConfirmed,
    "scorekeeper.chosen": table.ScorekeeperChosen,
    "dealer.drawn": table.DealerDrawn,
    "hand.opened": table.HandOpened,
    "hand.counted": table.HandCounted,
    "card.read": table.CardRead,
    "card.removed": table.CardRemoved,
    "reading.resolved": table.ReadingResolved,
    "call.made": table.CallMade,
    "call.taken_back": table.CallTakenBack,
    "contract.locked": table.ContractLocked,
    "direction.stated": table.DirectionStated,
    "play.started": table.PlayStarted,
    "result.entered": table.ResultEntered,
    "hand.questioned": table.HandQuestioned,
    "hand.checked": table.HandChecked,
    "hand.recorded": table.HandRecorded,
    "hand.voided": table.HandVoided,
    "seats.swapped": rulings.SeatsSwapped,
    "bid_deck.waived": rulings.BidDeckWaived,
    "out_of_turn.made": rulings.OutOfTurnMade,
    "out_of_turn.accepted": rulings.OutOfTurnAccepted,
    "out_of_turn.declined": rulings.OutOfTurnDeclined,
    "irregularity.raised": rulings.IrregularityRaised,
    "irregularity.withdrawn": rulings.IrregularityWithdrawn,
    "ruling.entered": rulings.RulingEntered,
    "claim_of_tricks.made": rulings.ClaimOfTricksMade,
    "set.conceded": rulings.SetConceded,
    "signature.waived": rulings.SignatureWaived,
    "round.closed": rulings.RoundClosed,
    "official.requested": rulings.OfficialRequested,
    "menu.opened": rulings.MenuOpened,
    "director.called": table.DirectorCalled,
    "director.cancelled": table.DirectorCancelled,
    "sheet.signed": table.SheetSigned,
    "sheet.submitted": table.SheetSubmitted,
}

HUB_EVENTS: Final[Mapping[str, type[Body]]] = {
    "tournament.created": hub.TournamentCreated,
    "team.registered": hub.TeamRegistered,
    "round.published": hub.RoundPublished,
    "round.started": hub.RoundStarted,
    "round.ended": hub.RoundEnded,
    "clock.started": hub.ClockStarted,
    "clock.paused": hub.ClockPaused,
    "clock.resumed": hub.ClockResumed,
    "clock.extended": hub.ClockExtended,
    "clock.held": hub.ClockHeld,
    "clock.ended": hub.ClockEnded,
    "clock.shortened": clock.ClockShortened,
    "clock.reopened": clock.ClockReopened,
    "start.withdrawn": clock.StartWithdrawn,
    "kiosk.assigned": hub.KioskAssigned,
    "tenure.granted": hub.TenureGranted,
    "tenure.refused": hub.TenureRefused,
    "sheet.accepted": hub.SheetAccepted,
    "sheet.reopened": hub.SheetReopened,
    "table.released": hub.TableReleased,
    "director.claimed": hub.DirectorClaimed,
    "director.answered": hub.DirectorAnswered,
    "announcement.made": hub.AnnouncementMade,
    "hub.restored": hub.HubRestored,
    "ruling.made": desk.RulingMade,
    "hand.corrected": desk.HandCorrected,
    "late.marked": desk.LateMarked,
    "award.made": desk.AwardMade,
    "table.held": desk.TableHeld,
    "table.unheld": desk.TableUnheld,
    "table.extended": desk.TableExtended,
    "request.refused": desk.RequestRefused,
    "kiosk.identified": desk.KioskIdentified,
    "kiosk.locked": desk.KioskLocked,
    "kiosk.unlocked": desk.KioskUnlocked,
    "kiosk.replaced": desk.KioskReplaced,
    "sheet.entered": desk.SheetEntered,
    "sheet.reassigned": desk.SheetReassigned,
    "events.adopted": desk.EventsAdopted,
    "events.declined": desk.EventsDeclined,
    "fork.decided": desk.ForkDecided,
    "official.changed": desk.OfficialChanged,
    "practice.started": desk.PracticeStarted,
    "override.made": desk.OverrideMade,
    "team.checked_in": teams.TeamCheckedIn,
    "team.withdrew": teams.TeamWithdrew,
    "team.substituted": teams.TeamSubstituted,
    "team.disqualified": teams.TeamDisqualified,
    "conduct.noted": teams.ConductNoted,
    "stage.started": teams.StageStarted,
    "stage.ended": teams.StageEnded,
    "round.drafted": teams.RoundDrafted,
    "draft.dropped": teams.DraftDropped,
    "start.announced": teams.StartAnnounced,
    "pairing.changed": teams.PairingChanged,
    "lot.drawn": teams.LotDrawn,
    "bye.scored": teams.ByeScored,
    "key.trusted": proof.KeyTrusted,
    "checkpoint.signed": proof.CheckpointSigned,
}

_NAMES: Final = {kind: name for events in (TABLE_EVENTS, HUB_EVENTS) for name, kind in events.items()}


def type_of(body: Body) -> str:
    """The event type that carries this body, such as ``call.made``."""
    return _NAMES[type(body)]


def fact(body: Body, supersedes: tuple[str, ...] = ()) -> Fact:
    """The body as a fact, ready for a journal."""
    told = msgspec.to_builtins(body, str_keys=True, enc_hook=plain)
    return Fact(type_of(body), cast("Mapping[str, Json]", told), supersedes)


def body_of(event_type: str, body: Mapping[str, object]) -> Body:
    """The typed body of an event.

    Raises ``MessageError``: ``unknown-type`` when this version has no such event, ``bad-body`` when the body is
    not that type's.
    """
    kind = TABLE_EVENTS.get(event_type) or HUB_EVENTS.get(event_type)
    if kind is None:
        raise MessageError("unknown-type", f"“{event_type}” is no event that this version knows.")
    try:
        return msgspec.convert(body, kind, strict=True, str_keys=True)
    except msgspec.ValidationError as reason:
        raise MessageError("bad-body", f"{event_type}: {heard(reason)}.") from None
