"""A simulated beacon: rounds of its own chain, most in time, some late, now and then none for hours.

The follower of a real beacon would have verified the rounds; here no chain has signed them.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.fairness.beacon import BeaconRound, randomness_of, round_at, time_of

CHAIN = "storm"
# How often a step brings an outage, how often its end, and how often a requested round is late, by at most this many
# seconds.
OUTAGES, ENDS, LATE, MOST_LATE_S = 0.002, 0.02, 0.2, 90.0


def round_of(number: int) -> BeaconRound:
    """Return a round, the same in every simulation."""
    signature = hashlib.sha384(b"storm %d" % number).digest()
    return BeaconRound(number, randomness_of(signature), signature.hex())


@dataclass
class SimulatedBeacon:
    """A beacon for the writer (bot.core.writer.Beacon). `uptime` is the chain's time, whatever the wall clock says."""

    uptime: Callable[[], float]
    rng: random.Random
    is_out: bool = False
    wanted: dict[int, float] = field(default_factory=dict)
    told: int = 0
    _tell: Callable[[BeaconRound], None] = lambda round: None

    @property
    def name(self) -> str:
        """Return the name of the chain."""
        return CHAIN

    @property
    def newest(self) -> int:
        """Return a round that is surely over; without relays, rounds are counted by time."""
        return round_at(self.uptime())

    def subscribe(self, tell: Callable[[BeaconRound], None]) -> Callable[[], None]:
        """Subscribe a new process and drop what the one before waited for."""
        self._tell = tell
        self.wanted.clear()
        return lambda: None

    def request_round(self, round: int) -> None:
        """Request a round, which is reported when it exists."""
        late = self.rng.uniform(0.0, MOST_LATE_S) if self.rng.random() < LATE else 0.0
        self.wanted.setdefault(round, time_of(round) + late)

    def forget(self, round: int) -> None:
        """Forget a round that is no longer needed."""
        self.wanted.pop(round, None)

    def pass_time(self) -> None:
        """Begin or end an outage before a step, and report the rounds that have come."""
        if self.rng.random() < (ENDS if self.is_out else OUTAGES):
            self.is_out = not self.is_out
        for round, at in sorted(self.wanted.items()):
            if not self.is_out and at <= self.uptime():
                del self.wanted[round]
                self.told += 1
                self._tell(round_of(round))
