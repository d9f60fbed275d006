"""The firmware's lines and conversation are those of the box's own code, byte for byte, whatever comes."""

from __future__ import annotations

import re
from binascii import crc32
from itertools import cycle

from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from deploy.firmware import HERE
from deploy.fuzz.decoder import check
from firmware_bridge import device, frames, limits, line
from firmware_bridge.firmware.card_reader import conversation, wire
from firmware_bridge.firmware.card_reader import limits as small
from firmware_bridge.firmware.card_reader.board import Outputs
from tallybox.seats import Seat

BOOT = "9f3a12c4"
EXAMPLES = re.findall(rb"^\$(\d.*)\*[0-9a-f]{8}$", (HERE.parent / "PROTOCOL.md").read_bytes(), re.MULTILINE)

VALUES = st.text(st.characters(codec="utf-8"), max_size=20)
FIELDS = st.lists(st.tuples(st.from_regex(r"[A-Za-z]{1,12}", fullmatch=True), VALUES), max_size=6)
LINES = st.builds(
    lambda seq, kind, fields: line.Line(seq, kind, tuple(fields)),
    st.integers(0, line.MAX_SEQ), st.from_regex(r"[A-Z]{1,12}", fullmatch=True), FIELDS,
)  # fmt: skip


def as_box_reads(raw: bytes) -> tuple[int, str, tuple[tuple[str, str], ...]] | None:
    found = line.decode(raw)
    return None if found is None else (found.seq, found.kind, found.fields)


def as_firmware_reads(raw: bytes) -> tuple[int, str, tuple[tuple[str, str], ...]] | None:
    found = wire.decode(raw)
    return None if found is None else (found.seq, found.kind, tuple(found.fields))


def with_check(body: bytes) -> bytes:
    return b"$%b*%08x" % (body, crc32(body))


def test_the_firmware_has_the_protocols_limits() -> None:
    theirs = {name: value for name, value in vars(small).items() if name.isupper()}
    known = {**vars(line), **vars(limits)}
    assert theirs == {name: known[name] for name in theirs}
    assert len(theirs) == 14


@given(LINES)
@settings(deadline=None)
def test_the_firmware_writes_a_line_as_the_box_does(written: line.Line) -> None:
    assert wire.encode(written.seq, written.kind, list(written.fields)) == line.encode(written)


@given(LINES)
@settings(deadline=None)
def test_the_firmware_reads_every_line_that_the_box_writes(written: line.Line) -> None:
    assert as_firmware_reads(line.encode(written)[:-1]) == (written.seq, written.kind, written.fields)


@given(st.binary(max_size=60))
@settings(deadline=None)
@example(b"1 WHO")
@example(b"01 WHO")
@example(b"4294967296 WHO")
@example(b"1 WHO a=%")
@example(b"1 WHO a=%4")
@example(b"1 WHO a=%zz")
@example(b"1 WHO a=%ff")
@example(b"1 WHO a=%41=")
@example(b"1 WHO  a=1")
@example(b"1 WHO a=1 ")
@example(b"1 Who")
@example(b"1 WHO a")
@example(b"1 WHO =1")
@example(b"1 WHO a1=1")
@example(b"1 WHO" + b" a=1" * 16)
@example(b"1 WHO" + b" a=1" * 17)
@example(b"1 WHO a=" + b"x" * 1003)
@example(b"1 WHO a=" + b"x" * 1004)
def test_both_take_and_refuse_the_same_lines_whose_check_is_right(body: bytes) -> None:
    for raw in (with_check(body), with_check(body) + b"\r", with_check(body) + b"\r\r", with_check(body).upper()):
        assert as_firmware_reads(raw) == as_box_reads(raw)


@given(LINES, st.data())
@settings(deadline=None)
def test_both_refuse_the_same_damaged_lines(written: line.Line, data: st.DataObject) -> None:
    raw = bytearray(line.encode(written)[:-1])
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    assert as_firmware_reads(bytes(raw)) == as_box_reads(bytes(raw))


@given(
    st.lists(st.one_of(LINES.map(line.encode), st.binary(max_size=40), st.just(b"x" * 2000)), max_size=6),
    st.lists(st.integers(1, 200), min_size=1, max_size=20),
)
@settings(deadline=None)
def test_both_find_the_same_lines_however_the_bytes_are_cut(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces)
    box, firmware = line.LineDecoder(), wire.Decoder()
    for cut in cycle(cuts):
        if not stream:
            break
        chunk, stream = stream[:cut], stream[cut:]
        assert [(found.seq, found.kind, tuple(found.fields)) for found in firmware.feed(chunk)] == [
            (found.seq, found.kind, found.fields) for found in box.feed(chunk)
        ]


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4), st.integers(0, 255), st.binary(max_size=6))
@settings(deadline=None)
def test_the_fuzzers_check_holds_for_the_frames_of_the_page(examples: list[bytes], cut: int, noise: bytes) -> None:
    assert check(bytes([1, cut]) + b"\n".join(examples)) == len(examples)
    check(bytes([1, cut]) + noise.join(examples))


