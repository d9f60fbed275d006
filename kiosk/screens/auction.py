"""The auction of both games: calls as they are made, at the seats that make them, and the keys to make the next."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Do, Enter, Open, Over, Say
from kiosk.screens.frame import Screen, actions, hand_line, header
from kiosk.screens.look import Look
from kiosk.screens.seatmap import HIGH, REST, STRAIN_MARKS, TURN, call_marks, figure, not_called, seat_card, seat_map
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, At, Axis, Box, Mark, Node, Run, Skin, Tap, Trail
from kiosk.widgets.parts import (
    RULED,
    Kind,
    Tenor,
    banner,
    button,
    chip,
    column,
    emphasised,
    note,
    rich,
    row,
    words,
)
from tallybox.calls import NIL, PASS, Bid, Call, Nil, Number, Strain, call_text, call_words
from tallybox.events.rulings import OutOfTurnMade
from tallybox.events.table import CallMade, CallTakenBack
from tallybox.rules.auction import Verdict, judge
from tallybox.rules.settings import SpadesSettings, WhistSettings
from tallybox.rules.whist_auction import HIGHEST_LEVEL, high_bid
from tallybox.seats import Seat, Side

LEGAL = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=8)
NOT_LEGAL = Skin(border=Tone.LINE, line=2, radius=8, dashed=True)
_NIL_KEY = Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8)

MAP_WIDTH = 292


def auction(look: Look) -> Screen:
    """Whose turn it is, what has been called, and what may be called now."""
    turn = look.hand.turn
    assert turn is not None
    table = calls_map(look)
    if look.entries.asking:
        keypad = _asked(look, turn)
    else:
        keypad = _whist_keys(look, turn) if look.whist else _spades_keys(look, turn)
    small = hand_line(look) if look.whist else f"{_('Hand {hand}', hand=look.hand.number)} · {look.playing.title}"
    return Screen(
        "auction" if not look.entries.asking else "auction-asked",
        header(look, _("{seat} to bid", seat=turn.word), small),
        Box((table, keypad), gap=12, align=Align.STRETCH),
        actions(take_back(look), *_bar(look)),
    )


def _bar(look: Look) -> tuple[Node, ...]:
    """Beside the way back: what else there is, or what a card laid before its turn counts."""
    if look.early is None:
        icon = MarkName.READER if look.reader else MarkName.KEYPAD
        hint = _("Lay a card or tap a call") if look.reader else _("Tap the call")
        return (irregularity(), note(hint, icon))
    return (
        button(_("Ignore"), Tap("ignore", Say("")), w=130),
        button(_("Count it as out of turn"), Tap("out-of-turn", _out_of_turn(look, look.early)), Kind.CALL, grow=1),
    )


def irregularity() -> Box:
    """Opens the list of what can go wrong."""
    return button(_("Irregularity…"), Tap("irregularity", Open(Over.IRREGULARITY)), w=158)


def _out_of_turn(look: Look, seat: Seat) -> Act:
    """Spades: the other side is asked at once. Bid whist: a Tech, which somebody has to call (A-15)."""
    if look.whist:
        return Open(Over.IRREGULARITY, f"OUT_OF_TURN_BID/{seat}")
    reading = look.state.readings[seat]
    assert reading.call is not None  # or there would be no question
    call = call_text(reading.call)
    made = OutOfTurnMade(hand=look.hand.number, seat=seat, call=call, source="scanned", reading=reading.id)
    return Do((made,))


def _early(look: Look, seat: Seat, turn: Seat) -> Node:
    """A card lies before its turn: it is named where the hint stands, and bidding goes on."""
    said = _("That is {seat}'s card. {turn} bids now.", seat=seat.word, turn=turn.word)
    reading = look.state.readings.get(seat)
    card = (call_marks(reading.call, 21),) if reading is not None and reading.call is not None else ()
    return Box(
        (Mark(MarkName.WARN, 22, Tone.INK, 2.6), words(said, 16, Weight.SEMI, grow=1, line=18, wrap=True), *card),
        gap=8, pad=(0, 10, 0, 9), align=Align.CENTER, h=42,
        skin=Skin(ground=Tone.AMBERSOFT, border=Tone.AMBERTEXT, line=2, radius=8),
    )  # fmt: skip


def take_back(look: Look, *, w: float = 170) -> Box:
    """Undo the last call, as long as nothing hangs on it."""
    hand = look.hand
    if not hand.calls:
        return button(_("Take back"), Tap("take-back", Say(_("Nobody has called yet."))), Kind.NOT_YET, w=w,
                      icon=MarkName.UNDO, size=21)  # fmt: skip
    last = hand.calls[-1]
    act = Do((CallTakenBack(hand=hand.number, seat=last.seat),))
    return button(_("Take back"), Tap(f"take-back:{len(hand.calls)}", act), icon=MarkName.UNDO, w=w)


# --- the map


def calls_map(look: Look, *, w: float = MAP_WIDTH) -> Box:
    """The seats with their calls; the high bid stands named in the middle."""
    return seat_map(look, lambda seat: _seat(look, seat), _high(look), w=w)


def _seat(look: Look, seat: Seat) -> Node:
    hand = look.hand
    called = hand.call_of(seat)
    wide = 150 if seat in {look.bottom, look.bottom.partner} else 138
    skin = REST
    if hand.conflict is not None and hand.conflict.seat is seat:
        below: Node = row(Mark(MarkName.WARN, 24, Tone.AMBERTEXT, 2.5),
                          words(_("which?"), 23, Weight.BOLD, Tone.AMBERTEXT), gap=6, h=32)  # fmt: skip
        skin = TURN
    elif hand.early is not None and hand.early.seat is seat:
        below = row(call_marks(hand.early.call), Mark(MarkName.WARN, 24, Tone.AMBERTEXT, 2.5), gap=12)
        skin = TURN
    elif called is not None:
        below = call_marks(called.call)
        skin = HIGH if called.call == high_call(look) else REST
    elif seat is hand.turn and hand.conflict is None and hand.early is None:
        below = words(_("bids now"), 23, Weight.BOLD, line=32)
        skin = TURN
    else:
        below = not_called(_("last") if seat is hand.dealer else _("not yet"))
    return seat_card(look, seat, below, skin, w=wide, dealer=seat is hand.dealer, trail=_came(look, seat))


def _came(look: Look, seat: Seat) -> Trail:
    """Where a seat's call came from: the key that was tapped, or a card that was laid."""
    calls = look.hand.calls
    made = next((number for number, called in enumerate(calls) if called.seat is seat), None)
    if made is None:
        return Trail(f"seat:{seat}")
    text = call_text(calls[made].call)
    return Trail(f"seat:{seat}", text, "" if calls[made].source == "scanned" else f"call:{made}:{text}")


