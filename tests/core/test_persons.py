"""Players with accounts on several platforms: what a link joins, what it never creates, and what stays apart after
it.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.communities import (
    DAY_S,
    casino_at,
    command,
    do,
    found,
    link,
    link_as_once,
    minted,
    player,
    says,
    table_at,
    unlink,
    wallet,
)
from tests.core.conftest import House
from tests.disk import ask

HERE, THERE = "discord:1", "telegram:1"
ANNA, BEPPE = f"anna@{HERE}", f"beppe@{THERE}"


@pytest.fixture
def town(house):
    """A Discord server whose casino a Telegram group has joined; anna came first, then beppe."""
    casino = found(house, HERE, "caribbean")
    found(house, THERE)
    join(house)
    do(house, "anna balance", HERE)
    house.wait(1)
    do(house, "beppe balance", THERE)
    assert casino_at(house, THERE) == casino
    return house


def join(house, here=HERE, there=THERE):
    code = says(house, "insp house code", here).split()[3].rstrip(".")
    assert not do(house, f"insp2 house join {code}", there, sure=True).refused


def play(house, name, at, bet=50):
    """Play one hand and fold: the ante is lost."""
    assert not do(house, f"{name} bet {bet}", at).refused
    house.wait(20)
    do(house, f"{name} fold", at)


def test_a_code_joins_two_accounts_and_asks_once_what_would_happen(town):
    code = says(town, "anna link", HERE).split()[3].rstrip(".")
    asked = do(town, f"beppe link {code}", THERE)
    assert asked.confirm
    assert "The start and daily chips of “beppe” return to the bank." in str(asked.texts[0])
    assert says(town, f"beppe link {code.lower()}", THERE, sure=True).endswith("linked: one wallet for both.")
    assert player(town, BEPPE) == player(town, ANNA)
    assert says(town, "beppe balance", THERE) == "You have 1,000 chips."


def test_a_code_lasts_ten_minutes_and_serves_once(town):
    code = says(town, "anna link", HERE).split()[3].rstrip(".")
    town.wait(601)
    assert "older than ten minutes" in says(town, f"beppe link {code}", THERE, sure=True)
    code = says(town, "anna link", HERE).split()[3].rstrip(".")
    town.wait(600)
    assert not do(town, f"beppe link {code}", THERE, sure=True).refused
    assert "is wrong or older" in says(town, f"cat link {code}", THERE, sure=True)


def test_a_new_code_makes_the_old_one_void_and_ones_own_code_joins_nothing(town):
    old = says(town, "anna link", HERE).split()[3].rstrip(".")
    new = says(town, "anna link", HERE).split()[3].rstrip(".")
    assert do(town, f"beppe link {old}", THERE, sure=True).refused
    assert "for your other account" in says(town, f"anna link {new}", HERE, sure=True)


def test_an_old_code_is_void_in_the_batch_of_the_new_one_too(town):
    old = says(town, "anna link", HERE).split()[3].rstrip(".")
    town.wait(1)
    _new, joined = town.batch(
        [command(town, "anna link", HERE), command(town, f"beppe link {old}", THERE, sure=True)],
    )
    assert "is wrong or older" in str(joined.texts[0])


@pytest.mark.parametrize("code", ["", "x", "' OR 1", "9" * 900])
def test_a_code_that_nobody_gave_joins_nothing(town, code):
    assert do(town, f"beppe link {code or '?'}", THERE, sure=True).refused


def test_an_account_whose_first_word_is_the_code_is_linked_too(town):
    """The account is new when it is linked: its starting chips go back, and it becomes the person's."""
    casino = casino_at(town, HERE)
    before = minted(town, casino)
    assert not link(town, ANNA, f"new@{THERE}").refused
    assert player(town, f"new@{THERE}") == player(town, ANNA)
    assert (wallet(town, ANNA), minted(town, casino)) == (100_000, before)
    town.restart()
    assert says(town, "new balance", THERE) == "You have 1,000 chips."


def test_an_inspector_corrects_no_hand_of_an_account_that_is_or_was_theirs(town):
    link(town, ANNA, BEPPE)
    do(town, "dan balance", HERE)
    assert not do(town, "insp2 table open caribbean", THERE).refused
    town.wait(86_400)
    assert not do(town, "beppe unlink", THERE, sure=True).refused
    do(town, "beppe balance", THERE)
    name = town.writer.state.players[player(town, BEPPE)].own_name
    assert not do(town, f"insp grant {name} 200 why", HERE, sure=True).refused
    play(town, "beppe", THERE)
    assert player(town, ANNA) != player(town, BEPPE)
    line = f"adjust {table_at(town, THERE).last_hand} dan 50 why"
    assert do(town, f"anna {line}", HERE, inspector=True).clause == "CS27"
    assert not do(town, f"insp {line}", HERE, sure=True).refused


