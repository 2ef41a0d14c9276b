"""A casino in a test: the real writer on a real store, run inline, with a clock that only the test moves."""

import hashlib
import json
import logging
import random
from typing import Any

import pytest

from bot.cli.doctor import examine
from bot.cli.game_checks.trial_casino import TrialCasino
from bot.core.state.plays import PLAYS
from bot.games import load
from storage.questions.people import player_behind
from tests.disk import ask
from tests.stores import BOTH_SLOWLY, Sqlite, opened_stores

# The first five cards of the deck when one player has cut with "x" make these hands; the dealer has the next five.
SEEDS = {
    "pair": 5,  # 9s 4c Kh 7c 7s, then Qd; the dealer, 2s Jc 8c 9d 3c, does not qualify
    "high card": 7,  # 6d 2d Ks 7d Tc; the dealer, 9d 8s Js Qh Jh, has a pair of jacks
    "full house": 3584,  # the dealer has a pair of queens
    "flush": 141,  # the dealer has 6c Ac 7s 5h Qs: no ace and king
    "straight flush": 25280,
    "royal flush": 940420,  # the dealer has a pair of sevens
    "three lows": 172630,  # stud, with seven players without cuts
}

# Number of tables that drew their first seed before the first command when these hands were found.
OPENED = 6


def chance_after_opening():
    """Return randomness that deals the same hands whatever other games are installed."""
    chance = random.Random(5)
    chance.randbytes(OPENED * 32)
    return chance.randbytes


def table_of(game, number=1):
    """Return the number of a game's table in the lounge: one for each game, as they are offered, then the others."""
    more = [name for name, play in PLAYS.items() for _more in range(1, play.lounge_tables)]
    opened = enumerate((*PLAYS, *more), start=1)
    return [id for id, name in opened if name == game][number - 1]


load()  # also where a module of tests is run by itself, to write its goldens
TABLES = {game: table_of(game) for game in PLAYS}
CARIBBEAN, UTH, PAIJU, BLACKJACK, STUD, HOLDEM = (
    TABLES[game] for game in "caribbean uth paiju blackjack stud holdem".split()
)
# The usual stack of each game that is played from stacks.
BUY_IN = {"stud": "buyin 320", "holdem": "buyin 100"}
# The lounge draws a hand for each table when it opens, so a table's first hand has the table's number.
HAND = CARIBBEAN
# The second table of Caribbean.
LINKED = table_of("caribbean", 2)


class House(TrialCasino):
    """A casino in a test; `do` runs a typed command, whose first word names the person."""

    beacon: Any

    def __init__(self, folder, hand=None, stores=None, beacon=None, began=None):
        self.stores = stores or Sqlite()
        self.is_spoilt = False  # after every other test `doctor` finds nothing
        self.changed = []
        self.began = began
        self.seed = hashlib.sha256(str(SEEDS[hand]).encode()).digest() if hand is not None else b""
        super().__init__(folder, beacon)
        if hand is None:
            self.entropy = chance_after_opening()

    def open(self):
        if self.began is not None:
            self.clock.now, self.began = self.began, None
        if self.seed:
            self.entropy = lambda n: self.seed
        super().open()
        self.writer.subscribe(self.changed.append)

    def open_books(self):
        return self.stores.open(self.folder)

    def restart(self):
        self.close()
        self.open()

    def command(self, line, *, table=CARIBBEAN, **more):
        return super().command(line, table=table, **more)

    def do(self, line, *, table=CARIBBEAN, **more):
        return super().do(line, table=table, **more)

    def says(self, line, **more):
        """Return the answer as one text."""
        answer = self.do(line, **more)
        return " | ".join(map(str, answer.texts + answer.found))

    def deal(self, *lines, table=CARIBBEAN):
        """Make the bets, with a cut by the first bettor, and deal."""
        for line in lines:
            assert not (answer := self.do(line, table=table)).refused, answer
        self.do(f"{lines[0].split()[0]} cut x", table=table)
        self.wait(self.table(table).round.deadline - self.clock.now)
        return self.table(table).round.hand

    def table(self, id=CARIBBEAN):
        return self.writer.state.table(id)

    def player(self, name):
        return player_behind(self.books, "web", name)

    def chips(self, name):
        return self.books.balance(f"player:1:{self.player(name)}")

    def balances(self):
        return dict(ask(self.books, "SELECT name, balance FROM accounts WHERE balance <> 0"))

    def moves(self, hand):
        return [move for (move,) in ask(self.books, "SELECT move FROM moves WHERE hand = ? ORDER BY number", hand)]

    def faults(self):
        with self.stores.of(self.folder).reading() as books:
            return list(examine(books))

    def change(self, sql, *values):
        self.stores.change(self.books, sql, *values)

    def redeal(self, hand, **changes):
        """Change the record of a hand."""
        ((deal,),) = ask(self.books, "SELECT deal FROM hands WHERE id = ?", hand)
        kept = json.loads(deal)
        for name, value in changes.items():
            (kept["promise"] if name in kept["promise"] else kept)[name] = value
        self.change("UPDATE hands SET deal = ? WHERE id = ?", json.dumps(kept), hand)

    def refusing(self, table, condition):
        return self.stores.refusing(self.books, table, condition)


@pytest.fixture(params=BOTH_SLOWLY)
def stores(request):
    yield from opened_stores(request)


@pytest.fixture
def house(tmp_path, request, stores):
    """A casino; `@pytest.mark.parametrize("house", ["flush"], indirect=True)` deals that hand to a lone player who cut
    "x".
    """
    opened = House(tmp_path, getattr(request, "param", None), stores)
    yield opened
    opened.close()
    assert opened.is_spoilt or opened.faults() == []


@pytest.fixture
def no_errors(caplog):
    """Check that nothing a player causes is logged as a warning or error."""
    caplog.set_level(logging.INFO)
    yield caplog
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
