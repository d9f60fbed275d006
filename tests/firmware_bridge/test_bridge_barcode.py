"""Plain barcode scanners: lines on a real terminal become scans, and scans become the events of any other reader."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import until

from firmware_bridge.barcode import AGAIN_AFTER, Repetition, ScannerLines
from firmware_bridge.limits import MAX_UID, QUEUE_LIMIT
from firmware_bridge.line import MAX_LINE
from firmware_bridge.reader import (
    HOLDING,
    LOST,
    NOT_A_SCANNER,
    STOPPED,
    WORKING,
    BidReader,
    CardShown,
    ReaderEvent,
    ReaderHealth,
    partial,
)
from firmware_bridge.scanners import BarcodeScanners
from firmware_bridge.simulator import SimulatedReader
from kiosk.box import Box
from kiosk.config import ReaderSettings, read_config
from kiosk.errors import ConfigError
from kiosk.journal.journal import Journal
from kiosk.link.birth import Identity
from kiosk.view import CardCase
from tallybox.calls import call_text
from tallybox.events import table as events
from tallybox.events.table import Body
from tallybox.messages import Desired, Outcome, Seating, Team, Tenure
from tallybox.rules.ruleset import builtin
from tallybox.seats import Seat, Side
from tallybox.signing import SigningKey

N, E, S, W = Seat


class Scanner:
    """A scanner's end of a terminal; its path stays when it is unplugged and comes back."""

    def __init__(self, folder: Path, name: str = "scanner") -> None:
        self.path = folder / name
        self._ends: tuple[int, int] | None = None
        self.plug()

    def plug(self) -> None:
        self._ends = os.openpty()
        tty.setraw(self._ends[1])
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._ends[1]))

    def unplug(self) -> None:
        if self._ends is not None:
            self.path.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def says(self, data: bytes) -> None:
        assert self._ends is not None
        os.write(self._ends[0], data)


@pytest.fixture
def scanner(tmp_path: Path) -> Iterator[Scanner]:
    made = Scanner(tmp_path)
    yield made
    made.unplug()


@contextmanager
def reading(made: BidReader) -> Iterator[BidReader]:
    made.start()
    try:
        until(lambda: made.health.state != "starting")
        yield made
    finally:
        made.stop()


def until_count(count: Callable[[], int], wanted: int) -> None:
    until(lambda: count() == wanted)


def shown(found: list[ReaderEvent]) -> list[tuple[str, Seat | None]]:
    return [(event.uid, event.seat) for event in found if isinstance(event, CardShown)]


# Lines


@pytest.mark.parametrize(
    ("said", "codes", "bad"),
    [
        (b"MSO-N-K\r\n", ["MSO-N-K"], 0),
        (b"MSO-N-K\rMSO-E-2\r", ["MSO-N-K", "MSO-E-2"], 0),
        (b"MSO-N-K\nMSO-E-2\n", ["MSO-N-K", "MSO-E-2"], 0),
        (b"\r\n\r\n\n", [], 0),
        (b"\x02MSO-N-K\x03\r\n \t\r\n", ["MSO-N-K"], 0),
        (b"MSO-N-K", [], 0),
        (b"https://example.org/a/very/long/address\r", ["https://example.org/a/very/long?"], 0),
        ("Käse brot\r".encode(), ["K?se?brot"], 0),
        (b"\xff\xfe\x80\rMSO-N-K\r", ["MSO-N-K"], 1),
        (b"a\x07b\r", [], 1),
        (b"x" * (MAX_LINE + 5) + b"\rMSO-N-K\r", ["MSO-N-K"], 1),
    ],
)
def test_a_scanners_bytes_become_codes(said: bytes, codes: list[str], bad: int) -> None:
    lines = ScannerLines()
    assert (lines.feed(said), lines.bad, lines.is_reader) == (codes, bad, False)


@settings(deadline=None)
@given(st.binary(max_size=3000), st.lists(st.integers(1, 400), max_size=20))
def test_any_bytes_cut_anywhere_give_the_same_codes_and_only_uids(said: bytes, cuts: list[int]) -> None:
    whole, pieces = ScannerLines(), ScannerLines()
    at, found = 0, []
    for length in cuts:
        found += pieces.feed(said[at : at + length])
        at += length
    found += pieces.feed(said[at:])
    assert found == whole.feed(said)
    assert (pieces.bad, pieces.is_reader) == (whole.bad, whole.is_reader)
    assert all(
        1 <= len(code) <= MAX_UID and code.isascii() and code.isprintable() and " " not in code for code in found
    )


def test_a_card_reader_on_a_scanners_port_is_recognised() -> None:
    lines = ScannerLines()
    assert lines.feed(b"$1 WHO*4d61682c\n") == []
    assert lines.is_reader


