"""What changes in a venue's folder while its hub runs: a box that is taken off or added, a renewed certificate.

Whoever runs ``tallybox provision --revoke BOX`` should not have to think of anything else. The hub looks at its files
every two seconds and goes by them; a broker of its own it has read its files again, of another one it says how.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from deploy.dashboard_line import show
from deploy.errors import RoomError
from deploy.room import Room

LOOK_SECONDS: Final = 2.0
STOP_SECONDS: Final = 5.0

RELOAD: Final = (
    "The broker's files changed. Have it read them: “systemctl reload mosquitto”, or SIGHUP to its process. Until "
    "then a box that was taken off can still connect and listen; the hub takes nothing from it."
)

Mark = tuple[int, int, int] | None
"""What tells two versions of a file apart; ``None`` while there is none."""


@dataclass(slots=True)
class VenueWatch:
    """Looks until it is stopped. ``know`` takes the boxes the hub is to know, ``reload_broker`` has the hub's own
    broker read its files again (``None``: it is another's), ``tell`` says something to whoever runs the hub."""

    room: Room
    know: Callable[[dict[str, str]], None]
    tell: Callable[[str], None]
    dashboard: ssl.SSLContext | None = None
    reload_broker: Callable[[], None] | None = None
    every: float = LOOK_SECONDS
    _seen: dict[Path, Mark] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)
    _again: set[str] = field(default_factory=set)
    """What could not be read at the last look."""
    _doubted: str = ""
    _unreadable: str = ""
    _shown: bytes = b""
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; what lies there now is what hub and broker go by from this moment on."""
        self._seen = {path: _mark(path) for path in self._files()}
        self._known = self.room.known_kiosks()
        self._shown = _content(self.room.dashboard_files.certificate)
        self.know(self._known)
        self._thread = threading.Thread(target=self._run, name="venue-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def look(self) -> None:
        """Go by what changed since the last look; what cannot be read at two of them is said, once.

        At one alone it may be a set of files that is just being put in its place. Things stay as they were meanwhile.
        """
        # Read again: a file may be given to the hub's account without being written again.
        changed, self._again = set(self._again), set()
        for path, what in self._files().items():
            mark = _mark(path)
            if mark != self._seen.get(path):
                self._seen[path] = mark
                changed.add(what)
        try:
            if "boxes" in changed:
                self._boxes()
            if "dashboard" in changed and self.dashboard is not None:
                self._show(self.dashboard)
            self._doubted = self._unreadable = ""
        except RoomError as reason:
            self._again = changed - {"broker"}
            if reason.message != self._doubted:
                self._doubted = reason.message
            elif reason.message != self._unreadable:
                self._unreadable = reason.message
                self.tell(f"{reason.message} Until then everything stays as it was.")
        if "broker" in changed:
            self._broker()

    def _files(self) -> dict[Path, str]:
        """The files that are looked at, and what each is about."""
        broker, desk = self.room.folder / "broker", self.room.dashboard_files
        return {
            self.room.hub_folder / "kiosks.toml": "boxes",
            broker / "permissions.acl": "broker",
            broker / "withdrawn.crl": "broker",
            broker / "tls" / "own.crt": "broker",
            **(dict.fromkeys((desk.certificate, desk.key), "dashboard") if self.dashboard is not None else {}),
        }

    def _boxes(self) -> None:
        now, before = self.room.known_kiosks(), self._known
        if now == before:
            return
        self._known = now
        self.know(now)
        for box in sorted(set(before) - set(now)):
            self.tell(f"Box {box} was taken off: the hub takes nothing from it any more.")
        new = sorted(set(now) - set(before))
        if new:
            self.tell(f"The hub knows {len(new)} more: {', '.join(new[:5])}{' and so on' if len(new) > 5 else ''}.")

    def _show(self, dashboard: ssl.SSLContext) -> None:
        """Show what lies there now; a set of files may change between the looks at one and at the other."""
        certificate = _content(self.room.dashboard_files.certificate)
        show(dashboard, self.room.dashboard_files)
        if certificate != self._shown:
            self._shown = certificate
            self.tell("The dashboard shows its new certificate to whoever comes from now on.")

    def _broker(self) -> None:
        if self.reload_broker is None:
            self.tell(RELOAD)
            return
        self.reload_broker()
        self.tell("The broker reads its files again: a box that was taken off is heard no more and hears nothing.")

    def _run(self) -> None:
        while not self._stopping.wait(self.every):
            self.look()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _mark(path: Path) -> Mark:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_ino, seen.st_size
