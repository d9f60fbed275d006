"""Files that are written whole or not at all, with the modes they need from their first byte on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

SECRET_FOLDER: Final = 0o700
SECRET_FILE: Final = 0o600


def write_new(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Write a file unless it is there."""
    if not path.exists():
        write_whole(path, content, secret=secret)


def write_whole(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Whole or not at all: what is interrupted half-way is completed by the next run.

    ``secret``: for its owner alone (0600), in a folder that is made for its owner alone. Raises ``OSError``.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=SECRET_FOLDER if secret else 0o755)
    half = path.with_suffix(path.suffix + ".new")
    half.unlink(missing_ok=True)
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET_FILE if secret else 0o644)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def write_changed(path: Path, content: bytes, *, secret: bool = False) -> bool:
    """Write a file unless it holds just this already; whether it was written. Raises ``OSError``."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    write_whole(path, content, secret=secret)
    return True


def make_secret_folder(path: Path) -> None:
    """A folder that only its owner may enter, also where it was there with other modes. Raises ``OSError``."""
    path.mkdir(parents=True, exist_ok=True, mode=SECRET_FOLDER)
    path.chmod(SECRET_FOLDER)
