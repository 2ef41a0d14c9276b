"""Hands with all their rows, many at a time."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from storage.rows import HandRow, MoveRow, PostingRow, ResultRow
from storage.store import Reader

Part = TypeVar("Part", MoveRow, PostingRow, ResultRow)


class WholeHand(NamedTuple):
    """A hand with its moves, postings and results, each in order."""

    hand: HandRow
    moves: list[MoveRow]
    postings: list[PostingRow]
    results: list[ResultRow]


def whole_hands(books: Reader, ids: Sequence[int]) -> list[WholeHand]:
    """Return a few hundred hands, ordered by number."""
    found = books._rows(HandRow, f"WHERE id IN ({', '.join('?' * len(ids))}) ORDER BY id", *ids) if ids else []
    moves = _by_hand(books, MoveRow, ids, "number")
    postings, results = _by_hand(books, PostingRow, ids, "id"), _by_hand(books, ResultRow, ids, "player")
    return [WholeHand(hand, moves[hand.id], postings[hand.id], results[hand.id]) for hand in found]


def _by_hand(books: Reader, kind: type[Part], ids: Sequence[int], order: str) -> dict[int, list[Part]]:
    rows: dict[int, list[Part]] = {id: [] for id in ids}
    where = f"WHERE hand IN ({', '.join('?' * len(ids))}) ORDER BY hand, {order}"
    for row in books._rows(kind, where, *ids) if ids else ():
        assert row.hand is not None
        rows[row.hand].append(row)
    return rows
