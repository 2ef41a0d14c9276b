"""Check a casino's whole log: its entries, its tree, its heads, and that what had to happen in time did (section 8).

The file is read once, its heads beside its entries, so that each root is compared when the tree has its size: memory
does not grow with the log.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import IO, NamedTuple, TextIO

from bot.verifier.faults import Faults, Spool
from bot.verifier.files import as_file, count_lines, find_line, is_head, last_line, read_lines, size_of
from bot.verifier.log_state import LogState, Naming
from engine.fairness import shape
from engine.fairness.beacon import QUICKNET, ChainInfo
from engine.fairness.canonical import JSON, Unreadable, encode_known, parse
from engine.fairness.log import Head, check_head, is_signed
from engine.fairness.merkle import Frontier

_PUBLISHED: dict[str, shape.Check] = {
    "head": lambda value: isinstance(value, dict),
    "signature": lambda value: isinstance(value, str),
}
_SEEN = _PUBLISHED | {"seen": shape.is_number}


@dataclass
class Report:
    """Output of `ridotto log check`. Its lists may be long and are read once."""

    entries: int
    heads: int
    faults: list[dict[str, JSON]]
    dropped: Spool
    voided: Spool
    hundred: dict[str, list[float]]
    seals: dict[str, list[float]]
    unopened: list[str]
    chain: ChainInfo | None = None
    """The beacon's, if one was named."""

    def write(self, out: TextIO) -> None:
        """Write the report as one line of JSON."""
        out.write(f'{{"entries": {self.entries}, "heads": {self.heads}, "faults": {json.dumps(self.faults)}')
        for name, spool in (("dropped", self.dropped), ("voided", self.voided)):
            out.write(f', "{name}": [')
            for number, value in enumerate(spool):
                out.write(f", {value}" if number else value)
            out.write("]")
        out.write(f', "hundred": {json.dumps(self.hundred)}, "seals": {json.dumps(self.seals)}')
        out.write(f', "unopened": {json.dumps(self.unopened)}')
        out.write(f', "chain": "{self.chain.key.hex()}"}}\n' if self.chain is not None else "}\n")


@contextmanager
def check_log(
    file: str,
    seen: str | None = None,
    *,
    chain: ChainInfo | None = None,
    has_newest_head_only: bool = False,
    load_games: Callable[[], None] | None = None,
) -> Iterator[Report]:
    """Read a log: JSON lines, its entries, then its heads; - is standard input. `seen` is a file of seen heads.

    `chain`: the beacon's; quicknet where none is named.
    `has_newest_head_only`: the log comes without its older heads, and they cannot say that a close was in time.
    `load_games`: as of `LogState`.
    The report can be read as long as it is held. Raises Unreadable, with the line, where one has no form, and OSError.
    """
    with closing(Spool()) as dropped, closing(Spool()) as voided, as_file(file) as name:
        state = LogState(Faults(), dropped, voided, load_games=load_games, chain=chain or QUICKNET)
        report = _read_log(name, seen, state, has_newest_head_only)
        report.chain = chain
        yield report


def _read_log(name: str, seen: str | None, state: LogState, has_newest_head_only: bool) -> Report:
    with open(name, "rb") as entries, open(name, "rb") as heads:
        size = size_of(entries)
        if size == 0:
            raise Unreadable("there is no log in it")
        middle = find_line(entries, is_head)
        state.identity = _identity_of(last_line(heads))
        seen_heads = _read_seen(seen, state) if seen is not None else []
        check = _LogCheck(state, seen_heads, has_newest_head_only=has_newest_head_only)
        return check.follow(_read_values(entries, 0, middle), _read_values(heads, middle, size))


class _SeenHead(NamedTuple):
    """A head that someone has seen, with its line in their file."""

    size: int
    root: str
    at: int
    line: int


