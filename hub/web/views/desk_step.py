"""Where a table is, as the desk sees it: a sheet from paper has no box whose steps it could follow."""

from __future__ import annotations

from typing import Final

from hub.tournament.state import TableRound
from hub.web.views.remembered import remembered
from tallybox.table.state import Step
from tallybox.table.steps import step

MOST_TABLES: Final = 4_096


@remembered(MOST_TABLES)
def box_step(table: TableRound) -> Step:
    """The table's step as its box shows it."""
    return step(table.state)


@remembered(MOST_TABLES)
def desk_step(table: TableRound) -> Step:
    """The table's step; what the desk holds of its sheet goes before what a box would show.

    A sheet that the desk closed by a forfeit is done: nobody needs to sign it (Q-44).
    """
    if table.released:
        return Step.RELEASED
    if table.settled:
        return Step.ACCEPTED
    return Step.SUBMITTED if table.submitted else box_step(table)
