"""What is allowed on a sheet and worth a second look: rotation, bids, both nil, hands past the end, both sides late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybox.calls import Nil, Number
from tallybox.rules.hand import HandFacts
from tallybox.rules.ruleset import Ruleset
from tallybox.rules.settings import Settings, SpadesSettings
from tallybox.said import say
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet.facts import HandScore, Notice, SheetFacts


def past_end(score: HandScore) -> Notice:
    """A hand after the one that ended the round (section 3.7 of docs/rules.md)."""
    message = say(
        "The round was over before hand {hand}. It is kept and not counted; the director can decide otherwise.",
        hand=score.hand,
    )
    return Notice("past-end", score.hand, message)


def hand_notices(ruleset: Ruleset, hand: HandFacts, number: int) -> Iterator[Notice]:
    """What is odd about the facts of one hand."""
    late = {ruling.side for ruling in hand.rulings if ruling.code == "LATE" and ruling.proven}
    if len(late) == 2:
        message = say("Both sides were late. The first ruling counts; the director can void the hand instead.")
        yield Notice("both-late", number, message)
    if isinstance(ruleset.settings, SpadesSettings) and hand.void is None:
        yield from _bid_notices(ruleset.settings, hand, number)


def _bid_notices(settings: SpadesSettings, hand: HandFacts, number: int) -> Iterator[Notice]:
    bids = dict(zip(calling_order(hand.dealer), hand.calls, strict=False))
    for side in Side:
        calls = [bids.get(seat) for seat in side.seats]
        team = sum(call.tricks for call in calls if isinstance(call, Number))
        if team > 13:
            message = say("{side} bid {team} together. A hand has 13 tricks, so the bid cannot be made.",
                          side=side.word, team=team)  # fmt: skip
            yield Notice("unmakeable-bid", number, message)
        if settings.both_nil == "warn" and all(isinstance(call, Nil) for call in calls):
            yield Notice("both-nil", number, say("{side} both bid nil: two separate contracts.", side=side.word))


def rotation_notices(facts: SheetFacts, hands: Sequence[HandScore]) -> Iterator[Notice]:
    """Dealers out of the printed or clockwise order (A-02, B-02, C-01); a hand dealt again keeps its dealer."""
    settings = facts.ruleset.settings
    expected = _printed(settings, facts.opening.hand)
    for hand, score in zip(facts.hands, hands, strict=False):
        if expected is not None and hand.dealer is not expected:
            message = say("{seat} dealt hand {hand}; the deal was {expected}'s.", seat=hand.dealer.word,
                          hand=score.hand, expected=expected.word)  # fmt: skip
            yield Notice("dealer-rotation", score.hand, message)
        if score.void:
            expected = hand.dealer if settings.redeal_dealer == "same" else hand.dealer.left
        else:
            expected = _printed(settings, score.hand + 1) or hand.dealer.left


def _printed(settings: Settings, number: int) -> Seat | None:
    """The dealer the sheet prints for a hand, if it prints any."""
    dealers = settings.dealers if isinstance(settings, SpadesSettings) else ()
    return dealers[(number - 1) % len(dealers)] if dealers else None
