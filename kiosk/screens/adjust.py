"""The director's own points for a hand, beyond what the rules give (INV-7): which hand, how many, why."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, cast

from kiosk.screens.frame import Screen, forward, not_yet
from kiosk.screens.guided import (
    CHOSEN,
    KEY,
    back_to_page,
    compared,
    drafted,
    guided,
    hand_at,
    places,
    reason_page,
    sentence_alone,
    tried,
    which_hand,
)
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import chip, column, icon_button, panel, row, space, team_chip, words
from tallybox.events.rulings import RulingEntered
from tallybox.rules.hand import Ruling
from tallybox.seats import Side
from tallybox.sheet.ruling_json import ruling_to_json
from tallybox.why import signed

MOST_POINTS: Final = 500


def adjust(look: Look) -> Screen:
    """Points for a side, beyond what the rules give, and why (INV-7)."""
    draft, state = look.entries.draft, look.state
    hand = None if draft.place is None else hand_at(state, draft.place)
    if draft.place is None or hand is None:
        return which_hand(look, "adjust-which", _("Which hand is adjusted?"), places(look),
                          lambda place: drafted(look, place=place, page="points"))  # fmt: skip

    def made(reason: str) -> RulingEntered:
        ruling = Ruling("ADJUST", official=visitor(look).id, points=_points(look), won_by=draft.won_by, why=reason)
        return RulingEntered(hand=hand.number, ruling=cast("dict[str, object]", ruling_to_json(ruling)),
                             official=visitor(look).id, reason=reason)  # fmt: skip

    title = _("Hand {hand}: points by the director", hand=hand.number)
    if draft.page == "points" or not (_points(look) or draft.won_by):
        return _points_page(look, title)
    if draft.page in {"reason", "writing"}:
        ready = (
            _("Conduct: a warning was given before."),
            _("A mistake of the officials is made good."),
            _("By agreement of both teams."),
        )
        said = _("Hand {hand} is adjusted. Both sides see it on the sheet.", hand=hand.number)
        return reason_page(look, "adjust-why", ready, lambda reason: (made(reason), said),
                           _("Adjust hand {hand}", hand=hand.number), back=back_to_page(look, "lines"))  # fmt: skip
    after = tried(look, made("–"))
    again = back_to_page(look, "points")
    if isinstance(after, str):
        return guided(look, "adjust-lines", title, sentence_alone(after), again, not_yet(_("Say why"), after))
    return guided(look, "adjust-lines", _("Hand {hand}: before and after", hand=hand.number),
                  compared(look, draft.place, after), again,
                  forward(_("Say why"), Tap("forward", drafted(look, page="reason"))))  # fmt: skip


def _points(look: Look) -> dict[Side, int]:
    return {side: points for side, points in look.entries.draft.points.items() if points}


def _points_page(look: Look, title: str) -> Screen:
    boxes = row(*(_points_box(look, side) for side in Side), gap=10, align=Align.STRETCH, grow=1)
    body = column(boxes, *(_won_by(look),) if look.whist else (), gap=10, grow=1)
    label = _("Before and after")
    changed = _points(look) or look.entries.draft.won_by
    go = (
        forward(label, Tap("forward", drafted(look, page="lines")))
        if changed
        else not_yet(label, _("Set points for a side first."))
    )
    return guided(look, "adjust-points", title, body, back_to_page(look, "", place=None), go)


def _points_box(look: Look, side: Side) -> Node:
    points = look.entries.draft.points
    now = points.get(side, 0)
    step = 1 if look.whist else 10

    def to(change: int, key: str) -> Tap:
        value = min(MOST_POINTS, max(-MOST_POINTS, now + change))
        return Tap(f"{key}:{side}", drafted(look, points=MappingProxyType({**points, side: value})), rapid=True)

    tone = Tone.CALL if now < 0 else Tone.INK
    keys = row(icon_button(MarkName.MINUS, to(-step, "minus"), w=92, h=62),
               icon_button(MarkName.PLUS, to(step, "plus"), w=92, h=62), gap=14, justify=Align.CENTER)  # fmt: skip
    return panel(
        row(team_chip(side, look.number(side)), justify=Align.CENTER),
        words(signed(now) if now else "0", 64, Weight.BOLD, tone, line=72, align=Align.CENTER),
        space(), keys, pad=(12, 12, 14, 12),
    )  # fmt: skip


def _won_by(look: Look) -> Node:
    won = look.entries.draft.won_by
    choices: tuple[tuple[Side | None, str], ...] = ((None, _("as played")), *((side, side.value) for side in Side))
    keys = [
        Box((chip(side) if side else words(said, 20, Weight.SEMI),), Axis.ROW, 0, align=Align.CENTER,
            justify=Align.CENTER, grow=1, skin=CHOSEN if side is won else KEY,
            tap=Tap(f"won:{side or 'played'}", drafted(look, won_by=side)))
        for side, said in choices
    ]  # fmt: skip
    label = Box((words(_("Hand won by"), 20, Weight.SEMI),), align=Align.CENTER)
    return row(label, *keys, gap=10, align=Align.STRETCH, h=56)
