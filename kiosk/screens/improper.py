"""A greyed call was tapped: why it cannot stand, and what the rule makes of it if it was said (A-14, Q-15e)."""

from __future__ import annotations

from kiosk.screens.acts import Do, Open, Over
from kiosk.screens.auction import calls_map, high_call
from kiosk.screens.conflict import large_call
from kiosk.screens.frame import Screen, actions, back, forward, hand_line, header
from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Tap
from kiosk.widgets.parts import (
    BINDING,
    PANEL,
    Tenor,
    banner,
    boxed_word,
    button,
    column,
    emphasised,
    panel,
    rich,
    row,
    space,
    words,
)
from tallybox.calls import PASS, Call, Game, Pass, call_text, call_words, parse_call
from tallybox.events.table import CallMade, DirectorCalled
from tallybox.rules.auction import judge
from tallybox.said import say
from tallybox.seats import Seat


def about(look: Look, call: Call) -> str:
    """What the sheet is about: which call of the auction, and what was tapped."""
    return f"{len(look.hand.calls)}:{call_text(call)}"


def improper(look: Look, asked: Open) -> Screen | None:
    """The reason first; then, if it was said, its correction. Nothing once the auction has gone on."""
    number, _colon, text = asked.about.partition(":")
    turn = look.hand.turn
    if turn is None or number != str(len(look.hand.calls)):
        return None
    said = parse_call(Game.BID_WHIST, text)
    verdict = judge(look.playing.ruleset, look.hand.dealer, look.hand.made, said)
    must = verdict.correction
    if must is None:
        return None
    return _corrected(look, turn, said, must) if asked.page else _reason(look, turn, said, must)


def _screen(look: Look, title: str, right: Node, *bar: Node) -> Screen:
    body = Box((calls_map(look), right), gap=12, align=Align.STRETCH)
    return Screen("improper", header(look, title, hand_line(look)), body, actions(*bar))


def _problem(look: Look, said: Call) -> str:
    high = high_call(look)
    return _("{said} does not beat {high}.", said=call_words(said), high=call_words(high) if high else "")


def _reason(look: Look, turn: Seat, said: Call, must: Call) -> Screen:
    if must == PASS:
        rule_id = "Q-15e"
        then = _("Was it said? No number is left in that direction: the director decides, else **{seat} passes**.",
                 seat=turn.word)  # fmt: skip
    else:
        rule_id = "A-14"
        then = _("Was it said? Then **{seat} bids {call}**: the next number in the same direction. It is no Tech.",
                 seat=turn.word, call=call_words(must))  # fmt: skip
    right = column(
        banner(Tenor.CAUTION, _problem(look, said), size=20, h=56),
        Box((large_call(said, 84),), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=PANEL),
        panel(
            rich(*emphasised(then), size=19, line=24, wrap=True),
            row(space(), boxed_word(rule_id, Tone.INK2)),
            grow=0, gap=2, pad=(10, 14, 10, 14),
        ),
        gap=10, grow=1,
    )  # fmt: skip
    spoken = Open(Over.IMPROPER, about(look, said), 1)
    title = _("{seat} to bid", seat=turn.word)
    return _screen(
        look, title, right, back(_("Choose again"), w=190),
        button(_("It was said: record the improper call"), Tap("it-was-said", spoken), grow=1),
    )  # fmt: skip


def _corrected(look: Look, turn: Seat, said: Call, must: Call) -> Screen:
    made = CallMade(hand=look.hand.number, seat=turn, call=call_text(must), source="typed", said=call_text(said))
    if isinstance(must, Pass):
        title = _("{seat} said a call that cannot stand", seat=turn.word)
        small = _("The director decides. Without another word it is a PASS.")
        bodies: tuple[CallMade | DirectorCalled, ...] = (made,)
        if look.state.calling is None:
            reason = say("{seat} said {call}", seat=turn.word, call=call_words(said))
            bodies = (made, DirectorCalled(reason=str(reason)))
        go = forward(_("Record PASS, call the director"), Tap("correct", Do(bodies)), size=23)
    else:
        title = _("{seat}'s call is corrected", seat=turn.word)
        small = _("Both calls stay on record. The correction costs nothing.")
        go = forward(_("Record {call}", call=call_words(must)), Tap("correct", Do((made,))))
    cards = Box(
        (
            _card(_("said"), said, binding=False),
            Mark(MarkName.ARROW, 40, pen=2.8),
            _card(_("counts as"), must, binding=True),
        ),
        gap=8, align=Align.CENTER, grow=1,
    )  # fmt: skip
    right = column(cards, banner(Tenor.INFO, small, size=18, h=54), gap=10, grow=1)
    return _screen(look, title, right, back(_("Back"), w=130), go)


def _card(label: str, call: Call, *, binding: bool) -> Node:
    return Box(
        (words(label, 19, Weight.SEMI, Tone.INK2, line=24), space(), large_call(call, 76), space()),
        Axis.COLUMN, 2, (14, 8, 14, 8), Align.CENTER, grow=1, h=250, skin=BINDING if binding else PANEL,
    )  # fmt: skip
