"""A table's round from the journal and from what the hub says: a restart is a replay. Pure.

An event was taken under the clock and the outcome of its own moment, which are not part of the journal. So a replay
lets each event count if it counts under any of them; what the hub refuses is refused in every case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from kiosk.errors import KioskError
from tallybox.envelope import KioskEvent, event_id
from tallybox.messages import DeskFact, Outcome
from tallybox.renewed import renewed
from tallybox.said import say
from tallybox.seats import Side
from tallybox.table.fold import Ruled, fold_event
from tallybox.table.state import Assignment, TableState

_OPEN: Final = Outcome()
_REOPENED: Final = Outcome(reopened="The sheet was open again.")
_NEVER: Final = 2**63
"""The deadline of a round that goes on, whatever an official closed before."""
_MOMENTS: Final = tuple((outcome, ended) for outcome in (_OPEN, _REOPENED) for ended in (False, True))


@dataclass(frozen=True, slots=True)
class HubWord:
    """What the hub says of a table's round: what is played, how far it is, what the desk decided."""

    assignment: Assignment | None = None
    tenure: int | None = None
    resume: tuple[KioskEvent, ...] = ()
    outcome: Outcome = _OPEN
    clock_started: bool = False
    clock_ended: bool = False
    deadline: int | None = None
    """When the clock ends for this table (ms by the hub's clock), while it runs."""
    desk: tuple[DeskFact, ...] = ()
    late: frozenset[Side] = frozenset()
    held: str | None = None
    dropped: frozenset[str] = frozenset()
    claim: str | None = None
    """The claim that the tenure answers."""
    after: int | None = None
    """Numbers above it and below ``tenure`` came from a hub whose record is lost: their events count."""
    refused: Mapping[str, Ruled] = field(default_factory=dict)
    """What does not count of ``resume``, by event id: another box may have been told so."""
    taken: bool = False
    """Whether another box speaks for the table."""


PROVISIONAL: Final = 0
"""The tenure of a table that an official opened without a hub: it has no number yet."""


def replay(word: HubWord, own: Iterable[KioskEvent], ruled: Mapping[str, Ruled]) -> TableState:
    """The table as it stands: the resumed journal, then this box's own events of the present tenure.

    ``own`` are the box's events for this tournament, round and table in the order of its journal. Those of an older
    tenure count only as far as ``resume`` holds them, or if its number is not known to the hub any more
    (docs/journal.md, Tenure).
    """
    mine = tuple(own)
    tenure = PROVISIONAL if word.tenure is None and opened_without_hub(word, mine) is not None else word.tenure
    state = TableState(assignment=word.assignment, tenure=tenure)
    refused = {**word.refused, **ruled}
    for event in in_order(word, mine):
        state = counted(state, event, refused, word)
    return told(state, word)


def told(state: TableState, word: HubWord) -> TableState:
    """The same table with the hub's word on outcome, clock and desk."""
    return state.with_hub(
        outcome=word.outcome, clock_started=word.clock_started, clock_ended=word.clock_ended, desk=word.desk,
        late=word.late, held=word.held, deadline=word.deadline,
    )  # fmt: skip


def in_order(word: HubWord, own: Iterable[KioskEvent]) -> tuple[KioskEvent, ...]:
    """The events that are folded, in their order: claims, the resumed journal, what this box entered beyond it.

    Those in whose place the director adopted others are left out. The hub's order of what it resumes counts: a hand
    that was adopted stands where it belongs.
    """
    mine = tuple(event for event in own if event_id(event) not in word.dropped) if word.dropped else tuple(own)
    claims = tuple(event for event in mine if event.type == "claim.made")
    claim = opened_without_hub(word, mine) if word.tenure is None else word.claim
    early = _without_tenure(mine, claim)
    if word.tenure is None:
        return (*claims, *early)
    first = word.tenure if word.after is None else word.after + 1
    present = (*early, *(event for event in mine if event.tenure is not None and first <= event.tenure <= word.tenure))
    known = {event_id(event) for event in word.resume}
    resumed = (event for event in word.resume if event.type != "claim.made")
    return (*claims, *resumed, *(event for event in present if event_id(event) not in known))


def opened_without_hub(word: HubWord, own: Iterable[KioskEvent]) -> str | None:
    """The claim by which an official opened this table without a hub, while the director has not answered it.

    It falls when the director refuses it, and when another box speaks for the table.
    """
    if word.taken:
        return None
    claims = [event for event in own if event.type == "claim.made" and event.body.get("provisional") is True]
    last = event_id(claims[-1]) if claims else None
    return None if last in word.dropped else last


def _without_tenure(own: Iterable[KioskEvent], claim: str | None) -> tuple[KioskEvent, ...]:
    """What was entered under a claim before it had a number: from it to the next such claim."""
    found: list[KioskEvent] = []
    under: str | None = None
    for event in own:
        if event.type == "claim.made":
            under = event_id(event) if event.body.get("provisional") is True else under
        elif event.tenure is None and under == claim:
            found.append(event)
    return () if claim is None else tuple(found)


def counted(state: TableState, event: KioskEvent, ruled: Mapping[str, Ruled], word: HubWord = HubWord()) -> TableState:
    """The state after one journalled event; it is refused only if it counts at no moment of a round.

    The desk's facts came one after another, so an event may have been taken before the last of them was known.
    """
    name, after = event_id(event), state
    if event.type == "director.called":
        state = renewed(state, calling=None)  # it was called again, so the call before it was settled
    for outcome, ended, known in _moments(word):
        moment = state.with_hub(
            outcome=outcome,
            clock_started=True,
            clock_ended=ended,
            desk=word.desk[:known],
            deadline=None if ended else _NEVER,
        )
        after = fold_event(moment, event, ruled)
        if name in ruled or all(refusal.id != name for refusal in after.refused):
            break
    return after


def _moments(word: HubWord) -> Iterator[tuple[Outcome, bool, int]]:
    """Every moment an event may belong to: the outcome, whether the clock had ended, how much the desk had said."""
    for known in range(len(word.desk), -1, -1):
        for outcome, ended in _MOMENTS:
            yield outcome, ended, known


def checked_resume(resume: tuple[KioskEvent, ...], assignment: Assignment) -> tuple[KioskEvent, ...]:
    """The resumed journal without repetitions, if it is this table's and fits together; its word is the hub's.

    Raises ``KioskError`` (``resume-broken``) when an event does not follow the one before it.
    """
    place = (assignment.tournament, assignment.round, assignment.table)
    held: dict[tuple[str, str, int], str] = {}
    kept: list[KioskEvent] = []
    for event in resume:
        name, before = event_id(event), held.get((event.kiosk, event.epoch, event.seq - 1))
        if held.get((event.kiosk, event.epoch, event.seq)) == name:
            continue
        broken = before is not None and event.prev != before
        if broken or (event.tournament, event.round, event.table) != place:
            raise KioskError(
                "resume-broken",
                say(
                    "What the hub holds of this table does not fit together. Keep the cards as they are; "
                    "call the director."
                ),
            )
        held[event.kiosk, event.epoch, event.seq] = name
        kept.append(event)
    return tuple(kept)
