"""Tournaments against the bank: sealed bets, eliminations, levels, prizes, restarts (TN17)."""

import re

import msgspec
import pytest

from bot.core.state.plays import PLAYS
from bot.core.state.tournament import CHIP
from bot.view.audience import audience_screen
from bot.view.build import private_screen, screen
from bot.view.timeline import seen_of
from engine.tournaments.record import replay_tournament
from tests.core.tournaments import bet_all, chips_of, create, join, live, play_night
from tests.disk import ask

GAMES = [game for game, play in PLAYS.items() if play.cash is None]
LARGE = 10**12
VERSION = re.compile(r'"version":\d+')


def night(house, game="puntobanco", players=("bea",)):
    table = create(house, f"anna tournament create {game} {1 + len(players)}")
    join(house, table, *players)
    assert live(house, table).takes_sealed_bets
    return table


def close_bets(house, table):
    house.wait(house.table(table).round.deadline - house.clock.now)


@pytest.mark.parametrize("game", GAMES)
def test_TN17_a_night_ends_after_its_hands_and_pays_by_stacks(house, no_errors, game):
    table = night(house, game)
    assert house.faults() == []
    play_night(house, table)
    at = live(house, table)
    assert at.is_over
    assert house.table(table).status == "closed"
    told = replay_tournament(at.record())
    paid = {f"p{house.player(name)}": house.chips(name) - 900_00 for name in ("anna", "bea")}
    assert {name: amount for name, amount in paid.items() if amount} == told["paid"]
    assert sum(paid.values()) == 200_00
    assert not {name for name in house.balances() if name.startswith(("pool:", "chips:", "issue:"))}
    ((results,),) = ask(house.books, "SELECT count(*) FROM results")
    assert results == 2


def test_TN17_nobody_sees_a_bet_before_betting_closes(house):
    table = night(house)
    bea = house.player("bea")
    said = house.says("anna bet banco 370", table=table)
    assert said == "Your bet: banco 370. 9,630 tournament chips left. | Others see it when betting closes."
    anna = house.player("anna")

    def shown(viewer):
        state, at, now = house.writer.state, house.table(table), house.clock.now
        whole = screen(state, at, viewer, now)
        mine = private_screen(state, at, viewer, now) if viewer else ""
        crowd = audience_screen(state, at, LARGE, now)
        return msgspec.json.encode([whole, mine, crowd, seen_of(at, viewer).felt], enc_hook=str).decode()

    before = {viewer: shown(viewer) for viewer in (None, bea)}
    assert "37000" in shown(anna)
    assert not [viewer for viewer, seen in before.items() if "370" in seen]
    assert "370" not in house.says("bea tournament status", table=table)
    assert "370" not in house.says("bea cards", table=table)
    house.do("anna bet banco 50", table=table)
    assert chips_of(house, table, "anna") == 10_000 * CHIP
    # Another amount changes nothing for the others.
    assert VERSION.sub("", shown(bea)) == VERSION.sub("", before[bea])
    bet_all(house, table, amount=100)
    close_bets(house, table)
    stakes = house.table(table).last.deal.stakes
    assert {stake.player: stake.bets for stake in stakes}[f"p{anna}"] == {"banco": 420 * CHIP, "punto": 100 * CHIP}
    assert "42000" in shown(bea)


def test_TN17_without_a_bet_a_player_loses_the_least_bet_and_is_away_after_two(house):
    table = night(house)
    house.do("anna bet punto 100", table=table)
    close_bets(house, table)
    assert chips_of(house, table, "bea") == 9_900 * CHIP
    house.do("anna rebet", table=table)
    house.do("anna ready", table=table)
    assert house.table(table).round.deadline - house.clock.now > 20, "bea is waited for"
    close_bets(house, table)
    house.do("anna rebet", table=table)
    house.do("anna ready", table=table)
    assert house.table(table).round.deadline - house.clock.now <= 5, "bea is away"
    assert house.says("bea back", table=table) == "You play again."
    assert "You are away: each hand costs you the minimum bet" in house.says("anna leave", table=table)
    close_bets(house, table)
    assert chips_of(house, table, "bea") == 9_700 * CHIP


