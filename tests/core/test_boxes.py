"""Black jack's boxes: holders and bets behind, cuts by the limits, and the shoe."""

import json

import pytest

from bot.core.commands.stages import STAGES
from bot.view.build import screen
from engine.events import Dealt
from engine.fairness.commitment import commit_to
from engine.hand import Hand
from engine.record import play_record
from tests.core.conftest import BLACKJACK, CARIBBEAN
from tests.disk import ask
from tests.verified import holds

BJ = BLACKJACK


def bj(house, line, **more):
    return house.do(line, table=BJ, **more)


def says(house, line):
    return house.says(line, table=BJ)


def table(house):
    return house.table(BJ)


def holder(house, box):
    return table(house).seats.get(box)


def deal(house, *lines):
    """Bet and deal; the first command of a hand too."""
    for line in lines:
        assert not (answer := bj(house, line)).refused, answer
    house.wait(table(house).round.deadline - house.clock.now)
    return table(house).round.hand


def end(house, *, until=None):
    """Let everyone stand and decline insurance, until `until(hand)` holds or the hand is over."""
    names = {house.player(name): name for name in ("anna", "bea", "cat", "dora") if house.player(name)}
    while (hand := table(house).round.hand) is not None and not (until and until(hand)):
        seat, offers = next(iter(hand.asks.items()))
        word = "decline" if any(offer.word == "decline" for offer in offers) else "stand"
        assert not bj(house, f"{names[table(house).owners()[seat]]} {word}").refused
    return table(house).round.hand


def test_BJ3_a_player_holds_several_boxes_up_to_the_tables_number(house):
    for box in (1, 2, 3):
        assert not bj(house, f"anna bet {box} 10").refused
    answer = bj(house, "anna bet 4 10")
    assert (answer.clause, str(answer.texts[0])) == ("BJ3", "Boxes per player at this table: at most 3.")
    assert says(house, "anna sit 5") == "Boxes per player at this table: at most 3."
    assert not bj(house, "bea bet 4 10").refused
    assert not bj(house, "bea bet 1 10").refused  # behind anna's


def test_BJ3_boxes_per_player_is_a_setting_of_the_table(house):
    assert says(house, "insp table set boxes_per_player 2 why") == "Boxes per player: 3 → 2."
    for box in (1, 2):
        assert not bj(house, f"anna bet {box} 10").refused
    assert bj(house, "anna bet 3 10").clause == "BJ3"
    bj(house, "anna takeback")
    for value in ("0", "8", "x"):
        line = f"insp table set boxes_per_player {value} why"
        assert "Boxes per player must be a number from 1 to 7." in says(house, line)
    assert "no option called boxes_per_player" in house.says("insp table set boxes_per_player 2 why", table=CARIBBEAN)


def test_BJ3_of_two_on_a_free_box_the_higher_bet_holds_it_when_bets_close(house):
    deal(house, "anna bet 1 10", "bea bet 1 20")
    assert holder(house, 1) == house.player("bea")
    assert table(house).owners() == {"1": house.player("bea"), f"1/p{house.player('anna')}": house.player("anna")}


def test_BJ3_equal_bets_the_first_holds_it_however_their_bet_grew(house):
    deal(house, "anna bet 1 10", "bea bet 1 20", "anna bet 1 10")
    assert holder(house, 1) == house.player("anna")


def test_BJ3_to_sit_reserves_nothing_for_others_money_but_the_box(house):
    bj(house, "anna sit 1")
    assert bj(house, "bea sit 1").clause == "BJ3"
    deal(house, "bea bet 1 100", "anna bet 1 10")
    assert holder(house, 1) == house.player("anna")
    assert table(house).owners()["1"] == house.player("anna")


def test_BJ4_on_an_open_box_the_highest_bet_decides_and_after_three_idle_hands_it_is_lost(house):
    bj(house, "anna sit 1")
    for hand in (1, 2, 3):
        deal(house, "bea bet 1 10", "cat bet 1 20")
        assert table(house).owners()["1"] == house.player("cat")
        assert (holder(house, 1) == house.player("anna")) == (hand < 3)
        end(house)
    deal(house, "bea bet 1 10", "cat bet 1 20")
    assert holder(house, 1) == house.player("cat")


def test_BJ4_a_hand_that_they_play_counts_the_idle_ones_anew(house):
    bj(house, "anna sit 1")
    for lines in (["bea bet 1 10"], ["bea bet 1 10"], ["anna bet 1 10"], ["bea bet 1 10"], ["bea bet 1 10"]):
        deal(house, *lines)
        end(house)
        assert holder(house, 1) == house.player("anna")
    deal(house, "bea bet 1 10")
    assert holder(house, 1) is None


def test_BJ4_who_takes_a_box_over_does_not_inherit_its_idle_hands(house):
    bj(house, "anna sit 1")
    for _ in range(2):
        deal(house, "bea bet 2 10")
        end(house)
    bj(house, "anna leave")
    bj(house, "cat sit 1")
    deal(house, "bea bet 2 10")
    assert holder(house, 1) == house.player("cat")


