"""What the official's guided sheets share: which hand, before and after, and the reason (k17b)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Decide, Enter, Open, Over, Say
from kiosk.screens.frame import Screen, actions, forward, header, not_yet
from kiosk.screens.keypad import letters
from kiosk.screens.lines import line_words
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.screens.sheet import contract_of
from kiosk.text import _, ngettext
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    BINDING,
    RULED,
    boxed_word,
    button,
    chip,
    column,
    panel,
    row,
    space,
    words,
)
from tallybox.calls import call_words
from tallybox.errors import SheetError
from tallybox.events import type_of
from tallybox.events.table import Body
from tallybox.rules.auction import SpadesContract, WhistContract
from tallybox.rules.hand import HandFacts, Line
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore, SheetScore
from tallybox.table.entry import Entry
from tallybox.table.fold import fold
from tallybox.table.shown import facts_now, score
from tallybox.table.state import Hand, TableState
from tallybox.why import signed

KEY: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
CHOSEN: Final = Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=4, radius=8)
LONGEST_REASON: Final = 120
"""Characters that fit every place where a reason is read."""
HANDS_SHOWN: Final = 10
_ASKED: Final = "0" * 64


def drafted(look: Look, **changes: object) -> Act:
    """The draft becomes this."""
    return Enter(replace(look.entries, draft=replace(look.entries.draft, **changes)))  # type: ignore[arg-type]


def small_line(look: Look) -> str:
    """Who is preparing this."""
    return _("{name} · nothing counts before the last step", name=visitor(look).name)


def to_menu(w: float = 170) -> Box:
    """Back to the menu; what was prepared goes."""
    return button(_("To the menu"), Tap("to-menu", Open(Over.MENU)), icon=MarkName.LEFT, w=w)


def back_to_page(look: Look, page: str, **changes: object) -> Box:
    """One step back in the guided sheet."""
    return button(_("Back"), Tap("back", drafted(look, page=page, **changes)), icon=MarkName.LEFT, w=130)


def guided(look: Look, name: str, title: str, body: Node, *bar: Node) -> Screen:
    """A page of a guided sheet."""
    return Screen(name, header(look, title, small_line(look), chips=False), body, actions(*bar))


# --- which hand


def hand_at(state: TableState, place: int) -> Hand | None:
    """The hand at a place of the sheet; the open one behind the last."""
    if place < len(state.hands):
        return state.hands[place]
    return state.hand


def places(look: Look, *, open_too: bool = True) -> list[int]:
    """The hands that count, and the open one behind them."""
    state = look.state
    found = [place for place, hand in enumerate(state.hands) if facts_now(state, hand).void is None]
    return [*found, len(state.hands)] if open_too and state.hand is not None else found


def which_hand(look: Look, name: str, title: str, places: Sequence[int], chosen: Callable[[int], Act]) -> Screen:
    """The hands to choose from, the youngest first: there it is most often wrong."""
    scored = score(look.state)
    shown = list(reversed(places))[:HANDS_SHOWN]
    keys = [_hand_key(look, scored, place, chosen(place)) for place in shown]
    wide = 1 if len(keys) <= 5 else 2
    keys += [Box(grow=1) for _gap in range(max(0, 5 * wide - len(keys)))]
    rows = [row(*keys[at : at + wide], gap=8, grow=1, align=Align.STRETCH) for at in range(0, len(keys), wide)]
    return guided(look, name, title, column(*rows, gap=7, grow=1), to_menu(), space())


def _hand_key(look: Look, scored: SheetScore, place: int, act: Act) -> Node:
    hand = hand_at(look.state, place)
    assert hand is not None
    line = scored.hands[place] if place < len(look.state.hands) else None
    points: tuple[Node, ...] = (
        (*(row(chip(side, 15), words(signed(line.points[side]), 21, Weight.BOLD), gap=6) for side in Side),)
        if line is not None
        else (boxed_word(_("open"), Tone.INK2),)
    )
    said = column(
        words(_("Hand {hand}", hand=hand.number), 21, Weight.BOLD, line=24),
        words(facts_words(look, facts_now(look.state, hand)), 17, Weight.MEDIUM, Tone.INK2, line=20, cut=True),
        gap=1, grow=1,
    )  # fmt: skip
    return Box((said, *points), Axis.ROW, 12, (4, 14, 4, 14), Align.CENTER, grow=1, skin=KEY,
               tap=Tap(f"hand:{place}", act))  # fmt: skip


def facts_words(look: Look, facts: HandFacts) -> str:
    """A hand in one line: what was played by whom, and what was taken."""
    won = facts_contract(look, facts)
    if isinstance(won, WhistContract):
        way = f" {facts.direction.value.upper()}" if facts.direction else ""
        head = _("{call} by {seat}", call=call_words(won.bid.stated) + way, seat=won.seat.word)
        books = facts.books
        return head if books is None else f"{head} · {books[won.side]} – {books[won.side.other]}"
    if isinstance(won, SpadesContract):
        bids = " ".join(call_words(won.bids[seat]) for seat in Seat)
        if facts.tricks is None:
            return bids
        taken = " ".join(str(facts.tricks[seat]) for seat in Seat)
        return _("bid {bids} · took {taken}", bids=bids, taken=taken)
    return _("no contract yet")


def facts_contract(look: Look, facts: HandFacts) -> WhistContract | SpadesContract | None:
    """What is played by these facts, once all four have called."""
    return contract_of(look.playing.ruleset, facts)


# --- before and after


def tried(look: Look, body: Body, supersedes: tuple[str, ...] = ()) -> TableState | str:
    """The table as it would be; the sentence when the rules do not take it."""
    after = fold(look.state, Entry(_ASKED, 0, type_of(body), body, supersedes))
    refused = [refusal.message for refusal in after.refused if refusal.id == _ASKED]
    return refused[-1] if refused else after


def compared(look: Look, place: int, after: TableState) -> Node:
    """The hand's lines side by side as they count now and as they would."""
    return Box(
        (
            _half(look, _("Before"), look.state, place, Skin(ground=Tone.WELL, border=Tone.LINE, line=1.5, radius=10)),
            Box((Mark(MarkName.ARROW, 34, Tone.INK, 3),), w=34, align=Align.CENTER, justify=Align.CENTER),
            _half(look, _("After"), after, place, BINDING),
        ),
        gap=7, align=Align.STRETCH, grow=1,
    )  # fmt: skip


