"""Verifiers of personal PINs on a real mosquitto: after each birth and change, never kept by the broker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hub_bench import HUB_KEY, KEYS
from hub_wire import Wire
from waiting import until

from hub.broker import RunningBroker, start_broker
from hub.hub import Hub
from tallybox.messages import Pins, Verifier, decode

HASH = "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"
NOBODY = Pins(v=1, kiosk="K-01")
DANA = Pins(v=1, kiosk="K-01", officials=(Verifier(official="dana", name="Dana", role="director", verifier=HASH),))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = start_broker(tmp_path / "broker", kind="mosquitto")
    yield running
    running.stop()


def made(folder: Path, broker: RunningBroker, pins: bool | None) -> Hub:
    hub = Hub(folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host=broker.host, port=broker.port, pins=pins)
    hub.start()
    until(lambda: hub.connected)
    return hub


def test_a_box_hears_who_has_a_pin_at_its_birth_and_whenever_that_changes(
    tmp_path: Path, broker: RunningBroker
) -> None:
    hub = made(tmp_path / "hub", broker, None)
    heard: list[bytes] = []
    with closing(Wire("K-01", broker.port)) as wire:
        wire.listen("kiosk/K-01/pins", heard)
        wire.birth("e1")
        until(lambda: heard)
        hub.director.change_official("dana", "dana", "Dana", "director", HASH)
        until(lambda: len(heard) == 2)
        hub.director.announce("dana", "Nothing that concerns PINs.")
        hub.director.change_official("dana", "dana", "Dana", None)
        until(lambda: len(heard) == 3)
        assert [decode(payload, Pins) for payload in heard] == [NOBODY, DANA, NOBODY]
    hub.director.change_official("dana", "dana", "Dana", "director", HASH)
    later: list[bytes] = []
    with closing(Wire("K-01", broker.port)) as wire:
        wire.listen("kiosk/K-01/pins", later)
        wire.last_desired(lambda desired: desired.kiosk)
        assert later == []
        wire.birth("e2")
        until(lambda: later)
        assert decode(later[0], Pins) == DANA
    hub.stop()


def test_a_hub_whose_line_is_not_fit_for_them_sends_none(tmp_path: Path, broker: RunningBroker) -> None:
    hub = made(tmp_path / "hub", broker, False)
    assert hub.sends_pins is False
    hub.director.change_official("dana", "dana", "Dana", "director", HASH)
    heard: list[bytes] = []
    with closing(Wire("K-01", broker.port)) as wire:
        wire.listen("kiosk/K-01/pins", heard)
        wire.birth("e1")
        wire.ack_where(lambda ack: ack.epoch == "e1")
        wire.last_desired(lambda desired: desired.kiosk)
    assert heard == []
    hub.stop()
