"""A hub in a process of its own, to be killed by a test: data folder and broker port are its arguments."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from hub_bench import HUB_KEY, KEYS

from hub.hub import Hub


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    hub = Hub(folder, venue="hall", key=HUB_KEY, kiosks=KEYS, host="127.0.0.1", port=port)
    hub.start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
