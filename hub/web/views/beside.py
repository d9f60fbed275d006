"""Two versions of a sheet side by side: every hand, with the figures that differ marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hub.documents.versions import Versions
from hub.tournament.state import TableRound
from hub.tournament.versions import Version
from hub.web.views.hand_versions import result_text
from hub.web.views.hands import ContractView, contract_of
from hub.web.views.rulings import Named
from hub.web.views.words import SIDE_WORDS, signed, time_of_day
from tallybox.errors import SheetError
from tallybox.rules.hand import HandFacts
from tallybox.seats import Side
from tallybox.sheet import SheetFacts, SheetScore, score_sheet

_MADE = {
    "hand.corrected": "corrected at the desk by {by}",
    "ruling.made": "ruled at the desk by {by}",
    "award.made": "awarded by {by}",
    "sheet.entered": "entered from paper by {by}",
    "sheet.reassigned": "counted for this table by {by}",
}


@dataclass(frozen=True, slots=True)
class SheetVersion:
    """One version in the list: how it came about, when, why; ``signed`` says whose signatures are under it."""

    number: int
    how: str
    time: str
    reason: str
    signed: str
    counts: bool
    digest: str


@dataclass(frozen=True, slots=True)
class HandCells:
    """A hand's figures in one version."""

    contract: ContractView | None
    void: bool
    result: str
    points: Mapping[Side, str]


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A hand in both versions (``None``: it was not on that one). ``changed`` names the figures that differ."""

    hand: int
    old: HandCells | None
    new: HandCells | None
    changed: frozenset[str]


@dataclass(frozen=True, slots=True)
class BesideView:
    """Version ``old`` beside version ``new``, with both totals."""

    old: int
    new: int
    rows: tuple[BesideRow, ...]
    totals: Mapping[int, Mapping[Side, str]]
    changed: frozenset[str]
    same: bool


def sheet_versions(table: TableRound, known: Versions, named: Named) -> tuple[SheetVersion, ...]:
    """Every version of the sheet, the one that counts first."""
    found = [
        SheetVersion(
            number, _how(table, version, named), time_of_day(version.at), _reason(table, version),
            _signed(known, number), number == known.number, version.digest,
        )
        for number, version in enumerate(table.versions, 1)
    ]  # fmt: skip
    return tuple(reversed(found))


def beside(table: TableRound, old: int) -> BesideView | None:
    """An earlier version beside the last one; ``None`` where there are not two."""
    new = len(table.versions)
    if not 1 <= old < new:
        return None
    facts = {number: table.versions[number - 1].facts for number in (old, new)}
    scores = {number: _score(facts[number]) for number in facts}
    rows = _rows(facts[old], facts[new], scores[old], scores[new])
    totals = {
        number: {side: signed(score.totals.points[side]) if score else "" for side in Side}
        for number, score in scores.items()
    }
    changed = frozenset(side.value for side in Side if totals[old][side] != totals[new][side])
    return BesideView(old, new, rows, totals, changed, facts[old].hands == facts[new].hands)


def _rows(
    old: SheetFacts, new: SheetFacts, before: SheetScore | None, after: SheetScore | None
) -> tuple[BesideRow, ...]:
    rows: list[BesideRow] = []
    for index in range(max(len(old.hands), len(new.hands))):
        first, second = _cells(old, before, index), _cells(new, after, index)
        score = after if index < len(new.hands) else before
        number = score.hands[index].hand if score else index + 1
        rows.append(BesideRow(number, first, second, _differ(first, second, _at(old, index), _at(new, index))))
    return tuple(rows)


def _at(facts: SheetFacts, index: int) -> HandFacts | None:
    return facts.hands[index] if index < len(facts.hands) else None


def _cells(facts: SheetFacts, score: SheetScore | None, index: int) -> HandCells | None:
    hand = _at(facts, index)
    if hand is None:
        return None
    points = score.hands[index].points if score else {}
    return HandCells(
        contract_of(hand, facts.ruleset) if hand.void is None else None, hand.void is not None, result_text(hand),
        {side: signed(points[side]) if side in points else "" for side in Side},
    )  # fmt: skip


def _differ(
    first: HandCells | None, second: HandCells | None, old: HandFacts | None, new: HandFacts | None
) -> frozenset[str]:
    if first is None or second is None or old is None or new is None:
        return frozenset({"contract", "result", *(side.value for side in Side)})
    found = {
        "contract": (first.contract, first.void) != (second.contract, second.void),
        "result": first.result != second.result,
        "rulings": old.rulings != new.rulings,
    }
    found |= {side.value: first.points[side] != second.points[side] for side in Side}
    return frozenset(name for name, differs in found.items() if differs)


def _score(facts: SheetFacts) -> SheetScore | None:
    try:
        return score_sheet(facts)
    except SheetError:
        return None


def _how(table: TableRound, version: Version, named: Named) -> str:
    act = next((done for done in table.done if done.id == version.act), None)
    if act is None:
        return "put up for signing at the table"
    return _MADE.get(act.what, "made by {by}").format(by=named(act.by))


def _reason(table: TableRound, version: Version) -> str:
    return next((done.reason for done in table.done if done.id == version.act), "")


def _signed(known: Versions, number: int) -> str:
    """Whose signatures are under this version, and nobody's under one that the desk made."""
    hands = [SIDE_WORDS[side] for side in Side if known.signed.get(side) == number]
    waived = [f"{SIDE_WORDS[side]} waived" for side in Side if known.waived.get(side) == number]
    if len(hands) == len(Side):
        return "signed by both sides"
    said = [f"signed by {hands[0]}"] if hands else []
    return ", ".join([*said, *waived]) or "nobody signed it"
