"""The public page: one team's next table and results, the standings, the bracket, what is announced. Read only.

Everybody in the room may open it: results are shown once their sheet is accepted, and nothing that officials noted.
"""

from __future__ import annotations

from dataclasses import dataclass

from hub.documents.told import HandTold, auction_words, told
from hub.documents.versions import versions
from hub.tournament.next_round import rounds_in_all
from hub.tournament.next_seats import moves
from hub.tournament.published import published
from hub.tournament.results import Kind, kind_of, winner
from hub.tournament.state import Round, Stage, TableRound, Tournament
from hub.web.picture import Picture
from hub.web.views.bracket import ColumnView
from hub.web.views.frame import RoundChip, chip
from hub.web.views.screen import BigClock, Phase, Ranking, big_clock, columns, phase, ranking
from hub.web.views.words import SIDE_WORDS, count_word, counted, players, signed
from tallybox.calls import Game, call_words
from tallybox.seats import Side


@dataclass(frozen=True, slots=True)
class Choice:
    """A team that can be chosen."""

    number: int
    names: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class NextTable:
    """Where the team goes: a table with side and opponents, or a sentence alone."""

    says: str
    table: int | None = None
    side: Side | None = None
    against: str = ""
    now: bool = False


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand as the team sees it. ``won``: the hand was theirs."""

    number: int
    what: str
    took: str
    ours: str
    theirs: str
    won: bool
    auction: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One round of the team: whom it met, how it ended, and its hands once the sheet is accepted."""

    chip: RoundChip
    word: str
    against: str
    says: str
    points: str = ""
    hands: tuple[HandLine, ...] = ()
    note: str = ""
    whist: bool = True


@dataclass(frozen=True, slots=True)
class MyTeam:
    """The team that was chosen."""

    number: int
    names: str
    place: str
    next: NextTable
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class PublicView:
    """The whole page."""

    title: str
    phase: Phase
    heading: str
    chip: RoundChip | None
    clock: BigClock | None
    announcement: str
    choices: tuple[Choice, ...]
    mine: MyTeam | None
    unknown: bool
    ranking: Ranking
    bracket: tuple[ColumnView, ...]
    address: str
    now: int


def public(picture: Picture, team: int | None, address: str) -> PublicView:
    """The page for one team, or for nobody in particular; ``address`` fetches it again."""
    tournament = picture.tournament
    on, now = tournament.current, phase(tournament)
    ranked = ranking(picture)
    entrants = sorted(tournament.entrants.values(), key=lambda entrant: entrant.number)
    return PublicView(
        title=tournament.title or "Tallybox",
        phase=now,
        heading=_heading(on, now),
        chip=None if on is None else chip(on.number, max(on.number, rounds_in_all(tournament))),
        clock=big_clock(picture),
        announcement=tournament.announcement,
        choices=tuple(Choice(each.number, " · ".join(each.playing), each.number == team) for each in entrants),
        mine=_mine(tournament, ranked, team) if team in tournament.entrants and team is not None else None,
        unknown=team is not None and team not in tournament.entrants,
        ranking=ranked,
        bracket=columns(picture),
        address=address,
        now=picture.now,
    )


def _heading(on: Round | None, now: Phase) -> str:
    if now is Phase.OVER:
        return "The tournament is over"
    if on is None:
        return "Not begun"
    return f"Round {count_word(on.number)}{' is over' if now is Phase.BETWEEN else ''}"


def _mine(tournament: Tournament, ranked: Ranking, team: int) -> MyTeam:
    seen = next((row for row in ranked.rows if row.team == team), None)
    known = tournament.teams.get(team)
    return MyTeam(
        number=team,
        names=players(known) if known else "",
        place=f"Rank {seen.rank}" if seen is not None else "",
        next=_next(tournament, team),
        outcomes=tuple(
            outcome
            for posted in reversed(published(tournament).rounds)
            if (outcome := _outcome(tournament, posted, team)) is not None
        ),
    )