def test_start_and_daily_chips_of_the_younger_go_back_and_what_they_won_goes_over(town):
    casino = casino_at(town, HERE)
    do(town, "beppe daily", THERE)
    do(town, "insp grant beppe 70 a prize", HERE, sure=True)
    town.wait(DAY_S)
    before = minted(town, casino)
    link(town, ANNA, BEPPE)
    assert wallet(town, ANNA) == 107_000
    assert minted(town, casino) == before - 120_000


def test_what_the_younger_lost_of_the_houses_chips_the_older_pays_as_they_are_told_first(town):
    casino = casino_at(town, HERE)
    do(town, "beppe daily", THERE)
    do(town, "insp take beppe 900 a fine", HERE, sure=True)
    code, before = says(town, "anna link", HERE).split()[3].rstrip("."), minted(town, casino)
    asked = says(town, f"beppe link {code}", THERE)
    assert "return to the bank. 900 of them are already lost and charged to “anna”." in asked
    assert not do(town, f"beppe link {code}", THERE, sure=True).refused
    assert wallet(town, ANNA) == 10_000
    assert minted(town, casino) == before - 120_000  # everything the casino ever gave to the second account
    assert "-900 · Lost bank chips of a linked account repaid" in says(town, "anna statement", HERE)


def test_what_the_older_cannot_pay_at_once_comes_off_their_daily_chips(town):
    for name in ("anna", "beppe"):
        do(town, f"insp take {name} 850 a fine", HERE, sure=True)
    link(town, ANNA, BEPPE)
    assert says(town, "anna balance", HERE) == (
        "You have 0 chips. | You owe the casino 700. It will be taken from your next daily chips."
    )
    for left in (500, 300, 100):
        paid = f"200 of today's 200 chips go to your accounts' debt; {left} is left. You have 0."
        assert says(town, "anna daily", HERE) == paid
        town.wait(DAY_S)
    assert says(town, "anna daily", HERE).startswith("100 of today's 200 chips go to your accounts' debt")
    town.wait(DAY_S)
    assert says(town, "anna daily", HERE) == "200 chips for today. You have 300."


def test_a_debt_ends_with_the_season(town):
    for name in ("anna", "beppe"):
        do(town, f"insp take {name} 850 a fine", HERE, sure=True)
    link(town, ANNA, BEPPE)
    do(town, "insp house reset spring", HERE, sure=True)
    assert says(town, "anna balance", HERE) == "You have 1,000 chips."


def test_what_the_younger_won_comes_over_as_fast_as_gifts_may(town):
    do(town, "insp grant beppe 4500 a prize", HERE, sure=True)
    code = says(town, "anna link", HERE).split()[3].rstrip(".")
    assert "The 4,500 won on top follow within the daily gift limit." in says(town, f"beppe link {code}", THERE)
    link(town, ANNA, BEPPE)
    waiting = "4,500 more come from your linked account, at most 2,000 a day."
    assert says(town, "anna balance", HERE) == f"You have 1,000 chips. | {waiting}"
    assert "less than 2,000" in says(town, "anna daily", HERE)
    town.wait(DAY_S)
    assert says(town, "beppe balance", THERE).startswith("You have 3,000 chips. | 2,500 more")
    do(town, "gino balance", HERE)
    town.wait(DAY_S)
    # Transferred chips count as gifts.
    assert says(town, "anna balance", HERE).startswith("You have 5,000 chips. | 500 more")
    assert says(town, "gino give anna 5", HERE) == "anna can still receive 0 chips today."
    town.restart()
    town.wait(DAY_S)
    assert says(town, "gino give anna 500", HERE) == "You gave 500 to anna. You have 500."
    assert says(town, "anna balance", HERE) == "You have 6,000 chips."
    assert "From your linked account" not in says(
        town, "anna statement", HERE
    )  # transfers between wallets of one player are left out


