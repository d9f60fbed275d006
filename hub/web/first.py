"""The first director of a hub that asks people to sign in: there is no password before one is chosen.

A code lies in the hub's folder, where the person who runs the hub can read it and nobody else: ``tallybox provision``
leaves one, and else the hub draws one when it starts. It is never printed: what a service prints ends in logs.
"""

from __future__ import annotations

import hmac
import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from hub.web.passwords import FILE as PASSWORDS
from hub.web.passwords import write_secret

FILE: Final = "set-up-code"
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""No letter that is read as a figure."""


LENGTH: Final = 12
"""59 bits, tried five times before one has to wait."""


def leave_code(folder: Path) -> Path | None:
    """Leave a code in a hub's folder for its first start; where it lies.

    ``None``: one lies there already, or somebody has a password. Raises ``HubError`` when it cannot be written.
    """
    path = folder / FILE
    if path.exists() or (folder / PASSWORDS).exists():
        return None
    _write(path, _drawn())
    return path


def forget_code(folder: Path) -> None:
    """Remove a code that lies there although somebody can sign in: it opens nothing."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


class SetUpCode:
    """Read, or written when there is none; removed when it was used. Raises ``HubError`` when it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()
        left = _left(self.path)
        self._code: str | None = left or _drawn()
        if left is None:
            _write(self.path, self._code or "")

    def right(self, typed: str) -> bool:
        """Whether somebody typed it; hyphens, spaces and case do not matter."""
        told = "".join(letter for letter in typed.upper() if letter.isalnum())[:40]
        code = self._code
        return code is not None and hmac.compare_digest(told.encode(), code.encode())

    def spend(self) -> None:
        """It was used: it opens nothing any more."""
        with self._lock:
            self._code = None
            self.path.unlink(missing_ok=True)


def _drawn() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))


def _write(path: Path, code: str) -> None:
    write_secret(path, f"{'-'.join(code[at : at + 4] for at in (0, 4, 8))}\n".encode())


def _left(path: Path) -> str | None:
    """The code that lies there, if it is a whole one that its owner alone can read."""
    try:
        with path.open("rb") as file:
            text, mode = file.read(64).decode("ascii", "replace"), os.fstat(file.fileno()).st_mode
    except OSError:
        return None
    code = text.strip().replace("-", "")
    return code if len(code) == LENGTH and set(code) <= set(_LETTERS) and not mode & 0o077 else None
