"""`python -m tests.counted.caribbean_best > engine/games/caribbean_best.json`: best play over all deals, counted.

Takes about twenty minutes of one core, and uses all cores.
"""

import json
import sys
from base64 import b85encode
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from zlib import compress

from engine.cards import RANKS
from tests.counted.caribbean_count import Counted, count


def render(counted: Mapping[str, Counted]) -> str:
    """Return the content of the file."""
    choices = b85encode(compress(" ".join(one.choices for one in counted.values()).encode(), 9)).decode()
    sums = {up: [one.sums.best, one.sums.without_exchange] for up, one in counted.items()}
    rows = ",\n".join(f"  {json.dumps(up)}: {json.dumps(row)}" for up, row in sums.items())
    return f'{{\n"sums": {{\n{rows}\n}},\n"choices": {json.dumps(choices)}\n}}\n'


def main() -> None:
    """Print it."""
    with ProcessPoolExecutor() as processes:
        sys.stdout.write(render(dict(zip(RANKS, processes.map(count, RANKS), strict=True))))


if __name__ == "__main__":
    main()
