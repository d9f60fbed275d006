"""The one writer: groups, order, faults of the program, and what a stopping hub answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

import pytest
from hub_bench import KEYS, TOPICS, Bench
from hub_fake_kiosk import FakeKiosk
from waiting import until

from hub.accepting.in_turn import RUN
from hub.accepting.items import Connected, Heartbeat, Odd, Request
from hub.accepting.keeper import Answer
from hub.accepting.received import Received
from hub.accepting.writer import GATHER_MOST, Writer
from hub.desk import decisions
from hub.desk.deeds import Deeds
from hub.errors import HubError
from hub.line.presence import Presence, Roll
from hub.line.publications import Publication, Publications
from hub.tournament.state import Tournament
from tallybox.envelope import KioskEvent, encode_event
from tallybox.events import table as bodies
from tallybox.messages import Ack, KioskState


class Line:
    """A line that only remembers."""

    def __init__(self) -> None:
        self.acks: list[Ack] = []
        self.done: list[Received] = []
        self.topics: list[str] = []
        self.births: list[int] = []
        self.letters: list[Publication] = []

    def answer(self, answers: Sequence[Answer], done: Sequence[Received]) -> None:
        self.acks += [answer.ack for answer in answers]
        self.done += done

    def publish(self, publications: Sequence[Publication]) -> None:
        self.topics += [publication.topic for publication in publications]

    def send(self, letters: Sequence[Publication]) -> None:
        self.letters += letters

    def announce(self, epoch: int) -> None:
        self.births.append(epoch)


class Desk:
    """A writer on a bench, not started yet."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.line = Line()
        self.roll = Roll()
        self.changes = 0
        publications = Publications(TOPICS, tuple(KEYS))
        self.writer = Writer(self.bench.keeper, self.line, publications, self.roll, self.bench.time, self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def put(self, events: Sequence[KioskEvent]) -> list[Received]:
        received = [
            Received(TOPICS.kiosk(event.kiosk, "evt"), encode_event(event), mid, 1) for mid, event in enumerate(events)
        ]
        for each in received:
            self.writer.put(each)
        return received


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.writer.stop()


def calls(box: str, count: int) -> list[KioskEvent]:
    kiosk = FakeKiosk(box)
    return [kiosk.say(bodies.DirectorCalled(reason=f"{number}")) for number in range(count)]


def test_a_backlog_is_committed_in_groups_and_acked_once_a_group(desk: Desk) -> None:
    received = desk.put(calls("K-01", GATHER_MOST + 50))
    desk.writer.start()
    until(lambda: len(desk.line.done) == len(received))
    assert desk.line.done == received
    assert [ack.upto for ack in desk.line.acks] == [GATHER_MOST, GATHER_MOST + 50]


def test_what_arrives_before_a_request_is_written_before_it(desk: Desk) -> None:
    received = desk.put(calls("K-01", GATHER_MOST + 3))
    seen: list[int] = []

    def plan(tournament: Tournament, _now: int) -> Deeds:
        seen.append(tournament.seq)
        return decisions.announce(tournament, "dana", "Welcome")

    done: Future[Tournament] = Future()
    desk.writer.put(Request(plan, done))
    received += desk.put(calls("K-02", 1))
    desk.writer.start()
    keys = 2
    assert (seen, done.result(timeout=60).seq) == ([GATHER_MOST + 3 + keys], GATHER_MOST + 3 + keys + 1)
    until(lambda: len(desk.line.done) == len(received))
    assert desk.line.done == received


def test_a_box_with_much_to_say_does_not_keep_the_others_waiting(desk: Desk) -> None:
    much, little = desk.put(calls("K-01", RUN + 2)), desk.put(calls("K-02", 1))
    desk.writer.start()
    until(lambda: len(desk.line.done) == RUN + 3)
    assert desk.line.done == [*much[:RUN], *little, *much[RUN:]]
    assert [ack.upto for ack in desk.line.acks] == [RUN + 2, 1]


def test_a_payload_that_trips_the_program_is_set_aside_and_the_rest_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("a fault of the program")

    with monkeypatch.context() as broken:
        broken.setattr("hub.accepting.looking.look", stumble)
        desk.put(calls("K-01", 1))
        desk.writer.start()
        until(lambda: desk.line.done)
        assert [ack.fault.code if ack.fault else None for ack in desk.line.acks] == ["undecodable"]
    desk.put(calls("K-02", 1))
    until(lambda: len(desk.line.done) == 2)
    assert desk.line.acks[-1].upto == 1
    assert [kept.code for kept in desk.bench.keeper.quarantine] == ["undecodable"]


def test_a_group_that_trips_the_program_is_let_go_and_comes_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    events = calls("K-01", 2)
    with monkeypatch.context() as broken:
        broken.setattr(desk.bench.keeper, "_answers", lambda _: 1 / 0)
        desk.put(events)
        desk.writer.start()
        until(lambda: len(desk.line.done) == 2)
        assert desk.line.acks == []
    desk.put(events)
    until(lambda: desk.line.acks)
    assert [ack.upto for ack in desk.line.acks] == [2]
    assert len(desk.bench.told) == 2


def test_a_request_that_trips_the_program_is_answered_in_words(desk: Desk) -> None:
    desk.writer.start()

    def stumble(_tournament: Tournament, _now: int) -> Deeds:
        raise ZeroDivisionError

    with pytest.raises(HubError, match="could not do this; nothing changed"):
        desk.writer.act(stumble)
    assert desk.writer.act(lambda tournament, _now: decisions.announce(tournament, "dana", "Welcome")).seq == 2


def test_a_hub_that_is_not_running_says_so(desk: Desk) -> None:
    with pytest.raises(HubError, match="not running"):
        desk.writer.act(lambda tournament, _now: decisions.announce(tournament, "dana", "Welcome"))


def test_a_new_line_is_told_everything_and_then_only_changes(desk: Desk) -> None:
    desk.writer.start()
    desk.writer.put(Connected())
    retained = [TOPICS.clock, *(TOPICS.kiosk(box, "desired") for box in KEYS), TOPICS.room]
    until(lambda: len(desk.line.topics) == len(retained))
    assert (desk.line.topics, desk.line.births) == (retained, [1])
    desk.line.topics.clear()
    desk.writer.act(lambda tournament, _now: decisions.announce(tournament, "dana", "Welcome"))
    until(lambda: desk.line.topics == [TOPICS.room])
    desk.writer.act(lambda tournament, _now: decisions.assign_box(tournament, "dana", "K-02", 1, known=KEYS))
    until(lambda: desk.line.topics == [TOPICS.room, TOPICS.kiosk("K-02", "desired")])


def test_presence_is_kept_by_births_and_events_and_aged_by_the_clock(desk: Desk) -> None:
    desk.writer.start()
    desk.writer.put(Heartbeat(KioskState(v=1, kiosk="K-01", online=True, epoch="e1", software="tallybox")))
    until(lambda: desk.line.acks)
    began = desk.bench.watch.mono
    desk.bench.watch.pass_by(42)
    assert desk.roll.boxes == {"K-01": Presence("K-01", True, began, epoch="e1", software="tallybox")}
    assert desk.roll.boxes["K-01"].age(desk.bench.watch.mono) == 42
    desk.put(calls("K-01", 1))
    until(lambda: desk.roll.boxes["K-01"].last_heard == began + 42)
    desk.line.acks.clear()
    desk.writer.put(Heartbeat(KioskState(v=1, kiosk="K-01", online=False)))
    desk.writer.put(Odd("t", b"{", "undecodable", "It cannot be read."))
    until(lambda: desk.bench.keeper.quarantine)
    assert (desk.roll.boxes["K-01"].online, desk.line.acks) == (False, [])


def test_the_clock_is_marked_while_it_runs(desk: Desk) -> None:
    desk.bench.create()
    desk.bench.director.start_clock("dana")
    desk.bench.watch.pass_by(60)
    desk.writer.start()
    desk.writer.put(Connected())
    until(lambda: desk.bench.ledger.last_mark == desk.bench.time.now())