def test_what_still_waits_ends_with_the_season_too(town):
    do(town, "insp grant beppe 4500 a prize", HERE, sure=True)
    link(town, ANNA, BEPPE)
    do(town, "insp house reset spring", HERE, sure=True)
    town.wait(DAY_S)
    assert says(town, "anna balance", HERE) == "You have 1,000 chips."


@pytest.mark.parametrize("at", [HERE, THERE])
def test_a_person_links_one_account_of_each_platform(town, at):
    do(town, "carla balance", at)
    told = "Both accounts are on the same platform. You can link one of each."
    (name, where) = ("anna", HERE) if at == HERE else ("beppe", THERE)
    assert str(link(town, f"{name}@{where}", f"carla@{at}").texts[0]) == told
    assert not link(town, ANNA, BEPPE).refused
    assert str(link(town, ANNA, f"carla@{at}").texts[0]) == told


def test_accounts_of_one_platform_that_were_linked_once_stay_so(town):
    do(town, "carla balance", HERE)
    link_as_once(town, ANNA, f"carla@{HERE}")
    assert player(town, ANNA) == player(town, f"carla@{HERE}")
    assert not link(town, ANNA, BEPPE).refused
    assert not unlink(town, f"carla@{HERE}").refused


def test_a_link_lasts_a_day(town):
    link(town, ANNA, BEPPE)
    assert says(town, "beppe unlink", THERE, sure=True) == "You can undo a link in 24 h, once it is a day old."
    town.wait(DAY_S - 3600)
    assert says(town, "anna unlink", HERE, sure=True) == "You can undo a link in 1 h, once it is a day old."
    town.wait(3600)
    assert not do(town, "beppe unlink", THERE, sure=True).refused


def test_the_start_of_a_new_season_is_the_houses_too(town):
    do(town, "insp grant beppe 70 a prize", HERE, sure=True)
    do(town, "insp house reset spring", HERE, sure=True)
    link(town, ANNA, BEPPE)
    town.wait(DAY_S)
    assert says(town, "anna balance", HERE) == "You have 1,000 chips."


def test_where_only_the_younger_has_played_their_start_is_the_persons_and_still_the_houses(house):
    """Three linked accounts bring one start into the oldest, never two."""
    for at in (HERE, THERE):
        found(house, at)
    join(house)
    for name, at in (("old", THERE), ("mid", "web:1"), ("young", HERE)):
        do(house, f"{name} balance", at)
        house.wait(1)
    link(house, "mid@web:1", f"young@{HERE}")
    assert wallet(house, f"young@{HERE}") == 100_000
    assert player(house, "mid@web:1") == player(house, f"young@{HERE}")
    link(house, f"old@{THERE}", "mid@web:1")
    assert wallet(house, f"old@{THERE}") == 100_000


def test_histories_statistics_and_movements_of_both_are_the_persons(town):
    play(town, "anna", HERE)
    do(town, "insp2 table open caribbean", THERE)
    play(town, "beppe", THERE, bet=20)
    do(town, "beppe leave", THERE)
    link(town, ANNA, BEPPE)
    assert says(town, "beppe history", THERE).count("hand ") == 2
    assert says(town, "anna stats", HERE).startswith("Caribbean Stud: 2 hands, 70 bet, 0 returned")
    assert "Last 2 hands: █▃▁ -70" in says(town, "anna stats", HERE)
    movements = says(town, "anna statement", HERE)
    assert "-20 · Bet" in movements
    assert "-980 · Bank chips of a linked account returned" in movements
    assert says(town, "beppe statement", THERE) == movements


def test_on_leaderboards_and_among_names_the_person_stands_once(town):
    do(town, "insp grant beppe 70 a prize", HERE, sure=True)
    town.wait(DAY_S)
    link(town, ANNA, BEPPE)
    board = says(town, "anna leaderboard", HERE)
    assert "beppe" not in board
    assert "anna: 1,070" in board
    do(town, "insp grant beppe 5 by the old name", HERE, sure=True)
    assert wallet(town, ANNA) == 107_500


def test_the_tighter_limit_the_longer_pause_and_a_ban_hold_for_the_person(town):
    do(town, "anna pause loss 100", HERE)
    town.wait(10)
    do(town, "anna pause loss 500", HERE)  # looser, tomorrow
    do(town, "beppe pause loss 50", THERE)
    do(town, "beppe pause minutes 60", THERE)
    do(town, "beppe pause 3", THERE, sure=True)
    do(town, "insp ban beppe cheating", HERE, sure=True)
    link(town, ANNA, BEPPE)
    assert says(town, "anna pause", HERE).startswith("Loss limit a day: 50 | Time limit a day: 60 minutes")
    assert "has banned you" in says(town, "anna bet 50", HERE)
    do(town, "insp unban anna talked", HERE)
    assert says(town, "anna bet 50", HERE) == "You paused yourself until 1970-01-15 13:46 UTC."
    town.wait(2 * 86400)
    assert "Loss limit a day: 50" in says(town, "anna pause", HERE)


