"""A venue made in one go: what is made, with which modes, what twice changes, and what is refused in words."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from deploy.cli import main
from deploy.errors import ProvisionError, RoomError
from deploy.line import LineFiles
from deploy.provision.authority import Purpose, issue, new_authority, withdrawn_list
from deploy.provision.venue import Asked, opened_venue
from deploy.room import make_room, open_room, read_key

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ASKED = Asked(venue="hall", hosts=("hub.local", "192.0.2.7"), boxes=2)


def provisioned(folder: Path, *words: str) -> dict[str, Any]:
    """The command in a process of its own; what it answers."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "provision", "--data", str(folder), *words],
        check=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(done.stdout)
    answer["said"] = done.stderr.splitlines()
    return answer


def made(folder: Path, asked: Asked = ASKED, now: datetime = NOW) -> list[str]:
    with opened_venue(folder, asked, now=now, random_bytes=os.urandom) as venue:
        venue.complete()
        return venue.said


def renewed(folder: Path, name: str, hosts: tuple[str, ...] = (), now: datetime = NOW) -> list[str]:
    with opened_venue(folder, Asked(), now=now, random_bytes=os.urandom) as venue:
        venue.renew(name, hosts)
        return venue.said


def revoked(folder: Path, name: str) -> list[str]:
    with opened_venue(folder, Asked(), now=NOW, random_bytes=os.urandom) as venue:
        venue.revoke(name)
        return venue.said


def added(folder: Path, boxes: int) -> list[str]:
    with opened_venue(folder, Asked(), now=NOW, random_bytes=os.urandom) as venue:
        venue.add(boxes)
        return venue.said


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def secrets_of(folder: Path) -> list[str]:
    """The bodies of every key in a venue, as they would stand in a text."""
    keys = [path.read_text() for path in folder.rglob("*.key")]
    assert len(keys) > 3
    return [re.sub(r"-----[A-Z ]+-----|\s", "", key)[:60] for key in keys]


def test_a_venue_is_made_in_one_go_and_twice_changes_nothing(tmp_path: Path) -> None:
    words = ("--venue", "hall", "--hub-host", "hub.local", "--kiosks", "3")
    first = provisioned(tmp_path / "v", *words)
    before = contents(tmp_path / "v")
    second = provisioned(tmp_path / "v", *words)
    assert (first["changed"], second["changed"]) == (True, False)
    assert second["said"] == ["Everything is there already; nothing was changed."]
    assert contents(tmp_path / "v") == before
    assert list(first["kiosks"]) == ["K-01", "K-02", "K-03"]
    assert {name: box["key"] for name, box in first["kiosks"].items()} == open_room(tmp_path / "v").known_kiosks()


