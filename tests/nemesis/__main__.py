"""`python -m tests.nemesis --faults 1000 --seed S`: run by hand. The exit status is 1 if anything is wrong.

Its files, the casino's log included, stay in the printed folder if something is wrong or with `--keep`.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

import bot.games
from tests.memory import memory

bot.games.load()

from tests.nemesis.campaign import Campaign  # noqa: E402 (who sits at which table is known when games are)


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.nemesis", description=__doc__)
    asked.add_argument("--faults", type=int, default=40)
    asked.add_argument("--seed", type=int, default=int(time.time()))
    asked.add_argument("--houses", type=int, default=3)
    asked.add_argument("--keep", action="store_true")
    given = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="nemesis-", dir=memory()))
    print(f"seed {given.seed}, in {folder}", flush=True)
    campaign = Campaign(folder, given.seed, given.houses, lambda said: print(said, flush=True))
    status = 1
    try:
        report = asyncio.run(campaign.run(given.faults))
        status = 1 if report.wrong else 0
    finally:
        print(campaign.report, flush=True)
        if not status and not given.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
