"""The roles as ansible-lint and Ansible itself judge them, without running anything."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROLES = Path(__file__).parents[2] / "deploy" / "ansible"
BIN = Path(__file__).parents[2] / ".venv" / "ansible" / "bin"
NO_CONDITION_OF_ITS_OWN = {"See whether the card is closed", "Say so", "Go no further"}
"""The first only looks; the others stand in a block that has the condition."""


WITHIN = 420.0
"""Seconds for Ansible's own programs, which take long to start where others are busy."""


def ansible(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    assert (BIN / program).exists(), "“make .venv/ansible/.ready” brings Ansible."
    return subprocess.run(
        [str(BIN / program), *words], cwd=ROLES, capture_output=True, text=True, check=False, timeout=WITHIN,
        env={**os.environ, "ANSIBLE_CONFIG": str(ROLES / "ansible.cfg"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
             "PATH": f"{BIN}:{os.environ['PATH']}"},
    )  # fmt: skip


@pytest.mark.timeout(WITHIN + 30)
def test_roles_pass_the_strictest_profile() -> None:
    done = ansible("ansible-lint", "--offline", "--profile", "production", "--format", "codeclimate", ".")
    assert (done.returncode, done.stdout.strip()) == (0, "[]")


def test_what_hardware_alone_can_take_is_listed_and_on_condition() -> None:
    told = ansible(
        "ansible-playbook", "--inventory", "localhost,", "--list-tasks", "--tags", "hardware", "hub.yml", "kiosk.yml"
    )
    assert told.returncode == 0, told.stderr
    listed = set(re.findall(r"(?m)^ +\w+ : (.+?)\tTAGS: \[hardware\]$", told.stdout))
    assert {
        "Mount the box's partition with the machine",
        "Keep everything but the box's partition in memory",
        "Have the Pi's watchdog there",
        "Let in by keys alone",
        "See that everything is started",
    } <= listed
    tasks = [task for file in ROLES.glob("roles/*/tasks/*.yml") for task in yaml.safe_load(file.read_text()) or []]
    unconditional = {task["name"] for task in tasks if "hardware" in task.get("tags", []) and "when" not in task}
    assert unconditional <= NO_CONDITION_OF_ITS_OWN


def test_every_file_that_a_role_brings_is_there() -> None:
    for file in ROLES.glob("roles/*/tasks/*.yml"):
        text = file.read_text()
        for source in re.findall(r'src: "\{\{ machine_stick \}\}/(deploy/[^"{]+)"', text):
            assert (ROLES.parents[1] / source).is_file(), f"{file.name}: {source}"
        for source in re.findall(r"(?m)^ +src: ([\w.-]+\.(?:conf|rules))$", text):
            assert (file.parents[1] / "files" / source).is_file(), f"{file.name}: {source}"
