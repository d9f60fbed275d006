"""A whole room in memory: no boxes and no broker, but the real director, the real ledger lines and the real fold.

Every table's sheet comes from paper (``sheet.entered``): random legal hands, scored by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import cast

from hub_bench import HUB_KEY, roster

from hub.clock import ClockState
from hub.desk import decisions
from hub.desk.decisions_paper import enter_sheet
from hub.desk.deeds import Deeds
from hub.desk.director import Director
from hub.tournament.fold import fold_line
from hub.tournament.state import Round, Stage, TableRound, Tournament
from tallybox.calls import Game
from tallybox.canonical import Json
from tallybox.envelope import At, Head, Occasion, event_id, follow_hub
from tallybox.events import fact
from tallybox.events.hub import StagePlanned, TournamentCreated
from tallybox.ledger_line import FIRST_PREV, LedgerLine, next_line
from tallybox.rules.ruleset import builtin
from tallybox.seats import CLOCKWISE, Seat, Side, calling_order
from tallybox.sheet import SheetFacts, SheetScore, hand_facts_from_json, score_sheet

Sheet = dict[str, Json]
MINUTE = 60_000


@dataclass
class PlayedRoom:
    """``act`` is what the hub's writer does; ``lines`` is its ledger."""

    luck: Random
    tournament: Tournament = field(default_factory=Tournament)
    lines: list[LedgerLine] = field(default_factory=list)
    now: int = 1_790_000_000_000
    watched: list[Callable[[PlayedRoom], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.head = Head("1", 0, None)
        self.director = Director(self.act, ())

    def act(self, planner: Callable[[Tournament, int], Deeds]) -> Tournament:
        self._journal(planner(self.tournament, self.now))
        self._journal(decisions.due(self.tournament))
        return self.tournament

    def _journal(self, deeds: Deeds) -> None:
        name = self.tournament.name
        for deed in deeds:
            if isinstance(deed.body, TournamentCreated):
                name = deed.body.tournament
            self.now += 1
            at = At(wall=self.now, mono=self.now, synced=False)
            happened = fact(deed.body, deed.supersedes)
            event = follow_hub(self.head, Occasion(name, deed.round, deed.table), happened, at, HUB_KEY)
            self.head = Head("1", event.seq, event_id(event))
            prev = self.lines[-1].hash if self.lines else FIRST_PREV
            self.lines.append(next_line(len(self.lines) + 1, prev, event, self.now))
            self.tournament = fold_line(self.tournament, self.lines[-1])
            for look in self.watched:
                look(self)

    def begin(self, template: str, teams: int, seed: int = 3, stages: tuple[StagePlanned, ...] | None = None) -> None:
        self.director.create_tournament(
            "dana", template=template, title="Spring Open", teams=roster(teams), seed=seed, stages=stages
        )

    @property
    def current(self) -> Round:
        current = self.tournament.current
        assert current is not None
        return current

    def post(self, reason: str = "") -> Round:
        """Post and start the next round."""
        self.director.publish_round("dana", reason)
        self.start()
        return self.current

    def start(self) -> None:
        notice = self.tournament.stages[self.current.of_stage - 1].plan.notice
        self.now += notice * MINUTE
        if self.tournament.clock.state is ClockState.WAITING:
            self.director.start_clock("dana")
        elif self.current.stage is Stage.PUBLISHED:
            self.director.start_round("dana")

    def play(self, tables: Iterable[int] | None = None, wins: Mapping[int, int] | None = None) -> None:
        """Enter and accept the sheets of these tables, else of all that are open; ``wins``: which team wins where."""
        chosen = set(self.current.tables) if tables is None else set(tables)
        for number in sorted(chosen):
            table = self.current.tables[number]
            if not table.settled:
                self.enter(table, random_sheet(table, self.luck, (wins or {}).get(number)))

    def enter(self, table: TableRound, sheet: Sheet) -> None:
        def plan(tournament: Tournament, _now: int) -> Deeds:
            return enter_sheet(tournament, "dana", table.round, table.table, sheet=sheet, reason="No box here.")

        self.act(plan)
        if self.tournament.table(table.round, table.table).accepted is None:  # type: ignore[union-attr]
            self.director.accept_sheet("dana", table.round, table.table)

    def end(self, reason: str = "") -> None:
        if self.tournament.clock.state is ClockState.RUNNING:
            self.director.end_clock("dana")
        self.director.end_round("dana", reason)

    def round(self) -> None:
        """One whole round."""
        self.post()
        self.play()
        self.end()

    def to_the_end(self, most: int = 60) -> None:
        """Round after round until the tournament is over, the one that is on first."""
        if self.tournament.current is not None and self.current.stage is not Stage.ENDED:
            self.play()
            self.end()
        while not self.tournament.over and most:
            most -= 1
            self.round()
        assert self.tournament.over


def room(template: str, teams: int, seed: int = 3, stages: tuple[StagePlanned, ...] | None = None) -> PlayedRoom:
    made = PlayedRoom(Random(f"{template}/{teams}/{seed}"))
    made.begin(template, teams, seed, stages)
    return made


def random_sheet(table: TableRound, luck: Random, winner: int | None = None) -> Sheet:
    """A whole legal round; with ``winner`` that team has more of it."""
    ruleset, many = table.state.playing.ruleset, table.state.playing.hands
    fitting = [
        hands for side, hands in pool(ruleset.name, many)
        if winner is None or winner == table.teams[side is Side.EW]
    ]  # fmt: skip
    return {"ruleset": ruleset.name, "hands": cast("Json", luck.choice(fitting))}


@cache
def pool(name: str, many: int) -> tuple[tuple[Side, list[Sheet]], ...]:
    """Two dozen rounds and who has more of each; making one costs more than playing it."""
    luck = Random(f"{name}/{many}")
    made: list[tuple[Side, list[Sheet]]] = []
    while len(made) < 24 or len({side for side, _ in made}) < 2:
        hands = _whist(many, luck) if builtin(name).game is Game.BID_WHIST else _spades(name, luck)
        score = scored(name, hands, many)
        won = score.round.winner
        if won is None and score.totals.hands_won[Side.NS] != score.totals.hands_won[Side.EW]:
            won = max(Side, key=lambda side: score.totals.hands_won[side])
        if won is not None or many > 1:
            made.append((won or Side.NS, hands))
    return tuple(made)


def scored(name: str, hands: list[Sheet], many: int) -> SheetScore:
    """The score of these hands by a built-in ruleset."""
    ruleset = builtin(name)
    facts = tuple(hand_facts_from_json(hand, ruleset.game, hand=number) for number, hand in enumerate(hands, 1))
    return score_sheet(SheetFacts(ruleset, facts, hands_per_round=many))


def whist_hand(dealer: Seat, level: int, books: int, strain: str = "") -> Sheet:
    """The dealer's left bids and gets ``books``."""
    bidders = dealer.left.side
    return {
        "dealer": dealer.value, "calls": [f"{level}{strain}", "pass", "pass", "pass"],
        "books": {bidders.value: books, bidders.other.value: 13 - books},
    }  # fmt: skip


def _whist(many: int, luck: Random) -> list[Sheet]:
    made: list[Sheet] = []
    dealer = luck.choice(CLOCKWISE)
    for _ in range(many):
        level, strain = luck.randint(4, 7), luck.choice(("", " special", " no up"))
        made.append(whist_hand(dealer, level, min(13, max(1, 6 + level + luck.choice((-2, -1, 0, 0, 1, 3)))), strain))
        dealer = dealer.left
    return made


def _spades(name: str, luck: Random) -> list[Sheet]:
    """One side bids high and mostly makes it, so that a game ends after half a dozen hands."""
    strong, dealer = luck.choice(list(Side)), Seat.N
    made: list[Sheet] = []
    while not made or not scored(name, made, 10).round.over:
        bids = {seat: luck.randint(4, 5) if seat.side is strong else luck.randint(1, 2) for seat in CLOCKWISE}
        tricks = dict.fromkeys(CLOCKWISE, 0)
        for _ in range(13):
            tricks[luck.choices(CLOCKWISE, [bids[seat] ** 2 for seat in CLOCKWISE])[0]] += 1
        made.append({
            "dealer": dealer.value, "calls": [str(bids[seat]) for seat in calling_order(dealer)],
            "tricks": {seat.value: tricks[seat] for seat in CLOCKWISE},
        })  # fmt: skip
        dealer = dealer.left
    return made
