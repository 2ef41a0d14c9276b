"""Deferred updates: those that take long are kept in the store, so that later ones get through.

By polling Telegram returns a hundred updates from the oldest unconfirmed one on; an update that waits for a call of
ours, such as who administers a group, would hold up all after it. It stays in the store until it is done; a restarted
process begins it again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from telegram import Update

from bot.platforms.telegram.intake import AGAIN_S, Intake, subject_of

Write = Callable[[list[Update]], Awaitable[bool]]


class Late:
    """Deferred updates. Belongs to the event loop. `write` stores these in place of earlier ones; False if it could
    not.

    `begin` handles an update that Telegram no longer keeps.
    """

    def __init__(self, intake: Intake, write: Write, begin: Callable[[Update], None]) -> None:
        self._intake, self._write, self._begin = intake, write, begin
        self._wanted: dict[int, Update] = {}
        # The updates in the store.
        self._stand: frozenset[int] = frozenset()
        self._writing: asyncio.Task[None] | None = None
        self._is_closed = False

    def resume(self, updates: Mapping[int, Update]) -> None:
        """Continue the updates that the store holds when polling begins."""
        self._is_closed = False
        self._wanted |= updates
        self._stand = frozenset(self._wanted)
        self._intake.put_by |= self._stand
        for update in updates.values():
            self._do_again(update)

    def defer_updates(self, updates: Iterable[Update]) -> None:
        """Defer these updates."""
        self._wanted |= {update.update_id: update for update in updates}
        self._tend()

    def end(self, id: int) -> None:
        """Forget an update that has ended; one that is not done comes again, from Telegram or from here."""
        if id not in self._wanted:
            return
        if id in self._intake.put_by and not self._intake.is_done(id):
            asyncio.get_running_loop().call_later(AGAIN_S, self._do_again, self._wanted[id])
            return
        del self._wanted[id]
        self._intake.put_by.discard(id)
        self._tend()

    def close(self) -> None:
        """Stop; updates that are not done stay in the store for the next process."""
        self._is_closed = True
        self._wanted.clear()
        if self._writing is not None:
            self._writing.cancel()

    def _do_again(self, update: Update) -> None:
        if not self._is_closed and self._intake.register_update(update.update_id, subject=subject_of(update))[1]:
            self._begin(update)

    def _tend(self) -> None:
        if not self._is_closed and (self._writing is None or self._writing.done()):
            self._writing = asyncio.ensure_future(self._tell_books())

    async def _tell_books(self) -> None:
        while self._wanted.keys() != self._stand:
            told = dict(self._wanted)
            if not await self._write(list(told.values())):
                return  # Telegram keeps them, and they are put by after the next poll
            self._stand = frozenset(told)
            self._intake.put_by |= self._stand & self._wanted.keys()
