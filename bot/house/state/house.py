"""What the floor knows: the published state, and the paper on which a batch is worked out on top of it.

Both answer the same questions. The paper sees through to what lies below it; the house reads what it does not hold from
the books. Frozen values only: publishing is laying the new ones on top.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from msgspec import structs

from bot.house.state import codec
from bot.house.state.board import Board
from bot.house.state.casinos import CasinoMemory, CasinoState
from bot.house.state.codec import decode, encode
from bot.house.state.people import MemberState, PlayerState
from bot.house.state.table import Table, dump_table
from storage import ledger
from storage.ledger import Draft
from storage.looks import looks_of
from storage.questions import browsers, people
from storage.rows import (
    AuditRow,
    BrowserRow,
    CasinoRow,
    IdentityRow,
    LookRow,
    MemberRow,
    PlaceRow,
    PlayerRow,
    Row,
    SessionRow,
    TableRow,
)
from storage.store import Books

M = TypeVar("M", bound=CasinoMemory)
R = TypeVar("R", bound=Row)
# How many accounts or tables may change before indexes are told of it, so that no question has to wait for many.
MOST_MOVED = 500


@dataclass(frozen=True)
class Casino:
    """One economy."""

    id: int
    name: str
    state: CasinoState
    founded: float
    # {(game, what a table sets): its options here}: every bet and every screen asks, and of one value it is the same.
    options: dict[tuple[str, bytes], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def change(self, **changes: object) -> "Casino":
        return replace(self, state=structs.replace(self.state, **changes))

    def kept(self, kind: type[M]) -> M:
        """What a game keeps here, in the type that the game has declared for it."""
        return codec.take(self.state.others, kind)

    def keep(self, own: CasinoMemory) -> "Casino":
        """With that kept by its game."""
        return self.change(others=codec.put(self.state.others, own))


@dataclass(frozen=True)
class Player:
    """`joined` in Unix seconds; `language` is the one of his private answers."""

    id: int
    name: str
    language: str
    state: PlayerState
    joined: float

    @property
    def ids(self) -> list[int]:
        """The player, and those who went over into him: their hands and movements are his."""
        return [self.id, *self.state.was]

    def change(self, **changes: object) -> "Player":
        return replace(self, state=structs.replace(self.state, **changes))


@dataclass(frozen=True)
class Member:
    """A player in one casino."""

    casino: int
    player: int
    joined: float
    state: MemberState

    def change(self, **changes: object) -> "Member":
        return replace(self, state=structs.replace(self.state, **changes))


def load_casino(row: CasinoRow) -> Casino:
    """Raises msgspec.DecodeError, as `load_player` and `load_member`."""
    return Casino(row.id, row.name, decode(CasinoState, row.state), row.founded)


def load_player(row: PlayerRow) -> Player:
    """Raises what the codec raises where the books hold a state that is none."""
    return Player(row.id, row.name, row.language, decode(PlayerState, row.state), row.joined)


def load_member(row: MemberRow) -> Member:
    """Raises what the codec raises where the books hold a state that is none."""
    return Member(row.casino, row.player, row.joined, decode(MemberState, row.state))


@dataclass(frozen=True)
class Browser:
    """`accounts` of the lounge's are signed in there."""

    row: BrowserRow
    accounts: frozenset[str]


