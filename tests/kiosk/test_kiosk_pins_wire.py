"""Officials' verifiers over a real broker: taken on the box's own topic, kept for a box that starts without a hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from broker_room import TOPICS, Broker, SmallHub, wait_for
from seated import BOX, open_box, shut

from kiosk.link.uplink import connect_to
from kiosk.view import Denied, LinkStatus, Official, Tried
from tallybox.messages import Pins, Verifier
from tallybox.roles import Role

HASHER = PasswordHasher()
PINS = Pins(
    v=1, kiosk=BOX,
    officials=(Verifier(official="D-1", name="R. Director", role="director", verifier=HASHER.hash("246810")),),
)  # fmt: skip


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path / "broker")
    made.start()
    yield made
    made.kill()


def test_pins_reach_a_box_over_the_broker_and_outlive_it(broker: Broker, tmp_path: Path) -> None:
    hub = SmallHub(broker.port)
    hub.start()
    journal = tmp_path / "journal.sqlite"
    box = open_box(journal, uplink=connect_to("main-hall", "127.0.0.1", broker.port, box=BOX))
    wait_for(lambda: box.view.link.status is LinkStatus.LINKED)
    hub.to_box("pins", PINS)
    wait_for(lambda: box.view.officials.known == 1)
    assert box.check_pin("246810").result(60) == Tried(Official("D-1", "R. Director", Role.DIRECTOR))
    assert box.check_pin("246811").result(60) == Tried(denied=Denied.WRONG)
    shut(box)
    hub.stop()
    broker.kill()
    alone = open_box(journal)
    assert (alone.view.officials.known, alone.view.officials.tries_left) == (1, 4)
    assert alone.check_pin("246810").result(60).official == Official("D-1", "R. Director", Role.DIRECTOR)
    shut(alone)


def test_pins_that_cannot_be_read_change_nothing_and_are_said(broker: Broker, tmp_path: Path) -> None:
    hub = SmallHub(broker.port)
    hub.start()
    box = open_box(tmp_path / "journal.sqlite", uplink=connect_to("main-hall", "127.0.0.1", broker.port, box=BOX))
    wait_for(lambda: box.view.link.status is LinkStatus.LINKED)
    hub.to_box("pins", PINS)
    wait_for(lambda: box.view.officials.known == 1)
    hub.say(TOPICS.kiosk(BOX, "pins"), b'{"v":1,"kiosk":"K-04","officials":[{"pin":"246810"}]}', retain=False)
    wait_for(lambda: box.view.notice is not None)
    assert box.view.notice is not None
    assert box.view.notice.text.startswith("Something came over the network that cannot be read.")
    assert box.view.officials.known == 1
    shut(box)
    hub.stop()
