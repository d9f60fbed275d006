"""What the firmware asks of the machine it runs on."""


class Outputs:
    """What a box can turn on at the table."""

    def light(self, seat: str, on: bool) -> None:
        """Turn a seat's light on or off."""
        raise NotImplementedError

    def buzz(self, times: list[int], now: int) -> None:
        """Sound milliseconds on, off, on, …, from ``now`` on."""
        raise NotImplementedError


class Board:
    """Readers, lights, buzzer, clock, line to the box, name, randomness and watchdog. Nothing here may wait long."""

    seats = "NESW"
    lights = True
    buzzer = True

    def name(self) -> str:
        """The device's id, the same at every start."""
        raise NotImplementedError

    def nonce(self) -> str:
        """Eight random hexadecimal digits, others at every call."""
        raise NotImplementedError

    def now(self) -> int:
        """Milliseconds since the start; never turns back."""
        raise NotImplementedError

    def cards(self, seat: str) -> list[str] | None:
        """The uids that the seat's reader sees now; None when the reader does not answer."""
        raise NotImplementedError

    def light(self, seat: str, on: bool) -> None:
        """Turn a seat's light on or off."""
        raise NotImplementedError

    def sound(self, on: bool) -> None:
        """Turn the buzzer on or off."""
        raise NotImplementedError

    def read(self) -> bytes:
        """What the box has sent; empty when nothing has come."""
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """Send as much as fits without waiting; how many bytes that were."""
        raise NotImplementedError

    def feed_watchdog(self) -> None:
        """The firmware lives: a board whose firmware does not say so for seconds starts again."""
        raise NotImplementedError

    def rest(self) -> None:
        """Give the machine a moment, a few milliseconds at most."""
        raise NotImplementedError
