"""What the tables say: each event counts at its table, or is refused, or is stored and shown only.

The table's own fold judges (it scores again: a hand or a sheet that differs is refused). Here stands who may speak for
a table: the box whose tenure it is (docs/journal.md, Tenure).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hub.tournament import aside
from hub.tournament.in_sight import SHOWN, DeskCall, DeskRefusal, Unfolded
from hub.tournament.officials import Request
from hub.tournament.state import Claim, Round, TableRound, Tenure, Tournament
from hub.tournament.tables import scored, with_table
from hub.tournament.versions import Version, signed_facts
from tallybox.envelope import KioskEvent, event_id, superseded
from tallybox.errors import MessageError
from tallybox.events import body_of
from tallybox.events.rulings import OfficialRequested
from tallybox.events.table import ClaimMade
from tallybox.ledger_line import LedgerLine
from tallybox.renewed import renewed
from tallybox.table.fold import fold_event
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Calling, Refusal, TableState

LARGEST_TENURE: Final = 1_000_000
"""A number beyond this was never granted; new tenures need not start above it."""


def folded(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    """The tournament after one event of a table."""
    if tournament.name is None or event.tournament != tournament.name:
        return refused(tournament, line, event, "other-tournament", "This event belongs to another tournament.")
    if event.type == "claim.made":
        return _claim(tournament, line, event)
    table = tournament.table(event.round, event.table)
    if table is None:
        return _no_table(tournament, line, event)
    tenure = table.tenure
    if tenure is not None and (tenure.number, tenure.box) == (event.tenure, event.kiosk):
        again = _claims_again(tournament, table, tenure)
        return _aside(tournament, line, event, table) if again else _at_table(tournament, line, event, table)
    if event.tenure is None:
        return _without_number(tournament, line, event, table)
    return _elsewhere(tournament, line, event, table)


def _elsewhere(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    """An event under a number that does not speak for the table now."""
    if any((old.number, old.box) == (event.tenure, event.kiosk) for old in table.former):
        return _aside(tournament, line, event, table)
    if event.tenure is None or not never_granted(tournament, event):
        return _unknown(tournament, line, event)
    now = table.tenure
    if now is not None and now.box == event.kiosk and table.given_before < event.tenure < now.number:
        return _under_its_number(tournament, line, event, table)
    return _strange_number(_aside(tournament, line, event, table), line, event)


def _strange_number(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    """A number that nobody granted is refused in words, unless this hub lacks what it granted once."""
    return tournament if tournament.copied else _unknown(tournament, line, event)


def never_granted(tournament: Tournament, event: KioskEvent) -> bool:
    """Whether this ledger knows nothing of a tenure that a box names: it was granted by a hub whose record is lost.

    Such a hub was restored from an older copy of its data. The events are kept for the director (docs/journal.md). It
    may have given the same number anew since, to another box or at another table, before it heard of this one.
    """
    number = event.tenure
    if number is None or not 1 <= number <= LARGEST_TENURE:
        return False
    here = (event.round, event.table, event.kiosk)
    return not any(
        number == known.number and (not tournament.copied or (posted.number, table.table, known.box) == here)
        for posted in tournament.rounds for table in posted.tables.values()
        for known in (*table.former, *(() if table.tenure is None else (table.tenure,)))
    )  # fmt: skip


def _claims_again(tournament: Tournament, table: TableRound, tenure: Tenure) -> bool:
    """Whether the box that speaks asks anew: its journal was restored, and what it journals now is another past."""
    return any(claim.box == tenure.box and claim.id != tenure.claim for claim in _claims_on(tournament, table))


def _claims_on(tournament: Tournament, table: TableRound) -> tuple[Claim, ...]:
    if not tournament.claims:
        return ()
    here = (table.round, table.table)
    return tuple(claim for claim in tournament.claims if (claim.round, claim.table) == here)


def _no_table(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    """An event of a round that this hub may yet post again, or of a table that is not played."""
    later = event.round is not None and event.round > len(tournament.rounds) and event.table is not None
    if later and (event.tenure is None or never_granted(tournament, event)):
        kept = aside.not_posted(tournament, unfolded(line, event), event)
        return kept if event.tenure is None else _strange_number(kept, line, event)
    return _unknown(tournament, line, event)


def _aside(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    return aside.put_aside(tournament, table, unfolded(line, event), event)


def _under_its_number(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    """What a box sent before it heard under which number a restored hub lets it go on: it counts if it fits.

    Its box takes it for good; what is kept aside it is told to leave out.
    """
    posted = tournament.round(table.round)
    assert posted is not None
    assert table.tenure is not None
    waiting = any(each.kiosk == event.kiosk for each in table.aside)
    if waiting or judged(posted, table, event)[1] is not None:
        return _aside(tournament, line, event, aside.left_out(table, (line.id,)))
    carried = renewed(table, tenure=replace(table.tenure, resume=(*table.tenure.resume, event)))
    return _at_table(tournament, line, event, carried)


def _without_number(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    """What a box enters at a table that an official opened without a hub."""
    claim, tenure = _opened(tournament, table, event), table.tenure
    if claim is None:
        shut = event.kiosk in table.shut
        return _aside(tournament, line, event, table) if shut else _unknown(tournament, line, event)
    if tenure is not None and tenure.claim == claim:
        return _at_table(tournament, line, event, table)
    if any(asked.id == claim for asked in tournament.claims):
        return with_table(tournament, aside.kept_aside(table, event))
    return _aside(tournament, line, event, table)


def _unknown(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    said = "This box does not speak for that table. Claim the table first, or ask the director which box does."
    return refused(tournament, line, event, aside.NO_TENURE, said)


def _opened(tournament: Tournament, table: TableRound, event: KioskEvent) -> str | None:
    """The claim under which a box enters without a tenure: one that an official made without a hub."""
    waiting = [
        claim.id for claim in _claims_on(tournament, table) if claim.box == event.kiosk and claim.provisional
    ]  # fmt: skip
    granted = table.tenure.claim if table.tenure is not None and table.tenure.box == event.kiosk else None
    return waiting[-1] if waiting else granted if granted in table.opened else None


def unfolded(line: LedgerLine, event: KioskEvent) -> Unfolded:
    """The event as the desk lists it when it is stored and shown only."""
    return Unfolded(
        line.ledger_seq,
        line.id,
        event.kiosk,
        event.epoch,
        event.seq,
        event.round,
        event.table,
        event.tenure,
        event.type,
    )


def _claim(tournament: Tournament, line: LedgerLine, event: KioskEvent) -> Tournament:
    if event.tenure is not None:
        said = "A claim asks for the number under which a box speaks; it brings none along. Claim the table again."
        return refused(tournament, line, event, "claim-numbered", said)
    try:
        body = body_of(event.type, event.body)
    except MessageError as reason:
        return refused(tournament, line, event, reason.code, reason.message)
    assert isinstance(body, ClaimMade)
    asked = Claim(line.id, event.kiosk, event.round, body.at_table or event.table, body.official, body.provisional)
    here = (asked.box, asked.round, asked.table)
    others = tuple(claim for claim in tournament.claims if (claim.box, claim.round, claim.table) != here)
    claimed = renewed(tournament, claims=(*others, asked))
    table = tournament.table(asked.round, asked.table)
    if table is None or not asked.provisional:
        return claimed
    return with_table(claimed, _opened_anew(table, asked.box))


def _opened_anew(table: TableRound, box: str) -> TableRound:
    """The table that an official opens once more at this box: what came under an earlier claim is not its own.

    The box leaves it out by itself (``kiosk.replay``); it stays for the director.
    """
    return aside.left_out(
        table, (event_id(event) for event in table.aside if event.kiosk == box and event.tenure is None)
    )


def _at_table(tournament: Tournament, line: LedgerLine, event: KioskEvent, table: TableRound) -> Tournament:
    posted = tournament.round(table.round)
    assert posted is not None
    state, refusal = judged(posted, table, event, line.id)
    total = table.score if state.hands is table.state.hands else scored(state)
    after = renewed(table, state=state, journal=(*table.journal, event), heard_at=line.received_at, score=total)
    if refusal is None:
        return _called(with_table(tournament, _signed(after, line, event)), line, event, table)
    if refusal.code == "sheet-stale":
        after = renewed(after, stale=sheet_digest(state))
        after = renewed(after, state=renewed(state, outcome=after.outcome))
    return refused(with_table(tournament, after), line, event, refusal.code, refusal.message)


def judged(
    posted: Round, table: TableRound, event: KioskEvent, identity: str | None = None
) -> tuple[TableState, Refusal | None]:
    """The table after the event, and its refusal if it does not count; ``identity`` is its id, where it is known.

    A table that was cut off may not have heard that the clock ended, or that its call was settled; what it did then
    counts. So an event that does not count as the hub knows the table is judged once more as the table knew itself:
    its own moment, never an arrival. A hold is for people's fingers, and refuses nothing here.
    """
    state, refusals = table.state, list[tuple[TableState, Refusal]]()
    for moment in _moments(posted, table, event):
        after, refusal = _once(moment, event, identity)
        ended = (posted.clock_ended and table.extra == 0) or after.closed_here
        now = _as_known(after, state, ended=ended)
        if refusal is None:
            return now, None
        refusals.append((now, refusal))
    return refusals[0]


def _moments(posted: Round, table: TableRound, event: KioskEvent) -> Iterator[TableState]:
    """The table as the hub knows it, then as it may have known itself when the event happened.

    What was shown for a check or a signature may lack the desk's latest facts; a submission may not. And a hub that was
    restored from an older copy may lack its own word on the clock, which the table heard.
    """
    state = table.state if table.state.held is None else renewed(table.state, held=None)
    fewest = len(state.desk) if event.type == "sheet.submitted" else 0
    for known in range(len(state.desk), fewest - 1, -1):
        before = state if known == len(state.desk) else state.with_desk(state.desk[:known])
        yield before
        for started, ended in _clocks(posted, state):
            yield renewed(before, clock_started=started, clock_ended=ended)
    if event.type == "director.cancelled" and table.answered in superseded(event):
        yield renewed(state, calling=Calling(table.answered or "", 0))


def _clocks(posted: Round, state: TableState) -> Iterator[tuple[bool, bool]]:
    """What else a table may have heard of its clock: whether it had started, and whether it had ended."""
    if posted.minutes is None:
        return
    if posted.clock_ended or state.closed is not None:
        yield state.clock_started, not state.clock_ended
    if not state.clock_started:
        yield True, False
    if not state.clock_ended:
        yield True, True


def _as_known(after: TableState, state: TableState, *, ended: bool) -> TableState:
    """The table after an event, with what the hub knows of clock, desk and hold; mostly that is what it has."""
    same = (after.clock_started, after.clock_ended, after.held) == (state.clock_started, ended, state.held)
    after = after.with_desk(state.desk)
    if same:
        return after
    return renewed(after, clock_started=state.clock_started, clock_ended=ended, held=state.held)


def _once(state: TableState, event: KioskEvent, identity: str | None) -> tuple[TableState, Refusal | None]:
    after = fold_event(state, event, identity=identity)
    if after.refused is state.refused:
        return after, None
    last = after.refused[-1] if after.refused else None
    known = {no.id for no in state.refused}
    return after, last if last is not None and last.id not in known else None


def _signed(table: TableRound, line: LedgerLine, event: KioskEvent) -> TableRound:
    if event.type == "sheet.signed":
        digest = str(event.body["digest"])
        if digest in table.offered:
            return table
        version = Version(digest, signed_facts(table.state, digest), line.received_at)
        return renewed(table, versions=(*table.versions, version))
    if event.type == "sheet.submitted":
        sent = renewed(table, reopened=None, stale=None)
        return renewed(sent, state=renewed(sent.state, outcome=sent.outcome))
    return table


def _called(tournament: Tournament, line: LedgerLine, event: KioskEvent, before: TableRound) -> Tournament:
    match event.type:
        case "director.called":
            reason = str(event.body.get("reason", ""))
            call = DeskCall(line.id, before.round, before.table, event.kiosk, line.received_at, reason)
            return renewed(tournament, calls=(*tournament.calls, call))
        case "director.cancelled" if before.state.calling is not None:
            gone = before.state.calling.id
            calls = tuple(replace(call, closed=True) if call.id == gone else call for call in tournament.calls)
            return renewed(tournament, calls=calls)
        case "official.requested" if event.body.get("what") != "release":
            return renewed(tournament, requests=(*tournament.requests, _request(line, event, before))[-SHOWN:])
    return tournament


def _request(line: LedgerLine, event: KioskEvent, table: TableRound) -> Request:
    body = body_of(event.type, event.body)
    assert isinstance(body, OfficialRequested)
    return Request(
        line.id, table.round, table.table, event.kiosk, body.official, body.what, body.minutes, body.reason,
        line.received_at,
    )  # fmt: skip


def refused(tournament: Tournament, line: LedgerLine, event: KioskEvent, code: str, message: str) -> Tournament:
    """The tournament with this event on the list of what does not count."""
    refusal = DeskRefusal(
        line.ledger_seq,
        line.id,
        event.kiosk,
        event.epoch,
        event.seq,
        event.round,
        event.table,
        event.type,
        code,
        message,
    )
    return renewed(tournament, refusals=(*tournament.refusals, refusal)[-SHOWN:])
