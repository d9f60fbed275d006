"""Draw the pictures of the guides anew, from the same scenes as the goldens (``make pictures``)."""

from __future__ import annotations

import sys

import conftest  # noqa: F401 (opens no window yet: it says how the window is to be)


def main() -> int:
    """Draw each picture and keep it."""
    from guide import PICTURES  # noqa: PLC0415 (Kivy opens its window here)
    from pixels_panel import windows  # noqa: PLC0415

    for picture in PICTURES:
        with windows() as panel:
            picture.drawn(panel).save(picture.path, optimize=True)
        sys.stdout.write(f"{picture.path.name}: {picture.path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
