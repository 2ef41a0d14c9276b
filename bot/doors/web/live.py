"""Pushes what changed to the pages that show it: the newest state wins, nothing queues up behind a slow reader.

A websocket and not server-sent events: on plain http a browser opens six connections to an address at most, and every
open table would hold one of them; a seventh tab would hang.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from bot.doors.kit.newest import Newest
from bot.house.counters import PLATFORMS
from bot.house.lounge import PLATFORM

# What changes within it is drawn once.
TOGETHER_S = 0.04
HEARTBEAT_S = 20.0
MOST_PAGES, MOST_OF_ONE_PLAYER = 3000, 24
Parts = dict[str, str]
# A browser, and the account that is signed in there.
Session = tuple[str, str]
_tally = PLATFORMS[PLATFORM]


class _Page:
    """One that is open: the table it shows (None: all of them), the player who looks at it, and in which session."""

    def __init__(self, table: int | None, player: int, session: Session, draw: Callable[[], Parts]) -> None:
        self.table, self.player, self.session, self._draw = table, player, session, draw
        # Not compressed: a page's own cards and other people's names in one stream could be told by its length.
        self.socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=1024, compress=False)
        self._seen: Parts = {}
        self._newest = Newest(self._send, lambda: 0.0, together_s=TOGETHER_S)
        self.look = self._newest.mark

    async def show(self) -> None:
        """Until it is closed. A page only looks here, presses come as requests of their own: who speaks is no page."""
        self.look()
        try:
            await self.socket.receive()
        finally:
            self._newest.close()

    async def _send(self) -> None:
        parts = self._draw()
        changed = {name: html for name, html in parts.items() if self._seen.get(name) != html}
        if not changed:
            _tally.skipped += 1
            return
        try:
            await self.socket.send_json({"parts": changed})
        except ConnectionError:
            _tally.failed += 1  # he left while we spoke
        else:
            self._seen = parts
            _tally.sent += 1

    async def tell(self, sentence: str) -> None:
        """Who does not read it now goes without."""
        with suppress(asyncio.TimeoutError, ConnectionError):
            await asyncio.wait_for(self.socket.send_json({"notice": sentence}), 0.5)

    async def close(self) -> None:
        with suppress(asyncio.TimeoutError, ConnectionError):
            await asyncio.wait_for(self.socket.close(code=1001), 1.0)


class Live:
    """Belongs to the event loop; only `mark` may be called from another thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.pages: set[_Page] = set()

    def mark(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        """These tables changed, and those that `is_linked` to them. Called in the pit's thread.

        Only what is watched is asked for: there may be many more tables than open pages.
        """
        with suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self._loop.call_soon_threadsafe(self._wake, tables, is_linked)

    def _wake(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        for page in self.pages:
            if page.table is None or page.table in tables or is_linked(page.table):
                page.look()

    def look_again(self, player: int) -> None:
        """Something of this player changed that stands at no table: his wallet."""
        for page in self.pages:
            if page.player == player:
                page.look()

    @property
    def open_pages(self) -> int:
        return len(self.pages)

    async def follow(
        self, request: web.Request, table: int | None, player: int, session: Session, draw: Callable[[], Parts]
    ) -> web.WebSocketResponse:
        """Serve one page until it is closed. Raises HTTPTooManyRequests for one too many, of this player or of all."""
        his = sum(page.player == player for page in self.pages)
        if his >= MOST_OF_ONE_PLAYER or self.open_pages >= MOST_PAGES:
            raise web.HTTPTooManyRequests(text="")
        page = _Page(table, player, session, draw)
        await page.socket.prepare(request)
        self.pages.add(page)
        try:
            await page.show()
        finally:
            self.pages.discard(page)
        return page.socket

    async def end(self, session: Session, sentence: str) -> None:
        """Whoever looks at a page in that session sees no more of it."""
        ended = [page for page in self.pages if page.session == session]
        await asyncio.gather(*(page.tell(sentence) for page in ended))
        await asyncio.gather(*(page.close() for page in ended))

    async def tell(self, sentence: str) -> None:
        """A notice to every open page."""
        await asyncio.gather(*(page.tell(sentence) for page in list(self.pages)))

    async def close(self) -> None:
        await asyncio.gather(*(page.close() for page in list(self.pages)))
