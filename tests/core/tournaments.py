"""Tournaments in a test: how they are opened, joined and played to their end."""

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
        assert not (answer := house.do(f"{player} {line}", table=table)).refused, (answer, words)
        if house.table(table).last_hand != first:
            first, hands = house.table(table).last_hand, hands - 1


def continue_sit_and_go(house):
    """Play the newest tournament of two players on from where it is, or open one, until it is over."""
    tables = [id for id, table in house.writer.state.tables.items() if table.tournament is not None]
    table = max(tables) if tables else create(house)
    if live(house, table).is_registering:
        join(house, table, "bea")
    play_on(house, table)
