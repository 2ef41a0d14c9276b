"""The progressive: one meter for each casino, linked to all its Caribbean tables (CS17 to CS24).

The engine says who has won which prize; here it is counted on the meter in the books, posted, and written into the
hand. A royal or a straight flush suspends the tables until it is confirmed, by the replay or by keys
(prize_keys.py).
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from bot.core.commands import acts
from bot.core.commands.amounts import parse_amount
from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import Escrow
from bot.core.commands.offers import typed
from bot.core.commands.options import parse_option
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.guide.coach import tell_effect
from bot.core.players import linking
from bot.core.players.reasons import say_reason
from bot.core.rounds import commitments, opening
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino
from bot.games.caribbean.kept import Jackpot, Prize, PrizeInputs, meter_options, prizes_of, with_prizes
from bot.games.caribbean.words import FIXED_PRIZES, OPTIONS, prize_lines
from bot.texts import Text, say_value
from bot.texts.languages import SOURCE
from engine import jackpot
from engine.errors import Illegal
from engine.events import Declared, Won
from engine.fairness import log
from engine.felt import Amount, Options, Word
from engine.games.caribbean import GAME
from engine.hand import Hand
from engine.record import settle_jackpot, shuffled
from storage import ledger
from storage.questions.postings import latest_postings
from storage.rows import AuditRow

KEYS_NEED_INSPECTORS = 3
# Subject of audit entries that move the meter itself.
METER = "meter"


def found_meter(transaction: Transaction, casino: Casino, now: float) -> None:
    """Start a new casino's meter at `reset`, paid by its bank."""
    start = int(options_of(casino).reset)
    transaction.post(ledger.bank(casino.id), ledger.jackpot(casino.id), start, "meter starts", now)


def options_of(casino: Casino) -> Any:
    """Return the game's options with the casino's settings of the meter."""
    return GAME.parse_options(meter_options(casino))


def with_meter(casino: Casino, options: Options) -> Options:
    """Return the table's options with those of the meter that it is linked to (CS17)."""
    meter = meter_options(casino)
    return GAME.parse_options(vars(options) | meter) if meter else options


def may_deal(transaction: Transaction, table: Table) -> bool:
    """Return whether the table may deal: not while a royal or straight flush waits for its confirmation (CS22)."""
    return not is_suspended(transaction, table)


def price_of_coin(options: Any) -> dict[str, int]:
    """Return the price of the jackpot spot: one coin, never more (CS2)."""
    return {"jackpot": options.coin}


def waits(casino: Casino) -> list[Escrow]:
    """List the prizes awaiting confirmation."""
    return [Escrow(prize.hand, prize.seat, prize.player) for prize in prizes_of(casino)]


def dues(hand: Hand, void_seats: frozenset[str]) -> dict[str, int]:
    """Return the prizes that a finished hand pays, by event, as the doctor expects them in the books."""
    return {f"prize {seat}": amount for seat, amount in settle_jackpot(hand).prizes.items()}


def reading(transaction: Transaction, casino: int) -> int:
    """Return the jackpot meter in minor units."""
    return transaction.balance(ledger.jackpot(casino))


def is_suspended(transaction: Transaction, table: Table) -> bool:
    """Check whether a royal or straight flush waits for its confirmation, which stops deals of this meter (CS22)."""
    return any(prize.suspends for prize in prizes_of(transaction.casinos[table.casino]))


def drop_coins(transaction: Transaction, table: Table, now: float) -> None:
    """Post each coin: its contribution to the meter, the rest of it to the bank (CS2, CS18)."""
    for number, share, rest in _coins(table):
        hand = ledger.hand(table.round.hand_id)
        transaction.post(hand, ledger.jackpot(table.casino), share, "coin", now, table.round.hand_id, f"coin {number}")
        transaction.post(hand, ledger.bank(table.casino), rest, "coin", now, table.round.hand_id, f"coin {number} rest")


