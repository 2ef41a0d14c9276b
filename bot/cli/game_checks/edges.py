"""The rule script against its own exact edges: many rounds with the named strategy, bet by bet.

A wrong pay table shows as a payment that the odds do not know, as one that is too frequent, or as another mean.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf, sqrt
from random import Random

from bot.cli.game_checks.random_hands import find_price, list_tables
from bot.cli.progress import bar_of
from bot.cli.simulate import SEED, find_strategy, play_rounds
from bot.games.plugin import GamePlugin
from engine.errors import Illegal
from engine.felt import Game, Options, Stake
from engine.games import ODDS
from engine.odds import BetOdds, Odds, Unit
from engine.simulation import BEST, Simulation

ROUNDS = 200_000
MOST_Z = 5.0
_MOST_BETS = 12
"""Bets that are compared in every round; where there are more, there are fewer rounds."""
_FEWEST = 10
"""Expected times from which on the number of an outcome is compared."""

Bets = Mapping[str, tuple[Unit, BetOdds]]


class _Sample:
    """Nets of one bet, in units of it as it is first placed: doubles and splits add stakes, and no unit."""

    def __init__(self) -> None:
        self.nets: Counter[Fraction] = Counter()

    def mean(self) -> tuple[float, float]:
        """Return the mean and its standard error."""
        n = self.nets.total()
        mean = sum(float(net) * times for net, times in self.nets.items()) / n
        squares = sum((float(net) - mean) ** 2 * times for net, times in self.nets.items())
        return mean, sqrt(squares / n / n)


def check_edges(plugin: GamePlugin, rounds: int = ROUNDS) -> Iterator[str]:
    """Compare what every bet returns with the game's `Odds.edges`; a game without odds has nothing to compare."""
    odds, options = ODDS.get(plugin.game.name), plugin.game.options()
    if odds is None:
        return
    edges = odds.edges(options, None)
    known = {spot: (unit, edges[unit.bet]) for spot, unit in odds.units.items() if unit.bet in edges}
    if not known:
        if any(bet.edge is not None for bet in edges.values()) and not plugin.game.stacks:
            yield "The odds name no spots, so nothing can be compared: give `Odds.units`, {spot: Unit(bet)}."
        return
    for name in dict.fromkeys(_name_strategy(plugin.simulation, bet) for _unit, bet in known.values()):
        bets = {spot: one for spot, one in known.items() if _name_strategy(plugin.simulation, one[1]) == name}
        yield from _compare(plugin, options, name, bets, rounds * _MOST_BETS // max(_MOST_BETS, len(bets)))


def check_figures(plugin: GamePlugin) -> Iterator[str]:
    """Check that every option changes a figure of the odds, or that they say why it does not."""
    odds = ODDS.get(plugin.game.name)
    if odds is None:
        return
    for option in plugin.texts.options:
        tables = list_tables(plugin.game.name, option)
        figures = {_list_figures(odds, plugin.game, options) for options in tables}
        if option not in odds.no_figure and len(figures) < len(tables):
            yield (
                f"Two values of {option} have the same figures: count it in `Odds.edges`, or write into "
                "`Odds.no_figure` why it changes none."
            )
        if option in odds.no_figure and len(figures) > 1:
            yield f"{option} changes figures of `Odds.edges`: remove it from `Odds.no_figure`."


def _list_figures(odds: Odds, game: Game, options: Options) -> str:
    """Return all figures of the bets: at a meter with a coin in it, at its reset, and the fair meter."""
    full = game.meter.settle(options, 1_500_000, 1, {}).meter if game.meter is not None else None
    fair = odds.fair_meter(options) if odds.fair_meter is not None else None
    return repr((odds.edges(options, full), odds.edges(options, None), fair))


def _name_strategy(simulation: Simulation, bet: BetOdds) -> str:
    """Return the strategy that the odds name; else the best one, else the first."""
    names = [*simulation.strategies, *simulation.by_options]
    return next((name for name in (bet.strategy, BEST) if name in names), names[0])


def _compare(plugin: GamePlugin, options: Options, name: str, bets: Bets, rounds: int) -> Iterator[str]:
    for spot, sample in play_samples(plugin, options, name, bets, rounds).items():
        if bets[spot][1].edge is not None and (plugin.game.meter is None or spot != plugin.game.meter.spot):
            yield from _judge(spot, name, bets[spot][1], sample, rounds)


def play_samples(plugin: GamePlugin, options: Options, name: str, bets: Bets, rounds: int) -> Mapping[str, _Sample]:
    """Return the nets of each bet in these rounds."""
    # Exact figures hold for a fresh shoe.
    simulation = replace(plugin.simulation, game=replace(plugin.game, shoe=None))
    stakes = _lay_all(plugin, options, name, bets)
    _found, choose = find_strategy(simulation, name, options, Random(f"choices {SEED}"))
    samples = {spot: _Sample() for spot in bets if spot in stakes[0].bets}
    tell, seat = bar_of(rounds), str(stakes[0].seat)
    for number, felt in enumerate(play_rounds(simulation, options, stakes, choose, rounds, Random(SEED)), start=1):
        for spot, sample in samples.items():
            net = 0
            for one in (spot, *bets[spot][0].adds):
                net += felt.returned.get((seat, one), 0) - felt.staked.get((seat, one), 0)
            sample.nets[Fraction(net, stakes[0].bets[spot])] += 1
        tell(number)
    return samples


def _lay_all(plugin: GamePlugin, options: Options, name: str, bets: Bets) -> tuple[Stake, ...]:
    """Return the simulation's own stake with every other bet that the odds know, as far as the rules allow."""
    first, *others = plugin.simulation.lay(options, name)
    laid = dict(first.bets)
    for spot in bets:
        more = laid | {spot: find_price(plugin, options, spot)}
        if spot in plugin.game.spots and spot not in laid and _is_legal(plugin, options, replace(first, bets=more)):
            laid = more
    return (replace(first, bets={spot: laid[spot] for spot in plugin.game.spots if spot in laid}), *others)


def _is_legal(plugin: GamePlugin, options: Options, stake: Stake) -> bool:
    try:
        plugin.game.check(options, (stake,))
    except Illegal:
        return False
    return True


def _judge(spot: str, strategy: str, bet: BetOdds, sample: _Sample, rounds: int) -> Iterator[str]:
    assert bet.edge is not None
    mean, error = sample.mean()
    if bet.outcomes is not None:
        error = _error_of(bet.outcomes, rounds)
    off = mean + bet.edge
    z = off / error if error else (0.0 if abs(off) < 1e-9 else inf)
    if bet.outcomes is not None:
        yield from _judge_outcomes(spot, bet.outcomes, sample, rounds)
    if abs(z) >= MOST_Z:
        yield (
            f"{spot} costs {-mean:.4f} ± {error:.4f} of a unit in {rounds:,} rounds with the strategy {strategy}, and "
            f"the odds say {bet.edge:.4f} (z = {z:+.1f}): compare the payments of the script with `Odds.edges`."
        )


def _error_of(outcomes: Mapping[Fraction, Fraction], rounds: int) -> float:
    """Return the standard error of the mean of so many rounds: a rare win may not have come in them."""
    mean = sum(net * chance for net, chance in outcomes.items())
    return sqrt(sum((net - mean) ** 2 * chance for net, chance in outcomes.items()) / rounds)


def _judge_outcomes(spot: str, outcomes: Mapping[Fraction, Fraction], sample: _Sample, rounds: int) -> Iterator[str]:
    """Compare how often a bet without choices wins each amount."""
    for net in sorted({*sample.nets} - {*outcomes}):
        yield (
            f"{spot} wins {net} to 1 in {sample.nets[net]} of {rounds:,} rounds, which `Odds.edges` does not know: "
            "correct one of them."
        )
    for net, chance in outcomes.items():
        expected, times = float(chance) * rounds, sample.nets[net]
        spread = sqrt(expected * float(1 - chance))
        if expected >= _FEWEST and abs(times - expected) >= MOST_Z * spread:
            yield (
                f"{spot} wins {net} to 1 in {times} of {rounds:,} rounds instead of {expected:.0f}: "
                "correct the script or `Odds.edges`."
            )
