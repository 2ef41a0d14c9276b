"""Work in a process that dies before SQLite changes a file for the N-th time.

`python -m tests.kills.steps` reads [N, name of the work, arguments...] a line and answers with the exit status of a
fork of itself: -9 for one that was killed, 0 for work done before its N-th change, 1 for failed work.
"""

import json
import os
import random
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path

import bot.games
from bot.core.casinos.log_heads import sign
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.transaction import State, Transaction
from bot.core.writer import Writer
from bot.texts.times import DAY_S
from engine.fairness.commitment import make_commitment
from engine.fairness.ed25519 import public_key
from engine.fairness.log import committed
from engine.games import GAMES
from storage.rows import HandRow
from storage.sqlite import SqliteBooks, copy, restore
from tests.kills.dying import die_at
from tests.patience import PATIENCE_S

NOW = 1_800_000_000.0
# The casino whose log grows.
LOGGED = 2
SECRET = bytes(32)
KEY = public_key(SECRET).hex()
ANNA = Who("web", "anna's account", "Anna")


def open_books(folder: str) -> None:
    SqliteBooks(Path(folder)).close()


def bet(folder: str, key: str) -> None:
    """Open a casino and place a bet."""
    with closing(SqliteBooks(Path(folder))) as books:
        writer = Writer(books, clock=lambda: NOW, entropy=random.Random(key).randbytes, secret=bytes(32))
        writer.start()
        writer.submit(Command(key, ANNA, Place("web", "1"), "bet", ("50",))).result(PATIENCE_S)
        writer.stop()


def found(folder: str) -> None:
    """Open a casino, whose tables are new."""
    import_module("tests.core.conftest").House(Path(folder)).close()


def tournament(folder: str, began: str) -> None:
    """Play a tournament to its end, from wherever it was left; the clock starts at `began`."""
    house = import_module("tests.core.conftest").House(Path(folder), began=float(began))
    house.entropy, house.keys = random.Random(began).randbytes, int(float(began))
    with closing(house):
        import_module("tests.core.tournaments").continue_sit_and_go(house)


def night(folder: str, began: str, until: str) -> None:
    """Play a tournament against the bank on to its end, or until this hand is the next; the clock starts at `began`."""
    house = import_module("tests.core.conftest").House(Path(folder), began=float(began))
    house.entropy, house.keys = random.Random(began).randbytes, int(float(began))
    with closing(house):
        import_module("tests.core.tournaments").continue_night(house, int(until))


def tables(folder: str, began: str, moves: str) -> None:
    """Make so many moves in a tournament at two tables, from wherever it was left; the clock starts at `began`."""
    house = import_module("tests.core.conftest").House(Path(folder), began=float(began))
    house.entropy, house.keys = random.Random(began).randbytes, int(float(began))
    with closing(house):
        import_module("tests.core.tournaments").continue_at_tables(house, int(moves))


def deal(folder: str) -> None:
    """Bet and fold in the deal of the day, by buttons that count once."""
    house = import_module("tests.core.conftest").House(Path(folder))
    day = int(house.clock.now // DAY_S)
    with closing(house):
        house.do(f"anna deal play caribbean {day}.0 bet 50")
        house.do(f"anna deal play caribbean {day}.1 fold")


def append(folder: str) -> None:
    """Append entries to a casino's log, each with its hand, and a head of each size."""
    with closing(SqliteBooks(Path(folder))) as books:
        house = State(books, key=KEY)
        for _number in range(3):
            transaction = Transaction(house)
            log, hand = transaction.log_of(LOGGED), transaction.next_id(HandRow)
            seed = hand.to_bytes(32, "big")
            commitment = make_commitment(
                house=log.house,
                casino=str(LOGGED),
                log=log.number,
                table=str(hand),
                hand=str(hand),
                game="uth",
                options=GAMES["uth"].parse_options({}),
                previous="",
                server=seed,
            )
            line = transaction.log(LOGGED, committed(commitment, log.time(NOW)))
            deal = json.dumps({"v": 2, "promise": commitment, "lines": [line]})
            transaction.put(HandRow(hand, LOGGED, 1, "uth", "betting", seed, deal, NOW, None))
            transaction.put(sign(SECRET, transaction.log_of(LOGGED), log.time(NOW)))
            books.write(transaction)
            house.publish(transaction)


def back_up(folder: str, target: str) -> None:
    copy(Path(folder) / "ridotto.sqlite3", Path(target))


def bring_back(source: str, folder: str) -> None:
    restore(Path(source), Path(folder))


WORKS: dict[str, Callable[..., None]] = {
    "open": open_books,
    "bet": bet,
    "found": found,
    "tournament": tournament,
    "night": night,
    "tables": tables,
    "deal": deal,
    "append": append,
    "backup": back_up,
    "restore": bring_back,
}


def _do(number: int, work: str, arguments: list[str]) -> int:
    """Run the work in a fork and return its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    die_at(number)
    try:
        WORKS[work](*arguments)
    except Exception as fault:
        print(fault, file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    bot.games.load()
    import_module("tests.core.tournaments")  # it names games, and is imported once for all forks
    sqlite3.connect(":memory:").close()
    for line in sys.stdin:
        number, work, *arguments = json.loads(line)
        print(_do(number, work, arguments), flush=True)
