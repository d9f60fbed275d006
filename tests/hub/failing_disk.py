"""Disks that really fail, for tests: a small one to fill up, one that turns read-only, writes that the machine refuses.

Mounting needs root and says so; nothing here is pretended.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK = 64 * 1024


def run(*command: str) -> None:
    """A program of this machine; what it says when it cannot is the test's failure."""
    if os.geteuid() != 0:
        pytest.fail(f"“{' '.join(command)}” needs root: this test mounts a disk of its own.")
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        pytest.fail(f"“{' '.join(command)}” failed: {done.stderr.strip()}")


class SmallDisk:
    """A disk of its own with so many KiB, which can be filled up and given room again."""

    def __init__(self, folder: Path, kib: int) -> None:
        self.folder = folder
        folder.mkdir()
        run("mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder))

    @property
    def ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self, *, leave: int = 0) -> None:
        """Fill it up, but for ``leave`` bytes."""
        with self.ballast.open("ab", buffering=0) as file:
            try:
                while True:
                    room = os.statvfs(self.folder)
                    left = room.f_bavail * room.f_frsize - leave
                    if leave and left <= 0:
                        return
                    file.write(bytes(min(BLOCK, left) if leave else 4096))
            except OSError:
                return

    def make_room(self) -> None:
        """Give it back what ``fill`` took."""
        self.ballast.unlink()

    def read_only(self) -> None:
        """Only while nobody has a file open for writing."""
        run("mount", "-o", "remount,ro", str(self.folder))

    def writable(self) -> None:
        run("mount", "-o", "remount,rw", str(self.folder))

    def unmount(self) -> None:
        run("umount", "-l", str(self.folder))


class DyingDisk:
    """A real file system on a loop device that stops in the middle of everything, as an SD card does."""

    def __init__(self, folder: Path, mib: int = 8) -> None:
        self.folder = folder
        self.image = folder.with_name(f"{folder.name}.img")
        self.mounts = 0
        folder.mkdir()
        with self.image.open("wb") as image:
            image.truncate(mib << 20)
        run("mkfs.ext4", "-q", "-F", str(self.image))
        self.mount()

    def mount(self) -> None:
        """Put it in, or again as a copy, as into another reader: the file system mends itself from its own journal."""
        self.mounts += 1
        copy = self.image.with_suffix(f".{self.mounts}")
        shutil.copyfile(self.image, copy)
        self.image = copy
        run("mount", "-o", "loop,errors=remount-ro", str(copy), str(self.folder))

    def die(self) -> None:
        """From now on every write is refused, and the files that are open stay open."""
        run("mount", "-o", "remount,abort", str(self.folder))

    def unmount(self) -> None:
        run("umount", "-l", str(self.folder))


@contextmanager
def writes_refused(beyond: int) -> Iterator[None]:
    """Have the machine refuse this process every write beyond so many bytes of a file, as a worn disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
