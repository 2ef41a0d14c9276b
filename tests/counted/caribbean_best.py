"""`python -m tests.counted.caribbean_best > engine/games/caribbean_best.py`: best play over all deals, counted.

Takes about twenty minutes of one core, and uses all cores.
"""

import sys
from base64 import b85encode
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from zlib import compress

from engine.cards import RANKS
from tests.counted.caribbean_count import Counted, count

_HEAD = '''"""Best play over all deals, made by `python -m tests.counted.caribbean_best`: it is not written by hand.

SUMS     {{rank of the open card: what all deals bring by best play, by the best without exchange}}, as counted
CHOICES  the best choices, as `engine.games.caribbean_choices` reads them
"""

SUMS = {{
{sums}
}}
CHOICES = """
{choices}
"""
'''
_WIDTH = 115


def render(counted: Mapping[str, Counted]) -> str:
    """Return the module."""
    sums = "\n".join(f'    "{up}": ({one.sums.best}, {one.sums.without_exchange}),' for up, one in counted.items())
    written = b85encode(compress(" ".join(one.choices for one in counted.values()).encode(), 9)).decode()
    lines = [written[start : start + _WIDTH] for start in range(0, len(written), _WIDTH)]
    return _HEAD.format(sums=sums, choices="\n".join(lines))


def main() -> None:
    """Print it."""
    with ProcessPoolExecutor() as processes:
        sys.stdout.write(render(dict(zip(RANKS, processes.map(count, RANKS), strict=True))))


if __name__ == "__main__":
    main()
