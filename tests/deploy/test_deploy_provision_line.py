"""Both ends of the line on the real mosquitto: what they say of one that is not to be trusted, or allows too much."""

from __future__ import annotations

import shutil
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from venue_broker import issued, renamed, running, tls_of, venue
from venue_line import QUICK, Table, at_the_desk
from waiting import until

from deploy.line import LineFiles
from deploy.mosquitto.permissions import permissions
from deploy.provision.authority import Purpose
from hub.line.ingest import ONE_FOR_ANOTHER
from hub.line.ingest import TURNED_AWAY as TURNED_AWAY_HUB
from kiosk.link.self_test import TOO_MUCH
from kiosk.link.trust import NOT_TODAY, OTHER_NAME, STRANGER, TURNED_AWAY
from kiosk.link.uplink import connect_to
from kiosk.view import LINKED, LinkStatus, LinkView
from tallybox.topics import Topics


@contextmanager
def linked(port: int, tls: ssl.SSLContext) -> Iterator[Table]:
    """A box's link to the broker on this machine."""
    table = Table()
    link = connect_to("hall", "localhost", port, box="K-01", timing=QUICK, tls=tls)(table)
    link.start()
    try:
        yield table
    finally:
        link.stop()


def of_box(folder: Path) -> ssl.SSLContext:
    return LineFiles(tls_of(folder, "K-01")).context()


def test_box_and_hub_find_each_other_and_the_permissions_hold(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    with running(folder, port), at_the_desk(folder) as hub, linked(port, of_box(folder)) as table:
        until(lambda: LINKED in table.links and hub.presence.get("K-01"))
        until(lambda: table.samples)  # the hub answers this box's pings
        time.sleep(1)
        assert (table.strange, hub.trouble, hub.sends_pins) == ([], None, True)
        assert hub.quarantine == ()


def write_permissions(folder: Path, text: str) -> None:
    (folder / "broker" / "permissions.acl").write_text(text)


def test_a_broker_that_goes_by_no_permissions_is_noticed_at_birth_at_table_and_desk(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    write_permissions(folder, "pattern readwrite #\n")
    with running(folder, port), at_the_desk(folder) as hub, linked(port, of_box(folder)) as table:
        until(lambda: hub.connected and LINKED in table.links)
        until(lambda: table.strange and hub.trouble)
        assert set(table.strange) == {TOO_MUCH}
        assert hub.trouble == ONE_FOR_ANOTHER


@pytest.mark.parametrize(
    ("too_much", "table_says", "hub_says"),
    [
        ("topic write tallybox/v1/hall/kiosk/+/ping", False, True),
        ("topic write tallybox/v1/hall/kiosk/K-01/#", True, False),
        ("topic read tallybox/v1/hall/kiosk/K-01/#", True, False),
    ],
)
def test_each_permission_too_many_is_noticed(tmp_path: Path, too_much: str, table_says: bool, hub_says: bool) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    right = permissions(Topics("hall"), ["K-02", "K-01"], hub="hub")
    write_permissions(folder, right.replace("user K-01\n", f"user K-01\n{too_much}\n"))
    with running(folder, port), at_the_desk(folder) as hub:
        until(lambda: hub.connected)
        with linked(port, of_box(folder)) as table:
            until(lambda: LINKED in table.links)
            until(lambda: bool(table.strange) >= table_says and (hub.trouble is not None) >= hub_says)
            assert set(table.strange) == ({TOO_MUCH} if table_says else set())
            assert hub.trouble == (ONE_FOR_ANOTHER if hub_says else None)


def test_a_fault_that_was_mended_is_no_longer_said_once_the_line_is_new(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    right = (folder / "broker" / "permissions.acl").read_text()
    write_permissions(folder, "pattern readwrite #\n")
    with at_the_desk(folder) as hub, linked(port, of_box(folder)) as table:
        with running(folder, port):
            until(lambda: hub.trouble == ONE_FOR_ANOTHER)
        write_permissions(folder, right)
        with running(folder, port):
            until(lambda: hub.connected and hub.trouble is None)
            told = len(table.strange)
            until(lambda: table.links[-1] == LINKED)
            time.sleep(0.5)
            assert (len(table.strange), hub.trouble) == (told, None)


def _renamed(folder: Path) -> None:
    renamed(folder, "elsewhere.example")


def _broker_ran_out(folder: Path) -> None:
    issued(folder, "broker", tls_of(folder, "broker"), Purpose.SERVER, days=-1, hosts=("localhost", "127.0.0.1"))


def _stranger(folder: Path) -> None:
    venue(folder.with_name("other"))
    shutil.copytree(tls_of(folder.with_name("other"), "broker"), tls_of(folder, "broker"), dirs_exist_ok=True)


def _box_in_the_middle(folder: Path) -> None:
    """A box's key in the broker's place: it is of the venue, and no broker's."""
    for name in ("own.crt", "own.key"):
        shutil.copy(tls_of(folder, "K-02") / name, tls_of(folder, "broker") / name)


def _own_ran_out(folder: Path) -> None:
    issued(folder, "K-01", tls_of(folder, "K-01"), Purpose.CLIENT, days=-1)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (_renamed, OTHER_NAME),
        (_broker_ran_out, NOT_TODAY),
        (_stranger, STRANGER),
        (_box_in_the_middle, STRANGER),
        (_own_ran_out, TURNED_AWAY),
    ],
)
def test_a_line_without_trust_is_said_at_the_table_and_carries_nothing(
    tmp_path: Path, fault: Callable[[Path], None], sentence: str
) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    trusts = LineFiles(tls_of(folder, "K-01"))
    fault(folder)
    with running(folder, port), linked(port, trusts.context()) as table:
        until(lambda: table.links and table.links[-1] == LinkView(LinkStatus.NO_HUB, sentence))
        assert LINKED not in table.links


def test_a_hub_that_does_not_trust_the_broker_tells_the_director(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    good = tls_of(folder, "broker")
    shutil.copytree(good, tmp_path / "good")
    _broker_ran_out(folder)
    with at_the_desk(folder) as hub:
        with running(folder, port):
            until(lambda: hub.trouble)
            assert hub.trouble is not None
            assert "does not trust what answers as the broker (certificate has expired)" in hub.trouble
        shutil.copytree(tmp_path / "good", good, dirs_exist_ok=True)
        with running(folder, port):
            until(lambda: hub.connected and hub.trouble is None)


def test_a_hub_whose_own_certificate_ran_out_tells_the_director_how_to_renew_it(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    issued(folder, "hub", tls_of(folder, "hub"), Purpose.CLIENT, days=-1)
    with running(folder, port), at_the_desk(folder) as hub:
        until(lambda: hub.trouble)
        assert hub.trouble == TURNED_AWAY_HUB
        assert not hub.connected


def test_a_plain_line_is_not_spoken_to_a_venue_with_certificates(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port = venue(folder)
    table = Table()
    link = connect_to("hall", "localhost", port, box="K-01", timing=QUICK)(table)
    with running(folder, port):
        link.start()
        time.sleep(1)
        link.stop()
    assert LINKED not in table.links
