"""Acknowledgement of updates: only when an update is done and on disk, not when it has merely arrived.

By webhook the request is then answered with 200, by polling the offset moves then; so updates that die with the process
come again, and the keys of commands make that harmless. Updates for which the writer was busy come again too, and a few
times those that failed on a lost call. A fault of our own is given up, or it would come for ever. The answer to a press
goes with the 200, without a call, if it is ready in time; Telegram does not report whether it arrived.
"""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from telegram import Update

from bot.platforms.common.recent import Recent
from bot.platforms.telegram.connectivity import is_unreachable
from bot.platforms.telegram.context import Bot, Busy

MOST_TRIES = 3
NO_TIME = timedelta(0)
MOST_REMEMBERED = 10_000
# If several arrive at once, wait this long for more: each poll costs a call and a commit.
GATHER_S = 0.05
# How long the next poll waits for updates being handled. Slower ones are deferred.
PATIENCE_S = 0.5
# Delay before an update is requested again; otherwise it would return at once.
AGAIN_S = 0.3
# A slower press is answered by a call, whose result is known: Telegram may have given up the request.
IN_TIME_S = 3.0
# Number of answers in requests to keep, in case Telegram did not get them.
MOST_SAID = 500


class ByRequest(NamedTuple):
    """The body that a request was answered with; `say_again` repeats it by a call if the update comes once more."""

    body: bytes
    say_again: Callable[[], object]


def subject_of(update: Update) -> Hashable:
    """Return what tells an update from another of the same id: after a quiet week Telegram's ids begin anew anywhere,
    also at lower ones.
    """
    if query := update.callback_query:
        return query.id
    if message := update.message:
        return message.chat.id, message.message_id
    if change := update.my_chat_member:
        return change.chat.id, change.date
    return None


class Intake:
    """Updates under way and done. Belongs to the event loop; ids are only compared for equality."""

    def __init__(self) -> None:
        self._under_way: dict[int, asyncio.Future[bool]] = {}
        self._since: dict[int, float] = {}
        self._subjects: Recent[int, Hashable] = Recent(MOST_REMEMBERED)
        self._done: Recent[int, bool] = Recent(MOST_REMEMBERED)
        self._again: Recent[int, int] = Recent(MOST_REMEMBERED)
        self._faults: dict[int, Exception] = {}
        # Open requests of updates: whether their answer would still arrive; and the answers given in requests.
        self._requests: dict[int, Callable[[], bool]] = {}
        # Updates that the store holds until they are done, so that Telegram need not keep them.
        self.put_by: set[int] = set()
        self._said: Recent[int, ByRequest] = Recent(MOST_SAID)

    def register_update(
        self, id: int, is_heard: Callable[[], bool] | None = None, *, subject: Hashable = None
    ) -> "tuple[asyncio.Future[bool], bool]":
        """Register an update; return a future of whether it is done, and whether to begin it now.

        It may be under way or done already. `is_heard`: its request may carry the answer to a press while this is true.
        A different `subject` means another update of the same id.
        """
        if id in self._under_way:
            return self._under_way[id], False
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if self._subjects.get(id, subject) != subject:
            for known in (self._done, self._again, self._said):
                known.pop(id, None)
        self._subjects[id] = subject
        if id in self._done:
            outcome.set_result(True)
            if said := self._said.pop(id, None):
                said.say_again()
            return outcome, False
        self._under_way[id], self._since[id] = outcome, outcome.get_loop().time()
        if is_heard is not None and id not in self._again:
            self._requests[id] = is_heard
        return outcome, True

    def answer(self, id: int, body: bytes, say_again: Callable[[], object]) -> bool:
        """Answer the request of an update, which is on disk, with `body`. False: too late, the update is still under
        way.
        """
        is_heard = self._requests.get(id)
        late = asyncio.get_running_loop().time() - IN_TIME_S
        if is_heard is None or self._since.get(id, late) <= late or not is_heard():
            return False
        self._said[id] = ByRequest(body, say_again)
        self.end(id)
        return True

    def answer_of(self, id: int) -> bytes | None:
        """Return the body for the request that waited for the update, or None."""
        said = self._said.get(id)
        return said.body if said is not None else None

    def note(self, id: int, fault: Exception) -> None:
        """Note why an update failed; `end` follows."""
        self._faults[id] = fault

    def end(self, id: int, *, is_cut: bool = False) -> None:
        """End an update: on disk, given up, or cancelled. A done update stays done."""
        fault, outcome = self._faults.pop(id, None), self._under_way.pop(id, None)
        self._since.pop(id, None)
        self._requests.pop(id, None)
        if id in self._done:
            return
        is_done = not is_cut and (fault is None or self._is_hopeless(id, fault))
        if is_done:
            self._again.pop(id, None)
            self._done[id] = True
        else:
            self._again[id] = self._again.get(id, 0) + (not isinstance(fault, Busy))
        if outcome is not None and not outcome.done():
            outcome.set_result(is_done)

    def _is_hopeless(self, id: int, fault: Exception) -> bool:
        if isinstance(fault, Busy):
            return False
        return not is_unreachable(fault) or self._again.get(id, 0) + 1 >= MOST_TRIES

    def close(self) -> None:
        """End all updates under way as cancelled; they come again."""
        for id in list(self._under_way):
            self.end(id, is_cut=True)

    def is_done(self, id: int) -> bool:
        """Return whether an update is on disk or given up, so that it need not come again."""
        return id in self._done

    def is_under_way(self, id: int) -> bool:
        """Return whether an update is under way and Telegram must keep it until its end."""
        return id in self._under_way and id not in self.put_by

    def is_to_come_again(self, id: int) -> bool:
        """Return whether an update was not done, and waits until Telegram sends it again."""
        return id in self._again and id not in self._under_way and id not in self.put_by

    def is_kept(self, id: int) -> bool:
        """Return whether Telegram must keep an update: it is under way or is to come again."""
        return self.is_under_way(id) or self.is_to_come_again(id)

    async def rest(self, most_s: float) -> None:
        """Wait until no update that Telegram keeps is under way, for at most `most_s`."""
        if waited := [outcome for id, outcome in self._under_way.items() if id not in self.put_by]:
            await asyncio.wait(waited, timeout=most_s)


