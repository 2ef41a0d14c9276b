"""Sealed bets of a tournament against the bank: hidden until betting closes, and paid for only then (TN17).

They are kept in the tournament and not on the table, so that no view of the table has them; `Table.with_sealed_bet` is
what their own player sees. A player's stack stays as it was until all bets are turned.
"""

from collections.abc import Callable, Mapping

from msgspec import structs

from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import Entropy
from bot.core.commands.registry import Request, answer_with
from bot.core.rounds import bet_answers, betting, cash_table, commitments, opening
from bot.core.state.plays import Seating
from bot.core.state.table import Bet, Table
from bot.core.state.tournament import CHIP, LiveTournament, name_player
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.felt import Amount, Stake
from engine.games import GAMES
from storage import ledger

BETTING_S = 30.0

EndRound = Callable[[Transaction, Table, dict[str, int], float], Table]
"""(transaction, table, the stacks after a hand, now) -> the table after it."""


def tournament_of(table: Table) -> LiveTournament:
    """Return the tournament at a table. Raises Refused without one."""
    if table.tournament is None:
        raise Refused("There is no tournament at this table.")
    return table.tournament


def options_of_hand(live: LiveTournament, number: int, table_seating: Seating) -> dict[str, object]:
    """Return the options of a table's next hand: the least bet doubles in each quarter, the largest is all chips."""
    rules = live.rules
    step, least = rules.step * CHIP, rules.minimum(live.hand_at(number)) * CHIP
    largest = max(live.now.stacks.values(), default=rules.stack) * CHIP
    # The sum of a player's areas counts.
    options: dict[str, object] = {"minimum": step if table_seating is Seating.AREAS else least, "step": step}
    options["maximum"] = max(least, largest - largest % step)
    return options | ({"squeeze": False} if hasattr(GAMES[rules.game].options(), "squeeze") else {})


def bet(request: Request) -> Answer:
    """Add to the player's sealed bet: `[SPOT] AMOUNT`..."""
    table, player = _table_for_bets(request), request.player.id
    own = table.with_sealed_bet(player)
    spots = betting.parse_spots(request, own, betting.name_spots(own, request.args), None)
    before = tournament_of(table).sealed.get(player, {})
    return _seal(request, table, {spot: before.get(spot, 0) + spots.get(spot, 0) for spot in {**before, **spots}})


def rebet(request: Request) -> Answer:
    """Seal the player's last bet again."""
    table, player = _table_for_bets(request), request.player.id
    last = table.last_bets.get(player, ())
    if not last:
        raise Refused("You have not bet at this table yet.")
    if player in tournament_of(table).sealed:
        raise Refused("Your bets are already placed.")
    return _seal(request, table, last[0].spots)


def _seal(request: Request, table: Table, spots: Mapping[str, int]) -> Answer:
    """Replace the sealed bet of a player, who is no longer ready. Raises Refused."""
    player, live, meter = request.player.id, tournament_of(table), table.rules.meter
    if meter is not None and meter.spot in spots:
        raise Refused("No jackpot is played in tournaments.", "TN7")
    options = betting.options_of(request.transaction, table)
    spots = {spot: spots[spot] for spot in table.rules.spots if spots.get(spot)}
    betting.check_stake(table, options, Stake(1, "you", spots))
    least = live.rules.minimum(table.next_hand) * CHIP
    if sum(spots.values()) < least:
        raise Refused("Bet at least {amount} in all.", "TN17", amount=Amount(least))
    cost = betting.cost_of(table.rules, options, spots)
    if cost > (chips := request.transaction.balance(table.purse(player))):
        raise Refused("That costs {cost}, you have {chips}.", cost=Amount(cost), chips=Amount(chips))
    table = table.change(tournament=structs.replace(live, sealed={**live.sealed, player: spots}))
    table = cash_table.deal_in(table, player).change_round(ready=table.round.ready - {player})
    table = request.transaction.set_table(wind_clock(table, request.now))
    bets = bet_answers.say_sealed(table.with_sealed_bet(player), options, player)
    return Answer(
        (
            Text("Your bet: {bets}. {chips} tournament chips left.", bets=bets, chips=Amount(chips - cost)),
            Text("Others see it when betting closes."),
        )
    )


def take_back(request: Request) -> Answer:
    """Remove the player's sealed bet."""
    table, player = _table_for_bets(request), request.player.id
    live = tournament_of(table)
    if player not in live.sealed:
        raise Refused("You have no bets to take back.")
    sealed = {one: spots for one, spots in live.sealed.items() if one != player}
    table = table.change(tournament=structs.replace(live, sealed=sealed))
    table = table.change_round(ready=table.round.ready - {player})
    request.transaction.set_table(wind_clock(table, request.now))
    return answer_with("Your bet is taken back.")


