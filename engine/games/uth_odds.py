"""Value of each choice at Ultimate Texas Hold'em, and cost of its bets: dealers counted, never sampled.

On the flop and on the river every dealer's hand is counted; for two cards alone `uth_table` has the sums. Sums are
whole numbers, of minor units and dealers' hands, until one division makes a float of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, repeat
from math import comb
from typing import NamedTuple

from engine.cards import FRENCH, HIDDEN, RANKS, SUITS, Card
from engine.felt import Offer
from engine.games.uth import BLIND_PAYS, GAME, STREETS, TRIPS_PAYS, UltimateOptions
from engine.games.uth_table import RUNS, class_sizes, hand_class, shares, spared, two_cards
from engine.odds import SAME_SHARE, BetOdds, Decision, Odds, Unit, chance_alone, fraction
from engine.poker import PAIR, name, rank, rank_key, rank_ranks

_DEALERS = comb(45, 2)
_RIVERS = comb(47, 2)
_QUALIFIES = PAIR << 20  # UT8
# Of all that seven cards can be: what Trips pays for.
OF_SEVEN = {
    "royal flush": 4324,
    "straight flush": 37260,
    "four of a kind": 224848,
    "full house": 3473184,
    "flush": 4047644,
    "straight": 6180020,
    "three of a kind": 6461620,
}
_KEYS = tuple(rank_key(one + SUITS[0]) for one in RANKS)


class SeatBets(NamedTuple):
    """Bets of one seat in minor units, and the options that decide what they pay."""

    ante: int
    trips: int
    options: UltimateOptions

    def blind_pays(self, hand: str) -> int:
        """Return what the blind wins (UT13); of 3:2 a half minor unit is the bank's (G2)."""
        paid, per = BLIND_PAYS.get(hand, (0, 1))
        return self.ante * paid // per

    def trips_net(self, hand: str) -> int:
        """Return the net of the Trips bet (UT14)."""
        return self.trips * TRIPS_PAYS.get(hand, -1)

    def fold_net(self, hand: str) -> int:
        """Return the net of a fold: by hand Trips is lost with it, otherwise it stays live (UT15)."""
        trips = -self.trips if self.options.procedure == "manual" else self.trips_net(hand)
        return trips - 2 * self.ante


class Against(NamedTuple):
    """Numbers of the 990 dealer's hands below and above one's own; `out` do not qualify (UT8)."""

    hand: str
    won: int
    lost: int
    qualified_won: int
    qualified_lost: int
    out: int

    def play_net(self, bets: SeatBets, multiple: int) -> int:
        """Return the sum of final nets with `multiple` antes on Play (UT9, UT10, UT13, UT14)."""
        ante = self.qualified_won - self.qualified_lost
        if bets.options.nonqualify == "us":
            won, lost = self.won, self.lost
        else:
            won, lost = self.qualified_won, self.qualified_lost
            ante += self.out
        main = bets.ante * (multiple * (won - lost) + ante - lost) + bets.blind_pays(self.hand) * won
        return main + bets.trips_net(self.hand) * _DEALERS


def count_dealers(own: Sequence[Card], board: Sequence[Card]) -> Against:
    """Compare with all hands that the bank can hold with the whole board."""
    best, keys = rank([*own, *board]), sum(map(rank_key, board))
    left, suited = _divide_dealers(keys, own, board)
    both = zip(_compare_by_ranks(best, keys, left), _compare(best, suited), strict=True)
    return _against(best, *map(sum, both))


def compare_with(best: int, dealers: Iterable[int]) -> Against:
    """Compare a hand with dealer's hands of these ranks; Trips is left out."""
    return _against(best, *_compare(best, zip(dealers, repeat(1), strict=False)))


def _against(best: int, won: int, lost: int, out: int, out_won: int, out_lost: int) -> Against:
    return Against(name(best), won + out_won, lost + out_lost, won, lost, out)


Ranked = tuple[int, int]
"""A rank, and the number of dealers' hands with it; negative if they were counted by ranks and have another."""


