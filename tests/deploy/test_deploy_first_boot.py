"""What a box's folder holds: nothing, half a bundle, one box, several; and what a whole box says of itself."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from venue_broker import issued, now, tls_of, venue

from deploy.errors import RoomError
from deploy.first_boot import Arrival, Bundle, Dates, code_of, dates_of, examined, only_box
from deploy.provision.authority import Purpose
from deploy.room import open_room
from deploy.stick import brought
from deploy.table_box import TableBox, open_box
from kiosk.box import Box
from kiosk.first_boot import BROKEN_STICK, NO_BUNDLE, SEVERAL_BOXES, SEVERAL_ON_STICK, half_bundle


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The bundle of box K-02, as it lies on its stick."""
    venue(tmp_path / "v", boxes=2)
    return tmp_path / "v" / "bundles" / "K-02"


def test_a_folder_without_anything_has_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    assert examined(tmp_path / "box", None) == Bundle("", NO_BUNDLE)
    assert examined(tmp_path / "nowhere", None) == Bundle("", NO_BUNDLE)


def test_a_whole_bundle_lacks_nothing(bundle: Path) -> None:
    assert examined(bundle, None) == Bundle("K-02", None)
    assert only_box(bundle) == "K-02"


@pytest.mark.parametrize("file", ["venue.toml", "box.toml", "box.key", "ca.crt", "own.crt", "own.key"])
def test_a_bundle_without_one_of_its_files_is_half_a_bundle(bundle: Path, file: str) -> None:
    next(bundle.rglob(file)).unlink()
    assert examined(bundle, None) == Bundle("K-02", half_bundle(file))


def test_every_stage_of_a_copy_is_half_a_bundle_until_the_last_file(bundle: Path, tmp_path: Path) -> None:
    here = tmp_path / "box"
    files = sorted(path for path in bundle.rglob("*") if path.is_file() and path.name != "READ-ME.txt")
    for file in files:
        assert examined(here, None).missing is not None
        target = here / file.relative_to(bundle)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    assert examined(here, None) == Bundle("K-02", None)


def test_the_bundles_of_two_boxes_do_not_say_which_one_this_is(bundle: Path) -> None:
    shutil.copytree(bundle / "kiosks" / "K-02", bundle / "kiosks" / "K-01")
    assert examined(bundle, None) == Bundle("", SEVERAL_BOXES)
    assert examined(bundle, "K-02") == Bundle("K-02", None)
    with pytest.raises(RoomError, match=r"holds 2 boxes: K-01, K-02\. “--box NAME” says which one this is"):
        only_box(bundle)


def test_a_file_that_cannot_be_read_is_told_in_its_own_words(bundle: Path) -> None:
    (bundle / "venue.toml").write_text("venue = [")
    missing = examined(bundle, None).missing
    assert missing is not None
    assert "venue.toml" in missing.says


def test_a_box_without_a_bundle_takes_a_whole_one_from_a_stick_and_never_another(bundle: Path, tmp_path: Path) -> None:
    here, sticks = tmp_path / "box", tmp_path / "media"
    here.mkdir()
    sticks.mkdir()
    made: list[TableBox] = []

    def opened(name: str) -> Box:
        made.append(open_box(open_room(here), name))
        return made[0].box

    arrival = Arrival(here, None, opened, sticks)
    assert (arrival.look(), arrival.survey().missing) == (None, (NO_BUNDLE,))
    on_stick = sticks / "usb" / "K-02"
    shutil.copytree(bundle, on_stick)
    key = on_stick / "kiosks" / "K-02" / "tls" / "own.key"
    whole = key.read_bytes()
    key.write_bytes(b"x" * 100_000)
    assert (arrival.look(), arrival.survey().missing) == (None, (half_bundle("own.key"),))
    assert examined(here, None) == Bundle("", NO_BUNDLE)
    key.write_bytes(whole)
    (on_stick / "kiosks" / "K-02" / "more.txt").write_text("not of a bundle")
    assert (arrival.look() is not None, arrival.name) == (True, "K-02")
    made[0].stop()
    taken = {path.name for path in here.rglob("*") if path.is_file() and not path.name.startswith("journal")}
    assert taken == {"venue.toml", "box.toml", "box.key", "ca.crt", "own.crt", "own.key"}
    assert {path.stat().st_mode & 0o077 for path in here.rglob("*") if not path.name.startswith("journal")} == {0}
    shutil.copytree(bundle.with_name("K-01"), sticks / "other")
    again = Arrival(here, None, opened, sticks)
    made.clear()
    assert (again.look() is not None, again.name) == (True, "K-02")
    made[0].stop()


