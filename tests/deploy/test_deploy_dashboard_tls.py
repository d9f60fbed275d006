"""The dashboard in a venue: TLS for the venue's names alone, and the public page on a plain port beside it."""

from __future__ import annotations

import json
import os
import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path

import httpx
import pytest
import structlog
import zxingcpp
from cryptography import x509
from free_ports import free_ports
from PIL import Image
from playwright.sync_api import sync_playwright
from venue_broker import now

from deploy.cli import main
from deploy.dashboard_line import DashboardPlan, read_plan
from deploy.errors import ProvisionError, RoomError
from deploy.hub_service import HubService, open_hub
from deploy.line import LineFiles
from deploy.provision.venue import Asked, opened_venue
from deploy.room import make_room, open_room
from hub.web.guard import HEADERS

HOSTS = ("hall.example", "127.0.0.2")
FORM = re.compile(r'name="token" value="([0-9a-f]{64})"')


def made(folder: Path, hosts: tuple[str, ...] = HOSTS, moment: datetime | None = None) -> tuple[int, int]:
    """A venue of one box whose dashboard opens on two free ports; these."""
    broker, port, public = free_ports(3)
    asked = Asked(
        venue="hall", hosts=("localhost",), boxes=1, port=broker, listen="127.0.0.1",
        dashboard_hosts=hosts, dashboard_port=port, public_port=public,
    )  # fmt: skip
    with opened_venue(folder, asked, now=moment or now(), random_bytes=os.urandom) as venue:
        venue.complete()
    return port, public


