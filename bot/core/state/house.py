"""The published state, and the paper on which a batch is worked out on top of it.

Both answer the same questions. The paper sees through to what lies below it; the house reads what it does not hold from
the books. Frozen values only: publishing is laying the new ones on top.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast

from msgspec import structs

from bot.core.state import codec
from bot.core.state.board import Board
from bot.core.state.casino_log import CasinoLog, read_log
from bot.core.state.casinos import CasinoMemory, CasinoState
from bot.core.state.codec import decode, encode
from bot.core.state.grouped import Grouped, Groups
from bot.core.state.people import MemberState, PlayerState
from bot.core.state.table import Table, dump_table
from bot.texts import Name
from engine.fairness.log import Entry
from storage import ledger, restored
from storage.ledger import Draft
from storage.looks import looks_of
from storage.questions import browsers, logs, people
from storage.rows import (
    AuditRow,
    BrowserRow,
    CasinoRow,
    IdentityRow,
    LogHeadRow,
    MemberRow,
    OpeningRow,
    PlaceRow,
    PlayerRow,
    Row,
    SeenRow,
    SessionRow,
    TableRow,
    UsernameRow,
)
from storage.store import Books, Reader

M = TypeVar("M", bound=CasinoMemory)
R = TypeVar("R", bound=Row)
# How many accounts or tables may change before indexes are told of it, so that no question has to wait for many.
MOST_MOVED = 500
# How many seeds are shown in one batch; the next follows at once.
OPENED_AT_ONCE = 50


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
        """The player, and those who went over into him: their hands and movements are his."""
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


def load_casino(row: CasinoRow) -> Casino:
    """Raises msgspec.DecodeError, as `load_player` and `load_member`."""
    return Casino(row.id, row.name, decode(CasinoState, row.state), row.founded)


def load_player(row: PlayerRow) -> Player:
    """Raises what the codec raises where the books hold a state that is none."""
    return Player(row.id, Name(row.name), row.language, decode(PlayerState, row.state), row.joined)


def load_member(row: MemberRow) -> Member:
    """Raises what the codec raises where the books hold a state that is none."""
    return Member(row.casino, row.player, row.joined, decode(MemberState, row.state), row.name, row.number)


def read_name(books: Reader, casino: int, player: int) -> Name:
    """Return what a player is called in a casino as the books have it; the number of a player who is unknown."""
    member, known = people.member(books, casino, player), people.player(books, player)
    if member is not None and member.name:
        return load_member(member).shown
    return Name(known.name if known is not None else player)


@dataclass(frozen=True)
class Browser:
    """`accounts` of the lounge's are signed in there."""

    row: BrowserRow
    accounts: frozenset[str]


