"""Servers that come and go, channels and messages that are lost."""

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress

import discord

from bot.core.casinos.places import founding_casino_of, is_lost
from bot.core.state.plays import PLAYS
from bot.platforms.common.connectivity import EVERYWHERE
from bot.platforms.common.context import language_of
from bot.platforms.common.press import Press
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.boards import JackpotBoards
from bot.platforms.discord.components import NOBODY
from bot.platforms.discord.context import community_of, guild_of
from bot.platforms.discord.drawing import answer_view, code_rows
from bot.platforms.discord.permissions import can_post
from bot.platforms.discord.stranded import lose
from bot.texts import Text

_log = logging.getLogger("ridotto.discord")


class DiscordPlaces:
    """Reporter of this platform's places to the writer."""

    def __init__(self, answers: Answers, boards: JackpotBoards) -> None:
        self.answers, self.context, self.boards = answers, answers.context, boards

    async def arrive(self, guild: discord.Guild) -> None:
        """Register a new server with a casino of its own."""
        await self.context.tend("arrive", community_of(guild.id), guild.name, language_of(str(guild.preferred_locale)))

    async def greet(self, guild: discord.Guild) -> None:
        """Send the greeting to a new server, in the most visible channel where the bot may write."""
        channels = [guild.system_channel, *guild.text_channels]
        channel = next(
            (one for one in channels if one is not None and can_post(one.permissions_for(guild.me), one)), None
        )
        if channel is None:
            return  # /setup says what is missing
        language = language_of(str(guild.preferred_locale))
        view = answer_view([Text(_GREETING.template, n=len(PLAYS))], language, code_rows(_SETS_UP, language))
        with suppress(discord.HTTPException):
            sent = await channel.send(view=view, nonce=self.context.contest.new_nonce())
            self.context.note(_greeting_note(guild), [channel.id, sent.id])

    async def replace_greeting(self, guild: discord.Guild, tables: Sequence[Text]) -> None:
        """Turn the greeting into links to the tables, unless it was deleted."""
        noted = next((value for rest, value in self.context.noted(_greeting_note(guild)) if not rest), None)
        if not noted:
            return
        channel, message = noted
        language = language_of(str(guild.preferred_locale))
        view = answer_view([_IS_OPEN, *tables], language, code_rows(_FOR_PLAYERS, language))
        try:
            await (
                self.context.client.get_partial_messageable(channel)
                .get_partial_message(message)
                .edit(view=view, allowed_mentions=NOBODY)
            )
        except discord.HTTPException as fault:
            _log.info("a greeting was not replaced: %s", fault)
            if isinstance(fault, discord.NotFound):
                self.context.note(_greeting_note(guild), None)

    async def depart(self, guild: discord.Guild) -> None:
        """Handle the bot's removal: bets come back, dealt hands wait (G10)."""
        self.boards.drop(guild.id)
        for address in self.addresses_by_guild().get(guild.id, []):
            await self.lose_channel(int(address))

    def places_in(self, guild: discord.Guild) -> list[str]:
        """Return the addresses of a server's tables, as far as the library knows its channels."""
        return [str(channel.id) for channel in _channels(guild) if self.context.table_at(str(channel.id)) is not None]

    def addresses_of(self, shards: Iterable[int], count: int) -> dict[int, list[str]]:
        """Return the addresses of the tables of each shard's servers, from the store; a single shard is the whole
        platform.
        """
        if count == 1:
            return {shard: [EVERYWHERE] for shard in shards}
        found: dict[int, list[str]] = {shard: [] for shard in shards}
        for guild, addresses in self.addresses_by_guild().items():
            if (shard := (guild >> 22) % count) in found:
                found[shard] += addresses
        return found

    def addresses_by_guild(self) -> dict[int, list[str]]:
        """Return {server: the addresses of its tables}: a place and its server belong to the same casino."""
        rows = self.context.places()
        guilds = {founding_casino_of(row): guild for row in rows if (guild := guild_of(row.address)) is not None}
        found: dict[int, list[str]] = {}
        for row in rows:
            if row.table_id is not None and founding_casino_of(row) in guilds:
                found.setdefault(guilds[founding_casino_of(row)], []).append(row.address)
        return found

    async def lose_channel(self, channel: int) -> None:
        if self.context.row_at(str(channel)) is not None:
            await lose(self.context, str(channel), "gone")

    async def look_at_thread(self, thread: int, *, is_locked: bool) -> None:
        """Handle a locked or unlocked thread; a merely archived one is woken by the next message."""
        table = self.context.table_at(str(thread))
        if table is None or table.status == "closed":
            return
        if is_locked and not is_lost(table):
            await lose(self.context, str(thread))
        elif not is_locked and is_lost(table):
            await self.context.tend("regain", str(thread))

    async def handle_changed_rights(self, guild: discord.Guild) -> None:
        """Handle changed rights: lost tables that can be shown again go on, others stop waiting."""
        for channel in _channels(guild):
            table = self.context.table_at(str(channel.id))
            if table is None or table.status == "closed":
                continue
            may = can_post(channel.permissions_for(guild.me), channel)
            if may and is_lost(table):
                await self.context.tend("regain", str(channel.id))
            elif not may and not is_lost(table):
                await lose(self.context, str(channel.id))


def _channels(guild: discord.Guild) -> list[discord.abc.GuildChannel | discord.Thread]:
    """Return all channels that can have tables, chats of voice channels included."""
    return [*guild.channels, *guild.threads]


def _greeting_note(guild: discord.Guild) -> str:
    return f"greeting:{guild.id}"


_GREETING = Text(
    "Thanks for adding Ridotto! {n} casino games with play chips: no real money, ever. Server managers: press Set up "
    "to create a channel for each game."
)
_IS_OPEN = Text("Ridotto is open, with play chips only. Pick a table:")
FIRST_HAND = Text("First hand")
_FOR_PLAYERS = [(FIRST_HAND, Press("verb", "learn")), (Text("Daily chips"), Press("verb", "daily"))]
_SETS_UP = [(Text("Set up"), Press("setup"))]
