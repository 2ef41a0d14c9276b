"""How simulations and house players choose: `choose(seat, offers, cards) -> Move`, by game and name.

`cards` say whose cards lie on the table; those that the seat may not see can be real or "??", and no strategy looks.
The first strategy of a game is the one that a simulation takes when none is named; `guest` is for house players.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from random import Random

from engine.blackjack import count
from engine.cards import FRENCH, Card
from engine.felt import Move, Offers
from engine.paiju import AREAS
from engine.poker import PAIR, category, rank, rank_each, value
from engine.uth import has_hidden_pair

Cards = Mapping[str, list[Card]]
Strategy = Callable[[str, Offers, Cards], Move]

# Made once for each that comes again: they never change.
_move = lru_cache(10_000)(Move)

# What a plain player raises with: about half of what the dealer's qualifying hands are.
_ACE_KING_JACK = rank("As Kd Jc 8h 3s".split())
_PAIR = PAIR << 20


def _raise_or_fold(seat: str, raises: bool) -> Move:
    return _move(seat, "raise" if raises else "fold")


def raise_ace_king_jack(seat: str, offers: Offers, cards: Cards) -> Move:
    """Raise with A-K-J-8-3 or better, never exchange: the bank keeps 5.316 % of the ante."""
    return _raise_or_fold(seat, rank(cards[seat]) >= _ACE_KING_JACK)


def raise_best(seat: str, offers: Offers, cards: Cards) -> Move:
    """The best published play without an exchange: the bank keeps 5.224 % of the ante."""
    own = cards[seat]
    return _raise_or_fold(seat, rank(own) >= _PAIR or _is_ace_king_raise(own, cards["dealer"][4]))


def _is_ace_king_raise(own: list[Card], upcard: Card) -> bool:
    """Of hands without a pair, those with ace and king that the dealer's open card lets raise."""
    ranks = "".join(card[0] for card in own)
    if "A" not in ranks or "K" not in ranks:
        return False
    if upcard[0] in "AK":
        return "Q" in ranks or "J" in ranks
    if upcard[0] in ranks:
        return True
    return "Q" in ranks and value(upcard) < sorted(map(value, own))[1]


def raise_always(seat: str, offers: Offers, cards: Cards) -> Move:
    """Never look, always raise."""
    return _move(seat, "raise")


def exchange_to_draws(seat: str, offers: Offers, cards: Cards) -> Move:
    """As a guest plays: buy a card to four of a flush or straight, else raise with a pair or A-K-J-8-3."""
    own = cards[seat]
    may_exchange = any(offer.word == "exchange" for offer in offers)
    odd = odd_card(own) if may_exchange and category(rank(own)) <= PAIR else None
    return _move(seat, "exchange", odd) if odd else raise_ace_king_jack(seat, offers, cards)


def odd_card(cards: list[Card]) -> Card | None:
    """The one card that keeps five from a flush, or from a straight open at both ends."""
    for odd in cards:
        others = [card for card in cards if card != odd]
        if len({card[1] for card in others}) == 1 or _is_open_ended(map(value, others)):
            return odd
    return None


def _is_open_ended(values: Iterable[int]) -> bool:
    run = sorted(values)
    return run == list(range(run[0], run[0] + 4)) and run[-1] < 14


def only_bet(seat: str, offers: Offers, cards: Cards) -> Move:
    """Paiju asks nothing after the bets (PJ4): the name of the strategy is the area to bet on."""
    raise AssertionError("Paiju asks nothing.")


# Ultimate Texas Hold'em: who has not played yet asks himself on every street whether to play its most.

# Unpaired hole cards that play 4 before the flop: by the higher card, the least lower card suited and offsuit.
_PLAYED_FIRST = {14: (2, 2), 13: (2, 5), 12: (6, 8), 11: (8, 10)}


def play_simple(seat: str, offers: Offers, cards: Cards) -> Move:
    """The simple strategy published for Ultimate: about 2.4 % of the ante by the American rule, best play 2.185 %."""
    own, board = cards[seat], cards.get("board", [])
    most = offers[-1].argument
    if most == "4":
        plays = _plays_first(own)
    elif most == "2":
        plays = _plays_flop(own, board[:3])
    else:
        plays = has_hidden_pair(own, board) or count_outs(own, board) < 21
    return _move(seat, "play", most) if plays else _move(seat, offers[0].word)


