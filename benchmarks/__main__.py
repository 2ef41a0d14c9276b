"""Run benchmarks and print their tables, or write them into a page."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine
from bot.games import load
from storage.address import parse_address

Row = Mapping[str, Any]
_PAGE = """# Benchmarks

`make bench` measures all of this on your machine and writes this page; `python -m benchmarks NAME` prints one table.
Peers (`pip install -e '.[bench]'`) take turns with ours in the same minutes. Figures are medians, and a busy machine
slows both sides: compare ratios first.

{machine}
"""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: `function` of `module` returns rows. `quick` are arguments for a run of seconds, which measures
    nothing; `peers` are libraries that are measured too if they are installed.
    """

    title: str
    module: str
    function: str
    quick: Mapping[str, Any]
    peers: tuple[str, ...] = ()

    def run(self, *, is_quick: bool, **options: Any) -> list[Row]:
        """Return the rows of its tables."""
        measure = getattr(import_module(f"benchmarks.{self.module}"), self.function)
        return [row._asdict() for row in measure(**(self.quick if is_quick else {}), **options)]

    def missing(self) -> list[str]:
        """Return the peers that are not installed."""
        return [peer for peer in self.peers if find_spec(peer) is None]


BENCHMARKS = {
    "engine": Benchmark(
        "Ranks of seven cards, a second of CPU time",
        "engine",
        "measure_ranks",
        {"hands": 5, "many": 50, "rounds": 1, "shortest_s": 0.0001},
        ("phevaluator", "pokerkit", "treys", "eval7"),
    ),
    "hands": Benchmark(
        "Whole rounds, a second of CPU time",
        "hands",
        "measure_hands",
        {"share": 700, "rounds": 1},
        ("pokerkit",),
    ),
    "commands": Benchmark(
        "Commands that are on disk before they are answered",
        "commands",
        "measure_commands",
        {"clients": (3,), "rounds": 1, "seconds": 0.2, "batches": (3,)},
        ("aiosqlite",),
    ),
    "seals": Benchmark("A hand without and with sealed cuts", "seals", "measure_seals", {"hands": 2, "rounds": 1}),
    "press": Benchmark(
        "A press in our own code, beside the platform's library", "press", "measure_presses", {"presses": 2, "count": 1}
    ),
    "platforms": Benchmark(
        "A whole house on each platform, 100 presses a second",
        "platforms",
        "measure_platforms",
        {"seconds": 2.0, "tables": 4, "rate": 10, "warm_up_s": 0.5, "quiet_s": 0.3},
    ),
    "tables": Benchmark(
        "Memory and start, with many tables", "tables", "measure_tables", {"tables": 20, "starts": 1, "settle_s": 0.0}
    ),
    "restart": Benchmark(
        "A restart with hands under way, and on books with a long past",
        "restart",
        "measure_restarts",
        {"tables": 20, "postings": (5000,)},
    ),
    "tournaments": Benchmark(
        "Tournaments of house players, played to their end",
        "tournaments",
        "measure_tournaments",
        {"tournaments": 1, "entries": 4, "seats": 2},
    ),
    "growth": Benchmark(
        "What a command costs in larger houses",
        "growth",
        "measure_growth",
        {"tables": (10, 20), "postings": (5000, 10_000), "rounds": 1},
    ),
}


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
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure how fast the house is.")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"which (all): {', '.join(BENCHMARKS)}")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write a page instead of printing tables")
    parser.add_argument("--quick", action="store_true", help="run everything in seconds; the figures mean nothing")
    parser.add_argument("--busy", action="store_true", help="platforms: where the platform's calls are scarce")
    parser.add_argument("--books", metavar="ADDRESS", type=parse_address, help="commands: a PostgreSQL server as well")
    given = parser.parse_args(argv)
    if unknown := sorted({*given.names} - BENCHMARKS.keys()):
        parser.error(f"no benchmark is called {unknown[0]}; choose from {', '.join(BENCHMARKS)}")
    return given


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, and print tables or write the page."""
    given = _parse(argv)
    load()
    options = {"commands": {"books": given.books}, "platforms": {"busy": given.busy}}
    machine = " · ".join(f"{name} {value}" for name, value in describe_machine().items())
    page = [_PAGE.format(machine=machine)]
    for name in given.names or BENCHMARKS:
        one = BENCHMARKS[name]
        for peer in one.missing():
            print(f"{name}: {peer} is not installed and left out", file=sys.stderr)
        table = as_markdown(one.run(is_quick=given.quick, **options.get(name, {})))
        page.append(f"## {one.title}\n\n{table}\n")
        if given.write is None:
            print(page[-1], flush=True)
    if given.write is not None:
        given.write.write_text("\n".join(page), "utf-8")


if __name__ == "__main__":
    main()
