"""An official takes a hand out of the count: which, what becomes of it, why."""

from __future__ import annotations

from kiosk.screens.frame import Screen, forward, not_yet
from kiosk.screens.guided import (
    back_to_page,
    compared,
    drafted,
    guided,
    hand_at,
    places,
    reason_page,
    sentence_alone,
    tried,
    which_hand,
)
from kiosk.screens.look import Look
from kiosk.screens.menu import visitor
from kiosk.text import _
from kiosk.theme import Weight
from kiosk.widgets.node import Node, Tap
from kiosk.widgets.parts import bullet, panel, space, words
from tallybox.events.table import HandVoided
from tallybox.table.overlay import rests_on


def void(look: Look) -> Screen:
    """A hand does not count, and why."""
    draft, state = look.entries.draft, look.state
    if draft.place is None:
        return which_hand(look, "void-which", _("Which hand does not count?"), places(look),
                          lambda place: drafted(look, place=place, page="lines"))  # fmt: skip
    hand = hand_at(state, draft.place)
    if hand is None:
        return which_hand(look, "void-which", _("Which hand does not count?"), places(look),
                          lambda place: drafted(look, place=place, page="lines"))  # fmt: skip

    def made(reason: str) -> HandVoided:
        return HandVoided(hand=hand.number, reason="director", official=visitor(look).id, why=reason)

    if draft.page in {"reason", "writing"}:
        ready = (
            _("A misdeal that was found after the bidding."),
            _("The cards were mixed. The hand cannot be played."),
            _("The director has all four deal again."),
        )
        said = _("Hand {hand} is void. The same dealer deals again.", hand=hand.number)
        return reason_page(look, "void-why", ready, lambda reason: (made(reason), said),
                           _("Void hand {hand}", hand=hand.number), back=back_to_page(look, "lines"))  # fmt: skip
    is_open = draft.place >= len(state.hands)
    after = tried(look, made("–"), () if is_open else rests_on(state, hand))
    title = _("Hand {hand}: before and after", hand=hand.number)
    again = back_to_page(look, "", place=None)
    if isinstance(after, str):
        return guided(look, "void-lines", title, sentence_alone(after), again, not_yet(_("Say why"), after))
    label = forward(_("Say why"), Tap("forward", drafted(look, page="reason")))
    if is_open:
        return guided(look, "void-lines", title, _dealt_again(hand.number, hand.dealer.word), again, label)
    return guided(look, "void-lines", title, compared(look, draft.place, after), again, label)


def _dealt_again(number: int, dealer: str) -> Node:
    return panel(
        words(_("The open hand is dealt again"), 28, Weight.BOLD, line=36),
        space(h=6),
        bullet(_("Its bids and its result score for nobody."), 21),
        bullet(_("{seat} deals again. It stays hand {hand}.", seat=dealer, hand=number), 21),
        bullet(_("The sheet shows the void deal with your name and your reason."), 21),
        space(),
        pad=(20, 22, 20, 22), gap=10,
    )  # fmt: skip
