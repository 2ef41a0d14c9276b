"""Strategies of Caribbean Stud: when to raise, and which card to exchange."""

from collections.abc import Iterable, Sequence

from engine.cards import Card
from engine.felt import Move, Offers
from engine.games.caribbean import GAME
from engine.games.caribbean_choices import RAISE, UNKNOWN, find_choice
from engine.games.caribbean_control import control
from engine.games.caribbean_odds import Chair, Unseen
from engine.poker import PAIR, category, rank, value
from engine.simulation import BEST, SIDE_BETS, Cards, Simulation, least_beside, move

# The least hand that a plain player raises with: about half of the dealer's qualifying hands are lower.
_ACE_KING_JACK = rank("As Kd Jc 8h 3s".split())
_PAIR = PAIR << 20


def _raise_or_fold(seat: str, raises: bool) -> Move:
    return move(seat, "raise" if raises else "fold")


def raise_ace_king_jack(seat: str, offers: Offers, cards: Cards) -> Move:
    """Raise with A-K-J-8-3 or better, never exchange: the bank keeps 5.316 % of the ante."""
    return _raise_or_fold(seat, rank(cards[seat]) >= _ACE_KING_JACK)


def raise_best(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play the best published strategy without exchanges: the bank keeps 5.224 % of the ante."""
    own = cards[seat]
    return _raise_or_fold(seat, rank(own) >= _PAIR or _is_ace_king_raise(own, cards["dealer"][4]))


def _is_ace_king_raise(own: list[Card], upcard: Card) -> bool:
    """Check whether a hand without a pair, with ace and king, is raised against the dealer's open card."""
    ranks = "".join(card[0] for card in own)
    if "A" not in ranks or "K" not in ranks:
        return False
    if upcard[0] in "AK":
        return "Q" in ranks or "J" in ranks
    if upcard[0] in ranks:
        return True
    return "Q" in ranks and value(upcard) < sorted(map(value, own))[1]


def raise_always(seat: str, offers: Offers, cards: Cards) -> Move:
    """Raise without looking."""
    return move(seat, "raise")


def exchange_to_draws(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play like a guest: buy a card to four of a flush or straight, else raise with a pair or A-K-J-8-3."""
    own = cards[seat]
    may_exchange = any(offer.word == "exchange" for offer in offers)
    odd = odd_card(own) if may_exchange and category(rank(own)) <= PAIR else None
    return move(seat, "exchange", odd) if odd else raise_ace_king_jack(seat, offers, cards)


def odd_card(cards: list[Card]) -> Card | None:
    """Return the one card that keeps five from a flush or an open-ended straight; None if there is none."""
    for odd in cards:
        others = [card for card in cards if card != odd]
        if len({card[1] for card in others}) == 1 or _is_open_ended(map(value, others)):
            return odd
    return None


def _is_open_ended(values: Iterable[int]) -> bool:
    run = sorted(values)
    return run == list(range(run[0], run[0] + 4)) and run[-1] < 14


class BestPlay:
    """Play the best choice on average: the bank keeps what `ridotto edges` says.

    The exchanged card counts afterwards, though it is not in the hand any more: it is remembered by seat.
    """

    def __init__(self) -> None:
        self._first_five: dict[str, list[Card]] = {}

    def __call__(self, seat: str, offers: Offers, cards: Cards) -> Move:
        own, up = cards[seat], cards["dealer"][4]
        if any(offer.word == "exchange" for offer in offers):
            self._first_five[seat] = list(own)
            choice = find_choice(own, up[0])
            if choice != UNKNOWN:
                return move(seat, "exchange", choice) if choice in own else _raise_or_fold(seat, choice == RAISE)
        return _choose_best(seat, offers, own, Unseen(up, [*own, *self._first_five[seat], up]))


def _choose_best(seat: str, offers: Offers, own: Sequence[Card], unseen: Unseen) -> Move:
    """Choose the best move by counting everything, for an ante of one and without a coin."""
    chair = Chair(tuple(own), unseen, 1, not any(offer.word == "exchange" for offer in offers), 0, 0)
    best = max((offer for offer in offers if offer.listed), key=lambda offer: chair.worth(offer, 2))
    return move(seat, best.word, best.argument)


SIMULATION = Simulation(
    game=GAME,
    strategies={
        "basic": raise_ace_king_jack,
        "never-exchange": raise_best,
        "always-raise": raise_always,
        "guest": exchange_to_draws,
        SIDE_BETS: raise_ace_king_jack,
    },
    by_options={BEST: lambda options: BestPlay()},
    lay=least_beside("ante", "jackpot", lambda options: options.coin, [SIDE_BETS]),
    cards=11,
    rounds=300_000,
    control=control,
)
