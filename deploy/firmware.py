"""Checking the card reader's firmware without a Pico: its types against the Pico's stubs, its compilation by mpy-cross.

``python -m deploy.firmware`` does both and leaves the compiled files in ``build/firmware``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Final

from firmware_bridge import firmware
from tallybox.errors import TallyboxError

HERE: Final = Path(firmware.__file__).parent
STUBS: Final = Path("build/pico-stubs")
COMPILED: Final = Path("build/firmware")
STUB_PACKAGES: Final = ("micropython-rp2-rpi-pico-stubs", "micropython-stdlib-stubs")
PATIENCE: Final = 120
"""Seconds a checker or compiler may take."""


class FirmwareError(TallyboxError):
    """The firmware cannot be checked or compiled here."""


def bring_stubs(to: Path = STUBS) -> None:
    """Copy the Pico's stubs where a type checker takes them before CPython's own. Raises ``FirmwareError``."""
    for package in STUB_PACKAGES:
        try:
            listed = files(package) or []
        except PackageNotFoundError:
            raise FirmwareError("stubs", f"{package} is not installed. Run “make setup”, then try again.") from None
        for file in listed:
            if file.suffix == ".pyi" and ".." not in file.parts:
                target = to / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), target)


def check_types(config: Path = HERE / "mypy.ini") -> int:
    """Run mypy on the firmware as a Pico sees it; its exit code."""
    bring_stubs()
    return _run([sys.executable, "-m", "mypy", "--config-file", str(config)])


def compile_all(to: Path = COMPILED) -> list[Path]:
    """Compile every file of the firmware for the Pico; where they are. Raises ``FirmwareError`` when one does not."""
    made = []
    for source in sorted(HERE.glob("card_reader/*.py")):
        target = to / "card_reader" / source.with_suffix(".mpy").name
        target.parent.mkdir(parents=True, exist_ok=True)
        if _run([str(Path(sys.executable).with_name("mpy-cross")), "-march=armv6m", "-o", str(target), str(source)]):
            raise FirmwareError("firmware", f"{source.name} does not compile for the Pico. Its fault stands above.")
        made.append(target)
    return made


def main() -> int:
    """Check and compile; 0 when both succeed."""
    code = check_types()
    compiled = compile_all()
    print(f"{len(compiled)} files, {sum(file.stat().st_size for file in compiled)} bytes in {COMPILED}")
    return code


def _run(words: Sequence[str]) -> int:
    return subprocess.run(words, check=False, timeout=PATIENCE).returncode


if __name__ == "__main__":
    raise SystemExit(main())
