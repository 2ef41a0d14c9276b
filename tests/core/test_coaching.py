"""Unasked advice of the coach: values of present choices, and the dearest choice after a hand."""

import re
import threading
import time
from dataclasses import replace
from random import Random

import pytest

from bot.cli.game_checks.random_hands import choose_move
from bot.core.commands.counting import CountFault, here
from bot.core.guide.coaching import share_own
from bot.texts import say
from bot.view.build import private_screen, screen
from bot.view.payments import say_dearest
from engine.advice import decision_of, find_decisions
from engine.cards import FRENCH
from engine.games import ODDS
from engine.hand import Hand
from engine.odds import seen
from tests.core.conftest import BLACKJACK, CARIBBEAN, PAIJU, STUD, UTH
from tests.engine.conformance import random_deal
from tests.patience import PATIENCE_S


@pytest.fixture
def dealt(house):
    """A Caribbean table: Anna and Bea have cards, and Anna should raise."""
    for line in ("anna cut moon", "anna bet 50", "bea bet 50", "anna ready", "bea ready"):
        assert not house.do(line).refused
    house.wait(21)
    return house


def dearest(house, name, table=CARIBBEAN):
    return house.writer.coaching.dearest(house.table(table), house.player(name))


def told(house, name, table=CARIBBEAN):
    """Return the dearest choice in words, once computed."""
    dearest(house, name, table)
    house.writer.coaching.compute_waiting()
    found = dearest(house, name, table)
    return None if found is None else say(say_dearest(found, house.table(table).last, house.player(name)), "en")


def worths(house, name, table=CARIBBEAN):
    found = house.writer.coaching.worths(house.table(table), house.player(name))
    return {" ".join((one.said.verb, *one.said.args)): one.worth for one in found}


def choose(house, **choices):
    for name, word in choices.items():
        assert not house.do(f"{name} {word}").refused
    house.wait(30)
    assert house.table().round.hand is None


def counted(house, name):
    """Return {choice, as typed: its value} for a player who has them shown."""
    house.do(f"{name} coach on")
    worths(house, name)
    house.writer.coaching.compute_waiting()
    return worths(house, name)


def test_the_dearest_choice_is_told_with_what_it_was_worth_and_what_was_best(dealt):
    best = round(counted(dealt, "anna")["raise"] / 100, 2)
    choose(dealt, anna="fold", bea="fold")
    assert dearest(dealt, "anna") is None  # it is not computed yet, and the call returns at once
    assert told(dealt, "anna") == f"On average, Raise (100) is worth {best:+.2f}; your Fold is worth -50."


def test_the_best_choice_gave_nothing_away(dealt):
    choose(dealt, anna="raise", bea="fold")
    assert told(dealt, "anna") is None
    assert not dealt.writer.coaching.is_counting(dealt.table(), dealt.player("anna"))


def test_it_says_what_the_review_says(dealt):
    choose(dealt, anna="fold", bea="fold")
    told(dealt, "anna")
    found = dearest(dealt, "anna")
    assert f"given away: {say_cost(found)}." in dealt.says("anna review")


def say_cost(found):
    return f"{(found.best.worth - found.taken.worth) / 100:.2f}".removesuffix(".00")


def test_it_names_the_clock_where_the_clock_chose(dealt):
    dealt.do("bea fold")
    dealt.wait(100)
    assert dealt.table().round.hand is None
    assert "the time-out's Fold is worth -50." in told(dealt, "anna")


def test_a_choice_that_cost_next_to_nothing_is_not_worth_a_line(dealt):
    """The threshold is a hundredth of the seat's first stake."""

    def nearly_even(function, values, asked):
        weighed = function(values, asked)
        return weighed._replace(cost=49.0)

    choose(dealt, anna="fold", bea="fold")
    dealt.writer.count = nearly_even
    assert told(dealt, "anna") is None


def test_one_who_was_not_in_the_hand_has_none(dealt):
    dealt.do("cara balance")
    choose(dealt, anna="fold", bea="fold")
    assert told(dealt, "cara") is None


