"""A served hub without a tournament: what somebody sees the evening before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from free_ports import free_port
from web_room import VENUE, Watch
from web_site import Node, Site, read

from hub.hub import Hub
from hub.web.app import create_app
from hub.web.rehearsing import Rehearsal
from hub.web.serve import serve
from tallybox.signing import SigningKey


@dataclass
class BareRoom:
    """The hub alone."""

    hub: Hub


@contextmanager
def bare_site(data: Path, *, boxes: int = 3, rehearsal: Rehearsal | None = None) -> Iterator[Site]:
    """A hub that knows ``boxes`` boxes and nothing else, served."""
    watch = Watch()
    keys = {f"K-{number:02}": SigningKey(bytes([number]) * 32).public for number in range(1, boxes + 1)}
    hub = Hub(
        data, venue=VENUE, key=SigningKey(bytes([99]) * 32), kiosks=keys, host="127.0.0.1", port=free_port(),
        monotonic=watch.monotonic, wall=watch.wall,
    )  # fmt: skip
    hub.start()
    try:
        server = serve(create_app(hub, secret=b"s" * 32, rehearsal=rehearsal))
        try:
            with httpx.Client(base_url=server.url, timeout=20) as client:
                yield Site(BareRoom(hub), server, client)  # type: ignore[arg-type]
        finally:
            server.stop()
    finally:
        hub.stop()


def hidden(page: Node) -> dict[str, str]:
    """What the wizard's form carries from step to step."""
    form = page.one("form", id="wizard")
    return {
        field.attrs["name"]: field.attrs["value"]
        for field in form.all("input", type="hidden")
        if field.attrs["name"] != "token"
    }


def walk(seen: Site, page: Node, to: int, **typed: str) -> Node:
    """The wizard's next page, with what was typed into this one."""
    answer = seen.post("/setup/step", {**hidden(page), **typed, "to": str(to)})
    assert answer.status_code == 200, answer.text[:300]
    return read(answer.text)
