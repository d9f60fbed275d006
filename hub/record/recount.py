"""Counts again what a ledger says was accepted: sheets, standings and lots, from the facts that stand before them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hub.record.checkpoint import standings_digest
from hub.tournament.fold import fold_line, unread
from hub.tournament.state import Tournament
from tallybox.envelope import Event
from tallybox.errors import TallyboxError
from tallybox.events import body_of
from tallybox.events.hub import SheetAccepted
from tallybox.events.proof import CheckpointSigned
from tallybox.events.table import Body
from tallybox.events.teams import LotDrawn
from tallybox.ledger_line import LedgerLine, event_of
from tallybox.table.shown import sheet_digest

Said = tuple[str, str]
"""The member that does not come out, and a sentence."""


class Recount:
    """Follows a ledger with the hub's own fold. The lines have to come in the ledger's order."""

    def __init__(self) -> None:
        self.tournament = Tournament()

    def __call__(self, line: LedgerLine) -> tuple[Said, ...]:
        """Take one line in; what in it does not follow from the lines before it."""
        try:
            event = event_of(line)
            body = body_of(event.type, event.body)
            said = tuple(self._differs(event, body))
        except TallyboxError:
            # Kept and refused by the fold, or of a later version: it claims no score.
            said = ()
        try:
            self.tournament = fold_line(self.tournament, line)
        except Exception:  # noqa: BLE001 (the hub goes on after such a line too, and counts it for nothing)
            self.tournament = unread(self.tournament, line)
        return said

    def _differs(self, event: Event, body: Body) -> Iterator[Said]:
        match body:
            case SheetAccepted():
                yield from self._sheet(event, body)
            case CheckpointSigned() if standings_digest(self.tournament) != body.digest:
                yield (
                    "event.body.digest",
                    "The standings that follow from the lines above are not those signed here.",
                )
            case LotDrawn() if _order(body) != body.order:
                yield "event.body.order", f"The lot's seed {body.seed} gives another order of the teams."

    def _sheet(self, event: Event, body: SheetAccepted) -> Iterator[Said]:
        name = f"round {event.round}, table {event.table}"
        table = self.tournament.table(event.round, event.table)
        if table is None:
            yield "event.body.digest", f"A sheet of {name} was accepted, and no such table was posted."
            return
        if sheet_digest(table.state) != body.digest:
            said = "does not come out of the facts above as it was accepted. Lines that were altered, removed or put in"
            yield "event.body.digest", f"The sheet of {name} {said} may be why; else the hub accepted a wrong sheet."
        if max(1, len(table.versions)) != body.version:
            said = f"was accepted as version {body.version}; it is version {max(1, len(table.versions))}."
            yield "event.body.version", f"The sheet of {name} {said}"


def _order(lot: LotDrawn) -> tuple[int, ...]:
    order = sorted(lot.teams)
    Random(lot.seed).shuffle(order)  # noqa: S311 (a published draw is repeatable, not secret)
    return tuple(order)
