"""Play whole casinos through seeded faults, and check them after every step: `python -m tests.simulation --seed 7`."""

import argparse
import sys
import tempfile
from pathlib import Path

from bot.games import load
from tests.memory import memory
from tests.simulation.runs import main


def run() -> int:
    """Return the exit status. The same seed and steps bring the same history again."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="which history (1)")
    parser.add_argument("--steps", metavar="M", type=int, default=10000, help="how long it lasts (10000)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many houses at once (1)")
    given = parser.parse_args()
    load()
    # In memory if there is such a folder, because disk speed is not simulated.
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        return main(given.seed, given.steps, Path(folder), max(1, given.jobs))


if __name__ == "__main__":
    sys.exit(run())
