"""IBM Plex Sans Condensed from its installed package: its figures are all of one width without being asked."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Final

from kivy.core.text import Label, LabelBase

from kiosk.theme import Weight

_FAMILIES: Final = {
    "Plex": (Weight.MEDIUM, Weight.BOLD),
    "PlexSemi": (Weight.REGULAR, Weight.SEMI),
}
_FILES: Final = {
    Weight.REGULAR: "Regular",
    Weight.MEDIUM: "Medium",
    Weight.SEMI: "SemiBold",
    Weight.BOLD: "Bold",
}


def register() -> None:
    """Tell Kivy where the four weights are; raises ``ModuleNotFoundError`` without the font package."""
    folder = files("fontpkg_ibm_plex_sans_condensed") / "files"
    for family, (light, strong) in _FAMILIES.items():
        LabelBase.register(
            name=family,
            fn_regular=str(folder / f"IBMPlexSansCondensed-{_FILES[light]}.ttf"),
            fn_bold=str(folder / f"IBMPlexSansCondensed-{_FILES[strong]}.ttf"),
        )


FINE: Final = 2
"""Words are rendered this much larger and drawn smaller: letters then keep their spacing at small sizes."""


def label(words: str, size: int, weight: Weight) -> Label:
    """A label in white, ``FINE`` times as large as it is drawn, to be tinted where it is drawn."""
    family = next(name for name, pair in _FAMILIES.items() if weight in pair)
    bold = weight is _FAMILIES[family][1]
    return Label(
        text=words, font_name=family, bold=bold, font_size=size * FINE, font_hinting="light", font_blended=True
    )


@lru_cache(maxsize=4096)
def extent(words: str, size: int, weight: Weight) -> int:
    """Width of ``words`` in pixels."""
    width: int = label(words, size, weight).get_extents(words)[0]
    return -(-width // FINE)
