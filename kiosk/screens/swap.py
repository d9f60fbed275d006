"""An official has teams or partners change seats before the first deal."""

from __future__ import annotations

from kiosk.screens.acts import Decide
from kiosk.screens.frame import Screen, forward, not_yet
from kiosk.screens.guided import (
    CHOSEN,
    KEY,
    drafted,
    guided,
    to_menu,
)
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Tap
from kiosk.widgets.parts import column, words
from tallybox.events.rulings import SeatsSwapped
from tallybox.seats import Side


def swap(look: Look) -> Screen:
    """Teams or partners change seats before the first deal."""
    lines: tuple[tuple[Side | None, str, str], ...] = (
        (None, _("The teams change sides"),
         _("Team {ew} sits North–South, team {ns} East–West", ns=look.number(Side.NS), ew=look.number(Side.EW))),
        *((side, _("{side}: the partners change seats", side=_(side.word)), look.pair(side)) for side in Side),
    )  # fmt: skip
    draft = look.entries.draft
    chosen = draft.page.removeprefix("swap:") if draft.page.startswith("swap:") else None
    keys = [
        Box(
            (Mark(MarkName.SWAP, 30, Tone.INK, 2.4),
             column(words(head, 22, Weight.BOLD, line=26), words(note, 18, Weight.MEDIUM, Tone.INK2, line=22, cut=True),
                    gap=1, grow=1)),
            Axis.ROW, 16, (6, 16, 6, 16), Align.CENTER, grow=1, skin=CHOSEN if chosen == _key(side) else KEY,
            tap=Tap(f"swap:{_key(side)}", drafted(look, page=f"swap:{_key(side)}")),
        )
        for side, head, note in lines
    ]  # fmt: skip
    label = _("Swap them")
    if chosen is None:
        go: Node = not_yet(label, _("Say first who changes seats."))
    else:
        side = None if chosen == "teams" else Side(chosen)
        body = SeatsSwapped(side=side, official=visitor(look).id)
        go = forward(label, Tap("decide", Decide(body, _("The seats are changed. Both teams look at the names."))))
    return guided(look, "swap", _("Who changes seats?"), column(*keys, gap=10, grow=1), to_menu(), go)


def _key(side: Side | None) -> str:
    return "teams" if side is None else side.value
