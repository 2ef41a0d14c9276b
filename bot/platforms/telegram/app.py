"""The Application: `configure(builder, writer)` takes a builder whose token, addresses and pools the caller has set.

It starts and stops with the Application itself, by long polling or a webhook, under any test server.
"""

import logging
from collections.abc import Callable
from typing import Any, cast

from telegram import Bot, Update
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    ChatMemberHandler,
    ContextTypes,
    MessageHandler,
    TypeHandler,
    Updater,
    filters,
)

from bot.core.access import Access
from bot.platforms.common.further_tables import FurtherTables
from bot.platforms.common.shared_posts import PaintSharedPost
from bot.platforms.common.teller import Teller
from bot.platforms.telegram.admin import TelegramAdmin
from bot.platforms.telegram.connectivity import TelegramConnectivity
from bot.platforms.telegram.context import Busy, TelegramContext
from bot.platforms.telegram.ephemeral import Ephemeral
from bot.platforms.telegram.hands import SOON_S, DirectHands, HandDrawing
from bot.platforms.telegram.intake import Intake, Poll
from bot.platforms.telegram.late import Late
from bot.platforms.telegram.lessons import Lessons
from bot.platforms.telegram.lines import Lines
from bot.platforms.telegram.menus import Menus
from bot.platforms.telegram.messages import Paint, Painter
from bot.platforms.telegram.places import TelegramPlaces
from bot.platforms.telegram.presses import Presses
from bot.platforms.telegram.private import PrivateAnswers
from bot.platforms.telegram.sending import Clock, Outbox, SystemClock
from bot.platforms.telegram.setup import TelegramSetup
from bot.platforms.telegram.shared_posts import TelegramSharedPosts
from bot.platforms.telegram.tables import TelegramTables
from bot.platforms.telegram.topics import Topics
from bot.platforms.telegram.whispered_hands import WhisperedHands

AT_ONCE = 256
UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER]
_log = logging.getLogger("ridotto.telegram")


