"""The keys of prizes that wait: who confirms, who rejects, and what the replay says to it (CS22, CS23).

With `hand_pay: keys` a prize is in escrow until it is confirmed, by inspectors or after a day by the replay itself.
A rejection needs two of them and a replay that fails.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players import linking
from bot.core.rounds.hand_records import read_record
from bot.core.rounds.replay_check import examine_hand
from bot.core.rounds.script_budget import replay_hand
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino
from bot.games.caribbean.kept import Prize, PrizeInputs, prizes_of, with_prizes
from bot.games.caribbean.meter import log_move, stood, tell_all
from bot.texts import Text
from engine import jackpot
from engine.felt import Amount, Word
from engine.record import settle_jackpot
from storage import ledger
from storage.questions import hands
from storage.questions.postings import postings_of_hand
from storage.questions.results import results_of_hand
from storage.rows import HandRow, PostingRow, ResultRow

CONFIRMS_ITSELF_S = 24 * 3600.0
REJECTING_KEYS = 2


class PrizeReplay(NamedTuple):
    """Prize of a seat when the stored hand is replayed (None if it does not replay), and the fault found.

    `fault` is for the audit log, in English; empty where the hand is as it was recorded and paid.
    """

    prize: int | None
    fault: str


def replay(transaction: Transaction, prize: Prize) -> PrizeReplay:
    """Replay the hand of a prize from the books, and compare it with what was paid."""
    if transaction.get(HandRow, prize.hand) is not None:
        return PrizeReplay(prize.prize, "")  # settled in this batch: not written yet, so compared as it was played
    row = hands.hand(transaction.books, prize.hand)
    if row is None:
        return PrizeReplay(None, "the hand is not in the books")
    try:
        faults = list(examine_hand(transaction.books, row, transaction.table(row.table_id)))
        hand = replay_hand(row.game, read_record(transaction.books, row.id))
        wins = settle_jackpot(hand).prizes.get(prize.seat, 0)
    except Exception as fault:  # any fault of a damaged record is the finding
        return PrizeReplay(None, f"it does not replay: {type(fault).__name__}")
    if wins != prize.prize:
        faults.append(f"the replay pays {wins}, {prize.prize} waits")
    return PrizeReplay(wins, "; ".join(faults))


def confirm_old_prizes(transaction: Transaction, casino: Casino, now: float) -> None:
    """Confirm prizes by replay after a day (CS23); one that fails is left to the inspectors."""
    for prize in prizes_of(casino):
        if now < _confirms_itself(prize):
            continue
        if fault := replay(transaction, prize).fault:
            _replace_prize(transaction, casino.id, prize, structs.replace(prize, fails=True))
            transaction.audit(
                now, casino.id, 0, "meter confirm", _subject(transaction, prize), "the replay fails", "", fault
            )
        else:
            _release(transaction, casino.id, prize, now)
            transaction.audit(
                now, casino.id, 0, "meter confirm", _subject(transaction, prize), "a day passed, the replay holds"
            )


def next_confirmation(casino: Casino) -> float | None:
    """Return when the first waiting prize will be confirmed by replay, or None; one whose replay failed never is."""
    waiting = [prize for prize in prizes_of(casino) if not prize.fails]
    return min(map(_confirms_itself, waiting), default=None)


def _confirms_itself(prize: Prize) -> float:
    return float("inf") if prize.fails else prize.since + CONFIRMS_ITSELF_S


def shift_clocks(transaction: Transaction, casino: Casino, step: float) -> None:
    """Move the times of waiting prizes when the wall clock is set, so that they wait as long as before."""
    if prizes := prizes_of(casino):
        shifted = (structs.replace(prize, since=prize.since + step) for prize in prizes)
        transaction.set_casino(with_prizes(casino, tuple(shifted)))


@command(
    "meter confirm",
    Text("Confirm a waiting prize"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="[HAND SEAT] [REASON]",
    button=Text("Confirm the win"),
)
def confirm(request: Request) -> Answer:
    """Turn a key; with the last one the prize is paid (CS23).

    A confirmation against a replay that fails is asked about first.
    """
    prize = _find_prize(request)
    _check_key(request, prize, prize.keys)
    found = replay(request.transaction, prize)
    if found.fault:
        request.confirm("{fault} Confirm the prize of {amount} anyway?", "", **_said_of(prize, found))
    remark = request.remark(2 if _names_prize(request.args) else 0)
    keys = (*prize.keys, request.player.id)
    reason = ": ".join(filter(None, (prize.rank, remark, found.fault)))
    _audit(request, "meter confirm", prize, reason, "", len(keys))
    if len(keys) < prize.keys_needed:
        return _turn_first(request, prize, keys=keys, against=_without(request, prize.against))
    _release(request.transaction, request.casino.id, prize, request.now)
    return answer_with("Confirmed: {amount} is paid.", amount=Amount(prize.prize))


@command(
    "meter reject",
    Text("Reject a prize whose replay fails"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS | CommandFlag.HARMS,
    usage="[HAND SEAT] REASON",
    button=Text("Reject the win"),
)
def reject(request: Request) -> Answer:
    """Reject a prize: "a rejection needs two inspectors and a replay that fails" (CS23)."""
    prize = _find_prize(request)
    against = prize.against
    _check_key(request, prize, against)
    reason = request.reason(2 if _names_prize(request.args) else 0)
    found = replay(request.transaction, prize)
    if not found.fault:
        raise Refused(
            ("Hand {hand} replays as recorded and paid: {rank} at seat {seat}, prize {amount}. It cannot be rejected."),
            "CS23",
            **_said_of(prize),
        )
    request.confirm("{fault} Two confirmations return {amount} to the jackpot. Confirm?", "", **_said_of(prize, found))
    keys = (*against, request.player.id)
    _audit(request, "meter reject", prize, f"{prize.rank}: {reason}: {found.fault}", prize.prize, len(keys))
    if len(keys) < REJECTING_KEYS:
        return _turn_first(request, prize, against=keys, keys=_without(request, prize.keys))
    _take_back(request.transaction, request.casino.id, prize, reason, request.now)
    return answer_with("Rejected: {amount} returns to the jackpot.", amount=Amount(prize.prize))


def _turn_first(request: Request, prize: Prize, **keys: tuple[int, ...]) -> Answer:
    """Record the first key, for or against; it replaces the inspector's earlier one."""
    _replace_prize(request.transaction, request.casino.id, prize, structs.replace(prize, **keys))
    return answer_with("Confirmed once. A second inspector must confirm too.")


