"""Entries of a table in its casino's log: commitment, close, payment and seed (docs/reference/fairness-log.md).

An entry is in the same transaction as the event that it records.
"""

import hashlib
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from bot.core.commands.hooks import HOOKS, hooks_of
from bot.core.rounds import shoe
from bot.core.rounds.hand_records import (
    commitment_of,
    dump_commitment,
    dump_dropped,
    dump_record,
    dump_waiting,
    record_as_closed,
)
from bot.core.state.table import AwaitedRound, Table
from bot.core.state.transaction import Layer, Transaction
from bot.core.state.values import Casino
from bot.texts import Text
from engine.errors import Illegal
from engine.fairness import log
from engine.fairness.beacon import CHAIN_NAME, round_to_name, time_of
from engine.fairness.canonical import encode_known
from engine.fairness.commitment import Commitment, commit_to, make_commitment
from engine.fairness.record import Record, meter_after, next_after, record_deal, record_hand, record_void
from engine.fairness.seals import OPENING_S
from engine.felt import Deal, Options, Word
from engine.games import GAMES
from engine.hand import Hand
from storage.questions import hands
from storage.rows import HandRow, OpeningRow

# Reasons to drop a commitment; the log is in one language.
CHANGED = "options changed"
CLOSED = "table closed"
JOINED = "joined"
LEFT = "left the casino that it had joined"
NON_COUP = "non-betting coup"
FAULT = "a fault of the house"
OTHER_LOG = "another log was begun"
# The casino's own reasons to void a hand.
OTHER_RULES = "does not replay under these rules"
GAME_GONE = "its game is not installed"
_OWN_REASONS = (FAULT, OTHER_RULES, GAME_GONE)

_log = logging.getLogger("ridotto.hooks")
# Number of digits of a commit or a root that identify it and can still be copied.
RECEIPT_DIGITS = 32
HOUR_S = 3600
# A shoe's seed is shown 24 hours after its last hand at the latest; open bets are dealt before.
SHOE_RESTS_S = 23 * HOUR_S
LOOKS_AGAIN_S = 300


class EndedHand(NamedTuple):
    """A hand as it ends: what the books keep of it, and what of its shoe is left."""

    deal: str
    next: int


@lru_cache(maxsize=1024)
def parse_options(game: str, dumped: bytes) -> Options:
    """Parse options that a table sets or a commitment names, from JSON."""
    return GAMES[game].parse_options(msgspec.json.decode(dumped))


def parse_terms(commitment: Commitment) -> Options | None:
    """Parse the options of a commitment; None where its rules cannot be played any more."""
    try:
        return parse_options(commitment["game"], msgspec.json.encode(commitment["options"]))
    except Illegal:
        return None


def options_to_come(transaction: Layer, table: Table) -> Any:
    """Return the options of the next commitment: the table's own, with those that its casino sets for all of them
    (CS17).
    """
    casino = transaction.casinos[table.casino]
    # Most tables set no options.
    asked = table.game, msgspec.json.encode(table.options) if table.options else b"{}"
    known = casino.options.get(asked)
    if known is None:
        known = casino.options[asked] = _with_casino(table, casino, parse_options(*asked))
    return known


def _with_casino(table: Table, casino: Casino, own: Options) -> Options:
    try:
        return hooks_of(table).casino.options(casino, own)
    except Exception as fault:
        # A failing game is left out: its tables deal nothing without a commitment, and other tables go on.
        _log.error("%s failed for a casino: %s", table.game, type(fault).__name__, exc_info=fault)
        return own


def opens_after(table: Table) -> int:
    """Return the hours from the payout until the seed is shown; more than 0 if folded cards stay secret."""
    return table.settings.reveal_after if table.rules.stacks else 0


def follows_beacon(transaction: Layer, table: Table) -> bool:
    """Check whether the next commitment uses a round of the beacon."""
    return bool(transaction.chain) and table.settings.beacon


