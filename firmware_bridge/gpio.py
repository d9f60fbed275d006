"""Buzzer, lamp and buttons on the box's own pins, through gpiozero.

The pin driver is always named, never guessed, and nothing is touched on import. A box without pins goes on with its
screen: it says so once, and every signal is still asked for and logged.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, Self, cast

import structlog

from firmware_bridge.errors import SignalError
from firmware_bridge.signals import SIGNALS, Pulse, SignalPattern

__all__ = [
    "BoxPins",
    "ButtonPins",
    "Buttons",
    "PinDriver",
    "Press",
    "SignalPattern",
    "SignalPins",
    "Signals",
    "pin_factory",
]

LOG_LENGTH: Final = 256
PRESSES: Final = 16
"""Presses that may wait to be taken; a stuck button fills no memory."""

SHUTDOWN_HELD: Final = 3.0
"""Seconds the shutdown button is held before it counts."""

NO_PINS: Final = (
    "Buzzer and lamp of this box do not work. Every signal is on the screen too; a helper can look at them."
)

NO_BUTTONS: Final = "The buttons of this box do not work. Use the screen."

_log = structlog.get_logger("firmware_bridge")


class PinDriver(StrEnum):
    """How the pins are driven."""

    LGPIO = "lgpio"
    """A Raspberry Pi's pins."""
    MOCK = "mock"
    """Pins in memory: tests and the demo."""
    NONE = "none"
    """No pins, on purpose: a laptop at a table."""


class PinFactory(Protocol):
    """What is used of a gpiozero pin factory."""

    def close(self) -> None:
        """Release every pin."""


class Output(Protocol):
    """What is used of a gpiozero output device."""

    def on(self) -> None:
        """Switch on."""

    def off(self) -> None:
        """Switch off, and end what plays."""

    def blink(self, on_time: float, off_time: float, n: int, background: bool) -> None:
        """Switch on and off ``n`` times."""

    def close(self) -> None:
        """Release the pin."""


def pin_factory(driver: PinDriver) -> PinFactory | None:
    """The pins of a driver; None for ``NONE``. Raises ``SignalError`` when this machine has no such pins."""
    if driver is PinDriver.NONE:
        return None
    try:
        if driver is PinDriver.MOCK:
            from gpiozero.pins.mock import MockFactory  # noqa: PLC0415 - gpiozero claims exit hooks on import

            return cast("PinFactory", MockFactory())
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - lgpio exists on a Pi only

        return cast("PinFactory", LGPIOFactory())
    except Exception as failure:
        raise SignalError(f"{NO_PINS} ({driver}: {failure})") from failure


@dataclass(frozen=True, slots=True)
class SignalPins:
    """GPIO numbers (BCM) of buzzer and lamp; None where there is none."""

    buzzer: int | None = 18
    lamp: int | None = 23


