"""What a Pico runs when it has power. A jumper from GP15 to GND keeps the firmware off, to put another one on."""

import sys

assert sys.platform == "rp2", "This file runs on a Raspberry Pi Pico alone."

from card_reader.pico import run  # noqa: E402 - a type checker for another machine stops at the line above
from machine import Pin  # noqa: E402 - as above

SERVICE = 15

if Pin(SERVICE, Pin.IN, Pin.PULL_UP)():
    run()
