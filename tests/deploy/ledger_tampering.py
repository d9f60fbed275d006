"""A real night's ledger, the ways to tamper with it, and a check that reads each line once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

sys.path.append(str(Path(__file__).parents[1] / "hub"))

from hub_bench import Bench
from hub_whole_night import play_on

from hub.export import export
from hub.recount import Recount
from tallybox.canonical import Json, canonical
from tallybox.proof.trust import Trust
from tallybox.proof.verifier import Recount as Counting
from tallybox.proof.verifier import Verdict, Verifier

Path_ = tuple[str | int, ...]


def night(folder: Path, hands: int = 1) -> list[bytes]:
    """The exported ledger of a whole small tournament: the same lines every time."""
    bench = Bench(folder)
    bench.create(hands=hands)
    play_on(bench)
    bench.director.announce("dana", "Thank you all")
    bench.director.announce("dana", "Good night")
    lines = [line.rstrip(b"\n") for line in export(bench.ledger)]
    bench.ledger.close()
    return lines


def check(lines: Sequence[bytes], trust: Trust | None = None, *, recount: bool = False) -> Verdict:
    """What the check says of these lines."""
    counting: Counting | None = Recount() if recount else None
    return Verifier(trust, counting).run(lines)


def parsed(line: bytes) -> dict[str, Json]:
    return cast("dict[str, Json]", json.loads(line))


def written(line: Json) -> bytes:
    return canonical(line)


@lru_cache
def kind(line: bytes) -> str:
    event = parsed(line)["event"]
    assert isinstance(event, dict)
    return str(event["type"])


@lru_cache
def identity(line: bytes) -> str:
    return str(parsed(line)["id"])


def leaves(value: Json, path: Path_ = ()) -> Iterator[tuple[Path_, Json]]:
    """Every member that holds no other: texts, numbers, flags, nulls, and lists and objects without members."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def objects(value: Json, path: Path_ = ()) -> Iterator[Path_]:
    """Every object."""
    if isinstance(value, dict):
        yield path
        for name, inner in value.items():
            yield from objects(inner, (*path, name))


def with_member(line: bytes, path: Path_, value: Json) -> bytes:
    """The line with another value at ``path``."""
    made = parsed(line)
    _holder(made, path)[path[-1]] = value  # type: ignore[index]
    return written(made)


def without_member(line: bytes, path: Path_) -> bytes:
    made = parsed(line)
    del _holder(made, path)[path[-1]]  # type: ignore[attr-defined]
    return written(made)


def _holder(made: Json, path: Path_) -> Json:
    for step in path[:-1]:
        made = made[step]  # type: ignore[call-overload, index]
    return made


def same_kind(value: Json) -> Json:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) >= 64:
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str():
            return value[:-1] + ("a" if value[-1:] != "a" else "b")
        case None:
            return 1
    return ["a"] if isinstance(value, list) else {"a": 1}


def other_kinds(value: Json) -> tuple[Json, ...]:
    """Values of other kinds: a number for a text, a text for anything else, nothing, and a list."""
    others: tuple[Json, ...] = (7 if isinstance(value, str) else "7", None, [value])
    return tuple(other for other in others if other is not value)


@dataclass(frozen=True)
class Told:
    """A fault as tests compare it, without its sentence."""

    line: int
    id: str | None
    what: str
    where: str


def told(verdict: Verdict) -> list[Told]:
    assert all(fault.message[-1] == "." for fault in verdict.faults)
    return [Told(fault.line, fault.id, fault.what.value, fault.where) for fault in verdict.faults]
