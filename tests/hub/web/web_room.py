"""A room for the dashboard's tests: a real hub on real SQLite, and boxes that journal signed events of their own."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

from free_ports import free_port

from hub.accepting.items import Heartbeat
from hub.accepting.received import Received
from hub.hub import Hub
from hub.tournament.state import TableRound, Tournament
from tallybox.calls import Game, Number, call_text, parse_call
from tallybox.envelope import At, Head, KioskEvent, Occasion, encode_event, event_id, follow_kiosk
from tallybox.events import fact
from tallybox.events import table as ev
from tallybox.events.table import Body
from tallybox.messages import KioskState, ReaderReport, Team
from tallybox.rules.auction import legal_calls
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey
from tallybox.table.fold import fold_event
from tallybox.table.shown import facts_json, lines_digest, open_hand_score, sheet_digest
from tallybox.table.state import Hand, Step, TableState
from tallybox.table.steps import needs_direction, next_dealer, next_number, step
from tallybox.topics import Topics

VENUE = "test-hall"


class Watch:
    """The hub's two clocks, moved by hand; seconds."""

    def __init__(self, wall: float = 1_790_000_000.0) -> None:
        self.passed = 0.0
        self._wall = wall

    def monotonic(self) -> float:
        return 1_000.0 + self.passed

    def wall(self) -> float:
        return self._wall + self.passed

    def pass_(self, seconds: float) -> None:
        self.passed += seconds


def signature(seed: int) -> tuple[tuple[int, ...], ...]:
    """Strokes such as a hurried hand draws: a looping line, a bar, a dot."""
    rng = random.Random(seed)
    a, b, c = rng.uniform(7, 11), rng.uniform(13, 19), rng.uniform(0, 6)
    loop: list[int] = []
    for at in range(90):
        t = at / 89
        x = 90 + 640 * t + 46 * math.sin(a * 2 * t * math.pi + c)
        y = 520 - (210 - 150 * t) * math.sin(b * t * math.pi / 1.6) - 60 * math.cos(a * t * 3)
        loop += [min(1000, max(0, round(x))), min(1000, max(0, round(y)))]
    bar = (140, 700 + rng.randrange(60), 480, 660, 860, 690 + rng.randrange(40))
    return (tuple(loop), bar, (880, 420, 880, 420))