def _next(tournament: Tournament, team: int) -> NextTable:
    on = tournament.current
    if tournament.over:
        return NextTable("The tournament is over. Thank you for playing.")
    if tournament.entrants[team].out:
        return NextTable("Your team plays no further round.")
    if on is None:
        return NextTable("The first round is not posted yet.")
    table = on.table_of(team)
    if on.stage is Stage.ENDED:
        return _after(tournament, on, table, team)
    if table is None:
        return NextTable(f"You sit out round {count_word(on.number)}.")
    return _at(tournament, f"Round {count_word(on.number)}", table.table, table.side_of(team), _other(table, team),
               now=True)  # fmt: skip


def _after(tournament: Tournament, on: Round, table: TableRound | None, team: int) -> NextTable:
    """Where the movement leads, once the table is released; else the next round is waited for."""
    word = f"Round {count_word(on.number + 1)}"
    seat = moves(tournament, table).get(table.side_of(team)) if table is not None and table.released else None
    if seat is None or seat.table is None or seat.sits is None:
        return NextTable(f"{word} is not posted yet. This page shows your table as soon as it is.")
    return _at(tournament, word, seat.table, seat.sits, seat.against)


def _at(
    tournament: Tournament, word: str, table: int, side: Side, against: int | None, *, now: bool = False
) -> NextTable:
    other = None if against is None else tournament.teams.get(against)
    said = f"against team {against}" + (f", {players(other)}" if other is not None else "") if against else ""
    return NextTable(f"{word}: {SIDE_WORDS[side]}", table, side, said, now)


def _other(table: TableRound, team: int) -> int:
    return table.teams[1 - table.teams.index(team)]


def _outcome(tournament: Tournament, posted: Round, team: int) -> Outcome | None:
    """One round of the team; ``None`` where it was not in it."""
    look, word = chip(posted.number, max(posted.number, rounds_in_all(tournament))), count_word(posted.number)
    table = posted.table_of(team)
    if table is None:
        return Outcome(look, word, "", "You sat out.") if team in posted.byes else None
    other = _other(table, team)
    known = tournament.teams.get(other)
    against = f"team {other}" + (f", {players(known)}" if known is not None else "")
    whist = table.state.playing.ruleset.game is Game.BID_WHIST
    if not table.settled:
        waits = table.submitted
        says = "The sheet is with the monitor." if waits else "The result comes once the sheet is accepted."
        return Outcome(look, word, against, says, whist=whist)
    side = table.side_of(team)
    sheet = told(table)
    score = f"{signed(sheet.points[side])} : {signed(sheet.points[side.other])}"
    hands = tuple(_hand(hand, side, whist=whist) for hand in sheet.hands)
    return Outcome(look, word, against, _says(table, team, side), score, hands, _note(table), whist)


def _says(table: TableRound, team: int, side: Side) -> str:
    kind, won = kind_of(table), winner(table)
    if kind in (Kind.FORFEIT, Kind.DISQUALIFIED):
        return "The sheet was closed by the director." + (" The round is yours." if won == team else "")
    sheet = told(table)
    if table.state.playing.ruleset.game is Game.BID_WHIST:
        counting = sum(1 for hand in sheet.hands if not hand.void)
        return f"{counted(sheet.hands_won[side], 'hand', 'hands')} won of {counting}"
    return "Won" if won == team else "Lost" if won is not None else "Nobody won"


def _note(table: TableRound) -> str:
    known = versions(table)
    if not known.made_by_desk:
        return ""
    return f"Version {known.number}, corrected by the director; the players signed version {known.submitted}."


def _hand(hand: HandTold, side: Side, *, whist: bool) -> HandLine:
    sides = hand.sides
    if hand.void or sides is None:
        return HandLine(hand.number, hand.void, "", "", "", won=False, auction=auction_words(hand.calls))
    what = _contract(hand) if whist else f"{sides[side].bid} against {sides[side.other].bid}"
    if whist:
        took = "" if hand.books is None else f"{hand.books[side]} – {hand.books[side.other]}"
    else:
        took = f"{sides[side].tricks} – {sides[side.other].tricks}"
    ours, theirs = (signed(sides[each].earned) for each in (side, side.other))
    won = hand.won_by is side if whist else False
    return HandLine(hand.number, what, took, ours, theirs, won, auction_words(hand.calls))


def _contract(hand: HandTold) -> str:
    if hand.bid is None or hand.bidder is None:
        return "not played"
    direction = f" {hand.direction.upper()}" if hand.direction else ""
    return f"{hand.bidder.word} {call_words(hand.bid.stated)}{direction}"
