"""What travels to a venue: pins by machine, the venue's keys and nothing of its evenings, and a stick that says no."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from deploy.errors import StickError
from deploy.provision.venue import Asked, opened_venue
from deploy.venue_trial.sticks import HUB_HOST, SOURCE
from deploy.wheelhouse.debs import whole
from deploy.wheelhouse.pins import environment, names_of, needed, pinned, wanted_by, without_markers
from deploy.wheelhouse.stick import Plan, make_stick
from deploy.wheelhouse.venue_files import BROKER_FOLDER, bring_venue, inventory
from deploy.wheelhouse.wheels import drop_others, there

SITE = Path(pytest.__file__).parents[1]
PI, LAPTOP = environment("aarch64", "3.11"), environment("x86_64", "3.11")


def venue(folder: Path, broker_folder: str | None) -> Path:
    asked = Asked("main-hall", (HUB_HOST,), 2, None, None, broker_folder)
    with opened_venue(folder, asked, now=datetime.now(UTC).replace(microsecond=0), random_bytes=bytes) as made:
        made.complete()
    return folder


def test_a_kiosk_needs_its_own_packages_and_no_other_parts() -> None:
    wanted = wanted_by(SOURCE / "pyproject.toml", "kiosk")
    on_pi, on_laptop = needed(wanted, SITE, PI), needed(wanted, SITE, LAPTOP)
    assert on_pi - on_laptop == {"lgpio"}
    assert {"kivy", "pyserial", "cryptography", "cffi"} <= on_laptop
    assert not {"starlette", "sqlalchemy", "pytest", "mypy"} & on_pi


def test_a_hub_needs_what_its_rehearsals_tables_need_too() -> None:
    hub = needed(wanted_by(SOURCE / "pyproject.toml", "hub"), SITE, LAPTOP)
    assert needed(wanted_by(SOURCE / "pyproject.toml", "kiosk"), SITE, LAPTOP) < hub
    assert {"starlette", "sqlalchemy", "jinja2", "numpy"} <= hub


WITHOUT = """
import sys
lacks = set(sys.argv[1].split())
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in lacks:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Lacking())
import deploy.commands.doctor, deploy.commands.kiosk, deploy.doctor.box_end
"""
"""Loads what a table's box looks at itself with, as where so many packages are not installed."""


def test_a_tables_box_can_look_at_itself_with_what_is_installed_there() -> None:
    there = needed(wanted_by(SOURCE / "pyproject.toml", "kiosk"), SITE, LAPTOP) | {"tallybox"}
    lacks = [
        module
        for module, packages in packages_distributions().items()
        if there.isdisjoint(canonicalize_name(package) for package in packages)
    ]
    assert {"sqlalchemy", "starlette", "rustworkx"} <= set(lacks)
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT, " ".join(lacks)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_pins_are_the_constraints_own_lines_each_with_its_hashes(tmp_path: Path) -> None:
    constraints = tmp_path / "constraints.txt"
    constraints.write_text(
        "# words\n"
        "a==1 \\\n    --hash=sha256:11\n"
        "b==2 ; python_full_version < '3.12' \\\n    --hash=sha256:22 \\\n    --hash=sha256:23\n"
        "b==3 ; python_full_version >= '3.12' \\\n    --hash=sha256:33\n"
        "c==4 ; platform_machine == 'aarch64' \\\n    --hash=sha256:44\n"
    )
    pins = pinned(constraints, {"b", "c"})
    assert names_of(pins, PI) == ["b", "c"]
    assert names_of(pins, LAPTOP) == ["b"]
    assert without_markers(pins, PI) == (
        "b==2 \\\n    --hash=sha256:22 \\\n    --hash=sha256:23\nc==4 \\\n    --hash=sha256:44\n"
    )
    with pytest.raises(StickError, match="does not pin d, e"):
        pinned(constraints, {"a", "d", "e"})


def test_venues_keys_travel_and_its_evenings_stay(tmp_path: Path) -> None:
    made = venue(tmp_path / "venue", BROKER_FOLDER)
    for evening in ("hub/ledger.sqlite", "hub/set-up-code", "hub/backups/one.sqlite", "authority/more.key"):
        (made / evening).parent.mkdir(exist_ok=True)
        (made / evening).write_text("of an evening")
    assert bring_venue(made, tmp_path / "stick") == ["K-01", "K-02"]
    travelled = {
        str(file.relative_to(tmp_path / "stick")) for file in (tmp_path / "stick").rglob("*") if file.is_file()
    }
    own = [f"kiosks/{{box}}/{name}" for name in ("box.key", "box.toml", "tls/ca.crt", "tls/own.crt", "tls/own.key")]
    own += ["venue.toml", "READ-ME.txt"]
    assert travelled == {
        "hub/venue.toml", "hub/hub/hub.key", "hub/hub/kiosks.toml", "first/set-up-code",
        *(f"hub/hub/tls/{name}" for name in ("ca.crt", "own.crt", "own.key")),
        "broker/mosquitto.conf", "broker/permissions.acl", "broker/withdrawn.crl",
        *(f"broker/tls/{name}" for name in ("ca.crt", "own.crt", "own.key")),
        *(f"bundles/{box}/{name.format(box=box)}" for box in ("K-01", "K-02") for name in own),
    }  # fmt: skip


def test_a_venue_for_a_broker_elsewhere_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StickError, match=f"--broker-folder {BROKER_FOLDER}"):
        bring_venue(venue(tmp_path / "venue", None), tmp_path / "stick")
    with pytest.raises(StickError, match="is no venue with certificates"):
        bring_venue(tmp_path / "nowhere", tmp_path / "stick")


