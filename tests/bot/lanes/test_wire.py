"""Who speaks on a lane: only whoever has the houses' secret, and nobody can change a word on the way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from bot.lanes import wire
from bot.lanes.wire import LENGTH, TAG, LaneLost, NotLetIn, Wire, call, let_in
from tests.some import some

Welcome = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SECRET, OTHER = b"the houses' own secret", b"another secret than that"


@asynccontextmanager
async def host(
    serve: Callable[[Wire], Awaitable[None]], secret: bytes = SECRET
) -> AsyncIterator[tuple[str, list[str]]]:
    """Where it listens, and what it has refused."""
    refused: list[str] = []
    served: list[asyncio.Task[None]] = []

    async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.append(some(asyncio.current_task()))
        try:
            await serve(await let_in(reader, writer, SECRET))
        except (NotLetIn, LaneLost) as fault:
            refused.append(str(fault))
        await end(writer)

    async with listening(welcome) as lane:
        yield lane, refused
        await asyncio.gather(*served)


async def end(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def listening(welcome: Welcome) -> AsyncIterator[str]:
    server = await asyncio.start_server(welcome, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def echo(served: Wire) -> None:
    while True:
        served.write(await served.read())
        await served.drain()


class Between:
    """Carries bytes both ways and keeps them; `change` sees what goes to the house."""

    def __init__(self, lane: str) -> None:
        self.seen = bytearray()
        self.change: Callable[[bytes], bytes] = lambda data: data
        self._port = int(lane.rpartition(":")[2])
        self._joined: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        async with listening(self._join) as lane:
            yield lane
            await asyncio.gather(*self._joined)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._joined.append(some(asyncio.current_task()))
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._pass(reader, back, self._changed), self._pass(there, writer, bytes))

    def _changed(self, data: bytes) -> bytes:
        return self.change(data)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, change: Callable[[bytes], bytes]
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                self.seen += data
                writer.write(change(data))
        await end(writer)


async def test_what_is_written_comes_as_it_is_and_the_secret_is_on_no_wire():
    async with host(echo) as (lane, _refused):
        between = Between(lane)
        async with between.open() as way:
            called = await call(way, SECRET)
            for frame in (b"one", b"", bytes(range(256)) * 4000):
                called.write(frame)
                assert await called.read() == frame
            await end(called.writer)
    assert b"one" in between.seen
    assert SECRET not in between.seen


async def test_whoever_has_another_secret_is_told_so_and_so_is_the_house():
    async with host(echo) as (lane, refused):
        with pytest.raises(NotLetIn, match="has another RIDOTTO_SECRET: give all houses on these books the same one"):
            await call(lane, OTHER)
    assert refused == ["Somebody with another RIDOTTO_SECRET has called: give all houses the same one."]


async def test_whoever_answers_without_the_secret_is_no_house():
    async def lies(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(wire.GREETING + bytes(wire.NONCE))
        await reader.readexactly(len(wire.GREETING) + wire.NONCE + wire.PROOF)
        writer.write(b"in\n" + bytes(wire.PROOF))
        await reader.read()
        await end(writer)

    async with listening(lies) as lane:
        with pytest.raises(NotLetIn, match="has not the houses' RIDOTTO_SECRET"):
            await call(lane, SECRET)


async def test_something_else_that_listens_there_is_told():
    async def speaks_http(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await end(writer)

    async with listening(speaks_http) as lane:
        with pytest.raises(NotLetIn, match="no house of this version answers"):
            await call(lane, SECRET)


async def test_nobody_there_is_a_lane_that_is_lost():
    async with host(echo) as (lane, _refused):
        pass
    for gone in (lane, "127.0.0.1:no port", "nowhere"):
        with pytest.raises(LaneLost):
            await call(gone, SECRET)


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame[:-1] + bytes([frame[-1] ^ 1]),
        lambda frame: frame + frame,
        lambda frame: frame[:LENGTH] + bytes(TAG) + frame[LENGTH + TAG :],
        lambda frame: (wire.LARGEST + 1).to_bytes(LENGTH) + frame[LENGTH:],
    ],
)
async def test_what_was_changed_or_said_twice_on_the_way_ends_the_connection(change):
    served: list[bytes] = []

    async def hear(wire: Wire) -> None:
        while True:
            served.append(await wire.read())

    async with host(hear) as (lane, refused):
        between = Between(lane)
        async with between.open() as way:
            called = await call(way, SECRET)
            between.change = change
            called.write(b"bet 10")
            with pytest.raises(LaneLost):
                await called.read()
            await end(called.writer)
    assert refused == [""]
    assert served in ([], [b"bet 10"]), "never twice, and never another"


async def test_who_says_nothing_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(wire, "PATIENCE_S", 0.05)
    async with host(echo) as (lane, refused):
        address, _colon, port = lane.rpartition(":")
        reader, writer = await asyncio.open_connection(address, int(port))
        greeting = await reader.read()
        assert greeting.startswith(wire.GREETING)
        assert len(greeting) == len(wire.GREETING) + wire.NONCE, "it is closed"
        await end(writer)
    assert refused == [""]
