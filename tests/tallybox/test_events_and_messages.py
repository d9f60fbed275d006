"""Events as facts and back, a journal folded as it travels, ledger lines and messages read from outside."""

from __future__ import annotations

import msgspec
import pytest
from table_play import WHIST, Play, assignment

from tallybox.envelope import (
    LARGEST_EVENT,
    At,
    Fact,
    Head,
    HubEvent,
    KioskEvent,
    Occasion,
    decode_hub_event,
    encode_event,
    event_id,
    follow_hub,
    follow_kiosk,
)
from tallybox.errors import MessageError
from tallybox.events import TABLE_EVENTS, body_of, fact, type_of
from tallybox.events import hub as at_hub
from tallybox.events import table as ev
from tallybox.events.table import Body
from tallybox.ledger_line import FIRST_PREV, LARGEST_LINE, decode_line, event_of, line_hash, next_line
from tallybox.messages import LARGEST_MESSAGE, Outcome, Ping, Pong, Seating, Team, decode, encode
from tallybox.renewed import renewed
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table import fold as table_fold
from tallybox.table.entry import Entry, entry_of
from tallybox.table.fold import Ruled, fold_event, fold_events, judge
from tallybox.table.state import Refusal, Step, TableState, assignment_of
from tallybox.table.steps import step

KEY = SigningKey(bytes(range(32)))
AT = At(wall=1_700_000_000_000, mono=5, synced=True)
SEAT = Occasion("spring", 2, 4, 1)


def journal(*facts: Fact) -> list[KioskEvent]:
    """The facts as one box's journal."""
    made: list[KioskEvent] = []
    head = Head("e1", 0, None)
    for each in facts:
        made.append(follow_kiosk(head, "K-04", SEAT, each, AT, KEY))
        head = Head("e1", made[-1].seq, event_id(made[-1]))
    return made


