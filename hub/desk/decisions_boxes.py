"""What the desk decides about boxes, officials and extra time: pure plans."""

from __future__ import annotations

from collections.abc import Collection

from hub.desk.decisions_tables import sheet
from hub.desk.deeds import Deed, Deeds, said
from hub.errors import HubError
from hub.roles import DeskAct, may, role_of
from hub.tournament.officials import Request
from hub.tournament.state import Tournament
from tallybox.events import desk
from tallybox.roles import Role


def extend_table(
    tournament: Tournament, actor: str, number: int, table: int, seconds: int, seen: int | None = None
) -> Deeds:
    """Give one table more time than the round clock has, in seconds.

    ``seen``: what it had beyond the clock as the person looked at it; where that is otherwise now, nothing is given.
    """
    found = sheet(tournament, number, table)
    if seen is not None and seen != found.extra:
        has = f"{-(-found.extra // 60)} more minutes than the others" if found.extra else "the time of the others"
        raise HubError("time-changed", f"Table {table} has {has} by now. Give more if it still needs it.")
    if not 1 <= seconds <= 3_600:
        raise HubError("seconds", "A table gets a second at least and an hour at most. Choose another time.")
    if found.state.playing.minutes is None:
        raise HubError("untimed", f"Round {number} has no clock: every table has the time it needs.")
    if found.settled:
        raise HubError("sheet-final", f"Sheet {found.sheet_id} is closed. More time changes nothing there.")
    return (Deed(desk.TableExtended(actor=actor, seconds=seconds), number, table),)


def end_extension(tournament: Tournament, actor: str, number: int, table: int) -> Deeds:
    """Say that the time one table had beyond the round clock is over."""
    if sheet(tournament, number, table).extra == 0:
        raise HubError("no-extension", f"Table {table} has no more time than the others.")
    return (Deed(desk.TableExtended(actor=actor, seconds=0, over=True), number, table),)


def lock_box(
    tournament: Tournament, actor: str, box: str, reason: str, *, known: Collection[str]
) -> Deeds:  # fmt: skip
    """Let a box take no taps, and say why on its screen."""
    _known(box, known)
    if box in tournament.locked:
        raise HubError("locked", f"Box {box} is locked already: {tournament.locked[box]}")
    return (Deed(desk.KioskLocked(actor=actor, box=box, reason=said(reason, "why the box is locked"))),)


def unlock_box(tournament: Tournament, actor: str, box: str) -> Deeds:
    """Let a box take taps again."""
    if box not in tournament.locked:
        raise HubError("not-locked", f"Box {box[:40]} is not locked.")
    return (Deed(desk.KioskUnlocked(actor=actor, box=box)),)


def identify_box(tournament: Tournament, actor: str, box: str, *, known: Collection[str]) -> Deeds:
    """Have a box buzz and say which one it is, so that somebody finds it."""
    del tournament
    _known(box, known)
    return (Deed(desk.KioskIdentified(actor=actor, box=box)),)


def replace_box(
    tournament: Tournament, actor: str, table: int, box: str, *, known: Collection[str], request: str | None = None
) -> Deeds:
    """Put another box on a table; it claims the table and goes on where the hub's record ends.

    ``request``: the request of an official at the table that this answers.
    """
    _known(box, known)
    former = tournament.boxes.get(table)
    if former is None:
        raise HubError("no-box", f"No box stands on table {table}. Assign one.")
    if former == box:
        raise HubError("same-box", f"Box {box} stands on table {table} already.")
    body = desk.KioskReplaced(actor=actor, box=box, former=former, at_table=table)
    return (Deed(body, supersedes=() if request is None else (request,)),)


def change_official(
    tournament: Tournament, actor: str, official: str, name: str, role: str | None, verifier: str | None = None,
    *, password: bool = False,
) -> Deeds:  # fmt: skip
    """Appoint somebody, change the role or the PIN's ``verifier``, or let somebody go (no ``role``).

    ``password``: say in the record that a new one was set; what proves it is kept elsewhere.

    As soon as somebody is appointed, strangers at the desk only look on; so the first one is a director, and the last
    director stays.
    """
    who = said(official, "the official's short name")[:64]
    called = said(name, "the official's name")[:64]
    if role is not None and role not in {known.value for known in Role}:
        raise HubError("role", f"A role is one of {', '.join(Role)}.")
    left = {known: each.role for known, each in tournament.officials.items() if known != who}
    if role is not None:
        left[who] = Role(role)
    if left and Role.DIRECTOR not in left.values():
        raise HubError("no-director", "A tournament keeps at least one director. Appoint another one first.")
    body = desk.OfficialChanged(
        actor=actor, official=who, name=called, role=None if role is None else Role(role).value, verifier=verifier,
        password=password,
    )  # fmt: skip
    return (Deed(body),)


def change_own(tournament: Tournament, actor: str, verifier: str | None = None, *, password: bool = False) -> Deeds:
    """An official of any role gives themselves another PIN or password."""
    known = tournament.officials.get(actor)
    if known is None:
        raise HubError("no-official", "You are no official of this tournament any more. Ask a director.")
    body = desk.OfficialChanged(
        actor=actor, official=actor, name=known.name, role=known.role.value, verifier=verifier, password=password
    )
    return (Deed(body),)


def start_practice(tournament: Tournament, actor: str) -> Deeds:
    """Invite every table to a practice hand; none while a round is played."""
    current = tournament.current
    if current is not None and any(table.tenure and not table.settled for table in current.tables.values()):
        raise HubError("round-open", f"Round {current.number} is being played. Practice is for the time between.")
    return (Deed(desk.PracticeStarted(actor=actor)),)


def asked_for(tournament: Tournament) -> Deeds:
    """What officials asked for at a table with their own PINs, and the hub does at once for those who may.

    A replacement needs a box, and somebody the hub does not know as a director needs the desk's word: these wait.
    """
    return tuple(deed for asked in tournament.requests for deed in _done(tournament, asked))


def confirm_request(tournament: Tournament, actor: str, request: str) -> Deeds:
    """Do what an official asked for at a table; a replacement is made with ``replace_box``."""
    asked = next((each for each in tournament.requests if each.id == request), None)
    if asked is None:
        raise HubError("no-request", "This was done already, or nobody asked for it.")
    deeds = _deed(asked, actor)
    if not deeds:
        raise HubError("choose-box", "Choose the box that takes over at this table.")
    return deeds


def _done(tournament: Tournament, asked: Request) -> Deeds:
    official = tournament.officials.get(asked.official)
    act = DeskAct.EXTEND if asked.what == "extension" else DeskAct.BOXES
    if official is None or not may(role_of(tournament.officials, official.id), act):
        return ()
    return _deed(asked, asked.official)


def _deed(asked: Request, actor: str) -> Deeds:
    answers = (asked.id,)
    reason = asked.reason.strip() or "An official locked this box at the table."
    match asked.what:
        case "extension":
            body = desk.TableExtended(actor=actor, seconds=(asked.minutes or 0) * 60)
            return (Deed(body, asked.round, asked.table, answers),)
        case "lock":
            return (Deed(desk.KioskLocked(actor=actor, box=asked.box, reason=reason), supersedes=answers),)
        case "unlock":
            return (Deed(desk.KioskUnlocked(actor=actor, box=asked.box), supersedes=answers),)
    return ()


def _known(box: str, known: Collection[str]) -> None:
    if box not in known:
        raise HubError("unknown-kiosk", f"Box {box[:40]} is not known to this hub. Add its key first.")
