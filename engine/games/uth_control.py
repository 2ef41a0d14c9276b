"""Control variate for simulations of Ultimate: the part of a round that is chance with a known mean.

Each part has mean zero over all deals, however a seat plays. The value of two cards under best play is known, their
mean once they are played, and the mean of Trips over seven cards. A seat that waits gets a flop, and then a whole
board, whose value follows roughly from what it makes of the seat's cards: it is compared with others that could have
come. And a seat that has played is also settled with other cards of the bank, after the flop with other turns and
rivers, as likely as these.
"""

from collections.abc import Iterable, Sequence
from math import comb
from random import Random
from statistics import fmean

from engine.cards import FRENCH, Card
from engine.felt import Felt
from engine.games.uth import STREETS, TRIPS_PAYS, UltimateOptions
from engine.games.uth_odds import OF_SEVEN, SeatBets, compare_with, value_two_cards
from engine.games.uth_table import class_sizes, hand_class
from engine.poker import category, name, rank
from engine.simulation import Control, PlayedRound, deal_others

# Approximate value of an ante by category of the hand, from the best play of 5,000 deals by the American rule.
_FLOP = (-0.6, 0.85, 2.7, 3.7, 3.9, 5.3, 6.6, 13.5, 53.0, 503.0)
_FLOP_WITH_A_PAIR = (-0.6, -0.5, 1.55, 4.0, 3.9, 5.3, 6.6, 13.5, 53.0, 503.0)
_BOARD = (-2.0, -0.8, 0.2, 1.7, 2.2, 2.3, 4.0, 12.0, 52.0, 502.0)
_BOARD_OF_ITS_OWN = (-2.0, -1.85, -1.4, -1.65, 0.0, -0.7, -0.4, 1.3, 0.0, 0.0)


def control(options: UltimateOptions) -> Control:
    """Return the control variate of a round of one seat: a function of (round, random source).

    It gives the minor units that the round won by chance, on average none.
    """
    bets = SeatBets(options.minimum, 0, options)
    two_cards = {hand: value_two_cards(bets, hand) for hand in class_sizes()}
    best = {
        hand: max(worth.wait, *map(worth.of_play, STREETS[0].multiples)) / worth.of for hand, worth in two_cards.items()
    }
    mean = sum(best[hand] * size for hand, size in class_sizes().items()) / comb(52, 2)
    trips = sum((1 + TRIPS_PAYS[hand]) * hands for hand, hands in OF_SEVEN.items()) / comb(52, 7)

    def won(played: PlayedRound, random: Random) -> float:
        seven = name(rank([*played.felt.cards["1"], *played.felt.cards["board"]]))
        beside = played.felt.staked.get(("1", "trips"), 0) * (1 + TRIPS_PAYS.get(seven, -1) - trips)
        return beside + won_on_the_ante(played, random)

    def won_on_the_ante(played: PlayedRound, random: Random) -> float:
        felt, words = played.felt, [move.word for move in played.moves]
        own, board, hand = felt.cards["1"], felt.cards["board"], hand_class(felt.cards["1"])
        flop, multiple = board[:3], felt.staked.get(("1", "play"), 0) // options.minimum
        won = best[hand] - mean
        if words[0] == "play":
            return won + _net(bets, felt, multiple) - two_cards[hand].of_play(multiple) / two_cards[hand].of
        flops = deal_others(_without(own), 3, random)
        won += options.minimum * (_worth_of_flop(own, flop) - fmean(_worth_of_flop(own, other) for other in flops))
        if words[1] == "play":
            runs = deal_others(_without([*own, *flop]), 4, random)
            nets = (_net_of(bets, own, [*flop, *run[:2]], [run[2:]], multiple) for run in runs)
            return won + _net(bets, felt, multiple) - fmean(nets)
        boards = ([*flop, *cards] for cards in deal_others(_without([*own, *flop]), 2, random))
        won += options.minimum * (_worth_of_board(own, board) - fmean(_worth_of_board(own, other) for other in boards))
        if words[2] == "play":
            dealers = deal_others(_without([*own, *board]), 2, random)
            won += _net(bets, felt, multiple) - _net_of(bets, own, board, dealers, multiple)
        return won

    return won


def _without(seen: Sequence[Card]) -> list[Card]:
    return [card for card in FRENCH if card not in seen]


def _net(bets: SeatBets, felt: Felt, multiple: int) -> float:
    return _net_of(bets, felt.cards["1"], felt.cards["board"], [felt.cards["dealer"]], multiple)


def _net_of(
    bets: SeatBets, own: Sequence[Card], board: Sequence[Card], dealers: Iterable[Sequence[Card]], multiple: int
) -> float:
    """Return the seat's mean result against these cards of the bank, with `multiple` antes on Play."""
    ranks = [rank([*two, *board]) for two in dealers]
    return compare_with(rank([*own, *board]), ranks).play_net(bets, multiple) / len(ranks)


def _worth_of_flop(own: Sequence[Card], flop: Sequence[Card]) -> float:
    worths = _FLOP if len({card[0] for card in flop}) == len(flop) else _FLOP_WITH_A_PAIR
    return worths[category(rank([*own, *flop]))]


def _worth_of_board(own: Sequence[Card], board: Sequence[Card]) -> float:
    kind = category(rank([*own, *board]))
    return (_BOARD_OF_ITS_OWN if kind == category(rank(board)) else _BOARD)[kind]
