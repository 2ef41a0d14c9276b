"""Cost of the bets of Punto Banco with the first hand of a fresh shoe: every deal is counted by the cards' counts
(PB1), and for a pair by their ranks (PB9). There are no decisions: a strategy is the area to bet on, `best` the one
that costs least.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from engine.felt import Stake
from engine.games.puntobanco import AREAS, GAME, MOST_CARDS, PuntoBancoOptions, banco_draws, net_odds
from engine.odds import SAME_SHARE, BetOdds, Odds, Unit, chance_alone
from engine.simulation import BEST, Counted, Simulation, counted, least_on_area, only_bet

# PB1: number of cards of a deck by count.
_OF_A_DECK = (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)

_NOBODY_DECIDES = "nobody decides anything"


def count_odds(options: PuntoBancoOptions) -> Counted:
    """Count the chances on punto, banco, egalite and pair: {"win", "push", "lose", "edge"} of each.

    The two pairs have equal chances.
    """
    wins = _count_winners(options.decks)
    total = sum(wins.values())
    punto, banco, egalite = (Fraction(wins[one], total) for one in ("punto", "banco", "egalite"))
    pair = Fraction(4 * options.decks - 1, 52 * options.decks - 1)
    pays = win_pays(options)
    return {
        "punto": counted(punto, egalite, pays["punto"]),
        "banco": counted(banco, egalite, pays["banco"]),
        "egalite": counted(egalite, Fraction(0), pays["egalite"]),
        "pair": counted(pair, Fraction(0), pays["pair"]),
    }


def win_pays(options: PuntoBancoOptions) -> dict[str, Fraction]:
    """Return the win of a unit by bet, before rounding down (PB8, PB9)."""
    banco, egalite = Fraction(*net_odds(options.commission)), Fraction(options.egalite_pays)
    return {"punto": Fraction(1), "banco": banco, "egalite": egalite, "pair": Fraction(11)}


@cache
def _count_winners(decks: int) -> Mapping[str, int]:
    return count_winners([number * decks for number in _OF_A_DECK])


def count_winners(left: list[int]) -> Mapping[str, int]:
    """Count by winner the ways to lay six cards in order, cards that are not drawn included.

    `left` has the number of cards of each count (PB1); it is restored afterwards.
    """
    wins = {"punto": 0, "banco": 0, "egalite": 0}
    for four in product(range(10), repeat=4):
        ways = _count_draws(left, four)
        punto, banco = (four[0] + four[2]) % 10, (four[1] + four[3]) % 10
        for more, punto_has, banco_has in _drawn(left, punto, banco):
            winner = "punto" if punto_has > banco_has else "banco" if banco_has > punto_has else "egalite"
            wins[winner] += ways * more
        for card in four:
            left[card] += 1
    return wins


def _count_draws(left: list[int], cards: tuple[int, ...]) -> int:
    """Return the number of ways to draw cards, and take them out of `left`."""
    ways = 1
    for card in cards:
        ways *= left[card]
        left[card] -= 1
    return ways


def _drawn(left: list[int], punto: int, banco: int) -> Iterator[tuple[int, int, int]]:
    """Yield (ways to lay two more cards, punto's total, banco's total)."""
    lying = sum(left)
    if max(punto, banco) >= 8:
        yield lying * (lying - 1), punto, banco
    elif punto > 5:
        yield from _banco_draws(left, punto, banco, None, lying - 1)
    else:
        for third in (card for card in range(10) if left[card] > 0):
            ways = left[third]
            left[third] -= 1
            for more, punto_has, banco_has in _banco_draws(left, (punto + third) % 10, banco, third, 1):
                yield ways * more, punto_has, banco_has
            left[third] += 1


def _banco_draws(
    left: list[int], punto: int, banco: int, third: int | None, rest: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the same for banco's card; `rest` is how many cards may lie there beside those drawn here."""
    if not banco_draws(banco, third):
        yield sum(left) * rest, punto, banco
        return
    for card, number in enumerate(left):
        yield number * rest, punto, (banco + card) % 10


def edges(options: PuntoBancoOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edge of each bet per unit, ties included, before winnings are rounded down (PB8)."""
    bets, pays = count_odds(options), win_pays(options)
    return {area: chance_alone(_NOBODY_DECIDES, _outcomes(bets[_kind(area)], pays[_kind(area)])) for area in AREAS}


def _kind(area: str) -> str:
    return "pair" if area.startswith("pair") else area


def _outcomes(bet: Mapping[str, Fraction], pays: Fraction) -> dict[Fraction, Fraction]:
    """Return the outcomes of a bet. A win that the commission takes whole returns the bet, as a tie does."""
    return {Fraction(0): bet["push"] + bet["win"]} if pays == 0 else {pays: bet["win"], Fraction(0): bet["push"]}


ODDS = Odds(
    game=GAME,
    edges=edges,
    units={area: Unit(area) for area in AREAS},
    no_figure={
        **SAME_SHARE,
        "penetration": "edges are those of a fresh shoe, however far it is dealt",
        "squeeze": "the cards are the same, whoever reveals them",
    },
)


def lay(options: PuntoBancoOptions, strategy: str) -> tuple[Stake, ...]:
    """Bet the minimum on the area that the strategy names."""
    exact = {area: bet.exact for area, bet in edges(options, None).items() if bet.exact is not None}
    return least_on_area(options, min(exact, key=exact.__getitem__) if strategy == BEST else strategy)


SIMULATION = Simulation(
    game=GAME,
    strategies=dict.fromkeys((*AREAS, BEST), only_bet),
    lay=lay,
    cards=MOST_CARDS,
    rounds=1_000_000,
    exact=count_odds,
)
