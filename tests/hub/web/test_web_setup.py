"""The set-up: five steps that keep what was entered, write nothing before the end, and say what is in force then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from web_bare import bare_site, hidden, walk
from web_site import Node, read, site

from hub.desk.setting_up import GAME, RULES, SUMMARY, TEAMS, SetUp, entry_of, faults, ruleset_of, set_up_from, stages_of
from hub.tournament.templates import template, templates
from hub.web.views.rule_words import SETTINGS, VALUES
from hub.web.views.setup import rules, set_up, told
from tallybox.calls import Game
from tallybox.messages import Team
from tallybox.rules import schema
from tallybox.rules.ruleset import BUILTIN_NAMES, builtin

LIST = "number,player 1,player 2,filler\n1,Ada,Bea\n2,Cleo,Dora\n3,Ella,Fay\n4,Gia,Hana,yes\n"


def said(text: str) -> str:
    return " ".join(node.text for node in read(text).all("span"))


def alerts(page: Node) -> list[str]:
    return [node.text for node in page.all("p", cls="bad")]


def step_of(page: Node) -> str:
    return page.one("ol", cls="steps").one("li", cls="now").text


# --- the wizard


def test_tournament_is_set_up_in_five_steps_and_nothing_is_written_before_the_end(tmp_path: Path) -> None:
    with bare_site(tmp_path, boxes=3) as seen:
        hub = seen.room.hub
        page = seen.page("/setup")
        assert len(page.all("label", cls="card")) == 5
        page = walk(seen, page, 2, title="Spring Classic", template="capitol-5")
        page = walk(seen, page, 3, **{"set-late_points": "3", "set-boston_requires_seven": "no"})
        page = walk(seen, page, 4, how="list", listed=LIST)
        assert step_of(page) == "4 Tables"
        assert page.one("section", cls="flush").one("tbody").all("tr")[0].text == "1 K-01 1 – 2 1 – 4 1 – 2 3 – 2 1 – 2"
        page = walk(seen, page, 5, boxes_asked="yes", boxes="on")
        summary = page.one("section", cls="summary")
        assert summary.one("h2").text == "Spring Classic"
        assert [node.text for node in summary.all("dd")][1:4] == [
            "Capitol City Card Club bid whist, with 1 house rule: Points of a late award, a hand: 3 the club says 5",
            "4", "2; 2 with a box",
        ]  # fmt: skip
        assert hub.tournament.seq == 0
        answer = seen.post("/setup/create", hidden(page))
        assert (answer.status_code, answer.headers["location"]) == (303, "/rounds")
        tournament = hub.tournament
        assert (tournament.title, len(tournament.entrants), dict(tournament.boxes)) == (
            "Spring Classic", 4, {1: "K-01", 2: "K-02"},
        )  # fmt: skip
        assert tournament.entrants[4].filler
        assert tournament.plan is not None
        assert tournament.plan.ruleset.settings_json()["late_points"] == 3
        assert tournament.plan.ruleset.name == "capitol-city-bid-whist-house"


def test_step_that_lacks_something_says_so_and_keeps_what_was_entered(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        page = walk(seen, seen.page("/setup"), 2, title=" ", template="mso", hands="8")
        assert (step_of(page), alerts(page)) == (
            "1 Game", ["The tournament has no title. Give it one that people will know it by."],
        )  # fmt: skip
        assert page.one("input", id="hands").attrs["value"] == "8"
        page = walk(seen, page, 2, title="Grand Prix", template="mso", hands="8")
        page = walk(seen, page, 3, **{"set-win": "lots", "set-max_bid": "9"})
        assert step_of(page) == "2 Rules"
        assert page.one(id="fault-win").text == '“win” cannot be "lots". Allowed: whole numbers 0 to 100000.'
        assert page.one("input", id="set-win").attrs["value"] == "lots"
        assert page.one("input", id="set-max_bid").attrs["value"] == "9"
        page = walk(seen, page, 3, **{"set-win": "400", "set-max_bid": "9"})
        page = walk(seen, page, 4, how="list", listed="1,Ada,\n")
        assert alerts(page) == ["Line 1: The second player has no name. Write down both players."]
        assert page.one("textarea", id="listed").text == "1,Ada,"


def test_back_keeps_what_was_entered_and_asks_for_nothing(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        page = walk(seen, seen.page("/setup"), 2, title="Spring Classic", template="capitol-8")
        page = walk(seen, page, 3, **{"set-late_points": "0"})
        page = walk(seen, page, 2, how="list", listed="half a list")
        assert (step_of(page), alerts(page)) == ("2 Rules", [])
        assert page.one("input", id="set-late_points").attrs["value"] == "0"
        page = walk(seen, page, 1, **{"set-late_points": "0"})
        assert page.one("input", id="title").attrs["value"] == "Spring Classic"
        assert "checked" in page.one("input", id="template-capitol-8").attrs
        page = walk(seen, page, 3, title="Spring Classic", template="capitol-8")
        assert page.one("textarea", id="listed").text == "half a list"


def test_another_game_drops_house_rules_that_it_does_not_know(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        page = walk(seen, seen.page("/setup"), 2, title="Open", template="capitol-5")
        page = walk(seen, page, 1, **{"set-late_points": "0"})
        page = walk(seen, page, 2, title="Open", template="wsos")
        assert json.loads(hidden(page).get("rules", "{}")) == {}
        assert page.one("input", id="set-win").attrs["value"] == "500"


def test_file_of_teams_is_looked_at_before_the_wizard_goes_on(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        page = walk(seen, seen.page("/setup"), 2, title="Open", template="mso")
        page = walk(seen, page, 3)
        answer = seen.client.post(
            "/setup/step", files={"file": ("teams.csv", "Inés;Zoë\nAda;Bea\n".encode("latin-1"))},
            data={**hidden(page), "token": seen.token, "how": "list", "listed": "", "to": "4"},
            headers={"Origin": seen.origin},
        )  # fmt: skip
        shown = read(answer.text)
        assert step_of(shown) == "3 Teams"
        assert [row.text for row in shown.one("tbody").all("tr")] == ["1 Inés Zoë", "2 Ada Bea"]


def test_teams_without_names_are_numbered_and_named_later(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        page = walk(seen, seen.page("/setup"), 2, title="Open", template="wsos", qualifying="round_robin")
        page = walk(seen, walk(seen, page, 3), 4, how="numbers", count="6")
        page = walk(seen, page, 5, boxes_asked="yes")
        seen.post("/setup/create", hidden(page))
        tournament = seen.room.hub.tournament
        assert (len(tournament.entrants), dict(tournament.boxes)) == (6, {})
        assert [stage.kind for stage in tournament.plan.stages] == ["round_robin", "elimination"]  # type: ignore[union-attr]
        seen.post("/teams/enter", number="1", one="Ada Bloom", two="Bea Cole")
        assert seen.room.hub.tournament.entrants[1].names == ("Ada Bloom", "Bea Cole")


def test_create_says_what_is_missing_and_writes_nothing(tmp_path: Path) -> None:
    with bare_site(tmp_path) as seen:
        answer = seen.post("/setup/create", htmx=True, title="Open", template="mso", how="numbers", count="1")
        assert (answer.status_code, said(answer.text)) == (409, "Say how many teams play, from 2 to 500.")
        rule = seen.post(
            "/setup/create", htmx=True, title="Open", template="mso", how="numbers", count="4",
            rules='{"win": "none"}',
        )  # fmt: skip
        assert rule.status_code == 409
        assert seen.room.hub.tournament.seq == 0


def test_rules_in_force_are_shown_once_there_is_a_tournament(tmp_path: Path) -> None:
    with site(tmp_path, template="wsos", tables=2) as seen:
        page = seen.page("/setup")
        assert page.one("h1").text == "Rules in force"
        rows = {row.all("td")[0].text: row.all("td")[1].text for row in page.one("tbody").all("tr")}
        assert rows["Points that win the game"] == "500"
        assert rows["Both partners bid nil"] == "is allowed after a question"
        assert page.all("tr", cls="house") == []


# --- what was typed, without a server


@pytest.mark.parametrize("name", sorted(templates()))
def test_every_template_is_told_in_words_and_can_be_set_up_as_it_is(name: str) -> None:
    wanted = SetUp(template=name, title="Open", how="numbers", count="8")
    assert [faults(wanted, step) for step in range(1, 6)] == [()] * 5
    assert all(line[0].isupper() or line[0].isdigit() for line in told(template(name)))
    assert stages_of(wanted) == template(name).planned()
    view = set_up(wanted, SUMMARY, ("K-01",))
    assert (view.tables, view.faults) == (4, ())


def test_rotation_and_play_off_read_as_people_say_them() -> None:
    assert told(template("capitol-4")) == (
        "4 rounds of 4 hands by the rotation, 20 minutes each; 5 minutes between rounds at most.",
        "One hand for each two teams that share a place up to 4.",
    )
    assert told(template("mso")) == (
        "4 rounds of up to 10 hands, no clock: teams with as many wins meet; pairings posted 10 minutes ahead.",
        "Play-offs for teams with 3 wins or more: whoever loses is out; pairings posted 10 minutes ahead.",
    )


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_every_setting_has_words_and_a_field_that_gives_its_own_value_back(name: str) -> None:
    club = builtin(name)
    shown = rules(club, club)
    assert [rule.key for rule in shown] == list(schema.keys(club.game))
    assert not any(rule.house or rule.fault for rule in shown)
    for rule in shown:
        assert SETTINGS[rule.key] == rule.words
        if rule.kind == "choice":
            assert rule.text in [value for value, _words in rule.options]
    typed = {f"set-{rule.key}": rule.text for rule in shown}
    same = set_up_from({"template": _plays(name), **typed})
    assert same.rules == {}
    assert ruleset_of(same) == club


def test_words_of_values_are_those_that_the_schema_allows() -> None:
    for game in Game:
        for key in schema.keys(game):
            if key in VALUES:
                assert set(VALUES[key]) == set(schema.allowed(game, key).split(", "))


def test_settings_of_a_ruleset_that_do_not_go_together_are_refused() -> None:
    wanted = SetUp(template="mso", title="Open", rules={"min_team_bid": "13", "max_bid": "4"})
    assert faults(wanted, RULES) == ("“min_team_bid” is 13, above “max_bid” 4. Lower it.",)
    lists = SetUp(template="mso", title="Open", rules={"forfeit_points": "400, 50", "exposed_50_cards": "SA, SK"})
    assert faults(lists, RULES) == ()
    made = ruleset_of(lists).settings_json()
    assert (made["forfeit_points"], made["exposed_50_cards"]) == ([400, 50], ["SA", "SK"])


def test_odd_things_in_the_form_fall_back_or_show_as_faults() -> None:
    odd = set_up_from({"template": "bridge", "rules": "[1]", "seed": "x", "hands": "0", "boxes": ""})
    assert (odd.template, odd.rules, odd.boxes) == ("capitol-5", {}, False)
    assert faults(SetUp(title="Open", hands="0"), GAME) == ("A round has 1 to 99 hands, not “0”.",)
    assert faults(SetUp(title="W" * 81), GAME) == ("Shorten the title to 80 characters; it has 81.",)
    assert faults(SetUp(template="wsos", title="Open", qualifying="knockout"), GAME) != ()
    assert faults(SetUp(title="Open"), TEAMS) == ("The list is empty. Write one team a line: number, player, player.",)
    entry = entry_of(SetUp(title=" Open  day ", how="numbers", count="2", seed="x"))
    assert (entry.title, entry.seed, entry.teams[0]) == (
        "Open day", 0, Team(number=1, names=("Player 1 A", "Player 1 B")),
    )  # fmt: skip


def _plays(ruleset: str) -> str:
    return next(name for name, each in templates().items() if each.ruleset == ruleset)
