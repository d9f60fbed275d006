"""Whatever comes in: a score, or one refusal with a code and a sentence; never a traceback."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rules_sheets import MSO, WHIST, WSOS, spades_hand, whist_hand

from tallybox.errors import TallyboxError
from tallybox.rules.ruleset import builtin
from tallybox.sheet import score_sheet, score_to_json, sheet_from_json

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
KEYS = st.sampled_from(
    ["ruleset", "settings", "opening", "hands", "hands_per_round", "ended", "dealer", "calls", "books", "tricks", "NS",
     "EW", "N", "E", "S", "W", "rulings", "code", "side", "void", "by", "loser", "points", "bags", "hand", "why"]
) | st.text(max_size=8)  # fmt: skip
WORDS = st.sampled_from(
    [MSO, WHIST, WSOS, "N", "E", "NS", "EW", "pass", "nil", "4", "5 no up", "7 special", "misdeal", "ADJUST", "LATE",
     "REVOKE", "EXPOSED", "TALK", "SA", "play", "bidding", "time", "dq", "up"]
)  # fmt: skip
TREES = st.recursive(
    LEAVES | WORDS, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=8), max_leaves=30
)


def _answers(sheet: object) -> bool:
    """Whether it was scored; a refusal must carry a code and one printable sentence."""
    try:
        facts = sheet_from_json(sheet, builtin)
        score_to_json(facts, score_sheet(facts))
    except TallyboxError as refused:
        fault = refused
    else:
        return True
    assert fault.code
    assert fault.message.isprintable()
    assert fault.message[-1] in ".!?”)", fault.message
    return False


@given(TREES)
@settings(deadline=None, max_examples=120)
def test_any_json_is_scored_or_refused(tree: object) -> None:
    _answers(tree)


BASES: list[dict[str, Any]] = [
    {
        "ruleset": WHIST,
        "hands_per_round": 4,
        "opening": {"points": {"NS": 3, "EW": 0}, "hands_won": {"NS": 1, "EW": 0}, "hand": 2},
        "hands": [
            whist_hand("5 no up", 12, rulings=[{"code": "TALK", "side": "EW", "caller": "N", "proven": False}]),
            {"dealer": "N", "void": "misdeal"},
            {"dealer": "N", "rulings": [{"code": "LATE", "side": "EW"}]},
        ],
        "ended": {"by": "time"},
    },
    {
        "ruleset": MSO,
        "settings": {"bag_penalty": 0},
        "opening": {"points": {"NS": 0, "EW": 0}, "bags": {"NS": 9, "EW": 0}, "hand": 1},
        "hands": [
            spades_hand("4+N", "4+3", rulings=[{"code": "EXPOSED", "side": "NS", "card": "SK", "phase": "play"}]),
            spades_hand("4+3", "4+3", rulings=[{"code": "ADJUST", "points": {"NS": 1}, "bags": {"EW": 1}, "why": "x"}]),
        ],
        "ended": {"by": "dq", "loser": "NS"},
    },
]


def _places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(place for key, inner in below for place in _places(inner, (*path, key)))]


def _changed(tree: Any, path: tuple[Any, ...], value: Any, remove: bool) -> Any:
    made = copy.deepcopy(tree)
    if not path:
        return value
    at = made
    for key in path[:-1]:
        at = at[key]
    if remove:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return made


def test_the_sheets_that_are_spoilt_below_are_good() -> None:
    assert [_answers(base) for base in BASES] == [True, True]


@given(st.sampled_from(BASES), st.data())
@settings(deadline=None, max_examples=200)
def test_a_good_sheet_spoilt_in_one_place_is_scored_or_refused(base: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(_places(base)))
    _answers(_changed(base, path, data.draw(TREES), data.draw(st.booleans())))


def test_a_value_of_the_wrong_kind_is_refused_wherever_it_stands() -> None:
    for base in BASES:
        for path in _places(base):
            assert not _answers(_changed(base, path, 1.5, remove=False)), path
            assert not _answers(_changed(base, path, "\ud800", remove=False)), path
            assert not _answers(_changed(base, path, 10**40, remove=False)), path
