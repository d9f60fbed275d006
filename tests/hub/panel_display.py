"""An X display of exactly the panel's size, for tests in which a program opens its window for real."""

from __future__ import annotations

import os
import subprocess


class PanelDisplay:
    """Xvfb without a window manager. ``name``: the display, such as ``:7``."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x480x24", "-nolisten", "tcp"],
            pass_fds=(writing,), stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            self.name = f":{told.readline().strip()}"

    @property
    def environment(self) -> dict[str, str]:
        """What leads a program to it."""
        # A worker that drew pixels before has told Kivy to draw nowhere; a window here is to be seen.
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("KIVY", "SDL"))}
        return {**plain, "DISPLAY": self.name}

    def close(self) -> None:
        """Take it away; whoever draws on it has ended."""
        self._server.terminate()
        self._server.wait(20)
