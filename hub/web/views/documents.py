"""The page of documents: what there is for each round, the lists and tables, and the file of everything."""

from __future__ import annotations

from dataclasses import dataclass

from hub.documents.paper import Paper
from hub.tournament.brackets import elimination
from hub.tournament.next_round import rounds_in_all
from hub.tournament.state import Round
from hub.web.picture import Picture
from hub.web.print_room import Bundle
from hub.web.views.frame import RoundChip, chip
from hub.web.views.words import count_word, counted

_PAPERS = {Paper.A4: "A4", Paper.LETTER: "Letter"}


@dataclass(frozen=True, slots=True)
class RoundPapers:
    """One round: its paper, and how far it is. One that is not posted has blank sheets alone."""

    chip: RoundChip
    word: str
    said: str
    posted: bool


@dataclass(frozen=True, slots=True)
class EverythingView:
    """The file of everything: being made, made, or why not. ``stale``: something happened since."""

    says: str = ""
    done: int = 0
    ready: str = ""
    stale: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class DocumentsView:
    """The whole page. ``query`` goes to every address, for the paper that was chosen."""

    rounds: tuple[RoundPapers, ...]
    paper: str
    query: str
    other: str
    other_href: str
    bracket: bool
    everything: EverythingView
    public: str
    any: bool


def documents(picture: Picture, bundle: Bundle, paper: Paper, public: str) -> DocumentsView:
    """What can be had now, for this paper."""
    tournament = picture.tournament
    there = tournament.plan is not None
    of = rounds_in_all(tournament) if there else 0
    other = Paper.LETTER if paper is Paper.A4 else Paper.A4
    return DocumentsView(
        rounds=tuple(_round(tournament.round(number), number, of) for number in range(1, of + 1)),
        paper=_PAPERS[paper],
        query="" if paper is Paper.A4 else f"paper={paper.value}",
        other=_PAPERS[other],
        other_href="/documents" if other is Paper.A4 else f"/documents?paper={other.value}",
        bracket=there and elimination(tournament) is not None,
        everything=_everything(picture, bundle),
        public=public,
        any=there,
    )


def _round(posted: Round | None, number: int, of: int) -> RoundPapers:
    if posted is None:
        return RoundPapers(chip(number, of), count_word(number), "not posted yet", posted=False)
    done = sum(1 for table in posted.tables.values() if table.settled)
    said = f"{done} of {counted(len(posted.tables), 'sheet', 'sheets')} accepted"
    return RoundPapers(chip(number, of), count_word(number), said, posted=True)


def _everything(picture: Picture, bundle: Bundle) -> EverythingView:
    progress, finished = bundle.progress, bundle.finished
    if progress is not None:
        return EverythingView(says=progress.says, done=1000 * progress.done // max(1, progress.of))
    if finished is None:
        return EverythingView(failed=bundle.failed)
    size = f"{finished.size / 1_000_000:.1f} MB"
    ready = f"{size}, {_PAPERS[finished.paper]}, as of ledger line {finished.seq:,}"
    behind = picture.tournament.seq - finished.seq
    since = f"{counted(behind, 'thing has', 'things have')} happened since." if behind else ""
    return EverythingView(ready=ready, stale=since, failed=bundle.failed)
