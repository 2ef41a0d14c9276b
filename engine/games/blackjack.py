"""Black Jack and Admiral Jack (BJ), Casinò Admiral Mendrisio: boxes, their holders, and co-players who bet behind."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from engine.cards import FRENCH, Card
from engine.felt import Amount, Asks, Facts, Felt, Game, Limits, Offer, Offers, Script, Shoe, Stake, check, choose

BOXES = 7
# Cards that a shoe must still have for a box or the dealer: a few splits.
CARDS_A_BOX = 12
BLACK_JACK = "Black Jack"
SIDE_BETS = ("admiral", "insurance")

# BJ9: the ace counts 1 here, and ten more where that fits.
_POINTS_OF_RANKS = {rank: int(rank) for rank in "23456789"} | dict.fromkeys("TJQK", 10) | {"A": 1}
_POINTS = {card: _POINTS_OF_RANKS[card[0]] for card in FRENCH}
_ACES = {card for card in FRENCH if card[0] == "A"}
_SEVENS = {card for card in FRENCH if card[0] == "7"}
# What a card adds to a sum: its points, and above all points whether it is an ace; and what such a sum counts. An ace
# is 11 where that fits (BJ9). No hand has more aces than a shoe of eight decks.
_ACE = 64
_ADDED = {card: points + _ACE if card in _ACES else points for card, points in _POINTS.items()}
_COUNTS = [(low + 10, True) if aces and low <= 11 else (low, False) for aces in range(8 * 4 + 1) for low in range(_ACE)]
# Default of `step`, told apart from an explicit 0.
_AS_THE_MINIMUM = Amount(0)
_ODDS = re.compile(r"[1-9][0-9]?:[1-9][0-9]?")

_STAY = (Offer("stay", listed=False),)
# BJ10: "before the boxes play".
_BEFORE_THE_BOXES = dict.fromkeys(("hit", "stand", "double", "split"), "BJ10")
_NOTHING_OFF: Mapping[str, str] = {}
_HOLDER_IS_AWAY = {"double": "BJ6", "split": "BJ6"}


@dataclass(frozen=True)
class BlackJackOptions(Limits):
    """Options of Black Jack: `blackjack_pays` is two numbers from 1 to 99, as 3:2; `penetration` in basis points."""

    minimum: int = 1000
    step: int = _AS_THE_MINIMUM
    maximum: int = 100000
    decks: int = 6
    penetration: int = 0
    blackjack_pays: str = "3:2"
    hits_soft_17: bool = False
    dealer_blackjack_takes: str = "all"
    double_soft: bool = False

    def __post_init__(self) -> None:
        if self.step is _AS_THE_MINIMUM:
            object.__setattr__(self, "step", self.minimum)
        super().__post_init__()
        check(1 <= self.decks <= 8, "A shoe must have 1 to 8 decks.", "BJ7")
        check(self.penetration <= 7500, "At most 7500 basis points of the shoe may be dealt.", "BJ7")
        check(bool(_ODDS.fullmatch(self.blackjack_pays)), "Enter the odds for Black Jack like this: 3:2.", "BJ15")
        choose("dealer_blackjack_takes", self.dealer_blackjack_takes, "all", "original")

    @property
    def odds(self) -> tuple[int, int]:
        """Return the payout of a Black Jack."""
        pays, to = self.blackjack_pays.split(":")
        return int(pays), int(to)


class BoxHand:
    """One hand of a box: the cards called `on`, and the money of each bettor that rides on it."""

    __slots__ = ("bets", "cards", "facts", "is_soft", "is_split", "on", "total")

    def __init__(self, on: str, cards: list[Card], bets: dict[str, int], *, is_split: bool = False) -> None:
        self.on = on
        self.cards = cards
        self.bets = bets
        self.is_split = is_split
        self.total, self.is_soft = count(cards)
        self.facts: Facts = {"cards": cards, "total": self.total}

    def recount(self) -> None:
        self.total, self.is_soft = count(self.cards)
        self.facts["total"] = self.total

    @property
    def is_black_jack(self) -> bool:
        """A total of 21 with two cards, unless the hand was split: "21 after a split is not Black Jack" (BJ11)."""
        return self.total == 21 and len(self.cards) == 2 and not self.is_split


class Box:
    """A box with its first bets, the holder's before those behind, who come nearest the dealer first.

    decide  the holder and those who decide after a time-out; if empty, the dealer's rule (BJ6)
    """

    __slots__ = ("bets", "decide", "hands", "seat")

    def __init__(self, seat: str, bets: dict[str, int]) -> None:
        self.seat = seat
        self.bets = bets
        self.hands: list[BoxHand] = []
        self.decide = [*bets]
        if len(bets) > 1:
            # BJ6: "the co-player with the highest bet on it (equal: nearest the dealer)".
            self.decide[1:] = [max(self.decide[1:], key=lambda key: bets[key])]


class Dealer(NamedTuple):
    """Hand of the dealer, as boxes are compared with it."""

    total: int
    has_black_jack: bool


def order_box(bets: Mapping[str, int], holder: str | None = None) -> list[str]:
    """Order the players who bet on a box, its holder first; `bets` in the order in which they were placed.

    `holder` is the player who holds the box already, and keeps it by betting (BJ4). Else BJ3: "the higher bet holds it;
    equal bets: the one who bet first". The others stay in their order, nearest the dealer first.
    """
    first = holder if holder is not None and holder in bets else max(bets, key=lambda player: bets[player])
    return [first, *(player for player in bets if player != first)]


def name_stakes(stakes: Iterable[Stake]) -> dict[str, Stake]:
    """Key the stakes: the first stake of a box is its holder's ("1"), the others are co-players' ("1/bea")."""
    named: dict[str, Stake] = {}
    for stake in stakes:
        seat = str(stake.seat)
        named[f"{seat}/{stake.player}" if seat in named else seat] = stake
    return named


def cut_stakes(options: BlackJackOptions, stakes: Iterable[Stake]) -> dict[str, Stake]:
    """Return the wagers by key: a box above its maximum is cut "starting from the last co-player" (BJ2)."""
    named = name_stakes(stakes)
    if "/" not in "".join(named):
        return named  # no bets behind the holder
    lying: dict[str, Stake] = {}
    on_box: dict[int, int] = {}
    for key, stake in named.items():
        bet, before = stake.bets["main"], on_box.get(stake.seat, 0)
        rest = min(bet, options.maximum - before)
        if rest >= options.minimum:  # otherwise it is cut completely, and its Admiral Jack comes back too
            on_box[stake.seat] = before + rest
            lying[key] = stake if rest == bet else replace(stake, bets={**stake.bets, "main": rest})
    return lying


def check_stakes(options: BlackJackOptions, stakes: Sequence[Stake]) -> None:
    """Check boxes, one bet per player on each, and their limits (BJ1, BJ2, BJ17). Raises IllegalDeal."""
    seats = [stake.seat for stake in stakes]
    check(max(seats) <= BOXES, "Choose a box from 1 to {most}.", "BJ1", most=BOXES)
    check(seats == sorted(seats), "Stakes must be ordered by box, the holder's first.", "BJ1")
    bettors = {(stake.seat, stake.player) for stake in stakes}
    check(len(bettors) == len(stakes), "You can place one bet on a box.", "BJ1")
    for stake in stakes:
        check("main" in stake.bets, "Bet on the box first.", "BJ17" if stake.bets else "BJ2")
        # BJ2: one bet alone above the maximum is refused; only several together are cut back.
        options.check_limits("main", stake.bets["main"])
        if "admiral" in stake.bets:
            check_admiral(options.minimum, stake.bets["admiral"])


def check_admiral(minimum: int, amount: int) -> None:
    """Check an Admiral Jack bet: "multiples of the table minimum, from the minimum to twice the minimum" (BJ17)."""
    least, most = Amount(minimum), Amount(2 * minimum)
    check(amount in (least, most), "Admiral Jack must be {least} or {most}.", "BJ17", least=least, most=most)


def play(felt: Felt) -> Script:
    """Play a hand from the stakes to the payment, clause by clause."""
    options: BlackJackOptions = felt.options
    stakes = cut_stakes(options, felt.deal.stakes)
    boxes = place_bets(felt, stakes)
    felt.call("no more bets")

    deal_cards(felt, boxes)
    # BJ13: a follower may stop until the box is done; those still there follow.
    if len(stakes) > len(boxes):
        playing = [box for box in boxes if not box.hands[0].is_black_jack]
        felt.aside = {key: _STAY for box in playing for key in box.bets if key != box.seat and stakes[key].follow}

    if felt.cards["dealer"][0] in _ACES:
        felt.call("insurance")
        # BJ6: "At the insurance, time out only declines."
        yield from felt.ask_each(insurances(boxes, options), timeout="decline", forbidden=_BEFORE_THE_BOXES)
    felt.call("go ahead")
    for box in boxes:
        for hand in box.hands:  # BJ11: a split inserts its second hand next, so the list grows during the loop
            yield from play_hand(felt, box, hand, options)
        for key in box.bets if felt.aside else ():
            felt.aside.pop(key, None)

    dealer = draw_dealer(felt, options)
    # Every bettor has a main bet: more than those are side bets.
    sides = SIDE_BETS if len(felt.staked) > len(stakes) else ()
    for box in boxes:
        settle_box(felt, box, dealer, options, sides)


def place_bets(felt: Felt, stakes: Mapping[str, Stake]) -> list[Box]:
    """Place every bet and return the boxes in the order of the stakes, the holder's bet first (BJ3)."""
    boxes: dict[str, dict[str, int]] = {}
    for key, stake in stakes.items():
        boxes.setdefault(str(stake.seat), {})[key] = felt.place(key, stake)["main"]
    return [Box(seat, bets) for seat, bets in boxes.items()]


