"""Both sides agree before the next deal: the lines of the hand, its sum, and the totals they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from kiosk.screens.acts import AskDirector, Do, Enter, Open, Over, Say
from kiosk.screens.frame import Screen, actions, back, header
from kiosk.screens.lines import line_words
from kiosk.screens.look import Look
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tally, Tap, Trail
from kiosk.widgets.parts import (
    PANEL,
    Kind,
    Tenor,
    banner,
    boxed_word,
    button,
    chip,
    column,
    note,
    row,
    rule,
    space,
    team_chip,
    why,
    words,
)
from tallybox.events.table import HandChecked, HandQuestioned
from tallybox.rules.hand import Line
from tallybox.rules.settings import SpadesSettings
from tallybox.said import template
from tallybox.seats import Side
from tallybox.sheet import HandScore, SheetScore
from tallybox.table.shown import agreed_now, lines_digest, score
from tallybox.table.state import Step
from tallybox.why import signed

What = Literal["result", "contract", "penalty", "total"]


def check(look: Look) -> Screen:
    """Two columns, one for each side, and an agreement for each."""
    after = score(look.state, with_open=True)
    hand = after.hands[len(look.state.hands)]  # hands that the desk gave away come after it
    columns = _columns(look, hand, after)
    title = _("Both teams check hand {hand}", hand=look.hand.number)
    if look.step is Step.DISPUTED:
        dispute = banner(Tenor.DISPUTE, _("The sides do not agree. The director decides; nothing is scored before."),
                         size=19, h=52)  # fmt: skip
        body = column(dispute, columns, gap=8)
        wrong = button(_("Ask the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, w=216)
    else:
        body = column(columns)
        wrong = button(_("Something is wrong"), Tap("wrong", Open(Over.WRONG)), w=216)
    digest = lines_digest(hand)
    agreed = agreed_now(look.state)
    first_open = next((side for side in Side if side not in agreed), None)
    agree = [_agree(look, side, digest, forward=side is first_open) for side in Side]
    return Screen(
        "disputed" if look.step is Step.DISPUTED else "check",
        header(look, title), body, actions(wrong, *agree),
    )  # fmt: skip


def recorded(look: Look, on: str) -> Screen:
    """The hand that both sides agreed to, until the next one is dealt; ``on`` says what comes."""
    after = score(look.state)
    hand = after.hands[len(look.state.hands) - 1]
    title = _("Hand {hand} is recorded", hand=hand.hand)
    bar = actions(*(_agreed(side) for side in Side), note(on))
    return Screen("recorded", header(look, title), column(_columns(look, hand, after)), bar)


def _columns(look: Look, hand: HandScore, after: SheetScore) -> Node:
    return Box(tuple(_column(look, side, hand, after) for side in Side), gap=12, align=Align.STRETCH, grow=1)


def _agreed(side: Side) -> Box:
    return Box(
        (Mark(MarkName.CHECK, 28, Tone.INK, 3.4), chip(side), words(_("agreed"), 21, Weight.SEMI)),
        gap=10, align=Align.CENTER, justify=Align.CENTER, grow=1,
        skin=Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=8),
    )  # fmt: skip


def _agree(look: Look, side: Side, digest: str, *, forward: bool) -> Box:
    """Each side agrees for itself; the side that is asked next carries the filled button."""
    if side in agreed_now(look.state):
        return _agreed(side)
    act = Do((HandChecked(hand=look.hand.number, side=side, lines=digest),))
    kind = Kind.FORWARD if forward else Kind.PLAIN
    return button(_("We agree"), Tap(f"agree:{side}", act, exact=True), kind, grow=1, size=23, before=chip(side))


def _column(look: Look, side: Side, hand: HandScore, after: SheetScore) -> Node:
    about = "open" if look.state.hand is not None else str(len(after.hands) - 1)
    explain = Tap(f"why:{side}", Open(Over.WHY, about))
    number = look.number(side)
    head = Box(
        (team_chip(side, number), space(), why(_("Why?"))), gap=8, align=Align.CENTER, h=38,
        skin=Skin(border=Tone.INK, under=2),
    )  # fmt: skip
    mine = [line for line in hand.lines if line.side is side]
    tight = len(mine) > 3 or look.step is Step.DISPUTED
    rows = [_line(line, tight=tight) for line in mine]
    total = after.totals.points[side]
    lost: tuple[Node, ...] = () if mine else (words(_("No points this hand"), 19, Weight.MEDIUM, Tone.INK2, line=46),)
    this = row(
        words(_("This hand"), 20, Weight.SEMI), *_credit(side, hand), space(),
        words(signed(hand.points[side]), 36, Weight.BOLD, Tone.CALL if hand.points[side] < 0 else Tone.INK, line=40),
        h=44,
    )  # fmt: skip
    was = column(
        words(_("Total, was {points}", points=_plain(total - hand.points[side])), 18, Weight.MEDIUM, Tone.INK2,
              line=22),
        _counted(look, side, after),
        gap=2, grow=1,
    )  # fmt: skip
    new = Trail(f"total:{side}", str(total), under=True) if hand.points[side] else None
    foot = row(was, Box((words(_plain(total), 52, Weight.BOLD, line=50),), trail=new), h=54)
    return Box(
        (head, *rows, *lost, space(), this, rule(), foot),
        Axis.COLUMN, 0, (6, 13, 6, 13), Align.STRETCH, grow=1, skin=PANEL, tap=explain,
    )  # fmt: skip


def _plain(points: int) -> str:
    return str(points).replace("-", "−")


def _credit(side: Side, hand: HandScore) -> tuple[Node, ...]:
    """In bid whist: who is credited with the hand."""
    won = (boxed_word(_("won")),) if hand.won_by is side else ()
    boston = (boxed_word(_("Boston")),) if hand.boston is side else ()
    return (*won, *boston)


def _counted(look: Look, side: Side, after: SheetScore) -> Node:
    """What is counted beside the points: bags in spades, hands won in bid whist."""
    settings = look.playing.ruleset.settings
    if isinstance(settings, SpadesSettings):
        bags = after.totals.bags[side]
        said = words(_("bags {n}", n=bags), 17, Weight.SEMI, line=22)
        limit = settings.bag_limit
        if not limit or limit > 12 or bags > limit:
            return row(said)
        return row(said, Tally(bags, limit, 18), gap=9)
    hands = after.totals.hands_won[side]
    said = words(_("hands won {n}", n=hands), 17, Weight.SEMI, line=22)
    return row(said, Tally(hands, hands, 18), gap=9) if hands else row(said)


def _line(line: Line, *, tight: bool) -> Node:
    head, small = line_words(line)
    points = words(signed(line.points), 24 if tight else 27, Weight.BOLD, Tone.CALL if line.points < 0 else Tone.INK,
                   align=Align.END)  # fmt: skip
    said = column(
        words(head, 18 if tight else 19, Weight.SEMI, line=20, cut=True),
        words(small, 16, Weight.MEDIUM, Tone.INK2, line=18, cut=True),
        gap=1, grow=1,
    )  # fmt: skip
    return Box(
        (said, points), gap=8, align=Align.CENTER, h=41 if tight else 48, skin=Skin(border=Tone.LINE, under=1.5),
    )  # fmt: skip


_WHATS: Mapping[What, tuple[str, str]] = {
    "result": (template("Books or tricks"), template("They were counted or typed wrong.")),
    "contract": (template("The contract"), template("It is not the bid that was made.")),
    "penalty": (template("A penalty"), template("A penalty is missing, or one is too many.")),
    "total": (template("The total"), template("It does not fit the earlier hands.")),
}


def something_wrong(look: Look) -> Screen:
    """Which side says so, and what is wrong: back to the entry, the second time to the director."""
    asked = look.entries.questioner
    sides = Box(
        tuple(_questioner(look, side, chosen=side is asked) for side in Side), gap=10, align=Align.STRETCH, h=58
    )
    items = list(_WHATS.items())
    rows = [
        Box(tuple(_what(look, asked, what, said) for what, said in items[start : start + 2]), gap=10,
            align=Align.STRETCH, grow=1)
        for start in (0, 2)
    ]  # fmt: skip
    again = bool(look.hand.questioned)
    after = (
        _("It is the second time for this hand: the director decides.")
        if again
        else _("The hand goes back to the entry, and both teams check again.")
    )
    body = column(
        words(_("Who says so?"), 18, Weight.SEMI, line=24), sides,
        words(_("What is wrong?"), 18, Weight.SEMI, line=24), *rows,
        words(after, 18, Weight.MEDIUM, Tone.INK2, line=24), gap=7,
    )  # fmt: skip
    return Screen(
        "wrong", header(look, _("Something is wrong with hand {hand}", hand=look.hand.number)), body,
        actions(back(_("Back to the check"), w=230), space()),
    )  # fmt: skip


def _questioner(look: Look, side: Side, *, chosen: bool) -> Box:
    act = Enter(replace(look.entries, questioner=side))
    skin = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=4, radius=8) if chosen else None
    face = button(_("Team {team}", team=look.number(side)), Tap(f"who:{side}", act), grow=1, before=chip(side))
    return replace(face, skin=skin) if skin else face


def _what(look: Look, side: Side | None, what: What, said: tuple[str, str]) -> Box:
    head, small = (_(text) for text in said)
    tone, ink2 = (Tone.INK, Tone.INK2) if side else (Tone.INK2, Tone.INK2)
    face = column(
        words(head, 22, Weight.BOLD if side else Weight.MEDIUM, tone, line=27),
        words(small, 17, Weight.MEDIUM, ink2, line=21, wrap=True),
        gap=2, grow=1,
    )  # fmt: skip
    skin = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
    if side is None:
        dashed = Skin(border=Tone.EDGE, line=2, radius=8, dashed=True)
        return Box((face,), pad=(6, 14, 6, 14), align=Align.CENTER, grow=1, skin=dashed,
                   tap=Tap(f"what:{what}", _say_who()))  # fmt: skip
    act = Do((HandQuestioned(hand=look.hand.number, side=side, what=what),))
    return Box((face,), pad=(6, 14, 6, 14), align=Align.CENTER, grow=1, skin=skin, tap=Tap(f"what:{what}", act))


def _say_who() -> Say:
    return Say(_("First tap the team that says so."))
