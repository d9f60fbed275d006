"""Describe first, rule later: what happened, who calls it, against which seat, and what would come of it (k08)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import AskDirector, Do, Enter, Open
from kiosk.screens.cards import SUITS, card_face, card_keys, spoken
from kiosk.screens.chosen import listed, opened, seat_key
from kiosk.screens.early import early_seats, early_sheet
from kiosk.screens.entries import Raising
from kiosk.screens.frame import Screen, actions, back, header, not_yet
from kiosk.screens.kinds import kind_name, kind_rule, kind_said
from kiosk.screens.look import Look
from kiosk.screens.outcome import if_agreed, rule_words
from kiosk.screens.turned import turn_button, turned
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Act, Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    PANEL,
    Kind,
    Tenor,
    banner,
    boxed_word,
    button,
    chip,
    column,
    panel,
    row,
    rule,
    space,
    words,
)
from tallybox.calls import call_words
from tallybox.events.rulings import IrregularityRaised
from tallybox.events.table import Body, DirectorCalled
from tallybox.rules.auction import WhistContract
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.settings import SpadesSettings
from tallybox.said import Said, say
from tallybox.seats import Seat, Side
from tallybox.table.fold import judge
from tallybox.table.irregular import IrregularityKind, kind_of, kinds, ruling_of
from tallybox.table.state import Irregularity

WHAT: Final = "what"
CARD: Final = "card"
STANDS: Final = "stands"


def irregularity(look: Look, asked: Open) -> Screen:
    """The whole, or the one thing that is being chosen."""
    draft = draft_of(look, asked)
    kind = kind_of(look.state, draft.code)
    if draft.page != WHAT and draft.code == "BID_TURN" and early_seats(look):
        return early_sheet(look, draft)
    if draft.page == WHAT or kind is None:
        return _what(look, draft)
    if draft.page == CARD:
        return _which_card(look, draft)
    if draft.page == STANDS and draft.seat is not None:
        return _stands(look, draft, draft.seat)
    return _whole(look, draft, kind)


def draft_of(look: Look, asked: Open) -> Raising:
    """What was chosen so far, or what the sheet was opened for."""
    made = look.entries.raising
    if made.about == asked.about:
        return made
    code, _slash, seat = asked.about.partition("/")
    return Raising(about=asked.about, code=code, seat=Seat(seat) if seat else None)


def chosen(look: Look, draft: Raising, **changes: object) -> Enter:
    """The draft with these parts chosen."""
    return Enter(replace(look.entries, raising=replace(draft, **changes)))  # type: ignore[arg-type]


def small_line(look: Look) -> str:
    """What the hand is about, under the word that something went wrong."""
    hand = look.hand
    won = hand.contract(look.playing.ruleset)
    if not isinstance(won, WhistContract):
        return _("Irregularity · Hand {hand}", hand=hand.number)
    call = call_words(won.bid) + (f" {hand.direction.value.upper()}" if hand.direction else "")
    return _("Irregularity · Hand {hand} · {call} by {seat}", hand=hand.number, call=call, seat=won.seat.word)


# --- what happened


def _what(look: Look, draft: Raising) -> Screen:
    keys = [_named(look, draft, code) for code in _codes(look)]
    if not keys:
        return _nothing(look)
    half = -(-len(keys) // 2)
    columns = [
        Box(tuple(part) + tuple(Box(grow=1) for _gap in range(half - len(part))), Axis.COLUMN, 8, align=Align.STRETCH,
            grow=1)
        for part in (keys[:half], keys[half:])
    ]  # fmt: skip
    least = 4 - half
    filler: tuple[Node, ...] = (Box(h=58 * least),) if least > 0 else ()
    body = Box((Box(tuple(columns), Axis.ROW, 10, align=Align.STRETCH, grow=1), *filler), Axis.COLUMN, 8,
               align=Align.STRETCH)  # fmt: skip
    bar = actions(back(_("Cancel"), w=150), space())
    return Screen("irregular-what", header(look, _("What happened?"), small_line(look)), body, bar)


def _nothing(look: Look) -> Screen:
    """Nothing that the rules know can have happened here; the director can be called all the same."""
    body = panel(
        space(),
        words(_("Nothing of the list can happen here"), 32, Weight.BOLD, line=40, align=Align.CENTER, wrap=True),
        words(_("Call the director for anything else."), 22, Weight.MEDIUM, Tone.INK2, line=30, align=Align.CENTER),
        space(),
    )  # fmt: skip
    ask = button(_("Call the director"), Tap("ask-director", AskDirector(True)), Kind.CALL, grow=1, icon=MarkName.BELL)
    title = header(look, _("What happened?"), small_line(look))
    return Screen("irregular-none", title, body, actions(back(_("Cancel"), w=150), ask))


def _codes(look: Look) -> tuple[str, ...]:
    """What can be called now; in spades a bid before the turn is the other side's to answer, not an official's."""
    early = ("BID_TURN",) if early_seats(look) else ()
    return (*early, *(kind.code for kind in kinds(look.state)))


def _named(look: Look, draft: Raising, code: str) -> Box:
    act = chosen(look, Raising(about=draft.about, caller=draft.caller), code=code)
    return listed(kind_name(look, code), Tap(f"what:{code}", act), is_chosen=code == draft.code)


# --- the whole


def _whole(look: Look, draft: Raising, kind: IrregularityKind) -> Screen:
    against = _("3 · Against which seat") if "seat" in kind.needs else _("3 · Against which side")
    left = column(
        words(_("1 · What happened"), 18, Weight.MEDIUM, Tone.INK2, line=22),
        opened(kind_name(look, draft.code), Tap("what", chosen(look, draft, page=WHAT))),
        words(_("2 · Who calls it"), 18, Weight.MEDIUM, Tone.INK2, line=22),
        row(*(_seat(draft, kind, seat, look, caller=True) for seat in Seat), gap=8, grow=1, align=Align.STRETCH),
        words(against, 18, Weight.MEDIUM, Tone.INK2, line=22),
        _against(look, draft, kind),
        _foot(look, draft, kind),
        gap=6, w=320,
    )  # fmt: skip
    body = Box((left, _rule(look, draft, kind)), gap=12, align=Align.STRETCH)
    card: tuple[Node, ...] = ()
    if _takes_card(draft, kind):
        card = (_card_button(look, draft),)
    bar = actions(back(_("Cancel"), w=128), *card, _call(look, draft, kind))
    return Screen("irregular", header(look, _("Keep your cards in your hands"), small_line(look)), body, bar)


def _card_button(look: Look, draft: Raising) -> Box:
    """Which card, or the one that was chosen."""
    tap = Tap("card", chosen(look, draft, page=CARD))
    if draft.card is None:
        return button(_("Card…"), tap, w=112)
    mark, _word = SUITS[draft.suit]
    figure = "10" if draft.rank == "T" else draft.rank
    return button(figure, tap, w=112, size=28, before=Mark(mark, 26))


def _against(look: Look, draft: Raising, kind: IrregularityKind) -> Node:
    """The four seats, or the two sides for what is a side's doing."""
    if "seat" in kind.needs:
        return row(*(_seat(draft, kind, seat, look, caller=False) for seat in Seat), gap=8, grow=1, align=Align.STRETCH)
    keys = []
    for side in Side:
        is_chosen = draft.seat is not None and draft.seat.side is side
        act = chosen(look, draft, seat=None if is_chosen else side.seats[0])
        reason = "" if is_chosen else _cannot_offend(draft, kind, side.seats[0])
        face = seat_key(f"side:{side}", side.seats[0], act, reason, is_chosen=is_chosen)
        ink = Tone.CARD if is_chosen else Tone.INK
        named = words(_("Team {team}", team=look.number(side)), 19, Weight.SEMI, ink)
        keys.append(replace(face, children=(chip(side), named), gap=8))
    return row(*keys, gap=8, grow=1, align=Align.STRETCH)


