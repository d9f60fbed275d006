"""Wheels for machines of another kind than this one, each checked by its pinned hash; and the project's own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name, parse_wheel_filename

from deploy.errors import StickError
from deploy.wheelhouse.pins import environment, names_of, without_markers

GLIBC: Final = (17, 24, 26, 27, 28, 31, 34, 35, 36)
"""The wheels' platforms up to Debian bookworm's own C library, 2.36."""
WITHIN: Final = 1800.0
"""Seconds that a download may take on a slow line."""
EPOCH: Final = "1704067200"
"""A fixed date in the project's own wheel, so that the same source makes the same bytes."""
ROOMS: Final = ("tallybox", "firmware_bridge", "kiosk", "hub", "deploy")


def download(pins: str, machine: str, python: str, into: Path) -> None:
    """Put a wheel of every pin that ``machine`` needs into ``into``; what is there already, and whole, is kept.

    Raises ``StickError`` when one cannot be had.
    """
    about = environment(machine, python)
    into.mkdir(parents=True, exist_ok=True)
    wanted = set(names_of(pins, about))
    drop_others(into, wanted, pins)
    if wanted <= there(into):
        return
    with tempfile.TemporaryDirectory() as scratch:
        asked = Path(scratch, "pins.txt")
        asked.write_text(without_markers(pins, about), encoding="utf-8")
        platforms = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC]
        platforms += [f"manylinux2014_{machine}", f"linux_{machine}"]
        _pip(
            "download", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--python-version", python,
            "--implementation", "cp", *(word for name in platforms for word in ("--platform", name)),
            "--dest", str(into), "--requirement", str(asked),
        )  # fmt: skip
    still = wanted - there(into)
    if still:
        raise StickError("no-wheel", f"There is no wheel for {machine} of {', '.join(sorted(still))}.")


def there(folder: Path) -> set[str]:
    """Names of the packages whose wheels lie in a folder."""
    return {str(canonicalize_name(parse_wheel_filename(wheel.name)[0])) for wheel in folder.glob("*.whl")}


def drop_others(folder: Path, names: set[str], pins: str) -> None:
    """Remove wheels of these packages that are not the pinned ones: of another version, or cut short on a stick."""
    for wheel in folder.glob("*.whl"):
        if str(canonicalize_name(parse_wheel_filename(wheel.name)[0])) in names:
            with wheel.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if f"sha256:{digest}" not in pins:
                wheel.unlink()


def own_wheel(source: Path, into: Path) -> Path:
    """Make the project's own wheel from ``source``, in a folder of its own so that nothing old slips in.

    Raises ``StickError``.
    """
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, "source")
        copy.mkdir()
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy2(source / name, copy / name)
        for room in ROOMS:
            shutil.copytree(source / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
        made = Path(scratch, "made")
        _pip("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(made), str(copy))
        (wheel,) = made.glob("tallybox-*.whl")
        for old in into.glob("tallybox-*.whl"):
            old.unlink()
        return Path(shutil.copy2(wheel, into / wheel.name))


def pin_of(wheel: Path) -> str:
    """The line that pins a wheel by its own hash."""
    name, version, *_ = parse_wheel_filename(wheel.name)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def _pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=WITHIN,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise StickError("too-slow", f"pip took more than {WITHIN:.0f} s. Try again: what came is kept.") from None
    if answer.returncode != 0:
        said = [line for line in answer.stderr.splitlines() if line.startswith("ERROR")] or [answer.stderr[-600:]]
        raise StickError("no-wheel", f"pip {words[0]} did not do it: {said[-1]}")
