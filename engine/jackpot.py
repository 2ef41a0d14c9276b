"""The arithmetic of the progressive (CS17 to CS21): coins in, prizes out, restart. Amounts in minor units."""

from collections.abc import Mapping
from math import comb

from engine import poker
from engine.felt import Settlement, check

# Number of five-card hands that win each prize.
HANDS = comb(52, 5)
WITH_PRIZE = {"royal flush": 4, "straight flush": 36, "four of a kind": 624, "full house": 3744, "flush": 5108}

# CS19: the two shares of the meter, in percent, and the fixed prizes.
SHARES = {"royal flush": 100, "straight flush": 10}
FIXED = {"four of a kind": "four", "full house": "full", "flush": "flush"}
# The average cost of a coin to the meter.
_FIXED_HANDS = {short: WITH_PRIZE[prize] for prize, short in FIXED.items()}


def check_meter(coin: int, fixed: Mapping[str, int], contribution: int) -> None:
    """Refuse settings by which fixed prizes alone would shrink the meter (CS18). Raises IllegalDeal."""
    check(coin > 0, "The coin must be more than 0.", "CS17")
    check(contribution <= 10000, "The contribution must be at most 10000 basis points.", "CS18")
    for name, amount in fixed.items():
        check(name in _FIXED_HANDS, "There is no fixed prize {name}.", "CS19", name=name)
        check(
            type(amount) is int and 0 <= amount < 10**15, "The fixed prize {name} must be an amount.", "G2", name=name
        )
    eaten = sum(_FIXED_HANDS[name] * amount for name, amount in fixed.items())
    check(
        contribution_of(coin, contribution) * HANDS > eaten,
        (
            "The fixed prizes cost more than the coins bring in. Raise the contribution or the coin, or lower the "
            "prizes."
        ),
        "CS18",
    )


def contribution_of(coin: int, contribution: int) -> int:
    """Return what one coin adds to the meter; `contribution` in basis points. The bank keeps the rest (G2)."""
    return coin * contribution // 10000


def prize_of(ranked: int) -> str | None:
    """Return the prize of a first five-card hand by the name of its rank (CS19), or None."""
    rank = poker.name(ranked)
    return rank if rank in SHARES or rank in FIXED else None


def amount_of(prize: str, meter: int, fixed: Mapping[str, int], winners: int = 1) -> int:
    """Return the share of each of `winners` of a prize, with all coins of the hand in the meter (CS19, CS20)."""
    return meter * SHARES[prize] // 100 // winners if prize in SHARES else fixed[FIXED[prize]]


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
    """Settle one hand: drop `coins` coins, then pay all `winners` ({seat: prize}) on the same meter (CS20).

    After a royal, or when the prizes are more than it holds, the meter restarts from `reset` (CS21).
    """
    added = coins * contribution_of(coin, contribution)
    full = meter + added
    names = list(winners.values())
    prizes = {seat: amount_of(prize, full, fixed, names.count(prize)) for seat, prize in winners.items()}
    left = full - sum(prizes.values())
    after = reset if "royal flush" in names or left < 0 else left
    return Settlement(added, prizes, after - left, after)
