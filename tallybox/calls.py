"""Calls as a tagged type: pass, nil, a number and a bid whist bid are four different things."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tallybox.errors import CallError, shown
from tallybox.said import say


class Game(StrEnum):
    """Which of the two games a ruleset plays."""

    BID_WHIST = "bid_whist"
    SPADES = "spades"


class Strain(StrEnum):
    """What a bid whist bid promises to play: high (uptown), special (downtown) or no trump (A-10)."""

    HIGH = "high"
    SPECIAL = "special"
    NO = "no"


class Direction(StrEnum):
    """Which end of the suit wins in a No contract; stated by the winner of the auction (A-18)."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: bid whist only, and a call (A-10)."""


@dataclass(frozen=True, slots=True)
class Nil:
    """A bid to take no trick: spades only, never the number 0 (B-11)."""


@dataclass(frozen=True, slots=True)
class Number:
    """A spades bid of so many tricks (B-10)."""

    tricks: int


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid whist bid: ``level`` books over six, its strain, and the direction once a No winner stated it."""

    level: int
    strain: Strain
    direction: Direction | None = None

    @property
    def stated(self) -> Bid:
        """The bid as called, without the direction that is stated later."""
        return self if self.direction is None else replace(self, direction=None)


Call = Pass | Nil | Number | Bid

PASS: Final = Pass()
NIL: Final = Nil()

_WHIST: Final = re.compile(r"([0-9]{1,3}) ?(high|h|special|s|no|nt|n)?(?: (up|down))?")
_SPADES: Final = re.compile(r"[0-9]{1,3}")
_STRAINS: Final = {
    "h": Strain.HIGH, "high": Strain.HIGH, "s": Strain.SPECIAL, "special": Strain.SPECIAL,
    "n": Strain.NO, "nt": Strain.NO, "no": Strain.NO,
}  # fmt: skip


def parse_call(game: Game, text: str) -> Call:
    """Read one call as people and sheets write it, such as ``4 special``, ``5 NT down`` or ``nil``.

    Only the spelling is judged here; whether the call is legal is the ruleset's business.
    Raises ``CallError`` (code ``not-a-call``) with a sentence.
    """
    words = " ".join(text.lower().split()) if len(text) <= 40 else text[:40]
    if game is Game.SPADES:
        if words == "nil":
            return NIL
        if _SPADES.fullmatch(words):
            return Number(int(words))
        raise CallError(
            "not-a-call", say("“{text}” is not a spades bid. Bid a number of tricks, or nil.", text=shown(text))
        )
    if words == "pass":
        return PASS
    match = _WHIST.fullmatch(words)
    if match is None:
        raise CallError(
            "not-a-call", say("“{text}” is not a bid whist call. Say pass, 4, 4 special or 4 no.", text=shown(text))
        )
    level, named, end = match.groups()
    strain = _STRAINS[named or "h"]
    if end and strain is not Strain.NO:
        raise CallError("not-a-call", say("“{text}”: up and down belong to a No bid only.", text=shown(text)))
    return Bid(int(level), strain, Direction(end) if end else None)


def call_text(call: Call) -> str:
    """The one canonical spelling of a call, which ``parse_call`` reads back to the same value."""
    match call:
        case Pass():
            return "pass"
        case Nil():
            return "nil"
        case Number(tricks):
            return str(tricks)
    words = [str(call.level)]
    if call.strain is not Strain.HIGH:
        words.append(call.strain.value)
    if call.direction is not None:
        words.append(call.direction.value)
    return " ".join(words)


def call_words(call: Call) -> str:
    """The call as it is spoken at the table, its words in capitals."""
    match call:
        case Pass():
            return "PASS"
        case Nil():
            return "NIL"
        case Number(tricks):
            return str(tricks)
    spoken = f"{call.level} {call.strain.upper()}"
    return f"{spoken} {call.direction.upper()}" if call.direction else spoken
