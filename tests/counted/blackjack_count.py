"""The value of the first hand of a fresh shoe of black jack by best play, every deal counted: figures of
`blackjack_edges`, made by `python -m tests.counted.blackjack_edges`.
"""

from collections.abc import Iterator
from math import fsum

from engine.games.blackjack_dealer import ACE, GONE, KINDS, OF_A_DECK, TEN, DealersOdds
from engine.games.blackjack_play import BetRules, BoxPlay, HandLine

# The most splits of a line; more change less than 1e-12 of a unit.
_SPLITS = 12
Counted = dict[BetRules, float]
"""Average net of a unit on `main`, without its Black Jacks."""
ALL_RULES = [BetRules(spares, double_soft) for spares in (False, True) for double_soft in (False, True)]


def count_main(decks: int, hits_soft_17: bool) -> Counted:
    """Count by the rules of the bets."""
    fresh = [number * decks for number in OF_A_DECK]
    parts = [count_against(up, fresh, hits_soft_17) for up in KINDS]
    chances = [number / sum(fresh) for number in fresh]
    return {
        rules: fsum(chance * part[rules] for chance, part in zip(chances, parts, strict=True)) for rules in ALL_RULES
    }


def count_against(up: int, shoe: list[int], hits_soft_17: bool) -> Counted:
    """Count all deals in which the dealer shows this kind."""
    unseen = [number - (kind == up) for kind, number in enumerate(shoe)]
    dealer = DealersOdds(unseen, up, hits_soft_17=hits_soft_17, counts_all=True)
    nets: Counted = {}
    for spares in (False, True):
        if spares and not dealer.may_have_black_jack:
            nets |= {BetRules(True, rules.double_soft): net for rules, net in nets.items()}
            continue
        play = BoxPlay(BetRules(spares, double_soft=False), dealer, splits=_SPLITS)
        for one in (play, _with_soft_doubles(play)):
            nets[one.rules] = fsum(_chance(unseen, pair) * _best(one, pair) for pair in _pairs())
    return nets


def _with_soft_doubles(play: BoxPlay) -> BoxPlay:
    """Return this play with `double_soft`, which changes nothing but the choices on two cards."""
    other = BoxPlay(play.rules._replace(double_soft=True), play.dealer, splits=_SPLITS)
    other._bests = play._bests
    return other


def _pairs() -> Iterator[tuple[int, int]]:
    """Yield the kinds of any two cards except a Black Jack's, the lower first."""
    pairs = ((first, second) for second in KINDS for first in KINDS[: second + 1])
    return (pair for pair in pairs if pair != (ACE, TEN))


def _chance(unseen: list[int], pair: tuple[int, int]) -> float:
    """Return the chance of these two cards, in any order."""
    first, second = pair
    size = sum(unseen)
    orders = unseen[first] * (unseen[second] - 1) if first == second else 2 * unseen[first] * unseen[second]
    return orders / (size * (size - 1))


def _best(play: BoxPlay, pair: tuple[int, int]) -> float:
    first, second = pair
    line = HandLine(GONE[first] + GONE[second], 2, first + second + 2, first == ACE, True)
    return max(play.choices(line, pair, is_split=False).values())
