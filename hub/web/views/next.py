"""What the round needs next, as one step: draft, check, start, end, or what is missing before it."""

from __future__ import annotations

from dataclasses import dataclass

from hub.clock import ClockState
from hub.tournament.next_round import rounds_in_all
from hub.tournament.stages import Draft
from hub.tournament.state import Round, Stage, Tournament
from hub.tournament.warnings import flags, warnings
from hub.web.picture import Picture
from hub.web.views.words import count_word, counted, time_of_day


@dataclass(frozen=True, slots=True)
class NextView:
    """The next step of the tournament: a sentence, and a button if it can be taken now (``missing`` says why not).

    ``path`` is an act, ``href`` the page where the step is taken; ``word`` stands on either.
    """

    heading: str
    sentence: str
    path: str = ""
    word: str = ""
    missing: str = ""
    href: str = ""


def next_step(picture: Picture) -> NextView | None:
    """The next step; ``None`` while the round simply goes on."""
    tournament = picture.tournament
    on, draft = tournament.current, tournament.draft
    if tournament.plan is None:
        return NextView(
            "No tournament yet", "Choose what is played, enter the teams, and begin.", href="/setup", word="Set one up"
        )
    if draft is not None:
        return _check(tournament, draft)
    if tournament.over:
        return NextView("The tournament is over", "All rounds are played. The standings are final.")
    if on is None or on.stage is Stage.ENDED:
        return _draft(tournament, len(tournament.rounds) + 1)
    if on.stage is Stage.PUBLISHED:
        return _ready(on, waits=tournament.clock.state is ClockState.WAITING)
    return _close(on) if on.closed else None


def _draft(tournament: Tournament, number: int) -> NextView:
    word = count_word(number)
    of = max(number, rounds_in_all(tournament))
    ahead = warnings(tournament)
    teams = counted(sum(not entrant.out for entrant in tournament.entrants.values()), "team plays", "teams play")
    known = f" {ahead[0].message}" if ahead else ""
    return NextView(
        f"Round {word} is next",
        f"{teams}. It is number {number} of {of}.{known}",
        path="/rounds/draft",
        word=f"Draft round {word}",
    )


def _check(tournament: Tournament, draft: Draft) -> NextView:
    word = count_word(draft.number)
    pairs = counted(len(draft.pairings), "pairing", "pairings")
    worth = len(warnings(tournament)) + len(flags(tournament))
    known = f" {counted(worth, 'thing is', 'things are')} worth a look." if worth else ""
    return NextView(
        f"Round {word} is drafted",
        f"{pairs}, seen by the desk alone.{known} Check them, then publish.",
        href="/rounds",
        word="Check and publish",
    )


def _ready(on: Round, *, waits: bool) -> NextView:
    seated = sum(1 for table in on.tables.values() if not table.seats_missing or table.settled)
    if on.starts_at is not None:
        then = f"It starts by itself at {time_of_day(on.starts_at)}."
    else:
        then = "Start the clock when the room is ready." if waits else "Start it when the room is ready."
    return NextView(
        f"Round {count_word(on.number)} is posted",
        f"{seated} of {len(on.tables)} tables are seated. {then}",
        href="/rounds",
        word="Start or announce it",
    )


def _close(on: Round) -> NextView | None:
    missing = [table.table for table in on.missing]
    word = count_word(on.number)
    if not missing:
        return NextView(
            f"Round {word} is complete",
            "Every sheet is accepted. Ending the round lets all teams move.",
            path="/rounds/end",
            word=f"End round {word}",
        )
    if on.minutes is None and len(missing) == len(on.tables):
        return None
    names = ", ".join(str(table) for table in missing[:12]) + (" …" if len(missing) > 12 else "")
    return NextView(
        f"Round {word} closes",
        f"{len(on.tables) - len(missing)} of {len(on.tables)} sheets are in.",
        missing=f"Missing: {'table' if len(missing) == 1 else 'tables'} {names}",
        href="/rounds",
        word="See what is missing",
    )