class Done(Outputs):
    """What the firmware turned on."""

    def __init__(self) -> None:
        self.lights = dict.fromkeys("NESW", False)
        self.buzzed: list[tuple[int, ...]] = []

    def light(self, seat: str, on: bool) -> None:
        self.lights[seat] = on

    def buzz(self, times: list[int], now: int) -> None:
        self.buzzed.append(tuple(times))


SEATS = st.sampled_from(list(Seat))
BOOTS = st.sampled_from([BOOT, BOOT, BOOT, "other"])
PROTOCOLS = st.sampled_from([1, 1, 1, 9])
NUMBERS = st.integers(0, 6)
SAID: st.SearchStrategy[frames.HostFrame] = st.one_of(
    st.builds(frames.Who, NUMBERS),
    st.builds(frames.Greet, NUMBERS, PROTOCOLS, BOOTS, st.sampled_from(["s1", "s2"])),
    st.builds(frames.Greet, NUMBERS, st.just(1), st.just(BOOT), st.just("s1")),
    st.builds(frames.Refuse, NUMBERS, PROTOCOLS, BOOTS, st.just("id")),
    st.builds(frames.Ack, NUMBERS, BOOTS),
    st.builds(frames.Light, NUMBERS, SEATS, st.booleans()),
    st.builds(frames.Buzz, NUMBERS, st.lists(st.integers(1, 2000), min_size=1, max_size=9).map(tuple)),
    st.builds(frames.Snapshot, NUMBERS),
)
ODD = st.builds(
    lambda seq, kind, fields: line.Line(seq, kind, tuple(fields)),
    NUMBERS,
    st.sampled_from(["WHO", "GREET", "REFUSE", "ACK", "LIGHT", "BUZZ", "SNAPSHOT", "LATER"]),
    st.lists(
        st.tuples(
            st.sampled_from(["proto", "boot", "session", "why", "seat", "on", "ms", "more"]),
            st.sampled_from(["1", "01", "9", "", BOOT, "N", "X", "NE", "0", "2", "id", "é", "a b", "5,5", "5,", "0,1"]),
        ),
        max_size=5,
    ),
)


class SameConversation(RuleBasedStateMachine):
    """Box and cards do the same to the reference device and to the firmware; both say the same bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.done = Done()
        lying = ((Seat.W, "lay-there"),)
        me = device.Identity("R-1", firmware="fw-1")
        self.reference = device.Device(me, BOOT, lying)
        identity = conversation.Identity("R-1", "NESW", "fw-1", lights=True, buzzer=True)
        self.firmware = conversation.Conversation(identity, BOOT, self.done, [("W", "lay-there")])

    @rule(ms=st.sampled_from([0, 1, 100, 200, 400, 1000, 2500]))
    def time_passes(self, ms: int) -> None:
        self.now += ms

    @rule(seat=SEATS, number=st.integers(0, 99))
    def a_card_is_laid(self, seat: Seat, number: int) -> None:
        uid = f"{number:02X}-{len(self.reference.cards)}"
        self.reference.lay(seat, uid, self.now)
        self.firmware.lay(seat.value, uid, self.now)

    @rule(data=st.data())
    def a_card_is_lifted(self, data: st.DataObject) -> None:
        if self.reference.cards:
            seat, uid = data.draw(st.sampled_from(self.reference.cards))
            self.reference.lift(seat, uid, self.now)
            self.firmware.lift(seat.value, uid, self.now)

    @rule(many=st.just(70))
    def many_cards_are_laid(self, many: int) -> None:
        for number in range(many):
            self.reference.lay(Seat.N, f"M-{number}", self.now)
            self.firmware.lay("N", f"M-{number}", self.now)

    @rule(down=st.lists(SEATS, unique=True).map(tuple))
    def readers_fail(self, down: tuple[Seat, ...]) -> None:
        self.reference.down = down
        self.firmware.down = "".join(seat.value for seat in down)

    @rule(said=SAID)
    def the_box_speaks(self, said: frames.HostFrame) -> None:
        self.hear(line.encode(said.line()))

    @rule(odd=ODD)
    def something_odd_comes(self, odd: line.Line) -> None:
        self.hear(line.encode(odd))

    @rule(noise=st.binary(max_size=20))
    def noise_comes(self, noise: bytes) -> None:
        self.hear(noise + b"\n")

    def hear(self, data: bytes) -> None:
        self.reference.receive(data, self.now)
        self.firmware.receive(data, self.now)

    @invariant()
    def both_say_and_do_the_same(self) -> None:
        self.reference.tick(self.now)
        self.firmware.tick(self.now)
        assert self.firmware.take_output() == self.reference.take_output()
        assert self.firmware.greeted == self.reference.greeted
        assert self.firmware.dropped == self.reference.dropped
        assert self.done.lights == {seat.value: on for seat, on in self.reference.lights.items()}
        assert self.done.buzzed[-32:] == list(self.reference.buzzed)


TestSameConversation = SameConversation.TestCase
TestSameConversation.settings = settings(deadline=None, max_examples=60, stateful_step_count=40)
