"""A sheet: one table's round, scored from its facts, read from JSON and answered as JSON."""

from tallybox.rules.hand import HandFacts, Line, LineKind, Phase, Ruling
from tallybox.sheet.answer import score_to_json
from tallybox.sheet.codec import hand_facts_from_json, hand_facts_to_json, sheet_from_json
from tallybox.sheet.facts import (
    Ended,
    EndedBy,
    HandScore,
    Notice,
    Opening,
    Reason,
    RoundEnd,
    SheetFacts,
    SheetScore,
    Totals,
)
from tallybox.sheet.score import score_sheet

__all__ = [
    "Ended",
    "EndedBy",
    "HandFacts",
    "HandScore",
    "Line",
    "LineKind",
    "Notice",
    "Opening",
    "Phase",
    "Reason",
    "RoundEnd",
    "Ruling",
    "SheetFacts",
    "SheetScore",
    "Totals",
    "hand_facts_from_json",
    "hand_facts_to_json",
    "score_sheet",
    "score_to_json",
    "sheet_from_json",
]
