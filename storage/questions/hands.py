"""Questions about hands: what was dealt, what was played, and which of them are open."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storage.rows import HandRow, MoveRow
from storage.store import Reader

_AT_ONCE = 500


class OpenHand(NamedTuple):
    """A hand that takes bets or is being played."""

    id: int
    status: str
    seed: bytes
    opened: float


class Dealt(NamedTuple):
    """Which game a hand is, and the version of the rules it was dealt under; None: its deal does not say."""

    id: int
    game: str
    rules: int | None


def hand(books: Reader, id: int) -> HandRow | None:
    """The hand of that number."""
    return books._first(HandRow, "WHERE id = ?", id)


def hand_numbers(books: Reader) -> list[int]:
    """The numbers of all hands, in order."""
    return [int(id) for (id,) in books._select("SELECT id FROM hands ORDER BY id")]


def moves_of_hand(books: Reader, id: int) -> list[MoveRow]:
    """The moves of a hand, in order."""
    return books._rows(MoveRow, "WHERE hand = ? ORDER BY number", id)


def settled_hands(books: Reader, before: int, most: int, casino: int | None = None) -> list[HandRow]:
    """The latest hands that were played to their end and paid, of one casino or of all, with numbers below `before`;
    the latest first.
    """
    of_casino, values = ("AND casino = ?", [casino]) if casino is not None else ("", [])
    where = f"WHERE status = 'over' AND id < ? {of_casino} ORDER BY id DESC LIMIT ?"
    return books._rows(HandRow, where, before, *values, most)


def number_of_settled(books: Reader) -> int:
    """How many hands were played to their end and paid."""
    return int(books._select("SELECT count(*) FROM hands WHERE status = 'over'")[0][0])


def moves_of_hands(books: Reader, ids: Sequence[int]) -> dict[int, list[MoveRow]]:
    """The moves of each of these hands, in order; a few hundred at a time."""
    found: dict[int, list[MoveRow]] = {id: [] for id in ids}
    where = f"WHERE hand IN ({', '.join('?' * len(ids))}) ORDER BY hand, number"
    for row in books._rows(MoveRow, where, *ids) if ids else ():
        found[row.hand].append(row)
    return found


def open_hands(books: Reader) -> dict[int, OpenHand]:
    """The hands that are not closed, by number, and without their deals: there may be thousands."""
    sql = "SELECT id, status, seed, opened FROM hands WHERE status IN ('betting', 'playing')"
    return {row[0]: OpenHand(*row) for row in books._select(sql)}


def rules_of_hands(books: Reader, ids: Iterable[int]) -> list[Dealt]:
    """Under which rules those of them were dealt whose deals can be read."""
    wanted, found = sorted(ids), list[Dealt]()
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        sql = f"""SELECT id, game, {books._number_in("deal", "rules")} FROM hands
                  WHERE id IN ({", ".join("?" * len(some))}) AND {books._is_json("deal")}"""
        found += [Dealt(*row) for row in books._select(sql, *some)]
    return found
