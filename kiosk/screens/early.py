"""A bid before its turn in spades: typed by hand, then accepted or not by the other side (B-27, C-16, Q-40)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Do, Enter
from kiosk.screens.auction import LEGAL, calls_map
from kiosk.screens.chosen import INKED, opened, seat_key
from kiosk.screens.entries import Raising
from kiosk.screens.frame import Screen, actions, back, hand_line, header, not_yet
from kiosk.screens.kinds import kind_name, kind_rule
from kiosk.screens.look import Look
from kiosk.screens.seatmap import call_marks, figure
from kiosk.screens.turned import facing, turn_button, turned
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import Kind, button, column, letters, note, row, space, words
from tallybox.calls import NIL, Call, Number, call_text, call_words
from tallybox.events.rulings import OutOfTurnAccepted, OutOfTurnDeclined, OutOfTurnMade
from tallybox.events.table import CallTakenBack
from tallybox.rules.settings import SpadesSettings
from tallybox.seats import Seat
from tallybox.table.state import Step

_ANSWER: Final = Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8)


def early_seats(look: Look) -> tuple[Seat, ...]:
    """Who could bid before the turn now: spades, while the bids are made."""
    hand = look.hand
    if look.whist or look.step is not Step.AUCTION:
        return ()
    return tuple(seat for seat in Seat if seat is not hand.turn and hand.call_of(seat) is None)


# --- typed by hand


def early_sheet(look: Look, draft: Raising) -> Screen:
    """Which seat bid before its turn, and what."""
    able = early_seats(look)

    def chosen(**changes: object) -> Enter:
        return Enter(replace(look.entries, raising=replace(draft, **changes)))  # type: ignore[arg-type]

    what = opened(kind_name(look, draft.code), Tap("what", chosen(page="what")))
    seats = [
        seat_key(f"seat:{seat}", seat, chosen(seat=seat), "" if seat in able else _not_early(look, seat),
                 is_chosen=seat is draft.seat)
        for seat in Seat
    ]  # fmt: skip
    left = column(
        words(_("1 · What happened"), 18, Weight.MEDIUM, Tone.INK2, line=22), what,
        words(_("2 · Which seat bid"), 18, Weight.MEDIUM, Tone.INK2, line=22),
        row(*seats, gap=8, h=52, align=Align.STRETCH),
        space(),
        words(_("The other side says whether the bid stands. Then the bidding goes on."), 18, Weight.MEDIUM, Tone.INK2,
              line=23, wrap=True),
        gap=6, w=292,
    )  # fmt: skip
    right = column(words(_("3 · What it bid"), 18, Weight.MEDIUM, Tone.INK2, line=22),
                   _bid_keys(look, draft.call, lambda call: chosen(call=call)), gap=6, grow=1)  # fmt: skip
    if draft.seat is None or draft.seat not in able or not draft.call:
        go: Node = not_yet(_("Say who bid, and what"), _("Tap the seat that bid before its turn, and the bid it made."))
    else:
        made = OutOfTurnMade(hand=look.hand.number, seat=draft.seat, call=draft.call, source="typed")
        asked = _("Ask {side}", side=draft.seat.side.other.word)
        go = button(asked, Tap("early", Do((made,))), Kind.FORWARD, grow=1)
    small = _("Irregularity · Hand {hand}", hand=look.hand.number)
    return Screen("irregular-early", header(look, _("Who bid before the turn?"), small),
                  Box((left, right), gap=12, align=Align.STRETCH), actions(back(_("Cancel"), w=150), go))  # fmt: skip


def _not_early(look: Look, seat: Seat) -> str:
    if seat is look.hand.turn:
        return _("It is {seat}'s turn: that bid is tapped on the keypad.", seat=seat.word)
    return _("{seat} has bid already. Nobody bids a second time.", seat=seat.word)


def _bid_keys(look: Look, picked: str, act: object) -> Node:
    """Every bid there is; the chosen one is inked."""
    settings = look.playing.ruleset.settings
    assert isinstance(settings, SpadesSettings)
    assert callable(act)

    def one(call: Call) -> Box:
        text = call_text(call)
        inked = text == picked
        ink = Tone.CARD if inked else Tone.INK
        if call == NIL:
            face: Node = row(Mark(MarkName.NIL, 26, ink), words(_("NIL"), 26, Weight.BOLD, ink), gap=8)
        else:
            assert isinstance(call, Number)
            face = replace(figure(call.tricks, 32), tone=ink)
        return Box((face,), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=INKED if inked else LEGAL,
                   tap=Tap(f"bid:{text}", act(text)))  # fmt: skip

    numbers = [one(Number(tricks)) for tricks in range(1, settings.max_bid + 1)]
    columns = 4 if len(numbers) <= 12 else 5
    rows = []
    for start in range(0, len(numbers), columns):
        line: list[Node] = [*numbers[start : start + columns]]
        line += [Box(grow=1) for _gap in range(columns - len(line))]
        rows.append(Box(tuple(line), Axis.ROW, 7, align=Align.STRETCH, grow=1))
    return column(Box((one(NIL),), Axis.ROW, align=Align.STRETCH, grow=1), *rows, gap=7, grow=1)


# --- the other side's answer


def early(look: Look) -> Screen:
    """The bid that came too soon, and the one question to the other side."""
    made = look.hand.early
    turn = look.hand.turn
    assert made is not None
    assert turn is not None
    side = made.seat.side.other
    settings = look.playing.ruleset.settings
    locked = isinstance(settings, SpadesSettings) and settings.declined_bid_locked
    either = _("One of you may say it.") if locked else _("Say it together.")
    again = (
        _("{turn} bids; {seat} repeats {call} in turn", turn=turn.word, seat=made.seat.word, call=call_words(made.call))
        if locked
        else _("{turn} bids; {seat} bids freely in turn", turn=turn.word, seat=made.seat.word)
    )
    question = _("{side}: does it stand? {either}", side=side.word, either=either)
    card = turned(
        look, side,
        words(_("{seat} bid before its turn", seat=made.seat.word), 25, Weight.BOLD, line=30, align=Align.CENTER),
        row(space(), call_marks(made.call, 34), space()),
        words(question, 17, Weight.MEDIUM, Tone.INK2, line=21, align=Align.CENTER, wrap=True),
        _answer(look, accepted=True, label=_("It stands"),
                small=_("the bidding goes on from {seat}", seat=made.seat.word)),
        _answer(look, accepted=False, label=_("It does not stand"), small=again),
        gap=7,
    )  # fmt: skip
    bar = actions(turn_button(look, side), _taken_back(look), note(_cost(look)))
    title = _("Does {seat}'s bid stand?", seat=made.seat.word)
    body = Box((calls_map(look), card), gap=12, align=Align.STRETCH)
    return Screen("early", header(look, title, hand_line(look)), body, bar)


def _taken_back(look: Look) -> Box:
    """It was tapped by mistake: the bid before the turn is taken off the record."""
    made = look.hand.early
    assert made is not None
    act = Do((CallTakenBack(hand=look.hand.number, seat=made.seat),))
    return button(_("Take back"), Tap(f"take-back:{made.id}", act), icon=MarkName.UNDO, w=160)


def _cost(look: Look) -> str:
    """What it costs, whether it stands or not (B-27, C-16)."""
    settings = look.playing.ruleset.settings
    made = look.hand.early
    points = settings.bid_turn_points if isinstance(settings, SpadesSettings) else 0
    assert made is not None
    if not points:
        return _("No points · rule {rule}", rule=kind_rule(look, "BID_TURN"))
    return _("{side}: −{points} either way · {rule}", side=letters(made.seat.side), points=points,
             rule=kind_rule(look, "BID_TURN"))  # fmt: skip


def _answer(look: Look, *, accepted: bool, label: str, small: str) -> Box:
    made = look.hand.early
    assert made is not None
    kind = OutOfTurnAccepted if accepted else OutOfTurnDeclined
    body = kind(hand=look.hand.number, seat=facing(look, made.seat.side.other), made=made.id)
    return Box(
        (words(label, 23, Weight.BOLD, line=28, align=Align.CENTER),
         words(small, 16, Weight.MEDIUM, Tone.INK2, line=19, wrap=True, align=Align.CENTER)),
        Axis.COLUMN, 2, (8, 10, 8, 10), Align.STRETCH, Align.CENTER, skin=_ANSWER,
        tap=Tap(f"early:{'stands' if accepted else 'declined'}", Do((body,))),
    )  # fmt: skip
