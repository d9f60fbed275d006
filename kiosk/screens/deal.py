"""Count before anyone bids; a deal that is not right is dealt again."""

from __future__ import annotations

from kiosk.screens.acts import Do, Open, Over
from kiosk.screens.check import recorded
from kiosk.screens.frame import Screen, actions, back, forward, hand_line, header
from kiosk.screens.look import Look, Urgency
from kiosk.text import _
from kiosk.theme import Tone, Weight
from kiosk.widgets.marks import MarkName
from kiosk.widgets.node import Align, Axis, Box, Tap
from kiosk.widgets.parts import bullet, button, column, note, panel, row, space, tally_box, words
from tallybox.events.table import HandCounted, HandVoided
from tallybox.said import template
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
    if look.state.hands and look.state.hands[-1].void is None:
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
    counted = Tap("forward", Do((HandCounted(hand=hand.number),)))
    return Screen(
        "deal", header(look, _("Count your cards"), hand_line(look)),
        Box((count, misdeal), gap=12, align=Align.STRETCH),
        actions(forward(_("All counted — start bidding"), counted)),
    )  # fmt: skip


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
