"""Every row of the standings says why it stands where it stands, by the figure that decides."""

from __future__ import annotations

from hub_played_room import PlayedRoom, room

from hub.desk.deeds import Deed, Deeds
from hub.tournament.stages import Lot
from hub.tournament.standings import Row, ranked
from hub.tournament.state import Stage, Tournament
from hub.tournament.why import why
from tallybox.calls import Game
from tallybox.events import hub as bodies
from tallybox.events.hub import Pairing
from tallybox.rules.ruleset import builtin


def told(rows: tuple[Row, ...], game: Game) -> list[str]:
    return [why(rows, row.team, game) for row in rows]


def test_bid_whist_names_hands_then_points_then_bostons_then_the_play_off() -> None:
    rows = ranked(
        (
            Row(1, hands_won=15, points=40),
            Row(2, hands_won=14, points=75),
            Row(3, hands_won=14, points=70, bostons=3),
            Row(4, hands_won=14, points=70, bostons=2, play_off=(0,)),
            Row(5, hands_won=14, points=70, bostons=2, play_off=(1,)),
            Row(6),
            Row(7),
            Row(8),
        ),
        Game.BID_WHIST,
    )
    assert told(rows, Game.BID_WHIST) == [
        "Team 1 stands above team 2: 15 hands won against 14.",
        "Team 2 stands below team 1: 14 hands won against 15.",
        "Team 3 stands below team 2: both have 14 hands won; 70 points against 75.",
        "Team 4 stands below team 3: both have 14 hands won and 70 points; 2 Bostons against 3.",
        "Team 5 stands below team 4: hands won, points and Bostons are equal; the one-hand play-off decided.",
        "Team 6 shares place 6 with teams 7 and 8: hands won, points and Bostons are equal.",
        "Team 7 shares place 6 with teams 6 and 8: hands won, points and Bostons are equal.",
        "Team 8 shares place 6 with teams 6 and 7: hands won, points and Bostons are equal.",
    ]


def test_spades_name_wins_net_points_bags_the_lot_and_the_bracket() -> None:
    rows = ranked(
        (
            Row(1, wins=2, place=1),
            Row(2, wins=3, place=2),
            Row(3, wins=3, place=3),
            Row(4, wins=3, place=3),
            Row(5, wins=2, net_points=-40, bags=3),
            Row(6, wins=2, net_points=-40, bags=4),
            Row(7, wins=2, net_points=-40, bags=4),
            Row(8, wins=2, net_points=-41),
            Row(9, wins=1),
        ),
        Game.SPADES,
        (Lot((6, 7), (7, 6), 1, "seeds"),),
    )
    assert told(rows, Game.SPADES) == [
        "Team 1 stands above team 2: place 1 in the play-offs against 2.",
        "Team 2 stands below team 1: place 2 in the play-offs against 1.",
        "Team 3 shares place 3 with team 4: they left the play-offs in the same round.",
        "Team 4 shares place 3 with team 3: they left the play-offs in the same round.",
        "Team 5 stands below team 4: team 4 reached the play-offs and team 5 did not.",
        "Team 7 stands below team 5: both have 2 games won and −40 net points; 4 bags against 3 (fewer is better).",
        "Team 6 stands below team 7: games won, net points and bags are equal; the lot put team 7 first.",
        "Team 8 stands below team 6: both have 2 games won; −41 net points against −40.",
        "Team 9 stands below team 8: 1 game won against 2.",
    ]


def test_a_team_alone_or_unknown_and_teams_still_in_the_bracket() -> None:
    alone = ranked((Row(1, wins=1),), Game.SPADES)
    assert told(alone, Game.SPADES) == ["Team 1 is the only one that ranks."]
    assert why(alone, 9, Game.SPADES) == ""
    both = ranked((Row(1, place=1), Row(2, place=1)), Game.SPADES)
    assert told(both, Game.SPADES)[0] == "Team 1 shares place 1 with team 2: they are still in the play-offs."


def test_a_ledger_from_before_there_were_stages_folds_as_its_only_one() -> None:
    made = PlayedRoom(room("capitol-4", 2).luck)
    ruleset = builtin("capitol-city-bid-whist")

    def old(_tournament: Tournament, _now: int) -> Deeds:
        created = bodies.TournamentCreated(
            actor="dana", tournament="old", title="Old", template="capitol-4", ruleset=dict(ruleset.as_json()),
            rounds=1, hands=4,
        )  # fmt: skip
        teams = [bodies.TeamRegistered(actor="dana", team=number, names=("A", "B")) for number in (1, 2)]
        return tuple(Deed(body) for body in (created, *teams))

    def posted(_tournament: Tournament, _now: int) -> Deeds:
        body = bodies.RoundPublished(actor="dana", hands=4, minutes=None, pairings=(Pairing(1, 1, 2),))
        return (Deed(body, 1), Deed(bodies.RoundStarted(actor="dana"), 1))

    made.act(old)
    made.act(posted)
    made.play()
    made.end()
    stage = made.tournament.stages[0]
    assert (stage.plan.kind, stage.teams, stage.implied, stage.ended) == ("rotation", (1, 2), True, True)
    assert (made.tournament.over, made.current.stage) == (True, Stage.ENDED)
