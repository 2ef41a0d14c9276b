"""What chance brings a round of Caribbean Stud that is known beforehand on average: a control of simulations.

Two parts, each of which comes to nothing on average over all deals, however a seat plays. The first five cards are
worth about so much by their category, a pair by its rank. And a hand that is raised is held against a second dealer,
who may have the seat's own cards too: what he makes of it is counted exactly, and most often he has what the dealer
has.
"""

from collections.abc import Callable
from functools import cache
from math import comb
from random import Random

from engine.cards import RANKS, Card
from engine.felt import Deal, Felt
from engine.games.caribbean import ACE_KING, PAYS, CaribbeanOptions
from engine.games.caribbean_odds import Unseen, raise_net
from engine.poker import PAIR, category, name, rank

# By category: about what an ante wins with it, and how many hands there are.
_WORTH = (-0.75, 0.55, 2.7, 4.3, 5.6, 6.7, 9.2, 23.5, 56.0, 113.0)
_HANDS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
_A_RANK_OF_A_PAIR = 0.2
_MEAN = sum(worth * hands for worth, hands in zip(_WORTH, _HANDS, strict=True)) / comb(52, 5)
_BACK_OF_DECK = 51
_DEALT = 10


def control(options: CaribbeanOptions) -> Callable[[Felt, Random], float]:
    """(a round of one seat, a source of chance) -> minor units that it won by chance, on average none."""

    def won(felt: Felt, random: Random) -> float:
        ante = felt.staked["1", "ante"]
        first, dealers = _deal(felt.deal, options.procedure)
        value = ante * (_worth_of(first) - _MEAN)
        if ("1", "bet") in felt.staked:
            value += _against_another(felt, random, ante, first, dealers)
        return value

    return won


def _worth_of(first: list[Card]) -> float:
    kind = category(rank(first))
    worth = _WORTH[kind]
    if kind == PAIR:
        ranks = [card[0] for card in first]
        paired = next(one for one in ranks if ranks.count(one) == 2)
        worth += _A_RANK_OF_A_PAIR * (RANKS.index(paired) - len(RANKS) // 2)  # the middle one for all ranks together
    return worth


def _deal(deal: Deal, procedure: str) -> tuple[list[Card], list[Card]]:
    """The seat's first five and the dealer's, the open one last (CS3, CS4)."""
    cards = list(deal.deck[:_DEALT])
    return (cards[:5], cards[5:]) if procedure == "shuffler" else (cards[::2], cards[1::2])


def _against_another(felt: Felt, random: Random, ante: int, first: list[Card], dealers: list[Card]) -> float:
    own, up, has_exchanged = felt.cards["1"], dealers[4], ("1", "exchange") in felt.staked
    gone = [*first, *(card for card in own if card not in first)]
    ranked = rank(own)
    pays = PAYS[name(ranked)][has_exchanged]
    beaten = _all_dealers(up).beaten_by(own)
    # A regular raise; another amount is controlled as if it were one.
    expected = raise_net(beaten, ante, 2 * ante, pays) / sum(beaten)
    other = rank([*_draw(gone, dealers[:4], random), up])
    if other < ACE_KING:
        return ante - expected
    if ranked == other:
        return -expected
    return (ante * (1 + 2 * pays) if ranked > other else -3.0 * ante) - expected


def _draw(gone: list[Card], hidden: list[Card], random: Random) -> list[Card]:
    """Four of all cards but the open one, as likely as any: those that the seat had are put back among the others."""
    drawn, back, rest = list[Card](), list(gone), iter(hidden)
    for taken in range(4):
        place = random.random() * (_BACK_OF_DECK - taken)
        drawn.append(back.pop(int(place)) if place < len(back) else next(rest))
    return drawn


@cache
def _all_dealers(up: Card) -> Unseen:
    return Unseen(up, [up])
