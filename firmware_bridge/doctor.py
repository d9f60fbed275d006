"""What is wrong with a reader's port, in words, and what to do about it. Nothing is taken from a reader's cards."""

from __future__ import annotations

import grp
import os
import pwd
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from firmware_bridge import frames
from firmware_bridge.barcode import BAUD as SCANNER_BAUD
from firmware_bridge.barcode import ScannerLines
from firmware_bridge.errors import FrameError, PortBusyError, PortDeniedError, PortError
from firmware_bridge.findings import Finding, Heard, Kind, Report, Trouble, told
from firmware_bridge.holders import MODEM_MANAGER, PROC, Holder, holders, lock_holder, modem_manager_runs
from firmware_bridge.limits import DEAD_AFTER_MS
from firmware_bridge.line import LineDecoder, encode
from firmware_bridge.port import BAUD, SerialPort

LISTEN: Final = DEAD_AFTER_MS / 1000 + 1.0
"""Seconds that a port is listened to; a reader beats or says hello every second."""

WHO_EVERY: Final = 1.0
MOST_HEARD: Final = 65_536
"""Bytes looked at; a port that says more has said enough."""

UDEV: Final = Path("/run/udev/data")
_PROBED: Final = ("ttyACM", "ttyUSB")
_IGNORED: Final = ("E:ID_MM_DEVICE_IGNORE=1", "E:ID_MM_PORT_IGNORE=1")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to look for programs and for what udev knows; a test has folders of its own."""

    proc: Path = PROC
    udev: Path = UDEV


def ports() -> list[str]:
    """The serial ports of this machine."""
    return sorted(port.device for port in list_ports.comports())


def examine_all(kind: Kind = Kind.DECK, baud: int | None = None, listen: float = LISTEN) -> list[Report]:
    """Look at every port; on a machine without any, say that."""
    found = ports()
    if not found:
        nothing = Finding(
            Trouble.NO_PORTS,
            "This machine has no serial port.",
            "Plug the reader in. If it is, try another cable: some carry power alone.",
        )
        return [Report(None, (nothing,))]
    return [examine(port, kind, baud, listen) for port in found]


def examine(
    path: str,
    kind: Kind = Kind.DECK,
    baud: int | None = None,
    listen: float = LISTEN,
    machine: Machine = Machine(),
    clock: Callable[[], float] = time.monotonic,
) -> Report:
    """Look at one port: whether it is there, may be opened, is free, and who answers within ``listen`` seconds."""
    unusable = _not_there(path) or _not_allowed(path)
    if unusable is not None:
        return Report(path, (unusable,))
    held = _held(path, machine)
    if held is not None:
        return Report(path, (held,))
    try:
        port = SerialPort(path, baud or (BAUD if kind is Kind.DECK else SCANNER_BAUD))
    except PortError as failure:
        return Report(path, (_not_opened(path, failure, machine),))
    try:
        heard = _listen(port, kind, listen, clock)
    except PortError:
        lost = Finding(
            Trouble.LOST, f"The device at {path} went away while it was listened to.", "Check its cable and its power."
        )
        return Report(path, (lost,))
    finally:
        port.close()
    probed = _probed(path, machine)
    return Report(path, (told(path, heard, kind), *(() if probed is None else (probed,))))


def _not_there(path: str) -> Finding | None:
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        others = ", ".join(ports())
        there = f"Ports of this machine: {others}." if others else "This machine has no serial port at all."
        return Finding(
            Trouble.MISSING, f"Nothing is plugged in at {path}. {there}", "Check the cable, and the path in box.toml."
        )
    if stat.S_ISCHR(mode):
        return None
    return Finding(Trouble.NOT_A_PORT, f"{path} is no serial port.", "Check the path in box.toml.")


def _not_allowed(path: str) -> Finding | None:
    if os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        return None
    group = _group(Path(path).stat().st_gid)
    user = _user()
    says = f"User {user} may not open {path}; it belongs to group {group}."
    return Finding(
        Trouble.PERMISSION, says, f"Run “sudo usermod -aG {group} {user}”, then sign in again or restart the box."
    )


def _held(path: str, machine: Machine) -> Finding | None:
    """Whether another program has the port open; on a pseudo-terminal its own maker has, which is no trouble."""
    found = holders(path, machine.proc)
    manager = next((holder for holder in found if holder.name == MODEM_MANAGER), None)
    if manager is not None:
        return Finding(
            Trouble.MODEM_MANAGER, f"ModemManager has {path} open: it takes the reader for a modem.", _ignore(path),
            manager,
        )  # fmt: skip
    if not found or os.path.realpath(path).startswith("/dev/pts/"):
        return None
    return _busy(path, found[0])


def _not_opened(path: str, failure: PortError, machine: Machine) -> Finding:
    match failure:
        case PortBusyError():
            return _busy(path, lock_holder(path, machine.proc))
        case PortDeniedError():
            return Finding(Trouble.PERMISSION, f"{path} may not be opened.", failure.message)
        case _:
            return Finding(Trouble.LOST, f"{path} cannot be opened.", failure.message)


def _busy(path: str, who: Holder | None) -> Finding:
    if who is None:
        return Finding(
            Trouble.BUSY, f"Another program holds {path}; which one cannot be seen.",
            "Stop the box on this machine, or run this as root to see which program it is.",
        )  # fmt: skip
    return Finding(
        Trouble.BUSY, f"{who.name} (process {who.pid}) holds {path}.",
        f"If that is the box, all is well: stop it to look at the port. If not, end it (“kill {who.pid}”).", who,
    )  # fmt: skip


def _probed(path: str, machine: Machine) -> Finding | None:
    """A warning when ModemManager runs and nobody has told it to leave this port alone."""
    name = Path(os.path.realpath(path)).name
    if not name.startswith(_PROBED) or not modem_manager_runs(machine.proc):
        return None
    device = Path(path).stat().st_rdev
    try:
        known = (machine.udev / f"c{os.major(device)}:{os.minor(device)}").read_text("utf-8", "replace")
    except OSError:
        known = ""
    if any(line in known for line in _IGNORED):
        return None
    return Finding(
        Trouble.MODEM_MANAGER, f"ModemManager runs here and may probe {path} when the reader is plugged in.",
        _ignore(path),
    )  # fmt: skip


def _ignore(path: str) -> str:
    name = Path(os.path.realpath(path)).name
    return (
        "Tell it to leave the reader alone: put ACTION==“add”, SUBSYSTEM==“tty”, ENV{ID_MM_DEVICE_IGNORE}=“1” with the "
        f"reader's ATTRS{{idVendor}} (“udevadm info -a /dev/{name}”) into a file under /etc/udev/rules.d, and plug the "
        "reader in again."
    ).translate({ord("“"): '"', ord("”"): '"'})


def _listen(port: SerialPort, kind: Kind, seconds: float, clock: Callable[[], float]) -> Heard:
    heard, decoder, scanner = Heard(), LineDecoder(), ScannerLines()
    until, who_at, count = clock() + seconds, clock(), 0
    while clock() < until and len(heard.raw) < MOST_HEARD:
        if kind is Kind.DECK and clock() >= who_at:
            count += 1
            who_at = clock() + WHO_EVERY
            port.write(encode(frames.Who(count).line()))
        data = port.read()
        heard.raw += data
        heard.codes += scanner.feed(data)
        for line in decoder.feed(data):
            heard.lines += 1
            try:
                frame = frames.device_frame(line)
            except FrameError:
                continue
            if isinstance(frame, frames.Hello):
                heard.hello = frame
                return heard
        if kind is Kind.BARCODE and heard.codes:
            return heard
    return heard


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
