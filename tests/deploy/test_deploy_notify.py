"""What a service says to its service manager, heard on a real datagram socket."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from service_manager import listening

from deploy import notify


def test_every_word_reaches_whoever_listens_at_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(tmp_path / "notify") as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        assert notify.heard()
        notify.ready()
        notify.status("Dashboard: http://127.0.0.1:8080/")
        notify.alive()
        notify.stopping()
        assert manager.listen(0) == [
            "READY=1",
            "STATUS=Dashboard: http://127.0.0.1:8080/",
            "WATCHDOG=1",
            "STOPPING=1",
        ]


def test_an_abstract_name_is_reached_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(f"@tallybox-{os.getpid()}") as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        notify.alive()
        assert manager.listen(0) == ["WATCHDOG=1"]


def test_a_status_cannot_smuggle_in_another_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(tmp_path / "notify") as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        notify.status("up\nWATCHDOG=1\r\n" + "é" * 500)
        (said,) = manager.listen(0)
    assert said == f"STATUS={('up WATCHDOG=1 ' + 'é' * 500)[: notify.STATUS_LENGTH]}"


@pytest.mark.parametrize("where", [None, "", "not-a-path", "/nobody/listens/here", "@tallybox-nobody", "/" + "x" * 300])
def test_nobody_who_listens_is_no_trouble(where: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if where is None:
        monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    else:
        monkeypatch.setenv("NOTIFY_SOCKET", where)
    for say in (notify.ready, notify.alive, notify.stopping, lambda: notify.status("up")):
        say()


def test_a_service_manager_that_does_not_read_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(tmp_path / "notify") as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        most = 3_000
        began = time.monotonic()
        for _ in range(most):
            notify.alive()
            if time.monotonic() - began > 0.4:
                break  # its queue is full: this one was waited for, and not for long
        assert time.monotonic() - began < 10
        assert 0 < len(manager.listen(0)) < most


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [
        ("30000000", None, 30.0),
        ("30000000", "own", 30.0),
        ("1500000", "", 1.5),
        ("30000000", "1", None),
        ("0", None, None),
        ("-5", None, None),
        ("soon", None, None),
        (None, None, None),
    ],
)
def test_the_watchdogs_time_is_this_processs_own(
    usec: str | None, pid: str | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WATCHDOG_USEC", usec), ("WATCHDOG_PID", str(os.getpid()) if pid == "own" else pid)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert notify.watchdog_seconds() == seconds
