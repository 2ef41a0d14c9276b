"""`ridotto doctor`: the books against the rules. Every hand is played again and its postings are held against it.

One sentence a fault; nothing is mended, and a casino that is running meanwhile is not disturbed.
"""

from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from typing import TypeVar

from msgspec import DecodeError

from bot.cli.log_faults import examine_logs
from bot.core.commands.hooks import waiting_in
from bot.core.rounds.replay_check import examine_hand
from bot.core.state.table import Table, load_table
from bot.core.state.values import load_casino, load_member, load_player
from storage import doctor, ledger
from storage.faults import BooksError
from storage.questions import casinos, everything, hands, people
from storage.questions.accounts import nonzero_balances
from storage.store import Reader, Store

_SHOWN = 160
_AT_ONCE = 10_000
R = TypeVar("R")


def examine(books: Reader, settled: Container[int] = (), *, with_logs: bool = True) -> Iterator[str]:
    """Every fault that storage finds by itself, then those that only the rules can tell.

    A settled hand never changes, nor does an entry of a log: who examines often need not play those hands again that
    were `settled` when it ran, nor follow the logs each time.
    """
    yield from doctor.examine(books)
    tables: dict[int, Table] = {}
    for row in casinos.tables(books):
        try:
            tables[row.id] = load_table(row.id, row.casino, row.game, row.status, row.state)
        except Exception as fault:
            yield f"Table {row.id} cannot be read: {_say(fault)}."
    for hand_id in hands.hand_numbers(books):
        if hand_id in settled:
            continue
        hand = hands.hand(books, hand_id)
        assert hand is not None
        try:
            yield from (f"Hand {hand.id}: {fault}." for fault in examine_hand(books, hand, tables.get(hand.table_id)))
        except Exception as fault:
            yield f"Hand {hand.id} does not replay: {_say(fault)}."
    yield from _examine_states(books)
    yield from _examine_escrow(books)
    yield from _examine_stacks(books, tables)
    if with_logs:
        yield from examine_logs(books)


def check(store: Store) -> int:
    """Say what is wrong, or that nothing is. The answer is the exit status. Raises BooksError without books."""
    found = False
    try:
        if loss := store.find_loss():
            found = True
            print(loss)
        with store.reading() as books:
            for fault in examine(books):
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


def summary(books: Reader) -> str:
    """Return the summary of books without faults."""
    count = everything.counts(books)
    return f"No problems found: {count.accounts} accounts, {count.postings} postings, {count.hands} hands."


def _say(fault: Exception) -> str:
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
        yield f"{name} cannot be read: {_say(fault)}."


def _examine_stacks(books: Reader, tables: dict[int, Table]) -> Iterator[str]:
    for name, balance in nonzero_balances(books, "stack").items():
        _kind, at, player = name.split(":")
        table = tables.get(int(at))
        if table is None or table.seat_of(int(player)) is None:
            yield f"Account {name} holds {balance}, but its player has no seat at that table."
