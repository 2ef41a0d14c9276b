"""Strict reading of a relay's answer: form, hash, and the chain's signature.

No network here, and no clock.
"""

from typing import Any

from engine.fairness import bls, canonical
from engine.fairness.beacon import BeaconRound, message_of, randomness_of
from engine.fairness.shape import is_hex, is_positive

# In bytes; an expected answer takes less than half of it.
LONGEST_ANSWER = 2048
# What a relay can fail by, as the metrics have it:
#   silent    no connection, or no answer in time
#   refused   an answer that is none: another status than 200
#   late      the round is over, and it has none
#   wrong     an answer that is not this round: its shape, its number, its hash
#   forged    a round that the chain has not signed
KINDS = ("silent", "refused", "late", "wrong", "forged")
_is_signature_hex, _is_hash_hex = is_hex(2 * bls.SIGNATURE_BYTES), is_hex(64)


class Failed(Exception):
    """A failure of a relay: one of KINDS, and the reason in a few words, which quote nothing of the answer."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


def read_round(data: bytes, number: int | None) -> BeaconRound:
    """Read the answer to `GET /HASH/public/NUMBER`, or to `latest`, which may be any round.

    Its signature is not checked here. Raises Failed.
    """
    told = parse_answer(data)
    round, randomness, signature = (told.get(name, "") for name in BeaconRound._fields)
    if not (is_positive(round) and _is_hash_hex(randomness) and _is_signature_hex(signature)):
        raise Failed("wrong", "its answer does not have the format of a round")
    if number is not None and round != number:
        raise Failed("wrong", f"its answer to round {number} has another number")
    if randomness != randomness_of(bytes.fromhex(signature)):
        raise Failed("wrong", f"the randomness of round {round} is not its signature's hash")
    return BeaconRound(round, randomness, signature)


def check_signature(round: BeaconRound, key: bytes) -> None:
    """Check that the chain of this key signed a round. Raises Failed. Takes about 30 ms."""
    if not bls.verify(key, message_of(round.round), bytes.fromhex(round.signature)):
        raise Failed("forged", f"round {round.round} is not signed by the chain")


def parse_answer(data: bytes) -> dict[str, Any]:
    """Parse an object of strict JSON; one that was cut short is refused. Raises Failed."""
    try:
        told = canonical.parse(data)
    except canonical.Unreadable:
        raise Failed("wrong", "its answer is not valid JSON") from None
    if not isinstance(told, dict):
        raise Failed("wrong", "its answer is not an object")
    return told
