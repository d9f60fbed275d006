"""A player claims the rest, or the bidder gives the contract up: the other side answers (A-32, A-33, Q-48)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kiosk.screens.acts import Do, Enter, Open, Over
from kiosk.screens.chosen import seat_key
from kiosk.screens.entries import Raising
from kiosk.screens.frame import Screen, actions, back, forward, header, not_yet
from kiosk.screens.look import Look
from kiosk.screens.outcome import if_agreed
from kiosk.screens.turned import turn_button, turned
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import (
    RULED,
    Kind,
    boxed_word,
    button,
    column,
    icon_button,
    panel,
    row,
    rule,
    space,
    tally_box,
    words,
)
from tallybox.calls import call_words
from tallybox.events.rulings import ClaimOfTricksMade, SetConceded
from tallybox.events.table import Body, DirectorCalled
from tallybox.rules.auction import WhistContract
from tallybox.rules.hand import Ruling
from tallybox.said import say
from tallybox.seats import Seat
from tallybox.why import rule_text

CLAIMING: Final = "CLAIM"
CONCEDING: Final = "CONCEDE"
_UNSET: Final = Skin(ground=Tone.CARD, border=Tone.EDGE, line=2, radius=4, dashed=True)


def claim_button(look: Look, *, w: float = 96) -> Box:
    """Opens the claim."""
    return button(_("Claim"), Tap("claim", Open(Over.CLAIM, claim_about(look))), w=w)


def concede_button() -> Box:
    """Opens the concession."""
    return button(_("Concede"), Tap("concede", Open(Over.CONCEDE)), w=118)


def claim_about(look: Look) -> str:
    """The claim before this one: a sheet about it closes by itself once it is answered."""
    return look.hand.claim.id if look.hand.claim else ""


def claim(look: Look) -> Screen:
    """Who claims, what the others have, and whether they agree."""
    won = look.hand.contract(look.playing.ruleset)
    if isinstance(won, WhistContract):
        return _whist(look, won)
    return _spades(look)


def _whist(look: Look, won: WhistContract) -> Screen:
    side, others = won.side.other, look.entries.others
    seat = won.seat
    value: Node = (
        Mark(MarkName.NOT_YET, 56, Tone.INK2) if others is None else words(str(others), 92, Weight.BOLD, line=92)
    )
    keys = row(
        icon_button(MarkName.MINUS, _step(look, won, -1), w=72, h=72, size=30),
        icon_button(MarkName.PLUS, _step(look, won, 1), w=72, h=72, size=30),
        gap=14, justify=Align.CENTER,
    )  # fmt: skip
    left = column(
        tally_box(_("{side} have", side=side.word), value, h=146, skin=RULED if others is not None else _UNSET),
        keys,
        words(_("Books they took before the cards were laid down"), 17, Weight.MEDIUM, Tone.INK2, line=21, wrap=True,
              align=Align.CENTER),
        gap=12, w=190,
    )  # fmt: skip
    if others is None:
        rest = _("First set the books that {side} have.", side=side.word)
    else:
        rest = _("All others go to {side}: {books} with the kitty.", side=won.side.word, books=won.books - others)
    asks = (
        words(_("{seat} says: no losers.", seat=seat.word), 28, Weight.BOLD, line=34, align=Align.CENTER),
        words(rest, 19, Weight.MEDIUM, line=24, align=Align.CENTER, wrap=True),
    )
    return _asked(look, seat, left, asks, "A-33", ready=others is not None)


def _step(look: Look, won: WhistContract, by: int) -> Tap:
    now = look.entries.others
    moved = 0 if now is None else min(won.books - 1, max(0, now + by))
    return Tap("others:plus" if by > 0 else "others:minus", Enter(replace(look.entries, others=moved)), rapid=True)


def _spades(look: Look) -> Screen:
    made = look.entries.raising
    seat = made.seat if made.about == CLAIMING else None

    def pick(one: Seat) -> Enter:
        return Enter(replace(look.entries, raising=Raising(about=CLAIMING, seat=one)))

    keys = [
        row(*(seat_key(f"claims:{one}", one, pick(one), "", is_chosen=one is seat) for one in pair), gap=10, h=76,
            align=Align.STRETCH)
        for pair in ((Seat.N, Seat.E), (Seat.W, Seat.S))
    ]  # fmt: skip
    left = column(
        words(_("Who claims the rest?"), 19, Weight.SEMI, line=26), *keys, space(),
        words(_("The claimer says in which order the cards are played."), 17, Weight.MEDIUM, Tone.INK2, line=21,
              wrap=True),
        gap=10, w=190,
    )  # fmt: skip
    said = _("{seat} claims the rest.", seat=seat.word) if seat else _("First tap the seat that claims.")
    asks = (
        words(said, 28 if seat else 21, Weight.BOLD if seat else Weight.MEDIUM, line=34, align=Align.CENTER),
        words(_("Then each player's tricks are entered."), 19, Weight.MEDIUM, line=24, align=Align.CENTER, wrap=True),
    )
    return _asked(look, seat, left, asks, "Q-48", ready=seat is not None)


def _asked(look: Look, seat: Seat | None, left: Node, asks: tuple[Node, ...], rule_id: str, *, ready: bool) -> Screen:
    """The claim on a card that is turned to the side that answers."""
    side = seat.side.other if seat is not None else look.bottom.side
    question = words(_("{side}: do you agree?", side=side.word), 21, Weight.SEMI, line=27, align=Align.CENTER)
    answers: tuple[Node, ...] = ()
    if ready and seat is not None:
        answers = (question, _answer(look, seat, agreed=True), _answer(look, seat, agreed=False))
    card = turned(look, side, *asks, *answers, row(space(), boxed_word(rule_id, Tone.INK2), space()))
    title = _("A claim: do the others agree?") if seat is None else _("{seat} claims: do they agree?", seat=seat.word)
    turn: tuple[Node, ...] = () if seat is None else (turn_button(look, side),)
    small = _("Hand {hand} · the cards stay on the table", hand=look.hand.number)
    return Screen("claim-of-tricks", header(look, title, small), Box((left, card), gap=14, align=Align.STRETCH),
                  actions(back(_("Back to play"), w=180), *turn, space()))  # fmt: skip


def _answer(look: Look, seat: Seat, *, agreed: bool) -> Box:
    made: tuple[Body, ...] = (ClaimOfTricksMade(hand=look.hand.number, seat=seat, agreed=agreed),)
    if agreed:
        return button(_("We agree"), Tap("claim:yes", Do(made)), Kind.FORWARD, h=58, size=23)
    if look.state.calling is None:
        made = (*made, DirectorCalled(reason=str(say("{seat} claims, not agreed", seat=seat.word))))
    return button(_("We do not agree: director"), Tap("claim:no", Do(made)), Kind.CALL, h=58, size=20)


def agreed_books(look: Look, won: WhistContract) -> int | None:
    """The bidders' books by the claim that both sides agreed to; none without one."""
    made, others = look.hand.claim, look.entries.others
    return won.books - others if made is not None and made.agreed and others is not None else None


