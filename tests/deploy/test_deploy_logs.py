"""What services log: JSON lines, every event by its id, and of a whole evening not one secret."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from free_ports import free_port
from hub_bench import TOPICS, Bench
from waiting import until

from deploy.logs import log_as_service, log_to_stderr, tell_stderr
from deploy.room import make_room
from hub.accepting.keeper_log import MANY
from hub.accepting.received import Received
from tallybox.envelope import Head, event_id
from tallybox.events import table as ev

CODE_FIELDS = ("event_id", "box", "epoch", "seq", "type")
SECRETS = {"password": "four quiet words here", "wrong": "not my password", "pin": "358214", "later": "904417"}


@pytest.fixture(autouse=True)
def as_before() -> Any:
    """Each test leaves the process's logging as it found it."""
    before, handlers = structlog.get_config(), logging.getLogger().handlers[:]
    yield
    structlog.configure(**before)
    logging.getLogger().handlers[:] = handlers


def test_a_service_logs_one_object_a_line_and_never_the_values_of_variables(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log_as_service("json")
    pin = SECRETS["pin"]
    try:
        int(f"{pin[:1]} figures")
    except ValueError:
        structlog.get_logger("hub").exception("stumbled", official="dana")
    logging.getLogger("somebody.else").warning("a library %s", "speaks")
    tell_stderr("Box “K-01” is up.")
    said = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(each["event"], each["level"]) for each in said] == [
        ("stumbled", "error"), ("library", "warning"), ("told", "info"),
    ]  # fmt: skip
    assert said[0]["exception"][0]["exc_type"] == "ValueError"
    assert said[0]["exception"][0]["frames"][-1]["name"].startswith("test_a_service_logs")
    assert (said[1]["library"], said[1]["says"]) == ("somebody.else", "a library speaks")
    assert said[2]["says"] == "Box “K-01” is up."
    assert pin not in json.dumps(said)


