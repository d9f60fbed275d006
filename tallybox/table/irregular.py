"""What can go wrong in a hand as it stands: which irregularities, who may call them, and what a ruling would bring.

Pure answers for the screens; the acts themselves are in ``ruling.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tallybox.calls import Game, Strain
from tallybox.errors import SheetError
from tallybox.renewed import renewed
from tallybox.rules.auction import WhistContract
from tallybox.rules.hand import Phase, Ruling
from tallybox.rules.rulings import AUCTION_TECHS, RENEGES, TECHS, check_ruling
from tallybox.rules.settings import SpadesSettings
from tallybox.said import say
from tallybox.seats import Seat, Side
from tallybox.sheet import HandScore, score_sheet
from tallybox.table.overlay import laid_over, unanswered
from tallybox.table.shown import ended_here, hand_facts, sheet_facts
from tallybox.table.state import Hand, HandRuling, Irregularity, TableState

MAY: Final = ""
"""The reason of a seat that may offend: there is none against it."""

_IN_PLAY: Final = (
    "RENEGE_SUIT", "RENEGE_JOKER", "JOKER_DISCARD", "OUT_OF_TURN_PLAY", "REOPEN", "BAD_LAYDOWN", "MISDEAL_LATE",
)  # fmt: skip
_ANY_TIME: Final = ("TALK", "SIGNAL", "EXPOSED")
_NO_BID: Final = frozenset({"RENEGE_JOKER", "JOKER_DISCARD"})
_BIDDERS: Final = frozenset({"JOKER_DISCARD", "BAD_LAYDOWN"})
_RULES: Final[Mapping[str, str]] = {
    "OUT_OF_TURN_BID": "A-15", "VERBIAGE": "A-15", "MISDEAL_LATE": "A-08", "JOKER_DISCARD": "A-18",
    "BAD_LAYDOWN": "A-33",
}  # fmt: skip
_MSO_RULES: Final = {"EXPOSED": "B-27", "RENOUNCE": "B-27", "LEAD_TURN": "B-27", "REVOKE": "Q-16"}
_WSOS_RULES: Final = {"EXPOSED": "C-18", "RENOUNCE": "C-15", "LEAD_TURN": "C-17", "REVOKE": "C-14"}

NOT_YET: Final = frozenset({"calls-missing", "books-missing", "tricks-missing", "direction-missing"})
"""What a hand that is still being played lacks; anything else wrong with a ruling stays wrong."""


@dataclass(frozen=True, slots=True)
class IrregularityKind:
    """One irregularity that can be called now.

    ``title`` names it in the catalogue of texts. ``needs``: which of seat, card and accepted must be told. ``phase``:
    when it happened, as the hand stands. ``offenders`` says for each seat why it cannot be the one (``MAY`` if it can).
    """

    code: str
    title: str
    rule: str
    needs: frozenset[str]
    phase: Phase
    offenders: Mapping[Seat, str]

    def callers(self, offender: Side) -> tuple[Seat, ...]:
        """Who may call it against ``offender``: the opposing team alone for a renege or a Tech of bid whist."""
        return offender.other.seats if self.by_opponents else tuple(Seat)

    @property
    def by_opponents(self) -> bool:
        """Whether only the opposing team may call it."""
        return self.rule.startswith("A-") and self.code in RENEGES | TECHS


@dataclass(frozen=True, slots=True)
class Misdeal:
    """One way a deal goes wrong (A-06, B-04, C-03); ``reason`` is what ``hand.voided`` says of it."""

    code: str
    reason: str


_WHIST_MISDEALS: Final = (
    Misdeal("exposed", "exposed-in-deal"), Misdeal("count", "misdeal"), Misdeal("kitty-count", "misdeal"),
    Misdeal("no-kitty", "misdeal"), Misdeal("first-last", "misdeal"), Misdeal("deck", "misdeal"),
)  # fmt: skip
_SPADES_MISDEALS: Final = tuple(each for each in _WHIST_MISDEALS if each.code in ("exposed", "count", "deck"))


def misdeals(state: TableState) -> tuple[Misdeal, ...]:
    """Why the open deal can be dealt again; none once a card was played: then a late misdeal is an irregularity (A-08).

    In spades a card exposed after the count is no misdeal but an irregularity (B-27, C-18).
    """
    hand = state.hand
    if hand is None or hand.started:
        return ()
    if state.playing.ruleset.game is Game.BID_WHIST:
        return _WHIST_MISDEALS
    return tuple(each for each in _SPADES_MISDEALS if each.code != "exposed" or not hand.counted)


def kinds(state: TableState) -> tuple[IrregularityKind, ...]:
    """What can be called in the open hand as it stands; nothing while another irregularity waits for an official."""
    hand = state.hand
    if hand is None or unanswered(state, hand) or ended_here(state, hand):
        return ()
    return _whist_kinds(state, hand) if state.playing.ruleset.game is Game.BID_WHIST else _spades_kinds(state, hand)


def kind_of(state: TableState, code: str) -> IrregularityKind | None:
    """The irregularity with this code, if it can be called now."""
    return next((kind for kind in kinds(state) if kind.code == code), None)


def ruling_of(irregularity: Irregularity, official: str | None = None, *, proven: bool = True) -> Ruling:
    """What an official rules who agrees with the table, or finds it ``proven`` false."""
    return Ruling(
        irregularity.code, side=None if irregularity.code == "CLAIM" else irregularity.side, seat=irregularity.seat,
        caller=irregularity.caller, official=official, proven=proven, phase=irregularity.phase, card=irregularity.card,
        accepted=irregularity.accepted,
    )  # fmt: skip


def lines_if(state: TableState, ruling: Ruling) -> HandScore:
    """The open hand's lines if an official rules so: the whole hand where the ruling ends it, else its own lines.

    Raises ``SheetError`` for a ruling that the rules do not know or that does not fit the hand, or without a hand.
    """
    if state.hand is None:
        raise SheetError("no-hand", "No hand is open, so there is nothing to rule on.")
    check_ruling(state.playing.ruleset.settings, ruling, "ruling")
    hand = laid_over(state, state.hand)
    with_it = renewed(hand, rulings=(*hand.rulings, HandRuling("", ruling, by="")))
    try:
        return _scored(state, with_it)
    except SheetError as reason:
        if reason.code not in NOT_YET:
            raise
    alone = renewed(state.hand, void="director", rulings=(HandRuling("", ruling, by=""),))
    return replace(_scored(state, alone), void=False)


def settle_or_wait(state: TableState, hand: Hand) -> HandScore | None:
    """The open hand's score with the rulings on it; ``None`` when it goes on; ``SheetError`` for what misfits."""
    try:
        return _scored(state, hand)
    except SheetError as reason:
        if reason.code not in NOT_YET:
            raise
        return None


