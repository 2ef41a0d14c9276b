"""Inline mode: a player sends an invitation to a friend's chat without the bot, with a button to the table.

Law: without the code of an invitation no table is revealed. Nothing here changes anything.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    Update,
)
from telegram.error import BadRequest

from bot.core.admin.invitations import table_behind
from bot.platforms.telegram.context import TelegramContext
from bot.platforms.telegram.drawing import link_button
from bot.platforms.telegram.saying import say
from bot.texts import GAME_NAMES, Text

SEND_IT = Text("Send it to a friend")
_COME = Text("Play {game} with me at {casino}, with virtual chips only. The button works for one person, for one day.")
_HOW = Text("Use /invite at a table first. Its button brings you here.")


def send_button(me_inline: bool, code: str, language: str) -> InlineKeyboardMarkup | None:
    """Return a button that lets its reader choose a chat, in which `Inline` offers the invitation; None without inline
    mode.
    """
    if not me_inline:
        return None
    return InlineKeyboardMarkup([[InlineKeyboardButton(say(SEND_IT, language), switch_inline_query=code)]])


@dataclass
class Inline:
    """Answers to people who type the bot's name in any chat."""

    context: TelegramContext

    async def on_query(self, update: Update, _context: object) -> None:
        """Answer an inline query, one for each key; privately and uncached, because an invitation is used once."""
        query = update.inline_query
        if query is None or not self.context.allowance.take(query.from_user.id):
            return
        language = self.context.language_of(query.from_user.id, query.from_user.language_code)
        results = self._invitation(query.query, language)
        button = None if results else InlineQueryResultsButton(say(_HOW, language), start_parameter="help_invite")
        with suppress(BadRequest):  # the user has typed on, or left
            await self.context.bot.answer_inline_query(query.id, results, cache_time=0, is_personal=True, button=button)

    def _invitation(self, code: str, language: str) -> Sequence[InlineQueryResultArticle]:
        table = table_behind(self.context.state, code, self.context.writer.clock())
        if table is None:
            return []
        casino, game = self.context.state.casinos[table.casino].name, GAME_NAMES[table.game]
        come = say(Text(_COME.template, game=game, casino=casino), language)
        payload = f"accept_{code.strip().upper()}"
        rows = InlineKeyboardMarkup(
            [[link_button(say(Text("To the table"), language), self.context.bot.username, payload)]]
        )
        title = say(Text("Invite to {game}", game=game), language)
        return [
            InlineQueryResultArticle(
                "invitation", title, InputTextMessageContent(come), reply_markup=rows, description=casino
            )
        ]
