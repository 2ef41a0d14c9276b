"""A browser's connection that came to another house than the one that is open: its bytes go over a lane, and here it
is served as if it had come itself, by its own address.
"""

import asyncio
from asyncio import BaseProtocol, Protocol
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.lanes.wire import LaneLost, Wire

# So much may wait to be taken before who writes is told to wait.
HIGH = 64 * 1024
# Of one read: larger ones come as several.
AT_ONCE = 64 * 1024
Accept = Callable[[], Protocol]


class _Far(asyncio.Transport):
    """The other end is a browser, `peer` its address as the house has it to which it came. An empty frame ends it."""

    def __init__(self, wire: Wire, peer: tuple[str, int], protocol: Protocol) -> None:
        super().__init__({"peername": peer})
        self._wire, self._protocol = wire, protocol
        self._is_closing = False
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._draining: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Until one of both ends it."""
        self._protocol.connection_made(self)
        try:
            with suppress(LaneLost):
                while data := await self._wire.read():
                    await self._may_read.wait()
                    if self._is_closing:
                        break
                    self._protocol.data_received(data)
        finally:
            self._is_closing = True
            if self._draining is not None:
                self._draining.cancel()
            self._protocol.connection_lost(None)

    def write(self, data: Any) -> None:
        if self._is_closing:
            return
        whole = bytes(data)
        for begin in range(0, len(whole), AT_ONCE):
            self._wire.write(whole[begin : begin + AT_ONCE])
        if self._draining is None and self.get_write_buffer_size() > HIGH:
            self._protocol.pause_writing()
            self._draining = asyncio.ensure_future(self._drain())

    async def _drain(self) -> None:
        with suppress(LaneLost):
            await self._wire.drain()
        self._draining = None
        self._protocol.resume_writing()

    def close(self) -> None:
        """What was written still arrives."""
        if not self._is_closing:
            self._is_closing = True
            self._may_read.set()
            self._wire.write(b"")
            self._wire.close()

    def abort(self) -> None:
        self._is_closing = True
        self._may_read.set()
        self._wire.writer.transport.abort()

    def is_closing(self) -> bool:
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        return self._wire.writer.transport.get_write_buffer_size()

    def can_write_eof(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return self._may_read.is_set()

    def pause_reading(self) -> None:
        self._may_read.clear()

    def resume_reading(self) -> None:
        self._may_read.set()

    def get_protocol(self) -> BaseProtocol:
        return self._protocol

    def set_protocol(self, protocol: BaseProtocol) -> None:
        assert isinstance(protocol, Protocol)
        self._protocol = protocol


def is_far(transport: asyncio.BaseTransport) -> bool:
    """Whether it came to another house."""
    return isinstance(transport, _Far)


async def serve_far(wire: Wire, peer: tuple[str, int], accept: Accept) -> None:
    """Somebody who came to another house, until he goes."""
    await _Far(wire, peer, accept()).serve()
