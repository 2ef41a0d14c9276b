"""Sit & go tournaments: registration, play, prizes, restarts, refunds, and that tournament chips are no money."""

import json

import pytest

from bot.core.casinos.notify import say_notice
from bot.core.casinos.tournaments import say_standings
from bot.core.rounds.tournament_table import STARTS
from bot.core.state.tournament import CHIP, LiveTournament
from bot.texts import Name
from bot.view.build import screen
from engine.tournaments.record import replay_tournament
from tests.core.communities import casino_at, do, found, internal_command, link, says, table_at, wallet
from tests.core.conftest import HOLDEM, STUD
from tests.core.tournaments import chips_of, create, join, live, play_on
from tests.disk import ask

BUY_IN = 100_00


def test_TN2_a_sit_and_go_starts_when_it_is_full_and_pays_the_winner_in_one_transaction(house, no_errors):
    table = create(house)
    assert live(house, table).is_registering
    assert house.books.balance(f"pool:{table}") == BUY_IN
    assert house.chips("anna") == 1000_00 - BUY_IN
    join(house, table, "bea")
    assert live(house, table).is_running
    assert (chips_of(house, table, "anna"), chips_of(house, table, "bea")) == (10_000 * CHIP, 10_000 * CHIP)
    assert house.faults() == []
    play_on(house, table)
    assert live(house, table).is_over
    (winner,) = [name for name, place in live(house, table).now.places.items() if place == 1]
    won = {f"p{house.player(name)}": house.chips(name) for name in ("anna", "bea")}
    assert won[winner] == 1000_00 + BUY_IN
    assert sorted(won.values()) == [1000_00 - BUY_IN, 1000_00 + BUY_IN]
    assert not {name for name in house.balances() if name.startswith(("pool:", "chips:", "issue:"))}
    assert house.table(table).status == "closed"


def test_TN_the_record_of_a_tournament_replays_to_what_was_paid(house):
    table = create(house, "anna tournament create holdem 4 50")
    join(house, table, "bea", "carl", "dora")
    assert house.do("anna tournament status", table=table).file is None
    play_on(house, table)
    answer = house.do(f"anna tournament status {house.table(table).number}", table=table)
    name, record = answer.file
    assert name == f"tournament-{house.table(table).number}.json"
    told = replay_tournament(json.loads(record))
    assert (told["state"], told["entries"], told["prizes"]) == ("over", 4, [13_000, 7_000])
    paid = {f"p{house.player(one)}": house.chips(one) - 950_00 for one in ("anna", "bea", "carl", "dora")}
    assert {one: amount for one, amount in paid.items() if amount} == told["paid"]
    results = ask(house.books, "SELECT player, wagered, returned FROM results ORDER BY player")
    assert {f"p{player}": (wagered, back) for player, wagered, back in results} == {
        one: (5_000, amount) for one, amount in paid.items()
    }


def test_TN3_an_entry_is_one_and_can_be_taken_back_until_the_start(house):
    table = create(house, "anna tournament create holdem 3")
    assert "registered already" in house.says("anna tournament join", table=table)
    join(house, table, "bea")
    assert house.says("bea tournament leave", table=table) == "You are unregistered. 100 are back in your wallet."
    assert house.chips("bea") == 1000_00
    assert "not registered" in house.says("bea tournament leave", table=table)
    join(house, table, "bea", "carl")
    assert live(house, table).is_running
    assert "has started" in house.says("dora tournament join", table=table)
    assert "You are away" in house.says("bea leave", table=table)


def test_TN6_a_sit_and_go_that_does_not_fill_in_a_day_is_refunded(house, no_errors):
    table = create(house)
    house.wait(24 * 3600)
    assert house.table(table).status == "closed"
    assert house.chips("anna") == 1000_00
    assert str(screen(house.writer.state, house.table(table), None, house.clock.now).headline).startswith(
        "The tournament is cancelled."
    )


def test_TN6_an_inspector_cancels_before_the_start_with_a_reason(house):
    table = create(house)
    number = house.table(table).number
    assert house.do(f"bea tournament cancel {number} why").refused
    assert "Add a reason" in house.says(f"insp tournament cancel {number}", sure=True)
    assert not house.do(f"insp tournament cancel {number} nobody comes", sure=True).refused
    assert (house.table(table).status, house.chips("anna")) == ("closed", 1000_00)
    ((act,),) = ask(house.books, "SELECT act FROM audit WHERE reason = 'nobody comes'")
    assert act == "tournament cancel"