def _without(request: Request, keys: Sequence[int]) -> tuple[int, ...]:
    return tuple(key for key in keys if not linking.are_one(request.transaction, key, request.player.id))


def _find_prize(request: Request) -> Prize:
    waiting = prizes_of(request.casino)
    if not waiting:
        raise Refused("No prize needs confirmation.")
    if _names_prize(request.args):
        waiting = tuple(prize for prize in waiting if (str(prize.hand), prize.seat) == tuple(request.args[:2]))
        if not waiting:
            raise Refused("No prize of that hand and seat needs confirmation.")
    return waiting[0]


def _names_prize(args: Sequence[str]) -> bool:
    return len(args) >= 2 and args[0].isascii() and args[0].isdigit()


def _check_key(request: Request, prize: Prize, turned: Sequence[int]) -> None:
    """Refuse the same person's second key, and players of that hand. Raises Refused."""
    transaction, me = request.transaction, request.player.id
    if any(linking.are_one(transaction, key, me) for key in turned):
        raise Refused("You have already confirmed. A second inspector must confirm too.", "CS23")
    rows = [*results_of_hand(transaction.books, prize.hand), *transaction.unwritten(ResultRow)]
    played = {prize.player, *(row.player for row in rows if row.hand == prize.hand)}
    if any(linking.are_one(transaction, player, me) for player in played):
        raise Refused("You played in that hand. Another inspector must confirm it.", "CS23")


def _release(transaction: Transaction, casino: int, prize: Prize, now: float) -> None:
    account, wallet = ledger.escrow(prize.hand, prize.seat), ledger.wallet(casino, prize.player)
    transaction.post(
        account, wallet, transaction.balance(account), "confirmed", now, prize.hand, f"confirmed {prize.seat}"
    )
    _replace_prize(transaction, casino, prize, None)
    told = Text("{rank} of hand {hand}: confirmed, {amount} is paid.", **_said_of(prize))
    tell_all(transaction, casino, told, now)


