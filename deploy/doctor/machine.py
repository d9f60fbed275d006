"""The machine as a check sees it: where its devices and processes show, and in whose name the service runs."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import stat
import subprocess
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

ANSWERS_WITHIN: Final = 5.0
"""Seconds for a program of the system to answer."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the service: what this account may do counts, not what the one who looks may."""

    uid: int
    gids: frozenset[int]
    name: str

    def may(self, path: Path, *, write: bool = True) -> bool:
        """Whether the account may read (and write) the file or device; ``False`` when it is not there."""
        try:
            seen = path.stat()
        except OSError:
            return False
        if self.uid == 0:
            return True
        read_bit, write_bit = _bits(self, seen)
        return bool(seen.st_mode & read_bit) and (not write or bool(seen.st_mode & write_bit))


def _bits(account: Account, seen: os.stat_result) -> tuple[int, int]:
    if seen.st_uid == account.uid:
        return stat.S_IRUSR, stat.S_IWUSR
    if seen.st_gid in account.gids:
        return stat.S_IRGRP, stat.S_IWGRP
    return stat.S_IROTH, stat.S_IWOTH


def owner_of(folder: Path) -> Account:
    """The account that a folder belongs to, which is the one its service runs as. Raises ``OSError``."""
    seen = folder.stat()
    try:
        entry = pwd.getpwuid(seen.st_uid)
    except KeyError:
        return Account(seen.st_uid, frozenset({seen.st_gid}), str(seen.st_uid))
    return Account(seen.st_uid, frozenset(os.getgrouplist(entry.pw_name, entry.pw_gid)), entry.pw_name)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to look; another ``root`` is for a machine that is not this one."""

    root: Path = Path("/")

    @property
    def dev(self) -> Path:
        """Devices."""
        return self.root / "dev"

    @property
    def proc(self) -> Path:
        """Processes, and what the kernel says of itself."""
        return self.root / "proc"

    @property
    def booted_with_systemd(self) -> bool:
        """Whether services can be asked after."""
        return (self.root / "run" / "systemd" / "system").is_dir()

    @property
    def name(self) -> str:
        """What this machine is called, without a domain."""
        return socket.gethostname().partition(".")[0]

    @property
    def model(self) -> str:
        """Which Raspberry Pi this is; empty on another machine."""
        try:
            return (self.proc / "device-tree" / "model").read_text("utf-8", "replace").strip("\0\n ")
        except OSError:
            return ""


def with_groups_of(unit: str, account: Account, machine: Machine) -> Account:
    """The account with the groups that its service lends it while it runs, where the unit is installed."""
    if not machine.booted_with_systemd:
        return account
    said = answer("systemctl", "show", unit, "--property=SupplementaryGroups", "--value") or ""
    lent = set[int]()
    for name in said.split():
        with suppress(KeyError):
            lent.add(grp.getgrnam(name).gr_gid)
    return replace(account, gids=account.gids | lent)


def answer(*words: str, fails: bool = False) -> str | None:
    """What a program of the system prints; ``None`` when it is not there, takes too long, or fails.

    ``fails``: its exit code says nothing.
    """
    program = shutil.which(words[0]) or shutil.which(words[0], path="/usr/sbin:/sbin:/usr/bin")
    if program is None:
        return None
    try:
        ran = subprocess.run([program, *words[1:]], check=False, capture_output=True, text=True, timeout=ANSWERS_WITHIN)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return ran.stdout if fails or ran.returncode == 0 else None
