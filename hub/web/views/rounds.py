"""The rounds page: how far the next round has come, its pairings on its own paper, and what is in the way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hub.desk.decisions_rounds import posted_mark
from hub.tournament.entering import tied_groups
from hub.tournament.next_round import rounds_in_all
from hub.tournament.stages import Override
from hub.tournament.standings import standings
from hub.tournament.state import Round, Stage, Tournament
from hub.tournament.warnings import flags, warnings
from hub.web.picture import Picture
from hub.web.views.frame import RoundChip, chip
from hub.web.views.gates import GateList, before_ending, before_publishing, before_starting
from hub.web.views.round_paper import Looked, Paper, PaperView, on_paper
from hub.web.views.words import count_word, counted, time_of_day


class Phase(StrEnum):
    """Where the tournament stands between two rounds."""

    NOTHING = "nothing"
    DRAFT = "draft"
    CHECK = "check"
    START = "start"
    PLAY = "play"
    OVER = "over"


NOTHING: Final = Looked()
NO_GATES: Final = GateList(())
NO_PAPER: Final = PaperView()
STEPS: Final = ("Draft", "Check", "Publish", "Start")
_AT: Final = {Phase.DRAFT: 0, Phase.CHECK: 1, Phase.START: 3, Phase.PLAY: 4}

KINDS: Final = {
    "rotation": "The teams move by the rotation.",
    "swiss": "Teams with as many wins meet, and nobody meets twice.",
    "round_robin": "Everybody meets everybody once.",
    "elimination": "The bracket decides who meets whom.",
    "play_off": "One hand for each two of the teams that share a place.",
}


@dataclass(frozen=True, slots=True)
class StepView:
    """One of the four steps; ``state``: done, now or later."""

    number: int
    word: str
    state: str


@dataclass(frozen=True, slots=True)
class TiedView:
    """Teams that share a place, for a lot."""

    place: int
    teams: tuple[int, ...]

    @property
    def field(self) -> str:
        """As the form sends it."""
        return ",".join(str(team) for team in self.teams)


@dataclass(frozen=True, slots=True)
class PastView:
    """A round so far: what it was, when, and which gates somebody went past."""

    chip: RoundChip
    stage: str
    said: str
    when: str
    overrides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundsView:
    """The whole page."""

    phase: Phase
    title: str
    number: int = 0
    word: str = ""
    chip: RoundChip | None = None
    steps: tuple[StepView, ...] = ()
    stage: str = ""
    kind: str = ""
    hands: int = 0
    minutes: int | None = None
    note: str = ""
    state: str = ""
    paper: PaperView = NO_PAPER
    gates: GateList = NO_GATES
    ahead: tuple[str, ...] = ()
    tied: tuple[TiedView, ...] = ()
    past: tuple[PastView, ...] = ()
    starts_at: int | None = None
    starts: str = ""
    break_minutes: int = 5
    stage_can_end: bool = False
    late: bool = False
    seen: str = ""
    """The mark of the draft on the page; forms carry it, so that nothing is done to another draft."""
    by_hand: bool = False


def rounds(picture: Picture, looked: Looked = NOTHING) -> RoundsView:
    """The page, for somebody who looks at ``looked``."""
    tournament = picture.tournament
    if tournament.plan is None:
        return RoundsView(Phase.NOTHING, "Rounds")
    past = tuple(_past(tournament, posted) for posted in reversed(tournament.rounds))
    current, draft = tournament.current, tournament.draft
    if draft is not None:
        return _checked(picture, looked, past)
    if tournament.over:
        return RoundsView(Phase.OVER, "All rounds are played", past=past)
    if current is None or current.stage is Stage.ENDED:
        return _to_draft(picture, past)
    return _posted(picture, current, looked, past)


def _to_draft(picture: Picture, past: tuple[PastView, ...]) -> RoundsView:
    tournament = picture.tournament
    plan, stage, number = tournament.plan, tournament.stage, len(tournament.rounds) + 1
    assert plan is not None
    on = stage is not None and not stage.ended
    coming = stage.plan if stage is not None and on else plan.stages[min(len(tournament.stages), len(plan.stages) - 1)]
    word = count_word(number)
    return RoundsView(
        Phase.DRAFT, f"Round {word} is next", number, word, _chip(tournament, number), _steps(Phase.DRAFT),
        stage=coming.name, kind=KINDS[coming.kind], hands=coming.hands, minutes=coming.minutes,
        ahead=tuple(warned.message for warned in (*flags(tournament), *warnings(tournament))),
        tied=_tied(tournament, coming.places) if tournament.rounds else (),
        past=past, stage_can_end=stage is not None, late=True,
    )  # fmt: skip


def _checked(picture: Picture, looked: Looked, past: tuple[PastView, ...]) -> RoundsView:
    tournament, draft = picture.tournament, picture.tournament.draft
    assert draft is not None
    stage = tournament.stages[draft.stage - 1]
    changeable = stage.plan.kind != "elimination"
    paper = Paper(draft.number, stage, draft.pairings, draft.byes, draft.changes, changeable)
    word = count_word(draft.number)
    return RoundsView(
        Phase.CHECK, f"Round {word}, draft", draft.number, word, _chip(tournament, draft.number),
        _steps(Phase.CHECK), stage=stage.plan.name, kind=KINDS[stage.plan.kind], hands=draft.hands,
        minutes=draft.minutes, note=draft.note, state="draft, nobody else sees it",
        paper=on_paper(tournament, paper, looked), gates=before_publishing(picture, draft, stage),
        past=tuple(it for it in past if it.chip.number < draft.number), late=True, seen=draft.mark,
        by_hand=bool(draft.changes),
    )  # fmt: skip


def _posted(picture: Picture, posted: Round, looked: Looked, past: tuple[PastView, ...]) -> RoundsView:
    tournament = picture.tournament
    stage = tournament.stages[posted.of_stage - 1]
    waits = posted.stage is Stage.PUBLISHED
    changeable = posted.unbegun and stage.plan.kind != "elimination"
    paper = Paper(posted.number, stage, posted.pairings, posted.byes, posted.changes, changeable)
    phase = Phase.START if waits else Phase.PLAY
    word = count_word(posted.number)
    plan = stage.plan
    return RoundsView(
        phase, f"Round {word}, {'posted' if waits else 'on'}", posted.number, word,
        _chip(tournament, posted.number), _steps(phase), stage=plan.name, kind=KINDS[plan.kind],
        hands=posted.hands, minutes=posted.minutes, state="posted, the boxes show it" if waits else "being played",
        paper=on_paper(tournament, paper, looked), past=past[1:],
        gates=before_starting(picture, posted) if waits else before_ending(picture, posted),
        starts_at=posted.starts_at, starts="" if posted.starts_at is None else time_of_day(posted.starts_at),
        break_minutes=plan.notice or plan.intermission or 5, seen=posted_mark(posted),
    )  # fmt: skip


def _tied(tournament: Tournament, places: int) -> tuple[TiedView, ...]:
    ranks = {row.team: row.rank for row in standings(tournament)}
    return tuple(TiedView(ranks[group[0]], group) for group in tied_groups(tournament, places))


def _past(tournament: Tournament, posted: Round) -> PastView:
    stage = tournament.stages[posted.of_stage - 1]
    done = len(posted.tables) - len(posted.missing)
    said = f"{done} of {counted(len(posted.tables), 'sheet', 'sheets')}"
    if posted.byes:
        said += f", {counted(len(posted.byes), 'team sits', 'teams sit')} out"
    start = "" if posted.posted_at is None else f"posted {time_of_day(posted.posted_at)}"
    end = "" if posted.ended_at is None else f", ended {time_of_day(posted.ended_at)}"
    went = tuple(_went(override) for override in tournament.overrides if override.round == posted.number)
    return PastView(_chip(tournament, posted.number), stage.plan.name, said, f"{start}{end}", went)


def _went(override: Override) -> str:
    return f"{GATES.get(override.gate, override.gate)}: “{override.reason}” ({override.by})"


GATES: Final = {
    "draft-stale": "Posted on results that had changed",
    "not-checked-in": "Posted with teams not checked in",
    "notice": "Started sooner than announced",
    "sheets-missing": "Ended with sheets missing",
    "clock-runs": "Tables released before the clock ended",
    "end-stage": "Stage ended early",
}


def _chip(tournament: Tournament, number: int) -> RoundChip:
    return chip(number, max(number, rounds_in_all(tournament)))


def _steps(phase: Phase) -> tuple[StepView, ...]:
    at = _AT[phase]
    states = ["done" if index < at else "now" if index == at else "later" for index in range(len(STEPS))]
    return tuple(StepView(number, word, states[number - 1]) for number, word in enumerate(STEPS, 1))
