"""Everything the bridge refuses, as one small tree; every message tells a person what to do."""

from __future__ import annotations


class BridgeError(Exception):
    """A sentence for a person about the table's hardware."""


class FrameError(BridgeError):
    """A line whose checksum is right and whose content is not a frame of this protocol."""


class PortError(BridgeError):
    """The serial port cannot be used; the subclass says why."""


class PortLostError(PortError):
    """Nothing is plugged in at the port's path, or it went away while in use."""


class PortBusyError(PortError):
    """Another program holds the port."""


class PortDeniedError(PortError):
    """This user may not open the port."""


class PortStalledError(PortError):
    """The port is open and takes nothing any more: the device behind it hangs."""


class DeckError(BridgeError):
    """A deck that is not known, a deck file that cannot be used, or a call the deck has no card for."""


class SimulatorError(BridgeError):
    """The simulated reader was asked for something it cannot do now."""


class SignalError(BridgeError):
    """Buzzer, lamp and buttons cannot be used on this box."""
