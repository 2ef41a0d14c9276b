"""Preconditions of presses: a press counts for the hand, seat and price on its button, or does nothing."""

import random
import re
from typing import Any

import pytest

from bot.core.commands.command import Command
from bot.core.commands.preconditions import PATTERN, Precondition, at_price, for_bet, for_move, parse_precondition
from bot.core.state.plays import PLAYS
from bot.view.build import screen
from engine.games import GAMES
from tests.core.conftest import BLACKJACK, BUY_IN, CARIBBEAN, STUD, TABLES, UTH
from tests.disk import ask


def buttons(house, name, table):
    """Return the buttons that this player sees; "public" is no player in particular."""
    viewer = None if name == "public" else house.player(name)
    shown = screen(house.writer.state, house.table(table), viewer, house.clock())
    return [*shown.bets, *shown.moves, *(button for seat in shown.seats for button in seat.buttons), *shown.more]


def button(house, name, table, verb, *args):
    found = [one for one in buttons(house, name, table) if one.verb == verb and one.args[: len(args)] == args]
    assert found, f"{name} is not shown {verb} {args}"
    return found[0]


def press(house, name, shown, table):
    typed = house.command(f"{name} x", table=table)
    command = Command(typed.key, typed.who, typed.place, shown.verb, shown.args, shown.fresh)
    return house.batch([command])[0]


def told(answer):
    assert answer.refused
    return str(answer.texts[0])


def purse(house, name, table):
    """Return what the player can lose: the wallet, and the stack at that table."""
    player = house.player(name)
    return house.chips(name) + house.books.balance(f"stack:{table}:{player}")


@pytest.fixture
def stud(house):
    for name in ("anna", "bea", "cat"):
        house.do(f"{name} buyin 320", table=STUD)
    house.wait(60)
    assert house.table(STUD).round.hand is not None
    return house


def asked(house, table):
    seat = next(iter(house.table(table).round.hand.asks))
    number = house.table(table).owners()[seat]
    return next(name for name in ("anna", "bea", "cat") if house.player(name) == number)


def test_SH7_a_call_that_was_shown_for_another_player_puts_in_nothing(stud):
    """One player completes; the next presses the old call of 2, which would have cost 4."""
    first = asked(stud, STUD)
    call, complete = button(stud, first, STUD, "call"), button(stud, first, STUD, "complete")
    assert (call.cost, complete.cost) == (200, 400)
    assert not press(stud, first, complete, STUD).refused
    second = asked(stud, STUD)
    assert second != first
    before = purse(stud, second, STUD)
    assert "another player's" in told(press(stud, second, call, STUD))
    assert purse(stud, second, STUD) == before
    assert button(stud, second, STUD, "call").cost == 400


def test_the_same_button_of_their_own_seat_twice_is_one_move(stud):
    first = asked(stud, STUD)
    call = button(stud, first, STUD, "call")
    assert not press(stud, first, call, STUD).refused
    assert "The table has changed" in told(press(stud, first, call, STUD))


def test_BJ11_a_double_that_was_shown_for_another_box_doubles_nothing(house, no_errors):
    for name, box, amount in (("anna", 1, 10), ("bea", 2, 100)):
        house.do(f"{name} bet {box} {amount}", table=BLACKJACK)
    house.wait(20)
    hand = house.table(BLACKJACK).round.hand_id
    if "insure" in {one.verb for one in buttons(house, "anna", 4)}:
        house.wait(200)
    before = house.chips("bea")
    double = button(house, "anna", BLACKJACK, "hit")._replace(verb="double", fresh=for_move(hand, 0, "1", 1000))
    assert "another player's" in told(press(house, "bea", double, BLACKJACK))
    house.do("anna stand", table=BLACKJACK)
    assert "another player's" in told(press(house, "bea", double, BLACKJACK))
    assert house.chips("bea") == before


def test_BJ11_a_press_for_their_other_box_is_no_move_of_the_box_that_is_asked(house):
    for box in (1, 2):
        house.do(f"anna bet {box} 10", table=BLACKJACK)
    house.wait(20)
    shown = buttons(house, "anna", BLACKJACK)[0]
    hand, moves, seat, cost = parse_precondition(shown.fresh)
    assert seat == "1"
    assert "The table has changed" in told(
        press(house, "anna", shown._replace(fresh=str(Precondition(hand, moves, "2", cost))), 4)
    )
    assert house.moves(hand) == []


