"""How house players bet: the part of a game's face that bot/platforms/common/guests.py reads.

What they choose once cards lie there is their strategy's, beside the rules. A game is found here by its name alone;
who fills `COMPANY` is bot/games.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from bot.core.commands.offers import typed
from bot.core.state.table import Table


@dataclass(frozen=True)
class Guest:
    """How a house player comes into a hand.

    bet  (his chance, the table, its options) -> the command that puts him in, the verb first, as a person would type
         it: `("bet", "west", "50")`. Little, and never a side bet. Who is refused does not insist, and may ask for
         the chips of the day
    """

    bet: Callable[[Random, Table, Any], tuple[str, ...]]


def little(random: Random, options: Any) -> str:
    """Once or twice the minimum of a table with limits."""
    return typed(options.minimum * random.choice((1, 1, 2)))


def bet_little(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    """Where an amount alone goes on the main bet."""
    return ("bet", little(random, options))


_company: dict[str, Guest] = {}
COMPANY: Mapping[str, Guest] = MappingProxyType(_company)
"""{game: how house players bet there}"""


def add_guest(game: str, guest: Guest) -> None:
    """For bot.games: how house players bet at the game of this name from now on."""
    _company[game] = guest