def test_a_limit_that_has_ended_does_not_come_back_with_a_link(town):
    do(town, "beppe pause loss 50", THERE)
    do(town, "beppe pause off loss", THERE)
    town.wait(86400)
    link(town, ANNA, BEPPE)
    assert "Loss limit" not in says(town, "anna pause", HERE)


def test_nobody_is_merged_away_from_a_table(town):
    do(town, "insp table mirror 1", HERE)
    do(town, "insp2 table mirror 1", THERE)
    do(town, "beppe bet 50", THERE)
    assert link(town, ANNA, BEPPE).texts[0].template == "Leave the tables first with “{name}”, then link."
    town.wait(20)
    assert link(town, ANNA, BEPPE).refused
    do(town, "beppe fold", THERE)
    do(town, "beppe leave", THERE)
    assert not link(town, ANNA, BEPPE).refused


def test_a_linked_person_cannot_sit_twice(town):
    do(town, "insp2 table mirror 1", THERE)
    link(town, ANNA, BEPPE)
    do(town, "anna sit 1", HERE)
    assert do(town, "beppe sit 2", THERE).clause == "G9"
    do(town, "beppe bet 50", THERE)
    do(town, "anna bet 20", HERE)
    (bet,) = town.table(casino_table(town)).round.bets
    assert (bet.seat, dict(bet.spots)) == (1, {"ante": 7000})


def casino_table(house):
    return house.writer.state.places["discord", "1"].table_id


def test_unlink_moves_nothing_and_earns_no_start(town):
    casino = casino_at(town, HERE)
    link(town, ANNA, BEPPE)
    before = minted(town, casino)
    town.wait(DAY_S)
    assert do(town, "beppe unlink", THERE).confirm
    do(town, "beppe unlink", THERE, sure=True)
    assert says(town, "beppe balance", THERE) == "You have 0 chips."
    assert (wallet(town, ANNA), minted(town, casino)) == (100_000, before)
    assert says(town, "beppe unlink", THERE) == "This account is not linked to another."
    assert "New players can't send gifts yet" in says(town, "beppe give anna 5", THERE)
    for _ in range(3):
        assert not link(town, ANNA, BEPPE).refused
        assert not unlink(town, BEPPE).refused
        do(town, "beppe balance", THERE)
    assert minted(town, casino) == before


def test_unlink_escapes_neither_a_ban_nor_a_pause_nor_a_limit(town):
    link(town, ANNA, BEPPE)
    do(town, "anna pause loss 50", HERE)
    do(town, "anna pause 7", HERE, sure=True)
    do(town, "insp ban anna cheating", HERE, sure=True)
    assert not unlink(town, BEPPE).refused
    assert "has banned you" in says(town, "beppe daily", THERE)
    assert "Loss limit a day: 50" in says(town, "beppe pause", THERE)
    assert not do(town, "insp unban beppe talked", HERE).refused
    do(town, "insp2 table mirror 1", THERE)
    assert "You paused yourself" in says(town, "beppe bet 10", THERE)


def test_G9_two_accounts_that_were_one_person_play_at_no_table_together(town):
    do(town, "insp2 table mirror 1", THERE)
    link(town, ANNA, BEPPE)
    assert not unlink(town, BEPPE).refused
    do(town, "anna sit", HERE)
    for line in ("sit", "bet 10"):
        answer = do(town, f"beppe {line}", THERE)
        assert (answer.clause, str(answer.texts[0])) == (
            "G9",
            ("You are already playing at this table with another account."),
        )
    do(town, "anna leave", HERE)
    assert not do(town, "beppe sit", THERE).refused
    assert do(town, "anna bet 10", HERE).clause == "G9"


def test_unlink_brings_no_second_daily_chips_of_a_day(town):
    link(town, ANNA, BEPPE)
    town.wait(DAY_S)
    do(town, "anna daily", HERE)
    do(town, "beppe unlink", THERE, sure=True)
    assert says(town, "beppe daily", THERE) == "Your next daily chips are ready in 20 h."
    town.wait(20 * 3600)
    assert not do(town, "beppe daily", THERE).refused
    assert do(town, "anna daily", HERE).refused


