"""The director's adjustment: points per side as lines of their own, and values that replace what the rules gave."""

from __future__ import annotations

from collections.abc import Iterable

from tallybox.rules.hand import Line, LineKind, Ruling


def adjustment_lines(rulings: Iterable[Ruling]) -> tuple[Line, ...]:
    """One line for each side that a director's adjustment names (INV-7)."""
    return tuple(
        Line(side, LineKind.RULING, points, "INV-7", {"code": "ADJUST", "reason": ruling.why or ""})
        for ruling in rulings
        if ruling.code == "ADJUST" and ruling.proven
        for side, points in (ruling.points or {}).items()
    )
