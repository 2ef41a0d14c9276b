"""Seven Card Stud Hi/Lo, eight or better, fixed limit (SH): player against player, the house only deals."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.cards import FRENCH, SUITS
from engine.felt import Amount, Asks, Facts, Felt, Game, Move, Offer, Options, Script, Stake, check
from engine.poker import name, rank_and_low, rank_showing, value

STREETS = ("third street", "fourth street", "fifth street", "sixth street", "river")
THIRD, FOURTH, FIFTH, SIXTH, RIVER = STREETS
SEATS = 8
CAP = 4  # SH7: bet, raise, re-raise, cap

POT = "pot"
# What follows from the lower limit where it is left out: told from a nothing that somebody wrote.
_FROM_THE_LOWER = Amount(0)
# SH5: "equal ranks by suit, spades highest, then hearts, diamonds, clubs", which is the order of SUITS.
_HEIGHT = {card: (value(card), SUITS.index(card[1])) for card in FRENCH}

_FOLD, _CHECK = Offer("fold"), Offer("check")
_CAPPED = dict.fromkeys(("complete", "bet", "raise"), "SH7")
_NOTHING_OFF: Mapping[str, str] = {}
_CLOSED = dict.fromkeys(("complete", "bet", "raise"), "SH9")


@dataclass(frozen=True)
class StudOptions(Options):
    """The upper limit follows from the lower one, and the ante from both and the unit, where they are left out."""

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
    """Two to eight stacks from the dealer's left, so that seats rise and wrap once (SH1, SH15). Raises IllegalDeal."""
    seats = [stake.seat for stake in stakes]
    check(2 <= len(seats) <= SEATS, "Two to eight players play a hand.", "SH1")
    check(all(1 <= seat <= SEATS for seat in seats), "Choose a seat from 1 to {most}.", "SH1", most=SEATS)
    # SH15: from the dealer's left, so the numbers may wrap once.
    first = seats.index(min(seats))
    rising = seats[first:] + seats[:first]
    check(rising == sorted(set(seats)), "Stakes must be ordered from the dealer's left, one per seat.", "SH15")
    check(len({stake.player for stake in stakes}) == len(stakes), "A player can have one seat.", "G9")
    check(all(stake.stack > 0 for stake in stakes), "A player needs a stack at the table.", "SH1")


def play(felt: Felt) -> Script:
    """The page of the rules: antes, five streets with their betting, the pots."""
    options: StudOptions = felt.options
    ring = Ring({str(stake.seat): stake.stack for stake in felt.deal.stakes})
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


class Ring:
    """The players from the dealer's left: who has which chips left, who is still in, who folded, the first first."""

    def __init__(self, stacks: dict[str, int]) -> None:
        self.stacks = stacks
        self.live = list(stacks)
        self.folded: list[str] = []

    def with_chips(self) -> list[str]:
        return [seat for seat in self.live if self.stacks[seat]]

    def with_chips_from(self, seat: str) -> list[str]:
        """Return the seats that are in and have chips, clockwise, from `seat` if it is one of them."""
        at = self.live.index(seat)
        return [seat for seat in self.live[at:] + self.live[:at] if self.stacks[seat]]

    def fold(self, seat: str) -> None:
        self.live.remove(seat)
        self.folded.append(seat)


def post(felt: Felt, ring: Ring, seat: str, amount: int) -> int:
    """Put in what nobody chooses, or what is left (SH9). The answer is what it was."""
    amount = min(amount, ring.stacks[seat])
    ring.stacks[seat] -= amount
    felt.stake(seat, POT, amount)
    return amount


# Cards


def deal_street(felt: Felt, ring: Ring, street: str) -> None:
    """SH3: no burn cards, one card at a time from the dealer's left."""
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


