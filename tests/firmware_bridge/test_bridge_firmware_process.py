"""The firmware itself under MicroPython, against the box's link, over a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import firmware_bridge
from deploy.firmware import HERE, bring_stubs, check_types, compile_all
from deploy.soak.bridge import soak_lines
from deploy.soak.firmware_process import FIRMWARE, MICROPYTHON, FirmwareProcess, eventually
from deploy.soak.noisy_line import NoisyLine
from firmware_bridge import reader
from firmware_bridge.limits import QUEUE_LIMIT
from firmware_bridge.line import LineDecoder
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import CardRead, CardRemoved, ReaderEvent, ReaderState, Snapshot
from tallybox.seats import Seat

N, E, S, W = Seat
WITHIN = 30.0

pytest_plugins = ["micropython_here"]


class Table:
    """A firmware, a line, a link, and what the box kept."""

    def __init__(self, line: NoisyLine, device: FirmwareProcess) -> None:
        self.line = line
        self.device = device
        self.kept: list[ReaderEvent] = []
        self.link = SerialLink(line.host, self.kept.append)

    def works(self) -> bool:
        return eventually(lambda: self.link.health == reader.WORKING, WITHIN)

    @property
    def read(self) -> list[tuple[Seat, str]]:
        return [(event.seat, event.uid) for event in self.kept if isinstance(event, CardRead)]

    @property
    def removed(self) -> list[tuple[Seat, str]]:
        return [(event.seat, event.uid) for event in self.kept if isinstance(event, CardRemoved)]

    @property
    def snapshots(self) -> list[dict[Seat, str]]:
        return [dict(event.cards) for event in self.kept if isinstance(event, Snapshot)]


@contextmanager
def table_with(*lying: tuple[Seat, str]) -> Iterator[Table]:
    with NoisyLine() as line, FirmwareProcess(line.device, "pico-1", lying=lying) as device:
        table = Table(line, device)
        table.link.start()
        try:
            yield table
        finally:
            table.link.stop()


def test_the_firmware_says_hello_and_every_card_laid_and_lifted_arrives_once_in_order() -> None:
    with table_with() as table:
        assert table.works()
        laid = [(seat, f"04A1{number:02X}{seat.value}") for number in range(3) for seat in Seat]
        for seat, uid in laid:
            table.device.lay(seat, uid)
        table.device.lift(*laid[0])
        assert eventually(lambda: table.removed == [laid[0]], WITHIN)
        assert table.read == laid
        stamps = [event.stamp for event in table.kept if not isinstance(event, Snapshot)]
        assert [stamp.seq for stamp in stamps] == list(range(1, 14))
        assert [stamp.ms for stamp in stamps] == sorted(stamp.ms for stamp in stamps)
        assert {(stamp.id, stamp.boot) for stamp in stamps} == {("pico-1", table.device.boots[0])}
        statistics = table.link.statistics
        assert (statistics.device, statistics.firmware) == ("pico-1", "tallybox-mfrc522-1")
        assert (statistics.bad_frames, statistics.connections, statistics.duplicates) == (0, 1, 0)


def test_cards_that_lie_there_at_the_start_are_told_in_a_snapshot_and_are_no_events() -> None:
    with table_with((E, "04AA"), (W, "04BB"), (W, "04CC")) as table:
        assert eventually(lambda: table.snapshots, WITHIN)
        snapshot = table.kept[0]
        assert isinstance(snapshot, Snapshot)
        assert list(snapshot.lying) == [(E, "04AA"), (W, "04BB"), (W, "04CC")]
        table.device.lift(E, "04AA")
        assert eventually(lambda: table.removed == [(E, "04AA")], WITHIN)
        assert table.read == []


def test_lights_and_sounds_are_carried_out_once_each() -> None:
    with table_with() as table:
        assert table.works()
        table.link.light(E, True)
        assert eventually(lambda: table.device.told[4:] == ["light E 1"], WITHIN)
        table.link.light(E, False)
        table.link.buzz(30, 20, 30)
        assert eventually(lambda: table.device.told.count("sound 0") == 2, WITHIN)
        assert eventually(lambda: len(table.device.told) == 10, WITHIN)
        assert table.device.told[:4] == [f"light {seat} 0" for seat in "NESW"]
        assert sorted(table.device.told[4:]) == ["light E 0", "light E 1", "sound 0", "sound 0", "sound 1", "sound 1"]
        assert [each for each in table.device.told if "sound" in each] == ["sound 1", "sound 0"] * 2


def test_a_reader_chip_that_fails_is_named_and_its_cards_stay() -> None:
    with table_with() as table:
        assert table.works()
        table.device.lay(E, "04AA")
        assert eventually(lambda: table.read == [(E, "04AA")], WITHIN)
        table.device.fail(E)
        assert eventually(lambda: table.link.health.state is ReaderState.PARTIAL, WITHIN)
        assert table.link.health == reader.partial((E,))
        table.device.heal(E)
        assert table.works()
        assert table.removed == []


def test_more_cards_than_the_firmware_holds_are_counted_as_lost_and_a_snapshot_follows() -> None:
    with NoisyLine() as line, FirmwareProcess(line.device) as device:
        for number in range(QUEUE_LIMIT + 6):
            device.lay(S, f"04{number:04X}")
        assert eventually(lambda: device.orders_taken == QUEUE_LIMIT + 6, WITHIN)
        time.sleep(0.6)  # the last card is seen within one round of looks
        table = Table(line, device)
        table.link.start()
        assert eventually(lambda: table.link.statistics.device_dropped == 6, WITHIN)
        assert eventually(lambda: table.snapshots, WITHIN)
        table.link.stop()
        assert table.read == [(S, f"04{number:04X}") for number in range(QUEUE_LIMIT)]
        last = [event for event in table.kept if isinstance(event, Snapshot)][-1]
        assert [uid for _, uid in last.lying] == [f"04{number:04X}" for number in range(QUEUE_LIMIT - 2, 70)]


def test_a_host_that_does_not_read_stalls_nothing_and_finds_whole_lines_later() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    decoder = LineDecoder()
    with FirmwareProcess(os.ttyname(slave)) as device:
        os.write(master, b"$1 WHO*4d61682c\n" * 200)
        assert eventually(lambda: select.select([master], [], [], 0)[0], WITHIN)
        device.lay(N, "04AA")
        device.lay(E, "04BB")
        assert eventually(lambda: device.orders_taken == 2, WITHIN)
        read = bytearray()

        def draining() -> bool:
            with suppress(BlockingIOError):
                read.extend(os.read(master, 4096))
            return len(read) > 6_000

        assert eventually(draining, WITHIN)
    os.close(master)
    os.close(slave)
    lines = decoder.feed(bytes(read[: read.rindex(b"\n") + 1]))
    assert (decoder.bad, {line.kind for line in lines}) == (0, {"HELLO"})
    assert 40 < len(lines) < 200


@pytest.mark.timeout(400)
@pytest.mark.parametrize("first", [100, *(pytest.param(first, marks=pytest.mark.evening) for first in (200, 300))])
def test_three_hundred_scans_over_a_line_that_harms_a_fifth_of_its_chunks_arrive_once_in_order(first: int) -> None:
    lines = list(soak_lines(range(first, first + 6), 50))
    assert [line.arrived for line in lines] == [line.laid for line in lines]
    assert [line.left for line in lines] == [line.lifted for line in lines]
    assert sum(len(line.arrived) for line in lines) == 300
    assert all(min(line.chunks) > 0 and line.statistics.bad_frames > 0 for line in lines)


def test_micropython_reads_and_writes_every_example_of_the_protocols_page() -> None:
    page = (Path(firmware_bridge.__file__).parent / "PROTOCOL.md").read_text("utf-8")
    examples = re.findall(r"^\$\d.*\*[0-9a-f]{8}$", page, re.MULTILINE)
    program = (
        "import sys\nfrom card_reader.wire import decode, encode\n"
        "for raw in sys.stdin.buffer.read().split(b'\\n'):\n"
        "    line = decode(raw)\n"
        "    sys.stdout.buffer.write(encode(line.seq, line.kind, line.fields) if line else b'-\\n')\n"
    )
    written = subprocess.run(
        [MICROPYTHON, "-c", program], input="\n".join([*examples, "$1 WHO*00000000"]).encode(),
        capture_output=True, check=True, env={"MICROPYPATH": str(FIRMWARE)}, timeout=30,
    ).stdout.decode()  # fmt: skip
    assert written.splitlines() == [*examples, "-"]
    assert len(examples) == 16
    assert len(LineDecoder().feed(written.encode())) == 16


def test_every_file_compiles_for_the_pico(tmp_path: Path) -> None:
    compiled = compile_all(tmp_path)
    assert [file.stem for file in compiled] == sorted(file.stem for file in HERE.glob("card_reader/*.py"))
    assert sum(file.stat().st_size for file in compiled) < 40_000


def test_the_firmware_is_well_typed_against_the_picos_stubs() -> None:
    assert check_types() == 0


def test_a_call_that_a_pico_does_not_have_would_be_found(tmp_path: Path) -> None:
    bring_stubs()
    source = (HERE / "main.py").read_text("utf-8")
    (tmp_path / "main.py").write_text(source + "\nPin(SERVICE).glow()\n", "utf-8")
    config = (HERE / "mypy.ini").read_text("utf-8").replace("firmware_bridge/firmware/main.py", f"{tmp_path}/main.py")
    (tmp_path / "mypy.ini").write_text(config, "utf-8")
    assert check_types(tmp_path / "mypy.ini") == 1
