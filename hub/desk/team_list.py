"""A list of teams as a club keeps it, read from CSV: every fault named by its line, nothing written. Pure.

The columns may stand in any order under English names, or without a heading as number, player, player (or player,
player). Comma, semicolon or tab; quoted fields; UTF-8 with or without its mark, UTF-16 with it, else Latin-1.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hub.desk.decisions_teams import LARGEST_NUMBER, LONGEST_NAME

LARGEST_BYTES: Final = 65_536
MOST_ROWS: Final = 500
MOST_FAULTS: Final = 60
"""Faults that are told at once; whoever has more begins with these."""

NUMBER, FIRST, SECOND, BOTH, FILLER = "number", "first", "second", "both", "filler"
_HEADINGS: Final[Mapping[str, str]] = {
    "number": NUMBER, "no": NUMBER, "nr": NUMBER, "team": NUMBER, "teamno": NUMBER, "teamnumber": NUMBER, "id": NUMBER,
    "player1": FIRST, "firstplayer": FIRST, "player": FIRST, "name1": FIRST, "first": FIRST, "playera": FIRST,
    "one": FIRST, "captain": FIRST,
    "player2": SECOND, "secondplayer": SECOND, "partner": SECOND, "name2": SECOND, "second": SECOND, "playerb": SECOND,
    "two": SECOND,
    "players": BOTH, "names": BOTH, "pair": BOTH,
    "filler": FILLER, "fillin": FILLER, "house": FILLER,
}  # fmt: skip
_YES: Final = frozenset({"yes", "y", "x", "true", "1", "filler"})
_NO: Final = frozenset({"", "no", "n", "false", "0"})
_SEPARATORS: Final = {";": "semicolons", ",": "commas", "\t": "tabs"}
_PAIR: Final = re.compile(r"\s+(?:/|&|\+|·|and)\s+|\s*/\s*")


@dataclass(frozen=True, slots=True)
class Listed:
    """One team of the list; ``line`` counts from 1. No ``number``: the next free one."""

    line: int
    names: tuple[str, str]
    number: int | None = None
    filler: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a line, and what to do; ``line`` 0: the list as a whole."""

    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class TeamList:
    """The list as it was read. ``told`` says how; ``ignored`` names columns that mean nothing here."""

    teams: tuple[Listed, ...] = ()
    faults: tuple[Fault, ...] = ()
    told: str = ""
    ignored: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether it can be entered as it is."""
        return bool(self.teams) and not self.faults


def read_team_list(content: bytes, taken: Collection[int] = ()) -> TeamList:
    """The list in these bytes; ``taken`` are numbers of teams that play already and cannot be given again."""
    try:
        text, encoding = _decoded(content)
        separator = _separator(text)
        made = _read(_bounded(text, separator), taken)
    except _UnreadableError as reason:
        return TeamList(faults=(Fault(0, str(reason)),))
    return replace(made, told=f"Read as {encoding}, fields apart by {_SEPARATORS[separator]}.")


class _UnreadableError(Exception):
    """The list as a whole cannot be read; the message says what to do."""


def numbered(teams: Sequence[Listed], taken: Collection[int] = ()) -> tuple[Listed, ...]:
    """The teams with a number each: those that have none get the next ones above all that are known."""
    following = max([0, *taken, *(team.number for team in teams if team.number is not None)]) + 1
    made = []
    for team in teams:
        if team.number is None:
            made.append(replace(team, number=following))
            following += 1
        else:
            made.append(team)
    return tuple(made)


def as_csv(teams: Sequence[Listed]) -> str:
    """The list in the form that is always read the same way."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["number", "player 1", "player 2", "filler"])
    for team in teams:
        writer.writerow(["" if team.number is None else team.number, *team.names, "yes" if team.filler else ""])
    return out.getvalue()


