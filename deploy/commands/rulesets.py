"""Finding a ruleset by name or by path, with the rulesets it extends."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from deploy.commands.inputs import read_text
from tallybox.errors import RulesetError, shown
from tallybox.rules.ruleset import BUILTIN_NAMES, LARGEST_TOML, Ruleset, builtin, parse_ruleset

_MOST_FILES: Final = 20
"""Files that may extend one another; a club's rules stand on one or two."""


def find_ruleset(name: str, beside: Path, trail: tuple[Path, ...] = ()) -> Ruleset:
    """A built-in ruleset, or a file; a relative path is looked up ``beside`` the file that names it, then here.

    Raises ``RulesetError`` (codes ``unknown-ruleset``, ``ruleset-circle`` and those of the file) and ``InputError``.
    """
    if name in BUILTIN_NAMES:
        return builtin(name)
    path = next((place for place in (beside / name, Path(name)) if _is_file(place)), None)
    if path is None:
        known = ", ".join(BUILTIN_NAMES)
        message = f"There is no ruleset “{shown(name)}” and no such file. Use {known}, or a path."
        raise RulesetError("unknown-ruleset", message, where="ruleset")
    path = path.resolve()
    if path in trail:
        message = f"{path.name} extends itself, by way of {_files(len(trail))}. Let one of them stand alone."
        raise RulesetError("ruleset-circle", message, where=f"{path.name}: extends")
    if len(trail) == _MOST_FILES:
        message = f"{trail[0].name} extends more than {_MOST_FILES} files, one after the other. Write them as one file."
        raise RulesetError("ruleset-circle", message, where=f"{path.name}: extends")
    text = read_text(str(path), LARGEST_TOML)
    return parse_ruleset(text, path.name, lambda parent: find_ruleset(parent, path.parent, (*trail, path)))


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