def high_call(look: Look) -> Bid | None:
    """The bid that stands in bid whist, leaving out a call that is in doubt."""
    settings = look.playing.ruleset.settings
    if not isinstance(settings, WhistSettings):
        return None
    in_doubt = look.hand.conflict.seat if look.hand.conflict else None
    return high_bid(settings, (called.call for called in look.hand.calls if called.seat is not in_doubt))


def _high(look: Look) -> Node | None:
    high = high_call(look)
    if high is None:
        return None
    return row(
        words(_("high bid"), 17, Weight.MEDIUM, Tone.INK2),
        words(str(high.level), 17, Weight.BOLD),
        Mark(STRAIN_MARKS[high.strain], 17, pen=2.6),
        gap=7,
    )


# --- the keys


def _verdict(look: Look, call: Call) -> Verdict:
    """What the rules say to a call now; a declined early bid may have to be repeated (C-16)."""
    hand = look.hand
    return judge(look.playing.ruleset, hand.dealer, hand.made, call, hand.locked_calls)


def _key(look: Look, seat: Seat, call: Call, face: Node, dim: Node, *, skin: Skin = LEGAL, extra: Node | None = None,
         h: float | None = None) -> Box:  # fmt: skip
    """One key: legal ones call, greyed ones answer with the reason, doubtful ones ask first."""
    verdict = _verdict(look, call)
    key = f"call:{len(look.hand.calls)}:{call_text(call)}"
    if not verdict.legal:
        corrected = look.whist and verdict.correction is not None
        act: Act = (
            Open(Over.IMPROPER, f"{len(look.hand.calls)}:{call_text(call)}") if corrected else Say(verdict.message)
        )
        inside, skin = dim, NOT_LEGAL
    elif verdict.warning and verdict.warning.endswith("?"):
        act = Enter(replace(look.entries, asking=call_text(call)))
        inside = face
    else:
        act = Do((CallMade(hand=look.hand.number, seat=seat, call=call_text(call), source="typed"),))
        inside = face
    corner: tuple[Node, ...] = (At(extra, 1, 1, -8, -3),) if extra and verdict.legal else ()
    face_box = Box((inside,), align=Align.CENTER, justify=Align.CENTER)
    return Box((face_box, *corner), Axis.STACK, align=Align.STRETCH, grow=0 if h else 1, h=h, skin=skin,
               tap=Tap(key, act))  # fmt: skip


