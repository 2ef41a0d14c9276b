"""Revealing Paiju's cards, and the non-betting coup (PJ12, PJ13)."""

import json

import pytest

from bot.texts import say
from bot.view.build import screen
from bot.view.player_view import hand_on
from engine.cards import HIDDEN
from tests.core.conftest import PAIJU
from tests.disk import ask
from tests.some import some

PJ = PAIJU


def pj(house, line, **more):
    return house.do(line, table=PJ, **more)


def says(house, line):
    return house.says(line, table=PJ)


def table(house):
    return house.table(PJ)


def coup(house, *lines):
    for line in lines:
        assert not (answer := pj(house, line)).refused, answer
    house.wait(table(house).round.deadline - house.clock.now)
    turning = table(house).round.turning.items()
    return {position: house.writer.state.players[who].own_name if who else "" for position, who in turning}


def test_PJ12_the_highest_main_bet_of_who_asked_turns_the_cards(house):
    turning = coup(
        house,
        "anna bet south 20 west 5",
        "bea bet south 10 west 10 north-south 500",
        "anna squeeze",
        "bea squeeze",
    )
    assert turning == {"south": "anna", "west": "bea"}
    shown = [
        say(screen(house.writer.state, table(house), viewer, house.clock.now).headline, "en")
        for viewer in (house.player("anna"), None)
    ]
    assert "it's your turn to reveal the cards (PJ12)" in shown[0]
    assert "waiting for anna, bea to reveal the cards (PJ12)" in shown[1]


def test_PJ12_who_did_not_ask_has_the_dealer_turn_them_and_a_bet_across_two_gives_no_right(house):
    assert coup(house, "anna bet south 20", "bea bet south-west 500 south 10", "bea squeeze") == {}
    assert table(house).phase == "asleep"


def test_PJ12_who_asked_may_take_it_back(house):
    assert "highest" in says(house, "anna squeeze")
    assert pj(house, "anna squeeze").refused
    assert says(house, "anna squeeze off") == "The dealer reveals your cards."
    assert pj(house, "anna squeeze off").refused
    assert coup(house, "anna bet south 20") == {}


EQUALS = ("anna bet south 20", "bea bet south 20 west 5", "cat bet south 10", "anna squeeze", "bea squeeze")


def test_PJ12_of_equal_highest_bets_an_inspector_decides_within_the_turning_time(house):
    assert coup(house, *EQUALS) == {"south": "", "west": "bea"}
    assert pj(house, "anna squeeze south").clause == "PJ12"
    house.wait(10)
    assert says(house, "insp table turner south bea by lot") == "bea reveals the cards of south."
    assert "insp: Player chosen to reveal cards" in says(house, "insp audit")
    assert "(by lot)" in says(house, "insp audit")
    assert says(house, "bea cards").startswith("south: ")
    house.wait(14)  # after the decision bea has her own time to reveal them
    assert says(house, "bea squeeze south") == "You revealed south."
    assert says(house, "bea squeeze west") == "You revealed west."
    assert table(house).phase == "asleep"


def test_PJ12_without_a_decision_the_dealer_turns_the_cards_of_equal_bets(house):
    assert coup(house, "anna bet south 20", "bea bet south 20", "anna squeeze") == {"south": ""}
    shown = screen(house.writer.state, table(house), None, house.clock.now)
    assert "equal bets" in str(shown.headline)
    assert not [button for button in shown.moves if button.verb == "squeeze"]
    house.wait(15)
    assert table(house).phase == "asleep"


def test_PJ12_equals_who_did_not_ask_wait_for_nobody(house):
    assert coup(house, "anna bet south 20", "bea bet south 20") == {}


def test_PJ12_an_inspector_chooses_among_the_equals_and_never_themselves(house):
    coup(house, *EQUALS)
    assert says(house, "insp table turner south cat") == "Choose who reveals them: anna, bea."
    for args in ("west bea", "east bea", "", "south"):
        assert pj(house, f"insp table turner {args}").refused, args
    house.do("insp inspector add anna", table=PJ, sure=True)
    assert says(house, "anna table turner south bea") == "One of them is your bet. Another inspector must decide."
    assert says(house, "bea table turner south bea") == "Only inspectors can do that."


def test_PJ12_the_wish_holds_for_later_coups_until_it_is_taken_back(house):
    assert coup(house, "anna bet south 20", "anna squeeze") == {"south": "anna"}
    pj(house, "anna squeeze south")
    assert coup(house, "anna bet west 20") == {"west": "anna"}


