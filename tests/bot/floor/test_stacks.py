"""Stud's cash game: stacks, the button, sitting out, the waiting list, and no way to dump chips (SH1, SH14, SH15)."""

import pytest

from bot.floor.knowing import may_show
from bot.texts import say_amount
from storage.rows import HandRow
from tests.bot.floor.communities import do, found, says

SH = 5
HOUR_S, DAY_S = 3600, 86400


def sh(house, line, **more):
    return house.do(line, table=SH, **more)


def told(house, line):
    return house.says(line, table=SH)


def table(house):
    return house.table(SH)


def stack(house, name):
    return house.books.balance(f"stack:{SH}:{house.player(name)}")


def sit(house, *names, chips=80):
    for name in names:
        assert not (answer := sh(house, f"{name} buyin {chips}")).refused, answer
    house.wait(8)
    return table(house).play


def turn(house):
    """(name, words) of who acts now."""
    ((seat, offers),) = table(house).play.asks.items()
    return house.pit.floor.house.player(table(house).owners()[seat]).name, [offer.word for offer in offers]


def play(house, words=("check", "call", "bring-in"), *, hands=1):
    """Everybody says the first of `words` that he is offered, until so many hands are over."""
    first = table(house).hand_id
    while hands:
        if table(house).play is None:
            house.wait(8)
            if table(house).play is None:
                return
        name, offered = turn(house)
        word = next((word for word in (*words, "check", "fold", "bring-in") if word in offered), offered[0])
        assert not (answer := sh(house, f"{name} {word}")).refused, (answer, offered)
        if table(house).hand_id != first:
            first, hands = table(house).hand_id, hands - 1


# Stacks (SH1)


@pytest.mark.parametrize(("amount", "fits"), [("79", False), ("80", True), ("800", True), ("801", False), ("x", False)])
def test_SH1_a_stack_is_ten_to_a_hundred_big_bets(house, no_errors, amount, fits):
    assert sh(house, f"anna buyin {amount}").refused is not fits
    assert stack(house, "anna") == (int(amount) * 100 if fits else 0) if house.player("anna") else not fits


def test_SH1_the_chips_of_a_stack_lie_in_their_own_account_and_come_back_with_who_leaves(house):
    assert told(house, "anna sit 3") == "You have seat 3 and a stack of 320."
    assert (house.chips("anna"), stack(house, "anna")) == (68_000, 32_000)
    assert house.says("anna daily").startswith("200 chips")
    assert told(house, "anna leave") == "You left the table. You have 1,200."
    assert stack(house, "anna") == 0
    assert told(house, "anna leave") == "You have no seat at this table."


def test_SH1_top_up_between_hands_up_to_the_most(house):
    assert sh(house, "anna topup 100").clause == "SH1"
    hand = sit(house, "anna", "bea")
    assert hand is not None
    assert "Table stakes" in told(house, "anna topup 100")
    play(house)
    assert not sh(house, "anna topup 100").refused
    assert "A stack holds at most 800." in told(house, "anna topup 790")
    assert "The smallest chip here" in (sh(house, "insp table set unit 1 why") and told(house, "anna topup 10.50"))


def test_SH1_who_comes_back_within_an_hour_brings_what_he_left_with(house):
    sit(house, "anna", chips=500)
    sh(house, "anna leave")
    answer = sh(house, "anna buyin 80")
    assert (answer.clause, str(answer.texts[0])) == ("SH1", "You left with 500 within the hour: bring at least that.")
    house.restart()
    assert told(house, "anna sit") == "You have seat 1 and a stack of 500."
    sh(house, "anna leave")
    house.wait(HOUR_S)
    assert not sh(house, "anna buyin 80").refused


def test_SH1_whom_the_house_keeps_from_gifts_does_not_sit(house):
    found(house, "discord:1", "stud")
    do(house, "anna balance", "discord:1")
    assert "been here for a day" in says(house, "anna buyin 80", "discord:1")
    house.wait(DAY_S)
    assert not do(house, "anna buyin 80", "discord:1").refused


