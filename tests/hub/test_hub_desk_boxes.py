"""Boxes, officials, extra time, paper, and events that count after all: decided at the desk, by role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hub_bench import TOPICS, Bench
from hub_fake_kiosk import FakeKiosk

from hub.errors import HubError
from hub.line.pins import letter, pins_for, unheard
from hub.roles import DeskAct, check, may, role_of
from hub.tournament.officials import Official, Request
from hub.tournament.state import Acceptance
from tallybox.envelope import Head, KioskEvent, event_id
from tallybox.events import rulings as ru
from tallybox.messages import Pins, Verifier, decode
from tallybox.roles import Role
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Step
from tallybox.table.steps import step

HASH = "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"
PAPER: dict[str, object] = {
    "ruleset": "capitol-city-bid-whist",
    "hands": [
        {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 3, "EW": 10}},
        {"dealer": "E", "void": "misdeal"},
        {"dealer": "E", "calls": ["pass", "5", "pass", "pass"], "books": {"NS": 2, "EW": 11}},
    ],
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@contextmanager
def refused(code: str, message: str) -> Iterator[None]:
    """The hub says no in these words."""
    with pytest.raises(HubError) as no:
        yield
    assert (no.value.code, no.value.message) == (code, message)


def seated(bench: Bench) -> FakeKiosk:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit())
    return kiosk


# Roles


def test_each_role_may_do_its_part_of_the_desk_and_no_more() -> None:
    allowed = {role: {act for act in DeskAct if may(role, act)} for role in Role}
    assert allowed == {
        Role.DIRECTOR: set(DeskAct),
        Role.MONITOR: {DeskAct.ACCEPT, DeskAct.REOPEN, DeskAct.LATE},
        Role.HELPER: {DeskAct.CALLS, DeskAct.CHECK_IN, DeskAct.IDENTIFY},
        Role.VIEWER: set(),
    }


def test_somebody_acts_in_the_role_of_the_appointment_or_of_the_name() -> None:
    mona = {"mona": Official("mona", "Mona", Role.MONITOR)}
    assert (role_of(mona, "mona"), role_of(mona, "hub"), role_of(mona, "director"), role_of(mona, "eve")) == (
        Role.MONITOR, Role.DIRECTOR, Role.DIRECTOR, Role.VIEWER,
    )  # fmt: skip
    assert (role_of({}, "dana"), role_of({}, "helper")) == (Role.DIRECTOR, Role.HELPER)
    check(mona, "mona", DeskAct.ACCEPT)
    with refused("not-yours", "The director or a helper does this; a monitor does not. Call the director."):
        check(mona, "mona", DeskAct.CALLS)


def test_an_act_outside_the_role_writes_nothing(bench: Bench) -> None:
    bench.create()
    bench.director.change_official("dana", "dana", "Dana", "director")
    bench.director.change_official("dana", "vera", "Vera", "viewer")
    before = bench.ledger.head_seq
    with refused("not-yours", "Only the director does this; a viewer does not. Call the director."):
        bench.director.hold("vera", 1, 1, "because")
    with refused("not-yours", "The director or a monitor does this; a viewer does not. Call the director."):
        bench.director.accept_sheet("vera", 1, 1)
    assert bench.ledger.head_seq == before


# Officials and their PINs


def test_officials_come_change_and_leave(bench: Bench) -> None:
    director = bench.director
    director.change_official("dana", "dana", "Dana", "director", HASH)
    director.change_official("dana", "mona", "Mona", "monitor", HASH)
    director.change_official("dana", "mona", "Mona B.", "helper")
    assert bench.keeper.tournament.officials == {
        "dana": Official("dana", "Dana", Role.DIRECTOR, HASH),
        "mona": Official("mona", "Mona B.", Role.HELPER, HASH),
    }
    director.change_official("dana", "mona", "Mona", None)
    assert list(bench.keeper.tournament.officials) == ["dana"]
    bench.restart()
    assert list(bench.keeper.tournament.officials) == ["dana"]


def test_one_director_stays_and_roles_are_the_four(bench: Bench) -> None:
    with refused("no-director", "A tournament keeps at least one director. Appoint another one first."):
        bench.director.change_official("dana", "mona", "Mona", "monitor")
    with refused("role", "A role is one of director, monitor, helper, viewer."):
        bench.director.change_official("dana", "dana", "Dana", "king")


def test_a_box_is_told_who_has_a_pin(bench: Bench) -> None:
    bench.director.change_official("dana", "dana", "Dana", "director", HASH)
    bench.director.change_official("dana", "vera", "Vera", "viewer")
    told = Pins(v=1, kiosk="K-01", officials=(Verifier(official="dana", name="Dana", role="director", verifier=HASH),))
    assert pins_for(bench.keeper.tournament, "K-01") == told
    message = letter(TOPICS, bench.keeper.tournament, "K-01")
    assert (message.topic, decode(message.payload, Pins)) == ("tallybox/v1/hall/kiosk/K-01/pins", told)
    assert [unheard(host) for host in ("127.0.0.1", "::1", "localhost", "10.0.0.7")] == [True, True, True, False]


# Boxes


def test_a_locked_box_says_why_with_or_without_a_table(bench: Bench) -> None:
    bench.create()
    for box in ("K-01", "K-07"):
        bench.director.lock_box("dana", box, "It is being repaired.")
        assert bench.desired(box).locked == "It is being repaired."
    with refused("locked", "Box K-01 is locked already: It is being repaired."):
        bench.director.lock_box("dana", "K-01", "again")
    with refused("unknown-kiosk", "Box X is not known to this hub. Add its key first."):
        bench.director.lock_box("dana", "X", "why")
    bench.director.unlock_box("dana", "K-01")
    assert bench.desired("K-01").locked is None
    with refused("not-locked", "Box K-01 is not locked."):
        bench.director.unlock_box("dana", "K-01")


def test_a_replacement_goes_on_where_the_record_ends(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    bench.director.replace_box("dana", 1, "K-08")
    assert dict(bench.keeper.tournament.boxes) == {1: "K-08", 2: "K-02"}
    other = FakeKiosk("K-08")
    other.told(bench.desired("K-08"))
    other.clock()
    bench.seat(other)
    assert (len(other.state.hands), sheet_digest(other.state)) == (1, sheet_digest(bench.table(1, 1).state))
    with refused("same-box", "Box K-08 stands on table 1 already."):
        bench.director.replace_box("dana", 1, "K-08")
    with refused("no-box", "No box stands on table 7. Assign one."):
        bench.director.replace_box("dana", 7, "K-01")


def test_every_table_is_invited_to_practice_between_rounds(bench: Bench) -> None:
    bench.create()
    bench.director.start_practice("dana")
    assert [bench.desired(box).practice for box in ("K-01", "K-07")] == [1, 1]
    bench.director.start_practice("dana")
    assert bench.desired("K-01").practice == 2


def test_no_practice_while_a_round_is_played(bench: Bench) -> None:
    seated(bench)
    with refused("round-open", "Round 1 is being played. Practice is for the time between."):
        bench.director.start_practice("dana")


# More time for one table


def test_a_table_with_more_time_plays_on_when_the_clock_ends_for_the_others(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.director.extend_table("dana", 1, 1, 300)
    bench.director.extend_table("dana", 1, 1, 60)
    assert (bench.table(1, 1).extra, bench.desired(kiosk.box).extra) == (360, 360)
    bench.director.end_clock("dana")
    assert (bench.table(1, 1).state.clock_ended, bench.table(1, 2).state.clock_ended) == (False, True)
    assert bench.ack(*kiosk.play_hand(10)).refused == ()
    bench.director.end_extension("dana", 1, 1)
    assert (bench.table(1, 1).extra, bench.table(1, 1).state.clock_ended) == (0, True)
    with refused("no-extension", "Table 1 has no more time than the others."):
        bench.director.end_extension("dana", 1, 1)


def test_more_time_is_for_a_table_that_plays_against_a_clock(bench: Bench) -> None:
    bench.create(template="mso", hands=None)
    with refused("untimed", "Round 1 has no clock: every table has the time it needs."):
        bench.director.extend_table("dana", 1, 1, 60)
    with refused("seconds", "A table gets a second at least and an hour at most. Choose another time."):
        bench.director.extend_table("dana", 1, 1, 0)


def test_a_closed_sheet_gets_no_more_time(bench: Bench) -> None:
    bench.create()
    bench.director.award("dana", 1, 1, kind="forfeit", loser=Side.NS, reason="not here")
    with refused("sheet-final", "Sheet R1-T1 is closed. More time changes nothing there."):
        bench.director.extend_table("dana", 1, 1, 60)


# What officials ask for at a table


def asked(kiosk: FakeKiosk, what: str, official: str, **more: object) -> KioskEvent:
    return kiosk.say(ru.OfficialRequested(what=what, official=official, **more))  # type: ignore[arg-type]


def test_what_a_director_asks_for_at_the_table_is_done_in_that_name(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.director.change_official("dana", "olga", "Olga", "director", HASH)
    bench.take(asked(kiosk, "extension", "olga", minutes=5), asked(kiosk, "lock", "olga", reason="wet"))
    tournament = bench.keeper.tournament
    assert (bench.table(1, 1).extra, dict(tournament.locked), tournament.requests) == (300, {"K-01": "wet"}, ())
    bench.take(asked(kiosk, "unlock", "olga"))
    assert dict(bench.keeper.tournament.locked) == {}
    *_, last = [line.event for line in bench.ledger.lines()]
    assert (last["type"], last["body"]["actor"]) == ("kiosk.unlocked", "olga")  # type: ignore[index]


def test_what_somebody_else_asks_for_waits_for_the_desk(bench: Bench) -> None:
    kiosk = seated(bench)
    event = asked(kiosk, "extension", "mona", minutes=5, reason="a ruling took long")
    bench.take(event)
    name = event_id(event)
    assert bench.keeper.tournament.requests == (
        Request(name, 1, 1, "K-01", "mona", "extension", 5, "a ruling took long", 1_790_000_000_000),
    )
    bench.director.confirm_request("dana", name)
    assert (bench.table(1, 1).extra, list(bench.keeper.tournament.requests)) == (300, [])
    with refused("no-request", "This was done already, or nobody asked for it."):
        bench.director.confirm_request("dana", name)


def test_a_replacement_waits_for_the_desk_to_choose_the_box(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.director.change_official("dana", "olga", "Olga", "director", HASH)
    event = asked(kiosk, "replacement", "olga")
    bench.take(event)
    name = event_id(event)
    with refused("choose-box", "Choose the box that takes over at this table."):
        bench.director.confirm_request("olga", name)
    bench.director.replace_box("olga", 1, "K-08", request=name)
    assert (bench.keeper.tournament.boxes[1], bench.keeper.tournament.requests) == ("K-08", ())


# Paper


def test_a_sheet_from_paper_is_scored_accepted_and_released_like_any_other(bench: Bench) -> None:
    bench.create()
    bench.director.enter_sheet("dana", 1, 1, sheet=PAPER, reason="no box was left")
    table = bench.table(1, 1)
    digest = sheet_digest(table.state)
    assert (table.submitted, table.paper, table.offered, table.signed_version) == (True, True, (digest,), 1)
    assert [(hand.number, hand.void) for hand in table.state.hands] == [(1, None), (2, "misdeal"), (2, None)]
    assert table.score is not None
    assert dict(table.score.totals.hands_won) == {Side.NS: 0, Side.EW: 2}
    assert dict(table.score.totals.points) == {Side.NS: 0, Side.EW: 9}
    with refused("entered-twice", "Sheet R1-T1 is entered exactly so already. Accept it, or change what differs."):
        bench.director.enter_sheet("dana", 1, 1, sheet=PAPER, reason="the form was sent twice")
    bench.director.accept_sheet("dana", 1, 1)
    assert bench.table(1, 1).accepted == Acceptance(digest, 1, "dana")
    with refused("sheet-final", "Sheet R1-T1 is accepted and final. Correct its hands instead."):
        bench.director.enter_sheet("dana", 1, 1, sheet=PAPER, reason="again")
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=PAPER["hands"][0], reason="as it was")  # type: ignore[index]
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament


@pytest.mark.parametrize(
    ("changes", "reason", "code"),
    [
        ({}, "", "nothing-said"),
        ({"ended": {"by": "forfeit", "loser": "NS"}}, "r", "ended"),
        ({"opening": {"hand": 2}}, "r", "opening"),
        ({"hands": [{"dealer": "Q"}]}, "r", "wrong-type"),
        ({"hands": [{"dealer": "N", "calls": ["4"]}]}, "r", "calls-missing"),
    ],
)
def test_a_paper_sheet_that_does_not_fit_is_refused(
    bench: Bench, changes: dict[str, object], reason: str, code: str
) -> None:
    bench.create()
    with pytest.raises(HubError) as no:
        bench.director.enter_sheet("dana", 1, 1, sheet={**PAPER, **changes}, reason=reason)
    assert no.value.code == code


def test_paper_takes_over_only_once_the_box_is_off_the_table(bench: Bench) -> None:
    kiosk = seated(bench)
    with refused("box-speaks", "Box K-01 speaks for table 1. Take it off the table, then enter the sheet."):
        bench.director.enter_sheet("dana", 1, 1, sheet=PAPER, reason="the box is dead")
    bench.director.assign_box("dana", "K-01", 9)
    bench.director.enter_sheet("dana", 1, 1, sheet=PAPER, reason="the box is dead")
    bench.take(*kiosk.play_hand(10)[:1])
    assert [late.box for late in bench.keeper.tournament.late] == ["K-01"]
    assert bench.table(1, 1).submitted


def test_a_sheet_played_under_the_wrong_number_counts_for_the_right_table(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(11), *kiosk.finish())
    signed, seen = bench.table(1, 1).state.submitted, sheet_digest(bench.table(1, 1).state)
    bench.director.reassign_sheet("dana", 1, 1, to_table=2, reason="sat at the wrong table", seen=seen)
    with refused("sheet-changed", "Another sheet counts for table 1 than when you looked. Look at it, then move it."):
        bench.director.reassign_sheet("dana", 1, 1, to_table=2, reason="sat at the wrong table", seen=seen)
    here, there = bench.table(1, 1), bench.table(1, 2)
    assert (here.state.hands, here.submitted, len(there.state.hands)) == ((), False, 2)
    assert (there.pairing.table, there.state.playing.table, there.state.playing.teams[Side.NS].number) == (2, 2, 3)
    assert (there.offered[0], there.signed_version, there.accepted) == (
        signed, 1, Acceptance(sheet_digest(there.state), 2, "dana"),
    )  # fmt: skip
    assert dict(bench.keeper.tournament.boxes) == {1: "K-02", 2: "K-01"}
    assert bench.desired("K-01").outcome.accepted == there.accepted.digest  # type: ignore[union-attr]


def test_only_a_submitted_sheet_is_moved_and_not_onto_one_that_is_played(bench: Bench) -> None:
    kiosk = seated(bench)
    with refused("same-table", "This is the sheet of table 1 already. Choose the table it belongs to."):
        bench.director.reassign_sheet("dana", 1, 1, to_table=1, reason="r")
    with refused("not-submitted", "Table 1 is still at its sheet. Let it sign and submit, then move it."):
        bench.director.reassign_sheet("dana", 1, 1, to_table=2, reason="r")
    bench.director.enter_sheet("dana", 1, 2, sheet=PAPER, reason="no box")
    bench.take(*kiosk.play_hand(10))
    with refused("table-plays", "Table 1 has begun its own sheet. Let it submit, then change the two."):
        bench.director.reassign_sheet("dana", 1, 2, to_table=1, reason="r")
    bench.take(*kiosk.play_hand(10), *kiosk.finish())
    bench.director.accept_sheet("dana", 1, 1)
    bench.director.release_tables("dana", "the room closes")
    with refused("released", "One of the two tables is released: its teams have moved. Correct the hands instead."):
        bench.director.reassign_sheet("dana", 1, 2, to_table=1, reason="r")


def test_tables_are_released_before_the_clock_ends_only_past_a_gate_with_a_reason(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(11), *kiosk.finish())
    bench.director.accept_sheet("dana", 1, 1)
    with refused("clock-runs", "The round clock has not ended. End it, then release the tables."):
        bench.director.release_tables("dana")
    bench.director.release_tables("dana", "the hall closes early")
    assert (bench.table(1, 1).released, bench.table(1, 2).released) == (True, False)
    (went,) = bench.keeper.tournament.overrides
    assert (went.gate, went.reason, went.by) == ("clock-runs", "the hall closes early", "dana")


# Events that count after all


def test_late_events_of_a_former_box_are_adopted_in_place_of_what_was_recorded_since(bench: Bench) -> None:
    former = seated(bench)
    unheard_of = former.play_hand(10)
    bench.director.replace_box("dana", 1, "K-08")
    present = FakeKiosk("K-08")
    present.told(bench.desired("K-08"))
    bench.seat(present)
    present.clock()
    assert bench.ack(*present.play_hand(13)).refused == ()
    bench.take(*unheard_of)
    table = bench.table(1, 1)
    assert ([event_id(event) for event in table.aside], len(bench.keeper.tournament.late)) == (
        [event_id(event) for event in unheard_of], len(unheard_of),
    )  # fmt: skip
    head = event_id(unheard_of[-1])
    bench.director.adopt_events("dana", 1, 1, box="K-01", head=head, hand=1, reason="the players say so")
    after = bench.table(1, 1)
    (hand,) = after.state.hands
    assert (hand.recorded, hand.result and hand.result.books) == (head, {Side.NS: 3, Side.EW: 10})
    displaced = [each for each in table.journal if each.tenure == 2 and each.body.get("hand") == 1]
    assert (bench.keeper.tournament.late, dict(bench.keeper.tournament.asides)) == ((), {})
    assert {event_id(each) for each in after.aside} == {event_id(each) for each in (unheard_of[0], *displaced)}
    desired = bench.desired("K-08")
    assert set(desired.dropped) == {event_id(each) for each in displaced}
    assert [event_id(each) for each in desired.resume][-len(unheard_of) + 1 :] == [event_id(e) for e in unheard_of[1:]]
    assert (after.state.refused, desired.resume) == ((), after.journal)
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament


def test_what_an_adoption_displaced_is_kept_and_can_be_taken_back(bench: Bench) -> None:
    former = seated(bench)
    unheard_of = former.play_hand(10)
    bench.director.replace_box("dana", 1, "K-08")
    present = FakeKiosk("K-08")
    present.told(bench.desired("K-08"))
    bench.seat(present)
    present.clock()
    played = present.play_hand(13)
    bench.take(*played)
    bench.take(*unheard_of)
    before = bench.table(1, 1).state.hands
    for box, head in (("K-01", unheard_of[-1]), ("K-08", played[-1])):
        bench.director.adopt_events("dana", 1, 1, box=box, head=event_id(head), hand=1, reason="the players say so")
    assert bench.table(1, 1).state.hands == before
    assert set(bench.desired("K-08").dropped) == {event_id(event) for event in unheard_of[1:]}


def test_only_events_that_are_aside_are_adopted(bench: Bench) -> None:
    seated(bench)
    with refused("no-events", "Box K-01 has no such events aside at table 1. Look at the list."):
        bench.director.adopt_events("dana", 1, 1, box="K-01", head="f" * 64, hand=1, reason="r")


def test_the_other_journal_of_a_box_counts_when_the_director_says_so(bench: Bench) -> None:
    kiosk = seated(bench)
    common = kiosk.head
    before = kiosk.state
    first = kiosk.play_hand(10)
    bench.take(*first)
    kiosk.head, kiosk.state = Head(common.epoch, common.seq, common.id), before
    branch = kiosk.play_hand(12)
    different = next(index for index, event in enumerate(branch) if event_id(event) != event_id(first[index]))
    bench.take(*branch[different:])
    assert len(bench.keeper.tournament.branches) == len(branch) - different
    head = event_id(branch[-1])
    bench.director.decide_fork("dana", box="K-01", head=head, reason="the card was restored")
    (hand,) = bench.table(1, 1).state.hands
    assert (hand.recorded, hand.result and hand.result.books) == (head, {Side.NS: 1, Side.EW: 12})
    assert bench.keeper.tournament.branches == ()


def test_the_journal_that_counts_already_may_be_confirmed(bench: Bench) -> None:
    kiosk = seated(bench)
    common, before = kiosk.head, kiosk.state
    first = kiosk.play_hand(10)
    bench.take(*first)
    with refused("no-fork", "Box K-01 has one journal only. There is nothing to decide."):
        bench.director.decide_fork("dana", box="K-01", head=event_id(first[-1]), reason="r")
    kiosk.head, kiosk.state = common, before
    branch = kiosk.play_hand(12)
    bench.take(*[event for event, other in zip(branch, first, strict=True) if event_id(event) != event_id(other)])
    with refused("no-events", "Box K-01 has no event of that name in either journal. Look at the list."):
        bench.director.decide_fork("dana", box="K-01", head="f" * 64, reason="r")
    bench.director.decide_fork("dana", box="K-01", head=event_id(first[-1]), reason="as it was")
    (hand,) = bench.table(1, 1).state.hands
    assert (hand.recorded, bench.keeper.tournament.branches) == (event_id(first[-1]), ())
    assert step(bench.table(1, 1).state) is Step.NEXT


def test_box_that_somebody_looks_for_is_told_once_each_time(bench: Bench) -> None:
    kiosk, _ = bench.create()
    with refused("unknown-kiosk", "Box K-99 is not known to this hub. Add its key first."):
        bench.director.identify_box("dana", "K-99")
    bench.director.identify_box("dana", kiosk.box)
    bench.director.identify_box("dana", kiosk.box)
    asked = {box: bench.desired(box).identify for box in (kiosk.box, "K-02")}
    assert asked == {kiosk.box: 2, "K-02": 0}
