"""Draw the golden pictures of all screens anew, and say which tiles changed (``make goldens``).

A picture within the noise of the one that is kept stays as it is. All are drawn in one process and in one order,
because the letters of SDL's fonts depend a little on what was written before; so the tests draw them the same way:
with a folder as argument all pictures are put there as they are, and nothing is compared.
"""

from __future__ import annotations

import sys
from pathlib import Path

import conftest  # noqa: F401 (opens no window yet: it says how the window is to be)
from PIL import Image


def tell(line: str) -> None:
    """One line for whoever runs this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(folder: Path | None) -> int:
    """Draw, compare, keep."""
    from goldens import FOLDER, GOLDENS, changed_tiles, kept  # noqa: PLC0415 (Kivy opens its window here)
    from pixels_panel import windows  # noqa: PLC0415

    FOLDER.mkdir(exist_ok=True)
    same = 0
    for golden in GOLDENS:
        with windows() as panel:
            picture = golden.picture(panel)
        if folder is not None:
            picture.save(folder / golden.path.name, compress_level=1)
            continue
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
    if folder is not None:
        return 0
    known = {golden.path for golden in GOLDENS}
    for path in sorted(FOLDER.glob("*.png")):
        if path not in known:
            path.unlink()
            tell(f"{path.stem}: gone")
    size = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    tell(f"{len(GOLDENS)} drawn, {same} as they were; all of them take {size / 1e6:.2f} MB.")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
