"""Exact value of a decision at Caribbean Stud: the dealer's hands are counted by their ranks, never dealt.

The dealer's four hidden cards are a multiset of ranks, 1,820 at most; the number of ways of each is a product of
binomials, one for each rank. Four cards of the open card's suit make a flush instead: those few are counted one by one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

from engine import jackpot
from engine.cards import FRENCH, HIDDEN, RANKS, Card
from engine.felt import Offer
from engine.games.caribbean import ACE_KING, GAME, PAYS, CaribbeanOptions
from engine.games.caribbean_choices import sums_by_open_card
from engine.odds import SAME_SHARE, BetOdds, Decision, Odds, Unit, Values, chance_alone, choices_of, seen
from engine.poker import name, rank

_HIDDEN_CARDS = 4
# Indices into a table of binomials, five for each rank, that make up a multiset; the last element is one.
_ONE = 5 * len(RANKS)
# Suits that make no flush, and suits that make one.
MIXED, SUITED = "cdhsc", "sssss"


class Beaten(NamedTuple):
    """Numbers of the dealer's possible hands that do not qualify, that qualify and are lower, equal, higher."""

    unqualified: int
    lower: int
    equal: int
    higher: int


class _Multisets(NamedTuple):
    """Sets of four ranks beside an open card: the hand that each makes with it, rising, and its places in the
    binomials.
    """

    ranked: list[int]
    places: list[tuple[int, ...]]


@lru_cache(len(RANKS))
def _multisets(up: str) -> _Multisets:
    found = []
    for four in combinations_with_replacement(RANKS, _HIDDEN_CARDS):
        if (up + "".join(four)).count(up) > 4:
            continue
        places = [5 * RANKS.index(one) + four.count(one) for one in sorted(set(four))]
        found.append((rank_of(up + "".join(four)), (*places, *[_ONE] * (_HIDDEN_CARDS - len(places)))))
    found.sort()
    return _Multisets([ranked for ranked, _ in found], [places for _, places in found])


@lru_cache(10_000)
def rank_of(ranks: str, suits: str = MIXED) -> int:
    """Rank five ranks given as text, of mixed suits or of one."""
    return rank([one + suit for one, suit in zip(sorted(ranks), suits, strict=True)])


class Flushes(NamedTuple):
    """The dealer's hands in the suit of the open card, ascending: by ranks alone, and as flushes."""

    plain: list[int]
    suited: list[int]


@lru_cache(2600)
def flushes(up: str, left: str) -> Flushes:
    """Return the dealer's suited hands. `left`: the unseen ranks of that suit."""
    fours = ["".join((up, *four)) for four in combinations(left, _HIDDEN_CARDS)]
    return Flushes(sorted(map(rank_of, fours)), sorted(rank_of(four, SUITED) for four in fours))


class Plain(NamedTuple):
    """The dealer's hands by their ranks alone: those that do not qualify, those below a rank, and those up to it."""

    unqualified: int
    below: int
    up_to: int


class DealerHands:
    """All possible hands of a dealer with an open card of rank `up`, by ranks alone.

    left  the number of unseen cards of each rank, in the order of RANKS
    """

    def __init__(self, up: str, left: Sequence[int]) -> None:
        self._ranked, places = _multisets(up)
        ways = [comb(number, taken) for number in left for taken in range(5)] + [1]
        self._up_to = [0, *accumulate([ways[a] * ways[b] * ways[c] * ways[d] for a, b, c, d in places])]
        self.all = self._up_to[-1]
        self._unqualified = self._up_to[bisect_left(self._ranked, ACE_KING)]

    def count(self, own: int) -> Plain:
        """Count the dealer's hands against a hand of this rank."""
        below, up_to = bisect_left(self._ranked, own), bisect_right(self._ranked, own)
        return Plain(self._unqualified, self._up_to[below], self._up_to[up_to])


