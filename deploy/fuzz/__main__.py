"""``python -m deploy.fuzz [SECONDS]``: fuzz the decoders with atheris (deploy/setup/fuzz.txt), ten minutes by default.

Ends with the number of executions; a fault ends it at once, with the bytes in a file in ``build/``.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol, cast

SECONDS: Final = 600
MOST: Final = 4096
"""Bytes of one input: several lines, and one too long."""

PAGE: Final = Path(__file__).parent.parent.parent / "firmware_bridge" / "PROTOCOL.md"
EXAMPLES: Final = re.compile(rb"^\$(\d.*)\*[0-9a-f]{8}$", re.MULTILINE)
"""The frames on the protocol's page, from which the fuzzer begins."""

WORDS: Final = (
    "$", "*", "%", " ", "=", "HELLO", "SCAN", "GONE", "CARDS", "BEAT", "DONE", "WHO", "GREET", "REFUSE", "ACK", "LIGHT",
    "BUZZ", "SNAPSHOT", "proto=1", "id=R", "boot=b", "fw=f", "seats=NESW", "lights=1", "buzzer=0", "ms=0", "seat=N",
    "uid=04A1", "upto=1", "waiting=0", "dropped=0", "down=E", "did=1", "session=s", "why=id", "on=1", "ms=5,5",
)  # fmt: skip
"""What the protocol says, for the fuzzer to put together."""


class Atheris(Protocol):
    """What is used of atheris, which is not installed where the rest is checked."""

    def instrument_imports(self) -> AbstractContextManager[None]:
        """Count the branches of what is imported meanwhile."""

    def Setup(self, argv: list[str], once: Callable[[bytes], None]) -> list[str]:  # noqa: N802 - atheris's name
        """Take libFuzzer's options and the function to call."""

    def Fuzz(self) -> None:  # noqa: N802 - atheris's name
        """Call it until the time is over; ends the process."""


def main(seconds: int) -> None:
    """Fuzz for so many seconds."""
    atheris = cast("Atheris", importlib.import_module("atheris"))
    with atheris.instrument_imports():
        check = cast("Callable[[bytes], int]", importlib.import_module("deploy.fuzz.decoder").check)
    build = Path("build")
    corpus = build / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for at, example in enumerate(EXAMPLES.findall(PAGE.read_bytes())):
        # An odd byte has the CRC mended; the second says how the bytes are cut.
        (corpus / f"example-{at}").write_bytes(b"\x01\xff" + example)
    words = build / "fuzz-words.txt"
    words.write_text("".join(f'"{word}"\n' for word in WORDS), "ascii")

    def once(data: bytes) -> None:
        check(data)

    options = [f"-max_total_time={seconds}", f"-max_len={MOST}", f"-dict={words}", "-artifact_prefix=build/fuzz-"]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(corpus)], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