def test_TN17_when_nobody_bets_nothing_is_dealt_and_the_hand_counts(house, no_errors):
    table = night(house)
    for _hand in range(5):
        close_bets(house, table)
    assert house.table(table).next_hand == 6
    assert house.table(table).last is None
    assert [chips_of(house, table, name) for name in ("anna", "bea")] == [9_500 * CHIP] * 2
    assert "Bet at least 200" in house.says("anna bet punto 100", table=table)
    play_night(house, table, until=16)
    for _hand in range(5):
        close_bets(house, table)
    assert live(house, table).is_over


def test_TN17_bets_are_checked_and_can_be_taken_back(house):
    table = night(house, "caribbean")
    assert "Bet at least 100 on ante" in house.says("anna bet ante 50", table=table)
    assert "in steps of 10" in house.says("anna bet ante 105", table=table)
    assert "No jackpot is played in tournaments" in house.says("anna bet ante 100 jackpot", table=table)
    assert "at most 10,000" in house.says("anna bet ante 20000", table=table)
    assert "Place your bets first" in house.says("anna ready", table=table)
    house.do("anna bet ante 10000", table=table)
    assert "at most 10,000" in house.says("anna bet ante 100", table=table)
    assert house.says("anna takeback", table=table) == "Your bet is taken back."
    assert "no bets to take back" in house.says("anna takeback", table=table)
    assert "You are not playing" in house.says("carl bet ante 100", table=table)
    house.do("anna bet ante 10000", table=table)
    bet_all(house, table)
    close_bets(house, table)
    mine = screen(house.writer.state, house.table(table), house.player("anna"), house.clock.now)
    if mine.moves:
        assert [button.verb for button in mine.moves] == ["fold"], "the raise costs more than the stack"


def test_TN24_sealed_bets_outlive_a_restart_and_a_void_hand_counts_nothing(house):
    table = night(house, "caribbean")
    house.do("anna bet ante 100", table=table)
    house.restart()
    assert live(house, table).sealed == {house.player("anna"): {"ante": 100 * CHIP}}
    bet_all(house, table)
    close_bets(house, table)
    hand = house.table(table).round.hand_id
    house.restart()
    assert house.faults() == []
    assert not house.do(f"insp void {hand} cards seen", table=table, sure=True).refused
    assert [chips_of(house, table, name) for name in ("anna", "bea")] == [10_000 * CHIP] * 2
    assert house.table(table).next_hand == 1
    house.do("anna bet ante 100", table=table)
    house.do("insp table close power cut", table=table, sure=True)
    assert live(house, table).now.state == "abandoned"
    assert [house.chips(name) for name in ("anna", "bea")] == [1000_00, 1000_00]


def test_TN17_buttons_bet_from_the_stack_and_carry_no_price(house):
    table = night(house, "caribbean")
    anna, now = house.player("anna"), house.clock.now
    buttons = screen(house.writer.state, house.table(table), anna, now).bets
    assert not [button for button in buttons if button.spot == "jackpot" or button.cost]
    button = next(one for one in buttons if one.verb == "bet" and one.args)
    line = " ".join(["anna", button.verb, *button.args])
    assert not house.do(line, table=table, fresh=button.fresh).refused
    assert live(house, table).sealed == {anna: {button.spot: button.amount}}
    public = screen(house.writer.state, house.table(table), None, now).bets
    assert not [one for one in public if one.cost]
    assert {"takeback", "ready"} <= {one.verb for one in public}


def test_a_bank_game_night_is_one_press(house):
    answer = house.do("anna tournament")
    (choice,) = [one for one in answer.choices if str(one.label).startswith("Bank-game night")]
    assert str(choice.label) == "Bank-game night: Caribbean Stud for 4, 20 hands, buy-in 100"
    assert not house.do(" ".join(["anna", choice.verb, *choice.args])).refused
    assert "from 2 to 200" in house.says("anna tournament create caribbean 201")
