"""Documents: a page that leads to them, and each one as a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from hub.documents.blank import blanks, blanks_pdf
from hub.documents.bracket import bracket_pdf
from hub.documents.bundle import sheet_tables
from hub.documents.csv_files import pairings_csv, results_csv, rulings_csv, standings_csv, teams_csv
from hub.documents.lists import pairings_by_team_pdf, pairings_pdf, standings_pdf
from hub.documents.paper import Paper
from hub.documents.poster import poster_pdf
from hub.documents.printed import printed
from hub.documents.sheet import sheets_pdf
from hub.roles import DeskAct
from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import Round, TableRound, Tournament
from hub.web.address import own_machine, public_address
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.guard import form
from hub.web.picture import Picture
from hub.web.render import Shown, asks_for_inside
from hub.web.views.documents import documents as documents_view

MOST_AT_ONCE: Final = 400
"""Sheets in one document that a page asks for; more of them come round by round, or in the file of everything."""

PDF: Final = "application/pdf"
CSV: Final = "text/csv; charset=utf-8"


def documents(request: Request) -> Response:
    """What can be printed, downloaded and kept."""
    desk, paper = desk_of(request), _paper(request)

    def build(picture: Picture) -> Shown:
        view = documents_view(picture, desk.print_room.bundle, paper, public_address(request))
        return Shown("documents.html", "Documents", "Documents", {"kind": "documented", "it": view})

    return desk.page(request, build)


def blank(request: Request) -> Response:
    """Blank score sheets of one round (``?round=2``) or of all."""
    number = _number(request)

    def make(tournament: Tournament, paper: Paper) -> bytes:
        sheets = blanks(tournament, number)
        _few(len(sheets))
        if not sheets:
            raise WebError(404, "no-tables", "There are no tables yet.", "Register the teams first.")
        return blanks_pdf(sheets, paper, f"{tournament.title}: blank sheets")

    name = f"blank-sheets-round-{number}" if number else "blank-sheets"
    return _file(request, f"{name}.pdf", PDF, make)


def sheets(request: Request) -> Response:
    """The score sheets as played, of one round or of all."""
    number, room = _number(request), desk_of(request).print_room

    def make(tournament: Tournament, paper: Paper) -> bytes:
        tables = sheet_tables(tournament)
        tables = tuple(table for table in tables if number in (None, table.round))
        if not tables:
            raise _no_round(number or 1)
        _few(len(tables))
        stamps = room.stamps(*tables)
        return sheets_pdf(
            [printed(tournament, table, stamps) for table in tables], paper, f"{tournament.title}: score sheets"
        )

    return _file(request, f"sheets-round-{number}.pdf" if number else "sheets.pdf", PDF, make)


def sheet(request: Request) -> Response:
    """One score sheet as played."""
    number, at = int(request.path_params["number"]), int(request.path_params["table"])
    room = desk_of(request).print_room

    def make(tournament: Tournament, paper: Paper) -> bytes:
        table = _table(tournament, number, at)
        return sheets_pdf([printed(tournament, table, room.stamps(table))], paper, f"Sheet {table.sheet_id}")

    return _file(request, f"sheet-R{number}-T{at}.pdf", PDF, make)


def pairings(request: Request) -> Response:
    """A round's pairings by table, or by team (``?by=team``)."""
    number = int(request.path_params["number"])
    by_team = request.query_params.get("by") == "team"
    draw = pairings_by_team_pdf if by_team else pairings_pdf
    name = f"round-{number}-by-{'team' if by_team else 'table'}.pdf"
    return _file(request, name, PDF, lambda tournament, paper: draw(tournament, _round(tournament, number), paper))


def standings(request: Request) -> Response:
    """The standings, each place with its reason."""
    return _file(request, "standings.pdf", PDF, standings_pdf)


def bracket(request: Request) -> Response:
    """The bracket as far as it has come."""

    def make(tournament: Tournament, paper: Paper) -> bytes:
        drawn = bracket_pdf(tournament, paper)
        if drawn is None:
            raise WebError(404, "no-bracket", "There is no bracket yet.", "It begins when the play-offs do.")
        return drawn

    return _file(request, "bracket.pdf", PDF, make)


def poster(request: Request) -> Response:
    """The public page's code for the wall."""
    address = public_address(request)
    if not address:
        raise own_machine()

    def make(tournament: Tournament, paper: Paper) -> bytes:
        return poster_pdf(tournament.title, address, paper)

    return _file(request, "poster.pdf", PDF, make, address)


