"""The bell of a full table: a player who asked is told once when a seat is free, on their open pages or by the browser.
Open pages also remind players of the start of their tournament.

A request ends with its notice, with a seat there, and when the player has closed the lounge and no browser tells them.
"""

from collections.abc import Sequence

from aiohttp import web

from bot.core.casinos.notify import SEAT, say_notice
from bot.core.state.lounge import PLATFORM
from bot.core.state.table import Table
from bot.platforms.common.notices import Notices
from bot.platforms.web import press
from bot.platforms.web.lounge import LOUNGE_KEY, Visitor
from bot.platforms.web.push import PUSH_KEY
from bot.texts import Text, say

_TO_TABLE = Text("To the table")


class Bells:
    """Sender of notices of free seats. Belongs to the event loop."""

    def __init__(self, app: web.Application) -> None:
        self._app, self._lounge = app, app[LOUNGE_KEY]
        self._notices = Notices(self._lounge, self._tell_players, self._reaches)

    def handle_change(self, id: int) -> None:
        """Handle a changed table. The seat of an absent player is free for those who wait."""
        table = self._lounge.state.table(id)
        waiting = table.notify.get(SEAT, ()) if table is not None else ()
        if table is None:
            return
        if any(map(self._reaches, waiting)):
            self._lounge.spawn(press.free_seat(self._lounge, table))
        places = self._lounge.state.places_of(id) if waiting else ()
        if self._lounge.frees_seats and all(place.platform == PLATFORM for place in places):
            for player in waiting:
                if self._lounge.live.is_gone(player, press.GONE_S) and not self._reaches(player):
                    self._lounge.spawn(self._lounge.tend("noticed", str(id), SEAT, str(player)))
        self._notices.handle_change(id)

    def _reaches(self, player: int) -> bool:
        push = self._app.get(PUSH_KEY)
        return self._lounge.live.has_page(player) or (push is not None and push.tells(player))

    async def _tell_players(self, _address: str, table: Table, players: Sequence[int], kind: str) -> None:
        for player in players:
            await self._tell_player(table, player, kind)

    async def _tell_player(self, table: Table, player: int, kind: str) -> None:
        person, push = self._lounge.state.players[player], self._app.get(PUSH_KEY)
        name = self._lounge.state.name_of(table.casino, player)
        said = say(say_notice(kind, table, str(name)), person.language)
        way = f"{Visitor(self._lounge, person.language, person).base}/table/{table.id}"
        if kind == SEAT and push is not None and not self._lounge.live.is_looked_at_by(player):
            await push.tell_seat(player, table)
        await self._lounge.live.tell_player(player, said, {"label": say(_TO_TABLE, person.language), "go": way})
