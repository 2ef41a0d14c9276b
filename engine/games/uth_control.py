"""What chance brings a round of Ultimate that is known beforehand on average: a control of simulations.

The seat's two cards are worth what `uth_table` says; its seven and the bank's are worth about so much more by their
categories, and how often each comes is known. Most of what scatters are royal and straight flushes, which the Blind
pays so much for.
"""

from collections.abc import Callable
from math import comb
from random import Random

from engine.felt import Felt
from engine.games.uth import STREETS, UltimateOptions
from engine.games.uth_odds import OF_SEVEN, Bets, value_two_cards
from engine.games.uth_table import class_sizes, hand_class
from engine.poker import CATEGORIES, STRAIGHT_FLUSH, category, rank

# By category: about what an ante wins with it, and against it; by least squares over 80,000 rounds, straight flushes as
# the Blind pays them. By the rule of Venice a bank that does not qualify pays no Blind (UT9).
_OWN = (-5.8, -4.0, -1.6, -0.3, -0.4, 1.0, 4.1, 12.4)
_STRAIGHT_FLUSHES = {"us": (53.0, 503.0), "venice": (43.0, 403.0)}
_BANKS = (5.4, 3.9, 1.5, 0.4, 0.3, -0.1, -2.0, -4.0, -5.0, -5.0)
_OF_TWO_CARDS = 0.65
_TWO_PAIR, _ONE_PAIR = 31433400, 58627800


def _shares() -> list[float]:
    """How often seven cards are of each category."""
    hands = [OF_SEVEN.get(one, 0) for one in CATEGORIES]
    hands[1], hands[2] = _ONE_PAIR, _TWO_PAIR
    hands[0] = comb(52, 7) - sum(hands)
    return [number / comb(52, 7) for number in hands]


def _on_the_board(straight: float, royal: float) -> float:
    """What of the mean are hands whose straight flush lies on the board: the bank has it too, and nobody wins by it.

    On four of the 40 boards it ends with a king, and who has its ace, one of his two cards of 47, has a royal flush.
    """
    with_the_ace = 4 * 2 / 47
    return (4 * royal + with_the_ace * royal + (36 - with_the_ace) * straight) / comb(52, 5)


def control(options: UltimateOptions) -> Callable[[Felt, Random], float]:
    """(a round of one seat, a source of chance) -> minor units that it won by chance, on average none."""
    by_own = (*_OWN, *(flushes := _STRAIGHT_FLUSHES[options.nonqualify]))
    of_all = sum((own + banks) * share for own, banks, share in zip(by_own, _BANKS, _shares(), strict=True))
    of_all -= _on_the_board(*flushes)
    bets, two_cards = Bets(options.minimum, 0, options), dict[str, float]()
    for hand in class_sizes():
        worth = value_two_cards(bets, hand)
        two_cards[hand] = max(worth.wait, *map(worth.of_play, STREETS[0].multiples)) / worth.of / options.minimum
    mean = sum(two_cards[hand] * size for hand, size in class_sizes().items()) / comb(52, 2)

    def won(felt: Felt, random: Random) -> float:
        own, board = felt.cards["1"], felt.cards["board"]
        of_two = _OF_TWO_CARDS * (two_cards[hand_class(own)] - mean)
        kind = category(rank(own + board))
        of_own = 0.0 if kind >= STRAIGHT_FLUSH <= category(rank(board)) else by_own[kind]
        of_seven = of_own + _BANKS[category(rank(felt.cards["dealer"] + board))] - of_all
        return felt.staked["1", "ante"] * (of_two + of_seven)

    return won