def compare(plain: Plain, flush: Flushes, own: int, hands: int) -> Beaten:
    """Compare a hand of rank `own` with all `hands` of the dealer, counted by `plain` without their flushes."""
    unqualified = plain.unqualified - bisect_left(flush.plain, ACE_KING)
    if own < ACE_KING:
        return Beaten(unqualified, 0, 0, hands - unqualified)
    below = plain.below - bisect_left(flush.plain, own) + bisect_left(flush.suited, own)
    up_to = plain.up_to - bisect_right(flush.plain, own) + bisect_right(flush.suited, own)
    return Beaten(unqualified, below - unqualified, up_to - below, hands - up_to)


class Unseen:
    """Cards that a seat cannot see: the dealer's hidden cards, and those that may be bought."""

    def __init__(self, up: Card, known: Sequence[Card]) -> None:
        self._up = up
        self._dealers: dict[str, DealerHands] = {}
        self.cards = [card for card in FRENCH if card not in known]
        self._left = [sum(card[0] == one for card in self.cards) for one in RANKS]
        self._suited = "".join(card[0] for card in self.cards if card[1] == up[1])

    def beaten_by(self, own: Sequence[Card], bought: Card = "") -> Beaten:
        """Compare these five cards with the dealer's hands; `bought` is the one of them that was unseen before."""
        ranks = "".join(sorted(card[0] for card in own))
        is_suited = len({card[1] for card in own}) == 1
        suited = self._suited.replace(bought[0], "") if bought and bought[1] == self._up[1] else self._suited
        ranked, dealer = rank_of(ranks, SUITED if is_suited else MIXED), self._dealer(bought[:1])
        return compare(dealer.count(ranked), flushes(self._up[0], suited), ranked, dealer.all)

    def _dealer(self, bought: str) -> DealerHands:
        dealer = self._dealers.get(bought)
        if dealer is None:
            left = [number - (one == bought) for one, number in zip(RANKS, self._left, strict=True)]
            dealer = self._dealers[bought] = DealerHands(self._up[0], left)
        return dealer


def raise_net(beaten: Beaten, ante: int, bet: int, pays: int) -> int:
    """Return the net of ante and bet over all the dealer's hands together, in minor units (CS12, CS13, CS15, CS8)."""
    counted = min(bet, 2 * ante)
    won = ante + pays * counted
    return beaten.unqualified * ante + beaten.lower * won - beaten.higher * (ante + counted)


@dataclass(frozen=True)
class Chair:
    """Knowledge and stakes of a seat.

    gone      what is lost in any case: the coin, and the fee of an exchange
    prize     the prize of its first five cards, unless one of them is exchanged
    """

    own: tuple[Card, ...]
    unseen: Unseen
    ante: int
    has_exchanged: bool
    gone: int
    prize: int

    def worth(self, offer: Offer, stake: int) -> float:
        """Return the mean of what is left of all that the seat has at stake."""
        if offer.word == "exchange":
            return self._exchange(offer.argument)
        return self._raise(stake) if offer.word == "raise" else float(self.prize - self.gone - self.ante)

    def _raise(self, bet: int) -> float:
        beaten = self.unseen.beaten_by(self.own)
        odds = PAYS[name(rank(self.own))][self.has_exchanged]
        return self.prize - self.gone + raise_net(beaten, self.ante, bet, odds) / sum(beaten)

    def _exchange(self, card: Card) -> float:
        """Return the mean, over the cards that may come, of the better of fold and regular raise; the fee is the ante
        (CS5).
        """
        kept = [one for one in self.own if one != card]
        total = hands = 0
        for bought in self.unseen.cards:
            five = [*kept, bought]
            beaten = self.unseen.beaten_by(five, bought)
            hands = sum(beaten)
            net = raise_net(beaten, self.ante, 2 * self.ante, PAYS[name(rank(five))][True])
            total += max(-self.ante * hands, net)
        return total / (hands * len(self.unseen.cards)) - self.gone - self.ante


