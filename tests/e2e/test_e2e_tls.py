"""A provisioned venue in real processes: mosquitto with TLS, the hub, and boxes that run from their own bundles."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from free_ports import free_port
from room_parts import (
    RoomProcesses,
    exported,
    recorded_in_journals,
    recorded_in_ledger,
    wait_for,
)

from deploy.room import open_room

PACE = ("--speed", "500")


class VenueProcesses(RoomProcesses):
    """The parts of a venue, each on the files that it would have on its own machine."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.folder = folder
        self.broker_port, self.http_port = free_port(), free_port()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.said = self.provision(
            "--venue", "hall", "--hub-host", "localhost", "--kiosks", str(tables),
            "--port", str(self.broker_port), "--listen", "127.0.0.1",
        )  # fmt: skip
        self.room = open_room(folder)
        self.boxes = sorted(self.room.known_kiosks())

    def provision(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "deploy.cli", "provision", "--data", str(self.folder), *words],
            check=True, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        return done.stdout + done.stderr

    def robot(self, box: str, *words: str) -> None:
        bundle = self.folder / "bundles" / box
        self._tallybox(box, "kiosk", "--data", str(bundle), "--box", box, "--robot", "7", *words)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8")

    def connected(self, box: str) -> int:
        """How often the broker let a box in, by the name in its certificate."""
        log = self.folder / "broker" / "mosquitto.log"
        return log.read_text("utf-8").count(f"u'{box}')") if log.exists() else 0

    def types(self) -> list[str]:
        """The types of all that the hub took down so far, read behind its back; none before its first line."""
        try:
            with closing(sqlite3.connect(f"file:{self.folder / 'hub' / 'ledger.sqlite'}?mode=ro", uri=True)) as ledger:
                return [json.loads(row[0])["event"]["type"] for row in ledger.execute("SELECT line FROM ledger")]
        except sqlite3.OperationalError:
            return []


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[VenueProcesses]:
    parts = VenueProcesses(tmp_path, 2)
    yield parts
    parts.stop()


@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_a_round_is_played_over_tls_by_boxes_that_hold_their_own_bundle_alone(venue: VenueProcesses) -> None:
    (venue.folder / "authority").rename(venue.folder.parent / f"{venue.folder.name}-drawer")
    venue.hub("--with-broker", "--template", "capitol-4", "--hands", "1", "--autopilot", *PACE)
    for box in venue.boxes:
        venue.robot(box, *PACE)
    wait_for("both sheets of round 1 accepted", lambda: venue.types().count("sheet.accepted") >= 2, 200)
    for box in venue.boxes:
        venue.kill(box)
    lines = exported(venue.folder)
    accepted = [line["event"] for line in lines if line["event"]["type"] == "sheet.accepted"]
    assert {(event["round"], event["body"].get("table", event["table"])) for event in accepted[:2]} == {(1, 1), (1, 2)}
    in_ledger = recorded_in_ledger(lines)
    assert set(in_ledger.values()) == {1}
    played = recorded_in_journals(venue.folder / "bundles" / "K-01") + recorded_in_journals(
        venue.folder / "bundles" / "K-02"
    )
    assert in_ledger.keys() <= played.keys()
    signed_by = {
        (event["kiosk"], event["table"]) for line in lines if (event := line["event"])["type"] == "hand.recorded"
    }
    assert len(signed_by) >= 2
    assert "with TLS; boxes show their certificates" in venue.log("hub")
    assert "do more than it may" not in venue.log("K-01") + venue.log("K-02")
    assert "one_box_speaks_for_another" not in venue.log("hub")
    _no_secret_was_said(venue)


def _no_secret_was_said(venue: VenueProcesses) -> None:
    code = (venue.folder / "hub" / "set-up-code").read_text().strip()
    keys = [re.sub(r"-----[A-Z ]+-----|\s", "", path.read_text())[:60] for path in venue.folder.rglob("*.key")]
    assert len(keys) == 7
    said = venue.said + "".join(path.read_text("utf-8", "replace") for path in venue.folder.rglob("*.log"))
    assert "Nobody can sign in yet" in said
    assert [secret for secret in [code, *keys] if secret in said] == []


@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_a_box_with_a_new_certificate_goes_on_and_one_that_was_taken_off_is_turned_away(venue: VenueProcesses) -> None:
    venue.hub("--with-broker", "--template", "capitol-4", "--hands", "1")
    venue.robot("K-01", *PACE)
    wait_for("box K-01 is heard", lambda: venue.connected("K-01") == 1, 100)
    venue.kill("K-01")
    key = venue.folder / "bundles" / "K-01" / "kiosks" / "K-01" / "tls" / "own.key"
    key.chmod(0o644)
    venue.robot("K-01", *PACE)
    wait_for("box K-01 says that its key lies open", lambda: f"chmod 600 {key}" in venue.log("K-01"), 100)
    venue.kill("K-01")
    venue.provision("--renew", "K-01")
    venue.robot("K-01", *PACE)
    wait_for("box K-01 is heard with its new certificate", lambda: venue.connected("K-01") >= 2, 100)
    venue.stop()
    answer = json.loads(venue.provision("--revoke", "K-02").splitlines()[0])
    assert answer["kiosks"]["K-02"]["withdrawn"] is not None
    venue.hub("--with-broker")
    venue.robot("K-02", *PACE)
    wait_for("box K-02 says why", lambda: "the broker turns this box away" in venue.log("K-02"), 100)
    assert venue.connected("K-02") == 0
    assert "K-02" not in {line["event"]["kiosk"] for line in exported(venue.folder)}


@pytest.mark.e2e
@pytest.mark.timeout(240)
def test_the_demo_has_none_of_it_and_says_so(tmp_path: Path) -> None:
    words = ("--headless", "--until-done", "--tables", "1", "--template", "capitol-4", "--hands", "1", "--speed", "500")
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "demo", "--data", str(tmp_path), *words],
        check=True, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert re.search(r"Broker: \w+ on 127\.0\.0\.1:\d+, this machine only, no keys asked\.", done.stderr)
    assert [path.name for path in tmp_path.rglob("*.crt")] == []
