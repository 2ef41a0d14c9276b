"""Books with a long past, filled fast: one hand that was really played, again and again, by ever other players.

What stands there is as the house itself would have written it: the doctor finds nothing.
"""

import random
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bot.bench.crowd import PLATFORM, PLAYERS_A_TABLE, crowd_at, open_tables
from bot.floor.deals import REVEAL_AFTER, dump_deal
from bot.floor.floor import LOUNGE
from bot.floor.knowing import read_record
from bot.pit import Pit
from engine.felt import Deal
from engine.record import parse_record
from storage import ledger
from storage.database import FILE, Books
from storage.rows import HandRow, MoveRow, PostingRow, ResultRow

WELCOME = 1000_00
SLOW_INDEXES = ("postings_by_debit", "postings_by_credit")
_DECIDE_S = 600.0


class Past(NamedTuple):
    """A hand that is over, with all its rows; its players are numbered from 1."""

    hand: HandRow
    deal: Deal
    moves: list[MoveRow]
    postings: list[PostingRow]
    results: list[ResultRow]


def begin_books(folder: Path) -> Past:
    """Opens the books, and plays the hand that the others are like."""
    now = [time.time() - 86400.0]
    books = Books(folder)
    pit = Pit(books, clock=lambda: now[0], entropy=random.Random(1).randbytes)
    crowd = crowd_at(open_tables(pit, 1), PLAYERS_A_TABLE)
    pit.round([client.next() for client in crowd], [Future() for _client in crowd])
    while not (hands := books.rows(HandRow, "WHERE status = 'over'")):
        now[0] += _DECIDE_S
        pit.round([], [])
    where, record = "WHERE hand = ? ORDER BY {}", read_record(books, hands[0].id, with_seed=True)
    assert record is not None
    past = Past(
        hands[0],
        parse_record(record)[0],
        books.rows(MoveRow, where.format("number"), hands[0].id),
        books.rows(PostingRow, where.format("id"), hands[0].id),
        books.rows(ResultRow, where.format("player"), hands[0].id),
    )
    books.close()
    return past


def add_players(folder: Path, count: int, at: float) -> None:
    """So many more, with a first thousand each."""
    with closing(_open(folder)) as books:
        ((first,),) = books.execute("SELECT max(id) + 1 FROM players")
        new = range(first, first + count)
        books.executemany("INSERT INTO players VALUES (?, ?, 'en', '{}', ?)", ((id, f"Player {id}", at) for id in new))
        books.executemany("INSERT INTO identities VALUES (?, ?, ?)", ((PLATFORM, f"old {id}", id) for id in new))
        books.executemany("INSERT INTO members VALUES (?, ?, ?, '{}')", ((LOUNGE, id, at) for id in new))
        nets: Counter[str] = Counter()
        _post(books, (_grant(id, WELCOME, "start", at) for id in new), nets)
        _settle(books, nets)
        books.commit()


