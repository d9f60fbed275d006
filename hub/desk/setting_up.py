"""What a set-up asks for before anything is written: read from typed fields, with every fault in a sentence. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from hub.desk import decisions
from hub.desk.decisions import Entry
from hub.desk.team_list import numbered as with_numbers
from hub.desk.team_list import read_team_list
from hub.errors import HubError
from hub.tournament.imagined import imagined
from hub.tournament.state import Tournament
from hub.tournament.templates import PlayOffs, Template, arranged, template, templates
from tallybox.canonical import Json
from tallybox.errors import RulesetError
from tallybox.events.hub import StagePlanned
from tallybox.messages import Team
from tallybox.rules import schema
from tallybox.rules.ruleset import Ruleset, builtin, with_settings

MOST_TEAMS: Final = 500
LONGEST_VALUE: Final = 80
STEPS: Final = ("Game", "Rules", "Teams", "Tables", "Summary")
GAME, RULES, TEAMS, TABLES, SUMMARY = range(1, 6)


@dataclass(frozen=True, slots=True)
class SetUp:
    """Everything that was entered so far, as it was typed.

    ``rules`` are the settings that the house changes, by name. ``how``: ``list`` (teams from ``listed``) or
    ``numbers`` (``count`` teams without names). ``boxes``: the known boxes are put on the tables in order.
    """

    template: str = "capitol-5"
    title: str = ""
    hands: str = ""
    qualifying: str = ""
    play_offs: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)
    how: str = "list"
    listed: str = ""
    count: str = ""
    boxes: bool = True
    seed: str = "0"

    @property
    def fields(self) -> dict[str, str]:
        """As a form carries it from step to step."""
        return {
            "template": self.template, "title": self.title, "hands": self.hands, "qualifying": self.qualifying,
            "play_offs": self.play_offs, "rules": json.dumps(dict(self.rules)), "how": self.how, "listed": self.listed,
            "count": self.count, "boxes": "on" if self.boxes else "", "seed": self.seed,
        }  # fmt: skip


def set_up_from(fields: Mapping[str, str]) -> SetUp:
    """What a form carried; whatever is odd in it falls back to the usual, or shows as a fault of its step."""
    usual = SetUp()
    known = fields.get("template", usual.template)
    return SetUp(
        template=known if known in templates() else usual.template,
        title=fields.get("title", "")[:200],
        hands=fields.get("hands", "").strip()[:6],
        qualifying=fields.get("qualifying", "")[:40],
        play_offs=fields.get("play_offs", "")[:40],
        rules=_rules(fields),
        how="numbers" if fields.get("how") == "numbers" else "list",
        listed=fields.get("listed", ""),
        count=fields.get("count", "").strip()[:6],
        boxes=bool(fields.get("boxes")) if {"boxes", "boxes_asked"} & fields.keys() else True,
        seed=fields.get("seed", "0").strip()[:16],
    )


def faults(wanted: SetUp, step: int) -> tuple[str, ...]:
    """What a step still lacks."""
    try:
        _CHECKS[step](wanted)
    except (HubError, RulesetError) as reason:
        return (reason.message,)
    if step == RULES:
        return tuple(rule_faults(wanted).values())
    if step == TEAMS and wanted.how == "list":
        read = read_team_list(wanted.listed.encode())
        return tuple(f"Line {fault.line}: {fault.sentence}" if fault.line else fault.sentence for fault in read.faults)
    return ()


def rule_faults(wanted: SetUp) -> dict[str, str]:
    """What does not fit among the house's own settings, by setting."""
    found: dict[str, str] = {}
    base = builtin(template(wanted.template).ruleset)
    changes = {key: setting_from(base, key, text) for key, text in wanted.rules.items()}
    while changes:
        try:
            with_settings(base, changes)
        except RulesetError as reason:
            key = (reason.where or "").removeprefix("settings.")
            found[key] = reason.message.removeprefix("settings: ")
            if changes.pop(key, None) is None:
                break
        else:
            break
    return found


def setting_from(base: Ruleset, key: str, text: str) -> Json:
    """What was typed for a setting, in the type that the setting has; what does not fit stays as it was typed."""
    now = base.settings_json()[key]
    typed = text.strip()
    if isinstance(now, bool):
        return {"yes": True, "true": True, "no": False, "false": False}.get(typed.lower(), typed)
    if isinstance(now, int):
        return _whole(typed)
    if isinstance(now, list):
        parts = [part.strip() for part in typed.split(",") if part.strip()]
        whole = bool(now) and isinstance(now[0], int)
        return [_whole(part) if whole else part for part in parts]
    return typed


