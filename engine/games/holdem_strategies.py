"""Strategies of house players for Texas Hold'em: one that only keeps a hand going, and one that weighs its price."""

from collections.abc import Sequence

from engine.cards import Card
from engine.felt import Move, Offers
from engine.games.holdem import BOARD, GAME
from engine.poker import HIGH_CARD, PAIR, category, rank, value
from engine.simulation import Cards, Simulation, call_down, choose_at_random, move, six_stacks

# The largest price of a call, as a share of the pot with the call, by strength of the hand.
_PAYS_UP_TO = (0.2, 0.4, 0.5, 1.0)
_WEAK, _FAIR, _GOOD, _STRONG = range(len(_PAYS_UP_TO))
_TEN = 10


def weigh_price(seat: str, offers: Offers, cards: Cards) -> Move:
    """Check where it is free, call where the hand is worth the price, otherwise fold. Never raise."""
    call = next((offer for offer in offers if offer.word == "call"), None)
    if call is None:
        return move(seat, "check")
    strength = rate_hand(cards[seat], cards.get(BOARD, ()))
    wager = next((offer for offer in offers if offer.pot), None)
    if wager is None:  # at fixed limits, or all-in: the offers do not name the pot
        return move(seat, "call" if strength >= _GOOD else "fold")
    pot = wager.pot - wager.put - call.stake
    return move(seat, "call" if call.stake <= _PAYS_UP_TO[strength] * pot else "fold")


def rate_hand(own: Sequence[Card], board: Sequence[Card]) -> int:
    """Rate two hole cards from 0 to 3: by themselves before the flop, then by what they make of the board."""
    low, high = sorted(map(value, own))
    if not board:
        if low == high:
            return _STRONG if low >= _TEN else _GOOD
        return _GOOD if low >= _TEN else _FAIR if high > _TEN else _WEAK
    made = category(rank([*own, *board]))
    has_pair_on_board = len({card[0] for card in board}) < len(board)
    if made in (HIGH_CARD, PAIR):
        return _WEAK if made == HIGH_CARD or has_pair_on_board else _FAIR
    return _GOOD if has_pair_on_board else _STRONG


SIMULATION = Simulation(
    game=GAME,
    strategies={"call-down": call_down, "guest": weigh_price},
    lay=six_stacks(lambda options: 100 * options.big_blind),
    cards=17,
    by_chance={"random": choose_at_random},
)
