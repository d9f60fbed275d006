"""The dashboard against requests that nobody thought of: a sentence, no insides, and never half a write.

``TALLYBOX_FUZZ`` says how many requests each test makes; more than the usual few are drawn anew at each run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from web_bare import bare_site
from web_fuzz import (
    ANYTHING,
    BROKEN,
    QUERIES,
    Range,
    Shot,
    firing_range,
    form_shots,
    header_shots,
    raw_shots,
    route_shots,
)

REQUESTS = int(os.environ.get("TALLYBOX_FUZZ", "0"))
FEW = 60
MOST_TOLD = 20
FUZZ = settings(
    max_examples=REQUESTS or FEW, deadline=None, derandomize=not REQUESTS, database=None,
    suppress_health_check=list(HealthCheck), phases=[Phase.generate],
)  # fmt: skip

SETTING_UP = (
    "template", "title", "how", "listed", "count", "hands", "qualifying", "play_offs", "boxes", "boxes_asked", "at",
    "to", "rules", "set-bag_penalty", "set-win_limit", "set-kitty", "set-tie_policy", "file",
)  # fmt: skip
LIKELY = (
    "capitol-5",
    "wsos",
    "mso",
    "{}",
    "[" * 2_000,
    "list",
    "numbers",
    "Ada,Bea\nCal,Dot\n",
    "Spring",
    "4",
    "1",
    "5",
    "on",
)

pytestmark = pytest.mark.timeout(400 + REQUESTS)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Range]:
    with firing_range(tmp_path_factory.mktemp("fuzz")) as made:
        yield made


def shot_at(at: Range, shots: st.SearchStrategy[Shot]) -> None:
    """Fire as many as were asked for; the room goes on from each to the next, as on a long evening."""
    found: list[str] = []

    @FUZZ
    @given(shot=shots)
    def fire(shot: Shot) -> None:
        wrong = at.fire(shot)
        if wrong and len(found) < MOST_TOLD:
            found.append(f"{shot}: {wrong}")

    fire()
    assert found == []


def names(at: Range) -> list[str]:
    return sorted({name for form in at.forms for name, _ in form.fields})


def test_every_form_with_any_fields_is_one_whole_act_or_a_sentence(at: Range) -> None:
    shot_at(at, form_shots(at.forms))
    assert at.replayed() == at.seen.room.hub.tournament


def test_every_address_that_takes_posts_stands_any_parts_and_fields(at: Range) -> None:
    shot_at(at, route_shots(at.listed, "POST", names(at)))
    assert at.replayed() == at.seen.room.hub.tournament


def test_every_page_stands_any_parts_and_query_and_writes_nothing(at: Range) -> None:
    shot_at(at, route_shots(at.listed, "GET", [*QUERIES]))


def test_bytes_that_are_no_form_and_uploads_that_are_no_list_get_a_sentence(at: Range) -> None:
    shot_at(at, raw_shots(at.listed))


def test_a_room_of_spades_stands_the_same(tmp_path: Path) -> None:
    with firing_range(tmp_path, "wsos") as at:
        shot_at(at, form_shots(at.forms))
        assert at.replayed() == at.seen.room.hub.tournament


def test_set_up_stands_any_fields_and_begins_one_whole_tournament_or_none(tmp_path: Path) -> None:
    """Whoever sits at a hub of its own machine is the director: a new one at each request, until there is something."""
    made: list[dict[str, str]] = []
    steps = st.dictionaries(st.sampled_from(SETTING_UP), ANYTHING | st.sampled_from(LIKELY), max_size=8)
    with bare_site(tmp_path) as seen:
        token = seen.token

        @FUZZ
        @given(path=st.sampled_from(["/setup/step", "/setup/create"]), fields=steps)
        def fire(path: str, fields: dict[str, str]) -> None:
            before = seen.room.hub.tournament
            answer = seen.client.post(path, data={"token": token, **fields}, headers={"Origin": seen.origin})
            after = seen.room.hub.tournament
            begun = after.plan is not None and before.plan is None
            assert answer.status_code < 500, (path, fields, answer.text[:300])
            assert BROKEN.search(answer.text) is None, (path, fields)
            assert begun or after.seq == before.seq or before.plan is not None, (path, fields)
            if begun:
                made.append(fields)

        fire()


def test_cookies_and_headers_that_were_tampered_with_are_answered(at: Range) -> None:
    shot_at(at, header_shots(at.listed))
