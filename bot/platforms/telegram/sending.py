"""The send queue: the latest state of each message, new messages first, within Telegram's limits.

About 20 messages and edits a minute in a group (its topics together), one a second in a chat, 30 a second in all. A 429
holds its own chat only. Answers to presses and deletions are free and bypass the queue.
"""

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import Any, Protocol

from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

from bot.core.counters import PLATFORMS
from bot.platforms.common.budget import Bucket, Window
from bot.platforms.telegram.http import may_have_arrived
from bot.platforms.telegram.order import Order, Rank

# python-telegram-bot will do this by itself one day; until then it warns at every 429.
os.environ.setdefault("PTB_TIMEDELTA", "true")

GAP_S = 1.0
# A group may send five at once, then one every 4.1 s: never more than 20 in any minute.
GROUP_BURST = 5
GROUP_REFILL_S = 4.1
ALL_GAP_S = 1 / 29
# Calls may arrive closer together than they leave: no second at Telegram may have more.
ALL_A_SECOND = 30
RETRIES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
# A chat that is held for this long, or fails this often, is unreachable: its table's clocks pause.
STUCK_S, STUCK_TRIES = 3.0, 2
# After an outage older answers are dropped.
ANSWER_KEPT_S = 120.0
# Order of sending: cards and payments, placed bets, other changes of a table, answers.
NEW, BETS, MINOR, REPLY = range(4)
# An answer leaves its chat one call for the table, but waits no longer than this; so do changes within a stage.
REPLY_GIVES_WAY_S, MINOR_GIVES_WAY_S = 12.0, 12.0
# A group with no more calls than these in the last minute is less busy than its typed commands suggest.
HALF_A_MINUTE = 10
# For this long after an answer, a group counts as one in which people type.
TALKS_S = 15.0
_log = logging.getLogger("ridotto.telegram")


class Clock(Protocol):
    """A monotonic clock in seconds, and a way to wait; tests move it forward."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The system's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class JobResult(Enum):
    """The result of a job that sent nothing: no change, or a refusal by Telegram that was dealt with."""

    NOTHING = "nothing"
    REFUSED = "refused"


Send = Callable[[], Awaitable[Any]]


@dataclass
class _Job:
    """A queued job. `due`: not before, but from `soon` on if the group has another call to spare, and from `late` on if
    it has used at most half of its last minute. `once`: never repeated.

    `yields`: where people type, a spare call is for their answers. `done` is set if someone waits for the result.
    """

    send: Send
    priority: int
    due: float
    since: float
    soon: float = inf
    late: float = inf
    done: "asyncio.Future[Any] | None" = None
    once: bool = False
    yields: bool = False
    tries: int = 0

    def rank(self, now: float) -> Rank:
        """Return the priority; an answer that has given way for long enough goes first."""
        return (NEW if self.priority == REPLY and self.since < self.due <= now else self.priority), self.since


@dataclass
class _ChatQueue:
    """The limits of one chat, and the jobs that wait there."""

    name: Hashable
    is_group: bool
    pace: Bucket = field(default_factory=lambda: Bucket(1 / GAP_S))
    group: Bucket = field(default_factory=lambda: Bucket(1 / GROUP_REFILL_S, GROUP_BURST))
    is_sending: bool = False
    # The earliest time for calls after failures; `resume` ignores it.
    again: float = 0.0
    # When the last answer was sent there, and the times of the last calls.
    answered: float = -inf
    made: deque[float] = field(default_factory=lambda: deque(maxlen=HALF_A_MINUTE + 1))
    is_stuck: bool = False
    jobs: dict[Hashable, _Job] = field(default_factory=dict)
    stamp: int = 0

    def free_at(self) -> float:
        if not self.jobs or self.is_sending:
            return inf
        return min(self.ready_at(job) for job in self.jobs.values())

    def ready_at(self, job: _Job) -> float:
        """Return when a job may go, by the limits of this chat."""
        two, may = self.ready_for(2), self.ready_for()
        spare = max(two, job.soon)
        if job.priority == MINOR:
            # The last call is reserved for a decision.
            may = max(may, min(two, max(job.due, job.since) + MINOR_GIVES_WAY_S))
        if job.yields:
            spare = max(spare, self.talks_until())
        return min(max(may, job.due), spare, max(may, job.late, self.half_used_until()))

    def half_used_until(self) -> float:
        """Return when at most half of the last minute's calls will be used."""
        return self.made[0] + 60.0 if len(self.made) > HALF_A_MINUTE else -inf

    def talks_until(self) -> float:
        """Return until when people type there; inf while an answer waits."""
        waits = any(job.priority == REPLY for job in self.jobs.values())
        return inf if waits else self.answered + TALKS_S

    def ready(self, now: float) -> "dict[Hashable, _Job]":
        """Return the jobs that may go now."""
        return {key: job for key, job in self.jobs.items() if self.ready_at(job) <= now}

    def rank(self, now: float) -> Rank:
        return min(job.rank(now) for job in self.ready(now).values())

    def due_after(self, now: float) -> float:
        return min((at for job in self.jobs.values() if (at := self.ready_at(job)) > now), default=inf)

    @property
    def _buckets(self) -> tuple[Bucket, ...]:
        return (self.pace, self.group) if self.is_group else (self.pace,)

    def ready_for(self, calls: int = 1) -> float:
        """Return when `calls` calls could go, the first at once."""
        more = (calls - 1) * GROUP_REFILL_S if self.is_group else 0.0
        return max(self.again, self.pace.free_at, self.group.free_at + more if self.is_group else 0.0)

    def pay_call(self, now: float) -> None:
        self.made.append(now)
        for bucket in self._buckets:
            bucket.pay_call(now)

    def give_back(self) -> None:
        """Refund a call that was not made."""
        self.made.pop()
        for bucket in self._buckets:
            bucket.give_back()

    def block_until(self, until: float) -> None:
        for bucket in self._buckets:
            bucket.block_until(until)


