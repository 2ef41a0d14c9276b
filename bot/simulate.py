"""Many rounds of one game at full speed, and what the house keeps of them. Its randomness comes from a seed alone."""

import sys
import time
from collections.abc import Iterator, Mapping
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from engine.cards import Card
from engine.errors import IllegalDeal
from engine.felt import Deal, Game, Options, Stake, check
from engine.hand import GAMES, check_deal
from engine.quick import QuickFelt, play
from engine.strategies import RANDOM_STRATEGIES, STRATEGIES, Strategy

ROUNDS = 100_000
SEED = 1
_CHUNKS = 100
_BAR = 30


class Setting(NamedTuple):
    """How a game is simulated: one seat bets the least there is on one spot; as a rule a round takes so many cards.

    A strategy of paiju is the area that is bet on. Stud has no bet before the deal: six seats with full stacks.
    """

    spot: str | None
    cards: int


SETTINGS = {
    "caribbean": Setting("ante", 11),
    "uth": Setting("ante", 9),
    "paiju": Setting(None, 8),
    "blackjack": Setting("main", 12),
    "stud": Setting(None, 42),
}


def lay_stakes(game: str, options: Any, strategy: str) -> tuple[Stake, ...]:
    if game == "stud":
        return tuple(Stake(seat, f"player{seat}", {}, stack=100 * options.upper) for seat in range(1, 7))
    return (Stake(1, "player", {SETTINGS[game].spot or strategy: options.minimum}),)


class Sums:
    """What was put down and came back by spot, and what the rounds lost, in minor units."""

    def __init__(self) -> None:
        self.rounds = self.losses = self.squares = 0
        self.wagered: dict[str, int] = {}
        self.returned: dict[str, int] = {}

    def add(self, felt: QuickFelt) -> None:
        loss = 0
        wagered, returned = self.wagered, self.returned
        for (_, spot), amount in felt.staked.items():
            wagered[spot] = wagered.get(spot, 0) + amount
            loss += amount
        for (_, spot), amount in felt.returned.items():
            returned[spot] = returned.get(spot, 0) + amount
            loss -= amount
        self.rounds += 1
        self.losses += loss
        self.squares += loss * loss

    def edge(self, first_bet: int) -> tuple[float, float]:
        """The mean loss of a round and its standard error, in first bets. Without one (stud) nobody has an edge."""
        if not first_bet:
            return 0.0, 0.0
        mean = self.losses / self.rounds
        variance = max(0.0, self.squares / self.rounds - mean * mean)
        return mean / first_bet, sqrt(variance / self.rounds) / first_bet

    def by_spot(self, first_bet: int) -> dict[str, dict[str, float]]:
        """Totals in minor units, and the part of each spot in the edge: they sum to it."""
        spots = {}
        for spot in self.wagered | self.returned:
            wagered, returned = self.wagered.get(spot, 0), self.returned.get(spot, 0)
            edge = (wagered - returned) / (self.rounds * first_bet) if first_bet else 0.0
            spots[spot] = {"wagered": wagered, "returned": returned, "edge": edge}
        return spots


def simulate(
    game: str,
    rounds: int = ROUNDS,
    strategy: str | None = None,
    seed: int = SEED,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The answer of `ridotto simulate`. Raises IllegalDeal for what cannot be simulated."""
    declared = _find_game(game)
    # Apart from the cards' randomness, so that all strategies meet the same cards.
    name, choose = _find_strategy(game, strategy, Random(f"choices {seed}"))
    check(rounds > 0, "A simulation needs at least one round.")
    parsed = declared.parse_options(options or {})
    stakes = lay_stakes(game, parsed, name)
    check_deal(Deal(game, parsed, stakes, (), (1, 1)))
    sums = Sums()
    started = time.perf_counter()
    for felt in with_progress(play_rounds(declared, parsed, stakes, choose, rounds, Random(seed)), rounds):
        sums.add(felt)
    seconds = time.perf_counter() - started
    first_bet = sum(stakes[0].bets.values())
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


def enumerate_exactly(game: str) -> dict[str, Any]:
    """The answer of `ridotto simulate GAME --exact`: fractions as text, and nothing left to chance."""
    _find_game(game)
    check(game == "paiju", "Only paiju is small enough to be counted exactly.")
    from engine.odds import paiju_odds

    started = time.perf_counter()
    odds = paiju_odds()
    return {
        "game": game,
        "strategy": None,
        "rounds": None,
        "seconds": round(time.perf_counter() - started, 3),
        "rounds_per_s": None,
        "edge": float(odds["main"]["edge"]),
        "se": 0.0,
        "by_spot": {spot: {name: str(value) for name, value in shares.items()} for spot, shares in odds.items()},
    }


def _find_game(game: str) -> Game:
    known = [name for name in GAMES if name in STRATEGIES and name in SETTINGS]
    if game not in known:
        raise IllegalDeal("There is no game {game} to simulate; there are {games}.", game=game, games=", ".join(known))
    return GAMES[game]


def _find_strategy(game: str, strategy: str | None, random: Random) -> tuple[str, Strategy]:
    known, by_chance = STRATEGIES[game], RANDOM_STRATEGIES.get(game, {})
    name = next(iter(known)) if strategy is None else strategy
    if name in by_chance:
        return name, by_chance[name](random)
    if name not in known:
        there = ", ".join([*known, *by_chance])
        raise IllegalDeal("{game} has no strategy {name}; it has {known}.", game=game, name=name, known=there)
    return name, known[name]


def play_rounds(
    game: Game, options: Options, stakes: tuple[Stake, ...], choose: Strategy, rounds: int, random: Random
) -> Iterator[QuickFelt]:
    """The table after each round. Only the cards that a round takes are shuffled."""
    deck = list(game.full_deck(options))
    usual = SETTINGS[game.name].cards
    for _ in range(rounds):
        shuffle_top(deck, 0, usual, random)
        dice = (random.randrange(1, 7), random.randrange(1, 7)) if game.name == "paiju" else None
        try:
            yield play(Deal(game.name, options, stakes, tuple(deck[:usual]), dice), choose)
        except IllegalDeal:
            # Rare: the round takes more. The same cards come first again, so nothing is chosen by it.
            shuffle_top(deck, usual, len(deck), random)
            yield play(Deal(game.name, options, stakes, tuple(deck), dice), choose)


def shuffle_top(deck: list[Card], start: int, stop: int, random: Random) -> None:
    """Draw the cards from `start` to `stop` at random from those that lie there and below."""
    draw, size = random.random, len(deck)
    for i in range(start, stop):
        j = i + int(draw() * (size - i))
        deck[i], deck[j] = deck[j], deck[i]


def with_progress(felts: Iterator[QuickFelt], rounds: int) -> Iterator[QuickFelt]:
    """The same, with a bar on standard error while somebody is watching."""
    if not sys.stderr.isatty():
        yield from felts
        return
    for done, felt in enumerate(felts, start=1):
        yield felt
        if done * _CHUNKS // rounds != (done - 1) * _CHUNKS // rounds:
            bar = "#" * (_BAR * done // rounds)
            print(f"\r[{bar:<{_BAR}}] {100 * done // rounds} %", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
