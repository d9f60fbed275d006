"""Backups while the hub writes, the way back, and a power cut at every step of both."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS, TOPICS, Bench
from hub_fake_kiosk import FakeKiosk
from hub_killed_copying import killed
from hub_whole_night import play_round
from waiting import until

from hub.accepting.keeper import RESTORED, Keeper
from hub.errors import HubError, LedgerError
from hub.hub import Hub
from hub.record.backup import back_up, restore
from hub.record.engine import ledger_url
from hub.record.ledger import Ledger
from hub.timekeeping import HubTime
from tallybox.envelope import HubEvent
from tallybox.events import table as bodies
from tallybox.ledger_line import LedgerLine, event_of
from tallybox.proof.verifier import Verifier


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "hub")


@pytest.fixture(autouse=True)
def hub_folder(tmp_path: Path) -> Path:
    (tmp_path / "hub").mkdir()
    return tmp_path / "hub"


def lines_in(folder: Path, name: str = "ledger.sqlite") -> list[LedgerLine]:
    ledger = Ledger(ledger_url(folder, name))
    lines = list(ledger.lines())
    ledger.close()
    return lines


def test_a_backup_while_the_hub_writes_is_the_ledger_at_one_moment(bench: Bench, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        kiosk = FakeKiosk("K-01")
        while not stop.is_set():
            bench.take(*[kiosk.say(bodies.DirectorCalled(reason=f"{n}")) for n in range(5)])

    writing = threading.Thread(target=write)
    writing.start()
    try:
        verdicts = []
        for number in range(3):
            before = bench.ledger.head_seq
            until(lambda before=before: bench.ledger.head_seq >= before + 10)  # type: ignore[misc]
            verdicts.append(back_up(bench.folder, tmp_path / f"copy-{number}.sqlite"))
    finally:
        stop.set()
        writing.join()
    whole = list(bench.ledger.lines())
    for number, verdict in enumerate(verdicts):
        copied = lines_in(tmp_path, f"copy-{number}.sqlite")
        assert (verdict.ok, verdict.events) == (True, len(copied))
        assert copied == whole[: len(copied)]
    assert [verdict.events for verdict in verdicts] == sorted({verdict.events for verdict in verdicts})


def test_a_backup_is_one_file_that_nothing_was_left_beside(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copies" / "night.sqlite")
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["night.sqlite"]
    with pytest.raises(LedgerError, match="is there already") as refused:
        back_up(bench.folder, tmp_path / "copies" / "night.sqlite")
    assert refused.value.code == "exists"


def test_a_backup_is_for_its_owner_alone_as_it_holds_what_proves_pins(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    assert stat.S_IMODE((tmp_path / "copy.sqlite").stat().st_mode) == 0o600


def test_two_backups_at_once_never_take_each_others_half(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    before = [line.hash for line in bench.ledger.lines()]
    for turn in range(5):
        came: list[str] = []

        def copy(name: str, came: list[str] = came) -> None:
            try:
                came.append(f"{back_up(bench.folder, tmp_path / 'copies' / name).events} lines")
            except LedgerError as reason:
                came.append(reason.code)

        both = [threading.Thread(target=copy, args=(f"copy-{turn}.sqlite",)) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join()
        assert f"{len(before)} lines" in came
        assert set(came) - {f"{len(before)} lines"} <= {"backup-running", "exists"}
        assert [line.hash for line in lines_in(tmp_path / "copies", f"copy-{turn}.sqlite")] == before


def test_a_restored_hub_has_a_new_epoch_and_waits_for_the_directors_word(bench: Bench, tmp_path: Path) -> None:
    kiosks = bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    kept = list(bench.ledger.lines())
    play_round(bench, kiosks)
    lost = list(bench.ledger.lines())
    bench.ledger.close()
    done = restore(bench.folder, tmp_path / "copy.sqlite")
    assert done.former == bench.folder / "ledger-before-1.sqlite"
    assert lines_in(bench.folder, "ledger-before-1.sqlite") == lost
    bench.open()
    assert (list(bench.ledger.lines()), bench.keeper.epoch, bench.keeper.doubt) == (kept, 2, RESTORED)
    head = bench.ledger.head_seq
    [ack] = bench.take(*[event for event in kiosks[0].journal if event.seq == 1])
    assert (ack.ack.upto, bench.keeper.doubt) == (1, RESTORED)
    assert [line.event["type"] for line in bench.ledger.lines(head + 1)] == ["key.trusted", "claim.made"]
    bench.restart()
    doubts = [bench.keeper.doubt]
    bench.director.confirm_restored("dana", "The morning's copy is what we have")
    doubts.append(bench.keeper.doubt)
    bench.restart()
    assert [*doubts, bench.keeper.doubt] == [RESTORED, None, None]
    own = [event for line in bench.ledger.lines() if isinstance(event := event_of(line), HubEvent)]
    assert {event.epoch for event in own} >= {"1", "2"}
    assert Verifier().run(text for text in bench.ledger.encoded()).events == bench.ledger.head_seq


def test_tables_give_back_what_the_backup_lacks(bench: Bench, tmp_path: Path) -> None:
    first, second = bench.create()
    for kiosk in (first, second):
        bench.seat(kiosk)
    bench.director.start_clock("dana")
    back_up(bench.folder, tmp_path / "copy.sqlite")
    first.clock()
    said = [*first.sit(), *first.play_hand()]
    bench.take(*said)
    table = bench.table(1, 1)
    bench.ledger.close()
    restore(bench.folder, tmp_path / "copy.sqlite")
    bench.open()
    assert bench.keeper.acks(first.box)[-1].ack.upto == 1
    bench.take(*said)
    bench.director.confirm_restored("dana", "Everything is here again")
    assert (bench.table(1, 1).journal, bench.table(1, 1).score) == (table.journal, table.score)


def test_a_backup_of_a_restored_hub_that_was_confirmed_can_be_restored_again(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    for number in (1, 2):
        back_up(bench.folder, tmp_path / f"{number}.sqlite")
        bench.ledger.close()
        done = restore(bench.folder, tmp_path / f"{number}.sqlite")
        assert done.former == bench.folder / f"ledger-before-{number}.sqlite"
        bench.open()
        assert bench.keeper.doubt == RESTORED
        bench.director.confirm_restored("dana", "Again")
        assert bench.keeper.doubt is None


def test_nothing_is_restored_over_a_running_hub(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.ledger.close()
    hub = Hub(bench.folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=9)
    try:
        with pytest.raises(HubError, match="A hub is running"):
            restore(bench.folder, tmp_path / "copy.sqlite")
    finally:
        hub._ledger.close()
        hub._lock.close()


def spoilt(folder: Path, name: str) -> Path:
    """A backup in which somebody changed a line behind the hub's back."""
    path = folder / name
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER ledger_no_update")
        raw.execute("UPDATE ledger SET line = replace(line, 'Spring', 'Autumn') WHERE ledger_seq = 2")
    raw.close()
    return path


