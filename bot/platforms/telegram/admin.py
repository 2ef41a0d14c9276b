"""The settings of a group in the private chat: one message, edited in place, for present administrators of the
group.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakValueDictionary

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message, User
from telegram.error import BadRequest, TelegramError

from bot.core.admin.settings import SETTINGS, asks_of, page_after
from bot.core.commands.command import Choice, Command
from bot.core.commands.picks import without_picks
from bot.core.guide.verdicts import bytes_of
from bot.core.state.place import Place
from bot.platforms.common.admin import SettingsPage, press_in_settings, turn_page
from bot.platforms.common.press import Press
from bot.platforms.common.questions import Questions
from bot.platforms.common.sentences import FOR_INSPECTORS, GONE, NO, NOTHING_DONE, OLD_QUESTION, YES
from bot.platforms.telegram.context import PLATFORM, Chat, TelegramContext
from bot.platforms.telegram.drawing import TEXT, Rows, in_rows, press_button, shorten
from bot.platforms.telegram.places import TelegramPlaces
from bot.platforms.telegram.saying import as_typed, say
from bot.platforms.telegram.setup import TelegramSetup
from bot.platforms.telegram.updates import Spoken, who_of
from bot.texts import Text

MOST_OPEN = 2000
ANSWER_HERE = Text("Send your answer here.")
CANCEL = Text("Cancel")
YES_WORD, NO_WORD = "yes", "no"


@dataclass
class TelegramAdmin:
    """The settings panel. A button names its group; the rights are checked with Telegram at each press."""

    context: TelegramContext
    places: TelegramPlaces
    setup: TelegramSetup
    # Pages that wait for a confirmation, by private chat and message, and those that wait for text, by chat.
    _questions: Questions = field(default_factory=lambda: Questions(MOST_OPEN))
    # {chat: lock while one of its presses becomes a page}.
    _turning: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def group_of(self, place: str, user: int) -> Chat | None:
        """Return the group of that key if this person is an inspector there now, else None."""
        group = self.context.notes.numbers.get(int(place)) if place.isdecimal() and len(place) < 20 else None
        if group is None or group.is_private:
            return None
        return group if await self.inspects(group, user) else None

    async def inspects(self, group: Chat, user: int) -> bool:
        """Return whether this person administers the group, or is a named inspector of its casino."""
        if await self.places.is_inspector(group, user, afresh=True):
            return True
        row, player = self.context.row_at(group.address), self.context.player_of(user)
        casinos = {row.casino, row.home} - {0, None} if row is not None else set()
        return any(player in self.context.state.casinos[one].state.inspectors for one in casinos)

    async def group_for(self, user: int, chat: Chat) -> Chat | None:
        """Return the group for which this person acts as an inspector in the private chat: that of their last link, or
        one of the chat's casino.
        """
        noted = self.context.notes.admin_groups.get(user)
        if noted is not None and (group := await self.group_of(str(noted), user)) is not None:
            return group
        row = self.context.row_at(chat.address)
        if row is None:
            return None
        for one in self.context.places():
            group = self.context.chat_at(one.address) if one.casino == row.casino else None
            if group is not None and one.address == group.address and not group.is_private:
                return group if await self.inspects(group, user) else None
        return None

    async def press(self, chat: Chat, user: User, press: Press, key: str, message: Message) -> Text | None:
        """Handle a button of the settings; return what prevents it, or None.

        Pages come in the order of the presses.
        """
        async with self._turning.setdefault(chat.number, asyncio.Lock()):
            return await self._press(chat, user, press, key, message)

    async def _press(self, chat: Chat, user: User, press: Press, key: str, message: Message) -> Text | None:
        group = await self.group_of(press.place, user.id)
        if group is None:
            self.context.take_filling(chat)
            return FOR_INSPECTORS
        if press.kind == "fill":
            self.context.note_filling(chat, press, message.message_id)
            back = page_after(press.verb, press.args, press.table)
            cancel = Choice(CANCEL, SETTINGS, back, True)
            page = SettingsPage((asks_of(press.verb, press.args), ANSWER_HERE), (cancel,))
        else:
            self.context.take_filling(chat)
            made = await self._make_page(chat, group, user, press, key, message.message_id)
            if isinstance(made, Text):
                return made
            page = made
        # In the background: the press is answered before Telegram has room for the page.
        self.context.spawn(self.show_page(chat, user, press.place, page, message.message_id))
        return None

    async def _make_page(
        self, chat: Chat, group: Chat, user: User, press: Press, key: str, message: int
    ) -> SettingsPage | Text:
        question = chat.number, message
        if press.verb == NO_WORD:
            waiting = self._questions.confirm((*question, *press.args), str(user.id), key)
            back = page_after(waiting.verb, waiting.args, press.table) if waiting is not None else ()
            page = await self._turn(group, user, Press("admin", SETTINGS, back), key)
            return page._replace(lines=(NOTHING_DONE, *page.lines)) if isinstance(page, SettingsPage) else page
        if press.verb == YES_WORD:
            command = self._questions.confirm((*question, *press.args), str(user.id), key)
            if command is None or self.context.chat_at(command.place.address) != group:
                return OLD_QUESTION
            inspector = await self.places.is_inspector(group, user.id)
            command = command._replace(who=who_of(user, inspector=inspector))
            made: SettingsPage | Text = await turn_page(self.context.submit_update, command, press.table)
        else:
            made = await self._turn(group, user, press, key)
        if isinstance(made, SettingsPage) and made.asks is not None:
            self._questions.ask((*question, mark_of(made)), made.asks)
        return made

    async def _turn(self, group: Chat, user: User, press: Press, key: str) -> SettingsPage | Text:
        who = who_of(user, inspector=await self.places.is_inspector(group, user.id))
        if press.verb == "table open" and press.args:
            said = await self.setup.open_game(group, who, key, press.args[0])
            page = await self._turn(group, user, Press("admin", SETTINGS, ("tables",)), f"{key}:page")
            return page._replace(lines=(*said, *page.lines)) if isinstance(page, SettingsPage) else page
        address = group.address
        if press.table:
            here = (one for one in self.context.addresses_of(press.table) if self.context.chat_at(one) == group)
            if (address := next(here, "")) == "":
                return GONE
        command = Command(key, who, Place(PLATFORM, address), press.verb, press.args)
        return await turn_page(self.context.submit_update, command, press.table)

    async def type(self, spoken: Spoken, text: str) -> bool:
        """Handle a text in the private chat if a button of the settings asked for it; return whether one did."""
        waiting = self.context.take_filling(spoken.chat)
        if waiting is None:
            return False
        press, message = waiting
        group = await self.group_of(press.place, spoken.user.id)
        if group is None:
            page: SettingsPage | Text = FOR_INSPECTORS
        else:
            done = press._replace(kind="admin", args=(*press.args, *without_picks(as_typed(text)).split()))
            page = await self._make_page(spoken.chat, group, spoken.user, done, spoken.key, message)
        shown = page if isinstance(page, SettingsPage) else SettingsPage((page,))
        await self.show_page(spoken.chat, spoken.user, press.place, shown, message)
        return True

    async def open(self, chat: Chat, user: User, group: Chat, key: str, *page: str) -> None:
        """Send a page in a new message."""
        made = await self._turn(group, user, Press("admin", SETTINGS, page), key)
        await self.show_page(
            chat, user, str(group.number), made if isinstance(made, SettingsPage) else SettingsPage((made,)), None
        )

    async def show_page(self, chat: Chat, user: User, place: str, page: SettingsPage, message: int | None) -> None:
        """Show a page of the settings in place of `message`, or in a new one."""
        language = self.context.language_of(user.id, user.language_code)
        if page.file is not None:
            self.context.spawn(self._send_file(chat, page.file))
        words = shorten("\n".join(say(text, language) for text in page.lines), TEXT)
        rows = page_rows(page, place, language)
        markup = InlineKeyboardMarkup(rows) if rows else None
        if message is None:
            with suppress(TelegramError):
                await self.context.send(
                    chat, partial(self.context.bot.send_message, chat.id, words, reply_markup=markup)
                )
            return
        edit = partial(self.context.bot.edit_message_text, words, chat.id, message, reply_markup=markup)
        with suppress(BadRequest):  # it says so already
            await self.context.send(chat, edit)

    async def _send_file(self, chat: Chat, file: tuple[str, str]) -> None:
        content = bytes_of(file)
        with suppress(TelegramError):
            await self.context.send(chat, partial(self.context.bot.send_document, chat.id, content, filename=file[0]))


def mark_of(page: SettingsPage) -> str:
    """Return the key of a question's Yes and No; another question in the same message has another key."""
    return str(page.asks.confirmed)[:8] if page.asks is not None else ""


def page_rows(page: SettingsPage, place: str, language: str) -> Rows:
    """Return the buttons of a page, or Yes and No below its question."""
    if page.asks is not None:
        words = (YES, YES_WORD), (NO, NO_WORD)
        presses = [(text, Press("admin", verb, (mark_of(page),), "", page.table, place)) for text, verb in words]
        return [[press_button(say(text, language), press) for text, press in presses]]
    return in_rows([_button(one, place, language) for one in page.choices])


def _button(one: Choice, place: str, language: str) -> InlineKeyboardButton:
    is_home = one.verb == SETTINGS and not one.args
    press = Press("setup", "", (place,)) if is_home else press_in_settings(one, place)
    return press_button(say(one.label, language), press)
