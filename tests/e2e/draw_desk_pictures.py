"""Draw the pictures of the director's guide anew, on the way through a whole evening (``make pictures``)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

GUIDE = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "setup-5-capitol-4": 1000, "draft-one": 1000, "room": 1000, "rule-3": 1000, "clock": 1000, "waiting": 1000,
    "corrected-before": 1000, "sheet-v2": 1000, "standings": 1000, "bracket": 1000, "devices": 1000,
    "documents": 1000, "projector": 1000, "phone": 390,
}  # fmt: skip
"""Pictures of the guide and how wide they are there, in pixels."""
COLOURS = 64


def main() -> int:
    """Go through both evenings and keep what the guide shows."""
    evening = Path(__file__).with_name("test_e2e_director.py")
    with TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", str(evening)], env={**os.environ, "TALLYBOX_SHOTS": folder},
            check=False,
        )  # fmt: skip
        if ran.returncode:
            return ran.returncode
        for name, width in SHOWN.items():
            seen = Image.open(Path(folder) / f"{name}.png").convert("RGB")
            small = seen.resize((width, round(seen.height * width / seen.width)), Image.Resampling.LANCZOS)
            path = GUIDE / f"desk-{name}.png"
            small.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
            sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
