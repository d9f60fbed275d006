"""Every setting of the two games in words: what it decides, and what each of its values means."""

from __future__ import annotations

from typing import Final

from tallybox.canonical import Json

SETTINGS: Final = {
    "kitty_is_book": "The kitty is the bidder's first book",
    "set_no_doubled": "A set NO bid brings its doubled value",
    "set_bidder_penalty": "Points that a set costs the bidders, for each book bid",
    "boston_requires_seven": "A Boston needs a bid of 7",
    "same_number_order": "High and special of one number",
    "min_level": "Lowest bid",
    "late_points": "Points of a late award, a hand",
    "timeout_policy": "When the clock ends",
    "lost_hand_points": "A hand lost by a ruling brings",
    "tech_no_bid_value": "A Tech before there is a contract",
    "false_call_penalty": "Points that a call costs which is not proven",
    "redeal_dealer": "A void hand is dealt again by",
    "bid_entry": "Bids are entered",
    "bid_card_map": "Deck of bid cards",
    "sheet_acceptance": "A signed sheet is accepted by",
    "signatures_per_side": "Signatures of each side",
    "club_text": "Club text",
    "win": "Points that win the game",
    "lose": "Points that lose the game",
    "max_hands": "Hands after which the game ends",
    "max_bid": "Highest bid of a player",
    "min_team_bid": "Lowest bid of a team",
    "nil": "Points of a nil",
    "nil_set_tricks": "A trick of a set nil",
    "both_nil": "Both partners bid nil",
    "unmakeable_bids": "Partners bid more than 13 together",
    "void_nil_policy": "A Jack or Queen that was meant as nil",
    "blind_nil": "Blind nil",
    "ten_for_200": "Ten tricks bid and made bring 200",
    "overtrick_points": "Points of a trick over the bid",
    "set_penalty": "Points that a set costs, for each trick bid",
    "bag_limit": "Bags that cost points",
    "bag_penalty": "Points that so many bags cost",
    "bag_reset": "The bag counter afterwards",
    "bag_carry_rounds": "The bag counter goes on into the next round",
    "revoke_offender": "The side that revoked",
    "revoke_nil": "Nils in a hand with a revoke",
    "revoke_bags": "Bags in a hand with a revoke",
    "exposed_50_cards": "Exposed cards that cost more",
    "exposed_50_phases": "They cost more during",
    "exposed_50": "Points that they cost",
    "exposed_other": "Points that any other exposed card costs",
    "bid_turn_points": "Points that a bid out of turn costs",
    "renounce_points": "A corrected revoke costs points",
    "lead_points": "A refused lead costs points",
    "penalty_target": "Penalty points",
    "declined_bid_locked": "A declined early bid binds its player",
    "tie_policy": "Equal totals at the end",
    "dealer_list": "Dealers",
    "scorer": "Who keeps the sheet",
    "scorers": "Scorekeepers of a table",
    "bid_deck": "The bid deck",
    "forfeit_after_minutes": "Minutes after which a missing team forfeits (0: never)",
    "forfeit_points": "Points of a forfeit, for the winner and for the loser",
    "dq_policy": "Earlier results of a disqualified team",
}

VALUES: Final[dict[str, dict[str, str]]] = {
    "same_number_order": {
        "equal": "neither beats the other", "low_beats_high": "special beats high",
        "high_beats_low": "high beats special",
    },
    "timeout_policy": {
        "finish_started": "a hand whose bid is recorded is finished", "void_unfinished": "an unfinished hand is void",
        "director": "the director decides",
    },
    "lost_hand_points": {"bid": "the points of the bid", "none": "no points"},
    "tech_no_bid_value": {"high_or_min": "is worth the high bid, else the lowest one", "void": "makes the hand void"},
    "redeal_dealer": {"same": "the same dealer", "next": "the next dealer"},
    "bid_entry": {"keypad_or_scan": "by keypad or by card", "scan_first": "by card, the keypad in need"},
    "sheet_acceptance": {"monitor": "a monitor", "director": "the director", "auto": "the hub by itself"},
    "signatures_per_side": {"1": "one", "2": "both players"},
    "club_text": {"mso-2000": "MSO 2000", "wsos-2007": "World Series of Spades 2007"},
    "nil_set_tricks": {
        "point_and_bag": "is a point and a bag", "bag_only": "is a bag alone",
        "helps_partner": "helps the partner's bid",
    },
    "both_nil": {"warn": "is allowed after a question", "allow": "is allowed", "forbid": "is not allowed"},
    "unmakeable_bids": {"warn": "is allowed after a question", "forbid": "is not allowed"},
    "void_nil_policy": {"card_speaks": "is what the card says, 11 or 12", "rebid": "is bid again"},
    "bag_reset": {"remainder": "keeps what is over", "zero": "starts at 0"},
    "revoke_offender": {"lose_bid": "loses its bid", "zero": "gets nothing"},
    "revoke_nil": {"as_bid": "count by the side that revoked", "as_played": "count as they were played"},
    "revoke_bags": {"none": "do not count", "as_played": "count as they were played"},
    "penalty_target": {"offender": "are taken from the offenders", "opponents": "go to the opponents"},
    "tie_policy": {
        "extra_hand": "one more hand, until they differ", "draw": "a draw", "fewer_bags": "fewer bags win",
    },
    "scorer": {
        "north": "North", "east": "East", "south": "South", "west": "West", "chosen": "whoever the table chooses",
    },
    "scorers": {"one": "one", "two": "two, one a side"},
    "bid_deck": {"always": "is always used", "waive_by_both": "may be waived by both sides"},
    "dq_policy": {"keep_results": "stay", "strip": "are lost to its opponents"},
}  # fmt: skip

_BOOLS: Final = {True: "yes", False: "no"}


def value_words(key: str, value: Json) -> str:
    """A value of a setting in words."""
    if isinstance(value, bool):
        return _BOOLS[value]
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return VALUES.get(key, {}).get(str(value), str(value).replace("-", "−") if isinstance(value, int) else str(value))
