"""A hub restored from a backup: what its tables hold comes back, whatever of the hub's own words is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS, Bench
from hub_fake_kiosk import FakeKiosk

from hub.errors import HubError
from hub.hub import Hub
from hub.record.backup import back_up, restore
from tallybox.envelope import Head, KioskEvent, event_id
from tallybox.events import table as bodies
from tallybox.ledger_line import event_of
from tallybox.seats import Seat, Side
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest

TALK = {"code": "ADJUST", "points": {"EW": 2}, "why": "spoke in the auction"}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "hub").mkdir()
    return Bench(tmp_path / "hub")


def restored(bench: Bench, copy: Path, *kiosks: FakeKiosk) -> None:
    """The hub comes up on the copy, and every box sends what it holds."""
    bench.ledger.close()
    restore(bench.folder, copy)
    bench.open()
    for kiosk in kiosks:
        for answer in bench.take(*kiosk.journal):
            assert answer.ack.refused == ()


def counted(bench: Bench, number: int = 1, table: int = 1) -> list[int]:
    return [hand.number for hand in bench.table(number, table).state.counting]


def with_a_lost_number(bench: Bench, copy: Path) -> FakeKiosk:
    """A box whose people sat down under number 1, which the hub lost; it has not heard of number 2 yet."""
    kiosk, _ = bench.create()
    back_up(bench.folder, copy)
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit())
    restored(bench, copy, kiosk)
    bench.director.confirm_restored("dana", "The disk broke.")
    return kiosk


def test_hands_count_again_though_the_start_of_the_clock_and_the_grant_are_lost(bench: Bench, tmp_path: Path) -> None:
    kiosk, _ = bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10), *kiosk.play_hand(12), *kiosk.finish())
    state = bench.table(1, 1).state
    restored(bench, tmp_path / "copy.sqlite", kiosk)
    assert counted(bench) == []
    assert {no.code for no in bench.keeper.tournament.refusals} == {"no-tenure"}
    bench.director.confirm_restored("dana", "The disk broke.")
    table = bench.table(1, 1)
    assert bench.keeper.tournament.refusals == ()
    assert (table.state.hands, table.state.submitted, table.state.refused) == (state.hands, state.submitted, ())
    assert (table.submitted, table.tenure and table.tenure.number, table.digest) == (True, 2, state.submitted)
    assert bench.desired("K-01").resume == table.journal
    bench.director.accept_sheet("mona", 1, 1)
    assert bench.table(1, 1).accepted is not None


def test_what_a_box_sends_under_its_lost_number_counts_if_it_fits_and_else_the_box_leaves_it_out(
    bench: Bench, tmp_path: Path
) -> None:
    kiosk = with_a_lost_number(bench, tmp_path / "copy.sqlite")
    told = bench.desired("K-01").tenure
    assert told is not None
    assert (told.number, told.after) == (2, 0)
    late = kiosk.play_hand(10)
    assert [answer.ack.refused for answer in bench.take(*late)] == [()]
    assert (counted(bench), bench.table(1, 1).state.hands, bench.desired("K-01").dropped) == (
        [1], kiosk.state.hands, (),
    )  # fmt: skip
    unfit = kiosk.say(bodies.CallMade(hand=1, seat=Seat.E, call="4", source="typed"))
    bench.take(unfit)
    assert (counted(bench), bench.table(1, 1).aside, bench.desired("K-01").dropped) == (
        [1], (unfit,), (event_id(unfit),),
    )  # fmt: skip


def test_a_lost_number_from_before_another_box_spoke_waits_for_the_director(bench: Bench, tmp_path: Path) -> None:
    kiosk = with_a_lost_number(bench, tmp_path / "copy.sqlite")
    late = kiosk.play_hand(10)
    bench.director.replace_box("dana", 1, "K-08")
    other = FakeKiosk("K-08")
    other.told(bench.desired("K-08"))
    bench.seat(other)
    bench.director.replace_box("dana", 1, "K-01")
    bench.take(*late, kiosk.say(bodies.ClaimMade()))
    told = bench.desired("K-01").tenure
    assert told is not None
    assert (told.number, told.after) == (4, 3)
    assert (bench.table(1, 1).state.hands, bench.table(1, 1).aside) == ((), tuple(late))


def test_a_hub_that_lacks_nothing_names_no_number_before_its_own(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    told = bench.desired("K-01").tenure
    assert told is not None
    assert (told.number, told.after) == (1, None)


def test_a_sheet_signed_after_a_lost_end_of_the_clock_counts_and_waits_for_that_end(
    bench: Bench, tmp_path: Path
) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    back_up(bench.folder, tmp_path / "copy.sqlite")
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(10))
    bench.director.end_clock("dana")
    kiosk.clock(ended=True)
    bench.take(*kiosk.finish())
    signed = bench.table(1, 1).state.submitted
    restored(bench, tmp_path / "copy.sqlite", kiosk)
    bench.director.confirm_restored("dana", "The disk broke.")
    assert (bench.table(1, 1).state.submitted, bench.table(1, 1).state.refused) == (signed, ())
    with pytest.raises(HubError, match="End the clock of round 1 first"):
        bench.director.accept_sheet("mona", 1, 1)
    bench.director.end_clock("dana")
    bench.director.accept_sheet("mona", 1, 1)
    table = bench.table(1, 1)
    assert (table.accepted and table.accepted.digest, sheet_digest(table.state)) == (signed, signed)


def test_a_lost_ruling_that_is_made_again_before_the_word_lets_the_hand_count(bench: Bench, tmp_path: Path) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit())
    said = kiosk.play_hand(10)
    result = next(index for index, event in enumerate(said) if event.type == "result.entered")
    bench.take(*said[: result + 1])
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.director.rule("dana", 1, 1, hand=1, ruling=TALK, reason="spoke")
    ruled = ruled_hand(bench, kiosk, said[: result + 1])
    bench.take(*ruled)
    assert counted(bench) == [1]
    kiosk.journal = [*kiosk.journal[: kiosk.journal.index(said[result]) + 1], *ruled]
    restored(bench, tmp_path / "copy.sqlite", kiosk)
    assert (counted(bench), {no.type for no in bench.keeper.tournament.refusals}) == (
        [], {"hand.checked", "hand.recorded"},
    )  # fmt: skip
    bench.director.rule("dana", 1, 1, hand=1, ruling=TALK, reason="spoke")
    bench.director.confirm_restored("dana", "The disk broke.")
    assert (counted(bench), bench.table(1, 1).state.refused, bench.keeper.tournament.refusals) == ([1], (), ())
    words = [event_of(line) for line in bench.told if line.event["type"] == "hub.restored"]
    assert [word.body["after"] for word in words] == [bench.ledger.restored_after]
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament


def ruled_hand(bench: Bench, kiosk: FakeKiosk, played: list[KioskEvent]) -> list[KioskEvent]:
    """The hand is checked and recorded as it is with the desk's ruling, at the same box."""
    last = played[-1]
    kiosk.head = Head(last.epoch, last.seq, event_id(last))
    kiosk.state = bench.table(1, 1).state
    lines = lines_digest(open_hand_score(kiosk.state))
    made = [kiosk.say(bodies.HandChecked(hand=1, side=side, lines=lines)) for side in Side]
    hand = kiosk.state.hand
    assert hand is not None
    recorded = bodies.HandRecorded(
        hand=1, facts=dict(facts_json(hand)), ruleset=kiosk.state.playing.ruleset.digest, lines=lines
    )
    return [*made, kiosk.say(recorded)]


