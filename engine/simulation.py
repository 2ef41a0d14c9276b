"""How machines play a game: in simulations, and as house players. Each game declares its own beside its rule script.

A strategy is `choose(seat, offers, cards) -> Move`. `cards` say whose cards lie on the table; those that the seat may
not see can be real or "??", and no strategy looks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from engine.cards import Card
from engine.felt import Felt, Game, Move, Offers, Stake

Cards = Mapping[str, list[Card]]
Strategy = Callable[[str, Offers, Cards], Move]
Lay = Callable[[Any, str], tuple[Stake, ...]]
Control = Callable[[Felt, Random], float]
Counted = Mapping[str, Mapping[str, Fraction]]

# What the strategy is called that loses least, in every game against the bank.
BEST = "best"

# Made once for each that comes again: they never change.
move = lru_cache(10_000)(Move)


def counted(win: Fraction, push: Fraction, pays: Fraction = Fraction(1)) -> Mapping[str, Fraction]:
    """A bet that wins `pays` to 1, as `Simulation.exact` tells it; `edge` is what it loses on average, of itself."""
    lose = 1 - win - push
    return {"win": win, "push": push, "lose": lose, "edge": lose - pays * win}


def count_nothing(options: Any) -> Counted:
    """Of a game with more deals than anybody counts."""
    return {}


@dataclass(frozen=True)
class Simulation:
    """How a game is simulated.

    game        whose rules they are
    strategies  {name: how to choose}; the first is taken where none is named, `guest` plays for house players
    by_chance   {name: (random) -> how to choose}: those that need a source of chance
    by_options  {name: (options) -> how to choose}: those that play otherwise where the options are others, or remember
                what their seats did before in the same hand
    lay         (options, name of the strategy) -> the stakes of every round; the first bet of the first one is the unit
                of the edge, which a game without bets before the deal has not
    cards       how many cards a round takes as a rule: only so many are shuffled, and more where it takes more
    control     (options) -> (a round from fresh cards, a source of chance) -> what its only seat won by chance alone,
                in minor units: nothing on average over all deals, however it plays. Without it a mean scatters less
    exact       (options) -> {bet: {"win", "push", "lose", "edge": fraction}} where every deal can be counted
    """

    game: Game
    strategies: Mapping[str, Strategy]
    lay: Lay
    cards: int
    by_chance: Mapping[str, Callable[[Random], Strategy]] = field(default_factory=dict)
    by_options: Mapping[str, Callable[[Any], Strategy]] = field(default_factory=dict)
    control: Callable[[Any], Control] | None = None
    exact: Callable[[Any], Counted] = count_nothing


def least_on(spot: str) -> Lay:
    """One player, with the least bet on one spot."""
    return lambda options, strategy: (Stake(1, "player", {spot: options.minimum}),)


def least_on_area(options: Any, strategy: str) -> tuple[Stake, ...]:
    """The same where nobody decides anything after the bets: the name of a strategy is the area that it bets on."""
    return (Stake(1, "player", {strategy: options.minimum}),)


def only_bet(seat: str, offers: Offers, cards: Cards) -> Move:
    """For a game that asks nobody anything: it is never called."""
    raise AssertionError("Nobody is asked.")


def choose_at_random(random: Random) -> Strategy:
    """Whatever is listed, each as often as the others; an amount within its range."""

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        offer = random.choice([offer for offer in offers if offer.listed])
        return move(seat, offer.word, str(random.randint(offer.least, offer.most)) if offer.most else offer.argument)

    return choose
