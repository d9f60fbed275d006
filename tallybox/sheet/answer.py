"""A scored sheet as the JSON that ``tallybox score`` answers with."""

from __future__ import annotations

from collections.abc import Mapping

from tallybox.canonical import Json
from tallybox.rules.hand import Line
from tallybox.seats import Side
from tallybox.sheet.facts import HandScore, SheetFacts, SheetScore
from tallybox.why import sentence


def score_to_json(facts: SheetFacts, score: SheetScore) -> dict[str, Json]:
    """The whole answer; every line carries its sentence as ``why``."""
    totals, end = score.totals, score.round
    return {
        "ruleset": facts.ruleset.name,
        "digest": facts.ruleset.digest,
        "hands": [hand_score_to_json(hand) for hand in score.hands],
        "totals": {
            "points": _sides(totals.points),
            "bags": _sides(totals.bags),
            "hands_won": _sides(totals.hands_won),
            "bostons": _sides(totals.bostons),
        },
        "round": {"over": end.over, "reason": end.reason, "winner": end.winner, "hands_played": end.hands_played},
        "warnings": [
            {"code": notice.code, "hand": notice.hand, "message": notice.message} for notice in score.warnings
        ],
    }


def hand_score_to_json(hand: HandScore) -> dict[str, Json]:
    """One scored hand."""
    return {
        "hand": hand.hand,
        "void": hand.void,
        "points": _sides(hand.points),
        "bags": _sides(hand.bags),
        "won_by": hand.won_by,
        "boston": hand.boston,
        "lines": [line_to_json(line) for line in hand.lines],
    }


def line_to_json(line: Line) -> dict[str, Json]:
    """One ledger line with its sentence."""
    return {
        "side": line.side.value,
        "kind": line.kind.value,
        "points": line.points,
        "rule": line.rule,
        "why": sentence(line),
    }


def _sides(counts: Mapping[Side, int]) -> dict[str, Json]:
    return {side.value: counts[side] for side in Side}
