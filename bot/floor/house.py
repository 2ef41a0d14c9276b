"""What the floor knows: the published state, and the paper on which a batch is worked out on top of it.

Both answer the same questions. The paper sees through to what lies below it; the house reads what it does not hold from
the books. Frozen values only: publishing is laying the new ones on top.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import orjson

from bot.floor.board import Board
from bot.floor.table import Table, dump_table
from storage import ledger
from storage.database import Books
from storage.ledger import Draft
from storage.rows import (
    AuditRow,
    CasinoRow,
    IdentityRow,
    MemberRow,
    PlaceRow,
    PlayerRow,
    Row,
    TableRow,
)

T = TypeVar("T")
# How many accounts or tables may change before indexes are told of it, so that no question has to wait for many.
MOST_MOVED = 500


@dataclass(frozen=True)
class Casino:
    """One economy. `state` holds what inspectors set, and prizes that wait for their keys."""

    id: int
    name: str
    state: Mapping[str, Any]
    founded: float

    def get(self, name: str, default: Any) -> Any:
        return self.state.get(name, default)

    def change(self, **changes: Any) -> "Casino":
        return replace(self, state={**self.state, **changes})


@dataclass(frozen=True)
class Player:
    id: int
    name: str
    language: str
    state: Mapping[str, Any]
    joined: float

    @property
    def ids(self) -> list[int]:
        """The player, and those who went over into him: their hands and movements are his."""
        return [self.id, *self.state.get("was", [])]

    def change(self, **changes: Any) -> "Player":
        return replace(self, state={**self.state, **changes})


@dataclass(frozen=True)
class Member:
    """A player in one casino."""

    casino: int
    player: int
    joined: float
    state: Mapping[str, Any]

    def change(self, **changes: Any) -> "Member":
        return replace(self, state={**self.state, **changes})


@dataclass
class House:
    """The published state. Only the pit's thread changes it; others read frozen values out of it.

    What others look up is remembered too, but never over what was published while they read.
    """

    books: Books
    tables: dict[int, Table] = field(default_factory=dict)
    casinos: dict[int, Casino] = field(default_factory=dict)
    places: dict[tuple[str, str], PlaceRow] = field(default_factory=dict)
    # How often places have changed: who keeps an index of them sees by it when it is old.
    places_changed: int = 0
    players: dict[int, Player] = field(default_factory=dict)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    identities: dict[tuple[str, str], int] = field(default_factory=dict)
    # Since when a place, or with the address "" a whole platform, is out of reach; None is back. No restart keeps it.
    away: dict[tuple[str, str], float | None] = field(default_factory=dict)
    next_ids: dict[type[Row], int] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    # By what the accounts of a casino's wallets begin with; and what has moved since the boards were last told.
    _boards: dict[str, Board] = field(default_factory=dict)
    _moved: dict[str, int] = field(default_factory=dict)
    # Who was where when it was last asked, by player and by table; and the tables that have changed since.
    _tables_of: dict[int, set[int]] = field(default_factory=dict)
    _players_at: dict[int, set[int]] = field(default_factory=dict)
    _changed: set[int] = field(default_factory=set)

    def balance(self, account: str) -> int:
        """As on disk; remembered, since nobody else writes these books."""
        known = self.balances.get(account)
        return self.balances.setdefault(account, self.books.balance(account)) if known is None else known

    def table(self, id: int) -> Table | None:
        return self.tables.get(id)

    def casino(self, id: int) -> Casino:
        return self.casinos[id]

    def place(self, platform: str, address: str) -> PlaceRow | None:
        return self.places.get((platform, address))

    def identity(self, platform: str, name: str) -> int | None:
        key = (platform, name)
        if key not in self.identities:
            player = self.books.identity(platform, name)
            if player is None:
                return None
            return self.identities.setdefault(key, player)
        return self.identities[key]

    def player(self, id: int) -> Player:
        found = self.find_player(id)
        assert found is not None, f"player {id} is in no book"
        return found

    def find_player(self, id: int) -> Player | None:
        if id not in self.players:
            row = self.books.first(PlayerRow, "WHERE id = ?", id)
            if row is None:
                return None
            player = Player(row.id, row.name, row.language, orjson.loads(row.state), row.joined)
            return self.players.setdefault(id, player)
        return self.players[id]

    def member(self, casino: int, player: int) -> Member | None:
        key = (casino, player)
        if key not in self.members:
            row = self.books.first(MemberRow, "WHERE casino = ? AND player = ?", *key)
            if row is None:
                return None
            member = Member(row.casino, row.player, row.joined, orjson.loads(row.state))
            return self.members.setdefault(key, member)
        return self.members[key]

    def board(self, casino: int) -> Board:
        """The richest of a casino by what is published; for the pit's thread."""
        wallets = ledger.wallet(casino, 0).rpartition(":")[0]
        if wallets not in self._boards:
            self._boards[wallets] = Board(self.books, casino)
        self._tell_boards()
        return self._boards[wallets]

    def _tell_boards(self) -> None:
        for account, balance in self._moved.items():
            wallets, _colon, player = account.rpartition(":")
            if (board := self._boards.get(wallets)) is not None:
                board.note(int(player), balance)
        self._moved.clear()

    def tables_of(self, player: int) -> set[int]:
        """Where somebody has a seat or a bet, in a hand too: no look at every table. For the pit's thread."""
        if not self._players_at:
            self._changed |= self.tables.keys()
        self._note_changes()
        return self._tables_of.get(player, set())

    def _note_changes(self) -> None:
        for id in self._changed:
            self._note_players(id, self.tables[id].players())
        self._changed.clear()

    def _note_players(self, id: int, now: set[int]) -> None:
        before = self._players_at.get(id, set())
        self._players_at[id] = now
        for player in now - before:
            self._tables_of.setdefault(player, set()).add(id)
        for player in before - now:
            self._tables_of[player].discard(id)

    def all_tables(self) -> dict[int, Table]:
        return dict(self.tables)

    def all_places(self) -> dict[tuple[str, str], PlaceRow]:
        return dict(self.places)

    def all_casinos(self) -> dict[int, Casino]:
        return dict(self.casinos)

    def all_away(self) -> dict[tuple[str, str], float | None]:
        return dict(self.away)

    def next_id(self, kind: type[Row]) -> int:
        if kind not in self.next_ids:
            self.next_ids[kind] = self.books.next_id(kind)
        return self.next_ids[kind]

    def publish(self, paper: "Paper") -> None:
        """What is on disk now becomes what everybody sees."""
        self.tables |= paper.tables
        self._changed |= paper.tables.keys()
        if self._players_at and len(self._changed) > MOST_MOVED:
            self._note_changes()
        self.casinos |= paper.casinos
        self.players |= paper.players
        self.members |= paper.members
        self.identities |= paper.identities
        self.places |= paper.places
        self.places_changed += bool(paper.places)
        self.away |= paper.away
        self.next_ids |= paper.next_ids
        self.balances |= paper.balances
        if self._boards:
            self._moved |= paper.balances
            if len(self._moved) > MOST_MOVED:
                self._tell_boards()
        # A finished hand's account is empty for good.
        for account in [name for name in paper.balances if name.startswith("hand:") and not self.balances[name]]:
            del self.balances[account]


