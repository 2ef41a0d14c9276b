"""Simulation of a game at full speed, with the house edge. All randomness comes from a seed."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from math import sqrt
from random import Random
from typing import Any

from bot.cli.progress import bar_of
from bot.core.state.plays import PLAYS
from engine.cards import Card
from engine.errors import IllegalDeal
from engine.felt import Deal, Game, Options, Stake, check
from engine.games import GAMES, SIMULATIONS
from engine.hand import check_deal
from engine.quick import QuickFelt, play
from engine.simulation import PlayedRound, Simulation, Strategy, count_nothing

SEED = 1


class SimulationSums:
    """Bets and returns by spot, and the losses of the rounds, in minor units.

    `chance` is the part that is chance alone, as far as it is known to have mean zero; no loss depends on it.
    Rounds from one shoe depend on each other: the error is estimated by shoes, of one round or of many.
    """

    def __init__(self) -> None:
        self.rounds = 0
        self.losses = self.chance = 0.0
        # Sums of squares of the earlier shoes; rounds and losses of this one.
        self._squares = (0, 0.0, 0.0)
        self._shoe = (0, 0.0)
        self.wagered: dict[str, int] = {}
        self.returned: dict[str, int] = {}

    def add(self, felt: QuickFelt, won_by_chance: float = 0.0) -> None:
        """Add a finished round, with what came back of its wagers."""
        loss = won_by_chance
        wagered, returned = self.wagered, self.returned
        for (_, spot), amount in felt.staked.items():
            wagered[spot] = wagered.get(spot, 0) + amount
            loss += amount
        for (_, spot), amount in felt.returned.items():
            returned[spot] = returned.get(spot, 0) + amount
            loss -= amount
        for spot, amount in _prizes(felt) if felt.won else ():
            returned[spot] = returned.get(spot, 0) + amount
            loss -= amount
        self.rounds += 1
        self.chance += won_by_chance
        self.losses += loss
        if not felt.gone:
            self._squares, self._shoe = self._with_shoe(), (0, 0.0)
        rounds, lost = self._shoe
        self._shoe = rounds + 1, lost + loss

    def _with_shoe(self) -> tuple[int, float, float]:
        """Return sums over all shoes: rounds by rounds, rounds by losses, losses by losses."""
        (rounds, lost), (a, b, c) = self._shoe, self._squares
        return a + rounds * rounds, b + rounds * lost, c + lost * lost

    def edge(self, first_bet: int) -> tuple[float, float]:
        """Return the mean loss of a round and its standard error, in first bets. Games between players (stud) have no
        edge.
        """
        if not first_bet:
            return 0.0, 0.0
        mean = self.losses / self.rounds
        a, b, c = self._with_shoe()
        return mean / first_bet, sqrt(max(0.0, c - 2 * mean * b + mean * mean * a)) / self.rounds / first_bet

    def by_spot(self, first_bet: int) -> dict[str, dict[str, float]]:
        """Return totals by spot in minor units, with each spot's part of the edge; chance counts to the first spot."""
        spots, chance = {}, self.chance
        for spot in self.wagered | self.returned:
            wagered, returned = self.wagered.get(spot, 0), self.returned.get(spot, 0)
            edge = (wagered - returned + chance) / (self.rounds * first_bet) if first_bet else 0.0
            spots[spot], chance = {"wagered": wagered, "returned": returned, "edge": edge}, 0.0
        return spots


def _prizes(felt: QuickFelt) -> Iterator[tuple[str, int]]:
    """Yield the prizes of coins by spot, on a meter that has just been reset, in minor units."""
    meter = GAMES[felt.deal.game].meter
    if meter is not None:
        coins = sum(meter.spot in stake.bets for stake in felt.deal.stakes)
        settled = meter.settle(felt.options, felt.deal.jackpot, coins, felt.won)
        yield from ((meter.spot, amount) for amount in settled.prizes.values())


