"""How a hub and its dashboard are, for a monitoring program (Prometheus): figures alone, no names and no secrets.

Everything belongs to one hub: there is no registry of the process, and two hubs in one process count apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from hub.hub import Hub
from hub.line.presence import Presence

CONTENT: Final = "text/plain; version=0.0.4; charset=utf-8"

SILENT_AFTER: Final = 30.0
"""Seconds without a word after which a box is silent, as on the desk."""

VERDICTS: Final = ("accepted", "duplicate", "branch", "gap", "quarantined")
LINKS: Final = ("linked", "silent", "away", "never")


@dataclass(frozen=True, slots=True)
class Desk:
    """What the dashboard counts: open streams, and tries to sign in that were refused."""

    streams: int
    sign_ins_refused: int


def written(hub: Hub, desk: Desk) -> bytes:
    """All figures as a Prometheus reads them."""
    registry = CollectorRegistry()
    registry.register(_Scrape(hub, desk))
    return generate_latest(registry)


def links(boxes: Mapping[str, Presence], known: tuple[str, ...], now: float) -> Counter[str]:
    """How many of the known boxes are in which state of their link."""
    found: Counter[str] = Counter(dict.fromkeys(LINKS, 0))
    for box in known:
        there = boxes.get(box)
        if there is None:
            found["never"] += 1
        elif not there.online:
            found["away"] += 1
        else:
            found["silent" if there.age(now) >= SILENT_AFTER else "linked"] += 1
    return found


class _Scrape(Collector):
    """One look at everything."""

    def __init__(self, hub: Hub, desk: Desk) -> None:
        self._hub = hub
        self._desk = desk

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now."""
        hub = self._hub
        now, boxes = hub.time.seconds(), hub.presence
        yield _by("events", "Payloads from boxes, by what became of them.", "verdict", hub.judged, VERDICTS)
        yield from hub.measures.seconds.collect()
        yield from hub.measures.lines.collect()
        yield _counter("acks", "Acks sent to boxes.", hub.line_figures.acks)
        yield _counter("put_off", "Payloads put off because too much came; they come again.", hub.line_figures.put_off)
        yield _counter("sign_ins_refused", "Tries to sign in that were refused.", self._desk.sign_ins_refused)
        yield _gauge("refused_events", "Events in the ledger that the rules refuse.", len(hub.tournament.refusals))
        yield _gauge("queue", "Payloads and requests that wait for the writer.", hub.waiting)
        yield _of("boxes", "Boxes by the state of their link.", "link", links(boxes, hub.known_boxes, now), LINKS)
        yield _gauge("unsent_events", "Events that boxes say they still hold.", sum(b.unsent for b in boxes.values()))
        yield _gauge("streams", "Open streams of dashboards and projectors.", self._desk.streams)
        yield _gauge("ledger_seq", "Number of the ledger's last line.", hub.rev[1])
        yield _gauge("hub_epoch", "Number of the hub's epoch.", hub.rev[0])
        yield _gauge("connected", "Whether the line to the broker says that it is up.", int(hub.connected))
        yield _gauge("trouble", "Whether the hub has something to tell the director of itself.", int(bool(hub.trouble)))
        last = hub.health.last_ready
        if last is not None:
            yield _gauge("round_trip_age_seconds", "Since disk and broker last gave back a mark.", now - last)


def _by(name: str, about: str, label: str, figures: Mapping[str, int], known: tuple[str, ...]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"tallybox_{name}", about, labels=[label])
    for each in known:
        family.add_metric([each], figures.get(each, 0))
    return family


def _of(name: str, about: str, label: str, figures: Mapping[str, int], known: tuple[str, ...]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"tallybox_{name}", about, labels=[label])
    for each in known:
        family.add_metric([each], figures.get(each, 0))
    return family


def _counter(name: str, about: str, figure: int) -> CounterMetricFamily:
    return CounterMetricFamily(f"tallybox_{name}", about, value=figure)


def _gauge(name: str, about: str, figure: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"tallybox_{name}", about, value=figure)
