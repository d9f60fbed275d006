"""Writes the drawings anew: ``python -m deploy.wiring``."""

from __future__ import annotations

from pathlib import Path

from deploy.wiring.drawing import drawing
from deploy.wiring.pinout import box_board, reader_board

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def drawings() -> dict[str, str]:
    """Every drawing by its file's name."""
    return {"wiring-box.svg": drawing(box_board()), "wiring-reader.svg": drawing(reader_board())}


if __name__ == "__main__":
    for name, text in drawings().items():
        (PICTURES / name).write_text(text, encoding="utf-8")
