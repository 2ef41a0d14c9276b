"""`python -m tests.counted.blackjack_edges > engine/games/blackjack_edges.json`: best play over all deals, counted.

Takes about twenty-five minutes of one core, and uses all cores.
"""

import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from tests.counted.blackjack_count import Counted, count_main

# Digits: more than the count is exact to, and fewer than depend on how a Python release adds.
_DIGITS = 12
SHOES = list(product(range(1, 9), (False, True)))
"""(decks, hits_soft_17)"""


def render(counted: Iterable[Counted]) -> str:
    """Return the content of the file, with the counts of each of the `SHOES`."""
    nets = {(*shoe, *rules): net for shoe, one in zip(SHOES, counted, strict=True) for rules, net in one.items()}
    rows = (f" [{', '.join(str(int(one)) for one in key)}, {net:.{_DIGITS}f}]" for key, net in nets.items())
    return "[\n" + ",\n".join(rows) + "\n]\n"


def main() -> None:
    """Print the whole file."""
    with ProcessPoolExecutor() as processes:
        sys.stdout.write(render(processes.map(count_main, *zip(*SHOES, strict=True))))


if __name__ == "__main__":
    main()
