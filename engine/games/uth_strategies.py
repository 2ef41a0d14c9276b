"""Strategies of Ultimate Texas Hold'em: on every street a seat that has not played decides whether to play the
maximum.
"""

from engine.cards import FRENCH, Card
from engine.felt import Move, Offers
from engine.games.uth import GAME, UltimateOptions, has_hidden_pair
from engine.games.uth_control import control
from engine.games.uth_odds import SeatBets, value_river, value_two_cards
from engine.games.uth_table import class_sizes, hand_class, plays_flop
from engine.poker import PAIR, category, rank, rank_each, value
from engine.simulation import SIDE_BETS, Cards, Simulation, Strategy, least_beside, move

# Unpaired hole cards that play 4 before the flop: by the higher card, the least lower card suited and offsuit.
_PLAYED_FIRST = {14: (2, 2), 13: (2, 5), 12: (6, 8), 11: (8, 10)}


def play_simple(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play the published simple strategy: about 2.4 % of the ante by the American rule, best play 2.185 %."""
    own, board = cards[seat], cards.get("board", [])
    most = offers[-1].argument
    if most == "4":
        plays = _plays_first(own)
    elif most == "2":
        plays = _plays_flop(own, board[:3])
    else:
        plays = has_hidden_pair(own, board) or count_outs(own, board) < 21
    return move(seat, "play", most) if plays else move(seat, offers[0].word)


def play_pairs(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play like a guest: 4 with an ace or a pair, 2 or 1 with a pair that uses an own card."""
    own, board = cards[seat], cards.get("board", [])
    most = offers[-1].argument
    if most == "4":
        plays = own[0][0] == own[1][0] or "A" in own[0] + own[1]
    else:
        plays = has_hidden_pair(own, board[:3] if most == "2" else board)
    return move(seat, "play", most) if plays else move(seat, offers[0].word)


def play_best(options: UltimateOptions) -> Strategy:
    """Play the best choice for an ante without Trips: the bank keeps what `ridotto edges` says."""
    bets, rule = SeatBets(options.minimum, 0, options), options.nonqualify
    plays_first = {hand for hand in class_sizes() if value_two_cards(bets, hand).is_played(4)}

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        own, board = cards[seat], cards.get("board", [])
        most = offers[-1].argument
        if most == "4":
            plays = hand_class(own) in plays_first
        elif most == "2":
            plays = plays_flop(rule, own, board[:3])
        else:
            plays = value_river(bets, own, board).is_played(1)
        return move(seat, "play", most) if plays else move(seat, offers[0].word)

    return choose


def _plays_first(own: list[Card]) -> bool:
    low, high = sorted(map(value, own))
    if low == high:
        return low >= 3
    suited, offsuit = _PLAYED_FIRST.get(high, (15, 15))
    return low >= (suited if own[0][1] == own[1][1] else offsuit)


def _plays_flop(own: list[Card], flop: list[Card]) -> bool:
    """Check for two pair, a pair with a hole card (not pocket deuces), or four to a flush with an own ten or better."""
    if not has_hidden_pair(own, flop):
        return _draws_to_high_flush(own, flop)
    return own[0][0] + own[1][0] != "22" or category(rank(own + flop)) > PAIR


def _draws_to_high_flush(own: list[Card], flop: list[Card]) -> bool:
    suits = [card[1] for card in own + flop]
    return any(value(card) >= 10 and suits.count(card[1]) == 4 for card in own)


def count_outs(own: list[Card], board: list[Card]) -> int:
    """Count the unseen cards, of 45, that would beat the player as one card of the dealer."""
    best, seen = rank(own + board), {*own, *board}
    return sum(map(best.__lt__, rank_each(board, [card for card in FRENCH if card not in seen])))


SIMULATION = Simulation(
    game=GAME,
    strategies={"basic": play_simple, "guest": play_pairs, SIDE_BETS: play_simple},
    by_options={"best": play_best},
    lay=least_beside("ante", "trips", lambda options: options.minimum, [SIDE_BETS]),
    cards=9,
    rounds=200_000,
    control=control,
)