def test_a_whole_lost_round_is_kept_and_counts_once_it_is_posted_again(bench: Bench, tmp_path: Path) -> None:
    first, second = bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    for kiosk in (first, second):
        bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    for kiosk in (first, second):
        kiosk.clock()
        bench.take(*kiosk.play_round())
    for table in (1, 2):
        bench.director.accept_sheet("mona", 1, table)
    bench.director.end_clock("dana")
    bench.director.end_round("dana")
    bench.director.publish_round("dana")
    posted = bench.keeper.tournament.rounds[1].pairings
    for kiosk in (first, second):
        kiosk.told(bench.desired(kiosk.box))
        kiosk.clock(started=False)
        bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    first.clock()
    bench.take(*first.sit(), *first.play_hand(10))
    state = bench.table(2, 1).state
    restored(bench, tmp_path / "copy.sqlite", first, second)
    assert (len(bench.keeper.tournament.rounds), len(bench.keeper.tournament.ahead) > 10) == (1, True)
    bench.director.confirm_restored("dana", "The disk broke.")
    for table in (1, 2):
        assert counted(bench, 1, table) == [1, 2]
        bench.director.accept_sheet("mona", 1, table)
    bench.director.start_clock("dana", 600)
    bench.director.end_clock("dana")
    bench.director.end_round("dana")
    bench.director.publish_round("dana")
    assert bench.keeper.tournament.rounds[1].pairings == posted
    assert (bench.keeper.tournament.ahead, len(bench.table(2, 1).aside) > 10) == ((), True)
    again = FakeKiosk("K-01", "e5")
    again.told(bench.desired("K-01"))
    bench.seat(again)
    assert (bench.table(2, 1).state.hands, bench.table(2, 1).aside) == (state.hands, ())


def test_a_hub_that_runs_keeps_both_starting_and_restoring_out_of_its_folder(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.ledger.close()
    hub = Hub(bench.folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=9)
    hub.start()
    try:
        for again in (
            lambda: restore(bench.folder, tmp_path / "copy.sqlite"),
            lambda: Hub(bench.folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=9),
        ):
            with pytest.raises(HubError) as refused:
                again()
            assert refused.value.code == "hub-running"
    finally:
        hub.stop()
    assert restore(bench.folder, tmp_path / "copy.sqlite").verdict.ok


def test_a_number_that_a_restored_hub_gives_anew_to_another_table_keeps_nothing_from_the_box_that_had_it(
    bench: Bench, tmp_path: Path
) -> None:
    first, second = bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.seat(first)
    bench.director.start_clock("dana", 600)
    first.clock()
    bench.take(*first.sit(), *first.play_hand(10))
    restored(bench, tmp_path / "copy.sqlite")
    bench.director.confirm_restored("dana", "The disk broke.")
    bench.seat(second)
    tenure = bench.table(1, 2).tenure
    assert tenure is not None
    assert tenure.number == 1
    assert [answer.ack.refused for answer in bench.take(*first.journal)] == [()]
    table = bench.table(1, 1)
    assert (counted(bench), table.state.hands, table.aside) == ([1], first.state.hands, ())
    assert bench.keeper.tournament.refusals == ()
