"""Read the books at a start: casinos and tables as they were, the lounge of new books, and what no longer plays."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import msgspec
from msgspec import structs

from bot.core.casinos import log_starts, places
from bot.core.commands.hooks import hooks_of, of_each_game
from bot.core.rounds import betting, commitments, daily_deals, opening, waiting
from bot.core.rounds.hand_records import Committed, known_rules, load_committed
from bot.core.rounds.recovery import close_gone, deal_anew
from bot.core.schedule import Schedule
from bot.core.state.casinos import CasinoState
from bot.core.state.lounge import LOBBY, LOUNGE
from bot.core.state.plays import PLAYS
from bot.core.state.table import PACES, Table, Unread, load_table, share_tournaments
from bot.core.state.transaction import State, Transaction
from bot.core.state.values import Casino, load_casino
from bot.texts import Text
from engine.fairness.canonical import encode_known
from engine.fairness.seals import OPENING_S
from storage.questions import casinos, daily, hands
from storage.questions.hands import OpenHand
from storage.rows import CasinoRow, PlaceRow, TableRow
from storage.store import Reader

# Number of tables whose hands are read together; the texts of all of them would be megabytes.
AT_ONCE = 500
# Pause of a tournament after a start, if its clock ran out longer ago than that (TN24).
PAUSE_S, LONG_AWAY_S = 120.0, 600.0
_log = logging.getLogger("ridotto.startup")


def start_up(schedule: Schedule, now: float, language: str) -> Transaction:
    """Load what the books hold and arm its clocks; return what the start changes, to be written and published.

    A hand is replayed when somebody looks at it or plays, or its clock runs out. New books get the lounge, with tables
    in `language`.
    """
    transaction = Transaction(schedule.state)
    _Startup(schedule, transaction, now).read_books()
    if LOUNGE not in schedule.state.casinos:
        _open_lounge(transaction, now, schedule.entropy, language)
    # A waiting hand gets a head that ends with its own entries; the clock turns the day after that.
    if (LOUNGE, transaction.log_of(LOUNGE).number) not in schedule.uncovered_logs:
        daily_deals.turn_day(transaction, now, schedule.entropy)
    transaction.finish()
    return transaction


def load_places(state: State, books: Reader) -> None:
    """Load the casinos and the places where they speak."""
    for one in casinos.casinos(books):
        state.casinos[one.id] = load_casino(one)
    for place in casinos.places(books):
        state.places[place.platform, place.address] = place


def read_tables(books: Reader, rows: Iterable[TableRow]) -> Iterator[Table]:
    """Yield tables as the writer has them, with their hands unread. At most a few hundred."""
    tables = [load_table(row.id, row.casino, row.game, row.status, row.state) for row in rows]
    open_hands, readable = _find_hands(books, tables)
    for table in tables:
        hand = open_hands.get(table.round.hand_id)
        if hand is not None and table.game in PLAYS and table.status != "closed":
            yield structs.replace(_with_hand(table, hand, readable), version=table.version)
        else:
            yield table


def _find_hands(books: Reader, tables: Sequence[Table]) -> tuple[dict[int, OpenHand], set[int]]:
    """Return the open hands of tables, and which of their hands can be read: their rules are installed."""
    open_hands = hands.open_hands(books, [table.round.hand_id for table in tables])
    dealt = {hand.id for hand in open_hands.values() if hand.status == "playing"}
    return open_hands, known_rules(books, dealt | {table.last_hand for table in tables if table.last_hand})


def _with_hand(table: Table, hand: OpenHand, readable: Container[int]) -> Table:
    """Return the table with its open hand and its last one, both unread."""
    last = table.last_hand if table.last_hand in readable else None
    dealt = hand.id if hand.status == "playing" else None
    unread = Unread(dealt, last) if dealt or last else None
    return structs.replace(_with_commitment(table, hand), unread=unread).change_round(opened=hand.opened)


class _Startup:
    """A start of the casino: `transaction` holds its changes."""

    def __init__(self, schedule: Schedule, transaction: Transaction, now: float) -> None:
        self.schedule, self.transaction, self.now = schedule, transaction, now
        self.state, self.entropy = schedule.state, schedule.entropy

    def read_books(self) -> None:
        state, books = self.state, self.state.books
        load_places(state, books)
        for row in casinos.tables(books):
            state.tables[row.id] = load_table(row.id, row.casino, row.game, row.status, row.state)
        share_tournaments(state.tables)
        for seed in hands.openings(books):
            state.openings.note(seed)
        for deal in daily.open_deals(books):
            state.note_daily_deal(deal)
        begun = log_starts.begin_anew(self.transaction, self.now)
        ids = list(state.tables)
        for first in range(0, len(ids), AT_ONCE):
            self._read_hands([state.tables[id] for id in ids[first : first + AT_ONCE]])
        log_starts.announce(self.transaction, begun, self.now)
        for casino in state.casinos.values():
            self.schedule.arm_casino(casino)

    def _read_hands(self, tables: Sequence[Table]) -> None:
        """Continue the open hands of some tables."""
        open_hands, readable = _find_hands(self.state.books, tables)
        for table in tables:
            if table.game not in PLAYS:
                self._close_gone(table, open_hands.get(table.round.hand_id))
            elif table.round.hand_id in open_hands and table.status != "closed":
                self._resume(table, open_hands[table.round.hand_id], readable)

    def _resume(self, table: Table, hand: OpenHand, readable: Container[int]) -> None:
        """Continue the same hand with the same cards; its clock starts again, as the process was away.

        Nothing is written: the next start arms the clock again.
        """
        now, due = self.now, table.round.deadline
        table = _with_hand(table, hand, readable)
        if hand.status == "betting" and not self._may_go_on(table):
            self._open_anew(table)
            return
        if table.awaits_cuts:
            table = table.change_round(deadline=now + OPENING_S)
        elif table.round.waits is not None:
            table = table.change_round(deadline=waiting.next_word_at(table.round.waits, now))
        elif hand.status == "betting":
            table = self._resume_betting(table)
        elif hand.id not in readable:
            _log.error("hand %s no longer replays: its rules are not installed", hand.id)
            deal_anew(self.transaction, structs.replace(table, unread=None), now, self.entropy(32))
            return
        else:
            deadline = now + PACES[table.settings.pace]
            if places.is_lost(table) and table.round.deadline is not None:
                deadline = max(deadline, table.round.deadline)  # it still waits for its place, or another (G10)
            table = table.change_round(deadline=deadline, extended=None)
        if due is not None and now - due > LONG_AWAY_S:
            table = self._pause_tournament(table)
        self.state.tables[table.id] = table
        self.schedule.note_waits(table)
        self.schedule.arm_table(table)

    def _pause_tournament(self, table: Table) -> Table:
        """Give the players of a running tournament time to come back, and say so (TN24)."""
        live, deadline = table.tournament, table.round.deadline
        if live is None or not live.is_running or table.status != "open" or deadline is None:
            return table
        told = Text("Ridotto was away. The tournament continues in 2 minutes.")
        return table.set_notice(told, self.now).change_round(deadline=max(deadline, self.now + PAUSE_S))

    def _resume_betting(self, table: Table) -> Table:
        table = betting.wind_clock(table.change_round(started=None), self.now)
        woken = hooks_of(table).wake(self.transaction, table, self.now)
        clock = {"started": woken.round.started, "deadline": woken.round.deadline}
        # A clock records players who are out by now, at once if no other hand is to come.
        if woken.round.started is None and woken.memory != table.memory:
            clock["deadline"] = self.now
        return table.change_round(**clock)

    def _may_go_on(self, table: Table) -> bool:
        """Check whether the hand can still be dealt as committed: in the current log, by installed rules."""
        commitment = table.round.commitment
        if commitment is None or not (table.round.waits is not None or commitments.is_kept(self.transaction, table)):
            return False
        if commitments.is_of_beacon(table) and table.round.waits is None and not self.transaction.chain:
            return False
        return table.rules.knows(commitment["rules"]) and table.round.terms is not None

    def _open_anew(self, table: Table) -> None:
        """Open a new hand; bets on the old one come back."""
        if table.round.bets:
            table = deal_anew(self.transaction, table, self.now, self.entropy(32), "its promise counts no more")
        else:
            why = commitments.CHANGED if commitments.is_kept(self.transaction, table) else commitments.OTHER_LOG
            table = opening.open_anew(self.transaction, table, self.now, self.entropy(32), why)
        self.transaction.set_table(hooks_of(table).wake(self.transaction, table, self.now))

    def _close_gone(self, table: Table, hand: OpenHand | None) -> None:
        """Close a table whose game is not installed any more; its stakes go back as the books have them."""
        if table.status == "closed":
            return
        _log.error("table %s is closed and its stakes are returned: its game %s is not installed", table.id, table.game)
        close_gone(self.transaction, _with_commitment(table, hand) if hand is not None else table, self.now)


def _with_commitment(table: Table, hand: OpenHand) -> Table:
    """Return the table with the terms of its hand; where the stored deal is damaged, with its seed alone."""
    try:
        kept = load_committed(hand.deal)
    except msgspec.DecodeError:
        kept = Committed()
    commitment = kept.commitment
    if commitment is None:
        return table.change_round(seed=hand.seed)
    terms = commitments.parse_terms(commitment) if table.game in PLAYS else None
    return table.change_round(
        seed=hand.seed,
        committed=encode_known(commitment),
        lines=kept.lines,
        terms=terms,
        waits=kept.waits,
        beacon=kept.round,
    )


def _open_lounge(transaction: Transaction, now: float, entropy: Callable[[int], bytes], language: str) -> None:
    """Found the first casino, with its tables of each game."""
    # Anyone can pick a new name in the lounge, so a waiting period for gifts or large stacks would not help.
    rules = CasinoState(give_after_s=0.0, give_a_day=10_000_00, language=language)
    # The first number of all, so that no community gets it.
    transaction.next_id(CasinoRow)
    casino = transaction.set_casino(Casino(LOUNGE, "Lounge", rules, now))
    of_each_game(lambda game: game.found(transaction, casino, now), transaction)
    transaction.set_place(PlaceRow(*LOBBY, LOUNGE, None))
    firsts, seconds = list(PLAYS), [game for game, play in PLAYS.items() for _more in range(1, play.lounge_tables)]
    for game in (*firsts, *seconds):
        opening.open_table(transaction, casino.id, game, LOBBY, now, entropy(32), language=language)
