"""What an example table of a game looks like: the part of a face that the gallery and the benchmark of pictures read.

A game is found here by its name alone; who fills `EXAMPLES` is bot/games.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from bot.house.play import PLAYS, Seating
from bot.house.state.house import House
from bot.house.state.table import Table
from engine.felt import Deal, Game, Stake

# There are names for so many.
MOST_PEOPLE = 8
# Who bets on areas needs no seat; more people than this say nothing more in a picture.
MOST_ON_AREAS = 6
# What people bet: so many times the least.
TIMES = (1, 2, 5, 10, 25)
_OFTEN = 0.6

Lay = Callable[[Random, Game, int, int], Sequence[Stake]]
"""(chance, game, seat, times): the stakes of one seat, `times` as much as the least."""


def main_and_side(least: int, **sides: int) -> Lay:
    """The first spot of the game with some times `least` on it, and now and then these amounts on side bets."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        bets = {game.spots[0]: least * times}
        bets |= {spot: amount for spot, amount in sides.items() if random.random() < _OFTEN}
        return (Stake(seat, f"p{seat}", bets),)

    return lay


def some_areas(least: int) -> Lay:
    """One or two of the game's spots, with the same amount on each."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        areas = random.sample(game.spots, random.randint(1, 2))
        return (Stake(seat, f"p{seat}", {area: least * times for area in game.spots if area in areas}),)

    return lay


def as_it_is(house: House, table: Table, deal: Deal) -> Table:
    """The table remembers nothing that a picture would show."""
    return table


def nothing_more(house: House, table: Table) -> Iterable[tuple[str, Table]]:
    """No phases but those of every game."""
    return ()


@dataclass(frozen=True)
class Examples:
    """How the tables are laid that are shown of the game; all amounts in minor units, within the default limits.

    lay      the stakes of one seat, the holder's first; players are "p1" to "p8", each of whom may stand there once.
             `main_and_side` and `some_areas` make the usual ones
    meter    what the casino's meter stands at; 0 where the game has none
    furnish  the table with what its game remembers of it (who has the button), before the deal; `house` may be changed,
             it is nobody's
    more     further phases: (name, table) of a hand that is dealt, such as cards that players turn. `table.play` is the
             hand before its first move
    """

    lay: Lay
    meter: int = 0
    furnish: Callable[[House, Table, Deal], Table] = as_it_is
    more: Callable[[House, Table], Iterable[tuple[str, Table]]] = nothing_more


_examples: dict[str, Examples] = {}
EXAMPLES: Mapping[str, Examples] = MappingProxyType(_examples)
"""{game: how an example of it is laid}, in the order in which games are offered."""


def add_examples(game: str, examples: Examples) -> None:
    """For bot.games: how example tables of this game are laid from now on."""
    _examples[game] = examples


def people_at(game: str) -> int:
    """How many there are at a full example table."""
    play = PLAYS[game]
    return min(play.seats, MOST_ON_AREAS if play.seating is Seating.AREAS else MOST_PEOPLE)
