"""`ridotto bench`: how much the house does on this machine, beside the peers that are installed."""

import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.tools.bench.curves import draw
from bot.tools.bench.machine import describe_machine

Row = dict[str, Any]
# What a row says of what was found, where it is not as it must be.
OUT = "OUT"


class Benchmark(NamedTuple):
    """`function` of `module` answers with rows; `peers` are measured beside it where they are installed.

    One that takes minutes runs only when it is named. `options` are the keywords that its function takes.
    """

    module: str
    function: str
    peers: tuple[str, ...] = ()
    takes_minutes: bool = False
    options: frozenset[str] = frozenset()

    def run(self, **options: Any) -> list[Row]:
        measured: list[Row] = [row._asdict() for row in getattr(import_module(self.module), self.function)(**options)]
        return measured

    def missing(self) -> list[str]:
        return [peer for peer in self.peers if find_spec(peer) is None]


BENCHMARKS = {
    "pit": Benchmark("bot.tools.bench.pit", "measure_pits", ("aiosqlite",), options=frozenset({"books"})),
    "press": Benchmark("bot.tools.bench.press", "measure_presses"),
    "tables": Benchmark("bot.tools.bench.tables", "measure_tables"),
    "pictures": Benchmark("bot.tools.bench.pictures", "measure_pictures"),
    "ranks": Benchmark("bot.tools.bench.engine", "measure_ranks", ("phevaluator", "pokerkit", "treys", "eval7")),
    "hands": Benchmark("bot.tools.bench.hands", "measure_hands", ("pokerkit", "blackjack21", "rlcard")),
    "deals": Benchmark("bot.tools.bench.deals", "measure_deals"),
    "coach": Benchmark("bot.tools.bench.coach", "measure_coach"),
    "chance": Benchmark("bot.tools.bench.chance", "measure_chance", options=frozenset({"shuffles", "seed"})),
    "overload": Benchmark("bot.tools.bench.overload", "measure_overload", takes_minutes=True),
    "growth": Benchmark("bot.tools.bench.growth", "measure_growth", takes_minutes=True),
    "siege": Benchmark(
        "bot.tools.bench.siege",
        "measure_siege",
        takes_minutes=True,
        options=frozenset({"peer", "seconds", "crowd"}),
    ),
    "doors": Benchmark(
        "bot.tools.bench.doors",
        "measure_doors",
        takes_minutes=True,
        options=frozenset({"peer", "seconds", "tables", "rate", "busy"}),
    ),
}


def measure(
    names: Sequence[str], *, as_json: bool, plot: Path, options: Mapping[str, Any] = MappingProxyType({})
) -> bool:
    """Run the benchmarks and print a table a benchmark, or one JSON object with their names and `machine` as keys.

    What grows is drawn into `plot`. Each of them takes all the `options`. False where a row says that it is `OUT`.
    """
    found: dict[str, Any] = {"machine": describe_machine()}
    if not as_json:
        print(" · ".join(f"{name} {value}" for name, value in found["machine"].items()))
    for name in names:
        for peer in BENCHMARKS[name].missing():
            print(f"{name}: {peer} is not installed and left out; pip install -e '.[bench]' brings it", file=sys.stderr)
        found[name] = BENCHMARKS[name].run(**options)
        if name == "growth":
            plot.write_text(draw(found[name]))
            print(f"The curves are in {plot}.", file=sys.stderr)
        if not as_json:
            print(f"{name}\n{as_table(found[name])}", flush=True)
    if as_json:
        print(json.dumps(found))
    return not any(row.get("found") == OUT for name in names for row in found[name])


def as_table(rows: Sequence[Row]) -> str:
    """Columns as wide as what stands in them; the names anew where the columns change."""
    lines: list[str] = []
    while rows:
        names = list(rows[0])
        count = next((n for n, row in enumerate(rows) if list(row) != names), len(rows))
        cells = [names, *([_cell(value) for value in row.values()] for row in rows[:count])]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines += ["  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)) for line in cells]
        rows = rows[count:]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return "" if value is None else str(value)
