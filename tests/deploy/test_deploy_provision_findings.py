"""Each fault of a line is found and said with what to do: files, dates, names, and the broker as it is reached."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from free_ports import free_port
from venue_broker import issued, now, renamed, running, tls_of, venue

from deploy.line import LineFiles
from deploy.line_findings import LineFinding, examine, reach, tell_line
from deploy.provision.authority import Purpose


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    venue(tmp_path / "v")
    return tmp_path / "v"


def found(folder: Path, days: int = 0) -> list[tuple[str, str]]:
    seen = examine(LineFiles(tls_of(folder, "K-01")), "K-01", now() + timedelta(days=days))
    return [(finding.code, finding.says) for finding in seen]


def test_a_fresh_bundle_has_no_fault(hall: Path) -> None:
    assert found(hall) == []
    assert examine(LineFiles(tls_of(hall, "hub")), "hub", now()) == ()
    assert examine(LineFiles(tls_of(hall, "broker")), "broker", now()) == ()


@pytest.mark.parametrize(
    ("days", "code"), [(-740, "not-yet"), (-700, None), (1_000, None), (1_020, "ends-soon"), (1_100, "expired")]
)
def test_dates_are_told_against_the_clock_of_this_machine(hall: Path, days: int, code: str | None) -> None:
    assert [code for code, _ in found(hall, days)] == ([] if code is None else [code])


def _take_away(tls: Path) -> None:
    (tls / "own.key").unlink()


def _damage(tls: Path) -> None:
    (tls / "own.crt").write_bytes(b"half of it")


def _another_boxs(tls: Path) -> None:
    shutil.copytree(tls_of(tls.parents[4], "K-02"), tls, dirs_exist_ok=True)


def _another_key(tls: Path) -> None:
    shutil.copy(tls_of(tls.parents[4], "K-02") / "own.key", tls / "own.key")


def _another_venue(tls: Path) -> None:
    venue(tls.parents[4].with_name("other"))
    shutil.copy(tls_of(tls.parents[4].with_name("other"), "K-01") / "ca.crt", tls / "ca.crt")


def _open_key(tls: Path) -> None:
    (tls / "own.key").chmod(0o644)


@pytest.mark.parametrize(
    ("plant", "code", "says"),
    [
        (_take_away, "missing", "own.key is not there."),
        (_damage, "damaged", "cannot be read."),
        (_another_boxs, "other-name", "is K-02's, not K-01's."),
        (_another_key, "not-together", "is not that of the certificate there."),
        (_another_venue, "other-venue", "is not of the authority beside it."),
        (_open_key, "open-key", "own.key (mode 644)."),
    ],
)
def test_each_planted_fault_is_found_and_named(hall: Path, plant: Callable[[Path], None], code: str, says: str) -> None:
    plant(tls_of(hall, "K-01"))
    ((named, sentence),) = found(hall)
    assert (named, sentence.endswith(says)) == (code, True)


def reached(folder: Path, port: int, host: str = "localhost") -> list[str]:
    seen: tuple[LineFinding, ...] = reach(LineFiles(tls_of(folder, "K-01")), host, port)
    return [finding.code for finding in seen]


def test_the_broker_is_tried_as_a_box_would(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    with running(folder, port):
        assert reached(folder, port) == []
        issued(folder, "K-01", tls_of(folder, "K-01"), Purpose.CLIENT, days=-1)
        assert reached(folder, port) == ["turned-away"]
    assert reached(folder, port) == ["no-answer"]
    assert reached(folder, free_port(), host="no-such-host.example") == ["no-answer"]
    (tls_of(folder, "K-01") / "own.key").unlink()
    assert reached(folder, port) == ["no-certificate"]


def test_a_broker_that_is_not_to_be_trusted_is_told_apart(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    shutil.copytree(tls_of(folder, "K-01"), tmp_path / "kept")
    renamed(folder, "elsewhere.example")
    with running(folder, port):
        assert reached(folder, port) == ["wrong-host"]
    issued(folder, "broker", tls_of(folder, "broker"), Purpose.SERVER, days=-1, hosts=("localhost",))
    with running(folder, port):
        assert reached(folder, port) == ["broker-dates"]
    venue(tmp_path / "other")
    shutil.copytree(tls_of(tmp_path / "other", "broker"), tls_of(folder, "broker"), dirs_exist_ok=True)
    with running(folder, port):
        assert reached(folder, port) == ["stranger"]


def test_what_is_wrong_is_said_at_the_start_with_what_to_do(hall: Path) -> None:
    said: list[str] = []
    tell_line(tls_of(hall, "hub"), "hub", now(), said.append)
    assert said == []
    tell_line(tls_of(hall, "hub"), "hub", now() + timedelta(days=1_020), said.append)
    (sentence,) = said
    assert sentence.startswith("The certificate of hub ends on ")
    assert sentence.endswith("tallybox provision --data FOLDER --renew hub.")
