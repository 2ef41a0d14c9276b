"""Pushes what changed to the pages that show it: the newest state wins, nothing queues up behind a slow reader.

A websocket and not server-sent events: on plain http a browser opens six connections to an address at most, and every
open table would hold one of them; a seventh tab would hang.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from aiohttp import web

from bot.counters import PLATFORMS

TOGETHER_S = 0.04
HEARTBEAT_S = 20.0
MOST_PAGES, MOST_OF_ONE_PLAYER = 3000, 24
Parts = dict[str, str]


class _Watcher:
    """One open page: the tables it shows (None: all of them) and the player who looks at it."""

    def __init__(self, table: int | None, player: int) -> None:
        self.table, self.player = table, player
        self.look = asyncio.Event()


class Live:
    """Belongs to the event loop; only `mark` may be called from another thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watchers: set[_Watcher] = set()
        self._sockets: set[web.WebSocketResponse] = set()

    def mark(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        """These tables changed, and those that `is_linked` to them. Called in the pit's thread.

        Only what is watched is asked for: there may be many more tables than open pages.
        """
        with suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self._loop.call_soon_threadsafe(self._wake, tables, is_linked)

    def _wake(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        for watcher in self._watchers:
            if watcher.table is None or watcher.table in tables or is_linked(watcher.table):
                watcher.look.set()

    def look_again(self, player: int) -> None:
        """Something of this player changed that stands at no table: his wallet."""
        for watcher in self._watchers:
            if watcher.player == player:
                watcher.look.set()

    @property
    def open_pages(self) -> int:
        return len(self._watchers)

    def check_room(self, player: int) -> None:
        """Raises HTTPTooManyRequests for one page too many, of this player or of all."""
        his = sum(watcher.player == player for watcher in self._watchers)
        if his >= MOST_OF_ONE_PLAYER or self.open_pages >= MOST_PAGES:
            raise web.HTTPTooManyRequests(text="")

    async def follow(
        self, request: web.Request, table: int | None, player: int, render: Callable[[], Parts]
    ) -> web.WebSocketResponse:
        """Serve one page until it is closed."""
        # Not compressed: a page's own cards and other people's names in one stream could be told by its length.
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=1024, compress=False)
        await socket.prepare(request)
        watcher = _Watcher(table, player)
        self._watchers.add(watcher)
        self._sockets.add(socket)
        listening = asyncio.ensure_future(_listen(socket))
        try:
            await _push(socket, watcher, listening, render)
        except ConnectionError:
            PLATFORMS["web"].failed += 1  # he left while we spoke
        finally:
            self._watchers.discard(watcher)
            self._sockets.discard(socket)
            listening.cancel()
        return socket

    async def tell(self, sentences: Iterable[str]) -> None:
        """A notice to every open page."""
        message = {"notice": " · ".join(sentences)}
        await asyncio.gather(*(_tell(socket, message) for socket in list(self._sockets)))

    async def close(self) -> None:
        await asyncio.gather(*(_close(socket) for socket in list(self._sockets)))


async def _tell(socket: web.WebSocketResponse, message: dict[str, str]) -> None:
    """Who does not read it now goes without."""
    with suppress(asyncio.TimeoutError, ConnectionError):
        await asyncio.wait_for(socket.send_json(message), 0.5)


async def _close(socket: web.WebSocketResponse) -> None:
    with suppress(asyncio.TimeoutError, ConnectionError):
        await asyncio.wait_for(socket.close(code=1001), 1.0)


async def _listen(socket: web.WebSocketResponse) -> None:
    """Until it is closed. A page only looks here, presses come as requests of their own: who speaks is no page."""
    await socket.receive()


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


async def _push(
    socket: web.WebSocketResponse, watcher: _Watcher, listening: "asyncio.Future[None]", render: Callable[[], Parts]
) -> None:
    seen: Parts = {}
    while not socket.closed:
        watcher.look.clear()
        parts = render()
        changed = {name: html for name, html in parts.items() if seen.get(name) != html}
        if changed:
            await socket.send_json({"parts": changed})
            seen = parts
            PLATFORMS["web"].sent += 1
        else:
            PLATFORMS["web"].skipped += 1
        looking = asyncio.ensure_future(_wait(watcher.look))
        try:
            await asyncio.wait([looking, listening], return_when=asyncio.FIRST_COMPLETED)
        finally:
            looking.cancel()
        if listening.done():
            return
        await asyncio.sleep(TOGETHER_S)
