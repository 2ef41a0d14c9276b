"""Questions about results: what hands brought whom, one by one or added up; few rows, however many hands."""

from collections.abc import Sequence
from typing import NamedTuple

from storage.rows import ResultRow
from storage.store import Reader

DAY_S = 86400
_WIN = "player, game, returned - wagered AS win FROM results"
# A player's latest results, casino after casino: by their index, however many there are before.
_SINCE = "FROM results WHERE player = ? AND casino IN (SELECT casino FROM sums WHERE player = ?) AND at >= ?"


class GameResults(NamedTuple):
    """A player's hands of one game; `best` is the most that one hand won, below zero where all of them lost."""

    game: str
    hands: int
    wagered: int
    returned: int
    best: int


class Win(NamedTuple):
    """Net win of a person in one hand."""

    player: int
    game: str
    amount: int
    is_hidden: bool


class Regular(NamedTuple):
    """A person who played at a table: their hands, and their best net result, which may be negative."""

    player: int
    hands: int
    best: int
    is_hidden: bool


def results_of_hand(books: Reader, id: int) -> list[ResultRow]:
    """Return the result of each player of a hand."""
    return books._rows(ResultRow, "WHERE hand = ? ORDER BY player", id)


def lost_since(books: Reader, player: int, moment: float) -> int:
    """Return a player's losses in all casinos since a moment; negative for a win."""
    sql = f"SELECT coalesce(sum(wagered - returned), 0) {_SINCE}"
    return int(books._select(sql, player, player, moment)[0][0])


def results_of_opponents(
    books: Reader, casino: int, players: Sequence[int], games: Sequence[str], since: float
) -> list[tuple[int, int, int]]:
    """Return (hand, player, won) of everyone in the hands of these games in which one person played, hand by hand.

    `players` are the numbers of that person; a loss is negative.
    """
    mine, named = ", ".join("?" * len(players)), ", ".join("?" * len(games))
    sql = f"""SELECT results.hand, results.player, results.returned - results.wagered FROM results
              WHERE results.hand IN (SELECT hand FROM results WHERE player IN ({mine}) AND casino = ? AND at >= ?
                                     AND game IN ({named}))
              ORDER BY results.hand, results.player"""
    rows = books._select(sql, *players, casino, since, *games)
    return [(int(hand), int(player), int(won)) for hand, player, won in rows]


def spans_played(books: Reader, player: int, moment: float, span_s: float) -> set[int]:
    """Return the spans of time, counted from 1970 on, in which a hand of the player ended since a moment."""
    sql = f"SELECT DISTINCT {books._whole('at / ?')} {_SINCE}"
    return {int(span) for (span,) in books._select(sql, span_s, player, player, moment)}


def results_by_game(books: Reader, casino: int, players: Sequence[int]) -> list[GameResults]:
    """Return one row for each game that was played; `players` are the numbers of one person."""
    sql = f"""SELECT game, sum(hands), sum(wagered), sum(returned), max(best) FROM sums
              WHERE player IN ({", ".join("?" * len(players))}) AND casino = ? GROUP BY game ORDER BY game"""
    return [GameResults(*row) for row in books._select(sql, *players, casino)]


def latest_results(
    books: Reader,
    casino: int,
    players: Sequence[int],
    most: int,
    skip: int = 0,
    *,
    game: str | None = None,
    before: float | None = None,
) -> list[ResultRow]:
    """Return one person's results in a casino, the latest first; of one game or before a moment, if given.

    Reads from the end of an index, however many there are.
    """
    wanted: dict[str, object] = {"game = ?": game, "at < ?": before}
    wanted = {asked: value for asked, value in wanted.items() if value is not None}
    ends = [
        f"SELECT * FROM (SELECT hand, player FROM results WHERE {' AND '.join(['player = ?', 'casino = ?', *wanted])}"
        f" ORDER BY at DESC, hand DESC LIMIT {most + skip}) AS ends"
    ] * len(players)
    sql = f"""JOIN ({" UNION ALL ".join(ends)}) AS latest USING (hand, player)
              ORDER BY at DESC, hand DESC LIMIT {most} OFFSET {skip}"""
    return books._rows(ResultRow, sql, *(value for player in players for value in (player, casino, *wanted.values())))


def hands_at_table(books: Reader, casino: int, table: int, since: float) -> int:
    """Count the hands paid at a table since a moment, by an index of the casino's last hands."""
    sql = "SELECT count(*) FROM hands WHERE casino = ? AND closed >= ? AND table_id = ? AND status = 'over'"
    return int(books._select(sql, casino, since, table)[0][0])


def regulars(books: Reader, casino: int, table: int, since: float) -> list[Regular]:
    """Return the people who played at a table since a moment, each once, the most active first."""
    hidden, become = books._text_in("players.state", "hidden"), books._number_in("played.state", "merged")
    sql = f"""SELECT players.id, count(*), max(results.returned - results.wagered), {hidden} IS NOT NULL
              FROM hands JOIN results ON results.hand = hands.id
              JOIN players AS played ON played.id = results.player
              JOIN players ON players.id = coalesce({become}, played.id)
              WHERE hands.casino = ? AND hands.closed >= ? AND hands.table_id = ? AND hands.status = 'over'
              GROUP BY players.id, {hidden} IS NOT NULL ORDER BY count(*) DESC, players.id"""
    return [Regular(*row) for row in books._select(sql, casino, since, table)]


def biggest_wins(books: Reader, casino: int, most: int, since: float | None = None) -> list[Win]:
    """Return the biggest single wins, of all time or since then (at most a week back). Reads indexes only."""
    top = "ORDER BY returned - wagered DESC LIMIT ?"
    if since is None:
        wins = f"SELECT {_WIN} {books._by('wins_by_size')} WHERE casino = ? AND returned > wagered {top}"
        values: list[object] = [casino, most]
    else:
        day = f"""SELECT * FROM (SELECT {_WIN} {books._by("wins_by_day")} WHERE casino = ? AND returned > wagered
                  AND {books._whole("at / 86400")} = ? AND at >= ? {top}) AS day"""
        wins, first = " UNION ALL ".join([day] * 8), int(since // DAY_S)
        values = [value for number in range(first, first + 8) for value in (casino, number, since, most)]
    hidden, become = books._text_in("players.state", "hidden"), books._number_in("played.state", "merged")
    sql = f"""SELECT players.id, won.game, won.win, {hidden} IS NOT NULL
              FROM ({wins}) AS won
              JOIN players AS played ON played.id = won.player
              JOIN players ON players.id = coalesce({become}, played.id)
              ORDER BY won.win DESC LIMIT ?"""
    return [Win(*row) for row in books._select(sql, *values, most)]