@dataclass
class Hall:
    folder: Path
    service: HubService
    port: int
    public: int

    def browser(self, *, host: str = "hall.example") -> httpx.Client:
        """One that trusts the venue's authority, and knows where ``host`` is."""
        trust = ssl.create_default_context(cafile=str(self.folder / "authority" / "ca.crt"))
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}", verify=trust, timeout=20, headers={"Host": f"{host}:{self.port}"}
        )

    def phone(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.2:{self.public}", timeout=20)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("desk") / "v"
    port, public = made(folder)
    service = open_hub(open_room(folder), listen="127.0.0.1")
    service.stop()
    service = open_hub(open_room(folder), listen="0.0.0.0")
    try:
        yield Hall(folder, service, port, public)
    finally:
        service.stop()


def test_certificate_is_for_the_venues_names_and_short_enough_for_every_browser(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    made(tmp_path / "v", ("hall.example", "192.0.2.7"), moment)
    own = x509.load_pem_x509_certificate((tmp_path / "v" / "hub" / "dashboard" / "own.crt").read_bytes())
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["hall.example", "localhost"]
    assert [str(each) for each in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "127.0.0.1"]
    assert own.not_valid_before_utc < moment
    assert own.not_valid_after_utc - own.not_valid_before_utc <= timedelta(days=825)
    authority = x509.load_pem_x509_certificate((tmp_path / "v" / "authority" / "ca.crt").read_bytes())
    own.verify_directly_issued_by(authority)


def test_browser_that_trusts_the_authority_finds_the_sign_in_over_tls(hall: Hall) -> None:
    with hall.browser() as browser:
        answer = browser.get("/")
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2F")
        page = browser.get("/sign-in")
    assert page.status_code == 200
    assert {name: page.headers[name] for name in HEADERS} == HEADERS
    assert "strict-transport-security" not in page.headers
    jar = SimpleCookie(page.headers["set-cookie"])
    assert list(jar) == ["__Host-tallybox-page"]
    assert {key: jar["__Host-tallybox-page"][key] for key in ("secure", "httponly", "samesite", "path", "domain")} == {
        "secure": True, "httponly": True, "samesite": "strict", "path": "/", "domain": "",
    }  # fmt: skip


def test_browser_that_does_not_know_the_authority_is_warned(hall: Hall) -> None:
    with httpx.Client() as stranger, pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        stranger.get(f"https://127.0.0.1:{hall.port}/")


@pytest.mark.parametrize(
    ("host", "status"),
    [("hall.example", 200), ("127.0.0.2", 200), ("localhost", 200), ("192.0.2.9", 421), ("hall.example.evil", 421)],
)
def test_exactly_the_venues_names_are_answered(hall: Hall, host: str, status: int) -> None:
    with hall.browser(host=host) as browser:
        assert browser.get("/sign-in").status_code == status
    with hall.phone() as phone:
        assert phone.get("/public", headers={"Host": f"{host}:{hall.public}"}).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://hall.example:PORT", 401), ("http://hall.example:PORT", 403), ("https://hall.example", 403)],
)
def test_posts_come_from_our_own_pages_over_tls_alone(hall: Hall, origin: str, status: int) -> None:
    with hall.browser() as browser:
        token = FORM.search(browser.get("/sign-in").text)
        assert token is not None
        fields = {"token": token[1], "name": "Dana", "password": "not the right one", "next": "/"}
        answer = browser.post("/sign-in", data=fields, headers={"Origin": origin.replace("PORT", str(hall.port))})
    assert answer.status_code == status


def test_first_director_comes_in_over_tls_with_the_code_that_provisioning_left(tmp_path: Path) -> None:
    folder = tmp_path / "v"
    port, public = made(folder)
    code = (folder / "hub" / "set-up-code").read_text().strip()
    service = open_hub(open_room(folder), listen="127.0.0.1")
    try:
        with Hall(folder, service, port, public).browser() as browser:
            origin = f"https://hall.example:{port}"
            token = FORM.search(browser.get("/sign-in/first").text)
            assert token is not None
            fields = {
                "token": token[1], "code": code, "name": "Dana Reed", "pin": "358214", "pin2": "358214",
                "password": "four words or more", "password2": "four words or more",
            }  # fmt: skip
            entered = browser.post("/sign-in/first", data=fields, headers={"Origin": origin})
            assert (entered.status_code, entered.headers["location"]) == (303, "/"), entered.text
            jar = SimpleCookie(entered.headers["set-cookie"])
            assert jar["__Host-tallybox-session"]["secure"] is True
            assert browser.get("/").status_code == 200
        assert not (folder / "hub" / "set-up-code").exists()
    finally:
        service.stop()
    with opened_venue(folder, Asked(), now=now(), random_bytes=os.urandom) as venue:
        venue.complete()
        assert venue.said == []
    assert not (folder / "hub" / "set-up-code").exists()


def test_public_page_is_plain_and_the_only_thing_that_is(hall: Hall) -> None:
    with hall.phone() as phone:
        assert phone.get("/").headers["location"] == "/public"
        page = phone.get("/public")
        assert (page.status_code, page.headers.get("set-cookie"), "<form" in page.text) == (200, None, True)
        assert re.findall(r'<form[^>]*method="(\w+)"', page.text) == ["get"]
        for path in re.findall(r'(?:href|src)="(/[^"]+)"', page.text):
            assert phone.get(path).status_code in {200, 302}, path
        refused = {
            path: phone.get(path).status_code
            for path in ("/sign-in", "/sign-in/first", "/healthz", "/events", "/api/tables", "/documents", "/record")
        }
        assert refused == dict.fromkeys(refused, 404)
        origin = f"http://127.0.0.2:{hall.public}"
        for path in ("/sign-in", "/clock/start", "/public"):
            assert phone.post(path, data={"token": "0" * 64}, headers={"Origin": origin}).status_code in {404, 405}


def test_phone_that_reads_the_code_on_the_wall_finds_the_public_page_without_a_warning(hall: Hall) -> None:
    known = "--host-resolver-rules=MAP hall.example 127.0.0.2"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", known])
        wall = browser.new_page(viewport={"width": 1920, "height": 1080})
        wall.goto(f"http://127.0.0.2:{hall.public}/projector")
        wall.wait_for_function("document.querySelector('.p-code img').naturalWidth > 0")
        read = zxingcpp.read_barcodes(Image.open(BytesIO(wall.screenshot())))
        assert [each.text for each in read] == [f"http://hall.example:{hall.public}/public"]
        phone = browser.new_page(viewport={"width": 390, "height": 844})
        said: list[str] = []
        phone.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        phone.goto(read[0].text)
        assert phone.locator("h1").inner_text()
        assert [each for each in said if "Cross-Origin-Opener-Policy" not in each] == [], "meant for TLS alone"
        browser.close()
    with hall.browser() as desk:
        assert 'src="/public/code.svg"' in desk.get("/projector").text


def test_projector_on_the_plain_port_is_told_of_changes_like_every_other(hall: Hall) -> None:
    with hall.phone() as phone, phone.stream("GET", "/projector/events") as stream:
        heard = (line for line in stream.iter_lines() if line.startswith("event:"))
        assert next(heard) == "event: change"
        director = hall.service.hub.director
        director.change_official("director", "dana", "Dana", "director", None)
        assert next(heard) == "event: change"


def test_venue_toml_names_hosts_and_ports(tmp_path: Path) -> None:
    port, public = made(tmp_path / "v", ("Hall.Example", "2001:DB8::7"))
    assert open_room(tmp_path / "v").dashboard == DashboardPlan(("Hall.Example".lower(), "2001:db8::7"), port, public)
    box = open_room(tmp_path / "v" / "bundles" / "K-01")
    assert box.dashboard == open_room(tmp_path / "v").dashboard, "a box leads the director's phone there"
    assert not (tmp_path / "v" / "bundles" / "K-01" / "hub").exists()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"dashboard_hosts": []}, "a list of 1 to 16"),
        ({"dashboard_hosts": "hall"}, "a list of 1 to 16"),
        ({"dashboard_hosts": ["*"]}, "“*” is no host name"),
        ({"dashboard_hosts": ["0.0.0.0"]}, "is no host name"),
        ({"dashboard_hosts": ["hall"], "dashboard_port": 0}, "two ports"),
        ({"dashboard_hosts": ["hall"], "public_port": 8443}, "two ports"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_in_words(settings: dict[str, object], says: str) -> None:
    with pytest.raises(RoomError, match=re.escape(says)):
        read_plan(settings, tls=True)


def test_a_room_without_certificates_opens_to_nobody_else(tmp_path: Path) -> None:
    make_room(tmp_path, boxes=1, random_bytes=os.urandom)
    toml = tmp_path / "venue.toml"
    toml.write_text(f'dashboard_hosts = ["hall.example"]\n{toml.read_text()}')
    with pytest.raises(RoomError, match="needs a venue with certificates"):
        open_room(tmp_path)


def test_a_missing_certificate_never_falls_back_to_plain(tmp_path: Path) -> None:
    made(tmp_path / "v")
    (tmp_path / "v" / "hub" / "dashboard" / "own.key").unlink()
    with pytest.raises(RoomError, match="The dashboard's certificate is not in"):
        open_hub(open_room(tmp_path / "v"), listen="127.0.0.1")


@pytest.fixture
def silent_log() -> Iterator[None]:
    """What the hall's own threads have to say does not come between a command and its answer."""
    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("silent_log")
def test_renewing_gives_other_names_and_without_asking_they_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path / "v")
    words = ["provision", "--data", str(tmp_path / "v")]
    assert main([*words, "--dashboard-host", "other.example"]) == 2
    assert "nothing was changed" in json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["message"]
    before = (tmp_path / "v" / "hub" / "dashboard" / "own.crt").read_bytes()
    assert main([*words, "--renew", "dashboard", "--dashboard-host", "other.example"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["dashboard"]["hosts"] == ["other.example"]
    assert answer["dashboard"]["public"].startswith("http://other.example:")
    assert (tmp_path / "v" / "hub" / "dashboard" / "own.crt").read_bytes() != before
    assert LineFiles(tmp_path / "v" / "hub" / "dashboard").key.stat().st_mode & 0o777 == 0o600


def test_dashboard_of_a_venue_that_was_never_opened_is_told_how(tmp_path: Path) -> None:
    asked = Asked(venue="hall", hosts=("localhost",), boxes=1)
    with opened_venue(tmp_path / "v", asked, now=now(), random_bytes=os.urandom) as venue:
        venue.complete()
        with pytest.raises(ProvisionError, match="--dashboard-host NAME"):
            venue.renew("dashboard")


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_tls_older_than_1_2_is_not_spoken_by_the_dashboard(hall: Hall) -> None:
    context = ssl.create_default_context(cafile=str(hall.folder / "authority" / "ca.crt"))
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1_1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", hall.port), 30) as plain,
        pytest.raises(ssl.SSLError, match=r"ALERT_PROTOCOL_VERSION|UNEXPECTED_EOF"),
    ):
        context.wrap_socket(plain, server_hostname="hall.example")
