"""French roulette (RO), by the usual rules of Italian casinos: one pocket of 37, and 157 bets on it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.cards import POCKETS, RED_NUMBERS, number_of
from engine.felt import Felt, Game, Limits, Script, areas_check

Numbers = frozenset[int]
# RO9, in the order of the layout.
EVEN_CHANCES: Mapping[str, Numbers] = {
    "low": frozenset(range(1, 19)),
    "even": frozenset(range(2, 37, 2)),
    "red": RED_NUMBERS,
    "black": frozenset(range(1, 37)) - RED_NUMBERS,
    "odd": frozenset(range(1, 37, 2)),
    "high": frozenset(range(19, 37)),
}
NTH = ("first", "second", "third")
# RO3 to RO9: the clause of a bet by how many numbers it covers.
_CLAUSES = {1: "RO3", 2: "RO4", 3: "RO5", 4: "RO6", 6: "RO7", 12: "RO8", 18: "RO9"}


def _bets() -> Iterator[tuple[str, Iterable[int]]]:
    """Yield every bet with its numbers, called by the lowest and the highest of them if it has no name (RO3 to RO9)."""
    yield from EVEN_CHANCES.items()
    for at, nth in enumerate(NTH):
        yield f"{nth}-dozen", range(12 * at + 1, 12 * at + 13)
        yield f"{nth}-column", range(at + 1, 37, 3)
    yield from ((str(number), (number,)) for number in range(37))
    yield from ((f"0-{number}", (0, number)) for number in (1, 2, 3))
    yield from (("0-1-2", range(3)), ("0-2-3", (0, 2, 3)), ("first-four", range(4)))
    for low in range(1, 37):
        is_last_of_street, is_last_street = low % 3 == 0, low > 33
        if not is_last_of_street:
            yield f"{low}-{low + 1}", (low, low + 1)
        if not is_last_street:
            yield f"{low}-{low + 3}", (low, low + 3)
        if low % 3 == 1:
            yield f"{low}-{low + 2}", range(low, low + 3)
        if not is_last_of_street and not is_last_street:
            yield f"{low}-{low + 4}", (low, low + 1, low + 3, low + 4)
        if low % 3 == 1 and not is_last_street:
            yield f"{low}-{low + 5}", range(low, low + 6)


BETS: Mapping[str, Numbers] = {bet: frozenset(numbers) for bet, numbers in _bets()}
# RO11: how many chips are on which bets.
ANNOUNCED: Mapping[str, Mapping[str, int]] = {
    "voisins": {"0-2-3": 2, "4-7": 1, "12-15": 1, "18-21": 1, "19-22": 1, "25-29": 2, "32-35": 1},
    "tiers": dict.fromkeys(("5-8", "10-11", "13-16", "23-24", "27-30", "33-36"), 1),
    "orphelins": dict.fromkeys(("1", "6-9", "14-17", "17-20", "31-34"), 1),
    **{f"finals-{digit}": dict.fromkeys(map(str, range(digit, 37, 10)), 1) for digit in range(10)},
}


@dataclass(frozen=True)
class RouletteOptions(Limits):
    """Options of French roulette: `la_partage` returns half of an even chance on zero (RO10)."""

    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    la_partage: bool = True


def play(felt: Felt) -> Script:
    """Play a spin: the ball stops, losing bets are collected, winning bets are paid. No player has a choice."""
    bets = felt.place_all()
    felt.call("no more bets")
    (pocket,) = felt.deal_to("ball", up=True)  # RO1
    felt.facts["number"] = number = number_of(pocket)
    placed = [(seat, bet, amount) for seat, spots in bets.items() for bet, amount in spots.items()]
    # RO12: "losing bets first, then the smallest odds".
    for seat, bet, amount in sorted(placed, key=lambda one: pays_of(one[1]) if number in BETS[one[1]] else 0):
        settle(felt, seat, bet, amount, number)
    # No choices after "no more bets": the script asks nothing.
    yield from ()


def settle(felt: Felt, seat: str, bet: str, amount: int, number: int) -> None:
    """Settle one bet."""
    pays, clause = pays_of(bet), "RO10" if number == 0 and bet in EVEN_CHANCES else _CLAUSES[len(BETS[bet])]
    if number in BETS[bet]:
        felt.pay(seat, bet, amount * (1 + pays), "win", clause, odds=(pays, 1))
    elif clause == "RO10" and felt.options.la_partage:
        felt.pay(seat, bet, amount // 2, "la partage", clause)
    else:
        felt.pay(seat, bet, 0, "lose", clause)


def pays_of(bet: str) -> int:
    """Return what a bet pays to 1 (RO3 to RO9): as if the wheel had 36 pockets."""
    return 36 // len(BETS[bet]) - 1


GAME = Game(
    name="roulette",
    script=play,
    options=RouletteOptions,
    check=areas_check("RO2"),
    spots=tuple(BETS),
    turn="RO1",
    full_deck=lambda options: POCKETS,
    most_pays=36,
)