class Box:
    """A box at a table: its key, its journal's head, and its own fold of the round."""

    def __init__(self, room: Room, table: int, key: SigningKey) -> None:
        self.room = room
        self.table = table
        self.id = f"K-{table:02}"
        self.key = key
        self.head = Head("e1", 0, None)
        self.state = TableState()
        self.round = 0
        self.unsent = 0
        self.rng = random.Random(table)

    # --- the envelope
    def make(self, body: Body, *supersedes: str, tenure: int | None = None) -> KioskEvent:
        now = int(self.room.watch.wall() * 1000)
        tenure = self.state.tenure if tenure is None else tenure
        occasion = Occasion(self.room.name, self.round, self.table, None if isinstance(body, ev.ClaimMade) else tenure)
        at = At(wall=now, mono=0, synced=True)
        return follow_kiosk(self.head, self.id, occasion, fact(body, supersedes), at, self.key)

    def do(self, body: Body, *supersedes: str) -> str:
        """One act: journalled, folded here, sent."""
        event = self.make(body, *supersedes)
        identity = event_id(event)
        self.head = Head(event.epoch, event.seq, identity)
        self.state = fold_event(self.state, event)
        self.room.send(self.id, encode_event(event))
        return identity

    def heartbeat(self, *, online: bool = True, unsent: int = 0, reader: str = "") -> None:
        report = ReaderReport(state="ok", message=reader) if reader else None
        self.room.hub._put(
            Heartbeat(KioskState(v=1, kiosk=self.id, online=online, epoch="e1", unsent=unsent, reader=report))
        )

    # --- the round, step by step
    def claim(self) -> Box:
        self.round = self.room.current_round
        self.heartbeat()
        self.do(ev.ClaimMade())
        self.room.flush()
        seen = self.room.table(self.table)
        assert seen.tenure is not None
        self.state = TableState(assignment=seen.state.assignment, claimed=True, tenure=seen.tenure.number)
        return self

    def sit(self) -> Box:
        for side in Side:
            self.do(ev.SeatsConfirmed(side=side, team=self.state.playing.teams[side].number))
        self.do(ev.ScorekeeperChosen(seat=Seat.N))
        if step(self.state) is Step.SCOREKEEPER:
            self.do(ev.ScorekeeperChosen(seat=Seat.E))
        return self

    def hear_clock(self, *, ended: bool = False) -> Box:
        self.state = self.state.with_hub(outcome=self.state.outcome, clock_started=True, clock_ended=ended)
        return self

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def open(self) -> Box:
        if step(self.state) is Step.DRAW:
            self.do(ev.DealerDrawn(seat=Seat.N))
        dealer = next_dealer(self.state)
        assert dealer is not None
        self.do(ev.HandOpened(hand=next_number(self.state), dealer=dealer))
        return self

    def deal(self) -> Box:
        self.do(ev.HandCounted(hand=self.hand.number))
        return self

    def call(self, text: str, source: str = "typed") -> str:
        seat = self.hand.turn
        assert seat is not None
        return self.do(ev.CallMade(hand=self.hand.number, seat=seat, call=text, source=source))  # type: ignore[arg-type]

    def scan(self, text: str) -> Box:
        seat = self.hand.turn
        assert seat is not None
        stamp = ev.DeviceStamp(id="reader", boot="b1", seq=self.head.seq, ms=self.head.seq)
        reading = self.do(ev.CardRead(seat=seat, card="card", stamp=stamp, call=text))
        self.do(ev.CallMade(hand=self.hand.number, seat=seat, call=text, source="scanned", reading=reading))
        return self

    def auction(self, *calls: str) -> Box:
        for text in calls:
            self.call(text)
        return self

    def lock(self, direction: str = "up") -> Box:
        self.do(ev.ContractLocked(hand=self.hand.number))
        if needs_direction(self.hand, self.state):
            self.do(ev.DirectionStated(hand=self.hand.number, direction=direction))  # type: ignore[arg-type]
        self.do(ev.PlayStarted(hand=self.hand.number))
        return self

    def books(self, ns: int) -> Box:
        self.do(ev.ResultEntered(hand=self.hand.number, books={Side.NS: ns, Side.EW: 13 - ns}))
        return self

    def tricks(self, n: int, e: int, s: int, w: int) -> Box:
        taken = {Seat.N: n, Seat.E: e, Seat.S: s, Seat.W: w}
        self.do(ev.ResultEntered(hand=self.hand.number, tricks=taken))
        return self

    def agree(self) -> Box:
        hand = self.hand
        lines = lines_digest(open_hand_score(self.state))
        for side in Side:
            self.do(ev.HandChecked(hand=hand.number, side=side, lines=lines))
        ruleset = self.state.playing.ruleset.digest
        facts: dict[str, object] = dict(facts_json(self.hand))
        self.do(ev.HandRecorded(hand=hand.number, facts=facts, ruleset=ruleset, lines=lines))
        return self

    def random_auction(self) -> Box:
        while self.hand.turn is not None:
            legal = legal_calls(self.state.playing.ruleset, self.hand.dealer, self.hand.made)
            texts = [call_text(call) for call in legal]
            if self.state.playing.ruleset.game is Game.BID_WHIST:
                low = [text for text in texts if text[0] in "45"] or texts
                text = "pass" if "pass" in texts and self.rng.random() < 0.5 else self.rng.choice(low)
            else:
                text = "nil" if self.rng.random() < 0.06 else self.rng.choice(["2", "3", "3", "4"])
            parse_call(self.state.playing.ruleset.game, text)
            self.scan(text) if self.rng.random() < 0.8 else self.call(text)
        return self

    def random_result(self) -> Box:
        if self.state.playing.ruleset.game is Game.BID_WHIST:
            winner = self.hand.contract(self.state.playing.ruleset)
            took = self.rng.choice([9, 10, 10, 11, 11, 12, 13])
            return self.books(took if winner is not None and winner.seat.side is Side.NS else 13 - took)  # type: ignore[union-attr]
        wanted = {
            called.seat: called.call.tricks if isinstance(called.call, Number) else 0 for called in self.hand.calls
        }
        while (over := sum(wanted.values()) - 13) != 0:
            seat = self.rng.choice([seat for seat in Seat if wanted[seat] > 0 or over < 0])
            wanted[seat] += 1 if over < 0 else -1
        return self.tricks(*(wanted[seat] for seat in Seat))

    def play_hand(self) -> Box:
        return self.open().deal().random_auction().lock(self.rng.choice(["up", "down"])).random_result().agree()

    def play_round(self) -> Box:
        while step(self.state) is not Step.SIGN:
            self.play_hand()
        return self

    def sign(self, *sides: Side) -> Box:
        for side in sides or tuple(Side):
            digest = sheet_digest(self.state)
            strokes = signature(self.table * 7 + (side is Side.EW))
            self.do(ev.SheetSigned(side=side, seat=side.seats[0], digest=digest, strokes=strokes))
        return self

    def submit(self) -> Box:
        self.do(ev.SheetSubmitted(digest=sheet_digest(self.state)))
        return self