def test_TN23_inspectors_decide_nothing_in_a_tournament_that_they_play_in(house):
    table = create(house, "insp tournament create holdem 2")
    number = house.table(table).number
    lines = [f"tournament cancel {number} why", "table pause why", "table close why"]
    assert all("Another inspector must decide" in house.says(f"insp {line}", table=table, sure=True) for line in lines)
    join(house, table, "bea")
    house.wait(8)
    hand = house.table(table).round.hand_id
    assert "Another inspector must decide" in house.says(f"insp void {hand} why", table=table, sure=True)


def test_TN23_an_inspector_who_plays_continues_only_what_ridotto_has_paused(house):
    table = create(house, "insp tournament create holdem 2")
    join(house, table, "bea")
    internal_command(house, f"web:{table}", "hold tournament", "a permission is missing.")
    assert house.table(table).status == "paused"
    assert house.says("insp table resume", table=table) == f"Tournament {house.table(table).number} continues."
    assert str(house.table(table).notice.text) == "The tournament continues."
    assert not live(house, table).is_held


def test_TN23_what_an_inspector_does_is_announced_with_its_reason(house):
    table = create(house)
    told = []
    for line in ("table pause a storm", "table resume", "table close a power cut"):
        house.do(f"insp {line}", table=table, sure=True)
        told.append(str(house.table(table).notice.text))
    assert told == [
        "An inspector has paused the tournament: a storm.",
        "Registration is open again.",
        "An inspector has cancelled the tournament: a power cut. Every buy-in is returned.",
    ]
    assert house.chips("anna") == 1000_00


def test_TN25_closing_the_table_of_a_running_tournament_pays_by_places_and_chips(house):
    table = create(house, "anna tournament create holdem 3")
    join(house, table, "bea", "carl")
    play_on(house, table, hands=2, shove=False)
    house.do("insp table close power cut", table=table, sure=True)
    play_on(house, table, shove=False)
    assert live(house, table).now.state == "abandoned"
    assert house.table(table).status == "closed"
    assert sum(house.chips(name) for name in ("anna", "bea", "carl")) == 3000_00
    assert replay_tournament(live(house, table).record())["paid"]


def test_TN24_a_restart_continues_with_the_same_seats_stacks_and_level(house):
    table = create(house, "anna tournament create holdem 3")
    house.restart()
    join(house, table, "bea", "carl")
    house.restart()
    play_on(house, table, hands=3, shove=False)
    house.wait(8)
    before = house.table(table)
    assert before.round.hand is not None
    house.restart()
    after = house.table(table)
    assert (after.seats, after.tournament, after.round.hand.moves) == (
        before.seats,
        before.tournament,
        before.round.hand.moves,
    )
    play_on(house, table)
    house.restart()
    assert live(house, table).is_over
    assert house.table(table).status == "closed"


def test_TN24_after_a_long_downtime_there_are_two_minutes_to_come_back(house):
    table = create(house)
    join(house, table, "bea")
    for away, pause in ((500, 0), (3600, 120)):
        house.close()
        house.clock.now += away
        house.open()
        at, now = house.table(table), house.clock.now
        assert (at.round.deadline >= now + 120) == (pause == 120)
        said = "Ridotto was away. The tournament continues in 2 minutes."
        assert (str(at.told(now)) == said) == (pause == 120)
    house.wait(119)
    assert house.table(table).round.hand is None
    house.wait(10)
    assert house.table(table).round.hand is not None


def test_TN24_a_paused_tournament_stays_so_however_long_the_casino_was_away(house):
    table = create(house)
    join(house, table, "bea")
    house.do("insp table pause a storm", table=table)
    told = house.table(table).told(house.clock.now)
    house.close()
    house.clock.now += 25 * 3600
    house.open()
    at = house.table(table)
    assert (at.status, at.told(house.clock.now)) == ("paused", told)


def test_TN8_levels_follow_the_clock_of_play_and_a_pause_stops_it(house):
    table = create(house)
    join(house, table, "bea")
    house.wait(8)
    assert house.table(table).round.terms.big_blind == 100 * CHIP
    play_on(house, table, hands=1, shove=False)
    house.do("insp table pause tea", table=table)
    house.wait(3600)
    house.do("insp table resume", table=table)
    assert live(house, table).now.level == 1
    for _ in range(40):
        play_on(house, table, hands=1, shove=False)
    assert live(house, table).now.level == 2
    play_on(house, table, hands=1, shove=False)
    assert (house.table(table).round.terms.small_blind, house.table(table).round.terms.big_blind) == (7500, 15000)