def test_every_secret_is_for_its_owner_alone_from_its_first_byte(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        made(tmp_path / "v")
    finally:
        os.umask(old)
    open_files = {"venue.toml", "hub/kiosks.toml", "authority/ca.crt"}
    modes = {str(path.relative_to(tmp_path / "v")): path.stat().st_mode & 0o777 for path in (tmp_path / "v").rglob("*")}
    wide = {name for name, mode in modes.items() if mode & 0o077 and not (tmp_path / "v" / name).is_dir()}
    assert wide == open_files
    assert {modes[name] for name in ("authority", "hub", "hub/tls", "broker", "bundles", "bundles/K-01")} == {0o700}
    assert {mode for name, mode in modes.items() if name.endswith(".key")} == {0o600}


def test_no_secret_is_printed_or_logged(tmp_path: Path) -> None:
    words = ("--venue", "hall", "--hub-host", "hub.local", "--kiosks", "2")
    told = [provisioned(tmp_path / "v", *words), provisioned(tmp_path / "v", "--renew", "K-01")]
    printed = json.dumps(told)
    assert [secret for secret in secrets_of(tmp_path / "v") if secret in printed] == []


def test_a_bundle_is_a_room_with_one_box_in_it(tmp_path: Path) -> None:
    made(tmp_path / "v")
    room = open_room(tmp_path / "v" / "bundles" / "K-02")
    assert (room.venue, room.broker_host, room.broker_port, room.tls) == ("hall", "hub.local", 8883, True)
    key = read_key(room.kiosk_folder("K-02") / "box.key")
    assert open_room(tmp_path / "v").known_kiosks()["K-02"] == key.public
    line = room.kiosk_line("K-02")
    assert line is not None
    assert (line.verify_mode, line.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert line.minimum_version is ssl.TLSVersion.TLSv1_2
    shipped = contents(tmp_path / "v" / "bundles" / "K-02")
    assert sorted(shipped) == [
        "READ-ME.txt", "kiosks/K-02/box.key", "kiosks/K-02/box.toml", "kiosks/K-02/tls/ca.crt",
        "kiosks/K-02/tls/own.crt", "kiosks/K-02/tls/own.key", "venue.toml",
    ]  # fmt: skip


def test_certificates_say_who_and_what_for_and_nothing_more(tmp_path: Path) -> None:
    made(tmp_path / "v")
    places = {
        "hub": tmp_path / "v" / "hub" / "tls", "broker": tmp_path / "v" / "broker" / "tls",
        "K-01": tmp_path / "v" / "bundles" / "K-01" / "kiosks" / "K-01" / "tls",
    }  # fmt: skip
    found = {name: certificate(place / "own.crt") for name, place in places.items()}
    for name, cert in found.items():
        assert [part.value for part in cert.subject.get_attributes_for_oid(NameOID.COMMON_NAME)] == [name]
        assert cert.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    uses = {
        name: list(cert.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) for name, cert in found.items()
    }
    client, server = [ExtendedKeyUsageOID.CLIENT_AUTH], [ExtendedKeyUsageOID.SERVER_AUTH]
    assert uses == {"hub": client, "broker": server, "K-01": client}
    names = found["broker"].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["hub.local", "localhost"]
    assert [str(ip) for ip in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "127.0.0.1"]


def test_a_box_whose_clock_lies_two_years_back_finds_its_certificates_good(tmp_path: Path) -> None:
    made(tmp_path / "v")
    early = NOW - timedelta(days=730)
    for path in (tmp_path / "v").rglob("*.crt"):
        cert = certificate(path)
        assert cert.not_valid_before_utc <= early
        assert cert.not_valid_after_utc >= NOW + timedelta(days=3 * 365)


def test_the_list_of_the_withdrawn_never_runs_out_before_the_authority(tmp_path: Path) -> None:
    authority = new_authority("hall", NOW)
    gone = issue(authority, "K-01", Purpose.CLIENT, NOW)
    crl = x509.load_pem_x509_crl(withdrawn_list(authority, [gone.serial], NOW))
    assert [each.serial_number for each in crl] == [gone.serial]
    assert crl.next_update_utc == authority.certificate.not_valid_after_utc
    assert crl.last_update_utc <= NOW - timedelta(days=730)


def test_more_boxes_are_added_and_the_others_stay_as_they_are(tmp_path: Path) -> None:
    made(tmp_path / "v")
    before = contents(tmp_path / "v" / "bundles")
    added(tmp_path / "v", 2)
    after = contents(tmp_path / "v" / "bundles")
    assert {name: after[name] for name in before} == before
    assert list(open_room(tmp_path / "v").known_kiosks()) == ["K-01", "K-02", "K-03", "K-04"]


def test_a_box_is_renewed_with_its_own_key_and_settings_kept(tmp_path: Path) -> None:
    made(tmp_path / "v")
    home = tmp_path / "v" / "bundles" / "K-01" / "kiosks" / "K-01"
    (home / "box.toml").write_text('box = "K-01"\n[pins]\ndriver = "none"\n')
    before = contents(home)
    renewed(tmp_path / "v", "K-01", now=NOW + timedelta(days=900))
    after = contents(home)
    assert {name for name in before if before[name] != after[name]} == {"tls/own.crt", "tls/own.key"}
    assert certificate(home / "tls" / "own.crt").not_valid_after_utc == NOW + timedelta(days=900 + 3 * 365)
    assert made(tmp_path / "v") == []


def test_a_renewed_box_whose_bundle_is_gone_gets_its_line_alone(tmp_path: Path) -> None:
    made(tmp_path / "v")
    shutil.rmtree(tmp_path / "v" / "bundles" / "K-01")
    assert made(tmp_path / "v") == []
    assert "keeps those it has" in renewed(tmp_path / "v", "K-01")[0]
    shipped = contents(tmp_path / "v" / "bundles" / "K-01")
    assert [name for name in shipped if name.endswith(("box.key", "box.toml"))] == []


def test_the_hubs_address_changes_with_the_brokers_certificate_alone(tmp_path: Path) -> None:
    made(tmp_path / "v")
    before = contents(tmp_path / "v" / "bundles")
    renewed(tmp_path / "v", "broker", ("hub.local", "198.51.100.9"))
    names = certificate(tmp_path / "v" / "broker" / "tls" / "own.crt")
    held = names.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(ip) for ip in held.get_values_for_type(x509.IPAddress)] == ["198.51.100.9", "127.0.0.1"]
    assert contents(tmp_path / "v" / "bundles") == before


def test_a_box_that_is_taken_off_is_out_everywhere_and_for_good(tmp_path: Path) -> None:
    made(tmp_path / "v")
    renewed(tmp_path / "v", "K-01")
    known = open_room(tmp_path / "v").known_kiosks()
    said = revoked(tmp_path / "v", "K-01")
    assert "systemctl reload mosquitto" in said[0]
    assert list(open_room(tmp_path / "v").known_kiosks()) == ["K-02"]
    assert f'[withdrawn]\nK-01 = "{known["K-01"]}"' in (tmp_path / "v" / "hub" / "kiosks.toml").read_text()
    assert "K-01" not in (tmp_path / "v" / "broker" / "permissions.acl").read_text()
    crl = x509.load_pem_x509_crl((tmp_path / "v" / "broker" / "withdrawn.crl").read_bytes())
    assert len(list(crl)) == 2
    assert revoked(tmp_path / "v", "K-01") == []
    with pytest.raises(ProvisionError, match=r"was taken off on 2026-11-30\. Add a new one with --add 1"):
        renewed(tmp_path / "v", "K-01")
    added(tmp_path / "v", 1)
    assert list(open_room(tmp_path / "v").known_kiosks()) == ["K-02", "K-03"]


@pytest.mark.parametrize("step", range(1, 32))
def test_a_run_that_is_cut_short_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    written = 0
    real = os.fsync

    def stumble(descriptor: int) -> None:
        nonlocal written
        written += 1
        if written == step:
            raise OSError(28, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", stumble)
        try:
            made(tmp_path / "v")
        except OSError:
            pass
        else:
            assert written < step, "the disk was never full"
    made(tmp_path / "v")
    assert made(tmp_path / "v") == []
    room = open_room(tmp_path / "v")
    assert room.hub_line() is not None
    for box, public in room.known_kiosks().items():
        bundle = open_room(tmp_path / "v" / "bundles" / box)
        assert bundle.kiosk_line(box) is not None
        assert read_key(bundle.kiosk_folder(box) / "box.key").public == public
    assert [str(path) for path in (tmp_path / "v").rglob(".*")] == []
    assert [str(path) for path in (tmp_path / "v").rglob("*.new")] == []


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--venue", "other"), "venue-exists", "This venue has venue hall; nothing was changed."),
        (("--kiosks", "9"), "venue-exists", "This venue has 2 boxes; nothing was changed. “--add 7” makes 7 more."),
        (("--port", "1883"), "venue-exists", "This venue has port 8883; nothing was changed."),
        (
            ("--hub-host", "else.local"),
            "venue-exists",
            "“--renew broker --hub-host NAME” gives its broker other names.",
        ),
        (("--renew", "K-77"), "no-such-box", "There is no box “K-77” in this venue. Its boxes are K-01, K-02"),
        (("--revoke", "../hub"), "no-such-box", "There is no box “../hub” in this venue."),
        (("--renew", "K-01", "--hub-host", "x"), "usage", "Two certificates hold host names"),
        (("--add", "0"), "too-many", "A venue has 1 to 999 boxes; this one has had 2."),
        (("--add", "2000"), "too-many", "A venue has 1 to 999 boxes; this one has had 2."),
    ],
)
def test_what_does_not_fit_is_refused_in_words_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: str, sentence: str
) -> None:
    made(tmp_path / "v")
    before = contents(tmp_path / "v")
    assert main(["provision", "--data", str(tmp_path / "v"), *words]) == 2
    said = capsys.readouterr()
    error = json.loads(said.err.splitlines()[-1])["error"]
    assert (said.out, error["code"]) == ("", code)
    assert sentence in error["message"]
    assert contents(tmp_path / "v") == before