def open_street(felt: Felt, ring: Ring, street: str) -> list[str]:
    """SH5: who may act, the opener first; the table says who acts and why."""
    if street == THIRD:
        doors = {felt.cards[seat][2]: seat for seat in ring.live}
        lowest = min(doors, key=_HEIGHT.__getitem__)
        first, why, shows = doors[lowest], "lowest card", lowest
    else:
        # A community river card does not count, and the players' own river cards lie down.
        hands = [rank_showing(felt.cards[seat][2:6]) for seat in ring.live]
        highest = max(hands)
        first = ring.live[hands.index(highest)]
        why, shows = "equal hands" if hands.count(highest) > 1 else "highest hand", name(highest)
    order = ring.with_chips_from(first)
    felt.open(order[0], why, shows, "" if order[0] == first else first)
    return order


# Bets


class Round:
    """One betting round: what it costs to stay in, and who may still raise.

    level    what each must have put in on this street to stay in
    counted  the level of the last bet that counts, or of the bring-in: a raise is measured from there (SH9)
    bets     how many bets count
    acted    who acted since the last bet that counts
    word     what the next bet is called: "over a short bet the word stays `bet` or `complete`" (SH9)
    full     the level of the next bet; over a short one still the level that it fell short of (SH9)
    """

    def __init__(self, ring: Ring, limit: int, word: str) -> None:
        self.ring = ring
        self.limit = self.full = limit
        self.word = word
        self.level = self.counted = self.bets = 0
        self.put = dict.fromkeys(ring.live, 0)
        self.acted: set[str] = set()

    def bring_in(self, seat: str, amount: int) -> None:
        """SH5, SH7: the others call it, and it is no bet."""
        self.put[seat] = self.level = self.counted = amount
        self.acted.add(seat)

    def put_in(self, seat: str, amount: int) -> bool:
        """Put chips in; return whether the others must answer, because it is more than a call."""
        self.acted.add(seat)
        self.ring.stacks[seat] -= amount
        self.put[seat] = put = self.put[seat] + amount
        if put <= self.level:
            return False
        self.level = put
        # SH9: "from half a bet on it counts as a bet"; less "does not reopen the betting for those who have acted".
        if 2 * (put - self.counted) >= self.limit:
            self.bets += 1
            self.word, self.counted, self.full = "raise", put, put + self.limit
            self.acted = {seat}
        return True

    def is_answerable(self, seat: str) -> bool:
        """Check whether another seat could put in more than the level."""
        stacks, put, level = self.ring.stacks, self.put, self.level
        for other in self.ring.live:  # noqa: SIM110 - every ask comes here, and `any` takes four times as long
            if stacks[other] + put[other] > level and other != seat:
                return True
        return False


def bet_street(felt: Felt, ring: Ring, street: str) -> Generator[Asks, Move, None]:
    """One street's betting, until everybody has answered the last raise or one player is left (SH5 to SH8)."""
    options: StudOptions = felt.options
    waiting = open_street(felt, ring, street)
    # SH6: "the lower limit on third and fourth street, the upper on fifth, sixth and river".
    limit = options.lower if street in (THIRD, FOURTH) else options.upper
    betting = Round(ring, limit, "complete" if street == THIRD else "bet")
    if street == THIRD:
        yield from bring_in(felt, ring, betting, waiting.pop(0))
    while waiting:
        seat = waiting.pop(0)
        offers, off = offers_of(betting, seat)
        # SH14: check if free, else fold; SH8: never both.
        move = yield from felt.ask_one(seat, offers, timeout=offers[0].word, forbidden=off)
        if move.word == "fold":
            ring.fold(seat)
            if len(ring.live) == 1:
                return
        elif betting.put_in(seat, move.stake):
            waiting = [other for other in ring.with_chips_from(seat) if other != seat]


def bring_in(felt: Felt, ring: Ring, betting: Round, seat: str) -> Generator[Asks, Move, None]:
    """SH5: forced, unless the table lets the opener complete at once, and he and somebody else have more than that."""
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
        betting.put_in(seat, move.stake)


