"""The codec's laws: what is written is read back, however it is cut; what is damaged is never taken for a line."""

from __future__ import annotations

from binascii import crc32

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import FrameError
from firmware_bridge.line import MAX_FIELDS, MAX_LINE, MAX_SEQ, Line, LineDecoder, decode, encode

LAW = settings(deadline=None)
KINDS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=12)
KEYS = st.text("abcdefghijklmnopqrstuvwxyzNESW", min_size=1, max_size=12)
VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LINES = st.builds(
    Line,
    st.integers(0, MAX_SEQ),
    KINDS,
    st.lists(st.tuples(KEYS, VALUES), max_size=4).map(tuple),
)
CUTS = st.lists(st.integers(0, 400), max_size=12)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place for place in places if place < len(data)})
    return [data[a:b] for a, b in zip([0, *ends], [*ends, len(data)], strict=True)]


def read(decoder: LineDecoder, pieces: list[bytes]) -> list[Line]:
    return [line for piece in pieces for line in decoder.feed(piece)]


def test_a_line_is_written_as_documented() -> None:
    line = Line(17, "SCAN", (("boot", "9f3a12c4"), ("seat", "N"), ("uid", "04 A1=*"), ("ms", "83211")))
    assert encode(line) == b"$17 SCAN boot=9f3a12c4 seat=N uid=04%20A1%3D%2A ms=83211*a9e46f4c\n"


@LAW
@given(line=LINES)
def test_a_line_is_read_back_as_it_was_written(line: Line) -> None:
    written = encode(line)
    assert written.isascii()
    assert LineDecoder().feed(written) == [line]


@LAW
@given(lines=st.lists(LINES, max_size=6), places=CUTS)
def test_lines_are_the_same_however_the_bytes_are_cut(lines: list[Line], places: list[int]) -> None:
    decoder = LineDecoder()
    assert read(decoder, cut(b"".join(map(encode, lines)), places)) == lines
    assert (decoder.bad, decoder.held) == (0, 0)


@LAW
@given(data=st.binary(max_size=400), places=CUTS)
@example(data=b"$" * 50 + b"\n" * 3 + b" \r\n", places=[3])
@example(data=b"$1 A*4eb70311\r\n", places=[12])
def test_any_bytes_give_the_same_lines_and_the_same_count_however_cut(data: bytes, places: list[int]) -> None:
    whole, pieces = LineDecoder(), LineDecoder()
    assert read(pieces, cut(data, places)) == whole.feed(data)
    assert pieces.bad == whole.bad


@LAW
@given(garbage=st.binary(max_size=2 * MAX_LINE), line=LINES, places=CUTS)
def test_a_line_after_garbage_is_found(garbage: bytes, line: Line, places: list[int]) -> None:
    assert read(LineDecoder(), cut(garbage + encode(line), places))[-1:] == [line]


@LAW
@given(torn=LINES, at=st.integers(1, 60), line=LINES)
def test_a_torn_line_does_not_take_the_next_one_with_it(torn: Line, at: int, line: Line) -> None:
    written = encode(torn)
    decoder = LineDecoder()
    assert decoder.feed(written[: min(at, len(written) - 1)] + encode(line)) == [line]
    assert decoder.bad == 1


@LAW
@given(line=LINES, at=st.integers(0, 10_000), bits=st.integers(1, 255))
def test_a_line_with_one_damaged_byte_is_never_accepted(line: Line, at: int, bits: int) -> None:
    written = bytearray(encode(line))
    written[at % len(written)] ^= bits
    decoder = LineDecoder()
    assert decoder.feed(bytes(written)) + decoder.feed(b"\n") == []
    assert decoder.bad >= 1


@LAW
@given(line=LINES, a=st.integers(0, 200), b=st.integers(0, 200))
def test_a_line_that_lost_bytes_is_never_accepted(line: Line, a: int, b: int) -> None:
    written = encode(line)
    first, last = sorted((a % len(written), b % len(written)))
    damaged = written[:first] + written[last + 1 :]
    assert LineDecoder().feed(damaged) == []


@LAW
@given(pieces=st.lists(st.binary(min_size=1, max_size=3 * MAX_LINE).map(lambda b: b.replace(b"\n", b"$")), max_size=20))
def test_the_buffer_never_holds_more_than_a_line(pieces: list[bytes]) -> None:
    decoder = LineDecoder()
    for piece in pieces:
        decoder.feed(piece)
        assert decoder.held < MAX_LINE


def test_a_line_longer_than_the_limit_is_refused_on_both_ends() -> None:
    too_long = Line(1, "A", (("k", "x" * MAX_LINE),))
    with pytest.raises(FrameError, match="does not fit"):
        encode(too_long)
    just_fits = encode(Line(1, "A", (("k", "x" * (MAX_LINE - len("$1 A k=*01234567\n"))),)))
    assert len(just_fits) == MAX_LINE
    assert len(LineDecoder().feed(just_fits)) == 1
    decoder = LineDecoder()
    assert decoder.feed(just_fits.replace(b"k=x", b"k=xx")) == []
    assert decoder.bad == 1


@pytest.mark.parametrize(
    "line",
    [
        Line(-1, "A"),
        Line(MAX_SEQ + 1, "A"),
        Line(1, "scan"),
        Line(1, ""),
        Line(1, "A", (("k k", "v"),)),
        Line(1, "A", (("k", "v"),) * (MAX_FIELDS + 1)),
    ],
)
def test_a_line_that_cannot_exist_is_not_written(line: Line) -> None:
    with pytest.raises(FrameError):
        encode(line)


@pytest.mark.parametrize(
    "raw",
    [b"", b"$", b"$1", b"$1 A", b"$1 A*", b"$1 A*4eb7031", b"$1 A*4EB70311", b"1 A*4eb70311", b"$1  A*4eb70311"],
)
def test_what_is_not_exactly_a_line_is_none(raw: bytes) -> None:
    assert decode(raw) is None


def test_a_carriage_return_before_the_newline_is_forgiven() -> None:
    line = Line(3, "BEAT", (("boot", "b"),))
    decoder = LineDecoder()
    assert decoder.feed(encode(line).replace(b"\n", b"\r\n")) == [line]
    assert decoder.bad == 0


def test_a_value_that_is_not_utf_8_is_a_bad_line() -> None:
    good = encode(Line(1, "A", (("k", "ÿ"),)))
    assert b"%C3%BF" in good
    body = b"1 A k=%FF"
    decoder = LineDecoder()
    assert decoder.feed(b"$%b*%08x\n" % (body, crc32(body))) == []
    assert decoder.bad == 1
