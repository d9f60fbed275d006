"""``tallybox bridge doctor``: what is wrong with a reader's port, in words."""

from __future__ import annotations

import argparse
import json
from typing import Final

from deploy.logs import log_to_stderr
from firmware_bridge.doctor import LISTEN, examine, examine_all
from firmware_bridge.findings import Kind, Report

DESCRIPTION: Final = (
    "Looks at a port, or at all: whether it is there, may be opened, is free, and who answers. Takes no card from a "
    "reader. Exit 0 when a reader answers, 1 when something is to be done."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--port", help="the port to look at (default: every port of this machine)")
    parser.add_argument(
        "--kind", type=Kind, choices=list(Kind), default=Kind.DECK, help="what should be there (default: deck)"
    )
    parser.add_argument("--baud", type=int, help="the speed to listen at (default: 115200; scanners 9600)")
    parser.add_argument("--seconds", type=float, default=LISTEN, help=f"how long to listen (default: {LISTEN:g})")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    """Look, tell; 0 when a reader answers where it was looked for, else 1."""
    log_to_stderr()
    if args.kind is Kind.BARCODE and not args.json:
        print("Scan a card now.", flush=True)
    if args.port is None:
        reports = examine_all(args.kind, args.baud, args.seconds)
    else:
        reports = [examine(args.port, args.kind, args.baud, args.seconds)]
    fine = any(report.fine for report in reports)
    if args.json:
        print(json.dumps({"fine": fine, "ports": [_as_json(report) for report in reports]}, ensure_ascii=False))
    else:
        print("\n".join(_as_text(report) for report in reports))
    return 0 if fine else 1


def _as_text(report: Report) -> str:
    lines = []
    for finding in report.findings:
        lines.append(finding.says)
        if finding.do:
            lines.append(f"  → {finding.do}")
    return "\n".join(lines)


def _as_json(report: Report) -> dict[str, object]:
    findings = [
        {
            "code": finding.trouble.value,
            "says": finding.says,
            "do": finding.do,
            "who": None if finding.who is None else {"pid": finding.who.pid, "name": finding.who.name},
        }
        for finding in report.findings
    ]
    return {"port": report.port, "fine": report.fine, "findings": findings}
