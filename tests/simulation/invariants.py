"""Invariants after every step of a history, checked at a cost that depends on the step and not on the size of the
store.

The watch keeps its own accounts: it reads the new postings from the disk, adds them up, and compares every account that
moved, every hand that closed and every table that changed. Any difference is an AssertionError that explains it.
"""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.core.commands.command import Answer, Command
from bot.core.rounds import betting
from bot.core.rounds.hand_records import read_record
from bot.core.rounds.replay_check import examine_hand
from bot.core.state.at_tables import ChipsAtTables
from bot.core.state.plays import Seating
from bot.core.state.table import WAITS_S, Table
from bot.core.state.transaction import State, Transaction
from bot.texts import dump_texts
from bot.verifier.records import verify_record
from engine.events import Event
from engine.hand import Hand
from engine.record import is_undealt, parse_record
from storage import ledger
from storage.questions import hands
from storage.questions.accounts import balances_of, nonzero_balances
from storage.rows import AnswerRow, HandRow, LogEntryRow, PostingRow, TableRow
from storage.store import Reader
from tests.questions import postings_after
from tests.simulation.behavior import BEHAVIORS
from tests.simulation.faults import AHEAD_S

SETTLED = ("over", "void")
# Reasons for meter movements in a hand that adds coins.
_OF_A_HAND = ("coin", "coin returned", "jackpot", "meter restarts")
SETS_METER = ("meter reset", "meter set")
# Commands that can cause each posting. A key that was answered before does not count as a command.
CAUSES: Mapping[str, tuple[str, ...]] = {
    "bet": ("bet", "rebet"),
    "gift": ("give",),
    "daily": ("daily",),
    "grant": ("grant",),
    "take": ("take",),
    "buy in": ("buyin", "sit"),
    "top up": ("topup",),
}
# A rebet repeats the bets on several boxes.
MOST_BETS_A_COMMAND = 7
# Postings that come with any command, even a refused one.
COMES = ("start", "linked")