def take_back_coins(transaction: Transaction, table: Table, now: float) -> Table:
    """Give back a void hand's coins (G6), from the bank where a meter that restarted has too little."""
    void = table.round.hand
    assert void is not None
    table = table.change_round(hand=Hand(void.deal._replace(jackpot=stood(transaction, table.casino)), void.moves))
    hand, bank, pot = ledger.hand(table.round.hand_id), ledger.bank(table.casino), ledger.jackpot(table.casino)
    for number, share, rest in _coins(table):
        there = min(share, transaction.balance(pot))
        transaction.post(pot, hand, there, "coin returned", now, table.round.hand_id, f"coin {number} back")
        transaction.post(
            bank, hand, rest + share - there, "coin returned", now, table.round.hand_id, f"coin {number} rest back"
        )
    return table


def _coins(table: Table) -> list[tuple[int, int, int]]:
    # For a hand that was not read since the start, use its commitment.
    options: Any = table.round.terms if table.round.hand is None else table.round.hand.deal.options
    share = jackpot.contribution_of(options.coin, options.contribution)
    with_coin = [bet for bet in table.round.bets if "jackpot" in bet.spots]
    return [(number, share, options.coin - share) for number, _bet in enumerate(with_coin, start=1)]


def stood(transaction: Transaction, casino: int) -> int:
    """Return the meter without the coins of hands in play: those count when they are paid, one
    hand after the other, so that each finds what the one before has left.
    """
    return max(0, reading(transaction, casino) - _played_for(transaction, casino))


def log_move(transaction: Transaction, casino: int, before: int, why: str, now: float) -> None:
    """Append an inspector's move of the meter to the log. `before` is what `stood` was before it."""
    moved = {"before": before, "after": stood(transaction, casino)}
    transaction.log(casino, log.moved(moved, why, transaction.log_of(casino).time(now)))


def _played_for(transaction: Transaction, casino: int) -> int:
    """Add up the coins in the meter from hands in play."""
    playing = (table for table in transaction.tables_playing(casino) if table.game == GAME.name)
    return sum(share for table in playing for _number, share, _rest in _coins(table))


def pay_prizes(transaction: Transaction, table: Table, now: float) -> Table:
    """Count the hand's prizes on the meter as it stands, write that into the deal, pay or put into escrow."""
    hand = table.round.hand
    assert hand is not None
    pot, bank = ledger.jackpot(table.casino), ledger.bank(table.casino)
    coins = _played_for(transaction, table.casino)
    hand = Hand(hand.deal._replace(jackpot=stood(transaction, table.casino)), hand.moves)
    settled, void_seats = settle_jackpot(hand), table.void_seats(table.round.hand_id)
    # Coins count even if an inspector has set the meter below their sum (CS20).
    transaction.post(
        bank, pot, max(0, coins - transaction.balance(pot)), "meter restarts", now, table.round.hand_id, "coins again"
    )
    # The bank pays first, so that the meter can cover its prizes (CS21).
    transaction.post(bank, pot, max(0, settled.from_bank), "meter restarts", now, table.round.hand_id, "restart")
    _await_keys(transaction, table, hand, settled.prizes, now)
    owners = table.owners()
    for seat, prize in settled.prizes.items():
        # A void seat plays on for the bank (G6).
        to = bank if seat in void_seats else prize_payee(transaction, table, seat)
        to = to or ledger.wallet(table.casino, owners[seat])
        transaction.post(pot, to, prize, "jackpot", now, table.round.hand_id, f"prize {seat}")
    transaction.post(pot, bank, max(0, -settled.from_bank), "meter restarts", now, table.round.hand_id, "restart back")
    return table.change_round(hand=hand)


