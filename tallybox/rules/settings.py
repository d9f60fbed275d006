"""What a club can set about the two games: one frozen record each, with the allowed values in its types.

The first value named is the default. Points are whole points, counts whole numbers; a limit to lose is 0 or below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from msgspec import Meta

from tallybox.rules.cards import CardCode
from tallybox.seats import Seat

Points = Annotated[int, Meta(ge=0, le=100_000)]
"""A value in points; never negative, the rule says which way it counts."""

Count = Annotated[int, Meta(ge=0, le=1_000)]
"""A number of things or of minutes."""

LoseLimit = Annotated[int, Meta(ge=-100_000, le=0)]
"""A total at or below which a side has lost the round."""

DECK_PATTERN: Final = r"\A[a-z0-9-]{1,40}\Z"
DEALER_PATTERN: Final = r"\A(draw|seats|[NESW]{1,40})\Z"

DeckName = Annotated[str, Meta(pattern=DECK_PATTERN)]
"""The name of a deck of bid cards, which says what each card means."""

DealerList = Annotated[str, Meta(pattern=DEALER_PATTERN)]
"""``draw`` (the first dealer is drawn, then clockwise) or the seats in order, such as ``NESW`` (``seats``)."""

TimeoutPolicy = Literal["finish_started", "void_unfinished", "director"]
SheetAcceptance = Literal["monitor", "director", "auto"]
BidEntry = Literal["keypad_or_scan", "scan_first"]
Signatures = Literal[1, 2]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhistSettings:
    """Settings of bid whist; every default is Capitol City's text, or our reading where it is silent."""

    kitty_is_book: bool = True
    set_no_doubled: bool = True
    set_bidder_penalty: Points = 0
    boston_requires_seven: bool = False
    same_number_order: Literal["equal", "low_beats_high", "high_beats_low"] = "equal"
    min_level: Annotated[int, Meta(ge=1, le=7)] = 4
    late_points: Points = 5
    timeout_policy: TimeoutPolicy = "finish_started"
    lost_hand_points: Literal["bid", "none"] = "bid"
    tech_no_bid_value: Literal["high_or_min", "void"] = "high_or_min"
    false_call_penalty: Points = 0
    redeal_dealer: Literal["same", "next"] = "same"
    bid_entry: BidEntry = "keypad_or_scan"
    bid_card_map: DeckName = "bid-whist"
    sheet_acceptance: SheetAcceptance = "monitor"
    signatures_per_side: Signatures = 1

    @property
    def books(self) -> int:
        """How many books a hand has: twelve tricks, and the kitty if it counts (Q-01)."""
        return 13 if self.kitty_is_book else 12

    @property
    def dealer_list(self) -> str:
        """The first dealer of a round is drawn (A-02)."""
        return "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpadesSettings:
    """Settings of partnership spades; every default is the MSO text, or our reading where it is silent."""

    club_text: Literal["mso-2000", "wsos-2007"] = "mso-2000"
    win: Points = 500
    lose: LoseLimit = -250
    max_hands: Count = 10
    max_bid: Annotated[int, Meta(ge=1, le=13)] = 12
    min_team_bid: Annotated[int, Meta(ge=0, le=13)] = 0
    nil: Points = 100
    nil_set_tricks: Literal["point_and_bag", "bag_only", "helps_partner"] = "point_and_bag"
    both_nil: Literal["warn", "allow", "forbid"] = "warn"
    unmakeable_bids: Literal["warn", "forbid"] = "warn"
    void_nil_policy: Literal["card_speaks", "rebid"] = "card_speaks"
    blind_nil: Literal[False] = False
    ten_for_200: bool = False
    overtrick_points: Points = 1
    set_penalty: Points = 10
    bag_limit: Count = 10
    bag_penalty: Points = 100
    bag_reset: Literal["remainder", "zero"] = "remainder"
    bag_carry_rounds: bool = False
    revoke_offender: Literal["lose_bid", "zero"] = "lose_bid"
    revoke_nil: Literal["as_bid", "as_played"] = "as_bid"
    revoke_bags: Literal["none", "as_played"] = "none"
    exposed_50_cards: tuple[CardCode, ...] = ("SA", "SK", "SQ")
    exposed_50_phases: tuple[Literal["deal", "bidding", "play"], ...] = ("bidding", "play")
    exposed_50: Points = 50
    exposed_other: Points = 25
    bid_turn_points: Points = 25
    renounce_points: bool = True
    lead_points: bool = True
    penalty_target: Literal["offender", "opponents"] = "offender"
    declined_bid_locked: bool = False
    tie_policy: Literal["extra_hand", "draw", "fewer_bags"] = "extra_hand"
    timeout_policy: TimeoutPolicy = "finish_started"
    dealer_list: DealerList = "NESW"
    redeal_dealer: Literal["same", "next"] = "same"
    scorer: Literal["north", "east", "south", "west", "chosen"] = "north"
    scorers: Literal["one", "two"] = "one"
    bid_deck: Literal["always", "waive_by_both"] = "always"
    bid_entry: BidEntry = "keypad_or_scan"
    bid_card_map: DeckName = "mso"
    sheet_acceptance: SheetAcceptance = "director"
    signatures_per_side: Signatures = 1
    forfeit_after_minutes: Count = 0
    forfeit_points: tuple[Points, Points] = (500, 0)
    dq_policy: Literal["keep_results", "strip"] = "keep_results"

    def __post_init__(self) -> None:
        """``seats`` is another word for the default list, so both have one digest."""
        if self.dealer_list == "seats":
            object.__setattr__(self, "dealer_list", "NESW")

    @property
    def dealers(self) -> tuple[Seat, ...]:
        """The printed dealers in order, repeating; empty when the first dealer is drawn (B-02, C-01)."""
        return () if self.dealer_list == "draw" else tuple(Seat(letter) for letter in self.dealer_list)


Settings = WhistSettings | SpadesSettings
