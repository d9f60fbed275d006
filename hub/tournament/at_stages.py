"""What the hub's own events say of stages, drafts and rounds: begun, drafted, posted, re-paired, started, ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from hub.clock import posted as waiting_clock
from hub.tournament.next_round import rests_on, rounds_in_all
from hub.tournament.rotation import places_of
from hub.tournament.stages import ByeScore, Draft, HandChange, Lot, Override, StagePlay
from hub.tournament.state import Claim, Plan, Round, Stage, TableRound, Tournament
from hub.tournament.tables import put
from tallybox.envelope import HubEvent, event_id
from tallybox.events import desk, teams
from tallybox.events import hub as bodies
from tallybox.events.hub import Act, Pairing, StagePlanned
from tallybox.messages import Team
from tallybox.renewed import renewed
from tallybox.rules.ruleset import ruleset_from_json
from tallybox.seats import Side
from tallybox.table.state import Assignment, TableState

Handler = Callable[[Tournament, HubEvent, Act], Tournament]

OLD_DRAWS: Final = ("mso", "wsos")
"""Templates of ledgers that name no stages: these drew single games, the others rotated."""


def _created(before: Tournament, _event: HubEvent, body: bodies.TournamentCreated) -> Tournament:
    plan = Plan(
        template=body.template, ruleset=ruleset_from_json(body.ruleset), rounds=body.rounds, hands=body.hands,
        minutes=body.minutes, seed=body.seed, stages=body.stages or (_only_stage(body),),
    )  # fmt: skip
    return renewed(before, name=body.tournament, title=body.title, plan=plan)


def _only_stage(body: bodies.TournamentCreated) -> StagePlanned:
    """The stage of a ledger that was begun before there were several."""
    return StagePlanned(
        name="Rounds", kind="swiss" if body.template in OLD_DRAWS else "rotation", rounds=body.rounds,
        hands=body.hands, minutes=body.minutes, bye="zero",
    )  # fmt: skip


def _stage_started(tournament: Tournament, _event: HubEvent, body: teams.StageStarted) -> Tournament:
    plan = tournament.plan
    if plan is None or not 1 <= body.stage <= len(plan.stages) or body.stage > len(tournament.stages) + 1:
        return tournament
    stage = _stage(plan.stages[body.stage - 1], body.stage, body.teams, len(tournament.rounds) + 1, body.note)
    return renewed(tournament, stages=(*tournament.stages[: body.stage - 1], stage))


def _stage(plan: StagePlanned, number: int, teams_in: tuple[int, ...], first: int, note: str) -> StagePlay:
    places = places_of(teams_in) if plan.kind == "rotation" else teams_in
    return StagePlay(number, plan, teams_in, places, first, note)


def _stage_ended(tournament: Tournament, _event: HubEvent, body: teams.StageEnded) -> Tournament:
    stages = tuple(replace(stage, ended=True) if stage.number == body.stage else stage for stage in tournament.stages)
    return renewed(tournament, stages=stages, draft=None)


def _drafted(tournament: Tournament, event: HubEvent, body: teams.RoundDrafted) -> Tournament:
    before = tournament.unposted
    if not 1 <= body.stage <= len(before.stages):
        return tournament
    draft = Draft(
        event.round or 0, body.stage, body.hands, body.minutes, body.pairings, body.byes, body.note,
        rests_on(before, before.stages[body.stage - 1]), event=event_id(event),
    )  # fmt: skip
    return renewed(tournament, draft=draft)


def _dropped(tournament: Tournament, _event: HubEvent, _body: teams.DraftDropped) -> Tournament:
    return renewed(tournament, draft=None)


def _published(tournament: Tournament, event: HubEvent, body: bodies.RoundPublished) -> Tournament:
    number = event.round or 0
    before = tournament.unposted if number == len(tournament.rounds) else tournament
    if before.plan is None or number != len(before.rounds) + 1:
        return tournament
    before = before if before.stages else _implied(before)
    stage = before.stages[(body.stage or len(before.stages)) - 1]
    tables = {
        pairing.table: TableRound(number, pairing, TableState(assignment=_assignment(before, number, body, pairing)))
        for pairing in sorted(body.pairings, key=lambda pairing: pairing.table)
    }
    new = Round(
        number, body.hands, body.minutes, tables, of_stage=stage.number, byes=body.byes,
        basis=rests_on(before, stage), posted_at=event.at.wall,
        changes=() if tournament.draft is None else tournament.draft.changes,
    )  # fmt: skip
    clock = waiting_clock(number, body.minutes)
    claims = before.claims if tournament.current is None else _asked_again(tournament, tournament.current, tables)
    return renewed(before, rounds=(*before.rounds, new), clock=clock, told={}, draft=None, claims=claims)


def _implied(tournament: Tournament) -> Tournament:
    """An older ledger posts rounds without beginning a stage: its only one begins with all teams."""
    assert tournament.plan is not None
    stage = _stage(tournament.plan.stages[0], 1, tuple(sorted(tournament.teams)), 1, "")
    return renewed(tournament, stages=(replace(stage, implied=True),))


def _assignment(tournament: Tournament, number: int, body: bodies.RoundPublished, pairing: Pairing) -> Assignment:
    plan = tournament.plan
    assert plan is not None
    return Assignment(
        tournament=tournament.name or "", title=tournament.title, round=number,
        rounds=max(number, rounds_in_all(tournament)), table=pairing.table, teams=_sides(tournament, pairing),
        ruleset=plan.ruleset, hands=body.hands, minutes=body.minutes,
    )  # fmt: skip


def _sides(tournament: Tournament, pairing: Pairing) -> Mapping[Side, Team]:
    return {Side.NS: tournament.teams[pairing.ns], Side.EW: tournament.teams[pairing.ew]}


def _changed(tournament: Tournament, event: HubEvent, body: teams.PairingChanged) -> Tournament:
    """Two teams change places, in the draft if there is one, else in the round that is posted."""
    draft, current = tournament.draft, tournament.current
    by_hand = HandChange(body.first, body.second, body.reason, body.actor, event.at.wall)
    if draft is not None:
        pairings, byes = swapped(draft.pairings, draft.byes, body.first, body.second)
        changed_draft = replace(draft, pairings=pairings, byes=byes, changes=(*draft.changes, by_hand))
        return renewed(tournament, draft=changed_draft)
    if current is None:
        return tournament
    pairings, byes = swapped(current.pairings, current.byes, body.first, body.second)
    tables = {pairing.table: _reseated(tournament, current.tables[pairing.table], pairing) for pairing in pairings}
    stage = tournament.stages[current.of_stage - 1]
    earlier = renewed(tournament, rounds=tournament.rounds[:-1])
    changed = renewed(
        current, tables=tables, byes=byes, basis=rests_on(earlier, stage), changes=(*current.changes, by_hand)
    )
    return put(renewed(tournament, claims=_asked_again(tournament, current, tables)), changed)


def _asked_again(tournament: Tournament, posted: Round, tables: Mapping[int, TableRound]) -> tuple[Claim, ...]:
    """The claims that wait, with those of boxes that spoke for a table of this round before it was seated anew."""
    again = tuple(
        Claim(table.tenure.claim, table.tenure.box, posted.number, table.table)
        for table in posted.tables.values()
        if table.tenure is not None
        and (seated := tables.get(table.table)) is not None
        and (seated.round, seated.tenure) == (posted.number, None)
    )
    boxes = {claim.box for claim in again}
    return (*(claim for claim in tournament.claims if claim.box not in boxes), *again)


def swapped(
    pairings: tuple[Pairing, ...], byes: tuple[int, ...], first: int, second: int
) -> tuple[tuple[Pairing, ...], tuple[int, ...]]:
    """The round with two teams in each other's places; one that is nowhere in it takes the other's."""
    other = {first: second, second: first}
    return (
        tuple(Pairing(each.table, other.get(each.ns, each.ns), other.get(each.ew, each.ew)) for each in pairings),
        tuple(other.get(team, team) for team in byes),
    )


def _reseated(tournament: Tournament, table: TableRound, pairing: Pairing) -> TableRound:
    """A table with another team begins anew: its box is granted it again, and both sides confirm their seats."""
    if table.pairing == pairing:
        return table
    assignment = replace(table.state.playing, teams=_sides(tournament, pairing))
    state = TableState(assignment=assignment, clock_started=table.state.clock_started)
    former = table.former if table.tenure is None else (*table.former, table.tenure)
    return TableRound(table.round, pairing, state, former=former)


def _announced(tournament: Tournament, event: HubEvent, body: teams.StartAnnounced) -> Tournament:
    found = tournament.round(event.round or 0)
    return tournament if found is None else put(tournament, renewed(found, starts_at=body.at))


def _started(tournament: Tournament, event: HubEvent, _body: Act) -> Tournament:
    """The round is on: a draft of it anew has come too late."""
    found, draft = tournament.round(event.round or 0), tournament.draft
    if found is None:
        return tournament
    kept = None if draft is not None and draft.number == found.number else draft
    return put(renewed(tournament, draft=kept), renewed(found, stage=Stage.STARTED))


def _ended(tournament: Tournament, event: HubEvent, _body: Act) -> Tournament:
    found = tournament.round(event.round or 0)
    if found is None or tournament.plan is None:
        return tournament
    after = put(tournament, renewed(found, stage=Stage.ENDED, ended_at=event.at.wall))
    last = found.number == tournament.plan.rounds
    stages = tuple(replace(stage, ended=True) if stage.implied and last else stage for stage in after.stages)
    return renewed(after, stages=stages)


def _bye_scored(tournament: Tournament, event: HubEvent, body: teams.ByeScored) -> Tournament:
    found = tournament.round(event.round or 0)
    if found is None or body.team not in found.byes:
        return tournament
    given = ByeScore(body.hands_won, body.points, body.win, body.actor, body.reason)
    return put(tournament, renewed(found, bye_scores={**found.bye_scores, body.team: given}))


def _lot(tournament: Tournament, _event: HubEvent, body: teams.LotDrawn) -> Tournament:
    return renewed(tournament, lots=(*tournament.lots, Lot(body.teams, body.order, body.seed, body.what)))


def _override(tournament: Tournament, event: HubEvent, body: desk.OverrideMade) -> Tournament:
    went = Override(body.gate, body.reason, body.actor, event.round, event.table)
    return renewed(tournament, overrides=(*tournament.overrides, went))


HANDLERS: Final = cast(
    "Mapping[type[Act], Handler]",
    {
        bodies.TournamentCreated: _created,
        bodies.RoundPublished: _published,
        bodies.RoundStarted: _started,
        bodies.RoundEnded: _ended,
        teams.StageStarted: _stage_started,
        teams.StageEnded: _stage_ended,
        teams.RoundDrafted: _drafted,
        teams.DraftDropped: _dropped,
        teams.PairingChanged: _changed,
        teams.StartAnnounced: _announced,
        teams.ByeScored: _bye_scored,
        teams.LotDrawn: _lot,
        desk.OverrideMade: _override,
    },
)
