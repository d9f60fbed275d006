"""Officials, what they ask for at a table, and the awards that wait for the director: values only."""

from __future__ import annotations

from dataclasses import dataclass

from tallybox.roles import Role
from tallybox.seats import Side


@dataclass(frozen=True, slots=True)
class Official:
    """Somebody who acts for the director. ``verifier``: the argon2id hash of the personal PIN, once there is one."""

    id: str
    name: str
    role: Role
    verifier: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What an official asked for at a table and the hub has not done yet; ``at`` in ms, when the hub heard it."""

    id: str
    round: int
    table: int
    box: str
    official: str
    what: str
    minutes: int | None
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class AwardDue:
    """What becomes of a late side's unfinished hands, as the rules suggest it (A-37, Q-15c).

    ``loser`` is ``None`` where both sides were late: then the hands count for nobody.
    """

    round: int
    table: int
    loser: Side | None
    hands: int
    points: int
