"""Faults found in a log, in bounded memory however many there are."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine.fairness.canonical import JSON

CHECKS = ("entry", "tree", "head", "chain", "close", "cuts", "paid", "void", "opening")
# Number of faults of each check that are listed.
TOLD = 100
_IN_MEMORY = 2**20


class Fault(NamedTuple):
    """A fault: its `line` counts from 0 in the whole log or, where `is_of_heads`, in its heads."""

    check: str
    line: int
    why: str
    is_of_heads: bool = False


class Faults:
    """The first of each check, and how many more there are."""

    def __init__(self) -> None:
        self._told: list[Fault] = []
        self._counts: Counter[str] = Counter()
        self._last: dict[str, Fault] = {}

    def add(self, check: str, line: int, why: str, *, is_of_heads: bool = False) -> None:
        """Add a fault; beyond TOLD of one check only the last is kept."""
        assert check in CHECKS
        self._counts[check] += 1
        fault = Fault(check, line, why, is_of_heads)
        if self._counts[check] <= TOLD:
            self._told.append(fault)
        else:
            self._last[check] = fault

    def __len__(self) -> int:
        return sum(self._counts.values())

    def list_faults(self, entries: int) -> list[dict[str, JSON]]:
        """List the faults by line; `entries` is the number of lines before the heads."""
        more = [
            fault._replace(why=f"{fault.why} (last of {self._counts[check] - TOLD} more)")
            for check, fault in self._last.items()
        ]
        placed = [
            {"check": check, "index": line + entries * of_heads, "why": why}
            for check, line, why, of_heads in [*self._told, *more]
        ]
        return sorted(placed, key=lambda fault: fault["index"])


class Spool:
    """A list that is written and then read once; beyond a megabyte it is on disk."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8")  # noqa: SIM115
        self.length = 0

    def add(self, value: JSON) -> None:
        self._file.write(json.dumps(value) + "\n")
        self.length += 1

    def __iter__(self) -> Iterator[str]:
        """Yield each value as JSON."""
        self._file.seek(0)
        for line in self._file:
            yield line.rstrip("\n")

    def close(self) -> None:
        self._file.close()