def commit_hand(transaction: Transaction, table: Table, hand_id: int, seed: bytes, now: float) -> Table:
    """Commit to what the hand will be dealt by, in the log before the first bet."""
    kept, terms = transaction.log_of(table.casino), options_to_come(transaction, table)
    at = kept.time(now)
    commitment = make_commitment(
        house=kept.house,
        casino=str(table.casino),
        log=kept.number,
        table=str(table.id),
        hand=str(hand_id),
        game=table.game,
        options=terms,
        previous=table.round.commit
        if is_kept(transaction, table)
        else table.left_logs.get(_name_of(kept.casino, kept.number), ""),
        server=seed,
        beacon=follows_beacon(transaction, table),
        opens=opens_after(table),
    )
    line = transaction.log(table.casino, log.committed(commitment, at))
    return table.change_round(committed=encode_known(commitment), lines=(line,), terms=terms, seed=seed)


def say_void(why: str) -> Text:
    """Say that a hand was made void, by whom and why."""
    if why in _OWN_REASONS:
        return Text("This hand was made void by the house: {why}. Every stake came back.", why=why)
    return Text("This hand was made void by an inspector: {why}. Every stake came back.", why=why.rstrip("."))


def say_dropped(why: str) -> Text:
    """Say that a commitment was opened without a hand, and why."""
    return Text("Nothing was dealt from this promise: {why}.", why=why.rstrip("."))


def say_unproven(commitment: Commitment, chain: str) -> Text:
    """Describe what a hand dealt by this commitment proves about who made its deck, and what it cannot prove.

    `chain` is the name of the casino's beacon.
    """
    if commitment["beacon"] and chain not in ("", CHAIN_NAME):
        return Text(
            "The deck includes a number of the chain {chain}, which is not the public one: it proves only as much "
            "as you trust whoever runs that chain.",
            chain=chain,
        )
    if commitment["beacon"]:
        return Text(
            "The deck includes a public number that no one knew while bets were open, so the host cannot "
            "choose the deck. This does not prove that the host saw no cards."
        )
    return Text(
        "No public random number went into this deck. The host could choose it, unless an honest player's sealed cut "
        "went in. Nothing proves that the host saw no cards."
    )


def receipt_of(table: Table) -> Text | None:
    """Return the receipt of a bet that waits for its cards or is played: the commit, and where it is in the log.

    None at a table without a commitment.
    """
    commitment = table.round.commitment
    if commitment is None or not table.round.lines:
        return None
    return Text(
        "Hand {hand} · {game}, not paid yet: commitment {digits}…, entry {entry} of log {log}",
        hand=str(table.round.hand_id),
        game=Word(table.game),
        digits=table.round.commit[:RECEIPT_DIGITS],
        entry=str(table.round.lines[0]),
        log=str(commitment["log"]),
    )


def is_changed(transaction: Transaction, table: Table) -> bool:
    """Check whether the table's next commitment will have other rules than the present one.

    A closed table makes none.
    """
    commitment = table.round.commitment
    if table.status == "closed":
        return False
    if commitment is None or table.round.terms != options_to_come(transaction, table):
        return True
    return (commitment["opens"], commitment["beacon"]) != (opens_after(table), follows_beacon(transaction, table))


def leave_log(table: Table) -> Table:
    """Detach a table from this casino's log before it moves to another; its last entry here is remembered."""
    commitment = table.round.commitment
    if commitment is None:
        return table
    return table.change(
        left_logs={**table.left_logs, _name_of(commitment["casino"], commitment["log"]): table.round.commit}
    )


def _name_of(casino: int | str, log: int) -> str:
    return f"{casino}/{log}"


def is_kept(transaction: Transaction, table: Table) -> bool:
    """Check whether the table has a commitment in the log that its casino writes now."""
    commitment = table.round.commitment
    if commitment is None:
        return False
    return (commitment["casino"], commitment["log"]) == (str(table.casino), transaction.log_of(table.casino).number)


def betting_row(table: Table, hand_id: int, now: float) -> HandRow:
    """Make the row of a hand that takes bets."""
    assert table.round.commitment is not None
    deal = dump_commitment(table.round.commitment, table.round.lines, table.round.seed)
    return HandRow(hand_id, table.casino, table.id, table.game, "betting", table.round.seed, deal, now, None)


