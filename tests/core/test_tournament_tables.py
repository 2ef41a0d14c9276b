"""Tournaments at several tables: seats, moves, broken tables, hand-for-hand, restarts, the doctor (TN10 to TN18)."""

import msgspec

from bot.core.state.lounge import room
from bot.core.state.tournament import CHIP
from bot.core.state.transaction import Transaction
from bot.view.build import screen
from engine.tournaments.record import replay_tournament
from storage.rows import TableRow
from tests.core.conftest import HOLDEM
from tests.core.tournaments import bet_all, chips_of, join, live, move, open_small, play_at_all, tables
from tests.disk import ask

DAY_S = 86_400
NAMES = ("anna", "bea", "carl", "dora", "eve", "finn", "gus", "hana", "ivo", "jan")


def started(house, *, seats, most, **settings):
    table = open_small(house, seats=seats, most=most, **settings)
    join(house, table, *NAMES[:most])
    assert live(house, table).is_running
    return table


def seated(house, table):
    """Return {number: players} of the tables."""
    return {number: len(at.seats) for number, at in tables(house, table).items()}


def play_to_event(house, table):
    """Play until the record has one more event; return the number of that event."""
    events = live(house, table).events
    play_at_all(house, table, until=lambda: live(house, table).events != events)
    return len(events)


def fold(house, id):
    """Fold the next player's hand at a table, or check."""
    seat, offers = next(iter(house.table(id).round.hand.asks.items()))
    name = house.writer.state.players[house.table(id).owners()[seat]].own_name
    word = "fold" if "fold" in [offer.word for offer in offers] else "check"
    assert not (answer := house.do(f"{name} {word}", table=id, sure=True)).refused, answer


def headline(house, id):
    return str(screen(house.writer.state, house.table(id), None, house.clock.now).headline)


def test_TN2_more_players_than_a_table_seats_play_at_several(house, no_errors):
    answer = house.do("anna tournament create holdem 10 50", table=7)
    assert not answer.refused, answer
    table = max(house.writer.state.tables)
    join(house, table, *NAMES[1:9])
    shown = screen(house.writer.state, house.table(table), None, house.clock.now)
    assert len(shown.seats) == 9
    join(house, table, NAMES[9])
    assert seated(house, table) == {1: 5, 2: 5}
    first, second = live(house, table).tables
    assert (first, house.writer.state.place(*room(second)).table_id) == (table, second)
    assert chips_of(house, table, "anna") == 10_000 * CHIP
    house.wait(8)
    assert all(at.round.hand is not None for at in tables(house, table).values())
    assert house.faults() == []
    house.restart()
    assert seated(house, table) == {1: 5, 2: 5}
    assert house.table(second).tournament is house.table(table).tournament


def test_a_hand_elsewhere_writes_no_row_of_a_further_table_that_it_left_alone(house, no_errors):
    table = started(house, seats=2, most=4)
    first, second = tables(house, table).values()
    transaction = Transaction(house.writer.state)
    transaction.set_table(first.change(tournament=msgspec.structs.replace(first.tournament, played=1.0)))
    transaction.finish()
    other = transaction.tables[second.id]
    assert other.tournament is not None
    assert other.tournament.played == 1.0
    assert transaction.get(TableRow, first.id) is not None
    assert transaction.get(TableRow, second.id) is None
    transaction.set_table(other.change(status="paused"))
    transaction.finish()
    assert transaction.get(TableRow, second.id) is not None


def test_TN13_a_broken_table_sends_its_players_to_the_others_and_one_is_left(house, no_errors):
    table = started(house, seats=3, most=5)
    before = live(house, table)
    while len(live(house, table).now.tables) == 2:
        play_to_event(house, table)
        assert house.faults() == []
        house.restart()
    moved = [one for one in live(house, table).now.tables.moves if one.why == "break"]
    assert moved
    assert house.table(before.tables[1]).status == "closed"
    assert headline(house, before.tables[1]) == "This table is closed. Its players were moved to other tables."
    play_at_all(house, table)
    assert live(house, table).is_over
    assert house.faults() == []
    told = replay_tournament(live(house, table).record())
    paid = {f"p{house.player(name)}": house.chips(name) - 900_00 for name in NAMES[:5]}
    assert {name: amount for name, amount in paid.items() if amount} == told["paid"]
    assert not {name for name in house.balances() if name.startswith(("pool:", "chips:", "issue:"))}
    assert ask(house.books, "SELECT count(*), count(DISTINCT hand) FROM results") == [(5, 1)]


