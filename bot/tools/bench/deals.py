"""`ridotto bench deals`: what a hand costs by game and players, and what of that its promise and its log are.

Ten tables of a game play the same hand: the bets, the deal, whoever is asked gives up or takes what costs nothing, the
payment. All that came at the same time is one batch, on disk before it is answered. Medians of the rounds, in CPU time.
"""

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bot.house.lounge import LOUNGE
from bot.house.pit import Pit
from bot.house.play import PLAYS, Seating
from bot.house.round import promises
from bot.house.round.opening import open_hand
from bot.house.speech.command import Command, Place, Who
from bot.house.state.house import Paper
from bot.house.state.table import Settings, Table
from bot.tools.bench.crowd import PLATFORM
from engine.felt import Offer, Offers
from storage import ledger
from storage.questions import hands, logs
from storage.rows import HandRow, PlaceRow, TableRow
from storage.sqlite import SqliteBooks
from tests.simulation.behavior import BEHAVIORS
from tests.simulation.crowd import split_line

TABLES = 10
PLAYERS = (1, 7)
ROUNDS = 9
_HANDS_A_ROUND = 2
_CHIPS = 10_000_000
_SETTINGS = Settings(betting_s=300)
# What gives a hand up or lets it go on for nothing; whoever may say none of it takes what costs least.
_QUIET = ("fold", "check", "stand", "stay", "decline")


class Measure(NamedTuple):
    """`cpu_us` of the process a hand, bets and moves too, in so many `commands`; `per_s` of these in a second of CPU.

    `promise_us` is what promise, close, payment and opening cost of it on paper, with what the books keep of the hand;
    `log_bytes` what the hand left in the log with the nodes of its tree, `kept_bytes` what is kept of itself.
    """

    game: str
    players: int
    commands: int
    cpu_us: float
    promise_us: float
    per_s: int
    log_bytes: int
    kept_bytes: int


class _Cost(NamedTuple):
    cpu_us: float
    promise_us: float
    commands: int


def measure_deals(players: Sequence[int] = PLAYERS, rounds: int = ROUNDS) -> list[Measure]:
    """Every game, with so many players at a table, or as few or as many as it takes."""
    found = []
    for game, play in PLAYS.items():
        least = 2 if play.seating is Seating.STACKS else 1
        for count in dict.fromkeys(min(max(one, least), play.seats) for one in players):
            found.append(_measure(game, count, rounds))
    return found


def _measure(game: str, players: int, rounds: int) -> Measure:
    with TemporaryDirectory(prefix="ridotto-bench-") as folder:
        tables = Tables(Path(folder), game, players)
        try:
            tables.play()  # the first warms caches, and everybody takes a seat
            tables.over.clear()
            log = tables.bytes_in_log()
            costs = [tables.round() for _round in range(rounds)]
            log_bytes, kept_bytes = tables.bytes_in_log() - log, tables.bytes_kept()
            over = len(tables.over)
        finally:
            tables.books.close()
    cpu_us, promise_us, commands = (median(column) for column in zip(*costs, strict=True))
    return Measure(
        game,
        players,
        round(commands),
        round(cpu_us, 1),
        round(promise_us, 1),
        round(commands / cpu_us * 1e6),
        round(log_bytes / over),
        round(kept_bytes / over),
    )


