"""Finding a box by its name, or by what the code on its screen holds (“Tallybox K-07 key 3f9a1c2290de77b1”)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

LONGEST_CODE: Final = 120
"""Characters of what is looked for; a box's code has half as many."""
_CODE: Final = re.compile(r"^\s*Tallybox\s+(?P<box>[A-Za-z0-9_-]{1,32})\s+key\s+(?P<key>[0-9a-f]{8,64})\s*$")


@dataclass(frozen=True, slots=True)
class Found:
    """The box that is meant, or why there is none."""

    box: str = ""
    why: str = ""


def find(known: Sequence[str], key_of: Callable[[str], str | None], sought: str) -> Found:
    """The box among ``known`` whose name or code ``sought`` is; ``key_of`` gives the public key of one."""
    code = _CODE.match(sought)
    name = sought if code is None else code["box"]
    box = next((each for each in known if each.lower() == name.lower()), None)
    if box is None:
        shown = name[:32]
        return Found(why=f"This hub knows no box {shown}. A new box is made with “tallybox provision --add 1”.")
    if code is not None and not (key_of(box) or "").startswith(code["key"]):
        return Found(
            why=f"The box that shows this code calls itself {box}, and its key is not that of this venue's {box}. "
            "Give it a bundle of this venue before it gets a table."
        )
    return Found(box)
