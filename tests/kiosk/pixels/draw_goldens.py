"""Draw the golden pictures of all screens anew, and say which tiles changed (``make goldens``).

Names given as arguments, such as ``k07``, draw those alone. A picture within the noise of the one that is kept stays
as it is.
"""

from __future__ import annotations

import sys

import conftest  # noqa: F401 (opens no window yet: it says how the window is to be)


def tell(line: str) -> None:
    """One line for whoever runs this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(wanted: list[str]) -> int:
    """Draw, compare, keep."""
    from goldens import FOLDER, GOLDENS, changed_tiles, kept  # noqa: PLC0415 (Kivy opens its window here)
    from PIL import Image  # noqa: PLC0415
    from pixels_panel import windows  # noqa: PLC0415

    FOLDER.mkdir(exist_ok=True)
    drawn = same = 0
    for golden in GOLDENS:
        if wanted and not any(golden.name.startswith(name) for name in wanted):
            continue
        with windows() as panel:
            picture = golden.picture(panel)
        drawn += 1
        if golden.path.exists():
            with Image.open(golden.path) as before:
                tiles = changed_tiles(before, picture)
            if not tiles:
                same += 1
                continue
            tell(f"{golden.name}: {len(tiles)} tiles changed: {' '.join(f'{x},{y}' for x, y in tiles[:12])}")
        else:
            tell(f"{golden.name}: new")
        kept(picture, golden.size).save(golden.path, optimize=True)
    known = {golden.path for golden in GOLDENS}
    for path in sorted(FOLDER.glob("*.png")):
        if path not in known:
            path.unlink()
            tell(f"{path.stem}: gone")
    size = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    tell(f"{drawn} drawn, {same} as they were; all of them take {size / 1e6:.2f} MB.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
