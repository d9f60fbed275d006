"""What an official may decide about a team, as pure plans: who is in, here, out, played for by somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from hub.desk.decisions_rounds import UNTIMED, draft_round, forfeits
from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.tournament.imagined import imagined
from hub.tournament.state import Plan, Tournament
from hub.tournament.teams import Entrant, Proxy
from tallybox.events import teams as bodies
from tallybox.events.desk import AwardMade
from tallybox.events.hub import TeamRegistered

LARGEST_NUMBER: Final = 9_999
LONGEST_NAME: Final = 64


def register_team(
    tournament: Tournament, actor: str, names: tuple[str, str], number: int | None = None, *, filler: bool = False
) -> Deeds:
    """A team enters, before the first round or late; without a number it gets the next one.

    A late team takes a place that somebody left, else the next round pairs it in. A number that is known already may
    only change its names, and only before the first round is posted.
    """
    _plan(tournament)
    first, second = (_name(name) for name in names)
    taken = max(tournament.entrants, default=0) + 1 if number is None else number
    if not 1 <= taken <= LARGEST_NUMBER:
        raise HubError("team-number", f"Teams are numbered from 1 to {LARGEST_NUMBER}. Choose another number.")
    if taken in tournament.entrants and tournament.rounds:
        raise HubError("team-twice", f"Number {taken} is taken. Choose another, or enter a proxy for a player.")
    if number is None:
        _nobody_twice(tournament, (first, second))
    stage = tournament.stage
    if taken not in tournament.entrants and stage is not None and not _takes_late(tournament):
        raise HubError("too-late", f"“{stage.plan.name}” has begun and takes no more teams. Wait for another event.")
    return (Deed(TeamRegistered(actor=actor, team=taken, names=(first, second), filler=filler), _round(tournament)),)


def enter_late(tournament: Tournament, actor: str, names: tuple[str, str], *, filler: bool = False) -> Deeds:
    """A team enters and the draft, if there is one, is made anew with it; both, or neither."""
    entered = register_team(tournament, actor, names, filler=filler)
    draft = tournament.draft
    if draft is None:
        return entered
    return (*entered, *draft_round(imagined(tournament, entered), actor, draft.hands, draft.minutes or UNTIMED))


def _nobody_twice(tournament: Tournament, names: tuple[str, str]) -> None:
    """Refuse the same two players once more: the second press of a button enters no second team."""
    same = {name.casefold() for name in names}
    for known, entrant in tournament.entrants.items():
        if not entrant.out and {name.casefold() for name in entrant.names} == same:
            message = (
                f"{names[0]} and {names[1]} are team {known} already. Write the names of others so that they differ."
            )
            raise HubError("team-known", message)


def register_teams(tournament: Tournament, actor: str, teams: Sequence[tuple[int, tuple[str, str], bool]]) -> Deeds:
    """Many teams at once, each as number, names, and whether it is a filler team; all of them, or none."""
    deeds: Deeds = ()
    for number, names, filler in teams:
        entered = register_team(tournament, actor, names, number, filler=filler)
        tournament = imagined(tournament, entered)
        deeds += entered
    return deeds


def check_in(tournament: Tournament, actor: str, team: int, *, here: bool = True) -> Deeds:
    """The team is here, or is not after all."""
    _team(tournament, team)
    return (Deed(bodies.TeamCheckedIn(actor=actor, team=team, here=here), _round(tournament)),)


def withdraw(tournament: Tournament, actor: str, team: int, reason: str = "") -> Deeds:
    """The team plays no further round; in mid-round its open table is a forfeit, with its opponents as winners."""
    entrant = _team(tournament, team)
    if entrant.out:
        raise HubError("team-out", f"Team {team} is out already.")
    why = " ".join(reason.split())[:280]
    gone = Deed(bodies.TeamWithdrew(actor=actor, team=team, reason=why), _round(tournament))
    return (gone, *forfeits(tournament, team, actor, "forfeit", f"Team {team} withdrew."))


def bring_back(tournament: Tournament, actor: str, team: int, reason: str = "") -> Deeds:
    """A withdrawn team plays on from the next round; what it forfeited stays."""
    entrant = _team(tournament, team)
    if entrant.withdrawn is None:
        raise HubError("team-in", f"Team {team} has not withdrawn. It plays on.")
    if entrant.disqualified is not None:
        raise HubError("team-out", f"Team {team} is disqualified. It cannot come back.")
    why = " ".join(reason.split())[:280]
    return (Deed(bodies.TeamWithdrew(actor=actor, team=team, reason=why, back=True), _round(tournament)),)


def substitute(
    tournament: Tournament, actor: str, team: int, player: int, name: str, reason: str, hand: int | None = None
) -> Deeds:
    """A proxy plays for player 1 or 2 of a team, in this round from ``hand`` on; the team stays the team."""
    entrant = _team(tournament, team)
    if player not in (1, 2):
        raise HubError("player", "A team has players 1 and 2. Choose who is replaced.")
    if entrant.out:
        raise HubError("team-out", f"Team {team} is out of the tournament. Nobody plays for it.")
    if hand is not None and not 1 <= hand <= 99:
        raise HubError("hands", "Hands are numbered from 1 to 99.")
    why = said(reason, "why somebody else plays")
    latest = [proxy for proxy in entrant.proxies if proxy.player == player][-1:]
    if latest == [Proxy(player, _name(name), why, _round(tournament), hand)]:
        raise HubError("proxy-known", f"{_name(name)} plays for team {team} already. There is nothing to change.")
    body = bodies.TeamSubstituted(actor=actor, team=team, player=player, name=_name(name), reason=why, hand=hand)
    return (Deed(body, _round(tournament)),)


def disqualify(tournament: Tournament, actor: str, team: int, reason: str) -> Deeds:
    """The team is out and does not rank; its open table is lost.

    Its earlier results stay, or are lost to its opponents where the ruleset says ``strip`` (C-21, Q-50).
    """
    plan = _plan(tournament)
    if _team(tournament, team).disqualified is not None:
        raise HubError("team-out", f"Team {team} is disqualified already.")
    why = said(reason, "why the team is disqualified")
    gone = Deed(bodies.TeamDisqualified(actor=actor, team=team, reason=why), _round(tournament))
    lost = forfeits(tournament, team, actor, "dq", f"Team {team} is disqualified.")
    settings = plan.ruleset.settings
    stripped = _stripped(tournament, actor, team) if getattr(settings, "dq_policy", "") == "strip" else ()
    return (gone, *lost, *stripped)


def note_conduct(tournament: Tournament, actor: str, team: int, note: str) -> Deeds:
    """Write down how a team behaved; it changes no score. The same words once more in a round are the same note."""
    entrant = _team(tournament, team)
    text, now = said(note, "what happened"), _round(tournament)
    if any((known.text, known.round) == (text, now) for known in entrant.notes):
        raise HubError("noted", f"Team {team} has this note already. If it happened again, write down when.")
    return (Deed(bodies.ConductNoted(actor=actor, team=team, note=text), now),)


def _stripped(tournament: Tournament, actor: str, team: int) -> Deeds:
    kind: Literal["dq"] = "dq"
    reason = f"Team {team} is disqualified: its games are lost."
    return tuple(
        Deed(AwardMade(actor=actor, kind=kind, loser=table.side_of(team), reason=reason), posted.number, table.table)
        for posted in tournament.rounds
        if (table := posted.table_of(team)) is not None and table.settled and not table.lost_by
    )


def _takes_late(tournament: Tournament) -> bool:
    stage = tournament.stage
    if stage is None:
        return True
    if stage.ended or stage.plan.kind in ("elimination", "play_off"):
        return False
    return stage.plan.kind != "round_robin" or not tournament.rounds_of(stage.number)


def _name(name: str) -> str:
    made = " ".join(name.split())
    if not made:
        raise HubError("no-name", "A player has no name. Write down both players.")
    if len(made) > LONGEST_NAME:
        raise HubError("too-long", f"Shorten “{made[:20]}…” to {LONGEST_NAME} characters.")
    return made


def _team(tournament: Tournament, team: int) -> Entrant:
    found = tournament.entrants.get(team)
    if found is None:
        raise HubError("unknown-team", f"There is no team {team}. Look at the list of teams.")
    return found


def _plan(tournament: Tournament) -> Plan:
    if tournament.plan is None:
        raise HubError("no-tournament", "There is no tournament yet. Create one first.")
    return tournament.plan


def _round(tournament: Tournament) -> int | None:
    return None if tournament.current is None else tournament.current.number
