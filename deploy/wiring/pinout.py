"""Two rows of pins and what is wired to each: the header of a Raspberry Pi, or the edges of a Pico."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge import firmware
from kiosk.config import PinSettings
from tallybox.seats import Seat

GROUND: Final = "ground"

PI_GPIO: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""GPIO number by pin of the Raspberry Pi's header."""

PI_POWER: Final = {
    1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V", **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), GROUND),
}  # fmt: skip

PICO_GPIO: Final = {
    **dict(zip((1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20), range(16), strict=True)),
    **dict(zip((21, 22, 24, 25, 26, 27, 29, 31, 32, 34), (16, 17, 18, 19, 20, 21, 22, 26, 27, 28), strict=True)),
}
"""GPIO number by pin of a Pico."""

PICO_POWER: Final = {
    30: "RUN", 35: "ADC_VREF", 36: "3.3 V", 37: "3V3_EN", 39: "VSYS", 40: "VBUS",
    **dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), GROUND),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin: its number on the board, what the maker calls it, and what is wired to it, if anything is."""

    number: int
    name: str
    wired: str = ""

    @property
    def ground(self) -> bool:
        """Whether it is a ground pin."""
        return self.name == GROUND


@dataclass(frozen=True, slots=True)
class Board:
    """A board seen from above: its pins in a left and a right row, from the top down."""

    title: str
    seen: str
    """How to hold it to find pin 1."""
    left: tuple[Pin, ...]
    right: tuple[Pin, ...]


def box_board() -> Board:
    """The header of a table's Raspberry Pi, with the pins that a box takes unless its ``box.toml`` says otherwise."""
    settings = PinSettings()
    wired = {
        settings.buzzer: "buzzer +",
        settings.lamp: "lamp, through 330 Ω",
        BUTTONS["director"]: "director's button",
        BUTTONS["shutdown"]: "switch-off button",
    }
    grounds = {14: "buzzer −, lamp −", 20: "both buttons"}
    pins = [_pin(number, PI_GPIO, PI_POWER, wired, grounds) for number in range(1, 41)]
    return Board(
        "Raspberry Pi at the table",
        "the USB sockets at the bottom; what is not named stays free",
        tuple(pins[0::2]),
        tuple(pins[1::2]),
    )


BUTTONS: Final = {"director": 24, "shutdown": 25}
"""GPIO numbers that the documentation proposes; a box takes buttons only where ``box.toml`` names them."""


def reader_board() -> Board:
    """The Pico of a card reader, with the pins of its firmware."""
    said = _constants((Path(firmware.__path__[0]) / "card_reader" / "pico.py").read_text("utf-8"))
    seats = {seat.value: seat.word for seat in Seat}
    sck, mosi, miso, reset = (said[name] for name in ("SCK", "MOSI", "MISO", "RESET"))
    wired: dict[int | None, str] = {
        _number(sck): "SCK, all readers", _number(mosi): "MOSI, all readers", _number(miso): "MISO, all readers",
        _number(reset): "RST, all readers", _number(said["BUZZER"]): "buzzer +", SERVICE: "service jumper",
    }  # fmt: skip
    select, light = said["SELECT"], said["LIGHT"]
    assert isinstance(select, dict)
    assert isinstance(light, dict)
    wired |= {gpio: f"SDA, {seats[seat]}'s reader" for seat, gpio in select.items()}
    wired |= {gpio: f"light {seats[seat]}, through 330 Ω" for seat, gpio in light.items()}
    grounds = {18: "jumper, buzzer −, lights −", 36: "3.3 V, all readers", 38: "GND, all readers"}
    pins = [_pin(number, PICO_GPIO, PICO_POWER, wired, grounds) for number in range(1, 41)]
    return Board(
        "Raspberry Pi Pico of the card reader",
        "the USB socket at the top; what is not named stays free",
        tuple(pins[:20]),
        tuple(reversed(pins[20:])),
    )


SERVICE: Final = 15
"""The jumper that keeps the firmware from running, as ``main.py`` on the Pico reads it."""


def _pin(
    number: int, gpio: dict[int, int], power: dict[int, str], wired: dict[int | None, str], others: dict[int, str]
) -> Pin:
    if number in gpio:
        return Pin(number, f"GPIO {gpio[number]}", wired.get(gpio[number], ""))
    return Pin(number, power[number], others.get(number, ""))


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _constants(source: str) -> dict[str, object]:
    """What a module sets at its top level to plain numbers and tables, without running it."""
    return {name: value for node in ast.parse(source).body for name, value in _set_by(node)}


def _set_by(node: ast.stmt) -> Iterator[tuple[str, object]]:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    try:
        value = ast.literal_eval(node.value)
    except ValueError:
        return
    match node.targets[0]:
        case ast.Name(id=name):
            yield name, value
        case ast.Tuple(elts=names):
            yield from ((name.id, each) for name, each in zip(names, value, strict=True) if isinstance(name, ast.Name))
