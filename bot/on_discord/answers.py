"""A command from the click to the answer: who asks, from where, the pit, one private answer within three seconds."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Any

import discord

from bot.counters import PLATFORMS
from bot.floor.command import Answer, Command, Place, Who
from bot.floor.house import House
from bot.floor.places import PRIVATE, is_lost, keeper_of
from bot.floor.registry import VERBS
from bot.floor.table import Table, owners_of
from bot.on_discord.boards import Boards
from bot.on_discord.components import Part, View
from bot.on_discord.drawing import answer_view, question_rows
from bot.on_discord.line import PLATFORM
from bot.on_discord.newest import TROUBLE, later
from bot.on_discord.panels import Interaction, Panels, clear_away, panel_with, soon
from bot.on_discord.tables import Tables
from bot.pit import Pit
from bot.texts import LANGUAGES, Text

# Discord forgets an interaction that nobody answers within three seconds; what takes longer is put off first.
PATIENCE_S = 1.5
# These make a channel a place of the casino.
OPENING = ("table open", "table mirror")
AT_ONCE, A_SECOND = 10, 2.0
QUESTIONS_KEPT = 1000
# Discord's codes: the three seconds are over; the answer is there already.
TOO_LATE, ANSWERED = 10062, 40060
FAST = Text("That was a little fast: take a breath, then press again.")
CLOSING = Text("The house closes for a moment: your hand and your chips wait for you.")
OLD_QUESTION = Text("That question is old: ask again.")
DONE = Text("Done.")
NOTHING_DONE = Text("Nothing was done.")
_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.discord")


@cache
def language_of(locale: discord.Locale | None) -> str:
    short = str(locale).partition("-")[0] if locale is not None else "en"
    return short if short in LANGUAGES else "en"


async def enter(tables: Tables, channel: int, guild: int) -> Place:
    """A channel in which a table is about to be opened becomes a place of the server's casino."""
    place = Place(PLATFORM, str(channel))
    await tables.tend(place, "enter", community_of(guild).address)
    return place


def community_of(guild: int) -> Place:
    return Place(PLATFORM, f"guild:{guild}")


