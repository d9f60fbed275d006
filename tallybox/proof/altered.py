"""Which member of a line was changed: the one whose mending makes the line's digests fit again."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from tallybox.ledger_line import LedgerLine, line_hash
from tallybox.proof.faults import Fault, What
from tallybox.proof.reading import Read


def altered(
    read: Read, seq: int, before: frozenset[str], named_after: str | None, authentic: Callable[[Read], bool]
) -> tuple[Fault, ...]:
    """What was changed in a line that stands at place ``seq``, after a line with one of the hashes ``before``.

    ``before`` empty: nothing can be said of what it names. ``named_after``: what the next line names as its hash.
    """
    line = read.line
    assert line is not None
    if read.hash == line.hash:
        found = _fits_itself(read, line, seq, before)
    else:
        found = _mended(read, line, seq, before) or _by_neighbours(read, line, named_after, authentic)
    if found is None:
        return ()
    where, said = found
    return (Fault(read.number, read.id, What.ALTERED, where, said),)


def _fits_itself(read: Read, line: LedgerLine, seq: int, before: frozenset[str]) -> tuple[str, str] | None:
    """The line's hash is right, so whoever changed it made the hash anew, or changed a whole line."""
    if read.identity != line.id:
        return "event", "The event is not the one whose id stands in the line."
    if line.ledger_seq != seq:
        return "ledger_seq", f"The line has number {line.ledger_seq}; it is line {seq} of the ledger."
    if before and line.prev_hash not in before:
        return "prev_hash", "The line does not name the line before it. It was put in the place of another."
    if read.event is None:
        return read.where, f"The event cannot be read: {read.why}"
    if not read.spelled:
        return "line", "The line is not written as a ledger writes it; members may stand twice, or in another order."
    return None


def _mended(read: Read, line: LedgerLine, seq: int, before: frozenset[str]) -> tuple[str, str] | None:
    """The one member that, put right, gives the line's hash back."""
    tries = {
        "ledger_seq": [replace(line, ledger_seq=seq)],
        "prev_hash": [replace(line, prev_hash=prev) for prev in before],
        "id": [replace(line, id=read.identity)],
        "branch": [replace(line, branch=flag) for flag in (UNSET, True)],
    }
    for name, mended in tries.items():
        if any(line_hash(each) == line.hash for each in mended):
            return name, f"“{name}” was changed: with what belongs there, the line is whole again."
    return None


def _by_neighbours(
    read: Read, line: LedgerLine, named_after: str | None, authentic: Callable[[Read], bool]
) -> tuple[str, str]:
    if read.event is None:
        return read.where, f"The event was changed: {read.why}"
    if read.identity != line.id:
        return "event", "The event was changed: it is not the one whose id and signature stand beside it."
    if named_after == read.hash:
        return "hash", "“hash” was changed: the next line names the right one."
    if not authentic(read):
        return "event.sig", "Event and signature do not belong together: one of them was changed."
    if named_after == line.hash:
        return "received_at", "“received_at” was changed: everything else in the line is as it was."
    return "line", "“hash” or “received_at” was changed: everything else in the line is as it was."
