"""The evening itself: both parts installed, started by systemd, a hand played, a later version and back again."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from deploy.errors import TrialError
from deploy.systemd.trouble import WORDS
from deploy.venue_trial.bare_root import Machine, wait_until
from deploy.venue_trial.findings import UNITS, exposure, verified
from deploy.venue_trial.mistakes import box_is_taken_off, old_stick_lets_nobody_in_again, other_venues_stick_is_refused
from deploy.venue_trial.sticks import HUB_HOST

INSTALLED_WITHIN: Final = 1800.0
PLAYED_WITHIN: Final = 240.0
HUB_AT_MOST: Final = 2.0
"""What the hub's figure of ``systemd-analyze security`` must stay under."""
DIRECTS: Final = "--template mso --autopilot --speed 60"
"""The hub directs by itself, an hour in a minute."""
ROBOT: Final = "--robot 7 --speed 200"
UNSEEN: Final = {
    "tallybox-xorg.service.d/trial.conf": (
        "[Service]\nExecStart=\nExecStart=/usr/bin/sleep infinity\nExecStartPost=\n"
    ),
    "tallybox-kiosk.service.d/trial.conf": "[Service]\nEnvironment=SDL_VIDEODRIVER=offscreen\n",
}
"""There is no screen here: the box draws where nobody sees it, and no Xorg is started."""
_CHANGED: Final = re.compile(r"changed=(\d+)")