@dataclass
class House:
    """The published state. Only the pit's thread changes it; others read frozen values out of it.

    What others look up is remembered too, but never over what was published while they read.
    """

    books: Books
    # A table with the hands that the books have for it; raises what keeps the one that is played from playing on.
    read_hands: Callable[[Table], Table] = lambda table: table
    tables: dict[int, Table] = field(default_factory=dict)
    casinos: dict[int, Casino] = field(default_factory=dict)
    places: dict[tuple[str, str], PlaceRow] = field(default_factory=dict)
    # How often places have changed: who keeps an index of them sees by it when it is old.
    places_changed: int = 0
    players: dict[int, Player] = field(default_factory=dict)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    identities: dict[tuple[str, str], int] = field(default_factory=dict)
    browsers: dict[str, Browser] = field(default_factory=dict)
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

    def read_table(self, id: int) -> Table | None:
        """With its hands, each of which is read once. For the pit's thread; raises what `read_hands` raises."""
        table = self.tables.get(id)
        if table is not None and table.unread is not None:
            table = self.tables[id] = self.read_hands(table)
        return table

    def table(self, id: int) -> Table | None:
        """The same for whoever only looks, in any thread: what he reads is not kept.

        A hand that does not play any more is not there for him; the pit finds it so by itself, and gives it back.
        """
        table = self.tables.get(id)
        if table is None or table.unread is None:
            return table
        try:
            return self.read_hands(table)
        except Exception:
            return structs.replace(table, unread=None)

    def casino(self, id: int) -> Casino:
        return self.casinos[id]

    def place(self, platform: str, address: str) -> PlaceRow | None:
        return self.places.get((platform, address))

    def identity(self, platform: str, name: str) -> int | None:
        """The player behind an account on a platform; None for who has never spoken."""
        key = (platform, name)
        if key not in self.identities:
            player = people.player_behind(self.books, platform, name)
            if player is None:
                return None
            return self.identities.setdefault(key, player)
        return self.identities[key]

    def player(self, id: int) -> Player:
        found = self.find_player(id)
        assert found is not None, f"player {id} is in no book"
        return found

    def find_player(self, id: int) -> Player | None:
        """From memory, or read from the books; None where there is none of that number."""
        if id not in self.players:
            row = people.player(self.books, id)
            if row is None:
                return None
            player = load_player(row)
            return self.players.setdefault(id, player)
        return self.players[id]

    def member(self, casino: int, player: int) -> Member | None:
        """From memory, or read from the books; None for who has never been in that casino."""
        key = (casino, player)
        if key not in self.members:
            row = people.member(self.books, casino, player)
            if row is None:
                return None
            member = load_member(row)
            return self.members.setdefault(key, member)
        return self.members[key]

    def browser(self, id: str) -> Browser | None:
        """From memory, or read from the books with who is signed in there; None for one that is not known."""
        if id not in self.browsers:
            row = browsers.browser(self.books, id)
            if row is None:
                return None
            return self.browsers.setdefault(id, Browser(row, browsers.accounts_in_browser(self.books, id)))
        return self.browsers[id]

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
        hands_before = {table.hand_id for id in paper.tables if (table := self.tables.get(id)) is not None}
        self.tables |= paper.tables
        self._changed |= paper.tables.keys()
        if self._players_at and len(self._changed) > MOST_MOVED:
            self._note_changes()
        self.casinos |= paper.casinos
        self.players |= paper.players
        self.members |= paper.members
        self.identities |= paper.identities
        self.browsers |= paper.browsers
        self.places |= paper.places
        self.places_changed += bool(paper.places)
        self.away |= paper.away
        self.next_ids |= paper.next_ids
        self.balances |= paper.balances
        if self._boards:
            self._moved |= paper.balances
            if len(self._moved) > MOST_MOVED:
                self._tell_boards()
        # The account of a hand that is over is empty for good.
        for hand in hands_before - {table.hand_id for table in paper.tables.values()}:
            self.balances.pop(ledger.hand(hand), None)


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
        self.looks: dict[str, int] = {}
        self.browsers: dict[str, Browser] = {}

    @property
    def books(self) -> Books:
        return self.house.books

    # Questions

    def table(self, id: int) -> Table | None:
        table = self.tables.get(id)
        return self.house.read_table(id) if table is None else self.house.read_hands(table)

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

    def browser(self, id: str) -> Browser | None:
        return self.browsers.get(id) or self.house.browser(id)

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

    def is_look_taken(self, look: str) -> bool:
        """Whether somebody's name looks so, on this paper or in the books."""
        return look in self.looks or people.is_look_taken(self.books, look)

    def unwritten(self, kind: type[R]) -> list[R]:
        """The rows of a kind that this batch has and the books do not have yet."""
        return cast(list[R], list(self.rows[cast(type[Row], kind)].values()))

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
        self.put(CasinoRow(casino.id, casino.name, encode(casino.state), casino.founded))
        return casino

    def set_player(self, player: Player) -> Player:
        self.lay(self.players, player.id, player)
        self.put(PlayerRow(player.id, player.name, player.language, encode(player.state), player.joined))
        return player

    def name_player(self, player: Player) -> Player:
        """A new player, who is found by the looks of his name from now on."""
        for look in sorted(looks_of(player.name)):
            self.lay(self.looks, look, player.id)
            self.put(LookRow(look, player.id))
        return self.set_player(player)

    def set_member(self, member: Member) -> Member:
        self.lay(self.members, (member.casino, member.player), member)
        self.put(MemberRow(member.casino, member.player, member.joined, encode(member.state)))
        return member

    def set_identity(self, platform: str, name: str, player: int) -> None:
        self.lay(self.identities, (platform, name), player)
        self.put(IdentityRow(platform, name, player))

    def set_browser(self, row: BrowserRow) -> None:
        known = self.browser(row.id)
        self.lay(self.browsers, row.id, Browser(row, known.accounts if known else frozenset()))
        self.put(row)

    def set_session(self, session: SessionRow) -> None:
        """The browser must be known. A session that has ended is among its accounts no more."""
        browser = self.browser(session.browser)
        assert browser is not None
        others = browser.accounts - {session.account}
        accounts = others | {session.account} if session.ended is None else others
        self.lay(self.browsers, session.browser, Browser(browser.row, accounts))
        self.put(session)

    def set_place(self, place: PlaceRow) -> None:
        self.lay(self.places, (place.platform, place.address), place)
        self.put(place)

    def set_away(self, platform: str, address: str, since: float | None) -> None:
        self.lay(self.away, (platform, address), since)

    def audit(
        self,
        at: float,
        casino: int,
        who: int,
        act: str,
        subject: str,
        reason: str,
        before: object = "",
        after: object = "",
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
    """The account of his chips in this casino."""
    return ledger.wallet(member.casino, member.player)
