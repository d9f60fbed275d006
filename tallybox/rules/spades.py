"""Scoring one hand of spades: contracts, nils, bags and their penalty, revokes (B-20 to B-26, C-07 to C-14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallybox.calls import Number
from tallybox.errors import SheetError
from tallybox.rules import spades_auction
from tallybox.rules.adjust import adjustment_lines
from tallybox.rules.bidding import Made, SpadesContract, replay
from tallybox.rules.hand import HandFacts, Line, LineKind, Ruling, Settled
from tallybox.rules.penalties import cite, penalty_lines
from tallybox.rules.settings import SpadesSettings
from tallybox.said import Count, say
from tallybox.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class _Scored:
    """One side's contract lines, and the bags they brought."""

    lines: tuple[Line, ...] = ()
    bags: int = 0

    def __add__(self, other: _Scored) -> _Scored:
        return _Scored(self.lines + other.lines, self.bags + other.bags)


_NOTHING = _Scored()


def settle(settings: SpadesSettings, hand: HandFacts, carried: Mapping[Side, int]) -> Settled:
    """Score one hand; ``carried`` are the bags before it, ``Settled.bags`` the counters after it.

    The rulings are complete (``check_ruling``). Raises ``SheetError``, its place relative to the hand, when a fact is
    missing or does not fit.
    """
    lines: tuple[Line, ...] = ()
    bags = dict(carried)
    made = replay(
        hand.dealer, hand.calls, lambda seat, made, call: spades_auction.judge(settings, seat, made, call, {})
    )
    if hand.void is None:
        contract = _contract(hand, made)
        for side in Side:
            scored = _side(settings, hand, contract, side) if contract is not None else _NOTHING
            lines += scored.lines
            if scored.bags or not _revokers(hand):
                bags[side], penalty = _count_bags(settings, side, carried[side], scored.bags)
                lines += penalty
    lines += penalty_lines(settings, hand) + adjustment_lines(hand.rulings)
    return Settled(lines, bags=_adjusted_bags(hand, bags), void=hand.void is not None)


def _contract(hand: HandFacts, made: tuple[Made, ...]) -> SpadesContract | None:
    """The four bids; ``None`` when the director awarded a hand that has no result."""
    if hand.tricks is None and not _revokers(hand) and any(_awards(ruling) for ruling in hand.rulings):
        return None
    if len(made) < 4:
        missing = 4 - len(made)
        calls = "1 bid is" if missing == 1 else f"{missing} bids are"
        raise SheetError("calls-missing", f"{calls} missing. Enter all four, from the dealer's left.", where="calls")
    return spades_auction.contract(made)


def _awards(ruling: Ruling) -> bool:
    """Whether the director gave both sides their points; less than that is no result of a hand."""
    return ruling.proven and ruling.points is not None and len(ruling.points) == 2


def _revokers(hand: HandFacts) -> frozenset[Side]:
    return frozenset(
        ruling.side for ruling in hand.rulings if ruling.code == "REVOKE" and ruling.proven and ruling.side
    )


def _side(settings: SpadesSettings, hand: HandFacts, contract: SpadesContract, side: Side) -> _Scored:
    revokers = _revokers(hand)
    if not revokers:
        tricks = _tricks(hand, whole=True)
        return _number(settings, contract, tricks, side) + _nils(settings, contract, tricks, side)
    counts_tricks = settings.revoke_nil == "as_played" or settings.revoke_bags == "as_played"
    tricks = _tricks(hand, whole=counts_tricks)
    return _revoked(settings, contract, tricks, side, lost=side in revokers)


def _tricks(hand: HandFacts, *, whole: bool) -> Mapping[Seat, int]:
    """The players' tricks; all thirteen where the score rests on them (INV-2)."""
    if hand.tricks is None:
        if not whole:
            return {}
        raise SheetError("tricks-missing", "The players' tricks are missing. Enter all four.", where="tricks")
    total = sum(hand.tricks.values())
    if total > 13 or (whole and total < 13):
        counted = say(
            "North {n}, East {e}, South {s}, West {w}",
            n=hand.tricks[Seat.N], e=hand.tricks[Seat.E], s=hand.tricks[Seat.S], w=hand.tricks[Seat.W],
        )  # fmt: skip
        made = Count(total)
        message = say("{counted}: that makes {made:trick}. A hand has 13. Count again.", counted=counted, made=made)
        raise SheetError("tricks-sum", message, where="tricks")
    return hand.tricks


def _number(settings: SpadesSettings, contract: SpadesContract, tricks: Mapping[Seat, int], side: Side) -> _Scored:
    """The numeric contract and its overtricks (B-20, B-21)."""
    number = contract.number(side)
    if number is None:
        return _NOTHING
    cover = _cover(settings, contract, tricks, side)
    params: dict[str, int | str] = {"bid": number, "tricks": cover}
    if cover < number:
        points = -settings.set_penalty * number
        line = Line(side, LineKind.CONTRACT, points, cite(settings, "B-21"), {**params, "each": settings.set_penalty})
        return _Scored((line,))
    if settings.ten_for_200 and number == 10:
        params["ten_for_200"] = 1
    line = Line(side, LineKind.CONTRACT, made_value(settings, number), cite(settings, "B-20"), params)
    return _Scored((line,)) + _overtricks(settings, side, cover - number)


