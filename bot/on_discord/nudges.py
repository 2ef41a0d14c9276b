"""At half his clock a player who is waited for gets one mention, in a message that is deleted afterwards.

A mention in an edited message notifies nobody, so it is a message of its own. Nobody else is ever mentioned.
"""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import NamedTuple

import discord

from bot.floor.places import is_lost
from bot.floor.table import PACES, Table
from bot.on_discord.line import Line
from bot.on_discord.newest import TROUBLE, is_unreached, later
from bot.pit import Pit
from bot.texts import Text, say

_log = logging.getLogger("ridotto.discord")


class _Known(NamedTuple):
    """Where a player was seen last on this platform."""

    account: int
    channel: int


class _Sent(NamedTuple):
    message: discord.Message
    players: frozenset[int]


class Nudges:
    def __init__(self, client: discord.Client, pit: Pit, line: Line) -> None:
        self._client, self._pit, self._line = client, pit, line
        self._known: dict[int, _Known] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._nudged: dict[int, set[tuple[int, int, int]]] = {}
        self._sent: dict[int, list[_Sent]] = {}
        self._left: list[discord.Message] = []

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def meet(self, player: int, account: int, channel: int | None) -> None:
        if channel is not None:
            self._known[player] = _Known(account, channel)

    def look(self, id: int) -> None:
        """A table changed: its timer is set anew, and a mention that has done its work is deleted."""
        table = self._pit.floor.house.table(id)
        if timer := self._timers.pop(id, None):
            timer.cancel()
        if table is None:
            return
        if table.play is not None and not self._sent.get(id) and self._known.keys().isdisjoint(table.players()):
            return  # nobody here can be mentioned: a hand that nobody has looked at since the start is left alone
        waited = waited_for(table)
        for sent in [sent for sent in self._sent.get(id, []) if not sent.players & waited]:
            self._sent[id].remove(sent)
            later(self._delete(sent.message))
        if table.play is None:
            self._nudged.pop(id, None)
        elif table.deadline is not None and table.extended is None and self._to_nudge(table):
            half = PACES[table.settings.pace] / 2
            delay = max(0.0, table.deadline - half - self._pit.clock())
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(delay, lambda: later(self._nudge(id)))

    def _to_nudge(self, table: Table) -> list[int]:
        """Waited for, in reach, and not yet mentioned for this choice."""
        if is_lost(table):
            return []
        done = self._nudged.get(table.id, set())
        here = (player for player in waited_for(table) if self._is_in_reach(player))
        return sorted(player for player in here if _choice(table, player) not in done)

    def _is_in_reach(self, player: int) -> bool:
        """Whose clock stands because his channel cannot be reached is reminded when it runs on."""
        return player in self._known and self._line.reaches(self._known[player].channel)

    async def _nudge(self, id: int) -> None:
        table = self._pit.floor.house.table(id)
        if table is None or not (players := self._to_nudge(table)):
            return
        self._nudged.setdefault(id, set()).update(_choice(table, player) for player in players)
        for channel in {self._known[player].channel for player in players}:
            here = [player for player in players if self._known[player].channel == channel]
            with suppress(*TROUBLE), self._line.watching():
                message = await self._mention(channel, here, table.settings.language)
                self._sent.setdefault(id, []).append(_Sent(message, frozenset(here)))
        # They may have moved while it was on its way.
        self.look(id)

    async def _mention(self, channel: int, players: list[int], language: str) -> discord.Message:
        users = [discord.Object(self._known[player].account) for player in players]
        names = " ".join(f"<@{user.id}>" for user in users)
        turn = say(Text("{names}: it is your turn.", "", names=names), language)
        where = self._client.get_partial_messageable(channel)
        mentions = discord.AllowedMentions(users=users)
        # Sent again by the library after a lost answer it still is one message.
        return await where.send(turn, allowed_mentions=mentions, nonce=secrets.token_hex(12))

    def look_again(self) -> None:
        """Discord is back: mentions that could not be deleted go now."""
        left, self._left = self._left, []
        for message in left:
            later(self._delete(message))

    async def _delete(self, message: discord.Message) -> None:
        try:
            await message.delete()
        except TROUBLE as fault:
            if is_unreached(fault):
                self._left.append(message)


def waited_for(table: Table) -> frozenset[int]:
    if table.play is None:
        return frozenset()
    owners = table.owners()
    return frozenset(owners[seat] for seat in table.play.asks if seat not in table.away) | frozenset(table.turners)


def _choice(table: Table, player: int) -> tuple[int, int, int]:
    """Which choice of his it is, so that each is asked for once."""
    assert table.play is not None
    mine = table.seats_played_by(player)
    return table.hand_id, player, sum(move.seat in mine for move in table.play.moves)
