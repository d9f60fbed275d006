"""From draft to draft, as pure plans: what comes next, who meets whom, when a round starts, and when it is over.

A gate says what is missing; whoever goes past it gives a reason, which is journalled (``override.made``).
"""

from __future__ import annotations

from typing import Final

from hub.desk.deeds import Deed, Deeds, said
from hub.desk.stage_plans import advanced, closing, drafted, left_out, reopened
from hub.errors import HubError
from hub.tournament.brackets import rewritten
from hub.tournament.entering import lot_among
from hub.tournament.imagined import imagined
from hub.tournament.next_round import propose, rests_on
from hub.tournament.stages import Draft, StagePlay
from hub.tournament.standings import standings
from hub.tournament.state import Round, Stage, TableRound, Tournament
from tallybox.events import hub as bodies
from tallybox.events import teams as team_bodies
from tallybox.events.desk import AwardMade, OverrideMade
from tallybox.renewed import renewed
from tallybox.seats import Side
from tallybox.table.overlay import unfinished
from tallybox.table.steps import round_over

UNTIMED: Final = 0
"""Asked for as minutes: this round has no clock."""
NO_DRAFT: Final = "There is no draft any more: somebody has published or dropped it. Look at the round again."


def draft_round(tournament: Tournament, actor: str, hands: int | None = None, minutes: int | None = None) -> Deeds:
    """The next round as a draft that only the desk sees; a posted round that nobody has begun is drafted anew.

    ``hands`` and ``minutes`` are this round's own (``UNTIMED``: no clock); absent: the stage's. Begins the next stage
    when the one before is over, and draws the lots its seeds need.
    """
    before = reopened(tournament)
    deeds, stage, ahead = advanced(before, actor)
    made = propose(ahead, stage)
    return (*deeds, Deed(drafted(actor, ahead, stage, made, hands, minutes), len(ahead.rounds) + 1))


def drop_draft(tournament: Tournament, actor: str, seen: str | None = None) -> Deeds:
    """Lay the draft aside. What it began stays so: its stage, and the lots that were drawn for its seeds."""
    draft = _as_seen(tournament, seen)
    if draft is None:
        raise HubError("no-draft", NO_DRAFT)
    return (Deed(team_bodies.DraftDropped(actor=actor), draft.number),)


def publish_round(tournament: Tournament, actor: str, reason: str = "", seen: str | None = None) -> Deeds:
    """Post the draft, or the next round as it comes; an untimed round that needs no notice starts with it.

    ``seen``: the mark of the draft that the person looked at; another one is not posted for it.
    Gates: ``draft-stale`` (results it rests on have changed), ``not-checked-in`` (before the first round).
    """
    draft, current = _as_seen(tournament, seen), tournament.current
    if draft is None and current is not None and current.stage is not Stage.ENDED:
        raise HubError("round-open", f"Round {current.number} is not over. End it before posting the next.")
    deeds: Deeds = () if draft is not None else draft_round(tournament, actor)
    ahead = imagined(tournament, deeds)
    draft = ahead.draft
    assert draft is not None
    passed = (*_fresh(ahead, actor, draft, reason), *_all_here(ahead, actor, draft, reason))
    _nobody_out(ahead, draft)
    # The draft itself is journalled only where somebody asked to see it.
    kept = tuple(deed for deed in deeds if not isinstance(deed.body, team_bodies.RoundDrafted))
    posted = Deed(
        bodies.RoundPublished(
            actor=actor, hands=draft.hands, minutes=draft.minutes, pairings=draft.pairings, stage=draft.stage,
            byes=draft.byes,
        ),
        draft.number,
    )  # fmt: skip
    at_once = draft.minutes is None and not ahead.stages[draft.stage - 1].plan.notice
    started = (Deed(bodies.RoundStarted(actor=actor), draft.number),) if at_once else ()
    return (*kept, *passed, posted, *started)


