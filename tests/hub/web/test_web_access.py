"""Signing in: sessions, throttling, PINs, the first director, and what nobody gets without."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from argon2 import extract_parameters
from starlette.requests import Request
from web_room import Watch
from web_routes import doors
from web_signed import CHEAP, NAMES, PASSWORDS, PINS, SignedSite, signed_site
from web_site import read, site

from hub.errors import HubError
from hub.roles import DeskAct
from hub.web.access import HERE, Access
from hub.web.acts.access import _signed_in
from hub.web.errors import WebError
from hub.web.first import SetUpCode, leave_code
from hub.web.pages.access import led_to
from hub.web.passwords import Passwords
from hub.web.sessions import IDLE, LONGEST, MOST, Session, Sessions
from hub.web.throttle import TRIES, WAIT, Throttle
from hub.web.verifiers import Verifiers, fit_password, fit_pin
from hub.web.views.officials import short_name
from tallybox.roles import Role


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[SignedSite]:
    with signed_site(tmp_path) as made:
        yield made


def said(html: str) -> str:
    return read(html).one("p", "notice").text


# Without signing in


def test_whoever_is_not_signed_in_is_led_to_where_people_sign_in(seen: SignedSite) -> None:
    seat = seen.seat()
    page = seat.get("/rounds/1/tables/1?x=1")
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Frounds%2F1%2Ftables%2F1%3Fx%3D1")
    refreshed = seat.get("/calls", **{"HX-Request": "true"})
    assert (refreshed.status_code, refreshed.headers["hx-redirect"]) == (401, "/sign-in?next=%2Fcalls")
    for path in ("/api/tables", "/events"):
        answer = seat.get(path)
        assert (answer.status_code, answer.json()) == (
            401, {"error": {"code": "sign-in", "message": "Nobody is signed in here. Sign in, then do it again."}},
        )  # fmt: skip
    assert seat.get("/healthz").status_code == 200


def test_act_of_somebody_who_is_not_signed_in_is_not_done(seen: SignedSite) -> None:
    seat, before = seen.seat(), seen.room.hub.tournament.seq
    answer = seat.post("/clock/start", page="/sign-in")
    assert (answer.status_code, read(answer.text).one("h2").text) == (401, "Nobody is signed in here.")
    assert seen.room.hub.tournament.seq == before


# Signing in


def test_official_signs_in_by_name_or_short_name_and_goes_on_where_they_were(seen: SignedSite) -> None:
    for name in ("Mona", " mona ", "MONA"):
        answer = seen.seat().sign_in(name, PASSWORDS["monitor"], "/calls?show=all")
        assert (answer.status_code, answer.headers["location"]) == (303, "/calls?show=all")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    seat = seen.seat("monitor")
    assert read(seat.get("/").text).one(cls="who").text.startswith("Mona monitor")


def test_wrong_name_and_wrong_password_get_the_same_sentence_and_the_typed_name_stays(seen: SignedSite) -> None:
    answers = [seen.seat().sign_in("Mona", "not the password"), seen.seat().sign_in("Nadia", PASSWORDS["monitor"])]
    assert [answer.status_code for answer in answers] == [401, 401]
    sentence = "This name and password do not fit. 4 tries left, then wait 5 minutes."
    assert said(answers[0].text) == sentence
    assert said(answers[1].text).startswith("This name and password do not fit.")
    assert 'value="Mona"' in answers[0].text
    assert "not the password" not in answers[0].text


def test_official_without_a_password_cannot_sign_in(seen: SignedSite) -> None:
    seen.room.hub.director.change_official("dana", "nils", "Nils", "director")
    assert seen.seat().sign_in("Nils", "").status_code == 401


def test_every_sign_in_begins_a_new_session_and_ends_the_one_before(seen: SignedSite) -> None:
    seat = seen.seat("monitor")
    first = seat.client.cookies["tallybox-session"]
    seat.client.cookies.set("tallybox-page", "known", domain="127.0.0.1", path="/")
    assert seat.post("/sign-out").headers["location"] == "/sign-in"
    seat.client.cookies.set("tallybox-session", first, domain="127.0.0.1", path="/")
    assert seat.get("/").status_code == 303
    seat.sign_in("Mona", PASSWORDS["monitor"])
    assert seat.client.cookies["tallybox-session"] != first
    assert seat.get("/").status_code == 200


def test_a_token_of_the_page_before_the_sign_in_is_worth_nothing_after_it(seen: SignedSite) -> None:
    seat = seen.seat()
    before = seat.token("/sign-in")
    seat.sign_in("Dana", PASSWORDS["director"])
    headers = {"Origin": seen.origin}
    answer = seat.client.post("/clock/start", data={"token": before}, headers=headers)
    assert (answer.status_code, read(answer.text).one("h2").text) == (
        403,
        "This page is older than the hub's last start.",
    )
    assert seat.post("/clock/start").status_code == 303


def test_a_session_that_was_brought_along_is_worth_nothing(seen: SignedSite) -> None:
    seat = seen.seat()
    seat.client.cookies.set("tallybox-session", "f" * 43, domain="127.0.0.1", path="/")
    assert seat.get("/").headers["location"] == "/sign-in?next=%2F"
    answer = seat.sign_in("Dana", PASSWORDS["director"])
    given = SimpleCookie(answer.headers["set-cookie"])["tallybox-session"].value
    assert answer.status_code == 303
    assert given != "f" * 43
    thief = seen.seat()
    thief.client.cookies.set("tallybox-session", "f" * 43, domain="127.0.0.1", path="/")
    assert thief.get("/account").status_code == 303


def test_no_answer_but_style_script_and_type_is_kept_by_a_browser(seen: SignedSite) -> None:
    seat = seen.seat("director")
    kept = {
        door.path: answer.headers.get("cache-control")
        for door in doors(seen.app)
        if door.method == "GET" and (answer := seat.get(door.path)).headers.get("cache-control") != "no-store"
    }
    assert kept == {}
    assert seat.get("/static/base.css").headers["cache-control"] == "public, max-age=86400"


def test_only_the_hash_of_a_session_is_kept(seen: SignedSite) -> None:
    token = seen.seat("helper").client.cookies["tallybox-session"]
    assert len(bytes.fromhex(token)) == 32
    assert token not in str(seen.access.sessions._open)


def test_signing_out_everywhere_ends_all_sessions_of_this_official_alone(seen: SignedSite) -> None:
    laptop, phone, other = seen.seat("helper"), seen.seat("helper"), seen.seat("monitor")
    assert laptop.post("/sign-out/everywhere").status_code == 303
    assert [seat.get("/").status_code for seat in (laptop, phone, other)] == [303, 303, 200]


@pytest.mark.parametrize("role", ["helper", None])
def test_session_ends_when_the_official_changes_role_or_leaves(seen: SignedSite, role: str | None) -> None:
    seat = seen.seat("monitor")
    seen.room.hub.director.change_official("dana", "mona", "Mona", role)
    assert seat.get("/").status_code == 303
    seen.room.hub.director.change_official("dana", "mona", "Mona", "monitor")
    assert seat.get("/").status_code == 303


def test_stream_ends_with_the_session(seen: SignedSite) -> None:
    seat = seen.seat("monitor")
    with seat.client.stream("GET", "/events") as answer:
        lines = answer.iter_lines()
        assert next(lines) == "retry: 2000"
        seen.access.changed("mona")
        seen.room.hub.director.announce("dana", "The break is over.")
        assert [line for line in lines if line.startswith("event")][1:] == []


def test_led_to_an_address_of_this_dashboard_alone() -> None:
    assert led_to("/calls?show=all") == "/calls?show=all"
    for wanted in (
        "",
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "/sign-out",
        "/a\nb",
    ):
        assert led_to(wanted) == "/"
    assert led_to("/" + "x" * 300) == "/"


# Tries


def test_fifth_wrong_password_makes_the_name_wait_also_with_the_right_one(tmp_path: Path) -> None:
    watch = Watch()
    with signed_site(tmp_path, watch=watch) as seen:
        seat = seen.seat()
        for left in (4, 3, 2, 1, 0):
            told = said(seat.sign_in("Mona", "wrong").text)
            word = {0: "Wait 5 minutes or longer before the next try.", 1: "1 try left, then wait 5 minutes."}
            assert (
                told
                == f"This name and password do not fit. {word.get(left, f'{left} tries left, then wait 5 minutes.')}"
            )
        answer = seat.sign_in("mona", PASSWORDS["monitor"])
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "300")
        assert said(answer.text).startswith("Too many tries. This waits 5 minutes more.")
        watch.pass_(WAIT + 1)
        assert seat.sign_in("mona", PASSWORDS["monitor"]).status_code == 303


def test_waits_grow_and_a_right_try_clears_the_name_but_not_the_address() -> None:
    now = [0.0]
    tries = Throttle(lambda: now[0])
    for wait in (300, 600, 1_200, 2_400, 3_600, 3_600):
        assert [tries.take("name", "address") for _ in range(TRIES)] == [4, 3, 2, 1, 0]
        with pytest.raises(WebError) as no:
            tries.take("another", "address")
        assert no.value.headers["Retry-After"] == str(wait)
        now[0] += wait
    tries.right("name")
    assert tries.take("name") == 4
    assert tries.take("third", "address") == 4
    tries.give_back("address")
    assert tries.take("fourth", "address") == 4
    now[0] += 13 * 3_600
    assert tries.take("address") == 4


# PINs


def test_ruling_asks_the_signed_in_official_for_their_own_pin(seen: SignedSite) -> None:
    token = seen.seat("director").client.cookies["tallybox-session"]
    scope = {"type": "http", "method": "POST", "path": "/x", "scheme": "http", "server": ("127.0.0.1", 1),
             "query_string": b"", "headers": [(b"cookie", f"tallybox-session={token}".encode())]}  # fmt: skip
    prove = seen.access.prove
    who = prove(Request(dict(scope)), {"pin": PINS["director"], "official": "mona"}, DeskAct.RULE)
    assert (who.actor, who.role) == ("dana", Role.DIRECTOR)
    for left in (4, 3):
        with pytest.raises(WebError) as no:
            prove(Request(dict(scope)), {"pin": PINS["monitor"]}, DeskAct.RULE)
        assert (no.value.sentence, no.value.then) == (
            "That PIN is not right.",
            f"{left} tries left, then wait 5 minutes.",
        )
    with pytest.raises(WebError) as no:
        prove(Request(dict(scope)), {}, DeskAct.RULE)
    assert no.value.sentence == "Type your PIN."


def test_open_hub_asks_which_official_rules_as_soon_as_somebody_has_a_pin(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        access = Access(seen.room.hub)
        request = Request({"type": "http", "method": "POST", "path": "/", "headers": []})
        assert access.prove(request, {}, DeskAct.RULE) == HERE
        seen.room.hub.director.change_official("director", "dana", "Dana", "director", CHEAP.hash("358214"))
        seen.room.hub.director.change_official("dana", "mona", "Mona", "monitor", CHEAP.hash("904417"))
        assert access.prove(request, {"official": "dana", "pin": "358214"}, DeskAct.RULE).actor == "dana"
        for fields, sentence in (
            ({}, "Say which official does this, and type that official's PIN."),
            (
                {"official": "mona", "pin": "904417"},
                "Only the director does this; a monitor does not. Call the director.",
            ),
            ({"official": "dana", "pin": "904417"}, "That PIN is not right."),
        ):
            with pytest.raises(WebError) as no:
                access.prove(request, fields, DeskAct.RULE)
            assert no.value.sentence == sentence


@pytest.mark.parametrize("pin", ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "000000", "123456", "654321", "121212",
                                 "123123", "112211"])  # fmt: skip
def test_pin_that_is_tried_first_is_refused(pin: str) -> None:
    with pytest.raises(HubError):
        fit_pin(pin, pin)
    assert fit_pin("358214", "358214") == "358214"
    with pytest.raises(HubError):
        fit_pin("358214", "358215")


@pytest.mark.parametrize("password", ["", "short", "aaaaaaaaaaaa", "abababababab", "dana is here", "x" * 201])
def test_password_that_is_tried_first_is_refused(password: str) -> None:
    with pytest.raises(HubError):
        fit_password(password, password, "Dana")
    assert fit_password("four words or more", "four words or more", "Dana") == "four words or more"


def test_verifiers_are_argon2id_and_right_for_their_own_secret_alone() -> None:
    verifiers = Verifiers()
    made = verifiers.make("358214")
    asked = extract_parameters(made)
    assert (asked.type.name, asked.memory_cost, asked.time_cost) == ("ID", 65_536, 3)
    assert [verifiers.right(made, "358214"), verifiers.right(made, "358215"), verifiers.right(None, "nobody's")] == [
        True, False, False,
    ]  # fmt: skip
    for place in range(6):
        assert verifiers._places.acquire(blocking=False), place
    with pytest.raises(WebError) as no:
        verifiers.right(made, "358214")
    assert no.value.status == 503


# Sessions


def test_session_ends_after_idle_hours_or_a_day_and_a_viewer_only_after_the_day() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    director, viewer = sessions.begin("dana", Role.DIRECTOR), sessions.begin("vera", Role.VIEWER)
    now[0] = IDLE
    assert sessions.find(director, used=False) == Session("dana", Role.DIRECTOR, 0.0, 0.0)
    assert sessions.find(director, used=True) == Session("dana", Role.DIRECTOR, 0.0, IDLE)
    now[0] = 2 * IDLE + 1
    assert sessions.find(director, used=True) is None
    assert sessions.find(viewer, used=False) == Session("vera", Role.VIEWER, 0.0, 0.0)
    now[0] = LONGEST + 1
    assert sessions.find(viewer, used=True) is None
    assert sessions.find("", used=True) is None


def test_sessions_are_bounded_and_the_one_unused_for_longest_goes() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    first, second = sessions.begin("dana", Role.DIRECTOR), sessions.begin("dana", Role.DIRECTOR)
    now[0] = 1.0
    assert sessions.find(first, used=True)
    for _ in range(MOST - 1):
        sessions.begin("vera", Role.VIEWER)
    assert (sessions.find(second, used=False), sessions.find(first, used=False) is not None) == (None, True)


# The first director


def test_first_director_comes_with_the_code_that_lies_in_the_hubs_folder(tmp_path: Path) -> None:
    with signed_site(tmp_path, people=False) as seen:
        file = tmp_path / "set-up-code"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        seat = seen.seat()
        assert "/sign-in/first" in seat.get("/sign-in").text
        fields = {
            "code": "AAAA-AAAA-AAAA", "name": "Dana Ruiz", "password": "four words or more",
            "password2": "four words or more", "pin": "358214", "pin2": "358214",
        }  # fmt: skip
        wrong = seat.post("/sign-in/first", fields, page="/sign-in/first")
        assert (wrong.status_code, said(wrong.text)) == (
            403, "That is not the code in the hub's folder. 4 tries left, then wait 5 minutes.",
        )  # fmt: skip
        assert seen.room.hub.tournament.officials == {}
        fields["code"] = file.read_text().strip().lower()
        answer = seat.post("/sign-in/first", fields, page="/sign-in/first")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert not file.exists()
        official = seen.room.hub.tournament.officials["dana-ruiz"]
        assert (official.name, official.role) == ("Dana Ruiz", Role.DIRECTOR)
        assert seat.get("/").status_code == 200
        assert seen.seat().get("/sign-in/first").headers["location"] == "/sign-in"
        assert seen.seat().sign_in("Dana Ruiz", "four words or more").status_code == 303


def test_no_secret_reaches_the_ledger_in_a_form_that_signs_anybody_in(tmp_path: Path) -> None:
    with signed_site(tmp_path, people=False) as seen:
        code = (tmp_path / "set-up-code").read_text().strip()
        fields = {"code": code, "name": "Dana", "password": "four words or more", "password2": "four words or more",
                  "pin": "358214", "pin2": "358214"}  # fmt: skip
        seen.seat().post("/sign-in/first", fields, page="/sign-in/first")
        verifier = seen.access.passwords.of("dana") if seen.access.passwords else None
        ledger = b"\n".join(seen.room.hub.ledger.encoded())
        assert b'"password":true' in ledger
        assert verifier is not None
        for secret in (verifier, "four words or more", "358214", code, code.replace("-", "")):
            assert secret.encode() not in ledger


def test_code_that_was_left_counts_at_every_start_until_it_is_spent(tmp_path: Path) -> None:
    assert leave_code(tmp_path) == tmp_path / "set-up-code"
    code = (tmp_path / "set-up-code").read_text().strip()
    assert (leave_code(tmp_path), (tmp_path / "set-up-code").read_text().strip()) == (None, code)
    first, second = SetUpCode(tmp_path), SetUpCode(tmp_path)
    assert (first.right(code), second.right(code)) == (True, True)
    second.spend()
    assert (second.right(code), SetUpCode(tmp_path).right(code)) == (False, False)


@pytest.mark.parametrize(("text", "mode"), [("AAAA-AAAA-AAAA\n", 0o644), ("short\n", 0o600), ("", 0o600)])
def test_code_that_others_could_read_or_that_is_none_is_drawn_anew(tmp_path: Path, text: str, mode: int) -> None:
    file = tmp_path / "set-up-code"
    file.write_text(text)
    file.chmod(mode)
    made = SetUpCode(tmp_path)
    assert file.read_text() != text
    assert made.right(file.read_text())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_code_is_neither_left_nor_kept_where_somebody_can_sign_in(tmp_path: Path) -> None:
    with signed_site(tmp_path) as seen:
        (tmp_path / "set-up-code").write_text("AAAA-AAAA-AAAA\n")
        assert leave_code(tmp_path) is None
        assert Access(seen.room.hub, sign_in=True).first is None
        assert not (tmp_path / "set-up-code").exists()


# Passwords


def test_passwords_survive_a_restart_in_a_file_for_their_owner_alone(tmp_path: Path) -> None:
    kept = Passwords(tmp_path)
    kept.put("dana", "one")
    kept.put("mona", "two")
    kept.drop("dana")
    again = Passwords(tmp_path)
    assert (again.of("dana"), again.of("mona")) == (None, "two")
    assert stat.S_IMODE((tmp_path / "passwords.json").stat().st_mode) == 0o600
    (tmp_path / "passwords.json").write_text("{")
    with pytest.raises(HubError) as no:
        Passwords(tmp_path)
    assert no.value.code == "bad-passwords"


# One's own account


def test_official_of_any_role_takes_another_pin_and_password_by_the_one_before(seen: SignedSite) -> None:
    laptop, phone = seen.seat("helper"), seen.seat("helper")
    page = read(laptop.get("/account").text)
    assert page.all("h2", "sub")[0].text == "Hank helper"
    pin = {"password": PASSWORDS["helper"], "new": "250716", "again": "250716"}
    wrong = laptop.post("/account/pin", {**pin, "password": "not this one"}, htmx=True)
    assert (wrong.status_code, read(wrong.text).text) == (
        403,
        "That password is not right. 4 tries left, then wait 5 minutes.",
    )
    assert laptop.post("/account/pin", pin, htmx=True).status_code == 200
    verifier = seen.room.hub.tournament.officials["hank"].verifier
    assert verifier is not None
    assert Verifiers().right(verifier, "250716")
    answer = laptop.post(
        "/account/password", {"password": PASSWORDS["helper"], "new": "other words now", "again": "other words now"}
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert [laptop.get("/").status_code, phone.get("/").status_code] == [200, 303]
    assert seen.seat().sign_in(NAMES["helper"], "other words now").status_code == 303


def test_short_names_are_letters_and_figures_that_nobody_else_has() -> None:
    assert [short_name(name, ("dana",)) for name in ("Dana", "Ana María Ruiz", "Director", "  李 ", "hub")] == [
        "dana-2", "ana-maria-ruiz", "director-2", "official", "hub-2",
    ]  # fmt: skip


def test_try_that_could_not_be_looked_at_is_not_counted(seen: SignedSite) -> None:
    places = seen.access.verifiers._places
    taken = [places.acquire(blocking=False) for _ in range(7)]
    assert taken == [True] * 6 + [False]
    for _ in range(TRIES + 1):
        assert seen.seat().sign_in("Mona", PASSWORDS["monitor"]).status_code == 503
    for _ in range(6):
        places.release()
    assert seen.seat().sign_in("Mona", PASSWORDS["monitor"]).status_code == 303


def test_open_hub_has_nothing_to_sign_in_to(tmp_path: Path) -> None:
    with site(tmp_path) as seen:
        assert [seen.client.get(path).headers["location"] for path in ("/sign-in", "/sign-in/first")] == [
            "/",
            "/sign-in",
        ]
        assert seen.page("/account", 404).one("h2").text == "Nobody signs in at this hub."
        for path in ("/sign-in/first", "/account/pin", "/account/password"):
            answer = seen.post(path, name="Dana", new="358214", again="358214")
            assert (path, answer.status_code) == (path, 409)
        assert seen.post("/sign-in", name="Dana", password="four words or more").headers["location"] == "/"
        assert seen.room.hub.tournament.officials == {}
        assert not (tmp_path / "passwords.json").exists()


def test_code_makes_one_director_however_many_type_it_at_once(tmp_path: Path) -> None:
    with signed_site(tmp_path, people=False) as seen:
        code = (tmp_path / "set-up-code").read_text().strip()

        def come(name: str) -> int:
            fields = {"code": code, "name": name, "password": "four words or more", "password2": "four words or more",
                      "pin": "358214", "pin2": "358214"}  # fmt: skip
            return seen.seat().post("/sign-in/first", fields, page="/sign-in/first").status_code

        with ThreadPoolExecutor(2) as both:
            answers = sorted(both.map(come, ("Dana", "Mona")))
        assert answers == [303, 409]
        assert len(seen.room.hub.tournament.officials) == 1


def test_session_cookie_is_bound_to_this_host_and_to_tls_where_there_is_tls() -> None:
    def asked(scheme: str) -> Request:
        server = ("hall.example", 443)
        return Request({"type": "http", "method": "POST", "path": "/sign-in", "scheme": scheme, "server": server,
                        "query_string": b"", "headers": []})  # fmt: skip

    over_tls = _signed_in(asked("https"), "0" * 64, "/").headers["set-cookie"]
    plain = _signed_in(asked("http"), "0" * 64, "/").headers["set-cookie"]
    assert over_tls.startswith("__Host-tallybox-session=")
    assert plain.startswith("tallybox-session=")
    for cookie in (over_tls, plain):
        parts = {part.strip() for part in cookie.split(";")}
        assert {"HttpOnly", "SameSite=strict", "Path=/", f"Max-Age={int(LONGEST)}"} <= parts
        assert ("Secure" in parts) is (cookie is over_tls)
