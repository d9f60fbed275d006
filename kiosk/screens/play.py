"""The contract for four people, read from every side of the panel."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Enter, Open, Over
from kiosk.screens.auction import irregularity
from kiosk.screens.claims import claim_button, concede_button
from kiosk.screens.conflict import marked
from kiosk.screens.contract import DIRECTION_MARKS
from kiosk.screens.frame import Screen, actions, back, forward, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import STRAIN_MARKS, around, call_marks
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import BINDING, chip, column, emphasised, letters, rich, row, space, stack, words
from tallybox.calls import Strain, call_words
from tallybox.rules.auction import SpadesContract, WhistContract
from tallybox.seats import Seat, Side

_EDGE = Skin(ground=Tone.WELL)


def play(look: Look) -> Screen:
    """What is played; the hand being over is the one way on."""
    won = look.hand.contract(look.playing.ruleset)
    if isinstance(won, WhistContract):
        middle, edge, title, small = _whist(look, won)
        over = _("Hand over — enter books")
    else:
        assert isinstance(won, SpadesContract)
        middle, edge, title, small = _spades(look, won)
        over = _("Hand over — enter tricks")
    entering = Tap("forward", Enter(replace(look.entries, entering=True)))
    conceding = (concede_button(),) if isinstance(won, WhistContract) else ()
    return Screen(
        "play", header(look, title, small), four_way(look, middle, edge),
        actions(irregularity(), claim_button(look), *conceding, forward(over, entering, size=22)),
    )  # fmt: skip


def four_way(look: Look, middle: Node, edge: dict[Seat, Node]) -> Node:
    """A large middle, and the same along the edges turned to those who sit there."""
    top, right, _bottom, left = around(look.bottom)
    deep = 52
    upper = Box((edge[top],), turn=2, h=deep, align=Align.CENTER, justify=Align.CENTER, skin=_EDGE)
    west = Box((edge[left],), turn=1, w=deep, align=Align.CENTER, justify=Align.CENTER, skin=_EDGE)
    east = Box((edge[right],), turn=3, w=deep, align=Align.CENTER, justify=Align.CENTER, skin=_EDGE)
    centre = Box((middle,), align=Align.CENTER, justify=Align.CENTER, grow=1)
    lower = Box((west, centre, east), Axis.ROW, 0, align=Align.STRETCH, grow=1)
    inner = Box((upper, lower), Axis.COLUMN, 0, align=Align.STRETCH, pad=(3, 3, 3, 3))
    frame = Box(skin=replace(BINDING, ground=None), tap=Tap("centre", Open(Over.AUCTION)))
    ground = Box(skin=Skin(ground=Tone.CARD, radius=10))
    return stack(ground, inner, frame, align=Align.STRETCH)


Parts = tuple[Node, dict[Seat, Node], str, str]


def _whist(look: Look, won: WhistContract) -> Parts:
    bid = won.bid
    direction = look.hand.direction
    said = call_words(bid) + (f" {direction.value.upper()}" if direction else "")
    marks = [_tower(STRAIN_MARKS[bid.strain], bid.strain.value.upper(), 80)]
    if direction:
        marks.append(_tower(DIRECTION_MARKS[direction], direction.value.upper(), 72))
    figures = row(words(str(bid.level), 200, Weight.BOLD, line=160), *marks, gap=24)
    foot = Box((figures,), pad=(0, 16, 10, 16), skin=Skin(border=Tone.INK, under=7), align=Align.CENTER)
    other = won.side.other
    sets = ngettext("sets with {n} book", "sets with {n} books", won.defenders_set_with)
    below = row(
        _claim(won.side, _("**needs {n}** books", n=won.needed)),
        _claim(other, f"**{sets}**"),
        gap=24,
    )
    middle = column(foot, below, gap=14, align=Align.CENTER)

    def edge(seat: Seat) -> Node:
        extra = f"· {_('set with')} {won.defenders_set_with}" if seat is look.bottom.partner else ""
        tail: tuple[Node, ...] = (words(extra, 26, Weight.MEDIUM),) if extra else ()
        way: tuple[Node, ...] = (
            (Mark(DIRECTION_MARKS[direction], 23), words(direction.value.upper(), 26, Weight.BOLD)) if direction else ()
        )
        strain = words(_(bid.strain.value.upper()), 26, Weight.BOLD)
        return _footed(words(str(bid.level), 26, Weight.BOLD), Mark(STRAIN_MARKS[bid.strain], 26, pen=2.6), strain,
                       *way, *tail)  # fmt: skip

    small = _("Hand {hand} · a joker falls at the first void", hand=look.hand.number)
    if bid.strain is not Strain.NO:
        small = _("Hand {hand} · the big joker is the top trump", hand=look.hand.number)
    title = _("Play · {call} by {seat}", call=said, seat=won.seat.word)
    return middle, {seat: edge(seat) for seat in Seat}, title, small


def _tower(mark: MarkName, word: str, size: float) -> Node:
    return marked(mark, word, size, word_size=54)


def _claim(side: Side, sentence: str) -> Node:
    return row(chip(side, 20), rich(*emphasised(sentence), size=27, line=34), gap=9)


def _footed(*parts: Node) -> Node:
    """Marks on a foot line, so that nothing on it reads as something else when turned."""
    return Box(parts, Axis.ROW, 9, (0, 6, 6, 6), Align.CENTER, skin=Skin(border=Tone.INK, under=4))


def _spades(look: Look, won: SpadesContract) -> Parts:
    sides = row(*(_side(look, won, side) for side in Side), gap=56, align=Align.START)

    def edge(seat: Seat) -> Node:
        return row(
            words(seat.word, 24, Weight.MEDIUM),
            _footed(words(_("bid"), 24, Weight.MEDIUM), call_marks(won.bids[seat], 28)),
            gap=9,
        )  # fmt: skip

    leads = look.hand.dealer.left
    title = _("Play · {seat} leads", seat=leads.word)
    small = _("Hand {hand} · sheet {sheet}", hand=look.hand.number, sheet=look.playing.sheet_id)
    return sides, {seat: edge(seat) for seat in Seat}, title, small


def _side(look: Look, won: SpadesContract, side: Side) -> Node:
    number = won.number(side)
    total: Node = (
        Box((Mark(MarkName.NIL, 88, pen=4.5),), h=112, align=Align.CENTER)
        if number is None
        else words(str(number), 136, Weight.BOLD, line=112)
    )
    rings = tuple(
        row(Mark(MarkName.NIL, 28, pen=4.5), words(_("{seat} nil", seat=seat.word), 23, Weight.BOLD), gap=8)
        for seat in won.nils(side)
    )
    foot = Box((total,), pad=(0, 12, 8, 12), skin=Skin(border=Tone.INK, under=6), align=Align.CENTER)
    head = row(chip(side, 22), words(str(look.number(side)), 28, Weight.BOLD), gap=9)
    below = rings or (words(_("tricks together"), 20, Weight.MEDIUM, Tone.INK2, line=26),)
    return column(head, foot, *below, gap=8, align=Align.CENTER)


def auction_as_called(look: Look) -> Screen:
    """The whole auction, as anyone may ask to hear it (A-16)."""
    hand = look.hand
    rows = []
    for called in hand.calls:
        source = _("card") if called.source == "scanned" else _("typed")
        won = hand.contract(look.playing.ruleset)
        stands = isinstance(won, WhistContract) and won.seat is called.seat
        rows.append(Box(
            (
                words(letters(called.seat), 30, Weight.BOLD, line=40),
                words(look.player(called.seat), 20, Weight.MEDIUM, Tone.INK2, grow=1, cut=True),
                Box((call_marks(called.call, 32),), w=200, align=Align.CENTER),
                Box((words(source, 17, Weight.MEDIUM, Tone.INK2),), w=64, justify=Align.END, align=Align.CENTER),
            ),
            Axis.ROW, 14, (4, 16, 4, 16), Align.CENTER, grow=1,
            skin=Skin(ground=Tone.CARD, border=Tone.INK if stands else Tone.LINE, line=3 if stands else 1.5, radius=8),
        ))  # fmt: skip
    rows.extend(Box((space(),), grow=1) for _rest in range(4 - len(rows)))
    small = _("Hand {hand} · {seat} dealt", hand=hand.number, seat=hand.dealer.word)
    return Screen(
        "auction-as-called", header(look, _("The auction, as it was called"), small),
        Box(tuple(rows), Axis.COLUMN, 8, align=Align.STRETCH),
        actions(back(_("Back"), w=170), space()),
    )  # fmt: skip
