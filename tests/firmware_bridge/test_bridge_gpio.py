"""Buzzer, lamp and buttons on mock pins: the levels and times that a real pin would see."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import cast

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.errors import SignalError
from firmware_bridge.gpio import NO_PINS, ButtonPins, Buttons, PinDriver, Press, SignalPins, Signals, pin_factory
from firmware_bridge.signals import SIGNALS, Pulse, Signal, SignalPattern

PINS = SignalPins(buzzer=18, lamp=23)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = cast("MockFactory", pin_factory(PinDriver.MOCK))
    yield made
    made.close()


@pytest.fixture
def signals(factory: MockFactory) -> Iterator[Signals]:
    made = Signals(factory, PINS)
    for number in (18, 23):
        factory.pin(number).clear_states()
    yield made
    made.close()


def eventually(holds: Callable[[], object], within: float = 30.0) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline and not holds():
        time.sleep(0.01)
    return bool(holds())


def times_ms(factory: MockFactory, number: int) -> list[int]:
    """How long each level of the pin lasted, from the first change on."""
    return [round(state.timestamp * 1000) for state in factory.pin(number).states[2:]]


def near(measured: list[int], meant: tuple[int, ...]) -> bool:
    """Never shorter than meant; a busy machine may stretch a level."""
    return len(measured) == len(meant) and all(0 <= got - want < 300 for got, want in zip(measured, meant, strict=True))


def test_the_patterns_are_those_people_know() -> None:
    sounds = {pattern: signal.sound.alternating for pattern, signal in SIGNALS.items() if signal.sound}
    assert sounds == {
        SignalPattern.CARD_READ: (30,),
        SignalPattern.NEEDS_A_HUMAN: (120, 80, 120),
        SignalPattern.ROUND_STARTS: (400,),
        SignalPattern.FIVE_MINUTES: (300,),
        SignalPattern.ONE_MINUTE: (300, 200, 300),
        SignalPattern.TIME_UP: (700, 250, 700, 250, 700),
        SignalPattern.AGREED: (60, 60, 60),
        SignalPattern.IDENTIFY: (200,) * 9,
    }
    assert SIGNALS.keys() == set(SignalPattern)


def test_a_called_director_makes_no_sound_and_a_steady_lamp() -> None:
    signal = SIGNALS[SignalPattern.DIRECTOR_CALLED]
    assert signal == Signal(0, None, Pulse(0, 0, 0))
    assert signal.lamp is not None
    assert signal.lamp.steady


@pytest.mark.parametrize(
    ("pattern", "heard"),
    [
        (SignalPattern.CARD_READ, (30,)),
        (SignalPattern.NEEDS_A_HUMAN, (120, 80, 120)),
        (SignalPattern.AGREED, (60, 60, 60)),
        (SignalPattern.ONE_MINUTE, (300, 200, 300)),
    ],
)
def test_the_buzzer_sounds_the_pattern(
    factory: MockFactory, signals: Signals, pattern: SignalPattern, heard: tuple[int, ...]
) -> None:
    signals.play(pattern)
    assert eventually(lambda: len(times_ms(factory, 18)) >= len(heard))
    assert near(times_ms(factory, 18), heard)
    assert signals.log == (pattern,)


def test_the_lamp_blinks_once_when_a_human_is_needed(factory: MockFactory, signals: Signals) -> None:
    signals.play(SignalPattern.NEEDS_A_HUMAN)
    assert eventually(lambda: len(times_ms(factory, 23)) >= 1)
    assert near(times_ms(factory, 23), (400,))


def test_a_card_does_not_cut_off_a_more_important_sound(factory: MockFactory, signals: Signals) -> None:
    signals.play(SignalPattern.NEEDS_A_HUMAN)
    signals.play(SignalPattern.CARD_READ)
    assert eventually(lambda: len(times_ms(factory, 18)) >= 3)
    assert near(times_ms(factory, 18), (120, 80, 120))
    signals.play(SignalPattern.CARD_READ)
    assert eventually(lambda: len(times_ms(factory, 18)) >= 5)
    assert near(times_ms(factory, 18)[4:], (30,))


def test_time_up_cuts_off_whatever_sounds(factory: MockFactory, signals: Signals) -> None:
    signals.play(SignalPattern.IDENTIFY)
    signals.play(SignalPattern.TIME_UP)
    assert eventually(lambda: len(times_ms(factory, 18)) >= 1)
    assert times_ms(factory, 18)[0] >= 700


def test_a_long_pattern_does_not_keep_its_caller(signals: Signals) -> None:
    began = time.monotonic()
    signals.play(SignalPattern.TIME_UP)
    signals.play(SignalPattern.TIME_UP)
    assert time.monotonic() - began < 2.5


def test_the_lamp_stays_steady_for_a_called_director_until_the_call_ends(
    factory: MockFactory, signals: Signals
) -> None:
    signals.play(SignalPattern.DIRECTOR_CALLED)
    signals.play(SignalPattern.NEEDS_A_HUMAN)
    time.sleep(0.5)
    assert [state.state for state in factory.pin(23).states] == [False, True]
    signals.end(SignalPattern.NEEDS_A_HUMAN)
    assert factory.pin(23).state
    signals.end(SignalPattern.DIRECTOR_CALLED)
    assert not factory.pin(23).state


def test_a_muted_pattern_is_shown_and_not_heard(factory: MockFactory) -> None:
    signals = Signals(factory, PINS, muted=frozenset({SignalPattern.CARD_READ, SignalPattern.NEEDS_A_HUMAN}))
    signals.play(SignalPattern.CARD_READ)
    signals.play(SignalPattern.NEEDS_A_HUMAN)
    assert factory.pin(23).state
    assert not factory.pin(18).state
    signals.close()
    assert not factory.pin(23).state


def test_a_box_without_pins_says_so_once_and_goes_on() -> None:
    signals = Signals.opened(PinDriver.LGPIO, PINS)
    assert signals.fault == NO_PINS
    signals.play(SignalPattern.TIME_UP)
    signals.end(SignalPattern.TIME_UP)
    signals.close()
    assert signals.log == (SignalPattern.TIME_UP,)


def test_a_box_that_wants_no_pins_has_nothing_to_say() -> None:
    signals = Signals.opened(PinDriver.NONE)
    signals.play(SignalPattern.CARD_READ)
    assert (signals.fault, signals.log) == (None, (SignalPattern.CARD_READ,))


def test_a_pin_that_cannot_be_used_is_a_fault_and_the_other_goes_on(factory: MockFactory) -> None:
    signals = Signals(factory, SignalPins(buzzer=99, lamp=23))
    assert signals.fault == NO_PINS
    signals.play(SignalPattern.NEEDS_A_HUMAN)
    assert factory.pin(23).state
    signals.close()


def test_closed_signals_stay_dark_and_silent(factory: MockFactory, signals: Signals) -> None:
    buzzer, lamp = factory.pin(18), factory.pin(23)
    signals.play(SignalPattern.TIME_UP)
    signals.close()
    signals.play(SignalPattern.TIME_UP)
    assert (buzzer.state, lamp.state) == (False, False)


def test_a_named_driver_without_its_hardware_is_refused_in_words() -> None:
    with pytest.raises(SignalError, match="Buzzer and lamp of this box do not work"):
        pin_factory(PinDriver.LGPIO)


def test_nothing_is_touched_on_import() -> None:
    asked = "import sys, firmware_bridge.gpio; print('gpiozero' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_presses_wait_until_they_are_taken(factory: MockFactory) -> None:
    buttons = Buttons(factory, ButtonPins(director=24, shutdown=None))
    assert buttons.take() == []
    for _ in range(2):
        factory.pin(24).drive_low()
        factory.pin(24).drive_high()
    assert buttons.take() == [Press.CALL_DIRECTOR, Press.CALL_DIRECTOR]
    assert buttons.take() == []
    buttons.close()


def test_a_button_that_is_stuck_fills_no_memory(factory: MockFactory) -> None:
    buttons = Buttons(factory)
    for _ in range(100):
        factory.pin(24).drive_low()
        factory.pin(24).drive_high()
    assert buttons.take() == [Press.CALL_DIRECTOR] * 16
    buttons.close()


def test_a_button_on_a_pin_that_is_none_is_refused_in_words(factory: MockFactory) -> None:
    with pytest.raises(SignalError, match=r"buttons of this box do not work\. Use the screen"):
        Buttons(factory, ButtonPins(director=99))
