"""What is measured beside a game's own rounds: other libraries, and our rounds as they play them."""

from collections.abc import Mapping

from benchmarks.peers import blackjack, stud
from benchmarks.peers.rounds import Rounds

PEERS: Mapping[str, tuple[Rounds, ...]] = {"blackjack": blackjack.PEERS, "stud": stud.PEERS}
"""{game: rows of one comparison, which the first begins}."""
