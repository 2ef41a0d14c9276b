"""Automatic play of a game: simulations and house players. Each game declares its own beside its rule script.

A strategy is `choose(seat, offers, cards) -> Move`. `cards` are the cards on the table by owner; those that the seat
may not see are real or "??", and no strategy reads them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from engine.cards import Card
from engine.felt import Felt, Game, Move, Offers, Stake

Cards = Mapping[str, list[Card]]
Strategy = Callable[[str, Offers, Cards], Move]
Lay = Callable[[Any, str], tuple[Stake, ...]]
Counted = Mapping[str, Mapping[str, Fraction]]

# Name of the strategy that loses least, in every game against the bank, and of the one that adds the side bets.
BEST, SIDE_BETS = "best", "side-bets"

# Cached: equal ones never change.
move = lru_cache(10_000)(Move)


def counted(win: Fraction, push: Fraction, pays: Fraction = Fraction(1)) -> Mapping[str, Fraction]:
    """Return the chances of a bet that wins `pays` to 1; `edge` is its average loss per unit."""
    lose = 1 - win - push
    return {"win": win, "push": push, "lose": lose, "edge": lose - pays * win}


def count_nothing(options: Any) -> Counted:
    """Return no exact figures, for a game with too many deals to count."""
    return {}


class PlayedRound(NamedTuple):
    """A finished round: the table after it, the choices in order, and how many cards had left the shoe before it."""

    felt: Felt
    moves: Sequence[Move]
    gone: Sequence[Card]


Control = Callable[[PlayedRound, Random], float]


@dataclass(frozen=True)
class Simulation:
    """Description of how a game is simulated.

    game        the game to play
    strategies  {name: how to choose}; the first is the default, `guest` plays for house players
    by_chance   {name: (random) -> how to choose}: strategies that need a source of chance
    by_options  {name: (options) -> how to choose}: strategies that depend on the options, or remember earlier decisions
                of their seats in the same hand
    lay         (options, name of the strategy) -> the stakes of every round; the first bet of the first one is the unit
                of the edge, unless the game has no bets before the deal
    cards       the usual number of cards in a round: only these are shuffled, and more when a round needs them
    rounds      the default number of rounds: enough for the edge of best play to a tenth of it
    control     (options) -> (a round, a source of chance) -> the win of its only seat by chance alone, in minor units:
                a control variate with mean zero over all deals, however the seat plays
    exact       (options) -> {bet: {"win", "push", "lose", "edge": fraction}} where every deal can be counted
    """

    game: Game
    strategies: Mapping[str, Strategy]
    lay: Lay
    cards: int
    rounds: int = 100_000
    by_chance: Mapping[str, Callable[[Random], Strategy]] = field(default_factory=dict)
    by_options: Mapping[str, Callable[[Any], Strategy]] = field(default_factory=dict)
    control: Callable[[Any], Control] | None = None
    exact: Callable[[Any], Counted] = count_nothing


def deal_others(cards: Sequence[Card], size: int, random: Random) -> list[Sequence[Card]]:
    """Deal hands of `size`, each as likely as any, from these cards twice over.

    Those of one deal have no card in common, so that their mean scatters less than if each came by itself; those of
    different deals have one at most.
    """
    shuffled, hands = random.sample(cards, len(cards)), len(cards) // size
    in_a_row = (shuffled[i : i + size] for i in range(0, hands * size, size))
    return [*in_a_row, *(shuffled[i : hands * size : hands] for i in range(hands))]


def least_on(spot: str) -> Lay:
    """Return a layout with one player and the least bet on one spot."""
    return lambda options, strategy: (Stake(1, "player", {spot: options.minimum}),)


def least_beside(spot: str, side: str, amount: Callable[[Any], int], strategies: Sequence[str]) -> Lay:
    """Return a layout with the least bet on one spot, and a side bet where one of these strategies is played."""

    def lay(options: Any, strategy: str) -> tuple[Stake, ...]:
        beside = {side: amount(options)} if strategy in strategies else {}
        return (Stake(1, "player", {spot: options.minimum, **beside}),)

    return lay


def least_on_area(options: Any, strategy: str) -> tuple[Stake, ...]:
    """Return a minimum bet for games without choices after the bets: the strategy's name is the area."""
    return (Stake(1, "player", {strategy: options.minimum}),)


def only_bet(seat: str, offers: Offers, cards: Cards) -> Move:
    """Fail when called: strategy of a game that asks for no decisions."""
    raise AssertionError("Nobody is asked.")


def six_stacks(stack: Callable[[Any], int]) -> Lay:
    """Return a lay of six seats with `stack(options)` each, for a game between players."""
    return lambda options, strategy: tuple(
        Stake(seat, f"player{seat}", {}, stack=stack(options)) for seat in range(1, 7)
    )


def call_down(seat: str, offers: Offers, cards: Cards) -> Move:
    """Keep a hand between players going: check what is free, call what is not, never fold, never raise."""
    for offer in offers:
        if offer.word in ("check", "call", "bring-in"):
            return move(seat, offer.word)
    raise AssertionError("There is always a calm choice.")


def choose_at_random(random: Random) -> Strategy:
    """Return a strategy that picks each offer equally often, and any amount within its range."""

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        offer = random.choice([offer for offer in offers if offer.listed])
        if not offer.most:
            return move(seat, offer.word, offer.argument)
        amount = random.randint(offer.least, offer.most)
        return move(seat, offer.word, str(max(amount - amount % offer.unit, offer.least)))

    return choose