def add_hands(folder: Path, past: Past, postings: int) -> int:
    """Hands until there are so many postings, spread over all players in sevens. Answers with how many there are."""
    with closing(_open(folder)) as books:
        rebuilt = [books.execute("SELECT sql FROM sqlite_master WHERE name = ?", [name]) for name in SLOW_INDEXES]
        indexes = [sql for found in rebuilt for (sql,) in found]
        for name in SLOW_INDEXES:
            books.execute(f"DROP INDEX {name}")
        ((there,),) = books.execute("SELECT count(*) FROM postings")
        ((players,),) = books.execute("SELECT max(id) FROM players")
        ((first,),) = books.execute("SELECT max(id) + 1 FROM hands")
        hands = max(0, postings - there) // len(past.postings)
        nets: Counter[str] = Counter()
        groups = players // PLAYERS_A_TABLE
        _bear_losses(books, past, hands // groups + 1, groups, nets)
        deals = [_deal_of(past, group) for group in range(groups)]
        books.executemany(
            "INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (past.hand._replace(id=id, deal=deals[id % groups]) for id in range(first, first + hands)),
        )
        moves = (row._replace(hand=id) for id in range(first, first + hands) for row in past.moves)
        books.executemany("INSERT INTO moves VALUES (?, ?, ?, ?)", moves)
        # In the order in which they lie, or each would be written somewhere else.
        results = (
            row._replace(hand=id, player=_player(row.player, group))
            for group in range(groups)
            for row in past.results
            for id in range(first + (group - first) % groups, first + hands, groups)
        )
        books.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", results)
        _post(books, (row for id in range(first, first + hands) for row in _postings(past, id, id % groups)), nets)
        _settle(books, nets)
        for sql in indexes:
            books.execute(sql)
        books.commit()
        ((postings,),) = books.execute("SELECT count(*) FROM postings")
        return int(postings)


def add_keys(folder: Path, count: int, at: float) -> None:
    """Of updates that were answered within two days."""
    chance = random.Random(count)
    with closing(_open(folder)) as books:
        books.executemany(
            "INSERT INTO answers (key, answer, at) VALUES (?, ?, ?)",
            ((f"discord:{chance.getrandbits(62):019}", '["[]",false,null]', at + n * 1e-3) for n in range(count)),
        )
        books.commit()


def _open(folder: Path) -> sqlite3.Connection:
    """Nobody else has these books open, and what is lost in a crash is made anew."""
    books = sqlite3.connect(folder / FILE)
    books.execute("PRAGMA journal_mode = MEMORY")
    books.execute("PRAGMA synchronous = OFF")
    books.execute("PRAGMA cache_size = -200000")
    return books


def _player(number: int, group: int) -> int:
    """The player of a group who stands where the first hand had player `number`."""
    return group * PLAYERS_A_TABLE + number


def _deal_of(past: Past, group: int) -> str:
    stakes = [replace(one, player=f"p{_player(int(one.player[1:]), group)}") for one in past.deal.stakes]
    return dump_deal(replace(past.deal, stakes=tuple(stakes)), REVEAL_AFTER)


def _account(name: str, hand: int, group: int) -> str:
    kind, _colon, rest = name.partition(":")
    if kind == "player":
        return ledger.wallet(LOUNGE, _player(int(rest.rpartition(":")[2]), group))
    return ledger.hand(hand) if kind == "hand" else name


def _postings(past: Past, hand: int, group: int) -> Iterator[PostingRow]:
    for row in past.postings:
        debit, credit = _account(row.debit, hand, group), _account(row.credit, hand, group)
        yield row._replace(debit=debit, credit=credit, hand=hand)


def _bear_losses(books: sqlite3.Connection, past: Past, times: int, groups: int, nets: Counter[str]) -> None:
    """Nobody's wallet is empty after it: who loses is granted that before."""
    lost: Counter[int] = Counter()
    for row in past.results:
        lost[row.player] += max(0, row.wagered - row.returned) * times
    grants = (
        _grant(_player(number, group), amount, "grant", past.hand.opened)
        for group in range(groups)
        for number, amount in lost.items()
        if amount
    )
    _post(books, grants, nets)


def _grant(player: int, amount: int, why: str, at: float) -> PostingRow:
    return PostingRow(at, ledger.mint(LOUNGE), ledger.wallet(LOUNGE, player), amount, why, None, None)


def _post(books: sqlite3.Connection, rows: Iterator[PostingRow], nets: Counter[str]) -> None:
    def counted() -> Iterator[PostingRow]:
        for row in rows:
            nets[row.debit] -= row.amount
            nets[row.credit] += row.amount
            yield row

    books.executemany(f"INSERT INTO postings ({', '.join(PostingRow._fields)}) VALUES (?, ?, ?, ?, ?, ?, ?)", counted())


def _settle(books: sqlite3.Connection, nets: Counter[str]) -> None:
    books.executemany(
        "INSERT INTO accounts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET balance = balance + excluded.balance",
        nets.items(),
    )
