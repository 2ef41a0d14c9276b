"""Stores with a long past, filled fast: one real hand, again and again, by different players.

SQLite itself multiplies moves, results and postings. Each hand has its own commitment and its own entries in the log:
all is as the casino would have written it.
"""

import atexit
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.crowd import PLATFORM, PLAYERS_A_TABLE, boldest_move, game_with_seats
from bot.config import CHATS
from bot.core.commands.command import Command, Who
from bot.core.rounds.hand_records import commit_of, dump_record, read_record
from bot.core.state.casino_log import CasinoLog, read_log
from bot.core.state.lounge import LOUNGE, room
from bot.core.state.place import Place
from bot.core.state.transaction import Transaction
from bot.core.writer import KEYS_KEPT_S, Writer
from engine.fairness import log
from engine.fairness.commitment import commit_to
from engine.fairness.record import Record
from storage import ledger
from storage.questions import hands
from storage.questions.postings import postings_of_hand
from storage.questions.results import results_of_hand
from storage.rows import HandRow, LogEntryRow, MoveRow, PostingRow, ResultRow
from storage.sqlite import FILE, SqliteBooks, SqliteStore

POSTINGS = (10_000, 1_000_000, 10_000_000)
POSTINGS_A_PLAYER = 400
BYTES_A_POSTING = 250
# A key for this many postings.
KEYS_OF, LEAST_KEYS = 10, 10_000
# Wallets never become empty: every player starts with enough chips for all their hands.
WELCOME = 1_000_000_00
SEED = 4
# The players of the first tables, who play a quarter of all hands.
REGULARS = 10
_DECIDE_S = 600.0
_AT_ONCE = 10_000
_CROWD = [Who(PLATFORM, f"old {number}", f"Player {number}") for number in range(1, PLAYERS_A_TABLE + 1)]
_SLOW = (
    *("postings_by_debit", "postings_by_credit", "postings_by_casino", "postings_of_stacks", "hands_by_casino"),
    *("results_by_player", "wins_by_size", "wins_by_day"),
    "results_add_up",
)
# The group of seven that plays a hand: the regulars every fourth, the others by turns.
_GROUP = f"CASE WHEN hand % 4 = 0 THEN hand / 4 % min({REGULARS}, :groups) ELSE hand % :groups END"
_HANDS = f"""WITH RECURSIVE hands_to_come (hand) AS (
                 SELECT :first UNION ALL SELECT hand + 1 FROM hands_to_come WHERE hand + 1 < :first + :count),
             played (hand, first_player) AS (SELECT hand, ({_GROUP}) * {PLAYERS_A_TABLE} FROM hands_to_come)"""


class Past(NamedTuple):
    """A finished hand with all its rows; its players are numbered from 1."""

    hand: HandRow
    record: Record
    moves: list[MoveRow]
    postings: list[PostingRow]
    results: list[ResultRow]


@cache
def old_books(postings: tuple[int, ...]) -> dict[int, Path]:
    """Create stores of these sizes once for all benchmarks of this process, which deletes them when it ends."""
    folder = Path(tempfile.mkdtemp(prefix="ridotto-bench-"))
    atexit.register(shutil.rmtree, folder)
    return age_books(folder, fit_postings(folder, postings))


def fit_postings(folder: Path, postings: Sequence[int]) -> list[int]:
    """Return the sizes for which all copies fit on the disk."""
    free = shutil.disk_usage(folder).free
    fit = [size for number, size in enumerate(postings) if sum(postings[: number + 1]) * BYTES_A_POSTING < free]
    for size in postings[len(fit) :]:
        print(f"{folder.parent} has no room for books of {size} postings; TMPDIR names another", file=sys.stderr)
    return fit


