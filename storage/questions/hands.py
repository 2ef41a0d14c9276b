"""Questions about hands: what was dealt, what was played, and which of them are open."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from storage.rows import HandRow, MoveRow, OpeningRow
from storage.store import Reader

_AT_ONCE = 500


class OpenHand(NamedTuple):
    """A hand that takes bets or is being played."""

    id: int
    status: str
    seed: bytes
    deal: str
    opened: float


class DealtGame(NamedTuple):
    """Game of a hand and the version of the rules it was dealt under; None if its deal does not say."""

    id: int
    game: str
    rules: int | None


def hand(books: Reader, id: int) -> HandRow | None:
    """Return the hand of that number, or None."""
    return books._first(HandRow, "WHERE id = ?", id)


def deals_of_hands(books: Reader, ids: Sequence[int]) -> dict[int, str]:
    """Return the stored deal of each of a few hands; those that are no JSON are left out."""
    if not ids:
        return {}
    sql = f"SELECT id, deal FROM hands WHERE id IN ({', '.join('?' * len(ids))}) AND {books._is_json}(deal)"
    return {int(id): str(deal) for id, deal in books._select(sql, *ids)}


def hand_numbers(books: Reader) -> list[int]:
    """Return the numbers of all hands, in order."""
    return [int(id) for (id,) in books._select("SELECT id FROM hands ORDER BY id")]


def moves_of_hand(books: Reader, id: int) -> list[MoveRow]:
    """Return the moves of a hand, in order."""
    return books._rows(MoveRow, "WHERE hand = ? ORDER BY number", id)


def settled_hands(books: Reader, before: int, most: int, casino: int | None = None) -> list[HandRow]:
    """Return the latest hands that were played to their end and paid, the latest first.

    They are of one casino or of all, with numbers below `before`.
    """
    of_casino, values = ("AND casino = ?", [casino]) if casino is not None else ("", [])
    where = f"WHERE status = 'over' AND id < ? {of_casino} ORDER BY id DESC LIMIT ?"
    return books._rows(HandRow, where, before, *values, most)


def number_of_settled(books: Reader) -> int:
    """Count the hands that were played to their end and paid."""
    return int(books._select("SELECT count(*) FROM hands WHERE status = 'over'")[0][0])


def moves_of_hands(books: Reader, ids: Sequence[int]) -> dict[int, list[MoveRow]]:
    """Return the moves of each of these hands, in order; a few hundred hands at a time."""
    found: dict[int, list[MoveRow]] = {id: [] for id in ids}
    where = f"WHERE hand IN ({', '.join('?' * len(ids))}) ORDER BY hand, number"
    for row in books._rows(MoveRow, where, *ids) if ids else ():
        found[row.hand].append(row)
    return found


def seeds_of_hands(books: Reader, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the seed of each of a few hundred hands that exist."""
    sql = f"SELECT id, seed FROM hands WHERE id IN ({', '.join('?' * len(ids))})"
    return {int(id): bytes(seed) for id, seed in books._select(sql, *ids)} if ids else {}


def open_hands(books: Reader, ids: Collection[int]) -> dict[int, OpenHand]:
    """Return those of a few hundred hands that are not closed, by number."""
    sql = f"""SELECT id, status, seed, deal, opened FROM hands
              WHERE id IN ({", ".join("?" * len(ids))}) AND status IN ('betting', 'playing')"""
    return {row[0]: OpenHand(*row) for row in books._select(sql, *ids)}


def openings(books: Reader) -> list[OpeningRow]:
    """Return the seeds that wait to be shown."""
    return books._rows(OpeningRow, "WHERE at > 0 ORDER BY at, hand")


def next_openings(books: Reader, casino: int, most: int) -> list[OpeningRow]:
    """Return at most `most` seeds of a casino that wait to be shown, the one due first at the front."""
    return books._rows(OpeningRow, "WHERE at > 0 AND casino = ? ORDER BY at, hand LIMIT ?", casino, most)


def rules_of_hands(books: Reader, ids: Iterable[int]) -> list[DealtGame]:
    """Return game and rules of those hands whose deals can be read."""
    wanted, found = sorted(ids), list[DealtGame]()
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        rules = f"coalesce({books._number_in('deal', 'promise', 'rules')}, {books._number_in('deal', 'rules')})"
        sql = f"""SELECT id, game, {rules} FROM hands
                  WHERE id IN ({", ".join("?" * len(some))}) AND {books._is_json}(deal)"""
        found += [DealtGame(*row) for row in books._select(sql, *some)]
    return found