def test_a_move_that_would_cost_something_else_is_not_made(house):
    house.deal("anna bet 50")
    shown = button(house, "anna", CARIBBEAN, "raise")
    assert shown.cost == 10_000
    cheaper = shown._replace(fresh=at_price(shown.fresh, 2_000))
    assert told(press(house, "anna", cheaper, CARIBBEAN)) == (
        "That costs 100 now; the button said 20. Here is the table as it is now."
    )
    assert house.moves(house.table().round.hand_id) == []
    assert house.chips("anna") == 95_000
    assert not press(house, "anna", shown, CARIBBEAN).refused


def test_UT2_a_chip_takes_the_blind_with_it_and_says_so(house):
    chip = button(house, "anna" if house.do("anna balance") else "", UTH, "bet", "ante", "5")
    assert chip.cost == 1000
    assert not press(house, "anna", chip, UTH).refused
    assert house.chips("anna") == 99_000


def test_a_rebet_is_what_it_said_although_they_have_bet_in_between(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    rebet = button(house, "anna", CARIBBEAN, "rebet")
    assert rebet.cost == 5_000
    more = rebet._replace(fresh=for_bet(house.table().round.hand_id, 9_000))
    assert "the button said 90" in told(press(house, "anna", more, CARIBBEAN))
    assert house.table().round.bets == ()
    assert not press(house, "anna", rebet, CARIBBEAN).refused


@pytest.mark.parametrize(
    "fresh", ["x.y", "-1", "1." + "9" * 30, "....", "1.0.1.-5", "1.0.1." + "9" * 40, "1.0.1/p1.5.6", "٣", "1.0.1.²"]
)
def test_what_no_button_of_ours_says_is_refused_in_a_sentence(house, no_errors, fresh):
    house.do("anna bet 50")
    before = house.chips("anna")
    answer = house.do("anna takeback", fresh=fresh)
    if answer.refused:
        assert house.chips("anna") == before


def test_what_is_written_is_read_back():
    for made in (
        Precondition("12"),
        Precondition("12", "0", "1", 0),
        Precondition("12", "3", "1/p5", 250),
        Precondition("7", cost=1000),
    ):
        assert parse_precondition(str(made)) == made
        assert re.fullmatch(PATTERN, str(made))


def wander(house, chance, table, names):
    """Let a random player press a button shown to a random player."""
    name, shown = chance.choice(names), buttons(house, chance.choice(names), table)
    return name, chance.choice([one for one in shown if not one.ask and one.verb not in ("leave", "sitout")])


def taken_from(house, name, table, since):
    """Return what has been posted out of the player's accounts, without transfers between them."""
    own = (f"player:1:{house.player(name)}", f"stack:{table}:{house.player(name)}")
    rows = ask(house.books, "SELECT debit, credit, amount FROM postings WHERE id > ?", since)
    return sum(amount for debit, credit, amount in rows if debit in own and credit not in own)


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYS)
@pytest.mark.parametrize("seed", range(3))
def test_what_a_press_costs_is_what_it_says_or_nothing(house, no_errors, game, seed):
    """Buttons of three players, pressed by all of them, new and old: every cost was on the button."""
    chance, table, names = random.Random(seed), TABLES[game], ["anna", "bea", "cat"]
    for name in names:
        house.do(f"{name} {BUY_IN.get(game, 'balance')}", table=table)
    kept: list[Any] = []
    bets = moves = 0
    # Cards to be revealed without a decider go on.
    while len(kept) < 150 or (GAMES[game].words and not moves and len(kept) < 1000):
        kept.append(wander(house, chance, table, names))
        name, shown = chance.choice(kept[-6:])
        ((posted,),) = ask(house.books, "SELECT count(*) FROM postings")
        answer = press(house, name, shown, table)
        taken = taken_from(house, name, table, posted)
        assert taken == (0 if answer.refused else shown.cost), (shown, answer)
        bets += taken > 0
        moves += shown.kind == "move" and not answer.refused
        if chance.random() < 0.15:
            house.wait(chance.choice([5, 20, 40]))
    assert bets
    assert moves or not GAMES[game].words
