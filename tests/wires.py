"""Networks that a test can cut: a port of the loopback that forwards to another socket."""

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from pathlib import Path


class Wire:
    """A forwarded port that can be cut. Belongs to one loop. `there` is a socket's path or a port of the loopback."""

    def __init__(self, there: Path | int) -> None:
        self._there = there
        self._carries = asyncio.Event()
        self._carries.set()
        self._links: set[_Link] = set()

    async def open(self) -> int:
        """Open and return the port where it begins."""
        self._server = await asyncio.start_server(self._welcome, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _welcome(self, reader: StreamReader, writer: StreamWriter) -> None:
        await self._carries.wait()
        if not self._server.is_serving():
            writer.transport.abort()
            return
        try:
            if isinstance(self._there, Path):
                far = await asyncio.open_unix_connection(self._there)
            else:
                far = await asyncio.open_connection("127.0.0.1", self._there)
        except OSError:
            writer.transport.abort()  # no listener
            return
        link = _Link(reader, writer, *far, self._carries)
        self._links.add(link)
        try:
            await link.carry()
        finally:
            self._links.discard(link)

    def cut(self) -> None:
        """Stop carrying data, with connections left open; what is sent meanwhile arrives after repair."""
        self._carries.clear()

    def mend(self) -> None:
        self._carries.set()

    def half_open(self) -> None:
        """Close the far ends of all connections without telling the near ones; later connections work."""
        for link in self._links:
            link.lose_far_end()

    async def close(self) -> None:
        self.mend()
        self._server.close()
        for link in self._links:
            link.abort()


class _Link:
    """Both directions of one connection."""

    def __init__(
        self,
        near: StreamReader,
        near_writer: StreamWriter,
        far: StreamReader,
        far_writer: StreamWriter,
        carries: asyncio.Event,
    ) -> None:
        self._near, self._near_writer, self._far, self._far_writer = near, near_writer, far, far_writer
        self._carries, self._is_half = carries, False

    async def carry(self) -> None:
        await asyncio.gather(self._carry_there(), self._carry_back())
        if self._is_half:
            self._near_writer.transport.abort()

    async def _carry_there(self) -> None:
        with suppress(ConnectionError):
            while said := await self._near.read(65536):
                await self._carries.wait()
                if not self._is_half:
                    self._far_writer.write(said)
        self._far_writer.close()

    async def _carry_back(self) -> None:
        with suppress(ConnectionError):
            while said := await self._far.read(65536):
                await self._carries.wait()
                self._near_writer.write(said)
        if not self._is_half:
            self._near_writer.close()

    def lose_far_end(self) -> None:
        self._is_half = True
        self._far_writer.transport.abort()

    def abort(self) -> None:
        self._near_writer.transport.abort()
        self._far_writer.transport.abort()
