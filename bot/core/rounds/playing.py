"""Play, from the deal to the payout: moves, clocks, time-outs, settlement, the next hand.

The engine says what happened; here it becomes postings, in the same transaction as the move.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from msgspec import structs

from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import Answer, Refused
from bot.core.commands.deeds import amount_of, find_given_up, say_deed, say_offer, warn_of_stake
from bot.core.commands.hooks import hooks_of
from bot.core.commands.registry import CommandFlag, CommandSpec, Request, command
from bot.core.players import self_limits
from bot.core.rounds import betting, commitments, moves_ahead, reveals, shoe, standing_orders, waiting
from bot.core.rounds.opening import open_hand
from bot.core.rounds.script_budget import WATCHDOG, deal_hand, play_move
from bot.core.state.people import TimeBank
from bot.core.state.plays import MoveHelp, Seating
from bot.core.state.table import PACES, VOID_SEAT, WAITS_S, HandSeats, Table, owners_of
from bot.core.state.transaction import Transaction
from bot.texts import Text
from bot.texts.languages import words_for_all, words_for_half
from engine.errors import IllegalMove
from engine.events import Paid, Staked
from engine.fairness.beacon import BeaconRound
from engine.fairness.seals import OPENING_S
from engine.felt import TIMEOUT, VOID, Amount, Deal, Move, Offer
from engine.games import BUILT_IN
from engine.hand import Hand, check_deal
from engine.record import shuffled, spots_of
from storage import ledger
from storage.rows import HandRow, MoveRow, ResultRow

TIME_BANK_S = 30.0
# Extra time of a player in a whole tournament (TN16).
TOURNAMENT_BANK_S = 60.0
LAST_BETS_KEPT = 100
BEHIND = Text("No hands are dealt because this server's clock is behind the beacon. The host must correct it.")
# Seconds until a table that may not deal now tries again.
LOOKS_AGAIN_S = 5.0


class HandFault(Exception):
    """A failure of engine or books in a hand, which is voided and refunded (G6)."""

    def __init__(self, table: int) -> None:
        super().__init__(f"an error in a hand at table {table}")
        self.table = table


class UnreadableHand(HandFault):
    """A hand that the books cannot replay any more: it can only be refunded as they have it."""


@contextmanager
def faults_void(table: Table) -> Iterator[None]:
    """Turn errors of a rule script or a hook into HandFault, which voids this hand (G6); a refusal stays one."""
    try:
        yield
    except (Refused, HandFault):
        raise
    except ledger.CannotPost as lack:
        # A player may lack chips; any other account that cannot pay is an error.
        if isinstance(lack, ledger.NotEnoughChips) and lack.account.startswith(ledger.PLAYERS):
            raise
        raise HandFault(table.id) from lack
    except Exception as fault:
        raise HandFault(table.id) from fault


def deal(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Close the bets and deal: bets become stakes, cuts are fixed, cards are dealt.

    With a beacon the cards wait for its round, which is named in the log first.
    """
    with faults_void(table):
        if commitments.is_of_beacon(table) and not table.round.seals:
            return _wait_for_round(transaction, table, now)
        if table.shoe is not None:
            table = table.change_round(beacon=table.shoe.beacon)
        table = hooks_of(table).before_deal(transaction, table, now)
        if commitments.seals_of(table):
            table = commitments.close_with_seals(transaction, table, _deal_without_deck(table), now)
            waiting_round = structs.replace(table.round, deadline=now + OPENING_S, extended=None)
            return transaction.set_table(table.change(notice=None, round=waiting_round))
        if commitments.is_of_beacon(table):
            return _wait_for_round(transaction, table, now, is_laid=True)
        deal = _shuffle(table)
        table = commitments.close_bets(transaction, table, deal, now)
        return _lay_out(transaction, table, deal, now, entropy)


