"""What we build on: pinned with hashes, without a registry's address, and listed with its licence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import yaml

ROOT = Path(__file__).parents[2]


def pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return list(dict.fromkeys(line.split("==")[0] for line in lines if re.match(r"[a-z0-9]", line)))


def test_every_pinned_package_has_its_licence_listed() -> None:
    rows = re.findall(
        r"^\| ([a-z0-9.-]+) \| ([^|]+) \|", (ROOT / "docs" / "licences.md").read_text("utf-8"), re.MULTILINE
    )
    assert [name for name, _ in rows if name != "package"] == pinned()
    assert [name for name, licence in rows if licence.strip() in {"", "?"}] == []


def test_every_pin_has_hashes_and_no_line_names_a_registry() -> None:
    text = (ROOT / "constraints.txt").read_text("utf-8")
    blocks = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert re.findall(r"https?:|--index|--extra-index|--find-links|--trusted-host", text) == []


def test_what_comes_besides_python_packages_is_listed_too() -> None:
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    setup = ROOT / "deploy" / "setup"
    named: set[str] = set()
    for pins in (setup / "ansible.txt", setup / "fuzz.txt"):
        named |= set(re.findall(r"(?m)^([a-z0-9.-]+)==", pins.read_text("utf-8")))
    for words in re.findall(r'(?m)^(?:run|test)="(.*)"$', (setup / "debian-packages.sh").read_text("utf-8")):
        named |= set(words.split()) - {"$run"}
    for role in (ROOT / "deploy" / "ansible" / "roles").glob("*/vars/main.yml"):
        for packages in cast("dict[str, list[str]]", yaml.safe_load(role.read_text("utf-8"))).values():
            named |= set(packages)
    listed = set(re.findall(r"[a-z0-9][a-z0-9.-]*[a-z0-9]", page))
    assert named - listed == set()
