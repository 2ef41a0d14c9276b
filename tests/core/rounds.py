"""A beacon whose rounds come when a test says so, as the writer meets it."""

import hashlib

from engine.fairness.beacon import GENESIS, PERIOD_S, BeaconRound, randomness_of
from tests.engine.fairness.writing import round_of_quicknet

BEGAN = float(GENESIS + 10_000 * PERIOD_S)


def made_up(number):
    """Return a round that no chain has signed; the follower would have checked it before the writer gets it."""
    signature = hashlib.sha384(b"%d" % number).digest()
    return BeaconRound(number, randomness_of(signature), signature.hex())


class Rounds:
    """A beacon; `wanted` are the rounds waited for; `come` delivers one."""

    def __init__(self, name="quicknet"):
        self.name = name
        self.newest = 0
        self.wanted = set()
        self.tell = lambda round: None

    def subscribe(self, tell):
        self.tell = tell
        return lambda: None

    def request_round(self, round):
        self.wanted.add(round)

    def forget(self, round):
        self.wanted.discard(round)

    def come(self, number, round=None):
        self.tell(round or made_up(number))


def real(number):
    """Return a real round of quicknet."""
    return BeaconRound(**round_of_quicknet(number))
