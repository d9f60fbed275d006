"""What the codes on paper say (docs/documents.md): capitals and colons alone, so that the squares stay large."""

from __future__ import annotations

from typing import Final

FORM: Final = 1
"""The form of the payloads; another number may mean other fields."""


def sheet_code(tournament: str, sheet: str) -> str:
    """The code of a blank sheet: which occasion, which sheet."""
    return f"TALLYBOX:{FORM}:{tournament}:{sheet}".upper()


def digest_code(tournament: str, sheet: str, version: int, digest: str) -> str:
    """The code of a sheet as played: the digest of exactly what is printed, and its version."""
    return f"{sheet_code(tournament, sheet)}:V{version}:{digest}".upper()
