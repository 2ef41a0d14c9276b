"""The simulation's beacon: rounds of a chain of its own, most of them in time, some late, now and then none for hours.

What the house is told of was checked by whoever follows the beacon; here no chain has signed it.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.fairness.beacon import Round, randomness_of, round_at, time_of

CHAIN = "storm"
# How often a step brings an outage, how often its end, and how often a wanted round is late by so many seconds at most.
OUTAGES, ENDS, LATE, MOST_LATE_S = 0.002, 0.02, 0.2, 90.0


def round_of(number: int) -> Round:
    """The same in every simulation."""
    signature = hashlib.sha384(b"storm %d" % number).digest()
    return Round(number, randomness_of(signature), signature.hex())


@dataclass
class SimulatedBeacon:
    """As the writer meets it (bot.core.writer.Beacon). `uptime` is the chain's time, whatever the wall clock says."""

    uptime: Callable[[], float]
    rng: random.Random
    is_out: bool = False
    wanted: dict[int, float] = field(default_factory=dict)
    told: int = 0
    _tell: Callable[[Round], None] = lambda round: None

    @property
    def name(self) -> str:
        """Of its chain."""
        return CHAIN

    @property
    def newest(self) -> int:
        """A round that is surely over: relays that are out say nothing, and rounds are counted on."""
        return round_at(self.uptime())

    def subscribe(self, tell: Callable[[Round], None]) -> Callable[[], None]:
        """Of a house that opens; the one before is gone, with all that it waited for."""
        self._tell = tell
        self.wanted.clear()
        return lambda: None

    def want(self, round: int) -> None:
        """It is told when it is there."""
        late = self.rng.uniform(0.0, MOST_LATE_S) if self.rng.random() < LATE else 0.0
        self.wanted.setdefault(round, time_of(round) + late)

    def forget(self, round: int) -> None:
        """Nobody waits for it any more."""
        self.wanted.pop(round, None)

    def pass_time(self) -> None:
        """Before a step: an outage begins or ends, and what has come is told."""
        if self.rng.random() < (ENDS if self.is_out else OUTAGES):
            self.is_out = not self.is_out
        for round, at in sorted(self.wanted.items()):
            if not self.is_out and at <= self.uptime():
                del self.wanted[round]
                self.told += 1
                self._tell(round_of(round))
