"""One row of the comparison of whole rounds with other libraries."""

from collections.abc import Callable
from typing import NamedTuple

Play = Callable[[], object]


class Rounds(NamedTuple):
    """One row of the benchmark.

    what      its name
    does      what a round of it is, in a few words: compared rows seldom do the same
    many      how many rounds are played for one figure
    prepare   () -> how to play one of them; the preparation is not measured
    library   the module without which the row is left out; "" where it is ours
    """

    what: str
    does: str
    many: int
    prepare: Callable[[], Play]
    library: str = ""
