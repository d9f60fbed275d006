"""Passwords and personal PINs: made into argon2id verifiers and compared with them, a few at a time.

Each takes about a tenth of a second and 64 MiB by design, so no more than two run at once and four wait; whoever comes
then is told to come again. Called from threads, never from the event loop.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from hub.errors import HubError
from hub.web.errors import WebError

AT_ONCE: Final = 2
WAITING: Final = 4
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
DIFFERENT: Final = 5
"""Different characters a password needs at least."""

_RUNS: Final = "0123456789012345 9876543210987654"


class Verifiers:
    """argon2id in the parameters of RFC 9106 for small machines: 64 MiB, three passes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._running = threading.Semaphore(AT_ONCE)
        self._places = threading.Semaphore(AT_ONCE + WAITING)

    def ready(self) -> None:
        """Prepare what a name nobody has is compared with, so that the first such try takes no longer either."""
        _nobodys()

    def make(self, secret: str) -> str:
        """The verifier that is kept of a password or a PIN."""
        with self._place():
            return self._hasher.hash(secret)

    def right(self, verifier: str | None, secret: str) -> bool:
        """Whether the secret is the one; takes as long when there is none to compare with, and is never right then."""
        with self._place():
            try:
                self._hasher.verify(verifier or _nobodys(), secret)
            except (Argon2Error, InvalidHashError):
                return False
            return verifier is not None

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise WebError(
                503, "many-at-once", "Many people sign in at this moment.", "Try again.", headers={"Retry-After": "2"}
            )
        try:
            with self._running:
                yield
        finally:
            self._places.release()


@cache
def _nobodys() -> str:
    return PasswordHasher().hash("nobody's")


def fit_pin(pin: str, again: str) -> str:
    """The PIN, if it can be one: six digits, typed twice alike, nothing that is tried first. Raises ``HubError``."""
    if not re.fullmatch(r"[0-9]{6}", pin):
        raise HubError("pin-form", "A PIN has 6 digits. Type 6 digits, twice.")
    if pin != again:
        raise HubError("pin-twice", "The two PINs are not the same. Type the new PIN twice.")
    if len(set(pin)) < 3 or pin in _RUNS or pin[:3] == pin[3:] or pin[:2] * 3 == pin:
        raise HubError("pin-easy", "This PIN is one that is tried first. Choose one without a pattern.")
    return pin


def fit_password(password: str, again: str, *names: str) -> str:
    """The password, if it can be one. Raises ``HubError``."""
    if password != again:
        raise HubError("password-twice", "The two passwords are not the same. Type the new password twice.")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise HubError(
            "password-length", f"A password has {SHORTEST_PASSWORD} characters at least. Three or four words do well."
        )
    low = password.casefold()
    if len(set(low)) < DIFFERENT or low in _RUNS or any(len(name) > 3 and name.casefold() in low for name in names):
        raise HubError("password-easy", "This password is one that is tried first. Three or four words do well.")
    return password
