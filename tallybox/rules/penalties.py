"""Points for irregularities in spades, and which club's rule stands behind a line (B-27, C-15 to C-19)."""

from __future__ import annotations

from typing import Final

from tallybox.rules.hand import HandFacts, Line, LineKind, Phase, Ruling
from tallybox.rules.rulings import PENALTIES
from tallybox.rules.settings import SpadesSettings

_CITED: Final = {
    "B-20": "C-07", "B-21": "C-08", "B-22": "C-09", "B-23": "C-09", "B-26": "C-11", "Q-16": "C-14", "DEAL": "C-03",
    "BID_TURN": "C-16", "LEAD_TURN": "C-17", "RENOUNCE": "C-15", "EXPOSED_50": "C-18", "EXPOSED": "C-19",
}  # fmt: skip
"""Where the World Series text says it: it has a rule of its own for all of them."""

_MSO: Final = {
    "DEAL": "B-04", "BID_TURN": "B-27", "LEAD_TURN": "B-27", "RENOUNCE": "B-27", "EXPOSED_50": "B-27",
    "EXPOSED": "B-27",
}  # fmt: skip
"""The MSO rule behind each irregularity."""


def cite(settings: SpadesSettings, rule: str) -> str:
    """The id of a rule in the club text that is played."""
    return _CITED[rule] if settings.club_text == "wsos-2007" else _MSO.get(rule, rule)


def penalty_lines(settings: SpadesSettings, hand: HandFacts) -> tuple[Line, ...]:
    """A line for every proven irregularity that leaves the contracts as they are, also one that costs nothing."""
    return tuple(_line(settings, hand, ruling) for ruling in hand.rulings if ruling.proven and ruling.code in PENALTIES)


def _line(settings: SpadesSettings, hand: HandFacts, ruling: Ruling) -> Line:
    assert ruling.side is not None  # check_ruling
    cost, rule = _cost(settings, hand, ruling)
    params: dict[str, int | str] = {"code": ruling.code, "offenders": ruling.side.value}
    if ruling.card is not None:
        params["card"] = ruling.card
    if ruling.accepted is not None:
        params["accepted"] = int(ruling.accepted)
    if ruling.phase is not None:
        params["phase"] = ruling.phase.value
    if settings.penalty_target == "opponents" and cost:
        return Line(ruling.side.other, LineKind.PENALTY, cost, cite(settings, rule), params)
    return Line(ruling.side, LineKind.PENALTY, -cost, cite(settings, rule), params)


def _cost(settings: SpadesSettings, hand: HandFacts, ruling: Ruling) -> tuple[int, str]:
    """Points a ruling costs, and the rule; what it does to cards and auction is the table's business."""
    if ruling.code == "BID_TURN":
        return settings.bid_turn_points, "BID_TURN"
    if ruling.code == "RENOUNCE":
        return (_by_card(settings, ruling, Phase.PLAY) if settings.renounce_points else 0), "RENOUNCE"
    if ruling.code == "LEAD_TURN":
        free = ruling.accepted or not settings.lead_points
        return (0 if free else _by_card(settings, ruling, Phase.PLAY)), "LEAD_TURN"
    assert ruling.phase is not None  # check_ruling
    if ruling.phase is Phase.DEAL and ("deal" not in settings.exposed_50_phases or ruling.seat is hand.dealer):
        return 0, "DEAL"
    high = ruling.card in settings.exposed_50_cards and ruling.phase.value in settings.exposed_50_phases
    return _by_card(settings, ruling, ruling.phase), "EXPOSED_50" if high else "EXPOSED"


def _by_card(settings: SpadesSettings, ruling: Ruling, phase: Phase) -> int:
    high = ruling.card in settings.exposed_50_cards and phase.value in settings.exposed_50_phases
    return settings.exposed_50 if high else settings.exposed_other
