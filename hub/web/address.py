"""The address under which other machines find this hub: what the codes for phones lead to."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from hub.web.errors import WebError
from hub.web.guard import LOOPBACK_HOSTS

PUBLIC: Final = "/public"
"""Where the public page is."""


def public_address(request: Request) -> str:
    """The public page as a phone in the room can open it; empty while this hub serves its own machine alone."""
    plain: str = request.app.state.public
    if plain:
        return plain
    host, port = request.url.hostname or "", request.url.port
    if _own(host):
        others = sorted(name for name in request.app.state.hosts if not _own(name))
        if not others:
            return ""
        host = others[0]
    return f"{request.url.scheme}://{host}{f':{port}' if port else ''}{PUBLIC}"


def own_machine() -> WebError:
    """What is said where phones would be led nowhere."""
    return WebError(
        404, "own-machine", "This hub serves its own machine alone, so phones cannot open its public page.",
        "“tallybox provision” with --dashboard-host opens it to the room.",
    )  # fmt: skip


def _own(host: str) -> bool:
    return host in LOOPBACK_HOSTS or host in {"::1", ""}
