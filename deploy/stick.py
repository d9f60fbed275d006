"""A bundle on a USB stick: a box that has none yet takes it, and only then."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.files import make_secret_folder, write_whole
from deploy.room import boxes_in

LARGEST: Final = 65_536
"""Bytes of any file of a bundle."""
MOST_PLACES: Final = 64
"""Folders that are looked into; a stick that holds more is no stick for a box."""
_BOX: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$")
_COMING: Final = ".coming"


@dataclass(frozen=True, slots=True)
class Brought:
    """The bundles that lie on the sticks, by the folders they lie in."""

    places: tuple[Path, ...]

    @property
    def one(self) -> Path | None:
        """The bundle, if there is exactly one."""
        return self.places[0] if len(self.places) == 1 else None


def brought(sticks: Path) -> Brought:
    """What lies under ``sticks``, where this machine shows its USB sticks: on a stick itself, or one folder down."""
    found: list[Path] = []
    for number, place in enumerate(_places(sticks)):
        if number == MOST_PLACES:
            break
        if len(boxes_in(place)) == 1 and _BOX.fullmatch(boxes_in(place)[0]) and (place / "venue.toml").is_file():
            found.append(place)
    return Brought(tuple(found))


def _places(sticks: Path) -> Iterator[Path]:
    for stick in _folders(sticks):
        yield stick
        yield from _folders(stick)


def _folders(above: Path) -> list[Path]:
    try:
        return sorted(each for each in above.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return []


def copied(bundle: Path, folder: Path) -> Path:
    """Copy a bundle into a place of its own in a box's folder; what was cut short is thrown away by the next try.

    Only the files that a bundle has are taken, each of bounded size. Raises ``OSError``.
    """
    (box,) = boxes_in(bundle)
    coming = folder / _COMING
    shutil.rmtree(coming, ignore_errors=True)
    home = Path("kiosks", box)
    for secret in (coming, coming / "kiosks", coming / home, coming / home / "tls"):
        make_secret_folder(secret)
    own = [home / name for name in ("box.toml", "box.key", "decks.toml")]
    line = [home / "tls" / name for name in ("ca.crt", "own.crt", "own.key")]
    for path in (Path("venue.toml"), *own, *line):
        content = _read(bundle / path)
        if content is not None:
            write_whole(coming / path, content, secret=True)
    return coming


def settle(coming: Path, folder: Path) -> None:
    """Put a copied bundle in its place; the settings of the venue come last and make it count. Raises ``OSError``."""
    for part in ("kiosks", "venue.toml"):
        (coming / part).replace(folder / part)
    coming.rmdir()


def _read(path: Path) -> bytes | None:
    """A plain file of a stick; ``None`` for one that is not there, is none, or is too large."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    return content if len(content) <= LARGEST else None
