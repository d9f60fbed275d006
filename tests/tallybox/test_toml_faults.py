"""A settings file that cannot be read is said in our own words, whoever reads it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from deploy.cli import main
from tallybox.toml_faults import toml_fault, toml_place


@pytest.mark.parametrize(
    ("text", "fault", "place"),
    [
        (b"venue = hall", "it goes wrong at line 1, column 9", "line 1, column 9"),
        (b"venue = ", "it goes wrong at its end", None),
        (b"a = 1\na = 2\nb = 3", "a key stands twice at line 2, column 6", "line 2, column 6"),
        (b"venue = '\xff'", "it is not UTF-8 text", None),
        (b"port = " + b"9" * 5_000, "a number in it has thousands of digits", None),
        (b"port = " + b"[" * 5_000, "its lists stand too deep in each other", None),
    ],
)
def test_each_fault_has_its_words_and_its_place(text: bytes, fault: str, place: str | None) -> None:
    with pytest.raises((ValueError, RecursionError)) as found:
        tomllib.loads(text.decode())
    assert (toml_fault(found.value), toml_place(found.value)) == (fault, place)


def test_a_rooms_settings_that_cannot_be_read_are_said_without_the_librarys_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (b"venue = 'caf\xe9'", b"venue = hall"):
        (tmp_path / "venue.toml").write_bytes(text)
        assert main(["export", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.count("Mend it there.") for line in said] == [1, 1]
    assert ["codec" in line or "nvalid" in line for line in said] == [False, False]
