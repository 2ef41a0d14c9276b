"""The arithmetic of the progressive (CS17 to CS21): coins in, prizes out, restart. Amounts in minor units."""

from collections.abc import Mapping
from math import comb
from typing import NamedTuple

from engine import poker
from engine.felt import check

# How many of all five-card hands win each fixed prize: what a coin costs the meter on average.
_HANDS = comb(52, 5)
_FIXED_HANDS = {"four": 624, "full": 3744, "flush": 5108}

# CS19: the two shares of the meter, in percent, and the fixed prizes.
SHARES = {"royal flush": 100, "straight flush": 10}
FIXED = {"four of a kind": "four", "full house": "full", "flush": "flush"}


class Settlement(NamedTuple):
    """What one hand does to the meter. `coins + from_bank = sum(prizes) + meter - the meter before`."""

    coins: int
    prizes: dict[str, int]
    from_bank: int
    meter: int


def check_meter(coin: int, fixed: Mapping[str, int], contribution: int) -> None:
    """Raises IllegalDeal for settings under which the meter would shrink by its fixed prizes alone (CS18)."""
    check(coin > 0, "The coin must be worth something.", "CS17")
    check(contribution <= 10000, "The contribution is at most 10000 basis points.", "CS18")
    for name, amount in fixed.items():
        check(name in _FIXED_HANDS, "There is no fixed prize {name}.", "CS19", name=name)
        check(type(amount) is int and 0 <= amount < 10**15, "The fixed prize {name} is no amount.", "G2", name=name)
    eaten = sum(_FIXED_HANDS[name] * amount for name, amount in fixed.items())
    check(
        contribution_of(coin, contribution) * _HANDS > eaten,
        "The fixed prizes would eat up the contribution: raise the contribution or the coin, or lower the prizes.",
        "CS18",
    )


def contribution_of(coin: int, contribution: int) -> int:
    """What one coin adds to the meter; `contribution` in basis points. The rest of the coin is the bank's (G2)."""
    return coin * contribution // 10000


def prize_of(ranked: int) -> str | None:
    """The prize of a first five-card hand, by the name of its rank (CS19)."""
    rank = poker.name(ranked)
    return rank if rank in SHARES or rank in FIXED else None


def settle(
    meter: int,
    coins: int,
    winners: Mapping[str, str],
    *,
    coin: int,
    contribution: int,
    fixed: Mapping[str, int],
    reset: int,
) -> Settlement:
    """One hand: `coins` coins fall, then `winners` ({seat: prize}) are paid, all on the same meter (CS20).

    After a royal, or when the prizes are more than it holds, the meter restarts from `reset` (CS21).
    """
    added = coins * contribution_of(coin, contribution)
    full = meter + added
    names = list(winners.values())
    prizes = {
        seat: full * SHARES[prize] // 100 // names.count(prize) if prize in SHARES else fixed[FIXED[prize]]
        for seat, prize in winners.items()
    }
    left = full - sum(prizes.values())
    after = reset if "royal flush" in names or left < 0 else left
    return Settlement(added, prizes, after - left, after)
