"""Frozen values of people and casinos, and how they are read from their rows."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from msgspec import structs

from bot.core.state import codec
from bot.core.state.casinos import CasinoMemory, CasinoState
from bot.core.state.codec import decode
from bot.core.state.people import MemberState, PlayerState
from bot.texts import Name
from storage import ledger
from storage.questions import browsers, people
from storage.rows import BrowserRow, CasinoRow, MemberRow, PlayerRow
from storage.store import Reader

M = TypeVar("M", bound=CasinoMemory)


@dataclass(frozen=True)
class Casino:
    """A casino: an economy of its own."""

    id: int
    name: str
    state: CasinoState
    founded: float
    # {(game, a table's settings): its options here}, cached because every bet and screen needs them.
    options: dict[tuple[str, bytes], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def change(self, **changes: object) -> "Casino":
        return replace(self, state=structs.replace(self.state, **changes))

    def kept(self, kind: type[M]) -> M:
        """Return what a game stores in this casino, in the type that the game has declared."""
        return codec.extract_value(self.state.others, kind)

    def change_memory(self, own: CasinoMemory) -> "Casino":
        """Return the casino with a changed memory of a game."""
        return self.change(others=codec.replace_value(self.state.others, own))


@dataclass(frozen=True)
class Player:
    """A person. `own_name` is what they call themselves, for where no casino is known: elsewhere their name is that of
    their membership (`name_of`). `joined` in Unix seconds; `language` is the one of their private answers.
    """

    id: int
    own_name: str
    language: str
    state: PlayerState
    joined: float

    @property
    def ids(self) -> list[int]:
        """The player's number, and those of players who were merged into them, with their hands and movements."""
        return [self.id, *self.state.was]

    def change(self, **changes: object) -> "Player":
        return replace(self, state=structs.replace(self.state, **changes))


@dataclass(frozen=True)
class Member:
    """A player in one casino, and what they are called there. `number` above 1 tells the name from others that look
    like it; a member without a name goes by the player's own.
    """

    casino: int
    player: int
    joined: float
    state: MemberState
    name: str = ""
    number: int = 1

    @cached_property
    def shown(self) -> Name:
        """The name as people see it: "Ben (2)"."""
        return Name(f"{self.name} ({self.number})" if self.number > 1 else self.name)

    def change(self, **changes: object) -> "Member":
        return replace(self, state=structs.replace(self.state, **changes))


@dataclass(frozen=True)
class Browser:
    """A browser of the lounge, with the accounts that are signed in there."""

    row: BrowserRow
    accounts: frozenset[str]


def load_casino(row: CasinoRow) -> Casino:
    """Return the casino of a row; raises msgspec.DecodeError where its state cannot be read."""
    return Casino(row.id, row.name, decode(CasinoState, row.state), row.founded)


def load_player(row: PlayerRow) -> Player:
    """Return the player of a row; raises as `load_casino`."""
    return Player(row.id, Name(row.name), row.language, decode(PlayerState, row.state), row.joined)


def load_member(row: MemberRow) -> Member:
    """Return the membership of a row; raises as `load_casino`."""
    return Member(row.casino, row.player, row.joined, decode(MemberState, row.state), row.name, row.number)


def read_player(books: Reader, id: int) -> Player | None:
    """Return the player of this id, or None."""
    row = people.player(books, id)
    return load_player(row) if row is not None else None


def read_member(books: Reader, key: tuple[int, int]) -> Member | None:
    """Return the membership of (casino, player), or None."""
    row = people.member(books, *key)
    return load_member(row) if row is not None else None


def read_browser(books: Reader, id: str) -> Browser | None:
    """Return the browser of this id with its accounts, or None."""
    row = browsers.browser(books, id)
    return Browser(row, browsers.accounts_in_browser(books, id)) if row is not None else None


def read_name(books: Reader, casino: int, player: int) -> Name:
    """Return what a player is called in a casino as the books have it; the number of a player who is unknown."""
    member, known = people.member(books, casino, player), people.player(books, player)
    if member is not None and member.name:
        return load_member(member).shown
    return Name(known.name if known is not None else player)


def wallet_of(member: Member) -> str:
    """Return the account of a member's chips in their casino."""
    return ledger.wallet(member.casino, member.player)
