"""The protocol's page is true: its examples are frames, its limits are the code's, and it leaves no frame out."""

from __future__ import annotations

import re
from binascii import crc32
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge import frames, limits, line
from firmware_bridge.line import Line, LineDecoder, encode

PAGE = (Path(firmware_bridge.__file__).parent / "PROTOCOL.md").read_text("utf-8")
EXAMPLES = re.findall(r"^\$\d.*$", PAGE, re.MULTILINE)
LIMITS = re.findall(r"^\| [^|]+ \| (\d+) \| `([A-Z_]+)` \|$", PAGE, re.MULTILINE)
SAID_BY_DEVICE = PAGE.index("## What a device says"), PAGE.index("## What a box says")


def read(example: str) -> Line:
    [found] = LineDecoder().feed(example.encode() + b"\n")
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_frame_said_by_the_one_who_says_it(example: str) -> None:
    found = read(example)
    first, last = SAID_BY_DEVICE
    by_device = first < PAGE.index(example) < last or found.kind == "HELLO"
    frame = frames.device_frame(found) if by_device else frames.host_frame(found)
    assert frame is not None
    assert by_device is not isinstance(frame, frames.HostFrame)


@pytest.mark.parametrize("example", [each for each in EXAMPLES if "proto=9" not in each])
def test_every_example_is_written_exactly_as_the_code_writes_it(example: str) -> None:
    frame = frames.device_frame(read(example)) or frames.host_frame(read(example))
    assert frame is not None
    assert encode(frame.line()) == example.encode() + b"\n"


def test_the_page_shows_every_frame() -> None:
    shown = {read(example).kind for example in EXAMPLES}
    assert shown == {kind.KIND for kind in (*frames.DeviceFrame.__args__, *frames.HostFrame.__args__)}


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    assert len(LIMITS) == 15
    known = {**vars(line), **vars(limits)}
    assert {name: int(value) for value, name in LIMITS} == {name: known[name] for _, name in LIMITS}


def test_the_check_value_of_the_page_is_that_of_its_crc() -> None:
    assert f"{crc32(b'123456789'):08x}" in PAGE
