"""Ultimate Texas Hold'em (UT), the Venice variant: two cards of one's own, five on the board, one Play bet a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine import poker
from engine.cards import Card
from engine.felt import Felt, Game, Limits, Offer, Script, Stake, check, check_seats, choose
from engine.poker import category, name, rank

# UT13: the Blind, paid only to a winner, and UT14: Trips. Below a straight the Blind, below three of a kind Trips pays
# nothing.
BLIND_PAYS = {
    "royal flush": (500, 1),
    "straight flush": (50, 1),
    "four of a kind": (10, 1),
    "full house": (3, 1),
    "flush": (3, 2),
    "straight": (1, 1),
}
TRIPS_PAYS = {
    "royal flush": 50,
    "straight flush": 40,
    "four of a kind": 30,
    "full house": 8,
    "flush": 7,
    "straight": 4,
    "three of a kind": 3,
}


@dataclass(frozen=True)
class UltimateOptions(Limits):
    """Options of Ultimate in minor units; `nonqualify` decides the ante where the bank does not qualify (UT9)."""

    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    procedure: str = "shuffler"
    nonqualify: str = "venice"

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("procedure", self.procedure, "shuffler", "manual")
        choose("nonqualify", self.nonqualify, "venice", "us")


@dataclass(frozen=True, slots=True)
class Street:
    """Open cards of the board, then let each player who has not played bet one of the `multiples` of the ante, or wait.

    groups     how many cards the dealer opens at a time, from `position` of the board on
    wait       the word for waiting, which a time-out plays too (UT17)
    forbidden  the clause to name for a word that is invalid here
    """

    groups: tuple[int, ...]
    position: int
    wait: str
    multiples: tuple[int, ...]
    forbidden: Mapping[str, str]

    def offers(self, ante: int) -> tuple[Offer, ...]:
        return wait_or_play(self.wait, self.multiples, ante)


# Cached: equal ones never change.
@lru_cache(1000)
def wait_or_play(wait: str, multiples: tuple[int, ...], ante: int) -> tuple[Offer, ...]:
    """Return the offers to wait, which costs nothing, and to play a multiple of the ante by its number (UT4 to UT6)."""
    return Offer(wait), *(Offer("play", str(n), stake=n * ante, spot="play") for n in multiples)


# UT6: turn and river together; "nobody may fold before the whole board is open".
STREETS = (
    Street((), 1, "check", (3, 4), {"play": "UT4", "fold": "UT6"}),
    Street((3,), 1, "check", (2,), {"play": "UT5", "fold": "UT6"}),
    Street((1, 1), 4, "fold", (1,), {"play": "UT6", "check": "UT6"}),
)


def check_stakes(options: UltimateOptions, stakes: Sequence[Stake]) -> None:
    """Check six seats, an ante on each, and Trips only beside it (UT1, UT2). Raises IllegalDeal."""
    check_seats(stakes, 6, "UT1")
    for stake in stakes:
        check("ante" in stake.bets, "Place an ante first; Trips cannot be played alone.", "UT2")
        for spot, amount in stake.bets.items():
            options.check_limits(spot, amount)


def place(options: UltimateOptions, stake: Stake) -> dict[str, int]:
    """Return the bets of a stake: "a command gives the ante, the blind follows" (UT2)."""
    return {"ante": stake.bets["ante"], "blind": stake.bets["ante"], **stake.bets}


def play(felt: Felt) -> Script:
    """Play a hand from the antes to the payment, street by street."""
    options: UltimateOptions = felt.options
    bets = felt.place_all()
    felt.call("no more bets")

    deal_cards(felt, list(bets), options.procedure)
    board, dealer = felt.cards["board"], felt.cards["dealer"]
    hands: dict[str, dict[str, Any]] = {seat: {"cards": felt.cards[seat]} for seat in bets}
    felt.facts |= {"dealer": dealer, "board": board, "hands": hands}
    felt.call("go ahead")

    # UT16 has no place here: virtual cards cannot fall open. Whatever spoils a hand all the same voids it (G6).
    waiting = list(bets)
    for street in STREETS:
        open_board(felt, street, options.procedure)
        if not waiting:
            continue
        # UT7: they choose at the same time. A seat that has played is not asked again: "one Play bet per hand" (UT6).
        moves = yield from felt.ask_each(
            {seat: street.offers(bets[seat]["ante"]) for seat in waiting},
            timeout=street.wait,
            forbidden=street.forbidden,
        )
        waiting = [seat for seat in waiting if moves[seat].word != "play"]
    folded = waiting
    for seat in reversed(folded):
        collect(felt, seat, bets[seat], options.procedure)

    dealers = rank(dealer + board)
    qualifies = category(dealers) >= poker.PAIR  # UT8
    felt.facts["qualifies"] = qualifies
    felt.show("dealer")

    # UT11: from the right to the left, "highest seat first".
    for seat in reversed(bets):
        own = rank(felt.cards[seat] + board)
        result = "fold" if seat in folded else compare(own, dealers, qualifies, options.nonqualify)
        hands[seat] |= {"rank": name(own), "result": result}
        # A hand that nobody compares stays hidden, unless its Trips is paid (UT14, UT15), and no payment names it (G8).
        shown = ""
        if result in ("win", "lose", "tie") or ("trips" in bets[seat] and name(own) in TRIPS_PAYS):
            shown = name(own)
            felt.show(seat)
        settle(felt, seat, bets[seat], shown, result, qualifies)


def deal_cards(felt: Felt, seats: list[str], procedure: str) -> None:
    """Deal two cards to each seat and to the bank; the shuffler lays the board first, face down (UT3)."""
    if procedure == "shuffler":  # UT3: the board face down, "then two cards at once to each seat", last the bank
        felt.deal_to("board", 5)
        for to in (*seats, "dealer"):
            felt.deal_to(to, 2)
    else:  # UT3: "one card at a time, two rounds, bank last"; the board follows street by street
        felt.cards["board"] = []
        felt.deal_each(2 * (*seats, "dealer"), up=False)


def open_board(felt: Felt, street: Street, procedure: str) -> None:
    """Open the part of the board that this street shows: turned over, or dealt now if the dealer deals by hand
    (UT3).
    """
    if procedure == "manual":  # UT3: "burn-flop, burn-turn, burn-river"
        for cards in street.groups:
            felt.deal_to("burn")
            felt.deal_to("board", cards, up=True)
    elif street.groups:
        felt.turn("board", street.position, sum(street.groups))


def collect(felt: Felt, seat: str, bets: dict[str, int], procedure: str) -> None:
    """Collect the bets of a fold: Ante and Blind are lost at once (UT15).

    Trips "stays live", but by hand "it is lost with them": a Trips bet that is lost leaves `bets`.
    """
    lost = ["ante", "blind"]
    if procedure == "manual" and bets.pop("trips", 0):
        lost.append("trips")
    for spot in lost:
        felt.pay(seat, spot, 0, "fold", "UT15")


def compare(own: int, dealers: int, qualifies: bool, nonqualify: str) -> str:
    """Compare a hand with the bank's; when the bank withdraws the result is the same "whatever they hold" (UT9)."""
    if not qualifies and nonqualify == "venice":
        return "unqualified"
    return "win" if own > dealers else "lose" if own < dealers else "tie"