def salt_of(table: Table) -> str:
    """Return 16 bytes that follow from the seed, different for each hand of a shoe."""
    return hashlib.sha256(b"ridotto 2 salt" + table.round.seed + str(table.round.hand_id).encode()).hexdigest()[:32]


def is_of_beacon(table: Table) -> bool:
    """Check whether its hand waits for a round once bets are closed: later hands of a shoe use that of the first."""
    return table.round.commitment is not None and table.round.commitment["beacon"] and not shoe.goes_on(table)


def seals_of(table: Table) -> list[str]:
    """Return the seals of the players who have a bet, ascending."""
    betting = {bet.player for bet in table.round.bets}
    return sorted(seal for player, seal in table.round.seals if player in betting)


def unopened_of(table: Table) -> list[str]:
    """Return the hand's unopened seals, ascending."""
    opened = {seal for seal, _cut in table.round.openings}
    return [seal for seal in seals_of(table) if seal not in opened]


def close_with_seals(transaction: Transaction, table: Table, deal: Deal, now: float) -> Table:
    """Close the bets of a hand with sealed cuts, which are opened before anything is dealt. `deal` has no deck yet."""
    assert table.round.commitment is not None
    record = _record_deal(table, deal, unopened=())
    waits = AwaitedRound(0, "", _time(transaction, table.round.commitment, now))
    return _wait(transaction, table, record, waits, _log_close(transaction, table, record, 0, now))


def time_of_cuts(transaction: Transaction, table: Table, now: float) -> int:
    """Return the `at` of a cuts entry: with an unopened seal 5 s after the close or later, whatever the clock says."""
    assert table.round.waits is not None
    assert table.round.commitment is not None
    at = _time(transaction, table.round.commitment, now)
    return max(at, table.round.waits.closed_at + OPENING_S) if unopened_of(table) else at


def settle_cuts(transaction: Transaction, table: Table, deal: Deal, round: AwaitedRound | None, at: int) -> Table:
    """Log all mixed cuts and unopened seals; then the hand may wait for a round, the one to name at that time."""
    record = _record_deal(table, deal)
    entry = log.unsealed(
        table.round.commit,
        start=0,
        cuts=record["seed"]["cuts"],
        unopened=unopened_of(table),
        round=round.round if round is not None else 0,
        at=at,
    )
    return _wait(transaction, table, record, round, _write(transaction, record["promise"], entry))


def round_to_wait_for(transaction: Transaction, table: Table, now: float) -> AwaitedRound | None:
    """Return the round that a close names now. None if the casino's clock is behind the chain's."""
    assert table.round.commitment is not None
    round = round_to_name(_time(transaction, table.round.commitment, now), transaction.state.newest_round)
    return AwaitedRound(round, transaction.chain) if round is not None else None


def close_bets(transaction: Transaction, table: Table, deal: Deal, now: float) -> Table:
    """Close the bets and store the deal at once: without a beacon, or from a shoe whose round is known."""
    record = _record_deal(table, deal)
    round = table.round.beacon.round if table.round.beacon is not None else 0
    table = table.change_round(lines=(*table.round.lines[:1], _log_close(transaction, table, record, round, now)))
    _put_dealt(transaction, table, record)
    return table


def close_and_wait(transaction: Transaction, table: Table, deal: Deal, waits: AwaitedRound, now: float) -> Table:
    """Close the bets and wait for the beacon's round. `deal` has no deck yet."""
    record = _record_deal(table, deal)
    return _wait(transaction, table, record, waits, _log_close(transaction, table, record, waits.round, now))


def _wait(transaction: Transaction, table: Table, record: Record, waits: AwaitedRound | None, line: int) -> Table:
    """Store a hand whose bets are closed, with one more line in the log."""
    lines = (*table.round.lines[: 2 if table.awaits_cuts else 1], line)
    table = table.change_round(waits=waits, lines=lines)
    kept = dump_waiting(record, lines, waits or AwaitedRound(0, ""), table.round.seed)
    row = table.id, table.game, "betting", table.round.seed, kept, table.round.opened, None
    transaction.put(HandRow(table.round.hand_id, table.casino, *row))
    return table


