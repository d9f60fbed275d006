"""The board: a Raspberry Pi Pico with four MFRC522 on one SPI bus. README.md has the same pins as a table."""

import sys
import time

assert sys.platform == "rp2", "This file runs on a Raspberry Pi Pico alone."

import os  # noqa: E402 - a type checker for another machine stops at the line above, and so does Python
from binascii import hexlify  # noqa: E402 - as above

import micropython  # noqa: E402 - as above
from machine import SPI, WDT, Pin, unique_id  # noqa: E402 - as above

from .board import Board  # noqa: E402 - as above
from .mfrc522 import Bus, Mfrc522  # noqa: E402 - as above
from .reader import CardReader  # noqa: E402 - as above
from .stream import Stream  # noqa: E402 - as above

SCK, MOSI, MISO, RESET = 18, 19, 16, 20
SELECT = {"N": 17, "E": 21, "S": 22, "W": 26}
LIGHT = {"N": 10, "E": 11, "S": 12, "W": 13}
BUZZER = 14
BAUD = 1000000
"""One million bits a second: the chip takes ten, cables across a table do not."""
WATCHDOG_MS = 5000
HARD_RESET_MS = 50


class SpiBus(Bus):
    """One chip's registers over SPI; its select line is its own."""

    def __init__(self, spi: SPI, select: int) -> None:
        self._spi = spi
        self._select = Pin(select, Pin.OUT, value=1)
        self._two = bytearray(2)

    def read(self, register: int) -> int:
        """A register's byte."""
        return self._exchange(0x80 | (register << 1), 0)

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        self._exchange(register << 1, value)

    def pause(self, ms: int) -> None:
        """Wait for the chip or a card."""
        time.sleep_ms(ms)

    def _exchange(self, address: int, value: int) -> int:
        two = self._two
        two[0], two[1] = address, value
        self._select(0)
        self._spi.write_readinto(two, two)
        self._select(1)
        return two[1]


class PicoBoard(Board):
    """Four readers, four lights, a buzzer, USB."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)  # a byte 3 on the line must not stop the program
        reset = Pin(RESET, Pin.OUT, value=0)
        spi = SPI(0, baudrate=BAUD, polarity=0, phase=0, sck=Pin(SCK), mosi=Pin(MOSI), miso=Pin(MISO))
        self._chips = {seat: Mfrc522(SpiBus(spi, SELECT[seat])) for seat in self.seats}
        time.sleep_ms(HARD_RESET_MS)
        reset(1)
        time.sleep_ms(HARD_RESET_MS)
        self._lights = {seat: Pin(LIGHT[seat], Pin.OUT, value=0) for seat in self.seats}
        self._buzzer = Pin(BUZZER, Pin.OUT, value=0)
        self._stream = Stream(sys.stdin.buffer, sys.stdout.buffer)
        self._watchdog = WDT(timeout=WATCHDOG_MS)
        self._ticks = time.ticks_ms()
        self._ms = 0

    def name(self) -> str:
        """The serial number of the Pico's flash."""
        return "pico-" + hexlify(unique_id()).decode()

    def nonce(self) -> str:
        """From the chip's ring oscillator."""
        return hexlify(os.urandom(4)).decode()

    def now(self) -> int:
        """The ticks turn round every twelve days; this does not."""
        ticks = time.ticks_ms()
        self._ms += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._ms

    def cards(self, seat: str) -> list[str] | None:
        """What the seat's chip sees: some 10 ms a look."""
        return self._chips[seat].cards()

    def light(self, seat: str, on: bool) -> None:
        """Set the seat's pin."""
        self._lights[seat](on)

    def sound(self, on: bool) -> None:
        """Set the buzzer's pin."""
        self._buzzer(on)

    def read(self) -> bytes:
        """What came over USB."""
        return self._stream.read()

    def write(self, data: bytes) -> int:
        """What USB takes; a host that is away takes nothing, and nobody waits for it."""
        return self._stream.write(data)

    def feed_watchdog(self) -> None:
        """Without this for five seconds the Pico starts again."""
        self._watchdog.feed()

    def rest(self) -> None:
        """The looks wait for their cards; nothing more is needed."""


def run() -> None:
    """The firmware, for ever. If it fails, the watchdog starts the Pico again."""
    CardReader(PicoBoard()).run()
