"""Two records of one table: what counts, what is kept, and what a signed sheet becomes when the other one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hub_bench import Bench
from hub_fake_kiosk import FakeKiosk

from hub.documents.versions import versions
from hub.errors import HubError
from hub.tournament.state import Acceptance
from tallybox.envelope import Fact, Head, KioskEvent, Occasion, event_id, follow_kiosk
from tallybox.events import body_of, fact
from tallybox.events import table as bodies
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.table.shown import sheet_digest


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def seated(bench: Bench) -> FakeKiosk:
    kiosk, _ = bench.create()
    bench.seat(kiosk)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    bench.take(*kiosk.sit())
    return kiosk


def taken_over(bench: Bench) -> FakeKiosk:
    """Another box goes on at the table, with what the hub has of it."""
    bench.director.replace_box("dana", 1, "K-08")
    present = FakeKiosk("K-08")
    present.told(bench.desired("K-08"))
    present.clock()
    bench.seat(present)
    return present


def signed_and_beside(bench: Bench) -> list[KioskEvent]:
    """Table 1 signed at a second box; the first one then sends hand 2 as it had it."""
    former = seated(bench)
    bench.take(*former.play_hand(10))
    unsent = former.play_hand(12)
    present = taken_over(bench)
    bench.take(*present.play_hand(9), *present.finish())
    bench.take(*unsent)
    return unsent


def books(bench: Bench) -> list[int]:
    return [
        hand.result.books[Side.NS] for hand in bench.table(1, 1).state.counting if hand.result and hand.result.books
    ]


@pytest.mark.parametrize("accepted", [False, True])
def test_taking_a_hand_onto_a_signed_sheet_makes_a_version_and_leaves_the_signatures(
    bench: Bench, accepted: bool
) -> None:
    unsent = signed_and_beside(bench)
    if accepted:
        bench.director.accept_sheet("mona", 1, 1)
    before = bench.table(1, 1)
    bench.director.adopt_events("dana", 1, 1, box="K-01", head=event_id(unsent[-1]), hand=2, reason="as on paper")
    after = bench.table(1, 1)
    assert (after.state.submitted, after.state.signatures) == (before.state.submitted, before.state.signatures)
    assert (len(before.versions), len(after.versions), after.signed_version) == (1, 2, 1)
    assert after.versions[0] == before.versions[0]
    assert after.versions[1].digest == sheet_digest(after.state) != after.state.submitted
    assert after.accepted == (Acceptance(after.versions[1].digest, 2, "dana") if accepted else None)
    assert (after.journal, bench.keeper.tournament.asides) == (before.journal, {})
    known = versions(after)
    assert (known.number, dict(known.signed)) == (2, dict.fromkeys(Side, 1))
    *_, correction, adopted = [line.event for line in bench.told]
    assert (correction["type"], adopted["type"]) == ("hand.corrected", "events.adopted")
    tournament = bench.keeper.tournament
    bench.restart()
    assert bench.keeper.tournament == tournament


def test_leaving_a_signed_sheet_as_it_is_changes_nothing_on_it(bench: Bench) -> None:
    unsent = signed_and_beside(bench)
    before = bench.table(1, 1)
    bench.director.decline_events("dana", 1, 1, box="K-01", head=event_id(unsent[-1]), reason="never played")
    after = bench.table(1, 1)
    assert (after.versions, after.state, after.journal, after.aside) == (
        before.versions, before.state, before.journal, before.aside,
    )  # fmt: skip
    assert bench.keeper.tournament.asides == {}
    with pytest.raises(HubError, match="Write down"):
        bench.director.adopt_events("dana", 1, 1, box="K-01", head=event_id(unsent[-1]), hand=2, reason=" ")


def test_choosing_the_other_journal_of_a_signed_sheet_makes_a_version_too(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10))
    common, state = kiosk.head, kiosk.state
    first = kiosk.play_hand(9)
    bench.take(*first, *kiosk.finish())
    kiosk.head, kiosk.state = Head(common.epoch, common.seq, common.id), state
    other = kiosk.play_hand(12)
    part = next(index for index, event in enumerate(other) if event_id(event) != event_id(first[index]))
    bench.take(*other[part:])
    before = bench.table(1, 1)
    bench.director.decide_fork("dana", box="K-01", head=event_id(other[-1]), reason="the second was played")
    after = bench.table(1, 1)
    assert (after.state.submitted, after.state.signatures) == (before.state.submitted, before.state.signatures)
    assert (len(after.versions), after.signed_version, after.journal) == (2, 1, before.journal)
    assert after.state.desk[-1].facts == other[-1].body["facts"]
    assert bench.keeper.tournament.branches == ()


def test_another_journal_with_other_hands_than_the_signed_sheet_is_refused_in_words(bench: Bench) -> None:
    kiosk = seated(bench)
    common, state = kiosk.head, kiosk.state
    bench.take(*kiosk.play_hand(9), *kiosk.play_hand(10), *kiosk.finish())
    kiosk.head, kiosk.state = Head(common.epoch, common.seq, common.id), state
    kiosk.say(bodies.ScorekeeperChosen(seat=Seat.E))
    other = kiosk.play_hand(12)
    bench.take(*kiosk.journal[kiosk.journal.index(other[0]) - 1 :])
    before = bench.table(1, 1)
    with pytest.raises(HubError, match="Sheet R1-T1 is signed, and the other journal has other hands"):
        bench.director.decide_fork("dana", box="K-01", head=event_id(other[-1]), reason="the second was played")
    assert bench.table(1, 1) == before


def anew(kiosk: FakeKiosk, events: Sequence[KioskEvent], parent: Head) -> list[KioskEvent]:
    """What a box journals in a fresh epoch after a branch: its claim, then its facts with the moments they had."""
    kiosk.new_epoch("e2", parent)
    where = Occasion(events[0].tournament, events[0].round, events[0].table, events[0].tenure)
    claim = kiosk.say(bodies.ClaimMade())
    made = [claim]
    for event in events:
        again = follow_kiosk(kiosk.head, kiosk.box, where, fact_of(event), event.at, kiosk.key)
        kiosk.head = Head(again.epoch, again.seq, event_id(again))
        made.append(again)
    return made


def fact_of(event: KioskEvent) -> Fact:
    return fact(body_of(event.type, event.body))


def test_facts_journalled_anew_after_a_branch_never_count_by_themselves_and_are_shown_once(bench: Bench) -> None:
    kiosk = seated(bench)
    common, state = kiosk.head, kiosk.state
    first = kiosk.play_hand(9)
    bench.take(*first)
    kiosk.head, kiosk.state = Head(common.epoch, common.seq, common.id), state
    other = kiosk.play_hand(12)
    part = next(index for index, event in enumerate(other) if event_id(event) != event_id(first[index]))
    bench.take(*other[part:])
    renewed = anew(kiosk, other, common)
    bench.take(*renewed)
    table = bench.table(1, 1)
    assert books(bench) == [4]
    assert (table.tenure is not None and table.tenure.number, table.state.refused) == (2, ())
    assert [event for event in table.aside if event.epoch == "e2"] == []
    assert bench.keeper.tournament.asides == {}
    assert {event_id(event) for event in renewed} <= {line.id for line in bench.ledger.lines()}


def test_hands_of_a_refused_claim_are_taken_one_by_one(bench: Bench) -> None:
    kiosk, _ = bench.create()
    bench.director.start_clock("dana", 600)
    claim = kiosk.say(bodies.ClaimMade(official="mona", provisional=True))
    kiosk.state = renewed(kiosk.state, tenure=0, claimed=True)
    kiosk.occasion = replace(kiosk.occasion, tenure=None)
    kiosk.clock()
    made = [claim, *kiosk.sit(), *(first := kiosk.play_hand(10)), *(second := kiosk.play_hand(12))]
    bench.take(*made[:-3])
    bench.director.refuse_claim("dana", event_id(claim), "Nobody was there.")
    bench.take(*made[-3:])
    assert (bench.table(1, 1).state.hands, bench.keeper.tournament.refusals) == ((), ())
    assert bench.keeper.tournament.asides == {("K-01", 1, 1): len(made) - 1}
    with pytest.raises(HubError, match="No box speaks for table 1"):
        bench.director.adopt_events("dana", 1, 1, box="K-01", head=event_id(second[-1]), hand=2, reason="paper")
    claims = FakeKiosk("K-01", "e9")
    claims.told(bench.desired("K-01"))
    bench.seat(claims)
    with pytest.raises(HubError, match="does not fit the hands that count"):
        bench.director.adopt_events("dana", 1, 1, box="K-01", head=event_id(second[-1]), hand=2, reason="paper")
    for hand, played in ((1, first), (2, second)):
        bench.director.adopt_events("dana", 1, 1, box="K-01", head=event_id(played[-1]), hand=hand, reason="paper")
    table = bench.table(1, 1)
    assert [hand.recorded for hand in table.state.counting] == [event_id(first[-1]), event_id(second[-1])]
    assert (table.state.refused, bench.keeper.tournament.asides) == ((), {})
    assert bench.desired("K-01").resume == table.journal


def test_paper_over_a_signed_sheet_makes_a_version_and_leaves_the_signatures(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(9), *kiosk.finish())
    before = bench.table(1, 1)
    bench.director.assign_box("dana", "K-01", 9)
    sheet: dict[str, object] = {
        "ruleset": "capitol-city-bid-whist",
        "hands": [
            {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 3, "EW": 10}},
            {"dealer": "E", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 8, "EW": 5}},
        ],
    }
    bench.director.enter_sheet("dana", 1, 1, sheet=sheet, reason="The paper was right.")
    after = bench.table(1, 1)
    assert (after.state.signatures, after.state.submitted) == (before.state.signatures, before.state.submitted)
    known = versions(after)
    assert (len(after.versions), after.signed_version, dict(known.signed)) == (2, 1, dict.fromkeys(Side, 1))
    bench.director.accept_sheet("mona", 1, 1)
    assert bench.table(1, 1).accepted == Acceptance(after.versions[1].digest, 2, "mona")


def test_the_end_of_the_clock_makes_no_other_sheet_of_one_that_was_signed_before_it(bench: Bench) -> None:
    kiosk = seated(bench)
    bench.take(*kiosk.play_hand(10), *kiosk.play_hand(9), *kiosk.finish())
    signed = bench.table(1, 1).state.submitted
    bench.director.end_clock("dana")
    table = bench.table(1, 1)
    assert (sheet_digest(table.state), table.digest, len(table.versions)) == (signed, signed, 1)