def test_what_is_no_whole_backup_is_refused_and_nothing_changes(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    before = list(bench.ledger.lines())
    bench.ledger.close()
    (tmp_path / "text.sqlite").write_text("This is a letter, not a ledger. " * 100)
    shutil.copy(tmp_path / "copy.sqlite", tmp_path / "torn.sqlite")
    with (tmp_path / "torn.sqlite").open("r+b") as torn:
        torn.truncate((tmp_path / "copy.sqlite").stat().st_size // 2)
    shutil.copy(tmp_path / "copy.sqlite", tmp_path / "spoilt.sqlite")
    (tmp_path / "empty.sqlite").touch()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.executescript("CREATE TABLE journal (seq INTEGER PRIMARY KEY, event BLOB); PRAGMA user_version = 1")
    for source, code in (
        (tmp_path / "text.sqlite", "ledger-unreadable"), (tmp_path / "torn.sqlite", "ledger-unreadable"),
        (tmp_path / "nowhere.sqlite", "ledger-unreadable"), (spoilt(tmp_path, "spoilt.sqlite"), "backup-broken"),
        (tmp_path / "empty.sqlite", "ledger-unreadable"), (tmp_path / "journal.sqlite", "ledger-unreadable"),
    ):  # fmt: skip
        with pytest.raises(LedgerError) as refused:
            restore(bench.folder, source)
        assert refused.value.code == code, source
        assert sorted(path.name for path in bench.folder.iterdir()) == ["hub.lock", "ledger.sqlite"]
        assert lines_in(bench.folder) == before


def test_a_ledger_that_is_damaged_itself_is_kept_with_its_parts(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    bench.ledger.close()
    (bench.folder / "ledger.sqlite").write_bytes(b"damaged")
    (bench.folder / "ledger.sqlite-wal").write_bytes(b"what was on its way")
    done = restore(bench.folder, tmp_path / "copy.sqlite")
    assert done.former is not None
    assert (done.former.read_bytes(), Path(f"{done.former}-wal").read_bytes()) == (b"damaged", b"what was on its way")
    assert len(lines_in(bench.folder)) == done.verdict.events


def test_a_place_that_cannot_be_written_is_a_sentence(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="cannot be written") as refused:
        back_up(bench.folder, tmp_path / "file" / "copy.sqlite")
    assert refused.value.code == "cannot-write"


def test_a_backup_of_a_ledger_with_faults_is_made_and_says_so(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    bench.ledger.close()
    spoilt(bench.folder, "ledger.sqlite")
    verdict = back_up(bench.folder, tmp_path / "copy.sqlite")
    assert [(fault.line, fault.what) for fault in verdict.faults] == [(2, "altered")]
    assert (tmp_path / "copy.sqlite").exists()


def test_a_backup_killed_at_any_step_leaves_none_or_a_whole_one(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    lines = list(bench.ledger.lines())
    number, target = 1, tmp_path / "copy.sqlite"
    while killed(lambda: back_up(bench.folder, target), number):
        assert list(bench.ledger.lines()) == lines
        if target.exists():
            assert lines_in(tmp_path, "copy.sqlite") == lines
            target.unlink()
        number += 1
    assert lines_in(tmp_path, "copy.sqlite") == lines
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "hub"]
    assert number > 7


def test_a_restore_killed_at_any_step_leaves_the_old_ledger_or_the_restored_one(bench: Bench, tmp_path: Path) -> None:
    bench.create()
    back_up(bench.folder, tmp_path / "copy.sqlite")
    kept = list(bench.ledger.lines())
    bench.director.announce("dana", "After the copy")
    lost = list(bench.ledger.lines())
    bench.ledger.close()
    shutil.copytree(bench.folder, tmp_path / "as it was")
    seen: set[int] = set()
    number = 1
    while True:
        shutil.rmtree(bench.folder)
        shutil.copytree(tmp_path / "as it was", bench.folder)
        died = killed(lambda: restore(bench.folder, tmp_path / "copy.sqlite"), number)
        ledger = Ledger(ledger_url(bench.folder))
        now = list(ledger.lines())
        assert now in (kept, lost), number
        assert (ledger.restored_after is not None) == (now == kept)
        keeper = Keeper(ledger, topics=TOPICS, key=HUB_KEY, kiosks=KEYS, time=HubTime(lambda: 1.0, lambda: 1e9))
        assert (keeper.doubt == RESTORED) == (now == kept)
        ledger.close()
        if now == kept:
            assert lines_in(bench.folder, "ledger-before-1.sqlite") == lost
        seen.add(len(now))
        if not died:
            break
        number += 1
    assert seen == {len(kept), len(lost)}
    assert number > 8
