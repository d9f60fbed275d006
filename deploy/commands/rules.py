"""``tallybox rules``: show a ruleset with the rules in force, or check a club's own file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from deploy.commands.inputs import read_text
from deploy.commands.rulesets import find_ruleset
from tallybox.canonical import Json
from tallybox.rules import schema
from tallybox.rules.in_force import in_force, in_force_to_json
from tallybox.rules.ruleset import LARGEST_TOML, Ruleset, parse_ruleset


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="show|check")
    show = verbs.add_parser("show", help="settings, and the rules in force where the club's text is silent")
    show.add_argument("ruleset", metavar="RULESET", help="a built-in name, a path, or - for standard input")
    show.add_argument("--json", action="store_true", help="answer in JSON in place of a page")
    check = verbs.add_parser("check", help="read a ruleset file and say what does not fit")
    check.add_argument("ruleset", metavar="FILE", help="the file to check, or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Print the answer. Raises ``TallyboxError`` for a ruleset that cannot be used."""
    ruleset = _from_input() if args.ruleset == "-" else find_ruleset(args.ruleset, Path.cwd())
    if args.verb == "check":
        print(json.dumps(_identity(ruleset), ensure_ascii=False))
    elif args.json:
        print(json.dumps(shown_ruleset(ruleset), ensure_ascii=False))
    else:
        print(page(ruleset))
    return 0


def shown_ruleset(ruleset: Ruleset) -> dict[str, Json]:
    """A ruleset as JSON: identity, settings with what each may be, and the rules in force."""
    return {
        **_identity(ruleset),
        "settings": ruleset.settings_json(),
        "allowed": {key: schema.allowed(ruleset.game, key) for key in schema.keys(ruleset.game)},
        "in_force": in_force_to_json(ruleset),
    }


def page(ruleset: Ruleset) -> str:
    """A ruleset for people."""
    lines = [ruleset.title, f"{ruleset.name}, digest {ruleset.digest}", "", "Settings"]
    values = ruleset.settings_json()
    width = max(map(len, values))
    lines += [f"  {key:<{width}}  {_plain(value)}" for key, value in values.items()]
    lines += ["", "Rules in force that the club's text does not state"]
    for each in in_force(ruleset):
        now = f" [{each.setting} = {_plain(each.value)}]" if each.setting else ""
        lines.append(f"  {each.rule:<6} {each.text}{now}")
    return "\n".join(lines)


def _from_input() -> Ruleset:
    return parse_ruleset(read_text("-", LARGEST_TOML), "The input", lambda name: find_ruleset(name, Path.cwd()))


def _identity(ruleset: Ruleset) -> dict[str, Json]:
    return {"name": ruleset.name, "title": ruleset.title, "kind": ruleset.game.value, "digest": ruleset.digest}


def _plain(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
