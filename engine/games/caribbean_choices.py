"""The best choice before an exchange, looked up in what was counted once; where the suits decide it, it is counted.

`caribbean_best.json` has it, from `python -m tests.counted.caribbean_best`:

sums     {rank of the open card: what all deals bring by best play, by the best without exchange}
choices  the best choices against each open card, a letter for each of `hands`: compressed, in base 85
"""

import json
from base64 import b85decode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations_with_replacement
from typing import Any
from zlib import decompress

from engine.cards import RANKS, Card

# A fold, a raise, or the rank of the card to exchange; UNKNOWN if hands of these ranks differ.
FOLD, RAISE, UNKNOWN = "f", "r", "?"
# The ranks of five cards, and of the odd one beside four of one suit; none beside five.
NO_ODD = "-"
Hand = tuple[str, str]
BEST = files(__package__) / "caribbean_best.json"


def hands(up: str) -> Iterator[Hand]:
    """Yield every hand against an open card of rank `up`, in the order of the data."""
    for five in combinations_with_replacement(sorted(RANKS), 5):
        ranks = "".join(five)
        if max(map((ranks + up).count, ranks)) > 4:
            continue
        yield ranks, ""
        if len(set(five)) == 5:
            yield ranks, NO_ODD
        for odd in dict.fromkeys(five):
            if len(set(ranks.replace(odd, "", 1))) == 4:
                yield ranks, odd


def find_choice(own: Sequence[Card], up: str) -> str:
    """Find the best choice: FOLD, RAISE, UNKNOWN, or the card to exchange."""
    suits = [card[1] for card in own]
    shared = next((suit for suit in dict.fromkeys(suits) if suits.count(suit) >= 4), "")
    others = [card[0] for card in own if card[1] != shared]
    choice = choices_against(up)["".join(sorted(card[0] for card in own)), (others or [NO_ODD])[0] if shared else ""]
    alike = sorted((card for card in own if card[0] == choice), key=lambda card: card[1] == shared)
    return alike[0] if alike else choice


@lru_cache(len(RANKS))
def choices_against(up: str) -> Mapping[Hand, str]:
    """Return the best choice of each hand: FOLD, RAISE, UNKNOWN, or the rank of the card to exchange."""
    known = list(hands(up))
    return dict(zip(known, read_choices(_best()["choices"])[up], strict=True))


@cache
def read_choices(written: str) -> Mapping[str, str]:
    """Read the choices of all `hands`, a letter each, by the rank of the open card."""
    return dict(zip(RANKS, decompress(b85decode(written)).decode().split(), strict=True))


def sums_by_open_card() -> Mapping[str, Sequence[int]]:
    """Return what all deals bring by best play, and by the best without exchange, by the rank of the open card."""
    sums: Mapping[str, Sequence[int]] = _best()["sums"]
    return sums


@cache
def _best() -> dict[str, Any]:
    best: dict[str, Any] = json.loads(BEST.read_text("utf-8"))
    return best
