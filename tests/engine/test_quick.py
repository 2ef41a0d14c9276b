"""The quick driver and a `Hand` share the rules: the same moves give the same money, cards and facts."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from bot.cli.game_checks.random_hands import take_offer
from engine.cards import Card
from engine.errors import IllegalDeal
from engine.events import Paid, Won
from engine.felt import TIMEOUT, Deal, Move, Offers
from engine.games import GAMES, SIMULATIONS
from engine.hand import Hand, run
from engine.quick import Choose, QuickFelt, play
from tests.engine.conformance import random_deal

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def choose_anything(random: Random, moves: list[Move]) -> Choose:
    """Make any offer, also unlisted ones, and sometimes a time-out; `moves` records the choices."""

    def choose(seat: str, offers: Offers, cards: Mapping[str, list[Card]]) -> Move:
        away = random.random() < 0.05
        moves.append(Move(seat, TIMEOUT) if away else take_offer(seat, random.choice(list(offers)), random))
        return moves[-1]

    return choose


def check_same(felt: QuickFelt, hand: Hand) -> None:
    returned: Counter[tuple[str, str]] = Counter()
    for event in hand.events:
        if isinstance(event, Paid):
            returned[event.seat, event.spot] += event.amount
    assert felt.returned == dict(returned)
    assert felt.staked == hand.felt.staked
    assert felt.won == {event.seat: event.prize for event in hand.events if isinstance(event, Won)}
    assert felt.cards == hand.felt.cards
    assert felt.facts == hand.felt.facts


@pytest.mark.slow
@EVERY_GAME
def test_a_thousand_random_hands_end_as_a_hand_with_the_same_moves(game: str) -> None:
    random = Random(f"quick {game}")
    for _ in range(1000):
        deal, moves = random_deal(game, random), list[Move]()
        felt = play(deal, choose_anything(random, moves))
        assert felt.moves == moves
        hand = Hand(deal, moves)
        assert hand.is_over
        check_same(felt, hand)


@EVERY_GAME
def test_every_strategy_chooses_the_same_when_the_script_stops_at_its_asks(game: str) -> None:
    random = Random(f"strategies {game}")
    for choose in SIMULATIONS[game].strategies.values():
        for _ in range(50):
            deal = random_deal(game, random)
            quick, told = play(deal, choose), run(deal, choose)
            assert quick.staked == told.staked
            assert quick.facts == told.facts


@EVERY_GAME
def test_nothing_is_told(game: str) -> None:
    deal = random_deal(game, Random(1))
    assert not play(deal, choose_anything(Random(2), [])).events


@EVERY_GAME
def test_G6_a_deck_that_ends_too_early_is_refused(game: str) -> None:
    deal = random_deal(game, Random(1))
    short = Deal(game, deal.options, deal.stakes, deal.deck[: min(1, SIMULATIONS[game].cards - 1)], deal.dice)
    with pytest.raises(IllegalDeal, match="has too few cards"):
        play(short, choose_anything(Random(2), []))