def test_TN14_a_player_is_moved_into_a_running_hand_and_dealt_in_on_the_next(house, no_errors):
    """The table with two players more gives one away while the other plays; the record replays all the same."""
    table = started(house, seats=4, most=7)
    house.wait(8)
    first, second = tables(house, table).values()
    assert seated(house, table) == {1: 4, 2: 3}
    while seated(house, table)[2] == 3:  # two of three are all-in, and one is out unless they split the pot
        move(house, house.table(second.id))
        fold(house, second.id)
        move(house, house.table(second.id))
        house.wait(8)
    running = house.table(second.id).round.hand_id
    assert house.table(second.id).round.hand is not None
    while house.table(first.id).round.hand is not None:
        fold(house, first.id)
    (moved,) = (one for one in live(house, table).now.tables.moves if one.why == "balance")
    player = int(moved.player[1:])
    at = house.table(second.id)
    assert (at.round.hand_id, at.seats[moved.end[1]]) == (running, player)
    assert player not in at.owners().values()
    assert player not in house.table(first.id).seats.values()
    assert house.faults() == []
    house.restart()
    while house.table(second.id).round.hand_id == running:
        move(house, house.table(second.id), shove=False)
    assert house.faults() == []
    play_at_all(house, table)
    assert house.faults() == []
    assert replay_tournament(live(house, table).record())["state"] == "over"


def test_TN18_hand_for_hand_a_table_waits_and_eliminations_of_the_round_are_compared(house, no_errors):
    table = started(house, seats=2, most=4)
    house.wait(8)
    first, _second = tables(house, table).values()
    while house.table(first.id).round.hand is not None:
        move(house, house.table(first.id))
    assert live(house, table).now.is_hand_for_hand
    assert headline(house, first.id).endswith("Hand for hand: waiting for the other tables.")
    assert house.table(first.id).round.deadline is None
    house.restart()
    house.wait(60)
    assert "Hand for hand" in headline(house, first.id) or len(tables(house, table)) == 1
    play_at_all(house, table)
    assert house.faults() == []
    assert sorted(live(house, table).now.places.values()) in ([1, 2, 3, 4], [1, 2, 3, 3])


def test_TN8_a_level_holds_at_every_table_from_its_next_hand_on(house, no_errors):
    table = started(house, seats=3, most=6)
    house.wait(8)
    first, second = tables(house, table).values()
    for _ in range(300):
        if live(house, table).now.level > 1:
            break
        house.clock.now += 5
        while house.table(first.id).round.hand is not None:
            move(house, house.table(first.id), shove=False)
        house.wait(8)
    assert live(house, table).now.level == 2
    assert {at.options["big_blind"] for at in tables(house, table).values()} == {150 * CHIP}
    while house.table(second.id).round.hand is not None:
        move(house, house.table(second.id), shove=False)
    house.wait(16)
    assert house.table(second.id).round.terms.big_blind == 150 * CHIP


def test_TN17_bank_games_play_their_hands_at_their_own_pace(house, no_errors):
    table = started(house, seats=2, most=3, game="puntobanco")
    first, second = tables(house, table).values()
    assert sorted(seated(house, table).values()) == [1, 2]
    house.do(f"{house.writer.state.players[first.seats[1]].own_name} bet banco 200", table=first.id)
    assert first.seats[1] in live(house, table).sealed
    while live(house, table).is_running and live(house, table).is_in_play(2):
        bet_all(house, second.id)
        house.wait(house.table(second.id).round.deadline - house.clock.now)
        assert house.faults() == []
        house.restart()
    if live(house, table).is_running:
        assert headline(house, second.id).endswith("This table has finished. Others are still playing.")
    while live(house, table).is_running:
        bet_all(house, first.id)
        house.wait(house.table(first.id).round.deadline - house.clock.now)
    assert live(house, table).is_over
    assert house.table(second.id).status == "closed"
    assert house.faults() == []


