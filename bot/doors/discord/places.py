"""Servers that come and go, channels and messages that are lost, and `/setup`, which may be said twice."""

import logging
import secrets
from collections.abc import Iterable
from typing import Any

import discord
from discord import app_commands

from bot.doors.discord.answers import Answers, community_of, guild_of
from bot.doors.discord.boards import Boards
from bot.doors.discord.commands import INSPECTS
from bot.doors.discord.drawing import answer_view, code_rows, mention_channel
from bot.doors.discord.line import PLATFORM
from bot.doors.discord.panels import Interaction
from bot.doors.discord.permissions import can_post, lacking
from bot.doors.discord.presses import guarded
from bot.doors.kit.desk import language_of
from bot.doors.kit.press import Press
from bot.doors.kit.reach import EVERYWHERE
from bot.doors.kit.sentences import FOR_INSPECTORS
from bot.house.casinos.places import is_lost, keeper_of
from bot.house.play import PLAYS
from bot.house.speech.command import Command
from bot.texts import Text, title_of
from bot.texts.games import GAME_TEXTS

CATEGORY = "Ridotto"
CASHIER, JACKPOT = "cashier", "jackpot"
_log = logging.getLogger("ridotto.discord")

_AT_THE_CASHIER = (
    Text("The cashier. Ridotto plays for virtual chips only; they can never be bought or sold."),
    Text("Everybody starts with chips, and gets some more every day."),
)


class Places:
    """What happens to the places of this platform, told to the floor."""

    def __init__(self, answers: Answers, boards: Boards) -> None:
        self.answers, self.desk, self.boards = answers, answers.desk, boards

    # Servers and channels

    async def arrive(self, guild: discord.Guild) -> None:
        """A server starts with a casino of its own."""
        await self.desk.tend("arrive", community_of(guild.id), guild.name, language_of(str(guild.preferred_locale)))

    async def depart(self, guild: discord.Guild) -> None:
        """The bot was removed: bets come back, dealt hands wait (G10)."""
        self.boards.drop(guild.id)
        for address in self.addresses_by_guild().get(guild.id, []):
            await self.lose_channel(int(address))

    def places_in(self, guild: discord.Guild) -> list[str]:
        """The addresses of its tables, as far as the library knows its channels."""
        return [str(channel.id) for channel in _channels(guild) if self.desk.table_at(str(channel.id)) is not None]

    def addresses_of(self, shards: Iterable[int], count: int) -> dict[int, list[str]]:
        """{shard: the addresses of the tables of its servers}, from the books: before it is there it tells of none.

        Of one shard alone nothing is anywhere else: it is the whole platform.
        """
        if count == 1:
            return {shard: [EVERYWHERE] for shard in shards}
        found: dict[int, list[str]] = {shard: [] for shard in shards}
        for guild, addresses in self.addresses_by_guild().items():
            if (shard := (guild >> 22) % count) in found:
                found[shard] += addresses
        return found

    def addresses_by_guild(self) -> dict[int, list[str]]:
        """{server: the addresses of its tables}: a place and its server are kept by the same casino."""
        rows = self.desk.places()
        guilds = {keeper_of(row): guild for row in rows if (guild := guild_of(row.address)) is not None}
        found: dict[int, list[str]] = {}
        for row in rows:
            if row.table_id is not None and keeper_of(row) in guilds:
                found.setdefault(guilds[keeper_of(row)], []).append(row.address)
        return found

    async def lose_channel(self, channel: int) -> None:
        if self.desk.house.place(PLATFORM, str(channel)) is not None:
            await self.desk.tend("lose", str(channel), "gone")

    async def look(self, guild: discord.Guild) -> None:
        """Permissions changed somewhere: lost tables that can be written to again go on, others stop waiting."""
        for channel in _channels(guild):
            table = self.desk.table_at(str(channel.id))
            if table is None or table.status == "closed":
                continue
            may = can_post(channel.permissions_for(guild.me), channel)
            if may and is_lost(table):
                await self.desk.tend("regain", str(channel.id))
            elif not may and not is_lost(table):
                await self.desk.tend("lose", str(channel.id))

    # Setting up

    async def set_up(self, interaction: Interaction, role: discord.Role | None) -> None:
        """A category with a channel for each game, a cashier and a jackpot channel; what is there already stays."""
        if not await self.answers.admit(interaction):
            return
        guild = interaction.guild
        if guild is None or not self.answers.who_of(interaction, self.answers.place_of(interaction)).inspector:
            await self.answers.say(interaction, FOR_INSPECTORS)
            return
        if role is not None:
            await self.desk.tend("entrust", community_of(guild.id), str(role.id), str(interaction.user.id))
        if hindered := self._hindrance(guild):
            await self.answers.say(interaction, *hindered)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            made = await self._make_channels(interaction, guild)
        except discord.Forbidden as fault:
            _log.warning("/setup was refused in server %s: %s", guild.id, fault)
            made = [
                Text(
                    "Discord refuses: {words}. Look at the permissions of Ridotto, then say /setup again.",
                    "",
                    words=fault.text,
                )
            ]
        await self.answers.say(interaction, *made, *_ADVICE)

    def _hindrance(self, guild: discord.Guild) -> list[Text]:
        """Which permission /setup lacks, in the server or in the category that it made, and how to give it."""
        if self.desk.client.get_guild(guild.id) is None:
            return [
                Text("Ridotto is here with its commands alone: add it anew with the link that it prints at its start.")
            ]
        if names := lacking(guild.me.guild_permissions):
            return [
                Text("I lack: {names}.", "", names=names),
                Text("Server Settings > Roles > Ridotto > Permissions gives it; then say /setup again."),
                Text("Or open a table with /table open in a channel that I may view, write to and attach files in."),
            ]
        category = discord.utils.get(guild.categories, name=CATEGORY)
        if category is not None and (names := lacking(category.permissions_for(guild.me))):
            return [
                Text("I lack in the category {category}: {names}.", "", category=CATEGORY, names=names),
                Text("Edit Category > Permissions gives it to Ridotto; then say /setup again."),
            ]
        return []

    async def _make_channels(self, interaction: Interaction, guild: discord.Guild) -> list[Text]:
        category = discord.utils.get(guild.categories, name=CATEGORY) or await guild.create_category(CATEGORY)
        made = []
        for game in PLAYS:
            if (there := self._channel_of(guild, game)) is not None:
                made.append(
                    Text("{game}: {channel}, already there.", "", game=title_of(game), channel=mention_channel(there))
                )
                continue
            name = GAME_TEXTS[game].channel
            channel = _named(category, name) or await guild.create_text_channel(name, category=category)
            made.append(await self._open_table(interaction, channel, game))
        language = language_of(str(guild.preferred_locale))
        if _named(category, CASHIER) is None:
            channel = await guild.create_text_channel(CASHIER, category=category)
            view = answer_view(_AT_THE_CASHIER, language, code_rows(_CASHIERS_BUTTONS, language))
            await channel.send(view=view, nonce=secrets.token_hex(12))
        meters = _named(category, JACKPOT)
        if meters is None or not self.boards.has(guild.id):
            meters = meters or await guild.create_text_channel(JACKPOT, category=category)
            self.boards.put(guild.id, meters.id, language)
        return made

    async def _open_table(self, interaction: Interaction, channel: discord.TextChannel, game: str) -> Text:
        await self.answers.enter(channel.id, channel.guild.id)
        place = self.desk.place(str(channel.id))
        key = f"{PLATFORM}:{interaction.id}:{channel.id}"
        who = self.answers.who_of(interaction, place)
        answer = await self.desk.submit(Command(key, who, place, "table open", (game,)))
        if answer.refused:
            return answer.texts[0]
        return Text("{game}: {channel}", "", game=title_of(game), channel=mention_channel(channel.id))

    def _channel_of(self, guild: discord.Guild, game: str) -> int | None:
        for channel in guild.text_channels:
            table = self.desk.table_at(str(channel.id))
            if table is not None and table.game == game and table.status != "closed":
                return channel.id
        return None


