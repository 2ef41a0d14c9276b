"""Commit, cuts, shuffle: every deck follows from a seed that was committed before the first bet.

No randomness here: the caller draws the 32 bytes. Another language can reproduce all of this from the standard alone:
block i = HMAC-SHA256(key, i as 8 bytes big-endian), key = HMAC-SHA256(server seed, message). The message of a plain
record is its cuts joined by line feeds; that of a committed hand is C({"beacon": randomness, "cuts": [...]}).
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import chain, count, tee
from struct import Struct
from typing import NamedTuple

from engine.cards import Card
from engine.fairness.canonical import encode_known

_WORDS = Struct(">8I")
_SPAN = 2**32
# No n up to 2**16, more than any shoe holds, passes over a word below this.
_SURE = _SPAN - 2**16
# RFC 2104: the bytes of the key stand XOR 0x36 before the text, and XOR 0x5C before the digest of both.
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Seed(NamedTuple):
    """The seed of a deck: `server` is 32 secret bytes; `cuts` are public; `start` counts the cards gone from the shoe.

    `beacon` is the randomness of a public round in hex, "" at a table without one, and None in a plain record.
    """

    server: bytes
    cuts: tuple[str, ...] = ()
    start: int = 0
    beacon: str | None = None


def commit(server: bytes) -> str:
    """Return the commitment that is shown before the first bet: it fixes the seed and does not reveal it."""
    return hashlib.sha256(server).hexdigest()


class Stream:
    """The numbers that follow from a seed, its cuts and the beacon's randomness, in order."""

    def __init__(self, server: bytes, cuts: Sequence[str], beacon: str | None = None) -> None:
        message = "\n".join(cuts).encode() if beacon is None else encode_known({"beacon": beacon, "cuts": list(cuts)})
        key = hmac.digest(server, message, "sha256")
        self._words: Iterator[int] = chain.from_iterable(map(_WORDS.unpack, _draw_blocks(key)))

    def copy(self) -> "Stream":
        """Return a stream of the same numbers from here on."""
        other = copy(self)
        self._words, other._words = tee(self._words)
        return other

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, each equally likely: words beyond the last whole multiple of n are skipped."""
        return self._pass_over(next(self._words), n) % n

    def _pass_over(self, word: int, n: int) -> int:
        limit = _SPAN - _SPAN % n
        while word >= limit:
            word = next(self._words)
        return word

    def dice(self) -> tuple[int, int]:
        return 1 + self.below(6), 1 + self.below(6)

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle a deck; `deck[0]` of the result is dealt first."""
        cards = list(deck)
        for last, word in zip(range(len(cards) - 1, 0, -1), self._words, strict=False):
            if word >= _SURE:
                word = self._pass_over(word, last + 1)
            j = word % (last + 1)
            cards[last], cards[j] = cards[j], cards[last]
        return tuple(cards)


def _draw_blocks(key: bytes) -> Iterator[bytes]:
    """Yield HMAC-SHA256(key, i as 8 bytes) for i = 0, 1, 2...

    It follows the definition (RFC 2104), so that the padded key, the same for every block, is digested once.
    """
    padded = key.ljust(64, b"\0")
    inside, outside = hashlib.sha256(padded.translate(_INNER)), hashlib.sha256(padded.translate(_OUTER))
    for i in count():
        inner, outer = inside.copy(), outside.copy()
        inner.update(i.to_bytes(8, "big"))
        outer.update(inner.digest())
        yield outer.digest()
