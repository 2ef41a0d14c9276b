"""Safer play: breaks that cannot be undone, limits that tighten at once, private reminders."""

import pytest

from tests.core.communities import do, found, link, says
from tests.core.conftest import BLACKJACK, CARIBBEAN, LINKED, STUD, TABLES, UTH

HOUR_S, DAY_S = 3600, 86400


def lose(house, name, amount, table=CARIBBEAN):
    assert not (answer := house.do(f"{name} bet {amount}", table=table, sure=True)).refused, answer
    house.wait(20)
    house.do(f"{name} fold", table=table)


def test_a_pause_asks_once_and_cannot_be_undone_early(house):
    asked = house.do("anna pause 7")
    assert asked.confirm
    assert str(asked.texts[0]) == "You won't be able to bet anywhere for 7 days. This can't be undone. Pause?"
    house.do("anna pause 7", sure=True)
    house.do("anna pause 1", sure=True)
    house.do("anna pause off 7", sure=True)
    assert house.says("anna bet 50") == "You paused yourself until 1970-01-19 13:46 UTC."
    house.wait(7 * DAY_S - 1)
    house.restart()
    assert house.says("anna bet 50") == "You paused yourself until 1970-01-19 13:46 UTC."
    house.wait(1)
    assert not house.do("anna bet 50").refused


@pytest.mark.parametrize("line", ["pause 0", "pause 367", "pause -1", "pause x", "pause ²"])
def test_a_pause_is_of_a_day_to_a_year(house, no_errors, line):
    assert "/pause 7 starts a break of a week" in house.says(f"anna {line}", sure=True)
    assert not house.do("anna bet 50").refused


@pytest.mark.parametrize("line", ["bet 50", "rebet", "sit", "sit 2"])
@pytest.mark.parametrize("table", TABLES.values())
def test_who_paused_stakes_nothing_at_any_table(house, line, table):
    house.do("anna pause 1", sure=True)
    assert "You paused yourself" in house.says(f"anna {line}", table=table)


def test_a_hand_under_way_is_played_to_its_end_and_bets_may_be_taken_back(house):
    house.deal("anna bet 50")
    house.do("anna pause 1", sure=True)
    assert not house.do("anna raise").refused
    house.do("bea bet 50")
    house.do("bea pause 1", sure=True)
    assert not house.do("bea takeback").refused


def test_who_paused_is_dealt_into_no_hand_of_stud(house):
    for name in ("anna", "bea", "cat"):
        house.do(f"{name} buyin 80", table=STUD)
    house.do("anna pause 1", sure=True)
    house.wait(8)
    assert house.player("anna") not in house.table(STUD).owners().values()
    assert "You paused yourself" in house.says("anna back", table=STUD)
    assert not house.do("anna leave", table=STUD).refused
    assert house.chips("anna") == 100_000


def test_in_the_middle_of_a_hand_of_stud_who_paused_still_moves(house):
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.wait(8)
    table = house.table(STUD)
    (seat,) = table.round.hand.asks
    name = next(name for name in ("anna", "bea") if house.player(name) == table.owners()[seat])
    house.do(f"{name} pause 1", table=STUD, sure=True)
    assert "You paused yourself" not in house.says(f"{name} bet", table=STUD)


def test_a_pause_holds_on_every_platform_of_a_person(house):
    found(house, "discord:1", "caribbean")
    found(house, "telegram:1", "caribbean")
    do(house, "anna pause 30", "discord:1", sure=True)
    link(house, "anna@discord:1", "beppe@telegram:1")
    assert "You paused yourself" in says(house, "beppe bet 50", "telegram:1")


def test_a_limit_counts_at_once_and_a_looser_one_after_24_hours(house):
    assert house.says("anna pause loss 100").startswith("Loss limit a day: 100")
    assert house.says("anna pause loss 500") == "A higher limit takes effect after 24 hours."
    assert "limit of 100 today" in house.says("anna bet 150", sure=True)
    assert house.says("anna pause loss 80").startswith("Loss limit a day: 80")
    house.do("anna pause loss 500")
    house.wait(DAY_S - 1)
    assert "limit of 80 today" in house.says("anna bet 150", sure=True)
    house.wait(1)
    assert not house.do("anna bet 150", sure=True).refused


def test_a_tighter_limit_drops_the_looser_one_that_was_to_come(house):
    house.do("anna pause loss 100")
    house.do("anna pause off loss")
    house.do("anna pause loss 50")
    house.wait(2 * DAY_S)
    assert "Loss limit a day: 50" in house.says("anna pause")


