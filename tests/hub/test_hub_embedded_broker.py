"""A hub that starts again on the embedded broker, which hands whoever connects everything that it keeps for others."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hub_bench import HUB_KEY, KEYS, roster
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.hub import Hub


def started(folder: Path, broker: RunningBroker) -> Hub:
    hub = Hub(folder / "hub", venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port)
    hub.start()
    until(lambda: hub.connected)
    return hub


def test_a_hub_that_hears_its_own_words_again_sets_none_of_them_aside(tmp_path: Path) -> None:
    broker = start_broker(tmp_path / "broker", kind="amqtt")
    try:
        hub = started(tmp_path, broker)
        hub.director.create_tournament("dana", template="capitol-4", title="Spring Open", teams=roster(2), hands=1)
        hub.director.assign_box("dana", "K-01", 1)
        hub.director.publish_round("dana")
        with closing(Wire("K-01", broker.port)) as wire:
            wire.last_desired(lambda desired: desired.seating)
            hub.stop()
            hub = started(tmp_path, broker)
            # What the broker hands out at once stands before the birth of a box.
            wire.birth("e1")
            until(lambda: "K-01" in hub.presence)
        assert hub.quarantine == ()
        hub.stop()
    finally:
        broker.stop()