class Tables:
    """A house with ten tables of a game, each with so many players who do not run out of chips."""

    def __init__(self, folder: Path, game: str, players: int) -> None:
        self._now, self._said, self._cpu_s = time.time(), 0, 0.0
        self.books = SqliteBooks(folder)
        self._pit = Pit(self.books, clock=lambda: self._now, entropy=random.Random(1).randbytes, secret=bytes(32))
        self._game = game
        # The numbers of the hands that were played to their end.
        self.over: list[int] = []
        self._ids = self._open()
        self._crowd = [
            (Who(PLATFORM, f"{table} {number}", f"Player {table} {number}"), Place(PLATFORM, str(table)), number)
            for table in range(TABLES)
            for number in range(1, players + 1)
        ]
        self._say([(who, at, "balance", ()) for who, at, _number in self._crowd])
        identities = self._pit.floor.house.identities
        self._people = {identities[who.platform, who.account]: (who, at) for who, at, _number in self._crowd}
        self._give_chips()

    def round(self) -> _Cost:
        """Of a hand: of all that was played now, and of promises and log beside it."""
        self._cpu_s, said, before = 0.0, self._said, len(self.over)
        for _hand in range(_HANDS_A_ROUND):
            self.play()
        over = len(self.over) - before
        return _Cost(self._cpu_s / over * 1e6, self._promise_us(), (self._said - said) // over)

    def play(self) -> None:
        """A hand at each table."""
        playing = {id: self._table(id).hand_id for id in self._ids}
        self.over += playing.values()
        self._say(list(self._bets()))
        while playing := {id: hand for id, hand in playing.items() if self._table(id).hand_id == hand}:
            moves = [move for id in playing for move in self._moves(self._table(id))]
            if moves:
                self._say(moves)
            else:
                self._run_out([self._table(id) for id in playing])
        self._now += 1

    def bytes_in_log(self) -> int:
        """Of its entries, with their nodes."""
        rows = logs.entry_rows(self.books, LOUNGE, self._pit.floor.house.log_of(LOUNGE).number)
        return sum(len(row.entry.encode()) + len(row.nodes) for row in rows)

    def bytes_kept(self) -> int:
        """Of hands that are over, with their moves."""
        deals, moves = hands.deals_of_hands(self.books, self.over), hands.moves_of_hands(self.books, self.over)
        said = (one.move for of_hand in moves.values() for one in of_hand)
        return sum(len(text.encode()) for text in (*deals.values(), *said))

    def _open(self) -> list[int]:
        house, found = self._pit.floor.house, []
        paper = Paper(house)
        for number in range(TABLES):
            id = paper.next_id(TableRow)
            table = Table(id, LOUNGE, id, self._game, {}, _SETTINGS, PLAYS[self._game].memory())
            open_hand(paper, table, self._now, random.Random(number).randbytes(32))
            paper.set_place(PlaceRow(PLATFORM, str(number), LOUNGE, id))
            found.append(id)
        self._write(paper)
        return found

    def _give_chips(self) -> None:
        paper = Paper(self._pit.floor.house)
        for player in self._people:
            paper.post(ledger.mint(LOUNGE), ledger.wallet(LOUNGE, player), _CHIPS, "bench", self._now)
        self._write(paper)

    def _write(self, paper: Paper) -> None:
        paper.finish()
        self.books.write(paper)
        self._pit.floor.house.publish(paper)

    def _table(self, id: int) -> Table:
        return self._pit.floor.house.tables[id]

    def _bets(self) -> Iterator[tuple[Who, Place, str, Sequence[str]]]:
        """Each has something on the table; who has a stack there has that."""
        sitting = {player for id in self._ids for player in self._table(id).seats.values()}
        identities = self._pit.floor.house.identities
        for who, at, number in self._crowd:
            if PLAYS[self._game].seating is Seating.STACKS and identities[who.platform, who.account] in sitting:
                continue
            yield who, at, *split_line(BEHAVIORS[self._game].bets[0].format(amount=20, seat=number))

    def _moves(self, table: Table) -> Iterator[tuple[Who, Place, str, Sequence[str]]]:
        """One of each who is asked."""
        if table.play is None:
            return
        owners = table.owners()
        asked: dict[int, Offers] = {}
        for seat, offers in table.play.asks.items():
            asked.setdefault(owners[seat], offers)
        for player, offers in asked.items():
            word, *arguments = str(_quietest(offers)).split()
            yield *self._people[player], word, arguments

    def _run_out(self, tables: Sequence[Table]) -> None:
        """The next clock."""
        self._now = max(self._now, min(table.deadline for table in tables if table.deadline is not None))
        self._say([])

    def _say(self, said: Sequence[tuple[Who, Place, str, Sequence[str]]]) -> None:
        """In one batch. None may be refused."""
        commands = [Command(f"{self._said + n}", *one[:3], tuple(one[3])) for n, one in enumerate(said)]
        futures: list[Future[Any]] = [Future() for _command in commands]
        began = time.process_time()
        self._pit.round(commands, futures)
        self._cpu_s += time.process_time() - began
        self._said += len(commands)
        for future in futures:
            assert not future.result(0).refused, future.result(0)

    def _promise_us(self) -> float:
        """Promise, close, payment and opening once more, for the last hand of each table, on a paper that is thrown
        away.
        """
        paper, began = Paper(self._pit.floor.house), time.process_time()
        for table in map(self._table, self._ids):
            hand = table.last
            assert hand is not None
            again = promises.make(paper, table, paper.next_id(HandRow), table.seed, self._now)
            again = promises.close_bets(paper, again, hand.deal, self._now)
            promises.pay(paper, again, hand, self._now, "")
            promises.end(paper, again, self._now, "")
        return (time.process_time() - began) / TABLES * 1e6


def _quietest(offers: Offers) -> Offer:
    listed = [offer for offer in offers if offer.listed]
    quiet = (offer for word in _QUIET for offer in listed if offer.word == word)
    return next(quiet, min(listed, key=lambda offer: offer.stake))