def test_PJ12_nothing_of_the_cards_is_shown_before_but_to_who_turns_them(house):
    coup(house, "anna bet south 20", "bea bet west 10", "anna squeeze", "bea squeeze")
    hand_id, hand = table(house).round.hand_id, table(house).round.hand
    before = (house.chips("anna"), house.chips("bea"))
    assert before == (98_000, 99_000)
    for who, hidden in (("anna", {"east", "west"}), ("bea", {"east", "south"}), (None, {"east", "south", "west"})):
        view = some(hand_on(table(house), house.player(who) if who else None))
        assert {position for position, cards in view.cards.items() if HIDDEN in cards} == hidden
        assert not view.is_over
    own = says(house, "anna cards")
    assert own.startswith("south: ")
    assert says(house, "cat cards") == "You hold no cards now."
    secret = {card for position in ("east", "west") for card in hand.cards(None)[position]}
    for line in ("verify " + str(hand_id), "history", "statement", "stats", "cards", "tables", f"audit {hand_id}"):
        for name in ("anna", "insp"):
            told = pj(house, f"{name} {line}")
            assert not any(card in json.dumps(told.file) for card in secret)
            assert f"hand {hand_id} · winnings" not in " ".join(map(str, told.texts))
    assert "is revealed when the hand" in says(house, f"anna verify {hand_id}")


def test_what_was_pressed_before_the_deal_turns_no_cards_after_it(house):
    coup(house, "anna bet south 20", "anna squeeze")
    before = table(house).round.turning
    for line in ("anna squeeze", "anna squeeze off"):
        assert says(house, line) == "The cards are dealt. Reveal south now."
    assert table(house).round.turning == before
    assert says(house, "anna squeeze south") == "You revealed south."


def test_PJ12_turning_the_last_position_pays(house):
    coup(house, "anna bet south 20", "bea bet west 10", "anna squeeze", "bea squeeze")
    assert pj(house, "cat squeeze south").clause == "PJ12"
    assert pj(house, "anna squeeze west").clause == "PJ12"
    assert says(house, "anna squeeze south") == "You revealed south."
    assert pj(house, "anna squeeze south").clause == "PJ12"
    assert table(house).phase == "playing"
    hand = table(house).round.hand
    assert says(house, "bea squeeze west") == "You revealed west."
    assert table(house).phase == "asleep"
    returned = hand.returned()
    assert house.chips("anna") == 98_000 + sum(returned["1"].values())
    assert house.chips("bea") == 99_000 + sum(returned["2"].values())


def test_PJ12_when_the_time_runs_out_the_dealer_turns_them_and_the_result_is_the_same(house):
    coup(house, "anna bet south 20", "anna squeeze")
    hand = table(house).round.hand
    house.wait(14)
    assert table(house).phase == "playing"
    house.restart()
    house.wait(40)
    assert table(house).phase == "asleep"
    assert table(house).last.events == hand.events
    assert house.chips("anna") == 98_000 + sum(hand.returned()["1"].values())


def test_PJ12_the_table_may_leave_it_to_the_dealer(house):
    pj(house, "insp table set squeeze off slow")
    assert pj(house, "anna squeeze").clause == "PJ12"
    assert coup(house, "anna bet south 20") == {}


def test_PJ12_a_wish_from_before_does_not_outlive_the_option(house):
    pj(house, "anna squeeze")
    pj(house, "insp table set squeeze off slow")
    assert coup(house, "anna bet south 20") == {}


def test_a_coup_whose_cards_are_being_turned_is_decided_and_cannot_be_voided(house):
    coup(house, "anna bet south 20", "anna squeeze")
    assert pj(house, f"insp void {table(house).round.hand_id} why", sure=True).clause == "G6"


@pytest.mark.parametrize(
    ("line", "told"),
    [("squeeze", "dealer reveals all"), ("squeeze south", "dealer reveals all"), ("noncoup why", "Only Paiju")],
)
def test_other_games_have_none_of_it(house, line, told):
    answer = house.do(f"insp {line}")
    assert answer.refused
    assert told in str(answer.texts[0])


def test_PJ13_bets_come_back_and_another_deck_is_committed(house):
    pj(house, "anna bet south 20 north-west 10")
    hand_id, commit = table(house).round.hand_id, table(house).round.commit
    assert says(house, "insp noncoup") == "Add a reason. It goes into the audit log."
    assert pj(house, "insp noncoup cards shown").confirm
    assert table(house).round.commit == commit
    assert not pj(house, "insp noncoup cards shown", sure=True).refused
    assert house.chips("anna") == 100_000
    assert table(house).round.commit != commit
    assert ask(house.books, "SELECT status FROM hands WHERE id = ?", hand_id) == [("void",)]
    assert not pj(house, "anna bet south 20").refused


def test_PJ15_after_no_more_bets_there_is_no_non_betting_coup(house):
    coup(house, "anna bet south 20", "anna squeeze")
    assert pj(house, "insp noncoup cards shown", sure=True).clause == "G7"


def test_PJ4_after_nulla_va_piu_nothing_is_placed_or_moved(house):
    pj(house, "bea balance")
    pj(house, "anna squeeze")
    coup(house, "anna bet south 20")
    before = house.balances()
    for line in ("bea bet west 20", "anna bet south 20", "anna takeback", "anna rebet"):
        answer = pj(house, line)
        assert answer.refused
        assert answer.clause == "G7"
    assert house.balances() == before
