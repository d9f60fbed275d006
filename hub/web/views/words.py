"""The words the pages share: rounds, sheet colours, steps, times, signed figures."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Final

from tallybox import papers
from tallybox.countdown import clock_text
from tallybox.messages import Team
from tallybox.seats import Side
from tallybox.table.state import Step

PAPERS: Final = tuple(paper.name for paper in papers.PAPERS)
"""The eight sheets; round nine starts again at Canary with a doubled edge."""

_COUNTS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

SIDE_WORDS: Final = {Side.NS: "North–South", Side.EW: "East–West"}

STEPS: Final = {
    Step.IDLE: "Not begun",
    Step.CLAIMED: "Claimed",
    Step.SEATS: "Seats",
    Step.SCOREKEEPER: "Scorekeeper",
    Step.CLOCK: "Ready",
    Step.DRAW: "Draw for deal",
    Step.NEXT: "Next hand",
    Step.DEAL: "Deal",
    Step.AUCTION: "Auction",
    Step.EARLY: "Early call",
    Step.CONFLICT: "Two calls",
    Step.CONTRACT: "Contract",
    Step.PLAY: "Play",
    Step.RULING: "To rule",
    Step.RESULT: "Result",
    Step.COMPARE: "Two results",
    Step.CHECK: "Check",
    Step.DISPUTED: "Disputed",
    Step.SIGN: "To sign",
    Step.SUBMITTED: "Signed",
    Step.ACCEPTED: "Accepted",
    Step.RELEASED: "Released",
}

STEP_SENTENCES: Final = {
    Step.IDLE: "Nobody has claimed this table yet.",
    Step.CLAIMED: "The box asks to speak for this table.",
    Step.SEATS: "The teams confirm their seats.",
    Step.SCOREKEEPER: "The table chooses its scorekeeper.",
    Step.CLOCK: "The table is ready and waits for the clock.",
    Step.DRAW: "The players draw for the first deal.",
    Step.NEXT: "The next hand is about to be dealt.",
    Step.DEAL: "The cards are dealt and counted.",
    Step.AUCTION: "The auction is on.",
    Step.EARLY: "A seat called before its turn. The other side says whether the call stands.",
    Step.CONFLICT: "A card and a typed call differ. The table says which one stands.",
    Step.CONTRACT: "The contract is being locked.",
    Step.PLAY: "The hand is being played.",
    Step.RULING: "An irregularity waits for a ruling; the cards stay in the hands.",
    Step.RESULT: "The result is entered again.",
    Step.COMPARE: "The two scorekeepers entered different results.",
    Step.CHECK: "Both sides check the score.",
    Step.DISPUTED: "One side says twice that something is wrong.",
    Step.SIGN: "The sheet waits for signatures.",
    Step.SUBMITTED: "The signed sheet is with the hub.",
    Step.ACCEPTED: "The sheet is accepted.",
    Step.RELEASED: "The teams may move.",
}


def count_word(number: int) -> str:
    """A round's number as a word, figures beyond twelve."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)


def paper(number: int) -> int:
    """Which of the eight papers a round is printed on, 1 to 8."""
    return (number - 1) % len(PAPERS) + 1


def signed(points: int) -> str:
    """A figure with a real minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def players(team: Team) -> str:
    """Both names of a team on one line."""
    return " · ".join(team.names)


def time_of_day(ms: int, zone: tzinfo | None = None) -> str:
    """Hours and minutes on the hub's wall clock (or in ``zone``)."""
    return datetime.fromtimestamp(ms / 1000, tz=zone).astimezone(zone).strftime("%H:%M")


def age(since: int, now: int) -> str:
    """How long ago, as ``m:ss``."""
    text = clock_text(max(0, (now - since) // 1000))
    return text.removeprefix("0") if len(text) == 5 else text


def seal(digest: str) -> str:
    """The first eight digits of a digest, as people compare them."""
    return f"{digest[:4]}-{digest[4:8]}".upper()


def counted(number: int, one: str, many: str) -> str:
    """``1 table``, ``3 tables``."""
    return f"{number} {one if number == 1 else many}"