def play_pairs(seat: str, offers: Offers, cards: Cards) -> Move:
    """As a guest plays: 4 with an ace or a pair, 2 or 1 with a pair of his own."""
    own, board = cards[seat], cards.get("board", [])
    most = offers[-1].argument
    if most == "4":
        plays = own[0][0] == own[1][0] or "A" in own[0] + own[1]
    else:
        plays = has_hidden_pair(own, board[:3] if most == "2" else board)
    return _move(seat, "play", most) if plays else _move(seat, offers[0].word)


def _plays_first(own: list[Card]) -> bool:
    low, high = sorted(map(value, own))
    if low == high:
        return low >= 3
    suited, offsuit = _PLAYED_FIRST.get(high, (15, 15))
    return low >= (suited if own[0][1] == own[1][1] else offsuit)


def _plays_flop(own: list[Card], flop: list[Card]) -> bool:
    """Two pair, a pair with a hole card except pocket deuces, four to a flush with a ten or better of one's own."""
    if not has_hidden_pair(own, flop):
        return _draws_to_high_flush(own, flop)
    return own[0][0] + own[1][0] != "22" or category(rank(own + flop)) > PAIR


def _draws_to_high_flush(own: list[Card], flop: list[Card]) -> bool:
    suits = [card[1] for card in own + flop]
    return any(value(card) >= 10 and suits.count(card[1]) == 4 for card in own)


def count_outs(own: list[Card], board: list[Card]) -> int:
    """How many of the 45 unseen cards would, as one card of the dealer, beat the player."""
    best, seen = rank(own + board), {*own, *board}
    return sum(map(best.__lt__, rank_each(board, [card for card in FRENCH if card not in seen])))


# Black jack by the published basic strategy for a dealer without a hole card, whose Black Jack takes doubled and split
# bets too. By the dealer's open card: 2 to 10, 11 for the ace.

_DOUBLED = {9: range(3, 7), 10: range(2, 10), 11: range(2, 10)}
# By the points of one of the two cards, 11 for the ace; tens and fives are never split.
_SPLIT: Mapping[int, Container[int]] = {
    2: range(2, 8),
    3: range(2, 8),
    4: range(5, 7),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, 10),
    9: (2, 3, 4, 5, 6, 8, 9),
    11: range(2, 11),
}


def play_basic(seat: str, offers: Offers, cards: Cards) -> Move:
    """Basic strategy, no insurance: by the usual rules of a table the bank keeps about 0.5 % of the first bet."""
    words = {offer.word for offer in offers}
    if "decline" in words:
        return _move(seat, "decline")
    own, (dealer, _) = cards[offers[0].on], count(cards["dealer"][:1])
    total, is_soft = count(own)
    if "split" in words and dealer in _SPLIT.get(count(own[:1])[0], ()):
        return _move(seat, "split")
    if "double" in words and not is_soft and dealer in _DOUBLED[total]:
        return _move(seat, "double")
    return _move(seat, "hit" if "hit" in words and _draws(total, is_soft, dealer) else "stand")


def _draws(total: int, is_soft: bool, dealer: int) -> bool:
    if is_soft:
        return total < 18 or (total == 18 and dealer > 8)
    if total == 12:
        return dealer not in (4, 5, 6)
    return total < 12 or (total < 17 and dealer > 6)


def call_down(seat: str, offers: Offers, cards: Cards) -> Move:
    """Stud without a thought: check what is free, call what is not, never fold, never raise."""
    for offer in offers:
        if offer.word in ("check", "call", "bring-in"):
            return _move(seat, offer.word)
    raise AssertionError("There is always a calm choice.")


def choose_at_random(random: Random) -> Strategy:
    """Whatever is listed, each as often as the others; an amount within its range."""

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        offer = random.choice([offer for offer in offers if offer.listed])
        return _move(seat, offer.word, str(random.randint(offer.least, offer.most)) if offer.most else offer.argument)

    return choose


STRATEGIES: Mapping[str, Mapping[str, Strategy]] = {
    "caribbean": {
        "basic": raise_ace_king_jack,
        "never-exchange": raise_best,
        "always-raise": raise_always,
        "guest": exchange_to_draws,
    },
    "paiju": dict.fromkeys(AREAS, only_bet),
    "uth": {
        "basic": play_simple,
        "guest": play_pairs,
    },
    "blackjack": {
        "basic": play_basic,
        "guest": play_basic,
    },
    "stud": {
        "call-down": call_down,
        "guest": call_down,
    },
}

# What chooses by chance is made from a source of it.
RANDOM_STRATEGIES: Mapping[str, Mapping[str, Callable[[Random], Strategy]]] = {
    "stud": {"random": choose_at_random},
}
