"""Updates on their way to the bot: a queue, one long poll at a time, or a webhook; doubled or lost on request."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.servers.telegram.refusal import Refusal

Json = dict[str, Any]

# These come only to a bot that names them in allowed_updates.
ON_REQUEST = {"chat_member", "message_reaction", "message_reaction_count"}
POLL_CONFLICT = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_CONFLICT = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
# An offset this far above the latest update counts as one of another time.
FAR_ABOVE = 10
RETRY_S = 0.05
# A bot that polled so recently will poll again.
POLLED_S = 0.5


@dataclass
class Webhook:
    url: str
    secret: str | None = None
    max_connections: int = 40
    last_error: tuple[int, str] | None = None
    is_failing: bool = False


@dataclass
class Updates:
    queue: list[Json] = field(default_factory=list)
    lost: list[Json] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    webhook: Webhook | None = None
    to_double: int = 0
    to_lose: int = 0
    polls: int = 0
    last_poll: float = 0.0
    _number: int = 100_000_000
    _doubled: set[int] = field(default_factory=set)
    _again: list[Json] = field(default_factory=list)
    _under_way: set[int] = field(default_factory=set)
    _waiting: asyncio.Future[str] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, kind: str, payload: Json) -> Json | None:
        """Queue an update; None if the bot did not ask for its kind, or if it is scripted to be lost."""
        if kind not in self.allowed if self.allowed else kind in ON_REQUEST:
            return None
        self._number += 1
        update = {"update_id": self._number, kind: payload}
        if self.to_lose:
            self.to_lose -= 1
            self.lost.append(update)
            return None
        if self.to_double:
            self.to_double -= 1
            self._doubled.add(self._number)
        self.queue.append(update)
        self.wake("news")
        return update

    def repeat(self, update: Json) -> None:
        """Send an update again with the same update_id, as after a crash before its confirmation."""
        self._again.append(update)
        self.wake("news")

    def pass_a_quiet_week(self, next_number: int) -> None:
        """Continue with any update_id, also a lower one, as after a week without updates."""
        assert not self.queue, "something came in that week"
        self._number = next_number - 1

    def wake(self, why: str) -> None:
        self._news.set()
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(why)

    async def poll(self, offset: int, limit: int, timeout: float) -> list[Json]:
        """Serve one long poll. A second poller ends the first one's with 409; `timeout` is real time."""
        if self.webhook:
            raise Refusal(409, WEBHOOK_CONFLICT)
        self.wake("conflict")
        self.polls += 1
        self.last_poll = time.monotonic()
        self._confirm(offset)
        if not (batch := self._batch(limit)) and timeout > 0:
            await self._wait(timeout)
            batch = self._batch(limit)
        return batch

    async def _wait(self, timeout: float) -> None:
        waiting = self._waiting = asyncio.get_running_loop().create_future()
        try:
            why = await asyncio.wait_for(waiting, timeout)
        except TimeoutError:
            why = "late"
        finally:
            if self._waiting is waiting:
                self._waiting = None
        if why == "conflict":
            raise Refusal(409, POLL_CONFLICT)

    @property
    def is_taken(self) -> bool:
        """Return whether all updates are confirmed, or there is no receiver."""
        polled = self._waiting is not None or time.monotonic() - self.last_poll < POLLED_S
        is_called = self.webhook is not None and not self.webhook.is_failing
        return not self.queue or not (is_called or (polled and self.webhook is None))

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            offset = self.queue[offset]["update_id"] if len(self.queue) >= -offset else 0
        if offset > self._number + FAR_ABOVE:
            return  # answered from the head of the queue, without confirming anything
        for update in [update for update in self.queue if update["update_id"] < offset]:
            self._settle(update)

    def _settle(self, update: Json) -> None:
        """Confirm an update; a doubled one comes again with the same update_id."""
        self.queue.remove(update)
        if update["update_id"] in self._doubled:
            self._doubled.discard(update["update_id"])
            self._again.append(update)

    def _batch(self, limit: int) -> list[Json]:
        again, self._again = self._again, []
        return [*again, *self.queue][:limit]

    def close(self) -> None:
        self.wake("closing")

    def drop_pending(self) -> None:
        self.queue.clear()
        self._again.clear()

    async def deliver_for_ever(self, now: Any, execute: Any, at_once: int = 1) -> None:
        """Post to the webhook until each update gets a 2xx; with several `at_once` they may overtake each other."""
        session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5), connector=aiohttp.TCPConnector(limit=0))
        async with session, asyncio.TaskGroup() as lines:
            for _line in range(at_once):
                lines.create_task(self._deliver_in_order(session, now, execute))

    async def _deliver_in_order(self, session: aiohttp.ClientSession, now: Any, execute: Any) -> None:
        while True:
            if self.webhook and (update := self._next()):
                self._under_way.add(update["update_id"])
                try:
                    await self._deliver(session, self.webhook, update, now, execute)
                finally:
                    self._under_way.discard(update["update_id"])
            else:
                self._news.clear()
                await self._news.wait()

    def _next(self) -> Json | None:
        """Return the next update that is not being delivered."""
        if self._again:
            return self._again.pop(0)
        return next((update for update in self.queue if update["update_id"] not in self._under_way), None)

    async def _deliver(
        self, session: aiohttp.ClientSession, webhook: Webhook, update: Json, now: Any, execute: Any
    ) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": webhook.secret} if webhook.secret else {}
        try:
            async with session.post(webhook.url, json=update, headers=headers) as response:
                if not 200 <= response.status < 300:
                    reason = f"Wrong response from the webhook: {response.status} {response.reason}"
                    raise ConnectionError(reason)
                taken, kind = await response.read(), response.content_type
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            webhook.is_failing = True
            webhook.last_error = (int(now()), str(error) or type(error).__name__)
            if update not in self.queue:  # its second delivery failed: it comes again
                self._again.append(update)
            await asyncio.sleep(RETRY_S)
            return
        webhook.is_failing = False
        if update in self.queue:
            self._settle(update)
        if taken.strip():
            execute(taken, kind)
