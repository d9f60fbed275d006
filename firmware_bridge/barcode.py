"""What a plain barcode scanner says, without I/O: lines that end in CR or LF, and one code read again and again."""

from __future__ import annotations

from typing import Final

from firmware_bridge.limits import MAX_UID
from firmware_bridge.line import MAX_LINE, decode

BAUD: Final = 9_600
"""What plain scanners speak as they come out of the box; USB ones do not mind."""

AGAIN_AFTER: Final = 2.0
"""Seconds for which a code must be out of sight before it counts again: scanners repeat what stays in view."""

_STAND_IN: Final = "?"
"""In place of what no card's code has; no uid of a deck has it, so such a code is always a strange card."""

_AROUND: Final = " \t\x00\x02\x03"
"""What some scanners put around a code."""


class ScannerLines:
    """Cuts a scanner's bytes into codes. Bounded, and never raises; ``bad`` counts lines that are no text at all."""

    def __init__(self) -> None:
        self.bad = 0
        self.is_reader = False
        """Whether the device speaks the protocol of a card reader, so that it is no scanner."""
        self._buffer = bytearray()
        self._lost = False

    def feed(self, data: bytes) -> list[str]:
        """Take bytes; the codes that are complete, in order, each as a uid.

        Too long a code is cut, and what no uid has is replaced: it stays a strange card and is told as one.
        """
        found: list[str] = []
        for byte in data:
            if byte not in b"\r\n":
                self._collect(byte)
                continue
            line, lost = bytes(self._buffer), self._lost
            self._buffer.clear()
            self._lost = False
            if lost:
                self.bad += 1
            elif line:
                found += self._code(line)
        return found

    def _collect(self, byte: int) -> None:
        if len(self._buffer) >= MAX_LINE:
            self._buffer.clear()
            self._lost = True
        if not self._lost:
            self._buffer.append(byte)

    def _code(self, line: bytes) -> list[str]:
        if decode(line[max(line.rfind(b"$"), 0) :]) is not None:
            self.is_reader = True
            return []
        try:
            text = line.decode("utf-8").strip(_AROUND)
        except UnicodeDecodeError:
            self.bad += 1
            return []
        if not text:
            return []
        if not text.isprintable():
            self.bad += 1
            return []
        plain = "".join(each if each.isascii() and each != " " else _STAND_IN for each in text)
        return [plain if len(plain) <= MAX_UID else plain[: MAX_UID - 1] + _STAND_IN]


class Repetition:
    """Tells a card that is shown anew from one that stays in view. Times in seconds."""

    def __init__(self, again_after: float = AGAIN_AFTER) -> None:
        self._again_after = again_after
        self._uid = ""
        self._seen = 0.0

    def is_new(self, uid: str, now: float) -> bool:
        """Whether this code counts; seeing it again prolongs the time in which it does not."""
        new = uid != self._uid or now - self._seen >= self._again_after
        self._uid, self._seen = uid, now
        return new
