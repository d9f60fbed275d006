"""Faults of cable, reader and box in mid-auction: the real firmware, the real link, a real box and its journal.

Whatever happens, people go on typing, every card that was scanned is in the journal once, and the bidding is right.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "kiosk"))

from seated import call, did, open_box, shut, sit_down, to_auction
from taken_terminal import taken

from deploy.soak.firmware_process import FirmwareProcess, eventually
from deploy.soak.noisy_line import NoisyLine
from firmware_bridge.decks import load_deck
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import DENIED, BidReader, DeviceStamp, ReaderEvent, ReaderHealth
from kiosk.box import Box
from tallybox.calls import Game, call_text, parse_call
from tallybox.events import table as events
from tallybox.seats import Seat

N, E, S, W = Seat
DECK = load_deck("bid-whist")
WITHIN = 60.0

pytest_plugins = ["micropython_here"]


def card(seat: Seat, text: str) -> str:
    return DECK.uid_for(parse_call(Game.BID_WHIST, text), seat)


class Table:
    """One table in mid-auction: the dealer is North, East calls first."""

    def __init__(self, box: Box, line: NoisyLine, device: FirmwareProcess) -> None:
        self.box = box
        self.line = line
        self.device = device

    def lay(self, seat: Seat, text: str) -> None:
        self.device.lay(seat, card(seat, text))

    def types(self, *texts: str) -> None:
        call(self.box, *texts)

    def is_told(self, state: str) -> bool:
        return eventually(lambda: self.box.view.reader.state == state, WITHIN)

    @property
    def calls(self) -> list[tuple[Seat, str, str]]:
        hand = self.box.view.state.hand
        assert hand is not None
        return [(called.seat, call_text(called.call), called.source) for called in hand.calls]

    def called(self, *expected: tuple[Seat, str, str]) -> bool:
        return eventually(lambda: self.calls == list(expected), WITHIN)

    @property
    def scanned(self) -> list[str]:
        """The cards in the journal, in order, each as often as it is there."""
        return [str(event.body["card"]) for event in self.box._journal.events() if event.type == "card.read"]


@contextmanager
def auction(folder: Path, line: NoisyLine, device: FirmwareProcess) -> Iterator[Table]:
    def serial(
        persist: Callable[[ReaderEvent], None], on_health: Callable[[ReaderHealth], None], last: DeviceStamp | None
    ) -> BidReader:
        return SerialLink(line.host, persist, on_health, remembered=last)

    box = open_box(folder / "journal.db", reader=serial)
    try:
        sit_down(box)
        to_auction(box)
        yield Table(box, line, device)
    finally:
        shut(box)


@pytest.fixture
def line() -> Iterator[NoisyLine]:
    with NoisyLine() as made:
        yield made


@pytest.fixture
def device(line: NoisyLine) -> Iterator[FirmwareProcess]:
    with FirmwareProcess(line.device) as made:
        yield made


@pytest.fixture
def table(tmp_path: Path, line: NoisyLine, device: FirmwareProcess) -> Iterator[Table]:
    with auction(tmp_path, line, device) as made:
        yield made


def test_a_cable_pulled_in_mid_frame_brings_the_card_once_when_it_is_back(table: Table) -> None:
    assert table.is_told("working")
    table.line.unplug_after(b" SCAN boot=")
    table.lay(E, "4")
    assert table.is_told("lost")
    assert table.calls == []
    table.line.replug()
    assert table.called((E, "4", "scanned"))
    table.types("pass")
    table.lay(W, "5 special")
    assert table.called((E, "4", "scanned"), (S, "pass", "typed"), (W, "5 special", "scanned"))
    assert table.scanned == [card(E, "4"), card(W, "5 special")]


def test_a_cable_pulled_in_mid_auction_and_put_back_under_another_path_keeps_the_order(table: Table) -> None:
    table.lay(E, "4")
    assert table.called((E, "4", "scanned"))
    before = table.line.terminal
    table.line.unplug()
    assert table.is_told("lost")
    table.types("pass")
    table.lay(W, "5 special")
    with taken(before):
        table.line.replug()
    assert table.line.terminal != before
    assert table.called((E, "4", "scanned"), (S, "pass", "typed"), (W, "5 special", "scanned"))
    table.lay(N, "5 no")
    assert table.called((E, "4", "scanned"), (S, "pass", "typed"), (W, "5 special", "scanned"), (N, "5 no", "scanned"))
    assert table.scanned == [card(E, "4"), card(W, "5 special"), card(N, "5 no")]
    assert (table.box.view.reader.state, table.box.view.notice) == ("working", None)


def test_a_card_that_was_kept_and_whose_acknowledgement_was_lost_with_the_cable_counts_once(table: Table) -> None:
    assert table.is_told("working")
    table.line.deaf = True
    table.lay(E, "4")
    assert table.called((E, "4", "scanned"))
    reader = table.box._reader
    assert eventually(lambda: reader.statistics.duplicates >= 2, WITHIN)
    table.line.unplug()
    assert table.is_told("lost")
    table.line.deaf = False
    table.line.replug()
    table.lay(S, "pass")
    assert table.called((E, "4", "scanned"), (S, "pass", "scanned"))
    assert table.scanned == [card(E, "4"), card(S, "pass")]
    assert table.box.view.notice is None


def test_a_reader_that_hangs_in_mid_auction_is_told_within_seconds_and_its_card_comes_later(table: Table) -> None:
    table.lay(E, "4")
    assert table.called((E, "4", "scanned"))
    table.device.hang()
    began = time.monotonic()
    assert table.is_told("silent")
    assert time.monotonic() - began < 15
    table.types("pass")
    table.lay(W, "5 special")
    table.device.go_on()
    assert table.called((E, "4", "scanned"), (S, "pass", "typed"), (W, "5 special", "scanned"))
    assert table.is_told("working")
    assert table.scanned == [card(E, "4"), card(W, "5 special")]
    assert len(table.device.boots) == 1


def test_a_reader_that_stays_hung_leaves_the_table_its_keys(table: Table) -> None:
    assert table.is_told("working")
    table.device.hang()
    assert table.is_told("silent")
    table.types("4", "pass", "pass", "pass")
    did(table.box, events.ContractLocked(hand=1))
    assert table.calls == [(E, "4", "typed"), (S, "pass", "typed"), (W, "pass", "typed"), (N, "pass", "typed")]
    assert table.scanned == []


def test_a_reboot_in_mid_auction_calls_nothing_twice_and_reads_on(table: Table) -> None:
    table.lay(E, "4")
    assert table.called((E, "4", "scanned"))
    table.device.reboot()
    assert eventually(lambda: len(table.device.boots) == 2, WITHIN)
    table.types("pass")
    table.lay(W, "5 special")
    assert table.called((E, "4", "scanned"), (S, "pass", "typed"), (W, "5 special", "scanned"))
    assert table.scanned == [card(E, "4"), card(W, "5 special")]
    assert len(set(table.device.boots)) == 2
    assert table.box.view.notice is None


def test_a_card_whose_event_died_with_the_reader_is_found_lying_there_and_counts(table: Table) -> None:
    table.lay(E, "4")
    assert table.called((E, "4", "scanned"))
    table.line.unplug()
    table.lay(S, "5")
    assert eventually(lambda: table.device.orders_taken == 2, WITHIN)
    table.device.reboot()
    table.line.replug()
    assert table.called((E, "4", "scanned"), (S, "5", "scanned"))
    assert table.scanned == [card(E, "4"), card(S, "5")]


def test_garbage_at_boot_is_counted_and_nothing_else(tmp_path: Path, line: NoisyLine) -> None:
    boot_loader = b"\x00\xff\xfe MicroPython v1.28.0; $$$ type help()\r\n>>> $12 SCAN boot=" + bytes(range(256)) * 9
    with FirmwareProcess(line.device) as device, auction(tmp_path, line, device) as table:
        line.to_host(boot_loader)
        table.types("4")
        table.lay(S, "pass")
        assert table.called((E, "4", "typed"), (S, "pass", "scanned"))
        device.reboot()
        line.to_host(boot_loader)
        table.lay(W, "5 special")
        assert table.called((E, "4", "typed"), (S, "pass", "scanned"), (W, "5 special", "scanned"))
        assert table.scanned == [card(S, "pass"), card(W, "5 special")]
        assert table.is_told("working")


HOLDER = "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); input()"


def test_another_program_that_holds_the_port_is_named_and_the_card_comes_when_it_lets_go(
    tmp_path: Path, line: NoisyLine, device: FirmwareProcess
) -> None:
    words = [sys.executable, "-c", HOLDER, line.host]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with auction(tmp_path, line, device) as table:
            assert table.is_told("busy")
            assert "Another program holds the card reader." in (table.box.view.reader.message or "")
            table.types("4")
            table.lay(S, "pass")
            other.communicate("go\n", timeout=30)
            assert table.called((E, "4", "typed"), (S, "pass", "scanned"))
            assert table.is_told("working")
            assert table.scanned == [card(S, "pass")]


def test_a_reader_from_the_future_is_refused_in_words_and_its_card_counts_once_it_is_put_right(
    tmp_path: Path, line: NoisyLine
) -> None:
    with FirmwareProcess(line.device, protocol=9) as device, auction(tmp_path, line, device) as table:
        assert table.is_told("refused")
        assert (table.box.view.reader.message or "").startswith(
            "The card reader speaks protocol 9, this box speaks protocol 1. Type the bids;"
        )
        table.types("4")
        table.lay(S, "pass")
        assert eventually(lambda: device.orders_taken == 1, WITHIN)
        assert table.scanned == []
        device.protocol = 1
        device.reboot()
        assert table.called((E, "4", "typed"), (S, "pass", "scanned"))
        assert table.is_told("working")


def test_a_user_who_may_not_open_the_port_is_told_so_and_types_and_the_card_comes_when_it_may(
    line: NoisyLine, device: FirmwareProcess
) -> None:
    port = Path(line.terminal)
    port.chmod(0)
    device.lay(S, card(S, "pass"))
    program = Path(__file__).parent / "link_as_nobody.py"
    with subprocess.Popen([sys.executable, program, port], stdout=subprocess.PIPE, text=True) as nobody:
        assert nobody.stdout is not None
        while (said := nobody.stdout.readline()) != "told\n":
            assert said
        told = [nobody.stdout.readline().strip() for _ in range(3)]
        port.chmod(0o666)
        rest, _ = nobody.communicate(timeout=60)
    assert told == ["denied", DENIED.message, "E 4 typed"]
    assert (rest.splitlines()[-2:], nobody.returncode) == (["working", "E 4 typed, S pass scanned"], 0)