def test_TN16_an_absent_player_is_dealt_in_and_blinded_out(house, no_errors):
    table = create(house)
    join(house, table, "bea")
    for _ in range(2000):
        if live(house, table).has_ended:
            break
        house.wait(60)
    assert live(house, table).is_over


def test_TN16_one_time_out_is_enough_for_a_player_who_never_showed_up(house):
    """A time bank of a minute lasts for the whole tournament; that of the day is not used."""
    table = create(house, "anna tournament create holdem 3")
    join(house, table, "bea", "carl")
    house.wait(8)
    (seat,) = house.table(table).round.hand.asks
    absent = house.table(table).owners()[seat]
    house.wait(30 + 59)
    assert seat in house.table(table).round.hand.asks
    house.wait(1)
    assert seat not in house.table(table).round.hand.asks
    assert (live(house, table).banks, house.writer.state.players[absent].state.time_bank) == ({absent: 60.0}, None)
    play_on(house, table, hands=1, shove=False)
    assert [*house.table(table).memory.out] == [absent]
    assert {*live(house, table).shown_up} == {*house.table(table).seats.values()} - {absent}
    house.restart()
    name = house.writer.state.players[absent].own_name
    house.says(f"{name} back", table=table)
    assert {*live(house, table).shown_up} == {*house.table(table).seats.values()}
    assert not house.table(table).memory.out


def test_TN30_each_player_reads_their_own_result_when_it_is_over(house):
    table = create(house)
    join(house, table, "bea")
    assert "Your result" not in house.says("anna tournament status", table=table)
    play_on(house, table)
    number = house.table(table).number
    hands = sum('"hand"' in event for event in live(house, table).events)
    said = {name: house.says(f"{name} tournament status {number}").split(" | ")[0] for name in ("anna", "bea")}
    rest = f"Hands played: {hands}. Buy-ins: 1 × 100."
    assert sorted(said.values()) == [
        f"Your result: place 1 of 2, prize 200. {rest}",
        f"Your result: place 2 of 2, prize 0. {rest}",
    ]
    for name, line in said.items():
        shown = screen(house.writer.state, house.table(table), house.player(name), house.clock.now)
        assert line in map(str, shown.lines)
    assert "Your result" not in house.says(f"carl tournament status {number}")


def test_TN1_levels_and_least_bets_are_shown_before_anyone_registers(house):
    table = create(house)
    said = house.says("carl tournament status", table=table)
    assert "Levels of 5 min of play: 50/100, 75/150, 100/200, 150/300 ante 300, 200/400 ante 400," in said
    table = create(house, "dora tournament create puntobanco 2")
    said = house.says("carl tournament status", table=table)
    assert "Minimum bet: 100 from hand 1, 200 from hand 6, 400 from hand 11, 800 from hand 16. " in said


def test_TN16_a_player_who_comes_back_is_asked_again(house):
    table = create(house, "anna tournament create holdem 3")
    join(house, table, "bea", "carl")
    assert "You are away" in house.says("bea sitout", table=table)
    play_on(house, table, hands=1, shove=False)
    house.wait(8)
    seat = str(house.table(table).seat_of(house.player("bea")))
    assert seat in house.table(table).round.away
    assert house.says("bea back", table=table) == "You play again."
    assert seat not in house.table(table).round.away
    assert "not playing" in house.says("dora back", table=table)


def test_G6_a_void_hand_counts_nothing_in_a_tournament(house):
    table = create(house)
    join(house, table, "bea")
    house.wait(8)
    hand = house.table(table).round.hand_id
    assert not house.do(f"insp void {hand} cards seen", table=table, sure=True).refused
    assert chips_of(house, table, "anna") == 10_000 * CHIP
    assert len(live(house, table).events) == 3
    assert house.faults() == []
    play_on(house, table)


def test_TN7_nothing_buys_tournament_chips(house):
    table = create(house)
    for line in ("bea buyin 100", "anna topup 50", "anna refill on", "anna post", "anna bet 50"):
        assert house.do(line, table=table).refused, line
    join(house, table, "bea")
    for line in ("carl buyin 100", "anna topup 50", "anna bet 50"):
        assert house.do(line, table=table).refused, line
    assert "settings of a tournament" in house.says("insp table set big_blind 5 why", table=table)
    house.wait(8)
    assert house.says("anna balance").startswith("You have 900 chips.")
    assert "900" in house.says("anna leaderboard")