def age_books(folder: Path, postings: Sequence[int]) -> dict[int, Path]:
    """Create stores of each size, each a copy of the smaller one with more hands and people."""
    made: dict[int, Path] = {}
    growing, players = folder / "growing", REGULARS * PLAYERS_A_TABLE
    past = begin_books(growing)
    for size in postings:
        now, wanted = time.time(), max(REGULARS * PLAYERS_A_TABLE, size // POSTINGS_A_PLAYER)
        add_players(growing, wanted - (players if made else PLAYERS_A_TABLE), now)
        players = wanted
        there = add_hands(growing, past, size)
        add_keys(growing, max(there // KEYS_OF, LEAST_KEYS), now - KEYS_KEPT_S / 2)
        made[there] = folder / str(size)
        if size == max(postings):
            growing.rename(made[there])
        else:
            made[there].mkdir()
            shutil.copy(growing / FILE, made[there])
    return made


def begin_books(folder: Path) -> Past:
    """Open the store and play the hand that is copied: everyone bets, takes back, and bets again.

    Its table closes with it: the commitments of the copies follow that of this hand.
    """
    now = [time.time() - 86400.0]
    books = SqliteBooks(folder)
    writer = Writer(books, clock=lambda: now[0], entropy=random.Random(SEED).randbytes, secret=bytes(32))
    # Of the lounge, whose first hands follow from the entropy.
    table = next(table.id for table in writer.state.tables.values() if table.game == game_with_seats())
    place = room(table)
    for words in (["bet", "10"], ["takeback"], ["bet", "20"]):
        _all_say(writer, place, [words] * PLAYERS_A_TABLE)
    now[0] += _DECIDE_S
    writer.round([], [])
    state = writer.state
    _close_after_hand(writer, table)
    players = [state.identities[who.platform, who.account] for who in _CROWD]
    _all_say(writer, place, [boldest_move(state.tables[table], player) for player in players])
    (hand,) = (row for id in hands.hand_numbers(books) if (row := hands.hand(books, id)) and row.status == "over")
    record = read_record(books, hand.id)
    assert record is not None
    past = Past(
        hand,
        record,
        hands.moves_of_hand(books, hand.id),
        postings_of_hand(books, hand.id),
        results_of_hand(books, hand.id),
    )
    books.close()
    return past


def _close_after_hand(writer: Writer, table: int) -> None:
    transaction = Transaction(writer.state)
    transaction.set_table(writer.state.tables[table].change(status="closing"))
    transaction.finish()
    writer.books.write(transaction)
    writer.state.publish(transaction)


def _all_say(writer: Writer, place: Place, lines: Sequence[Sequence[str]]) -> None:
    """Submit each person's own line, in one batch."""
    said = [
        Command(f"{verb} {args} {who.account}", who, place, verb, tuple(args))
        for who, (verb, *args) in zip(_CROWD, lines, strict=True)
    ]
    writer.round(said, [Future() for _command in said])
    writer.round([], [])


def add_players(folder: Path, count: int, at: float) -> None:
    """Add this many players, with chips for a long time."""
    with _bulk(folder) as books:
        ((first,),) = books.execute("SELECT max(id) + 1 FROM players")
        new = range(first, first + count)
        books.executemany(
            "INSERT INTO players (id, name, language, state, joined) VALUES (?, ?, 'en', '{}', ?)",
            ((id, f"Player {id}", at) for id in new),
        )
        books.executemany(
            "INSERT INTO identities (platform, name, player) VALUES (?, ?, ?)",
            ((PLATFORM, f"old {id}", id) for id in new),
        )
        books.executemany("INSERT INTO members VALUES (?, ?, ?, '{}', '', 1, '', '')", ((LOUNGE, id, at) for id in new))
        wallets, mint = [(ledger.wallet(LOUNGE, id),) for id in range(1, first + count)], ledger.mint(LOUNGE)
        grant = "INSERT INTO postings (at, debit, credit, amount, why) VALUES (?, ?, ?, ?, 'start')"
        books.executemany(grant, ((at, mint, wallet, WELCOME) for (wallet,) in wallets))
        _add_to_accounts(books, ((wallet, WELCOME) for (wallet,) in wallets))
        _add_to_accounts(books, [(mint, -WELCOME * len(wallets))])


def add_hands(folder: Path, past: Past, postings: int) -> int:
    """Add hands up to this many postings, spread over all players in sevens; return the number of postings."""
    with SqliteStore(folder).reading() as reader:
        casino_log, newest = read_log(reader, LOUNGE), hands.settled_hands(reader, sys.maxsize, 1)
    assert casino_log is not None
    with _bulk(folder) as books:
        ((there,),) = books.execute("SELECT count(*) FROM postings")
        ((players,),) = books.execute("SELECT max(id) FROM players")
        ((first,),) = books.execute("SELECT max(id) + 1 FROM hands")
        count = max(0, postings - there) // len(past.postings)
        if count:
            copies = _Copies(past, casino_log, commit_of(newest[0]))
            _multiply(books, past, copies, {"first": first, "count": count, "groups": players // PLAYERS_A_TABLE})
        ((there,),) = books.execute("SELECT count(*) FROM postings")
        return int(there)


class _Copies:
    """Copies of a hand, each with its own commitment, record and entries in the log."""

    def __init__(self, past: Past, casino_log: CasinoLog, previous: str) -> None:
        """`previous` is the commit of the last hand at its table."""
        self._past, self._log, self._previous = past, casino_log, previous
        self.entries: list[LogEntryRow] = []

    def deal(self, hand: int, first_player: int) -> HandRow:
        """Return the hand with this number, whose players follow `first_player`, and append its entries."""
        row, record, at = self._past.hand, self._past.record, self._log.last_at
        commitment = {**record["promise"], "hand": str(hand), "previous": self._previous}
        stakes = [one | {"player": f"p{first_player + int(one['player'][1:])}"} for one in record["stakes"]]
        record = record | {"promise": commitment, "stakes": stakes}
        commit = self._previous = commit_to(commitment)
        meter = {"before": record["jackpot"], "after": record["jackpot"]}
        first = self._log.size
        self._append(log.committed(commitment, at))
        self._append(log.closed(commit, start=0, cuts=[], salt=record["salt"], stakes=stakes, round=0, at=at))
        self._append(log.paid(commit, record, next=0, void="", meter=meter, at=at))
        self._append(log.opened(commit, row.seed, "", at))
        return row._replace(id=hand, deal=dump_record(record, [first, first + 1, first + 2], row.seed))

    def _append(self, entry: log.Entry) -> None:
        self._log, row = self._log.append(entry)
        self.entries.append(row)


def _multiply(books: sqlite3.Connection, past: Past, copies: _Copies, hands: dict[str, int]) -> None:
    """Insert each table in its own order; indexes with another order are created at the end."""
    named = f"SELECT sql, 'DROP ' || type || ' ' || name FROM sqlite_master WHERE name IN {_SLOW}"
    slow = books.execute(named).fetchall()
    for _made, dropped in slow:
        books.execute(dropped)
    _lay_patterns(books, past)
    _add_copies(books, copies, hands)
    many = f"{_HANDS} SELECT {{}} FROM played CROSS JOIN {{}}"
    books.execute(f"INSERT INTO moves {many.format('hand, number, move, at', 'moves_before')}", hands)
    result = "hand, first_player + player, casino, game, wagered, returned, at"
    books.execute(f"INSERT INTO results {many.format(result, 'results_before')}", hands)
    posting = f"at, {_account('debit')}, {_account('credit')}, amount, why, hand, event"
    columns = ", ".join(PostingRow._fields)
    books.execute(f"INSERT INTO postings ({columns}) {many.format(posting, 'postings_before')}", hands)
    _settle(books, past, hands)
    books.execute("DELETE FROM sums")
    books.execute(
        "INSERT INTO sums SELECT player, casino, game, count(*), sum(wagered), sum(returned), max(returned - wagered)"
        " FROM results GROUP BY player, casino, game"
    )
    for made, _dropped in slow:
        books.execute(made)


def _add_copies(books: sqlite3.Connection, copies: _Copies, hands: dict[str, int]) -> None:
    """Insert hands and their entries in portions that fit into memory."""
    played = books.execute(f"{_HANDS} SELECT hand, first_player FROM played", hands)
    while some := played.fetchmany(_AT_ONCE):
        _insert(books, "hands", [copies.deal(*one) for one in some])
        _insert(books, "log_entries", copies.entries)
        copies.entries.clear()


def _insert(books: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    books.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _lay_patterns(books: sqlite3.Connection, past: Past) -> None:
    """Create the rows to multiply. Accounts are split into a fixed part and the player's number."""
    for table in ("moves_before", "results_before", "postings_before"):
        books.execute(f"DROP TABLE IF EXISTS temp.{table}")
    books.execute("CREATE TEMP TABLE moves_before (number, move, at)")
    books.executemany("INSERT INTO moves_before VALUES (?, ?, ?)", (row[1:] for row in past.moves))
    books.execute("CREATE TEMP TABLE results_before (player, casino, game, wagered, returned, at)")
    books.executemany("INSERT INTO results_before VALUES (?, ?, ?, ?, ?, ?)", (row[1:] for row in past.results))
    books.execute("CREATE TEMP TABLE postings_before (at, debit, debit_of, credit, credit_of, amount, why, event)")
    postings = (
        (row.at, *_split(row.debit), *_split(row.credit), row.amount, row.why, row.event) for row in past.postings
    )
    books.executemany("INSERT INTO postings_before VALUES (?, ?, ?, ?, ?, ?, ?, ?)", postings)


def _split(account: str) -> tuple[str, int | None]:
    """Return (prefix, player's number) of an account; 0 for the hand, None for a fixed account."""
    kind, _colon, _rest = account.partition(":")
    if kind == "player":
        return account.rpartition(":")[0] + ":", int(account.rpartition(":")[2])
    return ("hand:", 0) if kind == "hand" else (account, None)


def _account(side: str) -> str:
    whose = f"CASE {side}_of WHEN 0 THEN hand ELSE first_player + {side}_of END"
    return f"CASE WHEN {side}_of IS NULL THEN {side} ELSE {side} || {whose} END"


def _settle(books: sqlite3.Connection, past: Past, hands: dict[str, int]) -> None:
    """Set the balances: the hands' accounts are empty, the others move by one hand's changes times the hands."""
    books.execute(f"INSERT INTO accounts {_HANDS} SELECT 'hand:' || hand, 0 FROM played", hands)
    times = books.execute(f"{_HANDS} SELECT first_player, count(*) FROM played GROUP BY first_player", hands).fetchall()
    nets: dict[tuple[str, int | None], int] = {}
    for row in past.postings:
        for account, amount in ((row.debit, -row.amount), (row.credit, row.amount)):
            nets[_split(account)] = nets.get(_split(account), 0) + amount
    for (begins, player), net in nets.items():
        if player is None:
            _add_to_accounts(books, [(begins, net * hands["count"])])
        elif player:
            _add_to_accounts(books, ((f"{begins}{first + player}", net * count) for first, count in times))


def _add_to_accounts(books: sqlite3.Connection, amounts: Iterable[tuple[str, int]]) -> None:
    added = list(amounts)
    books.executemany("INSERT OR IGNORE INTO accounts VALUES (?, 0)", ((name,) for name, _amount in added))
    books.executemany("UPDATE accounts SET balance = balance + ? WHERE name = ?", (one[::-1] for one in added))


def add_keys(folder: Path, count: int, at: float) -> None:
    """Add keys of updates that were answered within two days."""
    chance = random.Random(f"{count} {at}")
    with _bulk(folder) as books:
        keys = ((f"{CHATS[0]}:{chance.getrandbits(62):019}", at + n * 1e-3) for n in range(count))
        books.executemany("INSERT INTO answers (key, answer, at) VALUES (?, '[\"[]\",false,null]', ?)", keys)


@contextmanager
def _bulk(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open a store for bulk inserts, without protection against crashes."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as books:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -200000", "temp_store = MEMORY"):
            books.execute(f"PRAGMA {pragma}")
        books.execute("BEGIN")
        yield books
        books.execute("COMMIT")
