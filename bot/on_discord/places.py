"""Servers that come and go, channels and messages that are lost, and `/setup`, which may be said twice."""

import logging
import secrets
from typing import Any

import discord
from discord import app_commands

from bot.floor.command import Command, Place
from bot.floor.places import is_lost
from bot.floor.table import Table
from bot.on_discord.answers import Answers, can_post, community_of, enter, language_of
from bot.on_discord.boards import Boards
from bot.on_discord.codes import Code
from bot.on_discord.commands import INSPECTS
from bot.on_discord.drawing import answer_view, code_rows
from bot.on_discord.line import PLATFORM
from bot.on_discord.panels import Interaction
from bot.on_discord.presses import guarded
from bot.on_discord.tables import Tables
from bot.texts import GAME_NAMES, Text, say
from engine.hand import GAMES

CATEGORY = "Ridotto"
# Exactly what the bot needs; Manage Channels for /setup alone.
NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    read_message_history=True,
    manage_channels=True,
)
CHANNEL_NAMES = {"caribbean": "caribbean-stud", "uth": "ultimate-texas-holdem", "stud": "7-card-stud-hi-lo"}
CHANNEL_NAMES |= {"paiju": "paiju", "blackjack": "black-jack"}
CASHIER, JACKPOT = "cashier", "jackpot"
_log = logging.getLogger("ridotto.discord")

_PERMISSION_NAMES = {
    "view_channel": Text("View Channels"),
    "send_messages": Text("Send Messages"),
    "send_messages_in_threads": Text("Send Messages in Threads"),
    "attach_files": Text("Attach Files"),
    "read_message_history": Text("Read Message History"),
    "manage_channels": Text("Manage Channels"),
}
_AT_THE_CASHIER = (
    Text("The cashier. Ridotto plays for virtual chips only; they can never be bought or sold."),
    Text("Everybody starts with chips, and gets some more every day."),
)


