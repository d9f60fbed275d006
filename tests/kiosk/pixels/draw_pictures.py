"""Draw the pictures of the guides anew, from the same scenes as the goldens (``make pictures``).

All are drawn in one process and in one order, as the goldens are and for the same reason; with a folder as argument
they are put there instead of into the guides.
"""

from __future__ import annotations

import sys
from pathlib import Path

import conftest  # noqa: F401 (opens no window yet: it says how the window is to be)


def main(folder: Path | None) -> int:
    """Draw each picture and keep it."""
    from guide import PICTURES  # noqa: PLC0415 (Kivy opens its window here)
    from pixels_panel import windows  # noqa: PLC0415

    for picture in PICTURES:
        with windows() as panel:
            path = picture.path if folder is None else folder / picture.path.name
            picture.drawn(panel).save(path, optimize=True)
        sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
