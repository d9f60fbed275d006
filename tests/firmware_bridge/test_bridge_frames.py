"""Every frame is read back from its line, and a line that is not quite a frame is refused in words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import frames
from firmware_bridge.errors import FrameError
from firmware_bridge.limits import MAX_BUZZ, MAX_BUZZ_MS, MAX_CARDS, MAX_MS, MAX_NAME, MAX_UID, PROTOCOL
from firmware_bridge.line import MAX_SEQ, Line, LineDecoder, encode
from tallybox.seats import Seat

LAW = settings(deadline=None)
SEQ = st.integers(0, MAX_SEQ)
EVENT = st.integers(1, MAX_SEQ)
MS = st.integers(0, MAX_MS)
PRINTABLE = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
NAME = st.text(PRINTABLE, min_size=1, max_size=MAX_NAME)
UID = st.text(PRINTABLE, min_size=1, max_size=MAX_UID)
SEAT = st.sampled_from(list(Seat))
SEATS = st.lists(SEAT, max_size=4, unique=True).map(tuple)
CARDS = st.lists(st.tuples(SEAT, UID), max_size=MAX_CARDS).map(tuple)

DEVICE = st.one_of(
    st.builds(frames.Hello, SEQ, st.just(PROTOCOL), NAME, NAME, NAME, SEATS, st.booleans(), st.booleans(), MS),
    st.builds(frames.Scan, EVENT, NAME, SEAT, UID, MS),
    st.builds(frames.Gone, EVENT, NAME, SEAT, UID, MS),
    st.builds(frames.Cards, SEQ, NAME, SEQ, MS, CARDS),
    st.builds(frames.Beat, SEQ, NAME, MS, SEQ, SEQ, SEATS),
    st.builds(frames.Done, SEQ, NAME, st.booleans()),
)
HOST = st.one_of(
    st.builds(frames.Who, SEQ),
    st.builds(frames.Greet, SEQ, st.integers(0, 9_999), NAME, NAME),
    st.builds(frames.Refuse, SEQ, st.integers(0, 9_999), NAME, NAME),
    st.builds(frames.Ack, SEQ, NAME),
    st.builds(frames.Light, SEQ, SEAT, st.booleans()),
    st.builds(frames.Buzz, SEQ, st.lists(st.integers(1, MAX_BUZZ_MS), min_size=1, max_size=MAX_BUZZ).map(tuple)),
    st.builds(frames.Snapshot, SEQ),
)


def over_the_wire(line: Line) -> Line:
    [read] = LineDecoder().feed(encode(line))
    return read


@LAW
@given(frame=DEVICE)
def test_a_device_frame_is_read_back_from_its_line(frame: frames.DeviceFrame) -> None:
    assert frames.device_frame(over_the_wire(frame.line())) == frame


@LAW
@given(frame=HOST)
def test_a_host_frame_is_read_back_from_its_line(frame: frames.HostFrame) -> None:
    assert frames.host_frame(over_the_wire(frame.line())) == frame


@LAW
@given(seq=SEQ, times=st.lists(st.integers(1, MAX_BUZZ_MS), min_size=1, max_size=MAX_BUZZ).map(tuple))
def test_a_host_line_to_a_device_with_a_short_boot_fits_into_128_bytes(seq: int, times: tuple[int, ...]) -> None:
    boot = "0123456789abcdef"
    said: list[frames.HostFrame] = [
        frames.Who(seq),
        frames.Greet(seq, PROTOCOL, boot, "0123abcd"),
        frames.Refuse(seq, PROTOCOL, boot, "protocol"),
        frames.Ack(seq, boot),
        frames.Light(seq, Seat.N, on=True),
        frames.Buzz(seq, times),
        frames.Snapshot(seq),
    ]
    assert max(len(encode(frame.line())) for frame in said) <= 128


@LAW
@given(
    kind=st.sampled_from(["HELLO", "SCAN", "GONE", "CARDS", "BEAT", "DONE", "GREET", "REFUSE", "ACK", "LIGHT", "BUZZ"]),
    fields=st.lists(
        st.tuples(
            st.sampled_from(["proto", "id", "boot", "seat", "uid", "ms", "on", "did", "upto", "N", "down", "waiting"]),
            st.text(max_size=50),
        ),
        max_size=8,
    ).map(tuple),
)
def test_a_line_with_any_content_is_a_frame_or_refused(kind: str, fields: tuple[tuple[str, str], ...]) -> None:
    for read in (frames.device_frame, frames.host_frame):
        with suppress(FrameError):
            frame = read(Line(1, kind, fields))
            assert frame is None or kind == frame.KIND


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        (Line(1, "SCAN", (("boot", "b"), ("seat", "X"), ("uid", "u"), ("ms", "1"))), "SCAN needs a seat"),
        (Line(1, "SCAN", (("boot", "b"), ("uid", "u"), ("ms", "1"))), "SCAN needs a seat"),
        (Line(0, "SCAN", (("boot", "b"), ("seat", "N"), ("uid", "u"), ("ms", "1"))), "SCAN counts from 1"),
        (Line(1, "SCAN", (("boot", "b"), ("seat", "N"), ("uid", "u" * 33), ("ms", "1"))), "uid= with 1 to 32"),
        (Line(1, "SCAN", (("boot", "b"), ("seat", "N"), ("uid", "a b"), ("ms", "1"))), "printable"),
        (Line(1, "SCAN", (("boot", "b"), ("seat", "N"), ("uid", "u"), ("ms", "-1"))), "ms= with a whole number"),
        (Line(1, "SCAN", (("boot", "b"), ("seat", "N"), ("uid", "u"), ("ms", "²"))), "ms= with a whole number"),
        (Line(1, "CARDS", (("boot", "b"), ("upto", "0"), ("ms", "0"), *((("N", "u"),) * 9))), "at most 8"),
        (Line(1, "BEAT", (("boot", "b"), ("ms", "0"), ("waiting", "0"), ("dropped", "0"), ("down", "NN"))), "once"),
        (Line(1, "HELLO", (("id", "r"), ("boot", "b"))), "proto="),
    ],
)
def test_a_device_line_that_is_not_quite_a_frame_says_what_it_needs(line: Line, needs: str) -> None:
    with pytest.raises(FrameError, match=needs):
        frames.device_frame(line)


@pytest.mark.parametrize("times", ["", "0", "2001", "1,,2", ",".join(["1"] * 10), "x"])
def test_a_buzz_out_of_its_limits_is_refused(times: str) -> None:
    with pytest.raises(FrameError):
        frames.host_frame(Line(1, "BUZZ", (("ms", times),)))


def test_a_type_of_a_later_version_is_passed_over() -> None:
    assert frames.device_frame(Line(1, "BATTERY", (("percent", "80"),))) is None
    assert frames.host_frame(Line(1, "COLOUR")) is None


def test_a_key_of_a_later_version_is_passed_over() -> None:
    line = frames.Scan(4, "b0", Seat.E, "MSO-E-4", 12).line()
    longer = Line(line.seq, line.kind, (*line.fields, ("rssi", "-40")))
    assert frames.device_frame(longer) == frames.Scan(4, "b0", Seat.E, "MSO-E-4", 12)


def test_a_hello_of_another_protocol_is_read_as_far_as_it_lasts() -> None:
    line = Line(1, "HELLO", (("proto", "9"), ("id", "R-9"), ("boot", "b9"), ("colour", "green")))
    assert frames.device_frame(line) == frames.Hello(1, 9, "R-9", "b9", "", (), lights=False, buzzer=False, ms=0)