def setting_text(value: Json) -> str:
    """A setting as a person types it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(str(each) for each in value) if isinstance(value, list) else str(value)


def ruleset_of(wanted: SetUp) -> Ruleset:
    """The ruleset with the house's changes; raises ``RulesetError``."""
    base = builtin(template(wanted.template).ruleset)
    changes = {key: setting_from(base, key, text) for key, text in wanted.rules.items()}
    if not changes:
        return base
    made = with_settings(base, changes)
    return base if made == base else Ruleset(f"{base.name}-house"[:60], f"{base.title}, house rules", made.settings)


def stages_of(wanted: SetUp) -> tuple[StagePlanned, ...]:
    """The stages as chosen; raises ``HubError`` for a choice or a number of hands that there is not."""
    chosen = template(wanted.template)
    play_offs: PlayOffs | None = "none" if wanted.play_offs == "none" else None
    return arranged(chosen, _choice(chosen, wanted.qualifying), play_offs, hands_of(wanted))


def hands_of(wanted: SetUp) -> int | None:
    """The hands of a round, if they are not the template's; raises ``HubError``."""
    if not wanted.hands:
        return None
    value = _whole(wanted.hands)
    if not isinstance(value, int) or not 1 <= value <= 99:
        raise HubError("hands", f"A round has 1 to 99 hands, not “{wanted.hands[:10]}”.")
    return value


def teams_of(wanted: SetUp) -> tuple[tuple[Team, ...], frozenset[int]]:
    """The teams with their numbers, and which of them are fillers; raises ``HubError``."""
    if wanted.how == "numbers":
        value = _whole(wanted.count)
        if not isinstance(value, int) or not 2 <= value <= MOST_TEAMS:
            raise HubError("count", f"Say how many teams play, from 2 to {MOST_TEAMS}.")
        named = (Team(number=each, names=(f"Player {each} A", f"Player {each} B")) for each in range(1, value + 1))
        return tuple(named), frozenset()
    read = read_team_list(wanted.listed.encode())
    if not read.good:
        raise HubError("list", read.faults[0].sentence)
    listed = with_numbers(read.teams)
    if len(listed) < 2:
        raise HubError("too-few-teams", "A tournament needs at least two teams. Add another line.")
    teams = tuple(Team(number=team.number or 0, names=team.names) for team in listed)
    return teams, frozenset(team.number or 0 for team in listed if team.filler)


def entry_of(wanted: SetUp) -> Entry:
    """What the tournament is created from; raises ``HubError`` or ``RulesetError``."""
    teams, fillers = teams_of(wanted)
    seed = _whole(wanted.seed)
    return Entry(
        template=wanted.template, title=title_of(wanted), teams=teams, ruleset=ruleset_of(wanted),
        hands=hands_of(wanted), seed=seed if isinstance(seed, int) and 0 <= seed < 2**53 else 0,
        stages=stages_of(wanted), fillers=fillers,
    )  # fmt: skip


def title_of(wanted: SetUp) -> str:
    """What people will know the tournament by; raises ``HubError``."""
    title = " ".join(wanted.title.split())
    if not title:
        raise HubError("no-title", "The tournament has no title. Give it one that people will know it by.")
    if len(title) > 80:
        raise HubError("too-long", f"Shorten the title to 80 characters; it has {len(title)}.")
    return title


def as_created(wanted: SetUp) -> Tournament:
    """The tournament as it would begin; raises ``HubError`` or ``RulesetError``, and writes nothing."""
    nothing = Tournament()
    return imagined(nothing, decisions.create_tournament(nothing, "director", entry_of(wanted)))


def _rules(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The house's settings: what the form carried, with what the page of rules says now, less what the club says."""
    known = fields.get("template", "")
    base = builtin(template(known if known in templates() else SetUp().template).ruleset)
    try:
        carried = json.loads(fields.get("rules", "{}")[:8_000])
    except (ValueError, RecursionError):
        carried = {}
    typed = {
        str(key): str(value)[:LONGEST_VALUE] for key, value in (carried if isinstance(carried, dict) else {}).items()
    }
    typed |= {key.removeprefix("set-"): text[:LONGEST_VALUE] for key, text in fields.items() if key.startswith("set-")}
    usual = cast("Mapping[str, Json]", base.settings_json())
    return {
        key: typed[key]
        for key in schema.keys(base.game)
        if key in typed and setting_from(base, key, typed[key]) != usual[key]
    }


def _choice(chosen: Template, qualifying: str) -> str | None:
    return qualifying or None if chosen.choices else None


def _whole(text: str) -> Json:
    plain = text.replace("−", "-")
    return int(plain) if plain.removeprefix("-").isdecimal() and plain.isascii() and len(plain) <= 16 else text


def _game(wanted: SetUp) -> None:
    title_of(wanted)
    stages_of(wanted)


_CHECKS: Final[Mapping[int, Callable[[SetUp], object]]] = {
    GAME: _game,
    RULES: lambda _wanted: None,
    TEAMS: lambda wanted: teams_of(wanted) if wanted.how == "numbers" else None,
    TABLES: as_created,
    SUMMARY: as_created,
}
