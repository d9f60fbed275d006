"""What a tap can mean. An act is a value: two trees with the same acts are the same screen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kiosk.screens.entries import Entries
from kiosk.widgets.node import Act
from tallybox.events.table import Body


class Over(StrEnum):
    """A sheet laid over the step; the step below keeps its entries."""

    STATUS = "status"
    SHEET = "sheet"
    ROUND = "round"
    KEEPER = "keeper"
    """Who keeps the score, chosen once more; ``about`` is who did, see ``kiosk.screens.about``."""
    WHY = "why"
    AUCTION = "auction"
    MISDEAL = "misdeal"
    WRONG_TEAM = "wrong-team"
    WRONG = "wrong"
    IRREGULARITY = "irregularity"
    """What went wrong (k08); ``about`` may name a code and the seat it is about: ``OUT_OF_TURN_BID/S``."""
    IMPROPER = "improper"
    """A greyed call was tapped; ``about`` is the call (A-14)."""
    CLAIM = "claim"
    CONCEDE = "concede"
    RULING = "ruling"
    """The ruling on what the table raised, once an official has proved a personal PIN."""
    PIN = "pin"
    """An official types a personal PIN; ``about`` says what for, see ``kiosk.screens.pin.WHAT_FOR``."""
    MENU = "menu"
    CORRECT = "correct"
    VOID = "void"
    ADJUST = "adjust"
    SWAP = "swap"
    WAIVE = "waive"
    CALL_TIME = "call-time"
    REQUEST = "request"
    """What only the hub can do; ``about`` says what, as ``official.requested`` does."""
    TEST = "test"


OFFICIAL: Final = frozenset(
    {
        Over.PIN, Over.RULING, Over.MENU, Over.CORRECT, Over.VOID, Over.ADJUST, Over.SWAP, Over.WAIVE, Over.REQUEST,
        Over.TEST, Over.CALL_TIME,
    }
)  # fmt: skip
"""What an official does over the step: the step may change below, and stays covered."""


@dataclass(frozen=True)
class Do(Act):
    """Journal these bodies, one after the other. What was entered goes when the table has taken it, not before."""

    bodies: tuple[Body, ...]


@dataclass(frozen=True)
class Enter(Act):
    """The entries being made become these; nothing is journalled."""

    entries: Entries


@dataclass(frozen=True)
class Open(Act):
    """Lay a sheet over the step; ``about`` says which hand it is about, ``page`` which part of it is shown."""

    over: Over
    about: str = ""
    page: int = 0


@dataclass(frozen=True)
class Close(Act):
    """Back to the step."""


@dataclass(frozen=True)
class Say(Act):
    """Answer a tap on something that cannot be done yet with the reason."""

    sentence: str


@dataclass(frozen=True)
class AskDirector(Act):
    """Ask whether the director is to be called, or the call cancelled; or stop asking."""

    ask: bool


@dataclass(frozen=True)
class Resend(Act):
    """Try to reach the hub now."""


@dataclass(frozen=True)
class Decide(Act):
    """An official's act: journal it, and once it counts go back to the menu and say so; else stay, with the reason."""

    body: Body
    said: str


@dataclass(frozen=True)
class Speak(Act):
    """Say everything in this language from now on, and remember it."""

    language: str


@dataclass(frozen=True)
class Practise(Act):
    """Begin a hand that counts nowhere, or end it."""

    on: bool


@dataclass(frozen=True)
class Identify(Act):
    """Sound the buzzer and light the lamp."""


@dataclass(frozen=True)
class TryPin(Act):
    """See whose PIN was typed, and go on with what it was asked for."""

    about: str
