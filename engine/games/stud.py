"""Seven Card Stud Hi/Lo, eight or better, fixed limit (SH): player against player, the house only deals."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.betting import POT, FixedLimitRound, PlayerRing, bet_in_turn, check_stacks, post, to_pot
from engine.cards import FRENCH, SUITS
from engine.felt import Amount, Asks, Facts, Felt, Game, Move, Options, Script, Stake, check
from engine.poker import name, rank_and_low, rank_showing, value
from engine.pots import numbers, return_uncalled, share, split_pots

STREETS = ("third street", "fourth street", "fifth street", "sixth street", "river")
THIRD, FOURTH, FIFTH, SIXTH, RIVER = STREETS
SEATS = 8
# Default of options that follow from the lower limit, told apart from an explicit 0.
_FROM_THE_LOWER = Amount(0)
# SH5: "equal ranks by suit, spades highest, then hearts, diamonds, clubs", which is the order of SUITS.
_HEIGHT = {card: (value(card), SUITS.index(card[1])) for card in FRENCH}


@dataclass(frozen=True)
class StudOptions(Options):
    """Options of stud. The upper limit follows from the lower one, the ante from both and the unit, if left out."""

    lower: int = 400
    upper: int = _FROM_THE_LOWER
    ante: int = _FROM_THE_LOWER
    unit: int = 1
    bring_in_may_complete: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.unit > 0, "The smallest chip must be more than 0.", "SH11")
        if self.upper is _FROM_THE_LOWER:
            object.__setattr__(self, "upper", 2 * self.lower)
        # SH2: "except at 0.50/1, which has none".
        without_ante = (self.lower, self.upper) == (50, 100)
        if self.ante is _FROM_THE_LOWER:
            eighth = -(-self.lower // (8 * self.unit)) * self.unit
            object.__setattr__(self, "ante", 0 if without_ante else eighth)
        check(self.lower > 0, "The lower limit must be more than 0.", "SH1")
        check(self.lower % 2 == 0, "The lower limit must be even, because the bring-in is half of it.", "SH5")
        check(self.upper >= self.lower, "The upper limit must not be below the lower one.", "SH1")
        check((self.ante == 0) == without_ante, "An ante is required, except at 0.50/1.", "SH2")
        payable = all(amount % self.unit == 0 for amount in (self.lower // 2, self.upper, self.ante))
        check(payable, "Limits, bring-in and ante must be multiples of the smallest chip.", "SH2")


def check_stakes(options: StudOptions, stakes: Sequence[Stake]) -> None:
    """Check two to eight stacks from the dealer's left (SH1, SH15). Raises IllegalDeal."""
    check_stacks(stakes, SEATS, "SH1", "SH15")


def play(felt: Felt) -> Script:
    """Play a hand: antes, five streets with their betting, the pots."""
    options: StudOptions = felt.options
    ring = PlayerRing(felt.deal.stakes)
    for seat in ring.live if options.ante else ():
        post(felt, ring, seat, options.ante)  # SH2
    for street in STREETS:
        felt.call(street)
        deal_street(felt, ring, street)
        # SH5: with only one player who has chips nobody bets, and no bring-in is posted.
        if len(ring.with_chips()) > 1:
            yield from bet_street(felt, ring, street)
        if len(ring.live) == 1:
            break
    settle(felt, ring)


def deal_street(felt: Felt, ring: PlayerRing, street: str) -> None:
    """Deal a street without burn cards, one card at a time from the dealer's left (SH3)."""
    if street == THIRD:
        for up in (False, False, True):
            felt.deal_each(ring.live, up=up)
        felt.facts["hands"] = {seat: {"cards": felt.cards[seat]} for seat in ring.live}
    elif street != RIVER:
        felt.deal_each(ring.live, up=True)
    elif len(FRENCH) - sum(map(len, felt.cards.values())) >= len(ring.live):
        felt.deal_each(ring.live, up=False)
    else:
        # SH4: "a discard (the first down card of the hand that folded first)", else the next card.
        if ring.folded:
            felt.lay_open("board", felt.cards[ring.folded[0]][0])
        else:
            felt.deal_to("board", up=True)
        felt.facts["board"] = felt.cards["board"]


def open_street(felt: Felt, ring: PlayerRing, street: str) -> list[str]:
    """Return the seats that may act, the opener first (SH5); the table says who acts and why."""
    if street == THIRD:
        doors = {felt.cards[seat][2]: seat for seat in ring.live}
        lowest = min(doors, key=_HEIGHT.__getitem__)
        first, why, shows = doors[lowest], "lowest card", lowest
    else:
        # A community river card does not count, and the players' own river cards are face down.
        hands = [rank_showing(felt.cards[seat][2:6]) for seat in ring.live]
        highest = max(hands)
        first = ring.live[hands.index(highest)]
        why, shows = "equal hands" if hands.count(highest) > 1 else "highest hand", name(highest)
    order = ring.with_chips_from(first)
    felt.open(order[0], why, shows, "" if order[0] == first else first)
    return order


def bet_street(felt: Felt, ring: PlayerRing, street: str) -> Generator[Asks, Move, None]:
    """Run one street's betting until all have answered the last raise or one player is left (SH5 to SH8)."""
    options: StudOptions = felt.options
    waiting = open_street(felt, ring, street)
    # SH6: "the lower limit on third and fourth street, the upper on fifth, sixth and river".
    limit = options.lower if street in (THIRD, FOURTH) else options.upper
    betting = FixedLimitRound(ring, limit, "complete" if street == THIRD else "bet", "SH7", "SH9")
    if street == THIRD:
        yield from bring_in(felt, ring, betting, waiting.pop(0))
    yield from bet_in_turn(felt, ring, betting, waiting)