def table_file(request: Request) -> Response:
    """A table for a spreadsheet: teams, pairings, results, standings or rulings; of one round where that fits."""
    what, number, room = str(request.path_params["what"]), _number(request), desk_of(request).print_room
    made: dict[str, Callable[[Tournament], bytes]] = {
        "teams": teams_csv,
        "pairings": lambda tournament: pairings_csv(tournament, number),
        "results": lambda tournament: results_csv(tournament, number),
        "standings": standings_csv,
        "rulings": lambda tournament: rulings_csv(tournament, room.stamps(*sheet_tables(tournament))),
    }
    if what not in made:
        raise WebError(404, "no-document", "There is no such document.", "The page of documents has those there are.")
    by_round = number is not None and what in {"pairings", "results"}
    name = f"{what}-round-{number}.csv" if by_round else f"{what}.csv"
    return _file(request, name, CSV, lambda tournament, _paper: made[what](tournament))


async def begin(request: Request) -> Response:
    """Make one file of everything, in the background."""
    desk = desk_of(request)
    fields = await form(request, desk.tokens)
    paper = _named_paper(fields.get("paper", Paper.A4.value))
    await run_in_threadpool(desk.print_room.begin, paper)
    if asks_for_inside(request):
        answer = desk.pages.sentence("The file is being made. This page says when it is there.", "", status=200)
        answer.headers["HX-Trigger"] = "changed"
        return answer
    return RedirectResponse("/documents", 303)


def everything(request: Request) -> Response:
    """The file of everything, once it is made."""
    desk = desk_of(request)
    made = desk.print_room.bundle.finished
    if made is None:
        raise WebError(404, "not-made", "The file of everything is not made yet.", "Make it on the page of documents.")
    name = f"{desk.hub.tournament.name or 'tallybox'}-line-{made.seq}.zip"
    headers = {"Content-Length": str(made.size), "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(made.pieces(), media_type="application/zip", headers=headers)


Make = Callable[[Tournament, Paper], bytes]


def _file(request: Request, name: str, kind: str, make: Make, also: str = "") -> Response:
    """The document with its name; PDFs open beside the page, tables are saved. ``also``: what else it rests on."""
    desk, paper = desk_of(request), _paper(request)
    tournament = desk.hub.tournament
    if tournament.plan is None:
        raise WebError(404, "no-tournament", "There is no tournament yet.", "Set one up, then there is paper for it.")
    key = (name, paper, tournament.name, tournament.seq, also)
    body = desk.print_room.draw(key, lambda: make(tournament, paper))
    place = "inline" if kind == PDF else "attachment"
    return Response(body, media_type=kind, headers={"Content-Disposition": f'{place}; filename="{name}"'})


def _paper(request: Request) -> Paper:
    return _named_paper(request.query_params.get("paper", Paper.A4.value))


def _named_paper(name: str) -> Paper:
    if name not in set(Paper):
        raise WebError(404, "no-paper", "Documents are printed on A4 or on Letter paper.", "Choose one of the two.")
    return Paper(name)


def _number(request: Request) -> int | None:
    """The round that is asked for; ``None``: all."""
    text = request.query_params.get("round", "")
    if not text:
        return None
    tournament = desk_of(request).hub.tournament
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= rounds_in_all(tournament)):
        raise WebError(404, "no-round", "There is no such round.", "The page of documents has those there are.")
    return int(text)


def _round(tournament: Tournament, number: int) -> Round:
    posted = tournament.round(number)
    if posted is None:
        raise _no_round(number)
    return posted


def _table(tournament: Tournament, number: int, table: int) -> TableRound:
    found = tournament.table(number, table)
    if found is None:
        raise WebError(
            404, "no-sheet", f"There is no sheet R{number}-T{table}.", "The list of sheets has those there are."
        )
    return found


def _no_round(number: int) -> WebError:
    return WebError(404, "no-round", f"Round {number} is not posted yet.", "Its papers come with its pairings.")


def _few(sheets: int) -> None:
    if sheets > MOST_AT_ONCE:
        raise WebError(
            413, "too-many-sheets", f"{sheets:,} sheets do not go into one document.",
            "Print the rounds one by one, or make the file of everything.",
        )  # fmt: skip


DOORS: Final = (
    Door("/documents", documents),
    Door("/documents/blank.pdf", blank),
    Door("/documents/sheets.pdf", sheets),
    Door("/documents/sheets/R{number:int}-T{table:int}.pdf", sheet),
    Door("/documents/pairings/{number:int}.pdf", pairings),
    Door("/documents/standings.pdf", standings),
    Door("/documents/bracket.pdf", bracket),
    Door("/documents/poster.pdf", poster),
    Door("/documents/tables/{what:str}.csv", table_file),
    Door("/documents/everything", begin, DeskAct.TOURNAMENT, posts=True),
    Door("/documents/everything.zip", everything, DeskAct.TOURNAMENT),
)
