"""`ridotto simulate-house`: a whole house under a seeded storm, checked after every step.

Hundreds of people on three platforms bet, move, inspect, link their accounts and mistype at tables of all five games;
updates come twice, late, stale, forged and out of order; places are lost and found again, platforms are away, clocks
run out; disks fill up, commits fail, the process dies before, within and after a commit and starts again on the files
that it left. One seed is one history: a fault is found again by running the seed again.

What must hold, of all that a step touched after that step, and of everything every thousand steps and after every
restart: the accounts sum to zero and none of a player's is below zero; a hand that is closed is empty, and replays from
the disk to what was shown; what was acknowledged is on disk and is answered the same again; what was not is there whole
or not at all; nobody is shown a card that is hidden from him; no error is in the log.

    crowd.py      who says what                                        watch.py     what must hold after a step
    plans.py      what takes more than one word                        sight.py     who may see which card
    weather.py    time, and what befalls the house from outside        remains.py   what a dead process has left
    books.py      writes that fail, at any point                       storm.py     the steps, deaths and restarts

A long storm is many houses: after HOUSE_STEPS steps the next one is founded, on new books and with the next seed, so
that whatever is found at step seven million is played again in a minute.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context, parent_process
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from bot.simulate_house.storm import Storm

HOUSE_STEPS = 20_000


class Report(NamedTuple):
    """What one house came to: how far, in which time, what happened how often, and what is wrong (None: nothing).

    `digest` is over all that was said and written: two runs of one seed have the same.
    """

    seed: int
    steps: int
    seconds: float
    counts: Counter[str]
    fault: str | None = None
    digest: str = ""

    def __str__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
        ends = f"; digest {self.digest}" if self.digest else ""
        return f"seed {self.seed}: {self.steps} steps in {self.seconds:.0f} s, {told}{ends}"


def endure(seed: int, steps: int, folder: Path) -> Report:
    """One house under one storm, in a folder of its own that is gone afterwards."""
    started = time.monotonic()
    own = folder / f"house {seed}"
    storm = Storm(seed, own)
    fault, digest = None, ""
    try:
        for step in storm.run(steps):
            _show_progress(seed, step, steps)
        digest = storm.finish()
    except Exception as found:
        fault = f"seed {seed}, step {storm.step}: {type(found).__name__}: {found}"
    finally:
        storm.close()
        rmtree(own, ignore_errors=True)
    return Report(seed, storm.step, time.monotonic() - started, storm.counts, fault, digest)


def _show_progress(seed: int, step: int, steps: int) -> None:
    """On a terminal, and where one house at a time has it."""
    if step % 100 == 0 and parent_process() is None and sys.stderr.isatty():
        end = "\r" if step < steps else "\r\x1b[K"
        print(f"seed {seed}: {step} of {steps} steps", end=end, file=sys.stderr, flush=True)


def main(seed: int, steps: int, folder: Path, jobs: int = 1) -> int:
    """Weather as many houses as the steps make, `jobs` at once, and say what each came to. Returns the exit status."""
    seeds = range(seed, seed - (-steps // HOUSE_STEPS))
    lengths = [min(HOUSE_STEPS, steps - number * HOUSE_STEPS) for number in range(len(seeds))]
    started, total = time.monotonic(), Counter[str]()
    for report in _endure_all(seeds, lengths, folder, jobs):
        if report.fault is not None:
            print(report.fault, file=sys.stderr)
            return 1
        print(report, flush=True)
        total.update(report.counts)
    if len(seeds) > 1:
        whole = Report(seed, steps, time.monotonic() - started, total)
        print(f"{len(seeds)} houses from {whole}")
    return 0


def _endure_all(seeds: range, lengths: list[int], folder: Path, jobs: int) -> Iterator[Report]:
    if jobs == 1:
        yield from map(endure, seeds, lengths, repeat(folder))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(endure, seeds, lengths, repeat(folder))
        finally:
            pool.shutdown(cancel_futures=True)
