"""A provisioned venue with its real mosquitto, and mosquitto's own clients to try it from outside."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from free_ports import free_port

from deploy.provision.authority import Purpose, issue, read_authority
from deploy.provision.places import line_files
from deploy.provision.venue import Asked, opened_venue
from hub.broker import RunningBroker, start_configured

ROOT = "tallybox/v1/hall/"


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def venue(folder: Path, boxes: int = 3, *, hosts: tuple[str, ...] = ("localhost",)) -> int:
    """Make a venue whose broker listens on loopback alone; its port."""
    port = free_port()
    asked = Asked(venue="hall", hosts=hosts, boxes=boxes, port=port, listen="127.0.0.1")
    with opened_venue(folder, asked, now=now(), random_bytes=os.urandom) as made:
        made.complete()
    return port


def tls_of(folder: Path, name: str) -> Path:
    """The certificate folder of a box, of ``hub`` or of ``broker``."""
    return folder / name / "tls" if name in {"hub", "broker"} else folder / "bundles" / name / "kiosks" / name / "tls"


def issued(folder: Path, name: str, into: Path, purpose: Purpose, *, days: int = 30, hosts: Sequence[str] = ()) -> None:
    """Put a certificate of the venue's authority, good for so many days from now on, into a folder."""
    keys = folder / "authority"
    authority = read_authority((keys / "ca.key").read_bytes(), (keys / "ca.crt").read_bytes())
    made = issue(authority, name, purpose, now(), lasts=timedelta(days=days), hosts=hosts)
    into.mkdir(exist_ok=True)
    for path, content in line_files(authority, made).items():
        (into / path).write_bytes(content)


def renamed(folder: Path, host: str) -> None:
    """Give the broker a certificate for another host."""
    issued(folder, "broker", tls_of(folder, "broker"), Purpose.SERVER, hosts=(host,))


@contextmanager
def running(folder: Path, port: int) -> Iterator[RunningBroker]:
    broker = start_configured(folder / "broker" / "mosquitto.conf", port)
    try:
        yield broker
    finally:
        broker.stop()


class Client:
    """mosquitto_pub and mosquitto_sub with one certificate."""

    def __init__(self, port: int, ca: Path, tls: Path | None, host: str = "localhost") -> None:
        self.words = ["-h", host, "-p", str(port), "--cafile", str(ca / "ca.crt")]
        if tls is not None:
            self.words += ["--cert", str(tls / "own.crt"), "--key", str(tls / "own.key")]

    def publish(self, topic: str, text: str = "x", *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["mosquitto_pub", *self.words, "-q", "1", "-t", topic, "-m", text, *words],
            check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def listen(self, *topics: str, seconds: int = 90) -> subprocess.Popen[str]:
        """Start to hear; returns once the broker has taken the subscription. A message “end” on any topic ends it."""
        wanted = [word for topic in topics for word in ("-t", topic)]
        words = ["stdbuf", "-oL", "mosquitto_sub", *self.words, "-q", "1", "-v", "-d", "-W", str(seconds), *wanted]
        heard = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert heard.stdout is not None
        for line in heard.stdout:
            if "Subscribed" in line:
                break
        return heard


def heard_until(listening: subprocess.Popen[str], last: str) -> list[str]:
    """What came, “topic text”, up to the line ``last``."""
    found: list[str] = []
    assert listening.stdout is not None
    for line in listening.stdout:
        if line.startswith(ROOT):
            found.append(line.rstrip("\n").removeprefix(ROOT))
            if found[-1] == last:
                break
    listening.terminate()
    listening.wait(10)
    listening.stdout.close()
    return found
