"""Main pot, side pots and odd chips, for all games in which players win from each other."""

from collections.abc import Mapping, Sequence

from engine.betting import POT
from engine.felt import Felt


def return_uncalled(felt: Felt, paid: dict[str, int], clause: str) -> None:
    """Give back what no other player has matched, and take it off `paid`: {seat: all that it put in}."""
    *_, second, most = sorted(paid.values())
    if most > second:
        seat = max(paid, key=lambda seat: paid[seat])
        paid[seat] = second
        felt.pay(seat, POT, most - second, "uncalled", clause)


def split_pots(paid: Mapping[str, int], live: Sequence[str], dead: int = 0) -> list[tuple[int, list[str]]]:
    """Return (amount, who can win it) for each level at which a player who is in stopped paying, the main pot first.

    `dead` is money in the main pot that no player has to match (HE27). Seats keep their order.
    """
    pots, below = [], 0
    for level in sorted({paid[seat] for seat in live} - {0}):
        up_to_here = sum(min(put, level) for put in paid.values())
        pots.append((up_to_here - below + dead, [seat for seat in live if paid[seat] >= level]))
        below, dead = up_to_here, 0
    return [*pots, (dead, list(live))] if dead else pots


def share(amount: int, winners: Sequence[str], unit: int) -> dict[str, int]:
    """Split `amount` equally in whole units; the odd ones go one each to the winners, first in order (SH11, HE29).

    A remainder smaller than a unit, from a stack that is no multiple of it, goes to the first winner.
    """
    equal = amount // len(winners) // unit * unit
    rest = amount - equal * len(winners)
    odd = rest // unit
    shares = {seat: equal + unit if place < odd else equal for place, seat in enumerate(winners)}
    shares[winners[0]] += rest - odd * unit
    return shares


def numbers(seats: Sequence[str]) -> list[int]:
    """Return seats as rising numbers, as a record has them."""
    return sorted(map(int, seats))
