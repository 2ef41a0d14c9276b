"""`ridotto doctor`: check the books by the rules. Every hand is played again and compared with its postings.

A fault is one sentence. Nothing is repaired, and a running casino is not disturbed.
"""

import os
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

from msgspec import DecodeError

from bot.cli.log_faults import examine_entries, follow_logs
from bot.cli.progress import bar_of
from bot.core.commands.hooks import waiting_in
from bot.core.rounds.replay_check import examine_whole_hand
from bot.core.rounds.tournament_check import examine_tournament
from bot.core.state.table import Table, load_table, share_tournaments
from bot.core.state.values import load_casino, load_member, load_player
from bot.games import load as load_games
from storage import doctor, ledger
from storage.faults import BooksError
from storage.questions import casinos, everything, hands, people
from storage.questions.accounts import nonzero_balances
from storage.questions.whole_hands import whole_hands
from storage.store import Reader, Store

# From this number of hands on, more processes are worth their start.
FEW = 20_000
HANDS_A_PORTION = 500
_SHOWN = 160
_AT_ONCE = 10_000
R = TypeVar("R")


class _Examination(NamedTuple):
    """Books and tables that are open in a process, and the extent of its examination."""

    books: Reader
    tables: dict[int, Table]
    settled: Container[int]
    with_logs: bool


_opened: _Examination
# Closes the books of a process.
_held = ExitStack()


def examine(
    books: Reader, settled: Container[int] = (), *, with_logs: bool = True, store: Store | None = None
) -> Iterator[str]:
    """Yield every fault that storage finds by itself, then those that only the rules can tell.

    A settled hand never changes, nor does an entry of a log: frequent callers need not play those hands again that were
    `settled` when it ran, nor follow the logs each time. With the `store` of the books, many hands are played again in
    several processes, with a progress bar.
    """
    yield from doctor.examine(books)
    tables: dict[int, Table] = {}
    yield from _load_tables(books, tables)
    ids = hands.hand_numbers(books)
    if store is not None and len(ids) > FEW:
        yield from _examine_in_processes(store, ids, settled, with_logs=with_logs)
    else:
        for portion in _portions(ids):
            yield from _examine_hands(books, tables, portion, settled, with_logs=with_logs)
        yield from follow_logs(books) if with_logs else ()
    yield from _examine_states(books)
    yield from _examine_escrow(books)
    yield from _examine_stacks(books, tables)
    yield from _examine_tournaments(books, tables)


def check(store: Store) -> int:
    """Print every fault, or that there is none, and return the exit status. Raises BooksError without books."""
    found = False
    try:
        if loss := store.find_loss():
            found = True
            print(loss)
        with store.reading() as books:
            for fault in examine(books, store=store):
                found = True
                print(fault)
            if not found:
                print(summary(books))
    except BooksError as unreadable:
        if not store.is_there() and not found:
            raise
        found = True
        print(unreadable)
    return int(found)


def _load_tables(books: Reader, tables: dict[int, Table]) -> Iterator[str]:
    for row in casinos.tables(books):
        try:
            tables[row.id] = load_table(row.id, row.casino, row.game, row.status, row.state)
        except Exception as fault:
            yield f"Table {row.id} cannot be read: {_describe_fault(fault)}."
    share_tournaments(tables)


def _portions(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[first : first + HANDS_A_PORTION] for first in range(0, len(ids), HANDS_A_PORTION)]


def _examine_hands(
    books: Reader, tables: Mapping[int, Table], ids: Sequence[int], settled: Container[int], *, with_logs: bool
) -> Iterator[str]:
    """Play hands again, but those that were `settled`, and look for all of them in the logs."""
    wholes = whole_hands(books, ids if with_logs else [id for id in ids if id not in settled])
    for whole in wholes:
        id, table = whole.hand.id, tables.get(whole.hand.table_id)
        try:
            if id not in settled:
                yield from (f"Hand {id}: {fault}." for fault in examine_whole_hand(books, whole, table))
        except Exception as fault:
            yield f"Hand {id} does not replay: {_describe_fault(fault)}."
    yield from examine_entries(books, wholes) if with_logs else ()