@pytest.mark.parametrize(
    ("shape", "terminal", "manager", "machine"),
    [
        ("auto", True, False, False),
        ("auto", True, True, True),
        ("auto", False, False, True),
        ("text", False, True, False),
        ("json", True, False, True),
    ],
)
def test_people_at_a_terminal_get_words_and_everything_else_lines_of_json(
    shape: str, terminal: bool, manager: bool, machine: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    if manager:
        monkeypatch.setenv("NOTIFY_SOCKET", "/nobody")
    else:
        monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    log_as_service(shape)
    last = structlog.get_config()["processors"][-1]
    assert isinstance(last, structlog.processors.JSONRenderer) is machine


def test_a_command_for_people_tells_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr()
    tell_stderr("Two rounds are over.")
    assert capsys.readouterr().err == "Two rounds are over.\n"


def test_the_hubs_log_names_every_event_of_a_commit_and_what_became_of_the_odd_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log_as_service("json")
    bench = Bench(tmp_path)
    kiosk, _other = bench.create()
    bench.seat(kiosk)
    capsys.readouterr()
    refused = kiosk.say(ev.PlayStarted(hand=7))
    before = kiosk.head
    one = kiosk.say(ev.DirectorCalled(reason="one past"))
    kiosk.head = before
    other = kiosk.say(ev.DirectorCalled(reason="another past"))
    bench.take(refused, one, other)
    bench.keeper.take([Received(TOPICS.kiosk("K-01", "evt"), b"no event")])
    kiosk.head = Head("e1", one.seq, event_id(one))
    turns = (ev.DirectorCancelled(), ev.DirectorCalled(reason="once more"))
    many = [kiosk.say(turns[number % 2]) for number in range(MANY + 1)]
    bench.take(*many)
    said = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = {kind: [line for line in said if line["event"] == kind] for kind in {line["event"] for line in said}}
    assert [line["event_id"] for line in told["committed"]] == [event_id(each) for each in (refused, one, other)]
    assert [(line["event_id"], line["box"], line["seq"]) for line in told["branch"]] == [
        (event_id(other), "K-01", other.seq)
    ]
    assert [line["event_id"] for line in told["refused"]] == [event_id(refused)]
    assert told["refused"][0]["code"]
    assert [(line["box"], line["code"]) for line in told["quarantined"]] == [("K-01", "undecodable")]
    assert told["committed_many"][0]["event_ids"] == [event_id(each) for each in many]


def test_a_whole_evenings_logs_name_every_event_and_hold_no_secret(tmp_path: Path) -> None:
    room, port = tmp_path / "room", free_port()
    made = make_room(room, venue="club", boxes=1, random_bytes=os.urandom, port=free_port())
    hub = service(tmp_path / "hub.log", "hub", "--data", str(room), "--with-broker", "--sign-in", "--port", str(port),
                  "--template", "capitol-4", "--hands", "1", "--autopilot", "--speed", "400")  # fmt: skip
    box = service(tmp_path / "box.log", "kiosk", "--data", str(room), "--box", "K-01", "--robot", "1", "--speed", "400")
    try:
        secrets = [*SECRETS.values(), *signed_in(f"http://127.0.0.1:{port}", room / "hub" / "set-up-code")]
        until(lambda: '"checkpoint.signed"' in (tmp_path / "hub.log").read_text())
    finally:
        for each in (box, hub):
            each.terminate()
            each.wait(30)
    secrets += [path.read_text().strip() for path in (room / "hub/hub.key", made.kiosk_folder("K-01") / "box.key")]
    logs = {name: (tmp_path / f"{name}.log").read_text() for name in ("hub", "box")}
    for name, text in logs.items():
        assert [secret for secret in (*secrets, "$argon2") if secret in text] == [], name
    lines = {name: [json.loads(line) for line in text.splitlines()] for name, text in logs.items()}
    about = [line for name in lines for line in lines[name] if "event_id" in line]
    assert about
    assert [line for line in about if any(field not in line for field in CODE_FIELDS)] == []
    journalled = {line["event_id"] for line in lines["box"] if line["event"] == "journalled"}
    committed = {line["event_id"] for line in lines["hub"] if line["event"] == "committed" and line["box"] == "K-01"}
    assert len(committed) > 20
    assert committed <= journalled
    assert [line["official"] for line in lines["hub"] if line["event"] == "signed_in"] == ["dana"]
    assert [line["official"] for line in lines["hub"] if line["event"] == "sign_in_refused"] == ["dana"]


def signed_in(url: str, code_file: Path) -> list[str]:
    """The first director comes in with the code, signs out, mistypes, signs in, sets a PIN; the secrets of all that."""
    until(code_file.exists)
    code = code_file.read_text().strip()
    with httpx.Client(base_url=url, headers={"Origin": url}, timeout=30) as browser:
        until(lambda: answers(browser))

        def post(path: str, page: str, **fields: str) -> httpx.Response:
            token = re.search(r'name="token" value="([0-9a-f]{64})"', browser.get(page).text)
            assert token is not None
            tokens.append(token[1])
            return browser.post(path, data={"token": token[1], **fields})

        tokens: list[str] = []
        word, pin = SECRETS["password"], SECRETS["pin"]
        first = {"name": "Dana", "password": word, "password2": word, "pin": pin, "pin2": pin}
        came = post("/sign-in/first", "/sign-in/first", code=code, **first)
        assert came.status_code == 303, came.text
        session = [value for name, value in browser.cookies.items() if "session" in name]
        post("/sign-out", "/account")
        assert post("/sign-in", "/sign-in", name="Dana", password=SECRETS["wrong"], next="/").status_code == 401
        assert post("/sign-in", "/sign-in", name="Dana", password=SECRETS["password"], next="/").status_code == 303
        session += [value for name, value in browser.cookies.items() if "session" in name]
        post("/account/pin", "/account", password=word, new=SECRETS["later"], again=SECRETS["later"])
    assert len(session) == 2
    return [code, *session, *tokens]


def service(log: Path, *words: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as file:
        return subprocess.Popen([sys.executable, "-m", "deploy.cli", *words], stderr=file, stdout=file)


def answers(browser: httpx.Client) -> bool:
    try:
        return browser.get("/sign-in/first").status_code == 200
    except httpx.HTTPError:
        return False
