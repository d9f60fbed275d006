"""The files of a room's folder: whether they are there, can be read, and are for their owner alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deploy.doctor.finding import Finding, Part, good, wrong
from deploy.doctor.machine import Account


def owned(paths: dict[Path, bool], account: Account) -> Iterator[Finding]:
    """Whether the account may read each path, and write where the value says so. Missing ones are left out."""
    fine = True
    for path, write in paths.items():
        if path.exists() and not account.may(path, write=write):
            fine = False
            yield wrong(
                Part.FILES, "not-owned",
                f"{account.name}, who runs this, may not {'write' if write else 'read'} {path}.",
                f"chown --recursive {account.name}: {path.parent}",
            )  # fmt: skip
    if fine:
        yield good(Part.FILES, f"All files are there, and are {account.name}'s.")


def secret(key: Path) -> Iterator[Finding]:
    """Whether a key is for its owner alone."""
    try:
        mode = key.stat().st_mode & 0o777
    except OSError:
        return
    if mode & 0o077:
        yield wrong(
            Part.FILES, "open-key", f"Others on this machine can read {key} (mode {mode:03o}).", f"chmod 600 {key}"
        )
