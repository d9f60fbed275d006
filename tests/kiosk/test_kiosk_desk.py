"""What the desk decides reaches the table's state and screen: facts, locks, extra time, invitations to practice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from seated import (
    Time,
    at_step,
    call,
    clock,
    desired,
    did,
    open_box,
    refused,
    seating,
    settled,
    shut,
    sign,
    sit_down,
    to_auction,
    types,
    whist_hand,
)

from firmware_bridge.decks import load_deck
from firmware_bridge.reader import CardRead, DeviceStamp
from firmware_bridge.signals import SignalPattern
from kiosk.alerts import Due, Moment, due
from kiosk.box import Box
from kiosk.round_clock import RoundClock
from kiosk.tidings import tidings
from kiosk.view import ClockStatus, ClockView, NoticeKind
from tallybox.calls import Game, parse_call
from tallybox.countdown import Sample
from tallybox.envelope import event_id
from tallybox.events import rulings as ru
from tallybox.events import table as events
from tallybox.messages import Desired, DeskFact
from tallybox.renewed import renewed
from tallybox.seats import Seat, Side
from tallybox.sheet import hand_facts_to_json
from tallybox.table.overlay import laid, rests_on
from tallybox.table.shown import lines_digest, score, sheet_digest, sheet_facts
from tallybox.table.state import Step

RULED = {"code": "ADJUST", "points": {"NS": 2}, "why": "miscounted"}


def told(box: Box, rev: int, **fields: object) -> None:
    """A newer word of the hub for the seated table."""
    word = desired(rev, seating(), tenure=1)
    box.take(msgspec.structs.replace(word, **fields))
    settled(box)


def fact(letter: str, kind: str, **fields: object) -> DeskFact:
    return DeskFact(id=letter * 64, kind=kind, by="dana", **fields)  # type: ignore[arg-type]


def seated(path: Path, **how: object) -> Box:
    box = open_box(path, **how)  # type: ignore[arg-type]
    sit_down(box)
    return box


def test_the_desks_facts_count_at_the_table_and_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = seated(path)
    whist_hand(box)
    before = score(box.view.state).totals.points[Side.NS]
    told(box, 5, desk=(fact("a", "ruling", hand=1, ruling=RULED),), late=(Side.EW,))
    assert (score(box.view.state).totals.points[Side.NS], box.view.state.late) == (before + 2, frozenset({Side.EW}))
    state = box.view.state
    shut(box)
    again = open_box(path)
    assert again.view.state == state
    shut(again)


def test_what_was_checked_and_signed_before_the_desk_spoke_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = seated(path)
    whist_hand(box)
    whist_hand(box)
    sign(box, Side.NS)
    told(box, 5, desk=(fact("a", "ruling", hand=1, ruling=RULED), fact("b", "ruling", hand=2, ruling=RULED)))
    assert (at_step(box), box.view.state.signatures[Side.NS].digest) != (Step.SIGN, sheet_digest(box.view.state))
    state = box.view.state
    shut(box)
    again = open_box(path)
    assert (again.view.state, again.view.state.refused) == (state, ())
    shut(again)


def test_events_in_whose_place_others_were_adopted_count_no_more(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = seated(path)
    whist_hand(box)
    whist_hand(box)
    gone = tuple(event_id(event) for event in box._journal.outbox(200) if event.body.get("hand") == 2)
    told(box, 5, dropped=gone)
    assert (len(box.view.state.hands), box.view.state.refused, len(gone) > 5) == (1, (), True)
    shut(box)


def test_a_locked_box_takes_the_call_for_the_director_and_officials_alone(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    told(box, 5, locked="It is being repaired.")
    assert [box.view.locked] == ["It is being repaired."]
    said = refused(box, events.HandCounted(hand=1)).refusal
    assert said is not None
    assert (said.code, said.message) == ("locked", "This box is locked: It is being repaired. Call the director.")
    did(box, events.DirectorCalled())
    did(box, ru.MenuOpened(official="olga"))
    did(box, events.HandVoided(hand=1, reason="director", official="olga", why="a card is missing"))
    assert at_step(box) is Step.NEXT
    told(box, 6)
    assert (box.view.locked, at_step(box)) == (None, Step.DEAL)
    shut(box)


def test_a_card_laid_at_a_locked_box_is_kept_and_makes_no_call(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    to_auction(box)
    told(box, 5, locked="It is being repaired.")
    card = load_deck("bid-whist").uid_for(parse_call(Game.BID_WHIST, "4"), Seat.E)
    box.reader_event(CardRead(Seat.E, card, DeviceStamp("TBR-1", "boot1", 1, 1)))
    notice, hand = box.view.notice, box.view.state.hand
    assert notice is not None
    assert hand is not None
    assert (notice.text, hand.calls) == ("This box is locked: It is being repaired. Call the director.", ())
    assert box.view.state.readings[Seat.E].card == card
    told(box, 6)
    call(box, "4")
    shut(box)


def test_a_hold_between_the_check_and_the_record_leaves_the_record_for_later(tmp_path: Path) -> None:
    """As after a power cut between the two."""
    box = seated(tmp_path / "journal.db")
    record = box._scribe.react
    box._scribe.react = lambda: None  # type: ignore[method-assign]
    whist_hand(box)
    told(box, 5, hold="Wait.")
    box._scribe.react = record  # type: ignore[method-assign]
    settled(box)
    assert (len(box.view.state.hands), box.view.state.refused) == (0, ())
    told(box, 6)
    assert (len(box.view.state.hands), box.view.state.refused, at_step(box)) == (1, (), Step.DEAL)
    shut(box)


def test_the_desk_invites_to_practice_and_counts_the_invitations(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    told(box, 5, practice=2)
    assert box.view.practice == 2
    shut(box)


# An official's acts at the box


def test_an_officials_correction_names_what_it_takes_the_place_of(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    whist_hand(box)
    told(box, 5, desk=(fact("a", "ruling", hand=1, ruling=RULED),))
    hand = box.view.state.hands[0]
    names = rests_on(box.view.state, hand)
    assert names == (hand.recorded, "a" * 64)
    state = box.view.state
    facts = replace(sheet_facts(state).hands[0], books={Side.NS: 4, Side.EW: 9}, rulings=())
    corrected = renewed(state, hands=(renewed(hand, corrected=facts),), desk=())
    did(
        box,
        events.HandRecorded(
            hand=1, facts=dict(hand_facts_to_json(facts)), ruleset=state.playing.ruleset.digest,
            lines=lines_digest(score(corrected).hands[0]), official="olga", reason="misread",
        ),
    )  # fmt: skip
    after = box.view.state.hands[0]
    assert (after.replaced, laid(box.view.state)[0].rulings) == (names, ())
    assert sheet_facts(box.view.state).hands[0].books == {Side.NS: 4, Side.EW: 9}
    did(box, events.HandVoided(hand=1, reason="director", official="olga", why="wrong deck"))
    assert [hand.void for hand in box.view.state.hands] == ["director"]
    shut(box)


def test_an_official_who_voids_the_open_deal_names_no_record(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    did(box, events.HandVoided(hand=1, reason="director", official="olga", why="a card is missing"))
    assert [hand.void for hand in box.view.state.hands] == ["director"]
    refused(box, events.HandRecorded(hand=9, facts={}, ruleset="0" * 64, lines="0" * 64, official="olga", reason="r"))
    shut(box)


def test_what_an_official_asks_for_is_written_though_nothing_changes_here(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    did(box, ru.MenuOpened(official="olga"))
    did(box, ru.OfficialRequested(what="extension", official="olga", minutes=5))
    assert types(box)[-2:] == ["menu.opened", "official.requested"]
    shut(box)


def test_a_waiver_cures_a_submission_that_was_refused(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    whist_hand(box)
    whist_hand(box)
    sign(box, Side.NS)
    did(
        box,
        ru.SignatureWaived(side=Side.EW, digest=sheet_digest(box.view.state), official="mona", reason="they left"),
    )
    did(box, events.SheetSubmitted(digest=sheet_digest(box.view.state)))
    assert (at_step(box), box.view.state.refused) == (Step.SUBMITTED, ())
    shut(box)


# The clock of a table that has more time than the others


def at(view: ClockView) -> tuple[ClockStatus, int, int | None, int | None]:
    return view.status, view.seconds, view.deadline, view.remaining


def test_a_tables_extra_time_is_part_of_its_clock_in_every_state() -> None:
    running = RoundClock().told(clock(1, "running", deadline=90_000), 10_000)
    assert at(running.view_with(0)) == (ClockStatus.RUNNING, 1500, 80_000, None)
    assert at(running.view_with(60)) == (ClockStatus.RUNNING, 1560, 140_000, None)
    paused = RoundClock().told(clock(1, "paused", remaining=30_000), None)
    assert at(paused.view_with(60)) == (ClockStatus.PAUSED, 1560, None, 90_000)
    waiting = RoundClock().told(clock(1, "waiting"), None)
    assert at(waiting.view_with(60)) == (ClockStatus.WAITING, 1560, None, None)
    assert RoundClock().view_with(60) == ClockView()


def test_when_the_clock_ends_a_table_with_extra_time_runs_to_its_own_deadline() -> None:
    running = RoundClock().told(clock(1, "running", deadline=90_000), 10_000)
    ended = running.told(clock(2, "ended"), 10_000)
    assert at(ended.view_with(0)) == (ClockStatus.ENDED, 1500, None, None)
    assert at(ended.view_with(60)) == (ClockStatus.RUNNING, 1560, 140_000, None)
    assert at(ended.told(clock(3, "ended"), 10_000).view_with(60)) == (ClockStatus.RUNNING, 1560, 140_000, None)
    unheard = RoundClock().told(clock(2, "ended"), 10_000)
    assert at(unheard.view_with(60)) == (ClockStatus.UNKNOWN, 1560, None, None)


@pytest.mark.parametrize(("extra", "expected"), [(0, Step.SIGN), (300, Step.DEAL)])
def test_a_table_with_extra_time_deals_on_when_the_round_ends(tmp_path: Path, extra: int, expected: Step) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.db", monotonic=time)
    box.take_sample(Sample(sent=time.now, received=time.now, hub=time.now))
    box.take(clock(1, "running", deadline=time.now + 60_000))
    sit_down(box)
    told(box, 5, extra=extra)
    time.now += 61_000
    box.take(clock(6, "ended"))
    whist_hand_if_open(box)
    settled(box)
    assert (box.view.extra, at_step(box)) == (extra, expected)
    shut(box)


def whist_hand_if_open(box: Box) -> None:
    """Play the hand that was dealt before the time was up, where this table may still play it."""
    settled(box)
    if at_step(box) is Step.DEAL:
        whist_hand(box)


def test_the_desired_state_of_a_box_without_a_table_can_lock_it(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    box.take(Desired(v=1, rev=(1, 1), kiosk="K-04", locked="Keep off."))
    settled(box)
    assert box.view.locked == "Keep off."
    shut(box)


def test_box_that_somebody_looks_for_buzzes_once_and_says_which_one_it_is(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    before, notices = Moment(box.view, 0), list[tuple[str, NoticeKind]]()
    box.subscribe(lambda view: notices.append((view.notice.text, view.notice.kind)) if view.notice else None)
    told(box, 5, identify=1)
    assert ("Somebody looks for this box. It is box K-04.", NoticeKind.HUB) in notices
    assert due(before, Moment(box.view, 1)) == Due(play=(SignalPattern.IDENTIFY,))
    again = Moment(box.view, 2)
    told(box, 6, identify=1)
    assert due(again, Moment(box.view, 3)) == Due()
    shut(box)


def test_box_that_hears_of_the_hub_for_the_first_time_does_not_buzz(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    before = Moment(box.view, 0)
    box.take(msgspec.structs.replace(desired(1, seating()), identify=3))
    settled(box)
    assert box.view.identify == 3
    assert due(before, Moment(box.view, 1)) == Due()
    shut(box)


def test_box_says_how_far_its_wall_clock_is_from_the_hubs(tmp_path: Path) -> None:
    box = seated(tmp_path / "journal.db")
    assert box.birth().offset is None
    now, wall = box.now(), box._wall()
    box.take_sample(Sample(sent=now - 4, received=now, hub=wall - 2 + 40))
    settled(box)
    assert box.birth().offset == pytest.approx(-40, abs=30)
    shut(box)


def test_a_hand_that_the_desk_made_void_is_dealt_again_here_and_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = seated(path)
    whist_hand(box)
    to_auction(box)
    call(box, "4")
    hand = box.view.state.hand
    assert hand is not None
    void = fact("a", "correction", hand=hand.number, deal=hand.opened, reason="Mixed cards",
                facts={"dealer": hand.dealer.value, "void": "director"})  # fmt: skip
    before = box.view.state
    told(box, 5, desk=(void,))
    assert tidings(before, box.view.state) == f"The desk made hand {hand.number} void. Mixed cards."
    dealt = box.view.state.hand
    assert dealt is not None
    assert (at_step(box), dealt.number, dealt.dealer) == (Step.DEAL, hand.number, hand.dealer)
    did(box, events.HandCounted(hand=hand.number))
    state = box.view.state
    assert (state.refused, [each.void for each in laid(state)]) == ((), [None, "director"])
    shut(box)
    again = open_box(path)
    assert again.view.state == state
    shut(again)
