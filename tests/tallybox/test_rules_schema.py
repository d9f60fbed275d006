"""What a ruleset file may say: the whole refusal, naming file, key and allowed values, and what each setting may be."""

from __future__ import annotations

from typing import Any

import pytest
from rules_sheets import MSO, WHIST

from tallybox.calls import Game
from tallybox.errors import RulesetError
from tallybox.rules import schema
from tallybox.rules.ruleset import LARGEST_TOML, Ruleset, builtin, parse_ruleset, ruleset_from_json, with_settings

SPADES = 'kind = "spades"\n'
WHIST_KIND = 'kind = "bid_whist"\n'
LINE_OF_TEXT = "Allowed: a line of text, at most 200 characters."
NAMES = "Use small letters, digits and dashes, at most 60."
OF_WHIST = (
    "kitty_is_book, set_no_doubled, set_bidder_penalty, boston_requires_seven, same_number_order, min_level, "
    "late_points, timeout_policy, lost_hand_points, tech_no_bid_value, false_call_penalty, redeal_dealer, bid_entry, "
    "bid_card_map, sheet_acceptance, signatures_per_side"
)

# text of the file, code, key, what follows the file's name and the key
SETTINGS: list[tuple[str, str, str, str]] = [
    ("win = 1", "setting-value", "kind", "is missing. Say kind = one of bid_whist, spades, or extends = a ruleset."),
    ('kind = "hearts"', "setting-value", "kind", 'cannot be "hearts". Allowed: bid_whist, spades.'),
    ("kind = 3", "setting-value", "kind", f"cannot be 3. {LINE_OF_TEXT}"),
    ("extends = true", "setting-value", "extends", f"cannot be true. {LINE_OF_TEXT}"),
    (
        f'extends = "{MSO}"\n{WHIST_KIND}',
        "setting-value",
        "kind",
        f"is bid_whist, but {MSO} plays spades. Leave one out.",
    ),
    (SPADES + 'name = "A b"', "setting-value", "name", f'cannot be "A b". {NAMES}'),
    (SPADES + "name = 3", "setting-value", "name", f"cannot be 3. {LINE_OF_TEXT}"),
    (SPADES + 'name = ""', "setting-value", "name", f'cannot be "". {NAMES}'),
    (SPADES + f'name = "{"x" * 61}"', "setting-value", "name", f'cannot be "{"x" * 38}…". {NAMES}'),
    (SPADES + 'title = ""', "setting-value", "title", 'cannot be "". Write a line of text, or leave it out.'),
    (SPADES + 'title = "  "', "setting-value", "title", 'cannot be "  ". Write a line of text, or leave it out.'),
    (SPADES + 'title = "a\\nb"', "setting-value", "title", f'cannot be "a\\nb". {LINE_OF_TEXT}'),
    (SPADES + f'title = "{"x" * 201}"', "setting-value", "title", f'cannot be "{"x" * 38}…". {LINE_OF_TEXT}'),
    (SPADES + "win = -1", "setting-value", "win", "cannot be -1. Allowed: whole numbers 0 to 100000."),
    (SPADES + "lose = 1", "setting-value", "lose", "cannot be 1. Allowed: whole numbers −100000 to 0."),
    (SPADES + 'both_nil = "maybe"', "setting-value", "both_nil", 'cannot be "maybe". Allowed: warn, allow, forbid.'),
    (SPADES + "blind_nil = true", "setting-value", "blind_nil", "cannot be true. Allowed: false."),
    (
        SPADES + "max_bid = 3\nmin_team_bid = 4",
        "setting-value",
        "min_team_bid",
        "is 4, above “max_bid” 3. Lower it.",
    ),
    (
        WHIST_KIND + "bag_limits = 1",
        "unknown-setting",
        "bag_limits",
        f"is not a setting of bid whist. Allowed: {OF_WHIST}.",
    ),
    (
        SPADES + "min_level = 4",
        "unknown-setting",
        "min_level",
        "is a setting of bid whist, and this ruleset plays spades.",
    ),
    (WHIST_KIND + "win = 4", "unknown-setting", "win", "is a setting of spades, and this ruleset plays bid whist."),
    (
        WHIST_KIND + "hands_per_round = 4",
        "unknown-setting",
        "hands_per_round",
        "belongs to the round, not to the ruleset. Set it there.",
    ),
    (
        WHIST_KIND + "movement = 4",
        "unknown-setting",
        "movement",
        "belongs to the tournament template, not to the ruleset. Set it there.",
    ),
]


@pytest.mark.parametrize(("text", "code", "key", "said"), SETTINGS, ids=[row[2] for row in SETTINGS])
def test_a_setting_that_does_not_fit_is_refused_with_file_key_and_allowed_values(
    text: str, code: str, key: str, said: str
) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset(text, "house.toml")
    fault = refused.value
    assert (fault.code, fault.where, fault.message) == (code, f"house.toml: {key}", f"house.toml: “{key}” {said}")
    assert fault.hand is None