def test_it_goes_with_the_hand(dealt):
    choose(dealt, anna="fold", bea="fold")
    assert told(dealt, "anna")
    dealt.do("bea bet 50")
    assert dearest(dealt, "anna") is None


def test_a_void_hand_teaches_nothing(dealt):
    dealt.do("anna fold")
    hand = dealt.table().round.hand_id
    assert not dealt.do(f"insp void {hand} tests", sure=True).refused
    assert told(dealt, "anna") is None


def test_of_their_boxes_it_names_the_one(house):
    for line in ("anna cut x", "anna bet 3 10", "anna bet 4 10", "anna ready"):
        assert not house.do(line, table=BLACKJACK).refused
    house.wait(21)
    while house.table(BLACKJACK).round.hand is not None:
        # A player who always hits has something to learn.
        answer = house.do("anna hit", table=BLACKJACK)
        if answer.refused:
            house.do("anna decline", table=BLACKJACK)
    assert told(house, "anna", BLACKJACK).startswith("Box ")


def test_who_bets_behind_a_box_is_told_of_no_choice_of_its_holder(house):
    for line in ("anna bet 3 20", "bea bet 3 10", "anna ready", "bea ready"):
        assert not house.do(line, table=BLACKJACK).refused
    house.wait(21)
    while house.table(BLACKJACK).round.hand is not None:
        answer = house.do("anna hit", table=BLACKJACK)
        if answer.refused:
            house.wait(31)
    assert told(house, "anna", BLACKJACK)
    assert told(house, "bea", BLACKJACK) is None
    assert "There were no decisions" in house.says("bea review", table=BLACKJACK)


@pytest.mark.parametrize("line", ["anna coach off", "insp table set coach off"])
def test_where_the_coach_is_off_nothing_is_told(dealt, line):
    choose(dealt, anna="fold", bea="fold")
    assert told(dealt, "anna")
    assert not dealt.do(line).refused
    assert told(dealt, "anna") is None


@pytest.fixture
def stud(house):
    """A stud table with Anna, Bea and Carl; Anna wants all that the coach tells."""
    for name in ("anna", "bea", "carl"):
        assert not house.do(f"{name} buyin 800", table=STUD).refused
    house.do("anna coach on", table=STUD)
    house.wait(30)
    assert house.table(STUD).round.hand.asks
    return house


def asked_at_stud(house):
    """Return the player in turn and their offers."""
    ((seat, offers),) = house.table(STUD).round.hand.asks.items()
    names = ("anna", "bea", "carl")
    name = next(name for name in names if seat in house.table(STUD).seats_played_by(house.player(name)))
    return name, [offer.word for offer in offers]


def play_down(house):
    """Keep everyone in at the least price; return the players in turn, in order."""
    asked = []
    while house.table(STUD).round.hand is not None:
        name, words = asked_at_stud(house)
        assert not house.do(f"{name} {'check' if 'check' in words else 'call'}", table=STUD).refused
        asked.append(name)
    return asked


def test_between_players_nothing_is_told_while_the_hand_runs(stud):
    assert worths(stud, "anna", STUD) == {}
    assert dearest(stud, "anna", STUD) is None
    assert not stud.writer.coaching.is_counting(stud.table(STUD), stud.player("anna"))


@pytest.mark.slow
def test_SH_after_the_hand_each_is_told_their_share_street_by_street_and_nobody_else(stud):
    """The player with the bring-in had nothing to choose before the fourth street (SH5)."""
    asked = play_down(stud)
    (brought_in,) = {"anna", "bea", "carl"} - {*asked[:2]}
    first, last = told(stud, asked[0], STUD), told(stud, brought_in, STUD)
    said = "Your estimated share of the pot: "
    later = ", ".join(rf"\d+ % with {n} cards" for n in (4, 5, 6, 7)) + r"\."
    assert re.fullmatch(said + r"\d+ % with 3 cards, " + later, first)
    assert re.fullmatch(said + later, last)
    stud.do("dora coach on")
    assert told(stud, "dora", STUD) is None
    assert screen(stud.writer.state, stud.table(STUD), None, stud.clock.now).dearest is None