def _take_back(transaction: Transaction, casino: int, prize: Prize, why: str, now: float) -> None:
    """Take back a rejected prize: "the prize goes back to the meter, a restart amount to the bank" (CS23).

    A suspended seat is not settled yet: it is void alone, and its stakes come back (CS25, G6). What was paid at once,
    the ante and bet of a fixed prize, takes /adjust.
    """
    hand, seat = prize.hand, prize.seat
    pot, bank, account = ledger.jackpot(casino), ledger.bank(casino), ledger.escrow(hand, seat)

    def post(debit: str, credit: str, amount: int, event: str) -> None:
        transaction.post(debit, credit, amount, "rejected", now, hand, f"rejected {seat}{event}")

    restart, before = _restart_of(transaction, prize), stood(transaction, casino)
    post(account, pot, min(prize.prize, transaction.balance(account)), "")
    post(pot, bank, min(max(0, restart), transaction.balance(pot)), " restart")
    post(bank, pot, max(0, -restart), " restart back")
    log_move(transaction, casino, before, why, now)
    if prize.suspends:
        wallet, waits = ledger.wallet(casino, prize.player), transaction.balance(account)
        stakes = _stakes_of(transaction, prize, wallet)
        post(account, wallet, min(stakes, waits), " stakes")
        post(bank, wallet, max(0, stakes - waits), " stakes rest")
    post(account, bank, transaction.balance(account), " winnings")
    _replace_prize(transaction, casino, prize, None)
    told = Text("{rank} of hand {hand}: rejected, {amount} returns to the jackpot (CS23).", **_said_of(prize))
    tell_all(transaction, casino, told, now)


def _restart_of(transaction: Transaction, prize: Prize) -> int:
    """Return what the bank paid into the meter because of this prize (CS21), without rejected prizes of the hand."""
    count, gone = prize.count, _rejected(transaction, prize.hand)
    left = {seat: rank for seat, rank in count.winners.items() if seat not in gone}
    others = {seat: rank for seat, rank in left.items() if seat != prize.seat}
    return _from_bank(count, left) - _from_bank(count, others)


def _from_bank(count: PrizeInputs, winners: Mapping[str, str]) -> int:
    return jackpot.settle(**structs.asdict(structs.replace(count, winners=winners))).from_bank


def _rejected(transaction: Transaction, hand: int) -> set[str]:
    """Return the seats of a hand whose prizes were rejected."""
    events = (row.event or "" for row in _postings(transaction, hand) if row.why == "rejected")
    return {event.split()[1] for event in events}


def _stakes_of(transaction: Transaction, prize: Prize, wallet: str) -> int:
    """Return a player's stakes in the hand, the coin included."""
    account = ledger.hand(prize.hand)
    rows = _postings(transaction, prize.hand)
    put = sum(row.amount for row in rows if (row.debit, row.credit) == (wallet, account))
    return put - sum(row.amount for row in rows if (row.debit, row.credit) == (account, wallet))


def _postings(transaction: Transaction, hand: int) -> list[PostingRow]:
    rows = [*postings_of_hand(transaction.books, hand), *transaction.unwritten(PostingRow)]
    return [row for row in rows if row.hand == hand]


def _replace_prize(transaction: Transaction, casino_id: int, old: Prize, new: Prize | None) -> None:
    casino = transaction.casinos[casino_id]
    others = tuple(prize for prize in prizes_of(casino) if prize != old)
    transaction.set_casino(with_prizes(casino, (*others, new) if new else others))


def _said_of(prize: Prize, found: PrizeReplay | None = None) -> dict[str, object]:
    said: dict[str, object] = {"rank": Word(prize.rank), "hand": str(prize.hand), "seat": prize.seat}
    said["amount"] = Amount(prize.prize)
    if found is not None:
        said["fault"] = _say_fault(said, found)
    return said


def _say_fault(said: Mapping[str, object], found: PrizeReplay) -> Text:
    if found.prize in (None, said["amount"]):
        return Text("Hand {hand} does not replay as recorded (see the audit log).", hand=said["hand"])
    replayed = Amount(found.prize or 0)
    return Text("The replay of hand {hand} pays seat {seat} {replayed}, not {amount}.", replayed=replayed, **said)


def _subject(transaction: Transaction, prize: Prize) -> str:
    subject, table = f"hand {prize.hand} seat {prize.seat}", transaction.table(prize.table)
    return subject if table is None else table.audited(subject)


def _audit(request: Request, act: str, prize: Prize, reason: str, before: object, after: object) -> None:
    casino, who = request.casino.id, request.player.id
    request.transaction.audit(
        request.now, casino, who, act, _subject(request.transaction, prize), reason, before, after
    )