def _half(look: Look, label: str, state: TableState, place: int, skin: Skin) -> Node:
    scored = _scored(state)
    hand = None if scored is None else _hand_score(scored, state, place)
    lines = () if hand is None else hand.lines
    known = hand_at(state, place)
    if known is not None and facts_now(state, known).void is not None:
        rows: list[Node] = [row(boxed_word(_("void"))), words(_("It scores for nobody."), 19, Weight.MEDIUM, Tone.INK2)]
    elif not lines:
        rows = [words(_("Nothing is scored yet."), 19, Weight.MEDIUM, Tone.INK2)]
    else:
        rows = list(_line_rows(lines, 6 if look.ten else 5))
    return panel(
        words(label, 21, Weight.BOLD, line=26), *rows, space(), *_totals(look, scored), skin=skin, gap=6,
        pad=(10, 12, 10, 12),
    )  # fmt: skip


def _scored(state: TableState) -> SheetScore | None:
    try:
        return score(state, with_open=True)
    except SheetError:
        return None


def _hand_score(scored: SheetScore, state: TableState, place: int) -> HandScore | None:
    if place < len(state.hands):
        return scored.hands[place]
    numbered = state.hand is not None and len(scored.hands) > place and scored.hands[place].hand == state.hand.number
    return scored.hands[place] if numbered else None


def _line_rows(lines: Iterable[Line], most: int) -> Iterable[Node]:
    told = list(lines)
    for line in told[:most]:
        tone = Tone.CALL if line.points < 0 else Tone.INK
        yield row(
            chip(line.side, 14), words(line_words(line)[0], 17, Weight.MEDIUM, grow=1, cut=True, line=21),
            words(signed(line.points), 21, Weight.BOLD, tone, line=24), gap=8, h=30,
        )  # fmt: skip
    if len(told) > most:
        yield words(ngettext("and {n} line more", "and {n} lines more", len(told) - most), 17, tone=Tone.INK2)