def test_a_limit_is_lifted_after_24_hours(house):
    assert house.says("anna pause off loss") == "You have no such limit."
    house.do("anna pause loss 50")
    assert house.says("anna pause off loss") == "The limit ends in 24 hours."
    house.wait(DAY_S)
    assert not house.do("anna bet 100").refused


def test_the_loss_of_a_day_counts_in_every_casino_and_on_every_platform(house):
    for at in ("discord:1", "telegram:1"):
        found(house, at, "caribbean")
    do(house, "anna pause loss 120", "discord:1")
    house.wait(1)
    do(house, "beppe bet 60", "telegram:1")
    house.wait(20)
    do(house, "beppe fold", "telegram:1")
    do(house, "beppe leave", "telegram:1")
    link(house, "anna@discord:1", "beppe@telegram:1")
    assert "limit of 120 today" in says(house, "anna bet 25", "discord:1")
    assert not do(house, "anna bet 20", "discord:1").refused


def test_a_move_that_could_exceed_the_limit_is_refused_before_it_is_decided(house):
    house.deal("anna bet 50")
    house.do("anna pause loss 100")
    for _ in range(2):
        assert "limit of 100 today" in house.says("anna raise")
    assert house.table().phase == "playing"
    house.do("anna fold")
    assert house.chips("anna") == 95_000


@pytest.mark.parametrize(
    ("table", "bet", "limit", "needed"),
    [
        (CARIBBEAN, "bet 50", 150, 100),
        (CARIBBEAN, "bet 50 jackpot", 151, 100),
        (UTH, "bet 50", 150, 50),
        (UTH, "bet 50 trips 5", 155, 50),
    ],
)
def test_a_bet_is_refused_at_once_when_the_bet_that_must_follow_it_would_break_the_limit(
    house, table, bet, limit, needed
):
    house.do(f"anna pause loss {limit - 1}")
    told = f"The raise that may follow costs {needed}; together you could lose more than your limit of {limit - 1}"
    assert house.says(f"anna {bet}", table=table) == f"{told} today."
    assert house.chips("anna") == 100_000
    house.wait(DAY_S)
    house.do("bea balance")
    house.do(f"bea pause loss {limit}")
    assert not house.do(f"bea {bet}", table=table).refused
    # The bet that must follow is reserved on the table and during the hand.
    assert "limit of" in house.says("bea bet 1 10", table=BLACKJACK)
    house.wait(20)
    assert "limit of" in house.says("bea bet 1 10", table=BLACKJACK)
    assert not house.do("bea raise" if table == CARIBBEAN else "bea check", table=table).refused


def test_an_exchange_leaves_enough_for_the_raise_or_is_refused(house):
    house.do("anna pause loss 199")
    house.deal("anna bet 50")
    assert "limit of 199 today" in house.says("anna exchange 1")
    assert not house.do("anna raise").refused
    house.do("bea balance")
    house.do("bea pause loss 200")
    house.deal("bea bet 50")
    assert not house.do("bea exchange 1").refused
    assert not house.do("bea raise").refused


def test_who_gave_a_hand_up_need_keep_nothing_for_it(house):
    house.do("anna pause loss 150")
    house.deal("anna bet 50", "bea bet 50")
    assert "limit of 150" in house.says("anna bet 20", table=LINKED)
    house.do("anna fold")
    assert house.table().phase == "playing"
    assert "limit of 150" in house.says("anna bet 35", table=LINKED)
    assert not house.do("anna bet 30", table=LINKED).refused


@pytest.mark.long
def test_no_standing_order_exceeds_the_limit(house):
    """An order raises what a hand could not: with a tighter limit after the bet, it folds instead."""
    house.do("anna standing raise-pairs")
    raised = 0
    for day in range(40):
        house.wait(DAY_S)
        house.deal("anna bet 50")
        hand = house.table().round.hand_id
        if day % 2:
            house.do("anna pause loss 100")
            house.wait(100)
            assert house.moves(hand) == ["1 timeout"]
            house.do("anna pause off loss")
            house.wait(DAY_S)
        else:
            house.wait(100)
            raised += house.moves(hand) == ["1 raise"]
        house.do("insp grant anna 200 to go on", sure=True)
    assert raised


def test_a_limit_that_a_bet_and_its_raise_fit_lets_the_order_raise(house):
    house.do("anna standing raise-pairs")
    house.do("anna pause loss 150")
    for _ in range(20):
        house.wait(DAY_S)
        house.do("insp grant anna 200 to go on", sure=True)
        house.deal("anna bet 50")
        hand = house.table().round.hand_id
        house.wait(100)
        if house.moves(hand) == ["1 raise"]:
            return
    raise AssertionError("no pair in twenty hands")


