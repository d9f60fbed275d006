"""Browsers that watch: each holds a stream of changes and, as live.js does, fetches the page's inside when told."""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

GAP: Final = 0.25
"""Seconds between two fetches of one page, as live.js waits."""
LIMIT: Final = 8 * 1024 * 1024
PATIENCE: Final = 30.0
_LINE: Final = re.compile(rb"Ledger line (\d+)")
_SEQ: Final = re.compile(rb'"seq": ?(\d+)')


@dataclass
class Browser:
    """One browser. ``told`` and ``seen``: which ledger line a stream's word and a fetched page had, and when
    (monotonic seconds). ``fetched``: bytes of pages."""

    url: str
    fetches: bool = True
    told: list[tuple[int, float]] = field(default_factory=list)
    seen: list[tuple[int, float]] = field(default_factory=list)
    fetched: int = 0
    cookie: str = ""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, ready: asyncio.Event, last: asyncio.Future[int]) -> None:
        """Watch until the page, or the stream alone, has shown the last line."""
        if self.fetches:
            await self._page("false")
        stream = asyncio.create_task(self._stream(ready))
        pages = asyncio.create_task(self._follow()) if self.fetches else None
        try:
            wanted = await last
            late = time.monotonic() + PATIENCE
            shown = self.seen if self.fetches else self.told
            while time.monotonic() < late and not (shown and shown[-1][0] >= wanted):  # noqa: ASYNC110 (after the time is taken)
                await asyncio.sleep(0.1)
        finally:
            for task in (stream, pages):
                if task is not None:
                    task.cancel()
            await asyncio.gather(*(task for task in (stream, pages) if task is not None), return_exceptions=True)

    async def _stream(self, ready: asyncio.Event) -> None:
        reader, writer = await self._ask("/events", "text/event-stream")
        try:
            async for line in _lines(reader):
                ready.set()
                found = _SEQ.search(line)
                if found is not None:
                    self.told.append((int(found[1]), time.monotonic()))
                    self.news.set()
        finally:
            writer.close()

    async def _follow(self) -> None:
        """Fetch the inside again after each word, at most one fetch every ``GAP`` seconds."""
        while True:
            await self.news.wait()
            self.news.clear()
            began = time.monotonic()
            await self._page("true")
            await asyncio.sleep(max(0.0, GAP - (time.monotonic() - began)))

    async def _page(self, inside: str) -> None:
        reader, writer = await self._ask("/", "text/html", f"HX-Request: {inside}\r\nConnection: close\r\n")
        try:
            head, _gap, body = (await asyncio.wait_for(reader.read(-1), PATIENCE)).partition(b"\r\n\r\n")
        finally:
            writer.close()
        cookie = re.search(rb"(?i)set-cookie: ([^;\r\n]+)", head)
        self.cookie = cookie[1].decode() if cookie else self.cookie
        self.fetched += len(body)
        found = _LINE.search(_plain(head, body))
        if found is not None:
            self.seen.append((int(found[1]), time.monotonic()))

    async def _ask(self, path: str, accept: str, more: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        where = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=LIMIT)
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        head = f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\nAccept: {accept}\r\nAccept-Encoding: gzip\r\n"
        writer.write(f"{head}{cookie}{more}\r\n".encode())
        await writer.drain()
        return reader, writer


def _plain(head: bytes, body: bytes) -> bytes:
    """The page as it was before it was packed for the way."""
    return zlib.decompress(body, wbits=31) if b"content-encoding: gzip" in head.lower() else body


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while line := await reader.readline():
        yield line