def test_boxes_are_reached_by_the_host_names_of_their_cards() -> None:
    assert inventory(["K-01", "K-10"]) == (
        "[kiosks]\nK-01 ansible_host=k-01.local kiosk_box=K-01\nK-10 ansible_host=k-10.local kiosk_box=K-10\n"
    )


@pytest.mark.parametrize("words", [[], ["table"], ["rollback"], ["rollback", "table"]])
def test_install_says_what_it_takes(words: list[str]) -> None:
    done = _install(SOURCE / "deploy/ansible", *words)
    assert (done.returncode, done.stderr.split(" ")[0]) == (2, "usage:")


def test_what_was_cut_short_or_is_of_another_version_is_not_there(tmp_path: Path) -> None:
    """A stick that was pulled out too early is whole again once it is made again."""
    pins, kept, old = (
        f"one==2 --hash=sha256:{sha256(b'whole').hexdigest()}\n",
        "one-2-py3-none-any.whl",
        "two-1-py3-none-any.whl",
    )
    for wheels, content in (("whole", b"whole"), ("cut", b"who")):
        (tmp_path / wheels).mkdir()
        (tmp_path / wheels / kept).write_bytes(content)
        (tmp_path / wheels / old).write_bytes(b"of another part")
        drop_others(tmp_path / wheels, {"one"}, pins)
    assert [there(tmp_path / wheels) for wheels in ("whole", "cut")] == [{"one", "two"}, {"two"}]
    archive = tmp_path / "debs"
    archive.mkdir()
    assert not whole(archive)
    described = f"Package: a\nFilename: ./a.deb\nSHA256: {sha256(b'deb').hexdigest()}\n"
    (archive / "Packages").write_text(described)
    assert not whole(archive)
    (archive / "a.deb").write_bytes(b"deb")
    assert whole(archive)
    (archive / "a.deb").write_bytes(b"de")
    assert not whole(archive)


def test_a_stick_that_is_too_small_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    """Needs root: it mounts a small disk."""
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", str(small)], check=True, timeout=20)
    try:
        plan = Plan(folder=small, source=SOURCE, venue=None, site=SITE, tools_site=SITE)
        with pytest.raises(StickError, match=r"has room for (19|20) MB, and this takes 500 MB\."):
            make_stick(plan, lambda _said: None)
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True, timeout=20)


def test_a_stick_of_another_kind_of_machine_says_so(tmp_path: Path) -> None:
    (tmp_path / "tools" / "other").mkdir(parents=True)
    (tmp_path / "install").write_bytes((SOURCE / "deploy/ansible/install").read_bytes())
    done = _install(tmp_path, "hub")
    assert (done.returncode, "This stick is for other machines than this one" in done.stderr) == (2, True)


def test_a_stick_that_was_damaged_installs_nothing(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    for name in ("x86_64", "aarch64"):
        (stick / "tools" / name).mkdir(parents=True)
    (stick / "install").write_bytes((SOURCE / "deploy/ansible/install").read_bytes())
    (stick / "RELEASE").write_text("0.1.0-00000000\n")
    (stick / "SHA256SUMS").write_text(f"{'0' * 64}  RELEASE\n")
    done = _install(stick, "hub")
    assert done.returncode == 2
    assert "The stick is damaged: see above. Make it again." in done.stderr


def _install(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(folder / "install"), *words], capture_output=True, text=True, check=False, timeout=60
    )


def test_a_card_gets_a_partition_of_the_boxs_own_once_and_a_small_one_is_refused(tmp_path: Path) -> None:
    """Needs root, for loop devices."""
    card = _card(tmp_path / "card", "14G")
    first, again = _prepared(card), _prepared(card)
    assert (first.returncode, first.stderr.splitlines()[-1]) == (
        0, f"{card} is ready: the box keeps what is played on a partition of 1024 MiB of its own.",
    )  # fmt: skip
    assert (again.returncode, again.stderr) == (0, f"{card} has a third partition already; nothing was changed.\n")
    assert _dumped(card) == [(2_048, 1_048_576), (1_050_624, 26_212_352), (27_262_976, 2_097_152)]
    with card.open("rb") as image:
        image.seek(27_262_976 * 512 + 1024 + 120)
        assert image.read(16).rstrip(b"\0") == b"tallybox"
    disk = _card(tmp_path / "disk", "14G", label="photographs")
    assert (_prepared(disk).returncode, _dumped(disk)) == (2, [(2_048, 1_048_576), (1_050_624, 4_194_304)])
    small = _prepared(_card(tmp_path / "small", "3G"))
    assert (small.returncode, small.stderr) == (
        2, f"{tmp_path / 'small'} is too small. Take a card of 16 GB or more.\n",
    )  # fmt: skip


def _dumped(card: Path) -> list[tuple[int, int]]:
    """Where each partition begins and how long it is, in sectors."""
    table = subprocess.run(["sfdisk", "--dump", str(card)], capture_output=True, text=True, check=True, timeout=60)
    return [(int(start), int(size)) for start, size in re.findall(r"start= *(\d+), size= *(\d+)", table.stdout)]


def _card(file: Path, size: str, label: str = "rootfs") -> Path:
    """A card as Raspberry Pi Imager leaves it: two partitions, the second an ext4 with its label."""
    script = (
        'truncate -s "$2" "$1"; printf "label: dos\\n,512M,c\\n,2G,L\\n" | sfdisk --quiet "$1";'
        'loop=$(losetup --find --show --offset $((1050624 * 512)) --sizelimit 2G "$1");'
        'mkfs.ext4 -q -L "$3" "$loop"; losetup --detach "$loop"'
    )
    subprocess.run(["sh", "-euc", script, "sh", str(file), size, label], check=True, timeout=60)
    return file


def _prepared(card: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(SOURCE / "deploy/ansible/card"), str(card)], capture_output=True, text=True, check=False, timeout=60
    )
