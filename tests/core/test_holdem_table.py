"""A cash table of Hold'em in the casino: blinds, the dead button, owed blinds, amounts by pot and stack (HE)."""

import pytest

from bot.core.admin.inspectors import PassedChips, count_passed
from bot.core.commands.command import Answer
from bot.core.rounds.cash_table import RETURNED, memory_of, shift_clocks
from bot.texts import say
from bot.view.build import screen
from bot.view.timeline import seen_of, steps
from engine.cards import FRENCH
from engine.events import Staked
from tests.core.conftest import HOLDEM, House

NAMES = ("anna", "bea", "cleo", "dino")


def he(house: House, line: str):
    return house.do(line, table=HOLDEM)


def table(house: House):
    return house.table(HOLDEM)


def memory(house: House):
    return memory_of(table(house))


def sit(house: House, *names: str, chips: int = 100) -> None:
    for name in names:
        assert not (answer := he(house, f"{name} buyin {chips}")).refused, answer


def wait_for_hand(house: House):
    house.wait(8)
    hand = table(house).round.hand
    assert hand is not None
    return hand


def posted(house: House) -> list[tuple[str, int]]:
    hand = table(house).round.hand
    return [(event.seat, event.amount) for event in hand.events if isinstance(event, Staked)]


def fold_out(house: House) -> None:
    """Fold for every player, or check where that is free, until the hand is over."""
    hand = table(house).round.hand_id
    while table(house).round.hand is not None and table(house).round.hand_id == hand:
        ((seat, offers),) = table(house).round.hand.asks.items()
        name = house.writer.state.players[table(house).owners()[seat]].own_name
        assert not (answer := he(house, f"{name} {offers[0].word}")).refused, answer


def stack(house: House, name: str) -> int:
    return house.books.balance(f"stack:{HOLDEM}:{house.player(name)}")


def test_HE2_buy_in_for_20_to_100_big_blinds(house: House) -> None:
    assert he(house, "anna buyin 39").clause == "HE2"
    assert he(house, "anna buyin 201").clause == "HE2"
    assert str(he(house, "anna sit").texts[0]).startswith("Seat 1, stack 100.")


def test_HE2_inspectors_set_the_smallest_and_the_largest_buy_in(house: House) -> None:
    assert not (answer := he(house, "insp table set buy_in_min 50 deep stacks")).refused, answer
    assert not (answer := he(house, "insp table set buy_in_max 200 deep stacks")).refused, answer
    assert "100 to 400" in str(he(house, "anna buyin 99").texts[0])
    assert not he(house, "anna buyin 100").refused
    seen = screen(house.writer.state, table(house), house.player("bea"), house.clock.now)
    assert "Buy in: 100 to 400" in [str(button.label) for button in seen.bets]
    assert "buy-in: 50 (default 20)" in str(house.says("insp rules table", table=HOLDEM)).lower()


@pytest.mark.parametrize("line", ["buy_in_min 4", "buy_in_min 51", "buy_in_max 49", "buy_in_max 501", "buy_in_max x"])
def test_HE2_buy_ins_outside_of_bounds_are_refused(house: House, line: str) -> None:
    answer = he(house, f"insp table set {line} why")
    assert answer.refused
    assert "50" in str(answer.texts[0]), "the answer names the range"
    assert he(house, "anna buyin 39").clause == "HE2", "nothing has changed"


