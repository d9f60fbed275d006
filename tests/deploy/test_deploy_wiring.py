"""The wiring drawings say what box and firmware do, and what the written tables say."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from deploy.wiring.__main__ import PICTURES, drawings
from deploy.wiring.pinout import BUTTONS, Board, box_board, reader_board
from firmware_bridge import firmware

DOCS = PICTURES.parent


def wires(board: Board) -> dict[int, str]:
    return {pin.number: pin.wired for pin in (*board.left, *board.right) if pin.wired}


@pytest.mark.parametrize("name", ["wiring-box.svg", "wiring-reader.svg"])
def test_the_drawings_in_the_documentation_are_those_of_today(name: str) -> None:
    assert (PICTURES / name).read_text("utf-8") == drawings()[name]


def test_a_box_is_wired_as_its_settings_have_it() -> None:
    assert wires(box_board()) == {
        12: "buzzer +", 14: "buzzer −, lamp −", 16: "lamp, through 330 Ω", 18: "director's button", 20: "both buttons",
        22: "switch-off button",
    }  # fmt: skip
    page = (DOCS / "hardware.md").read_text("utf-8")
    for name, gpio in BUTTONS.items():
        assert re.search(rf"^{name} = {gpio}\b", page, re.MULTILINE), name
    assert [pin for pin in (12, 14, 16, 18, 20, 22) if f"| {pin} |" not in page] == []


def test_the_readers_drawing_and_its_written_table_name_the_same_pins() -> None:
    readme = (Path(firmware.__path__[0]) / "README.md").read_text("utf-8")
    table = readme[readme.index("| what | signal | Pico pin | GPIO |") :].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    drawn = wires(reader_board())
    assert sorted(int(row[2]) for row in rows) == sorted(number for number in drawn if number != 18)
    pins = {pin.number: pin.name for pin in (*reader_board().left, *reader_board().right)}
    told = {int(row[2]): row[3].replace("GP", "GPIO ") for row in rows if row[3].startswith("GP")}
    assert {number: pins[number] for number in told} == told


@pytest.mark.parametrize("name", ["wiring-box.svg", "wiring-reader.svg"])
def test_no_words_of_a_drawing_leave_its_paper(name: str) -> None:
    picture = ET.fromstring(drawings()[name])
    width = int(picture.attrib["width"])
    for text in picture.iter("{http://www.w3.org/2000/svg}text"):
        x, long = int(text.attrib["x"]), len(text.text or "") * 0.62 * int(text.attrib.get("font-size", "15"))
        left = {"middle": x - long / 2, "end": x - long}.get(text.attrib.get("text-anchor", "start"), x)
        assert (left >= 0, left + long <= width) == (True, True), text.text
