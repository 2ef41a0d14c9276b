"""Other libraries to compare with, and the rounds that they play."""

from collections.abc import Mapping

from benchmarks.peers import blackjack, holdem, stud
from benchmarks.peers.rounds import Rounds

PEERS: Mapping[str, tuple[Rounds, ...]] = {
    "blackjack": blackjack.PEERS,
    "stud": stud.PEERS,
    "holdem": holdem.PEERS,
}
"""{game: rows of one comparison, which the first begins}."""
