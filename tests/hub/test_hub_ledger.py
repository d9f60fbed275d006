"""The ledger on real SQLite: chained, append-only, all or nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hub_bench import HUB_KEY
from hub_fake_kiosk import FakeKiosk

from hub.errors import LedgerError
from hub.record.engine import ledger_url
from hub.record.export import export
from hub.record.ledger import MOST_IDS, QUARANTINE_KEPT, Ledger, Pending, QuarantinedPayload
from tallybox.envelope import At, Fact, Head, Occasion, authentic, event_id, follow_hub
from tallybox.events import table as bodies
from tallybox.ledger_line import FIRST_PREV, decode_line, event_of, line_hash
from tallybox.seats import Seat


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(ledger_url(tmp_path))


def batch(length: int, box: str = "K-01") -> list[Pending]:
    kiosk = FakeKiosk(box)
    return [Pending(kiosk.say(bodies.DealerDrawn(seat=Seat.N)), 1_000 + n) for n in range(length)]


def odd(payload: str = "a" * 64, at: int = 5) -> QuarantinedPayload:
    return QuarantinedPayload(payload, "t", "undecodable", "It cannot be read.", 3, b"{{{", at)


def test_lines_are_chained_and_read_back_as_they_were_stored(ledger: Ledger, tmp_path: Path) -> None:
    first = ledger.append(batch(3))
    second = ledger.append(batch(2, "K-02"))
    lines = [*first, *second]
    assert [line.ledger_seq for line in lines] == [1, 2, 3, 4, 5]
    assert [line.prev_hash for line in lines] == [FIRST_PREV, *(line.hash for line in lines[:-1])]
    assert list(ledger.lines()) == lines
    assert list(ledger.lines(4)) == second
    again = Ledger(ledger_url(tmp_path))
    assert (again.head, again.head_seq) == (lines[-1], 5)


def test_the_export_is_the_ledger_and_proves_itself(ledger: Ledger) -> None:
    ledger.append(batch(3))
    key = FakeKiosk("K-01").key.public
    prev = FIRST_PREV
    exported = list(export(ledger))
    for number, text in enumerate(exported, start=1):
        line = decode_line(text.rstrip(b"\n"))
        assert (line.ledger_seq, line.prev_hash, line.hash) == (number, prev, line_hash(line))
        event = event_of(line)
        assert (event_id(event), authentic(event, key)) == (line.id, True)
        prev = line.hash
    assert len(exported) == 3


def test_lines_are_found_by_the_ids_of_their_events_however_many(ledger: Ledger) -> None:
    lines = ledger.append(batch(MOST_IDS + 2))
    assert ledger.lines_of([lines[3].id, "f" * 64]) == {lines[3].id: lines[3]}
    assert ledger.lines_of(line.id for line in lines) == {line.id: line for line in lines}
    assert ledger.lines_of(()) == {}


def test_the_database_itself_refuses_to_change_or_remove_a_line(ledger: Ledger, tmp_path: Path) -> None:
    lines = ledger.append(batch(2))
    with sqlite3.connect(tmp_path / "ledger.sqlite") as raw:
        for statement in ("UPDATE ledger SET line = x'00'", "DELETE FROM ledger WHERE ledger_seq = 2"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)
    assert list(ledger.lines()) == lines


def test_a_second_event_at_one_place_is_refused_with_the_whole_batch(ledger: Ledger) -> None:
    ledger.append(batch(1))
    other = FakeKiosk("K-01").say(bodies.DealerDrawn(seat=Seat.S))
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.append([*batch(1, "K-02"), Pending(other, 9)])
    assert ledger.head_seq == 1
    assert len(list(ledger.lines())) == 1
    branch = ledger.append([Pending(other, 9, branch=True)])
    assert [line.branch for line in branch] == [True]


def test_commits_are_durable_before_they_are_reported(ledger: Ledger, tmp_path: Path) -> None:
    with ledger._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
    assert (tmp_path / "ledger.sqlite").exists()


def test_a_full_disk_is_a_sentence_and_changes_nothing(ledger: Ledger) -> None:
    ledger.append(batch(1))
    with ledger._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        big = FakeKiosk("K-03")
        events = [big.say(bodies.DirectorCalled(reason="x" * 280)) for _ in range(300)]
    with pytest.raises(LedgerError, match="Make room on the disk"):
        ledger.append([Pending(event, 1) for event in events])
    assert ledger.head_seq == 1
    assert [line.ledger_seq for line in ledger.lines()] == [1]


def test_a_quarantined_payload_stays_outside_the_chain_and_is_counted(ledger: Ledger) -> None:
    ledger.append((), (odd(), odd("b" * 64, at=6)))
    ledger.append(batch(1), (odd(at=7),))
    first, second = ledger.quarantined()
    assert (first.payload, first.times, first.received_at) == ("a" * 64, 2, 7)
    assert second == odd("b" * 64, at=6)
    assert ledger.head_seq == 1


def test_a_flood_of_odd_payloads_pushes_out_the_oldest(ledger: Ledger) -> None:
    ledger.append((), [odd(f"{number:064x}", at=number) for number in range(QUARANTINE_KEPT)])
    ledger.append((), [odd(f"{number:064x}", at=number) for number in range(QUARANTINE_KEPT, QUARANTINE_KEPT + 3)])
    kept = ledger.quarantined(QUARANTINE_KEPT * 2)
    assert (len(kept), kept[0].received_at, kept[-1].received_at) == (QUARANTINE_KEPT, QUARANTINE_KEPT + 2, 3)


def test_the_clock_mark_never_goes_behind_the_last_line(ledger: Ledger) -> None:
    seen = [ledger.last_mark]
    ledger.mark(400)
    seen.append(ledger.last_mark)
    ledger.append(batch(1))
    seen.append(ledger.last_mark)
    ledger.mark(2_000)
    ledger.mark(3_000)
    seen.append(ledger.last_mark)
    assert seen == [None, 400, 1_000, 3_000]


def test_a_hub_event_and_a_table_event_share_one_chain(ledger: Ledger) -> None:
    said = follow_hub(
        Head("1", 0, None), Occasion("t"), Fact("announcement.made", {"actor": "dana", "text": "Lunch"}),
        At(wall=1, mono=1, synced=False), HUB_KEY,
    )  # fmt: skip
    lines = ledger.append([*batch(1), Pending(said, 5)])
    assert event_of(lines[1]) == said


@pytest.mark.parametrize("url", ["nonsense", "oracle://x"])
def test_an_address_that_is_no_ledger_is_a_sentence(url: str) -> None:
    with pytest.raises(LedgerError, match=r"SQLite|sqlite"):
        Ledger(url)


def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"not a database, however long it is " * 100)
    with pytest.raises(LedgerError, match="cannot be opened"):
        Ledger(ledger_url(tmp_path))