# --- conceding


def concede(look: Look) -> Screen | None:
    """Only the bidder gives the contract up; asked by seat, because four people sit around this panel."""
    won = look.hand.contract(look.playing.ruleset)
    if not isinstance(won, WhistContract):
        return None
    made = look.entries.raising
    sure = made.about == CONCEDING and made.seat is won.seat
    only = _("Only the bidder, {seat}, may concede the set.", seat=won.seat.word)

    def pick(seat: Seat) -> Enter:
        return Enter(replace(look.entries, raising=Raising(about=CONCEDING, seat=seat)))

    keys = [
        row(*(seat_key(f"concedes:{seat}", seat, pick(seat), "" if seat is won.seat else only,
                       is_chosen=sure and seat is won.seat) for seat in pair), gap=10, h=84, align=Align.STRETCH)
        for pair in ((Seat.N, Seat.E), (Seat.W, Seat.S))
    ]  # fmt: skip
    left = column(words(_("Who gives the contract up?"), 19, Weight.SEMI, line=26), *keys, space(), gap=10, w=250)
    outcome = if_agreed(look, Ruling("CONCEDED", side=won.side, seat=won.seat))
    right = panel(
        row(words(_("What the rule says"), 20, Weight.BOLD, line=26, grow=1), boxed_word("A-32", Tone.INK2)),
        words(rule_text("A-32"), 19, line=24, wrap=True), space(), rule(),
        words(_("If {seat} concedes", seat=won.seat.word), 20, Weight.BOLD, line=28), *outcome.rows,
        gap=6,
    )  # fmt: skip
    if sure:
        conceded = Do((SetConceded(hand=look.hand.number, seat=won.seat),))
        go = forward(_("{seat} concedes the set", seat=won.seat.word), Tap("concede:yes", conceded))
    else:
        go = not_yet(_("Tap the seat that concedes"), only)
    small = _("Hand {hand} · {call} by {seat}", hand=look.hand.number, call=call_words(won.bid), seat=won.seat.word)
    return Screen("concede", header(look, _("Who concedes?"), small), Box((left, right), gap=12, align=Align.STRETCH),
                  actions(back(_("Back to play"), w=180), go))  # fmt: skip
