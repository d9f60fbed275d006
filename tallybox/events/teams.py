"""What the hub keeps about teams, stages and drafts of rounds: bodies of the hub's own events."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tallybox.envelope import Count, Millis, Name
from tallybox.events.hub import Act, Pairing, Reason
from tallybox.events.table import HandNumber, TeamNumber, Words


class TeamCheckedIn(Act, frozen=True, kw_only=True):
    """The team is here; ``here`` false takes it back."""

    team: TeamNumber
    here: bool = True


class TeamWithdrew(Act, frozen=True, kw_only=True):
    """The team plays no further round; ``back`` says that it does after all."""

    team: TeamNumber
    reason: Words = ""
    back: bool = False


class TeamSubstituted(Act, frozen=True, kw_only=True):
    """A proxy plays for one of the team's two players from a round (and ``hand``) on; the team stays the team."""

    team: TeamNumber
    player: Annotated[int, Meta(ge=1, le=2)]
    name: Name
    reason: Reason
    hand: HandNumber | None = None


class TeamDisqualified(Act, frozen=True, kw_only=True):
    """The team is out; its open table is lost, its played hands stay."""

    team: TeamNumber
    reason: Reason


class ConductNoted(Act, frozen=True, kw_only=True):
    """A note on a team's conduct; it changes no score."""

    team: TeamNumber
    note: Reason


class StageStarted(Act, frozen=True, kw_only=True):
    """A stage begins with these teams, in seed order where it has seeds."""

    stage: Count
    name: Name
    teams: Annotated[tuple[TeamNumber, ...], Meta(max_length=4000)]
    note: Words = ""


class StageEnded(Act, frozen=True, kw_only=True):
    """A stage is over."""

    stage: Count


class RoundDrafted(Act, frozen=True, kw_only=True):
    """The pairings of the next round as a draft: nobody but the desk sees them. A later draft takes its place."""

    stage: Count
    hands: Annotated[int, Meta(ge=1, le=99)]
    minutes: Annotated[int, Meta(ge=1, le=600)] | None
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=2000)]
    byes: Annotated[tuple[TeamNumber, ...], Meta(max_length=2000)] = ()
    note: Words = ""


class DraftDropped(Act, frozen=True, kw_only=True):
    """The draft of the next round is laid aside: no round is drafted now, and one posted before it stands again.

    ``reason``: what was done instead, where nobody asked for this.
    """

    reason: Words = ""


class PairingChanged(Act, frozen=True, kw_only=True):
    """Two teams changed places by hand before the round started, and why."""

    first: TeamNumber
    second: TeamNumber
    reason: Reason


class StartAnnounced(Act, frozen=True, kw_only=True):
    """The posted round starts by itself ``at`` this time (ms since 1970); without one it waits for somebody again."""

    at: Millis | None = None


class LotDrawn(Act, frozen=True, kw_only=True):
    """A lot among teams that nothing else separates, from a published seed; ``order`` is what it gave."""

    teams: Annotated[tuple[TeamNumber, ...], Meta(min_length=2, max_length=4000)]
    order: Annotated[tuple[TeamNumber, ...], Meta(min_length=2, max_length=4000)]
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    what: Literal["seeds", "place", "bye"] = "seeds"


class ByeScored(Act, frozen=True, kw_only=True):
    """What the director gives a team for the round it sat out, in place of what the template gives (Q-11)."""

    team: TeamNumber
    hands_won: Annotated[int, Meta(ge=0, le=99)]
    points: Annotated[int, Meta(ge=-9999, le=9999)]
    win: bool
    reason: Reason
