"""Answers and questions behind a button in a group: one message for all who wait, and few of them."""

import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters
from telegram.error import (
    BadRequest,
    Forbidden,
    TelegramError,
)

from bot.core.command_list import has_flag
from bot.core.commands.command import Choice, Command
from bot.core.commands.registry import CommandFlag
from bot.platforms.common.press import Press
from bot.platforms.common.questions import Questions
from bot.platforms.common.recent import Recent
from bot.platforms.common.sentences import NO, YES
from bot.platforms.common.typed import parse_line
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import (
    READ_BY_LINK,
    choice_rows,
    length,
    link_button,
    payload_of,
    press_button,
    shorten,
)
from bot.platforms.telegram.ephemeral import UNREAD_S, Whisper
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.sending import JobResult
from bot.platforms.telegram.updates import Spoken, is_anonymous
from bot.texts import Name, Text

MOST_PENDING = 2000
# Limits of private answers read by pressing: length of a page, pages, lines in all.
PAGE, PAGES, MOST_LINES = 190, 3, 30
# At most this many unread messages in one place, each naming at most this many people.
MOST_OPEN, MOST_NAMED = 3, 5
_log = logging.getLogger("ridotto.telegram")


@dataclass
class Pending:
    """Content that waits behind buttons for one person: an answer, or a question, which is answered after it was
    seen.
    """

    pages: list[str] = field(default_factory=list)
    is_question: bool = False
    is_seen: bool = False


@dataclass
class UnreadNotice:
    """A message with buttons behind which each of these people finds a private answer.

    `message` is visible to everyone at the place `address`; `whisper` to one person, with the question above its
    buttons.
    """

    people: dict[int, Pending]
    address: str = ""
    message: tuple[Chat, int] | None = None
    whisper: Whisper | None = None


class Unsaid(NamedTuple):
    """An answer that a person in a group must still get, with the command of a yes and choices; `spoken` is their last
    message.
    """

    spoken: Spoken
    lines: tuple[str, ...]
    ask: Command | None
    choices: Sequence[Choice] = ()


AnswerPrivately = Callable[[Chat, int, list[str], str, Command | None], Awaitable[None]]


