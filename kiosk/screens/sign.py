"""Two people bind themselves to exactly this sheet."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from kiosk.screens.acts import Do, Enter, Say
from kiosk.screens.entries import Stroke
from kiosk.screens.frame import Screen, actions, forward, header, not_yet
from kiosk.screens.look import Look
from kiosk.screens.seatmap import around
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Ink, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    Kind,
    Tenor,
    banner,
    button,
    column,
    panel,
    rich,
    row,
    space,
    strong,
    team_chip,
    words,
)
from tallybox.events.table import SheetSigned, SheetSubmitted
from tallybox.seats import Seat, Side
from tallybox.sheet import Totals
from tallybox.table.closing import valid_signatures, valid_waivers
from tallybox.table.shown import score, sheet_digest

LEAST_INK = 120
"""How far a pen must travel, in thousandths of the pad, before the strokes are a signature."""
MOST_STROKES = 64
LONGEST_STROKE = 2_000
MOST_POINTS = 3_800
"""Points in one stroke and in all: what an event holds, and a table counts; a person draws a few hundred."""

_ACTIVE = Skin(ground=Tone.CARD, border=Tone.BAIZE, line=4, radius=10)


def sign(look: Look) -> Screen:
    """A pad for each side, its result above it."""
    digest = sheet_digest(look.state)
    signed = valid_signatures(look.state, digest)
    totals = score(look.state).totals
    waived = valid_waivers(look.state, digest)
    active = next((side for side in Side if side not in signed | waived), None)
    pads = Box(
        tuple(
            _waived(look, side, totals) if side in waived - signed
            else _pad(look, side, digest, totals, active=side is active, done=side in signed)
            for side in Side
        ),
        gap=10, align=Align.STRETCH, grow=1,
    )  # fmt: skip
    parts: list[Node] = [pads]
    if look.state.refused:
        no = look.state.refused[-1]
        parts.insert(0, banner(Tenor.DISPUTE, _("{reason} Ask the director before signing.", reason=no.message),
                               size=18, h=52))  # fmt: skip
    small = _("Sheet {sheet} · seal {one}-{two}", sheet=look.playing.sheet_id, one=digest[:4].upper(),
              two=digest[4:8].upper())  # fmt: skip
    sheet = button(_("Sheet"), Tap("sheet", Enter(replace(look.entries, signing=False))), icon=MarkName.LEFT, w=130)
    turn: tuple[Node, ...] = (_turn(look, active),) if active else ()
    if signed | waived == frozenset(Side):
        go = forward(_("Submit the sheet"), Tap("submit", Do((SheetSubmitted(digest=digest),)), exact=True))
    else:
        reason = _("One player of each team signs; then the sheet goes to the hub.")
        go = not_yet(_("Submit needs both"), reason)
    return Screen("sign", header(look, _("One player of each team signs"), small), column(*parts, gap=8),
                  actions(sheet, *turn, go))  # fmt: skip


def _waived(look: Look, side: Side, totals: Totals) -> Node:
    """A side that does not sign: by whose word, and why."""
    waiver = look.state.waivers[side]
    return panel(
        row(team_chip(side, look.number(side)), space(), _result_words(look, side, totals), h=36),
        space(), row(Mark(MarkName.CROSS, 30, Tone.INK2, 3), words(_("Signature waived"), 24, Weight.BOLD), gap=10),
        words(waiver.reason, 19, wrap=True, line=24),
        words(_("by official {official}", official=look.officials.name(waiver.official)), 17, tone=Tone.INK2), space(),
        pad=(7, 12, 10, 12),
    )  # fmt: skip


def signer(look: Look, side: Side) -> Seat:
    """The seat that signs for a side: as chosen, else its first."""
    return look.entries.signers.get(side, side.seats[0])


def _turn(look: Look, side: Side) -> Node:
    if look.entries.pad_turned:
        straight = replace(look.entries, pad_turned=False)
        return button(_("Turn back"), Tap("turn", Enter(straight)), icon=MarkName.TURN, w=190)
    seat = signer(look, side)
    turned = replace(look.entries, pad_turned=True)
    return button(_("Turn to {seat}", seat=seat.word), Tap("turn", Enter(turned)), icon=MarkName.TURN, w=190)


def _quarters(look: Look, seat: Seat) -> int:
    """Quarter turns that bring the pad upright before ``seat``."""
    top, right, _bottom, left = around(look.bottom)
    return {top: 2, right: 3, left: 1}.get(seat, 0)


def _result_words(look: Look, side: Side, totals: Totals) -> Node:
    points = str(totals.points[side]).replace("-", "−")
    if look.whist:
        hands = totals.hands_won[side]
        return rich(strong(str(hands)), " " + ngettext("hand", "hands", hands) + " · ", strong(points), " " + _("pts"),
                    size=21, line=28)  # fmt: skip
    return rich(strong(points), " " + _("points"), size=21, line=28)


def _pad(look: Look, side: Side, digest: str, totals: Totals, *, active: bool, done: bool) -> Node:
    seat = signer(look, side)
    name = look.player(seat)
    if done:
        signature = look.state.signatures[side]
        seat, name = signature.seat, look.player(signature.seat)
        ink = Ink(tuple(pairs(stroke) for stroke in signature.strokes))
        foot: Node = row(
            Mark(MarkName.CHECK, 24, Tone.BAIZE, 3.4), words(_("Signed"), 20, Weight.BOLD, Tone.BAIZE), space(),
            button(_("Redo"), Tap(f"redo:{side}", _redo(look, side)), w=96, h=54, size=19), h=54, gap=8,
        ) if side not in look.entries.redo else _keys(look, side, seat, digest, active=active)  # fmt: skip
    else:
        ink = Ink(look.entries.strokes.get(side, ()), pad=side.value, about=digest)
        foot = _keys(look, side, seat, digest, active=active)
    if done and side in look.entries.redo:
        ink = Ink(look.entries.strokes.get(side, ()), pad=side.value, about=digest)
        done = False
    well = Skin(ground=Tone.WELL, border=Tone.LINE, line=2, radius=4) if done else Skin(
        ground=Tone.CARD, border=Tone.INK, line=2, radius=4)  # fmt: skip
    caption = words(_("{name} for team {team}", name=name, team=look.number(side)), 16, Weight.MEDIUM, Tone.INK2,
                    line=20, cut=True)  # fmt: skip
    line = Box(h=2, skin=Skin(ground=Tone.EDGE))
    under = Box((space(), line, caption), Axis.COLUMN, 4, (8, 14, 6, 14), Align.STRETCH)
    turned = _quarters(look, seat) if look.entries.pad_turned and not done else 0
    drawing = Box((under, ink), Axis.STACK, align=Align.STRETCH, grow=1, turn=turned)
    pad = Box((Box(skin=well), drawing), Axis.STACK, align=Align.STRETCH, grow=1)
    head = row(team_chip(side, look.number(side)), space(), _result_words(look, side, totals), h=36)
    waiting = PANEL if done or not active else _ACTIVE
    return Box((head, pad, foot), Axis.COLUMN, 7, (7, 12, 10, 12), Align.STRETCH, grow=1, skin=waiting)


def _keys(look: Look, side: Side, seat: Seat, digest: str, *, active: bool) -> Node:
    strokes = look.entries.strokes.get(side, ())
    cleared = replace(look.entries, strokes=MappingProxyType({**look.entries.strokes, side: ()}))
    swapped = replace(
        look.entries, signers=MappingProxyType({**look.entries.signers, side: seat.partner}), pad_turned=False
    )
    kind = (Kind.FORWARD if active else Kind.PLAIN) if _is_signature(strokes) else Kind.NOT_YET
    return row(
        button(_("Clear"), Tap(f"clear:{side}", Enter(cleared)), w=72, h=54, size=19),
        button(_("or {name}", name=look.player(seat.partner)), Tap(f"signer:{side}:{seat}", Enter(swapped)),
               h=54, size=18, cut=True, grow=1),
        button(_("Sign"), Tap(f"sign:{side}", _signed(look, side, seat, digest, strokes), exact=True), kind,
               w=88, h=54, size=20),
        gap=8, h=54,
    )  # fmt: skip


def _signed(look: Look, side: Side, seat: Seat, digest: str, strokes: tuple[Stroke, ...]) -> Act:
    if not _is_signature(strokes):
        return Say(_("Sign on the line first: {name} signs for team {team}.", name=look.player(seat),
                     team=look.number(side)))  # fmt: skip
    flat = tuple(tuple(value for point in stroke for value in point) for stroke in strokes)
    body = SheetSigned(side=side, seat=seat, digest=digest, strokes=flat)
    return Do((body,))


def _redo(look: Look, side: Side) -> Act:
    return Enter(replace(look.entries, redo=look.entries.redo | {side}))


def pairs(flat: tuple[int, ...]) -> Stroke:
    """The points of a stroke as it is journalled: x, y, x, y …"""
    return tuple(zip(flat[::2], flat[1::2], strict=False))


def _is_signature(strokes: tuple[Stroke, ...]) -> bool:
    travel = 0
    for stroke in strokes:
        for (x, y), (next_x, next_y) in pairwise(stroke):
            travel += abs(next_x - x) + abs(next_y - y)
    return travel >= LEAST_INK


def with_stroke(look: Look, side: Side, stroke: Stroke) -> Act:
    """What another stroke on a side's pad means; a scribble beyond all measure is answered in words."""
    strokes = (*look.entries.strokes.get(side, ()), stroke)
    too_long = len(stroke) > LONGEST_STROKE or sum(len(one) for one in strokes) > MOST_POINTS
    if too_long or len(strokes) > MOST_STROKES:
        return Say(_("That is more ink than a signature needs. Clear it and sign again."))
    drawn = MappingProxyType({**look.entries.strokes, side: strokes})
    return Enter(replace(look.entries, strokes=drawn, inked=sheet_digest(look.state)))
