"""Bets of house players: the part of a game's plugin that bot/platforms/common/guests.py reads.

Their moves after the deal are their strategy's, beside the rules. A game is found here by its name alone; bot/games
fills `COMPANY`.
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
    """Entry of a house player into a hand.

    bet  (random, the table, its options) -> the command that puts the house player in, as a person would type it, split
         into words: `("bet", "west", "50")`. A small amount, and never a side bet. A refused house player does not
         insist, and may ask for daily chips
    """

    bet: Callable[[Random, Table, Any], tuple[str, ...]]


def little(random: Random, options: Any) -> str:
    """Return once or twice the minimum of a table with limits."""
    return typed(options.minimum * random.choice((1, 1, 2)))


def bet_little(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    """Bet on the main bet, for games where an amount alone does so."""
    return ("bet", little(random, options))


def bet_on(*areas: str) -> Callable[[Random, Table, Any], tuple[str, ...]]:
    """Return bets on one of these areas."""

    def bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
        amount = little(random, options)
        return ("bet", random.choice(areas), amount)

    return bet


def sit_down(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    """Take a seat, in games from stacks."""
    return ("sit",)


_company: dict[str, Guest] = {}
COMPANY: Mapping[str, Guest] = MappingProxyType(_company)
"""{game: how house players bet there}"""


def add_guest(game: str, guest: Guest) -> None:
    """Register how house players bet at a game. For bot.games."""
    _company[game] = guest
