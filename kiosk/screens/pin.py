"""For officials: the personal PIN, and what it was asked for (k17a)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from kiosk.screens.acts import Close, Do, Enter, Open, Over, Say, TryPin
from kiosk.screens.claim import claim_body
from kiosk.screens.frame import Screen, actions, forward, header, not_yet
from kiosk.screens.keypad import number_pad
from kiosk.screens.look import Look
from kiosk.screens.over import back_to
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.view import Denied, Official
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Node, Skin, Tap
from kiosk.widgets.parts import Tenor, banner, button, panel, row, space, words
from tallybox.countdown import clock_text
from tallybox.events.rulings import MenuOpened, OfficialRequested
from tallybox.roles import TableAct, why_not

DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a PIN is asked for: the act that the role must cover (``None``: any), and what follows a right one."""

    act: TableAct | None
    then: Callable[[Look, Official], tuple[Act, ...]]


def _menu(look: Look, official: Official) -> tuple[Act, ...]:
    """The open menu is on the record wherever the table has one."""
    on_record = (Do((MenuOpened(official=official.id),)),) if look.state.tenure is not None else ()
    return (*on_record, Open(Over.MENU))


def _ruling(_look: Look, _official: Official) -> tuple[Act, ...]:
    return (Open(Over.RULING),)


def _take_over(look: Look, official: Official) -> tuple[Act, ...]:
    return (Close(), Do((claim_body(look, official=official.id),)))


def _move(_look: Look, official: Official) -> tuple[Act, ...]:
    return (Close(), Do((OfficialRequested(what="release", official=official.id),)))


def _start(look: Look, official: Official) -> tuple[Act, ...]:
    return (Close(), Do((claim_body(look, official=official.id, provisional=True),)))


WHAT_FOR: Final[Mapping[str, Purpose]] = {
    "menu": Purpose(None, _menu),
    "ruling": Purpose(TableAct.RULE, _ruling),
    "take-over": Purpose(TableAct.TAKE_OVER, _take_over),
    "move": Purpose(TableAct.MOVE, _move),
    "start": Purpose(TableAct.START_WITHOUT_HUB, _start),
}
"""By ``Open.about``. After a right PIN ``look.official`` is whose it was."""


def after_pin(look: Look, about: str, official: Official) -> tuple[Act, ...]:
    """What a right PIN leads to; a sentence when the role does not cover what it was asked for."""
    purpose = WHAT_FOR[about]
    no = None if purpose.act is None else why_not(official.role, purpose.act)
    return purpose.then(look, official) if no is None else (Close(), Say(no))


def pin(look: Look, about: str) -> Screen:
    """Six figures that nobody can read over a shoulder, and how many tries are left."""
    typed = look.entries.pin
    said = _said(look)
    left = panel(
        words(_("Personal PIN"), 23, Weight.SEMI, line=28),
        row(*(_place(index < len(typed)) for index in range(DIGITS)), gap=12),
        space(h=2),
        *((said,) if said is not None else ()),
        space(),
        words(_record(look), 19, Weight.MEDIUM, Tone.INK2, wrap=True, line=23),
        gap=8, pad=(14, 18, 14, 18),
    )  # fmt: skip
    pad = number_pad("pin", lambda figure: _typing(look, (typed + figure)[:DIGITS]), _typing(look, typed[:-1]),
                     _typing(look, ""))  # fmt: skip
    body = Box((left, pad), gap=12, align=Align.STRETCH)
    small = None if look.state.assignment is not None else _("Box {box}", box=look.box)
    bar = actions(
        button(back_to(look), Tap("close", Close()), icon=MarkName.LEFT, grow=1, size=20), _way_on(look, about)
    )
    return Screen("pin", header(look, _("For officials"), small), body, bar)


def _place(filled: bool) -> Node:
    dot = Box(w=20, h=20, skin=Skin(ground=Tone.INK, radius=10))
    return Box((dot,) if filled else (), Axis.ROW, align=Align.CENTER, justify=Align.CENTER, grow=1, h=60,
               skin=Skin(ground=Tone.CARD, border=Tone.INK, line=2, radius=4))  # fmt: skip


def _typing(look: Look, typed: str) -> Act:
    return Enter(replace(look.entries, pin=typed))


def _way_on(look: Look, about: str) -> Node:
    label = _("Open the menu") if about == "menu" else _("Go on")
    if look.officials.known == 0:
        return not_yet(label, _no_pin())
    if look.pin_wait:
        return not_yet(label, _("Wait until the five minutes are over, or let the director act from the desk."))
    if look.checking:
        return not_yet(_("Checking…"), _("The PIN is being checked. This takes a moment."))
    if len(look.entries.pin) < DIGITS:
        return not_yet(label, _("A personal PIN has six figures."))
    return forward(label, Tap("forward", TryPin(about)))


def _said(look: Look) -> Node | None:
    if look.officials.known == 0:
        return banner(Tenor.CAUTION, _no_pin(), size=18)
    if look.checking:
        return banner(Tenor.INFO, _("Checking…"), size=20, icon=MarkName.HOURGLASS)
    if look.pin_wait:
        said = _("Five PINs were not right. This box takes the next one in {clock}.", clock=clock_text(look.pin_wait))
        return banner(Tenor.CAUTION, said, size=19)
    if look.denied is Denied.WRONG:
        tries = ngettext(
            "That PIN is not right. {n} try left, then this box waits 5 minutes.",
            "That PIN is not right. {n} tries left, then this box waits 5 minutes.",
            look.officials.tries_left,
        )
        return banner(Tenor.CAUTION, tries, size=19)
    if look.denied is not None:
        return banner(Tenor.CAUTION, _("The PIN was not taken. Type it once more."), size=19)
    return None


def _no_pin() -> str:
    return _("No official has a PIN at this box yet, so the menu stays closed. The director gives PINs at the desk.")


def _record(look: Look) -> str:
    if look.state.tenure is None:
        return _("What was entered stays as it is.")
    return _("The game is kept as it is. Opening the menu is written in the record with the time and whose PIN it was.")
