"""Where people go on who come to this house, while others keep some of the wings: to whoever keeps what they ask for.

A table, and all that is asked about it, is its keeper's; a log is of who keeps its casino; the pages around them are of
who keeps the lounge's own. How this house is, its operator's link and files for everybody are answered where they are
asked for. A connection goes one way by its first request (relay.py). A later one of it that is another's is sent to the
same address once more, on a connection of its own.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable

from aiohttp import web

from bot.doors.web.drawing import sentence
from bot.doors.web.lounge import language_of, lounge_of, reader_of
from bot.doors.web.operator_link import find_link
from bot.doors.web.relay import AGAIN_S, stranded
from bot.house.floor import ELSEWHERE
from bot.house.pit import Pit
from bot.house.state.lounge import LOUNGE
from bot.lanes.people import is_far
from bot.texts import say
from storage.questions.casinos import casino_of_table
from storage.rows import wing_of

# While a wing is on its way from house to house; who has asked by then is told to come again.
FOLLOW_S = 6.0
# Files for everybody.
_ANYWHERE = ("/static/", "/cards/")
# A link is good where it was made: in the house of the lounge, or where it is opened, if that one says so.
_OPERATOR, _ENTRY = "/operator/", "here"
_TABLE = re.compile(r"/table/([0-9]{1,11})\b|[?&]table=([0-9]{1,11})\b")
_LOG = re.compile(r"/log/([0-9]{1,12})\b")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Ways:
    """Belongs to an event loop. `own` are the paths of which each house tells by itself."""

    follow_s = FOLLOW_S

    def __init__(self, pit: Pit, own: Iterable[str]) -> None:
        self._pit, self._own = pit, frozenset(own)

    def stays(self, target: str) -> bool:
        """Whether this house surely answers what is asked at an address."""
        house, (path, _mark, query) = self._pit.floor.house, target.partition("?")
        if house.keeps_all or path in self._own or path.startswith(_ANYWHERE):
            return True
        if path.startswith(_OPERATOR) and (query == _ENTRY or self.has_link(path)):
            return True
        number = _table_in(target)
        # What was taken just now is still being read.
        return number in house.tables if number is not None else _casino_in(target) in house.casinos

    def has_link(self, path: str) -> bool:
        """Whether an operator's link was made in this house's folder."""
        token = path.removeprefix(_OPERATOR)
        return find_link(self._pit.books.folder, token, self._pit.clock()) is not None

    async def is_here(self, target: str) -> bool:
        """Whether it does as the books have it."""
        return self.stays(target) or (_table_in(target) is not None and await self._is_nowhere(target))

    async def find(self, target: str) -> str | None:
        """The lane of the house that does. None: this one does, or nobody has taken it in time. Raises BooksGone."""
        until = asyncio.get_running_loop().time() + self.follow_s
        while asyncio.get_running_loop().time() < until and not await self.is_here(target):
            wing = wing_of(await self._casino_of(target))
            lane = await asyncio.to_thread(self._pit.books.find_lane, wing)
            if lane is not None and wing not in self._pit.books.wings:
                return lane
            await asyncio.sleep(AGAIN_S)
        return None

    async def _is_nowhere(self, target: str) -> bool:
        """A table that is in no book is nobody's: who keeps the lounge says so."""
        found = await asyncio.to_thread(casino_of_table, self._pit.books, _table_in(target) or 0)
        return found is None and LOUNGE in self._pit.floor.house.casinos

    async def _casino_of(self, target: str) -> int:
        number = _table_in(target)
        if number is None:
            return _casino_in(target)
        found = await asyncio.to_thread(casino_of_table, self._pit.books, number)
        return found if found is not None else LOUNGE


def _casino_in(target: str) -> int:
    log = _LOG.search(target)
    return int(log[1]) if log is not None else LOUNGE


def _table_in(target: str) -> int | None:
    found = _TABLE.search(target)
    return int(found[1] or found[2]) if found is not None else None


WAYS_KEY = web.AppKey("ways", Ways)


@web.middleware
async def send_on(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """What has come by a connection that leads to the wrong house is asked again on another one."""
    ways, transport = request.app.get(WAYS_KEY), request.transport
    if ways is None or transport is None:
        return await handler(request)
    if is_far(transport) and request.path.startswith(_OPERATOR) and not ways.has_link(request.path):
        return _ask_again(f"{request.path}?{_ENTRY}")
    if await ways.is_here(request.path_qs):
        return await handler(request)
    return _say_elsewhere(request) if transport in stranded else _ask_again(str(request.rel_url))


def _ask_again(address: str) -> web.Response:
    answer = web.Response(status=307, headers={"Location": address})
    answer.force_close()
    return answer


def _say_elsewhere(request: web.Request) -> web.Response:
    """Its keeper is not reached, or there is none in time."""
    if request.path.endswith("/press"):
        said = say(ELSEWHERE.texts[0], language_of(request))
        answer: web.Response = web.json_response({"texts": [said], "refused": True}, status=503)
    else:
        answer = sentence(reader_of(request), ELSEWHERE.texts[0], status=503)
    answer.force_close()
    return answer


def note_ways(request: web.Request, address: str) -> str:
    """An address of what this house keeps in memory alone, with the table by which others find it."""
    number = request.match_info.get("table")
    is_alone = number is None or lounge_of(request).house.keeps_all
    return address if is_alone else f"{address}?table={number}"
