"""Random sheets that the rules accept: every call drawn from what is offered, every ruling complete."""

from __future__ import annotations

from hypothesis import strategies as st

from tallybox.calls import Bid, Call, Direction, Game, Strain
from tallybox.rules.auction import Made, WhistContract, contract, legal_calls, turn
from tallybox.rules.hand import HandFacts, Phase, Ruling
from tallybox.rules.ruleset import BUILTIN_NAMES, Ruleset, builtin, with_settings
from tallybox.seats import Seat, Side
from tallybox.sheet import Opening, SheetFacts

SIDES = st.sampled_from(list(Side))
SEATS = st.sampled_from(list(Seat))
CARDS = st.sampled_from([suit + rank for suit in "SHDC" for rank in "27TJQKA"])

_SPADES_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "nil_set_tricks": st.sampled_from(["point_and_bag", "bag_only", "helps_partner"]),
        "both_nil": st.sampled_from(["warn", "allow", "forbid"]),
        "unmakeable_bids": st.sampled_from(["warn", "forbid"]),
        "ten_for_200": st.booleans(),
        "overtrick_points": st.integers(0, 10),
        "bag_limit": st.integers(0, 12),
        "bag_penalty": st.sampled_from([0, 50, 100]),
        "bag_reset": st.sampled_from(["remainder", "zero"]),
        "revoke_offender": st.sampled_from(["lose_bid", "zero"]),
        "revoke_nil": st.sampled_from(["as_bid", "as_played"]),
        "revoke_bags": st.sampled_from(["none", "as_played"]),
        "penalty_target": st.sampled_from(["offender", "opponents"]),
        "tie_policy": st.sampled_from(["extra_hand", "draw", "fewer_bags"]),
    },
)
_WHIST_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "set_no_doubled": st.booleans(),
        "set_bidder_penalty": st.integers(0, 2),
        "boston_requires_seven": st.booleans(),
        "same_number_order": st.sampled_from(["equal", "low_beats_high", "high_beats_low"]),
        "lost_hand_points": st.sampled_from(["bid", "none"]),
        "tech_no_bid_value": st.sampled_from(["high_or_min", "void"]),
        "false_call_penalty": st.integers(0, 3),
        "redeal_dealer": st.sampled_from(["same", "next"]),
    },
)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    base = builtin(draw(st.sampled_from(BUILTIN_NAMES)))
    return with_settings(base, draw(_WHIST_SETTINGS if base.game is Game.BID_WHIST else _SPADES_SETTINGS))


@st.composite
def auctions(draw: st.DrawFn, ruleset: Ruleset, dealer: Seat) -> tuple[Made, ...]:
    made: tuple[Made, ...] = ()
    while (seat := turn(dealer, made)) is not None:
        made = (*made, Made(seat, draw(st.sampled_from(legal_calls(ruleset, dealer, made)))))
    return made


@st.composite
def whist_hands(draw: st.DrawFn, ruleset: Ruleset) -> HandFacts:
    dealer = draw(SEATS)
    made = draw(auctions(ruleset, dealer))
    found = contract(ruleset, dealer, made)
    assert isinstance(found, WhistContract)
    no = found.bid.strain is Strain.NO
    bidders = draw(st.integers(1, 13))
    books = {found.side: bidders, found.side.other: 13 - bidders}
    codes = ["TALK", "RENEGE_SUIT", "MISDEAL_LATE", "LATE", "SIGNAL"]
    rulings = st.builds(Ruling, st.sampled_from(codes), SIDES, proven=st.booleans())
    adjust = st.builds(
        lambda points: Ruling("ADJUST", points=points, why="a reason"), st.dictionaries(SIDES, st.integers(-20, 20))
    )
    calls: tuple[Call, ...] = tuple(entry.call for entry in made)
    if draw(st.booleans()):
        calls = tuple(_down(call) for call in calls)
        no = False
    ruled = tuple(draw(st.lists(rulings | adjust, max_size=3)))
    late = any(ruling.code == "LATE" and ruling.proven for ruling in ruled)
    return HandFacts(
        dealer,
        calls,
        books=None if late else books,
        direction=Direction.UP if no else None,
        rulings=ruled,
        void=draw(st.sampled_from([None, None, None, "misdeal"])),
    )


def _down(call: Call) -> Call:
    return Bid(call.level, call.strain, Direction.DOWN) if isinstance(call, Bid) and call.strain is Strain.NO else call


@st.composite
def spades_hands(draw: st.DrawFn, ruleset: Ruleset) -> HandFacts:
    dealer = draw(SEATS)
    made = draw(auctions(ruleset, dealer))
    cuts = sorted(draw(st.lists(st.integers(0, 13), min_size=3, max_size=3)))
    shares = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2]]
    accepted, card = st.booleans(), CARDS
    rulings = st.one_of(
        st.builds(Ruling, st.just("REVOKE"), SIDES, proven=accepted),
        st.builds(Ruling, st.just("EXPOSED"), SIDES, card=card, phase=st.sampled_from(list(Phase)), proven=accepted),
        st.builds(Ruling, st.just("LEAD_TURN"), SIDES, card=card, accepted=accepted),
        st.builds(Ruling, st.just("BID_TURN"), SIDES, accepted=accepted),
        st.builds(Ruling, st.just("RENOUNCE"), SIDES, card=card),
        st.just(Ruling("CLAIM")),
        st.builds(lambda bags: Ruling("ADJUST", bags=bags, why="a reason"), st.dictionaries(SIDES, st.integers(0, 9))),
    )
    return HandFacts(
        dealer,
        tuple(entry.call for entry in made),
        tricks=dict(zip(Seat, shares, strict=True)),
        rulings=tuple(draw(st.lists(rulings, max_size=3))),
        void=draw(st.sampled_from([None, None, None, "director"])),
    )


@st.composite
def sheets(draw: st.DrawFn, most: int = 6) -> SheetFacts:
    ruleset = draw(rulesets())
    hands = whist_hands(ruleset) if ruleset.game is Game.BID_WHIST else spades_hands(ruleset)
    points = {side: draw(st.integers(-300, 600)) for side in Side}
    bags = {side: draw(st.integers(0, 9)) if ruleset.game is Game.SPADES else 0 for side in Side}
    opening = Opening(points, bags, hand=draw(st.integers(1, 11)))
    return SheetFacts(ruleset, tuple(draw(st.lists(hands, max_size=most))), opening)