def test_BJ5_who_was_refused_holds_no_box_and_may_bet_behind(house):
    bj(house, "anna sit 1")
    bj(house, "bea bet 2 10")
    assert not bj(house, "insp table refuse bea plays for others").refused
    assert holder(house, 2) is None
    for line in ("bea sit 3", "bea bet 3 10"):
        assert bj(house, line).clause == "BJ5"
    assert not bj(house, "bea bet 1 50").refused
    bj(house, "anna bet 1 10")
    deal(house, "cat bet 2 10")
    assert table(house).owners()["1"] == house.player("anna")
    assert holder(house, 2) == house.player("cat")
    assert house.do("insp table refuse bea why", table=CARIBBEAN).clause == "BJ5"


def test_BJ5_on_an_open_box_who_was_refused_decides_only_when_nobody_else_is_there(house):
    bj(house, "anna sit 1")
    bj(house, "bea balance")
    bj(house, "insp table refuse bea plays for others")
    deal(house, "bea bet 1 50", "cat bet 1 10")
    assert table(house).owners()["1"] == house.player("cat")


def test_BJ5_who_bets_behind_does_not_decide(house):
    deal(house, "anna bet 1 20", "bea bet 1 10")
    end(house, until=lambda hand: any(offer.word == "stand" for offers in hand.asks.values() for offer in offers))
    if table(house).round.hand is not None:
        assert bj(house, "bea stand").clause == "BJ5"


def find(house, wanted, *lines):
    """Deal hands until the holder of box 1 is offered `wanted`."""

    def is_offered(hand):
        return wanted in [offer.word for offer in hand.asks.get("1", ())]

    for _ in range(60):
        deal(house, *lines)
        if end(house, until=is_offered) is not None:
            return table(house).round.hand
    raise AssertionError(f"no {wanted} in sixty hands")


@pytest.mark.parametrize("word", ["double", "split"])
def test_BJ13_followers_follow_and_who_cannot_pay_stays_before_the_holders_move(house, word):
    for name in ("anna", "bea", "cat"):
        bj(house, f"{name} balance")
        bj(house, f"insp grant {name} 5000 for many hands", sure=True)
    assert "you follow" in says(house, "bea follow on")
    assert "you follow" in says(house, "cat follow")
    find(house, word, "anna bet 1 20", "bea bet 1 10", "cat bet 1 10")
    hand_id = table(house).round.hand_id
    house.do("insp take bea all broke", sure=True)
    cat, anna = house.chips("cat"), house.chips("anna")
    assert not bj(house, f"anna {word}").refused
    played = house.moves(hand_id)
    bea = house.player("bea")
    assert played[-2:] == [f"1/p{bea} stay", f"1 {word}"]
    if table(house).round.hand is not None:
        assert (house.chips("cat"), house.chips("anna")) == (cat - 1000, anna - 2000)
    end(house)
    record = json.loads(house.do(f"anna verify {hand_id}", table=BJ).file[1])
    assert play_record(record)["over"]


@pytest.mark.parametrize("word", ["double", "split"])
def test_BJ13_who_follows_stays_where_they_would_lose_more_than_their_own_limit(house, word):
    for name in ("anna", "bea", "cat"):
        bj(house, f"{name} balance")
        bj(house, f"insp grant {name} 5000 for many hands", sure=True)
        bj(house, f"{name} follow on")
    find(house, word, "anna bet 1 20", "bea bet 1 10", "cat bet 1 10")
    hand_id = table(house).round.hand_id
    losses = {name: lost_today(house, name) for name in ("bea", "cat")}
    assert "Loss limit" in says(house, f"bea pause loss {max(1, losses['bea'] // 100 + 19)}")
    assert "Loss limit" in says(house, f"cat pause loss {max(1, losses['cat'] // 100 + 20)}")
    bea, cat = house.chips("bea"), house.chips("cat")
    assert not bj(house, f"anna {word}").refused
    assert house.moves(hand_id)[-2:] == [f"1/p{house.player('bea')} stay", f"1 {word}"]
    if table(house).round.hand is not None:
        assert (house.chips("bea"), house.chips("cat")) == (bea, cat - 1000)


def lost_today(house, name):
    sql = "SELECT coalesce(sum(wagered - returned), 0) FROM results WHERE player = ? AND at >= ?"
    midnight = house.clock.now // 86400 * 86400
    return ask(house.books, sql, house.player(name), midnight)[0][0]


def test_BJ13_without_follow_nobody_follows(house):
    for name in ("anna", "bea"):
        bj(house, f"{name} balance")
        bj(house, f"insp grant {name} 5000 for many hands", sure=True)
    find(house, "double", "anna bet 1 20", "bea bet 1 10")
    before = house.chips("bea")
    bj(house, "anna double")
    assert f"1/p{house.player('bea')} stay" not in house.moves(table(house).last_hand or table(house).round.hand_id)
    assert house.chips("bea") >= before


