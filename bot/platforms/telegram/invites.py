"""Invitations for people outside the table's group, whose links lead them nowhere without an invite link.

A public group has an address. For others there is an invite link for one person and a day, if the bot may make one.
Law: only where every member may invite, because it is unknown who passed the invitation on.
"""

import logging
from datetime import UTC, datetime, timedelta

from telegram import ChatMember
from telegram.error import TelegramError

from bot.core.admin.invitations import LASTS_S
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.saying import Link
from bot.texts import Text

_COME_IN = Text("You are not in that group yet. Join with {link}.")
_ASK = Text("You are not in that group yet. Ask the player who invited you to add you.")
_log = logging.getLogger("ridotto.telegram")


async def say_way_in(context: TelegramContext, table: int, user: int) -> tuple[Text, ...]:
    """Return a way in for a person who accepted an invitation; empty if they are in the group."""
    chats = (context.chat_at(address) for address in context.addresses_of(table))
    chat = next((one for one in chats if one is not None and not one.is_private), None)
    if chat is None or not await _is_outside(context, chat, user):
        return ()
    link = await _link_into(context, chat)
    return (Text(_COME_IN.template, link=link) if link else _ASK,)


async def _is_outside(context: TelegramContext, chat: Chat, user: int) -> bool:
    """Return whether a person left or never joined the group. Banned people get no link; unknown ones count as
    members.
    """
    try:
        return (await context.bot.get_chat_member(chat.id, user)).status == ChatMember.LEFT
    except TelegramError as fault:
        _log.info("could not find out who is in a group: %s", fault)
        return False


async def _link_into(context: TelegramContext, chat: Chat) -> Link | None:
    try:
        known = await context.bot.get_chat(chat.id)
        if known.username:
            return Link(f"https://t.me/{known.username}")
        if known.permissions is None or not known.permissions.can_invite_users:
            return None
        until = datetime.fromtimestamp(context.writer.clock(), UTC) + timedelta(seconds=LASTS_S)
        made = await context.bot.create_chat_invite_link(chat.id, expire_date=until, member_limit=1)
    except TelegramError as fault:
        _log.info("could not get an invite link of a group: %s", fault)
        return None
    return Link(made.invite_link)
