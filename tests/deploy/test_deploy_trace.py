"""tallybox trace over an evening that robots really played: bytes into a pseudo-terminal, up to the foot of the PDF."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from document_reader import codes, flat
from hub_bench import Bench
from waiting import until

from deploy.cli import main
from deploy.demo import Plan, demo_room
from deploy.hub_service import HubService, open_hub
from deploy.room import open_room
from deploy.trace.asked import found
from deploy.trace.path import path
from deploy.trace.record import Known, Record
from kiosk.config import read_box_key
from kiosk.journal.journal import Journal
from kiosk.journal.outside import journalled
from tallybox.envelope import At, Head, Occasion, event_id, follow_kiosk
from tallybox.events import fact
from tallybox.events import table as ev
from tallybox.events.rulings import SignatureWaived
from tallybox.events.table import SheetSigned, SheetSubmitted
from tallybox.proof.trust import read_trust
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table.shown import sheet_digest

WAY = ["frame", "journalled", "committed", "acked", "call", "hand", "recorded", "sheet", "signed", "signed",
       "submitted", "accepted", "checkpoint", "paper"]  # fmt: skip


@dataclass(frozen=True)
class Evening:
    """A room's folder after one short tournament, and its ledger as it was exported."""

    folder: Path
    export: Path

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.export.read_text().splitlines()]

    def first(self, kind: str, **body: object) -> dict[str, Any]:
        return next(
            line for line in self.lines
            if line["event"]["type"] == kind and all(line["event"]["body"].get(k) == v for k, v in body.items())
        )  # fmt: skip


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening") / "room"
    plan = Plan(tables=1, template="capitol-4", hands=1, speed=400, seed=1, data=folder, port=0,
                until_done=True, screen=False)  # fmt: skip
    with demo_room(plan, lambda _said: None) as room:
        box = room.tables[0].box
        until(lambda: room.service.hub.tournament.checkpoints and box.view.unsent == 0)
    export = folder.parent / "ledger.ndjson"
    export.write_text(run("export", "--data", str(folder)))
    return Evening(folder, export)


def run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", *words], check=False, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def traced(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["trace", *words, "--json"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return said


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["trace", *words]) == 2
    return str(json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["code"])


@contextmanager
def hub_of(evening: Evening) -> Iterator[HubService]:
    service = open_hub(open_room(evening.folder), port=0)
    try:
        yield service
    finally:
        service.stop()


