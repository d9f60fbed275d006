"""What is wrong with a settings file, in our own words: the library's name its parts, and blame."""

from __future__ import annotations

import re
import tomllib


def toml_fault(reason: Exception) -> str:
    """The rest of a sentence that began with the file's name, such as “it goes wrong at line 3, column 8”.

    ``reason`` is what reading and parsing raised: ``UnicodeDecodeError``, ``TOMLDecodeError``, ``RecursionError``, or
    ``ValueError`` for a number of more digits than Python reads.
    """
    match reason:
        case UnicodeDecodeError():
            return "it is not UTF-8 text"
        case tomllib.TOMLDecodeError():
            problem = "a key stands twice" if re.search("overwrite|twice|mutate", str(reason)) else "it goes wrong"
            return f"{problem} at {toml_place(reason) or 'its end'}"
        case RecursionError():
            return "its lists stand too deep in each other"
        case _:
            return "a number in it has thousands of digits"


def toml_place(reason: Exception) -> str | None:
    """Line and column that a fault names; ``None`` at the end of the text."""
    found = re.search(r"line \d+, column \d+", str(reason))
    return found[0] if found else None
