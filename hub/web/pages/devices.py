"""The boxes: all of them, or one with what can be done about it."""

from __future__ import annotations

from pathlib import Path
from shutil import disk_usage
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.errors import WebError
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.views.device import device as device_view
from hub.web.views.devices import devices as devices_view
from hub.web.views.devices import needs
from hub.web.views.finding import LONGEST_CODE, Found, find


def devices(request: Request) -> Response:
    """Every box, or those with one fault (``?show=silent``); or on to the one that somebody looks for (``?find=``)."""
    shown = request.query_params.get("show", "all")[:16]
    sought = request.query_params.get("find", "")[:LONGEST_CODE].strip()
    hub = desk_of(request).hub
    found = find(hub.known_boxes, hub.key_of, sought) if sought else Found()
    if found.box:
        return RedirectResponse(f"/devices/{quote(found.box)}", 303)
    return desk_of(request).page(request, lambda picture: _shown(request, picture, shown, None, sought, found.why))


def device(request: Request) -> Response:
    """One box beside all of them."""
    box, shown = str(request.path_params["box"])[:32], request.query_params.get("show", "all")[:16]
    return desk_of(request).page(request, lambda picture: _shown(request, picture, shown, box))


def _shown(
    request: Request, picture: Picture, shown: str, box: str | None, sought: str = "", not_found: str = ""
) -> Shown:
    chosen = None if box is None else device_view(picture, box)
    if box is not None and chosen is None:
        raise WebError(404, "no-box", f"No box {box} is known here.", "The list of devices has those that are.")
    seen = devices_view(picture, shown)
    hub = desk_of(request).hub
    values = {"seen": seen, "says": needs(seen), "it": chosen, "line": hub.connected, "epoch": hub.rev[0],
              "set_aside": len(picture.quarantine), "free": _free(hub.folder),
              "sought": sought, "not_found": not_found}  # fmt: skip
    return Shown("devices.html", "Devices", "Devices", values)


def _free(folder: Path) -> str:
    """How much of the hub's disk is free, in words; a full disk stops the record first."""
    try:
        disk = disk_usage(folder)
    except OSError:
        return "not known"
    return f"{disk.free * 100 // max(1, disk.total)} %"


DOORS: Final = (Door("/devices", devices), Door("/devices/{box:str}", device))
