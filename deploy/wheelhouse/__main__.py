"""``python -m deploy.wheelhouse STICK``: fill a stick with all that a venue is installed from, at home."""

from __future__ import annotations

import argparse
import sysconfig
from pathlib import Path
from typing import Final

from deploy.cli import refuse
from deploy.logs import tell_stderr
from deploy.wheelhouse.stick import MACHINES, Plan, make_stick
from tallybox.errors import TallyboxError

SOURCE: Final = Path(__file__).parents[2]
TOOLS: Final = SOURCE / ".venv" / "ansible"


def main() -> int:
    """Fill it; 2 with one JSON object on standard error where that cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m deploy.wheelhouse", description=__doc__)
    parser.add_argument("stick", type=Path, help="the stick's folder; what is on it is not fetched again")
    parser.add_argument("--venue", type=Path, help="the folder that “tallybox provision” made")
    parser.add_argument("--machine", action="append", choices=MACHINES, help="for these machines alone")
    parser.add_argument("--sources", type=Path, help="apt's sources to take (default: this machine's own)")
    parser.add_argument("--tools", type=Path, default=TOOLS, help="the environment that Ansible is in")
    args = parser.parse_args()
    try:
        release = make_stick(
            Plan(
                folder=args.stick,
                source=SOURCE,
                venue=args.venue,
                site=Path(sysconfig.get_path("purelib")),
                tools_site=Path(sysconfig.get_path("purelib", vars={"base": str(args.tools)})),
                machines=tuple(args.machine or MACHINES),
                sources=None if args.sources is None else args.sources.read_text(encoding="utf-8"),
            ),
            tell_stderr,
        )
    except (TallyboxError, OSError) as reason:
        refuse(reason if isinstance(reason, TallyboxError) else TallyboxError("cannot-use", _said(reason, args.stick)))
        return 2
    tell_stderr(f"Release {release} is on {args.stick}. At the venue: sudo sh {args.stick.name}/install hub")
    return 0


def _said(reason: OSError, stick: Path) -> str:
    """What the system refused, as a sentence."""
    return f"{reason.filename or stick}: {reason.strerror or reason}. Mend that, or take another stick; then again."


if __name__ == "__main__":
    raise SystemExit(main())
