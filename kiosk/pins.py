"""What is on the box's own pins: buzzer and lamp for the table, buttons from it, and a word when they do not work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from firmware_bridge.gpio import Press
from firmware_bridge.signals import SignalPattern
from kiosk import alerts
from kiosk.alerts import Moment, SignalPlayer
from kiosk.scribe import Scribe
from tallybox.events.table import Body, DirectorCalled
from tallybox.said import say

NO_GPIO: Final = say(
    "Buzzer, lamp and buttons of this box do not work. All of it is on the screen too; a helper can look at them."
)

SWITCHING_OFF: Final = say(
    "This box is switching off. What was entered is kept. Pull the plug when the screen is dark."
)

CANNOT_SWITCH_OFF: Final = say(
    "This box cannot switch itself off. What was entered is kept, so its plug can be pulled; a helper can do that."
)

NOT_KEPT_YET: Final = say(
    "Taps wait here that the disk did not take, and a box that is off forgets them. Write them on paper, then hold the "
    "button once more."
)

OFF_WITHOUT_THEM: Final = say(
    "This box is switching off. What its disk took is kept; the taps that waited are on your paper. Pull the plug when "
    "the screen is dark."
)


class ButtonPad(Protocol):
    """The buttons, as ``firmware_bridge.gpio.Buttons`` has them."""

    @property
    def fault(self) -> str | None:
        """The sentence for the screen when they do not work."""

    def listen(self, told: Callable[[], object]) -> None:
        """Tell that a press waits to be taken."""

    def take(self) -> list[Press]:
        """The presses since the last call, oldest first."""


class Panel:
    """What is on the box's own pins. One thread's business; ``say`` puts a sentence of the box on the screen.

    ``waiting``: how many taps wait for the disk, which a box that is switched off forgets.
    """

    def __init__(
        self,
        scribe: Scribe,
        act: Callable[[Body], object],
        say: Callable[[str], None],
        signals: SignalPlayer | None,
        buttons: ButtonPad | None,
        shut_down: Callable[[], None] | None,
        waiting: Callable[[], int],
    ) -> None:
        self._scribe = scribe
        self._act = act
        self._say = say
        self._signals = signals
        self._buttons = buttons
        self._shut_down = shut_down
        self._waiting = waiting
        self._warned = False
        self._looked: Moment | None = None
        self.fault: str | None = None
        """The sentence about pins that do not work; ``None`` when there is nothing to say."""

    def listen(self, pressed: Callable[[], object]) -> None:
        """Tell when a press waits for ``take_presses``; ``pressed`` must not wait."""
        if self._buttons is not None:
            self._buttons.listen(pressed)

    def look(self, moment: Moment) -> None:
        """Sound and show what is due since the last look; the first look has nothing before it."""
        before, self._looked = self._looked, moment
        if self._signals is None or before is None:
            return
        signals = alerts.due(before, moment)
        for pattern in signals.play:
            self._signals.play(pattern)
        for pattern in signals.end:
            self._signals.end(pattern)

    def next_look(self) -> int | None:
        """The monotonic ms at which a signal is due by itself; ``None``: none is."""
        return None if self._looked is None else alerts.next_alert(self._looked)

    def identify(self) -> None:
        """Sound and blink, so that somebody finds this box."""
        if self._signals is not None:
            self._signals.play(SignalPattern.IDENTIFY)

    def tell_fault(self) -> None:
        """Say once that buzzer, lamp or buttons do not work, and again only when more of them fail."""
        told, self.fault = self.fault, fault(self._signals, self._buttons)
        if self.fault is not None and self.fault != told:
            self._say(self.fault)

    def take_presses(self) -> Callable[[], None] | None:
        """What people asked for with the buttons, the same acts as on the screen; what is left to do once it shows."""
        presses = [] if self._buttons is None else self._buttons.take()
        if Press.CALL_DIRECTOR in presses and self._scribe.state.calling is None:
            self._act(DirectorCalled())
        if Press.SHUT_DOWN not in presses:
            return None
        if self._waiting() and not self._warned:
            self._warned = True
            self._say(NOT_KEPT_YET)
            return None
        ends = OFF_WITHOUT_THEM if self._waiting() else SWITCHING_OFF
        self._warned = False
        self._say(CANNOT_SWITCH_OFF if self._shut_down is None else ends)
        return self._shut_down


def fault(signals: SignalPlayer | None, buttons: ButtonPad | None) -> str | None:
    """What to say of pins that do not work, in one sentence for all of them; ``None`` when there is nothing to say."""
    silent = None if signals is None else signals.fault
    dead = None if buttons is None else buttons.fault
    return NO_GPIO if silent and dead else silent or dead