def _channels(guild: discord.Guild) -> list[discord.abc.GuildChannel | discord.Thread]:
    """Wherever a table may stand: the chat of a voice channel is a place too."""
    return [*guild.channels, *guild.threads]


_ADVICE = (
    Text("Members without Manage Server see inspectors' commands when you allow it in Server Settings > Integrations."),
)


def _named(category: discord.CategoryChannel, name: str) -> discord.TextChannel | None:
    return discord.utils.get(category.text_channels, name=name)


_CASHIERS_BUTTONS = [
    (Text("My chips"), Press("verb", "balance")),
    (Text("Daily chips"), Press("verb", "daily")),
    (Text("Statement"), Press("verb", "statement")),
    (Text("Who has most"), Press("verb", "leaderboard")),
]


def setup_command(places: Places) -> app_commands.Command[Any, ..., None]:
    """`/setup`, which is Discord's alone; the floor hears what it makes."""
    help = Text("Make a category with a channel for each game")

    async def setup(interaction: Interaction, inspectors: discord.Role | None = None) -> None:
        await guarded(places.answers, interaction, lambda: places.set_up(interaction, inspectors))

    setup.__annotations__["interaction"] = discord.Interaction
    app_commands.describe(inspectors=app_commands.locale_str("Who has this role is an inspector", text=_ROLE))(setup)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=app_commands.locale_str("setup"),
        description=app_commands.locale_str(str(help), text=help),
        callback=setup,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )
    command.default_permissions = INSPECTS
    return command


_ROLE = Text("Who has this role is an inspector")
