"""What a box has against an act that its table would take: its lock, its deadline, who else speaks, unfit values.

The table's own rules are the fold's (``tallybox.table.fold``); here is what only a box knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog

from kiosk import cures
from tallybox.errors import MessageError
from tallybox.events import body_of, fact, type_of
from tallybox.events.table import Body, ClaimMade, HandOpened
from tallybox.messages import Desired
from tallybox.said import say
from tallybox.table.state import Assignment, Refusal

TRIAL: Final = "0" * 64
"""The id of an act that is only tried: it is not journalled yet, and perhaps never will be."""

_NOT_ENTERED: Final = say("A table cannot have such a value. Look at it once more, or call the director.")
_log = structlog.get_logger("kiosk")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a box knows beyond its table. ``time_is_up``: by its own clock no new hand may begin.

    ``claim_waits``: it claimed this table just now, or its claim has not been answered.
    """

    box: str
    desired: Desired | None
    assignment: Assignment | None
    time_is_up: bool
    claim_waits: bool


def objection(body: Body, standing: Standing) -> Refusal | None:
    """Why an act does not count at this box now; ``None`` when the box has nothing against it."""
    desired = standing.desired
    if desired is not None and desired.locked is not None and not cures.always(body):
        reason = desired.locked.rstrip(".")
        return _refused(body, "locked", say("This box is locked: {reason}. Call the director.", reason=reason))
    match body:
        case ClaimMade():
            return _no_claim(body, standing)
        case HandOpened() if standing.time_is_up:
            return _refused(body, "time-is-up", say("Time is up: no new hand begins."))
    return None


def unfit(body: Body) -> Refusal | None:
    """A body that no hub would read, such as hand 0: the values of an act are checked before they are judged."""
    try:
        body_of(type_of(body), fact(body).body)
    except MessageError as reason:
        _log.warning("an act with values that cannot be", reason=reason.message)
        return _refused(body, reason.code, _NOT_ENTERED)
    return None


def _no_claim(body: ClaimMade, standing: Standing) -> Refusal | None:
    seated, desired = standing.assignment, standing.desired
    if seated is None or desired is None:
        return _refused(body, "no-table", say("This box has no table yet. The director can give it one."))
    speaks = desired.tenure
    if speaks is not None and speaks.kiosk == standing.box:
        return _refused(body, "claimed", say("This box speaks for table {table} already.", table=seated.table))
    if body.official is not None:
        return None
    if speaks is not None:
        taken = say(
            "Table {table} already has box {box}. Only the director can move it here.",
            table=seated.table, box=speaks.kiosk,
        )  # fmt: skip
        return _refused(body, "table-taken", taken)
    if standing.claim_waits:
        return _refused(body, "claim-waits", say("The claim is on its way to the hub. Please wait for its answer."))
    return None


def _refused(body: Body, code: str, message: str) -> Refusal:
    return Refusal(TRIAL, 0, type_of(body), code, message)
