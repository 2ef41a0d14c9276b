"""Accounts and append-only postings: double entry, whole minor units, none below zero but the bank, the mint and the
issue of tournament chips.

An account is named by its kind and owner. A posting moves an amount from one to another, so that all accounts always
sum to zero: what the mint has issued is its negative balance.
"""

from typing import Any, Protocol, cast

from storage.rows import TABLES, PostingRow, Row

MAY_OWE = ("bank:", "mint:", "issue:")
PLAYERS = ("player:", "stack:")
# Tournament chips are no money: they move only between these accounts, `issue:` and hands.
CHIPS = "chips:"
# Largest debt of the bank and of the mint, where all of a casino's chips come from: no account ever holds more than
# both together, sums over them fit into 64 bits, and a stake can always be returned.
LARGEST_DEBT = 2**61
LARGEST = 2 * LARGEST_DEBT
_NOTHING = object()


def wallet(casino: int, player: int) -> str:
    """Return the account of a player's chips in one casino; never below zero."""
    return f"player:{casino}:{player}"


def stack(table: int, player: int) -> str:
    """Name the account of a player's stack at a table where people play from stacks."""
    return f"stack:{table}:{player}"


def hand(hand_id: int) -> str:
    """Return the account of the stakes of an open hand; zero when it is over."""
    return f"hand:{hand_id}"


def escrow(hand_id: int, seat: str) -> str:
    """Return the account of a prize that waits for its confirmations (CS23)."""
    return f"escrow:{hand_id}:{seat}"


def bank(casino: int) -> str:
    """Name the account that plays against everyone in a casino; it may owe up to LARGEST_DEBT."""
    return f"bank:{casino}"


def jackpot(casino: int) -> str:
    """Return the account of a casino's jackpot meter."""
    return f"jackpot:{casino}"


def mint(casino: int) -> str:
    """Name the account that issues a casino's chips: its debt is the sum of chips issued."""
    return f"mint:{casino}"


def chips(tournament: int, player: int) -> str:
    """Name the account of a player's tournament chips."""
    return f"{CHIPS}{tournament}:{player}"


def issue(tournament: int) -> str:
    """Name the account that issues a tournament's chips: its debt is the sum of chips in play."""
    return f"issue:{tournament}"


def pool(tournament: int) -> str:
    """Name the account that holds a tournament's buy-ins until they are prizes, or return (TN4)."""
    return f"pool:{tournament}"


class CannotPost(Exception):
    """A posting that an account does not bear. Nothing was posted."""

    def __init__(self, account: str, has: int, wanted: int) -> None:
        super().__init__(f"{account} has {has}, {wanted} wanted")
        self.account, self.has, self.wanted = account, has, wanted


class NotEnoughChips(CannotPost):
    """An account cannot give what a posting asks."""


class TooManyChips(CannotPost):
    """An account would owe or hold more than the books count."""


class Balances(Protocol):
    """Balances of accounts, in minor units; an account without postings has 0."""

    def balance(self, account: str) -> int: ...


class Draft:
    """A transaction under construction: postings, rows and the resulting balances.

    It is layered over the store and reads unchanged values from it. `undo` takes back everything since the last
    `keep_changes`.
    """

    def __init__(self, books: Balances) -> None:
        self._books = books
        self.balances: dict[str, int] = {}
        self.rows: dict[type[Row], dict[Any, Row]] = {kind: {} for kind in TABLES}
        self._news: list[tuple[dict[Any, Any], Any, Any]] = []

    def balance(self, account: str) -> int:
        known = self.balances.get(account)
        return self._books.balance(account) if known is None else known

    def post(
        self,
        debit: str,
        credit: str,
        amount: int,
        why: str,
        at: float,
        hand_id: int | None = None,
        event: str | None = None,
    ) -> None:
        """Move `amount` (0 does nothing). Raises CannotPost; an amount below 0, or that is no int, is a bug."""
        if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
            raise ValueError(f"{amount!r} cannot be posted")
        if amount == 0:
            return
        has = self.balance(debit)
        if has < amount and not debit.startswith(MAY_OWE):
            raise NotEnoughChips(debit, has, amount)
        if has - amount < -LARGEST_DEBT:
            raise TooManyChips(debit, has, amount)
        if (gets := self.balance(credit)) + amount > LARGEST:
            raise TooManyChips(credit, gets, amount)
        self.lay(self.balances, debit, has - amount)
        self.lay(self.balances, credit, self.balance(credit) + amount)
        self.put(PostingRow(at, debit, credit, amount, why, hand_id, event))

    def posted(self, since: int) -> list[PostingRow]:
        """Return the postings of this draft after its first `since` movements."""
        rows = self.rows[PostingRow]
        return [cast(PostingRow, rows[number]) for number in range(since, len(rows))]

    def put(self, row: Row) -> None:
        """Put a row in place of the one with its key, or append it where the table has no key."""
        kind = type(row)
        mine, keys = self.rows[kind], TABLES[kind][1]
        self.lay(mine, row[:keys] if keys else len(mine), row)

    def get(self, kind: type[Row], *key: object) -> Row | None:
        """Return the row of that key as this draft has it; None where the draft does not have it."""
        return self.rows[kind].get(key)

    def lay(self, into: dict[Any, Any], key: object, value: object) -> None:
        """Set a value in a mapping of the draft; every change goes through here, so that it can be undone."""
        self._news.append((into, key, into.get(key, _NOTHING)))
        into[key] = value

    def keep_changes(self) -> None:
        self._news.clear()

    @property
    def mark(self) -> int:
        """Return a mark that `undo` can come back to."""
        return len(self._news)

    def undo(self, since: int = 0) -> None:
        """Undo everything since a mark, or since the last `keep_changes`."""
        for into, key, before in reversed(self._news[since:]):
            if before is _NOTHING:
                del into[key]
            else:
                into[key] = before
        del self._news[since:]

    @property
    def has_news(self) -> bool:
        """Check whether anything was done since the last `keep_changes`."""
        return bool(self._news)

    @property
    def is_empty(self) -> bool:
        return not any(self.rows.values())