def _whist_keys(look: Look, seat: Seat) -> Node:
    settings = look.playing.ruleset.settings
    assert isinstance(settings, WhistSettings)
    rows = []
    for strain in Strain:
        head = column(
            Mark(STRAIN_MARKS[strain], 26, pen=2.6),
            words(_(strain.value.upper()), 17, Weight.BOLD, line=22),
            gap=1, w=72, align=Align.START, justify=Align.CENTER,
        )  # fmt: skip
        keys = [
            _key(look, seat, Bid(level, strain), words(str(level), 34, Weight.BOLD),
                 words(str(level), 34, Weight.REGULAR, Tone.INK2))
            for level in range(settings.min_level, HIGHEST_LEVEL + 1)
        ]  # fmt: skip
        rows.append(Box((head, *keys), Axis.ROW, 7, align=Align.STRETCH, grow=1))
    passing = _key(
        look, seat, PASS,
        row(Mark(MarkName.PASS, 30, pen=4), words(_("PASS"), 28, Weight.BOLD), gap=8),
        row(Mark(MarkName.PASS, 30, Tone.INK2, 4), words(_("PASS"), 28, Weight.MEDIUM, Tone.INK2), gap=8),
        h=60,
    )  # fmt: skip
    hint = rich(*_to_beat(look), size=17, line=20, tone=Tone.INK2, wrap=True)
    foot = Box((hint,), h=42, axis=Axis.COLUMN, align=Align.STRETCH)
    return column(*rows, passing, _early(look, look.early, seat) if look.early else foot, gap=7, grow=1)


def _to_beat(look: Look) -> tuple[Run | str, ...]:
    high = high_call(look)
    hand = look.hand
    if high is None:
        if len(hand.calls) == 3:
            verdict = judge(look.playing.ruleset, hand.dealer, hand.made, PASS)
            return emphasised(verdict.message)
        return emphasised(_("Nobody has bid. Any number may be called, or PASS."))
    levels = {
        strain: next(
            (
                level
                for level in range(1, HIGHEST_LEVEL + 1)
                if judge(look.playing.ruleset, hand.dealer, hand.made, Bid(level, strain)).legal
            ),
            None,
        )
        for strain in Strain
    }
    if all(level is None for level in levels.values()):
        return emphasised(_("Nothing beats **{call}**. Only PASS is left.", call=call_words(high)), Tone.INK)
    sentence = _(
        "To beat **{call}**: {ways}. A greyed call is too low — tap it to see why.",
        call=call_words(high), ways=_ways(levels),
    )  # fmt: skip
    return emphasised(sentence, Tone.INK)


def _ways(levels: dict[Strain, int | None]) -> str:
    high, special, no = (levels[strain] for strain in Strain)
    if high == special and high is not None:
        return _("any {n}", n=high) if no == high else _("any {n}, or {m} NO", n=high, m=no)
    each = [f"{level} {_(strain.value.upper())}" for strain, level in levels.items() if level is not None]
    return ", ".join(each)


