"""Laws of payments: a hand whose script pays wrongly raises BrokenLaw, and no payment reaches the books."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.felt import Deal, Felt, Game, Move, Options, Script, Stake
from engine.games import add_game, remove_game
from engine.hand import Hand
from engine.laws import BrokenLaw
from engine.record import describe

STAKE = 1000


def play_with(
    pay: Callable[[Felt], object],
    *,
    asks: bool = False,
    then: Callable[[Hand], object] = Hand.check_payments,
    **changes: Any,
) -> Hand:
    """Return a finished hand of a game that pays one stake of 1000 on `ante` by this function."""

    def script(felt: Felt) -> Script:
        felt.place_all()
        if asks:
            yield {"1": ()}
        pay(felt)
        yield from ()

    game = Game(
        name="faulty",
        script=script,
        options=Options,
        check=lambda options, stakes: None,
        words={},
        spots=("ante",),
        all_spots=("ante",),
        turn="G5",
        **changes,
    )
    add_game(game)
    try:
        hand = Hand(Deal("faulty", Options(), (Stake(1, "anna", bets={"ante": STAKE}),), ("As",)))
        hand = hand.play(Move("", "void")) if asks else hand
        then(hand)
        return hand
    finally:
        remove_game("faulty")


def pays(*amounts: Any, spot: str = "ante", seat: str = "1") -> Callable[[Felt], None]:
    def pay(felt: Felt) -> None:
        for amount in amounts:
            felt.pay(seat, spot, amount, "win", "G2")

    return pay


@pytest.mark.parametrize("amount", [0, STAKE, 1000 * STAKE])
def test_a_stake_is_paid_once(amount: int) -> None:
    assert play_with(pays(amount)).returned() == {"1": {"ante": amount}}


@pytest.mark.parametrize(
    ("pay", "said"),
    [
        (pays(), "“ante” of seat 1 was not paid"),
        (pays(STAKE, STAKE), "was paid twice"),
        (pays(0, 0), "was paid twice"),
        (pays(1500.5), "no whole number"),
        (pays(True), "no whole number"),
        (pays("1500"), "no whole number"),
        (pays(-1), "no whole number"),
        (pays(1000 * STAKE + 1), "more than 1000 times"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_wrong_payment_breaks_a_law(pay: Callable[[Felt], None], said: str) -> None:
    with pytest.raises(BrokenLaw, match=said):
        play_with(pay)


def test_a_spot_without_a_stake_is_paid_only_as_a_bonus() -> None:
    def pay(felt: Felt) -> None:
        pays(STAKE)(felt)
        pays(500, spot="bonus")(felt)

    with pytest.raises(BrokenLaw, match="“bonus” of seat 1 was paid without a stake"):
        play_with(pay)
    assert play_with(pay, bonuses=("bonus",)).returned()["1"]["bonus"] == 500


def test_a_game_says_what_it_pays_at_most() -> None:
    with pytest.raises(BrokenLaw, match="more than 2 times"):
        play_with(pays(3 * STAKE), most_pays=2)


def test_a_game_between_players_pays_what_was_put_in() -> None:
    with pytest.raises(BrokenLaw, match="1000 was put in, and 999 was paid"):
        play_with(pays(999), stacks="SH1")


def test_a_void_hand_pays_nothing() -> None:
    assert play_with(pays(STAKE), asks=True).is_void


def test_a_stored_hand_that_breaks_a_law_is_read() -> None:
    read: list[dict[str, Any]] = []
    play_with(pays(STAKE, STAKE), then=lambda hand: read.append(describe(hand)))
    assert read[0]["returned"] == {"1": {"ante": 2 * STAKE}}
    assert read[0]["broken_law"] == "“ante” of seat 1 was paid twice"
