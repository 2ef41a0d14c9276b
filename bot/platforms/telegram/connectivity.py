"""Connectivity of Telegram. While it cannot be reached, clocks are paused; later they go on with the time left.

A failed call raises doubt, and so does silence while a table is awake: then Telegram is probed until it answers. A
single rate-limited or failing group is away by itself; the others play on.
"""

import asyncio
import logging
from collections.abc import Hashable, Iterable
from typing import Any

from telegram import Update, WebhookInfo
from telegram.error import BadRequest, Conflict, NetworkError, TelegramError

from bot.core.access import Access
from bot.core.casinos.places import is_lost
from bot.core.counters import PLATFORMS
from bot.platforms.common.connectivity import API, EVERYWHERE, Cause, Connectivity
from bot.platforms.telegram.context import PLATFORM, TelegramContext
from bot.platforms.telegram.sending import Clock

# While a table is awake, silence of this length leads to a probe.
BEAT_S = 8.0
PATIENCE_S = 4.0
ASK_AGAIN_S = 2.0
# The library's poller pauses ever longer after failures, but no longer than this.
LONGEST_PAUSE_S = 30.0
# After the longest pause and some time more, polling goes on.
QUIET_S = 40.0
# For this long after an outage, updates may contain old presses.
SETTLES_S = 60.0
# More polls than this ended by another one (409) are no accident, such as an old process that is just ending.
MOST_CONFLICTS = 2
# Both poll again within the longest pause: polling for this long without such an end means that no other program does.
CALM_S = LONGEST_PAUSE_S + 10.0
CONTESTED: Cause = ("contested",)
# No bot is listening.
CLOSED: Cause = ("closed",)
_log = logging.getLogger("ridotto.telegram")


def is_unreachable(fault: BaseException | None) -> bool:
    """Return whether a call did not get through; a refusal is an answer."""
    return isinstance(fault, NetworkError) and not isinstance(fault, BadRequest)