@pytest.mark.parametrize(
    ("text", "code", "where", "said"),
    [
        ("kind = ", "not-toml", "house.toml", "house.toml is not TOML: it goes wrong at its end."),
        (
            SPADES + "win = " + "9" * 5000,
            "not-toml",
            "house.toml",
            "house.toml is not a ruleset: a number in it has thousands of digits. Write a smaller one.",
        ),
        (
            SPADES + "win = " + "[" * 20_000,
            "not-toml",
            "house.toml",
            "house.toml is not a ruleset: its lists stand too deep in each other. A setting is one value or one list.",
        ),
        ("#" * (LARGEST_TOML + 1), "too-large", None, "house.toml is larger than a ruleset can be (65536 characters)."),
        (
            'extends = "nowhere"',
            "unknown-ruleset",
            "house.toml: extends",
            (
                "house.toml: “extends” does not fit. There is no ruleset “nowhere”. Use capitol-city-bid-whist, "
                "mso-2000-spades, wsos-2007-spades, or a file."
            ),
        ),
    ],
    ids=["broken", "a number too long", "lists too deep", "too large", "unknown parent"],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(
    text: str, code: str, where: str | None, said: str
) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset(text, "house.toml")
    assert (refused.value.code, refused.value.where, refused.value.message) == (code, where, said)


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("kind = spades", "house.toml: line 1, column 8", "house.toml is not TOML: it goes wrong at line 1, column 8."),
        (
            SPADES + "win = 1\nwin = 2\n",
            "house.toml: line 3, column 8",
            "house.toml is not TOML: a key stands twice at line 3, column 8.",
        ),
        (
            SPADES + 'name = "mso-2000-spades"',
            "house.toml: name",
            'house.toml: “name” cannot be "mso-2000-spades", which is built in. Choose a name of its own.',
        ),
    ],
)
def test_a_refused_file_says_where_to_look(text: str, where: str, said: str) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset(text, "house.toml")
    assert (refused.value.where, refused.value.message) == (where, said)


@pytest.mark.parametrize(
    ("code", "where"),
    [("unknown-ruleset", "parent.toml: extends"), ("not-toml", "ruleset"), ("setting-value", "parent.toml: win")],
)
def test_what_is_wrong_with_the_file_that_is_extended_is_told_as_it_is(code: str, where: str) -> None:
    fault = RulesetError(code, "Look there.", where=where)

    def parent(name: str) -> Ruleset:
        raise fault

    with pytest.raises(RulesetError) as refused:
        parse_ruleset('extends = "parent.toml"', "house.toml", parent)
    assert refused.value is fault


def test_a_team_may_have_to_bid_as_much_as_one_player_can() -> None:
    settings = parse_ruleset(SPADES + "max_bid = 4\nmin_team_bid = 4", "house.toml").settings_json()
    assert (settings["max_bid"], settings["min_team_bid"]) == (4, 4)


def test_a_file_called_as_a_built_in_ruleset_needs_a_name_of_its_own() -> None:
    with pytest.raises(RulesetError, match="which is built in"):
        parse_ruleset(SPADES, f"clubs/{MSO}.toml")
    assert parse_ruleset(SPADES + 'name = "ours"', f"clubs/{MSO}.toml").name == "ours"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('"12"', '"12"'),
        ("true", "true"),
        ("-4", "-4"),
        ('["XX"]', '["XX"]'),
        ("{x = 1, y = {z = []}}", '{"x": 1, "y": {"z": []}}'),
        ("[[[[1]]]]", "[[[[…]]]]"),
        ("{x = {y = {z = {a = 1}}}}", '{"x": {"y": {"z": {…}}}}'),
        ("2000-01-02", "2000-01-02"),
        ("inf", "inf"),
        ("nan", "nan"),
        ('"a\\tb"', '"a\\tb"'),
        (f'"{"x" * 60}"', f'"{"x" * 38}…"'),
        (f"[{'1, ' * 40}1]", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…"),
    ],
)
def test_a_value_is_shown_as_it_is_written(value: str, written: str) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset(f"{SPADES}win = {value}", "house.toml")
    said = f"house.toml: “win” cannot be {written}. Allowed: whole numbers 0 to 100000."
    assert refused.value.message == said


ODD = "A ruleset's name or title is empty, too long or oddly spelt."


