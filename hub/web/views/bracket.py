"""The bracket as people read it: rounds from the first to the final, seeds, byes, winners, and what was unsettled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hub.errors import HubError
from hub.tournament.bracket import Entrant, Match, NoEntrant, Progress, Slot, WinnerOf
from hub.tournament.brackets import bracket_of, elimination, match_of, slots_of
from hub.tournament.entering import later_stage
from hub.tournament.results import Kind, kind_of, winner
from hub.tournament.stages import StagePlay
from hub.tournament.standings import Row, standings
from hub.tournament.state import Stage, TableRound, Tournament
from hub.tournament.warnings import flags
from hub.web.picture import Picture
from hub.web.views.standings import SPADES, WHIST
from hub.web.views.words import count_word, counted, players, signed
from tallybox.calls import Game
from tallybox.events.hub import StagePlanned
from tallybox.seats import Side

_FROM_THE_END: Final = ("Final", "Semi-finals", "Quarter-finals")


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One of the two places of a match: a team with its seed, nobody (a bye), or whoever wins an earlier match."""

    words: str
    team: int | None = None
    seed: int | None = None
    names: str = ""
    points: str = ""
    won: bool = False
    out: bool = False
    bye: bool = False


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match with its sheet; ``state`` says how it stands, ``stale`` that a correction would put others here."""

    id: str
    name: str
    first: PlaceView
    second: PlaceView
    state: str
    tone: str
    sheet: str = ""
    href: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One round of the bracket."""

    name: str
    matches: tuple[MatchView, ...]


@dataclass(frozen=True, slots=True)
class SeedView:
    """A team in the table of the cut."""

    place: int
    team: int
    names: str
    figures: tuple[str, ...]
    through: bool
    last: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class StageView:
    """One stage of the play-offs. ``tree``: its winners meet from column to column; else each round stands alone."""

    number: int
    name: str
    tree: bool
    columns: tuple[ColumnView, ...] = ()
    champion: int | None = None
    champion_names: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class BracketView:
    """The whole page; the ``stages`` stand in the order they began."""

    title: str
    stages: tuple[StageView, ...] = ()
    cut: tuple[SeedView, ...] = ()
    figures: tuple[str, ...] = ()
    cut_words: str = ""
    note: str = ""
    flags: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    lots: tuple[str, ...] = ()
    sentence: str = ""

    @property
    def columns(self) -> tuple[ColumnView, ...]:
        """The rounds of the bracket that began last."""
        return next((each.columns for each in reversed(self.stages) if each.tree), ())

    @property
    def champion(self) -> int | None:
        """Who won the bracket that began last."""
        return next((each.champion for each in reversed(self.stages) if each.tree), None)


def bracket(picture: Picture) -> BracketView:
    """The bracket as it stands, or who would enter it now; a tournament without one says so."""
    tournament = picture.tournament
    plan = tournament.plan
    if plan is None:
        return BracketView("Bracket", sentence="There is no tournament yet.")
    stage, stages = elimination(tournament), _stages(tournament)
    planned = next((each for each in plan.stages if each.kind == "elimination"), None)
    if planned is None:
        rests, lots = _rests(tournament), _lots(tournament)
        if stages:
            return BracketView(stages[-1].name, stages, rests=rests, lots=lots)
        sentence = "This tournament has no bracket: the standings decide."
        return BracketView("Sit-outs and lots", rests=rests, lots=lots, sentence=sentence)
    if stage is None:
        return replace(_ahead(tournament, planned), stages=stages)
    return BracketView(
        title=stages[-1].name,
        stages=stages,
        cut=_cut(tournament, stage.teams),
        figures=_words(tournament),
        cut_words=cut_words(stage.plan, first=stage.number == 1),
        note=stage.note,
        flags=tuple(flag.message for flag in flags(tournament) if flag.code in ("match-stale", "seeds-stale")),
        rests=_rests(tournament),
        lots=_lots(tournament),
    )


def cut_words(stage: StagePlanned, *, first: bool) -> str:
    """Who enters the bracket, in words."""
    if first:
        return "Every team enters; the seeds are drawn by lot."
    if stage.wins is not None:
        return f"Teams with {counted(stage.wins, 'win', 'wins')} or more go on, seeded by the standings."
    if stage.top is not None:
        return f"The best {stage.top} go on, seeded by the standings."
    return "Every team goes on, seeded by the standings."


