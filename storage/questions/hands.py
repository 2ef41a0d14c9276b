"""Questions about hands: what was dealt, what was played, and which of them are open."""

from collections.abc import Iterable
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