def deal_cards(felt: Felt, boxes: list[Box]) -> None:
    """Deal one card to every box, one to the dealer, who has no hole card, and a second to every box (BJ8)."""
    seats = [box.seat for box in boxes]
    felt.deal_each([*seats, "dealer", *seats], up=True)
    dealer, hands = felt.cards["dealer"], {}
    for box in boxes:
        hand = BoxHand(box.seat, felt.cards[box.seat], dict(box.bets))
        box.hands.append(hand)
        hands[box.seat] = [hand.facts]
    felt.facts |= {"dealer": {"cards": dealer, "total": count(dealer)[0]}, "boxes": hands}


def insurances(boxes: list[Box], options: BlackJackOptions) -> Asks:
    """Return the insurance offers of every bettor for whom a valid amount exists (BJ10)."""
    asks = {}
    for box in boxes:
        for key, bet in box.bets.items():
            least, most = insurable(bet, options.minimum)
            if least <= most:
                asks[key] = insure_or_not(box.seat, least, most)
    return asks


@lru_cache(1000)
def insure_or_not(on: str, least: int, most: int) -> Offers:
    """Offer an insurance from `least` to `most` minor units, or none; `on` names the box (BJ10)."""
    return Offer("insure", spot="insurance", least=least, most=most, on=on), Offer("decline", on=on)