def _examine_in_processes(
    store: Store, ids: Sequence[int], settled: Container[int], *, with_logs: bool
) -> Iterator[str]:
    """Yield the faults of logs and of hands, in their order; each process has its own snapshot of the books."""
    portions = _portions(ids)
    tell = bar_of(len(portions))
    start = _open_books, (store, settled, with_logs)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), *start) as processes:
        # The longest part comes first, because a log is checked by one process.
        of_logs = processes.submit(_follow_logs)
        for number, faults in enumerate(processes.map(_examine_portion, portions), start=1):
            yield from faults
            tell(number)
        yield from of_logs.result()


def _open_books(store: Store, settled: Container[int], with_logs: bool) -> None:
    """Open the books of a process that examines logs and hands, until it ends."""
    global _opened
    load_games()
    books, tables = _held.enter_context(store.reading()), dict[int, Table]()
    deque(_load_tables(books, tables), maxlen=0)
    _opened = _Examination(books, tables, settled, with_logs)


def _examine_portion(ids: Sequence[int]) -> list[str]:
    return list(_examine_hands(_opened.books, _opened.tables, ids, _opened.settled, with_logs=_opened.with_logs))


def _follow_logs() -> list[str]:
    return list(follow_logs(_opened.books)) if _opened.with_logs else []


def summary(books: Reader) -> str:
    """Return the summary of books without faults."""
    count = everything.counts(books)
    return f"No problems found: {count.accounts} accounts, {count.postings} postings, {count.hands} hands."


def _describe_fault(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"[:_SHOWN].rstrip(".")


def _examine_escrow(books: Reader) -> Iterator[str]:
    waiting: set[str] = set()
    for row in casinos.casinos(books):
        with suppress(DecodeError):
            waiting |= {ledger.escrow(one.hand, one.seat) for one in waiting_in(load_casino(row))}
    for name, balance in nonzero_balances(books, "escrow").items():
        if name not in waiting:
            yield f"Account {name} holds {balance}, but no prize is waiting for confirmation."


def _examine_states(books: Reader) -> Iterator[str]:
    """Check that casinos, members and players can be read."""
    for casino in casinos.casinos(books):
        yield from _examine_state(load_casino, casino, f"Casino {casino.id}")
        for member in people.members_of_casino(books, casino.id):
            yield from _examine_state(load_member, member, f"Member {member.player} of casino {casino.id}")
    last = 0
    while some := people.players_after(books, last, _AT_ONCE):
        for player in some:
            yield from _examine_state(load_player, player, f"Player {player.id}")
        last = some[-1].id


def _examine_state(load: Callable[[R], object], row: R, name: str) -> Iterator[str]:
    try:
        load(row)
    except DecodeError as fault:
        yield f"{name} cannot be read: {_describe_fault(fault)}."


def _examine_stacks(books: Reader, tables: dict[int, Table]) -> Iterator[str]:
    for name, balance in nonzero_balances(books, "stack").items():
        _kind, at, player = name.split(":")
        table = tables.get(int(at))
        if table is None or table.seat_of(int(player)) is None:
            yield f"Account {name} holds {balance}, but its player has no seat at that table."


def _examine_tournaments(books: Reader, tables: Mapping[int, Table]) -> Iterator[str]:
    """Check pools, tournament chips and results, and that no account belongs to another table."""
    for id, table in tables.items():
        try:
            yield from (f"Tournament {id}: {fault}." for fault in examine_tournament(books, table, tables))
        except Exception as fault:
            yield f"Tournament {id} does not replay: {_describe_fault(fault)}."
    for kind in ("pool", "chips", "issue"):
        for name, balance in nonzero_balances(books, kind).items():
            found = tables.get(int(name.split(":")[1]))
            if found is None or found.tournament is None:
                yield f"Account {name} holds {balance}, but there is no such tournament."
