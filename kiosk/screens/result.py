"""What was taken: one number makes both sides in bid whist, four steppers in spades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from kiosk.screens.acts import Do, Enter, Open, Over
from kiosk.screens.auction import irregularity
from kiosk.screens.claims import agreed_books
from kiosk.screens.entries import Entries
from kiosk.screens.frame import Screen, actions, forward, header, not_yet
from kiosk.screens.look import Look
from kiosk.screens.scorers import scorer
from kiosk.screens.seatmap import call_marks
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap, Trail
from kiosk.widgets.parts import (
    PANEL,
    RULED,
    Tenor,
    banner,
    boxed_word,
    button,
    chip,
    column,
    emphasised,
    icon_button,
    letters,
    rich,
    row,
    space,
    why,
    words,
)
from tallybox.calls import Nil, call_words
from tallybox.errors import SheetError
from tallybox.events.table import DirectorCalled, ResultEntered
from tallybox.renewed import renewed
from tallybox.rules.auction import SpadesContract, WhistContract
from tallybox.said import say
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore
from tallybox.table.shown import open_hand_score
from tallybox.table.state import Result, Step

_DOTTED = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=4, dashed=True)
TRICKS = 13


def result(look: Look) -> Screen:
    """Books or tricks of the hand that is over."""
    won = look.hand.contract(look.playing.ruleset)
    if isinstance(won, WhistContract):
        return _whist(look, won)
    assert isinstance(won, SpadesContract)
    return _spades(look, won)


def preview(look: Look, entered: Result) -> HandScore | None:
    """The open hand's score if ``entered`` were its result; none when it has no score."""
    changed = look.state.with_hand(renewed(look.hand, result=entered))
    try:
        return open_hand_score(changed)
    except SheetError:
        return None


def _back(look: Look) -> Box:
    if look.entries.changing is not None:
        kept = replace(look.entries, changing=None, tricks=MappingProxyType({}))
        return button(_("Back"), Tap("back", Enter(kept)), icon=MarkName.LEFT, w=130)
    if look.hand.questioned or look.step is not Step.PLAY:
        return button(_("The auction"), Tap("auction", Open(Over.AUCTION)), w=160)
    entries = replace(look.entries, entering=False)
    return button(_("Back to play"), Tap("back", Enter(entries)), icon=MarkName.LEFT, w=180)


def _small(look: Look) -> str:
    won = look.hand.contract(look.playing.ruleset)
    if isinstance(won, WhistContract):
        direction = f" {look.hand.direction.value.upper()}" if look.hand.direction else ""
        said = call_words(won.bid) + direction
        return _("Hand {hand} · {call} by {seat}", hand=look.hand.number, call=said, seat=won.seat.word)
    return f"{_('Hand {hand}', hand=look.hand.number)} · {look.playing.title}"


# --- bid whist: one divider


def _whist(look: Look, won: WhistContract) -> Screen:
    books = look.entries.books if look.entries.books is not None else agreed_books(look, won)
    if books is not look.entries.books:
        look = replace(look, entries=replace(look.entries, books=books))
    tall = 156 if look.ten else 132
    body = column(
        Box(
            (
                icon_button(MarkName.MINUS, _divider(look, won, -1), w=84, h=tall, size=38),
                _side_box(look, won, won.side, books),
                _side_box(look, won, won.side.other, None if books is None else won.books - books),
                icon_button(MarkName.PLUS, _divider(look, won, 1), w=84, h=tall, size=38),
            ),
            gap=12, align=Align.STRETCH, h=tall,
        ),
        _cells(look, won),
        _sum_line(won, books),
        space(),
        _verdict(look, won, books),
        gap=8, pad=(2, 0, 0, 0),
    )  # fmt: skip
    if books is None:
        go = not_yet(_("Set the books first"), _("Tap the last book of the bidders, or use plus and minus."))
    else:
        entered = {won.side: books, won.side.other: won.books - books}
        go = forward(_("Show both teams"), Tap("forward", Do((ResultEntered(hand=look.hand.number, books=entered),))))
    bar = actions(_back(look), irregularity(), go)
    return Screen("result", header(look, _("How many books?"), _small(look)), body, bar)