def round_name(number: int, rounds: int) -> str:
    """What a round of the bracket is called, counted from 1."""
    before = rounds - number
    return _FROM_THE_END[before] if before < len(_FROM_THE_END) else f"Last {2 ** (before + 1)}"


def _ahead(tournament: Tournament, planned: StagePlanned) -> BracketView:
    """Nobody is in the bracket yet: who would be by now."""
    try:
        entering = later_stage(tournament, planned, "hub") if tournament.rounds else None
    except HubError:
        entering = None
    teams = () if entering is None else entering.teams
    shared = "" if entering is None or not entering.lots else "Equal teams would be separated by lot."
    return BracketView(
        title=planned.name,
        cut=_cut(tournament, teams),
        figures=_words(tournament),
        cut_words=cut_words(planned, first=tournament.plan is not None and tournament.plan.stages[0] is planned),
        note=" ".join(part for part in ("" if entering is None else entering.note, shared) if part),
        rests=_rests(tournament),
        lots=_lots(tournament),
        sentence="The bracket is drawn when the qualifying rounds are over. The table shows who would enter it now.",
    )


def _stages(tournament: Tournament) -> tuple[StageView, ...]:
    """Every stage of the play-offs that has begun."""
    return tuple(
        _tree(tournament, stage) if stage.plan.kind == "elimination" else _one_by_one(tournament, stage)
        for stage in tournament.stages
        if (stage.plan.kind == "elimination" and len(stage.teams) > 1) or stage.plan.kind == "play_off"
    )


def _tree(tournament: Tournament, stage: StagePlay) -> StageView:
    made = bracket_of(tournament, stage)
    return StageView(
        stage.number, stage.plan.name, tree=True, columns=_columns(tournament, stage, made), champion=made.champion,
        champion_names="" if made.champion is None else players(tournament.teams[made.champion]),
    )  # fmt: skip


def _one_by_one(tournament: Tournament, stage: StagePlay) -> StageView:
    """Hands between teams that share a place: each round is drawn anew among those who still do."""
    columns = tuple(
        ColumnView(
            f"Round {count_word(posted.number)}",
            (
                *(_alone(tournament, table) for table in posted.tables.values()),
                *(_resting(tournament, team) for team in posted.byes),
            ),
        )
        for posted in tournament.rounds_of(stage.number)
    )
    words = stage.note or "Teams that share a place play one hand for it."
    return StageView(stage.number, stage.plan.name, tree=False, columns=columns, words=words)


def _alone(tournament: Tournament, table: TableRound) -> MatchView:
    """A game that leads to no other one."""
    won = winner(table)
    first, second = (_place(tournament, Entrant(team), {}, table, won) for team in table.teams)
    state, tone = _of_table(tournament, table, won)
    href = f"/rounds/{table.round}/tables/{table.table}"
    return MatchView(table.sheet_id, f"Table {table.table}", first, second, state, tone, table.sheet_id, href)


def _resting(tournament: Tournament, team: int) -> MatchView:
    place = _place(tournament, Entrant(team), {}, None, None)
    return MatchView(
        f"rest-{team}", f"Team {team} rests", place, PlaceView("Rests", bye=True), "No hand to play", "waits"
    )


def _columns(tournament: Tournament, stage: StagePlay, made: Progress) -> tuple[ColumnView, ...]:
    rounds = max(match.round for match in made.matches)
    seeds = {team: seed for seed, team in enumerate(stage.teams, 1)}
    tables = _tables(tournament, stage)
    return tuple(
        ColumnView(
            round_name(number, rounds),
            tuple(
                _match(tournament, made, match, seeds, tables.get(match.id), rounds)
                for match in made.matches
                if match.round == number
            ),
        )
        for number in range(1, rounds + 1)
    )


def _tables(tournament: Tournament, stage: StagePlay) -> Mapping[str, TableRound]:
    """The table where each match was played last."""
    slots = slots_of(stage)
    return {
        match_of(slots, *table.teams): table
        for posted in tournament.rounds_of(stage.number)
        for table in posted.tables.values()
        if all(team in slots for team in table.teams)
    }


