"""What the floor knows: the published state, and the paper on which a batch is worked out on top of it.

Both answer the same questions. The paper sees through to what lies below it; the house reads what it does not hold from
the books. Frozen values only: publishing is laying the new ones on top.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

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
    """The published state. Only the pit's thread changes it; others read frozen values out of it."""

    books: Books
    tables: dict[int, Table] = field(default_factory=dict)
    casinos: dict[int, Casino] = field(default_factory=dict)
    places: dict[tuple[str, str], PlaceRow] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    identities: dict[tuple[str, str], int] = field(default_factory=dict)
    next_ids: dict[type[Row], int] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)

    def balance(self, account: str) -> int:
        """As on disk; remembered, since nobody else writes these books."""
        if account not in self.balances:
            self.balances[account] = self.books.balance(account)
        return self.balances[account]

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
            self.identities[key] = player
        return self.identities[key]

    def player(self, id: int) -> Player:
        if id not in self.players:
            row = self.books.first(PlayerRow, "WHERE id = ?", id)
            assert row is not None, f"player {id} is in no book"
            self.players[id] = Player(row.id, row.name, row.language, json.loads(row.state), row.joined)
        return self.players[id]

    def member(self, casino: int, player: int) -> Member | None:
        key = (casino, player)
        if key not in self.members:
            row = self.books.first(MemberRow, "WHERE casino = ? AND player = ?", *key)
            if row is None:
                return None
            self.members[key] = Member(row.casino, row.player, row.joined, json.loads(row.state))
        return self.members[key]

    def all_tables(self) -> dict[int, Table]:
        return dict(self.tables)

    def all_places(self) -> dict[tuple[str, str], PlaceRow]:
        return dict(self.places)

    def all_casinos(self) -> dict[int, Casino]:
        return dict(self.casinos)

    def next_id(self, kind: type[Row]) -> int:
        if kind not in self.next_ids:
            self.next_ids[kind] = self.books.next_id(kind)
        return self.next_ids[kind]

    def publish(self, paper: "Paper") -> None:
        """What is on disk now becomes what everybody sees."""
        self.tables |= paper.tables
        self.casinos |= paper.casinos
        self.players |= paper.players
        self.members |= paper.members
        self.identities |= paper.identities
        self.places |= paper.places
        self.next_ids |= paper.next_ids
        self.balances |= paper.balances
        # A finished hand's account is empty for good.
        for account in [name for name in paper.balances if name.startswith("hand:") and not self.balances[name]]:
            del self.balances[account]


class Paper(Draft):
    """A batch, or one command of it, before it is written."""

    def __init__(self, below: "House | Paper") -> None:
        super().__init__(below)
        self.below = below
        self.tables: dict[int, Table] = {}
        self.casinos: dict[int, Casino] = {}
        self.players: dict[int, Player] = {}
        self.members: dict[tuple[int, int], Member] = {}
        self.identities: dict[tuple[str, str], int] = {}
        self.places: dict[tuple[str, str], PlaceRow] = {}
        self.next_ids: dict[type[Row], int] = {}

    def take_over(self, paper: "Paper") -> None:
        self.absorb(paper)
        for name in ("tables", "casinos", "players", "members", "identities", "places", "next_ids"):
            getattr(self, name).update(getattr(paper, name))

    @property
    def books(self) -> Books:
        return self.below.books

    # Questions

    def table(self, id: int) -> Table | None:
        return self.tables.get(id) or self.below.table(id)

    def casino(self, id: int) -> Casino:
        return self.casinos.get(id) or self.below.casino(id)

    def place(self, platform: str, address: str) -> PlaceRow | None:
        return self.places.get((platform, address)) or self.below.place(platform, address)

    def identity(self, platform: str, name: str) -> int | None:
        return self.identities.get((platform, name)) or self.below.identity(platform, name)

    def player(self, id: int) -> Player:
        return self.players.get(id) or self.below.player(id)

    def member(self, casino: int, player: int) -> Member | None:
        return self.members.get((casino, player)) or self.below.member(casino, player)

    def all_tables(self) -> dict[int, Table]:
        return self.below.all_tables() | self.tables

    def all_places(self) -> dict[tuple[str, str], PlaceRow]:
        return self.below.all_places() | self.places

    def all_casinos(self) -> dict[int, Casino]:
        return self.below.all_casinos() | self.casinos

    def unwritten(self, kind: type[Row]) -> list[Any]:
        """The rows of a kind that this batch has and the books do not have yet; the newer stands behind the older."""
        below = self.below.unwritten(kind) if isinstance(self.below, Paper) else []
        return [*below, *self.rows[kind].values()]

    # Changes

    def next_id(self, kind: type[Row]) -> int:
        """The number that the next row of this kind gets; asking takes it."""
        id = self._peek_id(kind)
        self.next_ids[kind] = id + 1
        return id

    def _peek_id(self, kind: type[Row]) -> int:
        if kind in self.next_ids:
            return self.next_ids[kind]
        return self.below._peek_id(kind) if isinstance(self.below, Paper) else self.below.next_id(kind)

    def set_table(self, table: Table) -> Table:
        self.tables[table.id] = table
        return table

    def set_casino(self, casino: Casino) -> Casino:
        self.casinos[casino.id] = casino
        self.put(CasinoRow(casino.id, casino.name, json.dumps(casino.state), casino.founded))
        return casino

    def set_player(self, player: Player) -> Player:
        self.players[player.id] = player
        self.put(PlayerRow(player.id, player.name, player.language, json.dumps(player.state), player.joined))
        return player

    def set_member(self, member: Member) -> Member:
        self.members[member.casino, member.player] = member
        self.put(MemberRow(member.casino, member.player, member.joined, json.dumps(member.state)))
        return member

    def set_identity(self, platform: str, name: str, player: int) -> None:
        self.identities[platform, name] = player
        self.put(IdentityRow(platform, name, player))

    def set_place(self, place: PlaceRow) -> None:
        self.places[place.platform, place.address] = place
        self.put(place)

    def audit(
        self, at: float, casino: int, who: int, act: str, subject: str, reason: str, before: Any = "", after: Any = ""
    ) -> None:
        """`who` 0 is the house itself."""
        self.put(AuditRow(at, casino, who, act, subject, reason, str(before), str(after)))

    @property
    def is_empty(self) -> bool:
        return super().is_empty and not self.tables

    def finish(self) -> None:
        """Encode each changed table once, however often the batch changed it."""
        for table in self.tables.values():
            self.put(TableRow(table.id, table.casino, table.game, table.status, dump_table(table)))


def wallet_of(member: Member) -> str:
    return ledger.wallet(member.casino, member.player)