def insurable(bet: int, minimum: int) -> tuple[int, int]:
    """Return the least and the most that can be insured of a bet (BJ10).

    That is half of a bet of the minimum, else "from the table minimum to half the bet". The least is above the most
    where no such amount exists.
    """
    return (bet + 1) // 2 if bet == minimum else minimum, bet // 2


def play_hand(felt: Felt, box: Box, hand: BoxHand, options: BlackJackOptions) -> Script:
    """Play one hand of a box until it stands, breaks or has 21 (BJ6, BJ11). A split adds another hand behind it."""
    if len(hand.cards) == 1:
        draw(felt, hand)  # BJ11: a second hand gets its second card when the first has been played to its end
    while hand.total < 21:
        if box.decide:
            asked = box.decide[0]
            offers, off = offers_on(box, hand, options) if asked == box.seat else offers_behind(hand)
            if not offers:
                return
            move = yield from felt.ask_one(asked, offers, forbidden=off)
            if move.timed_out:
                del box.decide[0]  # a holder whose time ran out is not asked again on this box (BJ6)
                continue
            word = move.word
        else:
            # BJ6, the dealer's rule: "draw on 11 or less, stand on 12 or more".
            word = "hit" if hand.total <= 11 else "stand"
        if word == "stand" or is_last(felt, box, hand, word):
            return


def is_last(felt: Felt, box: Box, hand: BoxHand, word: str) -> bool:
    """Double, split or hit, and draw; return whether the hand is played to its end with that (BJ11)."""
    if word == "split":
        split(felt, box, hand)
    elif word == "double":
        for key, bet in follow(felt, box, hand).items():
            hand.bets[key] += bet
    draw(felt, hand)
    return word == "double"