def test_losses_of_this_very_moment_count(house):
    """A fold and a bet may come together, before either is written."""
    house.do("anna pause loss 150")
    house.deal("anna bet 50")
    answers = house.batch([house.command("anna fold"), house.command("anna bet 40")])
    assert [answer.refused for answer in answers] == [False, True]
    answers = house.batch([house.command("anna bet 30")])
    assert not answers[0].refused


def seated(house, *limits, chips=80):
    """A table of stud with anna, bea and cat, dealt after anna's own settings."""
    for name in ("anna", "bea", "cat"):
        assert not house.do(f"{name} buyin {chips}", table=STUD).refused
    for limit in limits:
        house.do(f"anna pause {limit}", table=STUD)
    house.wait(8)
    return house.table(STUD)


def test_the_next_hand_of_stud_puts_no_more_in_play_than_the_limit_leaves(house):
    table = seated(house, "loss 30", chips=320)
    stacks = {stake.player: stake.stack for stake in table.round.hand.deal.stakes}
    assert stacks[f"p{house.player('anna')}"] == 3000
    assert stacks[f"p{house.player('bea')}"] == 32_000


def test_who_has_no_bet_left_to_lose_sits_out_of_stud(house):
    table = seated(house, "loss 5", chips=320)
    anna = house.player("anna")
    assert anna not in table.owners().values()
    assert anna in table.memory.out
    assert "limit of 5 today" in house.says("anna back", table=STUD)
    assert not house.do("anna leave", table=STUD).refused
    assert house.chips("anna") == 100_000


def test_who_has_played_as_long_as_they_wanted_is_dealt_into_no_further_hand_of_stud(house):
    lose(house, "anna", 10)
    table = seated(house, "minutes 5")
    assert house.player("anna") not in table.owners().values()
    assert house.says("anna back", table=STUD) == "You have reached your time limit for today."


def test_a_stack_is_at_risk_as_a_whole(house):
    house.do("anna pause loss 100")
    assert "limit of 100 today" in house.says("anna buyin 200", table=STUD)
    assert not house.do("anna buyin 80", table=STUD).refused
    assert "limit of 100 today" in house.says("anna bet 1 30", table=BLACKJACK)
    assert not house.do("anna bet 1 20", table=BLACKJACK).refused


def test_the_time_of_a_day_has_its_limit(house):
    house.do("anna pause minutes 10")
    for _ in range(2):
        lose(house, "anna", 10)
        house.wait(300)
    assert house.says("anna bet 10") == "You have reached your time limit for today."
    house.wait(DAY_S)
    assert not house.do("anna bet 10").refused


@pytest.mark.parametrize("line", ["loss", "loss x", "loss -5", "loss 0", "minutes", "minutes 0", "minutes x", "off"])
def test_a_limit_that_is_none_is_refused(house, no_errors, line):
    assert house.do(f"anna pause {line}").refused


def test_nobody_else_is_told_of_limits(house):
    house.do("anna pause loss 33")
    house.do("anna pause 3", sure=True)
    for line in ("audit", "audit anna", "export", "tables", "table list", "leaderboard", "casino show"):
        answer = house.do(f"insp {line}")
        told = " ".join(map(str, answer.texts)) + str(answer.file)
        assert "pause" not in told
        assert "33" not in told.replace("-33", "")


def play_for(house, minutes, line="rebet"):
    """Bet every ten minutes; return the answers."""
    answers = []
    for _ in range(minutes // 10):
        house.wait(600 - 20)
        answers.append(house.says(f"anna {line}"))
        house.wait(20)
        house.do("anna fold")
    return answers


def test_a_quiet_word_after_each_hour_of_play(house):
    lose(house, "anna", 10)
    answers = play_for(house, 120)
    reminded = [n for n, answer in enumerate(answers, start=1) if "playing for an hour" in answer]
    assert reminded == [6, 12]


def test_who_rested_begins_anew(house):
    lose(house, "anna", 10)
    play_for(house, 40)
    house.wait(HOUR_S)
    assert not any("an hour" in answer for answer in play_for(house, 60))


def test_the_quiet_word_can_be_switched_off_and_on(house):
    assert house.says("anna pause quiet") == "Reminders are off."
    lose(house, "anna", 10)
    assert not any("an hour" in answer for answer in play_for(house, 120))
    assert house.says("anna pause quiet") == "Hourly play reminders are on again."
    assert any("an hour" in answer for answer in play_for(house, 120))
