"""Documents at the desk: every file opens, says what it is, waits its turn; everything comes in one zip."""

from __future__ import annotations

import threading
import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from document_reader import codes, flat, page_count, page_size
from web_site import Site, site

from hub.documents.paper import Paper
from hub.errors import HubError
from hub.record.export import export
from hub.web import print_room
from hub.web.errors import WebError
from hub.web.print_room import PrintRoom
from tallybox.table.shown import sheet_digest


def played(seen: Site) -> None:
    """All tables have played and submitted; the first sheet is accepted."""
    seen.room.seat_all()
    for box in seen.room.boxes.values():
        box.play_round().sign().submit()
    seen.room.flush()
    seen.room.hub.director.accept_sheet("director", 1, 1)


def finished(room: PrintRoom) -> print_room.Finished:
    """The file of everything, once it is made."""
    deadline = time.monotonic() + 60
    while room.bundle.progress is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert room.bundle.finished is not None, room.bundle.failed
    return room.bundle.finished


def test_every_link_of_the_page_opens_a_document(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        page = seen.page("/documents?paper=letter")
        links = [
            link.attrs["href"] for link in page.one("main").all("a") if link.attrs["href"].startswith("/documents/")
        ]
        assert len(links) == 5 + 4 + 3 + 5
        for link in links:
            answer = seen.client.get(link)
            kind = answer.headers["content-type"]
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store"), link
            if kind == "application/pdf":
                assert page_size(answer.content) in ((612.0, 792.0), (792.0, 612.0))
                assert answer.headers["content-disposition"].startswith("inline; filename=")
            else:
                assert (kind, answer.content[:3]) == ("text/csv; charset=utf-8", b"\xef\xbb\xbf")
                assert answer.headers["content-disposition"].startswith("attachment; filename=")


def test_the_sheet_that_is_fetched_is_the_one_on_the_screen(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        answer = seen.client.get("/documents/sheets/R1-T2.pdf")
        table = seen.room.table(2)
        digest = sheet_digest(table.state).upper()
        assert codes(answer.content) == [f"TALLYBOX:1:{seen.room.name.upper()}:R1-T2:V1:{digest}"]
        assert answer.headers["content-disposition"] == 'inline; filename="sheet-R1-T2.pdf"'
        seal = f"{digest[:4]}-{digest[4:8]}"
        assert seal in seen.page("/rounds/1/tables/2").text
        assert seal in flat(answer.content)
        both = seen.client.get("/documents/sheets.pdf?round=1").content
        assert page_count(both) == 2
        assert seen.client.get("/documents/sheets/R1-T2.pdf").content == answer.content


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/documents/sheets/R1-T9.pdf", 404, "There is no sheet R1-T9."),
        ("/documents/sheets/R7-T1.pdf", 404, "There is no sheet R7-T1."),
        ("/documents/pairings/2.pdf", 404, "Round 2 is not posted yet."),
        ("/documents/sheets.pdf?round=2", 404, "Round 2 is not posted yet."),
        ("/documents/sheets.pdf?round=99", 404, "There is no such round."),
        ("/documents/blank.pdf?round=x", 404, "There is no such round."),
        ("/documents/blank.pdf?paper=a0", 404, "Documents are printed on A4 or on Letter paper."),
        ("/documents/bracket.pdf", 404, "There is no bracket yet."),
        ("/documents/tables/secrets.csv", 404, "There is no such document."),
        ("/documents/everything.zip", 404, "The file of everything is not made yet."),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path, path: str, status: int, sentence: str) -> None:
    with site(tmp_path) as seen:
        assert sentence in seen.page(path, status).text


def test_everything_comes_in_one_file_the_same_for_the_same_ledger(tmp_path: Path) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        room = seen.server.app.state.desk.print_room
        assert seen.post("/documents/everything", htmx=True).text.count("The file is being made.") == 1
        finished(room)
        first = seen.client.get("/documents/everything.zip")
        assert first.headers["content-disposition"].endswith(f'-line-{seen.room.hub.tournament.seq}.zip"')
        seen.post("/documents/everything", paper="a4")
        finished(room)
        assert seen.client.get("/documents/everything.zip").content == first.content
        files = zipfile.ZipFile(BytesIO(first.content))
        assert files.testzip() is None
        name = seen.room.name
        assert files.namelist() == [
            f"{name}/{file}"
            for file in (
                "README.txt", "lists/round-1-by-table.pdf", "lists/round-1-by-team.pdf", "lists/standings.pdf",
                "tables/teams.csv", "tables/pairings.csv", "tables/results.csv", "tables/standings.csv",
                "tables/rulings.csv", "sheets/R1-T1.pdf", "sheets/R1-T2.pdf", "sheets/all-sheets.pdf", "ledger.ndjson",
            )
        ]  # fmt: skip
        assert files.read(f"{name}/ledger.ndjson") == b"".join(export(seen.room.hub.ledger))
        assert files.read(f"{name}/sheets/R1-T1.pdf") == seen.client.get("/documents/sheets/R1-T1.pdf").content
        readme = files.read(f"{name}/README.txt").decode()
        assert "It was not over yet when this was written. 1 round, 2 sheets." in readme
        assert "bracket.pdf" not in readme
        assert {info.date_time for info in files.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        seen.room.hub.director.pause("director")
        time.sleep(1.1)
        assert "1 thing has happened since." in seen.page("/documents").one(id="everything").text


def test_the_poster_leads_to_the_public_page(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        assert "phones cannot open its public page" in seen.page("/documents/poster.pdf", 404).text
        seen.server.app.state.hosts = frozenset({"127.0.0.1", "hub.club.example"})
        answer = seen.client.get("/documents/poster.pdf")
        address = f"http://hub.club.example:{seen.server.port}/public"
        assert (codes(answer.content), address in flat(answer.content)) == ([address], True)
        assert "/documents/poster.pdf" in seen.client.get("/documents").text


def test_one_bundle_is_made_at_a_time_and_a_closing_hub_leaves_it_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site(tmp_path, tables=2) as seen:
        played(seen)
        room = seen.server.app.state.desk.print_room
        let_go = threading.Event()

        def slow(*_args: object) -> bytes:
            assert let_go.wait(20)
            return b""

        monkeypatch.setattr("hub.documents.bundle.standings_pdf", slow)
        seen.post("/documents/everything", paper="a4")
        assert "The lists are drawn." in seen.page("/documents").one(id="everything").text
        again = seen.post("/documents/everything", htmx=True)
        assert (again.status_code, "The file is being made already." in again.text) == (409, True)
        closing = threading.Thread(target=room.close)
        closing.start()
        let_go.set()
        closing.join(20)
        assert (closing.is_alive(), room.bundle.progress, room.bundle.finished) == (False, None, None)


def test_documents_are_drawn_one_at_a_time_and_kept_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site(tmp_path) as seen:
        room = PrintRoom(seen.room.hub, lambda: None)
        drawn: list[int] = []

        def make() -> bytes:
            drawn.append(1)
            return b"%PDF"

        assert [room.draw("a", make), room.draw("a", make), room.draw("b", make)] == [b"%PDF"] * 3
        assert len(drawn) == 2
        monkeypatch.setattr(print_room, "WAIT", 0.05)
        with room._drawing, pytest.raises(WebError) as busy:
            room.draw("c", make)
        assert (busy.value.status, busy.value.sentence) == (503, "Other documents are being drawn.")
        for _ in range(print_room.QUEUE):
            assert room._queue.acquire(blocking=False)
        with pytest.raises(WebError):
            room.draw("a", make)


def test_the_file_of_everything_that_cannot_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(tmp_path) as seen:
        room = PrintRoom(seen.room.hub, lambda: None)

        def full(*_args: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(print_room, "write_bundle", full)
        room.begin(Paper.A4)
        deadline = time.monotonic() + 60
        while room.bundle.progress is not None and time.monotonic() < deadline:
            time.sleep(0.02)
        said = "The file cannot be written: No space left on device. Make room on the hub's disk, then try again."
        assert room.bundle.failed == said
        monkeypatch.setattr("hub.documents.bundle.MOST_SHEETS", 0)
        with pytest.raises(HubError, match="1 sheets; 0 go into one file"):
            room.begin(Paper.A4)
        room.close()