def _totals(look: Look, scored: SheetScore | None) -> tuple[Node, ...]:
    if scored is None:
        return ()
    values = scored.totals.hands_won if look.whist else scored.totals.points
    label = _("Hands won") if look.whist else _("Points")
    sums = (
        row(chip(side, 15), words(str(values[side]).replace("-", "−"), 26, Weight.BOLD, line=30), gap=7)
        for side in Side
    )
    return (
        Box((words(label, 17, Weight.SEMI, Tone.INK2, grow=1), *sums), Axis.ROW, 14, (4, 10, 4, 10), Align.CENTER,
            h=42, skin=RULED),
    )  # fmt: skip


def sentence_alone(said: str) -> Node:
    """One sentence in the middle: why there is no before and after."""
    return panel(space(), words(said, 24, Weight.SEMI, line=32, wrap=True, align=Align.CENTER), space())


# --- why


def reason_page(
    look: Look, name: str, ready: Sequence[str], decide: Callable[[str], tuple[Body, str]], label: str, *, back: Node
) -> Screen:
    """A ready sentence to tap, or letters; ``decide`` makes the event and what is said once it counts."""
    draft = look.entries.draft
    body = _written(look) if draft.page == "writing" else _ready(look, ready)
    said = " ".join(draft.reason.split())
    if not said:
        go: Node = not_yet(label, _("Say why first: tap a sentence, or write one."))
    else:
        go = forward(label, Tap("decide", Decide(*decide(said))), size=23)
    return guided(look, name, _("Why?"), body, back, go)


def _ready(look: Look, ready: Sequence[str]) -> Node:
    reason = look.entries.draft.reason
    keys = [
        Box(
            (words(said, 20, Weight.SEMI, wrap=True, line=24, grow=1),
             *((Mark(MarkName.CHECK, 26, Tone.BAIZE, 3),) if said == reason else ())),
            Axis.ROW, 10, (4, 14, 4, 14), Align.CENTER, grow=1, skin=CHOSEN if said == reason else KEY,
            tap=Tap(f"reason:{index}", drafted(look, reason=said)),
        )
        for index, said in enumerate(ready)
    ]  # fmt: skip
    own = reason if reason and reason not in ready else ""
    write = Box(
        (Mark(MarkName.PEN, 26, Tone.INK, 2.4),
         words(own or _("Write another reason"), 20, Weight.SEMI, grow=1, cut=True)),
        Axis.ROW, 12, (4, 14, 4, 14), Align.CENTER, grow=1, skin=CHOSEN if own else KEY,
        tap=Tap("write", drafted(look, page="writing", reason=own)),
    )  # fmt: skip
    keys.append(write)
    pairs = [row(*keys[at : at + 2], gap=8, grow=1, align=Align.STRETCH) for at in range(0, len(keys), 2)]
    if len(keys) % 2:
        pairs[-1] = row(keys[-1], gap=8, grow=1, align=Align.STRETCH)
    return column(*pairs, gap=8, grow=1)


def _written(look: Look) -> Node:
    draft = look.entries.draft
    full = len(draft.reason) >= LONGEST_REASON

    def typed(text: str) -> Act:
        if full and len(text) > len(draft.reason):
            return Say(_("A reason has at most {n} letters. Shorten it.", n=LONGEST_REASON))
        return drafted(look, reason=text)

    field = Box(
        (words(draft.reason + "_", 20, Weight.SEMI, wrap=True, line=23, grow=1),
         button(_("Done"), Tap("written", drafted(look, page="reason")), w=96, h=52, size=19)),
        Axis.ROW, 10, (3, 4, 3, 12), Align.CENTER, h=62, skin=RULED,
    )  # fmt: skip
    keys = letters("key", draft.reason, typed, signs=draft.signs, turn_page=drafted(look, signs=not draft.signs))
    return column(field, keys, gap=7, grow=1)