class Signals:
    """Plays signal patterns in the background; ``play`` returns at once and never raises.

    ``fault`` is the sentence for the screen when the pins do not work, else None. ``muted`` patterns make no sound.
    """

    def __init__(
        self,
        factory: PinFactory | None,
        pins: SignalPins = SignalPins(),
        *,
        muted: frozenset[SignalPattern] = frozenset(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.fault: str | None = None
        self._factory = factory
        self._muted = muted
        self._clock = clock
        self._lock = threading.Lock()
        self._log: deque[SignalPattern] = deque(maxlen=LOG_LENGTH)
        self._rank = 0
        self._sounds_until = 0.0
        self._steady: SignalPattern | None = None
        self._lamp_shows: SignalPattern | None = None
        self._buzzer = self._output("Buzzer", pins.buzzer)
        self._lamp = self._output("LED", pins.lamp)

    @classmethod
    def opened(
        cls, driver: PinDriver, pins: SignalPins = SignalPins(), *, muted: frozenset[SignalPattern] = frozenset()
    ) -> Self:
        """Signals on a driver's pins; where they do not work, signals with a ``fault`` and no pins."""
        try:
            factory = pin_factory(driver)
        except SignalError as failure:
            signals = cls(None, pins, muted=muted)
            signals._missing(failure)
            return signals
        return cls(factory, pins, muted=muted)

    @property
    def factory(self) -> PinFactory | None:
        """The pins that are driven, for buttons on the same ones; None without any, and once closed."""
        return self._factory

    @property
    def log(self) -> tuple[SignalPattern, ...]:
        """The patterns asked for, oldest first, at most ``LOG_LENGTH``."""
        return tuple(self._log)

    def play(self, pattern: SignalPattern) -> None:
        """Sound and show a pattern. A more important sound that is playing goes on; a steady lamp stays steady."""
        signal = SIGNALS[pattern]
        with self._lock:
            self._log.append(pattern)
            try:
                if signal.sound is not None and pattern not in self._muted:
                    self._sound(signal.rank, signal.sound)
                if signal.lamp is not None:
                    self._show(pattern, signal.lamp)
            except Exception as failure:  # noqa: BLE001 - gpiozero and lgpio each raise their own; play goes on
                self._missing(failure)

    def end(self, pattern: SignalPattern) -> None:
        """End what the lamp shows for a pattern, such as a director's call that was answered."""
        with self._lock:
            if self._steady is pattern:
                self._steady = None
            if self._lamp_shows is not pattern or self._lamp is None:
                return
            self._lamp_shows = None
            try:
                self._lamp.off()
            except Exception as failure:  # noqa: BLE001 - as in play
                self._missing(failure)

    def close(self) -> None:
        """Silence, darkness, and the pins released."""
        with self._lock:
            for output in (self._buzzer, self._lamp):
                if output is not None:
                    output.off()
                    output.close()
            self._buzzer = self._lamp = None
            if self._factory is not None:
                self._factory.close()
                self._factory = None

    def _output(self, kind: str, pin: int | None) -> Output | None:
        if self._factory is None or pin is None:
            return None
        import gpiozero  # noqa: PLC0415 - claims exit hooks on import

        try:
            return cast("Output", getattr(gpiozero, kind)(pin, pin_factory=self._factory))
        except Exception as failure:  # noqa: BLE001 - a pin in use, a pin that is none: the box goes on without
            self._missing(failure)
            return None

    def _sound(self, rank: int, pulse: Pulse) -> None:
        now = self._clock()
        if self._buzzer is None or (now < self._sounds_until and rank < self._rank):
            return
        self._rank, self._sounds_until = rank, now + pulse.length_ms / 1000
        self._buzzer.blink(pulse.on_ms / 1000, pulse.off_ms / 1000, pulse.times, background=True)

    def _show(self, pattern: SignalPattern, pulse: Pulse) -> None:
        if pulse.steady:
            self._steady = pattern
        elif self._steady is not None:
            return
        self._lamp_shows = pattern
        if self._lamp is None:
            return
        if pulse.steady:
            self._lamp.on()
        else:
            self._lamp.blink(pulse.on_ms / 1000, pulse.off_ms / 1000, pulse.times, background=True)

    def _missing(self, failure: Exception) -> None:
        if self.fault is None:
            self.fault = NO_PINS
            _log.warning("buzzer and lamp do not work", failure=str(failure))


class Press(StrEnum):
    """What a person asked for with a button."""

    CALL_DIRECTOR = "call_director"
    SHUT_DOWN = "shut_down"
    """Held for ``SHUTDOWN_HELD`` seconds."""


@dataclass(frozen=True, slots=True)
class ButtonPins:
    """GPIO numbers (BCM) of the buttons, each to ground; None where there is none."""

    director: int | None = 24
    shutdown: int | None = 25


class Buttons:
    """Buttons whose presses wait until they are taken: gpiozero's thread only notes them, and tells that one is there.

    ``fault`` is the sentence for the screen when the pins do not work, else None.
    """

    def __init__(
        self, factory: PinFactory | None, pins: ButtonPins = ButtonPins(), *, held: float = SHUTDOWN_HELD
    ) -> None:
        """Claim the pins; ``held`` is in seconds. Raises ``SignalError`` for a pin that cannot be claimed."""
        self.fault: str | None = NO_BUTTONS if factory is None else None
        self._held = held
        self._presses: deque[Press] = deque(maxlen=PRESSES)
        self._buttons: list[Output] = []
        self._told: Callable[[], object] | None = None
        try:
            if factory is not None:
                self._claim(factory, pins)
        except Exception as failure:
            self.close()
            raise SignalError(f"{NO_BUTTONS} ({failure})") from failure

    @classmethod
    def opened(cls, factory: PinFactory | None, pins: ButtonPins = ButtonPins()) -> Self:
        """Buttons on a factory's pins; where they do not work, buttons with a ``fault`` and no pins."""
        try:
            return cls(factory, pins)
        except SignalError as failure:
            _log.warning("buttons do not work", failure=str(failure))
            return cls(None)

    def listen(self, told: Callable[[], object]) -> None:
        """Be told, in gpiozero's thread, that a press waits to be taken; ``told`` must neither wait nor raise."""
        self._told = told

    def take(self) -> list[Press]:
        """The presses since the last call, oldest first."""
        taken: list[Press] = []
        while self._presses:
            taken.append(self._presses.popleft())
        return taken

    def close(self) -> None:
        """Release the pins."""
        for button in self._buttons:
            button.close()
        self._buttons.clear()

    def _claim(self, factory: PinFactory, pins: ButtonPins) -> None:
        import gpiozero  # noqa: PLC0415 - claims exit hooks on import

        if pins.director is not None:
            director = gpiozero.Button(pins.director, bounce_time=0.05, pin_factory=factory)
            self._buttons.append(director)
            director.when_pressed = lambda: self._pressed(Press.CALL_DIRECTOR)
        if pins.shutdown is not None:
            held = gpiozero.Button(pins.shutdown, hold_time=self._held, bounce_time=0.05, pin_factory=factory)
            self._buttons.append(held)
            held.when_held = lambda: self._pressed(Press.SHUT_DOWN)

    def _pressed(self, press: Press) -> None:
        self._presses.append(press)
        if self._told is not None:
            self._told()


@dataclass(frozen=True, slots=True)
class BoxPins:
    """What is on a box's own pins; ``None`` where the settings name none."""

    signals: Signals | None = None
    buttons: Buttons | None = None

    @classmethod
    def opened(cls, driver: PinDriver, signals: SignalPins, buttons: ButtonPins) -> BoxPins:
        """Claim the pins of one driver. Never raises: what does not work has a ``fault``."""
        if driver is PinDriver.NONE:
            return cls()
        player = Signals.opened(driver, signals)
        wanted = buttons.director is not None or buttons.shutdown is not None
        return cls(player, Buttons.opened(player.factory, buttons) if wanted else None)

    def close(self) -> None:
        """Silence, darkness, and every pin released."""
        if self.buttons is not None:
            self.buttons.close()
        if self.signals is not None:
            self.signals.close()
