"""The spades auction: four bids, one each, none above another (B-10 to B-16, C-04)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tallybox.calls import NIL, Call, Nil, Number, call_words
from tallybox.rules.bidding import Made, SpadesContract, Verdict
from tallybox.rules.settings import SpadesSettings
from tallybox.said import joined, say
from tallybox.seats import Seat, Side


def keypad(settings: SpadesSettings) -> tuple[Nil | Number, ...]:
    """Every bid there is, in keypad order."""
    return (NIL, *(Number(tricks) for tricks in range(1, settings.max_bid + 1)))


def judge(
    settings: SpadesSettings, seat: Seat | None, made: Sequence[Made], call: Call, locked: Mapping[Seat, Call]
) -> Verdict:
    """The verdict on one bid by the seat in turn.

    A declined bid is repeated where the rules lock it, unless what partner bid since then has made it illegal.
    """
    if seat is None:
        return Verdict(False, "B-10", "auction-over", say("All four have bid. Nobody bids a second time."))
    must = locked.get(seat, call) if settings.declined_bid_locked else call
    if must != call and _judge_bid(settings, seat, made, must).legal:
        message = say("{seat} bid {call} out of turn and must now repeat it. Bid {call}.", seat=seat.word,
                      call=call_words(must))  # fmt: skip
        return Verdict(False, "C-16", "must-repeat", message, must)
    return _judge_bid(settings, seat, made, call)


def deck_in_use(settings: SpadesSettings, declined: Collection[Side]) -> bool:
    """Whether the bids are laid as cards: always, or unless both sides decline the deck (B-11, C-05)."""
    return settings.bid_deck == "always" or set(declined) != set(Side)


def contract(made: Sequence[Made]) -> SpadesContract:
    """The four bids as a contract."""
    return SpadesContract({entry.seat: entry.call for entry in made if isinstance(entry.call, Nil | Number)})


def _judge_bid(settings: SpadesSettings, seat: Seat, made: Sequence[Made], call: Call) -> Verdict:
    if not isinstance(call, Nil | Number):
        message = say("{call} is not a spades bid. Bid a number, or NIL.", call=call_words(call))
        return Verdict(False, "B-10", "not-a-call", message)
    partner = next((entry.call for entry in made if entry.seat is seat.partner), None)
    if isinstance(call, Nil):
        return _judge_nil(settings, seat, partner)
    return _judge_number(settings, seat, partner, call)


def _judge_nil(settings: SpadesSettings, seat: Seat, partner: Call | None) -> Verdict:
    if not isinstance(partner, Nil) or settings.both_nil == "allow":
        return Verdict(True, "B-10")
    if settings.both_nil == "forbid":
        message = say("{partner} has bid NIL, and only one partner may. {seat} must bid a number.",
                      partner=seat.partner.word, seat=seat.word)  # fmt: skip
        return Verdict(False, "Q-22", "both-nil", message)
    return Verdict(True, "B-14", warning=say("Both partners nil: two separate contracts. Record it?"))


def _judge_number(settings: SpadesSettings, seat: Seat, partner: Call | None, call: Number) -> Verdict:
    most = settings.max_bid
    if not 1 <= call.tricks <= most:
        zero = [say("0 is not a bid; NIL is a bid of its own.")] if call.tricks == 0 else []
        message = joined(
            say("{tricks} cannot be bid here.", tricks=call.tricks), *zero,
            say("{seat} bids 1 to {most}, or NIL.", seat=seat.word, most=most),
        )  # fmt: skip
        return Verdict(False, "C-04" if settings.club_text == "wsos-2007" else "B-12", "not-a-bid", message)
    if partner is None:
        return Verdict(True, "B-10", warning=_queen(settings, call))
    team = call.tricks + (partner.tricks if isinstance(partner, Number) else 0)
    if team < settings.min_team_bid:
        least = call.tricks + settings.min_team_bid - team
        message = say(
            "{side} must bid at least {together} together. {seat} bids {least} or more, or NIL.",
            side=seat.side.word, together=settings.min_team_bid, seat=seat.word, least=least,
        )  # fmt: skip
        return Verdict(False, "Q-32", "below-team-minimum", message)
    if team <= 13:
        return Verdict(True, "B-10", warning=_queen(settings, call))
    too_many = say("{side} bid {team} together. A hand has 13 tricks.", side=seat.side.word, team=team)
    if settings.unmakeable_bids == "forbid":
        rest = 13 - (team - call.tricks)
        if rest:
            room = say("{seat} bids {rest} or less, or NIL.", seat=seat.word, rest=rest)
        else:
            room = say("{seat} can only bid NIL.", seat=seat.word)
        return Verdict(False, "Q-33", "unmakeable-bid", joined(too_many, room))
    return Verdict(True, "B-16", warning=joined(too_many, say("Record it?")))


def _queen(settings: SpadesSettings, call: Number) -> str | None:
    """A Jack or Queen of the MSO bid deck that may have been meant as nil (B-13, Q-34)."""
    if settings.bid_card_map != "mso" or call.tricks not in (11, 12):
        return None
    if settings.void_nil_policy == "rebid":
        jack = say("A Jack is 11. Nil is the King. If nil was meant, take the card back and bid again.")
        queen = say("A Queen is 12. Nil is the King. If nil was meant, take the card back and bid again.")
    else:
        jack = say("A Jack is 11. Nil is the King. The card stands; the director can be called.")
        queen = say("A Queen is 12. Nil is the King. The card stands; the director can be called.")
    return jack if call.tricks == 11 else queen
