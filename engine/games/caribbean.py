"""Caribbean Stud Poker with card exchange and the Jackpot Progressive (CS), Casino Municipale di Venezia."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat

from engine import jackpot, poker
from engine.cards import Card
from engine.felt import (
    ChosenMove,
    Felt,
    Game,
    Limits,
    Meter,
    Offer,
    Script,
    Settlement,
    Stake,
    check,
    check_seats,
    choose,
)
from engine.poker import category, name, rank

# CS15: the bet pays, to one, on the five cards dealt and after an exchange.
PAYS = {
    "royal flush": (100, 60),
    "straight flush": (50, 30),
    "four of a kind": (20, 12),
    "full house": (7, 7),
    "flush": (5, 5),
    "straight": (4, 4),
    "three of a kind": (3, 3),
    "two pair": (2, 2),
    "pair": (1, 1),
    "high card": (1, 1),
}
# CS3: the dealer's last card lies open.
_LAST_UP = (False, False, False, False, True)
# CS11: ace AND king, whatever comes with them.
ACE_KING = rank(["As", "Kd", "4c", "3h", "2s"])


@dataclass(frozen=True)
class CaribbeanOptions(Limits):
    """Options in minor units, but `contribution` in basis points of a coin; `fixed` is {prize: amount} (CS18-CS20)."""

    minimum: int = 1000
    step: int = 500
    maximum: int = 100000
    procedure: str = "shuffler"
    irregular_bets: bool = False
    coin: int = 100
    fixed: Mapping[str, int] = field(default_factory=dict)
    contribution: int = 9000
    reset: int = 1000000
    hand_pay: str = "automatic"

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("procedure", self.procedure, "shuffler", "manual")
        choose("hand_pay", self.hand_pay, "automatic", "keys")
        object.__setattr__(self, "fixed", {"four": 50000, "full": 10000, "flush": 5000} | dict(self.fixed))
        jackpot.check_meter(self.coin, self.fixed, self.contribution)


def check_stakes(options: CaribbeanOptions, stakes: Sequence[Stake]) -> None:
    """Check seven seats, an ante on each, at most one coin of its own size (CS1, CS2). Raises IllegalDeal."""
    check_seats(stakes, 7, "CS1")
    for stake in stakes:
        coin = stake.bets.get("jackpot")
        # CS2: nobody plays the jackpot alone.
        check("ante" in stake.bets, "Place an ante first; the jackpot cannot be played alone.", "CS2")
        options.check_limits("ante", stake.bets["ante"])
        check(coin in (None, options.coin), "The jackpot takes exactly one coin.", "CS2")


def play(felt: Felt) -> Script:
    """Play a hand from the antes to the jackpot, clause by clause."""
    options: CaribbeanOptions = felt.options
    bets = felt.place_all()
    antes = {seat: spots["ante"] for seat, spots in bets.items()}
    felt.call("no more bets")

    deal_cards(felt, list(antes), options.procedure)
    dealer = felt.cards["dealer"]
    first_five = {seat: rank(felt.cards[seat]) for seat in antes}
    hands = {seat: {"cards": felt.cards[seat], "rank": name(first_five[seat])} for seat in antes}
    felt.facts |= {"dealer": dealer, "hands": hands}
    felt.call("go ahead")

    # CS5, CS6: everybody chooses at the same time.
    moves = yield from felt.ask_each(
        {seat: offers(antes[seat], options) + exchanges(felt.cards[seat], antes[seat]) for seat in antes},
        timeout="fold",
    )
    # CS6: the exchanged cards come from the rest of the deck, in seat order, however late the player chose.
    exchanged = [seat for seat, move in moves.items() if move.word == "exchange"]
    for seat in exchanged:
        felt.exchange(seat, moves[seat].argument)
    if exchanged:
        moves |= yield from felt.ask_each(
            {seat: offers(antes[seat], options) for seat in exchanged}, timeout="fold", forbidden={"exchange": "CS6"}
        )

    dealers = rank(dealer)
    qualifies = dealers >= ACE_KING
    felt.facts["qualifies"] = qualifies
    felt.show("dealer")

    # CS14: from the dealer's right to left, the highest seat first.
    for seat in reversed(antes):
        has_exchanged, has_coin = seat in exchanged, "jackpot" in bets[seat]
        own = rank(felt.cards[seat]) if has_exchanged else first_five[seat]
        result = settle(felt, moves[seat], antes[seat], own, dealers, qualifies, has_exchanged)
        hands[seat] |= {"rank": name(own), "result": result}
        # CS19: the prize is for the first five cards; who exchanged has given it up (CS7).
        prize = jackpot.prize_of(own) if has_coin and not has_exchanged else None
        # CS12: unqualified hands are collected unseen, folded ones stay hidden; a jackpot hand is declared.
        if prize or result in ("win", "lose", "tie"):
            felt.show(seat)
            # CS22: a royal or straight flush stops the tables of the meter until it is confirmed.
            if category(own) >= poker.STRAIGHT_FLUSH:
                felt.declare(seat, name(own))
        if prize:
            felt.win(seat, prize)
        elif has_coin:
            why, clause = ("exchanged", "CS7") if has_exchanged else ("no prize", "CS19")
            felt.pay(seat, "jackpot", 0, why, clause)


def deal_cards(felt: Felt, seats: list[str], procedure: str) -> None:
    """Deal five cards to each seat and to the dealer, whose last card is open (CS3, CS4)."""
    if procedure == "shuffler":  # CS3
        for seat in seats:
            felt.deal_to(seat, 5)
        felt.deal_to("dealer", 5, up=_LAST_UP)
    else:  # CS4
        for card in range(5):
            for to in (*seats, "dealer"):
                felt.deal_to(to, up=to == "dealer" and card == 4)


_POSITIONS = range(1, 6)

# Cached: equal ones never change.
_FOLD = Offer("fold")
_ANY_RAISE = Offer("raise", spot="bet", least=1, most=10**12, listed=False)


def offers(ante: int, options: CaribbeanOptions) -> list[Offer]:
    """Return fold and raise; where irregular bets are allowed, any raise is accepted but not listed (CS8)."""
    regular = [_FOLD, double(ante)]
    return [*regular, _ANY_RAISE] if options.irregular_bets else regular  # CS8


def exchanges(cards: Sequence[Card], ante: int) -> list[Offer]:
    """Return one offer for each card, in the order of the hand (CS6)."""
    return list(map(exchange, cards, _POSITIONS, repeat(ante)))


@lru_cache(1000)
def double(ante: int) -> Offer:
    """Return the offer of the regular raise: twice the ante (CS8)."""
    return Offer("raise", stake=2 * ante, spot="bet")


@lru_cache(10_000)
def exchange(card: Card, position: int, ante: int) -> Offer:
    """Offer an exchange for the ante (CS5). The card is the mover's secret; the others are told its position, from
    1.
    """
    return Offer("exchange", card, stake=ante, spot="exchange", public=str(position))


def settle(felt: Felt, move: ChosenMove, ante: int, own: int, dealers: int, qualifies: bool, exchanged: bool) -> str:
    """Settle one seat's ante, bet and fee, the bet before the ante (CS14). Returns the name of the result."""
    seat, hand = move.seat, name(own)
    if exchanged:
        felt.pay(seat, "exchange", 0, "fee", "CS5")
    if move.word == "fold":
        felt.pay(seat, "ante", 0, "fold", "CS5")
        return "fold"
    bet = felt.staked[seat, "bet"]
    counted = min(bet, 2 * ante)  # CS8: what is above the double comes back
    if not qualifies:  # CS12
        felt.pay(seat, "bet", bet, "unqualified", "CS12")
        felt.pay(seat, "ante", 2 * ante, "unqualified", "CS12", odds=(1, 1))
        return "unqualified"
    if own > dealers:
        odds = PAYS[hand][exchanged]
        felt.pay(seat, "bet", bet + odds * counted, "win", "CS15", hand=hand, odds=(odds, 1))
        felt.pay(seat, "ante", 2 * ante, "win", "CS13", odds=(1, 1))
        return "win"
    if own < dealers:
        felt.pay(seat, "bet", bet - counted, "lose", "CS13", hand=hand)
        felt.pay(seat, "ante", 0, "lose", "CS13")
        return "lose"
    felt.pay(seat, "bet", bet, "tie", "CS13", hand=hand)
    felt.pay(seat, "ante", ante, "tie", "CS13")
    return "tie"


def settle_meter(options: CaribbeanOptions, meter: int | None, coins: int, winners: Mapping[str, str]) -> Settlement:
    """Settle the meter that the deal names, or one that has just restarted (CS17 to CS21)."""
    return jackpot.settle(
        options.reset if meter is None else meter,
        coins,
        winners,
        coin=options.coin,
        contribution=options.contribution,
        fixed=options.fixed,
        reset=options.reset,
    )


GAME = Game(
    name="caribbean",
    script=play,
    options=CaribbeanOptions,
    check=check_stakes,
    words={"raise": "CS8", "fold": "CS5", "exchange": "CS5"},
    spots=("ante", "jackpot"),
    all_spots=("ante", "bet", "exchange", "jackpot"),
    turn="CS6",
    seats=7,
    meter=Meter("jackpot", settle_meter),
)
