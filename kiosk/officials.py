"""Who may open the menu of officials at this box: verifiers from the hub, personal PINs, and how often one may try.

Verifiers and wrong tries are kept beside the journal, so that a restart without a hub forgets neither. No PIN and no
verifier is ever logged. Checking one takes a tenth of a second and more, so it has a thread of its own.
"""

from __future__ import annotations

import queue
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import msgspec
import structlog
from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError

from kiosk.actor import Done, Job
from kiosk.errors import KioskError
from kiosk.view import Denied, Official, OfficialsView, Tried
from tallybox.errors import MessageError
from tallybox.messages import Pins, Verifier, decode, encode
from tallybox.roles import Role

PIN_DIGITS: Final = 6
TRIES: Final = 5
WAIT: Final = 300_000
"""Milliseconds that a box waits after so many wrong tries."""

MOST_MEMORY: Final = 262_144
"""KiB; a verifier that asks for more is not one of ours."""
MOST_PASSES: Final = 10
WAITING: Final = 2
"""PINs that may wait to be checked; one person types one at a time."""
STOP_WITHIN: Final = 5.0

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_ORDER: Final = (Role.DIRECTOR, Role.MONITOR, Role.HELPER)
"""Whose PIN is looked for first; a viewer has nothing to do at a table."""
_log = structlog.get_logger("kiosk")


class Store(Protocol):
    """Where a box keeps what it remembers for itself, as ``kiosk.journal.journal.Journal`` does."""

    def kept(self, name: str) -> bytes | None:
        """What is kept under a name."""

    def keep(self, name: str, payload: bytes) -> None:
        """Keep it; on disk when this returns."""


class Tries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wrong tries so far, and until when (monotonic ms of the machine's run ``boot``) none is taken."""

    wrong: int = 0
    boot: str = ""
    until: int | None = None


class Officials:
    """The officials this box knows. One thread's business but for the checking itself.

    ``post`` has something done on that thread; ``boot`` names the machine's run: a monotonic clock means nothing in
    another one, so a wait that a new run finds begins again.
    """

    def __init__(
        self, store: Store, box: str, *, monotonic: Callable[[], int], post: Callable[[Job], object],
        boot: Callable[[], str] | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._box = box
        self._monotonic = monotonic
        self._post = post
        self._boot = (boot or boot_id)()
        self._pins = _readable(store)
        self._tries = self._remembered()
        self._checking = False
        self._work: queue.Queue[tuple[str, tuple[Verifier, ...], Callable[[Tried], None]] | None] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    @property
    def view(self) -> OfficialsView:
        """What a screen needs to know of them."""
        until = self._waits_until()
        return OfficialsView(
            known=len(self._pins), names=tuple((known.official, known.name) for known in self._pins),
            checking=self._checking,
            tries_left=TRIES if until is None and self._tries.until is not None else TRIES - self._tries.wrong,
            waits_until=until,
        )  # fmt: skip

    def take(self, pins: Pins) -> None:
        """What the hub says of its officials, kept before it counts. Raises ``JournalError`` when it is not kept."""
        if pins.kiosk != self._box:
            _log.warning("officials of another box", kiosk=pins.kiosk)
            return
        self._store.keep("pins", encode(pins))
        self._pins = _checkable(pins)

    def check(self, pin: str, told: Callable[[Tried], None]) -> Done | None:
        """See whose PIN this is, and tell. The try is on disk before it is looked at: a power cut gives none back."""
        denied = self._denied()
        if denied is not None:
            return lambda: told(Tried(denied=denied))
        self._count()
        self._checking = True
        self._begin()
        self._work.put_nowait((pin, self._pins, told))
        return None

    def stop(self) -> None:
        """End the checking thread."""
        if self._thread is not None and self._thread.is_alive():
            with suppress(queue.Full):
                self._work.put(None, timeout=STOP_WITHIN)
            self._thread.join(STOP_WITHIN)

    # Inside

    def _denied(self) -> Denied | None:
        if not self._pins:
            return Denied.NONE_SET
        if self._waits_until() is not None:
            return Denied.WAIT
        return Denied.BUSY if self._checking else None

    def _count(self) -> None:
        wrong = 1 if self._tries.until is not None else self._tries.wrong + 1
        until = self._monotonic() + WAIT if wrong >= TRIES else None
        self._remember(Tries(wrong, self._boot, until))

    def _waits_until(self) -> int | None:
        until = self._tries.until
        return until if until is not None and self._monotonic() < until else None

    def _remember(self, tries: Tries) -> None:
        self._store.keep("tries", msgspec.json.encode(tries))
        self._tries = tries

    def _remembered(self) -> Tries:
        """The tries of earlier runs. What cannot be read counts as used up: nobody gets tries by spoiling a file."""
        payload = self._store.kept("tries")
        if payload is None:
            return Tries()
        try:
            tries = msgspec.json.decode(payload, type=Tries)
        except msgspec.DecodeError:
            tries = Tries(TRIES, "", 0)
        if tries.until is None or tries.boot == self._boot:
            return tries
        again = Tries(TRIES, self._boot, self._monotonic() + WAIT)
        with suppress(KioskError):  # a disk that takes nothing keeps the tries that are there: they count as used up
            self._store.keep("tries", msgspec.json.encode(again))
        return again

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"officials {self._box}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (asked := self._work.get()) is not None:
            pin, verifiers, told = asked
            found = whose(pin, verifiers)
            self._post(partial(self._checked, found, told))

    def _checked(self, found: Official | None, told: Callable[[Tried], None]) -> Done:
        self._checking = False
        if found is not None:
            with suppress(KioskError):  # a disk that takes nothing leaves the tries counted; the PIN was right
                self._remember(Tries())
        tried = Tried(found) if found is not None else Tried(denied=Denied.WRONG)
        return lambda: told(tried)


def whose(pin: str, verifiers: tuple[Verifier, ...]) -> Official | None:
    """The official whose PIN this is; takes as long as argon2 takes for each."""
    hasher = PasswordHasher()
    for verifier in verifiers:
        with suppress(Argon2Error, InvalidHashError):
            hasher.verify(verifier.verifier, pin)
            return Official(verifier.official, verifier.name, Role(verifier.role))
    return None


def boot_id() -> str:
    """Which run of this machine it is; where the machine does not say, every start is a new one."""
    try:
        return _BOOT.read_text("ascii").strip()[:64]
    except (OSError, UnicodeDecodeError):
        return secrets.token_hex(16)


def _readable(store: Store) -> tuple[Verifier, ...]:
    payload = store.kept("pins")
    if payload is None:
        return ()
    try:
        return _checkable(decode(payload, Pins))
    except MessageError:
        _log.warning("the officials kept in this box cannot be read; the hub sends them again")
        return ()


def _checkable(pins: Pins) -> tuple[Verifier, ...]:
    """Those who can open a menu, the director first; a verifier that is no honest argon2id hash counts for nobody."""
    honest = [official for official in pins.officials if Role(official.role) in _ORDER and _honest(official.verifier)]
    return tuple(sorted(honest, key=lambda official: _ORDER.index(Role(official.role))))


def _honest(verifier: str) -> bool:
    try:
        asked = extract_parameters(verifier)
    except InvalidHashError:
        return False
    return asked.type is Type.ID and asked.memory_cost <= MOST_MEMORY and asked.time_cost <= MOST_PASSES
