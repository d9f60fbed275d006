"""Small things that a box remembers beside its journal: its language, and when the hub was heard last."""

from __future__ import annotations

from typing import Final

from kiosk.errors import JournalError
from kiosk.officials import Store

_LANGUAGE: Final = "language"
_HEARD: Final = "heard"
_BEAT: Final = "beat"


class Memory:
    """``heard``: ms since 1970 of the hub's last word, while it has said none in this run of the box."""

    def __init__(self, store: Store) -> None:
        self._store = store
        heard = store.kept(_HEARD)
        self.heard = int(heard) if heard is not None and heard.isdigit() else None
        self.language = (store.kept(_LANGUAGE) or b"en").decode("ascii", "replace")

    def hear(self, wall: int) -> None:
        """The hub said something at this wall clock's ms."""
        self.heard = None
        self._store.keep(_HEARD, str(wall).encode())

    def beat(self, wall: int) -> None:
        """Write the time down and read it again; raises ``JournalError`` unless the journal gives it back."""
        said = str(wall).encode()
        self._store.keep(_BEAT, said)
        if self._store.kept(_BEAT) != said:
            raise JournalError("not-kept", "This box's journal does not give back what it was given.")

    def speak(self, language: str) -> None:
        """What the box is to speak from now on."""
        self._store.keep(_LANGUAGE, language.encode("ascii", "replace"))
        self.language = language
