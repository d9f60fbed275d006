"""The official's menu (k17b): what can be done at a table behind a personal PIN, greyed with its reason otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kiosk.screens.acts import Close, Open, Over, Resend, Say
from kiosk.screens.frame import Screen, actions, forward, header
from kiosk.screens.look import Look
from kiosk.screens.over import back_to
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.view import Official
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import column, row, words
from tallybox.countdown import clock_text
from tallybox.roles import Role, TableAct, why_not
from tallybox.seats import Side
from tallybox.table.state import Step

_OPEN: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
_GREYED: Final = Skin(border=Tone.EDGE, line=2, radius=8, dashed=True)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be done: ``then`` does it, ``not_now`` says why the table does not allow it at present."""

    act: TableAct
    icon: MarkName
    title: str
    note: str
    then: Act
    not_now: Callable[[Look], str | None] = lambda _look: None


def menu(look: Look) -> Screen:
    """Everything an official can do here, two to a row."""
    items = _items(look)
    rows = [
        row(*(_item(look, item) for item in items[at : at + 2]), gap=8, grow=1, align=Align.STRETCH)
        for at in range(0, len(items), 2)
    ]
    official = visitor(look)
    small = _("Opened by {name} · closes in {clock}", name=official.name, clock=clock_text(look.menu_left))
    body = column(*rows, gap=7, grow=1)
    bar = actions(forward(_("Close the menu · {where}", where=back_to(look).lower()), Tap("close", Close())))
    return Screen("menu", header(look, _title(official.role), small, chips=False), body, bar)


def _title(role: Role) -> str:
    match role:
        case Role.DIRECTOR:
            return _("Director’s menu")
        case Role.MONITOR:
            return _("Monitor’s menu")
        case _:
            return _("Helper’s menu")


def visitor(look: Look) -> Official:
    """Whose PIN was right; only for screens that a PIN opens."""
    assert look.official is not None
    return look.official


def _lock_item(look: Look) -> Item:
    if look.locked:
        return Item(TableAct.LOCK, MarkName.LOCK, _("Unlock this box"), _("people can enter again"),
                    Open(Over.REQUEST, "unlock"), _needs_hub)  # fmt: skip
    return Item(TableAct.LOCK, MarkName.LOCK, _("Lock this box"), _("nobody can enter anything"),
                Open(Over.REQUEST, "lock"), _needs_hub)  # fmt: skip


def _time_item(look: Look) -> Item:
    """More time is the hub's to give; to call time is an official's while no hub can."""
    if look.linked:
        return Item(TableAct.EXTEND, MarkName.CLOCK, _("More time here"), _("this table only"),
                    Open(Over.REQUEST, "extension"))  # fmt: skip
    return Item(TableAct.CLOSE_WITHOUT_HUB, MarkName.CLOCK, _("Call time here"), _("no hub is there to do it"),
                Open(Over.CALL_TIME), _no_time_to_call)  # fmt: skip


def _items(look: Look) -> tuple[Item, ...]:
    return (
        Item(TableAct.CORRECT, MarkName.PEN, _("Correct a hand"), _("with a reason; the old one stays"),
             Open(Over.CORRECT), _no_recorded),
        Item(TableAct.VOID, MarkName.CROSS, _("Void this hand"), _("same dealer, same number"),
             Open(Over.VOID), _no_hand),
        Item(TableAct.ADJUST, MarkName.VERSUS, _("Adjust points"), _("for one side, with a reason"),
             Open(Over.ADJUST), _no_hand_at_all),
        Item(TableAct.SWAP, MarkName.SWAP, _("Swap sides or seats"), _("before the first deal"),
             Open(Over.SWAP), _no_swap),
        Item(TableAct.WAIVE, MarkName.SHEET, _("Waive a signature"), _("a side does not sign"),
             Open(Over.WAIVE), _nothing_to_sign),
        Item(TableAct.RESEND, MarkName.TRAY, _("Send again"), _("all that waits here"), Resend()),
        _time_item(look),
        Item(TableAct.REPLACE, MarkName.TURN, _("Replace this box"), _("goes on from the hub’s copy"),
             Open(Over.REQUEST, "replacement"), _needs_hub),
        Item(TableAct.TEST, MarkName.BELL, _("Test buzzer and reader"), _("and the lamp"), Open(Over.TEST)),
        _lock_item(look),
    )  # fmt: skip


def _item(look: Look, item: Item) -> Node:
    reason = why_not(visitor(look).role, item.act) or item.not_now(look)
    ink, soft = (Tone.INK, Tone.INK2) if reason is None else (Tone.INK2, Tone.INK2)
    said = column(
        words(item.title, 21, Weight.BOLD, ink, line=24),
        words(item.note, 16, Weight.MEDIUM, soft, line=19, cut=True),
        gap=1, grow=1,
    )  # fmt: skip
    act = item.then if reason is None else Say(reason)
    return Box(
        (Mark(item.icon, 28, ink, 2.4), said), Axis.ROW, 14, (4, 10, 4, 14), Align.CENTER, grow=1,
        skin=_OPEN if reason is None else _GREYED, tap=Tap(f"menu:{item.act}", act),
    )  # fmt: skip


def _no_recorded(look: Look) -> str | None:
    if look.state.tenure is None:
        return _("This box does not speak for a table yet.")
    return None if look.state.counting else _("No hand is recorded yet. Its entries can still be taken back.")


def _no_hand(look: Look) -> str | None:
    return None if look.state.hand is not None else _("No hand is open now.")


def _no_hand_at_all(look: Look) -> str | None:
    if look.state.hand is None and not look.state.counting:
        return _("No hand was dealt yet, so there is nothing to adjust.")
    return None


def _no_swap(look: Look) -> str | None:
    if look.state.tenure is None:
        return _("This box does not speak for a table yet.")
    if look.state.hands or (look.state.hand is not None and look.state.hand.counted):
        return _("The first hand was dealt. From now on the teams stay where they sit.")
    return None


def _nothing_to_sign(look: Look) -> str | None:
    if look.step is not Step.SIGN:
        return _("The sheet is not ready to be signed.")
    waived = set(look.state.signatures) | set(look.state.waivers)
    return None if waived != set(Side) else _("Both sides have signed.")


def _no_time_to_call(look: Look) -> str | None:
    if look.state.tenure is None:
        return _("This box does not speak for a table yet.")
    if look.playing.minutes is None:
        return _("This round has no clock. It ends with its hands or its points.")
    if look.state.clock_ended:
        return _("Time was called already.")
    return None


def _needs_hub(look: Look) -> str | None:
    if look.linked:
        return None
    return _("Only the hub can do this, and it is out of reach. Ask again when this box is linked.")