def values(decision: Decision) -> Values:
    """Return the value of fold, raise and each exchange, followed by the regular raise or a fold (CS5 to CS8)."""
    chair, found = _chair(decision), {}
    for offer in decision.offers:
        for choice in choices_of([offer]):
            stake = int(choice.rpartition(" ")[2]) if offer.most else offer.stake  # CS8: an irregular raise counts
            found[choice] = chair.worth(offer, stake)
    return found


def _chair(decision: Decision) -> Chair:
    seat, options = decision.seat, decision.options
    bets = next(stake.bets for stake in decision.stakes if str(stake.seat) == seat)
    own, up = tuple(decision.cards[seat]), next(card for card in decision.cards["dealer"] if card != HIDDEN)
    ante, coin = bets["ante"], bets.get("jackpot", 0)
    has_exchanged = any(move.seat == seat and move.word == "exchange" for move in decision.moves)
    prize = jackpot.prize_of(rank(own)) if coin and not has_exchanged else None
    return Chair(
        own,
        Unseen(up, seen(decision)),
        ante,
        has_exchanged,
        coin + ante * has_exchanged,
        jackpot.amount_of(prize, _meter(decision), options.fixed) if prize else 0,
    )


def _meter(decision: Decision) -> int:
    """Return the deal's meter with this hand's coins (CS20); a prize counts as the table's only one."""
    options: CaribbeanOptions = decision.options
    coins = sum("jackpot" in stake.bets for stake in decision.stakes)
    meter = options.reset if decision.jackpot is None else decision.jackpot
    return meter + coins * jackpot.contribution_of(options.coin, options.contribution)


def edges(options: CaribbeanOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edge of the ante, counted over all deals and the same for all options; a raise is a regular one
    (CS8).
    """
    return {
        "ante": _of_all_deals("best play; each raise is twice the ante", 0),
        "ante without exchange": _of_all_deals("the best play that never exchanges", 1),
        "jackpot": coin_edge(options, options.reset if meter is None else meter),
    }


def _of_all_deals(strategy: str, which: int) -> BetOdds:
    # For each open card: the player's five of the other 51, a card that may be bought of 46, the dealer's four of 45.
    deals = len(RANKS) * comb(51, 5) * 46 * comb(45, 4)
    edge = Fraction(-sum(sums[which] for sums in sums_by_open_card().values()), deals)
    return BetOdds(float(edge), strategy, edge)


def coin_edge(options: CaribbeanOptions, meter: int) -> BetOdds:
    """Return the edge of a coin that plays for a meter which includes it: no prize is given up or shared."""
    pays: dict[Fraction, Fraction] = {}
    for prize, hands in jackpot.WITH_PRIZE.items():
        net = Fraction(jackpot.amount_of(prize, meter, options.fixed), options.coin) - 1
        pays[net] = pays.get(net, 0) + Fraction(hands, jackpot.HANDS)
    return chance_alone("a hand with a prize is never exchanged", pays)


def fair_meter(options: CaribbeanOptions) -> float:
    """Return the meter at which the coin's edge is zero: its cost after fixed prizes, over the chances of shares of the
    meter.
    """
    shares = sum(jackpot.WITH_PRIZE[prize] * percent for prize, percent in jackpot.SHARES.items())
    fixed = sum(jackpot.WITH_PRIZE[prize] * options.fixed[short] for prize, short in jackpot.FIXED.items())
    return float(Fraction(100 * (options.coin * jackpot.HANDS - fixed), shares))


ODDS = Odds(
    game=GAME,
    edges=edges,
    values=values,
    fair_meter=fair_meter,
    units={"ante": Unit("ante", ("bet", "exchange")), "jackpot": Unit("jackpot")},
    no_figure={
        **SAME_SHARE,
        "procedure": "the same cards are dealt, in another order",
        "irregular_bets": "twice the ante is the best raise, and best play makes no other",
        "hand_pay": "a prize is the same, whoever confirms it",
    },
)
