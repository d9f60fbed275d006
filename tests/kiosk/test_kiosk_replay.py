"""A restart is a replay: after any end, even a killed process or a copied card, the table is where it was."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from seated import (
    BOX,
    MSO,
    Time,
    ack_all,
    at_step,
    call,
    clock,
    desired,
    did,
    open_box,
    play,
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

from kiosk.box import Box
from kiosk.view import BoxView, ClockStatus, Notice, NoticeKind
from tallybox.countdown import Sample
from tallybox.envelope import event_id
from tallybox.events import table as events
from tallybox.messages import Desired, Outcome, Room
from tallybox.seats import Seat, Side
from tallybox.table.shown import score, sheet_digest
from tallybox.table.state import Step


def shown(view: BoxView) -> BoxView:
    """What a restart must bring back: all but the sentence on the screen, since when something waits, and what this
    run has heard."""
    return replace(view, notice=None, oldest_unsent_ms=None, heard=None, began=None)


def test_a_copied_journal_shows_the_same_table_at_every_step(tmp_path: Path) -> None:
    """The copy is what a power cut would leave on the card, WAL included."""
    source = tmp_path / "box"
    box = open_box(source / "journal.db")
    steps: list[Step] = []

    def cut() -> None:
        settled(box)
        there = tmp_path / f"cut-{len(steps)}"
        shutil.copytree(source, there)
        again = open_box(there / "journal.db")
        assert shown(again.view) == shown(box.view)
        steps.append(at_step(again))
        shut(again)

    cut()
    sit_down(box)
    cut()
    to_auction(box)
    call(box, "4", "pass")
    cut()
    call(box, "5 no", "pass")
    did(box, events.ContractLocked(hand=1))
    cut()
    did(box, events.DirectionStated(hand=1, direction="up"))
    did(box, events.PlayStarted(hand=1))
    did(box, events.DirectorCalled(reason="a question"))
    cut()
    did(box, events.ResultEntered(hand=1, books={Side.NS: 2, Side.EW: 11}))
    cut()
    assert steps == [Step.IDLE, Step.DEAL, Step.AUCTION, Step.CONTRACT, Step.PLAY, Step.CHECK]
    shut(box)


def test_a_finished_round_comes_back_whatever_the_hub_has_said_since(tmp_path: Path) -> None:
    """Time up, submitted, reopened, signed again, accepted: a replay rolls nothing back (journal, Desired state)."""
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box, hands=5)
    box.take(clock(3, "running", deadline=10_000))
    whist_hand(box)
    box.take(clock(4, "ended"))
    settled(box)
    assert at_step(box) is Step.SIGN

    def restarted() -> None:
        nonlocal box
        settled(box)
        before = shown(box.view)
        shut(box)
        box = open_box(path)
        box.take(clock(4, "ended"))
        settled(box)
        assert shown(box.view) == before

    sign(box, Side.NS)
    restarted()
    sign(box, Side.EW)
    digest = sheet_digest(box.view.state)
    did(box, events.SheetSubmitted(digest=digest))
    restarted()
    assert at_step(box) is Step.SUBMITTED
    seated = seating(hands=5)
    box.take(desired(5, seated, tenure=1, outcome=Outcome(reopened="East's name is missing.")))
    settled(box)
    sign(box, Side.EW)
    did(box, events.SheetSubmitted(digest=digest))
    restarted()
    box.take(desired(6, seated, tenure=1, outcome=Outcome(accepted=digest)))
    restarted()
    assert at_step(box) is Step.ACCEPTED
    assert box.view.state.refused == ()
    assert set(box.view.state.signatures) == set(Side)
    shut(box)


def test_a_killed_process_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests/kiosk')\n"
        "from pathlib import Path\n"
        "from seated import *\n"
        "from deploy.logs import log_to_stderr\n"
        "log_to_stderr()\n"
        "box = open_box(Path(sys.argv[1]))\n"
        "sit_down(box, hands=99)\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    whist_hand(box)\n"
        "    print(len(types(box)), flush=True)\n"
    )
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "journal.db")], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert child.stdout is not None
    for _ in range(4):
        last = child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    rest = child.stdout.read().split()
    child.wait(10)
    answered = int([last, *rest][-1])
    box = open_box(tmp_path / "journal.db")
    assert len(types(box)) >= answered
    assert box.view.state.refused == ()
    assert at_step(box) in {Step.DEAL, Step.AUCTION, Step.CONTRACT, Step.PLAY, Step.CHECK, Step.NEXT}
    shut(box)


def round_shown(box: Box) -> int | None:
    assignment = box.view.state.assignment
    return None if assignment is None else assignment.round


def test_older_words_of_the_hub_are_ignored(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    box.take(desired(5, seating(round_number=2)))
    box.take(desired(4, seating(round_number=1)))
    box.take(Room(v=1, rev=(1, 9), title="new"))
    box.take(Room(v=1, rev=(1, 8), title="old"))
    box.take(clock(7, "ended"))
    box.take(clock(6, "running", deadline=1))
    settled(box)
    assert round_shown(box) == 2
    assert box.view.room == Room(v=1, rev=(1, 9), title="new")
    assert box.view.clock.status is ClockStatus.ENDED
    assert box.birth().rev == (1, 9)
    box.take(Desired(v=1, rev=(2, 1), kiosk=BOX))
    settled(box)
    assert at_step(box) is Step.IDLE
    assert round_shown(box) is None
    shut(box)


def test_a_word_for_another_box_is_ignored(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    box.take(Desired(v=1, rev=(1, 1), kiosk="K-05", seating=seating()))
    settled(box)
    assert box.view.desired is None
    shut(box)


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"v":1}'])
def test_a_stored_word_that_cannot_be_read_is_said_again_by_the_hub(tmp_path: Path, payload: bytes) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    shut(box)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE desired SET payload = ?", (payload,))
    box = open_box(path)
    assert (box.view.desired, at_step(box)) == (None, Step.IDLE)
    box.take(desired(2, seating(), tenure=1))
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_rules_that_cannot_be_used_are_said_and_what_was_there_stays_readable(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    odd = {**seating().ruleset, "settings": {"min_level": 99}}
    heard: list[Notice] = []
    box.subscribe(lambda view: heard.extend([view.notice] if view.notice else []))
    box.take(desired(3, msgspec.structs.replace(seating(), ruleset=odd), tenure=1))
    settled(box)
    assert heard[0].kind is NoticeKind.HUB
    assert heard[0].text.startswith("The hub's rules cannot be used here: ")
    assert "Call the director." in heard[0].text
    box.take(desired(4, seating(), tenure=1))
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_a_new_round_is_a_fresh_table_and_the_old_one_stays_in_the_journal(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box, hands=1)
    whist_hand(box)
    before = len(types(box))
    box.take(desired(9, seating(round_number=2)))
    settled(box)
    assert (at_step(box), box.view.state.hands, box.view.state.claimed) == (Step.IDLE, (), False)
    did(box, events.ClaimMade())
    assert at_step(box) is Step.CLAIMED
    assert len(types(box)) == before + 1
    shut(box)


def test_a_replacement_goes_on_in_the_middle_of_the_auction(tmp_path: Path) -> None:
    first = open_box(tmp_path / "first.db")
    sit_down(first, MSO)
    to_auction(first)
    call(first, "3", "nil")
    resume = first._journal.events()
    table = first.view.state
    shut(first)
    second = open_box(tmp_path / "second.db")
    second.take(desired(7, seating(MSO)))
    did(second, events.ClaimMade())
    second.take(desired(8, seating(MSO), tenure=2, resume=resume))
    settled(second)
    assert at_step(second) is Step.AUCTION
    assert second.view.state.hand == table.hand
    call(second, "4", "2")
    shut(second)
    again = open_box(tmp_path / "second.db")
    assert at_step(again) is Step.CONTRACT
    assert types(again) == ["claim.made", "call.made", "call.made"]
    shut(again)


def test_events_of_an_older_tenure_count_only_as_far_as_the_hub_resumes_them(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4", "pass")
    line = box._journal.events()
    box.take(desired(9, seating(), tenure=2, resume=line[:-1]))
    settled(box)
    hand = box.view.state.hand
    assert hand is not None
    assert [called.seat for called in hand.calls] == [Seat.E]
    call(box, "5")
    assert box._journal.events()[-1].tenure == 2
    shut(box)


def test_events_under_a_number_that_a_restored_hub_lost_go_on_to_count(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box)
    to_auction(box)
    call(box, "4", "pass")
    line, state = box._journal.events(), box.view.state
    anew = desired(9, seating(), tenure=3, resume=line[:-1])
    assert anew.tenure is not None
    box.take(msgspec.structs.replace(anew, tenure=msgspec.structs.replace(anew.tenure, after=0)))
    settled(box)
    assert (box.view.state.hands, box.view.state.tenure, box.view.state.refused) == (state.hands, 3, ())
    call(box, "5")
    now = box.view.state
    assert [event.tenure for event in box._journal.events()[-2:]] == [1, 3]
    shut(box)
    again = open_box(path)
    assert (again.view.state.hands, again.view.state.tenure) == (now.hands, 3)
    shut(again)


def test_what_a_restored_hub_keeps_aside_of_them_is_left_out(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    to_auction(box)
    call(box, "4", "pass")
    line = box._journal.events()
    anew = desired(9, seating(), tenure=3, resume=line[:-2])
    assert anew.tenure is not None
    told = msgspec.structs.replace(anew.tenure, after=0)
    box.take(msgspec.structs.replace(anew, tenure=told, dropped=tuple(event_id(event) for event in line[-2:])))
    settled(box)
    hand = box.view.state.hand
    assert hand is not None
    assert (hand.calls, box.view.state.refused) == ((), ())
    shut(box)


def test_a_resumed_journal_that_does_not_chain_is_said_and_not_folded(tmp_path: Path) -> None:
    first = open_box(tmp_path / "first.db")
    sit_down(first)
    line = first._journal.events()
    shut(first)
    second = open_box(tmp_path / "second.db")
    second.take(desired(7, seating()))
    heard: list[str] = []
    second.subscribe(lambda view: heard.extend([view.notice.text] if view.notice else []))
    broken = (*line[:2], msgspec.structs.replace(line[2], prev="f" * 64), *line[3:])
    second.take(desired(8, seating(), tenure=2, resume=broken))
    settled(second)
    assert heard[0].startswith("What the hub holds of this table does not fit together.")
    assert at_step(second) is Step.SEATS
    shut(second)


def test_another_box_that_speaks_for_the_table_leaves_this_one_silent(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    box.take(desired(9, seating(), tenure=2, kiosk="K-09"))
    settled(box)
    assert box.view.state.tenure is None
    refused(box, events.HandCounted(hand=1))
    shut(box)


def test_a_clock_from_an_earlier_run_is_unknown_until_the_hub_says_it_again(tmp_path: Path) -> None:
    path, time = tmp_path / "journal.db", Time()
    box = open_box(path, monotonic=time)
    box.take_sample(Sample(sent=time.now - 20, received=time.now, hub=5_000_010))
    box.take(clock(3, "running", deadline=5_060_000))
    settled(box)
    assert (box.view.clock.status, box.view.clock.seconds_left(time.now)) == (ClockStatus.RUNNING, 60)
    shut(box)
    box = open_box(path, monotonic=time)
    assert (box.view.clock.status, box.view.clock.seconds_left(time.now)) == (ClockStatus.UNKNOWN, None)
    box.take(clock(3, "running", deadline=5_060_000))
    settled(box)
    assert box.view.clock.status is ClockStatus.UNKNOWN
    box.take_sample(Sample(sent=time.now - 20, received=time.now, hub=5_000_010))
    settled(box)
    assert (box.view.clock.status, box.view.clock.seconds_left(time.now)) == (ClockStatus.RUNNING, 60)
    shut(box)


def test_a_box_opens_no_hand_after_its_own_deadline_until_the_hub_extends_it(tmp_path: Path) -> None:
    time = Time()
    box = open_box(tmp_path / "journal.db", monotonic=time)
    box.take_sample(Sample(sent=time.now, received=time.now, hub=time.now))
    box.take(clock(2, "running", deadline=time.now + 60_000))
    sit_down(box, hands=5)
    time.now += 60_000
    whist_hand(box)
    settled(box)
    assert at_step(box) is Step.NEXT
    done = refused(box, events.HandOpened(hand=2, dealer=Seat.E))
    assert done.refusal is not None
    assert done.refusal.message == "Time is up: no new hand begins."
    box.take(clock(9, "running", deadline=time.now + 300_000))
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_a_held_table_takes_nothing_but_the_call_for_the_director_until_it_is_let_go(tmp_path: Path) -> None:
    box = open_box(tmp_path / "journal.db")
    sit_down(box)
    box.take(desired(3, seating(), tenure=1, hold="The director looks at hand 1."))
    refusal = box.do(events.HandCounted(hand=1)).result(60).refusal
    assert refusal is not None
    assert (refusal.code, refusal.message) == (
        "held", "This table waits for the director: The director looks at hand 1. What was entered is kept."
    )  # fmt: skip
    did(box, events.DirectorCalled())
    box.take(desired(4, seating(), tenure=1))
    whist_hand(box)
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_a_held_table_deals_no_new_hand(tmp_path: Path) -> None:
    moment = Time()
    box = open_box(tmp_path / "journal.db", monotonic=moment, pause=1_000)
    sit_down(box)
    whist_hand(box)
    box.take(desired(3, seating(), tenure=1, hold="The director looks at hand 1."))
    moment.now += 5_000
    settled(box)
    assert at_step(box) is Step.NEXT
    box.take(desired(4, seating(), tenure=1))
    settled(box)
    assert at_step(box) is Step.DEAL
    shut(box)


def test_spades_goes_on_after_a_restart_with_the_same_totals(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    box = open_box(path)
    sit_down(box, MSO)
    for number in (1, 2):
        tricks = {Seat.N: 5, Seat.E: 4, Seat.S: 2, Seat.W: 2}
        play(box, ("3", "2", "2", "3"), events.ResultEntered(hand=number, tricks=tricks))
    ack_all(box)
    before = score(box.view.state).totals
    shut(box)
    again = open_box(path)
    assert score(again.view.state).totals == before
    assert again.view.notice is None
    shut(again)
