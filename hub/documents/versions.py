"""Which version of a sheet is which: what stands now, what each signature covers, what the director made since.

A sheet's version is the number of digests that were offered for signing or made by the desk (docs/journal.md). A
signature belongs to the version it was drawn under, for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hub.tournament.state import TableRound
from tallybox.errors import TallyboxError
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.table.shown import sheet_digest


@dataclass(frozen=True, slots=True)
class Versions:
    """``number`` and ``digest`` of what stands now; ``signed``: by side, the version that its signature covers.

    ``offered`` is false while what stands now was neither put up for signing nor made by the desk. ``same_as``: an
    earlier version with exactly the same content, if there is one. No ``digest``: nothing can be sealed yet.
    """

    number: int
    digest: str = ""
    offered: bool = False
    signed: Mapping[Side, int] = field(default_factory=dict)
    waived: Mapping[Side, int] = field(default_factory=dict)
    submitted: int | None = None
    same_as: int | None = None
    made: Mapping[str, int] = field(default_factory=dict)
    """The version that each fact of the desk made, by its event's id; those that made none are left out."""

    @property
    def players(self) -> bool:
        """Whether both sides signed exactly this version, or an official waived what is missing."""
        return all(self.number in (self.signed.get(side), self.waived.get(side)) for side in Side)

    @property
    def made_by_desk(self) -> bool:
        """Whether the director made this version after the players had submitted theirs."""
        return self.submitted is not None and self.number > self.submitted


def versions(table: TableRound) -> Versions:
    """The versions of a table's sheet as it stands."""
    offered, now = table.offered, _digest_now(table)
    current = bool(offered) and now == offered[-1]
    number = len(offered) if current or not now else len(offered) + 1
    earlier = offered[: number - 1]
    state = table.state
    return Versions(
        number=max(1, number),
        digest=now,
        offered=current,
        signed={side: _version(offered, drawn.digest) for side, drawn in state.signatures.items()},
        waived={side: _version(offered, waiver.digest) for side, waiver in state.waivers.items()},
        submitted=_submitted(table),
        same_as=earlier.index(now) + 1 if now in earlier else None,
        made=_made(table),
    )


def _version(offered: tuple[str, ...], digest: str) -> int:
    """The first version with this digest: a signature is never moved to a later one. 0: of no version offered."""
    return offered.index(digest) + 1 if digest in offered else 0


def _submitted(table: TableRound) -> int | None:
    return table.signed_version if table.reopened is None else None


def _digest_now(table: TableRound) -> str:
    if not table.state.hands and not table.state.desk:
        return ""
    try:
        return sheet_digest(table.state)
    except TallyboxError:
        return ""


def _made(table: TableRound) -> Mapping[str, int]:
    """Lay the desk's facts over the sheet one by one, and see which version each of them made, as the hub counts.

    What the desk had decided before the players handed their sheet in is part of the version they signed.
    """
    submitted, facts = table.signed_version, table.state.desk
    if submitted is None or not facts:
        return {}
    digests = [
        _digest_now(renewed(table, state=renewed(table.state, desk=facts[:known]))) for known in range(len(facts) + 1)
    ]
    handed_in = table.offered[submitted - 1]
    first = digests.index(handed_in) if handed_in in digests else len(facts)
    found: dict[str, int] = {}
    reached = submitted
    for fact, digest in zip(facts[first:], digests[first + 1 :], strict=True):
        offered = table.offered[reached : reached + 1]
        if digest != table.offered[reached - 1] and offered == (digest,):
            reached += 1
            found[fact.id] = reached
    return found
