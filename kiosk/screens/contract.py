"""The gate between the last call and the first card: the auction goes on record, then the kitty may be taken."""

from __future__ import annotations

from kiosk.screens.acts import Do, Say
from kiosk.screens.auction import calls_map, irregularity, take_back
from kiosk.screens.conflict import marked
from kiosk.screens.frame import Screen, actions, forward, hand_line, header, not_yet
from kiosk.screens.look import Look
from kiosk.screens.seatmap import STRAIN_MARKS, call_marks
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    BINDING,
    RULED,
    Kind,
    Tenor,
    banner,
    before_figure,
    bullet,
    button,
    chip,
    column,
    emphasised,
    panel,
    rich,
    row,
    space,
    team_chip,
    words,
)
from tallybox.calls import Direction, Strain
from tallybox.events.table import ContractLocked, DirectionStated, PlayStarted
from tallybox.rules.auction import SpadesContract, WhistContract
from tallybox.seats import Side

DIRECTION_MARKS = {Direction.UP: MarkName.SUN, Direction.DOWN: MarkName.MOON}
_CHOSEN = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=4, radius=8)
_OPEN = Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8)


def contract(look: Look) -> Screen:
    """Four calls: put them on record, state the direction of a No, start to play."""
    won = look.hand.contract(look.playing.ruleset)
    if not look.hand.locked:
        return _to_lock(look, won)
    if isinstance(won, WhistContract):
        return _whist_locked(look, won)
    assert isinstance(won, SpadesContract)
    return _spades_locked(look, won)


def _to_lock(look: Look, won: WhistContract | SpadesContract | None) -> Screen:
    locked = ContractLocked(hand=look.hand.number)
    if isinstance(won, WhistContract):
        title = _("Is this the bid?")
        right: Node = column(
            _contract_card(look, won, grow=1),
            banner(Tenor.CAUTION, _("The kitty stays on the table until the bid is on record."), size=18),
            gap=10, grow=1,
        )  # fmt: skip
        go = forward(_("Put the bid on record"), Tap("lock", Do((locked,))))
    else:
        assert isinstance(won, SpadesContract)
        title = _("Are these the four bids?")
        right = column(*(_side_card(look, won, side) for side in Side), gap=10, grow=1)
        started = PlayStarted(hand=look.hand.number)
        go = forward(_("Lock the four bids"), Tap("lock", Do((locked, started))))
    return Screen(
        "contract-open", header(look, title, hand_line(look)),
        Box((calls_map(look), right), gap=12, align=Align.STRETCH),
        actions(take_back(look), irregularity(), go),
    )  # fmt: skip


def _contract_card(look: Look, won: WhistContract, *, grow: float = 0, w: float | None = None) -> Node:
    bid = won.bid
    big = row(
        words(str(bid.level), 150, Weight.BOLD, line=118),
        marked(STRAIN_MARKS[bid.strain], bid.strain.value.upper(), 54, word_size=36 if bid.strain is Strain.NO else 24),
        gap=10,
    )
    foot = Box((big,), pad=(0, 12, 10, 12), skin=Skin(border=Tone.INK, under=6), align=Align.CENTER)
    state = (
        row(Mark(MarkName.LOCK, 22, pen=2.2), words(_("Locked"), 19, Weight.SEMI), gap=6)
        if look.hand.locked
        else row(Mark(MarkName.PEN, 20, Tone.INK2, 2.2), words(_("Not on record yet"), 19, Weight.SEMI, Tone.INK2),
                 gap=8)
    )  # fmt: skip
    by = row(words(won.seat.word, 23, Weight.SEMI), team_chip(won.side, look.number(won.side), 18, 23), gap=8)
    needs = rich(
        *emphasised(_("needs **{n}** books with the kitty", n=won.needed), Tone.INK),
        size=19, line=24, tone=Tone.INK2,
    )  # fmt: skip
    return Box(
        (space(), state, foot, by, needs, space()),
        Axis.COLUMN, 8, (6, 6, 6, 6), Align.CENTER, skin=BINDING, grow=grow, w=w,
    )  # fmt: skip


