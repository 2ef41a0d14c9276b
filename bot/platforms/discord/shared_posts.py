"""Shared posts in a channel: each is a message of its own, without mentions."""

import logging
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import discord

from bot.core.commands.command import Answer
from bot.core.state.shared_posts import SharedPost
from bot.core.state.table import Table
from bot.platforms.common import shared_posts as kit
from bot.platforms.common.budget import Rank
from bot.platforms.common.shared_posts import NOT_REMOVED, NOT_YET, REMOVED, SHOWN, PaintSharedPost
from bot.platforms.common.turns import TooLate
from bot.platforms.common.witness import Closed
from bot.platforms.discord.components import View
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import line_view, shared_post_view
from bot.platforms.discord.stranded import refuse_locked
from bot.platforms.discord.trouble import TROUBLE
from bot.texts import Text

NOT_POSTED = Text("Discord won't let me post here. Try again in 15 seconds.")
_log = logging.getLogger("ridotto.discord")


class DiscordSharedPosts(kit.SharedPosts):
    """Shared posts in channels. Belongs to the event loop."""

    def __init__(self, context: DiscordContext, paint: PaintSharedPost | None = None) -> None:
        super().__init__(paint, context.writer.monotonic)
        self._context = context

    async def post(self, channel: int, person: int, answer: Answer, language: str) -> Text:
        """Post into the channel; return the sentence for its sender."""
        if not self.may_post(channel, person):
            return NOT_YET
        view, files = await self.made(answer, language, person)
        return SHOWN if await self._send(channel, view, files, Rank.CHIP) else NOT_POSTED

    async def remove(self, channel: int, message: int) -> Text:
        """Remove a shared post for its sender."""
        where = self._context.client.get_partial_messageable(channel)
        try:
            async with self._context.calls.turn(Rank.CHIP):
                await where.get_partial_message(message).delete()
        except discord.NotFound:
            return REMOVED
        except TROUBLE as fault:
            _log.warning("a shared post was not removed: %s", fault)
            return NOT_REMOVED
        return REMOVED

    async def send(self, channel: int, answer: Answer, language: str, rank: Rank) -> bool:
        """Send a shared post; return whether Discord accepted it."""
        view, files = await self.made(answer, language)
        return await self._send(channel, view, files, rank)

    async def announce(self, address: str, table: Table, answer: Answer) -> None:
        """Send a message of the casino itself, after all calls that people wait for, if the channel can be reached."""
        if self._context.connectivity.reaches(address) and not self._context.connectivity.is_silent:
            await self.send(int(address), answer, table.settings.language, Rank.BOARD)

    async def publish(self, address: str, table: Table, about: Text, line: str) -> None:
        """Send a line for copying, as `announce` does and silently."""
        if self._context.connectivity.reaches(address) and not self._context.connectivity.is_silent:
            await self._send(int(address), line_view(about, line, table.settings.language), [], Rank.BOARD, silent=True)

    async def witness(self, address: str, table: Table, closed: Closed) -> None:
        """Send closed bets before everything that can wait, because seconds count."""
        if self._context.connectivity.reaches(address) and not self._context.connectivity.is_silent:
            view = line_view(closed.text, closed.line, table.settings.language)
            with suppress(TooLate):
                await self._send(int(address), view, [], Rank.TURN, silent=True, counts=closed.counts)

    async def _send(
        self,
        channel: int,
        view: View,
        files: list[discord.File],
        rank: Rank,
        *,
        silent: bool = False,
        counts: Callable[[], bool] = lambda: True,
    ) -> bool:
        where = self._context.client.get_partial_messageable(channel)
        try:
            async with self._context.calls.turn(rank, counts):
                with self._context.connectivity.watching():
                    await refuse_locked(self._context.client, channel)
                    # If the library sends it again after a lost answer, the nonce keeps it one message.
                    await where.send(view=view, files=files, nonce=self._context.contest.new_nonce(), silent=silent)
        except TROUBLE as fault:
            _log.warning("a shared post could not be shown: %s", fault)
            return False
        return True

    async def made(self, answer: Answer, language: str, person: int | None = None) -> tuple[View, list[discord.File]]:
        """Return the message and its files; `person` has shared it, and may remove it."""
        assert answer.shared_post is not None
        shared_post: SharedPost = answer.shared_post
        sheet = await self.draw(shared_post, self._context.state.books, language)
        view = shared_post_view(answer.texts, answer.choices, sheet, language, person)
        return view, [discord.File(BytesIO(sheet.picture), sheet.file)] if sheet.picture is not None else []
