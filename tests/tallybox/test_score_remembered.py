"""A sheet that is scored anew after each hand comes to what it comes to from its first hand on."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from deploy.bench.scoring import sheets
from tallybox.errors import SheetError
from tallybox.sheet import SheetFacts, SheetScore, score_sheet
from tallybox.sheet import score as scoring


def from_the_first_hand(facts: SheetFacts) -> SheetScore:
    scoring._remembered.cache_clear()
    return score_sheet(facts)


def test_every_beginning_of_a_sheet_scores_as_if_nothing_was_scored_before() -> None:
    for facts in islice(sheets(7), 60):
        parts = [replace(facts, hands=facts.hands[:count]) for count in range(len(facts.hands) + 1)]
        fresh = [from_the_first_hand(part) for part in parts]
        assert [score_sheet(part) for part in (*parts, *reversed(parts))] == [*fresh, *reversed(fresh)]


def test_a_hand_that_was_corrected_is_not_mistaken_for_what_it_was() -> None:
    facts = next(facts for facts in sheets(3) if len(facts.hands) > 3 and facts.hands[0].books)
    score_sheet(facts)
    books = dict(facts.hands[0].books or {})
    one, other = books
    turned = replace(facts.hands[0], books={one: books[other], other: books[one]})
    corrected = replace(facts, hands=(turned, *facts.hands[1:]))
    assert score_sheet(corrected) == from_the_first_hand(corrected)
    assert score_sheet(facts) == from_the_first_hand(facts)


def test_a_refused_hand_is_refused_each_time_and_spoils_nothing() -> None:
    facts = next(facts for facts in sheets(3) if len(facts.hands) > 3)
    broken = replace(facts, hands=(*facts.hands[:2], replace(facts.hands[2], calls=()), *facts.hands[3:]))
    for _again in range(2):
        with pytest.raises(SheetError) as refused:
            score_sheet(broken)
        assert (refused.value.hand, refused.value.where) == (3, "hands[2].calls")
    assert score_sheet(facts) == from_the_first_hand(facts)


def test_a_sheet_too_long_to_be_remembered_scores_the_same() -> None:
    facts = next(facts for facts in sheets(5) if not any(hand.rulings for hand in facts.hands))
    long = replace(facts, hands=facts.hands * (1 + scoring.LONGEST_REMEMBERED // len(facts.hands)))
    assert len(long.hands) > scoring.LONGEST_REMEMBERED
    assert score_sheet(long).hands[: len(facts.hands)] == score_sheet(facts).hands
