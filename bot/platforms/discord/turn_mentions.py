"""Turn mentions: halfway through their decision time a player gets one mention a hand, which is deleted afterwards.

A mention in an edited message notifies no one, so it is a separate message. Only players to move are mentioned.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import discord

from bot.core.casinos.mentions import may_mention
from bot.core.casinos.notify import say_notice
from bot.core.casinos.places import is_lost
from bot.core.rounds.tournament_table import SEATED, STARTS
from bot.core.state.table import Table
from bot.platforms.common.budget import Rank
from bot.platforms.common.recent import Recent
from bot.platforms.common.reminders import Reminders
from bot.platforms.common.sentences import YOUR_TURN
from bot.platforms.common.stages import reminds_at, waited_for
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import write_moments
from bot.platforms.discord.stranded import refuse_locked
from bot.platforms.discord.tables import DiscordTables
from bot.platforms.discord.trouble import TROUBLE, is_unreached
from bot.texts import Text, say

MOST_SEEN = 20_000
MOST_SEATED = 1_000


class _SentMention(NamedTuple):
    message: discord.Message
    players: frozenset[int]


@dataclass
class _SeatMention:
    """Mention of players who got a seat in a channel: those who have not acted there yet, and its message once sent."""

    players: set[int]
    message: discord.Message | None = None


class DiscordTurnMentions:
    """Sender of turn mentions, one for each player to move halfway through their time, deleted after their choice."""

    def __init__(self, context: DiscordContext, tables: DiscordTables) -> None:
        self._context, self._tables = context, tables
        self.reminders = Reminders(context, self._delete_at)
        # {(table, player): the channel of their last action there}, since the start, so that no one who left is
        # mentioned, and nobody where the table is not shown.
        self._seen: Recent[tuple[int, int], int] = Recent(MOST_SEEN)
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._mentioned: dict[int, set[tuple[int, int]]] = {}
        self._sent: dict[int, list[_SentMention]] = {}
        self._left: list[discord.Message] = []
        self._seated: Recent[int, list[_SeatMention]] = Recent(MOST_SEATED)

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def meet(self, table: int, player: int, channel: int | None) -> None:
        """Note the channel in which a player acts at a table."""
        if channel is not None:
            self._seen[table, player] = channel
            for mention in tuple(self._seated.get(channel, ())):
                mention.players.discard(player)
                self._delete_if_done(channel, mention)

    def _delete_if_done(self, channel: int, mention: "_SeatMention") -> None:
        """Delete the mention of seats once all its players have acted there (TN28)."""
        mentions = self._seated.get(channel, [])
        if mention in mentions and not mention.players and mention.message is not None:
            mentions.remove(mention)
            self._context.spawn(self._delete(mention.message))

    def handle_change(self, id: int) -> None:
        """Handle a changed table: set its timer again, and delete a mention after the choice."""
        table = self._context.state.table(id)
        if timer := self._timers.pop(id, None):
            timer.cancel()
        if table is None:
            return
        if (
            table.round.hand is not None
            and not self._sent.get(id)
            and not any((id, player) in self._seen for player in table.players())
        ):
            return  # no one can be mentioned: no player has been seen since the start
        waited = waited_for(table)
        for sent in [sent for sent in self._sent.get(id, []) if sent.players.isdisjoint(waited)]:
            self._sent[id].remove(sent)
            self._context.spawn(self._delete(sent.message))
        self._mentioned[id] = {one for one in self._mentioned.get(id, ()) if one[0] == table.round.hand_id}
        if not self._mentioned[id]:
            del self._mentioned[id]
        if table.round.hand is not None and (at := reminds_at(table)) is not None and self._find_to_mention(table):
            delay = max(0.0, at - self._context.writer.clock())
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(delay, lambda: self._context.spawn(self._mention_waited_for(id)))

    def _find_to_mention(self, table: Table) -> list[int]:
        """Return the players to move who can be reached, want mentions, and had none in this hand."""
        if is_lost(table):
            return []
        done = self._mentioned.get(table.id, set())
        here = (player for player in waited_for(table) if self._is_in_reach(table.id, player))
        may = (player for player in here if may_mention(self._context.state, table, player))
        return sorted(player for player in may if (table.round.hand_id, player) not in done)

    def _is_in_reach(self, table: int, player: int) -> bool:
        """Return whether the player was seen at the table and their channel can be reached; otherwise the reminder
        waits with the clock.
        """
        channel = self._seen.get((table, player))
        return channel is not None and self._context.connectivity.reaches(str(channel))

    async def _mention_waited_for(self, id: int) -> None:
        table = self._context.state.table(id)
        if table is None or not (players := self._find_to_mention(table)):
            return
        self._mentioned.setdefault(id, set()).update((table.round.hand_id, player) for player in players)
        for channel in {self._seen[id, player] for player in players}:
            with suppress(*TROUBLE):
                async with self._context.calls.turn(Rank.TURN):
                    await self._remind(id, channel, players)
        # They may have moved while it was on its way.
        self.handle_change(id)

    async def _remind(self, id: int, channel: int, players: list[int]) -> None:
        """Mention those of the players who still must choose."""
        table = self._context.state.table(id)
        waited = waited_for(table) if table is not None else ()
        here = [player for player in players if player in waited and self._seen.get((id, player)) == channel]
        shown = self._tables.message(channel)
        if table is not None and here and (shown is None or shown.table != id or shown.may_mention()):
            with self._context.connectivity.watching():
                message = await self._mention(channel, here, table.settings.language)
            self._sent.setdefault(id, []).append(_SentMention(message, frozenset(here)))

    async def notice(self, address: str, table: Table, players: Sequence[int], kind: str) -> None:
        """Send a notice to players, after all calls that people wait for; it stays, unless it says where they sit."""
        accounts = {player: account for player in players if (account := self._context.account_of(player)) is not None}
        if not accounts or not self._context.connectivity.reaches(address):
            return
        users = [discord.Object(int(account)) for account in accounts.values()]
        notice, language = say_notice(kind, table, " ".join(f"<@{user.id}>" for user in users)), table.settings.language
        text = write_moments(say(notice, language), notice, language)
        where, mentions = (
            self._context.client.get_partial_messageable(int(address)),
            discord.AllowedMentions(users=users),
        )
        with suppress(*TROUBLE):
            async with self._context.calls.turn(Rank.BOARD):
                now = self._context.state.table(table.id)
                await refuse_locked(self._context.client, int(address))
                hand = (now or table).round.hand_id
                seated = _SeatMention(set(accounts))
                if kind == SEATED:
                    self._seated.setdefault(int(address), []).append(seated)
                    for player in accounts:  # turn mentions follow them to their new table
                        self._seen[table.id, player] = int(address)
                if kind not in (SEATED, STARTS):
                    self._mentioned.setdefault(table.id, set()).update((hand, player) for player in players)
                sent = await where.send(text, allowed_mentions=mentions, nonce=self._context.contest.new_nonce())
                if kind == STARTS:
                    self.reminders.add(address, sent.id)
                if kind == SEATED:
                    seated.message = sent
                    self._delete_if_done(int(address), seated)

    async def _mention(self, channel: int, players: list[int], language: str) -> discord.Message:
        users = [discord.Object(int(account)) for player in players if (account := self._context.account_of(player))]
        names = " ".join(f"<@{user.id}>" for user in users)
        turn = say(Text(YOUR_TURN.template, names=names), language)
        where = self._context.client.get_partial_messageable(channel)
        mentions = discord.AllowedMentions(users=users)
        await refuse_locked(self._context.client, channel)
        # If the library sends it again after a lost answer, the nonce keeps it one message.
        return await where.send(turn, allowed_mentions=mentions, nonce=self._context.contest.new_nonce())

    async def _delete_at(self, address: str, message: int) -> None:
        where = self._context.client.get_partial_messageable(int(address))
        with suppress(*TROUBLE):
            async with self._context.calls.turn(Rank.BOARD):
                await where.get_partial_message(message).delete()

    def look_again(self, _addresses: object) -> None:
        """Delete mentions that could not be deleted while Discord was unreachable."""
        left, self._left = self._left, []
        for message in left:
            self._context.spawn(self._delete(message))

    async def _delete(self, message: discord.Message) -> None:
        try:
            async with self._context.calls.turn(Rank.CHIP):
                await message.delete()
        except TROUBLE as fault:
            if is_unreached(fault):
                self._left.append(message)
