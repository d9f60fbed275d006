"""``tallybox score SHEET.json``: a sheet scored from its facts alone."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from deploy.commands.inputs import read_json
from deploy.commands.rulesets import find_ruleset
from tallybox.sheet import score_sheet, score_to_json, sheet_from_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("sheet", metavar="SHEET.json", help="the sheet to score, or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Score and print one JSON document. Raises ``TallyboxError`` for input that cannot be scored."""
    beside = Path.cwd() if args.sheet == "-" else Path(args.sheet).parent
    facts = sheet_from_json(read_json(args.sheet), lambda name: find_ruleset(name, beside))
    print(json.dumps(score_to_json(facts, score_sheet(facts)), ensure_ascii=False))
    return 0
