"""Count before anyone bids; a deal that is not right is dealt again."""

from __future__ import annotations

from dataclasses import replace

from kiosk.screens.acts import Do, Open, Over
from kiosk.screens.auction import irregularity
from kiosk.screens.check import recorded
from kiosk.screens.frame import Screen, actions, back, forward, hand_line, header
from kiosk.screens.look import Look, Urgency
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Mark, Node, Skin, Tap
from kiosk.widgets.parts import bullet, button, chip, column, note, panel, row, space, tally_box, words
from tallybox.events.rulings import BidDeckWaived
from tallybox.events.table import HandCounted, HandVoided
from tallybox.rules.settings import SpadesSettings
from tallybox.said import template
from tallybox.seats import Side
from tallybox.table.irregular import kinds
from tallybox.table.overlay import laid
from tallybox.table.steps import next_dealer, next_number

MISDEALS = {
    "exposed": template("A card was shown in the deal"),
    "count": template("A hand has too many or too few"),
    "kitty-count": template("The kitty has too many or too few"),
    "no-kitty": template("There is no kitty"),
    "kitty-place": template("First or last four in the kitty"),
    "deck": template("The deck is not complete"),
}
"""The misdeals of bid whist (A-06), in the order of the list."""


def next_hand(look: Look) -> Screen:
    """Between two hands: what was recorded stays for a moment, then the next deal opens by itself."""
    dealer = next_dealer(look.state)
    number = next_number(look.state)
    if look.state.clock_ended or look.clock.urgency is Urgency.UP or dealer is None:
        on = _("No new hand begins")
    else:
        on = _("{seat} deals hand {hand}", seat=dealer.word, hand=number)
    if look.state.hands and laid(look.state)[-1].void is None:
        return recorded(look, on)
    body = panel(
        space(),
        words(_("Hand {hand}", hand=number), 76, Weight.BOLD, line=76, align=Align.CENTER),
        words(on, 28, Weight.SEMI, line=36, align=Align.CENTER),
        space(),
    )
    return Screen("next-hand", header(look, _("The next hand")), body, actions(note(on, MarkName.SHUFFLE)))


def deal(look: Look) -> Screen:
    """How many cards each player and the kitty must have, and what to mind."""
    hand = look.hand
    each, kitty = (12, 6) if look.whist else (13, 0)
    boxes = [tally_box(_("Each hand"), words(str(each), 104, Weight.BOLD, line=110), w=144, h=143)]
    if kitty:
        boxes.append(tally_box(_("Kitty"), words(str(kitty), 104, Weight.BOLD, line=110), w=132, h=143))
    dealer = column(
        words(_("Dealer"), 20, Weight.MEDIUM, Tone.INK2, line=25),
        words(hand.dealer.word, 36, Weight.BOLD, line=40),
        words(look.player(hand.dealer), 19, line=24, cut=True),
        gap=2, grow=1,
    )  # fmt: skip
    count = panel(
        row(*boxes, dealer, gap=16, align=Align.CENTER),
        space(),
        *(bullet(reminder, 21) for reminder in _reminders(look)),
        pad=(10, 18, 16, 18), gap=9,
    )  # fmt: skip
    misdeal = panel(
        words(_("Deal not right?"), 20, Weight.BOLD, line=24),
        words(_("Before a card is played the same dealer deals again. The hand number stays."), 18, Weight.MEDIUM,
              Tone.INK2, line=23, wrap=True),
        space(),
        button(_("Misdeal…"), Tap("misdeal", Open(Over.MISDEAL)), h=60),
        w=178,
    )  # fmt: skip
    right: Node = misdeal
    if _deck_asked(look):
        short = replace(misdeal, w=None, children=(misdeal.children[0], misdeal.children[-1]))
        right = column(_bid_deck(look), short, gap=10, w=226)
    counted = Tap("forward", Do((HandCounted(hand=hand.number),)))
    wrong = (irregularity(),) if kinds(look.state) else ()
    return Screen(
        "deal", header(look, _("Count your cards"), hand_line(look)),
        Box((count, right), gap=12, align=Align.STRETCH),
        actions(*wrong, forward(_("All counted — start bidding"), counted)),
    )  # fmt: skip


