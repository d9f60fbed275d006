"""The sentences for a journal whose file cannot be used."""

from __future__ import annotations

from pathlib import Path

from kiosk.errors import JournalError


def damaged(path: Path, how: str) -> JournalError:
    """The sentence for a journal that cannot be trusted any more."""
    return JournalError(
        "damaged",
        f"The journal {path} is damaged ({how[:200]}). Keep the file as it is. The director can give this table "
        "another box: what the hub has of the round goes on there.",
    )


def unwritable(path: Path, why: str) -> JournalError:
    """The sentence for a journal that cannot be written."""
    return JournalError(
        "cannot-write",
        f"The journal {path} cannot be written ({why}). Look at the disk and who may write there, or use another box.",
    )
