"""Control variate for simulations of black jack: the part of a round that is chance with a known mean.

Each card changes the value of the round; the mean of that change over all cards that could have come instead is taken
off. The sum therefore has mean zero, however the box plays and whatever has left the shoe. The value of a round is
counted as if the shoe had no end, which is nearly right: the smaller the error, the less scatter is left.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import fsum
from operator import mul
from random import Random
from typing import NamedTuple

from engine.games.blackjack import BlackJackOptions
from engine.games.blackjack_dealer import ACE, KINDS, OF_A_DECK, TEN, total_of
from engine.games.blackjack_odds import kind_of
from engine.simulation import Control, PlayedRound

_CHANCES = [number / 52 for number in OF_A_DECK]
# The value of a total in comparisons: all below 17 are equal, and a Black Jack beats every total (BJ9).
_LOWEST, _BLACK_JACK = 16, 100

Worths = Sequence[float]
"""Values by the kind of the next card."""


class _ControlRules(NamedTuple):
    """Options that the value of a card depends on."""

    hits_soft_17: bool
    double_soft: bool
    black_jack: float


def control(options: BlackJackOptions) -> Control:
    """Return the control variate of a round of one box: a function of (round, unused random source).

    It gives the minor units that the round won by chance, on average none.
    """
    pays, to = options.odds
    rules = _ControlRules(options.hits_soft_17, options.double_soft, pays / to)

    def won(played: PlayedRound, random: Random) -> float:
        return _Luck(played, rules, options.decks).sum()

    return won


class _Luck:
    """The cards of a round in their order, and what has been won by them so far."""

    def __init__(self, played: PlayedRound, rules: _ControlRules, decks: int) -> None:
        self._felt, self._rules, self._bet = played.felt, rules, played.felt.deal.stakes[0].bets["main"]
        self._cards: Iterator[int] = map(kind_of, played.felt.deal.deck)
        self._unseen = [number * decks for number in OF_A_DECK]
        for card in played.gone:
            self._unseen[kind_of(card)] -= 1
        self._left = sum(self._unseen)
        self._words = (move.word for move in played.moves if move.word not in ("insure", "decline"))
        self._won = 0.0

    def sum(self) -> float:
        one, up, other = self._first_cards()
        hands = [_ControlHand([one, other], self._bet)]
        for hand in hands:  # BJ11: a split inserts its second hand next, so the list grows during the loop
            self._play(hand, hands, up)
        self._draw_dealer(hands, up)
        return self._won

    def _draw(self, worths: Worths, stake: float) -> int:
        """Draw the next card and add what it changes, by the worth of each kind, to the sum won by chance."""
        kind = next(self._cards)
        self._won += stake * (worths[kind] - sum(map(mul, worths, self._unseen)) / self._left)
        self._unseen[kind] -= 1
        self._left -= 1
        return kind

    def _first_cards(self) -> tuple[int, int, int]:
        """Draw the first cards (BJ8), with an Admiral Jack that the box's own Black Jack wins (BJ17)."""
        rules, admiral = self._rules, self._felt.staked.get(("1", "admiral"), 0) / self._bet
        one = self._draw(_with_first(rules, admiral), self._bet)
        up = self._draw(_with_open(rules, one, admiral), self._bet)
        return one, up, self._draw(_with_second(rules, one, up, admiral), self._bet)

    def _play(self, hand: "_ControlHand", hands: list["_ControlHand"], up: int) -> None:
        """Play a hand as the box did (BJ11)."""
        kinds, rules = hand.kinds, self._rules
        if len(kinds) == 1:
            kinds.append(self._draw(_after_split(rules, kinds[0], up), hand.stake))
        while hand.total < 21 and not (hand.is_split and kinds[0] == ACE != kinds[1]):
            word = next(self._words)
            if word == "stand":
                return
            if word == "split":
                kind = kinds.pop()
                hand.is_split = True
                hands.insert(hands.index(hand) + 1, _ControlHand([kind], self._bet, is_split=True))
                kinds.append(self._draw(_after_split(rules, kind, up), hand.stake))
                continue
            if word == "double":
                hand.stake += self._bet
                kinds.append(self._draw(_after_double(rules, hand.low, ACE in kinds, up), hand.stake))
                return
            kinds.append(self._draw(_after_hit(rules, hand.low, ACE in kinds, up), hand.stake))

    def _draw_dealer(self, hands: list["_ControlHand"], up: int) -> None:
        """Draw the dealer's cards (BJ14) for all hands that are not beaten, and for an insurance (BJ10)."""
        standing: dict[int, float] = {}
        for hand in hands:
            if hand.total <= 21:
                is_black_jack = len(hand.kinds) == 2 and hand.total == 21 and not hand.is_split
                own = _BLACK_JACK if is_black_jack else max(hand.total, _LOWEST)
                stake = hand.stake * self._rules.black_jack if is_black_jack else hand.stake
                standing[own] = standing.get(own, 0.0) + stake
        insured = self._felt.staked.get(("1", "insurance"), 0)
        low, has_ace = up + 1, up == ACE
        for cards in range(1, len(self._felt.cards["dealer"])):
            worths = [0.0] * len(KINDS)
            for own, stake in standing.items():
                each = _with_dealers(self._rules.hits_soft_17, low, has_ace, cards, own)
                worths = [worth + stake * one for worth, one in zip(worths, each, strict=True)]
            if insured and cards == 1:
                worths[TEN] += 3 * insured
            kind = self._draw(worths, 1.0)
            low, has_ace = low + kind + 1, has_ace or kind == ACE


