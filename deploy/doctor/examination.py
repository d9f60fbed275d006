"""Which ends a folder holds, looked at one after the other, and how the answer reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from deploy.doctor.finding import Finding, Part, Weight
from deploy.doctor.machine import Machine
from deploy.errors import RoomError
from deploy.room import Room

HUB: Final = "hub"
_SIGNS: Final = {Weight.GOOD: "✓", Weight.SOON: "!", Weight.WRONG: "✗"}


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found at one end: the hub's, or a box's."""

    end: str
    findings: tuple[Finding, ...]

    @property
    def fine(self) -> bool:
        """Whether nothing has to be done now."""
        return all(found.weight is not Weight.WRONG for found in self.findings)

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {
            "end": self.end,
            "fine": self.fine,
            "findings": [
                {"part": found.part, "code": found.code, "weight": found.weight, "says": found.says, "do": found.do}
                for found in self.findings
            ],
        }

    def as_text(self) -> str:
        """For people: what is wrong first, then what is well."""
        grave = [Weight.WRONG, Weight.SOON, Weight.GOOD]
        ordered = sorted(self.findings, key=lambda found: grave.index(found.weight))
        lines = [f"{'The hub' if self.end == HUB else f'Box {self.end}'}:"]
        for weight, group in groupby(ordered, lambda found: found.weight):
            for found in group:
                lines.append(f"  {_SIGNS[weight]} {found.part}: {found.says}")
                if found.do:
                    lines.append(f"      → {found.do}")
        return "\n".join(lines)


def ends_of(room: Room, box: str | None) -> tuple[str, ...]:
    """What to look at: the box that was named, else the hub where the folder is a hub's, else its only box.

    Raises ``RoomError`` when the folder holds several boxes and no hub, or none at all.
    """
    if box is not None:
        return (box,)
    if (room.hub_folder / "hub.key").exists():
        return (HUB,)
    kiosks = room.folder / "kiosks"
    boxes = sorted(home.name for home in kiosks.iterdir() if home.is_dir()) if kiosks.is_dir() else []
    if len(boxes) != 1:
        held = "no box and no hub" if not boxes else f"{len(boxes)} boxes and no hub"
        raise RoomError("which-box", f"{room.folder} holds {held}. Say which with --box, such as --box K-01.")
    return (boxes[0],)


def examination(room: Room, end: str, machine: Machine) -> Examination:
    """Look at one end. Each is loaded once it is looked at: a box has nothing installed of what a hub needs."""
    if end == HUB:
        from deploy.doctor.hub_end import hub_end  # noqa: PLC0415 (see above)

        return Examination(end, tuple(_in_order(hub_end(room, machine))))
    from deploy.doctor.box_end import box_end  # noqa: PLC0415 (see above)

    return Examination(end, tuple(_in_order(box_end(room, end, machine))))


def _in_order(findings: Iterator[Finding]) -> list[Finding]:
    order = list(Part)
    return sorted(findings, key=lambda found: order.index(found.part))