def deal_by_round(transaction: Transaction, table: Table, deal: Deal) -> None:
    """Store the deal of a hand whose round has come; the round is in the deal's seed."""
    _put_dealt(transaction, table, _record_deal(table, deal))


def _log_close(transaction: Transaction, table: Table, record: Record, round: int, now: float) -> int:
    seed, at = record["seed"], _time(transaction, record["promise"], now)
    entry = log.closed(
        table.round.commit,
        start=record["start"],
        cuts=seed["cuts"],
        salt=record["salt"],
        stakes=record["stakes"],
        round=round,
        at=at,
        seals=record.get("seals", ()),
    )
    return _write(transaction, record["promise"], entry)


def _put_dealt(transaction: Transaction, table: Table, record: Record) -> None:
    kept = dump_record(record, table.round.lines, table.round.seed)
    transaction.put(
        HandRow(
            table.round.hand_id,
            table.casino,
            table.id,
            table.game,
            "playing",
            table.round.seed,
            kept,
            table.round.opened,
            None,
        )
    )


def _record_deal(table: Table, deal: Deal, unopened: Sequence[str] | None = None) -> Record:
    """Record a deal with its seals. `unopened`: the unopened ones, unless the table knows them."""
    assert table.round.commitment is not None
    return record_deal(
        table.round.commitment,
        deal,
        salt=salt_of(table),
        hand=_own_id(table, deal),
        beacon=table.round.beacon,
        seals=seals_of(table),
        unopened=unopened_of(table) if unopened is None else unopened,
    )


def _own_id(table: Table, deal: Deal) -> str:
    """Return the id of a shoe's later hand: the first has the commitment's."""
    assert deal.seed is not None
    return str(table.round.hand_id) if deal.seed.start else ""


def pay(transaction: Transaction, table: Table, hand: Hand, now: float, void: str) -> EndedHand:
    """Append the payment of a finished or void hand to the log, and return the record to store.

    A hand that was voided once all was decided counts as voided before its deal.
    """
    commitment = table.round.commitment
    assert commitment is not None
    if void and not hand.is_void:
        dealt = _record_deal(table.change_round(beacon=None), hand.deal)
        record, meter = record_void(dealt, void), _meter_stays(hand.deal.jackpot)
        next = hand.deal.seed.start if hand.deal.seed is not None else 0
    else:
        record = record_hand(
            commitment,
            hand,
            salt=salt_of(table),
            hand=_own_id(table, hand.deal),
            beacon=table.round.beacon,
            seals=seals_of(table),
            unopened=unopened_of(table),
        )
        meter, next = meter_after(hand), next_after(hand)
    line = _log_paid(transaction, table, record, next, void, meter, now)
    return EndedHand(dump_record(record, (*table.round.lines, line), table.round.seed), next)


def _log_paid(
    transaction: Transaction, table: Table, record: Record, next: int, void: str, meter: dict[str, int], now: float
) -> int:
    commitment = record["promise"]
    # A round that has arrived is over, whatever this machine's clock says.
    round = table.round.beacon or table.round.waits
    at = max(_time(transaction, commitment, now), time_of(round.round) if round is not None and round.round else 0)
    return _write(
        transaction, commitment, log.paid(table.round.commit, record, next=next, void=void, meter=meter, at=at)
    )


def _write(transaction: Transaction, commitment: Commitment, entry: log.Entry) -> int:
    """Append an entry to the commitment's log, whichever its casino writes now; return the line."""
    return transaction.log(int(commitment["casino"]), entry, commitment["log"])


def _time(transaction: Transaction, commitment: Commitment, now: float) -> int:
    return transaction.log_of(int(commitment["casino"]), commitment["log"]).time(now)


def _meter_stays(reading: int | None) -> dict[str, int]:
    return {} if reading is None else {"before": reading, "after": reading}


