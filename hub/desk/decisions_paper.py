"""Sheets that come to the desk on paper, and sheets played under the wrong number: pure plans."""

from __future__ import annotations

from collections.abc import Mapping

from hub.desk.decisions_tables import sheet as sheet_of
from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.at_paper import from_paper, paper_facts
from hub.tournament.state import Tournament
from tallybox.errors import TallyboxError
from tallybox.events import desk
from tallybox.table.shown import score, sheet_digest

_TRIAL = "0" * 64


def enter_sheet(
    tournament: Tournament, actor: str, number: int, table: int, *, sheet: Mapping[str, object], reason: str
) -> Deeds:
    """Enter a whole sheet from paper for a table that no box speaks for; the rules score it like any other."""
    found = sheet_of(tournament, number, table)
    why = said(reason, "why the sheet comes from paper")
    if found.accepted is not None:
        raise HubError("sheet-final", f"Sheet {found.sheet_id} is accepted and final. Correct its hands instead.")
    if found.tenure is not None and tournament.boxes.get(table) == found.tenure.box:
        raise HubError(
            "box-speaks",
            f"Box {found.tenure.box} speaks for table {table}. Take it off the table, then enter the sheet.",
        )
    if "ended" in sheet:
        raise HubError("ended", "A forfeit is an award of its own. Leave “ended” out, then enter the award.")
    if "opening" in sheet:
        raise HubError("opening", "A round starts from nothing. Leave “opening” out.")
    try:
        hands = paper_facts(found.state.playing.ruleset, dict(sheet))
        state = from_paper(found.state, hands, _TRIAL)
        score(state)
    except TallyboxError as refused:
        raise HubError(refused.code, refused.message, hand=refused.hand, where=refused.where) from None
    if found.paper and sheet_digest(state) == sheet_digest(found.state):
        message = f"Sheet {found.sheet_id} is entered exactly so already. Accept it, or change what differs."
        raise HubError("entered-twice", message)
    return (Deed(desk.SheetEntered(actor=actor, sheet=dict(sheet), reason=why), number, table),)


def reassign_sheet(
    tournament: Tournament, actor: str, number: int, table: int, *, to_table: int, reason: str, seen: str | None = None
) -> Deeds:
    """Count a sheet that was played under the wrong number for the right table of the same round.

    ``seen``: the digest of the sheet that the person looked at; another one is not moved for it, and none moved back.
    """
    found, other = sheet_of(tournament, number, table), sheet_of(tournament, number, to_table)
    if seen is not None and seen != sheet_digest(found.state):
        message = f"Another sheet counts for table {table} than when you looked. Look at it, then move it."
        raise HubError("sheet-changed", message)
    why = said(reason, "why the sheet belongs to the other table")
    if found is other:
        raise HubError("same-table", f"This is the sheet of table {table} already. Choose the table it belongs to.")
    if not found.submitted:
        raise HubError("not-submitted", f"Table {table} is still at its sheet. Let it sign and submit, then move it.")
    if not other.submitted and (other.state.hands or other.state.hand is not None):
        raise HubError("table-plays", f"Table {to_table} has begun its own sheet. Let it submit, then change the two.")
    if found.released or other.released:
        raise HubError(
            "released", "One of the two tables is released: its teams have moved. Correct the hands instead."
        )
    return (Deed(desk.SheetReassigned(actor=actor, to_table=to_table, reason=why), number, table),)
