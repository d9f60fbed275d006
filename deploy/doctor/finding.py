"""What a check found: what is so, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What was looked at, in the order in which it is told."""

    PROGRAM = "program"
    FILES = "files"
    DISK = "disk"
    RECORD = "record"
    """The hub's ledger or the box's journal."""
    CERTIFICATES = "certificates"
    BROKER = "broker"
    HUB = "hub"
    CLOCK = "clock"
    READER = "reader"
    PINS = "pins"
    DISPLAY = "display"
    SERVICE = "service"
    POWER = "power"


class Weight(StrEnum):
    """How much a finding matters: nothing to do, something to do before the next evening, something to do now."""

    GOOD = "good"
    SOON = "soon"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is so; ``do`` is empty where nothing is to be done."""

    part: Part
    code: str
    weight: Weight
    says: str
    do: str = ""


def good(part: Part, says: str) -> Finding:
    """All is well here."""
    return Finding(part, "fine", Weight.GOOD, says)


def soon(part: Part, code: str, says: str, do: str) -> Finding:
    """Works now; to be seen to before the next evening."""
    return Finding(part, code, Weight.SOON, says, do)


def wrong(part: Part, code: str, says: str, do: str) -> Finding:
    """Does not work, or will not when it matters."""
    return Finding(part, code, Weight.WRONG, says, do)