class Answers:
    def __init__(self, pit: Pit, tables: Tables, panels: Panels, boards: Boards) -> None:
        self.pit, self.tables, self.panels, self.boards = pit, tables, panels, boards
        self._is_closing = False
        self._questions: OrderedDict[str, Command] = OrderedDict()
        self._allowance: OrderedDict[int, tuple[float, float]] = OrderedDict()
        self._told: set[int] = set()

    def close(self) -> None:
        """Nothing new is begun."""
        self._is_closing = True

    @property
    def house(self) -> House:
        return self.pit.floor.house

    # From the click

    async def take(
        self, interaction: Interaction, verb: str, args: tuple[str, ...] = (), *, fresh: str = "", table: int = 0
    ) -> None:
        """`table`: the one that a button was made for; commands are for the table where they are typed."""
        if not await self.admit(interaction):
            return
        place = self.place_of(interaction)
        if verb in OPENING and interaction.guild_id is not None and interaction.channel_id is not None:
            place = await enter(self.tables, interaction.channel_id, interaction.guild_id)
        row = self.house.place(*place)
        if table and (row is None or row.table_id != table):
            await self.say(interaction, Text("That table is not here any more."))
            return
        command = Command(f"{PLATFORM}:{interaction.id}", self.who_of(interaction, place), place, verb, args, fresh)
        await self.submit(interaction, command)

    async def wait_for(self, command: Command) -> Answer:
        """Where nobody's three seconds are running."""
        return await asyncio.wrap_future(self.pit.submit(command))

    async def submit(self, interaction: Interaction, command: Command) -> None:
        answer = await self._ask(interaction, command)
        if answer.confirm:
            self._questions[str(interaction.id)] = command
            if len(self._questions) > QUESTIONS_KEPT:
                self._questions.popitem(last=False)
            rows = question_rows(str(interaction.id), self.language(interaction))
            await self.say(interaction, *answer.texts, rows=rows)
            return
        if command.verb in OPENING and (table := self._table_of(command, interaction)) is not None:
            self.tables.mark({table.id})
        if command.verb.startswith("meter ") and (row := self.house.place(*command.place)) is not None:
            self.boards.look_at(row.casino)
        await self._show(interaction, command, answer)

    async def confirm(self, interaction: Interaction, key: str) -> None:
        """He was asked once more and said yes."""
        command = self._questions.pop(key, None)
        if command is None or command.who.account != str(interaction.user.id):
            await self.say(interaction, OLD_QUESTION)
            return
        again = command._replace(key=f"{PLATFORM}:{interaction.id}", confirmed=True)
        await self.submit(interaction, again._replace(who=self.who_of(interaction, command.place)))

    async def decline(self, interaction: Interaction, key: str) -> None:
        self._questions.pop(key, None)
        await self.say(interaction, NOTHING_DONE)

    async def admit(self, interaction: Interaction) -> bool:
        """In time, known server, reachable place, not too fast: who is too fast is told so once, politely."""
        if self.tables.line.is_stale(interaction.id):
            # Discord has told him that nobody answered; what he still wants he has pressed again.
            _log.info("a press came too late, with a line that was lost")
            return False
        if self._is_closing:
            await self.say(interaction, CLOSING)
            return False
        guild = interaction.guild_id
        if guild is not None and self.house.place(*community_of(guild)) is None:
            name = interaction.guild.name if interaction.guild else "?"
            await self.tables.tend(community_of(guild), "arrive", name, language_of(interaction.guild_locale))
        self._look_at_place(interaction)
        user = interaction.user.id
        if self._may(user):
            self._told.discard(user)
            return True
        if user in self._told and interaction.type is discord.InteractionType.component:
            await interaction.response.defer()
        else:
            self._told.add(user)
            await self.say(interaction, FAST)
        return False

    def _may(self, user: int) -> bool:
        now = self.pit.clock()
        left, since = self._allowance.pop(user, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - since) * A_SECOND)
        self._allowance[user] = (left - 1 if left >= 1 else left, now)
        if len(self._allowance) > 10_000:
            self._allowance.popitem(last=False)
        return left >= 1

    def _look_at_place(self, interaction: Interaction) -> None:
        """What an interaction tells by the way: that a lost place is back."""
        message = self.tables.message(interaction.channel_id or 0)
        table = self.house.table(message.table) if message is not None else None
        if message is None or table is None:
            return
        if is_lost(table) and can_post(interaction.app_permissions, interaction.channel):
            message.newest.mark()

    def place_of(self, interaction: Interaction) -> Place:
        """The channel where there is a table, else the whole server; a direct message is nobody's place."""
        if interaction.guild_id is None:
            return Place(PLATFORM, PRIVATE)
        here = Place(PLATFORM, str(interaction.channel_id))
        return here if self.house.place(*here) is not None else community_of(interaction.guild_id)

    def who_of(self, interaction: Interaction, place: Place) -> Who:
        user = interaction.user
        inspects = interaction.guild_id is not None and (
            interaction.permissions.manage_guild or self._has_role(interaction, place)
        )
        return Who(PLATFORM, str(user.id), user.display_name, language_of(interaction.locale), inspects)

    def _has_role(self, interaction: Interaction, place: Place) -> bool:
        row = self.house.place(*place)
        role = self.house.casino(keeper_of(row)).get("roles", {}).get(PLATFORM) if row is not None else None
        return isinstance(interaction.user, discord.Member) and any(str(r.id) == role for r in interaction.user.roles)

    def player_of(self, interaction: Interaction) -> int | None:
        return self.house.identities.get((PLATFORM, str(interaction.user.id)))

    def language(self, interaction: Interaction) -> str:
        """The one he chose; before we know him, that of his client."""
        player = self.house.players.get(self.player_of(interaction) or 0)
        return player.language if player is not None else language_of(interaction.locale)

    async def _ask(self, interaction: Interaction, command: Command) -> Answer:
        """The floor's answer; when the pit is busy, Discord is told first to wait."""
        answer = asyncio.wrap_future(self.pit.submit(command))
        done, _waiting = await asyncio.wait((answer,), timeout=PATIENCE_S)
        if not done:
            await self._put_off(interaction, command)
        return await answer

    async def _put_off(self, interaction: Interaction, command: Command) -> None:
        try:
            if _is_private_press(interaction) and _is_of_the_table(command):
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
        except TROUBLE as fault:
            _log.warning("too late to ask for patience: %s", fault)

    # To the answer

    async def _show(self, interaction: Interaction, command: Command, answer: Answer) -> None:
        player, table = self.player_of(interaction), self._table_of(command, interaction)
        if player is not None:
            self.tables.nudges.meet(player, interaction.user.id, interaction.channel_id)
        language = self.language(interaction)
        if player is None or table is None or not _is_of_the_table(command):
            await self.say(interaction, *answer.texts, file=answer.file)
            return
        # The panel shows the cards itself, and what may be done with them.
        said = () if command.verb == "cards" and not answer.refused else answer.texts
        shown = self.panels.screen(table, player)
        drawing = self.panels.draw(shown, language)
        replaces = _is_private_press(interaction)
        view, files = panel_with(shown, said, language, await soon(drawing))
        if not await self._send(interaction, view, in_place=replaces, files=files):
            return
        before = self.panels.keep(interaction, shown, said, player, language, drawing)
        if before is not None and not replaces:
            later(clear_away(before))

    def _table_of(self, command: Command, interaction: Interaction) -> Table | None:
        """The table after the command; in a direct message, one that waits for its place."""
        if command.place.address == PRIVATE:
            player = self.player_of(interaction)
            lost = (table for table in list(self.house.tables.values()) if is_lost(table))
            return next((table for table in lost if player in _owners(table)), None)
        row = self.house.place(*command.place)
        return self.house.table(row.table_id) if row is not None and row.table_id else None

    async def say(
        self,
        interaction: Interaction,
        *texts: Text,
        rows: Sequence[Part] = (),
        file: tuple[str, str] | None = None,
    ) -> None:
        """A private line or two, seen by nobody else."""
        view = answer_view(texts or (DONE,), self.language(interaction), rows, file[0] if file else "")
        files = [discord.File(BytesIO(file[1].encode()), file[0])] if file else []
        is_question = _custom_id(interaction)[:2] in ("y:", "n:")
        await self._send(interaction, view, in_place=is_question and not file, files=files)

    async def _send(
        self, interaction: Interaction, view: View, *, in_place: bool, files: Sequence[discord.File] = ()
    ) -> bool:
        """The first answer wherever there is one still; `in_place` puts it where the pressed button was."""
        try:
            with self.tables.line.watching():
                if interaction.response.is_done():
                    await interaction.edit_original_response(view=view, attachments=files)
                elif in_place:
                    await interaction.response.edit_message(view=view, attachments=files)
                else:
                    await interaction.response.send_message(view=view, files=files, ephemeral=True)
        except TROUBLE as fault:
            return self._fail(fault)
        _tally.sent += 1
        return True

    def _fail(self, fault: BaseException) -> bool:
        """What was done is done and stands at the table; only this answer did not get through, if it did not."""
        code = getattr(fault, "code", 0)
        if code == ANSWERED:
            return True
        _tally.failed += 1
        _log.log(logging.INFO if code == TOO_LATE else logging.WARNING, "an answer was not taken: %s", fault)
        return False


def can_post(permissions: discord.Permissions, channel: Any) -> bool:
    in_thread = isinstance(channel, discord.Thread)
    speaks = permissions.send_messages_in_threads if in_thread else permissions.send_messages
    return permissions.view_channel and speaks


def _custom_id(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def _owners(table: Table) -> set[int]:
    """Who is in the hand that lies there, or was in the last one."""
    hand = table.play or table.last
    return set(owners_of(hand).values()) if hand is not None else set()


def _is_private_press(interaction: Interaction) -> bool:
    """Pressed in an answer that only he sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _is_of_the_table(command: Command) -> bool:
    known = VERBS.get(command.verb)
    return known is not None and known.group == "play"