def test_a_code_in_view_counts_once_and_again_after_it_was_out_of_sight() -> None:
    seen = Repetition()
    times = [("a", 0.0), ("a", 0.1), ("a", 1.9), ("a", 3.8), ("b", 3.9), ("a", 4.0), ("a", 4.0 + AGAIN_AFTER)]
    assert [seen.is_new(uid, now) for uid, now in times] == [True, False, False, False, True, True, True]


# The driver


def test_one_scanner_serves_the_table_and_four_serve_their_seats(tmp_path: Path) -> None:
    kept: list[ReaderEvent] = []
    one = Scanner(tmp_path)
    with reading(BarcodeScanners({None: str(one.path)}, kept.append)) as table:
        one.says(b"MSO-N-K\r\nMSO-N-K\r\nMSO-E-2\r\n")
        until(lambda: len(kept) == 2)
        assert table.health == WORKING
        statistics = table.statistics
    assert shown(kept) == [("MSO-N-K", None), ("MSO-E-2", None)]
    assert (statistics.events, statistics.duplicates, statistics.bad_frames, statistics.connections) == (2, 1, 0, 1)
    assert table.health == STOPPED
    one.unplug()
    kept.clear()
    four = {seat: Scanner(tmp_path, seat.value) for seat in Seat}
    with reading(BarcodeScanners({seat: str(each.path) for seat, each in four.items()}, kept.append)) as seats:
        for number, (seat, each) in enumerate(four.items(), 1):
            each.says(f"MSO-{seat}-A\r".encode())
            until_count(lambda: len(kept), number)
        seats.light(Seat.N, on=True)
    assert shown(kept) == [(f"MSO-{seat}-A", seat) for seat in Seat]
    stamps = [event.stamp for event in kept]
    assert [(stamp.id, stamp.seq) for stamp in stamps] == [(f"scanner-{seat}", n) for n, seat in enumerate(Seat, 1)]
    assert len({stamp.boot for stamp in stamps}) == 1
    assert [stamp.ms for stamp in stamps] == sorted(stamp.ms for stamp in stamps)
    for each in four.values():
        each.unplug()


def test_a_scan_that_cannot_be_kept_is_held_and_kept_later_in_order(scanner: Scanner) -> None:
    kept: list[ReaderEvent] = []
    full = threading.Event()
    full.set()

    def persist(event: ReaderEvent) -> None:
        if full.is_set():
            raise OSError("no space")
        kept.append(event)

    with reading(BarcodeScanners({None: str(scanner.path)}, persist)) as table:
        scanner.says(b"MSO-N-K\rMSO-E-2\r")
        until(lambda: table.health == HOLDING)
        full.clear()
        until(lambda: len(kept) == 2)
        until(lambda: table.health == WORKING)
        assert table.statistics.unkept >= 1
    assert shown(kept) == [("MSO-N-K", None), ("MSO-E-2", None)]


def test_scans_that_wait_are_bounded(scanner: Scanner) -> None:
    def persist(event: ReaderEvent) -> None:
        raise OSError("no space")

    with reading(BarcodeScanners({None: str(scanner.path)}, persist)) as table:
        for number in range(QUEUE_LIMIT + 5):
            scanner.says(f"CODE-{number}\r".encode())
        until(lambda: table.statistics.frames == QUEUE_LIMIT + 5)
        assert table.statistics.device_dropped == 5


def test_an_unplugged_scanner_is_told_and_found_again(tmp_path: Path) -> None:
    kept: list[ReaderEvent] = []
    told: list[ReaderHealth] = []
    east, west = Scanner(tmp_path, "E"), Scanner(tmp_path, "W")
    ports: dict[Seat | None, str] = {E: str(east.path), W: str(west.path)}
    with reading(BarcodeScanners(ports, kept.append, told.append)) as table:
        until(lambda: table.health == WORKING)
        east.unplug()
        until(lambda: table.health == partial((E,)))
        west.says(b"MSO-W-2\r")
        until(lambda: shown(kept) == [("MSO-W-2", W)])
        west.unplug()
        until(lambda: table.health == LOST)
        east.plug()
        west.plug()
        until(lambda: table.health == WORKING)
        east.says(b"MSO-E-2\r")
        until(lambda: shown(kept)[1:] == [("MSO-E-2", E)])
    assert [health.reads for health in told][-1] is False
    east.unplug()
    west.unplug()


def test_a_card_reader_plugged_in_for_a_scanner_is_told() -> None:
    kept: list[ReaderEvent] = []
    with (
        SimulatedReader("R-1") as device,
        reading(BarcodeScanners({None: device.path}, kept.append)) as table,
    ):
        until(lambda: table.health == NOT_A_SCANNER)
    assert kept == []


