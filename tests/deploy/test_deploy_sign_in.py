"""``tallybox hub --sign-in``: the first director's code lies in the hub's folder and reaches no output."""

from __future__ import annotations

import re
import secrets
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx

from deploy.room import make_room


def test_first_start_says_where_the_code_lies_and_never_what_it_is(tmp_path: Path) -> None:
    make_room(tmp_path, boxes=1, random_bytes=secrets.token_bytes)
    words = ["hub", "--data", str(tmp_path), "--sign-in", "--port", "0", "--log", "text"]
    command = [sys.executable, "-m", "deploy.cli", *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines: list[str] = []
    assert running.stderr is not None
    with closing(running.stderr) as told:
        while not (lines and lines[-1].startswith("Nobody can sign in yet.")):
            lines.append(told.readline())
            assert lines[-1], lines
        code = (tmp_path / "hub" / "set-up-code").read_text().strip()
        address = re.search(r"http://\S+/sign-in/first", lines[-1])
        assert address is not None
        page = httpx.get(address[0], timeout=20)
        running.send_signal(signal.SIGTERM)
        lines += told.readlines()
    assert running.stdout is not None
    printed = running.stdout.read() + "".join(lines) + page.text
    running.stdout.close()
    assert (running.wait(20), page.status_code) == (0, 200)
    assert str(tmp_path / "hub" / "set-up-code") in lines[-1] or any("set-up-code" in line for line in lines)
    assert code not in printed
    assert code.replace("-", "") not in printed
