"""The wiring in the firmware's README is the wiring in its code, and every file is named there."""

from __future__ import annotations

import ast
import re

from deploy.firmware import HERE

PAGE = (HERE / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.+?) \| (\d+) \| (?:GP(\d+)|[^|]+) \|$", PAGE, re.MULTILINE)
SEATS = {"North": "N", "East": "E", "South": "S", "West": "W"}
PIN_OF_GPIO = {
    10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31,
}  # fmt: skip
"""The Pico's header, from its data sheet."""


def constants(file: str) -> dict[str, object]:
    """A file's own constants, read without running it: it runs on a Pico alone."""
    found: dict[str, object] = {}
    for node in ast.parse((HERE / file).read_text("utf-8")).body:
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            value = ast.literal_eval(node.value)
            values = value if isinstance(target, ast.Tuple) else [value]
            found.update({ast.unparse(name): each for name, each in zip(names, values, strict=True)})
    return found


def test_every_wire_of_the_page_is_the_codes() -> None:
    code = constants("card_reader/pico.py")
    wires = {(what, signal.split()[0]): int(gpio) for what, signal, _, gpio in ROWS if gpio}
    select = {f"{word}'s reader": letter for word, letter in SEATS.items()}
    light = {f"{word}'s light": letter for word, letter in SEATS.items()}
    assert {select[what]: gpio for (what, _), gpio in wires.items() if what in select} == code["SELECT"]
    assert {light[what]: gpio for (what, _), gpio in wires.items() if what in light} == code["LIGHT"]
    shared = {"SCK": code["SCK"], "MOSI": code["MOSI"], "MISO": code["MISO"], "RST": code["RESET"]}
    assert {signal: gpio for (what, signal), gpio in wires.items() if what == "all readers"} == shared
    assert wires["buzzer", "+"] == code["BUZZER"]
    assert wires["service", "jumper"] == constants("main.py")["SERVICE"]
    assert len(set(wires.values())) == len(wires) == 14


def test_every_wires_pin_is_that_gpios_on_the_picos_header() -> None:
    assert {int(gpio): int(pin) for _, _, pin, gpio in ROWS if gpio} == PIN_OF_GPIO


def test_every_file_of_the_firmware_is_named_on_the_page() -> None:
    files = {file.name for file in HERE.rglob("*.py")} - {"__init__.py"}
    assert {file for file in files if f"{file}`" not in PAGE} == set()
