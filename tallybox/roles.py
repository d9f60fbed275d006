"""Who may do what: the four roles, and the acts of the official's menu at a table (docs/journal.md, Roles). Pure.

The desk's acts are in ``hub.roles``. A personal PIN gives its owner's role at the table too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What an official was appointed to."""

    DIRECTOR = "director"
    MONITOR = "monitor"
    HELPER = "helper"
    VIEWER = "viewer"


class TableAct(StrEnum):
    """What an official can do at a table, behind a personal PIN."""

    RULE = "rule"
    """Answer an irregularity (``ruling.entered``)."""
    CORRECT = "correct"
    """Replace the facts of a recorded hand (``hand.recorded`` with official and reason)."""
    VOID = "void"
    """Take a hand out of the count (``hand.voided`` with official and why)."""
    ADJUST = "adjust"
    """Add points to a hand (``ruling.entered`` with ``ADJUST``)."""
    SWAP = "swap"
    """Change sides or seats after both sides confirmed (``seats.swapped`` with official)."""
    WAIVE = "waive"
    """Let the sheet go without one side's signature (``signature.waived``)."""
    EXTEND = "extend"
    """Ask the hub for more time here (``official.requested``)."""
    LOCK = "lock"
    """Ask the hub to lock or unlock this box (``official.requested``)."""
    REPLACE = "replace"
    """Ask the hub to put another box on this table (``official.requested``)."""
    TAKE_OVER = "take_over"
    """Claim a table that another box speaks for (``claim.made`` with official)."""
    START_WITHOUT_HUB = "start_without_hub"
    """Open a provisional tenure; the director grants or refuses it later (docs/journal.md, Tenure)."""
    CLOSE_WITHOUT_HUB = "close_without_hub"
    """Close the round when no hub can (docs/journal.md, Clock)."""
    MOVE = "move"
    """Let the teams go on without the hub's release."""
    RESEND = "resend"
    """Send what is unsent once more."""
    TEST = "test"
    """Try buzzer, lamp and readers."""


_DIRECTOR: Final = frozenset({Role.DIRECTOR})
_SHEETS: Final = frozenset({Role.DIRECTOR, Role.MONITOR})
_ANYBODY: Final = frozenset({Role.DIRECTOR, Role.MONITOR, Role.HELPER})

_MAY: Final[Mapping[TableAct, frozenset[Role]]] = {
    TableAct.RULE: _DIRECTOR,
    TableAct.CORRECT: _DIRECTOR,
    TableAct.VOID: _DIRECTOR,
    TableAct.ADJUST: _DIRECTOR,
    TableAct.SWAP: _DIRECTOR,
    TableAct.WAIVE: _SHEETS,
    TableAct.EXTEND: _DIRECTOR,
    TableAct.LOCK: _DIRECTOR,
    TableAct.REPLACE: _DIRECTOR,
    TableAct.TAKE_OVER: _DIRECTOR,
    TableAct.START_WITHOUT_HUB: _SHEETS,
    TableAct.CLOSE_WITHOUT_HUB: _SHEETS,
    TableAct.MOVE: _SHEETS,
    TableAct.RESEND: _ANYBODY,
    TableAct.TEST: _ANYBODY,
}


def may(role: Role, act: TableAct) -> bool:
    """Whether an official in this role may do this at a table."""
    return role in _MAY[act]


def why_not(role: Role, act: TableAct) -> str | None:
    """The sentence for an act that the role does not cover; ``None`` when it does."""
    return None if may(role, act) else not_for(role, _MAY[act])


def not_for(role: Role, allowed: frozenset[Role]) -> str:
    """Whose act it is, for somebody whose act it is not."""
    others = [each.value for each in Role if each in allowed and each is not Role.DIRECTOR]
    whose = f"The director or a {others[0]} does" if others else "Only the director does"
    return f"{whose} this; a {role} does not. Call the director."
