"""Messages that a platform sends by itself: recaps, tree heads, closed bets, notices, reactions."""

import asyncio
from collections.abc import Awaitable, Callable

from bot.platforms.common import cheers, notices
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.daily_heads import DailyHeads
from bot.platforms.common.posters import Posters
from bot.platforms.common.recaps import Recaps
from bot.platforms.common.witness import Witness


class Teller:
    """Sender of the casino's own messages. Belongs to the event loop. `posters` sends to everyone, `notice` mentions a
    player at a table, `react` adds a reaction there.
    """

    def __init__(
        self,
        context: PlatformContext,
        posters: Posters,
        notice: notices.Tell,
        react: cheers.React,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._context = context
        self.witness = Witness(context, posters.witness)
        self.notices, self.cheers = notices.Notices(context, notice), cheers.Cheers(context, react)
        self.recaps, self.daily_heads = (
            Recaps(context, posters.tell, sleep),
            DailyHeads(context, posters.publish, sleep),
        )

    def listen(self) -> None:
        """Subscribe to changed tables."""
        self.witness.open()
        self._context.looks += [self.notices.look, self.cheers.look, self.witness.look]

    def open(self) -> None:
        """Start the work of each minute."""
        self.recaps.open()
        self.daily_heads.open()

    def close(self) -> None:
        self.recaps.close()
        self.daily_heads.close()