def change_pairing(
    tournament: Tournament, actor: str, first: int, second: int, reason: str, seen: str | None = None
) -> Deeds:
    """Two teams change places by hand, in the draft or in a posted round that nobody has begun."""
    if tournament.draft is None and tournament.current is not None and tournament.current.unbegun:
        _pairings_as_seen(tournament.current, seen)
    else:
        _as_seen(tournament, seen)
    why = said(reason, "why the two change places")
    if first == second:
        raise HubError("same-team", f"Team {first} has its own place already. Name two teams.")
    for team in (first, second):
        entrant = tournament.entrants.get(team)
        if entrant is None:
            raise HubError("unknown-team", f"There is no team {team}. Look at the list of teams.")
        if entrant.out:
            raise HubError("team-out", f"Team {team} is out of the tournament. Take that back first, or name another.")
    number, stage, seated = _to_change(tournament)
    if stage.plan.kind == "elimination":
        raise HubError("bracket", "The bracket decides who meets whom. Correct the result that it rests on.")
    if not {first, second} & seated:
        raise HubError("sits-out", f"Neither team {first} nor team {second} sits at a table in round {number}.")
    return (Deed(team_bodies.PairingChanged(actor=actor, first=first, second=second, reason=why), number),)


def start_round(tournament: Tournament, actor: str, now: int, reason: str = "") -> Deeds:
    """Start a posted round that has no clock."""
    current = _current(tournament)
    if current.stage is not Stage.PUBLISHED:
        raise HubError("round-started", f"Round {current.number} has started already.")
    if current.minutes is not None:
        raise HubError("has-clock", f"Round {current.number} has a clock. Start the clock; the round starts with it.")
    return starting(tournament, actor, now, reason)


def starting(tournament: Tournament, actor: str, now: int, reason: str = "") -> Deeds:
    """The start itself: past the notice (gate ``notice``), with a forfeit at every table where a team is out."""
    current = _current(tournament)
    passed = too_soon(tournament, actor, now, reason)
    lost = [
        _lost(table, side, actor, "dq" if _disqualified(tournament, table, side) else "forfeit", "The team is out.")
        for table in current.tables.values()
        for side in Side
        if tournament.entrants[table.teams[side is Side.EW]].out and not table.settled
    ]
    late = _too_late(tournament, actor, current.number, "The posted round was started instead.")
    return (*passed, *late, Deed(bodies.RoundStarted(actor=actor), current.number), *lost)


