"""Clocks and what runs out: deadlines of tables, games' own waits, seeds to reveal, and rounds of the beacon."""

from collections import deque
from collections.abc import Callable, Iterable

from bot.core.casinos import places
from bot.core.commands.hooks import hooks_of, of_each_game
from bot.core.rounds import commitments, daily_deals, opening, playing, waiting
from bot.core.rounds.playing import HandFault
from bot.core.rounds.recovery import void_faulty_hand
from bot.core.rounds.witness import log_to_cover
from bot.core.state.clocks import ClockOwner, Clocks
from bot.core.state.lounge import LOUNGE
from bot.core.state.table import WAITS_S, Table
from bot.core.state.transaction import State, Transaction
from bot.core.state.values import Casino
from engine.fairness.beacon import BeaconRound
from storage.rows import DailyDealRow, OpeningRow


class Schedule:
    """The events that come without a command. For the writer's thread, except `take_round`."""

    def __init__(self, state: State, entropy: Callable[[int], bytes]) -> None:
        self.state = state
        self.entropy = entropy
        self._clocks = Clocks(self._runs_out)
        # Rounds that have arrived, by any thread, and those that hands wait for.
        self._came: deque[BeaconRound] = deque()
        self._rounds: dict[int, BeaconRound] = {}
        # {round: tables whose hands wait for it}, and the round that each table waits for.
        self._waiting: dict[int, set[int]] = {}
        self._waits: dict[int, int] = {}
        # {table: its log} of closed hands that no signed head covers yet, which comes before the round.
        self._uncovered: dict[int, tuple[int, int]] = {}

    def next_deadline(self) -> float | None:
        """Return when a clock runs out next."""
        return self._clocks.next()

    def is_due(self, now: float) -> bool:
        deadline = self._clocks.next()
        return deadline is not None and deadline <= now

    def arm_table(self, table: Table) -> None:
        if table.round.deadline is not None:
            self._clocks.arm(ClockOwner("table", table.id), table.round.deadline)

    def arm_casino(self, casino: Casino) -> None:
        if (runs_out := self._runs_out_at(casino)) is not None:
            self._clocks.arm(ClockOwner("casino", casino.id), runs_out)

    def arm_again(self, due: Iterable[tuple[float, ClockOwner]], until: float) -> None:
        """Put back clocks of a batch that was not written: at their deadline, or at `until` if that is later."""
        for deadline, owner in due:
            self._clocks.arm(owner, max(deadline, until))

    def note_published(self, transaction: Transaction) -> set[int]:
        """Note the deadlines and waits of what was published; return the tables whose close a head covers now."""
        uncovered = [*self._uncovered]
        for table in transaction.tables.values():
            if table.round.deadline is not None:
                self._clocks.arm(ClockOwner("table", table.id), table.round.deadline)
            if table.round.waits is not None or table.id in self._waits:
                self.note_waits(table)
        for id in uncovered:
            self.note_waits(self.state.tables[id])
        for casino in transaction.casinos.values():
            self.arm_casino(casino)
        if transaction.unwritten(DailyDealRow):
            self.arm_casino(self.state.casinos[LOUNGE])
        for row in transaction.unwritten(OpeningRow):
            if row.at:
                self._clocks.arm(ClockOwner("casino", row.casino), row.at)
        return {id for id in uncovered if id not in self._uncovered}

    def _runs_out(self, owner: ClockOwner) -> float | None:
        """Return when a clock runs out as it is set now, or None."""
        kind, id = owner
        if kind == "casino":
            casino = self.state.casinos.get(id)
            return self._runs_out_at(casino) if casino is not None else None
        table = self.state.tables.get(id)
        if table is None:
            return None
        return 0.0 if self._waits.get(id) in self._rounds else table.round.deadline

    def _runs_out_at(self, casino: Casino) -> float | None:
        """Return when the next wait of a game in the casino ends, or its next seed is revealed."""
        seed = self.state.openings.next_in(casino.id)
        times = [*of_each_game(lambda game: game.runs_out(casino)), seed[0] if seed is not None else None]
        if casino.id == LOUNGE:
            times.append(daily_deals.next_due(self.state.daily_deals))
        return min((at for at in times if at is not None), default=None)

    def take_round(self, round: BeaconRound) -> None:
        """Accept a checked round, in any thread: hands that wait for it are dealt in the next batch."""
        self._came.append(round)

    @property
    def rounds_to_come(self) -> set[int]:
        """Return the rounds that hands wait for."""
        return self._waiting.keys() - self._rounds.keys()

    @property
    def uncovered_logs(self) -> set[tuple[int, int]]:
        """Return (casino, number) of the logs with a close, or settled cuts, that a hand waits with and no head covers.

        The rounds of such hands are not asked for.
        """
        return set(self._uncovered.values())

    def note_waits(self, table: Table) -> None:
        """Remember the round for which a published table waits now, once a signed head covers its last entry."""
        self._uncovered.pop(table.id, None)
        if (log := log_to_cover(self.state, table)) is not None:
            self._uncovered[table.id] = log
        before, round = self._waits.get(table.id), None
        if table.round.waits is not None and log is None:
            round = table.round.waits.round or None
        if before == round:
            return
        if before is not None:
            self._forget_waits(table.id, before)
        if round is not None:
            self._waits[table.id] = round
            self._waiting.setdefault(round, set()).add(table.id)
            if round in self._rounds:
                self._clocks.arm(ClockOwner("table", table.id), 0.0)

    def _forget_waits(self, id: int, round: int) -> None:
        del self._waits[id]
        self._waiting[round].discard(id)
        if not self._waiting[round]:
            del self._waiting[round]
            self._rounds.pop(round, None)

    def prepare_batch(self, transaction: Transaction, now: float) -> None:
        """Arm the clocks of rounds that have come, and void the hands that a look could not read."""
        while self._came:
            round = self._came.popleft()
            for id in self._waiting.get(round.round, ()):
                self._rounds[round.round] = round
                self._clocks.arm(ClockOwner("table", id), now)
        while self.state.unreadable:
            id = self.state.unreadable.popleft()
            try:
                transaction.table(id)
            except HandFault as fault:
                void_faulty_hand(transaction, id, now, self.entropy, fault)
                transaction.keep_changes()
                break  # its script may have used all of its time: the others are read in the next batch
            transaction.keep_changes()

    def expire_clocks(self, transaction: Transaction, now: float, most: int | None) -> list[tuple[float, ClockOwner]]:
        """Take `most` clocks (None: all) that have run out, do what is due, and return them."""
        due = self._clocks.take_due(now, most)
        for kind, id in sorted({owner for _deadline, owner in due}):
            if kind == "casino":
                self._tick_casino(transaction, id, now)
                transaction.keep_changes()
                continue
            table = transaction.tables.get(id) or self.state.tables.get(id)
            if table is None:
                continue
            if table.round.waits is not None and table.round.waits.round in self._rounds:
                self._deal_by_round(transaction, table, self._rounds[table.round.waits.round], now)
                transaction.keep_changes()
                continue
            if table.round.deadline is None or table.round.deadline > now:
                continue
            since = places.away_since(transaction, id)
            if (
                since is not None
                and table.round.waits is None
                and now < (waits_until := since + WAITS_S)
                and not places.is_lost(table)
            ):
                self._clocks.arm(ClockOwner("table", id), waits_until)
                continue
            try:
                self._tick_table(transaction, id, now)
            except Exception as fault:
                # No player can be told, and the hand must not wait forever.
                void_faulty_hand(transaction, id, now, self.entropy, fault)
            transaction.keep_changes()
        return due

    def _tick_table(self, transaction: Transaction, id: int, now: float) -> None:
        table = transaction.table(id)
        assert table is not None
        if table.round.hand is not None:
            playing.time_out(transaction, table, now, self.entropy(32))
        elif table.awaits_cuts:
            playing.settle_cuts(transaction, table, now, self.entropy(32))
        elif table.round.waits is not None:
            # Only its message changes.
            transaction.set_table(table.change_round(deadline=waiting.next_word_at(table.round.waits, now)))
        else:
            hooks_of(table).run_out(transaction, table, now, self.entropy)

    def _deal_by_round(self, transaction: Transaction, table: Table, round: BeaconRound, now: float) -> None:
        """Deal even where the table's place is out of reach."""
        try:
            known = transaction.table(table.id)
            assert known is not None
            if hooks_of(known).may_deal(transaction, known):
                playing.deal_by_round(transaction, known, round, now, self.entropy(32))
            else:
                self._clocks.arm(ClockOwner("table", table.id), now + playing.LOOKS_AGAIN_S)
        except Exception as fault:
            void_faulty_hand(transaction, table.id, now, self.entropy, fault)

    def _tick_casino(self, transaction: Transaction, id: int, now: float) -> None:
        of_each_game(lambda game: game.tick(transaction, transaction.casinos[id], now), transaction)
        for hand_id in self.state.openings.due_in(id, now):
            row = transaction.get(OpeningRow, hand_id)
            # A command of the same batch may have ended the shoe or placed bets on another hand of it.
            if not isinstance(row, OpeningRow) or 0 < row.at <= now:
                self._reveal_seed(transaction, hand_id, now)

        if id == LOUNGE and (due := daily_deals.next_due(self.state.daily_deals)) is not None and due <= now:
            daily_deals.turn_day(transaction, now, self.entropy)

    def _reveal_seed(self, transaction: Transaction, hand_id: int, now: float) -> None:
        """Reveal the seed of a hand whose time is over; a shoe that has not been played for long ends with it."""
        table = transaction.table(commitments.row_of(transaction, hand_id).table_id)
        if table is None or not commitments.is_at(table, hand_id):
            commitments.show_due(transaction, hand_id, now)
        elif table.round.hand is not None or table.round.bets:
            commitments.put_off(transaction, table, now)
        else:
            opening.open_anew(transaction, table, now, self.entropy(32), "")

    def shift_clocks(self, transaction: Transaction, step: float) -> None:
        """Move every deadline with the wall clock, which was set by `step` seconds."""
        for table in self.state.tables.values():
            if table.status == "closed":
                continue
            shifted = hooks_of(table).shift_clocks(table, step)
            if times := _running_clocks(table):
                shifted = shifted.change_round(**{name: at + step for name, at in times.items()})
            if shifted is not table:
                transaction.set_table(shifted)
        for casino in self.state.casinos.values():
            _shift_casino(transaction, casino.id, step)
        for (platform, address), since in self.state.away.items():
            if since is not None:
                transaction.set_away(platform, address, since + step)
        transaction.keep_changes()


def _shift_casino(transaction: Transaction, id: int, step: float) -> None:
    of_each_game(lambda game: game.shift_clocks(transaction, transaction.casinos[id], step), transaction)


def _running_clocks(table: Table) -> dict[str, float]:
    times = {"started": table.round.started, "deadline": table.round.deadline, "extended": table.round.extended}
    return {name: at for name, at in times.items() if at is not None}