class _ControlHand:
    """A hand: the kinds of its cards, and the money on it."""

    __slots__ = ("is_split", "kinds", "stake")

    def __init__(self, kinds: list[int], stake: float, *, is_split: bool = False) -> None:
        self.kinds = kinds
        self.stake = stake
        self.is_split = is_split

    @property
    def low(self) -> int:
        return sum(self.kinds) + len(self.kinds)

    @property
    def total(self) -> int:
        return total_of(self.low, ACE in self.kinds)[0]


# Approximate value of a unit on the box: each card is always as likely as in a full shoe.


def _mean(worths: Worths) -> float:
    return fsum(map(mul, worths, _CHANCES))


@cache
def _with_first(rules: _ControlRules, admiral: float) -> Worths:
    """Return the worths of each first card; `admiral` is the bet on Admiral Jack, in main bets."""
    return [_mean(_with_open(rules, one, admiral)) for one in KINDS]


@cache
def _with_open(rules: _ControlRules, one: int, admiral: float) -> Worths:
    return [_mean(_with_second(rules, one, up, admiral)) for up in KINDS]


@cache
def _with_second(rules: _ControlRules, one: int, up: int, admiral: float) -> Worths:
    worths = []
    for other in KINDS:
        if {one, other} == {ACE, TEN}:
            worths.append(_stand(rules.hits_soft_17, _BLACK_JACK, up) * rules.black_jack + 20 * admiral)
        else:
            worth = _two_cards(rules, one, other, up)
            worths.append(max(worth, 2 * _mean(_after_split(rules, one, up))) if one == other else worth)
    return worths


@cache
def _after_split(rules: _ControlRules, kind: int, up: int) -> Worths:
    """Return the value of one of two hands after a split. A pair is split once more at most."""
    if kind == ACE:
        worths = [_stand(rules.hits_soft_17, total_of(2 + other, True)[0], up) for other in KINDS]
    else:
        worths = [_two_cards(rules, kind, other, up) for other in KINDS]
    worths[kind] = max(worths[kind], 2 * _mean(worths))
    return worths


def _two_cards(rules: _ControlRules, one: int, other: int, up: int) -> float:
    """Return the worth of two first cards that are no Black Jack and are not split."""
    low, has_ace = one + other + 2, ACE in (one, other)
    total, is_soft = total_of(low, has_ace)
    worth = _play(rules, low, has_ace, up)
    if rules.double_soft and total in (19, 20) if is_soft else total in (9, 10, 11):
        worth = max(worth, 2 * _mean(_after_double(rules, low, has_ace, up)))
    return worth


@cache
def _after_double(rules: _ControlRules, low: int, has_ace: bool, up: int) -> Worths:
    afterwards = [total_of(low + kind + 1, has_ace or kind == ACE)[0] for kind in KINDS]
    return [_stand(rules.hits_soft_17, total, up) for total in afterwards]


@cache
def _after_hit(rules: _ControlRules, low: int, has_ace: bool, up: int) -> Worths:
    return [_play(rules, low + kind + 1, has_ace or kind == ACE, up) for kind in KINDS]


def _play(rules: _ControlRules, low: int, has_ace: bool, up: int) -> float:
    total = total_of(low, has_ace)[0]
    worth = _stand(rules.hits_soft_17, total, up)
    return max(worth, _mean(_after_hit(rules, low, has_ace, up))) if total < 21 else worth


def _stand(hits_soft_17: bool, own: int, up: int) -> float:
    if 21 < own < _BLACK_JACK:
        return -1.0
    return _mean(_with_dealers(hits_soft_17, up + 1, up == ACE, 1, max(own, _LOWEST)))


@cache
def _with_dealers(hits_soft_17: bool, low: int, has_ace: bool, cards: int, own: int) -> Worths:
    """Return the value of a unit that stands, by the next card of a dealer who has `cards` cards and draws (BJ14,
    BJ15).
    """
    worths = []
    for kind in KINDS:
        after, ace = low + kind + 1, has_ace or kind == ACE
        total, is_soft = total_of(after, ace)
        if total < 17 or (total == 17 and is_soft and hits_soft_17):
            worths.append(_mean(_with_dealers(hits_soft_17, after, ace, cards + 1, own)))
        elif total > 21:
            worths.append(1.0)
        else:
            dealers = _BLACK_JACK if total == 21 and cards == 1 else total
            worths.append(float((own > dealers) - (own < dealers)))
    return worths