def test_HE5_HE6_the_blinds_move_with_the_dead_button(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    assert (memory(house).button, posted(house)) == (1, [("2", 100), ("3", 200)])
    fold_out(house)
    wait_for_hand(house)
    assert (memory(house).button, posted(house)) == (2, [("3", 100), ("1", 200)])
    he(house, "anna leave")
    fold_out(house)
    assert table(house).seat_of(house.player("anna")) is None
    wait_for_hand(house)
    assert posted(house) == [("3", 100), ("2", 200)], "two players: both blinds are posted (HE8)"


def test_HE7_a_new_player_waits_for_the_big_blind_or_posts(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    sit(house, "dino")
    assert memory(house).owed == {house.player("dino"): "new"}
    fold_out(house)
    wait_for_hand(house)
    assert posted(house) == [("3", 100), ("4", 200)], "the big blind reaches seat 4"
    assert memory(house).owed
    fold_out(house)
    assert memory(house).owed == {}


def test_HE7_a_player_who_missed_both_blinds_posts_them(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)  # button 1, blinds 2 and 3
    he(house, "dino sitout")
    fold_out(house)
    for _ in range(2):
        wait_for_hand(house)
        fold_out(house)
    assert memory(house).owed == {house.player("dino"): "both"}
    assert str(he(house, "dino post").texts[0]).startswith("You post what you owe")
    assert not he(house, "dino back").refused
    seen = []
    for _ in range(3):
        hand = wait_for_hand(house)
        seen.append([stake.post for stake in hand.deal.stakes if stake.seat == 4])
        fold_out(house)
    assert ["both"] in seen
    assert memory(house).owed == {}


def test_HE34_a_void_leaves_the_button_and_what_is_owed(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    fold_out(house)
    before = memory(house)
    wait_for_hand(house)
    assert not (answer := house.do(f"insp void {table(house).round.hand_id} why", sure=True)).refused, answer
    assert (memory(house).blinds, memory(house).owed) == (before.blinds, before.owed)
    wait_for_hand(house)
    assert posted(house) == [("3", 100), ("1", 200)]


@pytest.mark.parametrize(
    ("typed", "put_in"), [("raise min", 4), ("raise half", 5.5), ("raise pot", 9), ("raise 6", 6), ("raise all", 100)]
)
def test_HE17_HE36_amounts_are_totals_measured_by_pot_and_stack(house: House, typed: str, put_in: int) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    assert not he(house, "dino call").refused
    assert not (answer := house.do(f"anna {typed}", table=HOLDEM, sure=True)).refused, answer
    assert stack(house, "anna") == 10_000 - 100 * put_in


def test_HE17_moves_are_answered_in_words(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    taken = he(house, "dino raise half").texts[0]
    assert say(taken, "en") == "You raised to 4.50. Waiting for anna."
    assert say(taken, "de") == "Du hast auf 4,50 erhöht. Wir warten auf anna."
    assert say(taken, "it") == "Hai rilanciato a 4,50. Si aspetta anna."
    assert house.says("anna call", table=HOLDEM) == "You called: 4.50. Waiting for bea."
    assert house.says("bea fold", table=HOLDEM) == "You folded. Waiting for cleo."


def confirm(house: House, line: str, mark: str) -> Answer:
    (answer,) = house.batch([house.command(line, table=HOLDEM)._replace(confirmed=mark)])
    return answer


def test_HE36_more_than_half_a_stack_is_confirmed_once(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    assert not he(house, "dino raise 50").refused, "half a stack"
    asked = he(house, "anna raise 99")
    assert [say(text, "en") for text in asked.texts] == ["Raise to 99? That is more than half of your stack."]
    asked = he(house, "anna raise all")
    assert asked.confirm
    assert say(asked.texts[0], "en") == "Raise to 100? You would be all-in."
    assert say(asked.texts[0], "de") == "Auf 100 erhöhen? Damit wärst du all-in."
    assert stack(house, "anna") == 10_000, "nothing was done"
    taken = confirm(house, "anna raise all", asked.confirm)
    assert say(taken.texts[0], "en") == "You raised to 100. You are all-in. Waiting for bea."
    he(house, "bea fold")
    asked = he(house, "cleo call")
    assert say(asked.texts[0], "en") == "Call (98)? You would be all-in."
    assert not confirm(house, "cleo call", asked.confirm).refused
    assert not he(house, "dino call").refused, "the rest is half of the stack"


def test_HE22_a_yes_counts_only_for_the_turn_it_was_asked_in(house: House) -> None:
    sit(house, "anna", "bea")
    wait_for_hand(house)
    asked = he(house, "anna raise 60")
    assert asked.confirm
    fold_out(house)
    wait_for_hand(house)
    he(house, "bea call")
    answer = confirm(house, "anna raise 60", asked.confirm)
    assert answer.confirm not in ("", asked.confirm)


def test_HE14_an_amount_outside_the_range_is_answered_with_the_range(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    answer = he(house, "dino raise 3")
    assert answer.refused
    assert say(answer.texts[0], "en") == "Choose one of: Fold, Call (2), Raise to 4–100."
    assert say(answer.texts[0], "de") == "Wähle eins davon: Passen, Mitgehen (2), Auf 4–100 erhöhen."
    assert say(answer.texts[0], "it") == "Scegli tra: Rinuncia, Chiama (2), Rilancia a 4–100."


def test_HE36_at_most_six_buttons_with_three_sizes(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    seen = screen(house.writer.state, table(house), house.player("dino"), house.clock.now)
    assert [str(button.label) for button in seen.moves] == [
        "Fold",
        "Call (2)",
        "Raise to 4",
        "Raise to 4.50",
        "Raise to 7",
        "Other amount",
    ]


def test_HE2_a_stack_is_refilled_before_each_hand_for_those_who_want_it(house: House) -> None:
    sit(house, "anna", "bea")
    wait_for_hand(house)
    assert "refilled to 100" in str(he(house, "bea refill on").texts[0])
    fold_out(house)
    assert stack(house, "bea") + stack(house, "anna") >= 20_000
    assert stack(house, "bea") >= 10_000


def wealth(house: House, *names: str) -> int:
    return sum(stack(house, name) + house.books.balance(f"player:1:{house.player(name)}") for name in names)


def play_on(house: House, *words: str) -> None:
    """Let each player in turn choose the first of these words that is offered, until the hand is over."""
    while (hand := table(house).round.hand) is not None:
        ((seat, offers),) = hand.asks.items()
        name = house.writer.state.players[table(house).owners()[seat]].own_name
        offered = {offer.word: offer for offer in offers}
        word = next(word for word in words if word in offered)
        line = f"{name} {word}{' all' if offered[word].most else ''}"
        assert not (answer := house.do(line, table=HOLDEM, sure=True)).refused, answer


def test_HE2_HE33_chips_pass_between_players_and_leave_with_them(house: House) -> None:
    house.do("insp balance")
    for name in NAMES[:3]:
        he(house, f"{name} balance")
    had = wealth(house, *NAMES[:3])
    sit(house, *NAMES[:3])
    for _ in range(3):
        wait_for_hand(house)
        play_on(house, "check", "call")
    wait_for_hand(house)
    assert str(he(house, "anna leave").texts[0]) == "You will leave when this hand is over."
    play_on(house, "raise", "bet", "call", "check")
    for name in ("bea", "cleo"):
        he(house, f"{name} leave")
    assert table(house).seats == {}
    assert [stack(house, name) for name in NAMES[:3]] == [0, 0, 0]
    assert wealth(house, *NAMES[:3]) == had


def test_HE10_HE35_no_one_sees_the_cards_of_others_until_they_are_shown(house: House) -> None:
    sit(house, *NAMES)
    hand = wait_for_hand(house)
    own = {key: set(cards) for key, cards in hand.felt.cards.items() if key.isdigit()}
    fold_out(house)
    last = table(house).last
    for name in NAMES:
        key = str(table(house).seat_of(house.player(name)))
        others = set().union(*(cards for other, cards in own.items() if other != key))
        seen = screen(house.writer.state, table(house), house.player(name), house.clock.now)
        assert not others & {card for cards in last.cards(key).values() for card in cards}
        assert not others & {card for seat in seen.seats for pile in seat.piles for card in pile.cards}
    assert set(last.cards(None)) <= {"1", "2", "3", "4", "board"}
    assert {card for cards in last.cards(None).values() for card in cards} == {"??"}


def seen_by(house: House, viewer: str | None) -> set[str]:
    """Return every card that a screen, its sentences and its timeline have for a viewer, after the hand."""
    player = house.player(viewer) if viewer else None
    shown = screen(house.writer.state, table(house), player, house.clock.now)
    felt = seen_of(table(house), player)
    cards = [card for seat in shown.seats for pile in seat.piles for card in pile.cards]
    cards += [card for lying in felt.felt.cards.values() for card in lying]
    cards += [card for event in felt.events for card in getattr(event, "cards", ())]
    return {*cards, *(card for card in FRENCH if card in str(shown.lines))} - {"??"}


def test_HE25_a_winner_without_showdown_may_show_both_cards_until_the_next_deal(house: House) -> None:
    sit(house, *NAMES)
    hand = wait_for_hand(house)
    own = {key: {*cards} for key, cards in hand.felt.cards.items()}
    assert he(house, "cleo show").clause == "G8", "others still act"
    fold_out(house)
    winner = next(key for key, facts in hand_facts(house).items() if facts["result"] == "win")
    name = house.writer.state.players[table(house).seats[int(winner)]].own_name
    others = [one for one in NAMES if one != name]
    for one in others:
        assert he(house, f"{one} show").clause == "HE25", "a folded hand is never shown"
        assert labels(house, one).count("Show cards") == 0
        assert not seen_by(house, one) & own[winner]
    assert not seen_by(house, None)
    assert "Show cards" in labels(house, name)
    assert "Show cards" in labels(house, None)
    before = seen_of(table(house), None)
    had = [stack(house, one) for one in NAMES]
    assert not (answer := he(house, f"{name} show")).refused, answer
    assert [stack(house, one) for one in NAMES] == had
    assert seen_by(house, None) == own[winner], "both cards of this hand and no others"
    assert [step.kind for step in steps(before, seen_of(table(house), None))] == ["turned"]
    assert "Show cards" not in labels(house, None)
    assert he(house, f"{name} show").clause == "HE25", "once is enough"
    wait_for_hand(house)
    assert not seen_by(house, None)
    fold_out(house)
    assert not seen_by(house, None), "the next hand is hidden again"


def test_HE25_a_player_who_mucked_at_the_showdown_may_show(house: House) -> None:
    sit(house, "anna", "bea")
    for _ in range(20):
        wait_for_hand(house)
        play_on(house, "check", "call")
        mucked = [str(one["seat"]) for one in table(house).last.facts["showdown"] if not one["shows"]]
        if mucked:
            break
    own = {*table(house).last.felt.cards[mucked[0]]}
    loser = house.writer.state.players[table(house).seats[int(mucked[0])]].own_name
    winner = "bea" if loser == "anna" else "anna"
    assert not seen_by(house, None) & own
    assert he(house, f"{winner} show").clause == "HE25", "these cards are shown already"
    assert not he(house, f"{loser} show").refused
    assert own <= seen_by(house, None)
    assert own <= seen_by(house, winner)


def test_HE22_HE25_a_press_made_for_an_earlier_hand_shows_no_later_one(house: House) -> None:
    sit(house, "anna", "bea")
    wait_for_hand(house)
    fold_out(house)
    seen = screen(house.writer.state, table(house), None, house.clock.now)
    fresh = next(button.fresh for button in seen.bets if button.verb == "show")
    wait_for_hand(house)
    fold_out(house)
    for name in ("anna", "bea"):
        assert house.do(f"{name} show", table=HOLDEM, fresh=fresh).refused
    assert not seen_by(house, None)


def hand_facts(house: House):
    return table(house).last.facts["hands"]


def labels(house: House, viewer: str | None) -> list[str]:
    player = house.player(viewer) if viewer else None
    shown = screen(house.writer.state, table(house), player, house.clock.now)
    return [str(button.label) for button in (*shown.moves, *shown.bets, *shown.more)]


def test_HE7_players_who_owe_blinds_get_a_button_to_post_them(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    sit(house, "dino")
    assert "Post blinds" in labels(house, "dino")
    assert "Post blinds" not in labels(house, "anna")
    he(house, "dino post")
    assert "Post blinds" not in labels(house, "dino")


def test_HE23_hands_that_are_all_in_are_shown_before_the_board_is_dealt(house: House) -> None:
    sit(house, "anna", "bea")
    wait_for_hand(house)
    play_on(house, "raise", "call")
    last = table(house).last
    assert "??" not in {card for cards in last.cards(None).values() for card in cards}
    assert len(last.cards(None)["board"]) == 5


def test_the_audit_tells_inspectors_who_passed_chips_to_whom(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    for line in ("anna raise 20", "bea call", "cleo fold"):
        assert not he(house, line).refused, line
    fold_out(house)
    assert [stack(house, name) for name in NAMES[:3]] == [8_000, 12_200, 9_800]
    said = house.says("insp audit cleo", table=HOLDEM)
    assert "Between players, last 30 days: | cleo lost 2 to bea and won 0 from them in 1 hand." in said
    said = house.says("insp audit bea", table=HOLDEM)
    assert "bea lost 0 to anna and won 20 from them in 1 hand. | bea lost 0 to cleo and won 2 from them" in said


def test_chips_that_passed_in_a_hand_go_from_losers_to_winners_by_what_they_won() -> None:
    rows = [(1, 1, -100), (1, 2, 60), (1, 3, 41), (1, 4, -1), (2, 1, 30), (2, 2, -30)]
    assert count_passed(rows, {1}) == {2: PassedChips(2, 59, 30), 3: PassedChips(1, 41, 0)}


def test_HE31_two_hands_in_a_row_that_end_with_a_time_out_sit_a_player_out(house: House) -> None:
    sit(house, "anna", "bea")
    for _ in range(3):  # the second hand ends with the other's time-out
        wait_for_hand(house)
        while table(house).round.hand is not None:
            house.wait(31)
    assert memory(house).out
    assert stack(house, "anna") + stack(house, "bea") == 20_000


def test_HE32_after_ten_minutes_without_a_hand_a_stack_returns_to_its_wallet(house: House) -> None:
    sit(house, "anna", "bea")
    house.wait(3)
    assert not he(house, "anna sitout").refused
    anna = house.player("anna")
    house.wait(300)
    house.restart()
    house.wait(299)
    assert (table(house).seat_of(anna), stack(house, "anna")) == (1, 10_000)
    house.wait(1)
    assert table(house).seat_of(anna) is None
    assert (stack(house, "anna"), house.chips("anna")) == (0, 100_000)
    assert table(house).notify == {RETURNED: (anna,)}
    house.wait(3600)
    assert table(house).seat_of(house.player("bea")) == 2, "they are waiting for a second player"
    assert table(house).round.deadline is None


def test_HE32_a_hand_starts_the_ten_minutes_anew(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    he(house, "anna sitout")
    house.wait(20)
    fold_out(house)
    wait_for_hand(house)
    house.wait(20)
    assert not he(house, "bea sitout").refused
    fold_out(house)
    house.wait(599)
    assert len(table(house).seats) == 3
    house.wait(1)
    assert [*table(house).seats.values()] == [house.player("cleo")]


def test_HE32_a_player_who_is_back_within_ten_minutes_keeps_the_seat(house: House) -> None:
    sit(house, "anna", "bea")
    for line in ("anna sitout", "bea sitout"):
        assert not he(house, line).refused
    house.wait(500)
    assert not he(house, "anna back").refused
    house.wait(100)
    assert [*table(house).seats.values()] == [house.player("anna")]
    assert str(he(house, "bea buyin 100").texts[0]).endswith("Next hand in 8 s.")


def test_HE32_at_a_paused_table_stacks_of_players_who_sit_out_return_too(house: House) -> None:
    sit(house, "anna", "bea")
    he(house, "anna sitout")
    assert not he(house, "insp table pause a storm").refused
    house.wait(600)
    assert [*table(house).seats.values()] == [house.player("bea")]


def test_HE32_a_wall_clock_that_is_set_frees_no_seat_early(house: House) -> None:
    sit(house, "anna", "bea")
    he(house, "anna sitout")
    house.wait(100)
    shifted = memory_of(shift_clocks(table(house), 3600.0))
    assert shifted.out == {house.player("anna"): house.clock.now - 100 + 3600}


def empty_a_stack(house: House) -> str:
    """Play heads-up until a stack is empty; return whose it is."""
    sit(house, "anna", "bea", chips=40)
    for _ in range(20):
        wait_for_hand(house)
        play_on(house, "raise", "bet", "call", "check")
        if empty := [name for name in ("anna", "bea") if not stack(house, name)]:
            return empty[0]
    raise AssertionError("nobody lost")


def test_HE2_an_empty_stack_keeps_the_seat_for_two_minutes_without_a_hand(house: House) -> None:
    broke = empty_a_stack(house)
    house.wait(60)
    house.restart()
    house.wait(59)
    assert table(house).seat_of(house.player(broke)) is not None
    house.wait(1)
    assert table(house).seat_of(house.player(broke)) is None
    assert table(house).notify == {}, "no chips went anywhere"


def test_HE2_a_player_who_buys_in_again_keeps_the_seat(house: House) -> None:
    broke = empty_a_stack(house)
    house.wait(110)
    assert not (answer := he(house, f"{broke} topup 40")).refused, answer
    house.wait(8)
    fold_out(house)
    assert table(house).seat_of(house.player(broke)) is not None


def test_HE6_after_ten_minutes_without_a_hand_a_newcomer_plays_at_once(house: House) -> None:
    sit(house, "anna", "bea", "cleo")
    wait_for_hand(house)
    for name in ("bea", "cleo"):
        he(house, f"{name} leave")
    fold_out(house)
    house.wait(600)
    sit(house, "bea", chips=110)
    assert str(he(house, "cleo buyin 110").texts[0]).endswith("Next hand in 8 s.")
    assert len(wait_for_hand(house).deal.stakes) == 3


def test_HE36_check_or_fold_before_the_turn_counts_once(house: House) -> None:
    sit(house, *NAMES)
    hand = wait_for_hand(house)
    for name in ("anna", "cleo"):
        assert not (answer := he(house, f"{name} checkfold")).refused, answer
    assert he(house, "dino checkfold").refused, "it is their turn"
    house.restart()
    he(house, "dino call")
    assert [str(move) for move in table(house).round.hand.moves] == ["4 call", "1 fold"]
    assert he(house, "anna checkfold").refused, "nothing is left to decide"
    he(house, "bea call")
    assert [str(move) for move in table(house).round.hand.moves][2:] == ["2 call", "3 check"]
    he(house, "bea check")
    assert table(house).owners()[next(iter(table(house).round.hand.asks))] == house.player("cleo"), "for one turn"
    assert house.moves(table(house).round.hand_id) == ["4 call", "1 fold", "2 call", "3 check", "2 check"]
    assert hand.deal == table(house).round.hand.deal


@pytest.mark.parametrize("line", ["dino raise 6", "dino raise all"])
def test_HE36_a_raise_cancels_check_or_fold(house: House, line: str) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    assert not he(house, "anna checkfold").refused
    assert not house.do(line, table=HOLDEM, sure=True).refused
    assert next(iter(table(house).round.hand.asks)) == "1", "anna decides"
    assert table(house).round.ahead == frozenset()


def test_HE36_check_or_fold_is_taken_back_by_the_same_press(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    assert house.says("anna checkfold", table=HOLDEM).startswith("On your next turn you check")
    assert house.says("anna checkfold", table=HOLDEM) == "You decide when it is your turn."
    he(house, "dino call")
    assert next(iter(table(house).round.hand.asks)) == "1"


def test_HE36_a_button_that_saw_fewer_bets_is_refused(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    (button,) = [one for one in screen(house.writer.state, table(house), None, 0.0).more if one.verb == "checkfold"]
    he(house, "dino raise 6")
    answer = he(house, f"cleo checkfold {button.args[0]}")
    assert answer.refused
    assert str(answer.texts[0]) == "There is a new bet. Look at the table, then choose again."


def test_HE36_everybody_but_the_raiser_may_have_chosen(house: House) -> None:
    sit(house, *NAMES)
    wait_for_hand(house)
    he(house, "dino raise 6")
    for name in ("bea", "cleo"):
        assert not he(house, f"{name} checkfold").refused
    he(house, "anna fold")
    assert table(house).round.hand is None, "both folded"
    assert stack(house, "dino") == 10_300
