"""Two houses write the same books: a person is one, whatever is said of him here and there at once."""

import copy
import json
import random

import pytest

from bot.house.pit import MOST_TIMES, Pit
from bot.house.speech.counting import here
from tests.bot.house.communities import do, found, link, player, says
from tests.disk import ask

HERE, THERE, NEAR = "discord:1", "telegram:1", "discord:2"
PEOPLE = ("anna", "beppe", "cleo")


@pytest.fixture
def houses(house):
    """Each plays in casinos of its own; three people have an account in both, and both houses know them well."""
    for at in (HERE, THERE, NEAR):
        found(house, at, "caribbean")
    for name in PEOPLE:
        for at in (HERE, THERE):
            do(house, f"{name} balance", at)
        assert not link(house, f"{name}@{HERE}", f"{name}@{THERE}").refused
    other = copy.copy(house)
    other.pit = Pit(house.books, clock=house.clock, entropy=lambda n: house.entropy(n), count=here, secret=bytes(32))
    other.keys, other.answers = 10_000, []
    for name in PEOPLE:
        do(house, f"{name} balance", HERE)
        do(other, f"{name} balance", THERE)
    return house, other


def meanwhile(house, act):
    """Between the next time that this house works something out and that it writes it."""
    work = house.pit.floor.work

    def work_once(*commands, **more):
        house.pit.floor.work = work
        batch = work(*commands, **more)
        act()
        return batch

    house.pit.floor.work = work_once


def state_of(house, who):
    ((state,),) = ask(house.books, "SELECT state FROM players WHERE id = ?", player(house, who))
    return json.loads(state)


def test_a_pause_said_in_one_house_holds_in_the_other_at_once(houses):
    one, other = houses
    assert not do(one, "anna pause 7", HERE, sure=True).refused
    assert "paused yourself" in says(other, "anna bet 10", THERE)
    assert state_of(one, f"anna@{HERE}")["paused"] > one.clock.now
    assert not do(other, "beppe bet 10", THERE).refused, "nobody else has"


def test_whoever_plays_in_both_at_once_holds_neither_up(houses):
    one, other = houses
    for line in ("anna bet 10", "anna takeback", "anna bet 10", "anna takeback"):
        meanwhile(other, lambda line=line: do(one, line, HERE))
        assert not do(other, line, THERE).refused
        one.clock.now += 400  # long enough for both to note that she plays
    assert ask(one.books, "SELECT last FROM seen WHERE player = ?", player(one, f"anna@{HERE}")) == [
        (one.clock.now - 800,)
    ], "when she last bet"
    assert one.pit.reruns == other.pit.reruns == 0


def test_a_stake_that_is_not_written_yet_when_a_pause_is_acknowledged_is_refused(houses):
    one, other = houses
    meanwhile(other, lambda: do(one, "anna pause 7", HERE, sure=True))
    before = other.balances()
    assert "paused yourself" in says(other, "anna bet 10", THERE)
    assert other.pit.reruns == 1
    assert other.balances() == before


def test_what_is_set_in_both_at_once_is_set(houses):
    one, other = houses
    meanwhile(other, lambda: do(one, "anna pause loss 500", HERE, sure=True))
    do(other, "anna pause minutes 90", THERE, sure=True)
    assert state_of(one, f"anna@{HERE}")["limits"] == {"loss": 50_000, "minutes": 90}


def test_a_newcomer_whom_both_meet_at_once_is_one_player_with_one_start_in_each_casino(houses):
    one, other = houses
    meanwhile(other, lambda: do(one, "dora bet 10", HERE))
    assert not do(other, "dora bet 10", NEAR).refused
    assert ask(one.books, "SELECT count(*) FROM players WHERE name = 'dora'") == [(1,)]
    assert ask(one.books, "SELECT count(*) FROM identities WHERE name = 'dora'") == [(1,)]
    starts = ask(one.books, "SELECT count(*) FROM postings WHERE why = 'start' AND credit LIKE 'player:%:' || ?",
                 str(player(other, f"dora@{NEAR}")))  # fmt: skip
    assert starts == [(2,)]


def test_two_newcomers_get_numbers_of_their_own_and_so_do_hands_and_tables(houses):
    one, other = houses
    meanwhile(other, lambda: do(one, "dora balance", HERE))
    do(other, "elio balance", THERE)
    assert player(one, f"dora@{HERE}") != player(other, f"elio@{THERE}")
    assert not do(one, "insp table close why", HERE, sure=True).refused
    assert not do(other, "insp table close why", THERE, sure=True).refused
    assert not do(one, "insp table open stud", HERE).refused
    assert not do(other, "insp table open stud", THERE).refused
    assert ask(one.books, "SELECT count(*), count(DISTINCT casino) FROM tables WHERE game = 'stud' AND casino > 1") == [
        (2, 2)
    ]
    assert one.faults() == []


def test_a_batch_in_which_another_house_is_always_quicker_is_refused_and_loses_nothing(houses):
    one, other = houses
    work, rounds = other.pit.floor.work, list[object]()

    def work_late(*commands, **more):
        batch = work(*commands, **more)
        rounds.append(do(one, f"anna pause loss {900 - len(rounds)}", HERE, sure=True))
        return batch

    other.pit.floor.work, before = work_late, other.balances()
    assert do(other, "anna bet 10", THERE).refused
    assert other.balances() == before
    assert len(rounds) == 2 * MOST_TIMES, "with the others, and alone"
    other.pit.floor.work = work
    assert not do(other, "anna bet 10", THERE).refused


@pytest.mark.parametrize("seed", range(6))
def test_no_stake_is_accepted_after_a_pause_was_acknowledged_anywhere(houses, seed):
    """Whatever is said in which house, one after the other or within one another."""
    rng, paused = random.Random(seed), set()
    places = ((houses[0], HERE), (houses[1], THERE))

    def say():
        (house, at), name = rng.choice(places), rng.choice(PEOPLE)
        line = rng.choice(["bet 10"] * 6 + ["takeback", "pause 7", "pause loss 900", "balance", "link"])
        was_paused = name in paused
        if rng.random() < 0.5 and house.pit.floor.work.__name__ == "work":
            quick_house, there = places[house is places[0][0]]
            quick = rng.choice(["pause 7", "bet 10", "pause loss 800"])

            def act():
                nonlocal was_paused
                early = name in paused
                answer = do(quick_house, f"{name} {quick}", there, sure=True)
                assert not (quick == "bet 10" and early and not answer.refused)
                if quick == "pause 7" and not answer.refused:
                    paused.add(name)
                    was_paused = True

            meanwhile(house, act)
        answer = do(house, f"{name} {line}", at, sure=True)
        assert not (line == "bet 10" and was_paused and not answer.refused), (name, at)
        if line == "pause 7" and not answer.refused:
            paused.add(name)

    for _step in range(60):
        say()
    for name in paused:
        for house, at in places:
            assert state_of(house, f"{name}@{at}")["paused"] > house.clock.now
    assert houses[0].faults() == []
