"""The score of the last mutation run, strictly: whatever was not killed survived, and each survivor is explained.

``mutmut run`` leaves its verdicts beside the mutants. A time-out, a suspicious end and a mutant without a test count as
survivors. The run fails below the wanted score, or when docs/mutants.md does not name a survivor.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

WANTED: Final = 95.0
"""Percent of the mutants that the tests must notice."""

KILLED: Final = frozenset({1, 3})
"""Exit codes of pytest with a failing test, or with a module that breaks."""

ROOT: Final = Path(__file__).parents[2]


def verdicts(folder: Path) -> Iterator[tuple[str, int | None]]:
    """Every mutant by name, with the exit code of its tests; ``None``: not tried."""
    for path in sorted(folder.rglob("*.meta")):
        yield from json.loads(path.read_text("utf-8"))["exit_code_by_key"].items()


def main() -> int:
    """Print the figures and the survivors; the exit code."""
    found = dict(verdicts(ROOT / "mutants" / "tallybox" / "rules"))
    survivors = [name for name, code in found.items() if code not in KILLED]
    if not found:
        print("No mutants are here yet. Run “make mutants”.")
        return 1
    score = 100 * (len(found) - len(survivors)) / len(found)
    print(f"{len(found)} mutants, {len(found) - len(survivors)} killed, {len(survivors)} survived: {score:.2f} %")
    explained = (ROOT / "docs" / "mutants.md").read_text("utf-8")
    unexplained = [name for name in survivors if f"`{name.removeprefix('tallybox.rules.')}`" not in explained]
    for name in unexplained:
        print(f"Not explained in docs/mutants.md: {name} (exit code {found[name]})")
    return 0 if score >= WANTED and not unexplained else 1


if __name__ == "__main__":
    sys.exit(main())