def _seat(draft: Raising, kind: IrregularityKind, seat: Seat, look: Look, *, caller: bool) -> Box:
    is_chosen = seat is (draft.caller if caller else draft.seat)
    picked = None if is_chosen else seat
    act = chosen(look, draft, caller=picked) if caller else chosen(look, draft, seat=picked, accepted=None)
    cannot = _cannot_call if caller else _cannot_offend
    reason = "" if is_chosen else cannot(draft, kind, seat)
    return seat_key(f"{'caller' if caller else 'seat'}:{seat}", seat, act, reason, is_chosen=is_chosen)


def _cannot_offend(draft: Raising, kind: IrregularityKind, seat: Seat) -> str:
    """Why it cannot be this seat as the rest stands; empty when it can."""
    if kind.offenders[seat]:
        return kind.offenders[seat]
    if draft.caller is not None and draft.caller not in kind.callers(seat.side):
        return _("{caller} calls it, and {seat} is on the same side. Only the other team may call it.",
                 caller=draft.caller.word, seat=seat.word)  # fmt: skip
    return ""


def _cannot_call(draft: Raising, kind: IrregularityKind, seat: Seat) -> str:
    """Why this seat cannot call it as the rest stands; empty when it can."""
    if draft.seat is not None and seat not in kind.callers(draft.seat.side):
        return _("{caller} and {seat} are on the same side. Only the other team may call it.", caller=seat.word,
                 seat=draft.seat.word)  # fmt: skip
    against = [one for one in Seat if not kind.offenders[one]]
    if against and all(seat not in kind.callers(one.side) for one in against):
        return _("{seat} is on the side that can have done it. Only the other team may call it.", seat=seat.word)
    return ""


