"""A room of real processes for end-to-end tests: mosquitto, hub and boxes, each ended by its own process id."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from free_ports import free_port

from deploy.room import Room, make_room
from hub.broker import mosquitto_program
from tallybox.rules.ruleset import ruleset_from_json
from tallybox.seats import Side
from tallybox.sheet import Opening, SheetFacts, hand_facts_from_json, score_sheet

Recorded = Counter[tuple[int, int, int, str]]
"""How often each recorded hand is there: (round, table, hand, event id)."""


def wait_for(what: str, come_true: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not come_true():
        if time.monotonic() > until:
            pytest.fail(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(0.05)


class RoomProcesses:
    """Starts parts by name, kills them hard, starts them again; what is left is ended by its own pid."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.folder = folder
        self.broker_port, self.http_port = free_port(), free_port()
        self.room: Room = make_room(
            folder, venue="e2e", boxes=tables, host="127.0.0.1", port=self.broker_port, random_bytes=os.urandom
        )
        self.boxes = sorted(self.room.known_kiosks())
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def broker(self) -> None:
        program = mosquitto_program()
        assert program is not None
        config = self.folder / "mosquitto.conf"
        config.write_text(f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self._start("broker", [program, "-c", str(config)])

    def hub(self, *words: str) -> None:
        self._tallybox("hub", "hub", "--data", str(self.folder), "--port", str(self.http_port), *words)

    def robot(self, box: str, *words: str) -> None:
        self._tallybox(box, "kiosk", "--data", str(self.folder), "--box", box, "--robot", "7", *words)

    def kill(self, name: str) -> None:
        """SIGKILL: no goodbye, no flush."""
        process = self._running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait(10)

    def stop(self) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        self._running.clear()

    def summary(self) -> dict[str, Any]:
        """What the dashboard tells programs; empty while the hub is away."""
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.http_port}/api/summary", timeout=5)
        except httpx.HTTPError:
            return {}
        return dict(answer.json()) if answer.status_code == 200 else {}

    def recorded(self) -> int:
        return int(self.summary().get("hands_recorded", -1))

    def _tallybox(self, name: str, *words: str) -> None:
        self._start(name, [sys.executable, "-m", "deploy.cli", *words])

    def _start(self, name: str, command: list[str]) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(command, stdout=log, stderr=log)


def exported(folder: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "export", "--data", str(folder)],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def recorded_in_ledger(lines: Iterable[Mapping[str, Any]]) -> Recorded:
    events = [(line["event"], line["id"]) for line in lines if "branch" not in line]
    return Counter(
        (event["round"], event["table"], event["body"]["hand"], name)
        for event, name in events
        if event["type"] == "hand.recorded"
    )


def recorded_in_journals(folder: Path) -> Recorded:
    """Read from the journals' own files, behind the boxes' backs."""
    found: Recorded = Counter()
    for path in sorted(folder.glob("kiosks/*/journal.sqlite")):
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        for name, raw in db.execute("SELECT id, payload FROM events"):
            event = json.loads(raw)
            if event["type"] == "hand.recorded":
                found[event["round"], event["table"], event["body"]["hand"], name] += 1
        db.close()
    return found


def standings_recomputed(lines: list[dict[str, Any]]) -> dict[int, tuple[int, int, int]]:
    """Hands won, points and Bostons by team, scored again from the exported facts alone; a play-off adds nothing."""
    events = [line["event"] for line in lines if "branch" not in line]
    created = next(event for event in events if event["type"] == "tournament.created")
    rules = ruleset_from_json(created["body"]["ruleset"])
    totals = {event["body"]["team"]: (0, 0, 0) for event in events if event["type"] == "team.registered"}
    for posted in (event for event in events if event["type"] == "round.published" and event["body"]["stage"] == 1):
        for pairing in posted["body"]["pairings"]:
            hands = tuple(
                hand_facts_from_json(event["body"]["facts"], rules.game)
                for event in events
                if event["type"] == "hand.recorded"
                and (event["round"], event["table"]) == (posted["round"], pairing["table"])
            )
            score = score_sheet(SheetFacts(rules, hands, Opening(), posted["body"]["hands"], None)).totals
            for side, team in ((Side.NS, pairing["ns"]), (Side.EW, pairing["ew"])):
                won, points, bostons = totals[team]
                totals[team] = (
                    won + score.hands_won[side],
                    points + score.points[side],
                    bostons + score.bostons[side],
                )
    return totals


def standings_told(summary: Mapping[str, Any]) -> dict[int, tuple[int, int, int]]:
    return {row["team"]: (row["hands_won"], row["points"], row["bostons"]) for row in summary["standings"]}


def play_off_tables(lines: list[dict[str, Any]]) -> int:
    """How many tables the stages after the first were posted for."""
    posted = [line["event"]["body"] for line in lines if line["event"]["type"] == "round.published"]
    return sum(len(body["pairings"]) for body in posted if body["stage"] > 1)
