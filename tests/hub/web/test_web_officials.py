"""Officials from the desk: appointed, in another role, with another PIN, gone; proved by the director's own PIN."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_signed import PASSWORDS, PINS, SignedSite, signed_site
from web_site import read, site

from hub.tournament.officials import Official
from hub.web.verifiers import Verifiers
from tallybox.roles import Role

MINE = {"pin": PINS["director"]}


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[SignedSite]:
    with signed_site(tmp_path) as made:
        yield made


def known(seen: SignedSite) -> dict[str, tuple[str, Role, bool]]:
    return {
        each.id: (each.name, each.role, each.verifier is not None)
        for each in seen.room.hub.tournament.officials.values()
    }


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, read(answer.text).text


def test_list_says_who_has_a_pin_and_who_can_sign_in(seen: SignedSite) -> None:
    page = read(seen.seat("director").get("/officials").text)
    rows = [row.one("summary").text for row in page.all("details", "official")]
    assert rows == [
        "Dana (you) director PIN signs in Change… Everything.",
        "Mona monitor PIN signs in Change… Accepts and reopens sheets, marks late sides, waives signatures.",
        "Hank helper PIN signs in Change… Goes to tables that call, checks teams in, finds boxes by their buzz.",
        "Vera viewer no PIN signs in Change… Looks on. A screen on the wall is one.",
    ]


def test_appointed_official_signs_in_and_has_a_pin_at_once(seen: SignedSite) -> None:
    seat = seen.seat("director")
    fields = {"name": " Omar  Bell ", "role": "helper", "new_pin": "250716", "new_pin2": "250716",
              "new_password": "some words of his", "new_password2": "some words of his", **MINE}  # fmt: skip
    assert told(seat.post("/officials/appoint", fields, htmx=True)) == (200, "Omar Bell is a helper now.")
    assert known(seen)["omar-bell"] == ("Omar Bell", Role.HELPER, True)
    assert seen.seat().sign_in("Omar Bell", "some words of his").status_code == 303


def test_change_is_refused_without_the_directors_own_pin(seen: SignedSite) -> None:
    seat, before = seen.seat("director"), seen.room.hub.tournament.seq
    for pin, sentence in (
        ("", "Type your PIN."),
        (PINS["monitor"], "That PIN is not right. 4 tries left, then wait 5 minutes."),
    ):
        fields = {"name": "Omar Bell", "role": "helper", "pin": pin}
        answer = told(seat.post("/officials/appoint", fields, htmx=True))
        assert answer[1] == sentence
    assert seen.room.hub.tournament.seq == before


@pytest.mark.parametrize(
    ("path", "fields", "sentence"),
    [
        ("appoint", {"name": "", "role": "helper"}, "Type the name, as the tables and the record show it."),
        ("appoint", {"name": "mona", "role": "helper"}, "mona is an official already. Add what tells the two apart."),
        ("appoint", {"name": "Omar", "role": "king"}, "Choose a role: director, monitor, helper, viewer."),
        ("appoint", {"name": "Omar", "role": "helper", "new_pin": "123456", "new_pin2": "123456"},
         "This PIN is one that is tried first. Choose one without a pattern."),
        ("pin", {"whose": "mona", "new_pin": "250716", "new_pin2": "250717"},
         "The two PINs are not the same. Type the new PIN twice."),
        ("pin", {"whose": "mona", "new_pin": "25071", "new_pin2": "25071"},
         "A PIN has 6 digits. Type 6 digits, twice."),
        ("password", {"whose": "mona", "new_password": "short", "new_password2": "short"},
         "A password has 10 characters at least. Three or four words do well."),
        ("role", {"whose": "mona", "role": "monitor"}, "Mona is a monitor already."),
        ("role", {"whose": "nobody", "role": "monitor"}, "This is no official any more. Look at the list."),
        ("role", {"whose": "dana", "role": "viewer"},
         "A tournament keeps at least one director. Appoint another one first."),
        ("leave", {"whose": "dana"}, "A tournament keeps at least one director. Appoint another one first."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_and_changes_nothing(
    seen: SignedSite, path: str, fields: dict[str, str], sentence: str
) -> None:
    before = seen.room.hub.tournament.seq
    answer = seen.seat("director").post(f"/officials/{path}", {**fields, **MINE}, htmx=True)
    assert read(answer.text).text == sentence
    assert answer.status_code in {403, 409, 422}
    assert seen.room.hub.tournament.seq == before


def test_new_pin_counts_at_once_and_the_old_one_no_more(seen: SignedSite) -> None:
    seat = seen.seat("director")
    answer = seat.post(
        "/officials/pin", {"whose": "dana", "new_pin": "250716", "new_pin2": "250716", **MINE}, htmx=True
    )
    assert told(answer) == (200, "The PIN of Dana is set. The tables know it in a moment.")
    verifier = seen.room.hub.tournament.officials["dana"].verifier
    assert verifier is not None
    assert (Verifiers().right(verifier, "250716"), Verifiers().right(verifier, PINS["director"])) == (True, False)


def test_other_role_and_leaving_end_the_sessions_and_the_password(seen: SignedSite) -> None:
    seat, mona, hank = seen.seat("director"), seen.seat("monitor"), seen.seat("helper")
    assert told(seat.post("/officials/role", {"whose": "mona", "role": "helper", **MINE}, htmx=True)) == (
        200, "Mona is a helper now, and signs in again.",
    )  # fmt: skip
    assert seat.post("/officials/leave", {"whose": "hank", **MINE}).headers["location"] == "/officials"
    assert [mona.get("/").status_code, hank.get("/").status_code] == [303, 303]
    assert known(seen)["mona"] == ("Mona", Role.HELPER, True)
    assert "hank" not in known(seen)
    assert seen.seat().sign_in("Hank", PASSWORDS["helper"]).status_code == 401
    assert seen.seat().sign_in("Mona", PASSWORDS["monitor"]).status_code == 303


def test_new_password_signs_the_official_out_elsewhere(seen: SignedSite) -> None:
    seat, mona = seen.seat("director"), seen.seat("monitor")
    fields = {"whose": "mona", "new_password": "other words now", "new_password2": "other words now", **MINE}
    assert told(seat.post("/officials/password", fields, htmx=True)) == (
        200, "The password of Mona is set. Tell it to nobody else.",
    )  # fmt: skip
    assert mona.get("/").status_code == 303
    assert seen.seat().sign_in("Mona", "other words now").status_code == 303


def test_open_hub_appoints_without_a_pin_and_knows_no_passwords(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        page = seen.page("/officials")
        assert page.one("p", "notice").text.startswith(
            "Nobody signs in here: whoever sits at this machine is the director."
        )
        assert not page.all("input", name="new_password")
        fields = {"name": "Dana", "role": "director", "new_pin": "250716", "new_pin2": "250716"}
        answer = seen.post("/officials/appoint", **fields)  # type: ignore[arg-type]
        assert answer.headers["location"] == "/officials"
        refused = seen.post("/officials/password", htmx=True, whose="dana", new_password="x", new_password2="x")
        assert told(refused) == (409, "Nobody signs in at this hub, so a password opens nothing.")
        official = seen.room.hub.tournament.officials["dana"]
        assert official == Official("dana", "Dana", Role.DIRECTOR, official.verifier)
        proof = seen.page("/officials")
        assert not proof.all("div", "proof")