def _raised(look: Look, draft: Raising, kind: IrregularityKind) -> IrregularityRaised:
    """The fact as it would be written."""
    assert draft.caller is not None
    assert draft.seat is not None
    return IrregularityRaised(
        hand=look.hand.number, code=kind.code, side=draft.seat.side, caller=draft.caller,
        seat=draft.seat if "seat" in kind.needs else None, card=draft.card,
        accepted=draft.accepted if "accepted" in kind.needs else None,
    )  # fmt: skip


def _needs_card(look: Look, draft: Raising, kind: IrregularityKind) -> bool:
    """Whether the points depend on the card; a lead that stands has none."""
    settings = look.playing.ruleset.settings
    if kind.code == "LEAD_TURN":
        return isinstance(settings, SpadesSettings) and settings.lead_points and draft.accepted is False
    return "card" in kind.needs


def _takes_card(draft: Raising, kind: IrregularityKind) -> bool:
    """Whether a card belongs to it; in bid whist an exposed card is named if one likes."""
    if kind.code == "LEAD_TURN":
        return draft.accepted is False
    return "card" in kind.needs or kind.code in {"EXPOSED", "RENOUNCE"}


def _foot(look: Look, draft: Raising, kind: IrregularityKind) -> Node:
    """What has to be known besides, or the one thing to mind."""
    if "accepted" in kind.needs and draft.seat is not None:
        asked = draft.seat.side.other
        if draft.accepted is None:
            said = _("Ask {side}: does it stand?", side=asked.word)
            return button(said, Tap("stands", chosen(look, draft, page=STANDS)), Kind.CHOICE, h=58, size=20)
        answer = _("{side}: it stands.", side=asked.word) if draft.accepted else _("{side}: it does not stand.",
                                                                                      side=asked.word)  # fmt: skip
        return banner(Tenor.INFO, answer, size=18, h=58, tap=Tap("stands", chosen(look, draft, page=STANDS)))
    if draft.card:
        return Box((card_face(draft.card),), Axis.ROW, pad=(0, 14, 0, 14), align=Align.CENTER, h=58, skin=PANEL)
    if look.whist:
        return banner(Tenor.INFO, _("Only the other team may call it."), size=18, h=58)
    return banner(Tenor.INFO, _("Anybody at the table may call the director."), size=18, h=58)


def _rule(look: Look, draft: Raising, kind: IrregularityKind) -> Node:
    """The rule in our words, then what would come of it."""
    rule_id = kind_rule(look, kind.code)
    result = if_agreed(look, _ruling(draft, kind, look), _waits(draft, kind))
    said = row(Box(w=4, skin=Skin(ground=Tone.INK)), rule_words(result.rule or rule_id), gap=10, align=Align.STRETCH)
    head = row(words(_("What the rule says"), 20, Weight.BOLD, line=26, grow=1),
               boxed_word(result.rule or rule_id, Tone.INK2))  # fmt: skip
    return Box(
        (head, said, space(), rule(), words(_("If the director agrees"), 20, Weight.BOLD, line=28), *result.rows),
        Axis.COLUMN, 6, (11, 16, 10, 16), Align.STRETCH, grow=1, skin=PANEL,
    )  # fmt: skip


def _ruling(draft: Raising, kind: IrregularityKind, look: Look) -> Ruling | None:
    """What an official rules who agrees; none while too little is told."""
    if draft.seat is None or ("accepted" in kind.needs and draft.accepted is None):
        return None
    if _needs_card(look, draft, kind) and draft.card is None:
        return None
    bidding = kind.phase is Phase.BIDDING
    matters = bidding if look.whist else kind.code == "EXPOSED"
    told = Irregularity(
        "", kind.code, draft.seat.side, draft.caller or draft.seat.left,
        seat=draft.seat if "seat" in kind.needs else None, card=draft.card, phase=kind.phase if matters else None,
        accepted=draft.accepted,
    )  # fmt: skip
    return ruling_of(told)