def take_all_back(transaction: Transaction, table: Table) -> Table:
    """Remove every sealed bet of the tournament, at all its tables."""
    live = table.tournament
    if live is None or not live.sealed:
        return table
    return transaction.set_table(table.change(tournament=structs.replace(live, sealed={})))


def mark_ready(request: Request) -> Answer:
    """Mark the player as ready: when all are who are not away, the deal comes."""
    table, player = _table_for_bets(request), request.player.id
    if player not in tournament_of(table).sealed:
        raise Refused("Place your bets first.")
    table = wind_clock(table.change_round(ready=table.round.ready | {player}), request.now)
    request.transaction.set_table(table)
    return answer_with("Ready. {then}", then=bet_answers.say_cards_come(table, request.now))


def _table_for_bets(request: Request) -> Table:
    table = betting.taking_bets(request)
    live = tournament_of(table)
    if live.is_registering:
        raise Refused("Bets open when the tournament starts.")
    if not live.is_running or table.seat_of(request.player.id) is None:
        raise Refused("You are not playing in this tournament.")
    return table


def wind_clock(table: Table, now: float) -> Table:
    """Set the deadline of the bets: earlier once everyone is ready who is not away."""
    started = now if table.round.started is None else table.round.started
    ends = started + BETTING_S
    waiting = {player for player in table.seats.values() if not cash_table.is_away(table, player)}
    if waiting <= table.round.ready:
        ends = min(ends, max(now, started + betting.READY_AFTER_S))
    return table.change_round(started=started, deadline=ends)


def turn_bets(transaction: Transaction, table: Table, now: float) -> Table:
    """Close betting: every sealed bet is paid for, and lies on the table for all to see."""
    live, options, bets = tournament_of(table), betting.options_of(transaction, table), list[Bet]()
    for seat, player in table.seats.items():
        if (spots := live.sealed.get(player)) is not None:
            bets.append(Bet(player, seat, spots, name_player(player)))
            cost = betting.cost_of(table.rules, options, spots)
            account, event = ledger.hand(table.round.hand_id), f"bet {len(bets)}"
            transaction.post(table.purse(player), account, cost, "bet", now, table.round.hand_id, event)
    others = {player: spots for player, spots in live.sealed.items() if player not in table.seats.values()}
    table = table.change(tournament=structs.replace(live, sealed=others))
    return table.change_round(bets=tuple(bets), posted=len(bets), ready=frozenset())


def take_missed_bets(transaction: Transaction, table: Table, now: float) -> dict[str, int]:
    """Take the least bet of each player without one, and fractions of a chip (TN7); return the stacks after the hand.

    The hand's own payments are made.
    """
    live, stacks = tournament_of(table), dict[str, int]()
    least = live.rules.minimum(table.next_hand) * CHIP
    for player in table.seats.values():
        purse = table.purse(player)
        if not table.bets_of(player):
            transaction.post(purse, table.bank, min(least, transaction.balance(purse)), "no bet", now)
        transaction.post(purse, table.bank, transaction.balance(purse) % CHIP, "rounded down", now)
        stacks[name_player(player)] = transaction.balance(purse) // CHIP
    return stacks


def count_missed(table: Table) -> Table:
    """Count the hands in a row in which a player had no bet (TN16)."""
    live = tournament_of(table)
    missed = {player: times for player, times in live.missed.items() if player not in table.seats.values()}
    absent = [player for player in table.seats.values() if not table.bets_of(player)]
    missed |= {player: live.missed.get(player, 0) + 1 for player in absent}
    return table.change(tournament=structs.replace(live, missed=missed))


def skip_hand(transaction: Transaction, table: Table, now: float, entropy: Entropy, end_round: EndRound) -> Table:
    """Count a hand for which nobody has bet: nothing is dealt, and everyone loses the least bet."""
    stacks = take_missed_bets(transaction, table, now)
    table = end_round(transaction, count_missed(table), stacks, now)
    if table.status == "closing":
        return transaction.set_table(opening.close_for_good(transaction, table, now))
    if commitments.is_changed(transaction, table):
        table = opening.open_anew(transaction, table, now, entropy(32), commitments.CHANGED)
    table = table.change_round(started=None, deadline=None, ready=frozenset())
    goes_on = tournament_of(table).is_in_play(table.tournament_number)
    return transaction.set_table(wind_clock(table, now) if goes_on else table)
