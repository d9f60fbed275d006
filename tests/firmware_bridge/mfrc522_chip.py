"""A model of an MFRC522 and of ISO 14443A cards in its field, bit by bit, from data sheet and standard."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.firmware.card_reader.mfrc522 import Bus


def crc_a(data: bytes) -> bytes:
    """CRC_A by its polynomial, bit by bit: x^16 + x^12 + x^5 + 1, reflected, preset 0x6363."""
    crc = 0x6363
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc.to_bytes(2, "little")


def bits_of(data: bytes) -> list[int]:
    return [byte >> at & 1 for byte in data for at in range(8)]


def bytes_of(bits: list[int]) -> bytes:
    return bytes(sum(bit << at for at, bit in enumerate(bits[start : start + 8])) for start in range(0, len(bits), 8))


SELECTS = [bits_of(b"\x93"), bits_of(b"\x95")]


@dataclass
class Card:
    """A card with a UID of 4 or 7 bytes: it answers REQA, takes part in anticollision, is selected and halted."""

    uid: bytes
    state: str = "off"
    level: int = 0

    @property
    def levels(self) -> list[bytes]:
        parts = [self.uid] if len(self.uid) == 4 else [b"\x88" + self.uid[:3], self.uid[3:]]
        return [part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]]) for part in parts]

    def hear(self, bits: list[int]) -> list[int] | None:
        """What it answers, as bits; None: silence. A frame it does not expect sends it back to idle."""
        if len(bits) == 7:
            return self._called(bytes_of(bits)[0])
        data = bytes_of(bits)
        if self.state == "active" and data == b"\x50\x00" + crc_a(b"\x50\x00"):
            self.state = "halted"
            return None
        if self.state != "ready" or data[0] != (0x93, 0x95)[self.level]:
            return None
        return self._select(data, bits)

    def _called(self, short: int) -> list[int] | None:
        if short != 0x26 or self.state == "halted":
            return None
        if self.state != "idle":
            self.state = "idle"
            return None
        self.state, self.level = "ready", 0
        return bits_of(b"\x44\x00" if len(self.uid) == 7 else b"\x04\x00")

    def _select(self, data: bytes, bits: list[int]) -> list[int] | None:
        whole, extra = (data[1] >> 4) - 2, data[1] & 7
        mine = bits_of(self.levels[self.level])
        if data[1] == 0x70:
            if data[:7] + crc_a(data[:7]) != data or data[2:7] != self.levels[self.level]:
                self.state = "idle"
                return None
            self.level += 1
            complete = self.level == len(self.levels)
            self.state = "active" if complete else "ready"
            sak = b"\x08" if complete else b"\x04"
            return bits_of(sak + crc_a(sak))
        known = whole * 8 + extra
        if bits[16:] != mine[:known]:
            self.state = "idle"
            return None
        return mine[known:]


@dataclass
class Chip(Bus):
    """The registers that matter, the FIFO, and what is on the air. ``cards`` may change between looks."""

    cards: list[Card] = field(default_factory=list)
    present: bool = True
    version: int = 0x92
    noise: bool = False
    registers: dict[int, int] = field(default_factory=dict)
    fifo: bytearray = field(default_factory=bytearray)
    paused: int = 0
    fields: int = 0

    def pause(self, ms: int) -> None:
        self.paused += ms

    def read(self, register: int) -> int:
        if not self.present:
            return 0xFF
        if register == 0x37:
            return self.version
        if register == 0x09:
            return self.fifo.pop(0)
        if register == 0x0A:
            return len(self.fifo)
        return self.registers.get(register, 0)

    def write(self, register: int, value: int) -> None:
        if not self.present:
            return
        if register == 0x09:
            self.fifo.append(value)
        elif register == 0x0A and value & 0x80:
            self.fifo.clear()
        elif register == 0x04:
            # Set1 (bit 7) 0: every marked bit is cleared.
            self.registers[4] = self.registers.get(4, 0) & ~value
        else:
            before = self.registers.get(register, 0)
            self.registers[register] = value
            self._act(register, before, value)

    def lose_power(self) -> None:
        self.registers.clear()
        self.fifo.clear()

    def _act(self, register: int, before: int, value: int) -> None:
        if register == 0x01 and value == 0x0F:
            self.lose_power()
        if register == 0x14 and (before ^ value) & 3:
            self.fields += value & 3 == 3
            for card in self.cards:
                card.state = "idle" if value & 3 == 3 else "off"
        if register == 0x0D and value & 0x80 and self.registers.get(1) == 0x0C:
            self._transceive(value & 7, value >> 4 & 7)

    def _transceive(self, last_bits: int, align: int) -> None:
        sent = bits_of(bytes(self.fifo))
        self.fifo.clear()
        if last_bits:
            sent = sent[: len(sent) - 8 + last_bits]
        on = self.registers.get(0x14, 0) & 3 == 3
        answers = [answer for card in self.cards if on and card.state != "off" and (answer := card.hear(sent))]
        self.registers[6] = 0
        if self.noise:
            self.registers[6], self.registers[4] = 0x02, 0x20
            return
        if not answers:
            self.registers[4] = self.registers.get(4, 0) | 0x01
            return
        # CollReg counts from the first bit of the UID, whatever part of it the reader has sent itself.
        self._receive(answers, align, max(0, len(sent) - 16) if sent[:8] in SELECTS else 0)
        self.registers[4] = self.registers.get(4, 0) | 0x20

    def _receive(self, answers: list[list[int]], align: int, known: int) -> None:
        """Answers laid over one another: where two differ the chip sees a collision, and zeroes what follows."""
        got: list[int] = []
        for at in range(max(map(len, answers))):
            heard = {answer[at] for answer in answers if at < len(answer)}
            if len(heard) > 1:
                self.registers[6] |= 0x08
                where = at + 1 + known
                self.registers[0x0E] = 0x20 if where > 32 else where % 32
                got += [0] * (max(map(len, answers)) - at)
                break
            got.append(heard.pop())
        self.fifo[:] = bytes_of([0] * align + got)
