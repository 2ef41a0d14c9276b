"""Commit, cuts, shuffle: every deck follows from a seed that was committed before the first bet.

No randomness here: the caller draws the 32 bytes. Another language can reproduce all of this from the standard alone:
block i = HMAC-SHA256(key, i as 8 bytes big-endian), key = HMAC-SHA256(server seed, the cuts joined by line feeds).
"""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import Card
from engine.errors import IllegalDeal

LONGEST_CUT = 64


class Seed(NamedTuple):
    """`server` is 32 secret bytes; `cuts` are public; `start` counts the cards of the shoe that are gone."""

    server: bytes
    cuts: tuple[str, ...] = ()
    start: int = 0


def commit(server: bytes) -> str:
    """What is shown before the first bet: it fixes the seed without telling it."""
    return hashlib.sha256(server).hexdigest()


def parse_cut(text: str) -> str:
    """A player's cut, trimmed and in NFC. Raises IllegalDeal when it is empty, too long or not printable."""
    cut = unicodedata.normalize("NFC", text.strip())
    if not 1 <= len(cut) <= LONGEST_CUT:
        raise IllegalDeal("A cut is a text of 1 to {most} characters.", most=LONGEST_CUT)
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in cut):
        raise IllegalDeal("A cut is one line of plain text, without control characters.")
    return cut


class Stream:
    """The numbers that follow from a seed and its cuts, in order."""

    def __init__(self, server: bytes, cuts: Sequence[str]) -> None:
        message = "\n".join(cuts).encode()
        self._key = hmac.digest(server, message, "sha256")
        self._words = self._draw_words()

    def _draw_words(self) -> Iterator[int]:
        i = 0
        while True:
            block = hmac.digest(self._key, i.to_bytes(8, "big"), "sha256")
            for at in range(0, 32, 4):
                yield int.from_bytes(block[at : at + 4], "big")
            i += 1

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely: words beyond the last whole multiple of n are passed over."""
        limit = n * (2**32 // n)
        while (word := next(self._words)) >= limit:
            pass
        return word % n

    def dice(self) -> tuple[int, int]:
        return 1 + self.below(6), 1 + self.below(6)

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        """`deck[0]` of the answer is dealt first."""
        cards = list(deck)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)