def _divider(look: Look, won: WhistContract, step: int) -> Tap:
    key = "plus" if step > 0 else "minus"
    books = look.entries.books
    moved = won.needed if books is None else min(won.books, max(1, books + step))
    return Tap(key, Enter(replace(look.entries, books=moved)), rapid=True)


def _side_box(look: Look, won: WhistContract, side: Side, books: int | None) -> Node:
    bidder = side is won.side
    said = _("team {team} · bid {call}", team=look.number(side), call=call_words(won.bid))
    label = said if bidder else _("team {team}", team=look.number(side))
    head = row(chip(side), words(label, 18, Weight.SEMI, line=24), gap=8, pad=(0, 0, 0, 8), h=34)
    value: Node = (
        Mark(MarkName.NOT_YET, 62, Tone.INK2) if books is None else words(str(books), 100, Weight.BOLD, line=82)
    )  # fmt: skip
    return Box(
        (head, Box((value,), align=Align.CENTER, justify=Align.CENTER, grow=1)),
        Axis.COLUMN, 0, (5, 2, 6, 2), Align.STRETCH, grow=1, skin=RULED,
    )  # fmt: skip


def _cells(look: Look, won: WhistContract) -> Node:
    """Thirteen books; a tap says that the bidders have up to there. The kitty is always theirs."""
    books = look.entries.books
    cells: list[Node] = []
    for number in range(1, won.books + 1):
        taken = books is not None and number <= books
        others = books is not None and not taken
        label = str(number if taken or books is None else number - (books or 0))
        if number == 1 and won.books == 13:
            label = "K"
        ink = Tone.CARD if others else Tone.INK if books is not None else Tone.INK2
        ground = Tone.INK if others else Tone.CARD
        skin = Skin(ground=ground, border=Tone.INK if books is not None else Tone.EDGE, line=2, radius=4)
        act = Enter(replace(look.entries, books=number))
        cells.append(
            Box((words(label, 20, Weight.SEMI, ink),), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=skin,
                tap=Tap(f"book:{number}", act, rapid=True),
                trail=Trail("divider", "set", moves=True) if number == books else None)
        )  # fmt: skip
    return Box(tuple(cells), Axis.ROW, -2, align=Align.STRETCH, h=100 if look.ten else 78)


def _sum_line(won: WhistContract, books: int | None) -> Node:
    kitty = _("K = the kitty, always with the bidder") if won.books == 13 else ""
    left = words(kitty, 17, Weight.MEDIUM, Tone.INK2, line=24, grow=1)
    if books is None:
        return row(left, words(_("Not set yet"), 19, Weight.SEMI, Tone.INK2))
    figures = words(f"{books} + {won.books - books} = {won.books}", 19, Weight.BOLD)
    return row(left, row(figures, Mark(MarkName.CHECK, 22, pen=3.2), gap=6))


def _verdict(look: Look, won: WhistContract, books: int | None) -> Node:
    needed = won.needed
    if books is None:
        waiting = _("{side} needed {needed}. Tap the last book they took.", side=won.side.word, needed=needed)
        return banner(Tenor.INFO, waiting, size=20, h=54)
    score = preview(look, Result("", books={won.side: books, won.side.other: won.books - books}))
    points = 0 if score is None else sum(line.points for line in score.lines if line.points > 0)
    earned = ngettext("**{n} point** and the hand", "**{n} points** and the hand", points)
    explain = Tap("why", Open(Over.WHY, "open"))
    if books >= needed:
        over = books - 6
        doubled = f"{points // over} × {over} = " if score is not None and points > over else ""
        words_said = _("Made: needed {needed}, took {taken}. {earned}", needed=needed, taken=books,
                       earned=doubled + earned)  # fmt: skip
        extra: tuple[Node, ...] = (boxed_word(_("Boston")),) if score is not None and score.boston else ()
        return banner(Tenor.GOOD, *emphasised(words_said), size=20, h=54, tap=explain,
                      after=row(*extra, why(_("Why?")), gap=12))  # fmt: skip
    other = won.side.other
    given = ngettext("**{n} point** to {side}", "**{n} points** to {side}", points, side=other.word)
    said = _("**Set:** needed {needed}, took {taken}. {given}", needed=needed, taken=books, given=given)
    return banner(Tenor.DISPUTE, *emphasised(said), size=20, h=54, tap=explain, after=why(_("Why?")))


# --- spades: each player's tricks


