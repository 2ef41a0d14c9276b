"""`ridotto simulate-house`: a whole house under a seeded storm, checked after every step.

Hundreds of players on three platforms bet, move and mistype at tables of all five games; updates come twice, late,
stale and out of order; clocks run out; disks fill up; the process dies before, within and after a commit and starts
again on the same file. One seed is one history: a fault is found again by running the seed again.

What must hold: the accounts sum to zero and no wallet is below zero; what was acknowledged is on disk and is answered
the same again; what was not is there whole or not at all; nobody is shown a card that is hidden from him; and, every
thousand steps and after every crash, `ridotto doctor` finds nothing.
"""

import random
import sqlite3
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from bot.doctor import examine
from bot.floor.command import Answer, Command, Place, Who
from bot.floor.places import errand_of
from bot.floor.registry import VERBS
from bot.floor.table import Table
from bot.pit import Pit
from bot.screens import Screen
from bot.screens.build import screen
from engine.cards import HIDDEN
from engine.felt import Offer
from engine.hand import GAMES
from storage import ledger
from storage.database import FILE, Books, reading
from storage.ledger import Draft
from storage.rows import HandRow

PLAYERS = 200
DOCTOR_EVERY = 1000
REMEMBERED = 400
LOOKS_A_STEP = 2
NONSENSE = (
    "0",
    "-5",
    "1e9",
    "∞",
    "9" * 40,
    "ante",
    "",
    "jackpot",
    "50.001",
    "💰",
    "99",
    "x2",
    "1k",
    "half",
    "all",
    "max",
)
ADMIN = (
    ("table pause", ("storm",)),
    *(("table resume", ()),) * 6,
    ("void", ("HAND", "storm")),
    ("meter reset", ("storm",)),
    *(("grant", ("PLAYER", "500", "storm")),) * 12,
    ("take", ("PLAYER", "half", "storm")),
    ("table set", ("pace", "fast")),
    ("noncoup", ("storm",)),
    ("table refuse", ("PLAYER", "storm")),
    ("ban", ("PLAYER", "storm")),
    *(("unban", ("PLAYER", "storm")),) * 3,
    ("audit", ()),
)


class Crash(Exception):
    """The process dies here."""


class DiskFull(sqlite3.OperationalError):
    pass