class TelegramConnectivity:
    """Connectivity of Telegram. Belongs to the event loop, and outlives single bots."""

    def __init__(self, writer: Access, clock: Clock) -> None:
        self._clock, self._writer = clock, writer
        self.connectivity = Connectivity(
            writer,
            PLATFORM,
            answers=self._answers,
            is_unreached=is_unreachable,
            on_back=self._come_back,
            sleep=clock.sleep,
            most_ask_again_s=ASK_AGAIN_S,
        )
        self._context: TelegramContext | None = None
        self._heard = self._updated = self._prompt_from = self._lost = clock.now()
        self._poll_failed = float("-inf")
        self._is_doubted = self._listens = False
        self._conflicts, self._calm_since = 0, float("inf")
        self._news = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None

    def join(self, context: TelegramContext) -> None:
        """Use this bot, which is about to listen."""
        self._context = context
        self._heard = self._updated = self._clock.now()
        context.is_contested = self.is_contested
        context.outbox.on_answer, context.outbox.on_stuck = self.note, self.stuck
        self.connectivity.recover(CLOSED)
        if self.is_away:
            self._doubt()

    def open(self) -> None:
        """Note that the bot listens."""
        self._listens = True

    def shut(self) -> None:
        """Note that no bot listens: clocks pause until one does."""
        self.connectivity.lose(CLOSED)

    def close(self) -> None:
        self._context, self._listens = None, False
        self.connectivity.close()
        if self._beating is not None:
            self._beating.cancel()

    @property
    def is_away(self) -> bool:
        return self.connectivity.is_silent

    @property
    def is_connected(self) -> bool:
        """Return whether Telegram can be reached and no poll has failed within the longest pause."""
        return (
            self._listens and self.connectivity.reaches(EVERYWHERE) and self._clock.now() - self._poll_failed >= QUIET_S
        )

    @property
    def is_prompt(self) -> bool:
        """Return whether updates arrive promptly, as far as known."""
        return not self.is_away and not self._is_doubted and self._clock.now() >= self._prompt_from

    def settle(self, waiting: int = 1) -> None:
        """Expect a backlog of updates for a while if `waiting` is more than 0."""
        if waiting:
            self._prompt_from = self._clock.now() + SETTLES_S

    def note(self, fault: BaseException | None) -> None:
        """Note a call's failure, or None for an answer."""
        if is_unreachable(fault):
            self._is_doubted = True
            self._doubt()
        else:
            self._heard = self._clock.now()

    def note_poll(self, fault: TelegramError) -> None:
        """Note a failed poll; polling goes on by itself with growing pauses."""
        self._poll_failed = self._clock.now()
        PLATFORMS[PLATFORM].failed += 1
        if isinstance(fault, Conflict):
            self._note_conflict(fault)
        else:
            _log.warning("telegram cannot be reached: %s", type(fault).__name__)
        self.note(fault)

    @property
    def is_contested(self) -> bool:
        """Return whether another program polls with this bot's token, so that each gets only some updates."""
        return self._conflicts >= MOST_CONFLICTS

    def _note_conflict(self, fault: TelegramError) -> None:
        was_contested, self._calm_since = self.is_contested, float("inf")
        self._conflicts += 1
        _log.warning("telegram: %s", fault)
        if self.is_contested and not was_contested:
            _log.error(
                "Another program uses RIDOTTO_TELEGRAM_TOKEN. Telegram takes no bets until it is stopped. If you do "
                "not know that program, create a new token with BotFather (/revoke)."
            )
            self._tell_contested()

    def note_polled(self) -> None:
        """Note an answered poll; a contest is over after enough time with such answers."""
        if not self._conflicts:
            return
        now = self._clock.now()
        self._calm_since = min(self._calm_since, now)
        if now - self._calm_since >= CALM_S:
            was_contested, self._conflicts = self.is_contested, 0
            if was_contested:
                _log.warning("telegram: no other program uses the token any more; bets are open again")
                self._tell_contested()

    def _tell_contested(self) -> None:
        """Report that the bot is contested, or no longer; clocks are paused meanwhile because presses are missing."""
        if self._context is not None:
            self._context.show_contest(self.is_contested)
        (self.connectivity.lose if self.is_contested else self.connectivity.recover)(CONTESTED)

    async def on_update(self, _update: Update, _context: object) -> None:
        self._heard = self._updated = self._clock.now()
        self._news.set()

    def handle_change(self, _table: int) -> None:
        """Handle a changed table: while one is awake, silence raises doubt."""
        if self._beating is None or self._beating.done():
            self._beating = asyncio.ensure_future(self._beat())

    def stuck(self, chat: Hashable, is_stuck: bool) -> None:
        """Note that a chat is rate-limited, or no longer."""
        assert self._context is not None
        cause = ("chat", str(chat))
        known = self._context.notes.numbers.get(chat) if isinstance(chat, int) else None
        if not is_stuck:
            self.connectivity.recover(cause)
        elif known is not None:
            self.connectivity.lose(cause, self._context.addresses_in(known))

    def _doubt(self) -> None:
        """Doubt the connection since the last answer, at most for as long as silence goes unnoticed."""
        lost_s = min(self._clock.now() - self._heard, 2 * BEAT_S)
        if not self.is_away:
            self._lost = self._clock.now() - lost_s
        self.connectivity.doubt(self._writer.clock() - lost_s)

    async def _beat(self) -> None:
        while self._is_awake():
            await self._clock.sleep(BEAT_S)
            if self._clock.now() - self._updated >= BEAT_S:
                self._doubt()

    def _is_awake(self) -> bool:
        if self._context is None:
            return False
        tables = (self._context.state.tables.get(row.table_id) for row in self._context.places() if row.table_id)
        return any(table and table.is_awake and not is_lost(table) for table in tables)

    async def _answers(self) -> bool:
        """Return whether calls get through and updates come in; most doubts end with the first answer.

        After an outage, presses are under way but may be fetched only after the poller's pause.
        """
        if self._context is None:
            return True  # this bot has stopped, and another one will be probed
        is_open = await self._is_open(self._context)
        if not is_open:
            self._news.clear()
        elif self.is_away:
            self._is_doubted = False
            await self._first_update(min(LONGEST_PAUSE_S, (self._clock.now() - self._lost) / 2))
            return not self._is_doubted
        else:
            self._heard, self._is_doubted = self._clock.now(), False
        return is_open

    async def _is_open(self, context: TelegramContext) -> bool:
        """Return whether updates can arrive; calls may get through while the webhook cannot be reached from outside."""
        kinds = ("pool_timeout", "connect_timeout", "read_timeout", "write_timeout")
        patience: dict[str, Any] = dict.fromkeys(kinds, PATIENCE_S)
        try:
            info = await context.bot.get_webhook_info(**patience)
        except TelegramError as fault:
            if is_unreachable(fault):
                context.outbox.pause()
                return False
            info = None
        context.outbox.resume()
        return info is None or not self._is_deaf(info)

    async def _first_update(self, most_s: float) -> None:
        coming = asyncio.ensure_future(self._news.wait())
        late = asyncio.ensure_future(self._clock.sleep(most_s))
        try:
            await asyncio.wait({coming, late}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            coming.cancel()
            late.cancel()

    def _is_deaf(self, info: WebhookInfo) -> bool:
        failed = info.last_error_date
        return bool(info.url and info.pending_update_count and failed and failed.timestamp() >= int(self._updated))

    def _come_back(self, cause: Cause, addresses: Iterable[str]) -> None:
        if cause == API:
            self.settle()
        if self._context is not None:
            self._context.on_back(addresses)
