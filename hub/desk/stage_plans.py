"""From stage to stage, as pure plans: which stage the next round belongs to, and what begins or ends with it."""

from __future__ import annotations

from hub.desk.deeds import Deed, Deeds
from hub.errors import HubError
from hub.tournament.entering import first_stage, later_stage, tied_groups
from hub.tournament.imagined import imagined
from hub.tournament.next_round import Proposal, stage_over
from hub.tournament.stages import StagePlay
from hub.tournament.state import Stage, Tournament
from tallybox.events.teams import RoundDrafted, StageEnded, StageStarted
from tallybox.renewed import renewed


def reopened(tournament: Tournament) -> Tournament:
    """The tournament from which the next round is drafted; raises ``HubError`` while a round is being played."""
    if tournament.plan is None:
        raise HubError("no-tournament", "There is no tournament yet. Create one first.")
    before = tournament.unposted
    current = before.current
    if current is not None and current.stage is not Stage.ENDED:
        raise HubError("round-open", f"Round {current.number} is not over. End it before posting the next.")
    return before


def advanced(tournament: Tournament, actor: str) -> tuple[Deeds, StagePlay, Tournament]:
    """What has to begin or end before the next round, the stage it belongs to, and the tournament then.

    Raises ``HubError``: ``tournament-over``, ``too-few-teams``.
    """
    plan = tournament.plan
    assert plan is not None
    made: Deeds = ()
    for _ in range(2 * len(plan.stages) + 1):
        stage = tournament.stage
        if stage is not None and not stage.ended and not stage_over(tournament, stage):
            seeded_again = _seeded_again(tournament, stage, actor)
            tournament = imagined(tournament, seeded_again)
            assert tournament.stage is not None
            return (*made, *seeded_again), tournament.stage, tournament
        step = _step(tournament, stage, actor)
        tournament = imagined(tournament, step)
        made = (*made, *step)
    raise _over(tournament)


def closing(tournament: Tournament, actor: str) -> Deeds:
    """What ends with a round: its stage if that was the last, and a play-off that nobody needs."""
    plan, stage = tournament.plan, tournament.stage
    if plan is None or stage is None or stage.ended or not stage_over(tournament, stage):
        return ()
    made: Deeds = (Deed(StageEnded(actor=actor, stage=stage.number)),)
    after = imagined(tournament, made)
    for number in range(stage.number + 1, len(plan.stages) + 1):
        if plan.stages[number - 1].kind != "play_off" or tied_groups(after, plan.stages[number - 1].places):
            break
        made = (*made, *left_out(number, actor, _no_place_shared(plan.stages[number - 1].places)))
    return made


def left_out(number: int, actor: str, note: str) -> Deeds:
    """A stage that begins with nobody and is over at once."""
    return (
        Deed(StageStarted(actor=actor, stage=number, name="Left out", teams=(), note=note)),
        Deed(StageEnded(actor=actor, stage=number)),
    )


def drafted(
    actor: str, tournament: Tournament, stage: StagePlay, made: Proposal, hands: int | None, minutes: int | None
) -> RoundDrafted:
    """The proposal as a draft; ``minutes`` 0: no clock. Raises ``HubError`` (``hands``, ``minutes``)."""
    many = stage.plan.hands if hands is None else hands
    if not 1 <= many <= 99:
        raise HubError("hands", "A round has 1 to 99 hands. Choose another number.")
    clock = stage.plan.minutes if minutes is None else minutes or None
    if clock is not None and not 1 <= clock <= 600:
        raise HubError("minutes", "A round clock runs for 1 to 600 minutes. Choose another time.")
    note = " ".join(part for part in (stage.note if not tournament.rounds_of(stage.number) else "", made.note) if part)
    return RoundDrafted(
        actor=actor, stage=stage.number, hands=many, minutes=clock, pairings=made.pairings, byes=made.byes,
        note=note[:280],
    )  # fmt: skip


def _step(tournament: Tournament, stage: StagePlay | None, actor: str) -> Deeds:
    """One step on: the stage ends, or the next one begins."""
    plan = tournament.plan
    assert plan is not None
    if stage is not None and not stage.ended:
        return (Deed(StageEnded(actor=actor, stage=stage.number)),)
    if stage is not None and stage.plan.kind == "play_off" and tied_groups(tournament, stage.plan.places):
        # A correction made a place shared after the play-off was over, or left out.
        return _begun(tournament, stage.number, actor)
    number = 1 if stage is None else stage.number + 1
    if number > len(plan.stages):
        raise _over(tournament)
    return _begun(tournament, number, actor)


def _begun(tournament: Tournament, number: int, actor: str) -> Deeds:
    plan = tournament.plan
    assert plan is not None
    stage = plan.stages[number - 1]
    if stage.kind == "play_off":
        groups = tied_groups(tournament, stage.places)
        if not groups:
            return left_out(number, actor, _no_place_shared(stage.places))
        teams = tuple(team for group in groups for team in group)
        note = f"Teams {', '.join(str(team) for team in teams)} share places up to {stage.places}."
        return (Deed(StageStarted(actor=actor, stage=number, name=stage.name, teams=teams, note=note[:280])),)
    entering = first_stage(tournament, stage, actor) if number == 1 else later_stage(tournament, stage, actor)
    started = StageStarted(actor=actor, stage=number, name=stage.name, teams=entering.teams, note=entering.note[:280])
    return (*(Deed(lot) for lot in entering.lots), Deed(started))


def _seeded_again(tournament: Tournament, stage: StagePlay, actor: str) -> Deeds:
    """A stage that has no round yet follows the standings as they are now; first stages keep their draw."""
    if stage.number == 1 or tournament.rounds_of(stage.number) or stage.plan.kind == "play_off":
        return ()
    before = renewed(tournament, stages=tournament.stages[: stage.number - 1])
    entering = later_stage(before, stage.plan, actor)
    return () if entering.teams == stage.teams else _begun(before, stage.number, actor)


def _no_place_shared(places: int) -> str:
    return f"No place from 1 to {places} is shared: no play-off is held."


def _over(tournament: Tournament) -> HubError:
    return HubError("tournament-over", f"All {len(tournament.rounds)} rounds are played. The standings are final.")