def _divide_dealers(keys: int, own: Sequence[Card], board: Sequence[Card]) -> tuple[tuple[int, ...], list[Ranked]]:
    """Count the cards of each rank that are left for hands that count by ranks, and list all flushes."""
    suits = [card[1] for card in board]
    suit = max(SUITS, key=suits.count)
    lacks = 5 - suits.count(suit)
    left = [len(SUITS)] * len(RANKS)
    for card in (*own, *board):
        left[RANKS.index(card[0])] -= 1
    if lacks > 2:
        return tuple(left), []

    seen = {RANKS.index(card[0]) for card in (*own, *board) if card[1] == suit}
    inside = [i for i in range(len(RANKS)) if i not in seen]
    mask = sum(1 << RANKS.index(card[0]) for card in board if card[1] == suit)
    suited = [(_rank_suited(mask | 1 << i | 1 << j), 1) for i, j in combinations(inside, 2)]
    if lacks == 2:
        suited += [(rank_ranks(keys + _KEYS[i] + _KEYS[j]), -1) for i, j in combinations(inside, 2)]
        return tuple(left), suited

    for i in inside:
        left[i] -= 1
    outside = sum(left)
    suited += [(_rank_suited(mask | 1 << i), outside) for i in inside]
    if lacks == 1:
        return tuple(left), suited
    return (), [*suited, (_rank_suited(mask), comb(outside, 2))]


# Boards of one flop repeat in other suits, and share the result.
@lru_cache(200)
def _compare_by_ranks(best: int, keys: int, left: tuple[int, ...]) -> tuple[int, ...]:
    """Compare with two of the remaining cards, counted by rank, and a board with this sum of keys."""
    there = [(_KEYS[i], count) for i, count in enumerate(left) if count]
    ranked = [(rank_ranks(keys + 2 * key), comb(count, 2)) for key, count in there if count > 1]
    ranked += [(rank_ranks(keys + one + other), n * m) for (one, n), (other, m) in combinations(there, 2)]
    return _compare(best, ranked)


def _compare(best: int, dealers: Iterable[Ranked]) -> tuple[int, ...]:
    """Count the bank's hands: below and above among those that qualify, all that do not, of them below and above."""
    won = lost = out = out_won = out_lost = 0
    for ranked, hands in dealers:
        if ranked < _QUALIFIES:
            out += hands
            if ranked < best:
                out_won += hands
            elif ranked > best:
                out_lost += hands
        elif ranked < best:
            won += hands
        elif ranked > best:
            lost += hands
    return won, lost, out, out_won, out_lost


@cache
def _rank_suited(mask: int) -> int:
    """Rank five to seven cards of one suit, given as bits of their ranks."""
    return rank([one + SUITS[0] for i, one in enumerate(RANKS) if mask >> i & 1])


def count_boards(own: Sequence[Card], flop: Sequence[Card]) -> Iterator[tuple[tuple[Card, Card], int]]:
    """Yield a turn and river of each kind, with the number of boards that play alike.

    Those have the same ranks and, in a suit with three or more cards on the board, the same cards.
    """
    unseen = [card for card in FRENCH if card not in own and card not in flop]
    keys = {card: rank_key(card) for card in unseen}
    suits = [card[1] for card in flop]
    many = {}
    for pair in ((one, other) for one in SUITS for other in SUITS):
        board = [*suits, *pair]
        suit = max(SUITS, key=board.count)
        many[pair] = suit if board.count(suit) > 2 else ""
    kinds: dict[tuple[int, Card, Card], tuple[Card, Card]] = {}
    counts: dict[tuple[int, Card, Card], int] = {}
    for pair in combinations(unseen, 2):
        turn, river = pair
        suit = many[turn[1], river[1]]
        kind = keys[turn] + keys[river], turn if turn[1] == suit else "", river if river[1] == suit else ""
        kinds.setdefault(kind, pair)
        counts[kind] = counts.get(kind, 0) + 1
    yield from ((pair, counts[kind]) for kind, pair in kinds.items())


class Worth(NamedTuple):
    """Sums over `of` equal cases: waiting is worth `wait`, playing `rest` plus `play` for each ante on Play."""

    wait: int
    rest: int
    play: int
    of: int

    def of_play(self, multiple: int) -> int:
        return self.rest + multiple * self.play

    def is_played(self, multiple: int) -> bool:
        """Check whether playing is better than waiting; equal values wait."""
        return self.of_play(multiple) > self.wait

    def of_choice(self, offer: Offer) -> float:
        return (self.of_play(int(offer.argument)) if offer.word == "play" else self.wait) / self.of