def too_soon(tournament: Tournament, actor: str, at: int, reason: str) -> Deeds:
    """Past the notice of the posted round for a ``reason``, if it would start before it at ``at`` (gate ``notice``)."""
    current = _current(tournament)
    notice = tournament.stages[current.of_stage - 1].plan.notice * 60_000
    waits = 0 if current.posted_at is None else current.posted_at + notice - at
    if not notice or waits <= 0:
        return ()
    minutes = -(-waits // 60_000)
    ahead = f"{minutes} minute{'' if minutes == 1 else 's'}"
    message = f"The pairings are posted {notice // 60_000} minutes ahead. Start in {ahead}, or say why sooner."
    return _past("notice", message, actor, reason, current.number)


def end_round(tournament: Tournament, actor: str, reason: str = "") -> Deeds:
    """Close the round and release its tables; the stage ends with its last round.

    Gate ``sheets-missing``: names the tables that have no accepted sheet and no award.
    """
    current = _current(tournament)
    if current.stage is Stage.ENDED:
        raise HubError("round-over", f"Round {current.number} is over already. Post the next one.")
    passed: Deeds = ()
    if current.missing:
        names = [str(table.table) for table in current.missing]
        which = f"table {names[0]}" if len(names) == 1 else f"tables {', '.join(names[:-1])} and {names[-1]}"
        one = "it" if len(names) == 1 else "each"
        message = f"No accepted sheet yet from {which}. Accept {one}, then end the round, or say why not."
        passed = _past("sheets-missing", message, actor, reason, current.number)
    elif not current.closed:
        raise HubError("clock-runs", "The round clock has not ended. End it, then end the round.")
    released = tuple(
        Deed(bodies.TableReleased(actor=actor), current.number, table.table)
        for table in current.tables.values()
        if not table.released
    )
    late = _too_late(tournament, actor, current.number, "The posted round was ended.")
    ended = (*passed, *released, *late, Deed(bodies.RoundEnded(actor=actor), current.number))
    return (*ended, *closing(imagined(tournament, ended), actor))


def end_stage(tournament: Tournament, actor: str, reason: str) -> Deeds:
    """End the stage that is on before it is played out, or leave the next one out when too few teams are left."""
    why = said(reason, "why the stage ends here")
    current = tournament.current
    if current is not None and current.stage is not Stage.ENDED:
        raise HubError("round-open", f"Round {current.number} is not over. End it, then end the stage.")
    stage, plan = tournament.stage, tournament.plan
    if stage is None or plan is None:
        raise HubError("no-stage", "No stage has begun. Post the first round.")
    if tournament.over:
        raise HubError("tournament-over", "The tournament is over. The standings are final.")
    went = Deed(OverrideMade(actor=actor, gate="end-stage", reason=why))
    if not stage.ended:
        number = len(tournament.rounds) + 1
        late = _too_late(tournament, actor, number, "The stage was ended.")
        return (went, *late, Deed(team_bodies.StageEnded(actor=actor, stage=stage.number)))
    return (went, *left_out(stage.number + 1, actor, why))


def score_bye(
    tournament: Tournament, actor: str, number: int, team: int, reason: str, *, hands_won: int, points: int, win: bool
) -> Deeds:
    """What a team gets for sitting out a round, in place of what the template gives (Q-11)."""
    posted = tournament.round(number)
    if posted is None or team not in posted.byes:
        raise HubError("no-bye", f"Team {team} does not sit out in round {number}. Look at the pairings.")
    if not (0 <= hands_won <= posted.hands and abs(points) <= 9_999):
        raise HubError("bye-score", f"A bye brings 0 to {posted.hands} hands, and at most 9999 points.")
    why = said(reason, "what this bye score rests on")
    body = team_bodies.ByeScored(
        actor=actor, team=team, hands_won=hands_won, points=points, win=win, reason=why
    )  # fmt: skip
    return (Deed(body, number),)


def draw_lot(tournament: Tournament, actor: str, teams: tuple[int, ...]) -> Deeds:
    """Separate teams that nothing else does, by a lot with a published seed."""
    if len(set(teams)) < 2 or not set(teams) <= tournament.entrants.keys():
        raise HubError("lot", "A lot is drawn among two or more registered teams. Name them.")
    if len({row.rank for row in standings(tournament) if row.team in teams}) > 1:
        named = ", ".join(str(team) for team in sorted(set(teams)))
        raise HubError("not-equal", f"Teams {named} do not share a place. A lot that was drawn stands.")
    return (Deed(lot_among(tournament, tuple(set(teams)), "place", actor)),)


def forfeits(tournament: Tournament, team: int, actor: str, kind: str, reason: str) -> Deeds:
    """The award at a team's open table, when it leaves in mid-round; nothing where its game is played to the end."""
    current = tournament.current
    if current is None or current.stage is not Stage.STARTED:
        return ()
    table = current.table_of(team)
    if table is None or table.settled or table.submitted or round_over(table.state):
        return ()
    return (_lost(table, table.side_of(team), actor, kind, reason),)


def repairs(tournament: Tournament) -> Deeds:
    """What the hub does when a result is corrected: posted matches that nobody has begun get their new teams."""
    current = tournament.current
    if current is None or current.stage is Stage.ENDED or not tournament.stages:
        return ()
    stage = tournament.stages[current.of_stage - 1]
    if stage.plan.kind != "elimination" or _rests_as_posted(tournament, stage, current):
        return ()
    changes = rewritten(tournament, stage, current)
    return tuple(
        Deed(team_bodies.PairingChanged(actor="hub", first=old, second=new, reason=why), current.number)
        for old, new, why in changes
    )


def _rests_as_posted(tournament: Tournament, stage: StagePlay, posted: Round) -> bool:
    earlier = renewed(tournament, rounds=tournament.rounds[: posted.number - 1])
    return rests_on(earlier, stage) == posted.basis


def _as_seen(tournament: Tournament, seen: str | None) -> Draft | None:
    """The draft, if it is the one with the mark ``seen`` (none: whichever it is)."""
    draft = tournament.draft
    if seen is None or (draft is not None and draft.mark == seen):
        return draft
    if draft is None:
        raise HubError("no-draft", NO_DRAFT)
    raise HubError(
        "draft-changed", "The draft was made anew or changed while you looked. Look at it, then do it again."
    )


def posted_mark(posted: Round) -> str:
    """Another one after every change of places in a posted round; forms carry it, so that none is undone by chance."""
    return f"posted-{posted.number}.{len(posted.changes)}"


def _pairings_as_seen(posted: Round, seen: str | None) -> None:
    if seen is not None and seen != posted_mark(posted):
        raise HubError("pairings-changed", "The pairings changed while you looked. Look at them, then do it again.")


def _fresh(tournament: Tournament, actor: str, draft: Draft, reason: str) -> Deeds:
    stage = tournament.stages[draft.stage - 1]
    before = reopened(tournament)
    if rests_on(before, stage) == draft.basis:
        return ()
    message = f"Results under the draft of round {draft.number} have changed. Draft it again, or say why it stands."
    return _past("draft-stale", message, actor, reason, draft.number)


def _all_here(tournament: Tournament, actor: str, draft: Draft, reason: str) -> Deeds:
    """Where teams are checked in at all, the first round waits for those that are not."""
    seated = {team for pairing in draft.pairings for team in (pairing.ns, pairing.ew)}
    absent = [
        number
        for number, entrant in tournament.entrants.items()
        if number in seated and not (entrant.checked_in or entrant.filler)
    ]
    if draft.number > 1 or not absent or not any(entrant.checked_in for entrant in tournament.entrants.values()):
        return ()
    which = _teams(absent)
    message = f"{which} not checked in. Check in who is here, withdraw who is not, or say why the round is posted."
    return _past("not-checked-in", message, actor, reason, draft.number)


def _teams(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"Team {numbers[0]} is"
    named = ", ".join(str(number) for number in numbers[:8])
    return f"Teams {named}{' and others' if len(numbers) > 8 else ''} are"


def _nobody_out(tournament: Tournament, draft: Draft) -> None:
    for pairing in draft.pairings:
        for team in (pairing.ns, pairing.ew):
            if tournament.entrants[team].out:
                message = f"Team {team} is out and stands in the draft at table {pairing.table}. Draft the round again."
                raise HubError("team-out", message)


def _to_change(tournament: Tournament) -> tuple[int, StagePlay, set[int]]:
    draft, current = tournament.draft, tournament.current
    if draft is not None:
        seated = {team for pairing in draft.pairings for team in (pairing.ns, pairing.ew)}
        return draft.number, tournament.stages[draft.stage - 1], seated
    if current is None or not current.unbegun:
        raise HubError("round-begun", "Pairings change before a round starts. Draft the next round, then change it.")
    seated = {team for table in current.tables.values() for team in table.teams}
    return current.number, tournament.stages[current.of_stage - 1], seated


def _past(gate: str, message: str, actor: str, reason: str, number: int) -> Deeds:
    """Past a gate with a reason, or not at all."""
    if not reason.strip():
        raise HubError(gate, message)
    return (Deed(OverrideMade(actor=actor, gate=gate, reason=said(reason, "why")), number),)


def _too_late(tournament: Tournament, actor: str, number: int, reason: str) -> Deeds:
    """Lay an open draft of round ``number`` aside: nothing vanishes from the desk without a line in the record."""
    draft = tournament.draft
    if draft is None or draft.number != number:
        return ()
    return (Deed(team_bodies.DraftDropped(actor=actor, reason=reason), number),)


def _lost(table: TableRound, side: Side, actor: str, kind: str, reason: str) -> Deed:
    body = AwardMade(
        actor=actor, kind="dq" if kind == "dq" else "forfeit", loser=side, hands=unfinished(table.state), reason=reason
    )
    return Deed(body, table.round, table.table)


def _disqualified(tournament: Tournament, table: TableRound, side: Side) -> bool:
    return tournament.entrants[table.teams[side is Side.EW]].disqualified is not None


def _current(tournament: Tournament) -> Round:
    current = tournament.current
    if current is None:
        raise HubError("no-round", "No round is posted yet. Post the first one.")
    return current