def _waits(draft: Raising, kind: IrregularityKind) -> str:
    """What has to be told before the points can be shown."""
    if draft.seat is None:
        return _("Tap the seat it is against: then the points of both sides stand here.")
    if "accepted" in kind.needs and draft.accepted is None:
        return _("First the other side says whether it stands.")
    return _("Name the card: the points depend on it.")


def _call(look: Look, draft: Raising, kind: IrregularityKind) -> Node:
    """The way on, or what is missing."""
    label = _("Call the director to rule")
    if draft.caller is None or draft.seat is None:
        missing = _("Say who calls it") if draft.caller is None else _("Say against which seat")
        return not_yet(missing, _("Tap the seat that calls it, and the seat it is against."))
    if "accepted" in kind.needs and draft.accepted is None:
        side = draft.seat.side.other.word
        return not_yet(_("{side} decide first", side=side), _("First ask {side} whether it stands.", side=side))
    if _needs_card(look, draft, kind) and draft.card is None:
        return not_yet(_("Name the card"), _("The points depend on the card. Tap “Card…”."))
    raised = _raised(look, draft, kind)
    refusal = judge(look.state, raised)
    if refusal is not None:
        return not_yet(_("It cannot be called so"), refusal.message)
    bodies: tuple[Body, ...] = (raised,)
    if look.state.calling is None:
        bodies = (raised, DirectorCalled(reason=str(called_for(look, raised))))
    return button(label, Tap("call", Do(bodies)), Kind.CALL_NOW, grow=1, icon=MarkName.BELL, size=23)


def called_for(look: Look, raised: IrregularityRaised | Irregularity) -> Said:
    """What was called, by whom and against whom: on the screen, and at the desk before the director comes."""
    whose = raised.seat.word if raised.seat else raised.side.word
    what = kind_said(look, raised.code)
    return say("{what} by {seat}, called by {caller}", what=what, seat=whose, caller=raised.caller.word)


# --- which card, and whether a lead stands


def _which_card(look: Look, draft: Raising) -> Screen:
    def pick(suit: str, rank: str) -> Act:
        return chosen(look, draft, suit=suit, rank=rank)

    done = chosen(look, draft, page="")
    if draft.card is None:
        go: Node = not_yet(_("Tap suit and rank"), _("Tap the suit above and the rank below it."))
    else:
        go = button(_("It is the {card}", card=spoken(draft.card)), Tap("card-chosen", done), Kind.FORWARD, grow=1)
    bar = actions(button(_("No card"), Tap("no-card", chosen(look, draft, suit="", rank="", page="")), w=150), go)
    keys = card_keys(draft.suit, draft.rank, pick)
    return Screen("irregular-card", header(look, _("Which card?"), small_line(look)), keys, bar)


def _stands(look: Look, draft: Raising, seat: Seat) -> Screen:
    """The other side accepts the lead or not, before anybody is called (B-27, C-17)."""
    side = seat.side.other
    rule_id = kind_rule(look, draft.code)

    def answer(key: str, label: str, small: str, *, accepted: bool) -> Box:
        act = chosen(look, draft, accepted=accepted, page="")
        return Box(
            (words(label, 24, Weight.BOLD, line=30), words(small, 16, Weight.MEDIUM, Tone.INK2, line=20)),
            Axis.COLUMN, 2, (8, 14, 8, 14), Align.CENTER, Align.CENTER, h=74,
            skin=Skin(ground=Tone.CARD, border=Tone.INK, line=3, radius=8), tap=Tap(key, act),
        )  # fmt: skip

    card = turned(
        look, side,
        words(_("{seat} led before its turn.", seat=seat.word), 26, Weight.BOLD, line=32, align=Align.CENTER),
        words(_("{side}: does the lead stand?", side=side.word), 21, Weight.SEMI, line=28, align=Align.CENTER,
              wrap=True),
        answer("stands:yes", _("The lead stands"), _("play goes on from it"), accepted=True),
        answer("stands:no", _("It does not stand"), _("the card is taken up as the rule says"), accepted=False),
        row(space(), boxed_word(rule_id, Tone.INK2), space()),
    )  # fmt: skip
    bar = actions(button(_("Back"), Tap("stands:back", chosen(look, draft, page="")), icon=MarkName.LEFT, w=130),
                  turn_button(look, side), space())  # fmt: skip
    title = _("Does the lead stand?")
    return Screen("irregular-stands", header(look, title, small_line(look)), card, bar)
