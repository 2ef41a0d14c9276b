"""Detection of another program that uses the same token with another store: Discord sends every press to both.

Each process marks the messages that it posts, in their nonces, and keeps its mark in the store. A message of the bot
with a foreign mark, or presses that were answered already, reveal another program. The process that notices it posts
a line, so that the other one notices too.
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import discord

from bot.platforms.common.budget import Rank
from bot.platforms.common.connectivity import Cause
from bot.platforms.common.context import CONTESTED
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.trouble import TROUBLE
from bot.texts import say
from bot.texts.languages import SOURCE
from storage.questions.notes import note

# This many presses answered by someone else within this many seconds are no accident.
MOST_ANSWERED, WITHIN_S = 2, 60.0
# The library retries a second after a lost answer and is then refused, because its own came first.
AT_ONCE_S = 0.8
# This long after the last sign of another program, bets are accepted again.
LASTS_S = 300.0
NONCE_MARK = 8
_CAUSE: Cause = ("contested",)
_log = logging.getLogger("ridotto.discord")


class Contest:
    """Detector of another program with the same token. Belongs to the event loop. `context` is Discord's."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._mark = secrets.token_hex(NONCE_MARK // 2)
        self._ours = {self._mark}
        self._answered: list[float] = []
        self._end: Callable[[], None] = lambda: None

    def new_nonce(self) -> str:
        """Return a nonce: a message sent twice is posted once, and is recognised as this process's."""
        return f"{self._mark}{secrets.token_hex(8)}"

    async def open(self) -> None:
        """Store the mark before anything is posted, so that every process with this store knows it."""
        await self._context.tend("note", "", f"mark:{self._mark}", "1")

    def close(self) -> None:
        self._end()

    def see_own_message(self, nonce: str) -> None:
        """Note a message that this bot has posted, from any process."""
        mark = nonce[:NONCE_MARK]
        if mark not in self._ours and note(self._context.state.books, PLATFORM, f"mark:{mark}") is not None:
            self._ours.add(mark)
        if mark not in self._ours:
            self._begin()

    def see_answered(self, channel: int | None, took_s: float) -> None:
        """Note a press that was already answered `took_s` seconds after it was made."""
        now = self._context.writer.monotonic()
        if took_s > AT_ONCE_S:
            return
        self._answered = [*(at for at in self._answered if now - at < WITHIN_S), now]
        if len(self._answered) >= MOST_ANSWERED:
            is_new = not self._context.is_contested
            self._begin()
            if is_new and channel is not None:
                self._context.spawn(self._announce_contest(channel))

    def _begin(self) -> None:
        if not self._context.is_contested:
            _log.error(
                "Another program uses RIDOTTO_DISCORD_TOKEN with other books. Discord takes no bets until it is "
                "stopped. If you do not know that program, create a new token in the developer portal."
            )
            self._context.show_contest(True)
            self._context.connectivity.lose(_CAUSE)
        self._end()
        self._end = self._context.call_later(LASTS_S, self._stop)

    def _stop(self) -> None:
        _log.warning("discord: no sign of another program for %.0f s; bets are open again", LASTS_S)
        self._answered.clear()
        self._context.show_contest(False)
        self._context.connectivity.recover(_CAUSE)

    async def _announce_contest(self, channel: int) -> None:
        where = self._context.client.get_partial_messageable(channel)
        with suppress(*TROUBLE):
            async with self._context.calls.turn(Rank.TURN):
                await where.send(
                    say(CONTESTED, SOURCE), nonce=self.new_nonce(), allowed_mentions=discord.AllowedMentions.none()
                )