def test_TN9_the_seed_of_a_tournament_is_secret_until_it_is_over(house):
    table = create(house)
    join(house, table, "bea")
    seed = live(house, table).seed.hex()
    assert live(house, table).commit in house.says("carl tournament status", table=table)
    for viewer in (None, house.player("anna")):
        assert seed not in repr(screen(house.writer.state, house.table(table), viewer, house.clock.now))
    assert seed not in repr(house.table(table)) + repr(live(house, table))
    assert seed not in house.says("carl tournament status", table=table)
    play_on(house, table)
    number = house.table(table).number
    assert seed in house.says(f"carl tournament status {number}", table=table)


def test_TN_stud_is_played_by_the_same_frame(house, no_errors):
    table = create(house, "anna tournament create stud 3", game=STUD)
    join(house, table, "bea", "carl")
    assert house.table(table).options == {"lower": 10_000, "upper": 20_000, "ante": 1_300, "unit": 100}
    play_on(house, table, hands=3)
    assert len(live(house, table).now.tables.by_number[1].seats) == 3
    assert sum(live(house, table).now.stacks.values()) == 30_000


def test_TN_tournament_offers_ready_made_ones_as_one_press_each(house):
    answer = house.do("anna tournament", table=HOLDEM)
    offered = [(one.verb, one.args) for one in answer.choices]
    ready = [("holdem", "2"), ("holdem", "4"), ("holdem", "9"), ("caribbean", "4")]
    assert offered == [("tournament create", args) for args in ready]
    create(house)
    answer = house.do("bea tournament", table=HOLDEM)
    assert [one.verb for one in answer.choices][:2] == ["tournament join", "tournament status"]


# At a time

HOUR_S = 3600


def schedule(house, line="insp tournament schedule holdem 20:00 4 50 season start"):
    assert not (answer := house.do(line, table=HOLDEM)).refused, answer
    return max(house.writer.state.tables)


def test_TN2_an_announced_tournament_starts_at_its_time_with_the_players_who_are_there(house, no_errors):
    table = schedule(house)
    starts_at = live(house, table).starts_at
    assert (starts_at % 86_400, starts_at > house.clock.now) == (20 * HOUR_S, True)
    assert live(house, table).rules[:6] == ("holdem", "scheduled", 4, 2, 4, 5_000)
    join(house, table, "anna", "bea", "carl")
    shown = screen(house.writer.state, house.table(table), None, house.clock.now)
    assert str(shown.headline) == "Starts on 1970-01-12 20:00 UTC: 3 of 4 players."
    house.restart()
    house.wait(starts_at - house.clock.now - 1)
    assert live(house, table).is_registering
    house.wait(1)
    assert live(house, table).is_running
    play_on(house, table)
    assert sum(house.chips(name) for name in ("anna", "bea", "carl")) == 3000_00
    assert live(house, table).now.prizes == [15_000]


def test_TN27_registered_players_are_reminded_once_ten_minutes_before_an_announced_start(house, no_errors):
    table = schedule(house)
    join(house, table, "anna", "bea", "carl")
    house.do("carl mentions off")
    starts_at = live(house, table).starts_at
    house.wait(starts_at - house.clock.now - 601)
    assert STARTS not in house.table(table).notify
    house.restart()
    house.wait(1)
    assert house.table(table).notify[STARTS] == (house.player("anna"), house.player("bea"))
    number = house.table(table).number
    assert str(say_notice(STARTS, house.table(table), "Anna")) == (
        f"Anna: tournament {number} starts on 1970-01-12 20:00 UTC."
    )
    assert not internal_command(house, f"web:{table}", "noticed", STARTS, str(house.player("anna"))).refused
    house.restart()
    house.wait(599)
    assert house.table(table).notify[STARTS] == (house.player("bea"),)
    house.wait(1)
    assert live(house, table).is_running


def test_TN2_an_announced_tournament_waits_for_its_time_although_it_is_full(house):
    table = schedule(house, "insp tournament schedule holdem 20:00 2")
    join(house, table, "anna", "bea")
    assert live(house, table).is_registering
    assert house.says("carl tournament join", table=table) == "All 2 seats of this tournament are taken."
    assert not house.do("bea tournament leave", table=table).refused
    join(house, table, "carl")