def test_a_cards_path_leads_from_the_readers_frame_to_the_foot_of_the_pdf(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    card = next(
        line for line in evening.lines if line["event"]["type"] == "card.read" and "call" in line["event"]["body"]
    )
    said = traced(capsys, card["id"][:12], "--data", str(evening.folder), "--kiosk", str(evening.folder))
    assert (said["id"], [each["station"] for each in said["path"]]) == (card["id"], WAY)
    by = {each["station"]: each for each in said["path"]}
    stamp, event = card["event"]["body"]["stamp"], card["event"]
    assert {key: by["frame"][key] for key in ("reader", "boot", "frame", "ms")} == {
        "reader": stamp["id"], "boot": stamp["boot"], "frame": stamp["seq"], "ms": stamp["ms"],
    }  # fmt: skip
    assert (by["journalled"]["at"], by["journalled"]["mono"], by["journalled"]["synced"]) == (
        event["at"]["wall"], event["at"]["mono"], event["at"]["synced"],
    )  # fmt: skip
    assert (by["committed"]["ledger_seq"], by["committed"]["at"]) == (card["ledger_seq"], card["received_at"])
    with hub_of(evening) as service:
        document = httpx.get(f"{service.server.url.rstrip('/')}{by['paper']['document']}", timeout=30).content
    submitted = evening.first("sheet.submitted", digest=by["sheet"]["digest"])["id"]
    text = flat(document)
    assert f"seal {by['paper']['seal']}" in text
    assert f"Handed in by event {submitted[:16]}" in text
    assert by["submitted"]["id"] == submitted


def test_every_name_of_a_thing_leads_to_it(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", str(evening.export))
    card = evening.first("card.read")
    stamp = card["event"]["body"]["stamp"]
    assert traced(capsys, f"{stamp['id']}/{stamp['boot']}/{stamp['seq']}", *data)["id"] == card["id"]
    submitted = evening.first("sheet.submitted")
    digest = submitted["event"]["body"]["digest"]
    by_digest = traced(capsys, digest[:8], *data)
    assert (by_digest["sheet"], by_digest["digest"]) == ("R1-T1", digest)
    assert [each["station"] for each in by_digest["path"]] == [
        "recorded", "sheet", "signed", "signed", "submitted", "accepted", "checkpoint", "paper",
    ]  # fmt: skip
    seal = f"{digest[:4]}-{digest[4:8]}".upper()
    code = f"TALLYBOX:1:SPRING:R1-T1:V1:{digest.upper()}"
    assert traced(capsys, seal, *data) == traced(capsys, code, *data) == by_digest
    assert traced(capsys, submitted["id"], *data)["path"][-1]["seal"] == seal


def test_the_codes_on_the_papers_are_what_the_hub_signed(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hub_of(evening) as service:
        url = service.server.url.rstrip("/")
        sheet = httpx.get(f"{url}/documents/sheets/R1-T1.pdf", timeout=30).content
        last = httpx.get(f"{url}/documents/standings.pdf?paper=letter", timeout=30).content
    on_sheet = [text for text in codes(sheet) if "CHECKPOINT" in text]
    on_standings = codes(last)
    assert [text.split(":")[3] for text in (*on_sheet, *on_standings)] == ["R1", "R1"]
    assert "The standings on this paper are those that it signed for." in flat(last)
    capsys.readouterr()
    assert main(["export", "--data", str(evening.folder), "--keys"]) == 0
    keys = capsys.readouterr().out
    trust = read_trust(keys, "keys")
    assert {*on_sheet, *on_standings} <= set(re.findall(r'"(TALLYBOX[^"]+)"', keys))
    assert [made.round for made in trust.checkpoints][:1] == [1]
    (tmp_path / "keys.toml").write_text(keys)
    assert main(["verify", str(evening.export), "--trust", str(tmp_path / "keys.toml")]) == 0


def test_people_read_the_same_path_with_local_times(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    card = evening.first("card.read")
    assert main(["trace", card["id"], "--data", str(evening.folder)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"id {card['id']}, type card.read, box K-01, round 1, table 1")
    assert [line.split()[0] for line in said[2:]] == WAY
    assert re.match(r"committed   \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} hub   ledger line ", said[4])


def test_it_reads_while_the_hub_runs_and_leaves_no_trace_of_its_own(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(entry.name for entry in (evening.folder / "hub").iterdir())
    first = evening.first("tournament.created")["id"]
    assert traced(capsys, first, "--data", str(evening.folder))["type"] == "tournament.created"
    assert sorted(entry.name for entry in (evening.folder / "hub").iterdir()) == before
    with hub_of(evening) as service:
        service.hub.director.announce("director", "Coffee is ready.")
        made = [line for line in service.hub.ledger.lines() if line.event["type"] == "announcement.made"][-1]
        said = traced(capsys, made.id, "--data", str(evening.folder / "hub"))
        assert [each["station"] for each in said["path"]] == ["journalled", "committed"]


def test_what_no_hub_has_yet_is_found_in_the_boxs_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event, older = journal_with_a_renewed_card(tmp_path / "journal.sqlite")
    said = traced(capsys, event, "--kiosk", str(tmp_path))
    assert [each["station"] for each in said["path"]] == ["frame", "journalled", "renews", "unsent"]
    assert said["path"][2]["id"] == older
    assert traced(capsys, older, "--kiosk", str(tmp_path))["path"][2]["station"] == "renewed"
    assert traced(capsys, "reader/b1/7", "--kiosk", str(tmp_path))["id"] == event, "the newest of the same fact counts"


def journal_with_a_renewed_card(path_: Path) -> tuple[str, str]:
    """A card that was journalled twice: its first epoch was given up before the hub had it."""
    journal = Journal(path_)
    folder = path_.parent
    (folder / "box.key").write_text("07" * 32)
    (folder / "box.key").chmod(0o600)
    journal.write_as("K-01", read_box_key(folder / "box.key"))
    stamp = ev.DeviceStamp(id="reader", boot="b1", seq=7, ms=900)
    at = At(wall=1_790_000_000_000, mono=1, synced=False)
    journal.append(Occasion("spring", 1, 1, 1), fact(ev.CardRead(seat=Seat.N, card="04AA", stamp=stamp)), at)
    journal.renew("the hub could not read it")
    journal.close()
    old, new = journalled(path_)
    assert (old.renews, new.renews, new.acked) == (None, old.id, False)
    return new.id, old.id


def test_what_is_superseded_or_void_says_so() -> None:
    record = played_with_changes()
    ways = [(each.event.type, [at.name for at in path(record, each)]) for each in record.events.values()]
    assert ways == [
        ("hand.opened", ["journalled", "hand", "voided"]),
        ("hand.counted", ["journalled", "hand", "voided"]),
        ("hand.voided", ["journalled", "hand", "voided"]),
        ("hand.opened", ["journalled", "hand"]),
        ("result.entered", ["journalled", "superseded", "hand"]),
        ("result.entered", ["journalled", "hand"]),
    ]


def played_with_changes() -> Record:
    """A table's events of a journal alone: a result entered twice, and a deal that was void."""
    record, head, key = Record(), Head("e1", 0, None), SigningKey(bytes(32))
    entered: list[str] = []
    for body in (
        ev.HandOpened(hand=1, dealer=Seat.N),
        ev.HandCounted(hand=1),
        ev.HandVoided(hand=1, reason="misdeal"),
        ev.HandOpened(hand=1, dealer=Seat.N),
        ev.ResultEntered(hand=1, books={Side.NS: 5, Side.EW: 8}),
        ev.ResultEntered(hand=1, books={Side.NS: 6, Side.EW: 7}),
    ):
        replaced = tuple(entered[-1:]) if isinstance(body, ev.ResultEntered) and entered else ()
        event = follow_kiosk(
            head, "K-01", Occasion("spring", 1, 1, 1), fact(body, replaced), At(wall=1, mono=1, synced=True), key
        )
        name = event_id(event)
        head = Head("e1", event.seq, name)
        record.events.setdefault(name, Known(name, event))
        entered += [name] if isinstance(body, ev.ResultEntered) and not entered else []
    return record


def test_what_officials_did_about_a_sheet_is_on_the_path_of_its_hands(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    kiosk, other = bench.create()
    for each in (kiosk, other):
        bench.seat(each)
    bench.director.start_clock("dana", 600)
    kiosk.clock()
    said = kiosk.play_round()
    refused = kiosk.say(ev.PlayStarted(hand=7))
    bench.take(*said, refused)
    bench.director.reopen_sheet("dana", 1, 1, "Look at hand 1 again.")
    digest = sheet_digest(kiosk.state)
    bench.take(
        kiosk.say(SheetSigned(side=Side.NS, seat=Seat.N, digest=digest, strokes=((1, 1, 900, 900),))),
        kiosk.say(SignatureWaived(side=Side.EW, digest=digest, official="dana", reason="They left for the train.")),
        kiosk.say(SheetSubmitted(digest=digest)),
    )
    bench.director.accept_sheet("dana", 1, 1)
    books = {"dealer": "N", "calls": ["4", "pass", "pass", "pass"], "books": {"NS": 5, "EW": 8}}
    bench.director.correct_hand("dana", 1, 1, hand=1, facts=books, reason="The books were counted again.")
    record = Record()
    record.add_ledger(bench.ledger.lines())
    counted = next(event_id(event) for event in said if event.type == "hand.counted")
    stations = path(record, record.events[counted])
    names = [each.name for each in stations]
    assert names[:5] == ["journalled", "committed", "acked", "hand", "recorded"]
    corrected = next(each for each in stations if "corrected by the desk" in each.words)
    assert corrected.facts["type"] == "hand.corrected"
    made = next(each for each in stations if each.name == "made")
    assert made.facts["id"] == corrected.facts["id"]
    assert [each.facts["version"] for each in stations if each.name == "sheet"] == [1, 2]
    assert {"signed", "waived", "submitted", "accepted", "reopened"} <= set(names)
    assert "East–West did not sign, an official waived it" in next(e.words for e in stations if e.name == "waived")
    no = path(record, record.events[event_id(refused)])
    assert next(each for each in no if each.name == "refused").facts["code"]


def test_a_branch_of_an_old_card_is_told_apart(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    kiosk, _other = bench.create()
    bench.seat(kiosk)
    before = kiosk.head
    bench.take(kiosk.say(ev.DirectorCalled(reason="one past")))
    kiosk.head = before
    branch = kiosk.say(ev.DirectorCalled(reason="another past"))
    bench.take(branch)
    record = Record()
    record.add_ledger(bench.ledger.lines())
    stations = path(record, record.events[event_id(branch)])
    assert [each.name for each in stations] == ["journalled", "committed", "acked", "aside"]
    assert stations[1].facts["branch"] is True
    assert stations[1].words.endswith("as a branch: another past than the one that counts")


def test_what_is_not_there_or_not_one_thing_is_said_in_a_sentence(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ("--data", str(evening.export))
    assert refused(capsys, "12345678") == "usage"
    assert refused(capsys, "1234567", *data) == "not-an-id"
    assert refused(capsys, "no id at all", *data) == "not-an-id"
    assert refused(capsys, "f" * 64, *data) == "not-found"
    assert refused(capsys, "nobody/b1/1", *data) == "not-found"
    assert refused(capsys, "12345678", "--data", str(tmp_path / "none")) == "no-ledger"
    assert refused(capsys, "12345678", "--kiosk", str(tmp_path)) == "no-journal"
    (tmp_path / "odd.ndjson").write_text("{}\n")
    assert refused(capsys, "12345678", "--data", str(tmp_path / "odd.ndjson")) == "no-line"
    (tmp_path / "odd.sqlite").write_bytes(b"SQLite format 3\0" + os.urandom(2_000))
    assert refused(capsys, "12345678", "--data", str(tmp_path / "odd.sqlite")) == "ledger-unreadable"
    (tmp_path / "journal.sqlite").write_bytes(os.urandom(2_000))
    assert refused(capsys, "12345678", "--kiosk", str(tmp_path)) == "cannot-read"


def test_a_beginning_that_several_things_share_is_not_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    record = played_with_changes()
    twins = {f"aaaaaaaa{number}".ljust(64, "0"): each for number, each in enumerate(record.events.values())}
    record.events = {name: Known(name, each.event) for name, each in twins.items()}
    with pytest.raises(Exception, match=r"could be 6 things: hand\.opened aaaaaaaa0"):
        found(record, "aaaaaaaa")
