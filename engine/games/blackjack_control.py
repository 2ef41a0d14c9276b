"""What chance brings a round of black jack that is known beforehand on average: a control of simulations.

The first cards are worth about so much, as if cards came back to a shoe without an end; what that is on average over
all first cards is counted. And the box's hands, as they stand, are held against a second dealer, who draws from a
fresh shoe that lacks his open card alone: what he makes of them is counted exactly, and most often he draws what the
dealer draws, for the few cards of the box are rarely missed in the shoe. So both come to nothing on average over all
deals, however the box plays.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random

from engine.cards import FRENCH, Card
from engine.felt import Felt
from engine.games.blackjack import BlackJackOptions, count, is_black_jack
from engine.games.blackjack_dealer import ACE, KINDS, OF_A_DECK, DealersOdds, total_of
from engine.games.blackjack_odds import kind_of

_CHANCES = [number / 52 for number in OF_A_DECK]
# Beside 17 to 21: more than that, and an ace with a ten.
_BUST, _BLACK_JACK = 22, 23


def control(options: BlackJackOptions) -> Callable[[Felt, Random], float]:
    """(a round of one box, a source of chance) -> minor units that it won by chance, on average none."""

    first_cards = _FirstCards(options)

    def won(felt: Felt, random: Random) -> float:
        one, up, other = map(kind_of, felt.deal.deck[:3])  # BJ8
        value = first_cards.worth(one, other, up) - first_cards.mean
        return options.minimum * value + against_another(felt, random)

    def against_another(felt: Felt, random: Random) -> float:
        hands = [cards for to, cards in felt.cards.items() if to != "dealer"]
        live = [
            (total, len(hands) == 1 and is_black_jack(cards)) for cards in hands if (total := count(cards)[0]) <= 21
        ]
        if not live:
            return 0.0
        known, up = _known(options, felt.cards["dealer"][0]), felt.cards["dealer"][0]
        other = _draw_dealer(felt, options, up, [card for cards in hands for card in cards], random)
        total, has_black_jack = count(other)[0], is_black_jack(other)
        won = 0.0
        for own, is_natural in live:
            if is_natural:
                won += 1.5 * (known.black_jack - has_black_jack)
            else:
                won += _compare(own, total, has_black_jack) - known.nets[max(own - 16, 0)]
        # A bet that was doubled on one of several hands lies on each in part: any weight will do.
        return won * felt.staked["1", "main"] / len(hands)

    return won


class _FirstCards:
    """What a box is worth with its first two cards, by kinds: about, and its mean over all that there are exactly."""

    def __init__(self, options: BlackJackOptions) -> None:
        self._hits_soft_17 = options.hits_soft_17
        self._bests: dict[tuple[int, bool, int], float] = {}
        self._worth = {
            (one, other, up): self._count(one, other, up) for up in KINDS for one in KINDS for other in KINDS
        }
        unseen, size, total = [number * options.decks for number in OF_A_DECK], 52 * options.decks, 0.0
        for (one, other, up), worth in self._worth.items():
            second = unseen[up] - (up == one)
            third = unseen[other] - (other == one) - (other == up)
            total += worth * unseen[one] * second * third
        self.mean = total / (size * (size - 1) * (size - 2))

    def worth(self, one: int, other: int, up: int) -> float:
        """In units of the first bet."""
        return self._worth[one, other, up]

    def _count(self, one: int, other: int, up: int) -> float:
        low, has_ace = one + other + 2, ACE in (one, other)
        ends = _ends(up + 1, up == ACE, 1, self._hits_soft_17)
        if total_of(low, has_ace)[0] == 21:
            return 1.5 * (1 - ends[_BLACK_JACK])
        best = max(self._stand(low, has_ace, up), self._hit(low, has_ace, up))
        if total_of(low, has_ace) in ((9, False), (10, False), (11, False)):
            best = max(best, 2 * sum(p * self._stand(low + k + 1, k == ACE, up) for k, p in enumerate(_CHANCES)))
        if one == other:
            best = max(best, 2 * sum(p * self._play(one + k + 2, ACE in (one, k), up) for k, p in enumerate(_CHANCES)))
        return best

    def _stand(self, low: int, has_ace: bool, up: int) -> float:
        total = total_of(low, has_ace)[0]
        if total > 21:
            return -1.0
        ends = _ends(up + 1, up == ACE, 1, self._hits_soft_17)
        below = ends[_BUST] + sum(ends[made] for made in range(17, min(total, 22)))
        return below - sum(ends[made] for made in range(max(total + 1, 17), 22)) - ends[_BLACK_JACK]

    def _hit(self, low: int, has_ace: bool, up: int) -> float:
        return sum(p * self._play(low + k + 1, has_ace or k == ACE, up) for k, p in enumerate(_CHANCES))

    def _play(self, low: int, has_ace: bool, up: int) -> float:
        if low > 21:
            return -1.0
        at = low, has_ace, up
        if at not in self._bests:
            self._bests[at] = max(self._stand(*at), self._hit(*at) if low < 21 else -1.0)
        return self._bests[at]


class _Known:
    """Against an open card: what a unit wins that stands below 17 and on 17 to 21, and how likely a Black Jack is."""

    def __init__(self, options: BlackJackOptions, up: int) -> None:
        unseen = [number * options.decks - (kind == up) for kind, number in enumerate(OF_A_DECK)]
        dealer = DealersOdds(unseen, up, hits_soft_17=options.hits_soft_17, counts_all=True)
        self.black_jack = dealer.black_jack(0, 0)
        self.nets = [dealer.net(total, 0, 0) - self.black_jack for total in range(16, 22)]


@lru_cache(10_000)
def _ends(low: int, has_ace: bool, cards: int, hits_soft_17: bool) -> Mapping[int, float]:
    """{what a dealer comes to from here on: chance}, where every card is always as likely (BJ14)."""
    total, is_soft = total_of(low, has_ace)
    if total >= 17 and not (total == 17 and is_soft and hits_soft_17):
        is_black_jack = total == 21 and cards == 2
        return Counter({_BLACK_JACK if is_black_jack else min(total, _BUST): 1.0})
    ends: dict[int, float] = dict.fromkeys((*range(17, 22), _BUST, _BLACK_JACK), 0.0)
    for kind, chance in enumerate(_CHANCES):
        for end, share in _ends(low + kind + 1, has_ace or kind == ACE, cards + 1, hits_soft_17).items():
            ends[end] += chance * share
    return ends


def _known(options: BlackJackOptions, up: Card) -> _Known:
    return _known_by_kind(options, kind_of(up))


@lru_cache(100)
def _known_by_kind(options: BlackJackOptions, up: int) -> _Known:
    return _Known(options, up)


def _compare(own: int, dealers: int, has_black_jack: bool) -> int:
    if has_black_jack:
        return -1
    return 1 if dealers > 21 else (own > dealers) - (own < dealers)


def _draw_dealer(felt: Felt, options: BlackJackOptions, up: Card, gone: list[Card], random: Random) -> list[Card]:
    """As BJ14 says, from all cards but the open one: the box's lie among them again, at any place."""
    left, back, rest = 52 * options.decks - 1, list(gone), _after_the_box(felt, options, up, gone, random)
    cards = [up]
    total, is_soft = count(cards)
    while total < 17 or (total == 17 and is_soft and options.hits_soft_17):
        place = random.random() * left
        cards.append(back.pop(int(place)) if place < len(back) else next(rest))
        left -= 1
        total, is_soft = count(cards)
    return cards


def _after_the_box(felt: Felt, options: BlackJackOptions, up: Card, gone: list[Card], random: Random) -> Iterator[Card]:
    """The dealer's own, then those that lie on top of the shoe, then whatever else it holds."""
    known = [*felt.cards["dealer"][1:], *felt.deal.deck[felt.drawn :]]
    yield from known
    others = list((Counter(FRENCH * options.decks) - Counter([up, *gone, *known])).elements())
    random.shuffle(others)
    yield from others
