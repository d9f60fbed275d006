"""A serial port that fails in one way only: whatever pyserial raises becomes a ``PortError`` that says why."""

from __future__ import annotations

import errno
import termios
from typing import Final

import serial

from firmware_bridge.errors import PortBusyError, PortDeniedError, PortError, PortLostError, PortStalledError

BAUD: Final = 115_200
READ_TIMEOUT: Final = 0.25
"""Seconds a read waits for the first byte; ``wake`` ends it sooner."""

WRITE_TIMEOUT: Final = 0.5
READ_MOST: Final = 4096

# An unplugged port raises each of these, by the call that meets it; ValueError is select's for a closed descriptor.
_FAILURES: Final = (serial.SerialException, OSError, termios.error, TypeError, ValueError)


class SerialPort:
    """An open serial port, held exclusively. One thread reads and writes; any thread may ``wake`` or ``close``."""

    def __init__(self, path: str, baud: int = BAUD) -> None:
        """Open the port. Raises ``PortLostError``, ``PortBusyError`` or ``PortDeniedError``."""
        self._path = path
        try:
            self._serial = serial.Serial(path, baud, timeout=READ_TIMEOUT, write_timeout=WRITE_TIMEOUT, exclusive=True)
        except _FAILURES as failure:
            raise _explained(path, failure) from failure

    def read(self) -> bytes:
        """What has come, at most ``READ_MOST`` bytes; empty after ``READ_TIMEOUT`` or a ``wake``."""
        try:
            first = self._serial.read(1)
            more = min(self._serial.in_waiting, READ_MOST - 1) if first else 0
            return first + (self._serial.read(more) if more else b"")
        except _FAILURES as failure:
            raise self._gone() from failure

    def write(self, data: bytes) -> None:
        """Send all bytes. Raises ``PortStalledError`` when they do not fit within ``WRITE_TIMEOUT``."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as failure:
            raise PortStalledError(f"The device at {self._path} hangs. Unplug it and plug it in again.") from failure
        except _FAILURES as failure:
            raise self._gone() from failure

    def wake(self) -> None:
        """End a read that is waiting, from any thread; nothing happens on a closed port."""
        try:
            self._serial.cancel_read()
        except _FAILURES:
            return

    def _gone(self) -> PortLostError:
        return PortLostError(f"The device at {self._path} went away. Check its cable.")

    def close(self) -> None:
        """Close the port; nothing happens on a closed one."""
        try:
            self._serial.close()
        except _FAILURES:
            return


def _explained(path: str, failure: Exception) -> PortError:
    number = getattr(failure, "errno", None)
    if number in {errno.EACCES, errno.EPERM}:
        return PortDeniedError(f"This user may not open {path}. Add the user to the group that owns it (dialout).")
    if number in {errno.EAGAIN, errno.EBUSY}:
        return PortBusyError(f"Another program holds {path}. Stop that program first.")
    if number in {errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO}:
        return PortLostError(f"Nothing is plugged in at {path}. Check the cable and the path.")
    return PortLostError(f"{path} cannot be used as a serial port: {failure}.")