class Evening:
    """Two machines and what is done with them, step by step; each step that is not as it should be ends it."""

    def __init__(self, cache: Path, work: Path, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._cache = cache
        self._machines = {part: self._machine(cache, work, part) for part in ("hub", "kiosk")}

    @property
    def hub(self) -> Machine:
        """The hub's machine."""
        return self._machines["hub"]

    @property
    def kiosk(self) -> Machine:
        """The kiosk's machine."""
        return self._machines["kiosk"]

    def run(self) -> None:
        """Everything, in order. Raises ``TrialError``."""
        try:
            for machine in self._machines.values():
                machine.boot()
            self._installed("hub", "--extra-vars", json.dumps({"hub_options": DIRECTS}))
            self._draw_unseen()
            self._installed("kiosk")
            self._units_are_good()
            self._words_instead_of_a_loop()
            self._hand_is_played()
            self._later_and_back()
            self._stays_its_own_box()
            self._stays_its_own_venue()
            box_is_taken_off(self.hub, self._cache / "venue", self._tell)
            old_stick_lets_nobody_in_again(self.hub, self._cache / "venue", self._tell)
        finally:
            for machine in self._machines.values():
                machine.stop()
        self._tell("Both parts are installed, started and played; the version before is a word away.")

    def _machine(self, cache: Path, work: Path, part: str) -> Machine:
        root = work / part
        shutil.copytree(cache / "debian" / "root", root, symlinks=True, ignore=_no_devices)
        return Machine(root, cache / "stick", f"bare-{part}", [HUB_HOST])

    def _install(self, part: str, *more: str, stick: str = "/mnt/stick") -> int:
        """How many things were changed."""
        words = ("kiosk", "K-01") if part == "kiosk" else ("hub",)
        done = self._machines[part].run("sh", f"{stick}/install", *words, *more, within=INSTALLED_WITHIN)
        changed = _CHANGED.search(done.stdout)
        if done.returncode != 0 or changed is None:
            raise TrialError("not-installed", f"The {part} was not installed:\n{done.stdout[-4_000:]}{done.stderr}")
        return int(changed[1])

    def _installed(self, part: str, *more: str) -> None:
        self._tell(f"Installing the {part} …")
        first = self._install(part, *more)
        second = self._install(part, *more)
        self._tell(f"  {first} things changed, the second time {second}.")
        if second != 0:
            raise TrialError("not-twice", f"Installing the {part} again changed {second} things.")

    def _units_are_good(self) -> None:
        for part, machine in self._machines.items():
            # The box's partition is a card's alone: its unit is there where the partition is.
            said = verified(machine.root, tuple(unit for unit in UNITS[part] if unit.endswith(".service")))
            if said:
                raise TrialError("bad-unit", f"systemd-analyze verify has something to say:\n{said}")
            for unit in UNITS[part]:
                if unit.endswith(".service"):
                    self._tell(f"  {unit}: {exposure(machine.root, unit)}")
        if exposure(self.hub.root, "tallybox-hub.service") >= HUB_AT_MOST:
            raise TrialError("exposed", f"The hub's figure is not under {HUB_AT_MOST}.")

    def _words_instead_of_a_loop(self) -> None:
        """Xorg cannot start here: after its tries the words are there, and nothing goes on."""
        for name in UNSEEN:
            (self._drop_ins / name).unlink()
        self.kiosk.run("systemctl", "daemon-reload")
        self.kiosk.run("systemctl", "stop", "tallybox-kiosk.service")
        self.kiosk.run("systemctl", "start", "--no-block", "tallybox-kiosk.service")
        wait_until("the kiosk's words are on its screen", lambda: WORDS["kiosk"][0] in self._words())
        if self.kiosk.says("systemctl", "is-active", "tallybox-kiosk.service") == "active":
            raise TrialError("loops", "The kiosk runs although its screen does not.")
        self._tell("A kiosk without a screen says so in words, and tries no more.")
        self._draw_unseen()
        self.kiosk.run("systemctl", "daemon-reload")
        self.kiosk.run("systemctl", "reset-failed")
        self.kiosk.run("systemctl", "start", "tallybox-kiosk.service")

    @property
    def _drop_ins(self) -> Path:
        return self.kiosk.root / "etc" / "systemd" / "system"

    def _draw_unseen(self) -> None:
        for name, text in UNSEEN.items():
            (self._drop_ins / name).parent.mkdir(exist_ok=True)
            (self._drop_ins / name).write_text(text, encoding="utf-8")

    def _words(self) -> str:
        return self.kiosk.says("cat", "/dev/tty8")

    def _hand_is_played(self) -> None:
        self._active(self.hub, "mosquitto.service")
        self._active(self.hub, "tallybox-hub.service")
        self._active(self.kiosk, "tallybox-kiosk.service")
        self._tell("Hub and kiosk are started, each by systemd, each as its own user.")
        self._at_the_table(ROBOT)
        self._tell("A robot sits down at the table.")
        wait_until("a hand is recorded by the hub", lambda: self._hands() > 0, PLAYED_WITHIN)
        self._tell(f"Played over TLS and recorded by the hub: {self._hands()} hand.")
        self._at_the_table("")
        self._active(self.kiosk, "tallybox-kiosk.service")

    def _at_the_table(self, options: str) -> None:
        """Start the kiosk with other options, as its settings file says them."""
        text = f"TALLYBOX_SIZE=800x480\nTALLYBOX_KIOSK_OPTIONS={options}\n"
        (self.kiosk.root / "etc" / "tallybox" / "kiosk.env").write_text(text, encoding="utf-8")
        self.kiosk.run("systemctl", "restart", "tallybox-kiosk.service")

    def _hands(self) -> int:
        """Hands in the hub's ledger, as the installed command exports them."""
        told = self.hub.says(
            "runuser", "-u", "tallybox", "--",
            "/opt/tallybox/current/bin/tallybox", "export", "--data", "/var/lib/tallybox/hub",
        )  # fmt: skip
        lines = (json.loads(line) for line in told.splitlines())
        return sum(line["event"]["type"] == "hand.recorded" for line in lines if "event" in line)

    def _later_and_back(self) -> None:
        for part, service, kept, table in (
            ("kiosk", "tallybox-kiosk.service", "box/kiosks/K-01/journal.sqlite", "events"),
            ("hub", "tallybox-hub.service", "hub/hub/ledger.sqlite", "ledger"),
        ):
            machine = self._machines[part]
            shutil.copytree(self._cache / "later", machine.root / "root" / "later", copy_function=shutil.copyfile)
            before = self._release(machine)
            self._install(part, stick="/root/later")
            later = self._release(machine)
            self._active(machine, service)
            machine.run("systemctl", "stop", service)
            file = machine.root / "var" / "lib" / "tallybox" / kept
            played = _lines(file, table)
            done = machine.run("sh", "/mnt/stick/install", "rollback", part, within=INSTALLED_WITHIN)
            if done.returncode != 0 or self._release(machine) != before or later == before:
                raise TrialError("no-way-back", f"{part}: {before}, {later}:\n{done.stdout[-3_000:]}{done.stderr}")
            if not played or _lines(file, table)[: len(played)] != played:
                raise TrialError("touched", f"{kept} was touched by going back.")
            self._active(machine, service)
            self._tell(f"The {part} went on to {later} and back to {before}; its {len(played)} lines are untouched.")

    def _stays_its_own_box(self) -> None:
        done = self.kiosk.run("sh", "/mnt/stick/install", "kiosk", "K-02", within=INSTALLED_WITHIN)
        if done.returncode == 0 or "This Pi is box K-01 already" not in " ".join(done.stdout.split()):
            raise TrialError("two-boxes", f"Another box was put over the first one:\n{done.stdout[-2_000:]}")
        self._tell("Another box's bundle is refused: this Pi stays K-01.")

    def _stays_its_own_venue(self) -> None:
        stick = self._cache / "stick"
        other_venues_stick_is_refused(self.hub, stick, ("hub",), "This machine is another venue's hub already")
        other_venues_stick_is_refused(self.kiosk, stick, ("kiosk", "K-01"), "This Pi is box K-01 of another venue")
        self._tell("Another venue's stick is refused by both; nothing of theirs was touched.")

    def _release(self, machine: Machine) -> str:
        return machine.says("readlink", "/opt/tallybox/current")

    def _active(self, machine: Machine, unit: str) -> None:
        try:
            wait_until(f"{unit} is active", lambda: machine.says("systemctl", "is-active", unit) == "active")
        except TrialError as reason:
            log = machine.says("journalctl", "--no-pager", "--output", "cat", "--lines", "40", "--unit", unit)
            raise TrialError("not-started", f"{reason.message}\n{log}") from None


def _lines(file: Path, table: str) -> list[object]:
    """What a journal or ledger holds, line by line."""
    with closing(sqlite3.connect(file)) as kept:
        return kept.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()  # noqa: S608 (one of the two names above)


def _no_devices(folder: str, names: list[str]) -> list[str]:
    """Device files cannot be copied as files; systemd's namespace brings its own."""
    return names if Path(folder).name == "dev" else []
