"""The leaderboard of a casino without searching all of its wallets and tables: kept up to date while chips move.

Unknown players have at most `least`. A player who rises above it becomes known, one who falls below it is forgotten;
when too few are left, one search of all wallets starts it again, with all chips at tables. It costs a bet a fraction of
a microsecond; an index over all balances would cost each several, and pages of the disk.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from bot.core.state.at_tables import ChipsAtTables
from storage import ledger
from storage.questions.accounts import balances_of, richest_wallets
from storage.store import Reader

ROOM = 100
_EVERYBODY = -1
# Number of changed accounts after which the boards are updated, so that no reader waits for many.
MOST_MOVED = 500
# Number of wallets in one query.
READ_AT_ONCE = 500


class Leaderboard:
    """Leaderboard of one casino; `at_tables` are the chips of its players beside their wallets. For one thread at a
    time.
    """

    def __init__(self, books: Reader, casino: int, at_tables: Callable[[], Mapping[int, int]]) -> None:
        self._books, self._casino, self._at_tables = books, casino, at_tables
        self._room = ROOM
        self._look_at_all()

    def _look_at_all(self) -> None:
        self._known = dict(richest_wallets(self._books, self._casino, self._room))
        self._least = min(self._known.values()) if len(self._known) >= self._room else _EVERYBODY
        self._order: list[tuple[int, int]] | None = None
        at_tables = self._at_tables()
        players = sorted(at_tables)
        for first in range(0, len(players), READ_AT_ONCE):
            wallets = {ledger.wallet(self._casino, player): player for player in players[first : first + READ_AT_ONCE]}
            for wallet, chips in balances_of(self._books, list(wallets)).items():
                player = wallets[wallet]
                if (total := chips + at_tables[player]) > self._least or player in self._known:
                    self._known[player] = total

    def note(self, player: int, chips: int) -> None:
        """Note the present chips of a player, in the wallet and at tables."""
        if chips <= self._least and player not in self._known:
            return
        self._order = None
        if chips <= self._least:
            del self._known[player]
            return
        self._known[player] = chips
        if self._least != _EVERYBODY and len(self._known) > 2 * self._room:
            self._order = self._in_order()[: self._room]
            self._known, self._least = dict(self._order), self._order[-1][1]

    def top(self, most: int, is_shown: Callable[[int], bool]) -> list[tuple[int, int]]:
        """Return (player, chips) of the richest players who may be shown; of equals the first to come is first."""
        while len(found := self._shown(most, is_shown)) < most and self._least != _EVERYBODY:
            if len(self._known) >= self._room:
                self._room *= 2  # that many of the richest players are hidden
            self._look_at_all()
        return found

    def _shown(self, most: int, is_shown: Callable[[int], bool]) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for player, chips in self._in_order():
            if len(found) == most:
                break
            if is_shown(player):
                found.append((player, chips))
        return found

    def _in_order(self) -> list[tuple[int, int]]:
        if self._order is None:
            self._order = sorted(self._known.items(), key=lambda one: (-one[1], one[0]))
        return self._order


class Leaderboards:
    """The boards that were asked for, by casino; `balance` is that of an account as published. One thread."""

    def __init__(self, books: Reader, balance: Callable[[str], int], at_tables: ChipsAtTables) -> None:
        self._books, self._balance, self._at_tables = books, balance, at_tables
        self._boards: dict[int, Leaderboard] = {}
        # Wallets.
        self._moved: set[str] = set()

    def board_of(self, casino: int) -> Leaderboard:
        """Return the board of a casino as of what was published."""
        if casino not in self._boards:
            self._boards[casino] = Leaderboard(self._books, casino, partial(self._at_tables.in_casino, casino))
        self._tell_boards()
        return self._boards[casino]

    def note_moved(self, accounts: Iterable[str], at_tables: Iterable[tuple[int, int]]) -> None:
        """Note the accounts that have changed, and whose chips at tables of which casino."""
        if self._boards:
            self._moved.update(account for account in accounts if account.startswith("player:"))
            self._moved.update(ledger.wallet(casino, player) for casino, player in at_tables)
            if len(self._moved) > MOST_MOVED:
                self._tell_boards()

    def _tell_boards(self) -> None:
        for wallet in self._moved:
            casino, player = map(int, wallet.split(":")[1:])
            if (board := self._boards.get(casino)) is not None:
                board.note(player, self._balance(wallet) + self._at_tables.in_casino(casino).get(player, 0))
        self._moved.clear()
