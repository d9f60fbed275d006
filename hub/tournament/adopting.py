"""Events that were kept aside and count after all, because the director said so (docs/journal.md, Tenure).

The table is folded anew from its journal with these events in their place. What they take the place of, and what no
longer fits, is kept aside in turn, so that the director can take it back; here and at the box it counts no more.
A sheet that was submitted is never folded anew: what changes on it is a correction, a version of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from hub.tournament import aside
from hub.tournament.at_tables import judged
from hub.tournament.state import Round, TableRound, Tournament
from hub.tournament.tables import scored, told
from hub.tournament.versions import with_signed
from tallybox.envelope import HubEvent, KioskEvent, event_id
from tallybox.events import desk
from tallybox.events.hub import Act
from tallybox.renewed import renewed
from tallybox.table.shown import sheet_digest
from tallybox.table.state import TableState

Handler = Callable[[Tournament, HubEvent, Act], Tournament]

CLOSING: Final = frozenset({"sheet.signed", "signature.waived", "sheet.submitted"})
"""What closes a sheet: it counts only under the digest of what it closes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A table as it would be: ``taken`` counts then, ``gone`` does not any more, ``unfit`` was to and does not."""

    table: TableRound
    taken: tuple[KioskEvent, ...]
    gone: tuple[KioskEvent, ...]
    unfit: tuple[KioskEvent, ...]


def hand_of(event: KioskEvent) -> int | None:
    """The number of the hand that an event is about, if it is about one."""
    number = event.body.get("hand")
    return number if isinstance(number, int) else None


def chain_to(table: TableRound, box: str, head: str) -> tuple[KioskEvent, ...]:
    """The events of a box that are kept aside at this table, each following the one before, up to ``head``."""
    kept = {event_id(event): event for event in table.aside if event.kiosk == box}
    made: list[KioskEvent] = []
    name: str | None = head
    while name is not None and name in kept:
        event = kept.pop(name)
        made.append(event)
        name = event.prev
    return tuple(reversed(made))


def past_of(tournament: Tournament, table: TableRound, box: str, head: str) -> tuple[KioskEvent, ...]:
    """The other past of a box at this table, which ``head`` belongs to; empty when the one that counts has it.

    Its box may have begun a new epoch before all of it had come in: then the rest is journalled anew there.
    """
    chain = chain_to(table, box, head)
    if not chain:
        return ()
    rest = tuple(
        event for event in aside.waits(tournament, table, box)
        if event not in chain and event.epoch != chain[0].epoch and event.tenure == chain[0].tenure
    )  # fmt: skip
    return (*chain, *rest)


def with_hand(posted: Round, table: TableRound, chain: tuple[KioskEvent, ...], hand: int) -> Trial | None:
    """The table with one hand as ``chain`` has it; ``None`` when that hand fits in no way what else counts."""
    if not any(hand_of(event) == hand for event in chain):
        return None
    wanted = tuple(event for event in chain if hand_of(event) in (None, hand) and event.type not in CLOSING)
    for replaced in _in_place_of(table, wanted, hand):
        trial = _anew(posted, table, wanted, replaced, _place(table, replaced, hand))
        if not any(hand_of(event) == hand for event in trial.unfit):
            return _closed(posted, trial, [event for event in chain if event.type in CLOSING])
    return None


def with_past(posted: Round, table: TableRound, chain: tuple[KioskEvent, ...]) -> Trial:
    """The table with another past of a box in the place of the one that counts."""
    first = chain[0]
    replaced = [
        each for each in table.journal
        if (each.kiosk, each.epoch) == (first.kiosk, first.epoch) and each.seq >= first.seq
    ]  # fmt: skip
    place = table.journal.index(replaced[0]) if replaced else len(table.journal)
    return _anew(posted, table, chain, replaced, place)


def _in_place_of(table: TableRound, chain: Iterable[KioskEvent], hand: int) -> list[list[KioskEvent]]:
    """What the hand may take the place of: what was recorded of it since, else everything recorded of it."""
    recorded = [each for each in table.journal if hand_of(each) == hand]
    numbers = [each.tenure for each in chain if hand_of(each) == hand and each.tenure is not None]
    since = [each for each in recorded if numbers and (each.tenure is None or each.tenure > max(numbers))]
    return [since, recorded] if since != recorded else [recorded]


def _place(table: TableRound, replaced: list[KioskEvent], hand: int) -> int:
    """Where in the table's journal the hand belongs."""
    if replaced:
        return table.journal.index(replaced[0])
    later = (
        index for index, each in enumerate(table.journal)
        if (hand_of(each) or 0) > hand or each.type in CLOSING
    )  # fmt: skip
    return next(later, len(table.journal))


