"""What the desk rules on a hand, open or recorded: what it would bring before anybody decides, and where it fits. Pure.

The desk's word lies over what the table entered (``overlay.py``); here it is laid over on trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from tallybox.errors import SheetError
from tallybox.messages import DeskFact
from tallybox.renewed import renewed
from tallybox.rules.hand import Line, Ruling
from tallybox.rules.rulings import check_ruling
from tallybox.said import say
from tallybox.seats import Side
from tallybox.sheet import HandScore, score_sheet
from tallybox.sheet.ruling_json import ruling_to_json
from tallybox.table.irregular import NOT_YET
from tallybox.table.overlay import laid_over
from tallybox.table.shown import hand_facts, sheet_facts
from tallybox.table.state import Hand, HandRuling, TableState

BY_PLAY: Final = frozenset(
    {"RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE",
     "CONCEDED", "LAYDOWN", "RENOUNCE", "LEAD_TURN", "REVOKE", "CLAIM"}
)  # fmt: skip
"""Codes of what only happens once the contract stands."""


@dataclass(frozen=True, slots=True)
class Brings:
    """What rulings would bring: the hand's ``lines`` with them, and what each side gets by these.

    ``whole``: the hand can be scored with them, so these are all its lines; else the lines of the rulings alone.
    ``before``: all its lines without them, ``None`` while it has no score of its own.
    """

    lines: tuple[Line, ...]
    points: Mapping[Side, int]
    whole: bool
    before: tuple[Line, ...] | None


def misfit(hand: Hand, code: str) -> str:
    """Why this cannot have happened in the hand as it stands; empty when it can."""
    if hand.locked or hand.recorded is not None or hand.corrected is not None or code not in BY_PLAY:
        return ""
    return say("{code} cannot have happened in this hand so far.", code=code)


def would_bring(state: TableState, hand: Hand, rulings: Sequence[Ruling], supersedes: tuple[str, ...] = ()) -> Brings:
    """What the hand is with these rulings in the place of those they supersede.

    Raises ``SheetError`` for a ruling that the rules do not know, or with which the hand cannot be scored.
    """
    for ruling in rulings:
        check_ruling(state.playing.ruleset.settings, ruling, "ruling")
    facts = tuple(_fact(hand, ruling, supersedes, at) for at, ruling in enumerate(rulings))
    over = laid_over(renewed(state, desk=(*state.desk, *facts)), hand)
    before = _whole(state, laid_over(state, hand))
    scored = _whole(state, over) if rulings else before
    if scored is not None:
        return Brings(scored.lines, scored.points, True, None if before is None else before.lines)
    new = tuple(HandRuling("", ruling, by="") for ruling in rulings)
    alone = _scored(state, renewed(over, void="director", corrected=None, rulings=new))
    return Brings(alone.lines, alone.points, False, None)


def _fact(hand: Hand, ruling: Ruling, supersedes: tuple[str, ...], at: int) -> DeskFact:
    """The ruling as a word of the desk that is only tried."""
    return DeskFact(
        id=f"{at:064x}", kind="ruling", by="", hand=hand.number, deal=hand.opened,
        supersedes=() if at else supersedes, ruling=cast("dict[str, object]", ruling_to_json(ruling)),
    )  # fmt: skip


def _whole(state: TableState, hand: Hand) -> HandScore | None:
    """The hand's score; ``None`` for one that is still being played."""
    try:
        return _scored(state, hand)
    except SheetError as reason:
        if reason.code not in NOT_YET or hand.recorded is not None:
            raise
        return None


def _scored(state: TableState, hand: Hand) -> HandScore:
    """The hand's score after those that were recorded before it."""
    at = next((place for place, known in enumerate(state.hands) if known.opened == hand.opened), len(state.hands))
    sheet = sheet_facts(state)
    return score_sheet(replace(sheet, ended=None, hands=(*sheet.hands[:at], hand_facts(hand)))).hands[-1]
