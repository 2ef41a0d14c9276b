"""Messages that a platform sends by itself: recaps, tree heads, closed bets, notices, reactions."""

import asyncio
from collections.abc import Awaitable, Callable

from bot.platforms.common import notices, reactions
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.daily_heads import DailyHeads
from bot.platforms.common.recaps import Recaps
from bot.platforms.common.shared_posts import SharedPosts
from bot.platforms.common.witness import Witness


class Teller:
    """Sender of the casino's own messages. Belongs to the event loop. `shared_posts` sends to everyone, `notice`
    mentions a player at a table, `react` adds a reaction there.
    """

    def __init__(
        self,
        context: PlatformContext,
        shared_posts: SharedPosts,
        notice: notices.Tell,
        react: reactions.React,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._context = context
        self.witness = Witness(context, shared_posts.witness)
        self.notices, self.reactions = notices.Notices(context, notice), reactions.Reactions(context, react)
        self.recaps, self.daily_heads = (
            Recaps(context, shared_posts.announce, sleep),
            DailyHeads(context, shared_posts.publish, sleep),
        )

    def listen(self) -> None:
        """Subscribe to changed tables."""
        self.witness.open()
        self._context.subscribers += [
            self.notices.handle_change,
            self.reactions.handle_change,
            self.witness.handle_change,
        ]

    def open(self) -> None:
        """Start the work of each minute."""
        self.recaps.open()
        self.daily_heads.open()

    def close(self) -> None:
        self.recaps.close()
        self.daily_heads.close()
