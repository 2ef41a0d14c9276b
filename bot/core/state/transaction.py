"""The published state, and the transaction on which a batch is worked out on top of it.

Both are layers of the same maps of frozen values and answer the same questions. Publishing is laying the changed values
of a transaction on the state.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

from msgspec import structs

from bot.core.state.at_tables import ChipsAtTables
from bot.core.state.board import Leaderboards
from bot.core.state.casino_log import CasinoLog, read_log
from bot.core.state.codec import encode
from bot.core.state.indexes import Openings, Presence
from bot.core.state.layers import GroupedMap, Groups, LayeredMap
from bot.core.state.table import Table, dump_table
from bot.core.state.values import Browser, Casino, Member, Player, read_browser, read_member, read_player
from bot.texts import Name
from engine.fairness.log import Entry
from storage import ledger, restored
from storage.confusables import skeletons_of
from storage.ledger import Draft
from storage.questions import logs, people
from storage.rows import (
    AuditRow,
    BrowserRow,
    CasinoRow,
    DailyDealRow,
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
from storage.store import ReadableBooks

R = TypeVar("R", bound=Row)
MAPS = (
    "tables",
    "casinos",
    "places",
    "players",
    "seen_last",
    "members",
    "identities",
    "browsers",
    "logs",
    "older_logs",
)


class Layer:
    """Values by their keys, and the questions that every layer answers from its own values and those below."""

    tables: LayeredMap[int, Table]
    casinos: LayeredMap[int, Casino]
    places: LayeredMap[tuple[str, str], PlaceRow]
    players: LayeredMap[int, Player]
    # Where each player last wrote and played.
    seen_last: LayeredMap[int, SeenRow]
    members: LayeredMap[tuple[int, int], Member]
    identities: LayeredMap[tuple[str, str], int]
    browsers: LayeredMap[str, Browser]
    # Each casino's current log, and older ones in which seeds are still revealed.
    logs: LayeredMap[int, CasinoLog]
    older_logs: LayeredMap[tuple[int, int], CasinoLog]
    # The name of the beacon, "" for none.
    chain: str

    def place(self, platform: str, address: str) -> PlaceRow | None:
        return self.places.find((platform, address))

    def identity(self, platform: str, name: str) -> int | None:
        """Return the player behind an account on a platform; None for an account that has never spoken."""
        return self.identities.find((platform, name))

    def member(self, casino: int, player: int) -> Member | None:
        """Return a membership; None for a player who has never been in that casino."""
        return self.members.find((casino, player))

    def name_of(self, casino: int, player: int) -> Name:
        """Return what a player is called in a casino: their own name where they have never been, "?" if unknown."""
        member = self.members.find((casino, player))
        if member is not None and member.name:
            return member.shown
        known = self.players.find(player)
        return Name(known.own_name if known is not None else "?")

    def browser(self, id: str) -> Browser | None:
        """Return a browser with the accounts that are signed in there, or None."""
        return self.browsers.find(id)

    def log_of(self, casino: int, number: int | None = None) -> CasinoLog:
        """Return the casino's current log, or an older one by its number. The current one may not have begun yet.

        It has what a commitment must name, `house` and `number`; and its `time` is the `at` of entries.
        """
        current = self.logs[casino]
        return current if number is None or number == current.number else self.older_logs[casino, number]

    def tables_in(self, casino: int) -> list[Table]:
        """Return all tables of a casino, closed ones too, as they were opened."""
        return self.tables.under("casino", casino)

    def tables_playing(self, casino: int) -> list[Table]:
        """Return the tables where a hand is played for the casino's meter, unread hands included."""
        return self.tables.under("meter", casino)

    def places_in(self, casino: int) -> list[PlaceRow]:
        """Return where a casino speaks, in the communities that have joined it too."""
        return self.places.under("casino", casino)

    def places_from(self, home: int) -> list[PlaceRow]:
        """Return the places of a community that has joined another's casino; none where it has not."""
        return self.places.under("home", home)

    def places_of(self, table: int) -> list[PlaceRow]:
        """Return where a table is shown."""
        return self.places.under("table", table)

    def is_shared(self, casino: int) -> bool:
        """Check whether a second community has joined the casino."""
        return bool(self.places.under("joined", casino))

    def casinos_banning(self, player: int) -> list[Casino]:
        return self.casinos.under("banned", player)