def _match(
    tournament: Tournament,
    made: Progress,
    match: Match,
    seeds: Mapping[int, int],
    table: TableRound | None,
    rounds: int,
) -> MatchView:
    stale = match.id in made.stale
    won = _winner(made, match, table)
    first, second = (_place(tournament, slot, seeds, table, won) for slot in (match.a, match.b))
    state, tone = _state(tournament, made, match, table, won)
    name = f"{round_name(match.round, rounds).removesuffix('s')} {match.id.partition('M')[2]}"
    return MatchView(
        match.id, "Final" if match.winner_to is None else name, first, second, state, tone,
        "" if table is None else table.sheet_id,
        "" if table is None else f"/rounds/{table.round}/tables/{table.table}", stale,
    )  # fmt: skip


def _winner(made: Progress, match: Match, table: TableRound | None) -> int | None:
    if match.through is not None:
        return match.through
    if match.winner_to is None:
        return made.champion
    onward = next(each for each in made.matches if each.id == match.winner_to)
    slot = onward.a if int(match.id.partition("M")[2]) % 2 else onward.b
    if match.id in made.stale:
        return None if table is None else winner(table)
    return slot.team if isinstance(slot, Entrant) and match.id not in made.ready else None


def _place(
    tournament: Tournament, slot: Slot, seeds: Mapping[int, int], table: TableRound | None, won: int | None
) -> PlaceView:
    match slot:
        case Entrant(team):
            points = ""
            if table is not None and team in table.teams and table.score is not None:
                points = signed(table.score.totals.points[Side.NS if table.teams[0] == team else Side.EW])
            return PlaceView(
                f"Team {team}", team, seeds.get(team), players(tournament.teams[team]), points, won == team,
                tournament.entrants[team].out,
            )  # fmt: skip
        case NoEntrant():
            return PlaceView("Bye", bye=True)
        case WinnerOf(match=before):
            return PlaceView(f"Winner of {before}")


def _state(
    tournament: Tournament, made: Progress, match: Match, table: TableRound | None, won: int | None
) -> tuple[str, str]:
    """How the match stands, and how the page shows it."""
    if match.id in made.stale:
        return "A correction changed who belongs here", "caution"
    if match.through is not None:
        return "Goes on without playing", "waits"
    if table is not None:
        return _of_table(tournament, table, won)
    if won is None:
        return ("Ready to be paired", "now") if match.id in made.ready else ("Waits", "waits")
    return "The other team is out", "waits"


def _of_table(tournament: Tournament, table: TableRound, won: int | None) -> tuple[str, str]:
    """How a game stands that has its table."""
    if won is None:
        current = tournament.current
        begun = table.begun or (current is not None and current.stage is Stage.STARTED)
        return ("Being played" if begun else "Posted", "now")
    kinds = {Kind.FORFEIT: "Won by forfeit", Kind.DISQUALIFIED: "Won by disqualification"}
    return kinds.get(kind_of(table), "Played" if table.settled else "Played, sheet not accepted yet"), "done"


def _cut(tournament: Tournament, through: tuple[int, ...]) -> tuple[SeedView, ...]:
    rows = {row.team: row for row in standings(tournament)}
    rest = [team for team, row in rows.items() if team not in through and row.rank]
    columns = WHIST if _game(tournament) is Game.BID_WHIST else SPADES

    def view(place: int, team: int, row: Row) -> SeedView:
        entrant = tournament.entrants[team]
        note = "disqualified" if entrant.disqualified is not None else "withdrawn" if entrant.out else ""
        return SeedView(
            place, team, players(tournament.teams[team]), tuple(signed(column.value(row)) for column in columns),
            place <= len(through), place == len(through), note,
        )  # fmt: skip

    return tuple(view(place, team, rows[team]) for place, team in enumerate((*through, *rest), 1) if team in rows)


def _words(tournament: Tournament) -> tuple[str, ...]:
    return tuple(column.word for column in (WHIST if _game(tournament) is Game.BID_WHIST else SPADES))


def _game(tournament: Tournament) -> Game:
    assert tournament.plan is not None
    return tournament.plan.ruleset.game


def _rests(tournament: Tournament) -> tuple[str, ...]:
    """Who sat out, round by round."""
    return tuple(
        f"Round {posted.number}: {'team' if len(posted.byes) == 1 else 'teams'} "
        f"{', '.join(str(team) for team in posted.byes)}"
        for posted in tournament.rounds
        if posted.byes
    )


def _lots(tournament: Tournament) -> tuple[str, ...]:
    return tuple(
        f"Lot for {'the seeds' if lot.what == 'seeds' else 'a place' if lot.what == 'place' else 'a bye'}: "
        f"{', '.join(str(team) for team in lot.order)} (seed {lot.seed})"
        for lot in tournament.lots
    )