def test_a_stick_with_several_bundles_is_told_and_left_alone(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(bundle.parent, tmp_path / "media" / "usb")
    arrival = Arrival(tmp_path / "box", None, pytest.fail, tmp_path / "media")
    assert (arrival.look(), arrival.survey().missing) == (None, (SEVERAL_ON_STICK,))
    assert not (tmp_path / "box").exists()


def test_a_stick_that_leads_elsewhere_is_not_followed(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "usb").symlink_to(bundle)
    assert brought(tmp_path / "media").places == ()
    key = bundle / "kiosks" / "K-02" / "box.key"
    key.rename(tmp_path / "elsewhere")
    key.symlink_to(tmp_path / "elsewhere")
    shutil.copytree(bundle, tmp_path / "media" / "real", symlinks=True)
    arrival = Arrival(tmp_path / "box", None, pytest.fail, tmp_path / "media")
    assert (arrival.look(), arrival.survey().missing) == (None, (BROKEN_STICK,))
    assert examined(tmp_path / "box", None) == Bundle("", NO_BUNDLE)


def test_dates_are_told_by_the_boxs_own_clock(bundle: Path) -> None:
    tls = bundle / "kiosks" / "K-02" / "tls"
    issued(bundle.parents[1], "K-02", tls, Purpose.CLIENT, days=30)
    dates = dates_of(tls / "own.crt")
    assert dates is not None
    assert dates.missing(now()) == ()
    (over,) = dates.missing(now() + timedelta(days=31))
    assert over.says.startswith("Its certificate ended on ")
    (early,) = dates.missing(datetime(2001, 1, 1, tzinfo=UTC))
    assert early.says.endswith("by its clock it is 2001-01-01.")
    assert (dates_of(tls / "own.key"), dates_of(tls / "none")) == (None, None)
    assert isinstance(dates, Dates)


def test_the_code_leads_to_the_desk_that_the_bundle_names_and_else_holds_name_and_key(bundle: Path) -> None:
    room = open_room(bundle)
    assert code_of(room, "K-02", "0123456789abcdef" * 4) == "Tallybox K-02 key 0123456789abcdef"
    settings = bundle / "venue.toml"
    settings.write_text('dashboard_hosts = ["hub.hall.lan"]\n' + settings.read_text())
    assert code_of(open_room(bundle), "K-02", "00") == "https://hub.hall.lan:8443/devices/K-02"


def test_a_box_comes_up_by_itself_once_its_bundle_is_copied(bundle: Path, tmp_path: Path) -> None:
    here = tmp_path / "box"
    made = []

    def opened(name: str) -> Box:
        made.append(open_box(open_room(here), name))
        return made[0].box

    come: list[Box] = []
    arrival = Arrival(here, None, opened)
    arrival.tell(come.append)
    assert (arrival.look(), arrival.survey().missing) == (None, (NO_BUNDLE,))
    shutil.copytree(bundle, here)
    (tls_of(bundle.parents[1], "K-02") / "own.key").unlink()
    key = here / "kiosks" / "K-02" / "tls" / "own.key"
    whole = key.read_bytes()
    key.write_bytes(whole[:40])
    assert (arrival.look(), len(made)) == (None, 0)
    assert "do not belong together" in arrival.survey().missing[0].says
    key.write_bytes(whole)
    box = arrival.look()
    assert ([box], arrival.name) == (come, "K-02")
    made[0].stop()
    survey = made[0].survey()
    assert (survey.hub, survey.missing) == (f"localhost:{open_room(here).broker_port}", ())
    assert survey.code.startswith("Tallybox K-02 key ")
