"""A box whose user may not open its reader's port: gives up root if it has it, sits down, types a call, says both.

Then it waits until the port may be opened, and says the calls again.
"""

from __future__ import annotations

import os
import pwd
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path += [str(Path(__file__).parent.parent / "kiosk"), str(Path(__file__).parent.parent.parent)]

from seated import call, open_box, shut, sit_down, to_auction

from deploy.soak.firmware_process import eventually
from firmware_bridge.link import SerialLink
from firmware_bridge.reader import BidReader, DeviceStamp, ReaderEvent, ReaderHealth
from kiosk.box import Box
from tallybox.calls import call_text

WITHIN = 60.0


def seated_box(port: str, journal: Path) -> Box:
    def serial(
        persist: Callable[[ReaderEvent], None], on_health: Callable[[ReaderHealth], None], last: DeviceStamp | None
    ) -> BidReader:
        return SerialLink(port, persist, on_health, remembered=last)

    box = open_box(journal, reader=serial)
    sit_down(box)
    to_auction(box)
    call(box, "4")
    return box


def calls(box: Box) -> str:
    hand = box.view.state.hand
    assert hand is not None
    return ", ".join(f"{called.seat} {call_text(called.call)} {called.source}" for called in hand.calls)


def become_nobody(folder: str) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)


def say(*words: object) -> None:
    sys.stdout.write("".join(f"{word}\n" for word in words))
    sys.stdout.flush()


def main(port: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        # Once as it is, so that every module is loaded: nobody may not read root's own Python.
        shut(seated_box(f"{folder}/none", Path(folder) / "rehearsal.db"))
        if os.geteuid() == 0:
            become_nobody(folder)
        box = seated_box(port, Path(folder) / "journal.db")
        eventually(lambda: box.view.reader.state != "starting", WITHIN)
        say("told", box.view.reader.state, box.view.reader.message, calls(box))
        eventually(lambda: "scanned" in calls(box), WITHIN)
        say(box.view.reader.state, calls(box))
        shut(box)


if __name__ == "__main__":
    main(sys.argv[1])
