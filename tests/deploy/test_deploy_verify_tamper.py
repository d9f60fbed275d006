"""Whatever is done to a real ledger's file is found and named: which line, what, and where."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ledger_tampering import (
    Told,
    body_in,
    check,
    identity,
    journal_of,
    kind,
    leaves,
    night,
    objects,
    other_kinds,
    parsed,
    read_each_line_once,
    same_kind,
    told,
    with_member,
    without_member,
)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return night(tmp_path_factory.mktemp("night"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    read_each_line_once(monkeypatch)


def tail_after(lines: list[bytes]) -> int:
    """How many events stand after the last checkpoint."""
    return len(lines) - 1 - max(at for at, line in enumerate(lines) if kind(line) == "checkpoint.signed")


def consequences(lines: list[bytes], at: int) -> list[Told]:
    """A key that nobody names any more leaves its box's events without proof: said once, at the first of them."""
    if kind(lines[at]) != "key.trusted":
        return []
    box = body_in(lines[at])["box"]
    theirs = (n for n in range(at + 1, len(lines)) if journal_of(lines[n])[0] == box)
    return [Told(first + 1, identity(lines[first]), "key", "event.sig") for first in list(theirs)[:1]]


def test_the_ledger_itself_is_whole_with_every_score_counted_again(lines: list[bytes]) -> None:
    assert check(lines, recount=True).as_json() == {
        "events": len(lines), "ok": True, "faults": [], "unproven_tail": 2,
    }  # fmt: skip
    assert len({kind(line) for line in lines}) >= 28


def test_each_line_taken_out_is_missed_where_it_stood(lines: list[bytes]) -> None:
    for at in range(len(lines) - 1):
        left = lines[:at] + lines[at + 1 :]
        verdict = check(left)
        gone = Told(at + 1, identity(lines[at + 1]), "removed", f"line {at + 1} of the ledger")
        after = [Told(no.line - 1, no.id, no.what, no.where) for no in consequences(lines, at)]
        assert (told(verdict), verdict.unproven_tail) == ([gone, *after], tail_after(left)), (at, kind(lines[at]))


def test_each_line_put_in_twice_is_found_as_its_own_copy(lines: list[bytes]) -> None:
    for at in range(len(lines)):
        verdict = check([*lines[: at + 1], lines[at], *lines[at + 1 :]])
        copy = Told(at + 2, identity(lines[at]), "inserted", f"line {at + 1} of the ledger")
        assert (told(verdict), verdict.unproven_tail) == ([copy], 2), (at, kind(lines[at]))


def test_each_line_put_in_again_far_away_is_found_as_its_own_copy(lines: list[bytes]) -> None:
    for at in range(0, len(lines), 7):
        for to in (len(lines), len(lines) - 1, (at + len(lines)) // 2 + 1):
            verdict = check([*lines[:to], lines[at], *lines[to:]])
            copy = Told(to + 1, identity(lines[at]), "inserted", f"line {at + 1} of the ledger")
            assert told(verdict) == [copy], (at, to)


def test_each_line_that_changed_places_with_the_next_is_put_back(lines: list[bytes]) -> None:
    for at in range(len(lines) - 1):
        verdict = check([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
        moved = Told(at + 2, identity(lines[at]), "reordered", f"line {at + 1} of the ledger")
        assert (told(verdict), verdict.events) == ([moved], len(lines)), (at, kind(lines[at]))


def test_a_line_that_was_moved_far_is_put_back(lines: list[bytes]) -> None:
    for at in range(0, len(lines) - 60, 5):
        for far in (2, 10, 50):
            down = [*lines[:at], *lines[at + 1 : at + far + 1], lines[at], *lines[at + far + 1 :]]
            moved = Told(at + far + 1, identity(lines[at]), "reordered", f"line {at + 1} of the ledger")
            assert told(check(down)) == [moved], (at, far)
            up = [*lines[:at], lines[at + far], *lines[at : at + far], *lines[at + far + 1 :]]
            moved = Told(at + 1, identity(lines[at + far]), "reordered", f"line {at + far + 1} of the ledger")
            assert told(check(up)) == [moved], (at, far)


def one_of_each(lines: list[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """The first line of each type, in the file up to a few lines after it."""
    first = {kind(line): at for at, line in reversed(list(enumerate(lines)))}
    yield from ((at, lines[: at + 8]) for at in first.values())


def tampered(lines: list[bytes], at: int, new: bytes) -> tuple[Told, list[Told]]:
    """What is told of a file in which ``new`` stands in the place of a line: of that line, and of others."""
    fault, *rest = told(check([*lines[:at], new, *lines[at + 1 :]]))
    assert fault.line == at + 1, (new, fault)
    return fault, rest


def spoilt(fault: Told) -> bool:
    """Whether the event itself cannot be trusted any more."""
    return fault.what == "undecodable" or fault.where.startswith("event")


def expected_where(path: tuple[str | int, ...]) -> str:
    return str(path[0]) if path[0] != "event" else "event.sig" if path[1:] == ("sig",) else "event"


def test_each_member_of_each_type_changed_to_another_of_its_kind_is_found(lines: list[bytes]) -> None:
    changed = 0
    for at, upto in one_of_each(lines):
        for path, value in leaves(parsed(lines[at])):
            new = with_member(lines[at], path, same_kind(value))
            fault, rest = tampered(upto, at, new)
            assert (fault.id, fault.what) == (identity(new), "altered"), path
            assert fault.where.startswith(expected_where(path)), (path, fault)
            assert rest == (consequences(upto, at) if spoilt(fault) else []), (path, rest)
            changed += 1
    assert changed > 500


def test_each_member_of_each_type_changed_to_another_kind_is_found(lines: list[bytes]) -> None:
    for at, upto in one_of_each(lines):
        for path, value in leaves(parsed(lines[at])):
            for other in other_kinds(value):
                fault, rest = tampered(upto, at, with_member(lines[at], path, other))
                assert fault.what in {"altered", "undecodable"}, (path, other)
                assert rest == (consequences(upto, at) if spoilt(fault) else []), (path, other, rest)


def test_each_member_taken_out_is_found(lines: list[bytes]) -> None:
    for at, upto in one_of_each(lines):
        for path, _ in leaves(parsed(lines[at])):
            if isinstance(path[-1], str):
                fault, rest = tampered(upto, at, without_member(lines[at], path))
                assert fault.what in {"altered", "undecodable"}, path
                assert rest == consequences(upto, at), (path, rest)


def test_a_member_put_in_anywhere_is_found(lines: list[bytes]) -> None:
    for at, upto in one_of_each(lines):
        for path in objects(parsed(lines[at])):
            fault, rest = tampered(upto, at, with_member(lines[at], (*path, "zz"), "more"))
            assert fault.what == ("altered" if path else "undecodable"), path
            assert rest == consequences(upto, at), (path, rest)