class State(Layer):
    """The published state. Only the writer's thread changes it; other threads read frozen values out of it.

    `read_hands` returns a table with the hands that the books have for it, and raises if the one that is played does
    not replay. `key` is the public key in hex with which heads of logs are signed.
    """

    tables: GroupedMap[int, Table]
    casinos: GroupedMap[int, Casino]
    places: GroupedMap[tuple[str, str], PlaceRow]

    def __init__(
        self,
        books: ReadableBooks,
        read_hands: Callable[[Table], Table] = lambda table: table,
        key: str = "",
        chain: str = "",
    ) -> None:
        self.books = books
        self.read_hands = read_hands
        self.key = key
        self.chain = chain
        # A round of the beacon that is over.
        self.newest_round = 0
        self.tables = GroupedMap(_groups_of_table)
        self.casinos = GroupedMap(_groups_of_casino)
        self.places = GroupedMap(_groups_of_place)
        self.players = LayeredMap.reading(partial(read_player, books))
        self.seen_last = LayeredMap.reading(self._read_seen)
        self.members = LayeredMap.reading(partial(read_member, books))
        self.identities = LayeredMap.reading(self._read_identity)
        self.browsers = LayeredMap.reading(partial(read_browser, books))
        self.logs = LayeredMap.reading(self._read_log)
        self.older_logs = LayeredMap.reading(self._read_older_log)
        self.balances = LayeredMap.reading(self._read_balance)
        # The newest head of each requested log; None without one.
        self.heads: dict[tuple[int, int], LogHeadRow | None] = {}
        self._grown: deque[tuple[int, int]] = deque()
        self.openings = Openings()
        # (day, game) of daily decks whose seeds are not shown yet.
        self.daily_deals: set[tuple[int, str]] = set()
        # Since when a place, or with the address "" a whole platform, is unreachable; None is reachable. Lost at a
        # restart.
        self.away: dict[tuple[str, str], float | None] = {}
        # The number of the next row of each kind, once requested.
        self.next_ids: dict[type[Row], int] = {}
        # How many hands of a game were void by a fault since its last good one, or since the start.
        self.faults_in_a_row: dict[str, int] = {}
        self.at_tables = ChipsAtTables(books, self.tables)
        self.boards = Leaderboards(books, self.balance, self.at_tables)
        self.presence = Presence(self.tables)
        # Tables whose hands were read for display: without and with them.
        self._shown: dict[int, tuple[Table, Table]] = {}
        # Tables whose present hand could not be read for display; the writer voids it.
        self.unreadable: deque[int] = deque()

    def _read_balance(self, account: str) -> int:
        return self.books.balance(account)

    def peek_balance(self, account: str) -> int:
        """Return a balance without remembering it, in minor units. Thread-safe."""
        known = self.balances.get(account)
        return self._read_balance(account) if known is None else known

    def _read_seen(self, player: int) -> SeenRow:
        return people.seen(self.books, player) or SeenRow(player)

    def _read_identity(self, key: tuple[str, str]) -> int | None:
        return people.player_behind(self.books, *key)

    def _read_log(self, casino: int) -> CasinoLog:
        return read_log(self.books, casino) or CasinoLog(casino, 1, self.key)

    def _read_older_log(self, key: tuple[int, int]) -> CasinoLog | None:
        return read_log(self.books, *key)

    def balance(self, account: str) -> int:
        """Return the balance of an account as on disk."""
        return self.balances[account]

    def read_table(self, id: int) -> Table | None:
        """Return a table with its hands, each read once. For the writer's thread; raises as `read_hands`."""
        table = self.tables.get(id)
        if table is not None and table.unread is not None:
            table = self.tables[id] = self.read_hands(table)
        return table

    def table(self, id: int) -> Table | None:
        """Return a table with its hands, which are read once for all looks. Thread-safe.

        A hand that no longer replays is left out, and its stakes are returned in the next batch.
        """
        table = self.tables.get(id)
        if table is None or table.unread is None:
            return table
        shown = self._shown.get(id)
        if shown is None or shown[0] is not table:
            shown = self._shown[id] = table, self._read_hands_of(table)
        return shown[1]

    def _read_hands_of(self, table: Table) -> Table:
        try:
            return self.read_hands(table)
        except Exception:
            self.unreadable.append(table.id)
            return structs.replace(table, unread=None)

    def head_of(self, casino: int, number: int | None = None) -> LogHeadRow | None:
        """Return the newest signed head of the casino's current log, or of the one of that number."""
        key = casino, self.log_of(casino).number if number is None else number
        if key not in self.heads:
            return self.heads.setdefault(key, logs.newest_head(self.books, *key))
        return self.heads[key]

    def is_signed(self, casino: int, number: int) -> bool:
        """Check whether heads of a log are signed. They are not once it was left for another, of which others may have
        seen more, or its key is gone.
        """
        log = self.log_of(casino, number)
        return log.house == self.key and (number == self.log_of(casino).number or bool(log.joined))

    def note_grown(self, casino: int, number: int) -> None:
        """Note that a log has grown since its last head, in any thread."""
        self._grown.append((casino, number))

    def take_grown(self) -> set[tuple[int, int]]:
        """Return (casino, number) of the logs that have grown since the last call, in any thread."""
        grown = set()
        while self._grown:
            grown.add(self._grown.popleft())
        return grown

    def free_id(self, kind: type[Row], nth: int) -> int:
        """Return one of the numbers that no row has yet, from 0 on; for the writer's thread."""
        if kind not in self.next_ids:
            self.next_ids[kind] = restored.next_number(self.books, kind)
        return self.next_ids[kind] + nth

    def note_daily_deal(self, row: DailyDealRow) -> None:
        """Note a deck of the deal of the day as the books have it now."""
        (self.daily_deals.add if row.ended is None else self.daily_deals.discard)((row.day, row.game))

    def publish(self, transaction: "Transaction") -> None:
        """Make what is on disk now what everybody sees."""
        hands_before = {table.round.hand_id for id in transaction.tables if (table := self.tables.get(id)) is not None}
        self.tables.lay(transaction.tables)
        for id in transaction.tables:
            self._shown.pop(id, None)
        self.presence.note_changed(transaction.tables)
        if transaction.casinos:
            self.casinos.lay(transaction.casinos)
        self.players |= transaction.players
        self.seen_last |= transaction.seen_last
        self.members |= transaction.members
        self.identities |= transaction.identities
        self.browsers |= transaction.browsers
        if transaction.places:
            self.places.lay(transaction.places)
        self.away |= transaction.away
        self.faults_in_a_row |= transaction.faults_in_a_row
        self._publish_logs(transaction)
        for row in transaction.unwritten(OpeningRow):
            self.openings.note(row)
        for deal in transaction.unwritten(DailyDealRow):
            self.note_daily_deal(deal)
        for kind, used in transaction.used_ids.items():
            self.next_ids[kind] += used
        self.balances |= transaction.balances
        at_tables = self.at_tables.note_written(transaction)
        self.boards.note_moved(transaction.balances, at_tables)
        # The account of a finished hand stays empty.
        for hand in hands_before - {table.round.hand_id for table in transaction.tables.values()}:
            self.balances.pop(ledger.hand(hand), None)

    def _publish_logs(self, transaction: "Transaction") -> None:
        self.logs |= transaction.logs
        self.older_logs |= transaction.older_logs
        grown = (*transaction.logs.values(), *transaction.older_logs.values())
        self._grown.extend((log.casino, log.number) for log in grown)
        for head in transaction.unwritten(LogHeadRow):
            self.heads[head.casino, head.log] = head