class Places:
    """What happens to the places of this platform, told to the floor."""

    def __init__(self, client: discord.Client, answers: Answers, tables: Tables, boards: Boards) -> None:
        self.client, self.answers, self.tables, self.boards = client, answers, tables, boards

    # Servers and channels

    async def arrive(self, guild: discord.Guild) -> None:
        """A server starts with a casino of its own."""
        await self.tables.tend(community_of(guild.id), "arrive", guild.name, language_of(guild.preferred_locale))

    async def depart(self, guild: discord.Guild) -> None:
        """The bot was removed: bets come back, dealt hands wait (G10)."""
        self.boards.drop(guild.id)
        for channel in [*guild.channels, *guild.threads]:
            await self.lose_channel(channel.id)

    def places_in(self, guild: discord.Guild) -> list[str]:
        """The addresses of its tables whose clocks run."""
        channels = [channel.id for channel in (*guild.text_channels, *guild.threads)]
        tables = ((channel, self.table_at(channel)) for channel in channels)
        return [str(channel) for channel, table in tables if table is not None and table.deadline is not None]

    async def lose_channel(self, channel: int) -> None:
        place = Place(PLATFORM, str(channel))
        if self.answers.house.place(*place) is not None:
            await self.tables.tend(place, "lose", "gone")

    async def look(self, guild: discord.Guild) -> None:
        """Permissions changed somewhere: lost tables that can be written to again go on, others stop waiting."""
        channels: list[discord.TextChannel | discord.Thread] = [*guild.text_channels, *guild.threads]
        for channel in channels:
            table = self.table_at(channel.id)
            if table is None or table.status == "closed":
                continue
            may = can_post(channel.permissions_for(guild.me), channel)
            if may and is_lost(table):
                await self.tables.tend(Place(PLATFORM, str(channel.id)), "regain")
            elif not may and not is_lost(table):
                await self.tables.tend(Place(PLATFORM, str(channel.id)), "lose")

    def table_at(self, channel: int) -> Table | None:
        row = self.answers.house.place(PLATFORM, str(channel))
        return self.answers.house.table(row.table_id) if row is not None and row.table_id else None

    # Setting up

    async def set_up(self, interaction: Interaction, role: discord.Role | None) -> None:
        """A category with a channel for each game, a cashier and a jackpot channel; what is there already stays."""
        if not await self.answers.admit(interaction):
            return
        guild = interaction.guild
        if guild is None or not self.answers.who_of(interaction, self.answers.place_of(interaction)).inspector:
            await self.answers.say(interaction, Text("That is for inspectors."))
            return
        if role is not None:
            await self.tables.tend(community_of(guild.id), "entrust", str(role.id), str(interaction.user.id))
        if lacking := self.lacking(guild):
            await self.answers.say(interaction, *lacking)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        made = await self._make_channels(interaction, guild)
        await self.answers.say(interaction, *made, *_ADVICE)

    def lacking(self, guild: discord.Guild) -> list[Text]:
        """Which permission is missing, and how to give it."""
        has = guild.me.guild_permissions
        missing = [name for name, is_needed in NEEDED if is_needed and not getattr(has, name)]
        if not missing:
            return []
        names = [_PERMISSION_NAMES[name] for name in missing]
        return [
            Text("I lack: {names}.", "", names=names),
            Text("Server Settings > Roles > Ridotto > Permissions gives it; then say /setup again."),
            Text("Or open a table in this channel with /table open: that needs View Channels and Send Messages."),
        ]

    async def _make_channels(self, interaction: Interaction, guild: discord.Guild) -> list[Text]:
        category = discord.utils.get(guild.categories, name=CATEGORY) or await guild.create_category(CATEGORY)
        made = []
        for game in GAMES:
            if (there := self._channel_of(guild, game)) is not None:
                made.append(Text("{game}: {channel}, already there.", "", game=GAME_NAMES[game], channel=f"<#{there}>"))
                continue
            name = CHANNEL_NAMES.get(game, game)
            channel = _named(category, name) or await guild.create_text_channel(name, category=category)
            made.append(await self._open_table(interaction, channel, game))
        language = language_of(guild.preferred_locale)
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
        place = await enter(self.tables, channel.id, channel.guild.id)
        key = f"{PLATFORM}:{interaction.id}:{channel.id}"
        who = self.answers.who_of(interaction, place)
        answer = await self.answers.wait_for(Command(key, who, place, "table open", (game,)))
        if answer.refused:
            return answer.texts[0]
        return Text("{game}: {channel}", "", game=GAME_NAMES[game], channel=channel.mention)

    def _channel_of(self, guild: discord.Guild, game: str) -> int | None:
        for channel in guild.text_channels:
            table = self.table_at(channel.id)
            if table is not None and table.game == game and table.status != "closed":
                return channel.id
        return None


_ADVICE = (
    Text("Members without Manage Server see inspectors' commands when you allow it in Server Settings > Integrations."),
)


def _named(category: discord.CategoryChannel, name: str) -> discord.TextChannel | None:
    return discord.utils.get(category.text_channels, name=name)


_CASHIERS_BUTTONS = [
    (Text("My chips"), Code(0, "", "balance")),
    (Text("Daily chips"), Code(0, "", "daily")),
    (Text("Statement"), Code(0, "", "statement")),
    (Text("Who has most"), Code(0, "", "leaderboard")),
]


def setup_command(places: Places) -> app_commands.Command[Any, ..., None]:
    help = Text("Make a category with a channel for each game")

    async def setup(interaction: Interaction, inspectors: discord.Role | None = None) -> None:
        await guarded(places.answers, interaction, lambda: places.set_up(interaction, inspectors))

    setup.__annotations__["interaction"] = discord.Interaction
    app_commands.describe(inspectors=app_commands.locale_str("Who has this role is an inspector", text=_ROLE))(setup)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=app_commands.locale_str("setup"),
        description=app_commands.locale_str(say(help, "en"), text=help),
        callback=setup,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )
    command.default_permissions = INSPECTS
    return command


_ROLE = Text("Who has this role is an inspector")