def test_SH1_what_is_lost_to_another_in_a_day_counts_as_a_gift(house):
    casino = house.pit.floor.house.casinos[1]
    house.pit.floor.house.casinos[1] = casino.change(give_after_s=0, give_a_day=50_00)
    sit(house, "anna", "bea")
    while not house.books.select("SELECT 1 FROM results WHERE wagered - returned > 0 AND game = 'stud'"):
        play(house, ("complete", "raise", "bet", "call"))
    ((loser, lost),) = house.books.select(
        "SELECT player, sum(wagered - returned) AS lost FROM results GROUP BY player HAVING lost > 0"
    )
    name = house.pit.floor.house.player(loser).name
    other = {"anna": "bea", "bea": "anna"}[name]
    if lost >= 5000:
        assert "all that one may in a day" in told(house, f"{name} topup 80")
    assert house.says(f"{name} give {other} 50") == f"You may still give {say_amount(5000 - lost, 'en')} chips today."


def test_SH1_a_void_hand_is_no_gift(house):
    sit(house, "anna", "bea")
    name, _words = turn(house)
    sh(house, f"{name} bring-in")
    house.do(f"insp void {table(house).hand_id} a fault", sure=True)
    assert (stack(house, "anna"), stack(house, "bea")) == (8000, 8000)
    for one in ("anna", "bea"):
        member = house.pit.floor.house.member(1, house.player(one))
        assert member.state.get("given", [0, 0])[1] == 0


# Hands


def test_two_players_with_stacks_start_the_next_hand_and_one_alone_waits(house):
    sh(house, "anna buyin 80")
    house.wait(HOUR_S)
    assert table(house).phase == "asleep"
    assert sit(house, "bea") is not None
    assert table(house).owners() == {"1": house.player("anna"), "2": house.player("bea")}


def test_SH15_the_button_moves_one_seat_to_the_left_each_hand(house):
    sit(house, "anna", "bea", "cat")
    buttons = []
    for _ in range(4):
        buttons.append(table(house).memory["button"])
        assert table(house).play.deal.stakes[-1].seat == buttons[-1]  # dealt last
        play(house, ("fold", "check"))
        house.wait(8)
    assert buttons == [1, 2, 3, 1]


def test_every_chip_of_a_hand_stays_with_the_players(house):
    sit(house, "anna", "bea", "cat")
    for _ in range(5):
        play(house, ("complete", "bet", "call", "check"))
        assert sum(stack(house, name) for name in ("anna", "bea", "cat")) == 24_000
        house.wait(8)
    assert house.balances()["bank:1"] == -1_000_000


def test_a_paused_table_deals_no_hand_however_long_it_takes(house):
    sit(house, "anna", "bea")
    sh(house, "insp table pause a storm")
    play(house, ("fold", "check"))
    house.wait(DAY_S)
    assert table(house).play is None
    assert table(house).phase == "paused"
    sh(house, "insp table resume")
    house.wait(8)
    assert table(house).phase == "playing"


def test_a_table_that_closes_gives_every_stack_back(house):
    sit(house, "anna", "bea")
    sh(house, "insp table close tired", sure=True)
    play(house, ("fold", "check"))
    assert (stack(house, "anna"), stack(house, "bea")) == (0, 0)
    assert house.chips("anna") + house.chips("bea") == 200_000


# Sitting out (SH14)


def test_SH14_two_hands_in_a_row_that_time_out_sit_a_player_out_and_ten_missed_stand_him_up(house):
    sit(house, "anna", "bea", "cat")
    anna = house.player("anna")

    def hand():
        """bea and cat play; anna's clock runs out."""
        while table(house).play is not None:
            name, words = turn(house)
            if name == "anna":
                house.wait(70)
            else:
                word = next(one for one in ("check", "bring-in", "call", "complete", "fold") if one in words)
                sh(house, f"{name} {word}")
        house.wait(8)

    hand()
    assert anna in table(house).owners().values()
    hand()
    assert anna not in table(house).owners().values()
    assert table(house).seat_of(anna) == 1
    for missed in range(1, 11):
        assert table(house).seat_of(anna) == 1, missed
        play(house, ("fold", "check"))
        house.wait(8)
    assert table(house).seat_of(anna) is None
    assert stack(house, "anna") == 0


def test_SH14_back_deals_him_in_again_and_counts_anew(house):
    sit(house, "anna", "bea", "cat")
    assert told(house, "anna sitout") == "You sit out from the next hand; /back deals you in again."
    play(house, ("fold", "check"))
    for _ in range(3):
        house.wait(8)
        assert house.player("anna") not in table(house).owners().values()
        play(house, ("fold", "check"))
    assert told(house, "anna back") == "You are dealt in from the next hand."
    house.wait(8)
    assert house.player("anna") in table(house).owners().values()
    assert table(house).memory["missed"][str(house.player("anna"))] == 0


