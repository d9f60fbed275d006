"""Leaves the firmware's tests out where they cannot run, and says so: MicroPython is packaged for x86-64 Linux alone.

A test module that runs the firmware names this as its pytest plug-in. On x86-64 Linux every such test runs, and fails
where the package is missing.
"""

from __future__ import annotations

import platform
import sys

import pytest

_RUNS_HERE = sys.platform == "linux" and platform.machine() == "x86_64"
_REASON = "The firmware's tests were left out: MicroPython's unix port is packaged for x86-64 Linux alone."


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _RUNS_HERE:
        return
    without = [item for item in items if isinstance(item, pytest.Function) and _runs_firmware(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if item not in without]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _RUNS_HERE:
        terminalreporter.write_line(_REASON)


def _runs_firmware(item: pytest.Function) -> bool:
    return "micropython_here" in getattr(item.module, "pytest_plugins", ())
