"""The hub that ``tallybox bench dashboard`` measures: a real ledger, tables that were played beforehand, its dashboard.

Runs in a process of its own, so that its processor time is its own. What the tables say was signed before the time is
taken, and is handed to the hub as its line hands it payloads.
"""

from __future__ import annotations

import argparse
import json
import logging
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Final

from deploy.errors import DemoError
from deploy.logs import log_to_stderr
from deploy.robot_player import LayCard, next_act
from hub.hub import Hub
from hub.tournament.state import TableRound
from hub.web.app import create_app
from hub.web.serve import serve
from tallybox.calls import Bid, call_text
from tallybox.envelope import At, Head, KioskEvent, Occasion, encode_event, event_id, follow_kiosk
from tallybox.events import fact
from tallybox.events.table import Body, CallMade, ClaimMade, HandOpened, HandRecorded
from tallybox.messages import Team
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.signing import SigningKey
from tallybox.table.fold import fold_event
from tallybox.table.shown import facts_json, lines_digest, open_hand_score
from tallybox.table.state import Step, TableState
from tallybox.table.steps import next_dealer, next_number, step
from tallybox.topics import Topics

VENUE: Final = "bench"
WITHIN: Final = 120.0
"""Seconds for the hub to write down what was prepared."""

TEMPLATE: Final = "capitol-8"
HUB_KEY: Final = SigningKey(b"h" * 32)


def keys_of(tables: int) -> dict[int, SigningKey]:
    """The keys of the boxes of a room, by table."""
    return {number: SigningKey(number.to_bytes(32, "big")) for number in range(1, tables + 1)}


def names_of(tables: int) -> dict[int, str]:
    """The names of the boxes of a room, by table."""
    return {number: f"K-{number:03}" for number in range(1, tables + 1)}