def _decoded(content: bytes) -> tuple[str, str]:
    if len(content) > LARGEST_BYTES:
        raise _UnreadableError(f"The list has more than {LARGEST_BYTES // 1024} KiB. Send it in parts.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, encoding = content.decode("utf-16", "replace"), "UTF-16"
    else:
        try:
            text, encoding = content.decode("utf-8-sig"), "UTF-8"
        except UnicodeDecodeError:
            text, encoding = content.decode("latin-1"), "Latin-1"
    if "\0" in text:
        raise _UnreadableError("This is no text file. Save the list as CSV and send that.")
    return text, encoding


_EMPTY: Final = "The list is empty. Write one team a line: number, player, player."


def _separator(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not first:
        raise _UnreadableError(_EMPTY)
    return max(_SEPARATORS, key=lambda mark: _outside_quotes(first).count(mark))


def _bounded(text: str, separator: str) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in _rows(text, separator):
            rows.append(row)
            if len(rows) > MOST_ROWS + 1:
                raise _UnreadableError(f"The list has more than {MOST_ROWS} lines. Send it in parts.")
    except csv.Error as reason:
        said = f"Line {len(rows) + 1} cannot be read: {reason}. Look at its quotation marks."
        raise _UnreadableError(said) from None
    if not rows:
        raise _UnreadableError(_EMPTY)
    return rows


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*"?', "", line)


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins in."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    begins = 1
    for row in reader:
        if any(field.strip() for field in row):
            yield begins, [" ".join(field.split()) for field in row]
        begins = reader.line_num + 1


def _read(rows: Sequence[tuple[int, list[str]]], taken: Collection[int]) -> TeamList:
    headed = _columns(rows[0][1])
    columns, body = (headed, rows[1:]) if headed else (_unnamed(rows), rows)
    if len(body) > MOST_ROWS:
        raise _UnreadableError(f"The list has more than {MOST_ROWS} teams. Send it in parts.")
    ignored = tuple(
        title[:40] for index, title in enumerate(rows[0][1]) if headed and title and index not in headed.values()
    )
    if FIRST not in columns and BOTH not in columns:
        said = "No column holds the players. Name the columns: number, player 1, player 2."
        return TeamList(faults=(Fault(rows[0][0], said),), ignored=ignored)
    if FIRST in columns and SECOND not in columns and BOTH not in columns:
        said = "No column holds the second player. Name it player 2."
        return TeamList(faults=(Fault(rows[0][0], said),), ignored=ignored)
    teams: list[Listed] = []
    faults: list[Fault] = []
    seen: dict[int, int] = {}
    for line, row in body:
        team, wrong = _team(line, row, columns)
        faults += [Fault(line, sentence) for sentence in wrong]
        if team is None:
            continue
        teams.append(team)
        if team.number is not None:
            faults += _twice(team.number, line, seen, taken)
            seen.setdefault(team.number, line)
    if not teams and not faults:
        faults.append(Fault(0, "The list holds a heading and no team. Write one team a line below it."))
    return TeamList(tuple(teams), tuple(faults[:MOST_FAULTS]), ignored=ignored)


def _twice(number: int, line: int, seen: Mapping[int, int], taken: Collection[int]) -> list[Fault]:
    if number in seen:
        return [Fault(line, f"Number {number} stands in line {seen[number]} already. Give one of them another.")]
    if number in taken:
        return [Fault(line, f"Number {number} plays already. Give this team another number, or leave it out.")]
    return []


def _columns(heading: Sequence[str]) -> dict[str, int]:
    """Which column holds what, if the row names columns."""
    found: dict[str, int] = {}
    for index, title in enumerate(heading):
        known = _HEADINGS.get(re.sub(r"[^a-z0-9]", "", title.lower()))
        if known is not None:
            found.setdefault(known, index)
    return found


def _unnamed(rows: Sequence[tuple[int, list[str]]]) -> dict[str, int]:
    """Without a heading: number, player, player; or the two players alone."""
    first = rows[0][1]
    if len(first) >= 3 and (first[0].isdecimal() or not first[0]):
        return {NUMBER: 0, FIRST: 1, SECOND: 2, **({FILLER: 3} if len(first) > 3 else {})}
    if len(first) == 2 and first[0].isdecimal():
        return {NUMBER: 0, BOTH: 1}
    return {FIRST: 0, SECOND: 1} if len(first) >= 2 else {BOTH: 0}


def _team(line: int, row: Sequence[str], columns: Mapping[str, int]) -> tuple[Listed | None, list[str]]:
    def field(name: str) -> str:
        index = columns.get(name)
        return row[index] if index is not None and index < len(row) else ""

    wrong: list[str] = []
    number = _number(field(NUMBER), wrong)
    first, second = field(FIRST), field(SECOND)
    if BOTH in columns and not (first and second):
        parts = _PAIR.split(field(BOTH), maxsplit=1)
        first, second = (parts[0], parts[1]) if len(parts) == 2 else (field(BOTH), "")
    for place, name in (("first", first), ("second", second)):
        if not name:
            wrong.append(f"The {place} player has no name. Write down both players.")
        elif len(name) > LONGEST_NAME:
            wrong.append(f"“{name[:20]}…” is longer than {LONGEST_NAME} characters. Shorten it.")
        elif not name.isprintable():
            wrong.append(f"The {place} player's name holds a character that cannot be shown. Type it again.")
    filler = field(FILLER).lower()
    if filler not in _YES | _NO:
        wrong.append(f"“{filler[:20]}” does not say whether this is a filler team. Write yes, or leave it empty.")
    return (None if wrong else Listed(line, (first, second), number, filler in _YES)), wrong


def _number(text: str, wrong: list[str]) -> int | None:
    plain = text.removeprefix("#").strip()
    if not plain:
        return None
    if plain.isascii() and plain.isdecimal() and len(plain) <= 4 and 1 <= int(plain) <= LARGEST_NUMBER:
        return int(plain)
    wrong.append(f"“{text[:20]}” is no team number. Write one from 1 to {LARGEST_NUMBER}, or leave it empty.")
    return None
