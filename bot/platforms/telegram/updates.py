"""Fields of updates: who wrote, where, and the typed command."""

import re
from dataclasses import dataclass

from telegram import Message, MessageEntity, User

from bot.core.commands.command import Who
from bot.core.commands.picks import pick_account, without_picks
from bot.platforms.common.context import language_of
from bot.platforms.common.typed import TypedLine, parse_line
from bot.platforms.telegram.context import PLATFORM, Chat
from bot.platforms.telegram.saying import as_typed

ANONYMOUS = 1087968824
_COMMAND = re.compile(r"/([A-Za-z0-9_-]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Spoken:
    """A message for the bot; `language` is its sender's."""

    message: Message
    user: User
    chat: Chat
    language: str

    @property
    def thread(self) -> int | None:
        return thread_of(self.message)

    @property
    def title(self) -> str:
        """Return the chat's title, or the person's name."""
        return self.message.chat.title or name_of_user(self.user)

    @property
    def key(self) -> str:
        return f"tg:message:{self.chat.id}:{self.message.message_id}"


def addressed(text: str) -> str:
    """Return the name behind the @ of a command; "" if it has none."""
    found = _COMMAND.fullmatch(as_typed(text).strip())
    return (found[2] or "") if found is not None else ""


def parse_command(text: str, me: str) -> TypedLine | None:
    """Parse a command such as `/bet@ridotto_bot ante 50`; None if it is none for this bot."""
    found = _COMMAND.fullmatch(as_typed(text).strip())
    if found is None or (found[2] or me).lower() != me.lower():
        return None
    return parse_line(f"{found[1]} {found[3] or ''}")


def who_of(user: User, *, inspector: bool = False) -> Who:
    """Return the identity of a user; the caller knows whether they administer."""
    name, username = name_of_user(user), user.username or ""
    return Who(PLATFORM, str(user.id), name, language_of_user(user), inspector, username=username)


def name_of_user(user: User) -> str:
    """Return a user's first and last name; empty for a deleted account, for which the library returns None."""
    return user.full_name or ""


def with_picks(message: Message) -> str:
    """Return a message's text as it was typed, with people mentioned without a username as picks."""
    text = (message.text or "").encode("utf-16-le")
    parts, last = list[str](), 0
    for one in message.entities:
        if one.type == MessageEntity.TEXT_MENTION and one.user is not None and 2 * one.offset >= last:
            parts += [_decode(text[last : 2 * one.offset]), pick_account(one.user.id)]
            last = 2 * (one.offset + one.length)
    return "".join((*parts, _decode(text[last:])))


def _decode(units: bytes) -> str:
    return without_picks(units.decode("utf-16-le", "replace"))


def people_in(message: Message) -> tuple[Who, ...]:
    """Return the people that a message mentions without a username, and the author it replies to; Telegram proves
    them.
    """
    mentioned = [one.user for one in message.entities if one.type == MessageEntity.TEXT_MENTION]
    return tuple(who_of(one) for one in (*mentioned, _author_answered(message)) if one is not None and not one.is_bot)


def account_answered(message: Message) -> str:
    """Return the account that wrote the message to which this one replies; "" for none, a bot or a group."""
    author = _author_answered(message)
    return str(author.id) if author is not None else ""


def _author_answered(message: Message) -> User | None:
    """Return the author of the message replied to; in a topic, a reply to its first message does not count."""
    answered = message.reply_to_message
    if answered is None or answered.sender_chat is not None or answered.message_id == message.message_thread_id:
        return None
    author = answered.from_user
    return author if author is not None and not author.is_bot else None


def language_of_user(user: User) -> str:
    """Return the user's language; English if there is no translation."""
    return language_of(user.language_code)


def is_typed(message: Message) -> bool:
    """Return whether the sender typed these words here: not forwarded, not by a bot, without a quote."""
    brought = (message.forward_origin, message.is_automatic_forward, message.via_bot, message.sender_business_bot)
    return not any((*brought, message.external_reply, message.quote))


def is_anonymous(message: Message) -> bool:
    """Return whether the sender is an anonymous administrator."""
    return message.sender_chat is not None and message.sender_chat.id == message.chat.id


def thread_of(message: Message) -> int | None:
    """Return a forum's topic; a reply in a plain supergroup has a thread id too, but no topic."""
    return message.message_thread_id if message.is_topic_message else None
