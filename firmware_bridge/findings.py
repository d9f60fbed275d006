"""What may be found on a reader's port, and the sentences for it: what is so, then what to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge import frames
from firmware_bridge.holders import Holder
from firmware_bridge.limits import PROTOCOL


class Kind(StrEnum):
    """What should be on the port."""

    DECK = "deck"
    BARCODE = "barcode"


class Trouble(StrEnum):
    """What was found; ``fine`` is the only one that needs nothing done."""

    FINE = "fine"
    NO_PORTS = "no_ports"
    MISSING = "missing"
    NOT_A_PORT = "not_a_port"
    BUSY = "busy"
    PERMISSION = "permission"
    MODEM_MANAGER = "modem_manager"
    SILENT = "silent"
    WRONG_PROTOCOL = "wrong_protocol"
    SCANNER = "scanner"
    """Not a card reader but a barcode scanner."""
    READER = "reader"
    """Not a barcode scanner but a card reader."""
    NO_FIRMWARE = "no_firmware"
    NOT_OURS = "not_ours"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is so, and what to do; ``who``: the program that has to do with it, where it can be seen."""

    trouble: Trouble
    says: str
    do: str = ""
    who: Holder | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What was found on a port; ``None`` for a machine without any."""

    port: str | None
    findings: tuple[Finding, ...]

    @property
    def fine(self) -> bool:
        """Whether the port works; a word of warning may go with it."""
        return any(finding.trouble is Trouble.FINE for finding in self.findings)


@dataclass(slots=True)
class Heard:
    """What came from a port."""

    raw: bytearray = field(default_factory=bytearray)
    hello: frames.Hello | None = None
    lines: int = 0
    codes: list[str] = field(default_factory=list)


def told(path: str, heard: Heard, kind: Kind) -> Finding:
    """What is on the port, from what it said."""
    hello = heard.hello
    if hello is not None:
        return _reader(path, hello, kind)
    if not heard.raw:
        return _silent(path, kind)
    text = heard.raw.decode("utf-8", "replace")
    if ">>>" in text or "MicroPython" in text:
        return Finding(
            Trouble.NO_FIRMWARE, f"The board at {path} waits at MicroPython's own prompt: its program does not run.",
            "Unplug it and plug it in again. If that does not help, copy the firmware onto it afresh.",
        )  # fmt: skip
    if heard.codes and not heard.lines and "$" not in text:
        return _scanner(path, heard.codes[0], kind)
    if heard.lines:
        return Finding(
            Trouble.NOT_OURS, f"What is at {path} sends lines of this kind, and never says who it is.",
            "Its answer to WHO is wanting, or the cable sends back what comes: see firmware_bridge/PROTOCOL.md.",
        )  # fmt: skip
    return Finding(
        Trouble.NOT_OURS, f"Something speaks at {path}, and not as a card reader does ({len(heard.raw)} bytes).",
        "Check that the path is the reader's. If a scanner is there, give its speed with --baud.",
    )  # fmt: skip


def _reader(path: str, hello: frames.Hello, kind: Kind) -> Finding:
    if hello.protocol != PROTOCOL:
        return Finding(
            Trouble.WRONG_PROTOCOL,
            f"Reader {hello.device} at {path} speaks protocol {hello.protocol}; this program speaks {PROTOCOL}.",
            "Bring the older of the two up to date: the reader's firmware, or Tallybox on this box.",
        )
    if kind is Kind.BARCODE:
        return Finding(
            Trouble.READER, f"Card reader {hello.device} is at {path}, not a barcode scanner.",
            'Set kind = "deck" under [reader] in box.toml.',
        )  # fmt: skip
    seats = ", ".join(seat.word for seat in hello.seats)
    return Finding(Trouble.FINE, f"Reader {hello.device} answers at {path}: firmware {hello.firmware}, {seats}.")


def _scanner(path: str, code: str, kind: Kind) -> Finding:
    if kind is Kind.BARCODE:
        return Finding(Trouble.FINE, f"The scanner at {path} works; it read {code}.")
    return Finding(
        Trouble.SCANNER, f"What is at {path} is a barcode scanner, not a card reader; it read {code}.",
        'Set kind = "barcode" under [reader] in box.toml.',
    )  # fmt: skip


def _silent(path: str, kind: Kind) -> Finding:
    if kind is Kind.BARCODE:
        return Finding(
            Trouble.SILENT, f"Nothing was scanned at {path}.",
            "Scan a card while this listens. If nothing comes, set the scanner to “USB COM port” with the code in its "
            "manual; a scanner that types like a keyboard is of no use here.",
        )  # fmt: skip
    return Finding(
        Trouble.SILENT, f"The port {path} is free, and nothing is heard from it.",
        "Unplug the reader and plug it in again. If it is a barcode scanner, look with --kind barcode and scan a card.",
    )  # fmt: skip
