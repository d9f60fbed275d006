"""The director's adjustment: lines of its own with its reason, and values that replace what the rules gave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tallybox.errors import SheetError
from tallybox.rules.hand import HandFacts, Line, LineKind, Ruling, Settled
from tallybox.seats import Side


def adjustment_lines(rulings: Iterable[Ruling]) -> tuple[Line, ...]:
    """A line for each side that a director's adjustment touches, also one of no points: its reason is told (INV-7).

    An adjustment that sets nothing at all stands on both sides' lines.
    """
    return tuple(
        _line(ruling, side)
        for ruling in rulings
        if ruling.code == "ADJUST" and ruling.proven
        for side in _touched(ruling)
    )


def overruled(settled: Settled, hand: HandFacts) -> Settled:
    """The director's word on who won the hand and on the Boston goes last; a Boston is the winners' or nobody's.

    Raises ``SheetError`` (code ``ruling-fit``) for a Boston of a side that does not win the hand.
    """
    for index, ruling in enumerate(hand.rulings):
        if ruling.code != "ADJUST" or not ruling.proven:
            continue
        won_by = ruling.won_by or settled.won_by
        if ruling.boston is not None and ruling.boston is not won_by:
            message = (
                f"A Boston belongs to the side that won the hand, and {ruling.boston.word} did not. "
                "Correct “boston”, or set “won_by” too."
            )
            raise SheetError("ruling-fit", message, where=f"rulings[{index}].boston")
        kept = settled.boston if settled.boston is won_by else None
        settled = replace(settled, won_by=won_by, boston=ruling.boston or kept)
    return settled


def _touched(ruling: Ruling) -> tuple[Side, ...]:
    named = {*(ruling.points or {}), *(ruling.bags or {}), ruling.won_by, ruling.boston}
    return tuple(side for side in Side if side in named) or tuple(Side)


def _line(ruling: Ruling, side: Side) -> Line:
    assert ruling.why is not None  # check_ruling
    params: dict[str, int | str] = {"code": "ADJUST", "reason": ruling.why}
    if ruling.won_by is side:
        params["won"] = 1
    if ruling.boston is side:
        params["boston"] = 1
    if side in (ruling.bags or {}):
        params["bags"] = (ruling.bags or {})[side]
    return Line(side, LineKind.RULING, (ruling.points or {}).get(side, 0), "INV-7", params)
