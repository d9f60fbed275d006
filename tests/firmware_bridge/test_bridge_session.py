"""The conversation without a cable: one device's logic and one host's logic over a channel as bad as we like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import reader
from firmware_bridge.device import Device, Identity, rebooted
from firmware_bridge.limits import QUEUE_LIMIT
from firmware_bridge.line import Line, encode
from firmware_bridge.reader import CardRead, CardRemoved, DeviceStamp, ReaderEvent, Snapshot
from firmware_bridge.session import HostSession
from tallybox.seats import Seat

STEP_MS = 50
N, E, S, W = Seat


@dataclass
class Table:
    """A device and a host on one clock; ``channel`` turns each frame into what arrives of it."""

    device: Device = field(default_factory=lambda: Device(Identity("R-1"), "b0"))
    kept: list[ReaderEvent] = field(default_factory=list)
    failing: int = 0
    now: int = 0
    booted: int = 0
    to_device: Callable[[bytes], bytes] = bytes
    host: HostSession = field(init=False)

    def __post_init__(self) -> None:
        self.host = self.new_host()

    def new_host(self, expected: str | None = None, remembered: DeviceStamp | None = None) -> HostSession:
        nonces = iter(f"s{number}" for number in range(1_000))
        host = HostSession(self.keep, lambda: next(nonces), expected=expected, remembered=remembered)
        host.opened(self.now / 1000)
        return host

    def keep(self, event: ReaderEvent) -> None:
        if self.failing:
            self.failing -= 1
            raise OSError(28, "No space left on device")
        self.kept.append(event)

    @property
    def ms(self) -> int:
        return self.now - self.booted

    def reboot(self, boot: str) -> None:
        self.device, self.booted = rebooted(self.device, boot), self.now

    def run(self, ms: int, channel: Random | None = None, alive: bool = True) -> None:
        for _ in range(ms // STEP_MS):
            self.now += STEP_MS
            if alive:
                self.device.tick(self.ms)
            for frame in self.device.take_output():
                for piece in damaged(channel, frame):
                    self.host.receive(piece, self.now / 1000)
            self.host.tick(self.now / 1000)
            for piece in damaged(channel, self.to_device(self.host.take_output())):
                if alive:
                    self.device.receive(piece, self.ms)

    @property
    def state(self) -> reader.ReaderHealth | None:
        return self.host.health(self.now / 1000)

    @property
    def cards(self) -> list[tuple[str, Seat, str]]:
        return [
            ("read" if isinstance(event, CardRead) else "removed", event.seat, event.uid)
            for event in self.kept
            if isinstance(event, CardRead | CardRemoved)
        ]


def without(words: bytes) -> Callable[[bytes], bytes]:
    """A line to the device on which the lines with these words are lost."""
    return lambda data: b"".join(line for line in data.splitlines(keepends=True) if words not in line)


def damaged(channel: Random | None, data: bytes) -> list[bytes]:
    if channel is None or not data:
        return [data]
    fate = channel.random()
    if fate < 0.1:
        return []
    if fate < 0.2:
        at = channel.randrange(len(data))
        return [data[:at] + bytes([data[at] ^ (1 << channel.randrange(8))]) + data[at + 1 :]]
    if fate < 0.3:
        return [data[: channel.randrange(len(data))]]
    if fate < 0.4:
        return [data, data]
    return [data]


def test_a_device_is_greeted_and_tells_what_lies_on_it() -> None:
    table = Table(Device(Identity("R-1"), "b0", lying=((E, "MSO-E-4"),)))
    table.run(200)
    assert table.state == reader.WORKING
    assert table.kept == [Snapshot.of(((E, "MSO-E-4"),), DeviceStamp("R-1", "b0", 0, 100))]
    assert (table.host.statistics.connections, table.host.statistics.device) == (1, "R-1")


def test_cards_arrive_once_in_order_with_the_devices_time() -> None:
    table = Table()
    table.run(200)
    table.kept.clear()
    table.device.lay(E, "MSO-E-4", 210)
    table.device.lay(S, "MSO-S-K", 220)
    table.device.lift(E, "MSO-E-4", 230)
    table.run(500)
    assert table.kept == [
        CardRead(E, "MSO-E-4", DeviceStamp("R-1", "b0", 1, 210)),
        CardRead(S, "MSO-S-K", DeviceStamp("R-1", "b0", 2, 220)),
        CardRemoved(E, "MSO-E-4", DeviceStamp("R-1", "b0", 3, 230)),
    ]
    assert table.device.waiting == 0


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), moves=st.lists(st.tuples(st.sampled_from(Seat), st.integers(0, 900)), max_size=25))
def test_no_card_is_lost_doubled_or_reordered_on_a_line_that_damages_four_frames_in_ten(
    seed: int, moves: list[tuple[Seat, int]]
) -> None:
    table, channel = Table(), Random(seed)
    laid = []
    for number, (seat, pause) in enumerate(moves):
        laid.append(("read", seat, f"card-{number}"))
        table.failing += channel.random() < 0.1
        table.device.lay(seat, f"card-{number}", table.ms)
        table.run(pause, channel)
    table.run(60_000, channel)
    assert table.cards == laid
    assert table.device.waiting == 0
    assert table.host.statistics.events == len(laid)
    table.run(10_000)
    assert any(isinstance(event, Snapshot) for event in table.kept)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_lights_end_as_wished_on_a_line_that_damages_four_frames_in_ten(seed: int) -> None:
    table, channel = Table(), Random(seed)
    wished = {}
    for _ in range(20):
        seat, on = channel.choice(list(Seat)), channel.random() < 0.5
        wished[seat] = on
        table.host.commands.light(seat, on)
        table.run(channel.randrange(400), channel)
    table.run(20_000, channel)
    table.run(20_000)
    assert {seat: table.device.lights[seat] for seat in wished} == wished


def test_an_event_that_cannot_be_kept_stays_with_the_device_and_comes_again() -> None:
    table = Table()
    table.run(200)
    table.failing = 2
    table.device.lay(N, "MSO-N-7", 200)
    table.run(100)
    assert (table.state, table.device.waiting, table.cards) == (reader.HOLDING, 1, [])
    table.run(1_000)
    assert (table.state, table.device.waiting, table.cards) == (reader.WORKING, 0, [("read", N, "MSO-N-7")])
    assert table.host.statistics.unkept == 2


def test_a_snapshot_that_cannot_be_kept_is_asked_for_again() -> None:
    table = Table(Device(Identity("R-1"), "b0", lying=((W, "BW-W-4N"),)), failing=1)
    table.run(2_000)
    assert [event.cards for event in table.kept if isinstance(event, Snapshot)] == [{W: "BW-W-4N"}]


def test_a_box_that_can_keep_nothing_is_not_asked_more_than_the_beat_allows() -> None:
    table = Table(failing=1_000_000)
    table.run(30_000)
    assert 25 <= table.host.statistics.unkept <= 35
    assert table.state == reader.HOLDING


def test_a_snapshot_is_asked_for_until_it_is_answered() -> None:
    table = Table()
    table.to_device = without(b" SNAPSHOT")
    table.run(30_000)
    assert (table.kept, table.state) == ([], reader.WORKING)
    table.to_device = bytes
    table.run(5_000)
    assert [type(event) for event in table.kept] == [Snapshot]


def test_a_snapshot_never_overtakes_the_cards_before_it() -> None:
    table = Table()
    for number in range(5):
        table.device.lay(E, f"card-{number}", number)
    table.failing = 3
    table.run(5_000)
    assert [event.stamp.seq for event in table.kept] == [1, 2, 3, 4, 5, 5]
    assert isinstance(table.kept[-1], Snapshot)


def test_two_cards_at_one_seat_are_both_told_and_the_upper_one_counts() -> None:
    lying = ((S, "MSO-S-3"), (N, "MSO-N-2"), (S, "MSO-S-4"))
    table = Table(Device(Identity("R-1"), "b0", lying))
    table.run(200)
    [snapshot] = table.kept
    assert isinstance(snapshot, Snapshot)
    assert snapshot.lying == lying
    assert snapshot.cards == {S: "MSO-S-4", N: "MSO-N-2"}


def test_a_device_that_reboots_in_mid_auction_is_greeted_anew_and_tells_its_cards() -> None:
    table = Table()
    table.device.lay(E, "MSO-E-4", 0)
    table.run(500)
    table.host.commands.light(S, True)
    table.run(300)
    table.reboot("b1")
    table.device.cards.append((S, "MSO-S-5"))
    table.run(1_500)
    table.device.lay(W, "MSO-W-2", table.ms)
    table.run(300)
    assert table.kept[2:] == [
        Snapshot.of(((E, "MSO-E-4"), (S, "MSO-S-5")), DeviceStamp("R-1", "b1", 0, 150)),
        CardRead(W, "MSO-W-2", DeviceStamp("R-1", "b1", 1, 1500)),
    ]
    assert (table.host.statistics.reboots, table.host.statistics.connections) == (1, 2)
    assert table.device.lights[S]


def test_the_same_sequence_number_of_another_boot_is_another_card() -> None:
    table = Table()
    table.device.lay(E, "MSO-E-4", 0)
    table.run(500)
    table.reboot("b1")
    table.run(1_500)
    table.device.lay(E, "MSO-E-4", table.ms)
    table.run(300)
    assert table.cards == [("read", E, "MSO-E-4")] * 2


def test_a_card_kept_before_the_box_restarted_is_not_kept_twice() -> None:
    table = Table()
    table.run(200)
    table.device.lay(E, "MSO-E-4", 200)
    table.device.tick(200)
    for frame in table.device.take_output():
        table.host.receive(frame, 0.2)
    lost_ack = table.host.take_output()
    assert b" ACK " in lost_ack
    [*_, last] = table.kept
    table.host = table.new_host(remembered=last.stamp)
    table.run(3_000)
    assert table.cards == [("read", E, "MSO-E-4")]
    assert (table.host.statistics.duplicates, table.device.waiting) == (1, 0)


def test_a_device_swapped_behind_an_open_port_is_asked_who_it_is_before_its_cards_count() -> None:
    table = Table()
    table.device.lay(E, "MSO-E-4", 0)
    table.run(500)
    other = Device(Identity("R-2"), "zz")
    elsewhere = Table(other)
    elsewhere.run(200)
    table.device = other
    other.lay(N, "MSO-N-9", table.ms)
    table.run(4_000)
    assert table.cards == [("read", E, "MSO-E-4"), ("read", N, "MSO-N-9")]
    assert [event.stamp.id for event in table.kept] == ["R-1", "R-1", "R-2", "R-2"]


def test_a_silent_device_is_said_to_be_silent_after_three_seconds_and_welcomed_back() -> None:
    table = Table()
    table.run(1_100)
    table.run(2_900, alive=False)
    assert table.state == reader.WORKING
    table.run(300, alive=False)
    assert table.state == reader.SILENT
    assert not table.host.hopeless(table.now / 1000)
    table.run(3_000, alive=False)
    assert table.host.hopeless(table.now / 1000)
    table.run(2_000)
    assert table.state == reader.WORKING
    assert table.host.statistics.connections == 2


def test_a_protocol_from_the_future_is_refused_in_words_and_a_later_right_one_is_welcome() -> None:
    table = Table(Device(Identity("R-1", protocol=9), "b0"))
    table.device.lay(E, "MSO-E-4", 0)
    table.run(2_000)
    assert table.state == reader.refused_protocol(9, 1)
    assert "speaks protocol 9, this box speaks protocol 1" in table.state.message
    assert table.kept == []
    for _ in range(20):
        table.run(500)
        assert table.state == reader.refused_protocol(9, 1)
    table.device = Device(Identity("R-1"), "b1")
    table.run(2_000)
    assert table.state == reader.WORKING


def test_a_reader_that_belongs_to_another_box_is_refused_in_words() -> None:
    table = Table()
    table.host = table.new_host(expected="R-7")
    table.run(2_000)
    assert table.state == reader.refused_device("R-1", "R-7")
    assert not table.device.greeted


def test_a_reader_of_one_seat_that_fails_is_named() -> None:
    table = Table()
    table.device.down = (E, W)
    table.run(1_500)
    assert table.state == reader.partial((E, W))
    assert "at East and West does not answer" in table.state.message
    table.device.down = ()
    table.run(1_500)
    assert table.state == reader.WORKING


def test_a_device_whose_queue_is_full_says_so_and_a_snapshot_tells_the_rest() -> None:
    table = Table()
    for number in range(QUEUE_LIMIT + 3):
        table.device.lay(E, f"card-{number}", 0)
    table.run(8_000)
    assert [uid for _, _, uid in table.cards] == [f"card-{number}" for number in range(QUEUE_LIMIT)]
    assert table.host.statistics.device_dropped == 3
    last = table.kept[-1]
    assert isinstance(last, Snapshot)
    assert last.cards == {E: f"card-{QUEUE_LIMIT + 2}"}
    table.run(10_000)
    assert table.host.statistics.snapshots <= 2


def test_a_buzz_sounds_once_although_its_answer_is_lost() -> None:
    table = Table()
    table.run(500)
    table.host.commands.buzz((120, 80, 120), table.now / 1000)
    table.host.tick(table.now / 1000)
    command = table.host.take_output()
    table.device.receive(command, table.ms)
    assert table.device.take_output()[-1].startswith(b"$2 DONE ")
    table.run(1_000)
    assert list(table.device.buzzed) == [(120, 80, 120)]
    assert (table.host.statistics.commands, table.host.statistics.commands_again) == (2, 1)


def test_a_buzz_that_waited_too_long_is_dropped() -> None:
    table = Table()
    table.host.commands.buzz((30,), -4.0)
    table.run(1_000)
    assert list(table.device.buzzed) == []
    assert table.host.statistics.commands_dropped == 1


def test_a_buzz_that_is_never_answered_is_dropped_after_three_seconds_and_others_go_on() -> None:
    table = Table()
    table.run(1_000)
    table.to_device = without(b" BUZZ ")
    table.host.commands.buzz((30,), table.now / 1000)
    table.host.commands.light(W, True)
    table.run(2_500)
    assert not table.device.lights[W]
    table.run(2_500)
    assert table.device.lights[W]
    assert table.host.statistics.commands_dropped == 1


def test_a_light_that_is_never_answered_holds_up_neither_another_light_nor_the_snapshot() -> None:
    table = Table()
    table.to_device = without(b" LIGHT seat=N ")
    table.host.commands.light(N, True)
    table.host.commands.light(W, True)
    table.run(30_000)
    assert (table.device.lights[N], table.device.lights[W]) == (False, True)
    assert [type(event) for event in table.kept] == [Snapshot]
    table.to_device = bytes
    table.run(10_000)
    assert table.device.lights[N]


def test_a_light_whose_answer_was_lost_is_turned_off_again_when_wished() -> None:
    table = Table()
    table.run(1_000)
    table.host.commands.light(E, True)
    table.host.tick(table.now / 1000)
    table.device.receive(table.host.take_output(), table.ms)
    assert b" DONE " in b"".join(table.device.take_output())
    table.to_device = without(b" LIGHT ")
    table.run(15_000)
    table.host.commands.light(E, False)
    table.to_device = bytes
    assert table.device.lights[E]
    table.run(15_000)
    assert not table.device.lights[E]


def test_a_device_without_lights_answers_that_it_cannot() -> None:
    table = Table(Device(Identity("R-1", lights=False), "b0"))
    table.host.commands.light(E, True)
    table.run(1_000)
    assert table.device.lights[E] is False
    assert table.host.statistics.commands_again == 0


def test_garbage_and_frames_that_are_none_are_counted_and_change_nothing() -> None:
    table = Table()
    table.run(500)
    seconds = table.now / 1000
    table.host.receive(b"\x00\xffboot: brownout\r\n$1 SCAN boot=b0 seat=E*00000000\n", seconds)
    table.host.receive(encode(Line(7, "SCAN", (("boot", "b0"), ("seat", "Q")))), seconds)
    table.host.receive(encode(Line(8, "BATTERY", (("percent", "80"),))), seconds)
    assert (table.host.statistics.bad_frames, table.host.statistics.unknown_frames) == (3, 1)
    assert table.cards == []


def test_a_device_whose_cards_cannot_be_read_is_said_to_be_unreadable_until_one_can() -> None:
    table = Table()
    table.run(500)
    table.host.receive(encode(Line(1, "SCAN", (("boot", "b0"), ("seat", "N"), ("uid", "u" * 33)))), table.now / 1000)
    assert table.state == reader.GARBLED
    table.device.lay(E, "MSO-E-4", table.ms)
    table.run(500)
    assert table.state == reader.WORKING