class Croupier(Application):  # type: ignore[type-arg]
    """An Application that keeps the tables up to date from start to stop."""

    __slots__ = (
        "_paint",
        "_paint_hand",
        "_paint_shared_post",
        "_unsubscribe",
        "connectivity",
        "context",
        "direct",
        "intake",
        "late",
        "tables",
        "teller",
        "whispered",
    )

    def __init__(
        self,
        *,
        writer: Access,
        clock: Clock,
        paint: Paint | None,
        paint_hand: Paint | None,
        paint_shared_post: PaintSharedPost | None,
        connectivity: TelegramConnectivity | None,
        public_url: str | None,
        **kwargs: Any,
    ) -> None:
        self.intake = Intake()
        # The library's poller gets a bot that confirms only finished updates.
        queue = kwargs["update_queue"]
        self.late = Late(self.intake, lambda updates: self.context.note_late(updates), queue.put_nowait)
        self.connectivity = connectivity or TelegramConnectivity(writer, clock)
        poll = Poll(kwargs["bot"], self.intake, self.late.defer_updates, self.connectivity.note_polled)
        kwargs["updater"] = Updater(cast(Bot, poll), queue)
        super().__init__(**kwargs)
        self._paint, self._paint_hand, self._paint_shared_post = paint, paint_hand, paint_shared_post
        self.context = TelegramContext(writer, self.bot, Outbox(clock), clock, public_url)
        self.tables: TelegramTables | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Start: read notes and add handlers before the first update."""
        context = self.context
        self._unsubscribe = context.start_notifying()
        context.load()
        context.note_app()
        tables = TelegramTables(context, lambda address, fault: places.on_lost(address, fault), self._paint)
        places = TelegramPlaces(context, tables)
        context.on_back = tables.come_back
        tables.painter.on_edited = lambda message: places.notice(message.chat)
        painter = Painter(self.bot, self._paint_hand, SOON_S)
        ephemeral = Ephemeral(context, painter, lambda chat: places.is_inspector(chat, self.bot.id))
        drawing, private = HandDrawing(context, painter), PrivateAnswers(context, ephemeral)
        direct, whispered = DirectHands(context, drawing), WhisperedHands(context, ephemeral, drawing)
        lessons = Lessons(context, private, Painter(self.bot, self._paint, SOON_S))
        setup, menus, shared_posts = (
            TelegramSetup(context, tables, places),
            Menus(context),
            TelegramSharedPosts(context, self._paint_shared_post),
        )
        self.teller = Teller(context, shared_posts, tables.turn_mentions.notice, tables.react, context.clock.sleep)
        lines = Lines(
            context, tables, private, places, lessons, setup, shared_posts, TelegramAdmin(context, places, setup)
        )
        presses = Presses(context, tables, private, whispered, places, lines, self.intake)
        self.add_handler(TypeHandler(Update, self.connectivity.on_update), group=-1)
        self.add_handler(CallbackQueryHandler(presses.on_press))
        self.add_handler(MessageHandler(filters.UpdateType.MESSAGE, lines.on_message))
        self.add_handler(ChatMemberHandler(places.on_membership, ChatMemberHandler.MY_CHAT_MEMBER))
        self.tables, self.direct, self.whispered = tables, direct, whispered
        topics = Topics(context)
        further_tables = FurtherTables(context, topics.open_place, topics.close_place)
        context.subscribers += [
            further_tables.handle_change,
            tables.look_at,
            whispered.handle_change,
            direct.handle_change,
            self.connectivity.handle_change,
            menus.handle_change,
            tables.turn_mentions.reminders.handle_change,
        ]
        self.teller.listen()
        context.on_renamed = tables.relink
        context.spawn(context.follow_own_name())
        context.outbox.start()
        self.late.resume(context.late())
        await super().start()
        self.connectivity.join(context)
        context.spawn(menus.open())
        tables.open()
        further_tables.open()
        tables.turn_mentions.reminders.open()
        whispered.open()
        self.teller.open()

    async def process_update(self, update: object) -> None:
        """Process an update, which is done by the end at the latest; public messages may follow."""
        assert isinstance(update, Update)
        is_cut = True
        try:
            await super().process_update(update)
            is_cut = False
        finally:
            self.intake.end(update.update_id, is_cut=is_cut)
            if not is_cut:
                self.late.end(update.update_id)

    async def stop(self) -> None:
        """Finish what has arrived, then stop; messages that still wait are sent after the next start."""
        await super().stop()
        self.late.close()
        self.intake.close()
        self._unsubscribe()
        if self.tables is not None:
            self.tables.close()
            self.whispered.close()
            self.teller.close()
        self.connectivity.close()
        await self.context.close()
        await self.context.outbox.stop()


def configure(
    builder: "ApplicationBuilder[Any, Any, Any, Any, Any, Any]",
    writer: Access,
    *,
    clock: Clock | None = None,
    paint: Paint | None = None,
    paint_hand: Paint | None = None,
    paint_shared_post: PaintSharedPost | None = None,
    connectivity: TelegramConnectivity | None = None,
    public_url: str | None = None,
) -> "Application[Any, Any, Any, Any, Any, Any]":
    """Configure the application. `clock` paces the send queue, and in tests also the writer; `connectivity` outlives
    single bots.

    `paint` draws tables, `paint_hand` a player's own hand, `paint_shared_post` shared posts; None leaves them in words.
    `public_url` is the lounge's public address.
    """
    kwargs = {
        "writer": writer,
        "clock": clock or SystemClock(),
        "paint": paint,
        "paint_hand": paint_hand,
        "paint_shared_post": paint_shared_post,
        "connectivity": connectivity,
        "public_url": public_url,
    }
    app = builder.application_class(Croupier, kwargs).concurrent_updates(AT_ONCE).job_queue(None).build()
    app.add_error_handler(_note_fault)
    return app


async def _note_fault(update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Log a handler's failure without the update, so that no message ends up in the log."""
    fault = context.error
    if isinstance(update, Update) and isinstance(fault, Exception):
        cast(Croupier, context.application).intake.note(update.update_id, fault)
    if isinstance(fault, Busy):
        _log.info("an update has to wait: the writer is busy")
    else:
        _log.error("an update failed: %s", type(fault).__name__, exc_info=fault)
