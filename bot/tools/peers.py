"""What `ridotto bench hands` plays beside a game's own simulation: rounds of ours to hold against other libraries, and
theirs. The part of a game's face that this bench reads.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

Play = Callable[[], object]


class Rounds(NamedTuple):
    """One row of the bench.

    what      its name
    does      what a round of it is, in a few words: rows beside each other seldom do the same
    many      how many rounds are played for one figure
    prepare   () -> how to play one of them; what it does itself is not counted
    library   the module without which the row is left out; "" where it is ours
    """

    what: str
    does: str
    many: int
    prepare: Callable[[], Play]
    library: str = ""


_peers: dict[str, tuple[Rounds, ...]] = {}
PEERS: Mapping[str, tuple[Rounds, ...]] = MappingProxyType(_peers)
"""{game: rows of one comparison, which the first begins}, of all games that have any."""


def add_peers(game: str, rounds: tuple[Rounds, ...]) -> None:
    """For bot.games: what this game is measured by, beside its own rounds."""
    if rounds:
        _peers[game] = rounds