def _identity_of(line: bytes) -> tuple[JSON, JSON, JSON] | None:
    """Return house, casino and log of the newest head, if its key has signed it; else None."""
    try:
        value = parse(line)
        shape.check_keys(value, _PUBLISHED, "a line")
        head = value["head"]
        check_head(head)
    except (Unreadable, shape.Wrong):
        return None
    return (head["house"], head["casino"], head["log"]) if is_signed(head, value["signature"]) else None


def _read_values(file: IO[bytes], begin: int, end: int) -> Iterator[JSON]:
    """Yield the value of each line between two offsets. Raises Unreadable, with the line number in the whole file."""
    line = 0
    try:
        for text in read_lines(file, begin, end):
            value = parse(text)
            yield value
            line += 1
    except Unreadable as refused:
        raise Unreadable(f"line {count_lines(file, begin) + line}: {refused}") from None


def _read_seen(name: str, state: LogState) -> list[_SeenHead]:
    """Return the seen heads that are this casino's. A fault names the line of this file."""
    found = []
    with as_file(name) as given, open(given, "rb") as file:
        try:
            for line, value in enumerate(_read_values(file, 0, size_of(file))):
                try:
                    head = _check_published(value, _SEEN, state)
                    found.append(_SeenHead(head["size"], head["root"], value["seen"], line))
                except shape.Wrong as why:
                    state.faults.add("head", line, f"seen head {line}: {why}")
        except Unreadable as refused:
            raise Unreadable(f"the seen heads: {refused}") from None
    return found


def _size_named(value: JSON) -> int:
    """Return the size named by a head; 0 for anything else, so that it is examined next."""
    head = value.get("head") if isinstance(value, dict) else None
    size = head.get("size") if isinstance(head, dict) else None
    return size if isinstance(size, int) else 0


def _check_published(value: JSON, keys: dict[str, shape.Check], state: LogState) -> Head:
    """Return a published head. Raises Wrong if it is not the casino's, of this log."""
    shape.check_keys(value, keys, "a published head")
    head: Head = value["head"]
    check_head(head)
    if state.identity is None:
        state.identity = (head["house"], head["casino"], head["log"])
    if (head["house"], head["casino"], head["log"]) != state.identity:
        raise shape.Wrong("the head is of another house, casino or log")
    if not is_signed(head, value["signature"]):
        raise shape.Wrong("the head is not signed by the house")
    return head


