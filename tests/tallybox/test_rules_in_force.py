"""Rules in force: every default that a club's text leaves open, with what the ruleset says now."""

from __future__ import annotations

import pytest
from rules_sheets import MSO, WHIST, WSOS

from tallybox.rules.in_force import InForce, in_force, in_force_to_json
from tallybox.rules.ruleset import builtin, with_settings
from tallybox.rules.texts import RULES

WHIST_RULES = [
    ("Q-01", "kitty_is_book"), ("Q-02", "set_no_doubled"), ("Q-03", "set_bidder_penalty"), ("Q-04", None),
    ("Q-05", None), ("Q-06", "boston_requires_seven"), ("Q-07", None), ("Q-08", "same_number_order"),
    ("Q-09", "timeout_policy"), ("Q-10", None), ("Q-11", None), ("Q-12", "lost_hand_points"),
    ("Q-13", "tech_no_bid_value"), ("Q-14", "false_call_penalty"), ("Q-15", None), ("Q-15a", None), ("Q-15b", None),
    ("Q-15c", None), ("Q-15d", None), ("Q-15e", None), ("Q-15f", None), ("Q-15g", None), ("Q-15h", None),
    ("Q-15i", "late_points"), ("Q-53", "sheet_acceptance"),
]  # fmt: skip

STATED = {
    MSO: {"Q-26", "Q-27", "Q-28", "Q-29", "Q-31", "Q-50"},
    WSOS: {"Q-18", "Q-30", "Q-34", "Q-35", "Q-39", "Q-40", "Q-48", "Q-49"},
}
"""What each club's spades text says, or what does not arise in it."""


def test_bid_whist_lists_its_open_questions_in_order() -> None:
    assert [(each.rule, each.setting) for each in in_force(builtin(WHIST))] == WHIST_RULES


@pytest.mark.parametrize("ruleset", [MSO, WSOS])
def test_spades_lists_what_its_own_text_leaves_open(ruleset: str) -> None:
    questions = [f"Q-{number}" for number in range(16, 54)]
    listed = [each.rule for each in in_force(builtin(ruleset))]
    assert list(dict.fromkeys(listed)) == [rule for rule in questions if rule not in STATED[ruleset]]
    assert {rule for rule in listed if listed.count(rule) > 1} == {"Q-23", "Q-37"}


@pytest.mark.parametrize("ruleset", [WHIST, MSO, WSOS])
def test_each_says_what_the_ruleset_says_now_in_the_rule_s_words(ruleset: str) -> None:
    rules = builtin(ruleset)
    values = rules.settings_json()
    for each in in_force(rules):
        assert each.text == RULES[each.rule]
        assert each.value == (values[each.setting] if each.setting else None)


def test_the_list_as_json() -> None:
    house = with_settings(builtin(MSO), {"both_nil": "forbid"})
    rows = in_force_to_json(house)
    assert len(rows) == len(in_force(house)) == len(in_force(builtin(MSO)))
    asked = InForce("Q-22", "both_nil", "forbid", RULES["Q-22"])
    assert asked in in_force(house)
    assert {"rule": "Q-22", "setting": "both_nil", "value": "forbid", "text": RULES["Q-22"]} in rows
    assert {"rule": "Q-21", "setting": None, "value": None, "text": RULES["Q-21"]} in rows