@pytest.mark.parametrize("names", [(), ("anna",)])
def test_TN6_with_too_few_players_at_its_time_it_is_cancelled_and_refunded(house, names):
    table = schedule(house)
    join(house, table, *names)
    house.wait(live(house, table).starts_at - house.clock.now)
    assert house.table(table).status == "closed"
    assert live(house, table).now.state == "cancelled"
    assert all(house.chips(name) == 1000_00 for name in names)


def test_TN6_a_start_during_downtime_comes_with_the_next_start_of_the_casino(house):
    table = schedule(house)
    join(house, table, "anna", "bea")
    house.clock.now = live(house, table).starts_at + HOUR_S
    house.restart()
    house.wait(1)
    assert live(house, table).is_running


@pytest.mark.parametrize(
    "line",
    [
        *("holdem", "holdem 8pm", "holdem 24:00", "holdem 20:60", "bingo 20:00"),
        *("holdem 20:00 4 0.5", "holdem 20:00 500", "holdem 20:00 1 50"),
    ],
)
def test_TN1_a_wrong_announcement_is_refused_with_one_sentence(house, line):
    answer = house.do(f"insp tournament schedule {line}", table=HOLDEM)
    assert answer.refused
    assert len(answer.texts) == 1
    assert house.do("anna tournament schedule holdem 20:00", table=HOLDEM).refused


def test_TN1_inspectors_have_a_button_for_tonight(house):
    offered = [one.args for one in house.do("insp tournament", table=HOLDEM).choices]
    assert offered[-1] == ("holdem", "20:00")


# Places (G10), in a server

SERVER = "discord:1"


@pytest.fixture
def server(house):
    """Found a server with a table, at which a tournament of two is open."""
    found(house, SERVER, "caribbean")
    before = table_at(house, SERVER)
    assert not do(house, "anna tournament create holdem 2", SERVER).refused
    house.before, house.opened = before.id, table_at(house, SERVER).id
    return house


def test_a_tournament_takes_over_an_empty_table_and_gives_its_place_back(server):
    assert says(server, "bea tournament create holdem 2", SERVER).startswith("There is a tournament here.")
    assert says(server, "anna tournament back", SERVER) == "The tournament here is not over."
    do(server, "anna tournament leave", SERVER)
    do(server, "insp tournament cancel 2 why", SERVER, sure=True)
    assert not do(server, "bea tournament back", SERVER).refused
    assert table_at(server, SERVER).id == server.before
    do(server, "bea bet 50", SERVER)
    assert says(server, "anna tournament create holdem 2", SERVER).startswith("There are players at the table here.")


def test_G10_a_deleted_channel_refunds_a_tournament_that_has_not_started(server):
    internal_command(server, SERVER, "lose", "gone")
    assert server.table(server.opened).status == "closed"
    assert wallet(server, f"anna@{SERVER}", casino_at(server, SERVER)) == 1000_00


def test_G10_a_deleted_channel_ends_a_tournament_by_places_and_chips(server):
    do(server, "bea tournament join", SERVER)
    server.wait(8)
    assert server.table(server.opened).round.hand is not None
    casino = casino_at(server, SERVER)
    internal_command(server, SERVER, "lose", "gone")
    assert live(server, server.opened).is_running, "the hand waits for another place"
    server.wait(26 * HOUR_S)
    assert live(server, server.opened).now.state == "abandoned"
    assert sum(wallet(server, f"{name}@{SERVER}", casino) for name in ("anna", "bea")) == 2000_00


def test_G10_a_place_that_comes_back_goes_on(server):
    do(server, "bea tournament join", SERVER)
    internal_command(server, SERVER, "lose")
    assert server.table(server.opened).status == "paused"
    server.wait(HOUR_S)
    server.restart()
    internal_command(server, SERVER, "regain")
    server.wait(8)
    assert server.table(server.opened).round.hand is not None


def test_a_server_with_a_tournament_neither_joins_another_casino_nor_ends_its_season(server):
    found(server, "telegram:1")
    code = says(server, "insp house code", "telegram:1").split()[3].rstrip(".")
    assert "is in play" in says(server, f"insp house join {code}", SERVER, sure=True)
    assert "is in play" in says(server, "insp house reset spring", SERVER, sure=True)