def test_who_leaves_in_the_middle_of_a_hand_plays_it_and_goes_when_it_is_over(house):
    sit(house, "anna", "bea", "cat")
    assert told(house, "anna leave") == "You leave when this hand is over."
    assert table(house).seat_of(house.player("anna")) == 1
    play(house, ("fold", "check"))
    assert table(house).seat_of(house.player("anna")) is None
    assert stack(house, "anna") == 0


# The waiting list


def fill(house):
    for number in range(8):
        assert not sh(house, f"p{number} buyin 80").refused


def test_a_full_table_has_a_waiting_list_that_is_kept(house):
    fill(house)
    assert told(house, "anna buyin 80") == "All seats are taken; you are on the waiting list."
    assert told(house, "bea buyin 80") == "All seats are taken; you are on the waiting list."
    assert told(house, "anna buyin 80") == "All seats are taken; you are on the waiting list."
    sh(house, "p0 leave")
    house.restart()
    for name in ("bea", "cat"):
        assert told(house, f"{name} buyin 80") == "Others wait for that seat; you are on the waiting list."
    assert told(house, "anna buyin 80") == "You have seat 1 and a stack of 80."
    assert table(house).memory["waiting"] == [house.player("bea"), house.player("cat")]


def test_who_does_not_come_within_a_minute_shares_the_seat_with_the_next(house):
    fill(house)
    sh(house, "anna buyin 80")
    sh(house, "bea buyin 80")
    sh(house, "p0 leave")
    house.wait(59)
    while table(house).play is not None:
        house.wait(1)
    assert not sh(house, "bea buyin 80").refused
    house.wait(60)


def test_who_waits_may_go(house):
    fill(house)
    sh(house, "anna buyin 80")
    assert told(house, "anna leave") == "You wait no more."
    assert table(house).memory["waiting"] == []


@pytest.mark.parametrize("line", ["buyin 80", "topup 80", "sitout", "back"])
def test_other_games_have_no_stacks(house, line):
    assert house.says(f"anna {line}") == "Stacks are for 7 Card Stud; here you bet with /bet."


# What is shown later (option `reveal_after`)


def finish(house):
    """A hand of stud, played to its end. Returns its number."""
    sit(house, "anna", "bea", chips=320)
    hand = table(house).hand_id
    play(house)
    return hand


def test_the_record_of_a_hand_is_shown_a_day_later(house):
    hand = finish(house)
    house.wait(DAY_S - 1)
    assert sh(house, f"anna verify {hand}").refused
    house.wait(1)
    assert "reveal_after" not in sh(house, f"anna verify {hand}").file[1]


@pytest.mark.parametrize(("hours", "waits_s"), [(0, 0), (1, HOUR_S), (168, 168 * HOUR_S)])
def test_reveal_after_is_an_option_of_the_table(house, hours, waits_s):
    assert told(house, f"insp table set reveal_after {hours} we agreed") == f"reveal_after is now {hours}."
    assert f"reveal_after: {hours}" in told(house, "insp table list")
    hand = finish(house)
    row = house.books.first(HandRow, "WHERE id = ?", hand)
    assert not may_show(row, row.closed + waits_s - 1)
    assert may_show(row, row.closed + waits_s)


def test_a_later_change_of_reveal_after_reveals_nothing_early(house):
    hand = finish(house)
    for name in ("anna", "bea"):
        sh(house, f"{name} leave")
    if table(house).play is not None:
        play(house)
    assert not sh(house, "insp table set reveal_after 0 curious").refused
    assert sh(house, f"anna verify {hand}").refused
    house.restart()
    assert sh(house, f"anna verify {hand}").refused


@pytest.mark.parametrize("value", ["-1", "169", "x", ""])
def test_reveal_after_is_a_week_at_most(house, no_errors, value):
    assert sh(house, f"insp table set reveal_after {value}").refused


def test_only_stud_has_reveal_after(house):
    assert "no option reveal_after" in house.says("insp table set reveal_after 0 why")
    assert "reveal_after" not in house.says("insp table list")
