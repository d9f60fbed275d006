"""A table's round through the hub's fold: tenure, scores, the sheet, acceptance and release."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_bench import Bench
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.errors import HubError
from hub.record.ledger import Pending
from hub.summary import summary
from hub.tournament.standings import Row, standings
from hub.tournament.state import Acceptance, Stage
from tallybox.envelope import event_id
from tallybox.events import table as bodies
from tallybox.messages import NextSeat
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest
from tallybox.table.state import Step
from tallybox.table.steps import step


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_claim_of_the_assigned_box_is_granted_with_the_first_tenure(bench: Bench) -> None:
    kiosk, _ = bench.create()
    claim = kiosk.claim()
    ack = bench.ack(claim)
    assert (ack.upto, ack.id, ack.refused) == (1, event_id(claim), ())
    desired = bench.desired(kiosk.box)
    assert desired.tenure is not None
    assert (desired.tenure.number, desired.tenure.kiosk, desired.tenure.claim) == (1, kiosk.box, event_id(claim))
    assert desired.message is None
    assert bench.keeper.tournament.claims == ()


def test_a_claim_for_another_boxs_table_is_refused_in_words(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.take(kiosk.say(bodies.ClaimMade(), table=2))
    desired = bench.desired(kiosk.box)
    assert desired.tenure is None
    assert desired.message == "This box stands on table 1, not on table 2. Only the director can move it."
    bench.take(kiosk.claim())
    assert bench.desired(kiosk.box).message is None


def test_a_whole_round_is_scored_accepted_and_released(bench: Bench) -> None:
    first, second = bench.create()
    for kiosk in (first, second):
        bench.seat(kiosk)
    bench.director.start_clock("dana")
    for kiosk in (first, second):
        kiosk.clock()
        ack = bench.ack(*kiosk.play_round())
        assert (ack.upto, ack.id, ack.refused) == (kiosk.head.seq, kiosk.head.id, ())
    table = bench.table(1, 1)
    assert table.state == renewed(first.state, outcome=table.outcome, claimed=True, deadline=table.state.deadline)
    assert table.submitted
    bench.director.accept_sheet("mona", 1, 1)
    assert bench.table(1, 1).accepted == Acceptance(sheet_digest(first.state), 1, "mona")
    with pytest.raises(HubError, match="The round clock has not ended"):
        bench.director.release_tables("dana")
    bench.director.end_clock("dana")
    with pytest.raises(HubError, match="No accepted sheet yet from table 2"):
        bench.director.end_round("dana")
    bench.director.release_tables("dana")
    assert (bench.table(1, 1).released, bench.table(1, 2).released) == (True, False)
    moves = bench.desired(first.box).outcome.moves
    assert moves == {
        Side.NS: NextSeat(table=1, sits=Side.NS, against=4),
        Side.EW: NextSeat(table=2, sits=Side.EW, against=3),
    }
    bench.director.accept_sheet("mona", 1, 2)
    bench.director.end_round("dana")
    assert bench.keeper.tournament.rounds[0].stage is Stage.ENDED
    first.told(bench.desired(first.box))
    assert step(first.state) is Step.RELEASED
    bench.director.publish_round("dana")
    first.told(bench.desired(first.box))
    assert (first.state.playing.round, first.occasion.tenure) == (2, None)


def test_standings_add_up_what_the_tables_recorded(bench: Bench) -> None:
    first, second = bench.create()
    for kiosk in (first, second):
        bench.seat(kiosk)
    bench.director.start_clock("dana")
    first.clock()
    first_hands = [*first.sit(), *first.play_hand(13), *first.play_hand(9)]
    bench.take(*first_hands)
    # North deals hand 1: East–West bid 4 and take all 13. East deals hand 2: North–South bid 4, take 9 and are set.
    assert standings(bench.keeper.tournament) == (
        Row(2, hands_won=2, points=11, bostons=1, wins=0, net_points=11, bags=0, rank=1),
        Row(1, hands_won=0, points=0, bostons=0, wins=0, net_points=-11, bags=0, rank=2),
        Row(3, rank=2),
        Row(4, rank=2),
    )
    done = summary(bench.keeper.tournament)
    assert (done["template"], done["hands_expected"], done["hands_recorded"], done["voids"]) == ("capitol-4", 16, 2, 0)


def test_an_event_under_a_number_that_this_hub_never_gave_waits_aside_until_its_box_is_granted_the_table(
    bench: Bench,
) -> None:
    kiosk, _ = bench.create()
    event = kiosk.say(bodies.SeatsConfirmed(side=Side.NS, team=1), tenure=7)
    assert [no.code for no in bench.ack(event).refused] == ["no-tenure"]
    table, tournament = bench.table(1, 1), bench.keeper.tournament
    assert (table.journal, table.aside, tournament.tenures) == ((), (event,), 7)
    assert ([each.id for each in tournament.late], dict(tournament.asides)) == ([event_id(event)], {("K-01", 1, 1): 1})
    bench.seat(kiosk)
    table, tournament = bench.table(1, 1), bench.keeper.tournament
    assert (kiosk.occasion.tenure, table.journal, table.aside) == (8, (event,), ())
    assert (tournament.late, dict(tournament.asides), bench.desired("K-01").resume) == ((), {}, (event,))
    assert tournament.refusals == ()


def test_a_box_cannot_speak_for_another_table(bench: Bench) -> None:
    first, second = bench.create()
    bench.seat(first)
    bench.seat(second)
    stray = second.say(bodies.SeatsConfirmed(side=Side.NS, team=1), table=1, tenure=1)
    assert [no.code for no in bench.ack(stray).refused] == ["no-tenure"]
    assert bench.table(1, 1).state.seats_confirmed == frozenset()


def test_a_replacement_box_resumes_and_the_old_boxs_later_events_are_late(bench: Bench) -> None:
    old, spare = bench.create()
    bench.seat(old)
    bench.director.start_clock("dana")
    old.clock()
    bench.take(*old.sit(), *old.play_hand())
    head = old.head
    bench.director.assign_box("dana", spare.box, 1)
    spare.state = old.state
    spare.told(bench.desired(spare.box))
    bench.seat(spare)
    desired = bench.desired(spare.box)
    assert desired.tenure is not None
    assert desired.tenure.resumes == head.id
    assert [event_id(event) for event in desired.resume][-1] == head.id
    spare.clock()
    assert renewed(spare.state, tenure=1) == old.state
    late = old.play_hand()
    assert bench.ack(*late).refused == ()
    assert [event.type for event in bench.keeper.tournament.late] == [event.type for event in late]
    assert len(bench.table(1, 1).state.counting) == 1
    assert bench.ack(*spare.play_hand()).refused == ()
    assert len(bench.table(1, 1).state.counting) == 2


def test_a_hand_dealt_while_cut_off_counts_after_the_clock_ended(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    played = kiosk.play_round()
    bench.director.end_clock("dana")
    assert bench.ack(*played).refused == ()
    assert (len(bench.table(1, 1).state.counting), bench.table(1, 1).submitted) == (2, True)


def test_a_table_that_heard_time_signs_fewer_hands(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand())
    bench.director.end_clock("dana")
    kiosk.clock(ended=True)
    assert step(kiosk.state) is Step.SIGN
    assert bench.ack(*kiosk.finish()).refused == ()
    assert bench.table(1, 1).submitted


def test_a_submission_with_another_digest_is_stale_and_says_which_is_the_hubs(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.sit(), *kiosk.play_hand(), *kiosk.play_hand())
    digest = sheet_digest(kiosk.state)
    signed = [
        kiosk.say(bodies.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=((1, 1, 2, 2),)))
        for side in Side
    ]
    stale = kiosk.say(bodies.SheetSubmitted(digest="0" * 64))
    ack = bench.ack(*signed, stale)
    assert [(no.seq, no.code) for no in ack.refused] == [(stale.seq, "sheet-stale")]
    assert bench.desired(kiosk.box).outcome.stale == digest
    again = kiosk.say(bodies.SheetSubmitted(digest=digest), (event_id(stale),))
    assert [no.seq for no in bench.ack(again).refused] == [stale.seq]
    assert (bench.table(1, 1).submitted, bench.table(1, 1).stale, bench.table(1, 1).state.refused) == (True, None, ())


def test_a_reopened_sheet_goes_back_with_its_reason_and_can_be_sent_again(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.play_round())
    bench.director.reopen_sheet("mona", 1, 1, "Signed by the wrong team")
    kiosk.told(bench.desired(kiosk.box))
    assert (kiosk.state.outcome.reopened, step(kiosk.state)) == ("Signed by the wrong team", Step.SIGN)
    with pytest.raises(HubError, match="not signed and submitted yet"):
        bench.director.accept_sheet("mona", 1, 1)
    assert bench.ack(*kiosk.finish()).refused == ()
    bench.director.accept_sheet("mona", 1, 1)
    assert bench.table(1, 1).accepted is not None


def test_a_call_for_the_director_is_claimed_and_answered(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    call = event_id(kiosk.say(bodies.DirectorCalled(reason="a question")))
    bench.take(kiosk.journal[-1])
    waiting = bench.keeper.tournament.open_calls
    assert [(each.id, each.table, each.reason) for each in waiting] == [(call, 1, "a question")]
    bench.director.claim_call("dana", call)
    assert bench.desired(kiosk.box).outcome.official == "dana"
    bench.director.answer_call("dana", call, "settled")
    outcome = bench.desired(kiosk.box).outcome
    assert (outcome.official, outcome.answered, bench.keeper.tournament.open_calls) == (None, call, ())
    with pytest.raises(HubError, match="settled already"):
        bench.director.claim_call("dana", call)
    crossed = kiosk.say(bodies.DirectorCancelled(), (call,))
    assert bench.ack(crossed).refused == ()
    again = kiosk.say(bodies.DirectorCalled())
    assert bench.ack(again).refused == ()
    assert [each.id for each in bench.keeper.tournament.open_calls] == [event_id(again)]
    assert bench.ack(kiosk.say(bodies.DirectorCancelled(), (event_id(again),))).refused == ()
    assert bench.keeper.tournament.open_calls == ()


def test_a_restart_folds_to_the_same_tournament(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    bench.take(*kiosk.play_round())
    bench.director.accept_sheet("mona", 1, 1)
    before = bench.keeper.tournament
    epoch = bench.keeper.epoch
    bench.restart()
    assert bench.keeper.tournament == before
    assert bench.keeper.epoch == epoch + 1


def test_a_claim_that_a_killed_hub_left_unanswered_is_answered_at_start(bench: Bench) -> None:
    kiosk, _ = bench.create()
    claim = kiosk.claim()
    bench.ledger.append([Pending(claim, bench.time.now())])
    bench.restart()
    assert bench.keeper.tournament.claims == ()
    assert bench.table(1, 1).tenure is not None


def test_spades_single_games_are_drawn_by_seed_and_won(bench: Bench) -> None:
    first, _ = bench.create(template="mso", hands=None)
    bench.seat(first)
    played = first.play_round()
    assert bench.ack(*played).refused == ()
    table = bench.table(1, 1)
    assert table.score is not None
    assert (table.score.round.over, table.submitted) == (True, True)
    # Every hand: North–South bid 6 and take 7, East–West bid 6 and take 6; the first bag counts over ten hands.
    assert table.score.totals.points == {Side.NS: 9 * 61, Side.EW: 9 * 60}
    best, *others = standings(bench.keeper.tournament)
    assert (best.team, best.wins, best.net_points, best.bags) == (table.pairing.ns, 1, 9, 9)
    assert [row.rank for row in others] == [2, 2, 4]
    bench.director.accept_sheet("dana", 1, 1)
    bench.director.release_tables("dana")
    assert bench.table(1, 1).released
    assert bench.desired(first.box).outcome.moves == {}


WHILE_CUT_OFF = ("deliver", "deliver", "deliver", "again", "end", "extend", "restart", "announce")


@settings(max_examples=8, deadline=None)
@given(acts=st.lists(st.sampled_from(WHILE_CUT_OFF), max_size=14), sizes=st.lists(st.integers(1, 9), min_size=14))
def test_whatever_happens_meanwhile_a_cut_off_tables_round_counts_once(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str], sizes: list[int]
) -> None:
    bench = Bench(tmp_path_factory.mktemp("cut-off"))
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana")
    kiosk.clock()
    events = kiosk.play_round()
    sent = 0
    for act, size in zip(acts, sizes, strict=False):
        ended = bench.table(1, 1).state.clock_ended
        match act:
            case "deliver" if sent < len(events):
                bench.take(*events[sent : sent + size])
                sent = min(len(events), sent + size)
            case "again" if sent:
                bench.take(*events[max(0, sent - size) : sent])
            case "end" if not ended:
                bench.director.end_clock("dana")
            case "extend":
                bench.director.extend("dana", 60)
            case "restart":
                bench.restart()
            case "announce":
                bench.director.announce("dana", "Play on")
    bench.take(*events)
    table = bench.table(1, 1)
    assert (table.state.hands, table.state.submitted) == (kiosk.state.hands, kiosk.state.submitted)
    assert bench.keeper.tournament.refusals == ()
    assert [line.id for line in bench.ledger.lines() if line.event["kiosk"] == kiosk.box] == [
        event_id(event) for event in kiosk.journal
    ]
    bench.ledger.close()
