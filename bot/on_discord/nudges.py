"""At half his clock a player who is waited for gets one mention, in a message that is deleted afterwards.

A mention in an edited message notifies nobody, so it is a message of its own. Nobody else is ever mentioned.
"""

import asyncio
import logging
from contextlib import suppress
from typing import NamedTuple

import discord

from bot.floor.places import is_lost
from bot.floor.table import PACES, Table
from bot.on_discord.newest import TROUBLE, later
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
    def __init__(self, client: discord.Client, pit: Pit) -> None:
        self._client, self._pit = client, pit
        self._known: dict[int, _Known] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._nudged: dict[int, set[tuple[int, int, int]]] = {}
        self._sent: dict[int, list[_Sent]] = {}

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
        waited = waited_for(table)
        for sent in [sent for sent in self._sent.get(id, []) if not sent.players & waited]:
            self._sent[id].remove(sent)
            later(_delete(sent.message))
        if table.play is None:
            self._nudged.pop(id, None)
        elif table.deadline is not None and table.extended is None and self._to_nudge(table):
            half = PACES[table.settings.pace] / 2
            delay = max(0.0, table.deadline - half - self._pit.clock())
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(delay, lambda: later(self._nudge(id)))

    def _to_nudge(self, table: Table) -> list[int]:
        """Waited for, here, and not yet mentioned for this choice."""
        if is_lost(table):
            return []
        done = self._nudged.get(table.id, set())
        return sorted(p for p in waited_for(table) if p in self._known and _choice(table, p) not in done)

    async def _nudge(self, id: int) -> None:
        table = self._pit.floor.house.table(id)
        if table is None or not (players := self._to_nudge(table)):
            return
        self._nudged.setdefault(id, set()).update(_choice(table, player) for player in players)
        for channel in {self._known[player].channel for player in players}:
            here = [player for player in players if self._known[player].channel == channel]
            with suppress(*TROUBLE):
                message = await self._mention(channel, here, table.settings.language)
                self._sent.setdefault(id, []).append(_Sent(message, frozenset(here)))
        # They may have moved while it was on its way.
        self.look(id)

    async def _mention(self, channel: int, players: list[int], language: str) -> discord.Message:
        users = [discord.Object(self._known[player].account) for player in players]
        names = " ".join(f"<@{user.id}>" for user in users)
        turn = say(Text("{names}: it is your turn.", "", names=names), language)
        where = self._client.get_partial_messageable(channel)
        return await where.send(turn, allowed_mentions=discord.AllowedMentions(users=users))


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


async def _delete(message: discord.Message) -> None:
    with suppress(*TROUBLE):
        await message.delete()
