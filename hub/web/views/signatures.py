"""The two signatures of a sheet as drawn, and exactly which version each of them covers."""

from __future__ import annotations

from dataclasses import dataclass

from hub.documents.versions import Versions
from hub.tournament.state import TableRound
from hub.web.views.rulings import Named
from hub.web.views.words import SIDE_WORDS, players, seal, time_of_day
from tallybox.seats import Side
from tallybox.table.state import Signature


@dataclass(frozen=True, slots=True)
class SignatureView:
    """One side's signature: drawn, waived or still missing. ``says`` names the version it covers.

    ``stale``: it covers an earlier version than the one that is shown.
    """

    side: Side
    team: int
    signer: str
    strokes: tuple[tuple[int, ...], ...]
    time: str
    says: str
    stale: bool
    seal: str = ""
    waived: str = ""
    """Why there is no signature: who let the sheet go without it, and the reason."""

    @property
    def label(self) -> str:
        """What a person who cannot see the strokes is told."""
        return f"Signature of {SIDE_WORDS[self.side]}, {self.signer}"


def signature_view(table: TableRound, side: Side, known: Versions, shown: int, named: Named) -> SignatureView:
    """A side's signature beside version ``shown`` of the sheet."""
    team = table.state.teams[side]
    drawn, waiver = table.state.signatures.get(side), table.state.waivers.get(side)
    if drawn is not None:
        covers = known.signed.get(side, 0)
        return SignatureView(
            side, team.number, team.names[side.seats.index(drawn.seat)], drawn.strokes, _signed_at(table, drawn),
            covers_words(known, covers, shown), covers != shown, seal(drawn.digest),
        )  # fmt: skip
    if waiver is not None:
        covers = known.waived.get(side, 0)
        says = f"waived for version {covers}" if covers else "waived"
        why = f"{named(waiver.official)} let the sheet go without it: {waiver.reason}"
        return SignatureView(side, team.number, players(team), (), "", says, covers != shown, waived=why)
    says = "not on this screen: signed on paper" if table.paper else "not signed yet"
    return SignatureView(side, team.number, players(team), (), "", says, stale=False)


def covers_words(known: Versions, covers: int, shown: int) -> str:
    """Which version a signature covers, and what the shown one is where it is another."""
    if not covers:
        return "signed a sheet that is not among the versions"
    if covers == shown:
        return f"signed version {covers}"
    if covers > shown:
        return f"signed version {covers}, not this one"
    if known.made_by_desk and shown > (known.submitted or 0):
        same = f" and says the same as version {covers}" if known.same_as == covers and shown == known.number else ""
        return f"signed version {covers}; version {shown} is the director's correction{same}"
    return f"signed version {covers}, an earlier one"


def _signed_at(table: TableRound, drawn: Signature) -> str:
    for event in reversed(table.journal):
        if event.type == "sheet.signed" and event.body.get("side") == drawn.side and event.at.synced:
            return time_of_day(event.at.wall)
    return ""
