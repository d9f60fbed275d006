"""The Pico's board on stand-ins for its pins and its SPI: the bytes on the bus reach the chip that is selected."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from mfrc522_chip import Card, Chip

from firmware_bridge.firmware.card_reader.reader import CardReader

SELECT = {"N": 17, "E": 21, "S": 22, "W": 26}


@dataclass
class Pins:
    """Every pin's level, the chips behind their select pins, and what was sent over USB."""

    levels: dict[int, int] = field(default_factory=dict)
    chips: dict[str, Chip] = field(default_factory=lambda: {seat: Chip() for seat in SELECT})
    fed: int = 0
    interrupt: int = 3
    ticks: int = 0

    def machine(self) -> ModuleType:
        pins = self

        class Pin:
            OUT, IN, PULL_UP = 1, 0, 2

            def __init__(self, number: int, mode: int = 0, pull: int = 0, value: int | None = None) -> None:
                self.number = number
                if value is not None:
                    pins.levels[number] = value

            def __call__(self, value: bool | int | None = None) -> int | None:
                if value is None:
                    return pins.levels.get(self.number, 1)
                pins.levels[self.number] = int(value)
                return None

        class SPI:
            def __init__(self, bus: int, *, baudrate: int, polarity: int, phase: int, **_: Pin) -> None:
                assert (bus, polarity, phase) == (0, 0, 0)
                assert baudrate <= 10_000_000

            def write_readinto(self, out: bytearray, into: bytearray) -> None:
                [seat] = [seat for seat, pin in SELECT.items() if pins.levels[pin] == 0]
                register, chip = out[0] >> 1 & 0x3F, pins.chips[seat]
                assert out[0] & 1 == 0
                if out[0] & 0x80:
                    into[:] = bytes([0, chip.read(register)])
                else:
                    chip.write(register, out[1])

        class WDT:
            def __init__(self, *, timeout: int) -> None:
                assert timeout <= 8_388

            def feed(self) -> None:
                pins.fed += 1

        module = ModuleType("machine")
        vars(module).update(Pin=Pin, SPI=SPI, WDT=WDT, unique_id=lambda: bytes.fromhex("e6614103e7452d2a"))
        return module


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Pins:
    return Pins()


@pytest.fixture
def board(pins: Pins, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    name = "firmware_bridge.firmware.card_reader.pico"
    micropython = ModuleType("micropython")
    vars(micropython)["kbd_intr"] = lambda byte: setattr(pins, "interrupt", byte)
    with monkeypatch.context() as pico:
        pico.setattr(sys, "platform", "rp2")
        pico.setitem(sys.modules, "machine", pins.machine())
        pico.setitem(sys.modules, "micropython", micropython)
        pico.delitem(sys.modules, name, raising=False)
        pico.setattr(time, "sleep_ms", lambda _: None, raising=False)
        pico.setattr(time, "ticks_ms", lambda: pins.ticks % 2**30, raising=False)
        pico.setattr(time, "ticks_diff", lambda a, b: (a - b + 2**29) % 2**30 - 2**29, raising=False)
        module = importlib.import_module(name)
        pico.setattr(module, "Stream", lambda *_: SimpleNamespace(read=lambda: b"", write=len))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=None))
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=None))
        yield module.PicoBoard()
    sys.modules.pop(name, None)


def test_each_seats_cards_are_read_from_its_own_chip(board: Any, pins: Pins) -> None:
    pins.chips["N"].cards = [Card(bytes.fromhex("04A1B2C3"))]
    pins.chips["S"].cards = [Card(bytes.fromhex("04A1B2C3D4E5F6"))]
    pins.chips["W"].present = False
    assert {seat: board.cards(seat) for seat in "NESW"} == {
        "N": ["04A1B2C3"], "E": [], "S": ["04A1B2C3D4E5F6"], "W": None,
    }  # fmt: skip
    assert [pins.levels[pin] for pin in SELECT.values()] == [1, 1, 1, 1]


def test_a_start_resets_the_chips_turns_everything_off_and_lets_no_byte_interrupt(board: Any, pins: Pins) -> None:
    assert {pin: pins.levels[pin] for pin in (20, 10, 11, 12, 13, 14)} == {20: 1, 10: 0, 11: 0, 12: 0, 13: 0, 14: 0}
    assert pins.interrupt == -1


def test_lights_and_buzzer_are_the_pins_of_the_page(board: Any, pins: Pins) -> None:
    board.light("E", True)
    board.sound(True)
    assert {pin: pins.levels[pin] for pin in (10, 11, 12, 13, 14)} == {10: 0, 11: 1, 12: 0, 13: 0, 14: 1}


def test_time_goes_on_when_the_ticks_turn_round(board: Any, pins: Pins) -> None:
    pins.ticks = 2**29
    before = board.now()
    pins.ticks = 2**30 - 1
    board.now()
    pins.ticks = 2**30 + 2**28
    assert board.now() - before == 2**29 + 2**28


def test_the_name_is_the_chips_and_the_nonce_is_new_each_time(board: Any) -> None:
    assert board.name() == "pico-e6614103e7452d2a"
    nonces = {board.nonce() for _ in range(20)}
    assert len(nonces) == 20
    assert all(len(nonce) == 8 and int(nonce, 16) >= 0 for nonce in nonces)


def test_the_firmware_feeds_the_watchdog_at_every_look(board: Any, pins: Pins) -> None:
    reader = CardReader(board)
    before = pins.fed
    for _ in range(10):
        reader.step()
    assert (before, pins.fed - before) == (16, 10)