def test_a_new_venue_needs_a_name_and_a_host(tmp_path: Path) -> None:
    with pytest.raises(ProvisionError, match="A new venue needs --venue NAME and --hub-host NAME"):
        made(tmp_path / "v", Asked(venue="hall"))
    assert not (tmp_path / "v").exists()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--venue", "a/b"), "bad-venue", "A venue's name is 1 to 32 of"),
        (("--venue", "hall\n"), "bad-venue", "A venue's name is 1 to 32 of"),
        (("--kiosks", "0"), "too-many", "A venue has 1 to 999 boxes."),
        *(
            (("--hub-host", host), "usage", "name a host or an address")
            for host in ("hub.local\n", "hub:8883", "192.168.8", "192.168.8.300", "hub..local", f"{'a' * 64}.local", "")
        ),
        (("--broker-folder", "/srv/a\nallow_anonymous true"), "usage", "name a folder, on one line"),
        (("--revoke", "K-01"), "usage", "Make it first, without --add, --renew and --revoke."),
        (("--renew", "hub"), "usage", "Make it first, without --add, --renew and --revoke."),
        (("--add", "-1"), "usage", "Make it first, without --add, --renew and --revoke."),
    ],
)
def test_what_makes_no_venue_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: str, sentence: str
) -> None:
    given = ["--venue", "hall", *([] if "--renew" in words else ["--hub-host", "hub.local"])]
    with contextlib.suppress(SystemExit):
        assert main(["provision", "--data", str(tmp_path / "v"), *given, *words]) == 2
    said = capsys.readouterr()
    error = json.loads(said.err.splitlines()[-1])["error"]
    assert (said.out, error["code"]) == ("", code)
    assert sentence in error["message"]
    assert not (tmp_path / "v").exists()


