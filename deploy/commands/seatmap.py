"""``tallybox seatmap``: how an occasion would be seated, stage by stage, and what to know before it starts."""

from __future__ import annotations

import argparse
from typing import Final

from deploy.commands.movement import table
from hub.desk.decisions import Entry, create_tournament
from hub.desk.stage_plans import advanced
from hub.errors import HubError
from hub.tournament.imagined import imagined
from hub.tournament.next_round import propose, rounds_in
from hub.tournament.stages import StagePlay
from hub.tournament.state import Tournament
from hub.tournament.templates import arranged, template, templates
from hub.tournament.warnings import warnings
from tallybox.events.hub import StagePlanned
from tallybox.messages import Team
from tallybox.movement import movement

MOST_TEAMS: Final = 2_000
"""Teams that one Swiss round pairs."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--template", required=True, choices=list(templates()), help="what is played")
    parser.add_argument("--teams", required=True, type=int, metavar="N", help="teams, numbered from 1 (2 to 2000)")
    parser.add_argument("--seed", type=int, default=0, help="decides every draw (default: 0)")
    parser.add_argument("--qualifying", help="how a World Series qualifies: swiss, round_robin or elimination")


def run(args: argparse.Namespace) -> int:
    """Print the seats that are known ahead. Raises ``TallyboxError`` for teams that cannot be seated."""
    print(seatmap(args.template, args.teams, args.seed, args.qualifying))
    return 0


def seatmap(name: str, teams: int, seed: int = 0, qualifying: str | None = None) -> str:
    """The seat map for people: each stage, the seats of its rounds as far as they are known, and the warnings."""
    chosen = template(name)
    stages = arranged(chosen, qualifying)
    if teams > MOST_TEAMS:
        raise HubError("too-many", f"{teams} teams are too many. A hub seats at most {MOST_TEAMS}.", where="teams")
    entered = [Team(number=each, names=("Player", "Player")) for each in range(1, teams + 1)]
    entry = Entry(template=name, title=chosen.title, teams=entered, seed=seed, stages=stages)
    tournament = imagined(Tournament(), create_tournament(Tournament(), "desk", entry))
    _, stage, ahead = advanced(tournament, "desk")
    lines = [f"{chosen.title}, {teams} teams", *_first(ahead, stage)]
    for number, later in enumerate(stages[1:], 2):
        lines.append(f"Stage {number}, {later.name}: {_entry(later)}")
    lines += [f"Note: {warned.message}" for warned in warnings(ahead)]
    return "\n".join(lines)


def _first(tournament: Tournament, stage: StagePlay) -> list[str]:
    rounds = rounds_in(stage) or 1
    clock = "untimed" if stage.plan.minutes is None else f"{stage.plan.minutes} minutes"
    head = f"Stage 1, {stage.plan.name}: {rounds} rounds of up to {stage.plan.hands} hands, {clock}."
    if stage.plan.kind == "rotation":
        return [head, table(movement(len(stage.teams), rounds, stage.plan.even_rounds))]
    made = propose(tournament, stage)
    seats = [f"{pair.table:>5}{f'{pair.ns} – {pair.ew}':>14}" for pair in made.pairings]
    rest = [f"Round 1: team {team} sits out." for team in made.byes]
    notice = f" Pairings are posted {stage.plan.notice} minutes ahead." if stage.plan.notice else ""
    how = {"swiss": "Round 1 is drawn; later rounds follow from the results."}.get(stage.plan.kind, "Round 1:")
    return [head, f"{how}{notice}", f"{'Table':>5}{'Round 1':>14}", *seats, *rest]


def _entry(stage: StagePlanned) -> str:
    if stage.kind == "play_off":
        return f"single hands, drawn by lot, while a place from 1 to {stage.places} is shared."
    if stage.wins is not None:
        return f"single elimination for teams with at least {stage.wins} wins, seeded by the standings."
    return "single elimination for all." if stage.top is None else f"single elimination for the {stage.top} best."
