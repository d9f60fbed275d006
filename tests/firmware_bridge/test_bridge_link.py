"""The link over a real pseudo-terminal: bytes, threads, cables that are pulled."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import serial
from taken_terminal import taken

from firmware_bridge import reader
from firmware_bridge.errors import PortBusyError, PortDeniedError, PortLostError, SimulatorError
from firmware_bridge.link import SerialLink
from firmware_bridge.port import SerialPort
from firmware_bridge.reader import BidReader, CardRead, CardRemoved, ReaderEvent, ReaderHealth, ReaderState, Snapshot
from firmware_bridge.simulator import SimulatedReader
from tallybox.seats import Seat

N, E, S, W = Seat


@dataclass
class Box:
    """What a box keeps of its reader: events on disk, sentences on the screen."""

    kept: list[ReaderEvent] = field(default_factory=list)
    said: list[ReaderHealth] = field(default_factory=list)
    failing: int = 0

    def persist(self, event: ReaderEvent) -> None:
        if self.failing:
            self.failing -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        self.kept.append(event)

    @property
    def read(self) -> list[tuple[Seat, str]]:
        return [(event.seat, event.uid) for event in self.kept if isinstance(event, CardRead)]

    @property
    def snapshots(self) -> list[dict[Seat, str]]:
        return [dict(event.cards) for event in self.kept if isinstance(event, Snapshot)]

    @property
    def states(self) -> list[ReaderState]:
        return [health.state for health in self.said]


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
def device() -> Iterator[SimulatedReader]:
    with SimulatedReader("R-1") as simulated:
        yield simulated


@pytest.fixture
def link(box: Box, device: SimulatedReader) -> Iterator[SerialLink]:
    with closing_link(SerialLink(device.path, box.persist, box.said.append)) as made:
        yield made


class closing_link:  # noqa: N801 - used as a context manager, as contextlib's are
    def __init__(self, link: SerialLink) -> None:
        self.link = link

    def __enter__(self) -> SerialLink:
        self.link.start()
        return self.link

    def __exit__(self, *_: object) -> None:
        self.link.stop()


def eventually(holds: Callable[[], object], within: float = 30.0) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return bool(holds())


def works(link: SerialLink) -> bool:
    return eventually(lambda: link.health == reader.WORKING)


def test_cards_laid_and_lifted_are_kept_once_and_in_order(box: Box, device: SimulatedReader, link: SerialLink) -> None:
    assert works(link)
    laid = [(seat, f"MSO-{seat}-{number}") for number in range(2, 8) for seat in Seat]
    for seat, uid in laid:
        device.lay(seat, uid)
    device.lift(N)
    assert device.wait_idle(60)
    assert box.read == laid
    assert [(e.seat, e.uid) for e in box.kept if isinstance(e, CardRemoved)] == [(N, "MSO-N-7")]
    stamps = [event.stamp for event in box.kept if not isinstance(event, Snapshot)]
    assert [stamp.seq for stamp in stamps] == list(range(1, 26))
    assert {(stamp.id, stamp.boot) for stamp in stamps} == {("R-1", device.boot)}
    assert box.states == [ReaderState.STARTING, ReaderState.WORKING]


def test_cards_laid_before_the_box_is_on_are_delivered_when_it_is(box: Box, device: SimulatedReader) -> None:
    device.lay(E, "MSO-E-4")
    device.lay(S, "MSO-S-K")
    assert not device.wait_idle(0.1)
    with closing_link(SerialLink(device.path, box.persist)):
        assert device.wait_idle(60)
        assert eventually(lambda: box.snapshots)
    assert box.read == [(E, "MSO-E-4"), (S, "MSO-S-K")]
    assert box.snapshots == [{E: "MSO-E-4", S: "MSO-S-K"}]


def test_a_torn_frame_comes_again(box: Box, device: SimulatedReader, link: SerialLink) -> None:
    assert works(link)
    laid: list[tuple[Seat, str]] = []
    # A heartbeat may be the frame that is torn; it does not come again, so the next card is tried.
    while not device.retransmits and len(laid) < 8:
        device.tear_next_frame()
        laid.append((E, f"MSO-E-{len(laid) + 2}"))
        device.lay(*laid[-1])
        assert device.wait_idle(60)
    assert box.read == laid
    assert device.retransmits >= 1
    assert eventually(lambda: link.statistics.bad_frames == len(laid))


def test_garbage_on_the_line_is_counted_and_the_next_card_is_read(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    assert works(link)
    device.inject(b"\xff\x00brownout $1 SCAN\n$$$" + bytes(range(256)) * 8)
    device.lay(W, "MSO-W-9")
    assert device.wait_idle(60)
    assert box.read == [(W, "MSO-W-9")]
    assert link.statistics.bad_frames >= 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_card_is_lost_on_a_line_that_damages_frames(box: Box, seed: int) -> None:
    chance = Random(seed)

    def noise(data: bytes) -> bytes:
        fate = chance.random()
        at = chance.randrange(len(data))
        if fate < 0.1:
            return b""
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :] if fate < 0.2 else data

    laid = [(chance.choice(list(Seat)), f"card-{number}") for number in range(15)]
    with (
        SimulatedReader("R-1", to_host=noise, to_device=noise) as device,
        closing_link(SerialLink(device.path, box.persist)),
    ):
        for seat, uid in laid:
            device.lay(seat, uid)
        assert device.wait_idle(60)
    assert box.read == laid


def test_a_card_that_cannot_be_kept_twice_is_kept_the_third_time_and_the_screen_knows(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    assert works(link)
    assert eventually(lambda: box.snapshots)
    box.failing = 2
    device.lay(N, "MSO-N-7")
    assert device.wait_idle(60)
    assert box.read == [(N, "MSO-N-7")]
    assert link.statistics.unkept == 2
    assert eventually(lambda: box.said[-2:] == [reader.HOLDING, reader.WORKING])


def test_a_cable_pulled_in_mid_auction_and_put_back_elsewhere_loses_nothing(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    assert works(link)
    device.lay(E, "MSO-E-4")
    assert device.wait_idle(60)
    before = device.terminal
    device.unplug(powered=True)
    assert eventually(lambda: link.health == reader.LOST)
    device.lay(S, "MSO-S-3")
    with taken(before):
        device.replug()
    assert device.terminal != before
    assert works(link)
    device.lay(W, "MSO-W-2")
    assert device.wait_idle(60)
    assert box.read == [(E, "MSO-E-4"), (S, "MSO-S-3"), (W, "MSO-W-2")]
    assert eventually(lambda: box.snapshots[-1].keys() >= {E, S})
    assert (link.statistics.connections, link.statistics.reboots) == (2, 0)


def test_a_reader_without_power_tells_what_was_laid_meanwhile_in_a_snapshot(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    assert works(link)
    device.unplug()
    device.lay(E, "MSO-E-4")
    with pytest.raises(SimulatorError, match="unplugged"):
        _ = device.terminal
    device.replug()
    assert eventually(lambda: {E: "MSO-E-4"} in box.snapshots)
    assert box.read == []
    assert link.statistics.reboots == 1


def test_a_reboot_in_mid_auction_is_greeted_and_the_lights_come_back(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    assert works(link)
    device.lay(E, "MSO-E-4")
    link.light(S, True)
    assert eventually(lambda: device.lights[S])
    first = device.boot
    device.reboot()
    assert eventually(lambda: device.greeted and device.lights[S])
    assert eventually(lambda: len(box.snapshots) == 2)
    device.lay(S, "MSO-S-5")
    assert device.wait_idle(60)
    assert device.boot != first
    assert box.read == [(E, "MSO-E-4"), (S, "MSO-S-5")]
    assert [event.stamp.seq for event in box.kept if isinstance(event, CardRead)] == [1, 1]
    assert box.snapshots[-1] == {E: "MSO-E-4"}


def test_a_protocol_from_the_future_is_refused_with_its_sentence(box: Box) -> None:
    with SimulatedReader("R-1", protocol=9) as device, closing_link(SerialLink(device.path, box.persist)) as link:
        device.lay(E, "MSO-E-4")
        assert eventually(lambda: link.health.state is ReaderState.REFUSED)
        assert link.health.message.startswith("The card reader speaks protocol 9, this box speaks protocol 1. Type")
    assert box.kept == []


def test_a_device_that_hangs_becomes_silent_and_comes_back(box: Box, device: SimulatedReader, link: SerialLink) -> None:
    assert works(link)
    device.freeze()
    began = time.monotonic()
    assert eventually(lambda: link.health == reader.SILENT)
    assert 1.9 < time.monotonic() - began < 15.0
    device.lay(E, "MSO-E-4")
    device.thaw()
    assert works(link)
    assert device.wait_idle(60)
    assert box.read == [(E, "MSO-E-4")]


def test_lights_and_sounds_are_done_although_the_first_bytes_to_the_device_are_lost(box: Box) -> None:
    lost: list[bytes] = []

    def deaf_to_commands(data: bytes) -> bytes:
        if (b" LIGHT " in data or b" BUZZ " in data) and len(lost) < 2:
            lost.append(data)
            return b""
        return data

    with (
        SimulatedReader("R-1", to_device=deaf_to_commands) as device,
        closing_link(SerialLink(device.path, box.persist)) as link,
    ):
        assert works(link)
        link.light(E, True)
        link.buzz(120, 80, 120)
        assert eventually(lambda: device.lights[E] and device.buzzed == [(120, 80, 120)])
        link.light(E, False)
        assert eventually(lambda: not device.lights[E])
        assert len(lost) == 2
        assert link.statistics.commands_again >= 2


def test_a_buzz_out_of_its_limits_is_refused_at_once(link: SerialLink) -> None:
    for times in [(), (0,), (2_001,), (1,) * 10]:
        with pytest.raises(ValueError, match="1 to 9 times of 1 to 2000 ms"):
            link.buzz(*times)


def test_a_port_that_another_program_holds_is_said_to_be_held_and_used_when_free(
    box: Box, device: SimulatedReader
) -> None:
    other = SerialPort(device.path)
    with closing_link(SerialLink(device.path, box.persist)) as link:
        assert eventually(lambda: link.health == reader.BUSY)
        other.close()
        assert works(link)
    with closing(SerialPort(device.path)), pytest.raises(PortBusyError, match="Another program holds"):
        SerialPort(device.path)


def test_a_reader_that_is_plugged_in_later_is_found(box: Box, tmp_path: Path) -> None:
    path = tmp_path / "reader"
    with closing_link(SerialLink(str(path), box.persist, box.said.append)) as link:
        assert eventually(lambda: link.health == reader.LOST)
        with SimulatedReader("R-1") as device:
            path.symlink_to(device.terminal)
            assert works(link)
    assert box.states[:3] == [ReaderState.STARTING, ReaderState.LOST, ReaderState.WORKING]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_a_port_this_user_may_not_open_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortDeniedError, match="may not open /dev/ttyACM0"):
        SerialPort("/dev/ttyACM0")


def test_what_is_no_serial_port_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PortLostError, match="cannot be used as a serial port"):
        SerialPort(str(tmp_path / "file"))
    with pytest.raises(PortLostError, match="Nothing is plugged in"):
        SerialPort(str(tmp_path / "nothing"))


def test_a_port_closed_under_its_reader_fails_in_one_way_only(device: SimulatedReader) -> None:
    port = SerialPort(device.path)
    raised: list[Exception] = []

    def read_on() -> None:
        try:
            while True:
                port.read()
        except PortLostError as failure:
            raised.append(failure)

    thread = threading.Thread(target=read_on)
    thread.start()
    port.close()
    port.wake()
    thread.join(5)
    with pytest.raises(PortLostError, match="went away"):
        port.write(b"x")
    assert [type(failure) for failure in raised] == [PortLostError]


def test_stop_returns_soon_although_the_disk_hangs(device: SimulatedReader) -> None:
    entered, release = threading.Event(), threading.Event()

    def hang(_: ReaderEvent) -> None:
        entered.set()
        release.wait(60)

    link = SerialLink(device.path, hang)
    link.start()
    assert entered.wait(30)
    began = time.monotonic()
    link.stop()
    assert time.monotonic() - began < 6.0
    assert link.health == reader.STOPPED
    release.set()
    assert eventually(lambda: not any(thread.name == f"reader {device.path}" for thread in threading.enumerate()))
    assert link.health == reader.STOPPED


def test_a_port_that_stays_away_is_tried_less_and_less_often(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []

    def away(path: str) -> SerialPort:
        tried.append(time.monotonic())
        raise PortLostError(f"Nothing is plugged in at {path}.")

    monkeypatch.setattr("firmware_bridge.link.SerialPort", away)
    with closing_link(SerialLink("/dev/away", box.persist, box.said.append)):
        assert eventually(lambda: len(tried) == 4)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert all(pause >= least for pause, least in zip(pauses, (0.25, 0.5, 1.0), strict=True))
    assert box.states == [ReaderState.STARTING, ReaderState.LOST, ReaderState.STOPPED]


def test_a_stopped_link_starts_again_and_remembers_what_it_kept(
    box: Box, device: SimulatedReader, link: SerialLink
) -> None:
    device.lay(E, "MSO-E-4")
    assert device.wait_idle(60)
    link.stop()
    link.start()
    assert works(link)
    device.lay(S, "MSO-S-2")
    assert device.wait_idle(60)
    assert box.read == [(E, "MSO-E-4"), (S, "MSO-S-2")]


def test_a_screen_that_fails_does_not_stop_the_reading(box: Box, device: SimulatedReader) -> None:
    def broken(_: ReaderHealth) -> None:
        raise RuntimeError("no screen")

    with closing_link(SerialLink(device.path, box.persist, broken)):
        device.lay(E, "MSO-E-4")
        assert device.wait_idle(60)
    assert box.read == [(E, "MSO-E-4")]


def test_a_serial_link_is_a_bid_reader(link: SerialLink) -> None:
    a_reader: BidReader = link
    assert a_reader.statistics.unkept == 0


def test_the_simulator_refuses_what_cannot_be_done(device: SimulatedReader) -> None:
    with pytest.raises(SimulatorError, match="No such card lies at East"):
        device.lift(E)
    with pytest.raises(SimulatorError, match="no blank"):
        device.lay(E, "two words")
    device.close()
    with pytest.raises(SimulatorError, match="closed"):
        device.lay(E, "MSO-E-4")
