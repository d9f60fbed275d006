"""The journal on real SQLite: append-only, chained, refilled by a lower ack, and refused in words when damaged."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seated import KEY, ids

from kiosk.errors import JournalError
from kiosk.journal.journal import Journal
from tallybox.envelope import At, Fact, KioskEvent, Occasion, authentic, encode_event, event_id
from tallybox.messages import Ack, Fault, Refused
from tallybox.table.fold import Ruled

HERE = Occasion("spring", 1, 4, 1)


def at(n: int = 0) -> At:
    return At(wall=1_700_000_000_000 + n, mono=n, synced=False)


def counted(hand: int) -> Fact:
    return Fact("hand.counted", {"hand": hand})


def randomness() -> Callable[[int], bytes]:
    numbers = itertools.count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


def new_journal(path: Path) -> Journal:
    journal = Journal(path, random=randomness())
    journal.write_as("K-04", KEY)
    return journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = new_journal(tmp_path / "journal.db")
    yield made
    made.close()


def ack(journal: Journal, event: KioskEvent) -> Ack:
    return Ack(v=1, epoch=event.epoch, upto=event.seq, id=event_id(event))


def test_events_are_chained_signed_and_numbered_without_gaps(journal: Journal) -> None:
    written = [journal.append(HERE, counted(n), at(n)) for n in (1, 2, 3)]
    assert journal.events() == tuple(written)
    assert [event.seq for event in written] == [1, 2, 3]
    assert [event.prev for event in written] == [None, event_id(written[0]), event_id(written[1])]
    assert {event.epoch for event in written} == {"0000000000000001"}
    assert all(authentic(event, KEY.public) for event in written)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET seq = 9",
        "DELETE FROM events",
        "UPDATE epochs SET why = ''",
        "DELETE FROM epochs",
        "INSERT INTO events SELECT 9, epoch, seq, 'x', NULL, NULL, NULL, payload, '', NULL, NULL FROM events",
    ],
)
def test_nothing_that_was_written_can_be_changed(journal: Journal, statement: str) -> None:
    journal.append(HERE, counted(1), at())
    with sqlite3.connect(journal.path) as other, pytest.raises(sqlite3.IntegrityError):
        other.execute(statement)


def test_facts_that_belong_together_are_written_together_or_not_at_all(journal: Journal) -> None:
    with pytest.raises(JournalError) as refusal:
        journal.append_chain(HERE, (lambda _: counted(1), lambda _: Fact("hand.counted", {"hand": 2**60})), at())
    assert refusal.value.code == "not-canonical"
    assert journal.events() == ()
    first, second = journal.append_chain(
        HERE, (lambda _: counted(1), lambda before: Fact("hand.counted", {"hand": 2}, (str(before),))), at()
    )
    assert second.supersedes == (event_id(first),)


def test_an_event_too_large_for_the_hub_is_not_written(journal: Journal) -> None:
    with pytest.raises(JournalError) as refusal:
        journal.append(HERE, Fact("director.called", {"reason": "x" * 70_000}), at())
    assert refusal.value.code == "oversized"
    assert journal.head.seq == 0


def test_only_acks_empty_the_outbox_and_a_lower_one_refills_it(journal: Journal) -> None:
    written = [journal.append(HERE, counted(n), at(n)) for n in range(1, 6)]
    assert journal.outbox(3) == written[:3]
    assert journal.acked(ack(journal, written[3])).upto == 4
    assert (journal.outbox(50), journal.unsent) == ([written[4]], 1)
    assert journal.acked(ack(journal, written[1])).upto == 2
    assert (journal.outbox(50), journal.unsent) == (written[2:], 3)
    assert journal.acked(Ack(v=1, epoch=journal.head.epoch, upto=0)).upto == 0
    assert journal.outbox(50) == written


def test_an_ack_that_does_not_chain_empties_nothing_and_is_told(journal: Journal) -> None:
    written = [journal.append(HERE, counted(n), at(n)) for n in (1, 2)]
    journal.acked(ack(journal, written[0]))
    other = journal.acked(Ack(v=1, epoch=journal.head.epoch, upto=2, id="f" * 64))
    beyond = journal.acked(Ack(v=1, epoch=journal.head.epoch, upto=3, id="f" * 64))
    unknown = journal.acked(Ack(v=1, epoch="another", upto=2, id=event_id(written[1])))
    assert (other.diverged, beyond.diverged, unknown.known) == (True, True, False)
    assert journal.outbox(50) == written[1:]


def test_an_ack_of_a_fresh_epoch_covers_what_it_goes_on_from(journal: Journal) -> None:
    """An older image: the hub holds more of the old epoch than this journal, and acks that in words unknown here."""
    shared = [journal.append(HERE, counted(n), at(n)) for n in (1, 2)]
    journal.acked(ack(journal, shared[1]))
    journal.renew("the hub holds another past")
    old, fresh = shared[0].epoch, journal.append(HERE, counted(3), at(3))
    journal.acked(Ack(v=1, epoch=fresh.epoch, upto=0))
    assert journal.outbox(50) == [*shared, fresh], "who holds nothing of the fresh epoch may lack the old one"
    journal.acked(Ack(v=1, epoch=old, upto=7, id="f" * 64))
    assert journal.outbox(50) == [*shared, fresh]
    journal.acked(ack(journal, fresh))
    assert (journal.outbox(50), journal.unsent) == ([], 0)


def test_refusals_are_kept_once_and_told_once(journal: Journal) -> None:
    event = journal.append(HERE, counted(1), at())
    refused = Refused(seq=1, id=event_id(event), code="no-hand", message="Hand 1 is not open.")
    told = Ack(v=1, epoch=event.epoch, upto=1, id=event_id(event), refused=(refused,))
    assert journal.acked(told).refused == (refused,)
    assert journal.acked(told).refused == ()
    assert journal.ruled() == {event_id(event): Ruled("no-hand", "Hand 1 is not open.")}


def test_a_fresh_epoch_goes_on_from_the_last_acked_event_and_names_its_new_ids(journal: Journal) -> None:
    first = journal.append(HERE, counted(1), at(1))
    read = journal.append(HERE, Fact("card.read", {"seat": "N", "card": "x"}), at(2), stamp="device/1")
    made = journal.append(HERE, Fact("call.made", {"reading": event_id(read), "call": "4"}, (event_id(read),)), at(3))
    journal.acked(ack(journal, first))
    anew = journal.renew("a test")
    assert [(event.epoch, event.seq, event.type) for event in anew] == [
        ("0000000000000002", 1, "card.read"), ("0000000000000002", 2, "call.made"),
    ]  # fmt: skip
    assert (anew[0].prev, anew[0].at) == (event_id(first), read.at)
    assert (anew[1].body, anew[1].supersedes) == ({"reading": event_id(anew[0]), "call": "4"}, (event_id(anew[0]),))
    assert journal.events() == (first, *anew)
    assert journal.outbox(50) == list(anew)
    assert journal.has_stamp("device/1")
    assert event_id(made) not in ids(journal.events())


def test_a_fresh_epoch_claims_first_and_drops_claims_nobody_saw(journal: Journal) -> None:
    place = Occasion("spring", 1, 4)
    journal.append(place, Fact("claim.made", {}), at(1))
    journal.append(HERE, counted(1), at(2))
    anew = journal.renew("a test", (place, Fact("claim.made", {}), at(9)))
    assert [(event.type, event.tenure, event.prev is None) for event in anew] == [
        ("claim.made", None, True), ("hand.counted", 1, False),
    ]  # fmt: skip
    assert journal.events() == anew


def test_a_journal_opened_again_is_the_same(tmp_path: Path) -> None:
    journal = new_journal(tmp_path / "j.db")
    written = [journal.append(HERE, counted(n), at(n)) for n in range(1, 5)]
    journal.acked(ack(journal, written[1]))
    journal.renew("a test")
    journal.append(HERE, counted(9), at(9))
    journal.desire("clock", (2, 17), b"{}")
    before = (journal.head, journal.events(), journal.outbox(50), journal.desired("clock"))
    journal.close()
    again = Journal(tmp_path / "j.db")
    assert (again.head, again.events(), again.outbox(50), again.desired("clock")) == before
    again.close()


def test_faults_are_counted_over_the_epochs_of_a_fact(journal: Journal) -> None:
    event = journal.append(HERE, counted(1), at())
    payload = hashlib.sha256(encode_event(event)).hexdigest()
    fault = Fault(code="undecodable", message="no", payload=payload)
    assert journal.fault(Fault(code="undecodable", message="no", payload="0" * 64)) is None
    assert journal.fault(fault) == journal.fault(fault) == event
    assert journal.faults_of(event_id(event)) == 1
    (anew,) = journal.renew("a fault")
    assert journal.faults_of(event_id(anew)) == 1
    journal.fault(Fault(code="oversized", message="no", payload=hashlib.sha256(encode_event(anew)).hexdigest()))
    assert journal.faults_of(event_id(anew)) == 2


def test_a_second_program_is_kept_out(tmp_path: Path) -> None:
    journal = new_journal(tmp_path / "j.db")
    with pytest.raises(JournalError) as refusal:
        Journal(tmp_path / "j.db")
    assert refusal.value.code == "in-use"
    journal.close()


def test_a_journal_of_another_box_is_refused(tmp_path: Path) -> None:
    new_journal(tmp_path / "j.db").close()
    other = Journal(tmp_path / "j.db")
    with pytest.raises(JournalError) as refusal:
        other.write_as("K-05", KEY)
    assert refusal.value.message == ("This journal belongs to box K-04, not to box K-05. Give it back its own card.")
    other.close()


def _garbage(path: Path) -> None:
    path.write_bytes(b"\x00\xffnot a journal" * 1000)


def _torn(path: Path) -> None:
    journal = new_journal(path)
    for n in range(200):
        journal.append(HERE, counted(n), at(n))
    journal.close()
    os.truncate(path, path.stat().st_size // 2)


def _changed(path: Path) -> None:
    journal = new_journal(path)
    for n in range(1, 4):
        journal.append(HERE, counted(n), at(n))
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_stay")
        db.execute(
            "UPDATE events SET payload = CAST(replace(payload, '\"hand\":2', '\"hand\":3') AS BLOB) WHERE seq = 2"
        )


def _missing(path: Path) -> None:
    journal = new_journal(path)
    for n in range(1, 4):
        journal.append(HERE, counted(n), at(n))
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_kept")
        db.execute("DELETE FROM events WHERE seq = 2")


@pytest.mark.parametrize("damage", [_garbage, _torn, _changed, _missing])
def test_a_damaged_journal_is_refused_in_words(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "journal.db"
    damage(path)
    with pytest.raises(JournalError) as refusal:
        Journal(path)
    assert refusal.value.code == "damaged"
    assert "The director can give this table another box" in refusal.value.message


def test_a_journal_that_may_not_be_written_is_refused_in_words() -> None:
    folder = Path(tempfile.mkdtemp())
    new_journal(folder / "journal.db").close()
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    was = os.geteuid()
    try:
        if was == 0:
            os.seteuid(65_534)
        with pytest.raises(JournalError) as refusal:
            Journal(folder / "journal.db")
    finally:
        os.seteuid(was)
        folder.chmod(0o755)
        shutil.rmtree(folder)
    assert refusal.value.code == "cannot-write"
    assert "Look at the disk and who may write there" in refusal.value.message


@settings(max_examples=20, deadline=None)
@given(st.lists(st.one_of(st.integers(0, 12), st.just("append"), st.just("renew")), max_size=25))
def test_the_outbox_is_always_what_no_ack_covers(steps: list[int | str]) -> None:
    """Whatever comes in which order: acked and waiting events together are the line, without gap or repetition."""
    with tempfile.TemporaryDirectory() as folder:
        journal = new_journal(Path(folder) / "j.db")
        hand = 0
        for step in steps:
            if step == "append":
                hand += 1
                journal.append(HERE, counted(hand), at(hand))
            elif step == "renew":
                journal.renew("a test")
            else:
                mine = [event for event in journal.events() if event.epoch == journal.head.epoch]
                if isinstance(step, int) and step < len(mine):
                    journal.acked(ack(journal, mine[step]))
        line = journal.events()
        waiting = journal.outbox(1000)
        assert [event.body["hand"] for event in line] == list(range(1, hand + 1))
        assert [event.prev for event in line] == [None, *ids(line[:-1])][: len(line)]
        assert journal.unsent == len(waiting)
        assert [event for event in line if event in waiting] == waiting
        journal.close()
        Journal(Path(folder) / "j.db").close()
