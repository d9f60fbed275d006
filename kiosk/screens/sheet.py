"""The paper sheet, live: a row for each hand, and what the rows add up to."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Enter, Open, Over
from kiosk.screens.contract import DIRECTION_MARKS
from kiosk.screens.frame import Screen, actions, back, forward, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import STRAIN_MARKS
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    RULED,
    before_figure,
    boxed_word,
    button,
    chip,
    column,
    letters,
    rich,
    row,
    space,
    strong,
    words,
)
from tallybox.calls import Nil, Strain, call_text
from tallybox.rules.auction import SpadesContract, WhistContract, contract
from tallybox.rules.bidding import Made
from tallybox.rules.ruleset import Ruleset
from tallybox.seats import Seat, Side, calling_order
from tallybox.sheet import HandFacts, HandScore, Reason, SheetScore, Totals
from tallybox.table.overlay import laid_over, live
from tallybox.table.shown import facts_now, score
from tallybox.table.state import Hand, Step

ROWS = 5
"""Hands on one page."""
_COLUMN = Skin(ground=Tone.WELL)


def sheet(look: Look, *, over: bool = False) -> Screen:
    """The sheet as it stands; ``over``: laid over a step rather than being the step."""
    scored = score(look.state)
    pages = max(1, -(-len(look.state.hands) // ROWS))
    page = min(look.entries.page, pages - 1) if look.entries.page >= 0 else pages - 1
    shown = range(page * ROWS, min(len(look.state.hands), (page + 1) * ROWS))
    line = _whist_row if look.whist else _spades_row
    rows: list[Node] = [line(look, look.state.hands[index], scored.hands[index], index) for index in shown]
    rows += [Box(grow=1) for _empty in range(ROWS - len(rows))]
    head = _whist_head() if look.whist else _spades_head()
    table = Box((head, *rows), Axis.COLUMN, 0, (2, 6, 2, 6), Align.STRETCH, grow=1, skin=PANEL)
    totals = Box(tuple(_totals(look, side, scored.totals) for side in Side), gap=10, align=Align.STRETCH, h=44)
    body = column(table, totals, gap=5)
    return Screen(
        "sheet-over" if over else "sheet", header(look, _title(look, scored, over=over)), body,
        _bar(look, page, pages, over=over),
    )  # fmt: skip


def _title(look: Look, scored: SheetScore, *, over: bool) -> str:
    done = len(look.state.counting)
    if not over and look.step is Step.SIGN:
        return _round_end(scored, done)
    return ngettext("The sheet after {n} hand", "The sheet after {n} hands", done)


def _round_end(scored: SheetScore, done: int) -> str:
    """Time ends a round short of its hands; whoever signs must see that it did."""
    if scored.round.reason is Reason.TIME:
        if not done:
            return _("Time is up. No hand was played")
        return ngettext("Time is up after {n} hand", "Time is up after {n} hands", done)
    return _("The round is complete")


def _bar(look: Look, page: int, pages: int, *, over: bool) -> Node:
    parts: list[Node] = [back(_("Back"), w=150)] if over else []
    if pages > 1:
        turned = Enter(replace(look.entries, page=(page + 1) % pages))
        label = _("Page {page} of {pages}", page=page + 1, pages=pages)
        parts.append(button(label, Tap("page", turned), icon=MarkName.SHEET, w=190))
    if over or look.step is not Step.SIGN:
        return actions(*parts, space())
    signing = Enter(replace(look.entries, signing=True))
    return actions(*parts, forward(_("Go to signatures"), Tap("forward", signing)))


def _cell(node: Node, w: float, *, align: Align = Align.CENTER, shaded: bool = False) -> Box:
    return Box((node,), w=w, align=Align.CENTER, justify=align, h=None, pad=(0, 8, 0, 8) if align is Align.END else
               (0, 0, 0, 0), skin=_COLUMN if shaded else None)  # fmt: skip


def _head(text: str, tone: Tone = Tone.INK2) -> Node:
    lines = [words(part, 16, Weight.SEMI, tone, line=17, align=Align.CENTER) for part in text.split("|")]
    return column(*lines, gap=0, align=Align.CENTER)


def _why() -> Box:
    """Over the marks that a row explains itself by."""
    return _cell(_head(_("why?").replace(" ", "|"), Tone.BLUE), 42)


def _row(cells: list[Node], index: int) -> Node:
    return Box(
        (*cells, Box((Mark(MarkName.WHY, 24, Tone.BLUE, 2.2),), w=42, align=Align.CENTER, justify=Align.CENTER)),
        Axis.ROW, 0, align=Align.STRETCH, grow=1,
        tap=Tap(f"row:{index}", Open(Over.WHY, str(index))),
    )  # fmt: skip


def _lined(node: Node) -> Node:
    return column(Box(h=1, skin=Skin(ground=Tone.LINE)), node, gap=0, grow=1)


def contract_of(ruleset: Ruleset, facts: HandFacts) -> WhistContract | SpadesContract | None:
    """What is played by these facts, once all four have called."""
    made = [Made(seat, call) for seat, call in zip(calling_order(facts.dealer), facts.calls, strict=False)]
    return contract(ruleset, facts.dealer, made)


# --- bid whist


def _whist_head() -> Node:
    return Box(
        (
            Box(w=36),
            Box((words(_("Contract"), 16, Weight.SEMI, Tone.INK2),), grow=1, align=Align.CENTER),
            _cell(_head(_("Books|NS–EW")), 84),
            _cell(_head(_("Bid|points")), 62),
            _cell(_head(_("NS|earned")), 76, shaded=True),
            _cell(_head(_("EW|earned")), 76, shaded=True),
            _cell(_head(_("Hand|won")), 64),
            _why(),
        ),
        Axis.ROW, 0, align=Align.STRETCH, h=35,
    )  # fmt: skip


def _whist_row(look: Look, hand: Hand, scored: HandScore, index: int) -> Node:
    facts = facts_now(look.state, hand)
    if facts.void is not None:
        return _void_row(hand, index)
    won = contract_of(look.playing.ruleset, facts)
    books = facts.books
    taken = f"{books[Side.NS]} – {books[Side.EW]}" if books else "–"
    value, played = "–", _no_contract(look, hand)
    if isinstance(won, WhistContract):
        value = str(won.bid.level * (2 if won.bid.strain is Strain.NO else 1))
        played = _contract_words(look, hand, facts, won, scored)
    cells: list[Node] = [
        _cell(words(str(hand.number), 20, Weight.MEDIUM, Tone.INK2), 36),
        Box((played,), grow=1, align=Align.CENTER),
        _cell(words(taken, 20, Weight.MEDIUM), 84),
        _cell(words(value, 20, Weight.MEDIUM), 62),
        *(_earned(scored.points[side]) for side in Side),
        _cell(chip(scored.won_by) if scored.won_by else words("–"), 64),
    ]
    return _lined(_row(cells, index))


def _no_contract(look: Look, hand: Hand) -> Node:
    """A hand that a ruling decided before a contract stood."""
    return row(words(_("by ruling"), 20, Weight.MEDIUM, Tone.INK2), *version(look, hand), gap=6)


def version(look: Look, hand: Hand) -> tuple[Node, ...]:
    """A boxed word on a row that an official changed after it was recorded: which version counts now."""
    state = look.state
    desk = sum(fact.kind == "correction" and fact.hand == hand.number for fact in live(state))
    changed = desk + len(hand.replaced)
    ruled = bool(laid_over(state, hand).rulings)
    word = f"v{changed + 1}" if changed else _("ruled") if ruled else ""
    return (boxed_word(word, Tone.BLUE),) if word else ()


def _bidder(seat: Seat) -> Box:
    said = before_figure(seat)
    return Box((words(said, 23 if len(said) == 1 else 17, Weight.SEMI),), w=22 if len(said) == 1 else None,
               align=Align.CENTER)  # fmt: skip


def _contract_words(look: Look, hand: Hand, facts: HandFacts, won: WhistContract, scored: HandScore) -> Node:
    bid = won.bid
    parts: list[Node] = [
        _bidder(won.seat),
        words(str(bid.level), 23, Weight.BOLD),
        Mark(STRAIN_MARKS[bid.strain], 20, pen=2.6),
        words(_(bid.strain.value.upper()), 17, Weight.BOLD),
    ]
    if facts.direction is not None:
        parts.append(Mark(DIRECTION_MARKS[facts.direction], 16))
    if scored.won_by is not None and scored.won_by is not won.side:
        parts.append(words(_("set"), 17, Weight.SEMI, Tone.CALL))
    if scored.boston is not None:
        parts.append(boxed_word(_("Boston")))
    return row(*parts, *version(look, hand), gap=6)


def _earned(points: int) -> Node:
    figure = words(str(points) if points else "", 29, Weight.BOLD, Tone.INK)
    return Box((figure,), w=76, align=Align.CENTER, justify=Align.CENTER, skin=_COLUMN)


def _void_row(hand: Hand, index: int) -> Node:
    cells: list[Node] = [
        _cell(words(str(hand.number), 20, Weight.MEDIUM, Tone.INK2), 36),
        row(boxed_word(_("void"), Tone.INK2),
            words(_("dealt again by {seat}", seat=hand.dealer.word), 19, Weight.MEDIUM, Tone.INK2), gap=10, grow=1),
    ]  # fmt: skip
    return _lined(_row(cells, index))


# --- spades


def _spades_head() -> Node:
    def side(one: Side) -> list[Node]:
        return [
            _cell(_head(_("{side}|bid", side=letters(one))), 70),
            _cell(_head(_("took")), 46),
            _cell(_head(_("{side}|points", side=letters(one))), 84, shaded=True),
            _cell(_head(_("bags")), 48),
        ]

    return Box((Box(w=36), *side(Side.NS), Box(grow=1), *side(Side.EW), _why()), Axis.ROW, 0,
               align=Align.STRETCH, h=35)  # fmt: skip


def _spades_row(look: Look, hand: Hand, scored: HandScore, index: int) -> Node:
    facts = facts_now(look.state, hand)
    if facts.void is not None:
        return _void_row(hand, index)
    won = contract_of(look.playing.ruleset, facts)
    tricks = facts.tricks

    def side(one: Side) -> list[Node]:
        taken = str(sum(tricks[seat] for seat in one.seats)) if tricks else "–"
        points = scored.points[one]
        tone = Tone.CALL if points < 0 else Tone.INK
        figure = words(str(points).replace("-", "−"), 26, Weight.BOLD, tone)
        return [
            _cell(_bids(won, one) if isinstance(won, SpadesContract) else words("–"), 70),
            _cell(words(taken, 20, Weight.MEDIUM), 46),
            Box((figure,), w=84, align=Align.CENTER, justify=Align.CENTER, skin=_COLUMN),
            _cell(words(str(scored.bags[one]), 20, Weight.MEDIUM, Tone.INK2), 48),
        ]

    cells: list[Node] = [
        _cell(words(str(hand.number), 20, Weight.MEDIUM, Tone.INK2), 36),
        *side(Side.NS),
        Box(version(look, hand), grow=1, align=Align.CENTER, justify=Align.CENTER),
        *side(Side.EW),
    ]
    return _lined(_row(cells, index))


def _bids(won: SpadesContract, side: Side) -> Node:
    parts: list[Node] = []
    for place, seat in enumerate(side.seats):
        if place:
            parts.append(words("+", 18, Weight.MEDIUM, Tone.INK2))
        bid = won.bids[seat]
        nil = isinstance(bid, Nil)
        parts.append(Mark(MarkName.NIL, 18, pen=4.5) if nil else words(call_text(bid), 20, Weight.SEMI))
    return row(*parts, gap=4)


# --- the totals


def _totals(look: Look, side: Side, totals: Totals) -> Node:
    points = str(totals.points[side]).replace("-", "−")
    if look.whist:
        bostons = totals.bostons[side]
        text = rich(
            strong(str(totals.hands_won[side]), size=36), " " + ngettext("hand", "hands", totals.hands_won[side]),
            strong(f"  {points}", size=36), " " + _("pts"), size=18, line=40,
        )  # fmt: skip
        aside = ngettext("{n} Boston", "{n} Bostons", bostons)
    else:
        text = rich(strong(points, size=36), " " + _("points"), size=18, line=40)
        aside = ngettext("{n} bag", "{n} bags", totals.bags[side])
    return Box(
        (chip(side), Box(grow=1), text, words(aside, 17, Weight.MEDIUM, Tone.INK2), Box(grow=1)),
        gap=10, pad=(0, 10, 0, 9), align=Align.CENTER, grow=1, skin=RULED,
    )  # fmt: skip
