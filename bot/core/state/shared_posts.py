"""Pictures that a player shares with everyone: complete values, which a view draws.

Law: they hold nothing that the public has not seen.
"""

from collections.abc import Mapping
from typing import NamedTuple

from bot.core.state.table import Table


class SharedHand(NamedTuple):
    """A finished hand of `name`'s, by the table as it was; a view shows it as the public saw it, and to nobody more.

    steps   the table at each moment that changed it, the last when the hand was paid
    names   {player: displayed name}
    is_moving  the steps follow each other; else the last alone is shown
    """

    hand: int
    name: str
    steps: tuple[Table, ...]
    names: Mapping[int, str]
    is_moving: bool


class SharedRank(NamedTuple):
    """A player's own figures in a casino; amounts are minor units.

    place   rank on the leaderboard; None below its end, or if the player is hidden
    games   (game, hands, what they brought, the most that one brought), in the order of their names
    curve   running net after each of the last hands, oldest first
    """

    name: str
    casino: str
    chips: int
    place: int | None
    games: tuple[tuple[str, int, int, int], ...]
    curve: tuple[int, ...]


class SharedRecap(NamedTuple):
    """A day at a table; amounts are minor units.

    number, game  the table's
    hands         the number of paid hands
    best          the biggest win in one hand, with its player; None if no one may be named
    players       (name, hands) of those who may be named, the most active first; `others`: all further ones
    """

    number: int
    game: str
    hands: int
    best: tuple[str, int] | None
    players: tuple[tuple[str, int], ...]
    others: int


SharedPost = SharedHand | SharedRank | SharedRecap
