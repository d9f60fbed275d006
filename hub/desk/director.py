"""The director's use cases: each checks, journals one or more hub events, and returns once they are committed.

The methods may be called from any thread. They wait for the hub's one writer (``WAIT_SECONDS`` at most), so an event
loop calls them in a thread. All raise ``HubError`` with a sentence; then nothing was journalled.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hub.desk import clock_acts, decisions
from hub.desk.decisions import Entry
from hub.desk.director_boxes import BoxActs
from hub.desk.director_rounds import RoundActs
from hub.desk.director_tables import TableActs
from hub.desk.director_teams import TeamActs
from hub.roles import DeskAct
from hub.tournament.state import Tournament
from tallybox.events.hub import StagePlanned
from tallybox.messages import Team
from tallybox.rules.ruleset import Ruleset


class Director(RoundActs, TeamActs, TableActs, BoxActs):
    """``act`` journals what a planner decides on the writer's thread; ``kiosks`` are the boxes this hub knows.

    Every method names its ``actor``; what the actor's role does not cover is refused (``hub.roles``).
    """

    def create_tournament(
        self,
        actor: str,
        *,
        template: str,
        title: str,
        teams: Sequence[Team],
        ruleset: Ruleset | None = None,
        hands: int | None = None,
        seed: int = 0,
        stages: tuple[StagePlanned, ...] | None = None,
        fillers: Collection[int] = (),
    ) -> Tournament:
        """Begin the occasion. No ``ruleset``, ``hands`` or ``stages``: the template's. ``seed`` decides every draw."""
        entry = Entry(template=template, title=title, teams=teams, ruleset=ruleset, hands=hands, seed=seed,
                      stages=stages, fillers=fillers)  # fmt: skip
        return self._as(
            actor, DeskAct.TOURNAMENT, lambda tournament, _now: decisions.create_tournament(tournament, actor, entry)
        )

    def assign_box(self, actor: str, box: str, table: int) -> Tournament:
        """A box stands on this table from now on."""
        known = self._kiosks
        return self._as(
            actor,
            DeskAct.BOXES,
            lambda tournament, _now: decisions.assign_box(tournament, actor, box, table, known=known),
        )

    def start_clock(self, actor: str, seconds: int | None = None, reason: str = "") -> Tournament:
        """Start the posted round's clock for its minutes, or for ``seconds``; ``reason``: sooner than announced."""
        return self._as(
            actor, DeskAct.CLOCK, lambda tournament, now: clock_acts.start(tournament, actor, now, seconds, reason)
        )

    def pause(self, actor: str) -> Tournament:
        """Let the clock stand."""
        return self._as(actor, DeskAct.CLOCK, lambda tournament, now: clock_acts.pause(tournament, actor, now))

    def resume(self, actor: str, *, ran_on: bool = False) -> Tournament:
        """Let a paused or held clock go on; ``ran_on``: as if it had not stood while the hub was away."""
        return self._as(
            actor, DeskAct.CLOCK,
            lambda tournament, now: clock_acts.resume(tournament, actor, now, ran_on=ran_on),
        )  # fmt: skip

    def extend(self, actor: str, seconds: int, seen: str | None = None) -> Tournament:
        """Give everybody more time; ``seen``: the mark of the clock that the person looked at."""
        return self._as(
            actor, DeskAct.CLOCK, lambda tournament, now: clock_acts.extend(tournament, actor, now, seconds, seen)
        )

    def take_back_extension(self, actor: str, extension: str) -> Tournament:
        """Give everybody less again by what an extension gave; ``extension`` is its event's id."""
        return self._as(
            actor, DeskAct.CLOCK,
            lambda tournament, now: clock_acts.take_back_extension(tournament, actor, now, extension),
        )  # fmt: skip

    def reopen_clock(self, actor: str) -> Tournament:
        """Let an ended clock go on with what was left."""
        return self._as(actor, DeskAct.CLOCK, lambda tournament, now: clock_acts.reopen(tournament, actor, now))

    def withdraw_start(self, actor: str) -> Tournament:
        """Let a round that was started by accident wait again."""
        return self._as(actor, DeskAct.CLOCK, lambda tournament, _now: clock_acts.withdraw_start(tournament, actor))

    def end_clock(self, actor: str) -> Tournament:
        """Call time for this round."""
        return self._as(actor, DeskAct.CLOCK, lambda tournament, _now: clock_acts.end(tournament, actor))

    def accept_sheet(self, actor: str, number: int, table: int) -> Tournament:
        """Take a signed sheet of round ``number``: final."""
        return self._as(
            actor, DeskAct.ACCEPT, lambda tournament, _now: decisions.accept_sheet(tournament, actor, number, table)
        )

    def reopen_sheet(self, actor: str, number: int, table: int, reason: str) -> Tournament:
        """Send a submitted sheet back, and say why."""
        return self._as(
            actor,
            DeskAct.REOPEN,
            lambda tournament, _now: decisions.reopen_sheet(tournament, actor, number, table, reason),
        )

    def release_tables(self, actor: str, reason: str = "") -> Tournament:
        """Let all tables move whose sheet is closed; with ``reason`` also before the clock has ended."""
        return self._as(
            actor, DeskAct.ROUNDS, lambda tournament, _now: decisions.release_tables(tournament, actor, reason)
        )

    def claim_call(self, actor: str, call: str, *, over: bool = False) -> Tournament:
        """Say that an official is on the way; ``call`` is the call's event id. ``over``: in another one's place."""
        return self._as(
            actor, DeskAct.CALLS, lambda tournament, _now: decisions.claim_call(tournament, actor, call, over=over)
        )

    def answer_call(self, actor: str, call: str, note: str = "") -> Tournament:
        """Settle a call."""
        return self._as(
            actor, DeskAct.CALLS, lambda tournament, _now: decisions.answer_call(tournament, actor, call, note)
        )

    def announce(self, actor: str, text: str) -> Tournament:
        """Put a sentence on every idle screen."""
        return self._as(actor, DeskAct.ANNOUNCE, lambda tournament, _now: decisions.announce(tournament, actor, text))

    def take_down(self, actor: str) -> Tournament:
        """Take the announcement off the screens."""
        return self._as(actor, DeskAct.ANNOUNCE, lambda tournament, _now: decisions.take_down(tournament, actor))

    def confirm_restored(self, actor: str, reason: str) -> Tournament:
        """Let a hub that runs on an older copy of its data speak again, once the tables have sent what they hold."""
        return self._as(
            actor, DeskAct.HUB, lambda tournament, _now: decisions.confirm_restored(tournament, actor, reason)
        )
