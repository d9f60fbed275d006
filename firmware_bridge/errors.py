"""Everything the bridge refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations

from typing import ClassVar

from tallybox.errors import TallyboxError


class BridgeError(TallyboxError):
    """A sentence for a person about the table's hardware; each subclass has its own ``code`` for programs."""

    CODE: ClassVar[str] = "bridge"

    def __init__(self, message: str) -> None:
        super().__init__(self.CODE, message)


class FrameError(BridgeError):
    """A line whose checksum is right and whose content is not a frame of this protocol."""

    CODE = "frame"


class PortError(BridgeError):
    """The serial port cannot be used; the subclass says why."""

    CODE = "port"


class PortLostError(PortError):
    """Nothing is plugged in at the port's path, or it went away while in use."""

    CODE = "port-lost"


class PortBusyError(PortError):
    """Another program holds the port."""

    CODE = "port-busy"


class PortDeniedError(PortError):
    """This user may not open the port."""

    CODE = "port-denied"


class PortStalledError(PortError):
    """The port is open and takes nothing any more: the device behind it hangs."""

    CODE = "port-stalled"


class DeckError(BridgeError):
    """A deck that is not known, a deck file that cannot be used, or a call the deck has no card for."""

    CODE = "deck"


class SimulatorError(BridgeError):
    """The simulated reader was asked for something it cannot do now."""

    CODE = "simulator"


class SignalError(BridgeError):
    """Buzzer, lamp and buttons cannot be used on this box."""

    CODE = "signals"
