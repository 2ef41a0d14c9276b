"""Published parts of a log: its newest head, entries, and proofs, as others check them.

All of it is read from the books: a number of nodes that grows with the logarithm of the log.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.fairness.merkle import MerkleTree
from storage.questions import logs
from storage.rows import LogHeadRow, LogRow
from storage.store import Reader

Place = tuple[int, int]


class _Wanted:
    """Collector of the Merkle nodes that a proof needs, so that they are read in one query."""

    def __init__(self) -> None:
        self.places: set[Place] = set()

    def get(self, level: int, index: int) -> bytes:
        self.places.add((level, index))
        return b""


class _Found(_Wanted):
    def __init__(self, nodes: dict[Place, bytes]) -> None:
        super().__init__()
        self._nodes = nodes

    def get(self, level: int, index: int) -> bytes:
        return self._nodes[level, index]


def _prove(books: Reader, log: LogRow, size: int, ask: Callable[[MerkleTree], Any]) -> Any:
    wanted = _Wanted()
    ask(MerkleTree(wanted, size))
    return ask(MerkleTree(_Found(logs.nodes(books, log.casino, log.number, wanted.places)), size))


def consistency(books: Reader, log: LogRow, old: int, size: int) -> list[str]:
    """Prove that the first `old` entries are the beginning of the first `size`, which must exist."""
    proof: list[bytes] = _prove(books, log, size, lambda tree: tree.consistency(old))
    return [node.hex() for node in proof]


def inclusion(books: Reader, log: LogRow, indexes: Iterable[int], size: int) -> dict[int, list[str]]:
    """Return the inclusion proofs of entries in the tree of the first `size`, by their indexes."""
    wanted = sorted(indexes)
    proofs: list[list[bytes]] = _prove(books, log, size, lambda tree: [tree.inclusion(index) for index in wanted])
    return {index: [node.hex() for node in proof] for index, proof in zip(wanted, proofs, strict=True)}


def root(books: Reader, log: LogRow, size: int) -> bytes:
    """Return the root of the first `size` entries."""
    found: bytes = _prove(books, log, size, lambda tree: tree.root())
    return found


def published(house: str, head: LogHeadRow) -> dict[str, Any]:
    """Return a head as it is published: {"head", "signature"}. `house` is its key in hex."""
    said = {
        "house": house,
        "casino": str(head.casino),
        "log": head.log,
        "size": head.size,
        "root": head.root.hex(),
        "at": head.at,
    }
    return {"head": said, "signature": head.signature.hex()}


def newest_head(books: Reader, log: LogRow) -> dict[str, Any] | None:
    """Return the newest head as it is published, or None if none was signed yet."""
    head = logs.newest_head(books, log.casino, log.number)
    return published(log.house, head) if head is not None else None


def log_of_record(books: Reader, log: LogRow, indexes: Iterable[int]) -> dict[str, Any] | None:
    """Return the `log` of a record: these entries in full, each with its proof in the newest head.

    None where the newest head does not cover them yet: it is signed in a moment.
    """
    wanted = sorted(indexes)
    head = logs.newest_head(books, log.casino, log.number)
    if head is None or not wanted or wanted[-1] >= head.size:
        return None
    proofs = inclusion(books, log, wanted, head.size)
    proven = [
        {"index": index, "entry": json.loads(_entry(books, log, index)), "proof": proofs[index]} for index in wanted
    ]
    return {"entries": proven, **published(log.house, head)}


def _entry(books: Reader, log: LogRow, index: int) -> str:
    (entry,) = logs.entries(books, log.casino, log.number, index, index + 1)
    return entry


def lines(books: Reader, log: LogRow) -> Iterator[str]:
    """Yield the lines of a whole log: its entries, as far as the newest head covers them, then its heads."""
    head = logs.newest_head(books, log.casino, log.number)
    covered = head.size if head is not None else 0
    for row in logs.entry_rows(books, log.casino, log.number):
        if row.number == covered:
            break
        yield row.entry
    for one in logs.heads(books, log.casino, log.number):
        yield json.dumps(published(log.house, one))
