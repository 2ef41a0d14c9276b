"""Play Hold'em tournaments of house players to their end, and measure what their hands, levels and moves cost.

The writer handles one command at a time, with its commit, so that each cost is that of one hand's last move: the CPU
time of the writer's thread, and its ratio to a hand that changes nothing else.
"""

import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bot.core.commands.command import Command, Who
from bot.core.commands.counting import here
from bot.core.rounds import opening, tournament_table
from bot.core.state.lounge import GUESTS, LOBBY, LOUNGE, room
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.core.state.tournament import LiveTournament
from bot.core.state.transaction import Transaction
from bot.core.writer import Writer
from bot.platforms.common.guests import choose
from storage.questions.accounts import nonzero_balances
from storage.sqlite import SqliteBooks

GAME = "holdem"
TOURNAMENTS, ENTRIES, SEATS = 5, 200, 8
BUY_IN, STACK, LEVEL_S = 10_00, 10_000, 300.0
THINKS_S = 6.0
# What a hand's last move can bring besides, the rarest first.
OVER, BREAK, BALANCE, LEVEL, HAND = "the end", "a broken table", "a balanced table", "a new level", "a hand"


class Played(NamedTuple):
    """All tournaments. `chips_lost` is missing in the wallets at the end; `left_open` accounts are not empty then."""

    players: int
    tables: int
    hands: int
    moves: int
    levels: int
    chips_lost: int
    left_open: int


class Cost(NamedTuple):
    """Hands whose last move brought this, and its cost. `against_hand` compares the medians."""

    what: str
    times: int
    cpu_ms: float
    p99_ms: float
    against_hand: float


def measure_tournaments(tournaments: int = TOURNAMENTS, entries: int = ENTRIES, seats: int = SEATS) -> list[Any]:
    """Play the tournaments to their end, all at once."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        evening = Evening(Path(folder), entries, seats)
        try:
            return list(evening.play(tournaments))
        finally:
            evening.books.close()


class Evening:
    """Tournaments in one casino, whose players are house players."""

    def __init__(self, folder: Path, entries: int, seats: int) -> None:
        self._now, self._entries, self._seats = 1_000_000.0, entries, seats
        self._random = random.Random(1)
        self.books = SqliteBooks(folder)
        self._writer = Writer(
            self.books, clock=lambda: self._now, entropy=self._random.randbytes, secret=bytes(32), count=here
        )
        self._keys, self._moves = count(), 0
        self._costs: dict[str, list[float]] = {}

    def play(self, tournaments: int) -> Iterator[Any]:
        """Yield what was played, and what it cost."""
        first = [self._open() for _tournament in range(tournaments)]
        people = [self._introduce(number) for number in range(tournaments * self._entries)]
        before = self._wallets()
        for number, who in enumerate(people):
            self._say(who, first[number // self._entries], "tournament join")
        tables = sum(len(self._live(id).tables) for id in first)
        while not all(self._live(id).has_ended for id in first):
            self._step(first)
        yield Played(
            len(people),
            tables,
            sum(event.startswith('["hand"') for id in first for event in self._live(id).events),
            self._moves,
            max(self._live(id).now.level for id in first),
            before - self._wallets(),
            sum(name.startswith(("pool:", "chips:", "issue:")) for name in self._balances()),
        )
        usual = median(self._costs[HAND])
        for what in (HAND, LEVEL, BALANCE, BREAK, OVER):
            if found := sorted(self._costs.get(what, ())):
                middle, late = median(found), found[int(len(found) * 0.99)]
                yield Cost(what, len(found), round(middle, 2), round(late, 2), round(middle / usual, 2))

    def _open(self) -> int:
        """Open a sit & go in the lounge."""
        rules = {"game": GAME, "kind": "sit-and-go", "seats": self._seats, "least": self._entries}
        rules |= {"most": self._entries, "buy_in": BUY_IN, "stack": STACK, "level_hands": 0}
        live = LiveTournament(json.dumps(rules), self._random.randbytes(32), opened=self._now, level_s=LEVEL_S)
        transaction = Transaction(self._writer.state)
        table = opening.open_table(
            transaction,
            LOUNGE,
            GAME,
            LOBBY,
            self._now,
            self._random.randbytes(32),
            options=tournament_table.options_to_come(live, PLAYS[GAME].seating),
            tournament=live,
            seats=self._seats,
            coach=False,
        )
        transaction.set_table(tournament_table.wake(transaction, table, self._now))
        transaction.finish()
        self.books.write(transaction)
        self._writer.state.publish(transaction)
        self._writer.schedule.note_published(transaction)
        return table.id

    def _introduce(self, number: int) -> Who:
        who = Who(GUESTS, f"bench {number}", f"Player {number}")
        self._submit([Command(f"hello {number}", who, LOBBY, "balance")])
        return who

    def _step(self, first: Sequence[int]) -> None:
        """Make one move at each table with a hand; where there is none anywhere, wait for the next deal."""
        tables = [self._writer.state.tables[id] for one in first for id in self._live(one).tables]
        playing = [table.id for table in tables if table.round.hand is not None]
        if not playing:
            deadline = self._writer.schedule.next_deadline()
            assert deadline is not None, "a tournament waits for nothing"
            self._now = max(self._now, deadline)
        else:
            self._now += THINKS_S
        while self._writer.schedule.is_due(self._now):
            self._writer.round([], [])
        for id in playing:
            if self._writer.state.tables[id].round.hand is not None:
                self._move(self._writer.state.tables[id])

    def _move(self, table: Table) -> None:
        hand = table.round.hand
        assert hand is not None
        seat = next(iter(hand.asks))
        move, player = choose(hand, seat), table.owners()[seat]
        before = self._live(table.tournament_id)
        cost = self._say(self._who(player), table.id, move.word, *([move.argument] if move.argument else []))
        self._moves += 1
        after = self._live(table.tournament_id)
        if after.events != before.events:
            self._costs.setdefault(_name_change(before, after), []).append(cost)

    def _who(self, player: int) -> Who:
        """Return the account of a player, which has the number of their name."""
        name = self._writer.state.players[player].own_name
        return Who(GUESTS, f"bench {name.split()[-1]}", name)

    def _say(self, who: Who, table: int, verb: str, *args: str) -> float:
        """Submit a command; return the milliseconds of CPU time until its answer."""
        return self._submit([Command(f"bench {next(self._keys)}", who, room(table), verb, args, confirmed=True)])

    def _submit(self, commands: Sequence[Command]) -> float:
        futures: list[Future[Any]] = [Future() for _command in commands]
        began = time.thread_time()
        self._writer.round(commands, futures)
        spent = time.thread_time() - began
        for command, future in zip(commands, futures, strict=True):
            assert not future.result(0).refused, (command, future.result(0))
        return spent * 1e3

    def _live(self, table: int) -> LiveTournament:
        live = self._writer.state.tables[table].tournament
        assert live is not None
        return live

    def _balances(self) -> dict[str, int]:
        return nonzero_balances(self.books)

    def _wallets(self) -> int:
        return sum(amount for name, amount in self._balances().items() if name.startswith("player:"))


def _name_change(before: LiveTournament, after: LiveTournament) -> str:
    """Return what a hand's end has brought."""
    if after.has_ended:
        return OVER
    if len(after.now.tables) < len(before.now.tables):
        return BREAK
    if len(after.now.tables.moves) > len(before.now.tables.moves):
        return BALANCE
    return LEVEL if after.now.level > before.now.level else HAND
