"""Who may do what at the desk (docs/journal.md, Roles). Pure; what officials may do at a table is in tallybox.roles."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from hub.errors import HubError
from hub.tournament.officials import Official
from tallybox.roles import Role, not_for

HUB: Final = "hub"
"""The actor of what the hub does by itself."""

_NAMELESS: Final = frozenset({HUB, "autopilot"})


class DeskAct(StrEnum):
    """What is done at the desk, as far as roles differ."""

    TOURNAMENT = "tournament"
    """Create it, and say what its stages are."""
    TEAMS = "teams"
    """Register, withdraw, substitute, disqualify, note conduct."""
    CHECK_IN = "check_in"
    ROUNDS = "rounds"
    """Draft, post, re-pair, start, end, release, score byes, draw lots."""
    CLOCK = "clock"
    ACCEPT = "accept"
    REOPEN = "reopen"
    LATE = "late"
    AWARD = "award"
    RULE = "rule"
    CORRECT = "correct"
    HOLD = "hold"
    EXTEND = "extend"
    """More time for one table."""
    BOXES = "boxes"
    """Assign, lock, unlock and replace boxes; settle what two journals say."""
    IDENTIFY = "identify"
    CALLS = "calls"
    """Go to a table that called, and settle the call."""
    ANNOUNCE = "announce"
    OFFICIALS = "officials"
    PAPER = "paper"
    """Enter a sheet from paper, or move one to the right table."""
    PRACTICE = "practice"
    HUB = "hub"
    """Let a hub speak again that runs on an older copy of its data."""


_BESIDE_THE_DIRECTOR: Final[Mapping[DeskAct, frozenset[Role]]] = {
    DeskAct.ACCEPT: frozenset({Role.MONITOR}),
    DeskAct.REOPEN: frozenset({Role.MONITOR}),
    DeskAct.LATE: frozenset({Role.MONITOR}),
    DeskAct.CALLS: frozenset({Role.HELPER}),
    DeskAct.CHECK_IN: frozenset({Role.HELPER}),
    DeskAct.IDENTIFY: frozenset({Role.HELPER}),
}


def may(role: Role, act: DeskAct) -> bool:
    """Whether somebody in this role may do this at the desk."""
    return role is Role.DIRECTOR or role in _BESIDE_THE_DIRECTOR.get(act, frozenset())


def role_of(officials: Mapping[str, Official], actor: str) -> Role:
    """The role somebody acts in: the one they were appointed to, or the one they are named by.

    As long as nobody is appointed, whoever sits at the desk is the director. Afterwards a stranger looks on.
    """
    known = officials.get(actor)
    if known is not None:
        return known.role
    if actor in _NAMELESS:
        return Role.DIRECTOR
    if actor in {role.value for role in Role}:
        return Role(actor)
    return Role.VIEWER if officials else Role.DIRECTOR


def check(officials: Mapping[str, Official], actor: str, act: DeskAct) -> None:
    """Refuse what the actor's role does not cover; raises ``HubError`` (``not-yours``)."""
    role = role_of(officials, actor)
    if not may(role, act):
        raise HubError("not-yours", why_not(role, act))


def why_not(role: Role, act: DeskAct) -> str:
    """Whose act it is, for somebody in a role that does not cover it."""
    return not_for(role, frozenset({Role.DIRECTOR}) | _BESIDE_THE_DIRECTOR.get(act, frozenset()))
