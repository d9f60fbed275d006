"""What must hold for any bytes: no exception, no more than one line held, no line that both ends read differently."""

from __future__ import annotations

from binascii import crc32
from contextlib import suppress

from firmware_bridge.errors import FrameError
from firmware_bridge.firmware.card_reader.wire import Decoder
from firmware_bridge.frames import device_frame, host_frame
from firmware_bridge.line import MAX_LINE, Line, LineDecoder, decode, encode


def check(data: bytes) -> int:
    """Decode ``data`` cut and mended as its first two bytes say; how many lines were found.

    Odd first byte: every line gets the CRC it should have, or chance would never get past it. Raises
    ``AssertionError`` when something does not hold.
    """
    if len(data) < 2:
        return 0
    stream = _mended(data[2:]) if data[0] % 2 else data[2:]
    size = data[1] + 1
    box, firmware = LineDecoder(), Decoder()
    found = 0
    for start in range(0, len(stream), size):
        piece = stream[start : start + size]
        lines = box.feed(piece)
        assert box.held < MAX_LINE
        theirs = [(line.seq, line.kind, tuple(line.fields)) for line in firmware.feed(piece)]
        assert theirs == [(line.seq, line.kind, line.fields) for line in lines]
        for line in lines:
            _understood(line)
        found += len(lines)
    return found


def _understood(line: Line) -> None:
    """A line survives being written, and its frame is one, is passed over, or is refused in words."""
    with suppress(FrameError):
        assert decode(encode(line)[:-1]) == line
    for read in (device_frame, host_frame):
        with suppress(FrameError):
            frame = read(line)
            if frame is not None:
                written = frame.line()
                assert read(written) == frame


def _mended(data: bytes) -> bytes:
    return b"".join(b"$%b*%08x\n" % (body, crc32(body)) for body in data.split(b"\n"))
