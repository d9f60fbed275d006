"""The hub's signature on the ledger, as a code on paper: whoever keeps the paper can check the ledger against it."""

from __future__ import annotations

from typing import Final

from hub.documents.flow import Block, gap
from hub.documents.frame import LEFT, MARGIN
from hub.documents.marks import code
from hub.documents.paper import INK2
from hub.documents.pen import Pen, Style, Weight, wrapped
from hub.record.checkpoint import standings_digest
from hub.tournament.state import Tournament
from hub.web.views.words import count_word, seal
from tallybox.proof.checkpoint import Checkpoint, checkpoint_text

CODE: Final = 136.0
"""The text has three times as many letters as a sheet's own code."""

_BOLD: Final = Style(16, Weight.BOLD)
_SMALL: Final = Style(14, Weight.REGULAR, INK2)


def checkpoint_blocks(checkpoint: Checkpoint | None, also: str = "") -> tuple[Block, ...]:
    """The code and what it is for; nothing while the hub has not signed. ``also``: one more sentence."""
    if checkpoint is None:
        return ()
    made = checkpoint

    def draw(pen: Pen, y: float) -> None:
        code(pen, checkpoint_text(made), LEFT - 8, y, CODE)
        x, right = LEFT + CODE + 8, pen.width - MARGIN
        pen.text(x, y + 30, title(made), _BOLD, within=right - x)
        lines = [line for said in (_signed(made), also, _KEEP) if said for line in wrapped(said, _SMALL, right - x)]
        for place, line in enumerate(lines[:6]):
            pen.text(x, y + 52 + 17 * place, line, _SMALL)

    return gap(10), Block(CODE + 4, draw)


def title(checkpoint: Checkpoint) -> str:
    """What the code stands for."""
    return (
        "Checkpoint at the end" if checkpoint.round is None else f"Checkpoint of round {count_word(checkpoint.round)}"
    )


def newest(tournament: Tournament) -> Checkpoint | None:
    """The hub's last word on its ledger."""
    return tournament.checkpoints[-1] if tournament.checkpoints else None


def still_so(tournament: Tournament, checkpoint: Checkpoint | None) -> str:
    """Whether the standings as they are now are the ones that the hub signed for."""
    if checkpoint is None:
        return ""
    if checkpoint.standings == standings_digest(tournament):
        return "The standings on this paper are those that it signed for."
    return "The standings have changed since; the next checkpoint covers that."


_KEEP: Final = "Keep this paper: “tallybox verify” finds whether the ledger still says the same."


def _signed(checkpoint: Checkpoint) -> str:
    return (
        f"The hub signed for ledger lines 1 to {checkpoint.count:,} and for the standings after them. "
        f"Its seal begins with {seal(checkpoint.seal)}."
    )