def pay_back(transaction: Transaction, table: Table, dealt: Record, why: str, now: float) -> str:
    """Log a voided hand and return what its row keeps from now on.

    `dealt` is its record as it was stored when bets were closed.
    """
    meter = _meter_stays(_reading(transaction, table))
    record = record_void(dealt | ({"jackpot": meter["before"]} if meter else {}), why)
    line = _log_paid(transaction, table, record, record["start"], why, meter, now)
    return dump_record(record, (*table.round.lines, line), table.round.seed)


def _reading(transaction: Transaction, table: Table) -> int | None:
    """Return the meter's reading; None without a meter, and if the game is not installed."""
    return hooks_of(table).casino.reading(transaction, table.casino) if table.game in HOOKS else None


def void_waiting(transaction: Transaction, table: Table, why: str, now: float) -> None:
    """Store a hand as void whose round did not come or cannot be used."""
    row = row_of(transaction, table.round.hand_id)
    closed = record_as_closed(row)
    assert closed is not None
    transaction.put(row._replace(status="void", deal=pay_back(transaction, table, closed, why, now), closed=now))


def rest(transaction: Transaction, table: Table, now: float) -> None:
    """Delay the opening of a continuing shoe: its seed is shown at its end, or after a day without play."""
    assert table.round.commitment is not None
    due = _time(transaction, table.round.commitment, now) + SHOE_RESTS_S
    transaction.set_opening(OpeningRow(int(table.round.commitment["hand"]), table.casino, due))


def put_off(transaction: Transaction, table: Table, now: float) -> None:
    """Delay showing a shoe's seed while there are bets for another hand of it."""
    assert table.round.commitment is not None
    due = _time(transaction, table.round.commitment, now) + LOOKS_AGAIN_S
    transaction.set_opening(OpeningRow(int(table.round.commitment["hand"]), table.casino, due))


def end(transaction: Transaction, table: Table, now: float, why: str) -> Table:
    """End a commitment: its seed is revealed, at once or when its hours are over.

    `why`: the reason, for a commitment from which nothing was dealt; empty if a hand was.
    """
    commitment = table.round.commitment
    if commitment is None:
        return table
    hand_id, at = int(commitment["hand"]), _time(transaction, commitment, now)
    if commitment["opens"] and not why:
        transaction.set_opening(OpeningRow(hand_id, table.casino, at + commitment["opens"] * HOUR_S))
    else:
        line = _write(transaction, commitment, log.opened(table.round.commit, table.round.seed, why, at))
        transaction.drop_opening(hand_id)
        if why:
            kept = dump_dropped(commitment, (*table.round.lines[:1], line), table.round.seed, why)
            row = HandRow(
                hand_id, table.casino, table.id, table.game, "void", table.round.seed, kept, table.round.opened, now
            )
            transaction.put(row)
    return table.change_round(lines=())


def drop(transaction: Transaction, table: Table, now: float, why: str) -> Table:
    """Drop the commitment of a table that takes bets but has none.

    A continuing shoe has dealt hands before, so its seed is shown without a reason.
    """
    if shoe.goes_on(table) or table.round.commitment is None:
        transaction.put(row_of(transaction, table.round.hand_id)._replace(status="void", closed=now))
        why = ""
    return end(transaction, table.change(shoe=None), now, why)


def show_due(transaction: Transaction, hand_id: int, now: float) -> None:
    """Show the seed of a paid hand in the log, now that its hours are over."""
    row = row_of(transaction, hand_id)
    commitment = commitment_of(row)
    _write(
        transaction, commitment, log.opened(commit_to(commitment), row.seed, "", _time(transaction, commitment, now))
    )
    transaction.drop_opening(hand_id)


def row_of(transaction: Transaction, hand_id: int) -> HandRow:
    """Return the row of a hand from the transaction, else from the books."""
    unwritten = transaction.get(HandRow, hand_id)
    row = unwritten if isinstance(unwritten, HandRow) else hands.hand(transaction.books, hand_id)
    assert row is not None, f"hand {hand_id} is in no book"
    return row


def is_at(table: Table, hand_id: int) -> bool:
    """Check whether the table still deals by the commitment of that hand."""
    return table.round.commitment is not None and table.round.commitment["hand"] == str(hand_id)
