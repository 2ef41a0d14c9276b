"""Telegram's flood limits for a bot, on the server's clock."""

from collections import deque
from dataclasses import dataclass, field
from math import ceil


@dataclass(frozen=True)
class Limits:
    """20 messages and edits a minute in a group, one a second in a chat with a little burst, 30 a second over all."""

    group_per_minute: int = 20
    chat_burst: int = 3
    all_per_second: int = 30


@dataclass
class Pace:
    """One chat's use of its limits: the calls of the last minute, and the present burst."""

    minute: deque[float] = field(default_factory=deque)
    burst: float = 0.0
    since: float = 0.0


@dataclass
class Flood:
    limits: Limits | None
    paces: dict[int, Pace] = field(default_factory=dict)
    second: deque[float] = field(default_factory=deque)
    limited_until: dict[int, float] = field(default_factory=dict)

    def admit(self, chat_id: int, in_group: bool, now: float) -> int:
        """Return 0 and count a message, or return the seconds to wait and count nothing."""
        if self.limited_until.get(chat_id, 0) > now:
            return ceil(self.limited_until[chat_id] - now)
        if self.limits is None:
            return 0
        pace = self.paces.setdefault(chat_id, Pace(burst=self.limits.chat_burst, since=now))
        wait = max(self._wait_of_all(now), self._wait_of_chat(pace, in_group, now))
        if not wait:
            pace.burst -= 1
            pace.minute.append(now)
            self.second.append(now)
        return wait

    def _wait_of_all(self, now: float) -> int:
        assert self.limits
        while self.second and self.second[0] <= now - 1:
            self.second.popleft()
        return 1 if len(self.second) >= self.limits.all_per_second else 0

    def _wait_of_chat(self, pace: Pace, in_group: bool, now: float) -> int:
        assert self.limits
        while pace.minute and pace.minute[0] <= now - 60:
            pace.minute.popleft()
        pace.burst = min(pace.burst + now - pace.since, self.limits.chat_burst)
        pace.since = now
        if in_group and len(pace.minute) >= self.limits.group_per_minute:
            return max(ceil(pace.minute[0] + 60 - now), 1)
        return 0 if pace.burst >= 1 - 1e-6 else ceil(1 - pace.burst)