def test_TN25_closing_the_first_table_ends_the_tournament_after_the_hands_of_all(house, no_errors):
    table = started(house, seats=2, most=4)
    house.wait(8)
    first, second = tables(house, table).values()
    assert "first table" in house.says("insp table close power cut", table=second.id, sure=True)
    house.do("insp table close power cut", table=first.id, sure=True)
    while house.table(first.id).round.hand is not None:
        move(house, house.table(first.id), shove=False)
    assert (house.table(first.id).status, live(house, table).is_running) == ("closed", True)
    assert house.faults() == []
    house.restart()
    while house.table(second.id).round.hand is not None:
        move(house, house.table(second.id), shove=False)
    assert live(house, table).now.state == "abandoned"
    assert house.table(second.id).status == "closed"
    assert sum(house.chips(name) for name in NAMES[:4]) == 4000_00
    assert house.faults() == []


def test_TN23_a_pause_holds_at_every_table(house):
    table = started(house, seats=2, most=4)
    first, second = tables(house, table).values()
    assert not house.do("insp table pause tea", table=second.id).refused
    assert {at.status for at in tables(house, table).values()} == {"paused"}
    house.wait(600)
    assert not house.do("insp table resume", table=first.id).refused
    house.wait(8)
    assert all(at.round.hand is not None for at in tables(house, table).values())


def test_TN16_an_away_player_is_away_at_the_next_table_too(house, no_errors):
    table = started(house, seats=3, most=5)
    second = tables(house, table)[2]
    name = house.writer.state.players[min(second.seats.values())].own_name
    assert "You are away" in house.says(f"{name} tournament leave {house.table(table).number}", table=table)
    while live(house, table).is_running and house.table(table).seat_of(house.player(name)) is None:
        if f"p{house.player(name)}" not in live(house, table).now.stacks:
            return
        play_at_all(house, table, until=lambda: house.table(table).seat_of(house.player(name)) is not None)
    if live(house, table).is_running:
        assert house.player(name) in house.table(table).memory.out


def test_TN16_a_player_is_away_and_back_from_any_table_of_the_tournament(house):
    table = started(house, seats=2, most=4)
    second = tables(house, table)[2]
    player = min(second.seats.values())
    name = house.writer.state.players[player].own_name
    assert "You are away" in house.says(f"{name} sitout", table=table)
    assert player in house.table(second.id).memory.out
    assert house.says(f"{name} back", table=table) == "You play again."
    assert player not in house.table(second.id).memory.out


def test_the_doctor_finds_a_player_at_two_tables(house):
    table = started(house, seats=2, most=4)
    house.is_spoilt = True
    second = live(house, table).tables[1]
    ((state,),) = ask(house.books, "SELECT state FROM tables WHERE id = ?", second)
    at = msgspec.json.decode(state)
    at["seats"] = [[1, house.player("anna")], [2, house.player("bea")]]
    house.change("UPDATE tables SET state = ? WHERE id = ?", msgspec.json.encode(at).decode(), second)
    assert any("the seats of table 2 are not those of its events" in fault for fault in house.faults())


def test_TN23_a_removed_player_leaves_chips_seat_and_rank_and_the_buy_in_stays(house, no_errors):
    table = started(house, seats=3, most=5)
    number = house.table(table).number
    name = house.writer.state.players[min(tables(house, table)[2].seats.values())].own_name
    line = f"insp tournament remove {number} {name} a second account"
    assert house.do(f"bea tournament remove {number} {name} why").refused
    house.wait(8)
    assert "pause" in house.says(line, table=table, sure=True)
    assert not house.do("insp table pause a second account", table=table).refused
    while playing := [at for at in tables(house, table).values() if at.round.hand is not None]:
        move(house, playing[0], shove=False)
    assert not (answer := house.do(line, table=table, sure=True)).refused, answer
    assert f"p{house.player(name)}" in live(house, table).now.removed
    assert (chips_of(house, table, name), house.chips(name)) == (0, 900_00)
    assert house.books.balance(f"pool:{table}") == 500_00
    assert house.faults() == []
    assert "not playing" in house.says(line, table=table, sure=True)
    house.restart()
    house.do("insp table resume", table=table)
    play_at_all(house, table)
    assert f"p{house.player(name)}" not in live(house, table).now.places
    assert house.faults() == []


def test_TN23_before_the_start_a_removed_player_gets_the_buy_in_back(house):
    table = open_small(house, seats=2, most=4)
    join(house, table, "anna", "bea")
    number = house.table(table).number
    assert not house.do(f"insp tournament remove {number} bea a second account", table=table, sure=True).refused
    assert (house.chips("bea"), live(house, table).now.entries) == (1000_00, 1)
    shown = screen(house.writer.state, house.table(table), None, house.clock.now)
    assert str(shown.notice) == "An inspector has removed a player from the tournament: a second account."