class UnreadAnswers:
    """Answers behind buttons. Belongs to the event loop.

    `answer_privately` answers in the private chat, for groups where the bot may not write.
    """

    def __init__(self, context: TelegramContext, answer_privately: AnswerPrivately) -> None:
        self.context, self._answer_privately = context, answer_privately
        self._notices: Recent[str, UnreadNotice] = Recent(MOST_PENDING)
        # {address: {user: the answer that comes with the next message}}.
        self._unsaid: dict[str, dict[int, Unsaid]] = {}
        self.questions = Questions(MOST_PENDING)

    def add(self, spoken: Spoken, lines: Sequence[str], ask: Command | None, choices: Sequence[Choice]) -> None:
        """Add an answer to the next button message of its place, which comes after the table's updates."""
        address = self.context.address_of(spoken.chat, spoken.thread)
        waiting = self._unsaid.setdefault(address, {})
        before = waiting.get(spoken.user.id)
        if before is not None:
            lines, ask = (*before.lines, *lines)[-MOST_LINES:], ask or before.ask
        waiting[spoken.user.id] = Unsaid(spoken, tuple(lines), ask, choices)
        send = partial(self._send_notice, address, spoken.chat)
        self.context.outbox.reply(spoken.chat.number, ("read", address), send, is_group=True)

    async def _send_notice(self, address: str, chat: Chat) -> JobResult | None:
        waiting = dict(self._unsaid.get(address, {}))
        if not waiting:
            return JobResult.NOTHING
        key, first = secrets.token_hex(8), next(iter(waiting.values())).spoken
        people = {user: Pending(_pages_to_read(one), one.ask is not None) for user, one in waiting.items()}
        people = self._still_unread(address) | people
        text, row = self._say_who(key, first, waiting, len(people))
        # Choices in a message for several people would belong to no one.
        choices = next(iter(waiting.values())).choices if len(people) == 1 else ()
        rows = choice_rows(choices, self.context.bot.username, first.language, chat.number)
        send = partial(
            self.context.bot.send_message,
            chat.id,
            text,
            reply_markup=InlineKeyboardMarkup([row, *rows]),
            message_thread_id=first.thread,
            disable_notification=True,
        )
        if len(waiting) == 1:
            send = partial(
                send,
                reply_parameters=ReplyParameters(first.message.message_id, allow_sending_without_reply=True),
            )
        receivers = list(people)
        # It may be read before Telegram has returned its id.
        notice = self._notices[key] = UnreadNotice(people, address)
        for user, one in waiting.items():
            if one.ask is not None:
                self.questions.ask((key, user), one.ask)
        try:
            sent = await send()
        except (BadRequest, Forbidden) as refusal:
            self._notices.pop(key, None)
            _log.warning("an answer could not be sent: %s", refusal)
            for one in self._unsaid.pop(address, {}).values():
                self.context.spawn(self._say_privately(one))
            return JobResult.REFUSED
        except TelegramError:
            self._notices.pop(key, None)
            raise
        for user, one in waiting.items():
            if self._unsaid[address].get(user) is one:
                del self._unsaid[address][user]
        for old, other in [one for one in self._notices.items() if one[1].address == address and one[0] != key]:
            for user in [user for user in receivers if user in other.people and not other.people[user].is_question]:
                self.settle(old, user)
        self.context.heard(sent)
        notice.message = (chat, sent.message_id)
        if not people:
            self.context.spawn(self._delete_notice(notice))
        elif any(pending.is_question and pending.is_seen for pending in people.values()):
            self.context.spawn(self.show_yes_no(key, first.language))
        self.context.spawn(self._clear_later(key))
        return None

    async def _say_privately(self, one: Unsaid) -> None:
        """Answer in the private chat, if the person has one, because the group takes no messages."""
        if is_anonymous(one.spoken.message):
            return
        user = one.spoken.user.id
        with suppress(TelegramError):
            await self._answer_privately(
                self.context.chat_of(user, "private"), user, list(one.lines), one.spoken.language, one.ask
            )

    def _still_unread(self, address: str) -> dict[int, Pending]:
        """Return the unread answers of the oldest message at its limit, which a new message replaces.

        Questions are not asked twice.
        """
        open_there = [notice for notice in self._notices.values() if notice.address == address and notice.message]
        oldest = open_there[0].people if len(open_there) >= MOST_OPEN else {}
        return {user: pending for user, pending in oldest.items() if not pending.is_question}

    def _say_who(
        self, key: str, spoken: Spoken, waiting: dict[int, Unsaid], count: int
    ) -> tuple[str, list[InlineKeyboardButton]]:
        language, names = spoken.language, [self._name_of(one.spoken) for one in waiting.values()][:MOST_NAMED]
        read, one = say(Text("Read"), language), next(iter(waiting.values()))
        if count == 1:
            pages, payload = in_pages(one.lines, PAGE), _payload(spoken.message.text or "", spoken.chat.number)
            if len(pages) > PAGES and one.ask is None and payload:
                text = say(Text("{name}, this is long. Read it in our private chat.", name=names[0]), language)
                return text, [link_button(read, self.context.bot.username, payload)]
            text = say(Text("{name}, this is only for you.", name=names[0]), language)
        elif count > len(names):
            and_more = Text("{names} and {n} more: tap to read your answer.", names=names, n=count - len(names))
            text = say(and_more, language)
        else:
            text = say(Text("{names}: tap to read your answer.", names=names), language)
        row = [press_button(read, Press("read", key))]
        return text, row

    def _name_of(self, spoken: Spoken) -> Name:
        """Return the name of a sender; an anonymous administrator has the group's title."""
        if is_anonymous(spoken.message):
            return Name(spoken.message.chat.title or "?")
        return self.context.shown_name(spoken.chat, spoken.user)

    async def _clear_later(self, key: str) -> None:
        await self.context.clock.sleep(UNREAD_S)
        if (notice := self._notices.pop(key, None)) is not None:
            await self._delete_notice(notice)

    async def show_yes_no(self, key: str, language: str) -> None:
        """Show Yes and No below the message of a person who has read the question."""
        notice = self._notices.get(key)
        if notice is None or notice.message is None:
            return
        chat, message = notice.message
        row = [press_button(say(Text("Read"), language), Press("read", key)), *_yes_no(key, language)]
        edit = partial(
            self.context.bot.edit_message_reply_markup, chat.id, message, reply_markup=InlineKeyboardMarkup([row])
        )
        with suppress(BadRequest):  # they are there already
            await self.context.send(chat, edit)

    async def _delete_notice(self, notice: UnreadNotice) -> None:
        """Delete a notice that everyone has read."""
        if notice.message is not None:
            await self.context.delete(*notice.message)

    def notice(self, key: str) -> UnreadNotice | None:
        """Return the notice behind the buttons of a message, or None."""
        return self._notices.get(key)

    def settle(self, key: str, user: int) -> None:
        """Mark the user's part as read or answered; delete the notice after the last one."""
        notice = self._notices.get(key)
        if notice is None or notice.people.pop(user, None) is None or notice.people:
            return
        del self._notices[key]
        self.context.spawn(self._delete_notice(notice))

    def ask_to_confirm(self, user: int, language: str, ask: Command) -> InlineKeyboardMarkup:
        """Return a question's Yes and No; Yes submits `ask`."""
        key = secrets.token_hex(8)
        self._notices[key] = UnreadNotice({user: Pending(is_question=True, is_seen=True)})
        self.questions.ask((key, user), ask)
        return InlineKeyboardMarkup([_yes_no(key, language)])


def in_pages(lines: Sequence[str], most: int) -> list[str]:
    """Split lines into pages of whole lines; a longer line is cut."""
    pages: list[str] = []
    for line in lines:
        cut = shorten(line, most)
        joined = f"{pages[-1]}\n{cut}" if pages else cut
        if pages and length(joined) <= most:
            pages[-1] = joined
        else:
            pages.append(cut)
    return pages


def _pages_to_read(unsaid: Unsaid) -> list[str]:
    pages = in_pages(unsaid.lines, PAGE)
    if len(pages) > 1:
        pages = [f"{page}\n({number}/{len(pages)})" for number, page in enumerate(pages, start=1)]
    return pages


def _yes_no(key: str, language: str) -> list[Any]:
    return [
        press_button(say(YES, language), Press("yes", key)),
        press_button(say(NO, language), Press("no", key)),
    ]


def _payload(text: str, group: int) -> str:
    """Return the payload of a link to the private chat that repeats the command, if the command only shows
    something.
    """
    line = parse_line(re.sub(r"^(/\w+)@\w+", r"\1", text))
    payload = payload_of(line.verb, line.args, group)
    fits = len(payload) <= 64 and payload.replace("_", "").replace("-", "").isalnum() and payload.isascii()
    return payload if fits and (has_flag(line.verb, CommandFlag.LINKABLE) or line.verb in READ_BY_LINK) else ""
