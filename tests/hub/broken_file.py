"""What becomes of a database's file on a disk that lets one down, for tests of what is then said."""

from __future__ import annotations

from pathlib import Path


def cut(path: Path) -> None:
    """Its second half is gone."""
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def garbage_page(path: Path) -> None:
    """One page holds something else."""
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"garbage!" * 512)


def emptied(path: Path) -> None:
    """It is empty, and its write-ahead log is not."""
    path.write_bytes(b"")
    Path(f"{path}-wal").write_bytes(b"w" * 4096)