def _spades(look: Look, won: SpadesContract) -> Screen:
    tricks = taken_by_all(look.entries.tricks)
    rows = [
        Box(
            (*(_player(look, won, seat, tricks.get(seat)) for seat in side.seats), _side_sum(won, side, tricks)),
            gap=10, align=Align.STRETCH, grow=1,
        )
        for side in Side
    ]  # fmt: skip
    total = sum(tricks.values())
    complete = len(tricks) == 4 and total == TRICKS
    foot = Box(_tricks_foot(won, tricks), gap=12, align=Align.STRETCH, h=58)
    by = scorer(look)
    if complete:
        go = forward(_("Show both teams") if by is None else _("Enter this count"),
                     Tap(f"forward:{by}" if by else "forward", _entered(look, tricks, by)))  # fmt: skip
    else:
        go = not_yet(_missing(tricks), sum_sentence(tricks))
    title = _("Tricks of each player") if by is None else counting_for(look, by)
    return Screen(
        "result" if by is None else f"result-{by}", header(look, title, _small_apart(look, by)),
        column(*rows, foot, gap=10), actions(_back(look), *(_other_first(look, by) or (irregularity(),)), go),
    )  # fmt: skip


def _entered(look: Look, tricks: Mapping[Seat, int], by: Side | None) -> Do:
    """The count; if the two scorekeepers differ for the second time, the director is called with it (C-13)."""
    counted = {seat: tricks[seat] for seat in Seat}
    entered = ResultEntered(hand=look.hand.number, tricks=counted, scorer=by)
    other = None if by is None else look.hand.entries.get(by.other)
    again = other is not None and look.hand.unequal > 0 and dict(other.tricks or {}) != counted
    if again and look.state.calling is None:
        return Do((entered, DirectorCalled(reason=str(say("The two scorekeepers differ a second time")))))
    return Do((entered,))


def counting_for(look: Look, side: Side) -> str:
    """Who enters now: the side's scorekeeper, or the side while nobody was chosen for it."""
    keeper = next((seat for seat in side.seats if seat in look.state.scorekeepers), None)
    if keeper is None:
        return _("{side} count the tricks", side=side.word)
    return _("{seat} counts for {side}", seat=keeper.word, side=side.word)


def _small_apart(look: Look, by: Side | None) -> str:
    """Where two enter apart: that the second does not see the first."""
    if by is None:
        return _small(look)
    if by.other in look.hand.entries and look.entries.changing is None:
        return _("{other} have entered. {side} count for themselves.", other=by.other.word, side=by.word)
    return _("Hand {hand} · each side enters for itself", hand=look.hand.number)


def _other_first(look: Look, by: Side | None) -> tuple[Node, ...]:
    """Which side enters first is theirs to say."""
    if by is None or look.hand.entries:
        return ()
    other = by.other
    act = Enter(replace(look.entries, first_scorer=other))
    return (button(_("{side} first", side=letters(other)), Tap(f"first:{other}", act), icon=MarkName.SWAP, w=140),)


def taken_by_all(entered: Mapping[Seat, int]) -> Mapping[Seat, int]:
    """The tricks of each player: once thirteen are set, the others took none."""
    return {seat: entered.get(seat, 0) for seat in Seat} if sum(entered.values()) == TRICKS else entered


def _stepped(entries: Entries, seat: Seat, step: int) -> Entries:
    now = taken_by_all(entries.tricks).get(seat)
    moved = (0 if step < 0 else 1) if now is None else min(TRICKS, max(0, now + step))
    return replace(entries, tricks=MappingProxyType({**entries.tricks, seat: moved}))


def _rest(entries: Entries, seat: Seat) -> Tap | None:
    """A tap on the figure between − and +: this seat took all that is left."""
    left = TRICKS - sum(entries.tricks.values())
    if left <= 0:
        return None
    moved = entries.tricks.get(seat, 0) + left
    return Tap(f"rest:{seat}", Enter(replace(entries, tricks=MappingProxyType({**entries.tricks, seat: moved}))))