_BID_CARDS = {1: "A", 11: "J", 12: "Q"}


def _spades_keys(look: Look, seat: Seat) -> Node:
    settings = look.playing.ruleset.settings
    assert isinstance(settings, SpadesSettings)
    deck = settings.bid_card_map == "mso"

    def small(text: str) -> Node:
        return words(text, 16, Weight.MEDIUM, Tone.INK2, line=20)

    nil = _key(
        look, seat, NIL,
        row(Mark(MarkName.NIL, 28), words(_("NIL"), 28, Weight.BOLD), gap=8),
        row(Mark(MarkName.NIL, 28, Tone.INK2), words(_("NIL"), 28, Weight.MEDIUM, Tone.INK2), gap=8),
        skin=_NIL_KEY, extra=small(_("King")) if deck else None,
    )  # fmt: skip
    keys = [
        _key(look, seat, Number(tricks), figure(tricks, 34), words(str(tricks), 34, Weight.REGULAR, Tone.INK2),
             extra=small(_BID_CARDS[tricks]) if deck and tricks in _BID_CARDS else None)
        for tricks in range(1, settings.max_bid + 1)
    ]  # fmt: skip
    columns = 4 if len(keys) <= 12 else 5
    rows = []
    for start in range(0, len(keys), columns):
        line: list[Node] = [*keys[start : start + columns]]
        line += [Box(grow=1) for _gap in range(columns - len(line))]
        rows.append(Box(tuple(line), Axis.ROW, 7, align=Align.STRETCH, grow=1))
    return column(replace(nil, grow=1), *rows, _spades_foot(look, seat), gap=7, grow=1)


def _spades_foot(look: Look, seat: Seat) -> Node:
    """What each side has bid so far, unless something has to be said about the bid that comes."""
    if look.early is not None:
        return _early(look, look.early, seat)
    locked = look.hand.locked_calls.get(seat)
    if locked is not None and _verdict(look, PASS).code == "must-repeat":
        said = _("{seat} bid {call} out of turn and must now repeat it.", seat=seat.word, call=call_words(locked))
        return banner(Tenor.CAUTION, said, size=17, h=42, icon=MarkName.LOCK)
    return Box(tuple(_team_sum(look, side) for side in Side), Axis.ROW, 8, align=Align.STRETCH, h=42)


def _team_sum(look: Look, side: Side) -> Node:
    """What a side has bid so far: ``4 + ?``."""
    parts: list[Node] = []
    for index, seat in enumerate(side.seats):
        called = look.hand.call_of(seat)
        if index:
            parts.append(words("+", 19, Weight.MEDIUM, Tone.INK2))
        if called is None:
            parts.append(words("?", 21, Weight.MEDIUM, Tone.INK2))
        elif isinstance(called.call, Nil):
            parts += [Mark(MarkName.NIL, 18), words(_("nil"), 21, Weight.BOLD)]
        else:
            parts.append(words(call_text(called.call), 21, Weight.BOLD))
    return Box((chip(side), row(*parts, gap=6)), gap=10, align=Align.CENTER, justify=Align.CENTER, grow=1, skin=RULED)


def _asked(look: Look, seat: Seat) -> Node:
    """A legal call with a question: record it, or choose again."""
    text = look.entries.asking
    call: Call = NIL if text == "nil" else Number(int(text)) if text.isdigit() else PASS
    verdict = _verdict(look, call)
    made = Do((CallMade(hand=look.hand.number, seat=seat, call=text, source="typed"),))
    said = Box((call_marks(call, 76),), align=Align.CENTER, justify=Align.CENTER, grow=1,
               skin=Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=10))  # fmt: skip
    again = button(_("Choose again"), Tap("again", Enter(replace(look.entries, asking=""))), h=64)
    record = button(_("Record {call}", call=call_words(call)), Tap("record", made), Kind.FORWARD, h=64)
    return column(banner(Tenor.CAUTION, verdict.warning or "", size=20), said, record, again, gap=10, grow=1)
