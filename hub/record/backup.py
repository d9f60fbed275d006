"""A copy of the ledger while the hub runs, and the way back: checked both ways, and nothing is ever overwritten.

A copy is made beside its place and takes it in one step, so that whoever pulls the plug finds the old file or the new.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hub.errors import LedgerError
from hub.record.engine import LEDGER, copy_database, in_one_file, ledger_url
from hub.record.export import export
from hub.record.ledger import Ledger
from hub.record.ledger_outside import look_at
from hub.record.lock import alone
from tallybox.proof.verifier import Verdict, Verifier


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and where the ledger that stood there before is now, if there was one."""

    verdict: Verdict
    former: Path | None


def back_up(folder: Path, target: Path) -> Verdict:
    """Copy the ledger of a hub's folder to a new file, and check the copy line by line.

    The copy holds no key and no password. What the check found is in the verdict; the copy is kept all the same. Raises
    ``LedgerError`` (``exists``, ``ledger-unreadable``, ``cannot-write``, ``backup-running``).
    """
    half = target.with_name(f"{target.name}.half")
    with _writing(target), _alone_beside(target):
        if target.exists():
            raise LedgerError("exists", f"{target} is there already. Nothing was copied; give another name.")
        verdict = _checked_copy(folder / LEDGER, half, restoring=False)
        _take_its_place(half, target)
    return verdict


def restore(folder: Path, source: Path) -> Restored:
    """Put a backup in the place of a hub's ledger. The hub then waits for the director's word (``hub.restored``).

    The ledger that was there stays beside it. Raises ``LedgerError`` (``hub-running``, ``backup-broken``,
    ``ledger-unreadable``, ``cannot-write``) with nothing changed.
    """
    place = folder / LEDGER
    half = folder / f"{LEDGER}.half"
    with _writing(place), alone(folder):
        verdict = _checked_copy(source, half, restoring=True)
        if not verdict.ok:
            _remove(half)
            first = verdict.faults[0]
            raise LedgerError(
                "backup-broken", f"{source} is not whole: line {first.line}: {first.message} Take an older backup."
            )
        former = _kept_aside(place) if place.exists() else None
        _take_its_place(half, place)
    return Restored(verdict, former)


def _checked_copy(source: Path, half: Path, *, restoring: bool) -> Verdict:
    _remove(half)
    if not source.is_file():
        raise LedgerError("ledger-unreadable", f"There is no ledger at {source}. Name the file of a backup.")
    try:
        # What proves officials' PINs stands in the ledger: a copy is for its owner alone, wherever it lies.
        half.touch(mode=0o600, exist_ok=False)
        copy_database(source, half)
        if restoring:
            _see_ledger(source, half)
        verdict = _checked(half, restoring=restoring)
        in_one_file(half)
    except LedgerError:
        _remove(half)
        raise
    return verdict


def _see_ledger(source: Path, half: Path) -> None:
    """A box's journal, or an empty file, is a whole database too: opened as a ledger it would become an empty one."""
    try:
        lines = look_at(half).lines
    except LedgerError:
        lines = 0
    if not lines:
        said = f"{source} holds no line of a ledger. Name a file that “tallybox backup” wrote."
        raise LedgerError("ledger-unreadable", said)


def _checked(half: Path, *, restoring: bool) -> Verdict:
    ledger = Ledger(ledger_url(half.parent, half.name))
    try:
        if restoring:
            ledger.mark_restored()
        return Verifier().run(line[:-1] for line in export(ledger))
    finally:
        ledger.close()


def _kept_aside(place: Path) -> Path:
    """Copy the present ledger beside itself, byte for byte, before anything is done to it: it may be damaged."""
    number = 1
    while (aside := place.with_name(f"ledger-before-{number}.sqlite")).exists():
        number += 1
    for part in ("-wal", ""):
        if Path(f"{place}{part}").exists():
            shutil.copy2(f"{place}{part}", f"{aside}.half")
            _take_its_place(Path(f"{aside}.half"), Path(f"{aside}{part}"))
    with suppress(LedgerError):
        in_one_file(place)
    for part in ("-wal", "-shm"):
        Path(f"{place}{part}").unlink(missing_ok=True)
    return aside


def _take_its_place(half: Path, place: Path) -> None:
    _flush(half)
    half.replace(place)
    _flush(place.parent)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(half: Path) -> None:
    for part in ("", "-wal", "-shm", "-journal"):
        Path(f"{half}{part}").unlink(missing_ok=True)


@contextmanager
def _alone_beside(target: Path) -> Iterator[None]:
    """One backup at a time in a folder: two that wrote the same file would each take the other's half away."""
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = f"Another backup is being written to {target.parent}. Wait until it is done, then ask again."
            raise LedgerError("backup-running", said) from None
        yield
    finally:
        os.close(folder)


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as reason:
        said = f"{place} cannot be written: {reason.strerror}. Make room there, or give another place."
        raise LedgerError("cannot-write", said) from None
