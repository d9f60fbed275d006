"""The lines on the wire: ``$<seq> <TYPE> key=value …*<crc32>`` and a newline, in readable ASCII.

``crc32`` is eight lower-case hexadecimal digits over every byte between ``$`` and ``*``. Values are UTF-8, with every
byte that has a meaning in a line written as ``%XX``. PROTOCOL.md has the whole definition.
"""

from __future__ import annotations

import re
from binascii import crc32
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from firmware_bridge.errors import FrameError

MAX_LINE: Final = 1024
"""Bytes in the longest line, with its ``$`` and its newline."""

MAX_FIELDS: Final = 16
"""Fields in one line; a snapshot of eight cards needs eleven."""

MAX_SEQ: Final = 2**32 - 1
"""The largest sequence number a line can carry."""

_SAFE: Final = "!\"#&'()+,/:;<>?@[\\]^`{|}"
_VALUE: Final = rb"(?:[!-#&-)+-<>-~]|%[0-9A-Fa-f]{2})*"
_LINE: Final = re.compile(
    rb"\$(\d{1,10}) ([A-Z]{1,12})((?: [A-Za-z]{1,12}=" + _VALUE + rb"){0,%d})\*([0-9a-f]{8})\r?" % MAX_FIELDS
)
_KIND: Final = re.compile(r"[A-Z]{1,12}")
_KEY: Final = re.compile(r"[A-Za-z]{1,12}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its sequence number, its type, and its fields in order (a key may repeat)."""

    seq: int
    kind: str
    fields: tuple[tuple[str, str], ...] = ()

    def value(self, key: str) -> str | None:
        """The first value under ``key``, or None."""
        return next((value for name, value in self.fields if name == key), None)


def encode(line: Line) -> bytes:
    """The line as bytes, newline included. Raises ``FrameError`` for what no line can carry."""
    well_formed = _KIND.fullmatch(line.kind) and all(_KEY.fullmatch(key) for key, _ in line.fields)
    if not well_formed or not 0 <= line.seq <= MAX_SEQ or len(line.fields) > MAX_FIELDS:
        raise FrameError(f"A line cannot carry {line.seq} {line.kind[:20]} with {len(line.fields)} fields.")
    words = [f"{line.seq} {line.kind}", *(f"{key}={quote(value, safe=_SAFE)}" for key, value in line.fields)]
    body = " ".join(words).encode("ascii")
    written = b"$%b*%08x\n" % (body, crc32(body))
    if len(written) > MAX_LINE:
        raise FrameError(f"A {line.kind} of {len(written)} bytes does not fit into a line of {MAX_LINE}.")
    return written


def decode(raw: bytes) -> Line | None:
    """Read one line without its newline, from its ``$`` on; None for anything that is not exactly a line."""
    match = _LINE.fullmatch(raw)
    if match is None or len(raw) >= MAX_LINE:
        return None
    seq, kind, fields, check = match.groups()
    body = raw[1 : match.start(4) - 1]
    if crc32(body) != int(check, 16) or int(seq) > MAX_SEQ:
        return None
    try:
        pairs = [word.partition(b"=") for word in fields.split()]
        read = tuple((key.decode("ascii"), unquote_to_bytes(value).decode("utf-8")) for key, _, value in pairs)
    except UnicodeDecodeError:
        return None
    return Line(int(seq), kind.decode("ascii"), read)


class LineDecoder:
    """Turns bytes, cut anywhere, into lines. It never raises and never holds more than one line.

    A line starts at the last ``$`` before its newline, so that a torn line never takes the next one with it.
    """

    def __init__(self) -> None:
        self.bad = 0
        """Starts (``$``) that did not become a line, and lines of noise without a start."""
        self._pending = bytearray()
        self._starts = 0
        self._noise = False

    @property
    def held(self) -> int:
        """Bytes held back until a newline comes; always below ``MAX_LINE``."""
        return len(self._pending)

    def feed(self, data: bytes) -> list[Line]:
        """Take the next bytes and give the lines that they complete."""
        found: list[Line] = []
        head, *rest = data.split(b"\n")
        self._append(head)
        for piece in rest:
            line = self._finish()
            if line is not None:
                found.append(line)
            self._append(piece)
        return found

    def _append(self, piece: bytes) -> None:
        self._starts += piece.count(b"$")
        self._noise = self._noise or bool(piece.strip())
        start = piece.rfind(b"$")
        if start >= 0:
            self._pending[:] = piece[start:]
        elif self._pending:
            self._pending += piece
        if len(self._pending) >= MAX_LINE:
            self._pending.clear()

    def _finish(self) -> Line | None:
        line = decode(bytes(self._pending))
        if line is not None:
            self.bad += self._starts - 1
        elif self._noise:
            self.bad += max(self._starts, 1)
        self._pending.clear()
        self._starts = 0
        self._noise = False
        return line
