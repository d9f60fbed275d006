"""The dashboard against requests that nobody thought of: a sentence, no insides, and never half a write.

``TALLYBOX_FUZZ`` says how many requests each test makes; more than the usual few are drawn anew at each run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from web_fuzz import QUERIES, Range, Shot, firing_range, form_shots, header_shots, raw_shots, route_shots

REQUESTS = int(os.environ.get("TALLYBOX_FUZZ", "0"))
FEW = 90
MOST_TOLD = 20
FUZZ = settings(
    max_examples=REQUESTS or FEW, deadline=None, derandomize=not REQUESTS, database=None,
    suppress_health_check=list(HealthCheck), phases=[Phase.generate],
)  # fmt: skip

pytestmark = pytest.mark.timeout(60 + REQUESTS)


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


def test_cookies_and_headers_that_were_tampered_with_are_answered(at: Range) -> None:
    shot_at(at, header_shots(at.listed))
