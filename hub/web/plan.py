"""Every door of the dashboard, in the order in which addresses are tried."""

from __future__ import annotations

from typing import Final

from hub.web.acts import access as access_acts
from hub.web.acts import announce as announce_acts
from hub.web.acts import calls as call_acts
from hub.web.acts import clock as clock_acts
from hub.web.acts import corrections as correction_acts
from hub.web.acts import devices as device_acts
from hub.web.acts import officials as official_acts
from hub.web.acts import paper as paper_acts
from hub.web.acts import requests as request_acts
from hub.web.acts import rounds as round_acts
from hub.web.acts import rulings as ruling_acts
from hub.web.acts import setup as setup_acts
from hub.web.acts import sheets as sheet_acts
from hub.web.acts import tables as table_acts
from hub.web.acts import teams as team_acts
from hub.web.doors import Door
from hub.web.pages import (
    access,
    announce,
    bracket,
    clock,
    corrections,
    devices,
    documents,
    more,
    officials,
    paper,
    programs,
    projector,
    public,
    record,
    restored,
    room,
    rounds,
    ruling,
    setup,
    sheets,
    standings,
    stream,
    teams,
)

DOORS: Final[tuple[Door, ...]] = (
    *room.DOORS,
    *call_acts.DOORS,
    *request_acts.DOORS,
    *ruling.DOORS,
    *ruling_acts.DOORS,
    *clock.DOORS,
    *clock_acts.DOORS,
    *table_acts.DOORS,
    *rounds.DOORS,
    *round_acts.DOORS,
    *bracket.DOORS,
    *teams.DOORS,
    *team_acts.DOORS,
    *setup.DOORS,
    *setup_acts.DOORS,
    *sheets.DOORS,
    *sheet_acts.DOORS,
    *corrections.DOORS,
    *correction_acts.DOORS,
    *paper.DOORS,
    *paper_acts.DOORS,
    *standings.DOORS,
    *devices.DOORS,
    *device_acts.DOORS,
    *restored.DOORS,
    *record.DOORS,
    *access.DOORS,
    *access_acts.DOORS,
    *officials.DOORS,
    *official_acts.DOORS,
    *documents.DOORS,
    *announce.DOORS,
    *announce_acts.DOORS,
    *more.DOORS,
    *projector.DOORS,
    *public.DOORS,
    *stream.DOORS,
    *programs.DOORS,
)
