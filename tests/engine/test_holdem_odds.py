"""Advice of `ridotto advise` at Hold'em: a seat's share of the main pot against random hands (HE28)."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from engine.advice import decision_of
from engine.cards import FRENCH, HIDDEN, Card
from engine.felt import Deal, Move, Stake
from engine.games.holdem import GAME
from engine.games.holdem_odds import equity
from engine.hand import Hand
from engine.odds import Decision
from engine.poker import rank


def hand_of(players: int, deck: Sequence[Card]) -> Hand:
    stakes = tuple(Stake(seat, f"p{seat}", {}, stack=20_000) for seat in range(1, players + 1))
    return Hand(Deal("holdem", GAME.options(), stakes, tuple(deck)))


def first_decision(players: int, own: str) -> Decision:
    """Return the first decision of a hand whose first seat to act holds these two cards."""
    cards = own.split()
    deck = [card for card in FRENCH if card not in cards]
    first = next(iter(hand_of(players, FRENCH).asks))
    for at, card in zip((int(first) - 1, int(first) - 1 + players), cards, strict=True):
        deck.insert(at, card)
    return decision_of(hand_of(players, deck), first)


def call_down(hand: Hand, board: int) -> Decision:
    """Check and call until so many cards are on the board. Return the next decision."""
    while len(hand.cards("1").get("board", ())) < board:
        ((seat, offers),) = hand.asks.items()
        hand = hand.play(Move(seat, next(offer.word for offer in offers if offer.word in ("check", "call"))))
    return decision_of(hand, next(iter(hand.asks)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "own", "share"), [(2, "As Ah", 0.852), (2, "7s 2h", 0.346), (6, "As Ks", 0.311), (9, "As Ah", 0.347)]
)
def test_hole_cards_have_their_published_share_against_random_hands(players: int, own: str, share: float) -> None:
    assert equity(first_decision(players, own)) == pytest.approx(share, abs=0.006)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [4, 5])
def test_on_the_turn_and_the_river_it_is_the_exact_mean_over_all_that_may_come(cards: int) -> None:
    decision = call_down(hand_of(2, Random(4).sample(FRENCH, len(FRENCH))), cards)
    own, board = list(decision.cards[decision.seat]), list(decision.cards["board"])
    unseen = [card for card in FRENCH if card not in own + board]
    total, count = 0.0, 0
    for come in combinations(unseen, 5 - cards):
        whole = [*board, *come]
        mine = rank(own + whole)
        for two in combinations([card for card in unseen if card not in come], 2):
            other = rank([*two, *whole])
            total, count = total + (mine > other) + (mine == other) / 2, count + 1
    assert equity(decision) == pytest.approx(total / count, abs=1e-9)


@pytest.mark.slow
def test_it_rests_on_nothing_that_the_seat_cannot_see() -> None:
    """The other hands and the cards to come are changed; the figure is the same to the last digit."""
    deck = Random(8).sample(FRENCH, len(FRENCH))
    decision = call_down(hand_of(3, deck), 3)
    known = {card for cards in decision.cards.values() for card in cards if card != HIDDEN}
    hidden = Random(1).sample(sorted(set(FRENCH) - known), len(FRENCH) - len(known))
    other = [card if card in known else hidden.pop() for card in deck]
    assert other != deck
    assert equity(call_down(hand_of(3, other), 3)) == equity(decision)