@dataclass
class Table:
    """A table's box: its key, its journal's head and its own fold of the round."""

    number: int
    key: SigningKey
    topic: str
    box: str
    tournament: str = ""
    head: Head = field(default_factory=lambda: Head("e1", 0, None))
    state: TableState = field(default_factory=TableState)
    seed: str = "bench"

    def say(self, body: Body) -> tuple[str, bytes]:
        """One signed event, folded here; as it goes over the line."""
        event = self.sign(body)
        self.state = fold_event(self.state, event)
        return self.topic, encode_event(event)

    def sign(self, body: Body) -> KioskEvent:
        """The next event of the journal, not folded here."""
        tenure = None if isinstance(body, ClaimMade) else self.state.tenure
        occasion = Occasion(self.tournament, 1, self.number, tenure)
        at = At(wall=time.time_ns() // 1_000_000, mono=time.monotonic_ns() // 1_000_000, synced=True)
        event = follow_kiosk(self.head, self.box, occasion, fact(body), at, self.key)
        self.head = Head(event.epoch, event.seq, event_id(event))
        return event

    def next(self) -> Body | None:
        """What the table says next; ``None`` while it waits for others."""
        at, hand = step(self.state), self.state.hand
        if at is Step.NEXT:
            dealer = next_dealer(self.state)
            assert dealer is not None
            return HandOpened(hand=next_number(self.state), dealer=dealer)
        if hand is not None and hand.checked == frozenset(Side):
            lines = lines_digest(open_hand_score(self.state))
            ruleset = self.state.playing.ruleset.digest
            return HandRecorded(hand=hand.number, facts=dict(facts_json(hand)), ruleset=ruleset, lines=lines)
        planned = next_act(self.state, f"{self.seed}/{self.number}")
        if planned is None or at in (Step.SIGN, Step.SUBMITTED):
            return None
        act = planned[0]
        if isinstance(act, LayCard):
            assert hand is not None
            spoken = act.call.stated if isinstance(act.call, Bid) else act.call
            return CallMade(hand=hand.number, seat=act.seat, call=call_text(spoken), source="typed")
        return act


class MeasuredRoom:
    """A hub with so many tables seated in round one, its clock running."""

    def __init__(self, folder: Path, tables: int, hands: int | None = None) -> None:
        topics = Topics(VENUE)
        keys, names = keys_of(tables), names_of(tables)
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = int(probe.getsockname()[1])
        self.hub = Hub(
            folder, venue=VENUE, key=HUB_KEY, host="127.0.0.1", port=nobody,
            kiosks={names[number]: key.public for number, key in keys.items()},
        )  # fmt: skip
        self.hub.start()
        teams = [
            Team(number=number, names=(f"North {number}", f"South {number}")) for number in range(1, 2 * tables + 1)
        ]
        self.hub.director.create_tournament("director", template=TEMPLATE, title="Bench", teams=teams, hands=hands,
                                                 seed=1)  # fmt: skip
        for name in names.values():
            self.hub.director.assign_box("director", name, int(name[2:]))
        self.hub.director.publish_round("director")
        self.tables = [
            Table(number, key, topics.kiosk(names[number], "evt"), names[number], self.hub.tournament.name or "")
            for number, key in keys.items()
        ]
        self._seat()

    def _seat(self) -> None:
        for table in self.tables:
            self.hub.receive(*table.say(ClaimMade()))
        self._until(lambda: all(seen.tenure is not None for seen in self._seen()))
        for table, seen in zip(self.tables, self._seen(), strict=True):
            assert seen.tenure is not None
            table.state = TableState(assignment=seen.state.assignment, claimed=True, tenure=seen.tenure.number)
            while (said := table.next()) is not None:
                self.hub.receive(*table.say(said))
        self._until(lambda: all(seen.state.scorekeeper is not None for seen in self._seen()))
        self.hub.director.start_clock("director")
        for table in self.tables:
            table.state = renewed(table.state, clock_started=True)

    def script(self, count: int) -> list[tuple[str, bytes]]:
        """What the tables say in turn, signed; each a step of its hand."""
        said: list[tuple[str, bytes]] = []
        idle = 0
        for table in cycle(self.tables):
            body = table.next()
            idle = idle + 1 if body is None else 0
            if len(said) == count or idle > len(self.tables):
                return said
            if body is not None:
                said.append(table.say(body))
        return said

    def _seen(self) -> list[TableRound]:
        current = self.hub.tournament.current
        assert current is not None
        return list(current.tables.values())

    @staticmethod
    def _until(done: Callable[[], bool]) -> None:
        late = time.monotonic() + WITHIN
        while not done():
            if time.monotonic() > late:
                said = f"The hub did not take what its tables said within {WITHIN:.0f} s. Its reason stands above."
                raise DemoError("no-dashboard", said)
            time.sleep(0.05)


def main(argv: Sequence[str] | None = None) -> int:
    """Open the dashboard, say where, wait for the word, let the tables speak, say when each spoke."""
    parser = argparse.ArgumentParser(prog="dashboard_room")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args(argv)
    log_to_stderr(level=logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="tallybox-bench-") as folder:
        room = MeasuredRoom(Path(folder), args.tables)
        server = serve(create_app(room.hub))
        try:
            script = room.script(round(args.rate * args.seconds))
            print(json.dumps({"url": server.url, "seq": room.hub.tournament.seq}), flush=True)
            sys.stdin.readline()
            print(json.dumps(spoken(room.hub, script, args.rate)), flush=True)
            sys.stdin.readline()
        finally:
            server.stop()
            room.hub.stop()
    return 0


def spoken(hub: Hub, script: Sequence[tuple[str, bytes]], rate: float) -> dict[str, object]:
    """Hand the hub one payload after another, ``rate`` a second; when each was handed over (monotonic seconds)."""
    first, cpu = hub.tournament.seq, time.process_time()
    began, times = time.monotonic(), list[float]()
    for place, (topic, payload) in enumerate(script):
        time.sleep(max(0.0, began + place / rate - time.monotonic()))
        times.append(time.monotonic())
        hub.receive(topic, payload)
    late = time.monotonic() + WITHIN
    while hub.tournament.seq < first + len(script) and time.monotonic() < late:
        time.sleep(0.02)
    wall = time.monotonic() - began
    return {"first": first, "last": hub.tournament.seq, "times": times, "cpu": time.process_time() - cpu, "wall": wall}


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DemoError as reason:
        sys.exit(reason.message)