def test_a_port_is_opened_at_the_scanners_speed_and_held_alone(scanner: Scanner) -> None:
    with reading(BarcodeScanners({None: str(scanner.path)}, lambda _: None, baud=9600)):
        other = BarcodeScanners({None: str(scanner.path)}, lambda _: None)
        with reading(other):
            until(lambda: other.health.state == "busy")


@pytest.mark.parametrize("ports", [{}, {None: "/dev/a", N: "/dev/b"}])
def test_scanners_are_one_for_the_table_or_one_for_a_seat(ports: dict[Seat | None, str]) -> None:
    with pytest.raises(ValueError, match="One scanner for the table, or one for each seat"):
        BarcodeScanners(ports, lambda _: None)


def test_a_listener_that_fails_does_not_stop_the_reading(scanner: Scanner) -> None:
    kept: list[ReaderEvent] = []

    def fails(_: ReaderHealth) -> None:
        raise RuntimeError("no screen")

    with reading(BarcodeScanners({None: str(scanner.path)}, kept.append, fails)) as table:
        table.start()
        scanner.says(b"MSO-N-K\r")
        until(lambda: shown(kept) == [("MSO-N-K", None)])


# At a table


def hub_says(rev: int, tenure: int | None) -> Desired:
    teams = {Side.NS: Team(number=7, names=("Ann", "Bo")), Side.EW: Team(number=8, names=("Cy", "Di"))}
    seating = Seating(
        tournament="spring", title="Spring", round=1, rounds=5, table=4, teams=teams,
        ruleset=dict(builtin("mso-2000-spades").as_json()), hands=2, minutes=None,
    )  # fmt: skip
    granted = None if tenure is None else Tenure(number=tenure, kiosk="K-04", claim="c" * 64)
    return Desired(v=1, rev=(1, rev), kiosk="K-04", seating=seating, tenure=granted, outcome=Outcome())


def did(box: Box, *bodies: Body) -> None:
    for body in bodies:
        refusal = box.do(body).result(60).refusal
        assert refusal is None, refusal


@contextmanager
def table(folder: Path, ports: dict[Seat | None, str]) -> Iterator[Box]:
    """A spades table in its first auction, with scanners."""
    journal = Journal(folder / "journal.db")
    box = Box(
        journal, SigningKey(b"k" * 32), Identity("K-04"), pause=0, at_once=0,
        reader=lambda persist, on_health, _: BarcodeScanners(ports, persist, on_health, again_after=0.2),
    )  # fmt: skip
    box.start()
    try:
        box.take(hub_says(1, None))
        did(box, events.ClaimMade())
        box.take(hub_says(2, 1))
        did(box, *(events.SeatsConfirmed(side=side, team=team) for side, team in ((Side.NS, 7), (Side.EW, 8))))
        did(box, events.ScorekeeperChosen(seat=N))
        if box.view.state.first_dealer is None and box.view.state.hand is None:
            did(box, events.DealerDrawn(seat=N))
        did(box, events.HandCounted(hand=1))
        until(lambda: box.view.reader.reads)
        yield box
    finally:
        box.stop()
        journal.close()


def calls(box: Box) -> list[tuple[Seat, str, str]]:
    hand = box.view.state.hand
    assert hand is not None
    return [(called.seat, call_text(called.call), called.source) for called in hand.calls]


def turn(box: Box) -> Seat:
    assert box.view.state.hand is not None
    on_turn = box.view.state.hand.turn
    assert on_turn is not None
    return on_turn


def said(box: Box) -> tuple[CardCase | None, str, Seat | None]:
    notice = box.view.notice
    assert notice is not None
    return notice.case, notice.text, notice.seat


def test_a_hand_is_bid_with_one_scanner_whose_seat_follows_the_turn(tmp_path: Path, scanner: Scanner) -> None:
    with table(tmp_path, {None: str(scanner.path)}) as box:
        first = turn(box)
        order = [first, first.left, first.left.left, first.left.left.left]
        for number, (seat, card) in enumerate(zip(order, ("4", "K", "J", "3"), strict=True), 1):
            scanner.says(f"MSO-{seat}-{card}\r\n".encode())
            until_count(lambda: len(calls(box)), number)
        assert calls(box) == [
            (seat, text, "scanned") for seat, text in zip(order, ("4", "nil", "11", "3"), strict=True)
        ]


def test_a_strange_code_is_told_at_the_seat_whose_turn_it_is(tmp_path: Path, scanner: Scanner) -> None:
    with table(tmp_path, {None: str(scanner.path)}) as box:
        scanner.says(b"5901234123457\r\n")
        until(lambda: box.view.notice is not None)
        assert said(box) == (
            CardCase.UNKNOWN_CARD, "That card is not in the MSO bid deck. Lay another card, or type the bid.", turn(box)
        )  # fmt: skip
        assert calls(box) == []


