"""An official corrects a recorded hand: which, what, before and after, why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import cast

from kiosk.screens.frame import Screen, forward, not_yet
from kiosk.screens.guided import (
    CHOSEN,
    KEY,
    back_to_page,
    compared,
    drafted,
    facts_contract,
    guided,
    places,
    reason_page,
    tried,
    which_hand,
)
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.screens.seatmap import call_marks, not_called
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import Tenor, banner, button, chip, column, icon_button, panel, row, space, words
from tallybox.calls import Call, Direction, Strain
from tallybox.errors import SheetError
from tallybox.events.table import Body, HandRecorded
from tallybox.rules import spades_auction, whist_auction
from tallybox.rules.bidding import WhistContract
from tallybox.rules.hand import HandFacts
from tallybox.rules.settings import SpadesSettings, WhistSettings
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet import hand_facts_to_json, score_sheet
from tallybox.table.overlay import rests_on
from tallybox.table.shown import facts_now, lines_digest, sheet_facts
from tallybox.table.state import Hand, TableState


def correct(look: Look) -> Screen:
    """The page of the guided sheet that is on."""
    draft = look.entries.draft
    if draft.place is None or draft.facts is None:
        return which_hand(
            look, "correct-which", _("Which hand is to be corrected?"), places(look, open_too=False),
            lambda place: drafted(look, place=place, facts=facts_now(look.state, look.state.hands[place]), page="what"),
        )  # fmt: skip
    hand = look.state.hands[draft.place]
    if draft.page == "call" and draft.seat is not None:
        return _which_call(look, hand, draft.facts, draft.seat)
    if draft.page == "lines":
        return _lines(look, hand, draft.facts)
    if draft.page in {"reason", "writing"}:
        return _why(look, hand, draft.facts)
    return _what(look, hand, draft.facts)


def corrected(look: Look, hand: Hand, facts: HandFacts, reason: str) -> HandRecorded:
    """The event: the new facts with the lines they give. Raises ``SheetError`` where the rules give none."""
    sheet = sheet_facts(look.state)
    place = look.state.hands.index(hand)
    scored = score_sheet(replace(sheet, hands=(*sheet.hands[:place], facts, *sheet.hands[place + 1 :])))
    return HandRecorded(
        hand=hand.number, facts=cast("dict[str, object]", hand_facts_to_json(facts)),
        ruleset=look.playing.ruleset.digest, lines=lines_digest(scored.hands[place]), official=visitor(look).id,
        reason=reason,
    )  # fmt: skip


def _after(look: Look, hand: Hand, facts: HandFacts) -> TableState | str:
    """The table with the correction, or why there can be none."""
    if facts == facts_now(look.state, hand):
        return _("Nothing is changed yet. Tap what was wrong.")
    try:
        body = corrected(look, hand, facts, "–")
    except SheetError as reason:
        return reason.message
    return tried(look, body, rests_on(look.state, hand))


# --- what


def _what(look: Look, hand: Hand, facts: HandFacts) -> Screen:
    after = _after(look, hand, facts)
    body = column(
        _calls(look, facts), *_direction(look, facts), _result(look, facts), space(),
        *(() if not isinstance(after, str) else (banner(Tenor.CAUTION, after, size=18),)),
        gap=10, grow=1,
    )  # fmt: skip
    label = _("Before and after")
    go = (
        not_yet(label, after) if isinstance(after, str) else forward(label, Tap("forward", drafted(look, page="lines")))
    )
    again = drafted(look, place=None, facts=None, page="")
    return guided(look, "correct-what", _("Hand {hand}: what was wrong?", hand=hand.number), body,
                  button(_("Another hand"), Tap("back", again), icon=MarkName.LEFT, w=190), go)  # fmt: skip


def _calls(look: Look, facts: HandFacts) -> Node:
    keys = []
    for index, seat in enumerate(calling_order(facts.dealer)):
        call = facts.calls[index] if index < len(facts.calls) else None
        face: Node = not_called(_("none")) if call is None else call_marks(call, 24)
        keys.append(Box(
            (words(seat.word, 17, Weight.SEMI, Tone.INK2, line=20), face), Axis.COLUMN, 3, (4, 6, 4, 6), Align.CENTER,
            Align.CENTER, grow=1, skin=KEY, tap=Tap(f"call-of:{seat}", drafted(look, page="call", seat=seat)),
        ))  # fmt: skip
    return row(*keys, gap=8, align=Align.STRETCH, h=72)


def _direction(look: Look, facts: HandFacts) -> tuple[Node, ...]:
    won = facts_contract(look, facts)
    if not isinstance(won, WhistContract) or won.bid.strain is not Strain.NO:
        return ()
    keys = [
        button(way.value.upper(), Tap(f"way:{way}", drafted(look, facts=replace(facts, direction=way))), grow=1, h=52)
        for way in Direction
    ]
    shown = [
        replace(key, skin=CHOSEN if facts.direction is way else KEY) for key, way in zip(keys, Direction, strict=True)
    ]
    return (row(*shown, gap=8, align=Align.STRETCH, h=52),)


def _result(look: Look, facts: HandFacts) -> Node:
    if look.whist:
        return _books(look, facts)
    tricks = facts.tricks or {}
    cells = [_stepper(look, facts, seat, tricks.get(seat, 0)) for seat in Seat]
    return row(*cells, gap=8, align=Align.STRETCH, h=150)


def _stepper(look: Look, facts: HandFacts, seat: Seat, taken: int) -> Node:
    def to(count: int) -> Tap:
        tricks = MappingProxyType({**dict.fromkeys(Seat, 0), **(facts.tricks or {}), seat: min(13, max(0, count))})
        kind = "plus" if count > taken else "minus"
        return Tap(f"{kind}:{seat}", drafted(look, facts=replace(facts, tricks=tricks)), rapid=True)

    keys = row(icon_button(MarkName.MINUS, to(taken - 1), w=70, h=58, size=26),
               icon_button(MarkName.PLUS, to(taken + 1), w=70, h=58, size=26), gap=8, justify=Align.CENTER)  # fmt: skip
    named, figure = words(seat.word, 17, Weight.SEMI, Tone.INK2, line=20), words(str(taken), 34, Weight.BOLD, line=36)
    return Box((named, figure, keys), Axis.COLUMN, 4, (4, 2, 6, 2), Align.CENTER, Align.CENTER, grow=1)  # fmt: skip


def _books(look: Look, facts: HandFacts) -> Node:
    won = facts_contract(look, facts)
    if not isinstance(won, WhistContract):
        return words(_("Choose the four calls first; then the books."), 20, Weight.MEDIUM, Tone.INK2)
    taken = (facts.books or {}).get(won.side, 0)

    def to(count: int, key: str) -> Tap:
        count = min(won.books, max(0, count))
        books: Mapping[Side, int] = MappingProxyType({won.side: count, won.side.other: won.books - count})
        return Tap(key, drafted(look, facts=replace(facts, books=books)), rapid=True)

    def side_box(side: Side, count: int, said: str) -> Node:
        figures = row(chip(side), words(str(count), 52, Weight.BOLD, line=54), gap=12, justify=Align.CENTER)
        return panel(figures, words(said, 17, Weight.MEDIUM, Tone.INK2, line=20, align=Align.CENTER), gap=0,
                     pad=(6, 8, 6, 8), justify=Align.CENTER)  # fmt: skip

    return row(
        icon_button(MarkName.MINUS, to(taken - 1, "minus"), w=84, h=92),
        side_box(won.side, taken, _("bidders, needed {n}", n=won.needed)),
        side_box(won.side.other, won.books - taken, _("the others")),
        icon_button(MarkName.PLUS, to(taken + 1, "plus"), w=84, h=92),
        gap=8, align=Align.STRETCH, h=92,
    )  # fmt: skip


# --- which call


def _which_call(look: Look, hand: Hand, facts: HandFacts, seat: Seat) -> Screen:
    place = calling_order(facts.dealer).index(seat)
    now = facts.calls[place] if place < len(facts.calls) else None
    keys = [
        Box((call_marks(call, 26, spelled=True),), Axis.ROW, 0, align=Align.CENTER, justify=Align.CENTER, grow=1,
            skin=CHOSEN if call == now else KEY, tap=Tap(f"choose:{index}", _chosen(look, facts, place, call)))
        for index, call in enumerate(_every_call(look))
    ]  # fmt: skip
    wide = 4 if look.whist else 5
    lines = [keys[at : at + wide] for at in range(0, len(keys), wide)]
    lines[-1] += [Box(grow=1) for _gap in range(wide - len(lines[-1]) if not look.whist else 0)]
    body = column(*(row(*line, gap=8, grow=1, align=Align.STRETCH) for line in lines), gap=8, grow=1)
    title = _("Hand {hand}: what did {seat} call?", hand=hand.number, seat=seat.word)
    return guided(look, "correct-call", title, body, back_to_page(look, "what", seat=None), space())


def _every_call(look: Look) -> tuple[Call, ...]:
    settings = look.playing.ruleset.settings
    if isinstance(settings, WhistSettings):
        return whist_auction.keypad(settings)
    assert isinstance(settings, SpadesSettings)
    return spades_auction.keypad(settings)


def _chosen(look: Look, facts: HandFacts, place: int, call: Call) -> Act:
    """The call in its place; a direction goes with the No bid it belonged to."""
    changed = replace(facts, calls=(*facts.calls[:place], call, *facts.calls[place + 1 :]))
    won = facts_contract(look, changed)
    if not isinstance(won, WhistContract) or won.bid.strain is not Strain.NO:
        changed = replace(changed, direction=None)
    return drafted(look, facts=changed, page="what", seat=None)


# --- before and after, why


def _lines(look: Look, hand: Hand, facts: HandFacts) -> Screen:
    after = _after(look, hand, facts)
    place = look.state.hands.index(hand)
    if isinstance(after, str):
        return _what(look, hand, facts)
    return guided(
        look, "correct-lines", _("Hand {hand}: before and after", hand=hand.number), compared(look, place, after),
        back_to_page(look, "what"), forward(_("Say why"), Tap("forward", drafted(look, page="reason"))),
    )  # fmt: skip


def _why(look: Look, hand: Hand, facts: HandFacts) -> Screen:
    ready = (
        _("The books or tricks were entered wrong. Both sides agree."),
        _("A call was entered wrong. Both sides agree."),
        _("The paper sheet says otherwise. Both sides agree."),
        _("A ruling was left out."),
    )

    def decide(reason: str) -> tuple[Body, str]:
        said = _("Hand {hand} is corrected. Both sides look at the sheet and sign it anew.", hand=hand.number)
        return corrected(look, hand, facts, reason), said

    return reason_page(look, "correct-why", ready, decide, _("Correct hand {hand}", hand=hand.number),
                       back=back_to_page(look, "lines"))  # fmt: skip
