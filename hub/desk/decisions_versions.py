"""What the desk decides where two records of one table differ: which of them counts. Pure plans.

Nothing is overwritten: what does not count stays stored, and can be chosen later. On a sheet that was submitted the
other record's hands count as corrections, so that the sheet gets a version of its own and the signatures stay with
theirs (docs/journal.md, Corrections).
"""

from __future__ import annotations

from typing import cast

from hub.desk.decisions_tables import correct_hand, sheet
from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.adopting import chain_to, hand_of, past_of, with_hand, with_past
from hub.tournament.state import Round, TableRound, Tournament
from tallybox.envelope import KioskEvent, event_id
from tallybox.events import desk
from tallybox.sheet import hand_facts_to_json
from tallybox.table.shown import facts_now


def adopt_events(
    tournament: Tournament, actor: str, number: int, table: int, *, box: str, head: str, hand: int, reason: str
) -> Deeds:
    """Let what a box holds of one hand count after all, up to ``head``, in place of what is recorded for it."""
    found = sheet(tournament, number, table)
    chain = _chain(found, box, head)
    if not any(hand_of(event) == hand for event in chain):
        raise HubError("no-hand", f"Box {box} holds nothing of hand {hand} there. Look at the list.")
    why = said(reason, "why these count")
    tenures = [event.tenure for event in chain if hand_of(event) == hand]
    body = desk.EventsAdopted(actor=actor, box=box, tenure=tenures[-1], head=head, hand=hand, reason=why)
    adopted = Deed(body, number, table)
    if found.submitted:
        return (*_corrected(tournament, actor, found, chain, (hand,), why), adopted)
    if found.tenure is None:
        raise HubError(
            "no-box", f"No box speaks for table {table}. Let one claim it, then take the hand; or enter it from paper."
        )
    if with_hand(_posted(tournament, number), found, chain, hand) is None:
        raise HubError(
            "does-not-fit",
            f"Hand {hand} as box {box} holds it does not fit the hands that count. Adopt the hands before it first, "
            "or enter the sheet from paper.",
        )
    return (adopted,)


def decline_events(
    tournament: Tournament, actor: str, number: int, table: int, *, box: str, head: str, reason: str
) -> Deeds:
    """Leave what counts as it is; what the box holds beyond it stays stored."""
    _chain(sheet(tournament, number, table), box, head)
    body = desk.EventsDeclined(actor=actor, box=box, head=head, reason=said(reason, "why these do not count"))
    return (Deed(body, number, table),)


def decide_fork(tournament: Tournament, actor: str, *, box: str, head: str, reason: str) -> Deeds:
    """Say which of two journals of a box counts: the one that ``head`` belongs to."""
    why = said(reason, "why this journal counts")
    listed = [each for each in tournament.branches if each.box == box]
    if not listed:
        raise HubError("no-fork", f"Box {box[:40]} has one journal only. There is nothing to decide.")
    places = {(each.round, each.table) for each in listed if each.id == head} or {
        (table.round, table.table)
        for posted in tournament.rounds for table in posted.tables.values()
        if any(event.kiosk == box and event_id(event) == head for event in table.journal)
    }  # fmt: skip
    if not places:
        raise HubError("no-events", f"Box {box} has no event of that name in either journal. Look at the list.")
    number, table = places.pop()
    decided = Deed(desk.ForkDecided(actor=actor, box=box, head=head, reason=why), number, table)
    found = tournament.table(number, table)
    chain = () if found is None else past_of(tournament, found, box, head)
    if found is None or not chain or not found.submitted:
        return (decided,)
    past = with_past(_posted(tournament, found.round), found, chain).table
    hands = tuple(hand.number for hand in past.state.counting)
    if hands != tuple(hand.number for hand in found.state.counting):
        raise HubError(
            "other-hands",
            f"Sheet {found.sheet_id} is signed, and the other journal has other hands than it. "
            "Correct the sheet by hand, then say that the first one counts.",
        )
    return (*_corrected(tournament, actor, found, chain, hands, why), decided)


def _corrected(
    tournament: Tournament, actor: str, found: TableRound, chain: tuple[KioskEvent, ...], hands: tuple[int, ...],
    why: str,
) -> Deeds:  # fmt: skip
    """The hands of a submitted sheet as ``chain`` recorded them, where they differ: corrections."""
    made: list[Deed] = []
    for hand in hands:
        records = [event for event in chain if event.type == "hand.recorded" and hand_of(event) == hand]
        if not records:
            continue
        facts = cast("dict[str, object]", records[-1].body.get("facts"))
        if not any(known.number == hand for known in found.state.counting):
            raise HubError(
                "not-on-sheet",
                f"Sheet {found.sheet_id} is signed without hand {hand}. Send the sheet back, then let the hand count.",
            )
        if facts != _facts_on(found, hand):
            made.extend(correct_hand(tournament, actor, found.round, found.table, hand=hand, facts=facts, reason=why))
    return tuple(made)


def _facts_on(found: TableRound, hand: int) -> object:
    """The facts of a hand as the sheet has it now."""
    last = [known for known in found.state.counting if known.number == hand][-1]
    return hand_facts_to_json(facts_now(found.state, last))


def _chain(found: TableRound, box: str, head: str) -> tuple[KioskEvent, ...]:
    chain = chain_to(found, box, head)
    if not chain:
        raise HubError(
            "no-events", f"Box {box[:40]} has no such events aside at table {found.table}. Look at the list."
        )
    return chain


def _posted(tournament: Tournament, number: int) -> Round:
    posted = tournament.round(number)
    assert posted is not None
    return posted
