"""Decks of the deal of the day: their commitments in the lounge's log, their seeds after the day, and the ranking.

One deck a game and day serves every community, so that each person plays it once on any platform (TN31, TN32).
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from bot.core.commands.first_hand import FIRST_HANDS
from bot.core.players.self_limits import ids_of_person
from bot.core.rounds.commitments import parse_options
from bot.core.rounds.hand_records import commitment_of, dump_commitment, dump_dropped, load_commitment, proven
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import Transaction
from bot.texts.times import DAY_S
from engine.daily import WHY, DailyCourse, DailyDeal, follow_course
from engine.fairness import log
from engine.fairness.commitment import Commitment, commit_to, make_commitment
from engine.felt import Limits
from engine.games import GAMES
from storage.questions import daily
from storage.rows import DailyDealRow, DailyPlayRow, HandRow
from storage.store import Reader

_log = logging.getLogger("ridotto.daily")


def daily_games() -> list[str]:
    """Return the games of the deal: those against the bank in which players decide, in the order of menus."""
    return [game for game in FIRST_HANDS if GAMES[game].words and not GAMES[game].stacks]


def day_of(now: float) -> int:
    """Return the day of a moment, counted from 1970, in UTC."""
    return int(now // DAY_S)


def write_day(day: int) -> str:
    """Return the date as 2026-12-01."""
    return datetime.fromtimestamp(day * DAY_S, UTC).strftime("%Y-%m-%d")


def find_deal(transaction: Transaction, day: int, game: str) -> DailyDealRow | None:
    """Return the deck of a game for a day as the transaction has it."""
    row = transaction.get(DailyDealRow, day, game)
    return row if isinstance(row, DailyDealRow) else daily.deal_of_day(transaction.books, day, game)


def find_play(transaction: Transaction, day: int, game: str, player: int) -> DailyPlayRow | None:
    """Return what a person began first, under any account that is or was theirs (TN32)."""
    ids = ids_of_person(transaction, player)
    unwritten = (transaction.get(DailyPlayRow, day, game, id) for id in ids)
    written = daily.play_of_person(transaction.books, day, game, ids)
    found = [row for row in unwritten if isinstance(row, DailyPlayRow)]
    if written is not None and all(row.player != written.player for row in found):
        found.append(written)
    return min(found, key=lambda row: (row.began, row.player), default=None)


def _commit(transaction: Transaction, day: int, game: str, seed: bytes, now: float) -> None:
    """Commit to a new deck."""
    kept = transaction.log_of(LOUNGE)
    commitment = make_commitment(
        house=kept.house,
        casino=str(LOUNGE),
        log=kept.number,
        table=f"{WHY}, {game}, {'odd' if day % 2 else 'even'}",
        hand=f"{game} {write_day(day)}",
        game=game,
        options=GAMES[game].options(),
        previous="",
        server=seed,
    )
    _put_commitment(transaction, DailyDealRow(day, game, seed, "", None), commitment, now)


def _put_commitment(transaction: Transaction, row: DailyDealRow, commitment: Commitment, now: float) -> DailyDealRow:
    """Write a commitment into the lounge's current log, and the deck with it.

    Today's deck is open while tomorrow's is committed, so the log follows them as two tables, of even and of odd days.
    """
    kept = transaction.log_of(LOUNGE)
    last = daily.latest_deal(transaction.books, row.game, row.day, step=2)
    before = find_deal(transaction, last.day, row.game) if last is not None else None
    commitment = commitment | {"house": kept.house, "log": kept.number, "previous": _commit_in(before, kept.number)}
    line = transaction.log(LOUNGE, log.committed(commitment, kept.time(now)))
    written = row._replace(deal=dump_commitment(commitment, (line,), row.seed))
    transaction.put(written)
    return written


def _commit_in(row: DailyDealRow | None, number: int) -> str:
    """Return the commit of a deck if it is in the log of that number."""
    commitment = commitment_of(as_hand(row)) if row is not None else None
    return commit_to(commitment) if commitment is not None and commitment["log"] == number else ""


def as_hand(row: DailyDealRow) -> HandRow:
    """Return a deck as the row of a hand that no table dealt, for what reads its record."""
    return HandRow(0, LOUNGE, 0, row.game, "void", row.seed, row.deal, row.day * DAY_S, row.ended)


def record_of_deal(books: Reader, row: DailyDealRow) -> dict[str, Any]:
    """Return the record of a deck whose day is over, with its log as soon as a signed head covers it."""
    record = proven(books, as_hand(row))
    assert record is not None, "its seed is shown"
    return record


def commit_of_deal(row: DailyDealRow) -> tuple[str, int]:
    """Return the commit of a deck and its line in the lounge's log."""
    commitment, lines = load_commitment(row.deal)
    assert commitment is not None
    return commit_to(commitment), lines[0]


def terms_of_deal(row: DailyDealRow) -> DailyDeal:
    """Return the deal of a row. Raises Illegal for options that the rules no longer know."""
    commitment = commitment_of(as_hand(row))
    options = parse_options(row.game, msgspec.json.encode(commitment["options"]))
    assert isinstance(options, Limits), "it is a game against the bank"
    return DailyDeal(row.game, commitment["rules"], options, row.seed)