def _deck_asked(look: Look) -> bool:
    """Before the first bid, where the rules let both teams decline the bid cards (C-05)."""
    settings = look.playing.ruleset.settings
    if not isinstance(settings, SpadesSettings) or settings.bid_deck != "waive_by_both":
        return False
    return not look.state.hands


def _bid_deck(look: Look) -> Box:
    """The bid cards are used unless both teams do without them."""
    waived = look.state.deck_waived
    if waived == frozenset(Side):
        said = _("No bid cards: both teams type their bids.")
    elif waived:
        said = _("Used, unless {side} decline it too.", side=next(side for side in Side if side not in waived).word)
    else:
        said = _("Used, unless both teams decline it.")
    return panel(
        words(_("Bid deck?"), 20, Weight.BOLD, line=24),
        words(said, 17, Weight.MEDIUM, Tone.INK2, line=21, wrap=True),
        space(),
        *(_declines(look, side) for side in Side),
        gap=6, pad=(10, 12, 10, 12),
    )  # fmt: skip


def _declines(look: Look, side: Side) -> Node:
    if side in look.state.deck_waived:
        return Box(
            (Mark(MarkName.CHECK, 22, Tone.BAIZE, 3), chip(side, 16), words(_("decline"), 19, Weight.SEMI)),
            gap=8, align=Align.CENTER, justify=Align.CENTER, h=50,
            skin=Skin(ground=Tone.BAIZESOFT, border=Tone.BAIZE, line=2, radius=8),
        )  # fmt: skip
    act = Do((BidDeckWaived(side=side),))
    return button(_("We decline"), Tap(f"deck:{side}", act), h=50, size=19, before=chip(side, 16))


def _reminders(look: Look) -> tuple[str, ...]:
    if look.whist:
        return (
            _("Last card goes to the dealer"),
            _("Kitty: no two in a row, not the first or last four"),
            _("Nobody picks up before the deal is complete"),
        )
    cutter = look.hand.dealer.left.left.left
    return (
        _("{seat}, on the dealer's right, is offered the cut", seat=cutter.word),
        _("A card the dealer shows: deal again"),
        _("Count to 13 before anyone bids"),
    )


def misdeal(look: Look) -> Screen:
    """Why the deal does not count: one tap, and the same dealer deals the same hand again."""
    hand = look.hand
    codes = MISDEALS if look.whist else {code: MISDEALS[code] for code in ("exposed", "count", "deck")}
    rows = []
    items = list(codes.items())
    for start in range(0, len(items), 2):
        pair = [_reason(look, code, text) for code, text in items[start : start + 2]]
        rows.append(Box(tuple(pair), Axis.ROW, 10, align=Align.STRETCH, grow=1))
    note_line = words(
        _("{seat} deals hand {hand} again. Nothing is scored.", seat=hand.dealer.word, hand=hand.number),
        20, Weight.MEDIUM, Tone.INK2, line=30,
    )  # fmt: skip
    body = Box((*rows, note_line), Axis.COLUMN, 10, align=Align.STRETCH)
    return Screen(
        "misdeal", header(look, _("What went wrong in the deal?"), hand_line(look)), body,
        actions(back(_("Back to the deal"), w=230), space()),
    )  # fmt: skip


def _reason(look: Look, code: str, text: str) -> Box:
    reason = "exposed-in-deal" if code == "exposed" else "misdeal"
    voided = HandVoided(hand=look.hand.number, reason=reason, code=code)  # type: ignore[arg-type]
    tap = Tap(f"misdeal:{code}", Do((voided,)))
    plain = button("", tap, grow=1)
    label = words(_(text), 20, Weight.SEMI, line=26, wrap=True, align=Align.CENTER, grow=1)
    return Box((label,), pad=(6, 14, 6, 14), align=Align.CENTER, grow=1, skin=plain.skin, tap=tap)