class Outbox:
    """The send queue of the bot. A job reads the state only when it is sent.

    `on_answer` is called with each call's result (None, or its fault), `on_stuck` when a chat is rate-limited or free
    again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.tally = PLATFORMS["telegram"]
        self.on_answer: Callable[[BaseException | None], None] = lambda fault: None
        self.on_stuck: Callable[[Hashable, bool], None] = lambda chat, is_stuck: None
        self._is_paused = False
        self._chats: dict[Hashable, _ChatQueue] = {}
        # The chats with jobs; their order; and when to look again if nothing new comes.
        self._waiting: set[Hashable] = set()
        self._order: Order[_ChatQueue] = Order()
        self._looks_at = -inf
        self._all, self._window = Bucket(1 / ALL_GAP_S), Window(ALL_A_SECOND)
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._dispatcher: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._dispatcher = asyncio.create_task(self._dispatch(), name="telegram outbox")

    async def stop(self) -> None:
        for task in (self._dispatcher, *self._tasks):
            if task is not None:
                task.cancel()
        await asyncio.gather(*filter(None, (self._dispatcher, *self._tasks)), return_exceptions=True)

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not self._tasks

    def put(
        self,
        chat: Hashable,
        key: Hashable,
        send: Send,
        *,
        is_group: bool,
        priority: int = NEW,
        due: float = 0.0,
        soon: float = inf,
        late: float = inf,
        once: bool = False,
        yields: bool = False,
    ) -> None:
        """Set what to send under `key`; it replaces what waits there and keeps its turn."""
        now = self._clock.now()
        self._queue_job(chat, key, _Job(send, priority, due, now, soon, late, once=once, yields=yields), is_group)

    def reply(self, chat: Hashable, key: Hashable, send: Send, *, is_group: bool) -> None:
        """Queue an answer like `put`; for a while it leaves a call to the table."""
        now = self._clock.now()
        self._queue_job(chat, key, _Job(send, REPLY, now + REPLY_GIVES_WAY_S, now, now, once=True), is_group)

    async def send(self, chat: Hashable, send: Send, *, is_group: bool, priority: int = REPLY) -> Any:
        """Send once, when allowed, and return the result. Raises Telegram's refusal."""
        done = asyncio.get_running_loop().create_future()
        now = self._clock.now()
        due = now + REPLY_GIVES_WAY_S if priority == REPLY else now
        self._queue_job(chat, object(), _Job(send, priority, due, now, now, done=done), is_group)
        return await done

    def has_room(self, chat: Hashable, calls: int) -> bool:
        """Return whether `calls` calls could go now and nothing waits."""
        known = self._chats.get(chat)
        return known is None or (not known.jobs and known.ready_for(calls) <= self._clock.now())

    def is_quiet(self, chat: Hashable) -> bool:
        """Return whether the chat has a call to spare now."""
        known = self._chats.get(chat)
        return known is None or known.group.free_at <= self._clock.now()

    def is_half_used(self, chat: Hashable) -> bool:
        """Return whether more than half of a minute's calls was used in the last one."""
        known = self._chats.get(chat)
        return known is not None and known.half_used_until() > self._clock.now()

    def is_talked_in(self, chat: Hashable) -> bool:
        """Return whether people type commands there, so that a hand must keep within its calls."""
        known = self._chats.get(chat)
        return known is not None and known.talks_until() > self._clock.now()

    def drop(self, chat: Hashable, key: Hashable) -> None:
        """Remove a job that is not needed any more."""
        if known := self._chats.get(chat):
            known.jobs.pop(key, None)
            self._note(known)
            if known.is_stuck and not known.jobs and not known.is_sending:
                self._mark_stuck(known, False)

    def pause(self) -> None:
        """Send nothing until `resume`."""
        self._is_paused = True

    def resume(self) -> None:
        """Send the latest state of everything again, without answers that have become old."""
        self._is_paused = False
        oldest = self._clock.now() - ANSWER_KEPT_S
        for chat in self._chats.values():
            chat.again = 0.0
            for key, job in list(chat.jobs.items()):
                if job.done is not None and job.since < oldest:
                    del chat.jobs[key]
                    self._fail(job, NetworkError("too late to be answered"))
            self._note(chat)
        self._wake.set()

    def _queue_job(self, chat: Hashable, key: Hashable, job: _Job, is_group: bool) -> None:
        known = self._chats.setdefault(chat, _ChatQueue(chat, is_group))
        if old := known.jobs.get(key):
            job.priority, job.due, job.since = min(old.priority, job.priority), min(old.due, job.due), old.since
            job.soon, job.late = min(old.soon, job.soon), min(old.late, job.late)
            job.yields = old.yields and job.yields
            self.tally.skipped += 1
        known.jobs[key] = job
        self._note(known)

    def _note(self, chat: _ChatQueue) -> None:
        """Note a change of a chat or of its jobs."""
        (self._waiting.add if chat.jobs else self._waiting.discard)(chat.name)
        if self._order.note(chat) < self._looks_at:
            self._wake.set()

    async def _dispatch(self) -> None:
        while True:
            self._wake.clear()
            now = self._clock.now()
            chat, self._looks_at = self._choose(now)
            if chat is not None:
                self._launch(chat, now)
            elif self._looks_at == inf:
                await self._wake.wait()
            else:
                await self._doze(self._looks_at - now)

    async def _doze(self, seconds: float) -> None:
        """Sleep, or wake earlier for something new."""
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        waking = asyncio.ensure_future(self._wake.wait())
        try:
            await asyncio.wait({sleeping, waking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waking.cancel()

    def _choose(self, now: float) -> tuple[_ChatQueue | None, float]:
        """Return the chat whose job goes now, or when to look again (inf: nothing to wait for)."""
        if self._is_paused:
            return None, inf
        if (free_at := max(self._all.free_at, self._window.free_at(now))) > now + 1e-6:
            return None, free_at
        found = self._order.first(now)
        return found, now if found is not None else self._order.next_at()

    def _launch(self, chat: _ChatQueue, now: float) -> None:
        ready = chat.ready(now + 1e-6)
        key = min(ready, key=lambda one: ready[one].rank(now))
        job = chat.jobs.pop(key)
        if job.priority == REPLY:
            chat.answered = now
        chat.pay_call(now)
        chat.is_sending = True
        self._note(chat)
        self._all.pay_call(now)
        task = asyncio.create_task(self._run(chat, key, job, self._window.enter(now)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, chat: _ChatQueue, key: Hashable, job: _Job, number: int) -> None:
        try:
            answer = await job.send()
        except TelegramError as fault:
            self.tally.failed += 1
            self.on_answer(fault)
            self._see_to(chat, key, job, fault)
        except Exception as fault:
            self._fail(job, fault)
        else:
            if answer is JobResult.NOTHING:
                self._window.forget(number)
            self._count(chat, answer)
            if job.done is not None and not job.done.done():
                job.done.set_result(answer)
        finally:
            chat.is_sending = False
            if chat.is_stuck and not chat.jobs:
                self._mark_stuck(chat, False)
            self._window.answered(number, self._clock.now())
            self._note(chat)
            self._wake.set()  # the window may be open sooner now

    def _count(self, chat: _ChatQueue, answer: Any) -> None:
        if answer is JobResult.NOTHING:
            self.tally.skipped += 1
            chat.give_back()
            return
        self.tally.sent += answer is not JobResult.REFUSED
        self.tally.failed += answer is JobResult.REFUSED
        self.on_answer(None)
        self._mark_stuck(chat, False)

    def _see_to(self, chat: _ChatQueue, key: Hashable, job: _Job, fault: TelegramError) -> None:
        if isinstance(fault, RetryAfter):
            self._hold_chat(chat, key, job, _seconds(fault))
        elif isinstance(fault, NetworkError) and not isinstance(fault, BadRequest):
            self._try_again(chat, key, job, fault)
        else:  # a refusal: no second try helps it
            self._fail(job, fault)

    def _mark_stuck(self, chat: _ChatQueue, is_stuck: bool) -> None:
        if chat.is_stuck != is_stuck:
            chat.is_stuck = is_stuck
            self.on_stuck(chat.name, is_stuck)

    def _hold_chat(self, chat: _ChatQueue, key: Hashable, job: _Job, seconds: float) -> None:
        """Hold the chat for as long as Telegram says; the latest state is sent then."""
        self.tally.limited += 1
        chat.block_until(self._clock.now() + seconds)
        if seconds >= STUCK_S:
            self._mark_stuck(chat, True)
        self._requeue(chat, key, job)

    def _try_again(self, chat: _ChatQueue, key: Hashable, job: _Job, fault: TelegramError) -> None:
        """Retry later, ever more slowly, after a failure of the network or Telegram. What may have arrived is not
        repeated.
        """
        is_over = job.done is not None and job.tries >= len(RETRIES_S)
        if is_over or ((job.done is not None or job.once) and may_have_arrived(fault)):
            self._fail(job, fault)
            return
        chat.again = self._clock.now() + RETRIES_S[min(job.tries, len(RETRIES_S) - 1)]
        job.tries += 1
        if job.tries >= STUCK_TRIES:
            self._mark_stuck(chat, True)
        self._requeue(chat, key, job)

    def _requeue(self, chat: _ChatQueue, key: Hashable, job: _Job) -> None:
        if newer := chat.jobs.get(key):
            newer.tries = job.tries
            self.tally.skipped += 1
        else:
            chat.jobs[key] = job

    def _fail(self, job: _Job, fault: BaseException) -> None:
        if job.done is not None and not job.done.done():
            job.done.set_exception(fault)
        elif isinstance(fault, TelegramError):
            _log.warning("a message was not sent: %s", fault)
        else:
            _log.error("a message could not be sent: %s", fault, exc_info=fault)


def _seconds(wait: RetryAfter) -> float:
    after = wait.retry_after
    return float(after) if isinstance(after, int | float) else after.total_seconds()
