"""`/setup` on Discord: a category with a channel for each game, missing rights, and choices."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.core.admin.settings import SETTINGS
from bot.core.casinos.places import founding_casino_of
from bot.core.commands.command import Who
from bot.platforms.common.admin import MORE_SETTINGS
from bot.platforms.common.context import language_of
from bot.platforms.common.press import Press
from bot.platforms.common.sentences import TRY_AGAIN
from bot.platforms.common.setting_up import ROLE, Lack, SettingUp, SetupPanel
from bot.platforms.discord import components
from bot.platforms.discord.answers import Answers, is_private_press
from bot.platforms.discord.boards import JackpotBoards
from bot.platforms.discord.codes import write_press
from bot.platforms.discord.commands import INSPECTS
from bot.platforms.discord.components import BLUE, GREEN, Part
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import community_of
from bot.platforms.discord.drawing import answer_view, code_rows, mention_channel
from bot.platforms.discord.permissions import NAMES, NEEDED_FOR_TABLES
from bot.platforms.discord.places import FIRST_HAND, DiscordPlaces
from bot.platforms.discord.presses import guarded
from bot.platforms.discord.replies import Interaction
from bot.texts import Text, say, title_of
from bot.texts.games import GAME_TEXTS

CATEGORY = "Ridotto"
DONE = "done"
CASHIER, JACKPOT = "cashier", "jackpot"
LONGEST_TOPIC = 1024
_NAMES = {CASHIER: Text("cashier"), JACKPOT: Text("jackpot")}
_log = logging.getLogger("ridotto.discord")

_AT_THE_CASHIER = (
    Text("The cashier. Ridotto uses play chips: no real money, ever."),
    Text("Everyone starts with chips and can claim more every day."),
)
_TOPICS = {
    CASHIER: Text("Your chips, daily chips and the leaderboard. Play chips only."),
    JACKPOT: Text("The jackpot meter, live."),
}
_CASHIERS_BUTTONS = [
    (Text("My chips"), Press("verb", "balance")),
    (Text("Daily chips"), Press("verb", "daily")),
    (Text("Statement"), Press("verb", "statement")),
    (Text("Leaderboard"), Press("verb", "leaderboard")),
]
_ROLE = Text("Inspector role")
_COMMANDS_ALONE = Text(
    "Only Ridotto's commands were added to this server, not the bot. Remove the app, then add it again with its invite "
    "link."
)
_ADVICE = Text(
    "To show them inspector commands, allow these for the role under Server Settings > Integrations > Ridotto."
)
_ELSEWHERE = Text("Until then, /table open works in any channel where I can view, send messages and attach files.")


class DiscordSetup:
    """Set up a server. Repeating it repairs: existing channels stay, renamed ones are found, missing ones are created
    again.
    """

    def __init__(self, answers: Answers, boards: JackpotBoards, places: DiscordPlaces) -> None:
        self.answers, self.context, self.boards, self.places = answers, answers.context, boards, places
        self.setting_up = SettingUp(answers.context)
        answers.set_up = self.run
        # Held while a server is set up: channels are made once, and panels show one choice after the other.
        self._setting_up: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def run(self, interaction: Interaction, press: Press, role: discord.Role | None = None) -> None:
        """Run the setup. `press.verb` names a choice of the panel, `press.args` its new value."""
        if not await self.answers.admit(interaction):
            return
        guild, who = interaction.guild, self.answers.who_of(interaction, self.answers.place_of(interaction))
        if guild is None or not who.inspector:
            await self._turn_down(interaction, guild)
            return
        if self.context.client.get_guild(guild.id) is None:
            await self.answers.send_texts(interaction, _COMMANDS_ALONE)
            return
        if is_private_press(interaction):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
        async with self._setting_up.setdefault(guild.id, asyncio.Lock()):
            await self._set_up(interaction, guild, who, press, role)

    async def _set_up(
        self, interaction: Interaction, guild: discord.Guild, who: Who, press: Press, role: discord.Role | None
    ) -> None:
        said = await self._choose(guild, who, f"{PLATFORM}:{interaction.id}", press, role)
        refused: list[Lack] = []
        if not any(lack.is_needed for lack in self._lacks_in_all(guild)):
            try:
                said += await self._make_channels(guild, who, f"{PLATFORM}:{interaction.id}")
            except discord.Forbidden as fault:
                _log.warning("/setup was refused in server %s: %s", guild.id, fault)
                refused.append(Lack(Text(_REFUSES.template, words=fault.text)))
        else:
            said.append(_ELSEWHERE)
        lacks = [*refused, *self._lacks_in_all(guild), *self._lacks_in_channels(guild)]
        panel = self.setting_up.panel(community_of(guild.id), lacks, [*self._where(guild), *said], _language(guild))
        if panel.is_whole and self._where(guild):
            await self.places.replace_greeting(guild, self._where(guild))
        if press.verb == DONE:
            await self.answers.send_texts(interaction, _IS_DONE, *self._where(guild))
            return
        rows = panel_rows(panel, self.answers.language(interaction), self._role_of(guild))
        await self.answers.send_texts(interaction, *panel.lines, rows=rows)

    async def _turn_down(self, interaction: Interaction, guild: discord.Guild | None) -> None:
        """Tell a member without the right to manage the server who has it, and what to play meanwhile."""
        where = self._where(guild) if guild is not None else []
        texts = [_FOR_MANAGERS, *([_MEANWHILE, *where] if where else [])]
        rows = code_rows([(FIRST_HAND, Press("verb", "learn"))], self.answers.language(interaction))
        await self.answers.send_texts(interaction, *texts, rows=rows)

    async def _choose(
        self, guild: discord.Guild, who: Who, key: str, press: Press, role: discord.Role | None
    ) -> list[Text]:
        """Apply a choice of the panel or an argument of the command."""
        community = community_of(guild.id)
        if press.verb == DONE:
            return []
        if role is None and press.verb != ROLE:
            return list(await self.setting_up.choose(community, who, key, press.verb, press.args))
        chosen = str(role.id) if role is not None else next(iter(press.args), "")
        await self.context.tend("entrust", community, chosen, who.account)
        named = guild.get_role(int(chosen)) if chosen.isdigit() else None
        if named is None:
            return [Text("There is no inspector role any more.")]
        return [Text("Everyone with the role {role} is now an inspector.", role=named.name), _ADVICE]

    def _lacks_in_all(self, guild: discord.Guild) -> Iterator[Lack]:
        """Yield the missing rights in the server and in the category of its channels."""
        missing, category = set(_lacking(guild.me.guild_permissions)), self._category(guild)
        for name in _lacking(guild.me.guild_permissions):
            yield Lack(Text(_IN_SERVER.template, permission=NAMES[name]), self._is_needed(guild, name))
        for name in _lacking_in(category, missing) if category is not None else ():
            says = Text(_IN_CATEGORY.template, permission=NAMES[name], category=str(category))
            yield Lack(says, self._is_needed(guild, name))

    def _lacks_in_channels(self, guild: discord.Guild) -> Iterator[Lack]:
        """Yield the rights that single channels deny beyond the server and the category."""
        category, missing = self._category(guild), set(_lacking(guild.me.guild_permissions))
        if category is not None:
            missing |= set(_lacking_in(category, missing))
        for channel in self._channels(guild):
            is_thread = isinstance(channel, discord.Thread)
            # A channel gives access to its threads too.
            other = "send_messages" if is_thread else "send_messages_in_threads"
            where = mention_channel(channel.parent_id if is_thread else channel.id)
            for name in _lacking_in(channel, missing | {"manage_channels", other}):
                says = Text(_IN_CHANNEL.template, permission=NAMES[name], channel=where)
                yield Lack(says, name in NEEDED_FOR_TABLES or is_thread)

    def _is_needed(self, guild: discord.Guild, name: str) -> bool:
        """Return whether a right is needed; managing channels only while some must be created."""
        return name in NEEDED_FOR_TABLES or (name == "manage_channels" and bool(self._to_make(guild)))

    def _to_make(self, guild: discord.Guild) -> list[str]:
        games = self.setting_up.wishes(community_of(guild.id)).games
        return [what for what in (*games, CASHIER, JACKPOT) if self._channel(guild, what) is None]

    async def _make_channels(self, guild: discord.Guild, who: Who, key: str) -> list[Text]:
        """Create the chosen channels and tables; return the refusals."""
        refused = []
        language, community = _language(guild), community_of(guild.id)
        category = self._category(guild)
        if category is None and self._to_make(guild):
            category = await guild.create_category(CATEGORY)
        is_new = self._channel(guild, CASHIER) is None
        found = {}
        for what in (*self.setting_up.wishes(community).games, CASHIER, JACKPOT):
            channel = self._channel(guild, what)
            if channel is None:
                topic = say(_TOPICS.get(what) or GAME_TEXTS[what].summary, language)[:LONGEST_TOPIC]
                name = _name_of(what, language)
                channel = await guild.create_text_channel(name, category=category, topic=topic)
            found[what] = channel
        await self._note_channels(guild, {what: channel.id for what, channel in found.items()})
        for what, channel in found.items():
            if what == CASHIER and is_new and isinstance(channel, discord.TextChannel):
                view = answer_view(_AT_THE_CASHIER, language, code_rows(_CASHIERS_BUTTONS, language))
                await channel.send(view=view, nonce=self.context.contest.new_nonce())
            elif what == JACKPOT and not self.boards.has_board(guild.id):
                self.boards.add_board(guild.id, channel.id, language)
            elif what not in _NAMES and self._table_channel(guild, what) is None:
                if set(_lacking_in(channel, set())) & NEEDED_FOR_TABLES:
                    continue  # listed among the missing rights
                await self.answers.enter(channel.id, guild.id)
                answer = await self.setting_up.open_table(community, str(channel.id), what, who, key)
                if answer.refused:
                    refused.append(Text("{name}: {what}", name=title_of(what), what=answer.texts[0]))
        return refused

    async def _note_channels(self, guild: discord.Guild, ids: dict[str, int]) -> None:
        """Note the ids of the channels, which find them after renaming, moving, or an absence of the bot."""
        known = self._noted(guild)
        if {**known, **ids} != known:
            await self.context.tend("note", "", _note(guild), json.dumps({**known, **ids}))

    def _noted(self, guild: discord.Guild) -> dict[str, int]:
        return next((value for rest, value in self.context.noted(_note(guild)) if not rest), None) or {}

    def _category(self, guild: discord.Guild) -> discord.CategoryChannel | None:
        return discord.utils.get(guild.categories, name=CATEGORY)

    def _channel(self, guild: discord.Guild, what: str) -> Any:
        """Return the channel of a game, the cashier or the jackpot: its table's, else the one created for it, else
        None.
        """
        if (there := self._table_channel(guild, what)) is not None:
            return there
        noted = guild.get_channel(self._noted(guild).get(what, 0))
        if noted is not None:
            return noted
        category = self._category(guild)
        names = {_name_of(what, language) for language in ("en", _language(guild))}
        found = (one for one in (category.text_channels if category is not None else ()) if one.name in names)
        return next(found, None)

    def _table_channel(self, guild: discord.Guild, game: str) -> Any:
        addresses = [one for one, table in self.setting_up.tables(community_of(guild.id)) if table.game == game]
        channels = (guild.get_channel_or_thread(int(address)) for address in addresses)
        return next((channel for channel in channels if channel is not None), None)

    def _channels(self, guild: discord.Guild) -> list[Any]:
        """Return the channels with tables, and the created ones that are wanted."""
        tables = (
            guild.get_channel_or_thread(int(one)) for one, _table in self.setting_up.tables(community_of(guild.id))
        )
        wished = (*self.setting_up.wishes(community_of(guild.id)).games, CASHIER, JACKPOT)
        made = (self._channel(guild, what) for what in wished)
        return list(dict.fromkeys(one for one in (*tables, *made) if one is not None))

    def _where(self, guild: discord.Guild) -> list[Text]:
        tables = [(address, table) for address, table in self.setting_up.tables(community_of(guild.id))]
        return [
            Text("{game}: {channel}", game=title_of(table.game), channel=mention_channel(int(address)))
            for address, table in sorted(tables, key=lambda one: one[1].number)
        ]

    def _role_of(self, guild: discord.Guild) -> str:
        row = self.context.row_at(community_of(guild.id))
        return (
            self.context.state.casinos[founding_casino_of(row)].state.roles.get(PLATFORM, "") if row is not None else ""
        )


_FOR_MANAGERS = Text("Only server managers can set up Ridotto: ask one of them to press Set up.")
_MEANWHILE = Text("Open tables:")
_DONE = Text("Done")
_IS_DONE = Text("Ridotto is set up. Change it any time with /setup.")
_IN_SERVER = Text(
    "I'm missing {permission} on this server. Allow it under Server Settings > Roles > Ridotto > Permissions."
)
_IN_CATEGORY = Text("I'm missing {permission} in the category {category}. Allow it under Edit Category > Permissions.")
_IN_CHANNEL = Text("I'm missing {permission} in {channel}. Allow it for Ridotto under Edit Channel > Permissions.")
_REFUSES = Text("Discord says: {words}. Check Ridotto's permissions, then try again.")


def _note(guild: discord.Guild) -> str:
    return f"channels:{guild.id}"


def _language(guild: discord.Guild) -> str:
    return language_of(str(guild.preferred_locale))


def _name_of(what: str, language: str) -> str:
    return say(_NAMES[what], language) if what in _NAMES else GAME_TEXTS[what].channel


def _lacking_in(channel: Any, known: set[str]) -> list[str]:
    """Return the rights denied in a channel that are not missing anyway."""
    return [name for name in _lacking(channel.permissions_for(channel.guild.me)) if name not in known]


def _lacking(permissions: discord.Permissions) -> list[str]:
    """Return the missing rights; only the right to view, if it is missing, because the others depend on it."""
    missing = [name for name in NAMES if not getattr(permissions, name)]
    return missing[:1] if "view_channel" in missing else missing


def panel_rows(panel: SetupPanel, language: str, role: str) -> list[Part]:
    """Return a select for each choice, and one for the inspectors' role."""
    made = []
    for field in panel.fields:
        choices = [(say(one.label, language), one.value, one.is_chosen) for one in field.options]
        code = write_press(Press("setup", field.name))
        asks = say(field.asks, language)
        made += [
            components.heading(asks),
            components.row(components.many(asks, code, choices, is_one=not field.several)),
        ]
    asks = say(_ROLE, language)
    made += [components.heading(asks), components.row(components.roles(asks, write_press(Press("setup", ROLE)), role))]
    label, press, style = (_DONE, Press("setup", DONE), GREEN) if panel.is_whole else (TRY_AGAIN, Press("setup"), BLUE)
    more = components.button(say(MORE_SETTINGS, language), write_press(Press("admin", SETTINGS)))
    return [
        *made,
        components.row(more),
        components.row(components.button(say(label, language), write_press(press), style)),
    ]


def setup_command(setup: DiscordSetup) -> app_commands.Command[Any, ..., None]:
    """Return the command `/setup`, which has a role as option."""
    help = Text("Set up Ridotto: permissions, language, games, pace, inspectors")

    async def callback(interaction: Interaction, inspectors: discord.Role | None = None) -> None:
        await guarded(setup.answers, interaction, lambda: setup.run(interaction, Press("setup"), inspectors))

    callback.__annotations__["interaction"] = discord.Interaction
    app_commands.describe(inspectors=app_commands.locale_str(str(_ROLE), text=_ROLE))(callback)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=app_commands.locale_str("setup"),
        description=app_commands.locale_str(str(help), text=help),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )
    command.default_permissions = INSPECTS
    return command
