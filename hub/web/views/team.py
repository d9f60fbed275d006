"""One team: who plays, where it sits next, its results, and its case record in order of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hub.tournament.next_seats import moves
from hub.tournament.results import Kind, Result, results
from hub.tournament.standings import standings
from hub.tournament.state import Round, Stage, Tournament
from hub.tournament.teams import Entrant
from hub.tournament.why import why
from hub.web.casebook import OF_TEAMS, Case
from hub.web.picture import Picture
from hub.web.views.people import named
from hub.web.views.record_words import Telling, event_words
from hub.web.views.teams import StateView, states
from hub.web.views.words import SIDE_WORDS, count_word, players, signed, time_of_day

OUTCOMES: Final = {
    Kind.LATE: "late award",
    Kind.FORFEIT: "forfeit",
    Kind.DISQUALIFIED: "disqualification",
    Kind.BYE: "sat out",
    Kind.PLAYED: "",
}


@dataclass(frozen=True, slots=True)
class ProxyView:
    """Somebody who plays for a player of the team."""

    name: str
    instead: str
    since: str
    reason: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """One round of the team."""

    round: int
    against: str
    team: int | None
    points: str
    outcome: str
    tone: str
    sheet: str
    href: str


@dataclass(frozen=True, slots=True)
class CaseView:
    """One line of the case record."""

    time: str
    words: str
    by: str
    where: str
    href: str
    grave: bool


@dataclass(frozen=True, slots=True)
class TeamView:
    """The whole page."""

    number: int
    names: tuple[str, str]
    entered: tuple[str, str]
    states: tuple[StateView, ...]
    here: bool
    out: bool
    withdrawn: bool
    disqualified: bool
    filler: bool
    renames: bool
    place: str
    next: str
    next_href: str
    proxies: tuple[ProxyView, ...]
    results: tuple[ResultView, ...]
    cases: tuple[CaseView, ...]


def team(picture: Picture, number: int, cases: Iterable[Case]) -> TeamView | None:
    """The team's page; ``None`` when there is no such team."""
    tournament = picture.tournament
    entrant = tournament.entrants.get(number)
    if entrant is None:
        return None
    seat, href = next_seat(tournament, number)
    return TeamView(
        number=number,
        names=entrant.playing,
        entered=entrant.names,
        states=states(entrant),
        here=entrant.checked_in,
        out=entrant.out,
        withdrawn=entrant.withdrawn is not None,
        disqualified=entrant.disqualified is not None,
        filler=entrant.filler,
        renames=not tournament.rounds,
        place=_place(tournament, number),
        next=seat,
        next_href=href,
        proxies=_proxies(entrant),
        results=tuple(_result(tournament, number, each) for each in results(tournament) if number in each.teams),
        cases=_cases(picture, number, cases),
    )


def next_seat(tournament: Tournament, number: int) -> tuple[str, str]:
    """Where the team sits next, as far as it is known, and the way there."""
    on = tournament.current
    if tournament.entrants[number].out:
        return "It plays no further round.", ""
    if on is None:
        return "No round is posted yet.", ""
    return _after(tournament, on, number) if on.stage is Stage.ENDED else _now(on, number)


def _now(on: Round, number: int) -> tuple[str, str]:
    table = on.table_of(number)
    if table is None:
        return f"It sits out in round {count_word(on.number)}.", ""
    other = table.teams[1 - table.teams.index(number)]
    side = SIDE_WORDS[table.side_of(number)]
    said = f"Round {count_word(on.number)}: table {table.table}, {side}, against team {other}."
    return said, f"/tables/{table.table}"


def _after(tournament: Tournament, on: Round, number: int) -> tuple[str, str]:
    if tournament.over:
        return "The tournament is over.", ""
    table = on.table_of(number)
    seat = None if table is None else moves(tournament, table).get(table.side_of(number))
    if seat is not None and seat.table is not None and seat.sits is not None:
        after = count_word(on.number + 1)
        return f"Round {after}: table {seat.table}, {SIDE_WORDS[seat.sits]}, against team {seat.against}.", ""
    return f"Round {count_word(on.number + 1)} is not posted yet.", ""


def _place(tournament: Tournament, number: int) -> str:
    plan = tournament.plan
    rows = standings(tournament)
    if plan is None or not tournament.rounds:
        return ""
    rank = next((row.rank for row in rows if row.team == number), 0)
    stands = f"Rank {rank}. " if rank else ""
    return f"{stands}{why(rows, number, plan.ruleset.game)}"


def _proxies(entrant: Entrant) -> tuple[ProxyView, ...]:
    made = []
    for proxy in entrant.proxies:
        hand = "" if proxy.hand is None else f", hand {proxy.hand}"
        since = "from the start" if proxy.round is None else f"from round {count_word(proxy.round)}{hand} on"
        made.append(ProxyView(proxy.name, entrant.names[proxy.player - 1], since, proxy.reason))
    return tuple(made)


def _result(tournament: Tournament, number: int, result: Result) -> ResultView:
    other = next((each for each in result.teams if each != number), None)
    table = tournament.table(result.round, result.table)
    points = ""
    if result.points:
        points = f"{signed(result.points[number])} – {signed(result.points[other])}" if other is not None else ""
    if result.kind is Kind.BYE:
        outcome, tone = "sat out", ""
    elif result.winner is None:
        outcome, tone = ("no winner" if result.final else "being played"), ""
    else:
        outcome, tone = ("won", "won") if result.winner == number else ("lost", "")
    how = OUTCOMES[result.kind] if result.kind is not Kind.BYE else ""
    opponents = "" if other is None else players(tournament.teams[other])
    return ResultView(
        result.round, opponents, other, points, f"{outcome}, {how}" if how else outcome, tone,
        "" if table is None else table.sheet_id,
        "" if table is None else f"/rounds/{table.round}/tables/{table.table}",
    )  # fmt: skip


_GRAVE: Final = frozenset({"team.disqualified", "award.made", "conduct.noted", "ruling.made", "ruling.entered"})


def _cases(picture: Picture, number: int, cases: Iterable[Case]) -> tuple[CaseView, ...]:
    tournament = picture.tournament
    name = named(tournament.officials)
    telling = Telling(picture.game, name)
    made = []
    for case in cases:
        if not _about(tournament, number, case):
            continue
        actor = case.body.get("actor")
        by = f"table {case.table}" if case.box and case.table else name(actor) if isinstance(actor, str) else ""
        at_table = case.round is not None and case.table is not None
        made.append(CaseView(
            time_of_day(case.at), event_words(case.kind, case.body, telling), by,
            f"R{case.round}-T{case.table}" if at_table else "",
            f"/rounds/{case.round}/tables/{case.table}" if at_table else "", case.kind in _GRAVE,
        ))  # fmt: skip
    return tuple(made)


def _about(tournament: Tournament, number: int, case: Case) -> bool:
    if case.kind in OF_TEAMS:
        drawn = case.body.get("order")
        among = tuple(drawn) if isinstance(drawn, list | tuple) else ()
        return number in (case.body.get("team"), case.body.get("first"), case.body.get("second"), *among)
    table = tournament.table(case.round, case.table)
    if table is None or number not in table.teams:
        return False
    return case.kind != "late.marked" or case.body.get("side") == table.side_of(number)
