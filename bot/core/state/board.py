"""The leaderboard of a casino without searching all of its wallets: kept up to date while chips move.

Unknown players have at most `least`. A player who rises above it becomes known, one who falls below it is forgotten;
when too few are left, one search of all wallets starts it again. It costs a bet a fraction of a microsecond; an index
over all balances would cost each several, and pages of the disk.
"""

from collections.abc import Callable, Mapping

from storage import ledger
from storage.questions.accounts import richest_wallets
from storage.store import Reader

ROOM = 100
_EVERYBODY = -1
# How many accounts may change before the boards are told, so that no question has to wait for many.
MOST_MOVED = 500


class Board:
    """Leaderboard of one casino. For one thread at a time."""

    def __init__(self, books: Reader, casino: int) -> None:
        self._books, self._casino = books, casino
        self._room = ROOM
        self._look_at_all()

    def _look_at_all(self) -> None:
        self._known = dict(richest_wallets(self._books, self._casino, self._room))
        self._least = min(self._known.values()) if len(self._known) >= self._room else _EVERYBODY
        self._order: list[tuple[int, int]] | None = None

    def note(self, player: int, chips: int) -> None:
        """Note the present balance of a wallet."""
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
        """(player, chips) of the richest who are shown; of equals, who came first."""
        while len(found := self._shown(most, is_shown)) < most and self._least != _EVERYBODY:
            if len(self._known) >= self._room:
                self._room *= 2  # so many of the richest do not want to be seen
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


class Boards:
    """The boards that were asked for, each by what the accounts of its casino's wallets begin with. One thread."""

    def __init__(self, books: Reader) -> None:
        self._books = books
        self._boards: dict[str, Board] = {}
        self._moved: dict[str, int] = {}

    def board_of(self, casino: int) -> Board:
        """Return the board of a casino as of what was published."""
        wallets = ledger.wallet(casino, 0).rpartition(":")[0]
        if wallets not in self._boards:
            self._boards[wallets] = Board(self._books, casino)
        self._tell_boards()
        return self._boards[wallets]

    def note_moved(self, balances: Mapping[str, int]) -> None:
        if self._boards:
            self._moved |= balances
            if len(self._moved) > MOST_MOVED:
                self._tell_boards()

    def _tell_boards(self) -> None:
        for account, balance in self._moved.items():
            wallets, _colon, player = account.rpartition(":")
            if (board := self._boards.get(wallets)) is not None:
                board.note(int(player), balance)
        self._moved.clear()