def _whist_locked(look: Look, won: WhistContract) -> Screen:
    hand = look.hand
    kitty = banner(Tenor.GOOD, _("The kitty may be taken now"), size=27, h=62, weight=Weight.BOLD)
    no = won.bid.strain is Strain.NO
    lower: tuple[Node, ...]
    if no:
        keys = Box(tuple(_direction(look, end) for end in Direction), gap=10, align=Align.STRETCH, grow=1)
        ask = words(_("{seat} says the direction:", seat=won.seat.word), 21, Weight.SEMI, line=26)
        joker = banner(Tenor.CAUTION, _("Discard any joker into the kitty. A joker kept is a Tech."), size=18)
        lower = (ask, keys, joker)
    else:
        high = won.bid.strain is Strain.HIGH
        calm = panel(
            space(),
            bullet(_("{seat} takes the kitty, names trumps", seat=won.seat.word), 21),
            bullet(_("Six cards go back as the first book"), 21),
            bullet(_("High cards win this hand") if high else _("Low cards win this hand"), 21),
            space(),
            gap=14,
        )  # fmt: skip
        lower = (calm,)
    if no and hand.direction is None:
        go = not_yet(_("Play after UP or DOWN"), _("{seat} has to say UP or DOWN first.", seat=won.seat.word))
    else:
        go = forward(_("Start play"), Tap("forward", Do((PlayStarted(hand=hand.number),))))
    left = _contract_card(look, won, w=250)
    aside = _recorded()
    return Screen(
        "contract", header(look, _("The bid is recorded"), hand_line(look)),
        Box((left, column(kitty, *lower, gap=10, grow=1)), gap=12, align=Align.STRETCH),
        actions(aside, irregularity(), go),
    )  # fmt: skip


def _recorded() -> Box:
    """A bid on record is not taken back at the table: the button says who can."""
    reason = _("The bid is on record and the kitty may be taken. Only the director can change it.")
    return button(_("Take back"), Tap("take-back", Say(reason)), Kind.NOT_YET, icon=MarkName.UNDO, w=170, size=21)


def _direction(look: Look, end: Direction) -> Box:
    stated = DirectionStated(hand=look.hand.number, direction=end.value)
    chosen = look.hand.direction is end
    face = marked(DIRECTION_MARKS[end], end.value.upper(), 46, word_size=34)
    tick: tuple[Node, ...] = (Mark(MarkName.CHECK, 30, Tone.BAIZE, 3.2),) if chosen else ()
    return Box(
        (*tick, face), gap=14, align=Align.CENTER, justify=Align.CENTER, grow=1,
        skin=_CHOSEN if chosen else _OPEN, tap=Tap(f"direction:{end}", Do((stated,))),
    )  # fmt: skip


def _side_card(look: Look, won: SpadesContract, side: Side) -> Node:
    number = won.number(side)
    nils = won.nils(side)
    total = words(_("no number") if number is None else str(number), 28 if number is None else 72, Weight.BOLD,
                  line=76)  # fmt: skip
    bids = row(
        *(
            row(words(before_figure(seat), 20, Weight.BOLD), call_marks(won.bids[seat], 22), gap=6)
            for seat in side.seats
        ),
        gap=20,
    )  # fmt: skip
    extra: tuple[Node, ...] = tuple(
        row(Mark(MarkName.NIL, 26), words(_("{seat} nil", seat=seat.word), 21, Weight.BOLD), gap=7) for seat in nils
    )
    return Box(
        (
            row(chip(side, 22), words(_("team {team}", team=look.number(side)), 20, Weight.SEMI), space(), bids),
            row(total, *extra, gap=18),
        ),
        Axis.COLUMN, 6, (10, 14, 8, 12), Align.STRETCH, Align.CENTER, grow=1, skin=RULED,
    )  # fmt: skip


def _spades_locked(look: Look, won: SpadesContract) -> Screen:
    first = look.hand.dealer.left
    body = column(*(_side_card(look, won, side) for side in Side), gap=12, grow=1)
    started = Tap("forward", Do((PlayStarted(hand=look.hand.number),)))
    lead = banner(Tenor.GOOD, _("The four bids are on record. {seat} leads.", seat=first.word), size=22, h=56)
    return Screen(
        "contract", header(look, _("The bids are recorded"), hand_line(look)),
        column(lead, body, gap=10, align=Align.STRETCH),
        actions(_recorded(), irregularity(), forward(_("Start play"), started)),
    )  # fmt: skip
