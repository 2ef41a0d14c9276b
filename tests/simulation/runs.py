"""Runs of simulated casinos, one after the other or several at once, with their results."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context, parent_process
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from storage.faults import BooksGone
from tests.simulation.history import History

HOUSE_STEPS = 20_000


class Report(NamedTuple):
    """The result of one casino: steps, time, counts of events, and the fault (None: none).

    `digest` covers everything said and written: two runs of one seed have the same.
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


def follows_beacon(seed: int) -> bool:
    """Return whether the casino has a beacon; every other one does."""
    return seed % 2 == 0


def endure(seed: int, steps: int, folder: Path) -> Report:
    """Simulate one casino, in a temporary folder."""
    started = time.monotonic()
    own = folder / f"house {seed}"
    history = History(seed, own, has_beacon=follows_beacon(seed))
    fault, digest = None, ""
    try:
        for step in history.run(steps):
            _show_progress(seed, step, steps)
        digest = history.finish()
    except (Exception, BooksGone) as found:
        fault = f"seed {seed}, step {history.step}: {type(found).__name__}: {found}"
    finally:
        history.close()
        rmtree(own, ignore_errors=True)
    return Report(seed, history.step, time.monotonic() - started, history.counts, fault, digest)


def _show_progress(seed: int, step: int, steps: int) -> None:
    """Show progress on a terminal, if one casino at a time runs."""
    if step % 100 == 0 and parent_process() is None and sys.stderr.isatty():
        end = "\r" if step < steps else "\r\x1b[K"
        print(f"seed {seed}: {step} of {steps} steps", end=end, file=sys.stderr, flush=True)


def main(seed: int, steps: int, folder: Path, jobs: int = 1) -> int:
    """Simulate as many casinos as the steps make, `jobs` at once, and print their results. Return the exit status."""
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


def _load_games() -> None:
    """Load the games, which a new process does not know."""
    import_module("bot.games").load()


def _endure_all(seeds: range, lengths: list[int], folder: Path, jobs: int) -> Iterator[Report]:
    given = (seeds, lengths, repeat(folder))
    if jobs == 1:
        yield from map(endure, *given)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _load_games) as pool:
        try:
            yield from pool.map(endure, *given)
        finally:
            pool.shutdown(cancel_futures=True)
