"""The box's own buttons and pins: the same acts as on the screen, and one sentence when they do not work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from broker_room import wait_for
from failing_disk import SmallDisk
from free_ports import free_port
from gpiozero.pins.mock import MockFactory
from seated import BOX, MSO, did, open_box, refused, settled, shut, sit_down, to_auction, types

from deploy.room import make_room
from deploy.table_box import open_box as open_table
from firmware_bridge.decks.venue import Enrolled, write_enrolled
from firmware_bridge.gpio import (
    NO_BUTTONS,
    NO_PINS,
    BoxPins,
    ButtonPins,
    Buttons,
    PinDriver,
    SignalPattern,
    SignalPins,
    Signals,
    pin_factory,
)
from kiosk.config import PinSettings, read_config
from kiosk.errors import ConfigError, KioskError
from kiosk.pins import CANNOT_SWITCH_OFF, NO_GPIO, NOT_KEPT_YET, OFF_WITHOUT_THEM, SWITCHING_OFF
from kiosk.view import NoticeKind
from tallybox.calls import NIL
from tallybox.events import table as events
from tallybox.seats import Seat

HELD = 0.2
PINS = ButtonPins(director=24, shutdown=25)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = cast("MockFactory", pin_factory(PinDriver.MOCK))
    yield made
    made.close()


def press(factory: MockFactory, pin: int) -> None:
    factory.pin(pin).drive_low()
    factory.pin(pin).drive_high()


def hold(factory: MockFactory, pin: int, until: Callable[[], object]) -> None:
    """Keep a button down until the box has done something about it."""
    factory.pin(pin).drive_low()
    wait_for(until)
    factory.pin(pin).drive_high()


def test_the_button_calls_the_director_as_the_screen_does_and_once(tmp_path: Path, factory: MockFactory) -> None:
    signals = Signals(factory, SignalPins(18, 23))
    buttons = Buttons(factory, PINS, held=HELD)
    box = open_box(tmp_path / "journal.db", signals=signals, buttons=buttons)
    sit_down(box)
    press(factory, 24)
    wait_for(lambda: box.view.state.calling is not None)
    press(factory, 24)
    settled(box)
    assert types(box).count("director.called") == 1
    assert signals.log[-1] is SignalPattern.DIRECTOR_CALLED
    did(box, events.DirectorCancelled())
    press(factory, 24)
    wait_for(lambda: box.view.state.calling is not None)
    assert types(box)[-3:] == ["director.called", "director.cancelled", "director.called"]
    shut(box)
    buttons.close()
    signals.close()


def test_a_press_before_the_table_has_begun_is_answered_on_the_screen(tmp_path: Path, factory: MockFactory) -> None:
    buttons = Buttons(factory, PINS)
    box = open_box(tmp_path / "journal.db", buttons=buttons)
    press(factory, 24)
    wait_for(lambda: box.view.notice is not None)
    said = box.do(events.DirectorCalled()).result(60).refusal
    assert said is not None
    assert box.view.notice is not None
    assert (box.view.notice.text, types(box)) == (said.message, [])
    shut(box)
    buttons.close()


def test_the_box_switches_off_only_when_the_button_is_held_and_says_so_first(
    tmp_path: Path, factory: MockFactory
) -> None:
    buttons = Buttons(factory, PINS, held=HELD)
    seen: list[str | None] = []

    def shut_down() -> None:
        notice = box.view.notice
        seen.append(None if notice is None else notice.text)

    box = open_box(tmp_path / "journal.db", buttons=buttons, shut_down=shut_down)
    press(factory, 25)
    settled(box)
    assert seen == []
    hold(factory, 25, lambda: seen)
    assert seen == [SWITCHING_OFF]
    shut(box)
    buttons.close()


def test_a_box_that_cannot_switch_itself_off_says_so(tmp_path: Path, factory: MockFactory) -> None:
    buttons = Buttons(factory, PINS, held=HELD)
    box = open_box(tmp_path / "journal.db", buttons=buttons)
    hold(factory, 25, lambda: box.view.notice is not None)
    assert box.view.notice is not None
    assert (box.view.notice.text, box.view.notice.kind) == (CANNOT_SWITCH_OFF, NoticeKind.BOX)
    shut(box)
    buttons.close()


def test_taps_that_the_disk_did_not_take_are_named_before_the_box_forgets_them(
    tmp_path: Path, factory: MockFactory
) -> None:
    done: list[str] = []
    disk = SmallDisk(tmp_path / "small", 2 * 1024)
    buttons = Buttons(factory, PINS, held=HELD)
    box = open_box(disk.folder / "journal.db", buttons=buttons, shut_down=lambda: done.append("off"))
    said = []
    box.subscribe(lambda view: said.append(None if view.notice is None else view.notice.text))
    try:
        sit_down(box)
        disk.fill()
        refused(box, events.HandCounted(hand=1))
        hold(factory, 25, lambda: NOT_KEPT_YET in said)
        assert done == []
        hold(factory, 25, lambda: done == ["off"])
        assert said[-1] == OFF_WITHOUT_THEM
    finally:
        shut(box)
        buttons.close()
        disk.unmount()


def test_a_shutdown_that_fails_is_told_and_the_table_goes_on(tmp_path: Path, factory: MockFactory) -> None:
    def fails() -> None:
        raise KioskError("no-power", "Nobody may switch this box off.")

    buttons = Buttons(factory, PINS, held=HELD)
    box = open_box(tmp_path / "journal.db", buttons=buttons, shut_down=fails)
    hold(factory, 25, lambda: box.view.notice is not None and box.view.notice.text == "Nobody may switch this box off.")
    sit_down(box)
    shut(box)
    buttons.close()


@pytest.mark.parametrize(
    ("driver", "buttons", "says"),
    [
        (PinDriver.NONE, ButtonPins(None, None), None),
        (PinDriver.MOCK, ButtonPins(18, None), NO_BUTTONS),
        (PinDriver.LGPIO, ButtonPins(None, None), NO_PINS),
        (PinDriver.LGPIO, PINS, NO_GPIO),
    ],
)
def test_missing_pins_are_said_once_and_stay_on_the_view(
    tmp_path: Path, driver: PinDriver, buttons: ButtonPins, says: str | None
) -> None:
    board = BoxPins.opened(driver, SignalPins(18, 23), buttons)
    box = open_box(tmp_path / "journal.db", signals=board.signals, buttons=board.buttons)
    wait_for(lambda: box.view.pins == says)
    assert (None if box.view.notice is None else box.view.notice.text) == says
    sit_down(box)
    assert (box.view.pins, box.view.notice) == (says, None)
    shut(box)
    board.close()


def test_one_driver_has_buzzer_lamp_and_buttons_and_none_has_nothing() -> None:
    assert BoxPins.opened(PinDriver.NONE, SignalPins(), PINS) == BoxPins(None, None)
    board = BoxPins.opened(PinDriver.MOCK, SignalPins(18, 23), PINS)
    assert board.signals is not None
    assert board.buttons is not None
    assert (board.signals.fault, board.buttons.fault) == (None, None)
    press(cast("MockFactory", board.signals.factory), 24)
    assert len(board.buttons.take()) == 1
    board.close()
    plain = BoxPins.opened(PinDriver.MOCK, SignalPins(18, 23), ButtonPins(None, None))
    assert plain.buttons is None
    plain.close()
    missing = BoxPins.opened(PinDriver.LGPIO, SignalPins(18, 23), PINS)
    assert missing.signals is not None
    assert missing.buttons is not None
    assert (missing.signals.fault, missing.buttons.fault) == (NO_PINS, NO_BUTTONS)
    taken = BoxPins.opened(PinDriver.MOCK, SignalPins(18, 24), PINS)
    assert taken.buttons is not None
    assert taken.buttons.fault == NO_BUTTONS
    taken.close()


def test_the_buttons_pins_stand_in_the_settings_and_no_pin_serves_two_things(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('box = "K-04"\nvenue = "a"\n[pins]\ndriver = "lgpio"\ndirector = 24\nshutdown = 25\n')
    assert read_config(path).pins == PinSettings(driver="lgpio", buzzer=18, lamp=23, director=24, shutdown=25)
    path.write_text('box = "K-04"\nvenue = "a"\n[pins]\ndirector = 18\n')
    with pytest.raises(ConfigError, match="have the same pin; give each its own"):
        read_config(path)


def test_a_box_of_a_room_has_its_scanner_its_venues_cards_and_its_pins_as_its_settings_say(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    room = make_room(
        tmp_path, venue="club", boxes=4, host="127.0.0.1", port=free_port(), random_bytes=lambda count: b"k" * count
    )
    home = room.kiosk_folder(BOX)
    write_enrolled(home / "decks.toml", [Enrolled("04A1", "1", "mso", Seat.N.left, "K")])
    (home / "box.toml").write_text(
        f'box = "{BOX}"\ndecks = "decks.toml"\n'
        f'[reader]\nkind = "barcode"\nport = "{os.ttyname(slave)}"\n'
        '[pins]\ndriver = "mock"\ndirector = 24\nshutdown = 25\n'
    )
    table = open_table(room, BOX)
    box = table.box
    box.start()
    sit_down(box, MSO)
    to_auction(box)
    wait_for(lambda: box.view.reader.reads)
    os.write(master, b"04A1\r\n")
    wait_for(lambda: box.view.state.hand is not None and box.view.state.hand.calls)
    assert box.view.state.hand is not None
    assert [(called.seat, called.call) for called in box.view.state.hand.calls] == [(Seat.E, NIL)]
    assert table.pins.signals is not None
    press(cast("MockFactory", table.pins.signals.factory), 24)
    wait_for(lambda: box.view.state.calling is not None)
    assert box.view.pins is None
    table.stop()
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize(
    ("settings", "code", "part"),
    [
        ('[reader]\nkind = "barcode"\n', "bad-config", "take port for one at the table, or ports"),
        ('decks = "decks.toml"\n', "deck", "“tallybox bridge enrol” makes a venue's card file"),
    ],
)
def test_settings_that_cannot_be_used_are_told_before_the_box_begins(
    tmp_path: Path, settings: str, code: str, part: str
) -> None:
    room = make_room(tmp_path, venue="club", boxes=4, host="127.0.0.1", port=9, random_bytes=lambda count: b"k" * count)
    (room.kiosk_folder(BOX) / "box.toml").write_text(f'box = "{BOX}"\n{settings}')
    command = [sys.executable, "-m", "deploy.cli", "kiosk", "--data", str(tmp_path), "--box", BOX, "--robot", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.returncode, done.stdout, said["code"]) == (2, "", code)
    assert part in said["message"]