def _scored(state: TableState, hand: Hand) -> HandScore:
    before = sheet_facts(state)
    return score_sheet(replace(before, hands=(*before.hands[: len(state.hands)], hand_facts(hand)))).hands[-1]


def _whist_kinds(state: TableState, hand: Hand) -> tuple[IrregularityKind, ...]:
    if not hand.counted:
        return ()
    phase = Phase.PLAY if hand.started else Phase.BIDDING
    codes = _IN_PLAY if hand.started else tuple(sorted(AUCTION_TECHS))
    won = hand.contract(state.playing.ruleset)
    plain = not isinstance(won, WhistContract) or won.bid.strain is not Strain.NO
    bidders = won.side if isinstance(won, WhistContract) else None
    return tuple(
        IrregularityKind(code, _title(code), _RULES.get(code, "A-34"), _seat_of(code), phase, _offenders(code, bidders))
        for code in (*codes, *_ANY_TIME)
        if not (plain and code in _NO_BID)
    )


def _seat_of(code: str) -> frozenset[str]:
    """A late misdeal is a side's; everything else one seat's."""
    return frozenset() if code == "MISDEAL_LATE" else frozenset({"seat"})


def _offenders(code: str, bidders: Side | None) -> Mapping[Seat, str]:
    if code not in _BIDDERS or bidders is None:
        return dict.fromkeys(Seat, MAY)
    why = say("Only {side} can do that: the bid is theirs.", side=bidders.word)
    return {seat: MAY if seat.side is bidders else why for seat in Seat}


def _spades_kinds(state: TableState, hand: Hand) -> tuple[IrregularityKind, ...]:
    settings = state.playing.ruleset.settings
    assert isinstance(settings, SpadesSettings)
    rules = _WSOS_RULES if settings.club_text == "wsos-2007" else _MSO_RULES
    phase = Phase.PLAY if hand.locked else Phase.BIDDING if hand.counted else Phase.DEAL
    needs = {
        "EXPOSED": {"seat", "card"},
        "RENOUNCE": {"seat", "card"} if settings.renounce_points else {"seat"},
        "LEAD_TURN": {"seat", "accepted"},
        "REVOKE": {"seat"},
    }
    codes = tuple(needs) if hand.locked else ("EXPOSED",)
    return tuple(
        IrregularityKind(code, _title(code), rules[code], frozenset(needs[code]), phase, dict.fromkeys(Seat, MAY))
        for code in codes
    )


def _title(code: str) -> str:
    return code.lower().replace("_", "-")