def _await_keys(transaction: Transaction, table: Table, hand: Hand, prizes: Mapping[str, int], now: float) -> None:
    """Check the hand by its replay at once with `automatic`, or have its seats wait with `keys` (CS22, CS23).

    No jackpot is played in tournaments (TN7), so that nothing waits there.
    """
    if table.tournament is not None:
        return
    casino = transaction.casinos[table.casino]
    declared = {event.seat: event.rank for event in hand.events if isinstance(event, Declared)}
    won = {event.seat: event.prize for event in hand.events if isinstance(event, Won)}
    waiting: list[Prize] = []
    void_seats = table.void_seats(table.round.hand_id)
    count = _count(hand, {seat: rank for seat, rank in won.items() if seat not in void_seats})
    for seat in [seat for seat in {**declared, **won} if seat not in void_seats]:
        rank = won.get(seat) or declared[seat]
        if hand.deal.options.hand_pay == "automatic":  # type: ignore[attr-defined]
            _check_replay(hand)
            amount = Amount(prizes.get(seat, 0))
            subject = table.audited("hand", table.round.hand_id, "seat", seat)
            transaction.audit(now, casino.id, 0, "confirm", subject, f"{rank}: replayed", "", amount)
            continue
        waiting.append(
            Prize(
                hand=table.round.hand_id,
                table=table.id,
                seat=seat,
                player=table.owners()[seat],
                rank=rank,
                suspends=seat in declared,
                prize=prizes.get(seat, 0),
                count=count,
                keys_needed=2 if rank in jackpot.SHARES and seat in won else 1,
                keys=(),
                since=now,
            )
        )
    if waiting:
        transaction.set_casino(with_prizes(casino, (*prizes_of(casino), *waiting)))
    if any(prize.suspends for prize in waiting):
        for linked in tables_of(transaction, casino.id):
            if linked.id != table.id:
                transaction.set_table(linked.change())  # each of them shows that it waits now


def _count(hand: Hand, winners: Mapping[str, str]) -> PrizeInputs:
    options: Any = hand.deal.options
    coins = sum("jackpot" in stake.bets for stake in hand.deal.stakes)
    meter = int(hand.deal.jackpot or 0)
    return PrizeInputs(meter, coins, winners, options.coin, options.contribution, options.fixed, options.reset)


def _check_replay(hand: Hand) -> None:
    """Check that the deck follows from the seed, and that deal and moves, played again, give the same events."""
    deal = hand.deal
    deck = shuffled(GAME, deal.options, deal.seed)[0] if deal.seed else deal.deck
    if deck != deal.deck or list(Hand(deal, hand.moves).events) != list(hand.events):
        raise AssertionError("the replay differs")


def payee(transaction: Transaction, table: Table, seat: str) -> str | None:
    """Return the escrow that a suspended seat's payments wait in; None if they go to the wallet."""
    return _escrow(transaction, table, seat, suspended=True)


def prize_payee(transaction: Transaction, table: Table, seat: str) -> str | None:
    """Return the escrow that a seat's prize waits in (CS23); None if it goes to the wallet."""
    return _escrow(transaction, table, seat, suspended=False)


def _escrow(transaction: Transaction, table: Table, seat: str, *, suspended: bool) -> str | None:
    for prize in prizes_of(transaction.casinos[table.casino]):
        if (prize.hand, prize.seat) == (table.round.hand_id, seat) and (prize.suspends or not suspended):
            return ledger.escrow(table.round.hand_id, seat)
    return None


@command("jackpot", Text("The jackpot and what it pays"), group="knowing", flags=CommandFlag.LINKABLE)
def show_jackpot(request: Request) -> Answer:
    """Show the meter, the price of a coin, what it pays for, and which prizes wait."""
    options = options_of(request.casino)
    lines = [
        Text("Jackpot: {meter}.", meter=Amount(reading(request.transaction, request.casino.id))),
        Text("A coin costs {coin}, on top of an ante.", coin=Amount(options.coin)),
    ]
    lines.extend(prize_lines(options))
    lines.extend(_waiting_line(prize) for prize in prizes_of(request.casino))
    return Answer(tuple(lines))


def _waiting_line(prize: Prize) -> Text:
    return Text(
        "Hand {hand}, seat {seat}: {rank} needs {n} confirmation.",
        "Hand {hand}, seat {seat}: {rank} needs {n} confirmations.",
        hand=prize.hand,
        seat=prize.seat,
        rank=Word(prize.rank),
        n=prize.keys_needed - len(prize.keys),
    )