def offers_on(box: Box, hand: BoxHand, options: BlackJackOptions) -> tuple[Offers, Mapping[str, str]]:
    """Return the holder's offers on a hand below 21; none: it stands (BJ11). Nothing else is off."""
    if len(hand.cards) > 2:
        return choices(hand.on), _NOTHING_OFF
    bet, can_split = box.bets[box.seat], is_pair(hand.cards)
    if hand.is_split and is_split_ace(hand):
        # "Split aces get one card each; an ace drawn to a split ace may be split again."
        return (plain("stand", hand.on), to_main("split", bet, hand.on)) if can_split else (), _NOTHING_OFF
    return choices(hand.on, bet, can_double(hand, options.double_soft), can_split), _NOTHING_OFF


def offers_behind(hand: BoxHand) -> tuple[Offers, Mapping[str, str]]:
    """Return a co-player's offers for a holder who is away: neither double nor split (BJ6)."""
    return () if is_split_ace(hand) else choices(hand.on), _HOLDER_IS_AWAY


# Cached: equal ones never change.
@lru_cache(1000)
def choices(on: str, bet: int = 0, can_double: bool = False, can_split: bool = False) -> Offers:
    """Return the choices on a hand; doubling and splitting take "a bet equal to the first" (BJ11)."""
    words = [word for word, can in (("double", can_double), ("split", can_split)) if can]
    return plain("hit", on), plain("stand", on), *(to_main(word, bet, on) for word in words)


def plain(word: str, on: str) -> Offer:
    """Return the offer of a move that takes no money; `on` names the hand."""
    return Offer(word, on=on)


def to_main(word: str, stake: int, on: str) -> Offer:
    """Return the offer of a move that adds `stake` minor units to the main bet."""
    return Offer(word, stake=stake, spot="main", on=on)


def split(felt: Felt, box: Box, hand: BoxHand) -> None:
    """Split a hand: the bet of a co-player who does not follow "stays on the first hand only" (BJ13)."""
    into = f"{box.seat}.{len(box.hands) + 1}"
    bets = follow(felt, box, hand)
    felt.split(box.seat, hand.on, into)
    hand.is_split = True
    box.hands.insert(box.hands.index(hand) + 1, BoxHand(into, felt.cards[into], bets, is_split=True))
    felt.facts["boxes"][box.seat] = [each.facts for each in box.hands]


def follow(felt: Felt, box: Box, hand: BoxHand) -> dict[str, int]:
    """Return the bets added by the holder's move, and by the co-players on this hand who follow it (BJ13)."""
    followers = [key for key in hand.bets if key in felt.aside]
    for key in followers:
        felt.stake(key, "main", box.bets[key])
    return {key: box.bets[key] for key in (box.seat, *followers)}


def draw(felt: Felt, hand: BoxHand) -> None:
    """Draw one open card and count the total anew."""
    felt.deal_to(hand.on, up=True)
    hand.recount()


def draw_dealer(felt: Felt, options: BlackJackOptions) -> Dealer:
    """Draw to 16 and stand on all 17s, or draw to a soft 17 with that option, whatever the boxes hold (BJ14)."""
    cards = felt.cards["dealer"]
    total, is_soft = count(cards)
    while total < 17 or (total == 17 and is_soft and options.hits_soft_17):
        felt.deal_to("dealer", up=True)
        total, is_soft = count(cards)
    felt.facts["dealer"]["total"] = total
    return Dealer(total, total == 21 and len(cards) == 2)


def settle_box(felt: Felt, box: Box, dealer: Dealer, options: BlackJackOptions, sides: Sequence[str]) -> None:
    """Settle a box: side bets and three sevens first, then each of its hands (BJ10, BJ15 to BJ17)."""
    first = box.hands[0]
    for key in box.bets if sides else ():
        for spot in sides:
            if stake := felt.staked.get((key, spot)):
                settle_side_bet(felt, key, spot, stake, first, dealer)
    # BJ16: "The bonus is kept whatever the dealer makes."
    if len(first.cards) >= 3 and not first.is_split and _SEVENS.issuperset(first.cards[:3]):
        for key, bet in box.bets.items():
            felt.pay(key, "sevens", bet, "three sevens", "BJ16", odds=(1, 1), on=first.on)
    for hand in box.hands:
        settle_hand(felt, box, hand, dealer, options)


def settle_side_bet(felt: Felt, key: str, spot: str, stake: int, first: BoxHand, dealer: Dealer) -> None:
    """Pay Admiral Jack by the box's own Black Jack (BJ17), insurance by the dealer's (BJ10)."""
    is_admiral = spot == "admiral"
    odds, clause = (19, "BJ17") if is_admiral else (2, "BJ10")
    if first.is_black_jack if is_admiral else dealer.has_black_jack:
        felt.pay(key, spot, (odds + 1) * stake, "win", clause, hand=BLACK_JACK, odds=(odds, 1))
    else:
        felt.pay(key, spot, 0, "lose", clause)


