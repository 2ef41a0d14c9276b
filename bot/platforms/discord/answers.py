"""The path of a command: from the click to the writer and to one private answer within three seconds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import discord

from bot.core.admin.settings import SETTINGS
from bot.core.casinos.places import PRIVATE, find_stranded, founding_casino_of, is_lost
from bot.core.command_list import CHAT_COMMANDS, has_flag
from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.first_hand import Lesson
from bot.core.commands.registry import CommandFlag
from bot.core.guide.verdicts import bytes_of
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.platforms.common.admin import with_settings
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import language_of
from bot.platforms.common.press import Press
from bot.platforms.common.questions import Questions
from bot.platforms.common.recent import Recent
from bot.platforms.common.sentences import CLOSING, DONE, FAST, GONE, NOTHING_DONE, OLD_QUESTION
from bot.platforms.common.shared_posts import NOT_YOURS
from bot.platforms.discord.boards import JackpotBoards
from bot.platforms.discord.codes import read_press
from bot.platforms.discord.components import NOBODY, Part
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import DiscordContext, community_of, guild_here
from bot.platforms.discord.drawing import PICTURE, answer_view, choice_rows, lesson_view, question_rows
from bot.platforms.discord.invites import say_way_in
from bot.platforms.discord.panels import Panels, soon
from bot.platforms.discord.permissions import can_post, hindrance
from bot.platforms.discord.replies import Interaction, Replies
from bot.platforms.discord.shared_posts import DiscordSharedPosts
from bot.platforms.discord.tables import DiscordTables
from bot.platforms.discord.trouble import TROUBLE
from bot.platforms.discord.turn_mentions import DiscordTurnMentions
from bot.texts import Text
from bot.view.describe import describe
from bot.view.lessons import lesson_screen, title_of_lesson

# Discord drops an interaction without an answer after three seconds; slower ones are deferred first.
PATIENCE_S = 1.5
AT_ONCE, A_SECOND = 10, 2.0
MOST_TOLD = 10_000
NOT_SHOWN = Text("Discord won't let me post the table here. Try again in 15 seconds.")
_log = logging.getLogger("ridotto.discord")
SETTINGS_IN_HELP = Text("They can find the settings under /help.")


class Answers:
    """The way from an interaction to the writer and back: who acts, whether they may now, their private answer."""

    def __init__(
        self,
        context: DiscordContext,
        tables: DiscordTables,
        turn_mentions: DiscordTurnMentions,
        panels: Panels,
        boards: JackpotBoards,
        shared_posts: DiscordSharedPosts,
    ) -> None:
        self.shared_posts = shared_posts
        self.context, self.tables, self.turn_mentions, self.panels, self.boards = (
            context,
            tables,
            turn_mentions,
            panels,
            boards,
        )
        self.replies = Replies(context.connectivity, context.contest)
        self._is_closing = False
        self._questions = Questions()
        self.allowance = Allowance(AT_ONCE, A_SECOND, context.writer.monotonic)
        # Handler of the greeting's button and of the panel of /setup, set by the part that knows the channels.
        self.set_up: Callable[[Interaction, Press], Awaitable[None]]
        # The same for the settings and their buttons.
        self.turn_settings: Callable[[Interaction, Press], Awaitable[None]]
        # People who were told that they press too fast.
        self._told: Recent[int, None] = Recent(MOST_TOLD)

    def close(self) -> None:
        """Accept nothing new."""
        self._is_closing = True

    @property
    def state(self) -> State:
        return self.context.state

    async def handle_press(self, interaction: Interaction, press: Press, people: tuple[Who, ...] = ()) -> None:
        """Handle a command. `press.table`: the table of its button; typed commands are for the table of the channel.
        `people` were picked in it.
        """
        if press.verb == SETTINGS:
            await self.turn_settings(interaction, press)
            return
        if not await self.admit(interaction):
            return
        if hindered := self._hindrance(interaction, press.verb):
            await self.send_texts(interaction, *hindered)
            return
        if has_flag(press.verb, CommandFlag.OPENS) and (guild := guild_here(interaction)) is not None:
            await self.enter(interaction.channel_id or 0, guild)
        place = self.place_of(interaction)
        row = self.context.row_at(place.address)
        if press.table and (row is None or row.table_id != press.table):
            await self.send_texts(interaction, GONE)
            self.context.spawn(self._fold(interaction))
            return
        who = self.who_of(interaction, place)
        command = Command(_key(interaction), who, place, press.verb, press.args, press.fresh, people=people)
        await self._submit(interaction, command)

    async def _fold(self, interaction: Interaction) -> None:
        """Replace an old table message, from before the bot was removed, by a line without buttons."""
        message = interaction.message
        if message is None or message.flags.ephemeral:
            return
        view = answer_view([GONE], _language(interaction.guild_locale))
        with suppress(*TROUBLE):
            await message.edit(view=view, attachments=[], allowed_mentions=NOBODY)

    async def enter(self, channel: int, guild: int) -> None:
        """Make a channel in which a table is about to be opened a place of the server's casino."""
        await self.context.tend("enter", str(channel), community_of(guild))

    async def _submit(self, interaction: Interaction, command: Command) -> None:
        answer = await say_way_in(self.context, interaction, command, await self._await_answer(interaction, command))
        table = self._table_of(command, interaction)
        if (
            answer.refused
            and table is not None
            and is_lost(table)
            and table.round.hand is None
            and _is_play(command.verb)
        ):
            # It was lost meanwhile; the refusal would speak of a table that an inspector paused.
            answer = answer._replace(texts=(NOT_SHOWN,))
        if answer.confirm:
            key = str(interaction.id)
            self._questions.ask(key, command._replace(confirmed=answer.confirm))
            await self.send_texts(interaction, *answer.texts, rows=question_rows(key, self.language(interaction)))
            return
        if has_flag(command.verb, CommandFlag.OPENS) and table is not None:
            self.context.notify_subscribers({table.id})
        if command.verb.startswith("meter ") and (row := self.context.row_at(command.place.address)) is not None:
            self.boards.look_at(row.casino)
        if has_flag(command.verb, CommandFlag.BRINGS) and not answer.refused:
            message = self.tables.message(interaction.channel_id or 0)
            if message is not None:
                message.call()
            await self.send_texts(interaction, *answer.said)
            return
        if command.verb == "inspector add" and not answer.refused:
            answer = answer._replace(texts=(*answer.texts, SETTINGS_IN_HELP))
        if guild_here(interaction) is not None:
            # Discord lists inspectors' commands only for people who manage the server.
            answer = with_settings(command.verb, answer)
        await self._show_answer(interaction, command, answer)

    async def confirm(self, interaction: Interaction, question: str) -> None:
        """Submit the command of a question that was answered with yes."""
        command = self._questions.confirm(question, str(interaction.user.id), _key(interaction))
        if command is None:
            await self._say_old_question(interaction)
        else:
            await self._submit(interaction, command._replace(who=self.who_of(interaction, command.place)))

    async def decline(self, interaction: Interaction, question: str) -> None:
        if self._questions.decline(question, str(interaction.user.id)):
            await self.send_texts(interaction, NOTHING_DONE)
        else:
            await self._say_old_question(interaction)

    async def _say_old_question(self, interaction: Interaction) -> None:
        """Say that a question has expired, in a new message: the answer to an earlier press may still replace this
        one.
        """
        await self.replies.to(interaction).send(answer_view([OLD_QUESTION], self.language(interaction)))

    async def admit(self, interaction: Interaction) -> bool:
        """Return whether to handle an interaction: in time, known server, reachable place, not too fast.

        Someone who presses too fast is told so once.
        """
        self.replies.number_press(interaction)
        if self.context.connectivity.is_stale(interaction.id):
            # Discord has told the person that the bot did not respond; they have pressed again if they still want it.
            _log.info("a press came too late, with a line that was lost")
            return False
        if self._is_closing:
            await self.send_texts(interaction, CLOSING)
            return False
        guild = guild_here(interaction)
        if guild is not None and self.context.row_at(community_of(guild)) is None:
            name = interaction.guild.name if interaction.guild else "?"
            await self.context.tend("arrive", community_of(guild), name, _language(interaction.guild_locale))
        await self._wake(interaction)
        return await self._is_slow_enough(interaction)

    async def _is_slow_enough(self, interaction: Interaction) -> bool:
        user = interaction.user.id
        if self.allowance.spend(user):
            self._told.pop(user, None)
            return True
        if user in self._told and interaction.type is discord.InteractionType.component:
            await interaction.response.defer()
        else:
            self._told[user] = None
            await self.send_texts(interaction, FAST)
        return False

    def _hindrance(self, interaction: Interaction, verb: str) -> tuple[Text, ...]:
        """Return why there can be no table here, for a command that needs one. A dealt hand goes on in private
        (G10).
        """
        table = self.context.table_at(str(interaction.channel_id))
        bets = table is not None and table.round.hand is None and _is_play(verb)
        if guild_here(interaction) is None or not (has_flag(verb, CommandFlag.SHOWS | CommandFlag.POSTS) or bets):
            return ()
        if hindered := hindrance(interaction.app_permissions, interaction.channel):
            return () if table is not None and bets and self._stands_elsewhere(table, interaction) else hindered
        return (NOT_SHOWN,) if table is not None and bets and is_lost(table) else ()

    def _stands_elsewhere(self, table: Table, interaction: Interaction) -> bool:
        return any(address != str(interaction.channel_id) for address in self.context.addresses_of(table.id))

    async def _wake(self, interaction: Interaction) -> None:
        """Restore a lost table if an interaction shows that it can be posted again."""
        message = self.tables.message(interaction.channel_id or 0)
        table = self.state.table(message.table) if message is not None else None
        if message is None or table is None or not is_lost(table):
            return
        if can_post(interaction.app_permissions, interaction.channel) and message.may_wake():
            await self.context.tend("regain", str(message.channel))

    def place_of(self, interaction: Interaction) -> Place:
        """Return the channel of a table, else the whole server; in a direct message the private place."""
        guild = guild_here(interaction)
        if guild is None:
            return Place(PLATFORM, PRIVATE)
        here = str(interaction.channel_id)
        is_known = self.context.row_at(here) is not None
        return self.context.place(here if is_known else community_of(guild))

    def who_of(self, interaction: Interaction, place: Place) -> Who:
        user = interaction.user
        guild = guild_here(interaction)
        inspects = guild is not None and (interaction.permissions.manage_guild or self._has_role(interaction, place))
        own, here = user.global_name or user.name, user.display_name if guild is not None else None
        return Who(PLATFORM, str(user.id), own, _language(interaction.locale), inspects, here)

    def vouch_for(self, member: discord.Member) -> Who:
        """Return the identity of a member who was picked from the server's list. A bot has no account."""
        account = "" if member.bot else str(member.id)
        language = _language(member.guild.preferred_locale)
        return Who(PLATFORM, account, member.global_name or member.name, language, here=member.display_name)

    def _has_role(self, interaction: Interaction, place: Place) -> bool:
        row = self.context.row_at(place.address)
        role = self.state.casinos[founding_casino_of(row)].state.roles.get(PLATFORM) if row is not None else None
        return isinstance(interaction.user, discord.Member) and any(str(r.id) == role for r in interaction.user.roles)

    def player_of(self, interaction: Interaction) -> int | None:
        return self.context.player_of(interaction.user.id)

    def language(self, interaction: Interaction) -> str:
        """Return the language that the person chose; before their first command, that of their client."""
        return self.context.language_of(interaction.user.id, str(interaction.locale))

    async def _await_answer(self, interaction: Interaction, command: Command) -> Answer:
        """Return the writer's answer; while it is busy, ask Discord to wait."""
        answer = asyncio.ensure_future(self.context.submit(command))
        done, _waiting = await asyncio.wait((answer,), timeout=PATIENCE_S)
        if not done:
            in_place = is_private_press(interaction) and _is_play(command.verb)
            await self.replies.to(interaction, in_place=in_place).put_off()
        return await answer

    async def _show_answer(self, interaction: Interaction, command: Command, answer: Answer) -> None:
        if answer.lesson is not None:
            await self._show_lesson(interaction, answer.lesson)
            return
        if answer.shared_post is not None:
            await self._show_everybody(interaction, answer)
            return
        player, table = self.player_of(interaction), self._table_of(command, interaction)
        if player is not None and table is not None:
            self.turn_mentions.meet(table.id, player, interaction.channel_id)
        language = self.language(interaction)
        if player is None or table is None or not _is_play(command.verb) or answer.choices:
            await self.send_texts(
                interaction, *answer.said, rows=choice_rows(answer.choices, language), file=answer.file
            )
            return
        # The panel shows the cards itself, and what may be done with them.
        said = () if command.verb == "cards" and not answer.refused else answer.said
        reply = self.replies.to(interaction, in_place=is_private_press(interaction))
        await self.panels.answer(reply, table, player, language, said)

    async def _show_lesson(self, interaction: Interaction, lesson: Lesson) -> None:
        """Show a practice hand as it is; in place if it was pressed in a private answer."""
        shown = lesson_screen(lesson, self.state.books)
        language, paint = self.language(interaction), self.tables.paint
        picture = await soon(asyncio.ensure_future(paint(shown, language))) if paint is not None else None
        view = lesson_view(
            title_of_lesson(lesson), shown, language, describe(shown, language) if picture is not None else ""
        )
        files = [discord.File(BytesIO(picture), PICTURE)] if picture is not None else []
        in_place = is_private_press(interaction) and not self._is_followed(interaction)
        await self.replies.to(interaction, in_place=in_place).send(view, files)

    async def _show_everybody(self, interaction: Interaction, answer: Answer) -> None:
        """Show an answer in the channel, in the language of its table or server; in a direct message, to its one
        person.
        """
        channel = interaction.channel_id
        if guild_here(interaction) is None or channel is None:
            view, files = await self.shared_posts.made(answer, self.language(interaction))
            await self.replies.to(interaction).send(view, files)
            return
        table = self.context.table_at(str(channel))
        language = table.settings.language if table is not None else _language(interaction.guild_locale)
        await self.send_texts(interaction, await self.shared_posts.post(channel, interaction.user.id, answer, language))

    async def remove_post(self, interaction: Interaction, account: str) -> None:
        """Remove a shared post, for its sender and for inspectors."""
        channel, message, guild = interaction.channel_id, interaction.message, interaction.guild_id
        if not await self.admit(interaction) or channel is None or message is None or guild is None:
            return
        who = self.who_of(interaction, self.context.place(community_of(guild)))
        is_theirs = who.account == account or who.inspector
        await self.send_texts(
            interaction, await self.shared_posts.remove(channel, message.id) if is_theirs else NOT_YOURS
        )

    def _table_of(self, command: Command, interaction: Interaction) -> Table | None:
        """Return the table after the command; in a direct message, a table that lost its place."""
        if command.place.address == PRIVATE:
            return self.state.table(find_stranded(self.state, self.player_of(interaction)) or 0)
        return self.context.table_at(command.place.address)

    async def send_texts(
        self,
        interaction: Interaction,
        *texts: Text,
        rows: Sequence[Part] = (),
        file: tuple[str, str] | None = None,
    ) -> None:
        """Send a private answer of one or two lines."""
        view = answer_view(texts or (DONE,), self.language(interaction), rows, file[0] if file else "")
        files = [discord.File(BytesIO(bytes_of(file)), file[0])] if file else []
        pressed = read_press(_custom_id(interaction))
        is_question = pressed is not None and pressed.kind in ("yes", "no", "turn")
        in_place = is_question and not file and not self._is_followed(interaction)
        await self.replies.to(interaction, in_place=in_place).send(view, files)

    def _is_followed(self, interaction: Interaction) -> bool:
        """Return whether the pressed message is the player's panel, which will show the outcome."""
        table, player = self.context.table_at(str(interaction.channel_id)), self.player_of(interaction)
        panel = self.panels.at(table.id).get(player) if table is not None and player is not None else None
        return panel is not None and interaction.message is not None and panel.message == interaction.message.id


def _key(interaction: Interaction) -> str:
    return f"{PLATFORM}:{interaction.id}"


def _language(locale: discord.Locale | None) -> str:
    return language_of(str(locale or ""))


def _custom_id(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def is_private_press(interaction: Interaction) -> bool:
    """Return whether the pressed message is a private answer."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _is_play(verb: str) -> bool:
    known = CHAT_COMMANDS.get(verb)
    return known is not None and known.group == "play"
