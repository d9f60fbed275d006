"""Tournament templates: what an occasion starts from, as data (section 2.6 and 3.8 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec.structs import replace

from hub.errors import HubError
from tallybox.events.hub import StagePlanned

MINUTES_A_HAND = 5
"""Both lengths the text names, 4 hands in 20 minutes and 5 in 25, come to this (Q-15g)."""

PlayOffs = Literal["elimination", "none"]


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The qualifying stages that an organiser may choose in place of a template's own."""

    stages: tuple[StagePlanned, ...]


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One template; ``clock`` maps hands to minutes, and is absent where games are untimed."""

    title: str
    ruleset: str
    stages: tuple[StagePlanned, ...]
    clock: dict[int, int] | None = None
    choices: dict[str, Choice] = {}

    @property
    def rounds(self) -> int:
        """The rounds of the first stage; 1 where they follow from its teams."""
        return self.stages[0].rounds or 1

    @property
    def hands(self) -> int:
        """The hands of a round of the first stage."""
        return self.stages[0].hands

    def minutes_for(self, hands: int) -> int | None:
        """The round clock for so many hands; ``None`` for untimed games."""
        return None if self.clock is None else self.clock.get(hands, hands * MINUTES_A_HAND)

    def planned(self, hands: int | None = None) -> tuple[StagePlanned, ...]:
        """The stages with their minutes. ``hands``: in the rounds of every stage but a one-hand play-off."""
        return tuple(self._timed(stage, hands) for stage in self.stages)

    def _timed(self, stage: StagePlanned, hands: int | None) -> StagePlanned:
        many = stage.hands if hands is None or stage.kind == "play_off" else hands
        minutes = self.minutes_for(many) if stage.minutes is None else stage.minutes
        return replace(stage, hands=many, minutes=None if stage.kind == "play_off" else minutes)


def arranged(
    chosen: Template, qualifying: str | None = None, play_offs: PlayOffs | None = None, hands: int | None = None
) -> tuple[StagePlanned, ...]:
    """The stages of an occasion, as the organiser chose them where the template leaves a choice (C-23).

    No ``qualifying`` and no ``play_offs``: the template's. An elimination as qualifying is followed by no play-offs;
    a round robin sends its four best into them. Raises ``HubError`` (``no-choice``).
    """
    stages = chosen.planned(hands)
    if qualifying is not None:
        if qualifying not in chosen.choices:
            known = ", ".join(chosen.choices) or "no other form"
            raise HubError("no-choice", f"“{chosen.title}” is played as its text says: it knows {known}.")
        first = Template(title="", ruleset="", clock=chosen.clock, stages=chosen.choices[qualifying].stages)
        later = tuple(stage for stage in stages if stage.kind == "elimination")
        stages = first.planned(hands)
        if stages[-1].kind != "elimination":
            stages += tuple(_cut_for(stages[-1], stage) for stage in later)
    if play_offs == "none" and len(stages) > 1:
        stages = tuple(stage for stage in stages if stage.kind != "elimination")
    return stages


def _cut_for(qualifying: StagePlanned, play_offs: StagePlanned) -> StagePlanned:
    return replace(play_offs, wins=None, top=4) if qualifying.kind == "round_robin" else play_offs


@cache
def templates() -> Mapping[str, Template]:
    """All templates by name."""
    text = files("hub.tournament").joinpath("templates.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Template], strict=False)


def template(name: str) -> Template:
    """The template of this name; raises ``HubError`` (``unknown-template``) naming those there are."""
    known = templates()
    if name not in known:
        raise HubError("unknown-template", f"There is no template “{name[:40]}”. Choose {', '.join(known)}.")
    return known[name]