class _LogCheck:
    """Entries and heads in step: a head is looked at when the tree has its size."""

    def __init__(self, state: LogState, seen: Sequence[_SeenHead], *, has_newest_head_only: bool) -> None:
        self.faults = state.faults
        self.state = state
        self.seen = _SeenHeads(seen)
        self.heads = 0
        self.covered = 0
        """Number of entries that the casino's newest head covers."""
        self.newest = 0
        self.tree = Frontier()
        self._has_newest_head_only = has_newest_head_only

    def follow(self, entries: Iterator[JSON], heads: Iterator[JSON]) -> Report:
        """Check all entries and heads, and return the report."""
        self._compare_seen()
        head = self._take_heads(next(heads, None), heads)
        for line, entry in enumerate(entries):
            self.tree.append(encode_known(entry))
            self.state.process_entry(line, entry)
            self._look_at_naming(line)
            self._compare_seen()
            if head is not None:
                head = self._take_heads(head, heads)
        while head is not None:
            self._take_head(head)
            head = next(heads, None)
        for seen in self.seen.left():
            why = f"seen head {seen.line} covers {seen.size} entries, and there are {self.tree.size}"
            self.faults.add("tree", seen.line, why)
        if self.covered < self.tree.size:
            self.faults.add("head", self.covered, "no head covers the entries from here on")
        unopened = list(self.state.unopened(self.newest))
        return Report(
            self.tree.size,
            self.heads,
            self.faults.list_faults(self.tree.size),
            self.state.dropped,
            self.state.voided,
            {name: table.per_hundred() for name, table in self.state.tables.items()},
            {name: table.count_seals() for name, table in self.state.tables.items() if table.sealed},
            unopened,
        )

    def _take_heads(self, head: JSON | None, heads: Iterator[JSON]) -> JSON | None:
        """Check the heads up to the tree's size; return the first larger one."""
        while head is not None and _size_named(head) <= self.tree.size:
            self._take_head(head)
            head = next(heads, None)
        return head

    def _take_head(self, value: JSON) -> None:
        line, size = self.heads, self.tree.size
        self.heads += 1
        try:
            head = _check_published(value, _PUBLISHED, self.state)
        except shape.Wrong as why:
            self._add_head_fault("head", line, str(why))
            return
        if head["size"] < self.covered or head["at"] < self.newest:
            self._add_head_fault("head", line, "size and time never fall from one head to the next")
        if head["size"] > size:
            self._add_head_fault("head", line, f"it covers {head['size']} entries, and there are {size}")
            self._add_head_fault("tree", line, f"entries are missing: its root is of {head['size']} and not of {size}")
            return
        if head["size"] < size:
            return
        if head["root"] != self.tree.root().hex():
            self._add_head_fault(
                "tree", line, f"its root is not that of the first {size} entries; {self.covered} were right"
            )
            return
        if head["at"] < self.state.at:
            self._add_head_fault("head", line, "it is older than the last entry that it covers")
        self.covered, self.newest = size, max(self.newest, head["at"])
        while self.state.naming and self.state.naming[0].line < size:
            self._look_at_cover(self.state.naming.popleft(), head["at"])

    def _add_head_fault(self, check: str, line: int, why: str) -> None:
        """Add a fault of a head."""
        self.faults.add(check, line, why, is_of_heads=True)

    def _look_at_naming(self, line: int) -> None:
        """Compare a round named just now with the heads seen, and older ones with the time that has passed."""
        naming = self.state.naming
        if naming and naming[-1].line == line and not self.seen.is_in_time(naming[-1]):
            newest = naming[-1]
            self.faults.add(newest.check, line, f"no head that covers it was seen before round {newest.round}")
        # No head covers them yet, and later heads are no older than the entries that they cover.
        while naming and naming[0].line < line and naming[0].due <= self.state.at:
            self._look_at_cover(naming.popleft(), self.state.at)

    def _look_at_cover(self, naming: Naming, at: int) -> None:
        if at >= naming.due and not self._has_newest_head_only:
            self.faults.add(naming.check, naming.line, f"no head covers it that is older than round {naming.round}")

    def _compare_seen(self) -> None:
        """Compare the seen heads of the tree's size."""
        for seen in self.seen.grown_to(self.tree.size):
            if seen.root != self.tree.root().hex():
                why = f"seen head {seen.line}: its root is not that of the first {seen.size} entries"
                self.faults.add("tree", seen.line, why)


class _SeenHeads:
    """Heads that someone has seen, by size."""

    def __init__(self, heads: Sequence[_SeenHead]) -> None:
        self._heads = sorted(heads)
        self._sizes = [head.size for head in self._heads]
        # When each head, and all longer ones, were first seen.
        self._earliest = list(accumulate((head.at for head in reversed(self._heads)), min))[::-1]
        self._next = 0

    def grown_to(self, size: int) -> Iterator[_SeenHead]:
        """Yield each seen head once, when the tree has its size."""
        while self._next < len(self._heads) and self._sizes[self._next] <= size:
            self._next += 1
            yield self._heads[self._next - 1]

    def left(self) -> Sequence[_SeenHead]:
        """Return the heads larger than the tree."""
        return self._heads[self._next :]

    def is_in_time(self, naming: Naming) -> bool:
        """Return whether a head that covers it was seen before its round; True outside of the seen heads."""
        if not self._sizes or not self._sizes[0] <= naming.line < self._sizes[-1]:
            return True
        return self._earliest[bisect_right(self._sizes, naming.line)] < naming.due
