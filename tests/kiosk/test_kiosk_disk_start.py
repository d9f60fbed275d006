"""A box whose journal cannot be used when it starts: words on its screen, and no loop, no traceback, no new file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from failing_disk import SmallDisk
from waiting import until

from deploy.commands.kiosk import arguments
from deploy.room import make_room
from deploy.table_service import ScreenedTable
from kiosk.box import Box
from kiosk.disk import Disk
from kiosk.no_box import NoBox


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "small", 2048)
    yield made
    made.unmount()


@pytest.fixture
def folder(small: SmallDisk) -> Path:
    make_room(small.folder / "room", venue="e2e", boxes=1, host="127.0.0.1", port=1, random_bytes=os.urandom)
    return small.folder / "room"


def started(folder: Path) -> ScreenedTable:
    parser = argparse.ArgumentParser()
    arguments(parser)
    return ScreenedTable(parser.parse_args(["--data", str(folder), "--pins", "none"]))


def journal_of(folder: Path) -> Path:
    return next((folder / "kiosks").iterdir()) / "journal.sqlite"


def test_a_damaged_journal_is_told_on_the_screen_and_left_as_it_is(folder: Path) -> None:
    path = journal_of(folder)
    path.write_bytes(b"no journal at all, whatever it once was " * 200)
    before = path.read_bytes()
    shown = started(folder)
    try:
        assert isinstance(shown.shown, NoBox)
        said = [missing.says for missing in shown.survey().missing]
        assert len(said) == 1
        assert "is damaged (file is not a database)" in said[0]
        assert "The director can give this table another box" in said[0]
        assert path.read_bytes() == before
    finally:
        shown.stop()


def test_a_box_that_starts_on_a_disk_it_may_only_read_shows_its_table(folder: Path, small: SmallDisk) -> None:
    first = started(folder)
    assert isinstance(first.shown, Box)
    first.stop()
    small.read_only()
    shown = started(folder)
    try:
        assert isinstance(shown.shown, Box)
        assert shown.shown.view.disk.state is Disk.READ_ONLY
        small.writable()
        until(lambda: isinstance(shown.shown, Box) and shown.shown.view.disk.keeps)
    finally:
        shown.stop()
