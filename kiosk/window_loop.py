"""What other threads may ask of the window's loop: a frame really drawn, and its end."""

from __future__ import annotations

from collections.abc import Callable

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window


def next_frame(drawn: Callable[[], None]) -> None:
    """Have one frame drawn although nothing changed, and call ``drawn`` in the window's thread once it is shown.

    Never called when the loop does not go round any more: whoever asks waits with a bound.
    """

    def ask(_elapsed: float) -> None:
        Window.bind(on_flip=shown)
        Window.canvas.ask_update()

    def shown(_window: object) -> None:
        Window.unbind(on_flip=shown)
        drawn()

    Clock.schedule_once(ask, 0)


def end() -> None:
    """Close the app that is running, at the loop's next turn."""

    def stop(_elapsed: float) -> None:
        app = App.get_running_app()
        if app is not None:
            app.stop()

    Clock.schedule_once(stop, 0)