def _player(look: Look, won: SpadesContract, seat: Seat, taken: int | None) -> Node:
    bid = won.bids[seat]
    said: Node = (
        row(Mark(MarkName.NIL, 19, pen=4.5), words(_("nil"), 18, Weight.SEMI), gap=6)
        if isinstance(bid, Nil)
        else row(words(_("bid"), 18, Weight.SEMI), call_marks(bid, 20), gap=5)
    )
    name = rich(*emphasised(f"**{letters(seat)}** "), size=23, line=28)
    head = row(name, words(look.player(seat), 19, Weight.MEDIUM, Tone.INK2, grow=1, cut=True), said, gap=4, h=30)

    def step(by: int) -> Act:
        return Enter(_stepped(look.entries, seat, by))

    value: Node = (
        Mark(MarkName.NOT_YET, 46, Tone.INK2) if taken is None else words(str(taken), 60, Weight.BOLD, line=64)
    )  # fmt: skip
    keys = Box(
        (
            icon_button(MarkName.MINUS, Tap(f"minus:{seat}", step(-1), rapid=True), w=72, h=70, size=30),
            Box((value,), align=Align.CENTER, justify=Align.CENTER, h=70, grow=1, tap=_rest(look.entries, seat)),
            icon_button(MarkName.PLUS, Tap(f"plus:{seat}", step(1), rapid=True), w=72, h=70, size=30),
        ),
        gap=8, align=Align.CENTER,
    )  # fmt: skip
    return Box((head, space(), keys), Axis.COLUMN, 0, (7, 10, 9, 10), Align.STRETCH, grow=1, skin=PANEL)


def _side_sum(won: SpadesContract, side: Side, tricks: Mapping[Seat, int]) -> Node:
    taken = [tricks.get(seat) for seat in side.seats]
    known = [one for one in taken if one is not None]
    number, nils = won.number(side), won.nils(side)
    parts = ([] if number is None else [str(number)]) + [_("nil")] * len(nils)
    value: Node = (
        words(str(sum(known)), 58, Weight.BOLD, line=56) if known else Mark(MarkName.NOT_YET, 40, Tone.INK2)
    )  # fmt: skip
    return Box(
        (
            row(chip(side), h=30),
            Box((value,), align=Align.CENTER, justify=Align.CENTER, grow=1),
            words(_("bid {bid}", bid=" + ".join(parts)), 16, Weight.MEDIUM, Tone.INK2, line=20, align=Align.CENTER),
        ),
        Axis.COLUMN, 0, (7, 7, 7, 8), Align.STRETCH, w=104, skin=RULED,
    )  # fmt: skip


def _missing(tricks: Mapping[Seat, int]) -> str:
    total = sum(tricks.values())
    if total < TRICKS:
        return ngettext("{n} trick is missing", "{n} tricks are missing", TRICKS - total)
    return ngettext("{n} trick too many", "{n} tricks too many", total - TRICKS)


def sum_sentence(tricks: Mapping[Seat, int]) -> str:
    """Why these tricks cannot be a hand, and what to do."""
    total = sum(tricks.values())
    return _("{n} tricks are set. A hand has 13. Count the tricks again, player by player.", n=total)


def _tricks_foot(won: SpadesContract, tricks: Mapping[Seat, int]) -> tuple[Node, ...]:
    sums = [sum(tricks.get(seat, 0) for seat in side.seats) for side in Side]
    complete = len(tricks) == 4 and sum(sums) == TRICKS
    figures = _("{ns} + {ew} = {sum} tricks", ns=sums[0], ew=sums[1], sum=sum(sums))
    if complete:
        left = Box(
            (Mark(MarkName.CHECK, 26, Tone.INK, 3.4), words(figures, 23, Weight.BOLD)),
            gap=10, align=Align.CENTER, justify=Align.CENTER, grow=1,
            skin=Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=4),
        )  # fmt: skip
    else:
        said = _("{sum} of 13", sum=sum(sums))
        left = Box((words(said, 23, Weight.BOLD),), align=Align.CENTER, justify=Align.CENTER, grow=1, skin=_DOTTED)
    taken = [(seat, tricks.get(seat, 0)) for seat in Seat if isinstance(won.bids[seat], Nil)]
    broken = [(seat, number) for seat, number in taken if number]
    if not broken:
        return (left,)
    seat, number = broken[0]
    sentence = ngettext(
        "{seat} bid nil and took {n}. That trick does not help {partner}.",
        "{seat} bid nil and took {n}. Those tricks do not help {partner}.",
        number, seat=seat.word, partner=seat.partner.word,
    )  # fmt: skip
    return (left, banner(Tenor.CAUTION, sentence, size=18, grow=1))
