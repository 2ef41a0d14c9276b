"""A rate limiter for calls to a platform: how many a second, and urgent calls before those that can wait.

Pure: time is an argument and nothing is sent. Waiting calls are keys; their content is drawn when they are granted,
so that the latest state is sent.
"""

import heapq
from collections import deque
from collections.abc import Hashable, Mapping
from enum import IntEnum
from itertools import count
from math import inf
from typing import NamedTuple


class Rank(IntEnum):
    """Priority of a call by its purpose. FIRST: part of something that has begun, or a probe of the platform."""

    FIRST = 0
    TURN = 1
    DECISION = 2
    CHIP = 3
    BOARD = 4


# A call of this rank that has waited this long goes before a new turn, so that none waits forever.
PATIENCE_S: Mapping[Rank, float] = {
    Rank.FIRST: -inf,
    Rank.TURN: 0.0,
    Rank.DECISION: 3.0,
    Rank.CHIP: 6.0,
    Rank.BOARD: 60.0,
}


# Changes that have waited this long go after newer ones, the latest first: if calls are scarce, some bets are seen
# soon, and the others with the next turn of their table. In order of arrival each would be seen when its hand is nearly
# over.
SOON_S = 2.5
_CHANGES = (Rank.DECISION, Rank.CHIP)

# A platform takes a call within this time, on a busy machine too; a later call will have no answer.
WAY_S = 15.0


class Bucket:
    """A token bucket: `a_second` calls on average, `burst` of them at once after a rest."""

    def __init__(self, a_second: float, burst: int = 1) -> None:
        # When all granted calls are paid for, one in each gap.
        self._paid_at = -inf
        self._gap_s = 1.0 / a_second
        self._slack_s = (burst - 1) * self._gap_s

    @property
    def free_at(self) -> float:
        """Return the time from which a call may be taken."""
        return self._paid_at - self._slack_s

    def pay_call(self, now: float) -> None:
        """Pay for a call at `now`, without checking that it is allowed."""
        self._paid_at = max(self._paid_at, now) + self._gap_s

    def give_back(self) -> None:
        """Refund a call that was not needed."""
        self._paid_at -= self._gap_s

    def block_until(self, until: float) -> None:
        """Grant nothing until the time that the platform named; then one call at a time."""
        self._paid_at = max(self._paid_at, until + self._slack_s)


class Window:
    """A sliding window: at most `most` calls that are under way or were answered less than a second ago.

    The platform counts a call at some moment between its beginning and its answer; whichever it is, no second of its
    own has more.
    """

    def __init__(self, most: float) -> None:
        self.most = most
        # {number: until when it counts}
        self._until: dict[int, float] = {}
        self._numbers = count()

    def free_at(self, now: float) -> float:
        """Return the time from which a call may be made, as far as known; an answer may make it earlier."""
        for number in [number for number, until in self._until.items() if until <= now]:
            del self._until[number]
        return now if len(self._until) < self.most else min(self._until.values())

    def has_room(self, now: float, waiting: int) -> bool:
        """Return whether a fifth of the calls is left after those being made and `waiting` more."""
        self.free_at(now)
        return 5 * (len(self._until) + waiting) < 4 * self.most

    def enter(self, now: float) -> int:
        """Register a call that begins and return its number, without checking that it is allowed."""
        number = next(self._numbers)
        self._until[number] = now + WAY_S + 1.0
        return number

    def answered(self, number: int, now: float) -> None:
        if number in self._until:
            self._until[number] = min(self._until[number], now + 1.0)

    def forget(self, number: int) -> None:
        """Forget a call that was not made."""
        self._until.pop(number, None)


class Grant(NamedTuple):
    """A granted call, with its number until it is answered."""

    key: Hashable
    number: int


class _WaitingCall(NamedTuple):
    due: float
    number: int
    since: float


class _Changes:
    """Waiting calls of one rank as (number, key): first the oldest of `new`, then the latest of `old`."""

    def __init__(self) -> None:
        self.new: deque[tuple[int, Hashable]] = deque()
        self.old: list[tuple[int, Hashable]] = []

    def _put_behind(self, number: int, key: Hashable, waiting: Mapping[Hashable, _WaitingCall]) -> None:
        if len(self.old) > 2 * len(waiting) + 64:  # most of them went when they were due
            known = ((one, waiting.get(one[1])) for one in self.old)
            self.old = [one for one, entry in known if entry is not None and entry.number == one[0]]
        self.old.append((number, key))

    def first(self, waiting: Mapping[Hashable, _WaitingCall], now: float) -> Hashable | None:
        """Return the first key, dropping outdated entries of the queue."""
        while self.new:
            number, key = self.new[0]
            known = waiting.get(key)
            if known is not None and known.number == number:
                if known.since >= now - SOON_S:
                    return key
                self._put_behind(number, key, waiting)
            self.new.popleft()
        while self.old:
            number, key = self.old[-1]
            known = waiting.get(key)
            if known is not None and known.number == number:
                return key
            self.old.pop()
        return None


class Budget:
    """A queue of waiting calls by rank, then by age; asking again keeps the place or improves it.

    `a_second` calls go on average, and never more than `most` in any second of the platform's.
    """

    def __init__(self, a_second: float, burst: int = 1, most: float = inf) -> None:
        self.bucket, self.window = Bucket(a_second, burst), Window(most)
        self._waiting: dict[Hashable, _WaitingCall] = {}
        # (due, number, key); an entry is outdated unless it still waits under its key.
        self._heap: list[tuple[float, int, Hashable]] = []
        # Recent and old calls of these ranks.
        self._changes = [_Changes(), _Changes()]
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._waiting)

    def enqueue(self, key: Hashable, rank: Rank, now: float) -> None:
        """Queue `key` from now on; a key that waits already keeps its place or moves up with a more urgent rank."""
        known = self._waiting.get(key)
        since = known.since if known is not None else now
        due = since + PATIENCE_S[rank]
        if known is None or due < known.due:
            number = next(self._numbers)
            self._waiting[key] = _WaitingCall(due, number, since)
            heapq.heappush(self._heap, (due, number, key))
            if rank in _CHANGES:
                self._changes[_CHANGES.index(rank)].new.append((number, key))

    def drop(self, key: Hashable) -> None:
        """Remove a call that is not needed any more."""
        self._waiting.pop(key, None)

    def grant_next(self, now: float) -> Grant | None:
        """Pay for and return the next call, or None if none waits or none is allowed yet."""
        if not self._waiting or self._free_at(now) > now:
            return None
        key = self._first(now)
        del self._waiting[key]
        self.bucket.pay_call(now)
        return Grant(key, self.window.enter(now))

    def _first(self, now: float) -> Hashable:
        """Return the key that is due, else the first of those that can wait; there must be one."""
        while True:
            due, number, key = self._heap[0]
            waiting = self._waiting.get(key)
            if waiting is not None and waiting.number == number:
                break
            heapq.heappop(self._heap)
        if due <= now:
            return key
        found = (changes.first(self._waiting, now) for changes in self._changes)
        return next((one for one in found if one is not None), key)

    def give_back(self, number: int) -> None:
        """Refund a granted call that was not needed."""
        self.bucket.give_back()
        self.window.forget(number)

    def is_quiet(self, now: float) -> bool:
        """Return whether there are calls to spare for optional messages."""
        return self.window.has_room(now, len(self._waiting))

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until the next call may be made; None if none waits."""
        return max(0.0, self._free_at(now) - now) if self._waiting else None

    def _free_at(self, now: float) -> float:
        return max(self.bucket.free_at, self.window.free_at(now))
