"""``python -m deploy.venue_trial``: install a hub and a kiosk as at a venue, and play. Needs root.

What needs the internet comes first: the stick and a bare Debian, both kept for the next time. Everything after that
runs where there is no network but this machine's own loopback.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from deploy.cli import refuse
from deploy.errors import TrialError
from deploy.logs import tell_stderr
from deploy.venue_trial.bare_root import debian
from deploy.venue_trial.evening import Evening
from deploy.venue_trial.sticks import next_stick, venue_and_stick
from tallybox.errors import TallyboxError

CACHE: Final = Path(__file__).parents[2] / "build" / "venue"
_INSIDE: Final = "--inside"


def main() -> int:
    """Do it; 2 with a sentence where something is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m deploy.venue_trial", description=__doc__)
    parser.add_argument("--cache", type=Path, default=CACHE, help="where stick and bare Debian are kept")
    parser.add_argument(_INSIDE, type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    try:
        if args.inside is not None:
            Evening(args.cache, args.inside, tell_stderr).run()
            return 0
        if os.geteuid() != 0:
            raise TrialError("not-root", "Only root makes a Debian in a folder and starts it. Run this as root.")
        cache = args.cache.resolve()
        tell_stderr("A bare Debian …")
        debian(cache / "debian")
        venue_and_stick(cache, tell_stderr)
        next_stick(cache, tell_stderr)
    except (TallyboxError, OSError) as reason:
        refuse(reason if isinstance(reason, TallyboxError) else TallyboxError("cannot-use", f"{reason}."))
        return 2
    work = Path(tempfile.mkdtemp(dir=cache, prefix="evening-"))
    sys.stderr.flush()
    child = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
         sys.executable, "-m", "deploy.venue_trial", "--cache", str(cache), _INSIDE, str(work)],
        check=False,
    ).returncode  # fmt: skip
    shutil.rmtree(work, ignore_errors=True)
    return child


if __name__ == "__main__":
    raise SystemExit(main())