class Poll:
    """The bot as the library's poller sees it: it fetches updates, and confirms only those that are done.

    `put_by` is called with updates that take long, `on_polled` after each answered poll.
    """

    def __init__(
        self,
        bot: Bot,
        intake: Intake,
        put_by: Callable[[list[Update]], None],
        on_polled: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_polled = on_polled
        self._bot, self._intake, self._put_by = bot, intake, put_by
        self._fetched: list[Update] = []
        # The ids of the last answer, in order; earlier ones are forgotten.
        self._came: list[int] = []
        # The offset that confirms all of them. It follows the last id that came, up or down.
        self._after = 0
        self._not_before = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)

    async def get_updates(self, offset: int = 0, **more: Any) -> Sequence[Update]:
        """Poll for the library; the offset moves only past updates that are on disk."""
        await self._intake.rest(PATIENCE_S)
        self._fetched = [update for update in self._fetched if self._intake.is_under_way(update.update_id)]
        if self._fetched:
            self._put_by(self._fetched)
        if any(map(self._intake.is_to_come_again, self._came)):
            await asyncio.sleep(AGAIN_S)
        now = asyncio.get_running_loop().time
        await asyncio.sleep(max(0.0, self._not_before - now()))
        kept = next(filter(self._intake.is_kept, self._came), None)
        updates = await self._bot.get_updates(offset=(self._after or offset) if kept is None else kept, **more)
        self._on_polled()
        self._not_before = now() + GATHER_S * (len(updates) > 1)
        if more.get("timeout") == NO_TIME:
            return updates  # the library's last poll, whose updates it drops
        self._came = [update.update_id for update in updates]
        if self._came:
            self._after = self._came[-1] + 1
        fresh = [
            update
            for update in updates
            if self._intake.register_update(update.update_id, subject=subject_of(update))[1]
        ]
        self._fetched += fresh
        if kept is not None and not fresh:
            await asyncio.sleep(AGAIN_S)  # updates under way would return at once
        return fresh
