"""Debian packages with all that they need, for machines of another kind than this one, as an archive in a folder.

apt does the choosing, in a folder of its own: it checks the archive's signature here, and each package's hash again at
the venue. Nothing of this machine's own packages is read or changed.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from deploy.errors import StickError

ARCHITECTURES: Final = {"aarch64": "arm64", "x86_64": "amd64"}
"""Debian's names of the machines."""
WITHIN: Final = 1800.0
"""Seconds that a download may take on a slow line."""
_LINE: Final = "$(REPO_URI) $(CODENAME) $(COMPONENT) $(ORIGIN)"


def own_sources(suite: str) -> str:
    """This machine's own sources of Debian's ``suite``, its updates and its security updates, one a line.

    Raises ``StickError`` when it has none.
    """
    told = _run(["apt-get", "indextargets", "--format", _LINE, "Created-By: Packages"]).splitlines()
    lines: list[str] = []
    for line in dict.fromkeys(told):
        where, name, component, *origin = line.split()
        if origin == ["Debian"] and name.split("-")[0] == suite:
            lines.append(f"deb {where} {name} {component}\n")
    if not lines:
        raise StickError(
            "no-sources",
            f"This machine's apt knows no archive of Debian {suite}. Run “apt-get update”, or name a file with "
            "--sources.",
        )
    return "".join(lines)


def fetch(packages: tuple[str, ...], machine: str, sources: str, into: Path) -> None:
    """Fill ``into`` with ``packages`` and all that they need; does nothing where it holds just these, whole, already.

    Raises ``StickError``.
    """
    asked = into / "asked.txt"
    words = "\n".join(sorted(packages)) + "\n"
    if asked.exists() and asked.read_text(encoding="utf-8") == words and whole(into):
        return
    with tempfile.TemporaryDirectory() as scratch:
        apt = _Apt(Path(scratch), ARCHITECTURES[machine], sources)
        apt.run("update")
        apt.run("install", "--yes", "--download-only", *packages)
        archives = sorted(Path(scratch, "cache", "archives").glob("*.deb"))
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)
        chosen = apt.described(archives)
        for archive in archives:
            shutil.copy2(archive, into / _plain(archive))
    (into / "Packages").write_text(f"{chosen}\n", encoding="utf-8")
    asked.write_text(words, encoding="utf-8")


def whole(folder: Path) -> bool:
    """Whether every package that the archive describes lies there as described: a stick may have been pulled out."""
    try:
        described = (folder / "Packages").read_text(encoding="utf-8")
        files = re.findall(r"(?m)^Filename: \./(.*)$", described)
        digests = re.findall(r"(?m)^SHA256: ([0-9a-f]{64})$", described)
        for name, digest in zip(files, digests, strict=True):
            with (folder / name).open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != digest:
                    return False
    except (OSError, ValueError):
        return False
    return bool(files)


class _Apt:
    """apt with a folder of its own, as if nothing were installed."""

    def __init__(self, folder: Path, architecture: str, sources: str) -> None:
        for name in ("state/lists/partial", "cache/archives/partial", "parts"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        (folder / "sources.list").write_text(sources, encoding="utf-8")
        settings = {
            "Dir::State": folder / "state",
            "Dir::State::status": folder / "status",
            "Dir::Cache": folder / "cache",
            "Dir::Etc::SourceList": folder / "sources.list",
            "Dir::Etc::SourceParts": folder / "parts",
            "APT::Architecture": architecture,
            "APT::Architectures": architecture,
            "APT::Install-Recommends": "0",
            "APT::Sandbox::User": "root",
            "Acquire::Languages": "none",
        }
        self._options = [word for name, value in settings.items() for word in ("--option", f"{name}={value}")]

    def run(self, *words: str) -> str:
        """What apt-get says."""
        return _run(["apt-get", "--quiet", *self._options, *words])

    def described(self, archives: list[Path]) -> str:
        """The archive's own words on the packages that came, hash and all, with the files beside them."""
        names = {}
        for archive in archives:
            name, version, _architecture = archive.stem.split("_")
            names[f"{name}={version.replace('%3a', ':')}"] = _plain(archive)
        told = _run(["apt-cache", *self._options, "show", *names])
        kept: dict[str, str] = {}
        for stanza in filter(str.strip, told.split("\n\n")):
            said = dict(line.split(": ", 1) for line in stanza.splitlines() if re.match(r"^(Package|Version): ", line))
            key = f"{said['Package']}={said['Version']}"
            kept[key] = re.sub(r"(?m)^Filename: .*$", f"Filename: ./{names[key]}", stanza.strip("\n"))
        if kept.keys() != names.keys():
            raise StickError("no-package", f"apt describes {len(kept)} of {len(names)} packages. Try again.")
        return "\n\n".join(kept.values())


def _plain(archive: Path) -> str:
    """A file's name without the epoch, which apt writes with a percent sign: as in Debian's own archive."""
    return re.sub(r"_\d+%3a", "_", archive.name)


def _run(command: list[str]) -> str:
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WITHIN)
    except FileNotFoundError:
        raise StickError("no-apt", f"{command[0]} is not here. Make the stick on a Debian machine.") from None
    except subprocess.TimeoutExpired:
        raise StickError("too-slow", f"{command[0]} took more than {WITHIN:.0f} s. Try again.") from None
    if answer.returncode != 0:
        raise StickError("no-package", f"{command[0]} did not do it: {answer.stderr.strip()[-600:]}")
    return answer.stdout