class FaultsHeard(logging.Handler):
    """A log handler: an error in the log is a fault, however politely it was answered."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self.heard.append(f"{record.getMessage()} {fault!r}" if fault is not None else record.getMessage())


@dataclass
class Watch:
    """The observations up to posting number `read`.

    balances   by the postings; `stacks` those on each table that is played from stacks, by player
    settled    hands that are closed and were replayed; `shown` the public events of open ones
    answered   the texts stored with each key; `refused` those that only the running process knows
    started    wallets whose owner got welcome chips
    played_for coins of each hand in play in a meter, by the meter's account
    left       each meter's amount after the last paid hand, by the log; unknown once it moved for another reason

    Of the last round: `before` are the keys that had been answered already, `stood` the amounts of each meter, `resets`
    those after a reset.
    """

    balances: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    stacks: defaultdict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    settled: set[int] = field(default_factory=set)
    shown: dict[int, Sequence[Event]] = field(default_factory=dict)
    answered: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    played_for: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    left: dict[str, int] = field(default_factory=dict)
    resets: dict[str, set[int]] = field(default_factory=dict)
    stood: dict[str, set[int]] = field(default_factory=dict)
    before: set[str] = field(default_factory=set)
    read: int = 0

    def take_in(
        self, house: State, drafts: Sequence[Transaction], commands: Sequence[Command], now: float
    ) -> list[Table]:
        """Check everything that these transactions, which are on disk, have touched; return the changed tables."""
        self.before = {command.key for command in commands if command.key in self.answered}
        self.resets, self.stood = {}, {}
        if not drafts:
            return []
        postings = self._read_postings(house.books)
        self._check_causes(postings, commands)
        self._check_accounts(house, postings, drafts)
        self._read_meters(postings)
        for draft in drafts:
            self._check_rows(house, draft)
        self._check_meters(drafts, postings)
        ids = dict.fromkeys(id for draft in drafts for id in draft.tables)
        tables = [table for id in ids if (table := house.table(id)) is not None]
        for table in tables:
            self._check_table(house, table, now)
        _check_chips_at_tables(house, tables)
        return tables

    def hear(
        self, house: State, commands: Sequence[Command], answers: Sequence[Answer], drafts: Sequence[Transaction]
    ) -> None:
        """Check that answers are on disk before they are given, and that an update gets the same answer again."""
        kept = house.books.answers(command.key for command in commands)
        written = {row.key for draft in drafts for row in _rows(draft, AnswerRow)}
        for command, answer in zip(commands, answers, strict=True):
            said = dump_texts(answer.texts)
            before = self.answered.get(command.key, self.refused.get(command.key))
            assert before in (None, said), f"{command.verb} {command.key} was answered otherwise before"
            if command.key in kept:
                assert said == _texts_of(kept[command.key]), f"{command.verb} {command.key} is kept otherwise"
            elif not answer.confirm:
                self.refused[command.key] = said  # the same fault is reported until the process ends
            assert command.key in kept or command.key not in written, f"{command.key} was answered and is not kept"
        if len(commands) == 1 and drafts and not written and commands[0].key not in kept:
            self._check_silent(commands[0], drafts)
        self._check_resets(house, commands, answers)

    def _read_postings(self, books: Reader) -> list[PostingRow]:
        rows, self.read = postings_after(books, self.read)
        return rows

    def _check_causes(self, postings: Iterable[PostingRow], commands: Iterable[Command]) -> None:
        """Check that a command moves money once for each new key, however often the update came."""
        moved = Counter(_cause_of(posting) for posting in postings)
        if not moved.keys() & CAUSES.keys():
            return
        new = {command.key: command.verb for command in commands if command.key not in self.before}
        said = Counter(new.values())
        for why, verbs in CAUSES.items():
            most = sum(said[verb] for verb in verbs) + (MOST_BETS_A_COMMAND - 1) * (said["rebet"] * (why == "bet"))
            assert moved[why] <= most, f"{moved[why]} times “{why}” by {most} commands"

    def _check_silent(self, command: Command, drafts: Sequence[Transaction]) -> None:
        """Check that a command without a stored answer has moved nothing but a newcomer's chips, or those of a link."""
        for draft in drafts:
            moved = [row for row in _rows(draft, PostingRow) if row.why not in COMES and row.hand is None]
            assert not moved or _rows(draft, TableRow), f"{command.verb} moved {moved} and left no answer"

    def _check_accounts(self, house: State, postings: Sequence[PostingRow], drafts: Sequence[Transaction]) -> None:
        touched = dict.fromkeys(name for draft in drafts for name in draft.balances)
        for posting in postings:
            touched[posting.debit] = touched[posting.credit] = None
            self.balances[posting.debit] -= posting.amount
            self.balances[posting.credit] += posting.amount
            if posting.why == "start":
                assert posting.credit not in self.started, f"{posting.credit} was welcomed twice"
                self.started.add(posting.credit)
        if not touched:
            return
        on_disk = balances_of(house.books, touched)
        for name in touched:
            has = self.balances[name]
            assert on_disk.get(name, 0) == has, f"{name} stands at {on_disk.get(name)}, its postings add up to {has}"
            assert house.balances.get(name, has) == has, f"{name} is remembered as {house.balances[name]}, not {has}"
            assert has >= 0 or name.startswith(ledger.MAY_OWE), f"{name} holds {has}"
            if name.startswith("stack:"):
                _kind, table, player = name.split(":")
                self.stacks[int(table)][int(player)] = has

    def _read_meters(self, postings: Sequence[PostingRow]) -> None:
        """Read each meter's amounts during this round, and after each reset."""
        later: Counter[str] = Counter()
        for posting in reversed(postings):
            for account, amount in ((posting.credit, posting.amount), (posting.debit, -posting.amount)):
                if not account.startswith("jackpot:"):
                    continue
                stands = self.balances[account] - later[account]
                later[account] += amount
                self.stood.setdefault(account, {stands}).add(stands - amount)
                if posting.why.startswith(SETS_METER):
                    self.resets.setdefault(account, set()).add(stands)
                elif posting.why in ("coin", "coin returned"):
                    self.played_for[account][posting.hand or 0] += amount

    def _check_resets(self, house: State, commands: Sequence[Command], answers: Sequence[Answer]) -> None:
        """Check that a meter has the amount of its reset (CS24), and that nothing moved if it had that already."""
        said: set[int] = set()
        stood = {reading for readings in self.stood.values() for reading in readings}
        for command, answer in zip(commands, answers, strict=True):
            place = house.place(*command.place)
            amount = answer.texts[0].values.get("meter") if command.verb in SETS_METER and answer.texts else None
            if isinstance(amount, int) and not answer.refused and command.key not in self.before:
                stands = self.balances[ledger.jackpot(place.casino)] if place is not None else amount
                assert amount in (stands, *stood), f"the meter stands at {stands}, {amount} was said"
                said.add(amount)
        wrong = {reading for readings in self.resets.values() for reading in readings} - said
        assert not wrong, f"the meter stands at {wrong} after a reset, {said} was said"

    def _check_rows(self, house: State, draft: Transaction) -> None:
        """Check that closed hands stay closed, are empty, and were played by the rules."""
        for answer in _rows(draft, AnswerRow):
            self.answered[answer.key] = _texts_of(answer.answer)
        for hand in _rows(draft, HandRow):
            assert hand.id not in self.settled, f"hand {hand.id} was settled, and is written again"
            if hand.status in SETTLED:
                self._check_settled(house, hand)

    def _check_meters(self, drafts: Sequence[Transaction], postings: Sequence[PostingRow]) -> None:
        """Check that a meter has the amount after the last hand, with the coins of hands in play."""
        for row in (row for draft in drafts for row in _rows(draft, LogEntryRow)):
            meter = json.loads(row.entry).get("meter")
            if meter:
                self.left[ledger.jackpot(row.casino)] = meter["after"]
        for posting in postings:
            if posting.why not in _OF_A_HAND:
                self.left.pop(posting.debit, None)
                self.left.pop(posting.credit, None)
        for account, left in self.left.items():
            under_way = self.played_for[account]
            for hand in under_way.keys() & self.settled:
                del under_way[hand]
            stands, coins = self.balances[account], sum(under_way.values())
            assert stands == left + coins, f"{account} stands at {stands}, a hand left {left} and {coins} fell since"

    def _check_settled(self, house: State, hand: HandRow) -> None:
        self.settled.add(hand.id)
        assert not self.balances.pop(ledger.hand(hand.id), 0), f"hand {hand.id} is {hand.status} and not empty"
        row = hands.hand(house.books, hand.id)
        assert row == hand, f"hand {hand.id} is on disk as {row}"
        replay = self._replay(house.books, hand)
        faults = list(examine_hand(house.books, hand, house.table(hand.table_id), replay))
        assert not faults, f"hand {hand.id}: {'; '.join(faults)}"

    def _replay(self, books: Reader, row: HandRow) -> Hand | None:
        """Replay a hand from the disk and compare it with what everyone saw, card by card."""
        shown = self.shown.pop(row.id, ())
        record = read_record(books, row.id)
        if record is None:
            return None
        answer = verify_record(record)
        # A simulated round has no signature.
        checks = {name: said for name, said in answer["checks"].items() if name != "beacon" or "beacon" not in record}
        assert all(said in ("ok", "absent") for said in checks.values()), (
            f"hand {row.id} does not verify: {answer['checks']}"
        )
        if is_undealt(record):
            return None
        hand = Hand(*parse_record(record))
        _check_goes_on(row.id, shown, hand.view(None))
        return hand

    def _check_table(self, house: State, table: Table, now: float) -> None:
        lies = self.balances[ledger.hand(table.round.hand_id)]
        due = _due(house, table)
        assert lies == due, f"hand {table.round.hand_id} holds {lies}, {due} lies on table {table.id} ({table.phase})"
        if table.round.hand is not None:
            seen = table.round.hand.view(None)
            _check_goes_on(table.round.hand_id, self.shown.get(table.round.hand_id, ()), seen)
            self.shown[table.round.hand_id] = seen
            lost = table.lost
            # Clocks move with the wall clock; the time of a lost place stays as it was stored.
            until = lost.at + WAITS_S - (max(AHEAD_S) - min(AHEAD_S)) if lost else now
            if now < until:
                waits = table.round.deadline is not None and table.round.deadline >= until
                assert waits, f"hand {table.round.hand_id} has lost its place and does not wait for it"
        if table.plays.seating is Seating.STACKS:
            sitting = set(table.seats.values())
            for player, stack in self.stacks[table.id].items():
                assert not stack or player in sitting, f"player {player} has no seat at table {table.id} and {stack}"

    def check_books(self, books: Reader) -> None:
        """Check that the accounts on disk are exactly the sums of the postings seen."""
        on_disk = nonzero_balances(books)
        mine = {name: balance for name, balance in self.balances.items() if balance}
        differ = {name for name in on_disk.keys() | mine.keys() if on_disk.get(name) != mine.get(name)}
        assert not differ, f"accounts that stand otherwise than their postings: {sorted(differ)[:5]}"
        assert not sum(mine.values()), f"the accounts sum to {sum(mine.values())}"