def simulate(
    game: str,
    rounds: int | None = None,
    strategy: str | None = None,
    seed: int = SEED,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the answer of `ridotto simulate`. Raises IllegalDeal for games that cannot be simulated."""
    simulation = _find_simulation(game)
    # Independent of the cards' randomness, so that all strategies meet the same cards.
    parsed = simulation.game.parse_options(options or {})
    name, choose = find_strategy(simulation, strategy, parsed, Random(f"choices {seed}"))
    if rounds is None:
        rounds = simulation.rounds
    check(rounds > 0, "A simulation needs at least one round.")
    stakes = simulation.lay(parsed, name)
    check_deal(Deal(game, parsed, stakes, (), (1, 1)))
    sums = SimulationSums()
    started = time.perf_counter()
    played = play_rounds(simulation, parsed, stakes, choose, rounds, Random(seed))
    tell = bar_of(rounds)
    won_by_chance = find_control(simulation, parsed, seed)
    for felt in played:
        sums.add(felt, won_by_chance(felt))
        tell(sums.rounds)
    seconds = time.perf_counter() - started
    first_bet = next(iter(stakes[0].bets.values()), 0)
    edge, error = sums.edge(first_bet)
    return {
        "game": game,
        "strategy": name,
        "rounds": rounds,
        "seconds": round(seconds, 3),
        "rounds_per_s": round(rounds / seconds),
        "edge": edge,
        "se": error,
        "by_spot": sums.by_spot(first_bet),
    }


def enumerate_exactly(game: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the answer of `ridotto simulate GAME --exact`: fractions as text, without randomness."""
    simulation = _find_simulation(game)
    if simulation.exact is count_nothing:
        games = ", ".join(name for name in _known() if SIMULATIONS[name].exact is not count_nothing)
        raise IllegalDeal("{game} has too many deals to count them all. Available: {games}.", game=game, games=games)
    parsed = simulation.game.parse_options(options or {})
    started = time.perf_counter()
    odds = simulation.exact(parsed)
    return {
        "game": game,
        "strategy": None,
        "rounds": None,
        "seconds": round(time.perf_counter() - started, 3),
        "rounds_per_s": None,
        "edge": float(next(iter(odds.values()))["edge"]),
        "se": 0.0,
        "by_spot": {spot: {name: str(value) for name, value in shares.items()} for spot, shares in odds.items()},
    }


def _known() -> list[str]:
    """Return the games of the tables in their order, then those that have rules and no table."""
    return [name for name in dict.fromkeys((*PLAYS, *SIMULATIONS)) if name in SIMULATIONS]


def _find_simulation(game: str) -> Simulation:
    if game not in _known():
        there = ", ".join(_known())
        raise IllegalDeal("There is no game {game} to simulate. Choose one of: {games}.", game=game, games=there)
    return SIMULATIONS[game]


def find_strategy(
    simulation: Simulation, strategy: str | None, options: Options, random: Random
) -> tuple[str, Strategy]:
    """Return a strategy of a game and its name; None is the first one. Raises IllegalDeal for an unknown name."""
    known, by_chance, by_options = simulation.strategies, simulation.by_chance, simulation.by_options
    name = next(iter(known)) if strategy is None else strategy
    if name in by_chance:
        return name, by_chance[name](random)
    if name in by_options:
        return name, by_options[name](options)
    if name not in known:
        there, game = ", ".join([*known, *by_chance, *by_options]), simulation.game.name
        raise IllegalDeal("{game} has no strategy {name}. Choose one of: {known}.", game=game, name=name, known=there)
    return name, known[name]


def find_control(simulation: Simulation, options: Options, seed: int) -> Callable[[QuickFelt], float]:
    """Return a function that measures how much of a round was chance, in minor units."""
    if simulation.control is None:
        return lambda felt: 0.0
    control, random = simulation.control(options), Random(f"control {seed}")
    return lambda felt: control(PlayedRound(felt, felt.moves, felt.gone), random)


def play_rounds(
    simulation: Simulation, options: Options, stakes: tuple[Stake, ...], choose: Strategy, rounds: int, random: Random
) -> Iterator[QuickFelt]:
    """Yield the table after each round. Only the cards that a round takes are shuffled.

    The next round has a new deck, or continues in the shoe where the options let one serve several.
    """
    game, usual = simulation.game, simulation.cards
    name, deck = game.name, list(game.full_deck(options))
    size, gone, shuffled = len(deck), 0, 0
    limit = game.shoe.limit(options, size) if game.shoe else 0
    for _ in range(rounds):
        end = gone + usual
        if end > size:
            end = size
        if end > shuffled:
            shuffle_top(deck, shuffled, end, random)
            shuffled = end
        dice = roll(game, random)
        try:
            felt = play(Deal(name, options, stakes, tuple(deck[gone:end]), dice), choose)
        except IllegalDeal:
            # Rare: the round needs more cards. The same ones come first again, so this selects nothing.
            shuffle_top(deck, shuffled, size, random)
            shuffled = size
            felt = play(Deal(name, options, stakes, tuple(deck[gone:]), dice), choose)
        felt.gone = deck[:gone]
        yield felt
        if limit and (gone := gone + felt.drawn) < limit:
            continue
        gone = shuffled = 0


def one_by_one(
    simulation: Simulation, strategy: str, choose: Strategy, options: Mapping[str, Any]
) -> Callable[[], None]:
    """Return a function that plays and adds up one more round."""
    parsed, sums = simulation.game.parse_options(options), SimulationSums()
    rounds = play_rounds(simulation, parsed, simulation.lay(parsed, strategy), choose, sys.maxsize, Random(SEED))
    return lambda: sums.add(next(rounds))


def roll(game: Game, random: Random) -> tuple[int, int] | None:
    """Roll two dice, for a game that has them."""
    return (random.randrange(1, 7), random.randrange(1, 7)) if game.dice else None


def shuffle_top(deck: list[Card], start: int, stop: int, random: Random) -> None:
    """Draw the cards from `start` to `stop` at random from those that lie there and below."""
    draw, size = random.random, len(deck)
    for i in range(start, stop):
        j = i + int(draw() * (size - i))
        deck[i], deck[j] = deck[j], deck[i]
