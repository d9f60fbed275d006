"""A real night's ledger, the ways to tamper with it, and a check that reads each line once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

sys.path.append(str(Path(__file__).parents[1] / "hub"))

import pytest
from hub_bench import Bench
from hub_whole_night import play_on

from hub.record.export import export
from hub.record.recount import Recount
from tallybox.canonical import Json, canonical
from tallybox.proof import checkpoint, keys, reading, verifier
from tallybox.proof.trust import Trust
from tallybox.proof.verifier import Recount as Counting
from tallybox.proof.verifier import Verdict, Verifier
from tallybox.signing import verify

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


def read_each_line_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes read the same, and the same signature is worth the same: thousands of checks take seconds."""
    monkeypatch.setattr(verifier, "read_line", _read_once)
    monkeypatch.setattr(keys, "verify", _verify_once)
    monkeypatch.setattr(checkpoint, "verify", _verify_once)


@lru_cache(maxsize=20_000)
def _text_once(text: bytes) -> reading.Read:
    return reading.read_line(0, text)


def _read_once(number: int, text: bytes) -> reading.Read:
    return replace(_text_once(text), number=number)


_verify_once = lru_cache(maxsize=20_000)(verify)


def parsed(line: bytes) -> dict[str, Json]:
    return cast("dict[str, Json]", json.loads(line))


def written(line: Json) -> bytes:
    return canonical(line)


def event_in(line: bytes) -> dict[str, Json]:
    return cast("dict[str, Json]", parsed(line)["event"])


def body_in(line: bytes) -> dict[str, Json]:
    return cast("dict[str, Json]", event_in(line)["body"])


@lru_cache
def kind(line: bytes) -> str:
    return str(event_in(line)["type"])


@lru_cache
def journal_of(line: bytes) -> tuple[str, str]:
    """Whose event it is: box and epoch."""
    event = event_in(line)
    return str(event["kiosk"]), str(event["epoch"])


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
    holder(made, path)[path[-1]] = value
    return written(made)


def without_member(line: bytes, path: Path_) -> bytes:
    made = parsed(line)
    del holder(made, path)[path[-1]]
    return written(made)


def holder(made: Json, path: Path_) -> dict[str | int, Json]:
    """The object or list that holds the last step of ``path``."""
    for step in path[:-1]:
        made = cast("dict[str | int, Json]", made)[step]
    return cast("dict[str | int, Json]", made)


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
