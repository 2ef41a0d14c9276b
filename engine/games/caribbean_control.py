"""Control variate for simulations of Caribbean Stud: the part of a round that is chance with a known mean.

Each part has mean zero over all deals, however a seat plays. The first five cards have a value by their category, a
pair by its rank, and for a coin the prize that they win. A bought card is compared with all cards that could have been
bought. And a hand that is raised is also settled with other dealers, as likely as this one, who have the same open card
and four unseen ones.
"""

from collections.abc import Sequence
from math import comb
from random import Random
from statistics import fmean

from engine import jackpot
from engine.cards import FRENCH, Card
from engine.felt import Deal
from engine.games.caribbean import ACE_KING, PAYS, CaribbeanOptions
from engine.poker import PAIR, category, name, rank, rank_each
from engine.simulation import Control, PlayedRound, deal_others

# By category: the approximate win of an ante as dealt and after an exchange, and the number of hands.
_WORTH = (
    (-0.75, 0.55, 2.7, 4.3, 5.6, 6.7, 9.2, 23.5, 56.0, 113.0),
    (-0.95, 0.55, 2.7, 4.3, 5.6, 6.7, 9.2, 14.0, 34.0, 68.0),
)
_HANDS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
# For a pair, by rank from the middle one on; the sum over all ranks is zero.
_A_RANK_OF_A_PAIR, _MIDDLE = 0.2, 8
_MEAN = sum(worth * hands for worth, hands in zip(_WORTH[0], _HANDS, strict=True)) / comb(52, 5)
_DEALT, _HIDDEN = 10, 4


def control(options: CaribbeanOptions) -> Control:
    """Return the control variate of a round of one seat: a function of (round, random source).

    It gives the minor units that the round won by chance, on average none.
    """

    meter = options.reset + jackpot.contribution_of(options.coin, options.contribution)
    prizes = {prize: jackpot.amount_of(prize, meter, options.fixed) for prize in jackpot.WITH_PRIZE}
    mean_prize = sum(prizes[prize] * hands for prize, hands in jackpot.WITH_PRIZE.items()) / jackpot.HANDS

    def won(played: PlayedRound, random: Random) -> float:
        felt = played.felt
        first, (*hidden, up) = _deal(felt.deal, options.procedure)
        own, ante = felt.cards["1"], felt.staked["1", "ante"]
        unseen = [card for card in FRENCH if card not in first and card != up]
        value = ante * (_worth(rank(first), False) - _MEAN)
        if ("1", "jackpot") in felt.staked:
            value += prizes.get(jackpot.prize_of(rank(first)) or "", 0) - mean_prize
        bought = [card for card in own if card not in first]
        if bought:
            kept = [card for card in own if card in first]
            value += ante * (_worth(rank(own), True) - fmean(_worth(one, True) for one in rank_each(kept, unseen)))
            unseen.remove(*bought)
        if ("1", "bet") in felt.staked:
            raised = _Raise(rank(own), ante, felt.staked["1", "bet"], bool(bought))
            others = deal_others(unseen, _HIDDEN, random)
            value += raised.won_from([*hidden, up]) - fmean(raised.won_from([*other, up]) for other in others)
        return value

    return won


def _worth(ranked: int, has_exchanged: bool) -> float:
    kind = category(ranked)
    worth = _WORTH[has_exchanged][kind]
    return worth + _A_RANK_OF_A_PAIR * ((ranked >> 16 & 0xF) - _MIDDLE) if kind == PAIR else worth


def _deal(deal: Deal, procedure: str) -> tuple[Sequence[Card], Sequence[Card]]:
    """Return the seat's first five cards and the dealer's, the open one last (CS3, CS4)."""
    cards = deal.deck[:_DEALT]
    return (cards[:5], cards[5:]) if procedure == "shuffler" else (cards[::2], cards[1::2])


class _Raise:
    """A hand of this rank and the money on it (CS8, CS12, CS13, CS15)."""

    def __init__(self, own: int, ante: int, bet: int, has_exchanged: bool) -> None:
        counted = min(bet, 2 * ante)
        self._own, self._ante, self._lost = own, ante, -ante - counted
        self._won = ante + counted * PAYS[name(own)][has_exchanged]

    def won_from(self, dealers: list[Card]) -> int:
        other = rank(dealers)
        if other < ACE_KING:
            return self._ante
        return self._won if self._own > other else self._lost if self._own < other else 0