def test_unlink_sheds_neither_the_loss_nor_the_time_of_the_day(town):
    do(town, "insp2 table open caribbean", THERE)
    link(town, ANNA, BEPPE)
    town.wait(DAY_S)
    do(town, "anna pause loss 170", HERE)
    play(town, "anna", HERE)
    do(town, "beppe unlink", THERE, sure=True)
    do(town, "beppe balance", THERE)
    do(town, "insp grant beppe 500 to play", HERE, sure=True)
    refusal = "With that bet you could lose more than your limit of 170 today."
    assert says(town, "beppe bet 130", THERE, sure=True) == refusal
    assert says(town, "beppe bet 45", THERE).startswith("The raise that may follow costs 90")
    assert not do(town, "beppe bet 40", THERE).refused
    # Bets of one account count for the other too, with the raise that must follow.
    assert says(town, "anna bet 10", HERE) == refusal
    do(town, "beppe takeback", THERE)
    play(town, "beppe", THERE, 40)
    for name, at in (("anna", HERE), ("beppe", THERE)):
        do(town, f"{name} pause loss 90", at)
        assert says(town, f"{name} bet 10", at) == "You have reached your loss limit for today."
    town.wait(86400)
    assert not do(town, "anna bet 10", HERE).refused


def test_a_time_limit_is_shed_neither_by_unlink_nor_by_linking_to_a_third_account(town):
    do(town, "insp2 table mirror 1", THERE)
    do(town, "carla balance", THERE)
    town.wait(1)
    do(town, "new balance", HERE)
    link(town, f"carla@{THERE}", f"new@{HERE}")
    town.wait(DAY_S)
    play(town, "new", HERE)
    do(town, "new leave", HERE)
    do(town, "new unlink", HERE, sure=True)
    # The unlinked account joins an older one, which is carla from now on as well.
    link(town, BEPPE, f"new@{HERE}")
    do(town, "beppe pause minutes 5", THERE)
    assert says(town, "beppe bet 10", THERE) == "You have reached your time limit for today."


LINES = st.sampled_from(
    ["daily", "bet 10", "takeback", "give anna 30", "give beppe 20", "unlink", "balance", "bet 20 jackpot", "fold"]
)
NAMES = st.sampled_from(["anna@discord:1", "beppe@telegram:1", "carla@telegram:1"])


@pytest.mark.long
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.one_of(st.tuples(NAMES, LINES), st.tuples(NAMES, NAMES)), max_size=12))
def test_links_in_any_order_repeated_and_undone_neither_make_nor_lose_a_chip(tmp_path_factory, steps):
    house = House(tmp_path_factory.mktemp("persons"))
    try:
        casino = found(house, HERE, "caribbean")
        found(house, THERE)
        join(house)
        do(house, "insp2 table mirror 1", THERE)
        for who, said in steps:
            name, at = who.split("@")
            before, held = minted(house, casino), held_outside_the_mint(house, casino)
            link(house, who, said) if "@" in said else do(house, f"{name} {said}", at, sure=True)
            house.wait(1)
            assert sum(house.balances().values()) == 0
            assert held_outside_the_mint(house, casino) - held == minted(house, casino) - before
        count = "SELECT count(*) FROM postings WHERE why = 'start' AND debit = ?"
        ((starts,),) = ask(house.books, count, f"mint:{casino}")
        assert starts <= 5  # three people and two inspectors, each once, whatever is linked and unlinked
        assert house.faults() == []
    finally:
        house.close()


def held_outside_the_mint(house, casino):
    return sum(amount for name, amount in house.balances().items() if name != f"mint:{casino}")


def test_a_link_whose_commit_fails_changes_nothing_and_succeeds_when_it_is_said_again(town):
    do(town, "insp grant beppe 70 a prize", HERE, sure=True)
    town.wait(DAY_S)
    before = town.balances()
    with town.refusing("postings", "new.why = 'linked'"):
        answer = link(town, ANNA, BEPPE)
    assert "Nothing has changed" in str(answer.texts[0])
    assert town.balances() == before
    assert player(town, ANNA) != player(town, BEPPE)
    town.restart()
    assert not link(town, ANNA, BEPPE).refused
    assert wallet(town, ANNA) == 107_000
