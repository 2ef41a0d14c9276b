"""Run benchmarks and print their tables, or write them into a page."""

import argparse
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine
from bot.games import load
from storage.address import parse_address

Row = Mapping[str, Any]
_PAGE = """# Benchmarks

`make bench` measures all of this on your machine and writes this page; `python -m benchmarks NAME` prints one table.
Peers take turns with ours in the same minutes. Figures are medians, and a busy machine slows both sides: compare ratios
first.

{machine}

Peers: {peers}.
"""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: `function` of `module` returns rows. `quick` are arguments for a run of seconds, which measures
    nothing; `peers` are libraries that are measured too if they are installed; `goals` are told above the table.
    """

    title: str
    module: str
    function: str
    quick: Mapping[str, Any]
    peers: tuple[str, ...] = ()
    goals: str = ""

    def run(self, *, is_quick: bool, **options: Any) -> Iterator[Row]:
        """Yield the rows of its tables."""
        measure = getattr(import_module(f"benchmarks.{self.module}"), self.function)
        for row in measure(**(self.quick if is_quick else {}), **options):
            yield row._asdict()


_QUICK_POSTINGS = (5000, 10_000)
BENCHMARKS = {
    "engine": Benchmark(
        "Ranks of seven cards, a second of CPU time",
        "engine",
        "measure_ranks",
        {"hands": 5, "many": 50, "rounds": 1, "shortest_s": 0.0001},
        ("eval7", "phevaluator", "pkrbot", "pokerkit", "treys"),
    ),
    "hands": Benchmark(
        "Whole rounds, a second of CPU time",
        "hands",
        "measure_hands",
        {"share": 700, "rounds": 1},
        ("pokerkit",),
        "Caribbean 100,000 and Ultimate 60,000 a second; stud 100 times pokerkit.",
    ),
    "coach": Benchmark("The coach's advice at one decision", "hands", "measure_coach", {"decisions": 1}),
    "commands": Benchmark(
        "Commands that are on disk before they are answered",
        "commands",
        "measure_commands",
        {"clients": (3,), "rounds": 1, "seconds": 0.2, "batches": (3,)},
        ("aiosqlite",),
        "from the event loop 12,800 a second with 100 clients, p99 12 ms.",
    ),
    "seals": Benchmark("A hand without and with sealed cuts", "seals", "measure_seals", {"hands": 2, "rounds": 1}),
    "press": Benchmark(
        "A press in our own code, beside the platform's library",
        "press",
        "measure_presses",
        {"presses": 2, "count": 1},
        goals="at most 1.5 times discord.py in a batch of 100.",
    ),
    "platforms": Benchmark(
        "A whole casino on each platform, 100 presses a second",
        "platforms",
        "measure_platforms",
        {"seconds": 2.0, "tables": 4, "rate": 10, "warm_up_s": 0.5, "quiet_s": 0.3},
        goals="on Discord at most 4.5 ms of CPU a press, p99 under 2 s, a bet at the table within 3 s (p99).",
    ),
    "tournaments": Benchmark(
        "Tournaments of house players, played to their end",
        "tournaments",
        "measure_tournaments",
        {"tournaments": 1, "entries": 4, "seats": 2},
        goals="a new level or a broken table under 5 ms.",
    ),
    "upkeep": Benchmark(
        "Backup and doctor",
        "restart",
        "measure_upkeep",
        {"postings": _QUICK_POSTINGS},
        goals="the doctor checks ten million postings in at most 60 s of CPU.",
    ),
    "restart": Benchmark(
        "Memory and start",
        "restart",
        "measure_starts",
        {"tables": 20, "postings": _QUICK_POSTINGS, "starts": 1},
        goals="open within 1.5 s, also with ten million postings, warm or cold; the longest silence 0.25 s; ready after"
        " 3 s; 10,000 tables cost 45 MiB, with hands under way 90 MiB.",
    ),
    "growth": Benchmark(
        "What a command costs in larger casinos",
        "growth",
        "measure_growth",
        {"tables": (10, 20), "postings": _QUICK_POSTINGS, "rounds": 1},
        goals="a growth of at most 1.25, taking back a bet included.",
    ),
}
"""In the order in which they run: backup and doctor find books that nothing has played with yet."""


def as_markdown(rows: Sequence[Row]) -> str:
    """Return a table, and another one where the columns change."""
    tables: list[str] = []
    while rows:
        names = list(rows[0])
        count = next((at for at, row in enumerate(rows) if list(row) != names), len(rows))
        lines = [names, ["---"] * len(names), *([_cell(value) for value in row.values()] for row in rows[:count])]
        tables.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
        rows = rows[count:]
    return "\n\n".join(tables)


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure how fast the casino is.")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"which (all): {', '.join(BENCHMARKS)}")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write a page instead of printing tables")
    parser.add_argument("--quick", action="store_true", help="run everything in seconds; the figures mean nothing")
    parser.add_argument("--books", metavar="ADDRESS", type=parse_address, help="commands: a PostgreSQL server as well")
    given = parser.parse_args(argv)
    if unknown := sorted({*given.names} - BENCHMARKS.keys()):
        parser.error(f"no benchmark is called {unknown[0]}; choose from {', '.join(BENCHMARKS)}")
    return given


def _measure(name: str, *, is_quick: bool, **options: Any) -> tuple[str, bool]:
    """Return the section of a benchmark, and whether it failed; the rows until then are kept."""
    one, rows, fault = BENCHMARKS[name], list[Row](), ""
    for peer in one.peers:
        if find_spec(peer) is None:
            print(f"{name}: {peer} is not installed and left out", file=sys.stderr)
    try:
        rows.extend(one.run(is_quick=is_quick, **options))
    except Exception as error:
        traceback.print_exc()
        fault = f"Failed: {type(error).__name__}: {error}"
    goals = one.goals and f"Goals: {one.goals}"
    said = "\n\n".join(filter(None, (f"## {one.title}", goals, as_markdown(rows), fault)))
    return f"{said}\n", bool(fault)


def _begin_page() -> str:
    installed = sorted({peer for one in BENCHMARKS.values() for peer in one.peers if find_spec(peer)})
    return _PAGE.format(
        machine=" · ".join(f"{name} {value}" for name, value in describe_machine().items()),
        peers=", ".join(f"{peer} {version(peer)}" for peer in installed) or "none",
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, and print tables or write the page after each benchmark. Exits with 1 if a benchmark failed."""
    given = _parse(argv)
    load()
    page, failed = [_begin_page()], list[str]()
    for name in given.names or BENCHMARKS:
        print(f"{datetime.now():%H:%M:%S} {name}", file=sys.stderr, flush=True)
        options = {"books": given.books} if name == "commands" else {}
        said, has_failed = _measure(name, is_quick=given.quick, **options)
        page.append(said)
        failed += [name] * has_failed
        if given.write is None:
            print(said, flush=True)
        else:
            given.write.write_text("\n".join(page), "utf-8")
    print(f"{datetime.now():%H:%M:%S} done", file=sys.stderr)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
