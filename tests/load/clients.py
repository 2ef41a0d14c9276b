"""Load clients of a lounge, in a separate process: crowds of spectators, and attacks.

All use plain sockets, so that thousands of them are cheap. Each names a client address, as a proxy on the same machine
would.
"""

import asyncio
import re
import resource
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from typing import NamedTuple
from urllib.parse import urlsplit

PAGES_A_PLAYER = 20
# Number of connections opened at a time; opening is not measured.
AT_ONCE = 40
PATIENCE_S = 60.0
_UPGRADE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
_PONG = b"\x8a\x80\0\0\0\0"
_TEXT, _PING = 1, 9


class Target(NamedTuple):
    """A casino, and the table that everyone watches."""

    url: str
    table: int

    @property
    def at(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 80)


class Tally:
    """Counts of load clients: connections held now, refused ones, and received messages or answers."""

    def __init__(self) -> None:
        self.held = self.turned_away = self.heard = 0


class Head(NamedTuple):
    """The head of a request; `address` is the client's."""

    path: str
    address: str
    method: str = "GET"
    more: tuple[str, ...] = ()

    def __bytes__(self) -> bytes:
        lines = (
            f"{self.method} {self.path} HTTP/1.1",
            "Host: localhost",
            f"X-Forwarded-For: {self.address}",
            *self.more,
        )
        return "\r\n".join((*lines, "", "")).encode()


class Player(NamedTuple):
    """A signed-in player with the browser's cookie; `base` is the prefix of their pages."""

    base: str
    cookie: str
    address: str


def addresses(network: int) -> Iterator[str]:
    """Yield addresses of one network."""
    return (f"10.{network}.{n >> 8 & 255}.{n & 255}" for n in count(1))


async def sign_in(target: Target, name: str, address: str) -> Player:
    """Sign in. Raises ConnectionError if the lounge refuses."""
    body = f"name={name.replace(' ', '+')}"
    head = (
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Cookie: tried=1",
        "Connection: close",
    )
    answer = await ask(target, bytes(Head("/sign-in", address, "POST", head)) + body.encode())
    base = re.search(r"^Location: (/p/[^/\r]+)/", answer, re.MULTILINE)
    cookie = re.search(r"^Set-Cookie: ([^;\r]+)", answer, re.MULTILINE)
    if base is None or cookie is None:
        raise ConnectionError(answer.partition("\r\n")[0])
    return Player(base[1], cookie[1], address)


async def ask(target: Target, request: bytes) -> str:
    """Return the whole answer to a request after which the connection is closed."""
    reader, writer = await asyncio.open_connection(*target.at)
    try:
        writer.write(request)
        return (await asyncio.wait_for(reader.read(), PATIENCE_S)).decode(errors="replace")
    finally:
        writer.close()


class Looker(asyncio.Protocol):
    """A followed page, as the browser's end of it; `is_deaf`: it never reads."""

    def __init__(self, request: bytes, tally: Tally, *, is_deaf: bool = False) -> None:
        self._request, self._tally, self._is_deaf = request, tally, is_deaf
        self.is_in: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Parse the answer's head, then frames, in any pieces."""
        self._unread += data
        if not self.is_in.done():
            head, end, rest = bytes(self._unread).partition(b"\r\n\r\n")
            if not end:
                return
            self._unread = bytearray(rest)
            self._settle(is_in=b" 101 " in head)
            if self._is_deaf and self._transport is not None:
                self._transport.pause_reading()
        while (opcode := self._next()) is not None:
            self._tally.heard += opcode == _TEXT
            if opcode == _PING and self._transport is not None:
                self._transport.write(_PONG)

    def _next(self) -> int | None:
        """Take the next complete frame and return its kind, or None."""
        unread = self._unread
        if len(unread) < 2:
            return None
        size, start = unread[1] & 127, 2
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(unread[2:start], "big")
        if len(unread) < start + size:
            return None
        # A heartbeat has no content.
        opcode = unread[0] & 15 if size != len("{}") else 0
        del unread[: start + size]
        return opcode

    def _settle(self, *, is_in: bool) -> None:
        self.is_in.set_result(is_in)
        self._tally.held += is_in
        self._tally.turned_away += not is_in

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.is_in.done():
            self._settle(is_in=False)
        elif self.is_in.result():
            self._tally.held -= 1


