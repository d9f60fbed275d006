"""What the round needs next, as one step: post, start, end, or what is missing before it."""

from __future__ import annotations

from dataclasses import dataclass

from hub.clock import ClockState
from hub.tournament.state import Round, Stage, Tournament
from hub.web.picture import Picture
from hub.web.views.words import count_word, counted
from tallybox.seats import Side


@dataclass(frozen=True, slots=True)
class NextView:
    """The next step of the tournament: a sentence, and a button if it can be taken now (``missing`` says why not)."""

    heading: str
    sentence: str
    path: str = ""
    word: str = ""
    missing: str = ""


def next_step(picture: Picture) -> NextView | None:
    """The next step; ``None`` while the round simply goes on."""
    tournament = picture.tournament
    on = tournament.current
    if tournament.plan is None:
        return NextView(
            "No tournament yet", "This hub keeps no tournament. It begins with its teams at the command line."
        )
    if tournament.over:
        return NextView("The tournament is over", "All rounds are played. The standings are final.")
    if on is None or on.stage is Stage.ENDED:
        return _post(tournament, len(tournament.rounds) + 1)
    if tournament.clock.state is ClockState.WAITING:
        return _ready(on)
    return _close(on) if on.closed else None


def _ready(on: Round) -> NextView:
    seated = sum(1 for table in on.tables.values() if table.state.seats_confirmed == frozenset(Side))
    return NextView(
        f"Round {count_word(on.number)} is posted",
        f"{seated} of {len(on.tables)} tables are seated. Start the clock when the room is ready.",
    )


def _post(tournament: Tournament, number: int) -> NextView:
    teams = counted(len(tournament.teams), "team", "teams")
    word = count_word(number)
    return NextView(
        f"Round {word} is next",
        f"{teams} are paired by the movement. Every box shows its table at once.",
        path="/rounds/publish",
        word=f"Post round {word}",
    )


def _close(on: Round) -> NextView | None:
    missing = [table.table for table in on.tables.values() if table.accepted is None]
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
        f"{len(on.tables) - len(missing)} of {len(on.tables)} sheets are accepted.",
        missing=f"Missing: {'table' if len(missing) == 1 else 'tables'} {names}",
    )
