"""`ridotto advise` for any game: the decisions, and the advice for each. The game is this test's own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engine.advice import advise_record, find_decisions
from engine.cards import FRENCH, HIDDEN
from engine.felt import Deal, Felt, Game, Limits, Move, Offer, Script, Stake
from engine.games import ODDS, add_game, add_odds, remove_game
from engine.odds import BetOdds, Decision, Odds, choices_of, seen
from engine.record import play_record

WORTH = {"fold": -1.0, "stand": 0.5}


@dataclass(frozen=True)
class GuessOptions(Limits):
    minimum: int = 1
    step: int = 1
    maximum: int = 1000
    plays: str = "fold"


def play(felt: Felt) -> Script:
    """A game: everyone bets or folds at once; seat 2 may also stop. Then the last seat stands."""
    bets = felt.place_all()
    felt.deal_each(list(bets), up=False)
    felt.aside = {seat: [Offer("stop")] for seat in bets if seat == "2"}
    bet = Offer("bet", spot="more", least=100, most=500)
    dare = Offer("dare", spot="more", least=1, most=99, listed=False)
    asks = {seat: [Offer("fold"), bet, dare] for seat in bets}
    yield from felt.ask_each(asks, timeout=felt.options.plays or None)
    last = list(bets)[-1]
    yield from felt.ask_one(last, [Offer("stand")])
    for seat, spot in felt.staked:
        felt.pay(seat, spot, 0, "lose", "G2")


GAME = Game(
    name="guess",
    script=play,
    options=GuessOptions,
    check=lambda options, stakes: None,
    words=dict.fromkeys(("fold", "bet", "dare", "stop", "stand"), "G2"),
    spots=("ante",),
    all_spots=("ante", "more"),
    turn="G2",
)


def value(decision: Decision) -> dict[str, float]:
    """Return the value of an amount, which is itself."""
    return {
        choice: WORTH[choice] if choice in WORTH else float(choice.split()[1]) for choice in choices_of(decision.offers)
    }


GUESS = Odds(game=GAME, edges=lambda options, meter: {"ante": BetOdds(None, "any", why="not calculated")}, values=value)


@pytest.fixture(autouse=True)
def _guess() -> Iterator[None]:
    add_game(GAME)
    add_odds(GUESS)
    yield
    remove_game("guess")
    assert "guess" not in ODDS


def record(moves: Sequence[str] = (), seats: Sequence[int] = (2, 3, 10), **more: Any) -> dict[str, Any]:
    stakes = [{"seat": seat, "player": f"p{seat}", "bets": {"ante": 5}} for seat in seats]
    return {"game": "guess", "deck": list(FRENCH[:10]), "stakes": stakes, "moves": list(moves), **more}


def decisions(*moves: str, **more: Any) -> list[dict[str, Any]]:
    answer = advise_record(record(moves, **more))
    assert answer["method"] == "exact"
    return list(answer["decisions"])


def test_moves_come_in_their_order_and_then_who_is_still_asked_by_rising_seat() -> None:
    asked = decisions("10 fold")
    assert [(one["move"], one["seat"], one["taken"]) for one in asked] == [
        (0, "10", "fold"), (None, "2", None), (None, "3", None)]  # fmt: skip
    assert [one["cost"] for one in asked] == [501.0, None, None]


def test_it_is_one_decision_for_each_time_that_a_seat_was_asked() -> None:
    asked = decisions("10 fold", "2 bet 100", "3 fold", "10 stand")
    assert [(one["move"], one["seat"]) for one in asked] == [(0, "10"), (1, "2"), (2, "3"), (3, "10")]


def test_a_range_is_valued_at_its_least_and_its_most() -> None:
    (asked, *_) = decisions("3 bet 500")
    assert asked["choices"] == {"fold": -1.0, "bet 100": 100.0, "bet 500": 500.0}
    assert (asked["best"], asked["taken"], asked["cost"]) == ("bet 500", "bet 500", 0.0)


def test_an_amount_between_is_valued_by_itself_and_is_no_choice() -> None:
    (asked, *_) = decisions("3 bet 321")
    assert asked["choices"] == {"fold": -1.0, "bet 100": 100.0, "bet 500": 500.0}
    assert (asked["taken"], asked["cost"]) == ("bet 321", 179.0)


def test_what_is_allowed_and_not_proposed_is_a_choice_where_it_was_taken() -> None:
    (asked, *_) = decisions("3 dare 7")
    assert asked["choices"] == {"fold": -1.0, "bet 100": 100.0, "bet 500": 500.0, "dare 7": 7.0}
    assert (asked["taken"], asked["cost"]) == ("dare 7", 493.0)


def test_ends_that_are_equal_are_one_choice() -> None:
    assert choices_of([Offer("bet", least=5, most=5), Offer("hint", listed=False)]) == ["bet 5"]


def test_a_time_out_costs_what_it_plays() -> None:
    (asked, *_) = decisions("3 timeout")
    assert (asked["taken"], asked["cost"]) == ("timeout", 501.0)


def test_a_time_out_that_leaves_it_to_the_rules_has_no_cost() -> None:
    (asked, *_) = decisions("3 timeout", options={"plays": ""})
    assert (asked["taken"], asked["cost"]) == (None, None)
    assert asked["best"] == "bet 500"


def test_what_is_said_aside_and_a_void_are_no_decisions() -> None:
    assert [(one["move"], one["seat"]) for one in decisions("2 stop", "3 fold", "void")] == [(1, "3")]


def test_a_hand_that_is_over_has_nobody_asked() -> None:
    asked = decisions("2 fold", "3 fold", "10 fold", "10 stand")
    assert all(one["taken"] for one in asked)


def test_a_decision_is_told_what_its_view_shows_and_what_its_own_seat_moved_before() -> None:
    moves = [Move("3", "fold"), Move("2", "fold")]
    stakes = tuple(Stake(seat, f"p{seat}", {"ante": 5}) for seat in (2, 3, 10))
    deal = Deal("guess", GuessOptions(), stakes, FRENCH[:10])
    second = list(find_decisions(deal, moves))[1].decision
    assert (second.seat, second.moves, second.stakes) == ("2", (), stakes)
    assert {seat: cards[0] == HIDDEN for seat, cards in second.cards.items()} == {"2": False, "3": True, "10": True}
    assert seen(second) == list(second.cards["2"])
    assert not set(FRENCH[1:3]) & set(str(second.events).replace("'", " ").split())


@pytest.mark.parametrize(
    "bad",
    [
        record(["3 fly"]),
        record(["3 fold", "3 fold"]),
        record(["3 bet 99"]),
        record(deck=["As", "As"]),
        record(options={"decks": 2}),
        {"game": "bingo"},
        None,
        [],
        {},
    ],
)
def test_a_refused_record_is_answered_as_by_replay(bad: Any) -> None:
    answer = advise_record(bad)
    assert "refused" in answer
    assert answer == play_record(bad)


def test_a_game_that_nobody_has_counted_is_refused() -> None:
    remove_game("guess")
    add_game(GAME)
    answer = advise_record(record())
    assert answer == {
        "refused": "There are no odds for guess.",
        "clause": None,
        "move": None,
    }


def test_odds_of_a_game_are_declared_once() -> None:
    with pytest.raises(ValueError, match="odds of guess"):
        add_odds(Odds(game=GAME, edges=GUESS.edges))
