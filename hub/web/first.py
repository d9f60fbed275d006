"""The first director of a hub that asks people to sign in: there is no password before one is chosen.

A code of this start alone lies in the hub's folder, where the person who runs the hub can read it and nobody else. It
is never printed: what a service prints ends in logs.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from pathlib import Path
from typing import Final

from hub.web.passwords import write_secret

FILE: Final = "set-up-code"
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""No letter that is read as a figure."""


class SetUpCode:
    """Written when it is made, removed when it was used; raises ``HubError`` when the folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()
        self._code: str | None = "".join(secrets.choice(_LETTERS) for _ in range(12))
        write_secret(self.path, f"{'-'.join(self._code[at : at + 4] for at in (0, 4, 8))}\n".encode())

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
