"""The embedded broker in a process of its own, so that it can be killed like one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.chaos.told import until_alone_or_told
from deploy.logs import log_to_stderr
from deploy.service import until_told
from hub.broker import start_broker


def main(argv: Sequence[str] | None = None) -> int:
    """Run the broker until told to end."""
    parser = argparse.ArgumentParser(prog="python -m deploy.chaos.broker_process")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    args = parser.parse_args(argv)
    log_to_stderr()
    ended = until_told()
    broker = start_broker(args.data, args.port, "amqtt")
    try:
        until_alone_or_told(ended, lambda: None)
    finally:
        broker.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
