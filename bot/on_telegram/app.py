"""The Application: `configure(builder, pit)` takes a builder whose token, addresses and pools the caller has set.

It starts and stops with the Application itself, by long polling or a webhook, under any test server.
"""

import logging
from collections.abc import Callable
from typing import Any

from telegram import Update
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    ChatMemberHandler,
    ContextTypes,
    MessageHandler,
    TypeHandler,
    filters,
)

from bot.on_telegram.desk import Desk
from bot.on_telegram.lines import Lines
from bot.on_telegram.menus import set_menus
from bot.on_telegram.painting import Paint
from bot.on_telegram.places import Places
from bot.on_telegram.presses import Presses
from bot.on_telegram.private import Private
from bot.on_telegram.pulse import EVERYWHERE, Pulse
from bot.on_telegram.sending import Clock, Outbox, SystemClock
from bot.on_telegram.tables import Tables
from bot.pit import Pit

AT_ONCE = 256
UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER]
_log = logging.getLogger("ridotto.telegram")


class Croupier(Application):  # type: ignore[type-arg]
    """An Application that keeps the tables up to date from its start to its stop."""

    __slots__ = ("_clock", "_paint", "_paint_hand", "_pit", "desk", "private", "pulse", "tables")

    def __init__(self, *, pit: Pit, clock: Clock, paint: Paint | None, paint_hand: Paint | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._pit, self._clock, self._paint, self._paint_hand = pit, clock, paint, paint_hand
        self.desk = Desk(pit, self.bot, Outbox(clock), clock)
        self.pulse = Pulse(self.desk)
        self.tables: Tables | None = None

    async def start(self) -> None:
        desk = self.desk
        desk.load()
        tables = Tables(desk, lambda address, fault: places.on_lost(address, fault), self._paint)
        private, places = Private(desk, self._paint_hand), Places(desk, tables)
        lines = Lines(desk, tables, private, places)
        presses = Presses(desk, tables, private, places, lines)
        tables.watch(private.look)
        tables.watch(self.pulse.look)
        desk.outbox.on_answer, desk.outbox.on_stuck = self.pulse.note, self.pulse.stuck
        self.add_handler(TypeHandler(Update, self.pulse.on_update), group=-1)
        self.add_handler(CallbackQueryHandler(presses.on_press))
        self.add_handler(MessageHandler(filters.UpdateType.MESSAGE, lines.on_message))
        self.add_handler(ChatMemberHandler(places.on_membership, ChatMemberHandler.MY_CHAT_MEMBER))
        self.tables, self.private = tables, private
        self._pit.on_change = _both(self._pit.on_change, tables.mark)
        desk.outbox.start()
        await super().start()
        await self.pulse.tell("back", EVERYWHERE)
        desk.spawn(set_menus(self.bot))
        tables.open()

    async def stop(self) -> None:
        """What has arrived is finished first; a message that still waits is sent by the next start."""
        await super().stop()
        if self.tables is not None:
            self.tables.close()
        self.pulse.close()
        await self.desk.close()
        await self.desk.outbox.stop()


def _both(one: Callable[[set[int]], None], other: Callable[[set[int]], None]) -> Callable[[set[int]], None]:
    def tell(tables: set[int]) -> None:
        one(tables)
        other(tables)

    return tell


def configure(
    builder: "ApplicationBuilder[Any, Any, Any, Any, Any, Any]",
    pit: Pit,
    *,
    clock: Clock | None = None,
    paint: Paint | None = None,
    paint_hand: Paint | None = None,
) -> "Application[Any, Any, Any, Any, Any, Any]":
    """`clock` paces the send queue and is the pit's too in tests.

    `paint` draws tables, `paint_hand` what one player alone sees of his hand; None leaves them in words.
    """
    kwargs = {"pit": pit, "clock": clock or SystemClock(), "paint": paint, "paint_hand": paint_hand}
    app = builder.application_class(Croupier, kwargs).concurrent_updates(AT_ONCE).job_queue(None).build()
    app.add_error_handler(_note_fault)
    return app


async def _note_fault(update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Without the update: what people write stays out of the log."""
    fault = context.error
    _log.error("an update failed: %s", type(fault).__name__, exc_info=fault)
