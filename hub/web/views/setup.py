"""The set-up as people read it: templates in words, every rule in words, the seat map, and what would be created."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hub.desk.setting_up import (
    RULES,
    STEPS,
    SUMMARY,
    TABLES,
    TEAMS,
    SetUp,
    as_created,
    faults,
    rule_faults,
    setting_from,
    setting_text,
    stages_of,
)
from hub.desk.team_list import Listed, read_team_list
from hub.desk.team_list import numbered as with_numbers
from hub.errors import HubError
from hub.tournament.entering import active
from hub.tournament.rotation import places_of, rotated
from hub.tournament.state import Tournament
from hub.tournament.templates import Template, template, templates
from hub.tournament.warnings import warnings
from hub.web.views.rule_words import SETTINGS, VALUES, value_words
from hub.web.views.words import count_word, counted
from tallybox.calls import Game
from tallybox.canonical import Json
from tallybox.errors import RulesetError, TallyboxError
from tallybox.events.hub import StagePlanned
from tallybox.renewed import renewed
from tallybox.rules import schema
from tallybox.rules.in_force import in_force
from tallybox.rules.ruleset import Ruleset, builtin

MOST_TABLES_SHOWN: Final = 40
CHOICES: Final = {"swiss": "Swiss rounds", "round_robin": "Everybody meets everybody", "elimination": "Elimination"}
GAMES: Final = {Game.BID_WHIST: "Bid whist", Game.SPADES: "Spades"}


@dataclass(frozen=True, slots=True)
class TemplateView:
    """A template as a card."""

    name: str
    title: str
    game: str
    lines: tuple[str, ...]
    chosen: bool
    choices: tuple[tuple[str, str], ...]
    hands: int


@dataclass(frozen=True, slots=True)
class RuleView:
    """One setting: what it decides, its value now, the club's, and where it can be changed how."""

    key: str
    words: str
    now: str
    club: str
    text: str
    house: bool
    kind: str
    options: tuple[tuple[str, str], ...] = ()
    allowed: str = ""
    why: tuple[tuple[str, str], ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class SeatMapView:
    """Who would sit where: a row a table, a column a round."""

    rounds: tuple[str, ...] = ()
    rows: tuple[tuple[int, str, tuple[str, ...]], ...] = ()
    more: int = 0
    rests: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class SetUpView:
    """One step of the wizard."""

    step: int
    steps: tuple[tuple[int, str, str], ...]
    wanted: SetUp
    kept: Mapping[str, str]
    faults: tuple[str, ...] = ()
    templates: tuple[TemplateView, ...] = ()
    rules: tuple[RuleView, ...] = ()
    decided: tuple[tuple[str, str], ...] = ()
    teams: tuple[Listed, ...] = ()
    told: str = ""
    tables: int = 0
    boxes: tuple[str, ...] = ()
    seat_map: SeatMapView = field(default_factory=SeatMapView)
    warnings: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    ruleset: str = ""
    house: tuple[RuleView, ...] = ()

    @property
    def word(self) -> str:
        """The step's name."""
        return STEPS[self.step - 1]


_OWN: Final[Mapping[int, Collection[str]]] = {
    1: ("template", "title", "hands", "qualifying", "play_offs"),
    RULES: (),
    TEAMS: ("how", "listed", "count"),
    TABLES: ("boxes",),
    SUMMARY: (),
}
"""The fields that a step shows itself; all others travel hidden."""


def set_up(wanted: SetUp, step: int, boxes: tuple[str, ...], *, tell: bool = False) -> SetUpView:
    """A step of the set-up; ``tell``: with what it lacks."""
    lacking = faults(wanted, step) if tell else ()
    made = SetUpView(
        step=step, steps=_steps(step), wanted=wanted, faults=lacking, boxes=boxes,
        kept={name: value for name, value in wanted.fields.items() if name not in _OWN[step]},
    )  # fmt: skip
    return _SHOWS[step](made)


def told(chosen: Template) -> tuple[str, ...]:
    """A template in words, a line a stage."""
    return tuple(stage_words(stage) for stage in chosen.planned())


def stage_words(stage: StagePlanned) -> str:
    """A stage in words: rounds, hands, minutes, who enters, what a bye brings."""
    hands = counted(stage.hands, "hand", "hands")
    clock = f"{stage.minutes} minutes" if stage.minutes else "no clock"
    many = counted(stage.rounds or 0, "round", "rounds")
    match stage.kind:
        case "rotation":
            said = f"{many} of {hands} by the rotation, {clock} each"
        case "swiss":
            said = f"{many} of up to {hands}, {clock}: teams with as many wins meet"
        case "round_robin":
            said = f"Everybody meets everybody, up to {hands} a game, {clock}"
        case "elimination":
            enters = (
                f"teams with {counted(stage.wins, 'win', 'wins')} or more" if stage.wins is not None
                else f"the best {stage.top}" if stage.top is not None else "all teams"
            )  # fmt: skip
            said = f"{stage.name} for {enters}: whoever loses is out"
        case _:
            said = f"One hand for each two teams that share a place up to {stage.places}"
    if stage.intermission:
        said += f"; {stage.intermission} minutes between rounds at most"
    if stage.notice:
        said += f"; pairings posted {stage.notice} minutes ahead"
    return f"{said}."


def rules(ruleset: Ruleset, club: Ruleset, wrong: Mapping[str, str] | None = None,
          typed: Mapping[str, str] | None = None) -> tuple[RuleView, ...]:  # fmt: skip
    """Every setting with its value, the club's own, and the question it answers."""
    whys: dict[str, list[tuple[str, str]]] = {}
    for each in in_force(club):
        if each.setting is not None:
            whys.setdefault(each.setting, []).append((each.rule, each.text))
    now, usual = ruleset.settings_json(), club.settings_json()
    made = []
    for key in schema.keys(club.game):
        text = (typed or {}).get(key, setting_text(now[key]))
        value = setting_from(club, key, text)
        kind, options = _control(club.game, key, usual[key])
        made.append(RuleView(
            key, SETTINGS[key], value_words(key, value), value_words(key, usual[key]), text, value != usual[key], kind,
            options, schema.allowed(club.game, key).replace("-", "−"), tuple(whys.get(key, ())),
            (wrong or {}).get(key, ""),
        ))  # fmt: skip
    return tuple(made)


def decided_elsewhere(club: Ruleset) -> tuple[tuple[str, str], ...]:
    """The answers to what the club's text leaves open and no setting changes: rule id and sentence."""
    return tuple((each.rule, each.text) for each in in_force(club) if each.setting is None)


def seat_map(tournament: Tournament) -> SeatMapView:
    """The first stage's seats as they would be; a stage that is paired round by round says so."""
    plan = tournament.plan
    assert plan is not None
    first, boxes = plan.stages[0], tournament.boxes
    teams = active(tournament)
    if first.kind != "rotation":
        said = "The bracket is drawn by lot" if first.kind == "elimination" else "The first round is drawn by lot"
        drawn: tuple[tuple[int, str, tuple[str, ...]], ...] = tuple(
            (table, boxes.get(table, ""), ()) for table in range(1, len(teams) // 2 + 1)
        )
        return SeatMapView(
            (), drawn[:MOST_TABLES_SHOWN], max(0, len(drawn) - MOST_TABLES_SHOWN), said=f"{said} when it is drafted."
        )
    places, many = places_of(teams), first.rounds or 1
    seats: dict[int, dict[int, str]] = {}
    rests = []
    try:
        for number in range(1, many + 1):
            draw = rotated(places, (), many, number, first.even_rounds)
            for table, pair in zip(draw.tables, draw.pairs, strict=True):
                seats.setdefault(table, {})[number] = f"{pair.ns} – {pair.ew}"
            if draw.byes:
                rests.append(f"Round {count_word(number)}: {', '.join(str(team) for team in draw.byes)}")
    except TallyboxError as reason:
        return SeatMapView(said=reason.message)
    rows = tuple(
        (table, boxes.get(table, ""), tuple(seats[table].get(number, "–") for number in range(1, many + 1)))
        for table in sorted(seats)
    )
    headings = tuple(f"Round {number}" for number in range(1, many + 1))
    return SeatMapView(
        headings, rows[:MOST_TABLES_SHOWN], max(0, len(rows) - MOST_TABLES_SHOWN), tuple(rests),
        "North–South first, East–West second.",
    )  # fmt: skip


def _steps(step: int) -> tuple[tuple[int, str, str], ...]:
    return tuple(
        (number, word, "done" if number < step else "now" if number == step else "later")
        for number, word in enumerate(STEPS, 1)
    )


def _game(view: SetUpView) -> SetUpView:
    wanted = view.wanted
    cards = tuple(
        TemplateView(
            name, each.title, GAMES[builtin(each.ruleset).game], told(each), name == wanted.template,
            tuple((key, CHOICES.get(key, key)) for key in each.choices), each.hands,
        )
        for name, each in templates().items()
    )  # fmt: skip
    return replace(view, templates=cards)


def _rules(view: SetUpView) -> SetUpView:
    club = builtin(template(view.wanted.template).ruleset)
    wrong = rule_faults(view.wanted)
    shown = rules(club, club, wrong, view.wanted.rules)
    return replace(view, rules=shown, decided=decided_elsewhere(club), ruleset=club.title)


def _teams(view: SetUpView) -> SetUpView:
    wanted = view.wanted
    if wanted.how != "list" or not wanted.listed.strip():
        return view
    read = read_team_list(wanted.listed.encode())
    return replace(view, teams=with_numbers(read.teams) if read.good else (), told=read.told)


def _tables(view: SetUpView) -> SetUpView:
    try:
        made = _placed(as_created(view.wanted), view.boxes if view.wanted.boxes else ())
    except (HubError, RulesetError) as reason:
        return replace(view, faults=view.faults or (reason.message,))
    tables = -(-len(made.entrants) // 2)
    return replace(
        view, tables=tables, seat_map=seat_map(made), warnings=tuple(warned.message for warned in warnings(made))
    )


def _summary(view: SetUpView) -> SetUpView:
    shown = _teams(_tables(view))
    club = builtin(template(view.wanted.template).ruleset)
    house = tuple(rule for rule in rules(club, club, None, view.wanted.rules) if rule.house)
    try:
        stages = tuple(stage_words(stage) for stage in stages_of(view.wanted))
    except HubError as reason:
        return replace(shown, faults=shown.faults or (reason.message,))
    return replace(shown, stages=stages, house=house, ruleset=club.title)


def _placed(tournament: Tournament, boxes: tuple[str, ...]) -> Tournament:
    tables = -(-len(tournament.entrants) // 2)
    return renewed(tournament, boxes=dict(zip(range(1, tables + 1), boxes, strict=False)))


def _control(game: Game, key: str, usual: Json) -> tuple[str, tuple[tuple[str, str], ...]]:
    """How a setting is typed: ``choice`` with its options, ``number`` or ``text``."""
    if isinstance(usual, bool):
        allowed = schema.allowed(game, key).split(", ")
        words = [word for word, written in (("yes", "true"), ("no", "false")) if written in allowed]
        return "choice", tuple((word, word) for word in words)
    if key in VALUES:
        return "choice", tuple(VALUES[key].items())
    return ("number" if isinstance(usual, int) else "text"), ()


_SHOWS: Final = {1: _game, RULES: _rules, TEAMS: _teams, TABLES: _tables, SUMMARY: _summary}
