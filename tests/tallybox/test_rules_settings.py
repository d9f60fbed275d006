"""Rulesets as files: what a club may write, what is refused, and house rules that differ from the three texts."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_sheets import MSO, WHIST, WSOS, spades_hand, whist_hand

from tallybox.calls import Game
from tallybox.errors import RulesetError, SheetError
from tallybox.rules import schema
from tallybox.rules.bid_whist import books_with
from tallybox.rules.in_force import in_force, in_force_to_json
from tallybox.rules.ruleset import (
    BUILTIN_NAMES,
    Ruleset,
    builtin,
    parse_ruleset,
    ruleset_from_json,
    with_settings,
)
from tallybox.rules.settings import SpadesSettings, WhistSettings
from tallybox.seats import Seat, Side
from tallybox.sheet import SheetScore, score_sheet, sheet_from_json

NS, EW = Side.NS, Side.EW


def test_the_three_rulesets_hold_the_values_of_their_texts() -> None:
    assert builtin(WHIST).settings == WhistSettings()
    assert builtin(MSO).settings == SpadesSettings()
    assert builtin(WSOS).settings == SpadesSettings(
        club_text="wsos-2007", lose=-200, max_bid=13,
        exposed_50_cards=("SA", "SK", "SQ", "HA", "HK", "DA", "DK", "CA", "CK"), exposed_50_phases=("deal", "bidding"),
        exposed_other=0, bid_turn_points=0, renounce_points=False, lead_points=False, declined_bid_locked=True,
        dealer_list="draw", scorers="two", scorer="chosen", bid_deck="waive_by_both", bid_card_map="wsos",
    )  # fmt: skip
    assert [builtin(name).game for name in BUILTIN_NAMES] == [Game.BID_WHIST, Game.SPADES, Game.SPADES]


@pytest.mark.parametrize("name", [WHIST, MSO])
def test_a_whole_ruleset_file_names_every_setting(name: str) -> None:
    text = files("tallybox.rulesets").joinpath(f"{name}.toml").read_text("utf-8")
    named = {line.split("=")[0].strip() for line in text.splitlines() if "=" in line and not line.startswith("#")}
    assert named - {"title", "kind"} == set(schema.keys(builtin(name).game))


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_a_ruleset_travels_as_json(name: str) -> None:
    ruleset = builtin(name)
    assert ruleset_from_json(ruleset.as_json()) == ruleset
    assert len(ruleset.digest) == 64


def test_the_digest_covers_game_and_settings_and_not_the_name() -> None:
    base = builtin(MSO)
    renamed = Ruleset("house", "House rules", base.settings)
    assert renamed.digest == base.digest
    assert with_settings(base, {"win": 350}).digest != base.digest
    assert with_settings(with_settings(base, {"win": 350}), {"win": 500}).digest == base.digest
    assert len({builtin(name).digest for name in BUILTIN_NAMES}) == 3


def test_a_dealer_list_called_seats_is_the_compass() -> None:
    assert with_settings(builtin(MSO), {"dealer_list": "seats"}).digest == builtin(MSO).digest
    assert builtin(WHIST).settings.dealer_list == "draw"
    settings = with_settings(builtin(MSO), {"dealer_list": "SN"}).settings
    assert isinstance(settings, SpadesSettings)
    assert settings.dealers == (Seat.S, Seat.N)


def test_a_file_is_called_after_its_name_or_after_itself() -> None:
    text = 'extends = "mso-2000-spades"\n'
    assert parse_ruleset(text, "rules/Friday Night.toml").name == "friday-night"
    assert parse_ruleset('name = "friday"\n' + text, "x.toml").name == "friday"
    assert parse_ruleset(text, "x.toml").title == builtin(MSO).title
    assert parse_ruleset('kind = "spades"', "????.toml").name == "house-rules"
    assert parse_ruleset('kind = "bid_whist"', "x.toml").settings == WhistSettings()


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("win = 1", "setting-value", "house.toml: “kind” is missing"),
        ('kind = "hearts"', "setting-value", "Allowed: bid_whist, spades"),
        ('kind = "spades"\nwin = -1', "setting-value", "house.toml: “win” cannot be -1. Allowed: whole numbers 0 to"),
        ('kind = "spades"\nwin = 1.5', "setting-value", "“win” cannot be 1.5"),
        ('kind = "spades"\nwin = true', "setting-value", "“win” cannot be true"),
        ('kind = "spades"\nlose = 1', "setting-value", "Allowed: whole numbers −100000 to 0"),
        ('kind = "spades"\nboth_nil = "maybe"', "setting-value", "Allowed: warn, allow, forbid"),
        ('kind = "spades"\nnil_set_tricks = "x"', "setting-value", "Allowed: point_and_bag, bag_only, helps_partner"),
        ('kind = "spades"\nten_for_200 = 1', "setting-value", "Allowed: true, false"),
        ('kind = "spades"\nblind_nil = true', "setting-value", "Allowed: false"),
        ('kind = "spades"\nexposed_50_cards = ["AS"]', "setting-value", "cards as suit then rank"),
        ('kind = "spades"\nexposed_50_phases = ["x"]', "setting-value", "Allowed: a list of deal, bidding, play"),
        ('kind = "spades"\nforfeit_points = [1]', "setting-value", "Allowed: 2 values, each whole numbers"),
        ('kind = "spades"\ndealer_list = "NX"', "setting-value", "Allowed: draw, seats, or seat letters"),
        ('kind = "spades"\ndealer_list = "NS\\n"', "setting-value", "Allowed: draw, seats, or seat letters"),
        ('kind = "spades"\nexposed_50_cards = ["SA\\n"]', "setting-value", "cards as suit then rank"),
        ('kind = "spades"\nbid_card_map = "Ü"', "setting-value", "the name of a deck"),
        ('kind = "spades"\nmax_bid = 14', "setting-value", "Allowed: whole numbers 1 to 13"),
        ('kind = "spades"\nmax_bid = 3\nmin_team_bid = 4', "setting-value", "above “max_bid” 3"),
        ('kind = "spades"\nbag_limits = 1', "unknown-setting", "is not a setting of spades. Allowed: club_text,"),
        ('kind = "spades"\nmin_level = 4', "unknown-setting", "is a setting of bid whist"),
        ('kind = "bid_whist"\nwin = 4', "unknown-setting", "is a setting of spades"),
        ('kind = "bid_whist"\nhands_per_round = 4', "unknown-setting", "belongs to the round"),
        ('kind = "bid_whist"\n[movement]\neven_rounds = [2]', "unknown-setting", "belongs to the tournament template"),
        ('kind = "bid_whist"\nsame_number_order = "low"', "setting-value", "Allowed: equal, low_beats_high"),
        ('extends = "mso-2000-spades"\nkind = "bid_whist"', "setting-value", "plays spades"),
        ('extends = "nowhere"', "unknown-ruleset", "There is no ruleset “nowhere”"),
        ("extends = 3", "setting-value", "“extends” cannot be 3"),
        ('name = "A b"\nkind = "spades"', "setting-value", "small letters"),
        ('title = "a\\nb"\nkind = "spades"', "setting-value", "“title” cannot be"),
        ("kind = ", "not-toml", "house.toml is not TOML: it goes wrong at its end."),
        ('kind = "spades"\nkind = "spades"', "not-toml", "house.toml is not TOML: a key stands twice at its end."),
        ('kind = "spades"\nwin = ' + "9" * 5000, "not-toml", "a number in it has thousands of digits."),
        ('kind = "spades"\nwin = 0x' + "f" * 9000, "setting-value", "“win” cannot be a number of thousands of digits"),
        ("a = " + "[" * 20_000, "not-toml", "its lists stand too deep in each other."),
        ("#" * 70_000, "too-large", "larger than a ruleset can be"),
    ],
    ids=lambda value: re.sub("[^a-zA-Z0-9_ ]+", ".", value[:40]),
)  # fmt: skip
def test_a_ruleset_that_cannot_be_used_names_file_key_and_allowed_values(text: str, code: str, says: str) -> None:
    with pytest.raises(RulesetError) as refused:
        parse_ruleset(text, "house.toml")
    assert (refused.value.code, says in refused.value.message) == (code, True), refused.value.message
    assert "house.toml" in refused.value.message or code == "unknown-ruleset"


@pytest.mark.parametrize(
    "obj",
    [
        None,
        [],
        {},
        {"name": "x", "title": "x", "kind": "hearts", "settings": {}},
        {"name": "x", "title": "x", "kind": "spades", "settings": {}, "more": 1},
        {"name": "X X", "title": "x", "kind": "spades", "settings": {}},
        {"name": "x", "title": "x" * 300, "kind": "spades", "settings": {}},
        {"name": "x", "title": "x", "kind": "spades", "settings": {"win": "1"}},
        {"name": "x", "title": "\ud800", "kind": "spades", "settings": {}},
        {"name": "x", "title": "x", "kind": "\ud800", "settings": {}},
    ],
)
def test_json_that_is_no_ruleset_is_refused(obj: object) -> None:
    with pytest.raises(RulesetError) as refused:
        ruleset_from_json(obj)
    assert refused.value.code in ("not-a-ruleset", "setting-value")


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(RulesetError, match="capitol-city-bid-whist, mso-2000-spades, wsos-2007-spades"):
        builtin("canasta")


@given(
    st.sampled_from(list(Game)),
    st.dictionaries(st.text(max_size=12), st.none() | st.booleans() | st.integers() | st.text(max_size=8)),
)
@settings(deadline=None)
def test_any_settings_are_taken_or_refused_with_a_sentence(game: Game, overrides: dict[str, Any]) -> None:
    fault = None
    try:
        made = schema.changed(schema.defaults(game), overrides, "settings", "settings.")
    except RulesetError as refused:
        fault = refused
    if fault is None:
        assert made == schema.changed(made, overrides, "settings", "settings.")
    else:
        assert (fault.message[:10], fault.message.isprintable()) == ("settings: ", True)


def _house(text: str, hands: list[dict[str, Any]], **rest: Any) -> SheetScore:
    ruleset = parse_ruleset(text, "house.toml")
    return score_sheet(sheet_from_json({"ruleset": "house", "hands": hands, **rest}, lambda _: ruleset))


def test_a_house_that_plays_to_350_and_counts_no_bags() -> None:
    text = 'extends = "mso-2000-spades"\ntitle = "Friday"\nwin = 350\novertrick_points = 0\nbag_penalty = 0\n'
    sheet = _house(text, [spades_hand("3+3", "5+5")], opening={"points": {"NS": 300}, "bags": {"NS": 9}})
    assert (sheet.totals.points[NS], sheet.totals.bags[NS]) == (360, 13)
    assert (sheet.round.over, sheet.round.reason, sheet.round.winner) == (True, "win-limit", NS)


def test_a_house_where_low_beats_high_of_the_same_number() -> None:
    text = 'extends = "capitol-city-bid-whist"\nsame_number_order = "low_beats_high"\n'
    hand = {"dealer": "W", "calls": ["5", "5 special", "pass", "pass"], "books": {"NS": 2, "EW": 11}}
    assert _house(text, [hand]).hands[0].points == {NS: 0, EW: 5}
    with pytest.raises(SheetError):
        _house(text, [{**hand, "calls": ["5 special", "5", "pass", "pass"]}])


def test_a_house_where_a_set_costs_the_bidders() -> None:
    text = 'extends = "capitol-city-bid-whist"\nset_bidder_penalty = 1\n'
    score = _house(text, [whist_hand("5 no up", 10)]).hands[0]
    assert (score.points, score.won_by) == ({NS: -10, EW: 10}, EW)
    conceded = _house(text, [whist_hand("5", None, rulings=[{"code": "CONCEDED"}])]).hands[0]
    assert conceded.points == {NS: -5, EW: 5}
    single = _house(text + "set_no_doubled = false\n", [whist_hand("5 no up", 10)]).hands[0]
    assert single.points == {NS: -5, EW: 5}
    tech = _house(text, [whist_hand("5", 12, rulings=[{"code": "TALK", "side": "NS"}])]).hands[0]
    assert tech.points == {NS: 0, EW: 5}


def test_a_house_where_the_kitty_is_no_book() -> None:
    text = 'extends = "capitol-city-bid-whist"\nkitty_is_book = false\n'
    hand = whist_hand("4", {"NS": 10, "EW": 2})
    assert _house(text, [hand]).hands[0].points == {NS: 4, EW: 0}
    swept = _house(text, [whist_hand("4", {"NS": 12, "EW": 0})]).hands[0]
    assert (swept.points[NS], swept.boston) == (6, NS)
    assert _house(text, [whist_hand("4", {"NS": 0, "EW": 12})]).hands[0].won_by is EW
    with pytest.raises(SheetError, match=r"^10 and 3 are 13 books\. A hand has 12\. Count again"):
        _house(text, [whist_hand("4", 10)])


def test_one_side_s_books_are_what_the_other_has_not() -> None:  # case 21
    assert books_with(WhistSettings(), NS, 11) == {NS: 11, EW: 2}
    assert books_with(WhistSettings(kitty_is_book=False), EW, 4) == {NS: 8, EW: 4}


def test_a_house_where_a_boston_needs_a_seven() -> None:
    text = 'extends = "capitol-city-bid-whist"\nboston_requires_seven = true\n'
    assert _house(text, [whist_hand("6", 13)]).hands[0].boston is None
    assert _house(text, [whist_hand("7", 13)]).hands[0].boston is NS


def test_a_house_that_starts_at_three() -> None:
    text = 'extends = "capitol-city-bid-whist"\nmin_level = 3\n'
    assert _house(text, [whist_hand("3", 9)]).hands[0].points[NS] == 3
    tech = {"code": "TALK", "side": "NS", "phase": "bidding"}
    assert _house(text, [{"dealer": "W", "rulings": [tech]}]).hands[0].points[EW] == 3


def test_a_house_with_other_limits() -> None:
    text = 'extends = "wsos-2007-spades"\nwin = 200\nlose = -60\nmax_hands = 2\n'
    assert _house(text, [spades_hand("4+3", "3+3")]).round.reason == "loss-limit"
    two = [spades_hand("4+3", "4+3"), spades_hand("4+3", "4+3", dealer="E")]
    assert _house(text, two[:1]).round.over is False
    assert _house(text, two).round.reason == "hand-limit"


def test_rules_in_force_list_each_default_with_its_setting() -> None:
    whist = in_force(builtin(WHIST))
    assert [each.rule for each in whist][:4] == ["Q-01", "Q-02", "Q-03", "Q-04"]
    assert {each.setting for each in whist if each.setting} <= set(schema.keys(Game.BID_WHIST))
    spades = {each.rule for each in in_force(builtin(MSO))}
    series = {each.rule for each in in_force(builtin(WSOS))}
    assert ("Q-26" in spades, "Q-26" in series) == (False, True)
    assert ("Q-30" in spades, "Q-31" in spades, "Q-31" in series) == (True, False, True)
    assert all(each.text for each in (*whist, *in_force(builtin(MSO)), *in_force(builtin(WSOS))))


def test_rules_in_force_show_what_a_house_changed() -> None:
    house = with_settings(builtin(MSO), {"tie_policy": "draw"})
    shown = {each["setting"]: each["value"] for each in in_force_to_json(house) if isinstance(each, dict)}
    assert (shown["tie_policy"], shown["both_nil"]) == ("draw", "warn")
