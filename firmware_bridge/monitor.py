"""Watching a reader live: every frame in words, nothing acknowledged, so nothing that waits in the device is lost."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final

from firmware_bridge import frames
from firmware_bridge.errors import FrameError
from firmware_bridge.limits import PROTOCOL
from firmware_bridge.line import Line, LineDecoder, encode
from firmware_bridge.port import SerialPort

WHO_EVERY: Final = 1.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame: ``at`` seconds after the watch began, the line, and what it says. ``line`` is None for bad bytes."""

    at: float
    line: Line | None
    words: str


def watch(path: str, *, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> Generator[Seen]:
    """Open a port, ask who is there, greet it, and tell every frame, for so many seconds or until closed.

    Raises ``PortError`` when the port cannot be opened or is lost.
    """
    port = SerialPort(path)
    try:
        yield from _watch(port, seconds, clock)
    finally:
        port.close()


def words(line: Line) -> str:
    """What a device says with a line, in words."""
    try:
        frame = frames.device_frame(line)
    except FrameError as fault:
        return f"Not a frame of protocol {PROTOCOL}: {fault}"
    if frame is None:
        return f"{line.kind}: a type this program does not know."
    if isinstance(frame, frames.Scan | frames.Gone):
        return f"{frame.seat.word}: card {frame.uid} {'laid' if isinstance(frame, frames.Scan) else 'taken away'}."
    if isinstance(frame, frames.Cards):
        lying = ", ".join(f"{seat.word} {uid}" for seat, uid in frame.cards)
        return f"Lying on the readers: {lying}." if lying else "No card lies on the readers."
    return _of_itself(frame)


def _of_itself(frame: frames.Hello | frames.Beat | frames.Done) -> str:
    match frame:
        case frames.Hello() if frame.protocol != PROTOCOL:
            return f"Reader {frame.device} speaks protocol {frame.protocol}; this program speaks {PROTOCOL}."
        case frames.Hello():
            return f"Reader {frame.device} says hello, firmware {frame.firmware}."
        case frames.Beat():
            failing = "".join(f" {seat.word}'s reader does not answer." for seat in frame.down)
            return f"Alive; {frame.waiting} waiting, {frame.dropped} dropped.{failing}"
        case frames.Done():
            return f"Command {frame.command} {'done' if frame.did else 'cannot be done on this reader'}."


def _watch(port: SerialPort, seconds: float | None, clock: Callable[[], float]) -> Generator[Seen]:
    began = clock()
    decoder = LineDecoder()
    session = secrets.token_hex(4)
    who_at, bad, count, met = began, 0, 0, False
    while seconds is None or clock() - began < seconds:
        if not met and clock() >= who_at:
            count += 1
            who_at = clock() + WHO_EVERY
            port.write(encode(frames.Who(count).line()))
        lines = decoder.feed(port.read())
        at = clock() - began
        if decoder.bad > bad:
            yield Seen(at, None, f"{decoder.bad - bad} torn or damaged.")
            bad = decoder.bad
        for line in lines:
            boot = line.value("boot")
            if line.kind == frames.Hello.KIND and line.value("proto") == str(PROTOCOL) and boot:
                met, count = True, count + 1
                port.write(encode(frames.Greet(count, PROTOCOL, boot, session).line()))
                port.write(encode(frames.Snapshot(1).line()))
            yield Seen(at, line, words(line))