def bring_in(felt: Felt, ring: PlayerRing, betting: FixedLimitRound, seat: str) -> Generator[Asks, Move, None]:
    """Ask for the bring-in, unless the table lets the opener complete at once and they and another player have more
    (SH5).
    """
    options: StudOptions = felt.options
    half, chips = options.lower // 2, ring.stacks[seat]
    most = max(ring.stacks[other] for other in ring.live if other != seat)
    if not options.bring_in_may_complete or min(chips, most) <= half:
        betting.bring_in(seat, post(felt, ring, seat, half))
        return
    offers = [to_pot("complete", min(options.lower, chips)), to_pot("bring-in", half)]
    move = yield from felt.ask_one(seat, offers, timeout="bring-in")
    if move.timed_out:
        betting.bring_in(seat, post(felt, ring, seat, half))
    elif move.word == "bring-in":
        ring.stacks[seat] -= half
        betting.bring_in(seat, half)
    else:
        betting.enter_bet(seat, move.stake)


def settle(felt: Felt, ring: PlayerRing) -> None:
    """Give back uncalled bets, then pay each pot to its winners, the main pot first (SH9 to SH12)."""
    paid = {seat: felt.staked.get((seat, POT), 0) for seat in ring.stacks}
    return_uncalled(felt, paid, "SH9")
    ranked = rank_hands(felt, ring)
    pots = split_pots(paid, ring.live)
    if len(ring.live) > 1:
        felt.call("showdown")
        for seat in ring.live:
            felt.show(seat)  # SH12: cards speak
        felt.facts["pots"] = [
            pay_pot(felt, amount, eligible, ranked, pot) for pot, (amount, eligible) in enumerate(pots)
        ]
    else:
        felt.facts["pots"] = [pay_last(felt, amount, *eligible) for amount, eligible in pots]
    tell_results(felt, ring, paid)


def rank_hands(felt: Felt, ring: PlayerRing) -> dict[str, tuple[int, int | None]]:
    """Rank high and low of every hand (SH10); the facts include folded hands, by the cards that they had."""
    board = felt.cards.get("board", [])
    ranked = {}
    for seat, hand in felt.facts["hands"].items():
        cards = felt.cards[seat] + board if seat in ring.live else felt.cards[seat]
        high, low = rank_and_low(cards) if len(cards) >= 5 else (rank_showing(cards), None)
        hand["rank"] = name(high)
        hand["low"] = spell_low(low) if low else None
        ranked[seat] = high, low
    return ranked


@cache
def spell_low(low: int) -> str:
    """Spell a number of `poker.low` as 8-6-4-3-A: its hexadecimal digits, with the ace as a letter."""
    return "-".join(f"{low:x}".replace("1", "A"))


def pay_pot(
    felt: Felt, amount: int, eligible: Sequence[str], ranked: Mapping[str, tuple[int, int | None]], pot: int
) -> Facts:
    """Pay half of a pot to the best high and half to the best low; without a low the high takes all (SH11)."""
    unit = felt.options.unit
    highs, lows = zip(*(ranked[seat] for seat in eligible), strict=True)
    best, lowest = max(highs), min(filter(None, lows), default=0)
    high = [seat for seat in eligible if ranked[seat][0] == best]
    low = [seat for seat in eligible if ranked[seat][1] == lowest]
    # The odd chip of the halving goes to the high half.
    low_half = amount // 2 // unit * unit if low else 0
    for seat, part in share(amount - low_half, high, unit).items():
        felt.pay(seat, POT, part, "high", "SH11", hand=name(best), pot=pot)
    if low:
        for seat, part in share(low_half, low, unit).items():
            felt.pay(seat, POT, part, "low", "SH11", hand=spell_low(lowest), pot=pot)
    return facts_of(amount, eligible, high, low)


def pay_last(felt: Felt, amount: int, seat: str) -> Facts:
    """Pay the pot to the last player, who shows nothing (SH12)."""
    felt.pay(seat, POT, amount, "last player", "SH12")
    return facts_of(amount, [seat], [seat], [])


def facts_of(amount: int, eligible: Sequence[str], high: Sequence[str], low: Sequence[str]) -> Facts:
    """Return the facts of one pot: who played for it, who has the high half and who the low."""
    return {"amount": amount, "eligible": numbers(eligible), "high": numbers(high), "low": numbers(low)}


def tell_results(felt: Felt, ring: PlayerRing, paid: Mapping[str, int]) -> None:
    """Tell the results: winners are paid already; the others' money is gone."""
    winners = {str(seat) for pot in felt.facts["pots"] for seat in pot["high"] + pot["low"]} or {*ring.live}
    for seat, hand in felt.facts["hands"].items():
        hand["result"] = "win" if seat in winners else "lose" if seat in ring.live else "fold"
        if paid[seat] and seat not in winners:
            felt.pay(seat, POT, 0, hand["result"], "SH10" if seat in ring.live else "SH8")


GAME = Game(
    name="stud",
    script=play,
    options=StudOptions,
    check=check_stakes,
    words={
        "fold": "SH8",
        "check": "SH8",
        "call": "SH8",
        "complete": "SH7",
        "bet": "SH8",
        "raise": "SH8",
        "bring-in": "SH5",
    },
    # SH6: the limits name the amounts of bets and raises.
    amounts=lambda options, offer, argument: {"bet": "SH6", "raise": "SH6", "complete": "SH7"}.get(offer.word, "SH8"),
    spots=(),
    all_spots=(POT,),
    turn="SH5",
    seats=SEATS,
    stacks="SH1",
)