def test_a_room_without_certificates_is_left_alone_and_a_venue_by_init(tmp_path: Path) -> None:
    make_room(tmp_path / "room", boxes=1, random_bytes=os.urandom)
    with pytest.raises(ProvisionError, match="is a room without certificates"):
        made(tmp_path / "room")
    made(tmp_path / "v")
    with pytest.raises(RoomError, match=r"is a venue with certificates\. “tallybox provision --add N” adds boxes"):
        make_room(tmp_path / "v", boxes=4, random_bytes=os.urandom)


def test_a_venue_without_its_authority_says_where_to_look(tmp_path: Path) -> None:
    made(tmp_path / "v")
    (tmp_path / "v" / "authority").rename(tmp_path / "drawer")
    with pytest.raises(ProvisionError, match=r"its authority is not in .*\. Bring that folder back"):
        made(tmp_path / "v")
    with opened_venue(
        tmp_path / "v", Asked(), authority_folder=tmp_path / "drawer", now=NOW, random_bytes=os.urandom
    ) as venue:
        venue.add(1)
    assert len(open_room(tmp_path / "v").known_kiosks()) == 3


def test_a_bundle_that_nobody_made_is_not_overwritten(tmp_path: Path) -> None:
    made(tmp_path / "v")
    (tmp_path / "v" / "bundles" / "K-03").mkdir()
    with pytest.raises(ProvisionError, match=r"this venue never made it\. Move it away"):
        added(tmp_path / "v", 1)


@pytest.mark.parametrize("name", ["ca.key", "ca.crt", "register.json"])
def test_a_damaged_authority_is_said_and_nothing_is_made_anew(tmp_path: Path, name: str) -> None:
    made(tmp_path / "v")
    path = tmp_path / "v" / "authority" / name
    path.write_bytes(b"half")
    with pytest.raises(ProvisionError, match="damaged"):
        made(tmp_path / "v")
    assert path.read_bytes() == b"half"


def test_two_at_once_are_told_to_wait_for_each_other(tmp_path: Path) -> None:
    made(tmp_path / "v")
    with (
        opened_venue(tmp_path / "v", Asked(), now=NOW, random_bytes=os.urandom),
        pytest.raises(ProvisionError, match="Wait until that is done"),
    ):
        made(tmp_path / "v")


def test_a_line_never_falls_back_to_plain_when_a_file_is_missing_or_wrong(tmp_path: Path) -> None:
    made(tmp_path / "v")
    tls = tmp_path / "v" / "hub" / "tls"
    key = (tls / "own.key").read_bytes()
    (tls / "own.key").write_bytes((tmp_path / "v" / "broker" / "tls" / "own.key").read_bytes())
    with pytest.raises(RoomError, match="do not belong together"):
        open_room(tmp_path / "v").hub_line()
    (tls / "own.key").write_bytes(key)
    assert LineFiles(tls).context().check_hostname
    (tls / "ca.crt").unlink()
    with pytest.raises(RoomError, match="is not there, and this venue's line needs it"):
        open_room(tmp_path / "v").hub_line()
