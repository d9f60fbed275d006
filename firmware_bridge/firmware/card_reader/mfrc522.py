"""An MFRC522 reader chip, by the registers of its data sheet: which ISO 14443A cards are in its field.

A look turns the field on, asks, and turns it off again. Cards then start afresh at every look, so each answers each
look (a card left powered answers only every other one); neighbouring readers never disturb one another; and one
antenna at a time stays within what a Pico's 3.3 V can feed.
"""

COMMAND = 0x01
COM_IRQ = 0x04
ERROR = 0x06
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_CONTROL = 0x14
TX_ASK = 0x15
RF_CFG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_HIGH = 0x2C
T_RELOAD_LOW = 0x2D
VERSION = 0x37

IDLE = 0x00
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F

FORCE_100_ASK = 0x40
BOTH_DRIVERS = 0x03
FLUSH = 0x80
START_SEND = 0x80
IRQ_DONE = 0x30
"""RxIRq and IdleIRq: an answer has come, or the command has ended."""
IRQ_TIMER = 0x01
COLLISION = 0x08
BROKEN = 0x13
"""ErrorReg: buffer overflow, parity, protocol."""
NO_POSITION = 0x20
"""CollReg: the collision is not within the UID."""

REQA = 0x26
HALT = b"\x50\x00"
LEVELS = (0x93, 0x95)
"""SEL of cascade levels 1 and 2: UIDs of 4 and of 7 bytes."""
CASCADE_TAG = 0x88
UID_NOT_COMPLETE = 0x04

FIELD_MS = 5
"""What ISO 14443-3 gives a card to wake up in the field."""
ANSWER_TICKS = 120
"""3 ms at 25 µs a tick; a card answers within 0.1 ms."""
LOOKS_FOR_ANSWER = 400
"""Times the chip is asked for its answer; its own timer ends the wait before."""
RESET_MS = 50
CARDS_A_SEAT = 2
"""Two cards at one seat are told apart; with three, one may stay unseen."""


class Bus:
    """One chip's registers."""

    def read(self, register: int) -> int:
        """A register's byte."""
        raise NotImplementedError

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        raise NotImplementedError

    def pause(self, ms: int) -> None:
        """Wait for the chip or a card."""
        raise NotImplementedError


class Answer:
    """What came back: whole bytes, and where the first collision was (0: none; counted from 1)."""

    def __init__(self, data: bytes, collision: int) -> None:
        self.data = data
        self.collision = collision


