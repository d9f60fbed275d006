"""Whose the files of a service's folder are, when somebody works in it as root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_ROOT: Final = 0


@contextmanager
def kept_by_its_owner(folder: Path) -> Iterator[None]:
    """Give what root leaves in ``folder`` to the account that the folder belongs to.

    On an installed hub people type ``sudo``, and the service runs as an account of its own: a ledger or lock of root's
    would keep it from starting. Nobody else's files are touched, and no link is followed.
    """
    try:
        yield
    finally:
        if os.geteuid() == _ROOT and folder.is_dir():
            owner = folder.stat()
            for file in folder.iterdir():
                if file.lstat().st_uid == _ROOT != owner.st_uid:
                    os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)