def _rows(draft: Transaction, kind: type[Any]) -> list[Any]:
    return list(draft.rows[kind].values())


def _cause_of(posting: PostingRow) -> str:
    """Return the cause of a posting: a bet, or a later stake named by its spot."""
    is_later = posting.hand is not None and not (posting.event or "").startswith("bet ")
    return "" if is_later else posting.why.partition(":")[0]


def _texts_of(kept: str) -> str:
    """Return the texts of a stored answer."""
    texts: str = json.loads(kept)[0]
    return texts


def _check_goes_on(hand: int, before: Sequence[Event], after: Sequence[Event]) -> None:
    """Check that events once shown do not change."""
    assert list(after[: len(before)]) == list(before), f"hand {hand} was shown otherwise before"


def _check_chips_at_tables(house: State, tables: Sequence[Table]) -> None:
    """Check that the chips at tables, as the leaderboard counts them, are those of the books, and on these tables."""
    on_disk = ChipsAtTables(house.books, house.tables)
    for casino in {table.casino for table in tables}:
        counted, kept = house.at_tables.in_casino(casino), on_disk.in_casino(casino)
        assert counted == kept, f"chips at tables of casino {casino} are counted as {counted}, the books have {kept}"
    for casino, player in {(table.casino, player) for table in tables for player in table.players()}:
        counts, has = house.at_tables.in_casino(casino).get(player, 0), _chips_at_tables(house, casino, player)
        assert counts == has, f"player {player} has {has} at the tables of casino {casino}, counted as {counts}"


def _chips_at_tables(house: State, casino: int, player: int) -> int:
    """Return the chips of a player as the tables of a casino show them."""
    found = [table for table in map(house.table, house.presence.tables_of(player)) if table is not None]
    stacks = sum(house.balance(ledger.stack(table.id, player)) for table in found if table.casino == casino)
    return stacks + sum(table.lying(player) for table in found if table.casino == casino)


def _due(house: State, table: Table) -> int:
    """Return the amount that the account of the table's hand must hold."""
    if table.round.hand is not None:
        elsewhere = BEHAVIORS[table.game].elsewhere
        wagered = (spots.items() for spots in table.round.hand.wagered().values())
        return sum(amount for spots in wagered for spot, amount in spots if spot not in elsewhere)
    if table.plays.seating is Seating.STACKS:
        return 0
    options = betting.options_of(house, table)
    return sum(betting.cost_of(table.rules, options, bet.spots) for bet in table.round.bets)