def test_TN3_the_younger_account_of_a_link_is_in_no_tournament(server):
    found(server, "telegram:1")
    do(server, "other balance", "telegram:1")
    server.wait(1)
    do(server, "bea tournament join", SERVER)
    refused = link(server, f"bea@{SERVER}", "other@telegram:1")
    assert "Leave the tables first" in str(refused.texts[0])


def test_TN3_a_banned_player_is_unregistered(server):
    assert not do(server, "insp ban anna cheating", SERVER, sure=True).refused
    assert live(server, server.opened).now.entries == 0
    assert wallet(server, f"anna@{SERVER}") == 1000_00


def test_TN4_limits_hold_for_a_buy_in(server):
    do(server, "bea balance", SERVER)
    assert not do(server, "bea pause loss 60", SERVER).refused
    assert "limit of 60" in says(server, "bea tournament join", SERVER)
    assert says(server, "carl tournament create holdem 2 200", "discord:1").startswith("There is a tournament here.")
    internal_command(server, "discord:2", "enter", SERVER.split(":")[1])
    told = says(server, "carl tournament create holdem 2 200", "discord:2")
    assert told.startswith("On your first day a buy-in can be at most 100")
    assert not server.writer.state.tables.keys() - {*range(1, server.opened + 1)}, "nothing was opened"


def test_TN4_a_fresh_player_may_enter_tournaments_of_every_size(house):
    """Enter a large one with the rules of a new casino: its first prize is above the daily limit."""
    found(house, SERVER)
    for count, (game, most) in enumerate([("holdem", 180), ("puntobanco", 200), ("holdem", 9), ("holdem", 2)]):
        internal_command(house, f"discord:{count}", "enter", SERVER.split(":")[1])
        answer = do(house, f"anna tournament create {game} {most}", f"discord:{count}")
        assert not answer.refused, answer


def test_TN4_the_daily_limit_of_chips_from_others_holds_for_the_prize_less_the_buy_in(house):
    found(house, SERVER)
    do(house, "insp house set take_a_day 260 why", SERVER, sure=True)
    told = says(house, "anna tournament create holdem 9", SERVER)
    assert told.startswith("With this tournament you could win more from other players"), "450 less 100"
    assert not do(house, "anna tournament create holdem 5", SERVER).refused, "325 less 100"


def test_TN4_a_prize_less_the_buy_in_counts_as_received(house, no_errors):
    table = create(house)
    join(house, table, "bea")
    play_on(house, table)
    members = [house.writer.state.member(1, house.player(name)) for name in ("anna", "bea")]
    assert sorted(member.state.given.passed for member in members) == [-BUY_IN, BUY_IN]


# Late entry


def running(house, line="insp tournament schedule holdem 20:00 5 50"):
    """Start an announced tournament with three players; return its table."""
    table = schedule(house, line)
    join(house, table, "anna", "bea", "carl")
    house.wait(live(house, table).starts_at - house.clock.now)
    assert live(house, table).is_running
    return table


def test_TN11_a_player_who_comes_late_gets_a_seat_and_a_whole_stack(house, no_errors):
    table = running(house)
    house.wait(8)
    assert house.table(table).round.hand is not None
    said = house.says("dora tournament join", table=table)
    where = f"table {house.table(table).number}, seat {house.table(table).seat_of(house.player('dora'))}"
    assert said == f"You play from the next hand on at {where}, with 10,000 tournament chips."
    assert "You are playing" in house.says("dora tournament join", table=table)
    assert (house.chips("dora"), chips_of(house, table, "dora")) == (950_00, 10_000 * CHIP)
    assert house.player("dora") not in house.table(table).owners().values()
    assert house.faults() == []
    house.restart()
    play_on(house, table, hands=1, shove=False)
    assert chips_of(house, table, "dora") == 10_000 * CHIP
    assert house.faults() == []
    play_on(house, table, hands=4, shove=False)
    assert house.player("dora") in house.table(table).seats.values()
    house.restart()
    play_on(house, table)
    assert sum(house.chips(name) for name in ("anna", "bea", "carl", "dora")) == 4000_00


def test_TN19_a_place_names_its_prize_once_late_entry_is_over_and_ties_share_it():
    names, rules = Name, {"game": "holdem", "buy_in": 100_00, "level_hands": 0, "late_levels": 1}
    at = LiveTournament(json.dumps(rules), bytes(32))
    for player in range(1, 8):
        at = at.add("register", f"p{player}")
    at = at.add("start").add("hand", 1, {"p1": 40_000, "p2": 30_000} | {f"p{player}": 0 for player in range(3, 8)})
    assert at.now.prizes == [350_00, 210_00, 140_00]
    assert [str(line) for line in say_standings(at, names)][2:] == [f"Place 3: {player}" for player in range(3, 8)]
    told = [str(line) for line in say_standings(at.add("level"), names)][2:]
    assert told == [f"Place 3: {player}, prize 28" for player in range(3, 8)]


