"""Lines on the wire: ``$<seq> <TYPE> key=value …*<crc32>`` and a newline, without a regular expression.

MicroPython's ``re`` recurses over a long line; a microcontroller's stack is short.
"""

from binascii import crc32

from .limits import MAX_FIELDS, MAX_LINE, MAX_SEQ

DIGITS = b"0123456789"
CHECK = b"0123456789abcdef"
HEX = b"0123456789abcdefABCDEF"
CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = CAPITALS + b"abcdefghijklmnopqrstuvwxyz"
RESERVED = b"$*%="


class Line:
    """One line: its sequence number, its type, and its fields in order (a key may repeat)."""

    def __init__(self, seq: int, kind: str, fields: list[tuple[str, str]]) -> None:
        self.seq = seq
        self.kind = kind
        self.fields = fields

    def value(self, key: str) -> str:
        """The first value under ``key``; empty when there is none."""
        for name, value in self.fields:
            if name == key:
                return value
        return ""


def encode(seq: int, kind: str, fields: list[tuple[str, str]]) -> bytes:
    """The line as bytes, newline included."""
    words = [f"{seq} {kind}"]
    for key, value in fields:
        words.append(key + "=" + escaped(value))
    body = " ".join(words).encode()
    return b"$" + body + b"*" + f"{crc32(body):08x}".encode() + b"\n"


def escaped(value: str) -> str:
    """The value with every byte that means something in a line as ``%XX``."""
    return "".join([chr(byte) if _plain(byte) else f"%{byte:02X}" for byte in value.encode()])


def decode(raw: bytes) -> Line | None:
    """Read one line without its newline, from its ``$`` on; None for anything that is not exactly a line."""
    if len(raw) >= MAX_LINE or raw[:1] != b"$":
        return None
    words = _checked(raw[1:-1] if raw[-1:] == b"\r" else raw[1:]).split(b" ")
    if not 2 <= len(words) <= 2 + MAX_FIELDS or not _made_of(words[0], DIGITS, 10):
        return None
    seq, kind = int(words[0]), words[1]
    if seq > MAX_SEQ or not _made_of(kind, CAPITALS, 12):
        return None
    fields = []
    for word in words[2:]:
        pair = _field(word)
        if pair is None:
            return None
        fields.append(pair)
    return Line(seq, kind.decode(), fields)


class Decoder:
    """Turns bytes, cut anywhere, into lines. It never raises and never holds more than one line.

    A line starts at the last ``$`` before its newline, so that a torn line never takes the next one with it.
    """

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[Line]:
        """Take the next bytes and give the lines that they complete."""
        found = []
        pieces = data.split(b"\n")
        self._append(pieces[0])
        for piece in pieces[1:]:
            line = decode(self._pending)
            if line is not None:
                found.append(line)
            self._pending = b""
            self._append(piece)
        return found

    def _append(self, piece: bytes) -> None:
        start = piece.rfind(b"$")
        if start >= 0:
            self._pending = piece[start:]
        elif self._pending:
            self._pending += piece
        if len(self._pending) >= MAX_LINE:
            self._pending = b""


def _checked(written: bytes) -> bytes:
    """What stands before ``*`` and its right CRC; empty when the CRC is not right."""
    body, check = written[:-9], written[-8:]
    star = written[-9:-8] == b"*"
    return body if star and _made_of(check, CHECK, 8) and crc32(body) == int(check, 16) else b""


def _plain(byte: int) -> bool:
    return 32 < byte < 127 and byte not in RESERVED


def _made_of(word: bytes, letters: bytes, most: int) -> bool:
    if not 1 <= len(word) <= most:
        return False
    return all(byte in letters for byte in word)


def _field(word: bytes) -> tuple[str, str] | None:
    key, equals, written = word.partition(b"=")
    value = _unescaped(written)
    if not equals or value is None or not _made_of(key, LETTERS, 12):
        return None
    try:
        return key.decode(), value.decode()
    except UnicodeError:
        return None


def _unescaped(written: bytes) -> bytes | None:
    pieces = written.split(b"%")
    for byte in pieces[0]:
        if not _plain(byte):
            return None
    value = pieces[0]
    for piece in pieces[1:]:
        code, rest = piece[:2], piece[2:]
        if len(code) < 2 or not _made_of(code, HEX, 2):
            return None
        for byte in rest:
            if not _plain(byte):
                return None
        value += bytes([int(code, 16)]) + rest
    return value
