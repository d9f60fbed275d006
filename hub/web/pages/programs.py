"""Answers for programs: JSON, the same values as on the pages."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hub.health import Way
from hub.summary import summary as summarised
from hub.tournament.state import TableRound
from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.metrics import CONTENT, Desk, written
from hub.web.needs import Needs
from hub.web.picture import Picture
from hub.web.views.states import conditions
from tallybox.calls import call_text
from tallybox.canonical import Json
from tallybox.seats import Side
from tallybox.table.steps import step


def health(request: Request) -> Response:
    """Whether the hub answers: ``ok`` with its ledger line and its line to the broker; 503 when it is in trouble."""
    hub = desk_of(request).hub
    trouble = hub.trouble
    said: dict[str, Json] = {
        "ok": trouble is None,
        "ledger_seq": hub.tournament.seq,
        "broker": hub.connected,
        "trouble": trouble,
    }
    return JSONResponse(said, 200 if trouble is None else 503)


def ready(request: Request) -> Response:
    """Whether the hub does what it is there for, by a round trip to disk and broker: 200, else 503.

    One trip answers everybody who asks within five seconds.
    """
    hub = desk_of(request).hub
    made = hub.health.look()
    whole = made is not None and made.ready and not hub.in_doubt
    said: dict[str, Json] = {
        "ready": whole,
        "broker": made is not None and made.broker is Way.BACK,
        "ledger": made is not None and made.ledger is Way.BACK,
        "trouble": hub.trouble,
    }
    return JSONResponse(said, 200 if whole else 503)


def metrics(request: Request) -> Response:
    """Figures for Prometheus: no names, no secrets."""
    desk = desk_of(request)
    streams = len(desk.notifier) + len(desk.screens)
    figures = written(desk.hub, Desk(streams=streams, sign_ins_refused=desk.access.refused))
    return Response(figures, media_type=CONTENT)


def summary(request: Request) -> Response:
    """The tournament in numbers, as ``tallybox demo`` prints it at the end, and the ledger line it was made from."""
    tournament = desk_of(request).hub.tournament
    return JSONResponse({"ledger_seq": tournament.seq, **summarised(tournament)})


def tables(request: Request) -> Response:
    """Every table of the round that is on: teams, step, states, hands and points."""
    picture = desk_of(request).picture()
    on = picture.round
    said = [_table(picture, table) for table in on.tables.values()] if on else []
    return JSONResponse({"ledger_seq": picture.tournament.seq, "round": on.number if on else None, "tables": said})


def _table(picture: Picture, table: TableRound) -> dict[str, Json]:
    scored = table.score
    return {
        "table": table.table,
        "sheet": table.sheet_id,
        "teams": dict(zip(("NS", "EW"), table.teams, strict=True)),
        "step": step(table.state).value,
        "states": [found.state.value for found in conditions(picture, table)],
        "hand": table.state.hand.number if table.state.hand else None,
        "hands": len(table.state.counting),
        "of": table.state.playing.hands,
        "calls": {called.seat.value: call_text(called.call) for called in table.state.hand.calls}
        if table.state.hand
        else {},
        "points": {side.value: scored.totals.points[side] for side in Side} if scored else {"NS": 0, "EW": 0},
        "accepted": table.accepted.digest if table.accepted else None,
    }


DOORS: Final = (
    Door("/healthz", health, Needs.ANYBODY),
    Door("/readyz", ready, Needs.ANYBODY),
    Door("/metrics", metrics, Needs.HERE),
    Door("/api/summary", summary),
    Door("/api/tables", tables),
)
