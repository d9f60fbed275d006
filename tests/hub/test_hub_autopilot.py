"""Whole tournaments directed by the autopilot, with tables on a real broker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import pytest
from hub_bench import BOXES, HUB_KEY, KEYS, roster
from hub_fake_kiosk import FakeKiosk
from hub_wire import Wire
from waiting import until

from hub.broker import start_broker
from hub.desk.autopilot import Autopilot
from hub.hub import Hub
from hub.summary import summary
from hub.tournament import brackets
from hub.tournament.fold import fold_lines
from hub.tournament.state import Stage
from tallybox.messages import Desired
from tallybox.table.state import Step
from tallybox.table.steps import step


@contextmanager
def room(folder: Path, kind: Literal["mosquitto", "amqtt"]) -> Iterator[tuple[Hub, int]]:
    broker = start_broker(folder / "broker", kind=kind)
    hub = Hub(folder / "hub", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port)
    hub.start()
    try:
        until(lambda: hub.connected)
        yield hub, broker.port
    finally:
        hub.stop()
        broker.stop()


def play(box: str, port: int, over: threading.Event) -> None:
    """A table that does what it is told until the tournament is over."""
    kiosk = FakeKiosk(box)
    with closing(Wire(box, port)) as wire:
        number = 0
        while not over.is_set():
            seat = wire.last_desired(lambda desired: over.is_set() or fresh(desired, number))  # noqa: B023
            if over.is_set() or seat.seating is None:
                return
            number = seat.seating.round
            kiosk.told(seat)
            wire.send([kiosk.claim()])
            kiosk.told(wire.last_desired(lambda desired: desired.tenure))
            wire.send(kiosk.sit())
            if seat.seating.minutes is not None:
                until(lambda: wire.clocks and wire.clocks[-1].round == number and wire.clocks[-1].state == "running")  # noqa: B023
            kiosk.clock()
            while step(kiosk.state) is not Step.SIGN:
                wire.send(kiosk.play_hand())
            wire.send(kiosk.finish())


def fresh(desired: Desired, number: int) -> bool:
    return desired.seating is not None and desired.seating.round > number and desired.tenure is None


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("kind", "template", "tables", "hands", "expected"),
    [("mosquitto", "capitol-4", 3, 2, 24), ("amqtt", "capitol-4", 2, 1, 8), ("mosquitto", "wsos", 2, None, 81)],
)
def test_a_tournament_is_directed_to_its_end(
    tmp_path: Path, kind: Literal["mosquitto", "amqtt"], template: str, tables: int, hands: int | None, expected: int
) -> None:
    with room(tmp_path, kind) as (hub, port):
        for table in range(1, tables + 1):
            hub.director.assign_box("dana", BOXES[table - 1], table)
        hub.director.create_tournament(
            "dana", template=template, title="Spring Open", teams=roster(2 * tables), hands=hands, seed=3
        )
        pilot = Autopilot(hub, speed=500, keep_open=True)
        players = [
            threading.Thread(target=play, args=(BOXES[table], port, pilot.done), daemon=True) for table in range(tables)
        ]
        for player in players:
            player.start()
        pilot.start()
        assert pilot.done.wait(timeout=220)
        pilot.stop()
        for player in players:
            player.join(timeout=60)
        tournament = hub.tournament
        assert tournament.over
        assert {posted.stage for posted in tournament.rounds} == {Stage.ENDED}
        assert (tournament.refusals, tournament.late, tournament.branches, hub.quarantine) == ((), (), (), ())
        told = summary(tournament)
        # All tables play the same cards, so places are shared in the rotation, and one-hand play-offs follow.
        played_off = sum(len(posted.tables) for posted in tournament.rounds if posted.of_stage == 2 and hands)
        hands_played = expected + played_off
        assert (told["hands_expected"], told["hands_recorded"], told["voids"]) == (hands_played, hands_played, 0)
        assert told.get("champion", "none") == ("none" if hands else brackets.champion(tournament))
        assert {row["rank"] for row in told["standings"]} >= {1, 2}  # type: ignore[index,union-attr,call-overload]
        assert fold_lines(hub.ledger.lines()) == tournament


def test_time_is_called_at_the_deadline_when_nothing_is_kept_open(tmp_path: Path) -> None:
    with room(tmp_path, "mosquitto") as (hub, _port):
        hub.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=roster(4), hands=4)
        pilot = Autopilot(hub, speed=1_200, wait_for_seats=False)
        pilot.start()
        until(lambda: hub.tournament.current is not None and hub.tournament.current.clock_ended)
        assert hub.tournament.clock.seconds == 1
        pilot.stop()
        assert not pilot.done.is_set()