class StormyBooks(Books):
    """Books whose next write may die: before it, within it, or after it, before anybody is told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        # The storm is in this process: what it writes survives it without waiting for the disk.
        self.db.conn.execute("PRAGMA synchronous = OFF")
        self.dies = ""

    def write(self, draft: Draft) -> None:
        dies, self.dies = self.dies, ""
        if dies == "before":
            raise Crash
        if dies == "full":
            raise DiskFull("database or disk is full")
        if dies == "within":
            self._die_within(draft)
        super().write(draft)
        if dies == "after":
            raise Crash

    def _die_within(self, draft: Draft) -> None:
        with self.db.atomic():
            super().write(draft)
            raise Crash


@dataclass
class Storm:
    """One seeded history. `run` raises AssertionError, with what is wrong, at the first step that breaks a promise."""

    seed: int
    folder: Path
    now: float = 1_800_000_000.0
    step: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    said: deque[tuple[Command, Answer]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    late: list[Command] = field(default_factory=list)
    settled: int = 0
    done: dict[str, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.people = [self._person(number) for number in range(PLAYERS)]
        self._open()
        self.places = [place for place, row in self.pit.floor.house.places.items() if row.table_id]
        self._found_communities()

    def _person(self, number: int) -> Who:
        platform = ("web", "discord", "telegram")[number % 3]
        return Who(platform, f"account {number}", f"player{number}", ("en", "it")[number % 2], inspector=number < 6)

    def _open(self) -> None:
        self.books = StormyBooks(self.folder)
        self.pit = Pit(self.books, clock=lambda: self.now, entropy=self.rng.randbytes)

    def _found_communities(self) -> None:
        """A Discord server and a Telegram group, with a table of each game in each."""
        for platform in ("discord", "telegram"):
            home = Place(platform, f"{platform} home")
            self._play([errand_of(f"{platform} arrives", home, "arrive", platform, "en")])
            for game in GAMES:
                place = Place(platform, f"{platform} {game}")
                inspector = next(who for who in self.people if who.platform == platform and who.inspector)
                self._play([errand_of(f"{place}", place, "enter", home.address)])
                self._play([Command(f"open {place}", inspector, place, "table open", (game,))])
                self.places.append((place.platform, place.address))

    # Steps

    def run(self, steps: int) -> Iterator[int]:
        """Yields the number of each step that has been checked."""
        for _step in range(steps):
            self.step += 1
            self._weather()
            commands = [self._command() for _number in range(self.rng.choice((1, 1, 2, 3, 8)))]
            self._play_through(commands)
            self._check_step()
            if self.step % DOCTOR_EVERY == 0:
                self._check_books()
            yield self.step

    def _weather(self) -> None:
        """Time passes, mostly little; now and then long enough for every clock; sometimes the next write dies."""
        self.now += (
            self.rng.choice((0.01, 0.05, 0.2, 1.0, 3.0)) if self.rng.random() < 0.97 else self.rng.uniform(5, 200)
        )
        if self.rng.random() < 0.004:
            self.books.dies = self.rng.choice(("before", "within", "after", "full"))

    def _play_through(self, commands: list[Command]) -> None:
        """What the process did not answer, its platform sends again after the restart."""
        try:
            self._play(commands)
        except (Crash, DiskFull) as fault:
            self.counts[type(fault).__name__] += 1
            self._restart()
            self._play(commands)

    def _play(self, commands: list[Command]) -> None:
        futures: list[Future[Answer]] = [Future() for _command in commands]
        before = dict(self.pit.floor.house.balances)
        self.pit.round(commands, futures)
        for command, future in zip(commands, futures, strict=True):
            answer = future.result(0)
            self.counts["refused" if answer.refused else "done"] += 1
            self._check_answered_once(command, answer)
            self.said.append((command, answer))
        self._check_balances(before)

    def _restart(self) -> None:
        self.books.close()
        self._open()
        self.counts["restarts"] += 1
        self._check_books()
        for command, answer in self.rng.sample(list(self.said), min(20, len(self.said))):
            if not answer.refused and self._is_kept(command):
                self._play([command])

    def _is_kept(self, command: Command) -> bool:
        return bool(self.books.answers([command.key]))

    # What is said

    def _command(self) -> Command:
        roll = self.rng.random()
        if roll < 0.05 and self.said:
            return self.rng.choice(self.said)[0]  # the same update once more
        if roll < 0.08 and self.late:
            return self.late.pop(self.rng.randrange(len(self.late)))  # late and out of order
        command = self._new_command()
        if roll > 0.97:
            self.late.append(command)
            return self._new_command()
        return command

    def _new_command(self) -> Command:
        platform, address = self.rng.choice(self.places)
        row = self.pit.floor.house.place(platform, address)
        table = self.pit.floor.house.table(row.table_id) if row and row.table_id else None
        person = self._somebody(platform, table)
        verb, args, fresh = self._words(person, table)
        confirmed = self.rng.random() < 0.8
        key = f"{self.seed}:{self.step}:{self.rng.getrandbits(48)}"
        return Command(key, person, Place(platform, address), verb, args, fresh, confirmed)

    def _somebody(self, platform: str, table: Table | None) -> Who:
        """Often one whose turn it is, so that hands are really played."""
        people = [who for who in self.people if who.platform == platform]
        if table is not None and table.play is not None and table.play.asks and self.rng.random() < 0.7:
            owners = table.owners()
            asked = {owners[seat] for seat in table.play.asks}
            house = self.pit.floor.house
            turn = [who for who in people if house.identity(who.platform, who.account) in asked]
            if turn:
                return self.rng.choice(turn)
        return self.rng.choice(people[: self.rng.choice((6, 20, PLAYERS))])

    def _words(self, person: Who, table: Table | None) -> tuple[str, tuple[str, ...], str]:
        roll = self.rng.random()
        if table is None or roll < 0.04:
            return self.rng.choice(list(VERBS)), tuple(self._nonsense()), ""
        if roll < 0.07:
            verb, words = self.rng.choice(ADMIN)
            fills = {
                "HAND": str(table.hand_id),
                "PLAYER": f"player{self.rng.randrange(self.rng.choice((10, PLAYERS)))}",
            }
            return verb, tuple(fills.get(word, word) for word in words), ""
        if roll < 0.12:
            gives = self.rng.random() < 0.5
            return ("give", (f"player{self.rng.randrange(30)}", "5"), "") if gives else ("daily", (), "")
        if table.play is not None:
            return self._move(person, table)
        return self._bet(table)

    def _nonsense(self) -> list[str]:
        return [self.rng.choice(NONSENSE) for _word in range(self.rng.randrange(4))]

    def _move(self, person: Who, table: Table) -> tuple[str, tuple[str, ...], str]:
        hand = table.play
        player = self.pit.floor.house.identity(person.platform, person.account)
        mine = [seat for seat, owner in table.owners().items() if owner == player]
        assert hand is not None
        asked = [seat for seat in mine if seat in hand.asks]
        stale = self.rng.random() < 0.03
        count = sum(move.seat in mine for move in hand.moves)
        fresh = f"{table.hand_id - stale}.{count}" if self.rng.random() < 0.6 else ""
        if not asked:
            return self.rng.choice(("fold", "raise", "hit", "squeeze", "stay", "cards", "bet")), (), fresh
        offer = self.rng.choice(hand.asks[asked[0]])
        return offer.word, self._argument(offer), fresh

    def _argument(self, offer: Offer) -> tuple[str, ...]:
        if offer.most:
            amount = self.rng.randint(offer.least, offer.most)
            return (f"{amount // 100}.{amount % 100:02}",)
        return (offer.argument,) if offer.argument else ()

    def _bet(self, table: Table) -> tuple[str, tuple[str, ...], str]:
        fresh = str(table.hand_id) if self.rng.random() < 0.5 else ""
        roll = self.rng.random()
        if roll < 0.15:
            verbs = ("ready", "takeback", "rebet", "leave", "sit", "sitout", "back", "follow", "squeeze")
            return self.rng.choice(verbs), (), fresh
        if roll < 0.2:
            return "cut", (f"cut {self.rng.random()}",), fresh
        amount = self.rng.choice(("10", "20", "50", "100", "min", "max", "x2", "half"))
        bets: dict[str, tuple[tuple[str, ...], ...]] = {
            "caribbean": ((amount,), ("ante", amount, "jackpot"), ("jackpot",)),
            "uth": ((amount,), ("ante", amount, "trips", "5"), ("trips", amount)),
            "paiju": (("south", amount), ("north-west", amount, "west", "7"), ("north", amount)),
            "blackjack": (("3", amount), (amount,), (str(self.rng.randint(1, 7)), amount, "admiral", "10")),
        }
        if table.game == "stud":
            verb = self.rng.choice(("buyin", "buyin", "topup", "sit", "back"))
            return verb, (self.rng.choice(("100", "200", "400", "max")),) if verb != "sit" else (), fresh
        return "bet", self.rng.choice(bets[table.game]), fresh

    # What must hold

    def _check_balances(self, before: dict[str, int]) -> None:
        house = self.pit.floor.house
        for account, balance in house.balances.items():
            if balance != before.get(account, 0):
                assert balance >= 0 or account.startswith(ledger.MAY_OWE), f"{account} holds {balance}"
        if self.step % 20 == 0:
            ((total,),) = self.books.select("SELECT coalesce(sum(balance), 0) FROM accounts")
            assert total == 0, f"the accounts sum to {total}"

    def _check_answered_once(self, command: Command, answer: Answer) -> None:
        said = self.done.get(command.key)
        assert said is None or answer.texts == said.texts, f"{command.key} was answered otherwise before"
        if not answer.refused and self._is_kept(command):
            self.done[command.key] = answer

    def _check_step(self) -> None:
        """A few tables as somebody sees them: no card that is hidden from him."""
        house = self.pit.floor.house
        tables = [table for table in house.tables.values() if table.play is not None]
        for table in self.rng.sample(tables, min(LOOKS_A_STEP, len(tables))):
            owners = list(table.owners().values())
            viewer = self.rng.choice([None, *owners])
            _check_hidden(table, viewer, screen(house, table, viewer, self.now))

    def _check_books(self, *, from_the_start: bool = False) -> None:
        """The doctor; hands that were settled when he last came are played again at the end of the storm only."""
        self.counts["examined"] += 1
        with reading(self.folder / FILE) as books:
            faults = list(examine(books, 0 if from_the_start else self.settled))
            open_hands = [row.id for row in books.rows(HandRow, "WHERE status IN ('betting', 'playing')")]
        assert not faults, "; ".join(faults[:5])
        self.settled = min(open_hands, default=self.settled)

    def finish(self) -> None:
        self._check_books(from_the_start=True)

    def close(self) -> None:
        self.books.close()


def _check_hidden(table: Table, viewer: int | None, seen: Screen) -> None:
    hand = table.play
    assert hand is not None
    owners = table.owners()
    mine = {seat for seat, owner in owners.items() if owner == viewer}
    shown = hand.cards(None)
    piles = {seat.key: seat.piles for seat in seen.seats}
    for seat, lying in piles.items():
        cards = [card for pile in lying for card in pile.cards]
        if seat not in mine and seat in shown and len(cards) == len(shown[seat]):
            hidden = [card for card, open_card in zip(cards, shown[seat], strict=True) if open_card == HIDDEN]
            assert set(hidden) <= {HIDDEN}, f"table {table.id} shows {hidden} of seat {seat} to {viewer}"


def main(seed: int, steps: int, folder: Path) -> int:
    """Run one storm and say what it came to. The answer is the exit status."""
    started = time.monotonic()
    storm = Storm(seed, folder)
    try:
        for step in storm.run(steps):
            if sys.stderr.isatty() and step % 100 == 0:
                print(f"\r{step} of {steps}", end="", file=sys.stderr, flush=True)
        storm.finish()
    except Exception as fault:
        print(f"seed {seed}, step {storm.step}: {type(fault).__name__}: {fault}", file=sys.stderr)
        return 1
    finally:
        storm.close()
    seconds = time.monotonic() - started
    told = ", ".join(f"{count} {name}" for name, count in sorted(storm.counts.items()))
    print(f"seed {seed}: {steps} steps in {seconds:.0f} s, {told}")
    return 0