class Transaction(Layer, Draft):
    """A batch before it is written: each of its maps holds what it has changed."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.state = state
        self.chain = state.chain
        for name in MAPS:
            layer: LayeredMap[Any, Any] = LayeredMap()
            layer.below = getattr(state, name)
            setattr(self, name, layer)
        self.away: dict[tuple[str, str], float | None] = {}
        self.faults_in_a_row: dict[str, int] = {}
        # How many free numbers of each kind are used.
        self.used_ids: dict[type[Row], int] = {}

    @property
    def books(self) -> ReadableBooks:
        return self.state.books

    def table(self, id: int) -> Table | None:
        """Return a table with its hands."""
        table = self.tables.get(id)
        return self.state.read_table(id) if table is None else self.state.read_hands(table)

    def tables_of(self, player: int) -> list[Table]:
        """Return the tables where a player has a seat or a bet."""
        found = (self.table(id) for id in sorted(self.state.presence.tables_of(player) | self.tables.keys()))
        return [table for table in found if table is not None and player in table.players()]

    def places_on(self, platform: str) -> list[PlaceRow]:
        """Return all places of a platform, by a look at every place: for what befalls the whole platform."""
        rows = (self.state.places | self.places).values()
        return [row for row in rows if row.platform == platform]

    def away_since(self, platform: str, address: str) -> float | None:
        """Return since when a place, or with the address "" a whole platform, is out of reach."""
        key = (platform, address)
        return self.away[key] if key in self.away else self.state.away.get(key)

    def faults_of(self, game: str) -> int:
        """Return how many hands of a game were void by a fault since its last good one."""
        faults = self.faults_in_a_row.get(game)
        return self.state.faults_in_a_row.get(game, 0) if faults is None else faults

    def free_number(self, casino: int, name: str, player: int, *, is_first: bool) -> int:
        """Return the number of a player's new name: 1 where it is free and they may be the first, else the next."""
        skeletons = skeletons_of(name)
        others = (one for (at, id), one in self.members.items() if at == casino and id != player)
        taken = {one.number for one in others if not set(skeletons).isdisjoint(skeletons_of(one.name))}
        taken.update(people.numbers_named(self.books, casino, skeletons, player) or ())
        return 1 if is_first and 1 not in taken else max(taken, default=1) + 1

    def find_username(self, platform: str, username: str) -> str | None:
        """Return the account that was last seen with a username, or None."""
        wanted = username.casefold()
        row = self.get(UsernameRow, platform, wanted)
        return (
            cast(UsernameRow, row).account if row is not None else people.account_called(self.books, platform, wanted)
        )

    def unwritten(self, kind: type[R]) -> list[R]:
        """Return the rows of a kind that this batch has and the books do not have yet."""
        return cast(list[R], list(self.rows[cast(type[Row], kind)].values()))

    def next_id(self, kind: type[Row]) -> int:
        """Return the next free number for a row of this kind, and use it up."""
        used = self.used_ids.get(kind, 0)
        self.lay(self.used_ids, kind, used + 1)
        return self.state.free_id(kind, used)

    def set_table(self, table: Table) -> Table:
        """Lay a table, and its tournament at all tables of that."""
        self.lay(self.tables, table.id, table)
        for id in table.tournament.tables if table.tournament is not None else ():
            other = self.tables.find(id)
            if other is not None and other.tournament is not table.tournament:
                self.lay(self.tables, id, structs.replace(other, tournament=table.tournament))
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

    def note_seen(self, seen: SeenRow) -> None:
        self.lay(self.seen_last, seen.player, seen)
        self.put(seen)

    def set_member(self, member: Member) -> Member:
        self.lay(self.members, (member.casino, member.player), member)
        state = encode(member.state)
        key = member.casino, member.player
        self.put(MemberRow(*key, member.joined, state, str(member.name), member.number, *skeletons_of(member.name)))
        return member

    def set_identity(self, account: IdentityRow) -> None:
        self.lay(self.identities, (account.platform, account.name), account.player)
        self.put(account)

    def set_browser(self, row: BrowserRow) -> None:
        known = self.browser(row.id)
        self.lay(self.browsers, row.id, Browser(row, known.accounts if known else frozenset()))
        self.put(row)

    def set_session(self, session: SessionRow) -> None:
        """Store a session of a known browser; one that has ended is removed from the browser's accounts."""
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

    def count_faults(self, game: str, faults: int) -> None:
        """Set the number of hands of a game that were void by a fault since its last good one."""
        if faults != self.faults_of(game):
            self.lay(self.faults_in_a_row, game, faults)

    def log(self, casino: int, entry: Entry, number: int | None = None) -> int:
        """Append an entry to the casino's current log, begun if need be; return its index. Raises engine's Wrong.

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
        """Add a seed that is revealed later."""
        self.put(row)

    def drop_opening(self, hand: int) -> None:
        """Remove a revealed seed; it need not have waited."""
        waits = self.state.openings.get(hand)
        if waits is not None or self.get(OpeningRow, hand) is not None:
            self.put(OpeningRow(hand, waits[0] if waits is not None else 0, 0))

    def begin_log(self, casino: int, why: str, at: float) -> CasinoLog:
        """Begin the casino's next log, even if the present one could take more entries."""
        before = self.log_of(casino)
        begun = before if before.size == 0 else before.next(self.state.key, why)
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
        """Append an act to the audit log; `who` 0 is the casino itself."""
        self.put(AuditRow(at, casino, who, act, subject, reason, str(before), str(after)))

    @property
    def is_empty(self) -> bool:
        return super().is_empty and not self.tables and not self.away

    def finish(self) -> None:
        """Encode each changed table once, however often the batch changed it.

        A further table of a tournament that has only got its new value has nothing of it in its row.
        """
        for table in self.tables.values():
            before = self.state.tables.get(table.id) if table.part_of is not None else None
            if before is not None and structs.replace(table, tournament=before.tournament) == before:
                continue
            self.put(TableRow(table.id, table.casino, table.game, table.status, dump_table(table)))


def _groups_of_table(table: Table) -> Groups:
    home = ("casino", table.casino)
    # Called for every change of every table.
    if table.plays.linked_meter and table.phase == "playing":
        return home, ("meter", table.casino)
    return (home,)


def _groups_of_casino(casino: Casino) -> Groups:
    return tuple(("banned", player) for player in casino.state.banned)


def _groups_of_place(row: PlaceRow) -> Groups:
    table = (("table", row.table_id),) if row.table_id is not None else ()
    return ("casino", row.casino), *table, *((("home", row.home), ("joined", row.casino)) if row.home else ())
