"""Push changes to the pages that show them: the latest state, without a queue behind a slow reader.

A websocket and not server-sent events: with http a browser opens at most six connections to an address, and every open
table would use one; a seventh tab would hang.

A crowd is cheap: views that many pages share are drawn once (views.py), and spectators are told in slices, between
which other work is done. Players are told first.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from bot.core.counters import PLATFORMS
from bot.core.state.lounge import PLATFORM
from bot.platforms.common.allowance import Allowance
from bot.platforms.web.gc_freeze import GcFreeze
from bot.platforms.web.timelines import Mark
from bot.platforms.web.views import PageView, frame

# Changes within this time are drawn once.
TOGETHER_S = 0.04
# Pages are told for this long without a pause; a pause is this many times longer.
SLICE_S = 0.004
REST = 1.0
# Delay before a page that has not read the last message is checked again.
BEHIND_S = 0.5
# aiohttp sends all heartbeats of a second at once: pages that arrived together get different intervals, up to twice as
# long.
HEARTBEAT_S, APART = 20.0, 128
MOST_PAGES, MOST_OF_ONE_PLAYER = 16_000, 24
# A page that has heard nothing for two heartbeats has lost its connection; it asks for an echo at most this often.
BEAT_S, ASKS_S = 2.0, 4.0
# Bent cards, in hundredths: how often a page may report them; others are told later.
_BENDS = re.compile(r"bend ([a-z-]{1,20}) ([0-9]{1,2}|100)")
# Whether the page is visible.
_LOOKS = ("away", "here")
BENDS_AT_ONCE, BENDS_A_S, BENDS_REST = 20, 12.0, 4.0
# Control frames that one page may send: browsers send no pings, and answer one heartbeat in twenty seconds.
PINGS_AT_ONCE, PINGS_A_S = 20, 1.0
# Subprotocol of pages that send a token (frames.py).
PROTOCOL = "ridotto"
_BEAT, _ECHO = frame(b"{}"), frame(b'{"echo":1}')


def _watched_by(people: int) -> bytes:
    return frame(b'{"watch":%d}' % people)


# A browser, and the account that is signed in there.
Session = tuple[str, str]
_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.web")


# An ordered set; closed pages are removed.
_Pages = dict["_OpenPage", None]


class _Room:
    """The pages of one table or of the lobby: those with the shared view, and those of players, who are told first."""

    def __init__(self) -> None:
        self.crowd: _Pages = {}
        self.players: _Pages = {}
        self._bends: dict[str, bytes] = {}
        self._telling: asyncio.Task[None] | None = None

    def __bool__(self) -> bool:
        return bool(self.crowd or self.players)

    @property
    def pages(self) -> list["_OpenPage"]:
        return [*self.players, *self.crowd]

    def sort_page(self, page: "_OpenPage") -> None:
        mine, other = (self.crowd, self.players) if page.is_crowd else (self.players, self.crowd)
        if page not in mine:
            other.pop(page, None)
            mine[page] = None

    @property
    def beats(self) -> tuple[bytes, bytes]:
        """Return the heartbeats for players and for spectators, with the number of other spectators."""
        looking = len({page.player for page in self.crowd})
        return _watched_by(looking), _watched_by(max(0, looking - 1))

    def bend(self, position: str, by: int, sender: "_OpenPage") -> None:
        """Record how far a card is bent; a page that has not been told gets only the latest."""
        self._bends[position] = frame(b'{"bends":{"at":"%b","by":%d}}' % (position.encode(), by))
        if self._telling is None:
            self._telling = asyncio.get_running_loop().create_task(self._tell_bends(sender))

    async def _tell_bends(self, sender: "_OpenPage") -> None:
        """Send the bent cards in slices, using at most a fifth of the time."""
        loop = asyncio.get_running_loop()
        try:
            while self._bends:
                bends, self._bends = b"".join(self._bends.values()), {}
                began = loop.time()
                for page in self.pages:
                    if page is not sender:
                        page.send_if_idle(bends)
                    if (took := loop.time() - began) >= SLICE_S:
                        await asyncio.sleep(took * BENDS_REST)
                        began = loop.time()
        finally:
            self._telling = None

    def drop(self, page: "_OpenPage") -> None:
        self.crowd.pop(page, None)
        self.players.pop(page, None)


class _OpenPage:
    """One open page: its player and session."""

    def __init__(
        self,
        room: _Room,
        player: int,
        session: Session,
        draw: Callable[[], PageView],
        mark: Mark | None,
        may_bend: Callable[[str], bool] | None,
        heartbeat_s: float,
    ) -> None:
        self.room, self.player, self.session, self._draw, self._mark = room, player, session, draw, mark
        self._may_bend = may_bend
        self._bends = Allowance(BENDS_AT_ONCE, BENDS_A_S)
        # Uncompressed: the length of a compressed stream could reveal a page's cards and other people's names.
        self.socket = web.WebSocketResponse(
            heartbeat=heartbeat_s, max_msg_size=1024, compress=False, protocols=(PROTOCOL,), autoping=False
        )
        self._pings = Allowance(PINGS_AT_ONCE, PINGS_A_S)
        self.alone: _Pages = {self: None}
        self.number = 0
        self.is_gone = self.is_away = False
        self._transport: asyncio.Transport | None = None
        self._seen: PageView | None = None

    @property
    def is_crowd(self) -> bool:
        return self._seen is not None and not self._seen.own

    async def prepare(self, request: web.Request) -> None:
        await self.socket.prepare(request)
        transport = request.transport
        assert transport is None or isinstance(transport, asyncio.Transport)
        self._transport = transport

    def push(self) -> bool:
        """Send what the page has not seen; return False if it has not read the last message yet."""
        transport = self._transport
        if transport is None or transport.is_closing() or self.socket.closed:
            return True
        if transport.get_write_buffer_size():
            return False
        view = self._draw()
        message = view.since(self._seen, self._mark)
        self._seen = view
        if message:
            transport.write(frame(message))
            _tally.sent += 1
        else:
            _tally.skipped += 1
        return True

    def send_if_idle(self, message: bytes) -> None:
        """Send a message if the page keeps up; it is not essential."""
        transport = self._transport
        if transport is not None and not transport.is_closing() and not transport.get_write_buffer_size():
            transport.write(message)

    async def listen(self) -> None:
        """Handle the page's messages until it closes: pings, bent cards, and whether it is visible.

        Presses are separate requests; any other or too frequent message closes the page.
        """
        loop, answered = asyncio.get_running_loop(), -ASKS_S
        while (said := await self._receive()).type == WSMsgType.TEXT:
            if (bend := _BENDS.fullmatch(said.data)) is not None:
                if not self._bends.spend(None):
                    return
                # The time to reveal them may just have run out.
                if self._may_bend is not None and self._may_bend(bend[1]):
                    self.room.bend(bend[1], int(bend[2]), self)
                continue
            if said.data in _LOOKS:
                if not self._bends.spend(None):
                    return
                self.is_away = said.data == "away"
                continue
            if said.data != "?" or loop.time() < answered + ASKS_S or self._transport is None:
                return
            answered = loop.time()
            self._transport.write(_ECHO)

    async def _receive(self) -> WSMessage:
        """Return the next message; a page that pings without end is closed."""
        while (said := await self.socket.receive()).type in (WSMsgType.PING, WSMsgType.PONG):
            if not self._pings.spend(None):
                await self.close(WSCloseCode.POLICY_VIOLATION)
            elif said.type == WSMsgType.PING:
                await self.socket.pong(said.data)
        return said

    async def send_notice(self, sentence: str, *choices: Mapping[str, str]) -> None:
        """Send a sentence, with buttons that lead to a page, without waiting for a slow reader."""
        with suppress(asyncio.TimeoutError, ConnectionError):
            await asyncio.wait_for(self.socket.send_json({"notice": sentence, "choices": choices}), 0.5)

    async def close(self, code: WSCloseCode = WSCloseCode.GOING_AWAY) -> None:
        with suppress(asyncio.TimeoutError, ConnectionError):
            await asyncio.wait_for(self.socket.close(code=code), 1.0)


class _WaitingPages:
    """Pages waiting to be told, each once: a round at a time, and changes meanwhile are for the next round.

    `rest`: the pause after each slice, as a multiple of its time.
    """

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._marked: dict[int, _Pages] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def mark(self, pages: _Pages) -> None:
        """Queue whichever of these pages are open when the round begins."""
        if pages:
            self._marked[id(pages)] = pages
            self._arm()

    def close(self) -> None:
        self._is_closed = True
        for waiting in (self._timer, self._task):
            if waiting is not None:
                waiting.cancel()

    def _arm(self) -> None:
        if self._timer is None and self._task is None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(TOGETHER_S, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._tell_all()
        finally:
            self._task = None
            if self._marked:
                self._arm()

    async def _tell_all(self) -> None:
        loop, (marked, self._marked) = asyncio.get_running_loop(), (self._marked, {})
        began = loop.time()
        for page in {page: None for pages in marked.values() for page in pages}:
            self._update_page(page)
            if (took := loop.time() - began) >= SLICE_S:
                await asyncio.sleep(took * self._rest)
                began = loop.time()

    def _update_page(self, page: _OpenPage) -> None:
        try:
            if page.is_gone:
                return
            if page.push():
                page.room.sort_page(page)
            else:
                asyncio.get_running_loop().call_later(BEHIND_S, self.mark, page.alone)
        except Exception as fault:
            _log.error("a page could not be updated: %s", type(fault).__name__, exc_info=fault)


class Live:
    """All open pages. Belongs to the event loop; only `mark` is thread-safe."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self.pages: set[_OpenPage] = set()
        self._came = 0
        # By table, None for the lobby, which shows them all.
        self._rooms: dict[int | None, _Room] = {}
        self._of_player: dict[int, _Pages] = {}
        # {player: (when their last page closed, their account)}
        self._left: dict[int, tuple[float, str]] = {}
        self._players, self._crowd = _WaitingPages(rest=0.0), _WaitingPages(rest=REST)
        self._beating = self._loop.create_task(self._beat())
        self._frost = GcFreeze()

    def mark(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        """Note that these tables changed, and those that `is_linked` to them. Called in the writer's thread.

        `is_linked` is only asked about watched tables; there may be many more tables than open pages.
        """
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._wake, tables, is_linked)

    def _wake(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        for table, room in self._rooms.items():
            if table is None or table in tables or is_linked(table):
                self._players.mark(room.players)
                self._crowd.mark(room.crowd)

    async def _beat(self) -> None:
        """Send every page a heartbeat every BEAT_S, in slices, so that it notices a lost connection within seconds."""
        while True:
            await asyncio.sleep(BEAT_S)
            began = self._loop.time()
            beats = {room: room.beats for table, room in self._rooms.items() if table is not None}
            for page in list(self.pages):
                page.send_if_idle(beats.get(page.room, (_BEAT, _BEAT))[page.is_crowd])
                if (took := self._loop.time() - began) >= SLICE_S:
                    await asyncio.sleep(took * REST)
                    began = self._loop.time()

    def look_again(self, player: int) -> None:
        """Update the player's pages after a change at no table, such as the wallet."""
        self._players.mark(self._of_player.get(player, {}))

    def is_looked_at_by(self, player: int) -> bool:
        """Return whether one of the player's pages is visible."""
        return any(not page.is_away for page in self._of_player.get(player, {}))

    def find_absent(self, player: int, seconds: float) -> str:
        """Return the account of a player whose last page closed at least this long ago; "" for everyone else."""
        left, account = self._left.get(player, (self._loop.time(), ""))
        return account if self._loop.time() - left >= seconds else ""

    def has_page(self, player: int) -> bool:
        """Return whether the player has an open page, visible or not."""
        return player in self._of_player

    def is_gone(self, player: int, seconds: float) -> bool:
        """Return whether the player has had no open page for at least this long, or since the start."""
        left, _account = self._left.get(player, (self._began, ""))
        return not self.has_page(player) and self._loop.time() - left >= seconds

    @property
    def open_pages(self) -> int:
        return len(self.pages)

    async def follow(
        self,
        request: web.Request,
        table: int | None,
        player: int,
        session: Session,
        draw: Callable[[], PageView],
        mark: Mark | None = None,
        may_bend: Callable[[str], bool] | None = None,
    ) -> web.WebSocketResponse:
        """Serve one page until it closes. Raises HTTPTooManyRequests above the limits of this player or of all."""
        if len(self._of_player.get(player, {})) >= MOST_OF_ONE_PLAYER or self.open_pages >= MOST_PAGES:
            raise web.HTTPTooManyRequests(text="")
        self._came += 1
        heartbeat_s = HEARTBEAT_S * (1 + self._came % APART / APART)
        page = _OpenPage(self._rooms.setdefault(table, _Room()), player, session, draw, mark, may_bend, heartbeat_s)
        self._take_in(page)
        try:
            await page.prepare(request)
            page.number = self._frost.count_opened(self.open_pages)
            self._players.mark(page.alone)
            await page.listen()
        finally:
            self._let_go(table, page)
        return page.socket

    def _take_in(self, page: _OpenPage) -> None:
        self.pages.add(page)
        self._left.pop(page.player, None)
        page.room.sort_page(page)
        self._of_player.setdefault(page.player, {})[page] = None

    def _let_go(self, table: int | None, page: _OpenPage) -> None:
        page.is_gone = True
        self.pages.discard(page)
        page.room.drop(page)
        if not page.room and self._rooms.get(table) is page.room:
            del self._rooms[table]
        if page.number:
            self._frost.count_closed(page.number)
        others = self._of_player[page.player]
        del others[page]
        if not others:
            del self._of_player[page.player]
            self._left[page.player] = self._loop.time(), page.session[1]
            if len(self._left) > MOST_PAGES:
                del self._left[next(iter(self._left))]

    async def end(self, session: Session, sentence: str) -> None:
        """Close the pages of a session, with a sentence."""
        ended = [page for page in self.pages if page.session == session]
        await asyncio.gather(*(page.send_notice(sentence) for page in ended))
        await asyncio.gather(*(page.close() for page in ended))

    async def tell_player(self, player: int, sentence: str, *choices: Mapping[str, str]) -> None:
        """Send a notice to every open page of a player."""
        await asyncio.gather(*(page.send_notice(sentence, *choices) for page in list(self._of_player.get(player, {}))))

    async def tell_everyone(self, sentence: str) -> None:
        """Send a notice to every open page."""
        await asyncio.gather(*(page.send_notice(sentence) for page in list(self.pages)))

    async def close(self) -> None:
        self._beating.cancel()
        self._players.close()
        self._crowd.close()
        await asyncio.gather(*(page.close() for page in list(self.pages)))