BODIES: list[Body] = [
    ev.ClaimMade(),
    ev.SeatsConfirmed(side=Side.NS, team=7),
    ev.ResultEntered(hand=1, books={Side.NS: 3, Side.EW: 10}),
    ev.ResultEntered(hand=1, tricks={Seat.N: 3, Seat.E: 4, Seat.S: 3, Seat.W: 3}),
    ev.SheetSigned(side=Side.NS, seat=Seat.N, digest="0" * 64, strokes=((1, 2, 3, 4),)),
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_travels_as_a_fact(body: Body) -> None:
    said = fact(body, ("a" * 64,))
    assert (said.type, said.supersedes) == (type_of(body), ("a" * 64,))
    assert body_of(said.type, said.body) == body


def test_what_is_no_event_is_refused_with_a_sentence() -> None:
    with pytest.raises(MessageError, match=r"^“hand.lost” is no event that this version knows\.$") as refused:
        body_of("hand.lost", {})
    assert refused.value.code == "unknown-type"
    with pytest.raises(MessageError, match=r"^hand\.opened: Object missing required field `dealer`\.$") as refused:
        body_of("hand.opened", {"hand": 1})
    assert refused.value.code == "bad-body"


def test_a_journal_is_folded_as_it_travels() -> None:
    granted = TableState(assignment=assignment(WHIST), tenure=1)
    events = journal(
        fact(ev.ClaimMade()),
        fact(ev.SeatsConfirmed(side=Side.NS, team=7)),
        fact(ev.SeatsConfirmed(side=Side.EW, team=9)),
        Fact("hand.lost", {}),
        fact(ev.SeatsConfirmed(side=Side.EW, team=6)),
    )
    state = fold_events(granted, events)
    assert (state.claimed, state.seats_confirmed, step(state)) == (True, frozenset(Side), Step.SCOREKEEPER)
    assert [(no.id, no.seq, no.code) for no in state.refused] == [
        (event_id(events[2]), 3, "wrong-team"),
        (event_id(events[3]), 4, "unknown-type"),
    ]
    assert entry_of(events[1]) == Entry(
        event_id(events[1]), 2, "seats.confirmed", ev.SeatsConfirmed(side=Side.NS, team=7), (), AT.wall
    )


def test_what_the_hub_ruled_out_does_not_count_in_a_fold() -> None:
    granted = TableState(assignment=assignment(WHIST), tenure=1)
    event = journal(fact(ev.SeatsConfirmed(side=Side.NS, team=7)))[0]
    ruled = {event_id(event): Ruled("stale", "Another box speaks for this table.")}
    state = fold_event(granted, event, ruled)
    said = Refusal(event_id(event), 1, "seats.confirmed", "stale", "Another box speaks for this table.")
    assert (state.seats_confirmed, state.refused) == (frozenset(), (said,))


def test_the_hub_s_own_events_do_not_count_at_a_table() -> None:
    refused = judge(Play(WHIST).sit().state, at_hub.DirectorAnswered(actor="hub", call="0" * 64))
    assert refused is not None
    assert (refused.code, refused.message) == (
        "not-a-table-event",
        "director.answered is the hub's to say, not a table's.",
    )


def test_every_event_of_a_table_has_its_place_in_the_fold() -> None:
    assert set(table_fold._HANDLERS) == set(TABLE_EVENTS.values())


def test_an_assignment_is_the_typed_form_of_a_seating() -> None:
    teams = {Side.NS: Team(number=7, names=("A", "B")), Side.EW: Team(number=6, names=("C", "D"))}
    seating = Seating(
        tournament="spring", title="Spring", round=2, rounds=5, table=4, teams=teams,
        ruleset=dict(builtin(WHIST).as_json()), hands=5, minutes=25,
    )  # fmt: skip
    made = assignment_of(seating)
    assert (made.sheet_id, made.ruleset, made.teams, made.hands, made.minutes) == (
        "R2-T4",
        builtin(WHIST),
        teams,
        5,
        25,
    )


def test_a_line_of_the_ledger_holds_a_typed_event() -> None:
    event = journal(fact(ev.ClaimMade()))[0]
    spoken = follow_hub(Head("h1", 0, None), Occasion("spring"), Fact("hub.restored", {}), AT, KEY)
    line = next_line(1, FIRST_PREV, event, 5)
    assert (event_of(line), line_hash(line)) == (event, line.hash)
    assert event_of(next_line(2, line.hash, spoken, 6)) == spoken
    with pytest.raises(MessageError, match=r"^Line 1 holds no event: ") as refused:
        event_of(msgspec.structs.replace(line, event={"tenure": "no"}))
    assert refused.value.code == "undecodable"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (b" " * (LARGEST_LINE + 1), "oversized", rf"^A ledger line has {LARGEST_LINE + 1} bytes; {LARGEST_LINE} is"),
        (b"{", "undecodable", r"^The line cannot be read: Input data was truncated\.$"),
        (b"[" * 50_000, "undecodable", r"^The line cannot be read: "),
        (b'{"id": "\xff"}', "undecodable", r"^The line cannot be read: "),
    ],
)
def test_what_is_no_line_of_the_ledger_is_refused(text: bytes, code: str, said: str) -> None:
    with pytest.raises(MessageError, match=said) as refused:
        decode_line(text)
    assert refused.value.code == code


def test_the_hub_s_own_events_are_read_back() -> None:
    spoken = follow_hub(Head("h1", 0, None), Occasion("spring"), Fact("hub.restored", {}), AT, KEY)
    assert decode_hub_event(encode_event(spoken)) == spoken
    assert isinstance(spoken, HubEvent)
    with pytest.raises(MessageError, match=r"the most\.$") as refused:
        decode_hub_event(b" " * (LARGEST_EVENT + 1))
    assert refused.value.code == "oversized"


def test_messages_are_read_or_refused_with_a_sentence() -> None:
    assert decode(encode(Ping(v=1, mono=4)), Ping) == Ping(v=1, mono=4)
    with pytest.raises(MessageError, match=r"^The message cannot be read: ") as refused:
        decode(b"{", Pong)
    assert refused.value.code == "undecodable"
    with pytest.raises(MessageError, match=rf"{LARGEST_MESSAGE} is the most\.$") as refused:
        decode(b" " * (LARGEST_MESSAGE + 1), Pong)
    assert refused.value.code == "oversized"


def test_a_table_waits_where_the_hub_has_the_word() -> None:
    assert step(TableState()) is Step.IDLE
    seated = Play(WHIST).sit().state
    assert step(renewed(seated, outcome=Outcome(released=True))) is Step.RELEASED
    assert step(renewed(seated, outcome=Outcome(accepted="0" * 64))) is Step.ACCEPTED