def offers_of(betting: Round, seat: str) -> tuple[Sequence[Offer], Mapping[str, str]]:
    """Return the offers of `seat` now, with the clause for a bet that is off."""
    chips, put = betting.ring.stacks[seat], betting.put[seat]
    owed = betting.level - put
    if betting.bets == CAP:
        off = _CAPPED
    # A bet needs chips beyond the call, and somebody who could put in more as well: the rest would come back (SH9).
    elif seat in betting.acted or chips <= owed or not betting.is_answerable(seat):
        off = _CLOSED
    else:
        stake = betting.full - put
        return answers(owed, betting.word, stake if stake < chips else chips), _NOTHING_OFF
    # SH9: a player who is short gives what he has.
    return answers(min(owed, chips)), off


# Made once: they never change.
@lru_cache(1000)
def answers(owed: int, word: str = "", stake: int = 0) -> tuple[Offer, ...]:
    """SH8: "A player facing nothing is not offered fold". `word` is the bet that is open to him, "" where it is off."""
    first = (_FOLD, to_pot("call", owed)) if owed else (_CHECK,)
    return (*first, to_pot(word, stake)) if word else first


def to_pot(word: str, stake: int) -> Offer:
    """A move that puts so many minor units into the pot."""
    return Offer(word, stake=stake, spot=POT)


# Pots


def settle(felt: Felt, ring: Ring) -> None:
    """Return uncalled bets, then pay each pot to its winners, the main pot first (SH9 to SH12)."""
    paid = {seat: felt.staked.get((seat, POT), 0) for seat in ring.stacks}
    return_excess(felt, paid)
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


def rank_hands(felt: Felt, ring: Ring) -> dict[str, tuple[int, int | None]]:
    """SH10: high and low of every hand; the facts name those that folded too, by the cards they had."""
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
    """8-6-4-3-A: the hexadecimal digits of `poker.low`, the ace as a letter."""
    return "-".join(f"{low:x}".replace("1", "A"))


def return_excess(felt: Felt, paid: dict[str, int]) -> None:
    """SH9: what nobody else has put in goes back."""
    *_, second, most = sorted(paid.values())
    if most > second:
        seat = max(paid, key=lambda seat: paid[seat])
        paid[seat] = second
        felt.pay(seat, POT, most - second, "uncalled", "SH9")


def split_pots(paid: Mapping[str, int], live: Sequence[str]) -> list[tuple[int, list[str]]]:
    """SH9: (amount, who can win it), a pot for each level at which somebody who is in stopped paying."""
    pots, below = [], 0
    for level in sorted({paid[seat] for seat in live} - {0}):
        up_to_here = sum(min(put, level) for put in paid.values())
        pots.append((up_to_here - below, [seat for seat in live if paid[seat] >= level]))
        below = up_to_here
    return pots


def share(amount: int, winners: Sequence[str], unit: int) -> dict[str, int]:
    """SH11: equal shares in whole chips; the odd ones "one each, beginning with the winner first to the dealer's left".

    What is no whole chip any more, of a stack that was none, is the first winner's too.
    """
    equal = amount // len(winners) // unit * unit
    rest = amount - equal * len(winners)
    odd = rest // unit
    shares = {seat: equal + unit if place < odd else equal for place, seat in enumerate(winners)}
    shares[winners[0]] += rest - odd * unit
    return shares


def pay_pot(
    felt: Felt, amount: int, eligible: Sequence[str], ranked: Mapping[str, tuple[int, int | None]], pot: int
) -> Facts:
    """SH11: one half for the best high, one for the best low; without a low the high takes all."""
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
    """SH12: "he takes the pot and shows nothing"."""
    felt.pay(seat, POT, amount, "last player", "SH12")
    return facts_of(amount, [seat], [seat], [])


def facts_of(amount: int, eligible: Sequence[str], high: Sequence[str], low: Sequence[str]) -> Facts:
    """One pot for the record: who played for it, who has the high half and who the low."""
    return {"amount": amount, "eligible": numbers(eligible), "high": numbers(high), "low": numbers(low)}


def numbers(seats: Sequence[str]) -> list[int]:
    """Seats as numbers, rising, as the record has them."""
    return sorted(map(int, seats))


def tell_results(felt: Felt, ring: Ring, paid: Mapping[str, int]) -> None:
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
    spots=(),
    all_spots=(POT,),
    turn="SH5",
    stacks="SH1",
)
