"""Questions about deals of the day: the decks, and the lines of play on them."""

from collections.abc import Sequence

from storage.rows import DailyDealRow, DailyPlayRow
from storage.store import Reader


def deal_of_day(books: Reader, day: int, game: str) -> DailyDealRow | None:
    """Return the deck of a game for a day, or None."""
    return books._first(DailyDealRow, "WHERE day = ? AND game = ?", day, game)


def latest_deal(books: Reader, game: str, before: int, step: int = 1) -> DailyDealRow | None:
    """Return the last deck of a game before a day, of every `step`th day back from it."""
    where = "WHERE game = ? AND day < ? AND (? - day) % ? = 0 ORDER BY day DESC"
    return books._first(DailyDealRow, where, game, before, before, step)


def open_deals(books: Reader) -> list[DailyDealRow]:
    """Return the decks whose seeds were not shown yet, by day."""
    return books._rows(DailyDealRow, "WHERE ended IS NULL ORDER BY day, game")


def deals(books: Reader) -> list[DailyDealRow]:
    """Return all decks."""
    return books._rows(DailyDealRow, "ORDER BY day, game")


def play_of_person(books: Reader, day: int, game: str, players: Sequence[int]) -> DailyPlayRow | None:
    """Return what one of a person's accounts began first."""
    marks = ", ".join("?" * len(players))
    where = f"WHERE day = ? AND game = ? AND player IN ({marks}) ORDER BY began, player"
    return books._first(DailyPlayRow, where, day, game, *players)


def plays_of_deal(books: Reader, day: int, game: str) -> list[DailyPlayRow]:
    """Return all lines of play of a deal, as they began."""
    return books._rows(DailyPlayRow, "WHERE day = ? AND game = ? ORDER BY began, player", day, game)


def plays_between(books: Reader, first: int, last: int) -> list[DailyPlayRow]:
    """Return all lines of play from one day to another, as they began."""
    return books._rows(DailyPlayRow, "WHERE day BETWEEN ? AND ? ORDER BY day, game, began, player", first, last)
