"""Rate limits per key: a burst, refilled at a fixed rate."""

import time
from collections.abc import Callable, Hashable

from bot.platforms.common.recent import Recent

MOST_KEYS = 10_000


class Allowance:
    """A token bucket for each key. The keys unused for longest are forgotten first."""

    def __init__(self, at_once: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_once, self.a_second, self._clock = at_once, a_second, clock
        # {key: (what was left, when)}
        self._left: Recent[Hashable, tuple[float, float]] = Recent(MOST_KEYS)

    def left(self, key: Hashable) -> float:
        left, since = self._left.get(key, (float(self.at_once), 0.0))
        return min(float(self.at_once), left + (self._clock() - since) * self.a_second)

    def spend(self, key: Hashable, cost: float = 1.0) -> bool:
        """Spend `cost` tokens of `key` and return True; return False if too few are left."""
        left = self.left(key)
        self._left[key] = (left - cost if left >= cost else left, self._clock())
        return left >= cost
