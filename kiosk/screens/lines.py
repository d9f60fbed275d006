"""A line of a score in a few words; its whole sentence and its rule stand one tap away."""

from __future__ import annotations

from kiosk.screens.acts import Open
from kiosk.screens.frame import Screen, actions, back, header
from kiosk.screens.look import Look
from kiosk.text import _, ngettext, told
from kiosk.text.heard import heard
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Node, Tap
from kiosk.widgets.parts import PANEL, boxed_word, button, chip, column, row, space, words
from tallybox.calls import Game, call_words, parse_call
from tallybox.errors import SheetError
from tallybox.rules.auction import WhistContract
from tallybox.rules.hand import Line, LineKind
from tallybox.seats import Seat
from tallybox.sheet import HandScore
from tallybox.table.overlay import live
from tallybox.table.shown import score
from tallybox.table.state import Result
from tallybox.why import rule_text, sentence, signed


def line_words(line: Line) -> tuple[str, str]:
    """What happened, and how it counts: two short lines."""
    if line.rule in {"A-30", "A-31"}:
        return _whist(line)
    if line.rule == "INV-7":
        return _("By the director"), told(str(line.params["reason"]))
    if line.kind is LineKind.CONTRACT and "tricks" in line.params:
        return _spades_contract(line)
    if line.kind is LineKind.NIL and "tricks" in line.params:
        return _nil(line)
    return _bags(line) or _said(line)


def _said(line: Line) -> tuple[str, str]:
    """Any other line: its sentence, cut where it names its points."""
    whole = told(sentence(line))
    head, _colon, rest = whole.partition(": ")
    return (head, rest) if rest else (whole, _("Rule {rule}", rule=line.rule))


def _bags(line: Line) -> tuple[str, str] | None:
    match line.kind:
        case LineKind.OVERTRICKS:
            return _("{n} over", n=line.params["bags"]), _bag_words(line)
        case LineKind.NIL_TRICKS:
            seat = Seat(str(line.params["seat"])).word
            return _("{seat}'s tricks as nil", seat=seat), _bag_words(line)
        case LineKind.BAG_PENALTY:
            each = abs(line.points) // max(1, int(line.params["times"]))
            cost = _("every {limit} bags cost {points}", limit=line.params["limit"], points=each)
            return _("{total} bags", total=line.params["total"]), cost
        case _:
            return None


def _whist(line: Line) -> tuple[str, str]:
    params = line.params
    call = call_words(parse_call(Game.BID_WHIST, str(params["bid"])))
    books, times = int(params["books"]), int(params["times"])
    head = _("{call}, took {books}", call=call, books=books)
    if line.rule == "A-31":
        level = line.points // max(1, times)
        counted = f"{level} × {times}" if times > 1 else str(line.points)
        return head, _("set: the points of the bid, {points}", points=counted)
    over = books - 6
    if times > 1:
        return head, _("{over} books over six × {times}", over=over, times=times)
    return head, ngettext("{n} book over six", "{n} books over six", over)


def _spades_contract(line: Line) -> tuple[str, str]:
    head = _("Bid {bid}, took {tricks}", bid=line.params["bid"], tricks=line.params["tricks"])
    if "each" in line.params:
        return head, _("set: −{each} for each trick bid", each=line.params["each"])
    return head, ngettext("{n} trick × 10", "{n} tricks × 10", int(line.params["bid"]))


def _nil(line: Line) -> tuple[str, str]:
    seat = Seat(str(line.params["seat"])).word
    tricks = int(line.params["tricks"])
    if tricks:
        return _("{seat}'s nil, took {n}", seat=seat, n=tricks), _("a set nil")
    return _("{seat}'s nil, took none", seat=seat), _("a nil made")


def _bag_words(line: Line) -> str:
    each = int(line.params.get("each", 0))
    if each == 0:
        return _("bags, no points")
    return _("one bag = one point") if each == 1 else _("each counts {n}", n=each)


def explain(look: Look, asked: Open) -> Screen:
    """Every line of a hand as a sentence with its rule; ``about`` is a hand's place, or ``open``."""
    hand = _asked_hand(look, asked.about)
    lines = hand.lines if hand is not None else ()
    size = 4 if look.ten else 3
    pages = max(1, -(-len(lines) // size))
    page = asked.page % pages
    rows: list[Node] = [_explained(line) for line in lines[page * size : (page + 1) * size]]
    if not rows:
        void = hand is not None and hand.void
        text = _("This deal was void: nothing is scored.") if void else _("Nothing is scored yet.")
        rows = [words(text, 22, Weight.MEDIUM, Tone.INK2, line=60)]
    title = _("Why it counts this") if hand is None else _("Why hand {hand} counts this", hand=hand.hand)
    parts: list[Node] = [back(_("Back"), w=170)]
    if pages > 1:
        turned = Open(asked.over, asked.about, page + 1)
        label = _("Page {page} of {pages}", page=page + 1, pages=pages)
        parts.append(button(label, Tap(f"page:{page}", turned), icon=MarkName.SHEET, w=200))
    body = Box((*rows, space()), Axis.COLUMN, 8, align=Align.STRETCH)
    return Screen("why", header(look, title, _changed(look, asked.about)), body, actions(*parts, space()))


def _changed(look: Look, about: str) -> str | None:
    """Who changed a recorded hand, and why; the small line as ever where nobody did."""
    if about == "open" or int(about) >= len(look.state.hands):
        return None
    hand = look.state.hands[int(about)]
    said = [fact for fact in live(look.state) if fact.hand == hand.number and fact.kind in ("correction", "ruling")]
    if said and said[-1].kind == "correction":
        return _("corrected by the desk · {reason}", reason=heard(said[-1].reason))
    if said:
        return _("ruled by the desk · {reason}", reason=heard(said[-1].reason))
    if hand.replaced:
        return _("corrected at the table by official {official}", official=look.officials.name(hand.corrected_by or ""))
    return None


def _asked_hand(look: Look, about: str) -> HandScore | None:
    try:
        if about != "open":
            return score(look.state).hands[int(about)]
        if look.hand.result is not None:
            return score(look.state, with_open=True).hands[len(look.state.hands)]
        return _previewed(look)
    except (SheetError, IndexError):
        return None


def _previewed(look: Look) -> HandScore | None:
    from kiosk.screens.result import preview  # noqa: PLC0415 (the result screen explains itself through this one)

    won = look.hand.contract(look.playing.ruleset)
    books = look.entries.books
    if books is None or not isinstance(won, WhistContract):
        return None
    return preview(look, Result("", books={won.side: books, won.side.other: won.books - books}))


def _explained(line: Line) -> Node:
    tone = Tone.CALL if line.points < 0 else Tone.INK
    text = rule_text(line.rule)
    small: tuple[Node, ...] = (words(text, 17, Weight.MEDIUM, Tone.INK2, line=21, wrap=True),) if text else ()
    said = column(words(sentence(line), 20, Weight.SEMI, line=25, wrap=True), *small, gap=4, grow=1)
    mark = column(
        words(signed(line.points), 34, Weight.BOLD, tone, line=36, align=Align.END),
        row(space(), boxed_word(line.rule, Tone.INK2)), gap=4, w=92,
    )  # fmt: skip
    return Box((chip(line.side), said, mark), gap=12, pad=(9, 14, 9, 12), align=Align.CENTER, skin=PANEL)