def test_a_card_of_another_seat_is_out_of_turn_under_the_one_scanner(tmp_path: Path, scanner: Scanner) -> None:
    with table(tmp_path, {None: str(scanner.path)}) as box:
        first, later = turn(box), turn(box).left.left
        scanner.says(f"MSO-{later}-4\r\n".encode())
        until(lambda: box.view.notice is not None)
        assert said(box) == (
            CardCase.OUT_OF_TURN, f"That is {later.word}'s card. {first.word} bids now.", later
        )  # fmt: skip


def test_a_second_card_under_a_scanner_takes_the_place_of_the_first(tmp_path: Path, scanner: Scanner) -> None:
    with table(tmp_path, {None: str(scanner.path)}) as box:
        first = turn(box)
        scanner.says(f"MSO-{first}-4\r\n".encode())
        until(lambda: calls(box) == [(first, "4", "scanned")])
        scanner.says(f"MSO-{first}-5\r\n".encode())
        until(lambda: box.view.notice is not None)
        assert said(box)[0] is CardCase.CALLED_ALREADY
        assert [reading.card for reading in box.view.state.lying(first)] == [f"MSO-{first}-5"]
        did(box, events.CallTakenBack(hand=1, seat=first))
        time.sleep(0.25)
        scanner.says(f"MSO-{first}-5\r\n".encode())
        until(lambda: calls(box) == [(first, "5", "scanned")])


def test_a_card_at_another_seats_scanner_is_told_and_its_own_makes_the_call(tmp_path: Path) -> None:
    four = {seat: Scanner(tmp_path, seat.value) for seat in Seat}
    with table(tmp_path, {seat: str(each.path) for seat, each in four.items()}) as box:
        first = turn(box)
        four[first].says(f"MSO-{first.left}-4\r".encode())
        until(lambda: box.view.notice is not None)
        assert said(box)[0] is CardCase.OTHER_SEAT
        four[first].says(f"MSO-{first}-4\r".encode())
        until(lambda: calls(box) == [(first, "4", "scanned")])
        assert box.view.notice is None
    for each in four.values():
        each.unplug()


def test_a_scan_before_the_table_has_begun_is_answered(tmp_path: Path, scanner: Scanner) -> None:
    journal = Journal(tmp_path / "journal.db")
    ports: dict[Seat | None, str] = {None: str(scanner.path)}
    box = Box(
        journal, SigningKey(b"k" * 32), Identity("K-04"),
        reader=lambda persist, on_health, _: BarcodeScanners(ports, persist, on_health),
    )  # fmt: skip
    box.start()
    until(lambda: box.view.reader.reads)
    scanner.says(b"MSO-N-K\r")
    until(lambda: box.view.notice is not None)
    assert said(box)[1] == "This table has not begun, so the card counts for nothing. Claim the table first."
    box.stop()
    journal.close()


# Settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ('port = "/dev/a"\n', ReaderSettings(port="/dev/a")),
        ('kind = "barcode"\nport = "/dev/a"\n', ReaderSettings(kind="barcode", port="/dev/a")),
        (
            'kind = "barcode"\nbaud = 19200\nports = { N = "/dev/n", E = "/dev/e" }\n',
            ReaderSettings(kind="barcode", baud=19200, ports={N: "/dev/n", E: "/dev/e"}),
        ),
    ],
)
def test_a_box_is_told_what_reads_its_cards(tmp_path: Path, text: str, settings: ReaderSettings) -> None:
    path = tmp_path / "box.toml"
    path.write_text(f'box = "K-04"\nvenue = "a"\n[reader]\n{text}')
    assert read_config(path).reader == settings


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "a card reader takes port"),
        ('port = "/dev/a"\nbaud = 9600\n', "ports and baud are for scanners"),
        ('kind = "barcode"\n', "take port for one at the table, or ports"),
        ('kind = "barcode"\nport = "/dev/a"\nports = { N = "/dev/n" }\n', "take port for one at the table, or ports"),
        ('kind = "barcode"\nport = "/dev/a"\ndevice = "R-1"\n', "a barcode scanner has no device"),
        ('kind = "barcode"\nports = { N = "/dev/n", E = "/dev/n" }\n', "two seats have the same port"),
        ('kind = "barcode"\nports = { Q = "/dev/n" }\n', "Invalid enum value 'Q'"),
        ('kind = "wedge"\nport = "/dev/a"\n', "wedge"),
    ],
)
def test_settings_that_do_not_go_together_name_the_place(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "box.toml"
    path.write_text(f'box = "K-04"\nvenue = "a"\n[reader]\n{text}')
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    assert part in refused.value.message
    assert str(path) in refused.value.message