def test_TN12_an_eliminated_player_enters_again_once(house, no_errors):
    table = running(house)
    for _ in range(30):
        if live(house, table).now.out or live(house, table).has_ended:
            break
        play_on(house, table, hands=1)
    if live(house, table).is_running:
        (name,) = [one.player for one in live(house, table).now.out]
        who = house.writer.state.players[int(name[1:])].own_name
        shown = screen(house.writer.state, house.table(table), int(name[1:]), house.clock.now)
        assert [str(button.label) for button in shown.bets] == ["Enter now: 50"]
        assert not house.do(f"{who} tournament join", table=table).refused
        assert house.chips(who) == 900_00
        assert live(house, table).now.buy_ins[name] == 2
        assert "3 players with 4 entries, buy-in 50." in house.says("carl tournament status", table=table)
        assert house.faults() == []
    play_on(house, table)
    assert house.faults() == []


def test_TN11_late_entry_ends_with_its_level_and_without_a_seat(house):
    table = running(house, "insp tournament schedule holdem 20:00 4 50")
    join(house, table, "dora")
    assert "All 4 seats" in house.says("eve tournament join", table=table) or "closed" in house.says(
        "eve tournament join", table=table
    )
    other = running(house, "insp tournament schedule holdem 21:00 5 50")
    for _ in range(200):
        if live(house, other).now.level > 3:
            break
        play_on(house, other, hands=1, shove=False, thinks_s=25)
    assert house.says("dora tournament join", table=other) == "This tournament has started. Registration is closed."


def test_TN11_a_late_buy_in_returns_if_the_hand_was_the_last_one_or_void(house):
    table = running(house)
    house.wait(8)
    assert not house.do("dora tournament join", table=table).refused
    hand = house.table(table).round.hand_id
    assert not house.do(f"insp void {hand} cards seen", table=table, sure=True).refused
    assert chips_of(house, table, "dora") == 10_000 * CHIP
    house.wait(8)
    assert not house.do("eve tournament join", table=table).refused
    house.do("insp table close power cut", table=table, sure=True)
    play_on(house, table, shove=False)
    assert live(house, table).now.state == "abandoned"
    assert house.chips("eve") == 1000_00
    assert house.faults() == []


def test_TN1_an_inspector_postpones_a_start_once_and_it_outlives_a_restart(house, no_errors):
    assert not house.do("insp tournament schedule holdem 20:00 4 50", table=HOLDEM).refused
    table = max(house.writer.state.tables)
    number, before = house.table(table).number, live(house, table).starts_at
    join(house, table, "anna", "bea")
    assert house.do(f"anna tournament postpone {number} 21:30 football").refused
    assert "Add a reason" in house.says(f"insp tournament postpone {number} 21:30", table=table)
    assert "HH:MM" in house.says(f"insp tournament postpone {number} late football", table=table)
    assert "now starts on" in house.says(f"insp tournament postpone {number} 21:30 football", table=table)
    assert live(house, table).starts_at == before + 90 * 60
    assert "only once" in house.says(f"insp tournament postpone {number} 22:00 rain", table=table)
    shown = screen(house.writer.state, house.table(table), None, house.clock.now)
    assert str(shown.notice).startswith("The start is postponed to")
    assert not house.do("bea tournament leave", table=table).refused
    join(house, table, "bea")
    house.restart()
    house.wait(before - house.clock.now)
    assert live(house, table).is_registering
    house.wait(90 * 60)
    assert live(house, table).is_running


def test_TN23_a_sit_and_go_and_ones_own_tournament_are_not_postponed(house):
    number = house.table(create(house)).number
    assert "starts when it is full" in house.says(f"insp tournament postpone {number} 21:30 football")
    assert not house.do("insp tournament schedule holdem 20:00 4 50", table=HOLDEM).refused
    table = max(house.writer.state.tables)
    join(house, table, "insp")
    said = house.says(f"insp tournament postpone {house.table(table).number} 21:30 football", table=table)
    assert "Another inspector must decide" in said