@dataclass
class House:
    """The published state. Only the writer's thread changes it; others read frozen values out of it.

    What others look up is remembered too, but never over what was published while they read.
    """

    books: Books
    # A table with the hands that the books have for it; raises what keeps the one that is played from playing on.
    read_hands: Callable[[Table], Table] = lambda table: table
    # The public key in hex with which this house signs the heads of logs.
    key: str = ""
    # The beacon's chain, by its name; "": the house follows none. And a round of it that is surely over.
    chain: str = ""
    newest_round: int = 0
    tables: Grouped[int, Table] = field(default_factory=lambda: Grouped(_groups_of_table))
    casinos: Grouped[int, Casino] = field(default_factory=lambda: Grouped(_groups_of_casino))
    places: Grouped[tuple[str, str], PlaceRow] = field(default_factory=lambda: Grouped(_groups_of_place))
    players: dict[int, Player] = field(default_factory=dict)
    seen_last: dict[int, SeenRow] = field(default_factory=dict)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    identities: dict[tuple[str, str], int] = field(default_factory=dict)
    browsers: dict[str, Browser] = field(default_factory=dict)
    # The log of each casino that is written, and older ones in which seeds are still shown.
    logs: dict[int, CasinoLog] = field(default_factory=dict)
    older_logs: dict[tuple[int, int], CasinoLog] = field(default_factory=dict)
    # The newest head of each log that anybody has asked for; and logs that have grown since somebody took note of it.
    heads: dict[tuple[int, int], LogHeadRow | None] = field(default_factory=dict)
    _grown: deque[tuple[int, int]] = field(default_factory=deque)
    # {hand: (casino, when its seed is shown)} of promises that wait for that.
    openings: dict[int, tuple[int, int]] = field(default_factory=dict)
    # Since when a place, or with the address "" a whole platform, is out of reach; None is back. No restart keeps it.
    away: dict[tuple[str, str], float | None] = field(default_factory=dict)
    # The number of the next row of each kind, from when it was first asked for.
    next_ids: dict[type[Row], int] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    # By what the accounts of a casino's wallets begin with; and what has moved since the boards were last told.
    _boards: dict[str, Board] = field(default_factory=dict)
    _moved: dict[str, int] = field(default_factory=dict)
    # Who was where when it was last asked, by player and by table; and the tables that have changed since.
    _tables_of: dict[int, set[int]] = field(default_factory=dict)
    _players_at: dict[int, set[int]] = field(default_factory=dict)
    _changed: set[int] = field(default_factory=set)
    # {casino: a heap of (when, hand)}; what does not stand so among the openings counts no more.
    _openings: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def balance(self, account: str) -> int:
        """As on disk."""
        known = self.balances.get(account)
        return self.balances.setdefault(account, self.books.balance(account)) if known is None else known

    def read_table(self, id: int) -> Table | None:
        """With its hands, each of which is read once. For the writer's thread; raises what `read_hands` raises."""
        table = self.tables.get(id)
        if table is not None and table.unread is not None:
            table = self.tables[id] = self.read_hands(table)
        return table

    def table(self, id: int) -> Table | None:
        """The same for whoever only looks, in any thread: what he reads is not kept.

        A hand that does not play any more is not there for him; the writer finds it so by itself, and gives it back.
        """
        table = self.tables.get(id)
        if table is None or table.unread is None:
            return table
        try:
            return self.read_hands(table)
        except Exception:
            return structs.replace(table, unread=None)

    def casino(self, id: int) -> Casino:
        found = self.casinos.get(id)
        assert found is not None, f"casino {id} is in no book"
        return found

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

    def name_of(self, casino: int, player: int) -> Name:
        """Return what a player is called in a casino: their own name where they have never been, "?" for nobody."""
        member = self.member(casino, player)
        if member is not None and member.name:
            return member.shown
        known = self.find_player(player)
        return Name(known.own_name if known is not None else "?")

    def seen(self, player: int) -> SeenRow:
        """Where he spoke and played last."""
        if (known := self.seen_last.get(player)) is not None:
            return known
        return self.seen_last.setdefault(player, people.seen(self.books, player) or SeenRow(player))

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
            read = Browser(row, browsers.accounts_in_browser(self.books, id))
            return self.browsers.setdefault(id, read)
        return self.browsers[id]

    def log_of(self, casino: int, number: int | None = None) -> CasinoLog:
        """The casino's current log; an older one is asked for by its number. It may not have begun yet."""
        current = self.logs.get(casino)
        if current is None:
            current = read_log(self.books, casino) or CasinoLog(casino, 1, self.key)
            current = self.logs.setdefault(casino, current)
        if number is None or number == current.number:
            return current
        if (casino, number) not in self.older_logs:
            older = read_log(self.books, casino, number)
            assert older is not None, f"casino {casino} has no log {number}"
            return self.older_logs.setdefault((casino, number), older)
        return self.older_logs[casino, number]

    def head_of(self, casino: int, number: int | None = None) -> LogHeadRow | None:
        """The newest that is signed of the casino's current log, or of the one of that number."""
        key = casino, self.log_of(casino).number if number is None else number
        if key not in self.heads:
            return self.heads.setdefault(key, logs.newest_head(self.books, *key))
        return self.heads[key]

    def note_grown(self, casino: int, number: int) -> None:
        """In any thread, as `take_grown`."""
        self._grown.append((casino, number))

    def take_grown(self) -> set[tuple[int, int]]:
        """(casino, number) of the logs that have grown since it was last asked."""
        grown = set()
        while self._grown:
            grown.add(self._grown.popleft())
        return grown

    def next_opening(self, casino: int) -> tuple[int, int] | None:
        """When the next seed of a casino is shown, and of which hand; for the writer's thread."""
        heap = self._openings.get(casino, [])
        while heap and self.openings.get(heap[0][1]) != (casino, heap[0][0]):
            heapq.heappop(heap)
        return heap[0] if heap else None

    def openings_due(self, casino: int, now: float) -> list[int]:
        """Of which hands of a casino seeds are to be shown by now, a few at a time; for the writer's thread."""
        due = dict[int, None]()
        while len(due) < OPENED_AT_ONCE and (found := self.next_opening(casino)) is not None and found[0] <= now:
            # Again and again, where it was put off to the same second.
            due[heapq.heappop(self._openings[casino])[1]] = None
        for hand in due:
            heapq.heappush(self._openings[casino], (self.openings[hand][1], hand))
        return list(due)

    def wait_to_open(self, row: OpeningRow) -> None:
        """As the books have it now."""
        if not row.at:
            self.openings.pop(row.hand, None)
            return
        self.openings[row.hand] = (row.casino, row.at)
        heapq.heappush(self._openings.setdefault(row.casino, []), (row.at, row.hand))

    def board(self, casino: int) -> Board:
        """The richest of a casino by what is published; for the writer's thread."""
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
        """Where somebody has a seat or a bet, in a hand too: no look at every table. For the writer's thread."""
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

    def tables_in(self, casino: int) -> list[Table]:
        """All of a casino, closed ones too, as they were opened. In any thread, as `places_of`."""
        return self.tables.under("casino", casino)

    def places_of(self, table: int) -> list[PlaceRow]:
        """Where a table is to be seen."""
        return self.places.under("table", table)

    def free_id(self, kind: type[Row], nth: int) -> int:
        """Return one of the numbers that no row has yet, from 0 on; for the writer's thread."""
        if kind not in self.next_ids:
            self.next_ids[kind] = restored.next_number(self.books, kind)
        return self.next_ids[kind] + nth

    def publish(self, paper: "Paper") -> None:
        """What is on disk now becomes what everybody sees."""
        hands_before = {table.hand_id for id in paper.tables if (table := self.tables.get(id)) is not None}
        self.tables.lay(paper.tables)
        self._changed |= paper.tables.keys()
        if self._players_at and len(self._changed) > MOST_MOVED:
            self._note_changes()
        self.casinos.lay(paper.casinos)
        self.players |= paper.players
        self.seen_last |= paper.seen_last
        self.members |= paper.members
        self.identities |= paper.identities
        self.browsers |= paper.browsers
        self.places.lay(paper.places)
        self.away |= paper.away
        self._publish_logs(paper)
        for row in paper.unwritten(OpeningRow):
            self.wait_to_open(row)
        for kind, used in paper.used_ids.items():
            self.next_ids[kind] += used
        self.balances |= paper.balances
        if self._boards:
            self._moved |= paper.balances
            if len(self._moved) > MOST_MOVED:
                self._tell_boards()
        # The account of a hand that is over is empty for good.
        for hand in hands_before - {table.hand_id for table in paper.tables.values()}:
            self.balances.pop(ledger.hand(hand), None)

    def _publish_logs(self, paper: "Paper") -> None:
        self.logs |= paper.logs
        self.older_logs |= paper.older_logs
        self._grown.extend((log.casino, log.number) for log in (*paper.logs.values(), *paper.older_logs.values()))
        for head in paper.unwritten(LogHeadRow):
            self.heads[head.casino, head.log] = head