@pytest.mark.long
def test_SH_who_folded_is_told_of_the_streets_that_they_saw(stud):
    name, _ = asked_at_stud(stud)
    others = [other for other in ("anna", "bea", "carl") if other != name]
    assert not stud.do(f"{name} fold", table=STUD).refused
    play_down(stud)
    assert re.fullmatch(r"Your estimated share of the pot: \d+ % with 3 cards\.", told(stud, name, STUD))
    assert "7 cards" in told(stud, others[0], STUD)


@pytest.mark.slow
def test_SH_it_follows_from_nothing_that_they_did_not_see():
    """The figures are the same to the last digit, whatever others held and the deck contained."""
    random = Random("shares")
    for _ in range(2):
        deal = random_deal("stud", random)
        deal = deal._replace(stakes=tuple(replace(stake, player=f"p{stake.seat}") for stake in deal.stakes))
        hand = Hand(deal)
        while not hand.is_over:
            hand = hand.play(choose_move(hand, random))
        moves = list(hand.moves)
        asked = [one for one in find_decisions(deal, moves) if one.taken is not None]
        seat = asked[-1].decision.seat
        known = set(seen(asked[-1].decision))
        hidden = random.sample(sorted(set(FRENCH) - known), len(FRENCH) - len(known))
        other = deal._replace(deck=tuple(card if card in known else hidden.pop() for card in deal.deck))
        assert deal.deck != other.deck
        shares = [[share for _, share in share_own(here, each, moves, [int(seat)])] for each in (deal, other)]
        assert shares[0] == shares[1] != []


def test_where_nobody_chooses_nothing_is_counted(house):
    assert not house.do("anna bet west 10", table=PAIJU).refused
    house.wait(30)
    assert house.table(PAIJU).last is not None
    assert not house.writer.coaching.is_counting(house.table(PAIJU), house.player("anna"))


def test_figures_stand_beside_the_choices_for_who_wants_them(dealt):
    assert worths(dealt, "anna") == {}
    dealt.writer.coaching.compute_waiting()
    assert worths(dealt, "anna") == {}  # they have not asked for them
    values = counted(dealt, "anna")
    assert values["fold"] == -5000
    for line in dealt.says("anna odds").split(" | ")[1:]:
        choice, _colon, net = line.rpartition(": ")
        assert float(net) == round(values[choice.partition(" (")[0]]) / 100


def test_no_figure_is_shown_for_another_decision_than_the_one_that_it_was_counted_for(dealt):
    assert counted(dealt, "anna")
    dealt.do("anna exchange 2")
    assert worths(dealt, "anna") == {}
    dealt.do("bea raise")
    assert dealt.table().round.hand.asks.keys() == {"1"}
    assert worths(dealt, "anna") == {}  # the new card is there, its figures are not
    dealt.writer.coaching.compute_waiting()
    assert set(worths(dealt, "anna")) == {"raise", "fold"}


def test_what_others_choose_meanwhile_takes_no_figure_away(dealt):
    values = counted(dealt, "anna")
    dealt.do("bea fold")
    assert worths(dealt, "anna") == values
    seat = next(iter(dealt.table().round.hand.asks))
    now = ODDS["caribbean"].values(decision_of(dealt.table().round.hand, seat))
    assert sorted(now.values()) == pytest.approx(sorted(values.values()))


def test_a_count_that_fails_says_nothing_and_is_asked_for_again(dealt):
    count = dealt.writer.count

    def fails(function, *args):
        raise CountFault("no answer within 10 s")

    dealt.do("anna coach on")
    dealt.writer.count = fails
    assert worths(dealt, "anna") == {}
    dealt.writer.coaching.compute_waiting()
    dealt.writer.count = count
    assert worths(dealt, "anna") == {}
    dealt.writer.coaching.compute_waiting()
    assert worths(dealt, "anna")