def moves_of(play: DailyPlayRow | None) -> list[str]:
    """Return the words of a line of play."""
    return msgspec.json.decode(play.moves, type=list[str]) if play is not None else []


def put_course(transaction: Transaction, play: DailyPlayRow, course: DailyCourse) -> None:
    """Store a line of play, with its score when it is over."""
    moves, score = msgspec.json.encode(course.moves).decode(), course.chips if course.is_over else None
    transaction.put(play._replace(moves=moves, score=score))


def next_due(open_deals: Iterable[tuple[int, str]]) -> float | None:
    """Return when the next day of decks whose seeds are not shown is over."""
    first = min(open_deals, default=None)
    return None if first is None else (first[0] + 1) * DAY_S


def turn_day(transaction: Transaction, now: float, entropy: Callable[[int], bytes]) -> None:
    """Bring the decks up to date, at a start and at midnight.

    Days that are over end: unfinished hands are played as time outs, and the seeds are shown. Decks of another log,
    from before the books were restored, are committed in the current one. Missing decks of today and tomorrow are
    committed.
    """
    today = day_of(now)
    for row in daily.open_deals(transaction.books):
        current = _commit_anew(transaction, row, now)
        if row.day < today:
            _end_deal(transaction, current, now)
    if transaction.log_of(LOUNGE).joined:
        return  # a log that has ended takes no commitments
    for day in (today, today + 1):
        for game in daily_games():
            if find_deal(transaction, day, game) is None:
                _commit(transaction, day, game, entropy(32), now)


def _commit_anew(transaction: Transaction, row: DailyDealRow, now: float) -> DailyDealRow:
    """Commit to a deck in the current log if another one has its commitment: only a signed log proves its record."""
    kept, commitment = transaction.log_of(LOUNGE), commitment_of(as_hand(row))
    if kept.joined or commitment["log"] == kept.number:
        return row
    return _put_commitment(transaction, row, commitment, now)


def _end_deal(transaction: Transaction, row: DailyDealRow, now: float) -> None:
    commitment, lines = load_commitment(row.deal)
    assert commitment is not None
    _end_plays(transaction, row)
    number = commitment["log"]
    at = transaction.log_of(LOUNGE, number).time(now)
    line = transaction.log(LOUNGE, log.opened(commit_to(commitment), row.seed, WHY, at), number)
    deal = dump_dropped(commitment, (*lines, line), row.seed, WHY)
    transaction.put(row._replace(deal=deal, ended=now))


def _end_plays(transaction: Transaction, row: DailyDealRow) -> None:
    """Finish the lines of play; where one of them cannot be, the deal counts for nobody (TN32)."""
    written = {play.player: play for play in daily.plays_of_deal(transaction.books, row.day, row.game)}
    fresh = {play.player: play for play in transaction.unwritten(DailyPlayRow) if play[:2] == row[:2]}
    plays = (written | fresh).values()
    try:
        deal = terms_of_deal(row)
        for play in plays:
            if play.score is None:
                put_course(transaction, play, follow_course(deal, moves_of(play)).time_out())
    except Exception as fault:
        _log.error("the deal of the day cannot be finished: %s", type(fault).__name__)
        for play in plays:
            transaction.put(play._replace(score=None))


class Ranked(NamedTuple):
    """A place in a ranking. `score` in minor units; equal scores share a place."""

    place: int
    player: int
    score: int
    moves: tuple[str, ...] = ()


def first_plays(transaction: Transaction, plays: Iterable[DailyPlayRow]) -> Iterator[DailyPlayRow]:
    """Yield the first line of play of each person in each deal, under the account that they have now.

    `plays` are in the order in which they began.
    """
    seen = set[tuple[int, str, int]]()
    for play in plays:
        ids = ids_of_person(transaction, play.player)
        if (key := (play.day, play.game, min(ids))) not in seen:
            seen.add(key)
            yield play._replace(player=current_player(transaction, play.player))


def current_player(transaction: Transaction, player: int) -> int:
    """Return the player that another one was merged into, or the same."""
    while (merged := transaction.players[player].state.merged) is not None:
        player = merged
    return player


def rank_deal(transaction: Transaction, row: DailyDealRow, is_shown: Callable[[int], bool]) -> list[Ranked]:
    """Rank the people of a deal whose day is over; empty for one that counts for nobody."""
    plays = daily.plays_of_deal(transaction.books, row.day, row.game) if row.ended is not None else []
    scores = {play.player: play for play in first_plays(transaction, plays) if is_shown(play.player)}
    ranked = sorted(scores.values(), key=lambda play: -(play.score or 0))
    if any(play.score is None for play in plays):
        return []
    return [
        Ranked(
            1 + sum((one.score or 0) > (play.score or 0) for one in ranked),
            play.player,
            play.score or 0,
            (*moves_of(play),),
        )
        for play in ranked
    ]