class Room:
    """A hub with its boxes; events go straight to its writer unless ``send`` is replaced by a broker's publish."""

    def __init__(
        self,
        data: Path,
        *,
        tables: int,
        template: str = "capitol-5",
        watch: Watch | None = None,
        broker: int | None = None,
        player: str = "Player",
    ) -> None:
        self.watch = watch or Watch()
        self.topics = Topics(VENUE)
        keys = {table: SigningKey(bytes([table]) * 32) for table in range(1, tables + 1)}
        kiosks = {f"K-{table:02}": key.public for table, key in keys.items()}
        self.hub = Hub(
            data,
            venue=VENUE,
            key=SigningKey(bytes([99]) * 32),
            kiosks=kiosks,
            host="127.0.0.1",
            port=broker or free_port(),
            monotonic=self.watch.monotonic,
            wall=self.watch.wall,
        )
        self.hub.start()
        teams = [
            Team(number=number, names=(f"{player} {number} A", f"{player} {number} B"))
            for number in range(1, 2 * tables + 1)
        ]
        self.hub.director.create_tournament("director", template=template, title="Spring room", teams=teams, seed=3)
        self.boxes = {table: Box(self, table, key) for table, key in keys.items()}
        for table, box in self.boxes.items():
            self.hub.director.assign_box("director", box.id, table)
        self.hub.director.publish_round("director")

    @property
    def name(self) -> str:
        name = self.hub.tournament.name
        assert name is not None
        return name

    @property
    def current_round(self) -> int:
        return len(self.hub.tournament.rounds)

    def table(self, number: int) -> TableRound:
        found = self.hub.tournament.table(self.current_round, number)
        assert found is not None
        return found

    def send(self, box: str, payload: bytes, topic: str = "") -> None:
        self.hub._put(Received(topic or self.topics.kiosk(box, "evt"), payload))

    def flush(self) -> Tournament:
        """Wait until the hub has written everything sent so far."""
        return self.hub._writer.act(lambda _tournament, _now: ())

    def seat_all(self) -> Room:
        """Every table claimed and seated, the clock started."""
        for box in self.boxes.values():
            box.claim().sit()
        if self.hub.tournament.current is not None and self.hub.tournament.current.minutes is not None:
            self.hub.director.start_clock("director")
        for box in self.boxes.values():
            box.hear_clock()
        return self

    def close(self) -> None:
        self.hub.stop()


Opener = Callable[..., Room]
