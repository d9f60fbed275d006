"""What the bridge's tests need of the machine: MicroPython's unix port, and the kiosk's table to sit at."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "kiosk"))  # its `seated` seats people at a real box

_RUNS_HERE = sys.platform == "linux" and platform.machine() == "x86_64"
_REASON = "tests of the firmware left out: MicroPython's unix port is packaged for x86-64 Linux alone"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "micropython: runs the firmware under MicroPython's unix port (x86-64 Linux)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On x86-64 they all run, and fail where the package is missing. Elsewhere there is no package to run them with."""
    if _RUNS_HERE:
        return
    without = [item for item in items if item.get_closest_marker("micropython")]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if item not in without]


def pytest_report_header() -> str | None:
    return None if _RUNS_HERE else _REASON
