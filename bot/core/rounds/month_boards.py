"""Rankings of a month (UTC): results of tournaments, and of the deal of the day. Turnover never counts.

Nothing is reset: a month is computed from the results that the books have, so past months keep their winners.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from bot.core.rounds import daily_deals
from bot.core.rounds.daily_deals import day_of
from bot.core.state.tournament import LiveTournament, player_named
from bot.core.state.transaction import Transaction
from bot.texts.times import DAY_S
from storage.questions import daily, hands

# A ranking averages this many of the best results; missing ones count as 0.
BEST = 10
# The longest time from a tournament's announcement to its end.
_LONGEST_S = 14.0 * DAY_S
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
_EPOCH = date(1970, 1, 1)


class Month(NamedTuple):
    """A month: its name as 2026-12, its first day and the first one after it, counted from 1970."""

    name: str
    first: int
    end: int


class Standing(NamedTuple):
    """A place in a ranking of a month. `average` in hundredths; `results` is how many there are."""

    place: int
    player: int
    average: int
    results: int


def month_at(now: float) -> Month:
    """Return the month of a moment."""
    day = datetime.fromtimestamp(now, UTC).date()
    return _month(day.year, day.month)


def parse_month(text: str) -> Month | None:
    """Return the month that is written as 2026-12, or None."""
    found = _MONTH.fullmatch(text)
    return _month(int(found[1]), int(found[2])) if found is not None and 1970 <= int(found[1]) < 9999 else None


def month_before(month: Month) -> Month:
    """Return the previous one in the calendar."""
    day = _EPOCH + timedelta(days=month.first - 1)
    return _month(day.year, day.month)


def _month(year: int, month: int) -> Month:
    first, end = date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
    return Month(f"{year}-{month:02}", (first - _EPOCH).days, (end - _EPOCH).days)


def rank_deals(transaction: Transaction, month: Month, now: float, is_shown: Callable[[int], bool]) -> list[Standing]:
    """Rank people by their scores in the month's deals of the day whose ranking is public, in chips."""
    plays = daily.plays_between(transaction.books, month.first, min(month.end, day_of(now)) - 1)
    void = {(play.day, play.game) for play in plays if play.score is None}
    counted = (play for play in plays if (play.day, play.game) not in void)
    first = daily_deals.first_plays(transaction, counted)
    return _rank((play.player, play.score or 0) for play in first if is_shown(play.player))


def rank_tournaments(
    transaction: Transaction, casino: int, month: Month, is_shown: Callable[[int], bool]
) -> list[Standing]:
    """Rank people by their tournaments that ended in the month: for each, the percentage of the others they beat."""
    results = _results_of_tournaments(transaction, casino, month)
    return _rank((player, points) for player, points in results if is_shown(player))


def _results_of_tournaments(transaction: Transaction, casino: int, month: Month) -> Iterator[tuple[int, int]]:
    begin, end = month.first * DAY_S, month.end * DAY_S
    for table in transaction.tables_in(casino):
        live = table.tournament
        if live is None or not begin - _LONGEST_S <= live.opened < end or table.id not in live.tables[:1]:
            continue  # further tables of a tournament have the same results
        if live.is_over and begin <= _ended_at(transaction, live) < end:
            yield from points_of(transaction, live)


def _ended_at(transaction: Transaction, live: LiveTournament) -> float:
    """Return when the last hand at any table of a tournament was over."""
    last = (transaction.tables.find(id) for id in live.tables)
    rows = (hands.hand(transaction.books, table.last_hand) for table in last if table is not None and table.last_hand)
    return max((row.closed for row in rows if row is not None and row.closed is not None), default=0.0)


def points_of(transaction: Transaction, live: LiveTournament) -> Iterator[tuple[int, int]]:
    """Yield each player of a finished tournament with the percentage of the others they beat, in hundredths."""
    places = live.now.places
    for name, place in places.items():
        if len(places) > 1:
            player = daily_deals.current_player(transaction, player_named(name))
            yield player, 100_00 * (len(places) - place) // (len(places) - 1)


def _rank(results: Iterable[tuple[int, int]]) -> list[Standing]:
    by_player = dict[int, list[int]]()
    for player, result in results:
        by_player.setdefault(player, []).append(result)
    averages = {player: sum(sorted(each, reverse=True)[:BEST]) // BEST for player, each in by_player.items()}
    ranked = sorted(averages, key=lambda player: (-averages[player], player))
    return [
        Standing(
            1 + sum(other > averages[player] for other in averages.values()),
            player,
            averages[player],
            len(by_player[player]),
        )
        for player in ranked
    ]