class Paper(Draft):
    """A batch before it is written."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self.house = house
        self.tables: dict[int, Table] = {}
        self.casinos: dict[int, Casino] = {}
        self.players: dict[int, Player] = {}
        self.seen_last: dict[int, SeenRow] = {}
        self.members: dict[tuple[int, int], Member] = {}
        self.identities: dict[tuple[str, str], int] = {}
        self.places: dict[tuple[str, str], PlaceRow] = {}
        self.away: dict[tuple[str, str], float | None] = {}
        # How many of the numbers that are free were given to rows on it.
        self.used_ids: dict[type[Row], int] = {}
        self.browsers: dict[str, Browser] = {}
        self.logs: dict[int, CasinoLog] = {}
        self.older_logs: dict[tuple[int, int], CasinoLog] = {}

    @property
    def books(self) -> Books:
        return self.house.books

    @property
    def chain(self) -> str:
        """Of the beacon that the house follows; "": none."""
        return self.house.chain

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
        found = self.find_player(id)
        assert found is not None, f"player {id} is in no book"
        return found

    def name_of(self, casino: int, player: int) -> Name:
        """Return what a player is called in a casino now, for a sentence: nothing is worked out from it."""
        member = self.member(casino, player)
        if member is not None and member.name:
            return member.shown
        return Name((self.players.get(player) or self.house.player(player)).own_name)

    def free_number(self, casino: int, name: str, player: int, *, is_first: bool) -> int:
        """Return the number of a player's new name: 1 where it is free and they may be the first, else the next."""
        looks = looks_of(name)
        others = (one for (at, id), one in self.members.items() if at == casino and id != player)
        taken = {one.number for one in others if not set(looks).isdisjoint(looks_of(one.name))}
        taken.update(people.numbers_named(self.books, casino, looks, player) or ())
        return 1 if is_first and 1 not in taken else max(taken, default=1) + 1

    def find_username(self, platform: str, username: str) -> str | None:
        """Return the account that was last seen with a username, or None."""
        wanted = username.casefold()
        row = self.get(UsernameRow, platform, wanted)
        return (
            cast(UsernameRow, row).account if row is not None else people.account_called(self.books, platform, wanted)
        )

    def find_player(self, id: int) -> Player | None:
        """None where nobody has that number."""
        return self.players.get(id) or self.house.find_player(id)

    def seen(self, player: int) -> SeenRow:
        return self.seen_last.get(player) or self.house.seen_last.get(player) or self.house.seen(player)

    def member(self, casino: int, player: int) -> Member | None:
        return self.members.get((casino, player)) or self.house.member(casino, player)

    def browser(self, id: str) -> Browser | None:
        return self.browsers.get(id) or self.house.browser(id)

    def tables_of(self, player: int) -> list[Table]:
        """Where somebody has a seat or a bet, as it is on this paper."""
        found = (self.table(id) for id in sorted(self.house.tables_of(player) | self.tables.keys()))
        return [table for table in found if table is not None and player in table.players()]

    def tables_in(self, casino: int) -> list[Table]:
        """All of a casino, closed ones too, as they were opened."""
        return self.house.tables.under("casino", casino, self.tables)

    def tables_playing(self, casino: int) -> list[Table]:
        """Those where a hand is played for its meter, with hands that nobody has read yet."""
        return self.house.tables.under("meter", casino, self.tables)

    def places_in(self, casino: int) -> list[PlaceRow]:
        """Where a casino speaks, in the communities that have joined it too."""
        return self.house.places.under("casino", casino, self.places)

    def places_from(self, home: int) -> list[PlaceRow]:
        """The places of a community that has joined another's casino; none where it has not."""
        return self.house.places.under("home", home, self.places)

    def is_shared(self, casino: int) -> bool:
        """Whether a second community has joined it."""
        return bool(self.house.places.under("joined", casino, self.places))

    def places_of(self, table: int) -> list[PlaceRow]:
        """Where a table is to be seen."""
        return self.house.places.under("table", table, self.places)

    def places_on(self, platform: str) -> list[PlaceRow]:
        """All of a platform: a look at the whole house, for what befalls all of it."""
        rows = (self.house.places | self.places).values()
        return [row for row in rows if row.platform == platform]

    def casinos_banning(self, player: int) -> list[Casino]:
        return self.house.casinos.under("banned", player, self.casinos)

    def find_casino(self, id: int) -> Casino | None:
        return self.casinos.get(id) or self.house.casinos.get(id)

    def away_since(self, platform: str, address: str) -> float | None:
        """Since when a place, or with the address "" a whole platform, is out of reach."""
        key = (platform, address)
        return self.away[key] if key in self.away else self.house.away.get(key)

    def log_of(self, casino: int, number: int | None = None) -> CasinoLog:
        """The casino's current log, as it is on this paper; an older one is asked for by its number.

        It says what a promise must name: `house` and `number`; and its `time` is the `at` of entries.
        """
        current = self.logs.get(casino) or self.house.log_of(casino)
        if number is None or number == current.number:
            return current
        return self.older_logs.get((casino, number)) or self.house.log_of(casino, number)

    def unwritten(self, kind: type[R]) -> list[R]:
        """The rows of a kind that this batch has and the books do not have yet."""
        return cast(list[R], list(self.rows[cast(type[Row], kind)].values()))

    # Changes

    def next_id(self, kind: type[Row]) -> int:
        """The number that the next row of this kind gets; asking takes it."""
        used = self.used_ids.get(kind, 0)
        self.lay(self.used_ids, kind, used + 1)
        return self.house.free_id(kind, used)

    def set_table(self, table: Table) -> Table:
        self.lay(self.tables, table.id, table)
        return table

    def set_casino(self, casino: Casino) -> Casino:
        self.lay(self.casinos, casino.id, casino)
        self.put(CasinoRow(casino.id, casino.name, encode(casino.state), casino.founded))
        return casino

    def set_player(self, player: Player) -> Player:
        self.lay(self.players, player.id, player)
        name, state = str(player.own_name), encode(player.state)
        self.put(PlayerRow(player.id, name, player.language, state, player.joined))
        return player

    def see(self, seen: SeenRow) -> None:
        self.lay(self.seen_last, seen.player, seen)
        self.put(seen)

    def set_member(self, member: Member) -> Member:
        self.lay(self.members, (member.casino, member.player), member)
        state = encode(member.state)
        key = member.casino, member.player
        self.put(MemberRow(*key, member.joined, state, str(member.name), member.number, *looks_of(member.name)))
        return member

    def set_identity(self, account: IdentityRow) -> None:
        self.lay(self.identities, (account.platform, account.name), account.player)
        self.put(account)

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

    def log(self, casino: int, entry: Entry, number: int | None = None) -> int:
        """Append an entry to the casino's current log, which begins by itself; its index. Raises engine's Wrong.

        A seed of an older log is shown in that one, which is then named by its number.
        """
        current = self.log_of(casino)
        log = current if number is None or number == current.number else self.log_of(casino, number)
        if log.size == 0:
            log, row = log.begin(entry["at"])
            self.put(log.row)
            self.put(row)
        grown, row = log.append(entry)
        if grown.joined != log.joined:
            self.put(grown.row)
        self.put(row)
        if log.number == current.number:
            self.lay(self.logs, casino, grown)
        else:
            self.lay(self.older_logs, (casino, log.number), grown)
        return row.number

    def set_opening(self, row: OpeningRow) -> None:
        """Whose seed is shown later."""
        self.put(row)

    def drop_opening(self, hand: int) -> None:
        """Its seed is shown; it may not have waited for that."""
        waits = self.house.openings.get(hand)
        if waits is not None or self.get(OpeningRow, hand) is not None:
            self.put(OpeningRow(hand, waits[0] if waits is not None else 0, 0))

    def begin_log(self, casino: int, why: str, at: float) -> CasinoLog:
        """The casino's next log begins, whatever the one before could still take."""
        before = self.log_of(casino)
        begun = before if before.size == 0 else before.next(self.house.key, why)
        log, row = begun.begin(before.time(at))
        self.put(log.row)
        self.put(row)
        self.lay(self.logs, casino, log)
        if before.size:
            self.lay(self.older_logs, (casino, before.number), before)
        return log

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


def _groups_of_table(table: Table) -> Groups:
    home = ("casino", table.casino)
    # Asked with every change of every table.
    if table.plays.linked_meter and table.phase == "playing":
        return home, ("meter", table.casino)
    return (home,)


def _groups_of_casino(casino: Casino) -> Groups:
    return tuple(("banned", player) for player in casino.state.banned)


def _groups_of_place(row: PlaceRow) -> Groups:
    table = (("table", row.table_id),) if row.table_id is not None else ()
    return ("casino", row.casino), *table, *((("home", row.home), ("joined", row.casino)) if row.home else ())


def wallet_of(member: Member) -> str:
    """The account of his chips in this casino."""
    return ledger.wallet(member.casino, member.player)