class Mfrc522:
    """One reader chip on its bus. It may be missing, and may come back."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def cards(self) -> list[str] | None:
        """The UIDs in the field, as capital hexadecimal digits; None when the chip does not answer."""
        if not self._ready():
            return None
        bus = self._bus
        bus.write(TX_CONTROL, bus.read(TX_CONTROL) | BOTH_DRIVERS)
        bus.pause(FIELD_MS)
        found: list[str] = []
        while len(found) < CARDS_A_SEAT:
            uid = self._next_card()
            if uid is None:
                break
            found.append("".join([f"{byte:02X}" for byte in uid]))
            self._transceive(with_crc(HALT))
        bus.write(TX_CONTROL, bus.read(TX_CONTROL) & ~BOTH_DRIVERS & 0xFF)
        return found

    def _ready(self) -> bool:
        """Whether the chip answers and is set up; one that lost its power is set up anew."""
        bus = self._bus
        if bus.read(VERSION) in (0x00, 0xFF):
            return False
        if bus.read(TX_ASK) == FORCE_100_ASK:
            return True
        bus.write(COMMAND, SOFT_RESET)
        bus.pause(RESET_MS)
        bus.write(T_MODE, 0x80)  # the timer starts by itself when sending ends
        bus.write(T_PRESCALER, 0xA9)  # 25 µs a tick
        bus.write(T_RELOAD_HIGH, ANSWER_TICKS >> 8)
        bus.write(T_RELOAD_LOW, ANSWER_TICKS & 0xFF)
        bus.write(MODE, 0x3D)
        bus.write(RF_CFG, 0x70)  # the most sensitive receiver: a table top lies between
        bus.write(TX_ASK, FORCE_100_ASK)
        return bus.read(TX_ASK) == FORCE_100_ASK

    def _next_card(self) -> bytes | None:
        """Select one card that was not halted; its UID, or None when none answers or the answers make no sense."""
        if self._transceive(bytes([REQA]), bits=7) is None:
            return None
        uid = b""
        for select in LEVELS:
            part = self._one_of(select)
            if part is None:
                return None
            sak = self._transceive(with_crc(bytes([select, 0x70]) + part + bytes([check(part)])))
            if sak is None or sak.collision or len(sak.data) != 3 or with_crc(sak.data[:1]) != sak.data:
                return None
            if not sak.data[0] & UID_NOT_COMPLETE:
                return uid + part
            if part[0] != CASCADE_TAG:
                return None
            uid += part[1:]
        return None

    def _one_of(self, select: int) -> bytes | None:
        """Four UID bytes of one cascade level: of the cards that answer, follow those with a 1 where two differ."""
        part = bytearray(4)
        known = 0
        while known < 32:
            whole, bits = known // 8, known % 8
            ask = bytes([select, 0x20 + (whole << 4) + bits]) + bytes(part[: whole + (1 if bits else 0)])
            answer = self._transceive(ask, bits=bits, align=bits)
            if answer is None or len(answer.data) > 5 - whole:
                return None
            kept = (1 << bits) - 1
            for at, byte in enumerate(answer.data[: 4 - whole]):
                part[whole + at] = (part[whole + at] & kept) | (byte & ~kept & 0xFF)
                kept = 0
            if not answer.collision:
                complete = len(answer.data) == 5 - whole and answer.data[-1] == check(bytes(part))
                return bytes(part) if complete else None
            if not known < answer.collision <= 32:
                return None
            known = answer.collision
            part[(known - 1) // 8] |= 1 << ((known - 1) % 8)
        return bytes(part)

    def _transceive(self, data: bytes, bits: int = 0, align: int = 0) -> Answer | None:
        """Send, the last byte only ``bits`` long, and take the answer, its first bit at ``align``; None: no answer."""
        bus = self._bus
        bus.write(COMMAND, IDLE)
        bus.write(COM_IRQ, 0x7F)
        bus.write(FIFO_LEVEL, FLUSH)
        bus.write(COLL, 0x00)  # bits after a collision count as 0
        for byte in data:
            bus.write(FIFO_DATA, byte)
        bus.write(BIT_FRAMING, (align << 4) | bits)
        bus.write(COMMAND, TRANSCEIVE)
        bus.write(BIT_FRAMING, START_SEND | (align << 4) | bits)
        answered = self._answered()
        bus.write(BIT_FRAMING, 0x00)
        if not answered:
            return None
        errors = bus.read(ERROR)
        if errors & BROKEN:
            return None
        got = bytes([bus.read(FIFO_DATA) for _ in range(bus.read(FIFO_LEVEL))])
        if not errors & COLLISION:
            return Answer(got, 0)
        where = bus.read(COLL)
        return Answer(got, 64 if where & NO_POSITION else (where & 0x1F) or 32)

    def _answered(self) -> bool:
        for _ in range(LOOKS_FOR_ANSWER):
            irq = self._bus.read(COM_IRQ)
            if irq & IRQ_DONE:
                return True
            if irq & IRQ_TIMER:
                return False
        return False


def check(part: bytes) -> int:
    """BCC: the exclusive or of the four bytes of a level."""
    return part[0] ^ part[1] ^ part[2] ^ part[3]


def with_crc(data: bytes) -> bytes:
    """The bytes with their CRC_A (ISO 14443-3, annex B)."""
    crc = 0x6363
    for byte in data:
        mixed = byte ^ (crc & 0xFF)
        mixed ^= (mixed << 4) & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return data + bytes([crc & 0xFF, (crc >> 8) & 0xFF])