def settle_hand(felt: Felt, box: Box, hand: BoxHand, dealer: Dealer, options: BlackJackOptions) -> None:
    """Settle a hand with a line for each bettor on it: a spot with several hands is paid hand by hand."""
    result, clause = judge(hand, dealer)
    hand.facts["result"] = result
    name = BLACK_JACK if hand.is_black_jack else str(hand.total)
    odds = options.odds if result == "blackjack" else (1, 1) if result == "win" else None
    for key, bet in hand.bets.items():
        why, amount = result, bet if result == "push" else 0
        if odds:
            amount = bet + bet * odds[0] // odds[1]
        elif clause == "BJ14":
            amount = spared(box, hand, key) if options.dealer_blackjack_takes == "original" else 0
            why = "original bet" if amount else "dealer blackjack"
        felt.pay(key, "main", amount, why, clause, hand=name, odds=odds, on=hand.on, stake=bet)


def spared(box: Box, hand: BoxHand, key: str) -> int:
    """Return what a dealer's Black Jack leaves if it takes only the original bet, which lies on the first hand
    (BJ14).
    """
    return hand.bets[key] - (box.bets[key] if hand is box.hands[0] else 0)


def judge(hand: BoxHand, dealer: Dealer) -> tuple[str, str]:
    """Judge a hand: its result, and the clause that decides it."""
    own, dealers = hand.total, dealer.total
    if own > 21:
        return "bust", "BJ11"
    if dealer.has_black_jack:
        # BJ15: "Black Jack against Black Jack pushes"; BJ14: it "takes everything but a Black Jack".
        return ("push", "BJ15") if hand.is_black_jack else ("lose", "BJ14")
    if hand.is_black_jack:
        return "blackjack", "BJ15"  # BJ9: it beats any other 21
    if own > dealers or dealers > 21:
        return "win", "BJ15"
    return "push" if own == dealers else "lose", "BJ15"


def count(cards: Sequence[Card]) -> tuple[int, bool]:
    """Count the total and whether it is soft: an ace counts 11 where that fits (BJ9)."""
    added = 0
    for card in cards:  # for two or three cards faster than `sum`
        added += _ADDED[card]
    return _COUNTS[added]


def is_black_jack(cards: Sequence[Card]) -> bool:
    """Check for 21 with two cards; not checked: whether a split made it (BJ9)."""
    return len(cards) == 2 and count(cards)[0] == 21


def is_pair(cards: Sequence[Card]) -> bool:
    """Check for a pair: "two cards of equal value (a jack and a queen too)" (BJ11)."""
    return _POINTS[cards[0]] == _POINTS[cards[1]]


def is_split_ace(hand: BoxHand) -> bool:
    """Check for a hand that began with an ace of a split pair: it gets one card (BJ11)."""
    return hand.is_split and hand.cards[0] in _ACES


def can_double(hand: BoxHand, soft: bool) -> bool:
    """Check for two cards of "hard 9, 10 or 11" (BJ11); with `soft` an ace with 8 or 9 counts as 9 and 10, too."""
    return soft and hand.total in (19, 20) if hand.is_soft else hand.total in (9, 10, 11)


GAME = Game(
    name="blackjack",
    script=play,
    options=BlackJackOptions,
    check=check_stakes,
    words={
        "insure": "BJ10",
        "decline": "BJ10",
        "hit": "BJ11",
        "stand": "BJ11",
        "double": "BJ11",
        "split": "BJ11",
        "stay": "BJ13",
    },
    spots=("main", "admiral"),
    all_spots=("main", "insurance", "admiral", "sevens"),
    bonuses=("sevens",),
    turn="BJ11",
    seats=7,
    # BJ5: "Co-players do not decide"; BJ13: one "may double only when the holder does".
    behind={"hit": "BJ5", "stand": "BJ5", "double": "BJ13", "split": "BJ5", "insure": "BJ10", "decline": "BJ10"}
    | {"stay": "BJ13"},
    full_deck=lambda options: FRENCH * options.decks,
    follow="BJ13",
    shoe=Shoe("BJ7", lambda options: options.penetration, reserve=CARDS_A_BOX * (BOXES + 1)),
)
