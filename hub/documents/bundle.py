"""Everything at the end in one file: all sheets, lists, tables for spreadsheets and the ledger.

The zip carries no time of its own: the same ledger gives the same file.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final

from hub.documents.bracket import bracket_pdf
from hub.documents.csv_files import pairings_csv, results_csv, rulings_csv, standings_csv, teams_csv
from hub.documents.history import Stamps
from hub.documents.lists import pairings_by_team_pdf, pairings_pdf, standings_pdf
from hub.documents.paper import Paper
from hub.documents.printed import SheetPrint, printed
from hub.documents.sheet import sheets_pdf
from hub.errors import HubError
from hub.tournament.state import TableRound, Tournament
from hub.web.views.words import counted

MOST_SHEETS: Final = 4_000
"""Sheets in one bundle; twenty rounds at two hundred tables."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the earliest that a zip can say."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bundle is: ``done`` of ``of`` steps, and the next one in words."""

    done: int
    of: int
    says: str


def sheet_tables(tournament: Tournament) -> tuple[TableRound, ...]:
    """Every table of every round, in order. Raises ``HubError`` (``too-many-sheets``)."""
    tables = tuple(table for posted in tournament.rounds for table in posted.tables.values())
    if len(tables) > MOST_SHEETS:
        raise HubError(
            "too-many-sheets",
            f"This occasion has {len(tables):,} sheets; {MOST_SHEETS:,} go into one file. Print the rounds one by one.",
        )
    return tables


def write_bundle(
    out: IO[bytes], tournament: Tournament, stamps: Stamps, ledger: Iterable[bytes], paper: Paper,
    tell: Callable[[Progress], None] = lambda _progress: None,
) -> None:  # fmt: skip
    """Write the zip; ``ledger`` are its lines up to ``tournament.seq``, as ``tallybox export`` writes them."""
    tables = sheet_tables(tournament)
    of = len(tables) + 3
    folder = tournament.name or "tallybox"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as bundle:
        tell(Progress(0, of, "The lists are drawn."))
        _put(bundle, f"{folder}/README.txt", readme(tournament, len(tables)).encode())
        for name, document in _lists(tournament, stamps, paper):
            _put(bundle, f"{folder}/{name}", document)
        prints: list[SheetPrint] = []
        for number, table in enumerate(tables, start=1):
            tell(Progress(number, of, f"Sheet {table.sheet_id} is drawn, {number} of {len(tables)}."))
            sheet = printed(tournament, table, stamps)
            prints.append(sheet)
            _put(bundle, f"{folder}/sheets/{table.sheet_id}.pdf", sheets_pdf([sheet], paper, f"Sheet {table.sheet_id}"))
        if prints:
            tell(Progress(of - 2, of, "All sheets are drawn once more, in one document."))
            title = f"{tournament.title}: all sheets"
            _put(bundle, f"{folder}/sheets/all-sheets.pdf", sheets_pdf(prints, paper, title))
        tell(Progress(of - 1, of, "The ledger is copied."))
        with bundle.open(_info(f"{folder}/ledger.ndjson"), "w") as file:
            for line in ledger:
                file.write(line)
    tell(Progress(of, of, "Everything is in the file."))


def _lists(tournament: Tournament, stamps: Stamps, paper: Paper) -> Iterator[tuple[str, bytes]]:
    for posted in tournament.rounds:
        yield f"lists/round-{posted.number}-by-table.pdf", pairings_pdf(tournament, posted, paper)
        yield f"lists/round-{posted.number}-by-team.pdf", pairings_by_team_pdf(tournament, posted, paper)
    yield "lists/standings.pdf", standings_pdf(tournament, paper)
    bracket = bracket_pdf(tournament, paper)
    if bracket is not None:
        yield "lists/bracket.pdf", bracket
    yield "tables/teams.csv", teams_csv(tournament)
    yield "tables/pairings.csv", pairings_csv(tournament)
    yield "tables/results.csv", results_csv(tournament)
    yield "tables/standings.csv", standings_csv(tournament)
    yield "tables/rulings.csv", rulings_csv(tournament, stamps)


def _put(bundle: zipfile.ZipFile, name: str, data: bytes) -> None:
    bundle.writestr(_info(name), data)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    info.create_system = 3
    return info


def readme(tournament: Tournament, sheets: int) -> str:
    """What is in the file, for somebody who opens it in ten years."""
    plan = tournament.plan
    rules = "" if plan is None else f"It was played by {plan.ruleset.title}, rules {plan.ruleset.digest}.\n"
    state = "It is over." if tournament.over else "It was not over yet when this was written."
    rounds = counted(len(tournament.rounds), "round", "rounds")
    bracket = "lists/bracket.pdf       The bracket of the play-offs.\n" if bracket_there(tournament) else ""
    return f"""{tournament.title}

Everything that Tallybox knows of this tournament, as of ledger line {tournament.seq}.
{rules}{state} {rounds}, {counted(sheets, "sheet", "sheets")}.

sheets/R1-T1.pdf        The score sheet of round 1, table 1, as played; and so on for every table.
sheets/all-sheets.pdf   All of them in one document.
lists/round-1-by-table.pdf, lists/round-1-by-team.pdf
                        The pairings as they were posted, for every round.
lists/standings.pdf     The standings, each place with the reason for it.
{bracket}tables/*.csv            Teams, pairings, results hand by hand, standings and rulings for a spreadsheet:
                        UTF-8, commas, the first line names the columns. Text that a spreadsheet would take
                        for a formula has an apostrophe before it.
ledger.ndjson           The ledger itself, one event a line, exactly as `tallybox export` writes it. Everything
                        else in this file follows from it, and can be made again from it.

A sheet has versions. The players' signatures belong to the version they signed, and the paper says which one
that is; what the director corrected later is a later version that the players did not sign.
The square code on a sheet holds the digest of exactly what is printed.

The ledger also holds what officials noted about conduct, and the means to check their PINs.
Keep this file as carefully as the hub itself.
"""


def bracket_there(tournament: Tournament) -> bool:
    """Whether an elimination has begun, so that there is a bracket to draw."""
    return any(stage.plan.kind == "elimination" and len(stage.teams) > 1 for stage in tournament.stages)