def values(decision: Decision) -> Mapping[str, float]:
    """Return the expected final net of each choice, in minor units."""
    own = decision.cards[decision.seat]
    board = [card for card in decision.cards.get("board", ()) if card != HIDDEN]
    bets = _bets_of(decision)
    if not board:
        worth = value_two_cards(bets, hand_class(own))
    elif len(board) == 3:
        worth = value_flop(bets, own, board)
    else:
        worth = value_river(bets, own, board)
    return {str(offer): worth.of_choice(offer) for offer in decision.offers}


def _bets_of(decision: Decision) -> SeatBets:
    bets = next(stake.bets for stake in decision.stakes if str(stake.seat) == decision.seat)
    return SeatBets(bets["ante"], bets.get("trips", 0), decision.options)


def value_river(bets: SeatBets, own: Sequence[Card], board: Sequence[Card]) -> Worth:
    """Return the worth on the river, where waiting means folding (UT6)."""
    against = count_dealers(own, board)
    rest = against.play_net(bets, 0)
    return Worth(bets.fold_net(against.hand) * _DEALERS, rest, against.play_net(bets, 1) - rest, _DEALERS)


def value_flop(bets: SeatBets, own: Sequence[Card], flop: Sequence[Card]) -> Worth:
    """Return the value of both choices on the flop; a seat that waits plays best on the river."""
    wait = rest = play = 0
    for cards, alike in count_boards(own, flop):
        river = value_river(bets, own, [*flop, *cards])
        wait += alike * max(river.wait, river.of_play(1))
        rest += alike * river.rest
        play += alike * river.play
    return Worth(wait, rest, play, _RIVERS * _DEALERS)


def value_two_cards(bets: SeatBets, hand: str) -> Worth:
    """Return the value of two cards by their class, from the table."""
    rule = bets.options.nonqualify
    sums = two_cards(rule)[hand]
    always = bets.blind_pays("flush") * sums.flush + bets.trips * sums.trips
    wait = bets.ante * sums.wait + always
    if bets.trips and bets.options.procedure == "manual":
        wait -= round(bets.ante * spared(rule, hand, bets.ante, bets.trips) * RUNS)
    return Worth(wait, bets.ante * sums.rest + always, bets.ante * sums.play, RUNS)


def edges(options: UltimateOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edges of the smallest ante, played alone, and of Trips beside any ante."""
    return {"ante": _edge_of_ante(options), "trips": _edge_of_trips(options)}


def _edge_of_ante(options: UltimateOptions) -> BetOdds:
    """Return the edge of the ante; 3:2 of an odd ante is rounded down, which costs more the smaller it is."""
    bets = SeatBets(options.minimum, 0, options)
    best = 0
    for hand, size in class_sizes().items():
        worth = value_two_cards(bets, hand)
        best += size * max(worth.wait, *map(worth.of_play, STREETS[0].multiples))
    runs = comb(52, 2) * RUNS
    won, lost = shares(options.nonqualify)
    return fraction(
        Fraction(-best, runs * bets.ante), "best play", Fraction(won, runs), Fraction(runs - won - lost, runs)
    )


def _edge_of_trips(options: UltimateOptions) -> BetOdds:
    if options.procedure == "manual":
        why = "By hand Trips is lost with a fold (UT15), so what it costs rests on how the ante is played."
        return BetOdds(None, "best play of the ante", why=why)
    pays: dict[Fraction, Fraction] = {}
    for hand, count in OF_SEVEN.items():
        net = Fraction(TRIPS_PAYS[hand])
        pays[net] = pays.get(net, 0) + Fraction(count, comb(52, 7))
    return chance_alone("any: Trips stays live after a fold", pays)


ODDS = Odds(
    game=GAME,
    edges=edges,
    values=values,
    units={"ante": Unit("ante", ("blind", "play")), "trips": Unit("trips")},
    no_figure={**SAME_SHARE, "minimum": "only for an odd ante are 3:2 rounded down (G2)"},
)
