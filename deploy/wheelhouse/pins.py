"""Which of the pinned packages a part needs: its own dependencies and theirs, with the hashes they are pinned by."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final, cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.errors import StickError

PARTS: Final = {"hub": ("hub", "kiosk"), "kiosk": ("kiosk",)}
"""The extras of pyproject.toml that each part of a venue is installed with: a hub's rehearsal has tables too."""
_GOES_ON: Final = " \\"
"""How a line says that its hashes follow."""
_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==")


def environment(machine: str, python: str) -> dict[str, str]:
    """What a marker is asked about: Linux on ``machine`` (aarch64, x86_64) with CPython ``python`` (such as 3.11)."""
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


def wanted_by(project: Path, part: str) -> list[str]:
    """What ``part``, one of ``PARTS``, asks for in ``project``, the pyproject.toml."""
    table = cast("Mapping[str, object]", tomllib.loads(project.read_text(encoding="utf-8"))["project"])
    extras = cast("Mapping[str, list[str]]", table["optional-dependencies"])
    return [*cast("list[str]", table["dependencies"]), *(text for extra in PARTS[part] for text in extras[extra])]


def needed(wanted: Iterable[str], site: Path, about: Mapping[str, str]) -> set[str]:
    """Names of all that ``wanted`` brings along, as the packages in ``site`` say it of themselves.

    A package that is for another machine is not in ``site``; it counts as one that needs nothing.
    """
    known: dict[str, Distribution] = {
        canonicalize_name(each.metadata["Name"]): each for each in distributions(path=[str(site)])
    }
    waiting = [(Requirement(text), frozenset({""})) for text in wanted]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        asked, extras = waiting.pop()
        if asked.marker is not None and not any(asked.marker.evaluate({**about, "extra": extra}) for extra in extras):
            continue
        key = (str(canonicalize_name(asked.name)), frozenset(asked.extras) or frozenset({""}))
        if key in seen:
            continue
        seen.add(key)
        found = known.get(key[0])
        waiting += [(Requirement(text), key[1]) for text in (found.requires or [] if found is not None else [])]
    return {name for name, _extras in seen}


def pinned(constraints: Path, names: set[str]) -> str:
    """The lines of ``constraints`` that pin ``names``, hashes and all; raises ``StickError`` for one that is not."""
    lines: list[str] = []
    found: set[str] = set()
    keep = False
    for line in constraints.read_text(encoding="utf-8").splitlines():
        pin = _PIN.match(line)
        if pin is not None:
            name = str(canonicalize_name(pin[1]))
            keep = name in names
            found.update({name} & names)
        elif not line.startswith(" "):
            keep = False
        if keep:
            lines.append(line)
    if found != names:
        raise StickError(
            "not-pinned", f"{constraints} does not pin {', '.join(sorted(names - found))}. “make lock” pins anew."
        )
    return "\n".join(lines) + "\n"


def names_of(pins: str, about: Mapping[str, str]) -> list[str]:
    """Names of the pins that are for the machine that ``about`` describes, in order."""
    asked = [Requirement(line.rstrip(_GOES_ON)) for line in pins.splitlines() if _PIN.match(line)]
    return [str(canonicalize_name(each.name)) for each in asked if _is_for(each, about)]


def without_markers(pins: str, about: Mapping[str, str]) -> str:
    """The pins for the machine that ``about`` describes, as they are asked for from a machine of another kind."""
    lines: list[str] = []
    keep = False
    for line in pins.splitlines():
        if _PIN.match(line) is None:
            lines += [line] if keep else []
            continue
        keep = _is_for(Requirement(line.rstrip(_GOES_ON)), about)
        if keep:
            lines.append(line.split(";", 1)[0].rstrip(_GOES_ON) + _GOES_ON)
    return "\n".join(lines) + "\n"


def _is_for(pin: Requirement, about: Mapping[str, str]) -> bool:
    return pin.marker is None or pin.marker.evaluate(dict(about))