def settle(felt: Felt, seat: str, bets: Mapping[str, int], hand: str, result: str, qualifies: bool) -> None:
    """Settle the bets that are left on one seat: Play, Ante, Trips, Blind (UT11). `hand` is its open rank, "" for
    none.
    """
    if result != "fold":
        pay_play_and_ante(felt, seat, bets["ante"], hand, result, qualifies)
    if "trips" in bets:
        odds = TRIPS_PAYS.get(hand)
        amount = (1 + odds) * bets["trips"] if odds else 0
        why = "win" if odds else "lose"
        felt.pay(seat, "trips", amount, why, "UT14", hand=hand, odds=(odds, 1) if odds else None)
    if result != "fold":
        pay_blind(felt, seat, bets["blind"], hand, result, "UT10" if qualifies else "UT9")


# UT10: the return of a bet at 1:1; it stays if nobody won it.
_TIMES = {"win": 2, "lose": 0}


def pay_play_and_ante(felt: Felt, seat: str, ante: int, hand: str, result: str, qualifies: bool) -> None:
    """Pay Play and Ante 1:1, take them, or push (UT10).

    When the bank withdraws the ante is paid, or pushes by the American rule (UT9).
    """
    play = felt.staked[seat, "play"]
    times = _TIMES.get(result, 1)
    clause = "UT10" if qualifies else "UT9"
    felt.pay(seat, "play", times * play, result, clause, hand=hand, odds=(1, 1) if times == 2 else None)
    if not qualifies:
        times, result = (2 if result == "unqualified" else 1), "unqualified"
    felt.pay(seat, "ante", times * ante, result, clause, odds=(1, 1) if times == 2 else None)


def pay_blind(felt: Felt, seat: str, blind: int, hand: str, result: str, clause: str) -> None:
    """Pay the blind of one seat (UT9, UT10, UT13); `hand` is its rank in words."""
    if result != "win":  # lost to a better hand (UT10); returned on a tie, and if the bank does not qualify (UT9)
        felt.pay(seat, "blind", 0 if result == "lose" else blind, result, clause, hand=hand)
    elif hand in BLIND_PAYS:
        paid, per = BLIND_PAYS[hand]
        # G2: of 3:2 half a minor unit is the bank's.
        felt.pay(seat, "blind", blind + blind * paid // per, "win", "UT13", hand=hand, odds=(paid, per))
    else:  # UT13: "a win with less leaves the Blind where it is"
        felt.pay(seat, "blind", blind, "push", "UT13", hand=hand)


# How many of the five values in a rank make the hand, by category; the others are kickers.
_MAKING = (1, 2, 4, 3, 5, 5, 5, 4, 5, 5)


def has_hidden_pair(own: list[Card], board: list[Card]) -> bool:
    """Check for "a pair or better that uses a hole card", as the standing order asks (UT17).

    Kickers alone do not count. `board` is the flop or all five cards.
    """
    ranked = rank(own + board)
    kickers = 4 * (5 - _MAKING[category(ranked)])
    return category(ranked) >= poker.PAIR and ranked >> kickers > rank(board) >> kickers


GAME = Game(
    name="uth",
    script=play,
    options=UltimateOptions,
    check=check_stakes,
    words={"check": "UT4", "play": "UT4", "fold": "UT6"},
    spots=("ante", "trips"),
    all_spots=("ante", "blind", "play", "trips"),
    turn="UT7",
    seats=6,
    place=place,
)
