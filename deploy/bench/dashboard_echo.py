"""A bare stream of events to set the dashboard beside: a minimal Starlette application that says numbers."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
import time
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

WITHIN: Final = 15.0
MOST_WAITING: Final = 1_000


class Echo:
    """Says every number to every listener."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[int]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.app = Starlette(routes=[Route("/events", self._events)])

    async def _events(self, _request: Request) -> Response:
        self._loop = asyncio.get_running_loop()
        return StreamingResponse(self._frames(), media_type="text/event-stream")

    async def _frames(self) -> AsyncGenerator[bytes]:
        queue: asyncio.Queue[int] = asyncio.Queue(MOST_WAITING)
        self._queues.add(queue)
        try:
            yield b"retry: 2000\n\n"
            while True:
                yield b'event: change\ndata: {"seq": %d}\n\n' % await queue.get()
        finally:
            self._queues.discard(queue)

    def say(self, number: int) -> None:
        """Say it to everybody, from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._say, number)

    def _say(self, number: int) -> None:
        for queue in self._queues:
            queue.put_nowait(number)


def main(argv: Sequence[str] | None = None) -> int:
    """Open it, say where, wait for the word, say so many numbers a second, say when each was said."""
    parser = argparse.ArgumentParser(prog="dashboard_echo")
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args(argv)
    echo = Echo()
    config = uvicorn.Config(
        echo.app,
        host="127.0.0.1",
        port=0,
        log_config=None,
        access_log=False,
        ws="none",
        lifespan="off",
        log_level="critical",
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    late = time.monotonic() + WITHIN
    while not server.started and time.monotonic() < late:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    print(json.dumps({"url": f"http://127.0.0.1:{port}/", "seq": 0}), flush=True)
    sys.stdin.readline()
    cpu, began, times = time.process_time(), time.monotonic(), list[float]()
    for number in range(1, round(args.rate * args.seconds) + 1):
        time.sleep(max(0.0, began + (number - 1) / args.rate - time.monotonic()))
        times.append(time.monotonic())
        echo.say(number)
    answer = {"first": 0, "last": len(times), "times": times, "cpu": time.process_time() - cpu,
              "wall": time.monotonic() - began}  # fmt: skip
    print(json.dumps(answer), flush=True)
    sys.stdin.readline()
    server.should_exit = server.force_exit = True
    thread.join(WITHIN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