@pytest.mark.parametrize(
    ("change", "code", "where", "said"),
    [
        (
            {"name": None},
            "not-a-ruleset",
            "ruleset",
            "This is not a ruleset: Expected `str`, got `null` - at `$.name`.",
        ),
        ({"more": 1}, "not-a-ruleset", "ruleset", "This is not a ruleset: Object contains unknown field `more`."),
        ({"name": "X X"}, "not-a-ruleset", "ruleset", ODD),
        ({"title": "x" * 201}, "not-a-ruleset", "ruleset", ODD),
        ({"title": "a\nb"}, "not-a-ruleset", "ruleset", ODD),
        ({"title": ""}, "not-a-ruleset", "ruleset", ODD),
        ({"title": " "}, "not-a-ruleset", "ruleset", ODD),
        (
            {"settings": {"win": "1"}},
            "setting-value",
            "ruleset.settings.win",
            'ruleset: “win” cannot be "1". Allowed: whole numbers 0 to 100000.',
        ),
        (
            {"settings": {"kitty_is_book": True}},
            "unknown-setting",
            "ruleset.settings.kitty_is_book",
            "ruleset: “kitty_is_book” is a setting of bid whist, and this ruleset plays spades.",
        ),
    ],
)
def test_json_that_is_no_ruleset_is_refused_with_a_sentence(
    change: dict[str, Any], code: str, where: str, said: str
) -> None:
    form: dict[str, Any] = {"name": "x", "title": "x", "kind": "spades", "settings": {}}
    with pytest.raises(RulesetError) as refused:
        ruleset_from_json({**form, **change})
    assert (refused.value.code, refused.value.where, refused.value.message) == (code, where, said)


def test_the_longest_names_and_files_there_may_be() -> None:
    longest = {"name": "x" * 60, "title": "é" * 200, "kind": "spades", "settings": {}}
    assert ruleset_from_json(longest).as_json()["title"] == "é" * 200
    text = f'name = "{"x" * 60}"\ntitle = "{"é" * 200}"\n{SPADES}'
    assert parse_ruleset(text.ljust(LARGEST_TOML, "#"), "x.toml").title == "é" * 200
    assert parse_ruleset(SPADES, f"rules\\{'Long ' * 30}.toml").name == ("long-" * 12)[:60]
    assert parse_ruleset(SPADES, "a/b/-Fri_day-.TOML").name == "fri-day"


def test_settings_of_a_sheet_name_themselves_as_the_place() -> None:
    with pytest.raises(RulesetError) as refused:
        with_settings(builtin(MSO), {"win": 1, "lose": 2})
    assert (refused.value.where, refused.value.message) == (
        "settings.lose",
        "settings: “lose” cannot be 2. Allowed: whole numbers −100000 to 0.",
    )


def test_a_ruleset_as_json_is_plain_json() -> None:
    whole = with_settings(builtin(MSO), {"exposed_50_cards": ["SA"], "forfeit_points": [400, 1]}).as_json()
    settings = whole.pop("settings")
    assert isinstance(settings, dict)
    assert whole == {"name": MSO, "title": "MSO 2000 Grand Prix spades", "kind": "spades"}
    assert (settings["exposed_50_cards"], settings["forfeit_points"]) == (["SA"], [400, 1])
    assert builtin(WHIST).as_json()["kind"] == "bid_whist"


POINTS, FLAG = "whole numbers 0 to 100000", "true, false"


def test_what_each_setting_of_bid_whist_may_be() -> None:
    assert {key: schema.allowed(Game.BID_WHIST, key) for key in schema.keys(Game.BID_WHIST)} == {
        "kitty_is_book": FLAG,
        "set_no_doubled": FLAG,
        "set_bidder_penalty": POINTS,
        "boston_requires_seven": FLAG,
        "same_number_order": "equal, low_beats_high, high_beats_low",
        "min_level": "whole numbers 1 to 7",
        "late_points": POINTS,
        "timeout_policy": "finish_started, void_unfinished, director",
        "lost_hand_points": "bid, none",
        "tech_no_bid_value": "high_or_min, void",
        "false_call_penalty": POINTS,
        "redeal_dealer": "same, next",
        "bid_entry": "keypad_or_scan, scan_first",
        "bid_card_map": "the name of a deck of bid cards",
        "sheet_acceptance": "monitor, director, auto",
        "signatures_per_side": "1, 2",
    }


def test_what_some_settings_of_spades_may_be() -> None:
    named = ("lose", "max_bid", "blind_nil", "exposed_50_cards", "exposed_50_phases", "forfeit_points", "dealer_list")
    assert {key: schema.allowed(Game.SPADES, key) for key in named} == {
        "lose": "whole numbers −100000 to 0",
        "max_bid": "whole numbers 1 to 13",
        "blind_nil": "false",
        "exposed_50_cards": "a list of cards as suit then rank, such as SK or HT",
        "exposed_50_phases": "a list of deal, bidding, play",
        "forfeit_points": "2 values, each whole numbers 0 to 100000",
        "dealer_list": "draw, seats, or seat letters such as NESW",
    }
