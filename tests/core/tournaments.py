"""Tournaments in a test: how they are opened, joined and played to their end."""

import json

from bot.core.rounds.opening import open_table
from bot.core.rounds.tournament_table import options_to_come, wake
from bot.core.state.lounge import LOBBY, LOUNGE
from bot.core.state.plays import PLAYS
from bot.core.state.tournament import LiveTournament
from bot.core.state.transaction import Transaction
from tests.core.conftest import HOLDEM


def create(house, line="anna tournament create holdem 2", *, game=HOLDEM):
    """Open a tournament from the room of a game; return the id of its table."""
    assert not (answer := house.do(line, table=game)).refused, answer
    return max(house.writer.state.tables)


def join(house, table, *names):
    for name in names:
        assert not (answer := house.do(f"{name} tournament join", table=table)).refused, answer


def live(house, table):
    return house.table(table).tournament


def chips_of(house, table, name):
    """Return the tournament chips of a player, in minor units."""
    return house.books.balance(f"chips:{table}:{house.player(name)}")


def open_small(house, *, seats, most, game="holdem", kind="sit-and-go", **settings):
    """Open a tournament in the lounge at tables with few seats; return the id of its first table."""
    rules = {"game": game, "kind": kind, "seats": seats, "least": most, "most": most, "buy_in": 100_00, "stack": 10_000}
    rules |= ({"level_hands": 0} if PLAYS[game].cash is not None else {"hands": 4}) | settings
    now, transaction = house.clock.now, Transaction(house.writer.state)
    live = LiveTournament(json.dumps(rules), house.entropy(32), opened=now, level_s=300.0)
    options = options_to_come(live, PLAYS[game].seating)
    seed = house.entropy(32)
    table = open_table(
        transaction, LOUNGE, game, LOBBY, now, seed, options=options, tournament=live, seats=seats, coach=False
    )
    transaction.set_table(wake(transaction, table, now))
    transaction.finish()
    house.books.write(transaction)
    house.writer.state.publish(transaction)
    house.writer.schedule.note_published(transaction)
    return table.id


def tables(house, table):
    """Return the tables of a tournament that are not closed, by number."""
    found = {number: house.table(id) for number, id in enumerate(live(house, table).tables, start=1)}
    return {number: at for number, at in found.items() if at.status != "closed"}


def move(house, at, *, shove=True):
    """Make the next move in the hand at a table: all-in, or check and call, or the cheapest."""
    seat, offers = next(iter(at.round.hand.asks.items()))
    player = house.writer.state.players[at.owners()[seat]].own_name
    words = [offer.word for offer in offers]
    raises = [offer.word for offer in offers if offer.word in ("raise", "bet") and offer.most] if shove else []
    line = f"{raises[0]} all" if raises else next((one for one in ("call", "check") if one in words), words[-1])
    assert not (answer := house.do(f"{player} {line}", table=at.id, sure=True)).refused, (answer, words)


def play_at_all(house, table, *, until=lambda: False, shove=True, moves=10_000):
    """Play at all tables of a tournament, one move at each in turn, until it is over, or so many moves are made."""
    while not live(house, table).has_ended and not until() and moves:
        playing = [at.id for at in tables(house, table).values() if at.round.hand is not None]
        if not playing:
            house.wait(8)
        for id in playing:
            if house.table(id).round.hand is not None and not until() and moves:
                move(house, house.table(id), shove=shove)
                moves -= 1


def play_on(house, table, *, hands=1000, shove=True, thinks_s=0):
    """Play until the tournament is over, or so many hands are: everyone goes all-in, or checks and calls.

    Each choice takes `thinks_s`.
    """
    first = house.table(table).last_hand
    while hands and not live(house, table).has_ended:
        hand = house.table(table).round.hand
        if hand is None:
            house.wait(8)
            continue
        house.clock.now += thinks_s
        ((seat, offers),) = hand.asks.items()
        player = house.writer.state.players[house.table(table).owners()[seat]].own_name
        words = [offer.word for offer in offers]
        raises = [offer for offer in offers if offer.word in ("raise", "bet") and offer.most] if shove else []
        line = f"{raises[0].word} all" if raises else "call" if "call" in words else "check"
        if line not in words and not raises:
            line = words[-1]
        assert not (answer := house.do(f"{player} {line}", table=table, sure=True)).refused, (answer, words)
        if house.table(table).last_hand != first:
            first, hands = house.table(table).last_hand, hands - 1


def continue_sit_and_go(house):
    """Play the newest tournament of two players on from where it is, or open one, until it is over."""
    tables = [id for id, table in house.writer.state.tables.items() if table.tournament is not None]
    table = max(tables) if tables else create(house)
    if live(house, table).is_registering:
        join(house, table, "bea")
    play_on(house, table)


def continue_at_tables(house, moves):
    """Make so many moves in a tournament of four players at two tables, from where it is; open it if there is none."""
    known = [id for id, at in house.writer.state.tables.items() if at.tournament is not None and at.part_of is None]
    table = max(known) if known else open_small(house, seats=2, most=4)
    if live(house, table).is_registering:
        join(house, table, "anna", "bea", "carl", "dora")
    play_at_all(house, table, moves=moves)


def bet_all(house, table, *, amount=None):
    """Let everyone at a table of a bank game seal the least bet, or another amount, and be ready."""
    at = house.table(table)
    spot = at.rules.spots[0]
    for player in at.seats.values():
        name = house.writer.state.players[player].own_name
        bet = amount or at.tournament.rules.minimum(at.next_hand)
        house.do(f"{name} bet {spot} {bet}", table=table)  # refused where the stack is too small
        house.do(f"{name} ready", table=table)


def play_night(house, table, *, until=1000):
    """Play a tournament of a bank game until it is over, or this hand is next, with the least bets."""
    while not live(house, table).has_ended and house.table(table).next_hand < until:
        at = house.table(table)
        if at.round.hand is None:
            bet_all(house, table)
            house.wait(house.table(table).round.deadline - house.clock.now)
            continue
        seat, offers = next(iter(at.round.hand.asks.items()))
        player = house.writer.state.players[at.owners()[seat]].own_name
        words = [offer.word for offer in offers]
        word = next(one for one in ("check", "stand", "decline", "fold") if one in words)
        assert not (answer := house.do(f"{player} {word}", table=table)).refused, answer


def continue_night(house, until=1000):
    """Play the newest tournament of a bank game on from where it is, or open one."""
    tables = [id for id, table in house.writer.state.tables.items() if table.tournament is not None]
    table = max(tables) if tables else create(house, "anna tournament create puntobanco 2")
    if live(house, table).is_registering:
        join(house, table, "bea")
    play_night(house, table, until=until)
