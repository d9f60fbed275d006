"""Who listens: streams that are told “changed, now at ledger sequence N”, and never hold the hub up.

The hub announces from its own threads. A listener keeps one number, the newest, so a slow browser costs nothing and
misses nothing: it is told the latest when it next reads, and fetches the page as it is then.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import CancelledError
from contextlib import aclosing, suppress
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

MOST_LISTENERS: Final = 200
"""Open streams at once: four for each of fifty people, more than a venue has."""
MOST_EACH: Final = 12
"""Open streams of one session, or of one address where nobody signs in; a browser opens six at most."""
EVERY: Final = 0.25
"""Seconds between two deliveries: whatever happens within them is told at once, and every page is made once for all."""
BEAT: Final = 10.0
"""Seconds between two signs of life; a page that hears none for 25 s says “as of”."""
SEND_TIMEOUT: Final = 20.0
"""Seconds a browser may take to accept a few bytes before its stream is closed; it comes back by itself."""
RETRY_AFTER: Final = 10
"""Seconds after which a refused listener may ask again."""


class Listener:
    """One open stream: wakes with the newest sequence, whatever happened in between."""

    def __init__(self, seq: int, whose: str) -> None:
        self._wake = asyncio.Event()
        self._wake.set()
        self.seq = seq
        self.whose = whose
        self.closed = False

    def tell(self, seq: int) -> None:
        """Note the newest sequence; replaces what was not read yet."""
        self.seq = seq
        self._wake.set()

    def close(self) -> None:
        """End the stream at its next turn."""
        self.closed = True
        self._wake.set()

    async def changed(self, within: float) -> bool:
        """Whether something changed within so many seconds."""
        try:
            async with asyncio.timeout(within):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True


class Notifier:
    """Hands the hub's news to every listener, from any thread, latest wins."""

    def __init__(self, *, most: int = MOST_LISTENERS, before: Callable[[], None] = lambda: None) -> None:
        """``before`` is called on the loop right before a delivery."""
        self._most = most
        self._before = before
        self._delivered = -EVERY
        self._listeners: set[Listener] = set()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seq = 0
        self._due = False
        self._closing = False

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def seq(self) -> int:
        """The newest ledger sequence that was announced."""
        return self._seq

    def start(self, loop: asyncio.AbstractEventLoop, seq: int) -> None:
        """Deliver on this loop from now on, starting at ``seq``."""
        with self._lock:
            self._loop, self._seq, self._closing = loop, max(seq, self._seq), False

    def announce(self, seq: int) -> None:
        """Say that the hub is at ``seq`` now, if that is news. Never blocks; a burst becomes one delivery."""
        with self._lock:
            if seq <= self._seq:
                return
            self._seq = seq
        self.nudge()

    def nudge(self) -> None:
        """Have every page look again, although the ledger is where it was."""
        with self._lock:
            if self._due or self._loop is None:
                return
            self._due = True
            loop = self._loop
        with suppress(RuntimeError):  # the loop is closing: nobody listens any more
            loop.call_soon_threadsafe(self._soon, loop)

    def turns(self, within: float) -> bool:
        """Whether the loop goes round and a thread is free within so many seconds; asked from any other thread."""
        with self._lock:
            loop = self._loop
        if loop is None:
            return False
        asked = asyncio.run_coroutine_threadsafe(run_in_threadpool(threading.get_ident), loop)
        try:
            asked.result(within)
        except (TimeoutError, CancelledError):
            asked.cancel()
            return False
        return True

    def _soon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Deliver now, or once the last delivery is long enough ago."""
        wait = self._delivered + EVERY - loop.time()
        if wait <= 0:
            self._deliver(loop)
        else:
            loop.call_later(wait, self._deliver, loop)

    def _deliver(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._due = False
            seq = self._seq
        self._delivered = loop.time()
        self._before()
        for listener in self._listeners:
            listener.tell(seq)

    def listen(self, whose: str = "") -> Listener | None:
        """A new listener, or ``None`` when all places, or all of ``whose`` (nobody's are not counted), are taken."""
        if self._closing or len(self._listeners) >= self._most:
            return None
        if whose and sum(each.whose == whose for each in self._listeners) >= MOST_EACH:
            return None
        listener = Listener(self._seq, whose)
        self._listeners.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """Free the listener's place."""
        self._listeners.discard(listener)

    def stop(self) -> None:
        """End every stream and take no new one; from any thread."""
        with self._lock:
            loop, self._closing, self._loop = self._loop, True, None
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._hang_up)

    def _hang_up(self) -> None:
        for listener in self._listeners:
            listener.close()


class ChangeStream(Response):
    """The open answer of ``/events``: ``change`` with the ledger sequence as its id, and ``beat`` in quiet times.

    ``still``: whether whoever listens may go on; asked before each of them.
    """

    media_type = "text/event-stream"

    def __init__(
        self, notifier: Notifier, listener: Listener, now: Callable[[], int], still: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._notifier = notifier
        self._listener = listener
        self._now = now
        self._still = still

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser leaves, stops reading, or the hub closes."""
        request = Request(scope, receive)
        try:
            sending = asyncio.ensure_future(self._send_all(send))
            leaving = asyncio.ensure_future(_gone(request))
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
        finally:
            self._notifier.leave(self._listener)

    async def _send_all(self, send: Send) -> None:
        async with asyncio.timeout(SEND_TIMEOUT):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self._frames()) as frames:
            async for frame in frames:
                async with asyncio.timeout(SEND_TIMEOUT):
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
        async with asyncio.timeout(SEND_TIMEOUT):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _frames(self) -> AsyncGenerator[bytes]:
        yield b"retry: 2000\n\n"
        while True:
            news = await self._listener.changed(BEAT)
            if self._listener.closed or not self._still():
                return
            yield self._frame("change" if news else "beat")

    def _frame(self, event: str) -> bytes:
        seq = self._listener.seq
        said = msgspec.json.encode({"seq": seq, "now": self._now()})
        place = f"id: {seq}\n".encode() if event == "change" else b""
        return place + f"event: {event}\ndata: ".encode() + said + b"\n\n"


async def _gone(request: Request) -> None:
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return
