"""Every worked example, and every case that we take from faults seen elsewhere, is a test that names its id."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__)

NUMBERS = {
    "AU": (1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18),
    "A": (1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 19, 20, 21, 22, 23, 25, 26, 28, 29, 30, 31, 32, 34),
    "AR": (1, 2, 3),
    "AM": (1, 2, 4),
    "B": (1, 2, 3, 4, 5, 8, 9, 11, 12, 13, 15, 16, 18, 21, 23, 24, 26, 27, 28, 29),
    "BI": (1, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    "E": (1, 2, 4, 5, 7, 8, 9, 12, 13, 14, 15),
    "C": (1, 2, 3, 4, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20),
}
"""The ids of the worked examples; AR, AM and E15 belong to the whole occasion, the others to a table."""

CASES = [*range(1, 14), *range(17, 22), 29, 30, 34]
"""Faults that other scorers were reported to have, by the numbers the tests give them."""


def _tests() -> str:
    paths = (path for folder in ("tallybox", "hub") for path in sorted((HERE.parents[1] / folder).glob("test_*.py")))
    return "\n".join(path.read_text("utf-8") for path in paths if path != HERE)


def test_every_worked_example_is_named_by_a_test() -> None:
    said = _tests()
    assert [
        f"{kind}{number}"
        for kind, numbers in NUMBERS.items()
        for number in numbers
        if not re.search(rf"\b{kind}{number}\b", said)
    ] == []


def test_every_case_seen_elsewhere_is_named_by_a_test() -> None:
    said = _tests()
    assert [case for case in CASES if not re.search(rf"\bcase {case}\b", said)] == []