def test_BJ2_what_the_maximum_of_a_box_cuts_comes_back_from_the_last(house):
    bj(house, "insp table set maximum 100 why")
    deal(house, "anna bet 1 80", "bea bet 1 50 admiral 10", "cat bet 1 10 admiral 10")
    assert table(house).round.hand.wagered()["1"] == {"main": 8000}
    assert house.chips("anna") == 92_000
    assert house.chips("bea") == 100_000 - 2000 - 1000
    assert house.chips("cat") == 100_000
    assert "30 · Over the limit of the box, returned · hand" in says(house, "bea statement")


def test_BJ17_admiral_jack_stands_beside_a_bet(house):
    assert bj(house, "anna bet admiral 10").clause == "BJ17"
    assert not bj(house, "anna bet 1 20 admiral 10").refused
    bj(house, "anna takeback")
    assert not bj(house, "anna bet 30 admiral 10").refused


def shoe(house, percent):
    assert not bj(house, f"insp table set penetration {percent} why").refused


def one_hand(house, *lines):
    hand_id = table(house).round.hand_id
    deal(house, *lines or ("anna bet 1 10",))
    end(house)
    return hand_id


def test_BJ7_without_penetration_every_hand_has_its_own_commit(house):
    commits = set()
    for _ in range(4):
        commits.add(table(house).round.commit)
        one_hand(house)
    assert len(commits) == 4
    assert bj(house, "anna verify " + str(table(house).last_hand)).file


@pytest.mark.long
def test_BJ7_a_shoe_serves_hands_until_its_part_has_come_out_and_its_seed_is_shown_then(house):
    shoe(house, 10)
    hands: list[Hand] = []
    commit, gone = table(house).round.commit, 0
    assert not bj(house, "anna cut x").refused
    while table(house).round.commit == commit:
        if hands:
            assert bj(house, "anna cut y").clause == "BJ7"
            assert "or the shoe is over" in says(house, f"anna verify {hands[-1]}")
        hands.append(one_hand(house))
        last = table(house).last
        assert last.deal.seed.start == gone  # no card is dealt twice, none is left out
        gone += sum(len(event.cards) for event in last.events if isinstance(event, Dealt))
        house.restart()
    assert len(hands) > 2
    records = [json.loads(bj(house, f"anna verify {hand}").file[1]) for hand in hands]
    assert all(map(holds, records))
    assert {commit_to(record["promise"]) for record in records} == {commit}
    assert {tuple(record["seed"]["cuts"]) for record in records} == {("x",)}
    assert 312 // 10 < gone < 312 // 10 + 20
    assert not bj(house, "anna cut y").refused


def test_BJ7_other_options_end_a_shoe_and_show_its_seed(house):
    shoe(house, 50)
    hand = one_hand(house)
    commit = table(house).round.commit
    assert "or the shoe is over" in says(house, f"anna verify {hand}")
    shoe(house, 0)
    assert table(house).round.commit != commit
    assert bj(house, f"anna verify {hand}").file
    one_hand(house)


def test_BJ7_a_void_hand_ends_the_shoe(house):
    shoe(house, 50)
    one_hand(house)
    commit = table(house).round.commit
    while deal(house, "anna bet 1 10") is None:
        pass
    hand = table(house).round.hand_id
    assert not house.do(f"insp void {hand} why", table=BJ, sure=True).refused
    assert table(house).round.commit != commit


def test_a_closed_table_shows_the_seed_of_its_last_hand(house):
    shoe(house, 50)
    hand = one_hand(house)
    bj(house, "insp table close tired", sure=True)
    assert bj(house, f"anna verify {hand}").file
    house.deal("anna bet 50")
    house.do("insp table close tired", sure=True)
    last = house.table().round.hand_id
    house.do("anna fold")
    assert house.do(f"anna verify {last}").file


@pytest.mark.parametrize(("line", "says_so"), [("decks 8", True), ("decks 9", False), ("decks 0", False)])
def test_decks_are_a_number_and_no_amount(house, line, says_so):
    assert bj(house, f"insp table set {line} why").refused is not says_so
    if says_so:
        deal(house, "anna bet 1 10")
        assert len((table(house).round.hand or table(house).last).deal.deck) == 8 * 52


def test_BJ13_who_plays_their_own_box_and_follows_at_another_has_a_place_for_each_choice(house):
    """Both must choose at once: the button to stop following overlaps no other."""
    for line in ("anna follow on", "anna bet 1 10", "bea bet 2 10", "anna bet 2 10"):
        assert not house.do(line, table=BLACKJACK).refused
    house.wait(21)
    table, anna = house.table(BLACKJACK), house.writer.state.identity("web", "anna")
    shown = screen(house.writer.state, table, anna, house.clock.now)
    verbs = [move.verb for move in shown.moves]
    assert {"stand", "stay"} <= {*verbs}
    slots = STAGES["blackjack"].moves.slots
    assert len({slots[verb] for verb in verbs}) == len(verbs)


def test_a_doubled_bet_is_answered_with_its_price_and_what_it_binds_to(house):
    def may_double(hand):
        return any(offer.word == "double" for offers in hand.asks.values() for offer in offers)

    for _hand in range(20):
        deal(house, "anna bet 1 50", "anna bet 2 50", "anna bet 3 50")
        if end(house, until=may_double) is not None:
            break
    assert says(house, "anna double").startswith("Doubled for 50: one card, then you stand.")