def test_TN23_the_last_player_but_one_is_removed_and_the_other_wins(house, no_errors):
    table = started(house, seats=2, most=2)
    number = house.table(table).number
    assert not house.do(f"insp tournament remove {number} bea cheating", table=table, sure=True).refused
    assert (live(house, table).now.state, house.table(table).status) == ("over", "closed")
    assert (house.chips("anna"), house.chips("bea")) == (1100_00, 900_00)
    assert house.faults() == []


def test_TN23_no_table_deals_during_a_pause_that_began_in_its_hand(house, no_errors):
    """The table without an opponent does not wind its clock again and again either."""
    table = started(house, seats=2, most=3)
    house.wait(8)
    playing = next(id for id in live(house, table).tables if house.table(id).round.hand is not None)
    assert not house.do("insp table pause breakdown", table=table).refused
    while house.table(playing).round.hand is not None:
        fold(house, playing)
    hands = {id: house.table(id).round.hand_id for id in live(house, table).tables}
    house.wait(600)
    assert {id: house.table(id).round.hand_id for id in hands} == hands
    assert {house.table(id).round.started for id in hands} == {None}
    assert all(house.table(id).round.hand is None for id in hands)
    house.do("insp table resume", table=table)
    house.wait(8)
    assert any(at.round.hand is not None for at in tables(house, table).values())


def test_TN23_a_paused_bank_game_returns_sealed_bets_and_counts_no_hand(house, no_errors):
    table = started(house, seats=2, most=3, game="puntobanco")
    seated_there = [(id, player) for id in live(house, table).tables for player in house.table(id).seats.values()]
    for id, player in seated_there:
        house.do(f"{house.writer.state.players[player].own_name} bet banco 200", table=id)
    assert len(live(house, table).sealed) == 3
    events = live(house, table).events
    assert not house.do("insp table pause breakdown", table=table).refused
    house.wait(600)
    assert (live(house, table).events, live(house, table).sealed) == (events, {})
    house.do("insp table resume", table=table)
    house.wait(31)
    assert len(live(house, table).events) == len(events) + 2
    assert house.faults() == []


def test_TN17_results_are_kept_when_the_last_hand_is_one_without_bets(house, no_errors):
    table = started(house, seats=2, most=3, game="puntobanco", hands=1)
    first, second = live(house, table).tables
    bet_all(house, first)
    house.wait(60)
    assert (house.table(second).last_hand, live(house, table).is_over) == (None, True)
    assert ask(house.books, "SELECT count(*) FROM results") == [(3,)]
    assert house.faults() == []


def test_nothing_is_repeated_or_ready_where_people_play_from_stacks(house):
    table = started(house, seats=2, most=2)
    play_at_all(house, table, shove=False, moves=20)
    for verb in ("rebet", "ready"):
        assert "Bets are made in a hand." in house.says(f"anna {verb}", table=table)
        assert "You play from a stack here." in house.says(f"anna {verb}", table=HOLDEM)


def test_TN25_a_bank_game_that_nobody_resumes_waits_for_an_inspector(house, no_errors):
    table = started(house, seats=2, most=3, game="puntobanco")
    assert not house.do("insp table pause breakdown", table=table).refused
    house.wait(2 * DAY_S)
    assert live(house, table).is_running
    assert not house.do("insp table close breakdown", table=table, sure=True).refused
    assert live(house, table).now.state == "abandoned"
    assert [house.chips(name) for name in NAMES[:3]] == [1000_00] * 3
    assert house.faults() == []


def test_TN25_a_tournament_that_nobody_resumes_for_a_day_pays_places_and_chips(house, no_errors):
    table = started(house, seats=2, most=3)
    assert not house.do("insp table pause breakdown", table=table).refused
    house.wait(DAY_S - 60)
    house.restart()
    assert live(house, table).is_running
    house.wait(120)
    assert live(house, table).now.state == "abandoned"
    assert {house.table(id).status for id in live(house, table).tables} == {"closed"}
    assert [house.chips(name) for name in NAMES[:3]] == [1000_00] * 3
    assert "No hand was played for 24 hours" in str(house.table(table).notice.text)
    assert house.faults() == []
