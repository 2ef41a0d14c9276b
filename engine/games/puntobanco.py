"""Punto Banco (PB), by the usual rules of Italian casinos: two hands of the house, and bets on which counts more."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from engine.cards import FRENCH, Card
from engine.felt import Felt, Game, Limits, Script, Shoe, areas_check, check

# PB2, the side bets last.
AREAS = ("punto", "banco", "egalite", "pair-punto", "pair-banco")
HANDS = ("punto", "banco")
# PB11: "pairs, egalité, banco, punto".
_PAID = ("pair-punto", "pair-banco", "egalite", "banco", "punto")
# PB3, and a third card for each.
MOST_CARDS = 6

# PB1: "Ace counts 1, two to nine their number, ten and court cards 0".
_POINTS = {rank: int(rank) for rank in "23456789"} | dict.fromkeys("TJQK", 0) | {"A": 1}
# PB7: by banco's count, for which third cards of punto it draws.
_DRAWS: Mapping[int, frozenset[int]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset(range(2, 8)),
    5: frozenset(range(4, 8)),
    6: frozenset((6, 7)),
    7: frozenset(),
}


@dataclass(frozen=True)
class PuntoBancoOptions(Limits):
    """Options of Punto Banco: `commission` and `penetration` in basis points; `squeeze` changes no result (PB10)."""

    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    decks: int = 6
    penetration: int = 0
    commission: int = 500
    egalite_pays: int = 8
    squeeze: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.decks in (6, 8), "A shoe must have 6 or 8 decks.", "PB1")
        check(self.penetration <= 7500, "At most 7500 basis points of the shoe may be dealt.", "PB1")
        check(self.commission <= 10000, "The commission must be at most 10000 basis points.", "PB8")
        check(self.egalite_pays in (8, 9), "Égalité pays 8 or 9 to 1.", "PB8")


class Result(NamedTuple):
    """Result of the bets on an area: a win pays `odds`; without them the bets are returned or lost."""

    why: str
    clause: str
    odds: tuple[int, int] | None = None


def play(felt: Felt) -> Script:
    """Play a hand: two cards each, the third ones, the areas paid. No player has a choice."""
    bets = felt.place_all()
    felt.call("no more bets")

    felt.deal_each(HANDS * 2, up=True)  # PB3
    is_natural = draw_thirds(felt)
    punto, banco = count(felt.cards["punto"]), count(felt.cards["banco"])
    winner = "punto" if punto > banco else "banco" if banco > punto else "egalite"
    felt.facts |= {
        "punto": {"cards": felt.cards["punto"], "count": punto},
        "banco": {"cards": felt.cards["banco"], "count": banco},
        "natural": is_natural,
        "winner": winner,
    }

    for area, result in judge_all(felt, {area for spots in bets.values() for area in spots}, winner):
        for seat, spots in bets.items():
            if area in spots:
                settle(felt, seat, area, spots[area], result)
    # No choices after the cards: the script asks nothing.
    yield from ()


def draw_thirds(felt: Felt) -> bool:
    """Draw punto's third card, then banco's (PB5 to PB7); return whether a natural stops both (PB4)."""
    punto, banco = count(felt.cards["punto"]), count(felt.cards["banco"])
    if punto >= 8 or banco >= 8:
        return True
    third = None
    if punto <= 5:
        felt.deal_to("punto", up=True)
        third = _POINTS[felt.cards["punto"][2][0]]
    if banco_draws(banco, third):
        felt.deal_to("banco", up=True)
    return False


def banco_draws(banco: int, third: int | None) -> bool:
    """Decide by banco's count and the count of punto's third card, None if punto stood (PB6, PB7)."""
    return banco <= 5 if third is None else third in _DRAWS[banco]


def judge_all(felt: Felt, areas: Container[str], winner: str) -> list[tuple[str, Result]]:
    """Return the results of areas in the order of payment (PB11), "losing areas first"."""
    results = [(area, judge(felt, area, winner)) for area in _PAID if area in areas]
    return [one for one in results if one[1].why == "lose"] + [one for one in results if one[1].why != "lose"]


def judge(felt: Felt, area: str, winner: str) -> Result:
    """Return the result of an area if `winner` has won: "punto", "banco" or "egalite" (PB8, PB9)."""
    options = felt.options
    if area.startswith("pair-"):
        one, other = felt.cards[area.removeprefix("pair-")][:2]
        return Result("win", "PB9", (11, 1)) if one[0] == other[0] else Result("lose", "PB9")
    if winner == "egalite" and area != "egalite":
        return Result("push", "PB8")
    if area != winner:
        return Result("lose", "PB8")
    if area == "banco":
        return Result("win", "PB8", net_odds(options.commission))
    return Result("win", "PB8", (options.egalite_pays if area == "egalite" else 1, 1))


def net_odds(commission: int) -> tuple[int, int]:
    """Return the payout of banco as a ratio (PB8): 19 to 20 for 500 basis points."""
    pays = 10000 - commission
    common = gcd(pays, 10000)
    return pays // common, 10000 // common


def settle(felt: Felt, seat: str, area: str, bet: int, result: Result) -> None:
    """Settle one bet; the winnings of each are rounded down (PB8)."""
    why, clause, odds = result
    if odds:
        felt.pay(seat, area, bet + bet * odds[0] // odds[1], why, clause, odds=odds)
    else:
        felt.pay(seat, area, bet if why == "push" else 0, why, clause)


def count(cards: Sequence[Card]) -> int:
    """Return the last digit of the sum (PB1)."""
    total = 0
    for card in cards:  # for two or three cards faster than `sum`
        total += _POINTS[card[0]]
    return total % 10


GAME = Game(
    name="puntobanco",
    script=play,
    options=PuntoBancoOptions,
    check=areas_check("PB2"),
    spots=AREAS,
    turn="PB3",
    full_deck=lambda options: FRENCH * options.decks,
    shoe=Shoe("PB1", lambda options: options.penetration, reserve=MOST_CARDS),
)
