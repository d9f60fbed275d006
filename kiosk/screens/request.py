"""What only the hub can do, asked for at the table: more time here, another box, a lock."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, cast

from kiosk.screens.frame import Screen, forward
from kiosk.screens.guided import CHOSEN, KEY, back_to_page, drafted, guided, reason_page, to_menu
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _, ngettext
from kiosk.theme import Weight
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import bullet, column, row, space, words
from tallybox.events.rulings import OfficialRequested
from tallybox.events.table import Body

What = Literal["extension", "lock", "unlock", "replacement"]
MINUTES: Final = (3, 5, 10, 15)


def request(look: Look, about: str) -> Screen:
    """Asked for here with a reason, decided by the hub, shown once it has said so."""
    what, draft = cast("What", about), look.entries.draft
    if what == "extension" and draft.page not in {"reason", "writing"}:
        return _how_long(look)
    back = back_to_page(look, "") if what == "extension" else to_menu()

    def decide(reason: str) -> tuple[Body, str]:
        minutes = draft.minutes if what == "extension" else None
        asked = OfficialRequested(what=what, official=visitor(look).id, minutes=minutes, reason=reason)
        return asked, _said(what, draft.minutes)

    page = reason_page(look, f"request-{what}-why", _reasons(what), decide, _label(what, draft.minutes), back=back)
    return page if draft.page else replace(page, name=f"request-{what}")


def _how_long(look: Look) -> Screen:
    keys = [_minutes_key(look, minutes) for minutes in MINUTES]
    body = column(
        row(*keys, gap=10, align=Align.STRETCH, h=132), space(h=4),
        bullet(_("Only this table gets them. Its clock says “here” from then on."), 20),
        bullet(_("They count once the hub has answered."), 20), space(), gap=10, grow=1,
    )  # fmt: skip
    go = forward(_("Say why"), Tap("forward", drafted(look, page="reason")))
    return guided(look, "request-extension", _("More time for this table"), body, to_menu(), go)


def _minutes_key(look: Look, minutes: int) -> Node:
    figures = (words(str(minutes), 52, Weight.BOLD, line=58), words(ngettext("minute", "minutes", minutes), 19))
    chosen = minutes == look.entries.draft.minutes
    skin = CHOSEN if chosen else KEY
    return Box(figures, Axis.COLUMN, 0, align=Align.CENTER, justify=Align.CENTER, grow=1, skin=skin,
               tap=Tap(f"minutes:{minutes}", drafted(look, minutes=minutes)))  # fmt: skip


def _label(what: What, minutes: int) -> str:
    match what:
        case "extension":
            return ngettext("Ask for {n} minute", "Ask for {n} minutes", minutes)
        case "lock":
            return _("Ask to lock this box")
        case "unlock":
            return _("Ask to unlock this box")
        case "replacement":
            return _("Ask for another box")


def _said(what: What, minutes: int) -> str:
    match what:
        case "extension":
            return ngettext("The hub is asked for {n} minute more.", "The hub is asked for {n} minutes more.", minutes)
        case "lock":
            return _("The hub is asked to lock this box.")
        case "unlock":
            return _("The hub is asked to unlock this box.")
        case "replacement":
            return _("The hub is asked to put another box on this table.")


def _reasons(what: What) -> tuple[str, ...]:
    match what:
        case "extension":
            return (
                _("A ruling took that long."),
                _("The table began late through no fault of its own."),
                _("A box or a reader had to be seen to."),
            )
        case "lock":
            return (
                _("The table waits for a decision."),
                _("Nobody is to enter anything now."),
                _("The round is over here."),
            )
        case "unlock":
            return (
                _("The decision is made; play goes on."),
                _("The box was locked by mistake."),
                _("The table is complete again."),
            )
        case "replacement":
            return (
                _("The screen does not work."),
                _("The card reader does not work."),
                _("The box is needed elsewhere."),
            )