def test_a_bug_of_a_game_costs_its_figures_and_no_more(dealt, caplog):
    def fails(function, *args):
        raise ValueError("Ah Kh")

    dealt.do("anna coach on")
    dealt.writer.count = fails
    assert worths(dealt, "anna") == {}
    dealt.writer.coaching.compute_waiting()
    assert worths(dealt, "anna") == {}
    assert "the coach failed: ValueError" in caplog.text
    assert "Ah" not in caplog.text
    dealt.is_spoilt = True
    assert not dealt.do("anna fold").refused


def test_the_doors_hear_of_the_table_when_more_is_known(dealt):
    dealt.do("anna coach on")
    worths(dealt, "anna")
    dealt.changed.clear()
    dealt.writer.coaching.compute_waiting()
    assert dealt.changed == [{CARIBBEAN}]


@pytest.mark.parametrize("game", [CARIBBEAN, UTH])
def test_nobody_else_sees_anything_of_it(house, game):
    """The public screen and every other player's are the same, with the figures or without them."""
    for line in ("anna bet 50", "bea bet 50", "anna ready", "bea ready"):
        assert not house.do(line, table=game).refused
    house.wait(21)

    def seen():
        at, now, bea = house.table(game), house.clock.now, house.player("bea")
        whole = house.writer.state
        return screen(whole, at, None, now), screen(whole, at, bea, now), private_screen(whole, at, bea, now)

    house.do("anna coach on", table=game)
    before = seen()
    worths(house, "anna", game)
    house.writer.coaching.compute_waiting()
    assert worths(house, "anna", game)
    assert worths(house, "bea", game) == {}
    assert seen() == before
    while house.table(game).round.hand is not None:
        house.wait(31)
    before = seen()
    told(house, "anna", game)
    assert not house.writer.coaching.is_counting(house.table(game), house.player("anna"))
    assert seen() == before


def test_each_says_for_themselves_what_the_coach_tells(house):
    assert house.says("anna coach").startswith("After each hand I tell you")
    assert house.says("anna coach on").startswith("The lounge shows the value of each decision")
    assert house.says("anna coach").startswith("The lounge shows")
    assert house.says("anna coach OFF").startswith("The coach is off.")
    assert house.do("anna coach loudly").refused
    assert house.says("bea coach").startswith("After each hand")


def test_it_stays_through_a_restart(house):
    house.do("anna coach on")
    house.restart()
    assert house.says("anna coach").startswith("The lounge shows")


def test_who_unlinks_an_account_takes_it_along(house):
    house.do("anna coach off")
    code = house.says("anna link").split("/link ")[1].split()[0]
    command = house.command(f"zoe link {code}", sure=True)
    command = command._replace(who=command.who._replace(platform="telegram", account="9", name="Zoe"))
    assert not house.batch([command])[0].refused
    house.clock.now += 25 * 3600
    unlink = command._replace(verb="unlink", args=(), key="unlink")
    assert not house.batch([unlink])[0].refused
    asked = command._replace(verb="coach", args=(), confirmed=False, key="coach")
    assert "The coach is off." in str(house.batch([asked])[0].said)


def test_it_ends_with_the_writer_and_reads_no_books_after_that(dealt):
    """A running computation is finished first."""
    count, begun, told = dealt.writer.count, threading.Event(), list[set[int]]()

    def slowly(function, *args):
        begun.set()
        time.sleep(0.05)
        return count(function, *args)

    dealt.do("anna coach on")
    dealt.writer.count = slowly
    dealt.writer.subscribe(told.append)
    dealt.writer.coaching.start()
    worths(dealt, "anna")
    assert begun.wait(PATIENCE_S)
    dealt.writer.stop(timeout_s=PATIENCE_S)
    assert told == [{CARIBBEAN}]
    assert not dealt.writer.coaching._thread.is_alive()
