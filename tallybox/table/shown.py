"""What the people at the table are shown, and its digests: a signature covers exactly this (docs/journal.md)."""

from __future__ import annotations

from typing import cast

from tallybox.canonical import Json, digest
from tallybox.seats import Side
from tallybox.sheet import (
    Ended,
    EndedBy,
    HandFacts,
    HandScore,
    Opening,
    SheetFacts,
    SheetScore,
    hand_facts_to_json,
    score_sheet,
    score_to_json,
)
from tallybox.table.state import Hand, TableState


def hand_facts(hand: Hand) -> HandFacts:
    """The hand as a sheet holds it."""
    result = hand.result
    return HandFacts(
        dealer=hand.dealer,
        calls=hand.calls_in_order if hand.void is None else (),
        books=result.books if result and hand.void is None else None,
        tricks=result.tricks if result and hand.void is None else None,
        direction=hand.direction if hand.void is None else None,
        rulings=(),
        void=hand.void,
    )


def sheet_facts(state: TableState, *, with_open: bool = False) -> SheetFacts:
    """The round's facts so far; ``with_open`` adds the open hand once its result is entered."""
    hands = state.hands
    if with_open and state.hand is not None and state.hand.result is not None:
        hands = (*hands, state.hand)
    return SheetFacts(
        ruleset=state.playing.ruleset,
        hands=tuple(hand_facts(hand) for hand in hands),
        opening=Opening(),
        hands_per_round=state.playing.hands,
        ended=Ended(by=EndedBy.TIME) if state.clock_ended else None,
    )


def score(state: TableState, *, with_open: bool = False) -> SheetScore:
    """The round's score so far, recomputed from the facts each time; raises ``SheetError`` for facts that have none."""
    return score_sheet(sheet_facts(state, with_open=with_open))


def open_hand_score(state: TableState) -> HandScore:
    """The lines of the open hand, as both sides are asked to check them; raises ``SheetError``."""
    return score(state, with_open=True).hands[-1]


def lines_digest(hand: HandScore) -> str:
    """The digest of a hand's lines: who got how many points by which rule."""
    return digest(
        {
            "lines": [
                {
                    "side": line.side.value,
                    "kind": line.kind,
                    "points": line.points,
                    "rule": line.rule,
                    "params": dict(line.params),
                }
                for line in hand.lines
            ],
            "points": {side.value: hand.points[side] for side in Side},
            "bags": {side.value: hand.bags[side] for side in Side},
        }
    )


def facts_json(hand: Hand) -> dict[str, Json]:
    """The hand's facts in the form of a sheet file."""
    return hand_facts_to_json(hand_facts(hand))


def sheet_json(state: TableState) -> dict[str, Json]:
    """Everything that a signature covers: who, where, by which rules, every hand's facts, and the score shown."""
    playing = state.playing
    facts = sheet_facts(state)
    return {
        "sheet": f"{playing.tournament}/{playing.sheet_id}",
        "teams": {
            side.value: {"number": team.number, "names": list(team.names)} for side, team in playing.teams.items()
        },
        "ruleset": playing.ruleset.digest,
        "hands_per_round": playing.hands,
        "hands": [cast("Json", hand_facts_to_json(hand)) for hand in facts.hands],
        "score": score_to_json(facts, score_sheet(facts)),
    }


def sheet_digest(state: TableState) -> str:
    """The digest of the sheet as it stands."""
    return digest(sheet_json(state))
