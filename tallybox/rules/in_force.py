"""Rules in force: what a ruleset does where its club's text is silent, so that a director can see and change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallybox.canonical import Json
from tallybox.rules.ruleset import Ruleset
from tallybox.rules.settings import WhistSettings
from tallybox.rules.texts import RULES

_WHIST: Final[tuple[tuple[str, str | None], ...]] = (
    ("Q-01", "kitty_is_book"), ("Q-02", "set_no_doubled"), ("Q-03", "set_bidder_penalty"), ("Q-04", None),
    ("Q-05", None), ("Q-06", "boston_requires_seven"), ("Q-07", None), ("Q-08", "same_number_order"),
    ("Q-09", "timeout_policy"), ("Q-10", None), ("Q-11", None), ("Q-12", "lost_hand_points"),
    ("Q-13", "tech_no_bid_value"), ("Q-14", "false_call_penalty"), ("Q-15", None), ("Q-15a", None), ("Q-15b", None),
    ("Q-15c", None), ("Q-15d", None), ("Q-15e", None), ("Q-15f", None), ("Q-15g", None), ("Q-15h", None),
    ("Q-15i", "late_points"), ("Q-53", "sheet_acceptance"),
)  # fmt: skip

_SPADES: Final[tuple[tuple[str, str | None], ...]] = (
    ("Q-16", "revoke_offender"), ("Q-17", "revoke_nil"), ("Q-18", "revoke_bags"), ("Q-19", None),
    ("Q-20", "nil_set_tricks"), ("Q-21", None), ("Q-22", "both_nil"), ("Q-23", "bag_reset"),
    ("Q-23", "bag_carry_rounds"), ("Q-24", "tie_policy"), ("Q-25", None), ("Q-26", "bag_penalty"),
    ("Q-27", "bid_card_map"), ("Q-28", "set_penalty"), ("Q-29", "overtrick_points"), ("Q-30", "max_bid"),
    ("Q-31", "max_bid"), ("Q-32", "min_team_bid"), ("Q-33", "unmakeable_bids"), ("Q-34", "void_nil_policy"),
    ("Q-35", "exposed_50_cards"), ("Q-36", "penalty_target"), ("Q-37", "renounce_points"), ("Q-37", "lead_points"),
    ("Q-38", None), ("Q-39", "declined_bid_locked"), ("Q-40", None), ("Q-41", None), ("Q-42", None),
    ("Q-43", "timeout_policy"), ("Q-44", "forfeit_points"), ("Q-45", None), ("Q-46", "redeal_dealer"), ("Q-47", None),
    ("Q-48", None), ("Q-49", None), ("Q-50", "dq_policy"), ("Q-51", "signatures_per_side"),
    ("Q-52", "forfeit_after_minutes"), ("Q-53", "sheet_acceptance"),
)  # fmt: skip

_STATED: Final = {
    "mso-2000": frozenset({"Q-26", "Q-27", "Q-28", "Q-29", "Q-31", "Q-50"}),
    "wsos-2007": frozenset({"Q-18", "Q-30", "Q-34", "Q-35", "Q-39", "Q-40", "Q-48", "Q-49"}),
}
"""Questions that a club's text answers, or that do not arise in it."""


@dataclass(frozen=True, slots=True)
class InForce:
    """One default: the question with our answer, and the setting that changes it (``None``: the director decides).

    ``value`` is what the ruleset says now.
    """

    rule: str
    setting: str | None
    value: Json
    text: str


def in_force(ruleset: Ruleset) -> tuple[InForce, ...]:
    """Every default that the club's text does not state, in the order of the register of docs/rules.md."""
    settings = ruleset.settings
    if isinstance(settings, WhistSettings):
        listed, stated = _WHIST, frozenset[str]()
    else:
        listed, stated = _SPADES, _STATED[settings.club_text]
    values = ruleset.settings_json()
    return tuple(
        InForce(rule, setting, values[setting] if setting else None, RULES[rule])
        for rule, setting in listed
        if rule not in stated
    )


def in_force_to_json(ruleset: Ruleset) -> list[Json]:
    """The list as ``tallybox rules show --json`` answers."""
    return [
        {"rule": each.rule, "setting": each.setting, "value": each.value, "text": each.text}
        for each in in_force(ruleset)
    ]