@command(
    "meter reset",
    Text("Reset the jackpot meter, or set it to an amount"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="[AMOUNT] REASON",
    button=Text("Reset the jackpot"),
)
def reset(request: Request) -> Answer:
    """Reset the meter: `[AMOUNT] REASON`, to the amount or to the option `reset`, after a confirmation."""
    if _names_amount(request):
        return _set_meter(request, "meter reset")
    to = int(options_of(request.casino).reset)
    return _move_meter(request, "meter reset", to, request.reason(0))


def _names_amount(request: Request) -> bool:
    return bool(request.args) and request.args[0][:1].isdigit()


def _set_meter(request: Request, act: str) -> Answer:
    return _move_meter(request, act, parse_amount(request.args[0], request.player.language), request.reason(1))


def _move_meter(request: Request, act: str, to: int, reason: str) -> Answer:
    """Move the meter to an amount, by a posting between it and the bank (CS24).

    Refused to an inspector with a coin in an open hand, who has seen what they may win.
    """
    if any(_has_coin(request, table.id) for table in tables_of(request.transaction, request.casino.id)):
        raise Refused("You have a jackpot coin in an open hand. Another inspector must change the jackpot.", "CS24")
    casino, before = request.casino.id, reading(request.transaction, request.casino.id)
    if to == before:
        return answer_with("The jackpot is already at {meter}.", meter=Amount(to))
    template = (
        "Lower the jackpot from {before} to {to}? The bank receives {difference}."
        if to < before
        else "Raise the jackpot meter from {before} to {to}? {difference} comes from the bank."
    )
    request.confirm(template, before=Amount(before), to=Amount(to), difference=Amount(abs(before - to)))
    pot, bank = ledger.jackpot(casino), ledger.bank(casino)
    counted = stood(request.transaction, casino)
    request.transaction.post(pot, bank, max(0, before - to), f"{act}: {reason}", request.now)
    request.transaction.post(bank, pot, max(0, to - before), f"{act}: {reason}", request.now)
    log_move(request.transaction, casino, counted, reason, request.now)
    request.transaction.audit(request.now, casino, request.player.id, act, METER, reason, before, to)
    tell_all(
        request.transaction, casino, Text("An inspector set the jackpot to {meter}.", meter=Amount(to)), request.now
    )
    return answer_with("The jackpot is now at {meter}.", meter=Amount(to))


def _has_coin(request: Request, id: int) -> bool:
    """Return whether this inspector, under any name, plays for the meter at a table now."""
    table = request.transaction.table(id)
    if table is None or table.round.hand is None:
        return False
    coins = [key for key, spots in table.round.hand.wagered().items() if "jackpot" in spots]
    owners = table.owners()
    return any(linking.are_one(request.transaction, owners[key], request.player.id) for key in coins)


@command(
    "meter set",
    Text("Set the jackpot, its coin, prizes or reset, or who confirms"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="AMOUNT | coin|four|full|flush|reset|contribution|hand_pay VALUE REASON",
    button=Text("Set the jackpot"),
)
def set_option(request: Request) -> Answer:
    """Set the meter to an amount, or one of its options, which moves no chips. Both are confirmed first."""
    if _names_amount(request):
        return _set_meter(request, "meter set")
    name = request.argument(0, "Choose what to set: coin, four, full, flush, reset, contribution or hand_pay.")
    text = request.argument(1, "Enter the new value.")
    options, before = options_of(request.casino), meter_options(request.casino)
    value: Any = text
    if name in ("coin", "reset", "four", "full", "flush"):
        value = parse_amount(text, request.player.language)
    elif name in ("contribution", "hand_pay"):
        value = parse_option(_label(name), OPTIONS[name].unit, text, request.player.language)
    else:
        raise Refused("Choose what to set: coin, four, full, flush, reset, contribution or hand_pay.")
    if value == "keys" and len(request.casino.state.inspectors) < KEYS_NEED_INSPECTORS:
        raise Refused("Confirmations need {n} inspectors. Add one with /inspector add.", "CS23", n=KEYS_NEED_INSPECTORS)
    changed = {"fixed": {**options.fixed, name: value}} if name in options.fixed else {name: value}
    after = before | changed
    try:
        GAME.parse_options(after)
    except Illegal as fault:
        raise Refused(fault.template, fault.clause, **fault.values) from None
    transaction, casino, reason = request.transaction, request.casino.id, request.reason(2)
    was: Any = {**vars(options), **options.fixed}[name]
    shown, shown_before = _say_value(name, value), _say_value(name, was)
    values: dict[str, object] = {"option": _label(name), "before": shown_before, "after": shown}
    if value == was:
        return answer_with("{option} is already {after}.", **values)
    request.confirm("{option}: {before} → {after}. Change it?", "", **values)
    transaction.set_casino(request.casino.change_memory(Jackpot(meter=after, prizes=prizes_of(request.casino))))
    subject = f"fixed {name}" if name in options.fixed else name
    written = [say_value(each, SOURCE) for each in (shown_before, shown)]
    transaction.audit(request.now, casino, request.player.id, "meter set", subject, reason, *written)
    told = Text("An inspector changed the jackpot. {option}: {before} → {after}.", **values)
    for table in tables_of(transaction, casino):
        _commit_anew(request, table.set_notice(told, request.now))
    stands, now = reading(transaction, casino), GAME.parse_options(after)
    effect = partial(tell_effect, game=GAME.name, before=options, after=now, meter=stands)
    return answer_with("{option}: {before} → {after}.", **values)._replace(report=effect)


def _label(name: str) -> Text:
    """Return the label of a meter option or of a fixed prize."""
    return FIXED_PRIZES[name] if name in FIXED_PRIZES else OPTIONS[name].label


def _say_value(name: str, value: Any) -> object:
    return Amount(value) if name in FIXED_PRIZES else OPTIONS[name].unit.write(value)


def _undo_set(row: AuditRow, reader: acts.AuditReader) -> acts.Undo | None:
    """Return the command that undoes a setting of the meter, or None.

    It is confirmed again; the same sum that went to the bank comes back.
    """
    if not acts.is_set(row):
        return None
    if row.subject == METER:
        return acts.Undo("meter set", (typed(int(row.before)),)) if row.before.isdigit() else None
    return acts.Undo("meter set", (row.subject.removeprefix("fixed "), row.before.replace(",", "")))


def _name_subject(subject: str) -> object:
    """Name the subject of an audit entry: the meter itself, or one of its options."""
    name = subject.removeprefix("fixed ")
    return _label(name) if name in FIXED_PRIZES or name in OPTIONS else ""


def _amounts_of(subject: str) -> Collection[str]:
    """Return the columns that are amounts in minor units: both for the meter, none for its options."""
    return acts.BOTH if subject == METER else ()


acts.ACTS.update(
    {
        "confirm": acts.Kind(amounts=acts.both, label=Text("Jackpot win checked")),
        "meter confirm": acts.Kind(label=Text("Jackpot win confirmed")),
        "meter reject": acts.Kind(amounts=lambda subject: ("before",), label=Text("Jackpot win rejected")),
        "meter reset": acts.Kind(_undo_set, _amounts_of, Text("Jackpot reset"), _name_subject),
        "meter set": acts.Kind(_undo_set, _amounts_of, Text("Jackpot changed"), _name_subject),
    }
)


def _commit_anew(request: Request, table: Table) -> None:
    """Commit to changed options at once if no bets are placed, else announce them for the next hand."""
    transaction = request.transaction
    if not commitments.is_changed(transaction, table):
        transaction.set_table(table)
    elif table.round.bets or table.phase == "playing":
        told = Text("An inspector changed a jackpot setting; it applies from the next hand.")
        transaction.set_table(table.set_notice(told, request.now))
    else:
        opening.open_anew(transaction, table, request.now, request.entropy(32), commitments.CHANGED)


def tables_of(transaction: Transaction, casino: int) -> list[Table]:
    """Return the open tables that are linked to the casino's meter (CS17)."""
    return [table for table in transaction.tables_in(casino) if table.game == GAME.name and table.status != "closed"]


def tell_all(transaction: Transaction, casino: int, text: Text, now: float) -> None:
    """Announce a text at every table of the meter."""
    for table in tables_of(transaction, casino):
        transaction.set_table(table.set_notice(text, now))


@command(
    "meter history",
    Text("History: every change of the jackpot"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    button=Text("Jackpot history"),
)
def history(request: Request) -> Answer:
    """List the last twenty movements of the meter, newest first."""
    account = ledger.jackpot(request.casino.id)
    lines = []
    for row in latest_postings(request.transaction.books, [account], 20):
        amount = Amount(row.amount if row.credit == account else -row.amount)
        what = say_reason(row)
        if row.hand:
            lines.append(Text("{amount} · {what} (hand {hand})", amount=amount, what=what, hand=str(row.hand)))
        else:
            lines.append(Text("{amount} · {what}", amount=amount, what=what))
    return Answer(tuple(lines) or (Text("No chips have moved yet."),))