async def look(target: Target, player: Player, path: str, tally: Tally, *, is_deaf: bool = False) -> None:
    """Follow one more page."""
    head = Head(f"{player.base}{path}", player.address, more=(*_UPGRADE, f"Cookie: {player.cookie}"))
    with suppress(OSError):
        _transport, looker = await asyncio.get_running_loop().create_connection(
            lambda: Looker(bytes(head), tally, is_deaf=is_deaf), *target.at
        )
        await asyncio.wait_for(looker.is_in, PATIENCE_S)


async def come_to_look(target: Target, tally: Tally, size: int, *, is_deaf: bool = False) -> None:
    """Follow pages: ten of thirteen at the table, three in the lobby."""
    gate, lobbies = asyncio.Semaphore(AT_ONCE), size * 3 // 13

    async def come(name: str, address: str, paths: list[str]) -> None:
        async with gate:
            player = await sign_in(target, name, address)
            for path in paths:
                await look(target, player, path, tally, is_deaf=is_deaf)

    paths = ["/live"] * lobbies + [f"/table/{target.table}/live"] * (size - lobbies)
    chunks = [paths[at : at + PAGES_A_PLAYER] for at in range(0, size, PAGES_A_PLAYER)]
    whence = addresses(1)
    await asyncio.gather(
        *(come(f"looker {n}", next(whence), chunk) for n, chunk in enumerate(chunks)), return_exceptions=True
    )


async def come_deaf(target: Target, tally: Tally, size: int) -> None:
    """Open pages and read nothing."""
    await come_to_look(target, tally, size, is_deaf=True)


async def send_slow_bodies(target: Target, tally: Tally, size: int) -> None:
    """Send incomplete forms from one address, again after each is cut."""
    head = ("Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000")
    await _for_ever(size, tally, target, lambda: bytes(Head("/sign-in", "10.2.0.1", "POST", head)) + b"n")


async def ask_for_pages(target: Target, tally: Tally, size: int) -> None:
    """Request one player's table page again and again, on `size` connections."""
    player = await sign_in(target, "asker", "10.3.0.1")
    path = f"{player.base}/table/{target.table}"
    more = (f"Cookie: {player.cookie}", "Connection: close")
    await _for_ever(size, tally, target, lambda: bytes(Head(path, player.address, more=more)))


async def reopen_sockets(target: Target, tally: Tally, size: int) -> None:
    """Open one player's websocket, and close it after its first message."""
    player = await sign_in(target, "opener", "10.4.0.1")
    more = (*_UPGRADE, f"Cookie: {player.cookie}")
    path = f"{player.base}/table/{target.table}/live"
    await _for_ever(size, tally, target, lambda: bytes(Head(path, player.address, more=more)), reads=1)


async def ask_for_health(target: Target, tally: Tally, size: int) -> None:
    """Request /healthz from many addresses at once."""
    whence = addresses(5)
    request = ("Connection: close",)
    await _for_ever(size, tally, target, lambda: bytes(Head("/healthz", next(whence), more=request)))


async def _for_ever(size: int, tally: Tally, target: Target, make: Callable[[], bytes], reads: int = -1) -> None:
    """Run `size` requests at a time in the background, and repeat each after its answer, refusal or loss."""

    async def again() -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection(*target.at)
            except OSError:
                await asyncio.sleep(0.1)
                continue
            tally.held += 1
            try:
                writer.write(make())
                tally.heard += bool(await reader.read(4096 if reads > 0 else -1))
            except OSError:
                pass
            finally:
                tally.held -= 1
                writer.close()

    _running.update(asyncio.ensure_future(again()) for _one in range(size))
    await asyncio.sleep(2.0)


_running: set["asyncio.Future[None]"] = set()
Come = Callable[[Target, Tally, int], Awaitable[None]]
COME: Mapping[str, Come] = {
    "crowd": come_to_look,
    "deaf crowd": come_deaf,
    "slow bodies": send_slow_bodies,
    "page flood": ask_for_pages,
    "socket flood": reopen_sockets,
    "health flood": ask_for_health,
}


def besiege(way: str, target: Target, size: int, line: Connection) -> None:
    """Run load clients in this process; send their counts over the pipe on request, until it is closed."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_besiege(way, target, size, line))


async def _besiege(way: str, target: Target, size: int, line: Connection) -> None:
    tally, loop = Tally(), asyncio.get_running_loop()
    await COME[way](target, tally, size)
    line.send((tally.held, tally.turned_away, tally.heard))
    with suppress(EOFError):
        while await loop.run_in_executor(None, line.recv):
            line.send((tally.held, tally.turned_away, tally.heard))