class Paper(Draft):
    """A batch before it is written."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self.house = house
        self.tables: dict[int, Table] = {}
        self.casinos: dict[int, Casino] = {}
        self.players: dict[int, Player] = {}
        self.members: dict[tuple[int, int], Member] = {}
        self.identities: dict[tuple[str, str], int] = {}
        self.places: dict[tuple[str, str], PlaceRow] = {}
        self.away: dict[tuple[str, str], float | None] = {}
        self.next_ids: dict[type[Row], int] = {}

    @property
    def books(self) -> Books:
        return self.house.books

    # Questions

    def table(self, id: int) -> Table | None:
        return self.tables.get(id) or self.house.table(id)

    def casino(self, id: int) -> Casino:
        return self.casinos.get(id) or self.house.casino(id)

    def place(self, platform: str, address: str) -> PlaceRow | None:
        return self.places.get((platform, address)) or self.house.place(platform, address)

    def identity(self, platform: str, name: str) -> int | None:
        return self.identities.get((platform, name)) or self.house.identity(platform, name)

    def player(self, id: int) -> Player:
        return self.players.get(id) or self.house.player(id)

    def member(self, casino: int, player: int) -> Member | None:
        return self.members.get((casino, player)) or self.house.member(casino, player)

    def tables_of(self, player: int) -> list[Table]:
        """Where somebody has a seat or a bet, as it is on this paper."""
        found = (self.table(id) for id in sorted(self.house.tables_of(player) | self.tables.keys()))
        return [table for table in found if table is not None and player in table.players()]

    def all_tables(self) -> dict[int, Table]:
        return self.house.all_tables() | self.tables

    def all_places(self) -> dict[tuple[str, str], PlaceRow]:
        return self.house.all_places() | self.places

    def all_casinos(self) -> dict[int, Casino]:
        return self.house.all_casinos() | self.casinos

    def all_away(self) -> dict[tuple[str, str], float | None]:
        return self.house.all_away() | self.away

    def unwritten(self, kind: type[Row]) -> list[Any]:
        """The rows of a kind that this batch has and the books do not have yet."""
        return list(self.rows[kind].values())

    # Changes

    def next_id(self, kind: type[Row]) -> int:
        """The number that the next row of this kind gets; asking takes it."""
        id = self.next_ids.get(kind) or self.house.next_id(kind)
        self.lay(self.next_ids, kind, id + 1)
        return id

    def set_table(self, table: Table) -> Table:
        self.lay(self.tables, table.id, table)
        return table

    def set_casino(self, casino: Casino) -> Casino:
        self.lay(self.casinos, casino.id, casino)
        self.put(CasinoRow(casino.id, casino.name, _dump(casino.state), casino.founded))
        return casino

    def set_player(self, player: Player) -> Player:
        self.lay(self.players, player.id, player)
        self.put(PlayerRow(player.id, player.name, player.language, _dump(player.state), player.joined))
        return player

    def set_member(self, member: Member) -> Member:
        self.lay(self.members, (member.casino, member.player), member)
        self.put(MemberRow(member.casino, member.player, member.joined, _dump(member.state)))
        return member

    def set_identity(self, platform: str, name: str, player: int) -> None:
        self.lay(self.identities, (platform, name), player)
        self.put(IdentityRow(platform, name, player))

    def set_place(self, place: PlaceRow) -> None:
        self.lay(self.places, (place.platform, place.address), place)
        self.put(place)

    def set_away(self, platform: str, address: str, since: float | None) -> None:
        self.lay(self.away, (platform, address), since)

    def audit(
        self, at: float, casino: int, who: int, act: str, subject: str, reason: str, before: Any = "", after: Any = ""
    ) -> None:
        """`who` 0 is the house itself."""
        self.put(AuditRow(at, casino, who, act, subject, reason, str(before), str(after)))

    @property
    def is_empty(self) -> bool:
        return super().is_empty and not self.tables and not self.away

    def finish(self) -> None:
        """Encode each changed table once, however often the batch changed it."""
        for table in self.tables.values():
            self.put(TableRow(table.id, table.casino, table.game, table.status, dump_table(table)))


def wallet_of(member: Member) -> str:
    return ledger.wallet(member.casino, member.player)


def _dump(state: Mapping[str, Any]) -> str:
    return orjson.dumps(state).decode()