def settle_cuts(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Fix the cuts of a hand with seals: all are opened, or their time is over. The cards come, or wait for a round."""
    with faults_void(table):
        at = commitments.time_of_cuts(transaction, table, now)
        waits = commitments.round_to_wait_for(transaction, table, at) if commitments.is_of_beacon(table) else None
        if waits is None and commitments.is_of_beacon(table):
            return transaction.set_table(table.set_notice(BEHIND, now).change_round(deadline=now + LOOKS_AGAIN_S))
        table = commitments.settle_cuts(transaction, table, _deal_without_deck(table), waits, at)
        if waits is not None:
            return transaction.set_table(table.change_round(deadline=waiting.next_word_at(waits, now)))
        deal = _shuffle(table)
        commitments.deal_by_round(transaction, table, deal)
        return _lay_out(transaction, table, deal, now, entropy)


def _deal_without_deck(table: Table) -> Deal:
    assert table.round.commitment is not None
    seed, stakes = shoe.seed_of(table, cuts_of(table)), table.stakes()
    WATCHDOG.run(table.game, table.rules.check, table.round.terms, stakes)
    return Deal(table.game, table.round.terms, stakes, (), None, seed, None, table.round.commitment["rules"])


def _wait_for_round(transaction: Transaction, table: Table, now: float, *, is_laid: bool = False) -> Table:
    waits = commitments.round_to_wait_for(transaction, table, now)
    if waits is None:
        return transaction.set_table(table.set_notice(BEHIND, now).change_round(deadline=now + LOOKS_AGAIN_S))
    if not is_laid:
        table = hooks_of(table).before_deal(transaction, table, now)
    table = commitments.close_and_wait(transaction, table, _deal_without_deck(table), waits, now)
    return transaction.set_table(
        table.change(
            notice=None, round=structs.replace(table.round, deadline=waiting.next_word_at(waits, now), extended=None)
        )
    )


def deal_by_round(transaction: Transaction, table: Table, round: BeaconRound, now: float, entropy: bytes) -> Table:
    """Deal a hand with the checked round of the beacon that it waited for."""
    with faults_void(table):
        assert table.round.waits is not None
        assert table.round.waits.round == round.round
        table = table.change_round(waits=None, beacon=round)
        deal = _shuffle(table)
        commitments.deal_by_round(transaction, table, deal)
        return _lay_out(transaction, table, deal, now, entropy)


def _shuffle(table: Table) -> Deal:
    commitment, seed = table.round.commitment, shoe.seed_of(table, cuts_of(table))
    assert commitment is not None
    deck, dice = shuffled(table.rules, table.round.terms, seed)
    deal = Deal(table.game, table.round.terms, table.stakes(), deck, dice, seed, None, commitment["rules"])
    WATCHDOG.run(table.game, check_deal, deal)
    return deal


def _lay_out(transaction: Transaction, table: Table, deal: Deal, now: float, entropy: bytes) -> Table:
    hand = deal_hand(deal)
    players = sorted({bet.player for bet in table.round.bets})
    last_bets = {player: bets for player, bets in table.last_bets.items() if player not in players}
    last_bets |= {player: tuple(table.bets_of(player)) for player in players}
    table = table.change(
        seats=_seats_after_deal(table, set(players)),
        last_bets=dict(list(last_bets.items())[-LAST_BETS_KEPT:]),
        notice=None,
        round=structs.replace(table.round, hand=hand, deadline=_first_deadline(table, now)),
    )
    _post_stakes(transaction, table, hand, 0, now)
    hooks_of(table).after_deal(transaction, table, now)
    return _go_on(transaction, table, now, entropy)


def _first_deadline(table: Table, now: float) -> float:
    """Return the first deadline of a hand; a table that has lost its place meanwhile waits for that (G10)."""
    deadline = now + PACES[table.settings.pace]
    return deadline if table.lost is None else max(deadline, table.lost.at + WAITS_S)


def deal_or_sleep(transaction: Transaction, table: Table, now: float, entropy: Callable[[int], bytes]) -> Table:
    """Deal when the betting clock has run out. Without bets the seats are freed; where a rule demands it, wait."""
    if not table.round.bets:
        return transaction.set_table(table.change(seats={}, round=structs.replace(table.round, deadline=None)))
    if not hooks_of(table).may_deal(transaction, table):
        return transaction.set_table(table.change_round(deadline=now + LOOKS_AGAIN_S))
    return deal(transaction, table, now, entropy(32))


def _seats_after_deal(table: Table, betting: set[int]) -> dict[int, int]:
    """Return the seats after a deal: players without a bet lose theirs (G9); boxes and stacks differ (BJ4, SH14)."""
    if table.plays.seating in (Seating.BOXES, Seating.STACKS) or table.tournament is not None:
        return dict(table.seats)
    return {seat: player for seat, player in table.seats.items() if player in betting}


def purse_of_seat(table: Table, seat: str) -> str:
    """Return the account that a seat is played from: the bank's for a voided seat (G6), else its player's."""
    if seat in table.void_seats(table.round.hand_id):
        return table.bank
    return table.purse(table.owners()[seat])


def _post_stakes(transaction: Transaction, table: Table, hand: Hand, since: int, now: float) -> None:
    """Post the stakes of all events from index `since`."""
    account = ledger.hand(table.round.hand_id)
    for index, event in enumerate(hand.events[since:], start=since):
        if isinstance(event, Staked):
            giver = purse_of_seat(table, event.seat)
            transaction.post(giver, account, event.amount, event.spot, now, table.round.hand_id, f"event {index}")


def cuts_of(table: Table) -> tuple[str, ...]:
    """Return the cuts of players with a bet and the opened sealed ones, sorted by code point."""
    betting = {bet.player for bet in table.round.bets}
    public = [text for player, text in table.round.cuts if player in betting]
    return tuple(sorted([*public, *(cut for _seal, cut in table.round.openings)]))


MOVES: dict[str, MoveHelp] = {}
"""Every move of every game, each of which is a command."""


def add_moves(moves: Mapping[str, MoveHelp]) -> list[CommandSpec]:
    """Add the moves of a game, and return the commands for those that no other game has."""
    added = {word: told for word, told in moves.items() if word not in MOVES and word != "bet"}
    MOVES.update(added)
    return [
        CommandSpec(word, move, told.help, "play", told.usage, CommandFlag.PRIVATE | CommandFlag.SEEN)
        for word, told in added.items()
    ]


def move(request: Request) -> Answer:
    """Apply a player's decision to the hand at the table."""
    table, hand = request.table, request.table.round.hand
    if hand is None:
        raise Refused("No hand is being played. Place your bets.")
    word = request.command.verb
    mine = table.seats_played_by(request.player.id)
    if not mine:
        raise Refused("You are not in this hand. Place your bets when it is over.")
    aside = hand.aside.items()
    beside = {key for key, offers in aside if any(offer.word == word for offer in offers)}
    seat = next((key for key in mine if key in hand.asks or key in beside), mine[0])
    offers = hand.asks.get(seat, ())
    if hand.asks and not offers and not beside and word in table.rules.words:
        owners = table.owners()
        asked = dict.fromkeys(owners[key] for key in hand.asks if key not in table.round.away)
        names = [request.name_of(player) for player in asked]
        turn = table.rules.behind.get(word, table.rules.turn) if "/" in seat else table.rules.turn
        raise Refused("Nothing to decide right now. Waiting for {names}.", turn, names=names)
    argument = _parse_argument(request, table, seat, word)
    choice = Move(seat, word, argument)
    cost = standing_orders.cost_of(offers, choice)
    chips = Amount(request.transaction.balance(table.purse(request.player.id)))
    if chips < cost:
        raise Refused("That costs {cost}, you have {chips}.", cost=Amount(cost), chips=chips)
    # A stack counts as a whole from the moment it is bought, a tournament by its buy-in.
    if cost and table.plays.seating is not Seating.STACKS and table.tournament is None:
        self_limits.check_loss(request, standing_orders.risk_of(table, offers, choice))
    _check_move(request, table, choice)
    lost = find_given_up(hand, choice) or warn_of_stake(hand, seat, cost)
    if lost is not None:
        made = sum(move.seat == seat for move in hand.moves)
        deed = say_deed(table.game, word, request.args, cost, amount_of(hand, choice))
        # A confirmation from another street or hand is asked again.
        request.confirm("{move}? {lost}", about=f"{table.round.hand_id}.{made}", move=deed, lost=lost)
    play(request.transaction, table, choice, request.now, request.entropy(32))
    return Answer()


def _check_move(request: Request, table: Table, choice: Move) -> None:
    """Raise Refused where the rules refuse the move, with what is offered instead in the words of the buttons."""
    assert table.round.hand is not None
    try:
        table.round.hand.check(choice)
    except IllegalMove as fault:
        offers = table.round.hand.asks.get(choice.seat, ())
        if not offers or choice.word not in table.rules.words:
            raise Refused(fault.template, fault.clause, **fault.values) from None
        moves = tuple(say_offer(table.game, offer) for offer in offers if offer.listed)
        if any(offer.word == choice.word for offer in offers):
            raise Refused("Choose one of: {moves}.", fault.clause, moves=moves) from None
        move = say_deed(table.game, choice.word, request.args, 0)
        raise Refused(
            "You can't choose “{move}” now. You can choose: {moves}.", fault.clause, move=move, moves=moves
        ) from None


@command(
    "bet",
    Text("Place a bet"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.PRIVATE | CommandFlag.SEEN,
    usage="[SPOT] AMOUNT ...",
)
def bet(request: Request) -> Answer:
    """Place a bet before the deal; in a hand it is a move, if the game has it (SH8)."""
    if request.table.round.hand is not None and "bet" in request.table.rules.words:
        return move(request)
    return hooks_of(request.table).bet(request)


def play(transaction: Transaction, table: Table, choice: Move, now: float, entropy: bytes) -> Table:
    """Play one move, with its money. Raises Refused where the rules refuse it."""
    hand = table.round.hand
    assert hand is not None
    with faults_void(table):
        try:
            hand.check(choice)
            for first in hooks_of(table).before_move(transaction, table, choice, now):
                table = _record(transaction, table, hand, first, now)
                hand = table.round.hand or hand
            table = _record(transaction, table, hand, choice, now)
        except IllegalMove as fault:
            raise Refused(fault.template, fault.clause, **fault.values) from None
        return _go_on(transaction, table, now, entropy)


def time_out(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Use the time banks of late seats, then let the rules move for them (G10).

    A table has one clock; in extra time it shows when the next bank is used up.
    """
    hand = table.round.hand
    assert hand is not None
    if not hand.asks:  # the time is over, so the dealer reveals the cards (PJ12)
        table = reveals.lapse(table, now)
        return transaction.set_table(table) if table.round.turning else settle(transaction, table, now, entropy)
    owners, since = table.owners(), now if table.round.extended is None else table.round.extended
    late = {owners[seat] for seat in hand.asks if seat not in table.round.away}
    ends = {player: since + _bank_at(transaction, table, player, since) for player in late}
    absent = {player for player, end in ends.items() if end <= now}
    deadline = min((end for player, end in ends.items() if player not in absent), default=table.round.deadline)
    table = table.change_round(extended=since, deadline=deadline)
    if not absent:
        return transaction.set_table(table)
    for player in sorted(absent):
        table = _use_time_bank(transaction, table, player, now)
    away = frozenset(seat for seat, player in owners.items() if player in absent)
    return _go_on(transaction, table.change_round(away=table.round.away | away), now, entropy)


def void(transaction: Transaction, table: Table, now: float, entropy: bytes, why: str) -> Table:
    """Void the hand: return every stake and what it added to the meter (G6). The log names `why`."""
    hand = table.round.hand
    assert hand is not None
    if hand.asks:
        table = _record(transaction, table, hand, Move("", VOID), now)
    table = hooks_of(table).take_back(transaction, table, now)
    for number, (seat, spots) in enumerate(hand.wagered().items(), start=1):
        taker = purse_of_seat(table, seat)
        total = sum(spots.values())
        transaction.post(
            ledger.hand(table.round.hand_id), taker, total, "void", now, table.round.hand_id, f"void {number}"
        )
    return _close(transaction, table, now, entropy, why)


def void_waiting(transaction: Transaction, table: Table, now: float, entropy: bytes, why: str) -> Table:
    """Void a hand that waits for its cards: return every bet. The log names `why`."""
    if table.awaits_cuts:
        at = commitments.time_of_cuts(transaction, table, now)
        table = commitments.settle_cuts(transaction, table, _deal_without_deck(table), None, at)
    if table.plays.seating is not Seating.STACKS:  # its stakes are posted with the cards
        table = betting.return_all_bets(transaction, table, now, "void")
    commitments.void_waiting(transaction, table, why, now)
    table = commitments.end(
        transaction, table.change(shoe=None, round=structs.replace(table.round, waits=None, bets=())), now, ""
    )
    return _open_next(transaction, table, now, entropy)


def void_seat(transaction: Transaction, table: Table, seat: str, now: float, entropy: bytes) -> Table:
    """Void a seat (G6): the hand continues, and its stakes are returned. This is no move; the seat is not asked again.

    What the hand still takes from that seat and pays to it is the bank's.
    """
    hand = table.round.hand
    assert hand is not None
    with faults_void(table):
        total = sum(hand.wagered()[seat].values())
        bank, taker = table.bank, purse_of_seat(table, seat)
        transaction.post(bank, taker, total, "void", now, table.round.hand_id, f"{VOID_SEAT}{seat}")
        seats = sorted({*table.void_seats(table.round.hand_id), seat})
        table = table.change(
            void=HandSeats(table.round.hand_id, tuple(seats)),
            round=structs.replace(table.round, away=table.round.away | {seat}),
        )
        return _go_on(transaction, table, now, entropy)


def time_bank(transaction: Transaction, player: int, now: float) -> float:
    """Return the seconds of extra time that a player has left today."""
    bank = transaction.players[player].state.time_bank
    return max(0.0, TIME_BANK_S - (bank.used if bank is not None and bank.day == int(now // 86400) else 0.0))


def _bank_at(transaction: Transaction, table: Table, player: int, now: float) -> float:
    """Return the seconds of extra time that a player has left at a table: a tournament has its own bank (TN16)."""
    if table.tournament is None:
        return time_bank(transaction, player, now)
    return max(0.0, TOURNAMENT_BANK_S - table.tournament.banks.get(player, 0.0))


def _use_time_bank(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Book the extra time that was needed since the clock was extended."""
    if table.round.extended is None:
        return table
    needed = min(_bank_at(transaction, table, player, now), now - table.round.extended)
    if (live := table.tournament) is not None:
        banks = {**live.banks, player: live.banks.get(player, 0.0) + needed}
        return table.change(tournament=structs.replace(live, banks=banks))
    used = TIME_BANK_S - time_bank(transaction, player, now) + needed
    transaction.set_player(transaction.players[player].change(time_bank=TimeBank(int(now // 86400), used)))
    return table


def _record(transaction: Transaction, table: Table, before: Hand, choice: Move, now: float) -> Table:
    """Play a move: it and what it staked; the clock goes on, or anew for a new round of choices."""
    after = play_move(before, choice)
    transaction.put(MoveRow(table.round.hand_id, len(before.moves), str(choice), now))
    owners = table.owners()
    if table.round.ahead:
        table = table.change_round(ahead=moves_ahead.follow_move(table.round.ahead, choice))
    _post_stakes(transaction, table, after, len(before.events), now)
    is_new_round = bool(after.asks) and not after.asks.keys() <= before.asks.keys() - {choice.seat}
    if table.round.extended is not None and choice.word != TIMEOUT and choice.seat:
        player = owners[choice.seat]
        # A player with another seat to decide uses the same extra time, which is booked once.
        if is_new_round or not any(owners[seat] == player for seat in after.asks):
            table = _use_time_bank(transaction, table, player, now)
    if is_new_round:
        deadline = now + PACES[table.settings.pace]
        if table.lost is not None and table.round.deadline is not None:
            deadline = max(
                deadline, table.round.deadline
            )  # players who can be reached play; the others wait for the place (G10)
        return table.change_round(hand=after, deadline=deadline, extended=None)
    return table.change_round(hand=after)


def _go_on(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Continue after a move: a player who let a clock run out, or has chosen a move before their turn, is not waited
    for (G10, HE36); pay a finished hand.
    """
    hand = table.round.hand
    assert hand is not None
    while seats := [seat for seat in hand.asks if seat in table.round.away | table.round.ahead]:
        table = _record(transaction, table, hand, _find_move(transaction, table, seats[0], now), now)
        assert table.round.hand is not None
        hand = table.round.hand
    if hand.asks:
        return transaction.set_table(table)
    hand.check_payments()
    if table.game not in BUILT_IN:  # it costs a hand once more, and tests replay our own games
        WATCHDOG.run(table.game, hand.check_replay)
    if who := reveals.turners(table):
        return transaction.set_table(table.change_round(turning=who, deadline=reveals.first_deadline(table, now)))
    return settle(transaction, table, now, entropy)


def _find_move(transaction: Transaction, table: Table, seat: str, now: float) -> Move:
    """Return the move of a seat in turn that is not waited for."""
    if seat not in table.round.away:
        return moves_ahead.choose_move(table, seat)
    is_void = seat in table.void_seats(table.round.hand_id)
    order = None if is_void else standing_orders.standing_move(transaction, table, seat, now)
    return order or Move(seat, TIMEOUT)


def settle(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Pay what the engine says, the bank covering what the stakes do not; then the next hand takes bets."""
    hand = table.round.hand
    assert hand is not None
    table = hooks_of(table).before_payment(transaction, table, now)
    hand = table.round.hand
    assert hand is not None
    account, bank = ledger.hand(table.round.hand_id), table.bank
    payments = [(i, event) for i, event in enumerate(hand.events) if isinstance(event, Paid) and event.amount]
    missing = sum(event.amount for _i, event in payments) - transaction.balance(account)
    transaction.post(bank, account, max(0, missing), "winnings", now, table.round.hand_id, "bank pays")
    for index, event in payments:
        to = hooks_of(table).payee(transaction, table, event.seat) or purse_of_seat(table, event.seat)
        transaction.post(account, to, event.amount, event.spot, now, table.round.hand_id, f"event {index}")
    transaction.post(account, bank, transaction.balance(account), "losses", now, table.round.hand_id, "bank receives")
    _write_results(transaction, table, now)
    return _close(transaction, table, now, entropy, "")


def _write_results(transaction: Transaction, table: Table, now: float) -> None:
    """Write what each player put down and got back. Tournament chips are no money, so those hands have no results."""
    assert table.round.hand is not None
    if table.tournament is not None:
        return
    for player, (wagered, returned) in results_of(table.round.hand, table.void_seats(table.round.hand_id)).items():
        transaction.put(ResultRow(table.round.hand_id, player, table.casino, table.game, wagered, returned, now))


def results_of(hand: Hand, void_seats: Collection[str] = ()) -> dict[int, tuple[int, int]]:
    """Return {player: (bet, returned)} of a finished hand, all seats of a player together.

    A player whose whole bet was cut by a box's maximum (BJ2) is left out; a void seat counts as no bet (G6).
    """
    wagered, returned = spots_of(hand, void_seats)
    results: dict[int, tuple[int, int]] = {}
    for seat, player in owners_of(hand).items():
        if seat not in wagered:
            continue
        down, back = results.setdefault(player, (0, 0))
        if seat in void_seats:
            continue
        results[player] = (down + sum(wagered[seat].values()), back + sum(returned[seat].values()))
    return results


def _close(transaction: Transaction, table: Table, now: float, entropy: bytes, why_void: str) -> Table:
    assert table.round.hand is not None
    hand, last = table.round.hand, table.round.hand_id
    table = hooks_of(table).after_hand(transaction, _pay(transaction, table, hand, now, why_void), hand, now)
    return _open_next(transaction, table.change(last_hand=last, last=hand, last_ended=now), now, entropy)


def _open_next(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    if table.status == "closing":
        table = hooks_of(table).close(transaction, table, now)
        if shoe.goes_on(table):
            table = commitments.end(transaction, table, now, "")
        over = structs.replace(table.round, deadline=None, committed=b"", hand=None, bets=(), turning={}, beacon=None)
        return transaction.set_table(table.change(status="closed", seats={}, notify={}, shoe=None, round=over))
    table = open_hand(transaction, table, now, entropy)
    return transaction.set_table(hooks_of(table).wake(transaction, table, now))


def _pay(transaction: Transaction, table: Table, hand: Hand, now: float, why_void: str) -> Table:
    """Store a finished or void hand in the books and the log; continue its shoe, or reveal its seed."""
    status = "void" if why_void else "over"
    if not why_void:
        transaction.count_faults(table.game, 0)
    deal, next = commitments.pay(transaction, table, hand, now, why_void)
    transaction.put(
        HandRow(
            table.round.hand_id,
            table.casino,
            table.id,
            table.game,
            status,
            table.round.seed,
            deal,
            table.round.opened,
            now,
        )
    )
    if why_void or not shoe.serves(hand.deal, next):
        return commitments.end(transaction, table.change(shoe=None), now, "")
    commitments.rest(transaction, table, now)
    return table.change(shoe=shoe.after(hand.deal, next, table.round.beacon))


def _parse_argument(request: Request, table: Table, seat: str, word: str) -> str:
    """Parse a move's argument: a card by its position, never by its face (CS6), or an amount as typed."""
    argument = request.args[0] if request.args else ""
    assert table.round.hand is not None
    offers = [offer for offer in table.round.hand.asks.get(seat, ()) if offer.word == word]
    if any(offer.public is not None for offer in offers):
        return _card_at(table, seat, word, argument)
    if argument and (ranges := [offer for offer in offers if offer.most]):
        return str(_parse_size(request, table, seat, ranges[0], argument))
    return argument


def _parse_size(request: Request, table: Table, seat: str, offer: Offer, text: str) -> int:
    """Parse the amount of a range. `half` and `pot` depend on the pot, `all` and `max` on the stack or the wallet."""
    player, chips = request.player, Amount(request.transaction.balance(table.purse(request.player.id)))
    if not offer.pot:
        return parse_amount(text, player.language, wallet=chips, most=chips)
    word = text.strip().lower()
    if word == "pot" or word in words_for_half():
        return max(offer.least, min(offer.pot if word == "pot" else offer.half, offer.most))
    left = offer.put + request.transaction.balance(table.purse(player.id))
    if word in (*words_for_all(), "max"):
        return min(left, offer.most)
    return parse_amount(text, player.language, least=offer.least)


def _card_at(table: Table, seat: str, word: str, text: str) -> str:
    assert table.round.hand is not None
    cards = table.round.hand.cards(seat).get(seat, [])
    if position := parse_count(text, 1, len(cards)):
        return cards[position - 1]
    raise Refused("Enter the position of the card, 1 to {most}.", table.plays.moves[word].clause, most=len(cards))