def _anew(
    posted: Round, table: TableRound, chain: tuple[KioskEvent, ...], replaced: list[KioskEvent], place: int
) -> Trial:
    """Fold the table anew with ``chain`` at ``place``, without what is ``replaced`` and what then counts no more."""
    kept = [(event, False) for event in table.journal if event not in replaced]
    at = place - sum(1 for event in replaced if table.journal.index(event) < place)
    order = (*kept[:at], *((event, True) for event in chain), *kept[at:])
    fresh = TableState(assignment=table.state.assignment, tenure=table.state.tenure, claimed=table.state.claimed)
    again = told(posted, renewed(table, state=fresh, journal=()))
    refused_before = {no.id for no in table.state.refused}
    taken, unfit, misfits = list[KioskEvent](), list[KioskEvent](), list[KioskEvent]()
    for event, new in order:
        state, refusal = judged(posted, again, event)
        if refusal is not None and (new or event_id(event) not in refused_before):
            (unfit if new else misfits).append(event)
            continue
        again = renewed(again, state=state, journal=(*again.journal, event))
        if new:
            taken.append(event)
    changed = renewed(again, score=scored(again.state))
    return Trial(changed, tuple(taken), (*replaced, *misfits), tuple(unfit))


def _closed(posted: Round, trial: Trial, closing: Iterable[KioskEvent]) -> Trial:
    """The table with those signatures of the adopted journal that are under the sheet as it is now."""
    for event in closing:
        if event.body.get("digest") != sheet_digest(trial.table.state):
            continue
        state, refusal = judged(posted, trial.table, event)
        if refusal is None:
            signed = renewed(trial.table, state=state, journal=(*trial.table.journal, event))
            trial = replace(trial, table=signed, taken=(*trial.taken, event))
    return trial


def _adopted(tournament: Tournament, event: HubEvent, body: desk.EventsAdopted) -> Tournament:
    table, posted = tournament.table(event.round, event.table), tournament.round(event.round or 0)
    chain = () if table is None else chain_to(table, body.box, body.head)
    if table is None or posted is None or not chain:
        return tournament
    about = tuple(each for each in chain if hand_of(each) in (None, body.hand))
    if table.submitted:
        return _settled(tournament, table, about)
    trial = with_hand(posted, table, chain, body.hand)
    if trial is None:
        return tournament
    leads = tuple(each for each in about if hand_of(each) is None and each not in trial.taken)
    return _settled(_kept(tournament, trial), _now(table, trial, event), leads)


def _declined(tournament: Tournament, event: HubEvent, body: desk.EventsDeclined) -> Tournament:
    """What counts stays as it is; what the box holds beyond it is kept, and can be adopted later."""
    table = tournament.table(event.round, event.table)
    if table is None:
        return tournament
    chain = chain_to(table, body.box, body.head)
    return _settled(tournament, _left_out(table, chain), chain)


def _left_out(table: TableRound, declined: tuple[KioskEvent, ...]) -> TableRound:
    """The table whose box is told what of its own it leaves out: what was declined although it has the number."""
    tenure = table.tenure
    if tenure is None:
        return table
    own = (event_id(each) for each in declined if (each.kiosk, each.tenure) == (tenure.box, tenure.number))
    return aside.left_out(table, own)


def _decided(tournament: Tournament, event: HubEvent, body: desk.ForkDecided) -> Tournament:
    here = (body.box, event.round, event.table)
    branches = tuple(each for each in tournament.branches if (each.box, each.round, each.table) != here)
    table, posted = tournament.table(event.round, event.table), tournament.round(event.round or 0)
    if table is None or posted is None:
        return renewed(tournament, branches=branches)
    branched = {each.id for each in tournament.branches if (each.box, each.round, each.table) == here}
    past = past_of(tournament, table, body.box, body.head)
    rest = (event_id(each) for each in aside.waits(tournament, table, body.box))
    decided = renewed(table, declined=table.declined | branched | {*rest})
    settled = aside.recounted(renewed(tournament, branches=branches), decided)
    if not past or table.submitted:
        return settled
    trial = with_past(posted, decided, past)
    return _settled(_kept(settled, trial), _now(decided, trial, event))


def _kept(tournament: Tournament, trial: Trial) -> Tournament:
    """The tournament without the refusals of what counts no more."""
    gone = {event_id(each) for each in trial.gone}
    return renewed(tournament, refusals=tuple(each for each in tournament.refusals if each.id not in gone))


def _now(table: TableRound, trial: Trial, event: HubEvent) -> TableRound:
    """The tried table as it counts: what is gone from it lies aside, decided; its box is told the whole journal."""
    taken, gone = {event_id(each) for each in trial.taken}, tuple(event_id(each) for each in trial.gone)
    changed = trial.table
    waits = (*(each for each in table.aside if event_id(each) not in taken), *trial.gone)
    tenure = None if changed.tenure is None else replace(changed.tenure, resume=changed.journal)
    return renewed(
        changed, tenure=tenure, aside=waits[-aside.MOST_ASIDE :],
        versions=with_signed(changed.versions, changed.state, trial.taken, event.at.wall),
        dropped=(*(name for name in table.dropped if name not in taken), *gone),
        declined=(table.declined - taken) | {*gone},
    )  # fmt: skip


def _settled(tournament: Tournament, table: TableRound, events: tuple[KioskEvent, ...] = ()) -> Tournament:
    """The tournament with this table, where nothing waits any more for a decision about these events."""
    names = table.declined | {event_id(event) for event in events}
    return aside.recounted(tournament, renewed(table, declined=names))


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {desk.EventsAdopted: _adopted, desk.EventsDeclined: _declined, desk.ForkDecided: _decided},
)
