"""The standings."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hub.web.desk import desk_of
from hub.web.doors import Door
from hub.web.picture import Picture
from hub.web.render import Shown
from hub.web.typed import whole
from hub.web.views.charts import pace_chart, rounds_chart
from hub.web.views.standings import standings as standings_view


def standings(request: Request) -> Response:
    """The running standings, or as they stood in a stage (``?stage=1``); ``?team=7`` explains one team's place."""
    stage, team = (whole(request.query_params.get(name)) for name in ("stage", "team"))

    def build(picture: Picture) -> Shown:
        seen = standings_view(picture, stage, team)
        shown = seen.compared.team if seen.compared is not None else None
        values = {
            "kind": "standings-page", "standings": seen, "stage": stage if seen.stages else None,
            "pace": pace_chart(picture), "rounds": rounds_chart(picture, shown),
        }  # fmt: skip
        return Shown("standings.html", "Standings", "Standings, live", values)

    return desk_of(request).page(request, build)


DOORS: Final = (Door("/standings", standings),)
