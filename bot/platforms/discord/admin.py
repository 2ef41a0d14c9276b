"""The settings of a server: one private message, edited in place, for inspectors at the time of each press."""

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.core.admin.settings import SETTINGS, asks_of, page_after
from bot.core.casinos.places import founding_casino_of
from bot.core.command_list import has_flag
from bot.core.commands.command import Command, Where
from bot.core.commands.registry import CommandFlag
from bot.core.guide.verdicts import bytes_of
from bot.platforms.common.admin import SettingsPage, press_in_settings, turn_page
from bot.platforms.common.press import Press
from bot.platforms.common.questions import Questions
from bot.platforms.common.sentences import FOR_INSPECTORS, GONE, NO, NOTHING_DONE, OLD_QUESTION, YES
from bot.platforms.discord import components
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.codes import write_press
from bot.platforms.discord.components import Part
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import community_of
from bot.platforms.discord.drawing import MOST_BUTTONS, answer_view
from bot.platforms.discord.presses import LONGEST_DESCRIPTION, LONGEST_LABEL, MODAL_LASTS_S, TYPED, words_typed
from bot.platforms.discord.replies import Interaction
from bot.texts import Text, say

_YOUR_ANSWER = Text("Your answer")
_SET_UP = Text("Languages, games, pace »")
_YES, _NO, _TYPED_KIND = "yes", "no", "admin"
LONGEST_ANSWER = 200


class DiscordAdmin:
    """The settings panel. Each press carries the rights of the person, so they are checked every time."""

    def __init__(self, answers: Answers) -> None:
        self.answers, self.context = answers, answers.context
        self._questions = Questions()
        answers.turn_settings = self.press

    async def press(self, interaction: Interaction, press: Press) -> None:
        """Handle a button of the settings, `/settings`, or text typed for a button."""
        if not await self.answers.admit(interaction):
            return
        guild = interaction.guild_id
        if guild is None or not self._inspects(interaction, guild):
            await self.answers.send_texts(interaction, FOR_INSPECTORS)
            return
        if press.kind == "fill" and not _is_submitted(interaction):
            await self._open_modal(interaction, press)
            return
        if press.kind == "fill":
            press = press._replace(kind=_TYPED_KIND, args=(*press.args, *words_typed(interaction)))
        in_place = interaction.message is not None and interaction.message.flags.ephemeral
        reply, pages = self.answers.replies.to(interaction, in_place=in_place), list[SettingsPage]()

        async def make_page() -> None:
            pages.append(await self._make_page(interaction, guild, press))

        await reply.wait_for(make_page())
        page, language = pages[0], self.answers.language(interaction)
        name = page.file[0] if page.file is not None else ""
        files = [discord.File(BytesIO(bytes_of(page.file)), name)] if page.file is not None else []
        await reply.send(answer_view(page.lines, language, self._rows(interaction, page), name), files)

    def _inspects(self, interaction: Interaction, guild: int) -> bool:
        place = self.context.place(community_of(guild))
        if self.answers.who_of(interaction, place).inspector:
            return True
        row, player = self.context.row_at(place.address), self.answers.player_of(interaction)
        return row is not None and player in self.context.state.casinos[founding_casino_of(row)].state.inspectors

    async def _open_modal(self, interaction: Interaction, press: Press) -> None:
        language = self.answers.language(interaction)
        modal = ui.Modal(title="Ridotto", timeout=MODAL_LASTS_S, custom_id=write_press(press))
        field: ui.TextInput[Any] = ui.TextInput(custom_id=TYPED, max_length=LONGEST_ANSWER)
        label = say(_YOUR_ANSWER, language)[:LONGEST_LABEL]
        how = say(asks_of(press.verb, press.args), language)[:LONGEST_DESCRIPTION]
        modal.add_item(ui.Label(text=label, description=how, component=field))
        modal.stop()
        await interaction.response.send_modal(modal)

    async def _make_page(self, interaction: Interaction, guild: int, press: Press) -> SettingsPage:
        message = interaction.message.id if interaction.message is not None else 0
        key, account = f"{PLATFORM}:{interaction.id}", str(interaction.user.id)
        if press.verb in (_YES, _NO):
            command = self._questions.confirm((message, press.args), account, key)
            if command is None:
                return await self._turn(interaction, guild, Press("admin", SETTINGS), key, OLD_QUESTION)
            if press.verb == _NO:
                back = Press("admin", SETTINGS, page_after(command.verb, command.args, press.table))
                return await self._turn(interaction, guild, back, key, NOTHING_DONE)
            command = command._replace(who=self.answers.who_of(interaction, command.place))
            page = await self._submit_command(interaction, command, press.table)
        else:
            page = await self._turn(interaction, guild, press, key)
        if page.asks is not None:
            self._questions.ask((message, (str(interaction.id),)), page.asks)
        return page

    async def _turn(self, interaction: Interaction, guild: int, press: Press, key: str, *said: Text) -> SettingsPage:
        address = community_of(guild)
        if press.table:
            ours = {row.address for row in self.context.places_beside(address)}
            address = next((one for one in self.context.addresses_of(press.table) if one in ours), "")
            if not address:
                return SettingsPage((GONE,), (), None)
        elif has_flag(press.verb, CommandFlag.OPENS):
            address = str(interaction.channel_id)
            await self.answers.enter(interaction.channel_id or 0, guild)
        place = self.context.place(address)
        command = Command(key, self.answers.who_of(interaction, place), place, press.verb, press.args)
        page = await self._submit_command(interaction, command, press.table)
        return page._replace(lines=(*said, *page.lines))

    async def _submit_command(self, interaction: Interaction, command: Command, table: int) -> SettingsPage:
        page = await turn_page(self.context.submit, command, table)
        if (row := self.context.row_at(command.place.address)) is not None and command.verb.startswith("meter "):
            self.answers.boards.look_at(row.casino)
        if (
            has_flag(command.verb, CommandFlag.OPENS)
            and (opened := self.context.table_at(command.place.address)) is not None
        ):
            self.context.notify_subscribers({opened.id})
        return page

    def _rows(self, interaction: Interaction, page: SettingsPage) -> list[Part]:
        language = self.answers.language(interaction)

        def button(label: Text, press: Press) -> Part:
            return components.button(say(label, language), write_press(press))

        if page.asks is not None:
            key = (str(interaction.id),)
            presses = [(text, Press("admin", verb, key, "", page.table)) for text, verb in ((YES, _YES), (NO, _NO))]
            return components.rows([button(text, press) for text, press in presses])
        choices = [one for one in page.choices if not isinstance(one.where, Where)][: MOST_BUTTONS - 1]
        buttons = [button(one.label, press_in_settings(one)) for one in choices]
        if not any(one.verb == SETTINGS and not one.args for one in choices):
            buttons.append(button(_SET_UP, Press("setup")))
        return components.rows(buttons)


def _is_submitted(interaction: Interaction) -> bool:
    data: Any = interaction.data or {}
    return "components" in data and "component_type" not in data
