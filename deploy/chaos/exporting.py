"""The ledger of a room that has come to rest, as the product itself hands it on and checks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from tallybox.ledger_line import LedgerLine, decode_line

COMMAND_SECONDS: Final = 300.0


def exported(room: Path) -> tuple[list[LedgerLine], list[str]]:
    """What ``tallybox export`` writes, and what ``tallybox verify`` finds in it with the keys kept apart, in words."""
    ledger, keys = room / "ledger.ndjson", room / "keys.json"
    for words, target in ((["export"], ledger), (["export", "--keys"], keys)):
        done = _command([*words, "--data", str(room)])
        if done.returncode != 0:
            return [], [f"“tallybox {' '.join(words)}” does not end well: {done.stderr.decode()[-400:]}"]
        target.write_bytes(done.stdout)
    found = []
    done = _command(["verify", str(ledger), "--trust", str(keys)])
    if done.returncode != 0:
        found.append(f"“tallybox verify” finds: {(done.stdout or done.stderr).decode()[:2000]}")
    return [decode_line(text) for text in ledger.read_bytes().splitlines()], found


def _command(words: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "deploy.cli", *words], capture_output=True, timeout=COMMAND_SECONDS, check=False
    )
