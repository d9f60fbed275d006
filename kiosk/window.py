"""Window and input settings, all in one place: what Kivy must be told before it opens its window."""

from __future__ import annotations

import os
from typing import Final

_QUIET: Final = {
    "KIVY_NO_ARGS": "1",
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_CONSOLELOG": "1",
    "KIVY_NO_FILELOG": "1",
    "KIVY_LOG_MODE": "PYTHON",
    "KIVY_METRICS_DENSITY": "1",
    "SDL_TOUCH_MOUSE_EVENTS": "0",
}


def prepare(width: int, height: int, *, fullscreen: bool) -> None:
    """Set size, sampling, keys and the one touch source. Call before anything else of Kivy is imported.

    Multisampling stays off (shapes carry their own soft edges), escape never closes a table's box, and each finger
    arrives once: the window reports fingers and the mouse itself, so no device is read beside it, and a finger is
    not reported as a mouse a second time.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    from kivy.config import Config  # noqa: PLC0415 (Kivy reads the environment while it is imported)

    settings = {
        ("graphics", "width"): str(width),
        ("graphics", "height"): str(height),
        ("graphics", "fullscreen"): "1" if fullscreen else "0",
        ("graphics", "borderless"): "1" if fullscreen else "0",
        ("graphics", "resizable"): "0",
        ("graphics", "multisamples"): "0",
        ("graphics", "maxfps"): "60",
        ("graphics", "show_cursor"): "0" if fullscreen else "1",
        ("kivy", "exit_on_escape"): "0",
        ("kivy", "pause_on_minimize"): "0",
    }
    for (section, key), value in settings.items():
        Config.set(section, key, value)
    for source in list(dict(Config.items("input"))):
        Config.remove_option("input", source)
    Config.set("input", "mouse", "mouse,disable_multitouch")
