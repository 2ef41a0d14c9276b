"""Chips of players at tables, by the postings: those in stacks, and those staked in hands that are not over.

The books are read when somebody asks for the first time; from then on, each written transaction is counted.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import cast

from bot.core.state.table import VOID_SEAT, Table
from storage import ledger
from storage.ledger import Draft
from storage.questions.accounts import nonzero_balances
from storage.questions.postings import postings_of_open_hands
from storage.rows import HandRow, PostingRow
from storage.store import Reader

_STACK = "stack:"
# By (casino, player).
Chips = Counter[tuple[int, int]]


class ChipsAtTables:
    """The chips of each player at the tables of a casino, as published. For the writer's thread."""

    def __init__(self, books: Reader, tables: Mapping[int, Table]) -> None:
        self._books, self._tables = books, tables
        self.is_read = False
        # By casino, then by player.
        self._chips: defaultdict[int, Counter[int]] = defaultdict(Counter)
        # By hand, then by the account that staked.
        self._stakes: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def in_casino(self, casino: int) -> Mapping[int, int]:
        """Return {player: chips} for the players who have any."""
        if not self.is_read:
            self._load_chips()
        return self._chips[casino]

    def changes(self, draft: Draft) -> Chips:
        """Return what a transaction changes that is not published."""
        over = _hands_over(draft)
        changes: Chips = Counter()
        for hand, account, amount in _moves(_postings(draft)):
            if hand not in over:
                changes[self._owner(account)] += amount
        for hand in over & self._stakes.keys():
            for account, amount in self._stakes[hand].items():
                changes[self._owner(account)] -= amount
        return changes

    def note_written(self, draft: Draft) -> Chips:
        """Count a written transaction; return what it changed."""
        if not self.is_read:
            return Counter()
        changes, over = self.changes(draft), _hands_over(draft)
        self._add(changes, _postings(draft), over)
        for hand in over:
            self._stakes.pop(hand, None)
        return changes

    def _load_chips(self) -> None:
        self.is_read = True
        postings, changes = postings_of_open_hands(self._books), Counter[tuple[int, int]]()
        for stack, chips in nonzero_balances(self._books, "stack").items():
            changes[self._owner(stack)] += chips
        for hand, account, amount in _moves(postings):
            if hand is not None:
                changes[self._owner(account)] += amount
        self._add(changes, postings, ())

    def _add(self, changes: Chips, postings: Iterable[PostingRow], over: Container[int]) -> None:
        for (casino, player), amount in changes.items():
            chips = self._chips[casino]
            chips[player] += amount
            if not chips[player]:
                del chips[player]
        for hand, account, amount in _moves(postings):
            if hand is not None and hand not in over:
                self._stakes[hand][account] += amount

    def _owner(self, account: str) -> tuple[int, int]:
        """Return the casino and the player of a wallet or a stack."""
        kind, place, player = account.split(":")
        return self._tables[int(place)].casino if f"{kind}:" == _STACK else int(place), int(player)


def _hands_over(draft: Draft) -> set[int]:
    rows = cast(Iterable[HandRow], draft.rows[HandRow].values())
    return {row.id for row in rows if row.closed is not None}


def _postings(draft: Draft) -> Iterable[PostingRow]:
    return cast(Iterable[PostingRow], draft.rows[PostingRow].values())


def _moves(postings: Iterable[PostingRow]) -> Iterator[tuple[int | None, str, int]]:
    """Yield (hand, account, amount) of stakes by and back to players, and without a hand what goes into stacks."""
    for row in postings:
        if row.hand is not None:
            stakes = ledger.hand(row.hand)
            if row.credit == stakes and row.debit.startswith(ledger.PLAYERS):
                yield row.hand, row.debit, row.amount
            # The bank returns the stakes of a void seat; those in the hand are then its own (G6).
            elif row.credit.startswith(ledger.PLAYERS) and (
                row.debit == stakes or (row.event is not None and row.event.startswith(VOID_SEAT))
            ):
                yield row.hand, row.credit, -row.amount
        if row.debit.startswith(_STACK):
            yield None, row.debit, -row.amount
        if row.credit.startswith(_STACK):
            yield None, row.credit, row.amount
