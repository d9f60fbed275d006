"""The bid whist auction: one round of calls, each bid above the last, the dealer last (A-10 to A-14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tallybox.calls import PASS, Bid, Call, Pass, Strain, call_words
from tallybox.rules.bidding import Made, Verdict, WhistContract
from tallybox.rules.settings import WhistSettings
from tallybox.said import joined, say
from tallybox.seats import Seat

HIGHEST_LEVEL: Final = 7
"""The highest bid: all thirteen books (A-10)."""

_STEP: Final = {
    "equal": {Strain.HIGH: 0, Strain.SPECIAL: 0, Strain.NO: 2},
    "low_beats_high": {Strain.HIGH: 0, Strain.SPECIAL: 1, Strain.NO: 2},
    "high_beats_low": {Strain.HIGH: 1, Strain.SPECIAL: 0, Strain.NO: 2},
}


def rank(settings: WhistSettings, bid: Bid) -> tuple[int, int]:
    """The bid's step on the ladder: number, then strain. Only a strictly higher step takes a bid out (A-12)."""
    return bid.level, _STEP[settings.same_number_order][bid.strain]


def keypad(settings: WhistSettings) -> tuple[Bid | Pass, ...]:
    """Every call there is, in keypad order."""
    levels = range(settings.min_level, HIGHEST_LEVEL + 1)
    return (*(Bid(level, strain) for strain in Strain for level in levels), PASS)


def high_bid(settings: WhistSettings, calls: Iterable[Call]) -> Bid | None:
    """The bid that stands, without its direction."""
    bids = [call.stated for call in calls if isinstance(call, Bid)]
    return max(bids, key=lambda bid: rank(settings, bid), default=None)


def judge(settings: WhistSettings, seat: Seat | None, made: Sequence[Made], call: Call) -> Verdict:
    """The verdict on one call by the seat in turn."""
    if seat is None:
        return Verdict(False, "A-11", "auction-over", say("All four have called. Nobody calls a second time."))
    if isinstance(call, Pass):
        return _judge_pass(settings, made)
    if not isinstance(call, Bid):
        return Verdict(False, "A-10", "not-a-call", say("{call} is not a bid whist call.", call=call_words(call)))
    return _judge_bid(settings, seat, made, call.stated)


def contract(settings: WhistSettings, made: Sequence[Made]) -> WhistContract | None:
    """The bid that stands and who made it; each bid beats the one before, so it is the last. ``None``: nobody bid."""
    standing = next(((entry.seat, entry.call) for entry in reversed(made) if isinstance(entry.call, Bid)), None)
    return None if standing is None else WhistContract(*standing, settings.books)


def _judge_pass(settings: WhistSettings, made: Sequence[Made]) -> Verdict:
    if len(made) == 3 and all(isinstance(entry.call, Pass) for entry in made):
        low = settings.min_level
        message = say("Three have passed. The dealer must bid at least {low}, {low} SPECIAL or {low} NO.", low=low)
        return Verdict(False, "A-13", "dealer-must-bid", message)
    return Verdict(True, "A-10")


def _judge_bid(settings: WhistSettings, seat: Seat, made: Sequence[Made], bid: Bid) -> Verdict:
    high = high_bid(settings, (entry.call for entry in made))
    said = call_words(bid)
    if bid.level > HIGHEST_LEVEL:
        message = say(
            "{said} is not a bid. The highest number is {highest}. {seat} calls again.",
            said=said, highest=HIGHEST_LEVEL, seat=seat.word,
        )  # fmt: skip
        return Verdict(False, "A-10", "not-a-bid", message)
    if bid.level < settings.min_level:
        problem = say("{said} is not a bid. The lowest number is {lowest}.", said=said, lowest=settings.min_level)
        return _improper(seat, "not-a-bid", problem, _next(settings, bid, high))
    if high is None or rank(settings, bid) > rank(settings, high):
        return Verdict(True, "A-12")
    problem = say("{said} does not beat {high}.", said=said, high=call_words(high))
    return _improper(seat, "too-low", problem, _next(settings, bid, high))


def _improper(seat: Seat, code: str, problem: str, correction: Bid | None) -> Verdict:
    if correction is None:
        rest = say("Call the director; {seat} passes unless the director says otherwise.", seat=seat.word)
        message = joined(problem, say("No higher bid is left in that direction."), rest)
        return Verdict(False, "Q-15e", "no-next-number", message, PASS)
    must = say("{seat} must now bid {call}.", seat=seat.word, call=call_words(correction))
    return Verdict(False, "A-14", code, joined(problem, must), correction)


def _next(settings: WhistSettings, bid: Bid, high: Bid | None) -> Bid | None:
    """The next number in the same direction that outranks the high bid (A-14)."""
    for level in range(settings.min_level, HIGHEST_LEVEL + 1):
        candidate = Bid(level, bid.strain)
        if high is None or rank(settings, candidate) > rank(settings, high):
            return candidate
    return None