def _cover(settings: SpadesSettings, contract: SpadesContract, tricks: Mapping[Seat, int], side: Side) -> int:
    """The tricks that count for the number: those of the players who bid one (B-24, Q-20)."""
    helping = settings.nil_set_tricks == "helps_partner"
    return sum(tricks[seat] for seat in side.seats if helping or isinstance(contract.bids[seat], Number))


def made_value(settings: SpadesSettings, number: int) -> int:
    """What a made contract is worth without its overtricks: ten a trick, or 200 for ten where a club plays that."""
    return 200 if settings.ten_for_200 and number == 10 else 10 * number


def _overtricks(settings: SpadesSettings, side: Side, over: int) -> _Scored:
    if over <= 0:
        return _NOTHING
    params = {"bags": over, "each": settings.overtrick_points}
    line = Line(side, LineKind.OVERTRICKS, settings.overtrick_points * over, cite(settings, "B-20"), params)
    return _Scored((line,), over)


def _nils(settings: SpadesSettings, contract: SpadesContract, tricks: Mapping[Seat, int], side: Side) -> _Scored:
    scored = _NOTHING
    for seat in contract.nils(side):
        taken = tricks[seat]
        scored += _nil(settings, seat, taken == 0, taken)
        scored += _nil_tricks(settings, contract, seat, taken)
    return scored


def _nil(settings: SpadesSettings, seat: Seat, made: bool, taken: int) -> _Scored:
    params: dict[str, int | str] = {"seat": seat.value, "tricks": taken}
    rule = cite(settings, "B-22" if made else "B-23")
    return _Scored((Line(seat.side, LineKind.NIL, settings.nil if made else -settings.nil, rule, params),))


def _nil_tricks(settings: SpadesSettings, contract: SpadesContract, seat: Seat, taken: int) -> _Scored:
    """A nil bidder's tricks are bags, whatever the partner did, unless they help the partner (B-23, Q-20, Q-21)."""
    helping = settings.nil_set_tricks == "helps_partner" and contract.number(seat.side) is not None
    if taken == 0 or helping:
        return _NOTHING
    each = 0 if settings.nil_set_tricks == "bag_only" else settings.overtrick_points
    params: dict[str, int | str] = {"seat": seat.value, "bags": taken, "each": each}
    rule = "C-10" if settings.club_text == "wsos-2007" else "B-23"
    return _Scored((Line(seat.side, LineKind.NIL_TRICKS, each * taken, rule, params),), taken)


def _revoked(
    settings: SpadesSettings, contract: SpadesContract, tricks: Mapping[Seat, int], side: Side, *, lost: bool
) -> _Scored:
    """A side's score when a revoke was established: its bids lost, or credited (Q-16 to Q-19, C-14)."""
    scored = _revoked_number(settings, contract, side, lost=lost)
    for seat in contract.nils(side):
        if settings.revoke_nil == "as_played":
            scored += _nil(settings, seat, tricks[seat] == 0, tricks[seat])
        else:
            points = -settings.nil if lost else settings.nil
            params: dict[str, int | str] = {"seat": seat.value, "lost": int(lost)}
            scored += _Scored((Line(side, LineKind.NIL, points, "Q-17", params),))
        if settings.revoke_bags == "as_played":
            scored += _nil_tricks(settings, contract, seat, tricks[seat])
    number = contract.number(side)
    if settings.revoke_bags == "as_played" and number is not None and not lost:
        scored += _overtricks(settings, side, _cover(settings, contract, tricks, side) - number)
    return scored


def _revoked_number(settings: SpadesSettings, contract: SpadesContract, side: Side, *, lost: bool) -> _Scored:
    number = contract.number(side)
    if number is None:
        return _NOTHING
    loss = 0 if settings.revoke_offender == "zero" else -settings.set_penalty * number
    points = loss if lost else made_value(settings, number)
    params: dict[str, int | str] = {"bid": number, "lost": int(lost), "offenders": (side if lost else side.other).value}
    return _Scored((Line(side, LineKind.CONTRACT, points, cite(settings, "Q-16"), params),))


def _count_bags(settings: SpadesSettings, side: Side, carried: int, new: int) -> tuple[int, tuple[Line, ...]]:
    """The counter after the hand and the deduction for every ten bags (B-26, Q-23).

    With no penalty in force the counter never wraps.
    """
    total, limit = carried + new, settings.bag_limit
    if not settings.bag_penalty or not limit or total < limit:
        return total, ()
    times, rest = divmod(total, limit)
    params: dict[str, int | str] = {
        "carried": carried,
        "bags": new,
        "total": total,
        "limit": limit,
        "times": times,
    }
    line = Line(side, LineKind.BAG_PENALTY, -settings.bag_penalty * times, cite(settings, "B-26"), params)
    return (rest if settings.bag_reset == "remainder" else 0), (line,)


def _adjusted_bags(hand: HandFacts, bags: dict[Side, int]) -> dict[Side, int]:
    """The director's word on a bag counter goes last."""
    for ruling in hand.rulings:
        if ruling.proven and ruling.bags is not None:
            bags.update(ruling.bags)
    return bags
