"""Drand's quicknet: when its rounds come, what number a round is, and who signed it. Another chain has to be named."""

import hashlib
from typing import NamedTuple

from engine.fairness import bls

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
CHAIN_NAME = "quicknet"
SCHEME = "bls-unchained-g1-rfc9380"
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2"
    "2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENESIS = 1692803367
PERIOD_S = 3
# A close names a round that comes at least this long after it.
NOTICE_S = 3
# How long after its time a missing round allows a hand to be void.
VOID_AFTER_S = 3600


class BeaconRound(NamedTuple):
    """A beacon round as a record has it: number, randomness and signature, the last two in hex."""

    round: int
    randomness: str
    signature: str


class ChainInfo(NamedTuple):
    """Public key and times of a chain with quicknet's scheme."""

    key: bytes
    period_s: int
    genesis: int

    def time_of(self, round: int) -> int:
        """Return when a round is published, in seconds since 1970; rounds count from 1."""
        return self.genesis + (round - 1) * self.period_s

    def round_after(self, named_at: int) -> int:
        """Return the one round that an entry of this time may name: the first that comes NOTICE_S later or more."""
        return max(1, 1 - (self.genesis - named_at - NOTICE_S) // self.period_s)

    def has_signed(self, round: int, signature: bytes) -> bool:
        """Return whether this is the chain's signature of a round. Takes about 30 ms."""
        return bls.verify(self.key, message_of(round), signature)


QUICKNET = ChainInfo(PUBLIC_KEY, PERIOD_S, GENESIS)


def time_of(round: int) -> int:
    """Return when a round of quicknet is published."""
    return QUICKNET.time_of(round)


def round_after(named_at: int) -> int:
    """Return the one round of quicknet that an entry of this time may name."""
    return QUICKNET.round_after(named_at)


def round_at(at: float) -> int:
    """Return the newest round at that time, by the clock alone; 0 before the first."""
    return max(0, 1 + int((at - GENESIS) // PERIOD_S))


def round_to_name(closed_at: int, newest: int) -> int | None:
    """Return the round that a close names, or None.

    None where the one before it is known already: then the clock that says `closed_at` is behind the chain's, and
    nothing is closed.
    """
    named = round_after(closed_at)
    return None if newest >= named - 1 else named


def randomness_of(signature: bytes) -> str:
    """Return H(signature) in hex, which a round adds to the seed of the deck."""
    return hashlib.sha256(signature).hexdigest()


def message_of(round: int) -> bytes:
    """Return the message that the chain signs for a round: the hash of its number as 8 bytes."""
    return hashlib.sha256(round.to_bytes(8, "big")).digest()
