"""A hub and a box on two machines: found, cut off, moved, and back again, and nobody lifts a hand (docs/venue.md).

How long each may take, from the times in the product: an attempt to connect 3 s for each way, and as much again for
TLS; a wait of at most 8 s between attempts; 8 of every 10 s spent listening for hints; a connection that died without
a word is noticed within 15 s. So a box is back within a minute of whatever happens, and far sooner mostly.

``make two-hosts`` goes all the way; every run of the tests the first part of it. Both need root.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from room_parts import wait_for
from two_hosts import TwoHosts

WHOLE = os.environ.get("TALLYBOX_TWO_HOSTS") == "whole"
TALLYBOX = (sys.executable, "-m", "deploy.cli")
A_DAY_BEHIND = ("faketime", "-m", "--exclude-monotonic", "-f", "-1d")
A_DAY = 24 * 3600 * 1000
PACE = ("--speed", "15")
BACK_WITHIN = 120.0
"""Seconds; twice what is promised, for a machine that has other things to do as well."""


class Venue:
    """The files of a venue with one box, and what its ledger holds so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "venue"
        self.bundle = self.folder / "bundles" / "K-01"
        subprocess.run(
            [*TALLYBOX, "provision", "--data", str(self.folder), "--venue", "hall", "--hub-host", "hub.hall",
             "--kiosks", "1", "--port", "8883"],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip

    def bids(self) -> bool:
        """Whether the first hand's auction has begun: from then on the box needs no hub."""
        return any('"call.made"' in json.dumps(line) for line in self.entries())

    def entries(self) -> list[dict[str, object]]:
        """What came from the box; nothing before the hub's first line."""
        try:
            with closing(sqlite3.connect(f"file:{self.folder / 'hub' / 'ledger.sqlite'}?mode=ro", uri=True)) as ledger:
                lines = [json.loads(row[0]) for row in ledger.execute("SELECT line FROM ledger ORDER BY seq")]
        except sqlite3.OperationalError:
            return []
        return [line for line in lines if line["event"]["kiosk"] == "K-01"]

    @property
    def found_at(self) -> str:
        """Where the box heard the hub last, as it keeps it."""
        memory = self.bundle / "kiosks" / "K-01" / "last-hub"
        return memory.read_text("ascii").split()[0] if memory.exists() else ""

    def plays_on(self, what: str) -> None:
        """More of what is played at the box reaches the ledger."""
        before = len(self.entries())
        wait_for(f"the box plays on: {what}", lambda: len(self.entries()) >= before + 3, BACK_WITHIN)


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[TwoHosts]:
    made = TwoHosts(tmp_path)
    try:
        yield made
    finally:
        made.stop()


@pytest.mark.e2e
@pytest.mark.timeout(600)
def test_hub_and_box_find_each_other_again_without_a_hand(hosts: TwoHosts, tmp_path: Path) -> None:
    venue = Venue(tmp_path)
    moved_to = hosts.address(hosts.hub, 9)
    hosts.address(hosts.box, 2)
    hosts.knows(hosts.box, "hub.hall", 1)
    hosts.start("hub", hosts.hub, *TALLYBOX, "hub", "--data", str(venue.folder), "--with-broker",
                "--template", "capitol-4", "--hands", "20", "--autopilot", *PACE)  # fmt: skip
    hosts.start("box", hosts.box, *A_DAY_BEHIND, *TALLYBOX, "kiosk", "--data", str(venue.bundle), "--robot", "7", *PACE)
    _a_hub_at_another_address_is_found_by_a_box_a_day_behind(venue, moved_to)
    _a_cable_is_pulled_and_put_back(hosts, venue)
    if WHOLE:
        _the_hub_gets_another_address_in_mid_play(hosts, venue)
        _hub_and_broker_begin_anew_elsewhere_while_the_cable_is_out(hosts, venue)
    hosts.end("box")
    names = {
        line for line in (venue.folder / "broker" / "mosquitto.log").read_text("utf-8").splitlines() if "u'" in line
    }
    assert {name.split("u'")[1].split("'")[0] for name in names} == {"hub", "K-01"}


def _a_hub_at_another_address_is_found_by_a_box_a_day_behind(venue: Venue, moved_to: str) -> None:
    """The name in its bundle leads the box astray; a hint and the certificate for that name put it right."""
    wait_for("the box finds the hub", lambda: venue.found_at == moved_to, BACK_WITHIN)
    wait_for("cards are laid", venue.bids, BACK_WITHIN)
    last = venue.entries()[-1]
    event = last["event"]
    assert isinstance(event, dict)
    behind = int(str(last["received_at"])) - int(event["at"]["wall"])
    assert abs(behind - A_DAY) < 60_000, "the box's own clock is a day behind"


def _a_cable_is_pulled_and_put_back(hosts: TwoHosts, venue: Venue) -> None:
    hosts.cable(plugged=False)
    before = len(venue.entries())
    journal = venue.bundle / "kiosks" / "K-01" / "journal.sqlite"
    wait_for("it is played on without a hub", lambda: _written(journal) > before + 3, BACK_WITHIN)
    assert len(venue.entries()) <= before + 1
    hosts.cable(plugged=True)
    wait_for("all that was played reaches the hub", lambda: len(venue.entries()) > before + 3, BACK_WITHIN)


def _written(journal: Path) -> int:
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as rows:
        return int(rows.execute("SELECT count(*) FROM events").fetchone()[0])


def _the_hub_gets_another_address_in_mid_play(hosts: TwoHosts, venue: Venue) -> None:
    moved_to = hosts.address(hosts.hub, 17, instead_of=9)
    wait_for("the box finds the hub again", lambda: venue.found_at == moved_to, BACK_WITHIN)
    venue.plays_on("at another address")


def _hub_and_broker_begin_anew_elsewhere_while_the_cable_is_out(hosts: TwoHosts, venue: Venue) -> None:
    hosts.cable(plugged=False)
    hosts.end("hub")
    moved_to = hosts.address(hosts.hub, 23, instead_of=17)
    hosts.start("hub", hosts.hub, *TALLYBOX, "hub", "--data", str(venue.folder), "--with-broker", "--autopilot", *PACE)
    hosts.cable(plugged=True)
    wait_for("the box finds the hub once more", lambda: venue.found_at == moved_to, BACK_WITHIN)
    venue.plays_on("with a hub that began anew")
