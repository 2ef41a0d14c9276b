"""The deal of the day: ten hands of a game against the bank on one seed, the same for everyone (TN31 to TN33).

A line of play is a list of words. A number is the bet of the next hand in minor units; everything else is a move of the
hand in play, as a record has it without its seat.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import Illegal, IllegalDeal, IllegalMove
from engine.felt import TIMEOUT, Amount, Deal, Limits, Move, Offer, Stake, find_offer
from engine.games import GAMES
from engine.hand import Hand
from engine.record import shuffled, write_record
from engine.shuffler import Seed

HANDS = 10
# In the log: prefix of the name of a deck's table, and the reason to show a seed that no table dealt from.
WHY = "deal of the day"
# Everyone's start chips, in minor units.
CHIPS = 1000_00
SEAT, PLAYER = 1, "p1"
KEY = str(SEAT)


@dataclass(frozen=True)
class DailyDeal:
    """The terms of a deal of the day. `seed` is its 32 bytes, secret until the day is over."""

    game: str
    rules: int
    options: Limits
    seed: bytes = field(repr=False)

    @property
    def spot(self) -> str:
        """The spot of the one bet of each hand."""
        return GAMES[self.game].spots[0]

    def cost(self, bet: int) -> int:
        """Return what a bet puts down, with what the rules add to it (UT2)."""
        return sum(GAMES[self.game].place(self.options, self.stake(bet)).values())

    def stake(self, bet: int) -> Stake:
        return Stake(SEAT, PLAYER, {self.spot: bet})

    def seed_of(self, number: int) -> bytes:
        """Return the seed of a hand, from 1."""
        return hmac.digest(self.seed, b"deal %d" % number, "sha256")

    def deal(self, number: int, bet: int) -> Hand:
        """Deal a hand, from 1. Raises IllegalDeal for a bet outside of the limits."""
        game, seed = GAMES[self.game], Seed(self.seed_of(number))
        self.options.check_limits(self.spot, bet)
        deck, dice = shuffled(game, self.options, seed)
        return Hand(Deal(game.name, self.options, (self.stake(bet),), deck, dice, seed, rules=self.rules))


@dataclass(frozen=True)
class DailyCourse:
    """A line of play as far as it has come: its words, the finished hands, and the one in play."""

    deal: DailyDeal
    moves: tuple[str, ...] = ()
    played: tuple[Hand, ...] = ()
    hand: Hand | None = None

    @property
    def number(self) -> int:
        """The number of the hand in play, or else of the next one, from 1."""
        return len(self.played) + 1

    @property
    def chips(self) -> int:
        """The chips after the finished hands, in minor units."""
        return CHIPS + sum(map(net_of, self.played))

    @property
    def left(self) -> int:
        """The chips that are not at stake."""
        return self.chips - (_sum(self.hand.wagered()) if self.hand is not None else 0)

    @property
    def is_over(self) -> bool:
        """Whether all hands are played, or too few chips are left for the smallest bet."""
        if self.hand is not None:
            return False
        return len(self.played) == HANDS or self.chips < self.deal.cost(self.deal.options.minimum)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The offers of the hand in play that the chips pay for."""
        offers = self.hand.asks.get(KEY, ()) if self.hand is not None else ()
        return tuple(offer for offer in map(self._within_means, offers) if offer is not None)

    def _within_means(self, offer: Offer) -> Offer | None:
        if not offer.most:
            return offer if offer.stake <= self.left else None
        most = min(offer.most, self.left + offer.put)
        most -= most % offer.unit if most < offer.most else 0
        return replace(offer, most=most) if offer.least <= most else None

    def play(self, word: str) -> "DailyCourse":
        """Return the course after one more word. Raises Illegal."""
        if self.is_over:
            raise IllegalMove("All hands of this deal are played.")
        return self._after(word, self._bet(word) if self.hand is None else self._move(self.hand, word))

    def _bet(self, word: str) -> Hand:
        if not (word.isascii() and word.isdigit() and len(word) < 16):
            raise IllegalMove("Bet first.")
        cost = self.deal.cost(int(word))
        if cost > self.chips:
            raise IllegalDeal("That costs {cost}, you have {chips}.", cost=Amount(cost), chips=Amount(self.chips))
        return self.deal.deal(self.number, int(word))

    def _move(self, hand: Hand, word: str) -> Hand:
        move = Move(KEY, *word.split(" ", 1))
        if move.word != TIMEOUT and find_offer(hand.asks.get(KEY, ()), move) and not find_offer(self.offers, move):
            raise IllegalMove("You do not have enough chips for that.")
        return hand.play(move)

    def _after(self, word: str, hand: Hand) -> "DailyCourse":
        moves = (*self.moves, word)
        if hand.is_over:
            return replace(self, moves=moves, played=(*self.played, hand), hand=None)
        return replace(self, moves=moves, hand=hand)

    def time_out(self) -> "DailyCourse":
        """Return the course at the end of the day: each hand that is left has the smallest bet and no decision."""
        course = self
        while not course.is_over:
            course = course.play(str(self.deal.options.minimum) if course.hand is None else TIMEOUT)
        return course

    def records(self) -> list[dict[str, Any]]:
        """Return the plain record of each hand, for `ridotto replay`; they name the seeds."""
        return [write_record(hand.deal, hand.moves) for hand in (*self.played, *filter(None, (self.hand,)))]


def follow_course(deal: DailyDeal, moves: Sequence[str]) -> DailyCourse:
    """Return the course of a line of play. Raises Illegal."""
    course = DailyCourse(deal)
    for word in moves:
        course = course.play(word)
    return course


def score_of(deal: DailyDeal, moves: Sequence[str]) -> int:
    """Return the score of a whole line of play in minor units. Raises Illegal for one that does not reach the end."""
    course = follow_course(deal, moves)
    if not course.is_over:
        raise Illegal("The line of play does not reach the end of the deal.")
    return course.chips


def net_of(hand: Hand) -> int:
    """Return what a finished hand won, in minor units; negative for a loss."""
    return _sum(hand.returned()) - _sum(hand.wagered())


def _sum(amounts: Mapping[str, Mapping[str, int]]) -> int:
    return sum(sum(spots.values()) for spots in amounts.values())
