"""A serial line as two streams that are asked before they are used, so that neither ever blocks."""

import select

TYPE_CHECKING = False  # MicroPython has no typing module; a type checker takes this name for true
if TYPE_CHECKING:
    from io import FileIO
    from typing import BinaryIO

READ_MOST = 256
"""Bytes read at once; two of the longest lines a box sends."""


class Stream:
    """Reads from ``source`` and writes to ``sink`` what goes without waiting, a byte after a byte.

    A readable stream promises one byte and a writable one room for one; whoever asks for more may be kept waiting.
    """

    def __init__(self, source: "FileIO | BinaryIO", sink: "FileIO | BinaryIO") -> None:
        self._source = source
        self._sink = sink
        self._readable = select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)

    def read(self) -> bytes:
        """What has come; empty when nothing has."""
        data = b""
        while len(data) < READ_MOST and asks(self._readable.poll(0), select.POLLIN):
            byte = self._source.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data: bytes) -> int:
        """Send what there is room for; how many bytes that were."""
        sent = 0
        while sent < len(data) and asks(self._writable.poll(0), select.POLLOUT):
            self._sink.write(data[sent : sent + 1])
            sent += 1
        return sent

    def wait(self, most: int) -> None:
        """Wait until something comes, ``most`` milliseconds at most."""
        self._readable.poll(most)


def asks(ready: "list[tuple[int, int]]", event: int) -> bool:
    """Whether a stream that was polled has ``event`` for us."""
    return bool(ready) and bool(ready[0][1] & event)
