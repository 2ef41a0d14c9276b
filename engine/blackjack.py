"""Black Jack and Admiral Jack (BJ), Casinò Admiral Mendrisio: boxes, their holders, and co-players who bet behind."""

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from engine.cards import FRENCH, Card
from engine.felt import Amount, Asks, Felt, Game, Limits, Move, Offer, Script, Stake, check, choose

BOXES = 7
BLACK_JACK = "Black Jack"

# BJ9: the ace counts 1 here, and ten more where that fits.
_POINTS_OF_RANKS = {rank: int(rank) for rank in "23456789"} | dict.fromkeys("TJQK", 10) | {"A": 1}
_POINTS = {card: _POINTS_OF_RANKS[card[0]] for card in FRENCH}
_ACES = {card for card in FRENCH if card[0] == "A"}
# The step where none is given: told from a step of nothing that somebody wrote.
_AS_THE_MINIMUM = Amount(0)
_ODDS = re.compile(r"[1-9][0-9]?:[1-9][0-9]?")

_STAY = (Offer("stay", listed=False),)
# BJ10: "before the boxes play".
_BEFORE_THE_BOXES = dict.fromkeys(("hit", "stand", "double", "split"), "BJ10")
_HOLDER_IS_AWAY = {"double": "BJ6", "split": "BJ6"}


@dataclass(frozen=True)
class BlackJackOptions(Limits):
    """`blackjack_pays` takes any two numbers from 1 to 99, as 3:2; `penetration` stands in basis points."""

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
        check(1 <= self.decks <= 8, "A shoe holds 1 to 8 decks.", "BJ7")
        check(self.penetration <= 7500, "At most 7500 basis points of the shoe come out.", "BJ7")
        check(bool(_ODDS.fullmatch(self.blackjack_pays)), "Black Jack pays odds such as 3:2.", "BJ15")
        choose("dealer_blackjack_takes", self.dealer_blackjack_takes, "all", "original")

    @property
    def odds(self) -> tuple[int, int]:
        """What Black Jack pays."""
        pays, to = self.blackjack_pays.split(":")
        return int(pays), int(to)


@dataclass(eq=False, slots=True)
class BoxHand:
    """One hand of a box: the cards called `on`, and the money of each bettor that rides on it."""

    on: str
    cards: list[Card]
    bets: dict[str, int]
    is_split: bool = False
    total: int = 0
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts["cards"] = self.cards
        self.recount()

    def recount(self) -> None:
        self.total = self.facts["total"] = count(self.cards)[0]

    @property
    def is_black_jack(self) -> bool:
        """BJ11: "21 after a split is not Black Jack"."""
        return self.total == 21 and len(self.cards) == 2 and not self.is_split


@dataclass(eq=False, slots=True)
class Box:
    """A box with its first bets, the holder's before the co-players', who stand nearest the dealer first."""

    seat: str
    bets: dict[str, int]
    hands: list[BoxHand] = field(default_factory=list)
    decide: list[str] = field(default_factory=list)
    """The holder and who comes after him when time runs out; nobody: the dealer's rule (BJ6)."""

    def __post_init__(self) -> None:
        holder, *behind = self.bets
        # BJ6: "the co-player with the highest bet on it (equal: nearest the dealer)".
        self.decide = [holder, *([max(behind, key=lambda key: self.bets[key])] if behind else [])]

    @property
    def is_held(self) -> bool:
        return bool(self.decide) and self.decide[0] == self.seat


class Dealer(NamedTuple):
    """What the boxes are compared with."""

    total: int
    has_black_jack: bool


# Before the deal


def order_box(bets: Mapping[str, int], holder: str | None = None) -> list[str]:
    """Who bet on a box, its holder first; `bets` in the order in which they were placed.

    `holder` is who holds the box already, and does so where he bets (BJ4). Else BJ3: "the higher bet holds it; equal
    bets: the one who bet first". The others stay in their order, nearest the dealer first.
    """
    first = holder if holder is not None and holder in bets else max(bets, key=lambda player: bets[player])
    return [first, *(player for player in bets if player != first)]


def name_stakes(stakes: Iterable[Stake]) -> dict[str, Stake]:
    """By key: the first stake of a box is its holder's ("1"), the others are co-players' ("1/bea")."""
    named: dict[str, Stake] = {}
    for stake in stakes:
        seat = str(stake.seat)
        named[f"{seat}/{stake.player}" if seat in named else seat] = stake
    return named


def cut_stakes(options: BlackJackOptions, stakes: Iterable[Stake]) -> dict[str, Stake]:
    """What is really wagered, by key: a box above its maximum is cut "starting from the last co-player" (BJ2)."""
    lying: dict[str, Stake] = {}
    on_box: dict[int, int] = {}
    for key, stake in name_stakes(stakes).items():
        bet, before = stake.bets["main"], on_box.get(stake.seat, 0)
        rest = min(bet, options.maximum - before)
        if rest >= options.minimum:  # else it is cut whole, and its Admiral Jack comes back too
            on_box[stake.seat] = before + rest
            lying[key] = stake if rest == bet else replace(stake, bets={**stake.bets, "main": rest})
    return lying


def check_stakes(options: BlackJackOptions, stakes: Sequence[Stake]) -> None:
    seats = [stake.seat for stake in stakes]
    check(max(seats) <= BOXES, "This table has the boxes 1 to {most}.", "BJ1", most=BOXES)
    check(seats == sorted(seats), "Stakes stand by rising box, the holder's first.", "BJ1")
    bettors = {(stake.seat, stake.player) for stake in stakes}
    check(len(bettors) == len(stakes), "A player has one bet on a box.", "BJ1")
    for stake in stakes:
        check("main" in stake.bets, "A bet on the box comes first.", "BJ17" if stake.bets else "BJ2")
        # BJ2: one bet alone above the maximum is refused; only several together are cut back.
        options.check_limits("main", stake.bets["main"])
        if "admiral" in stake.bets:
            check_admiral(options.minimum, stake.bets["admiral"])


def check_admiral(minimum: int, amount: int) -> None:
    """BJ17: "multiples of the table minimum, from the minimum to twice the minimum"."""
    least, most = Amount(minimum), Amount(2 * minimum)
    check(amount in (least, most), "Admiral Jack takes {least} or {most}.", "BJ17", least=least, most=most)


# The hand


def play(felt: Felt) -> Script:
    options: BlackJackOptions = felt.options
    stakes = cut_stakes(options, felt.deal.stakes)
    boxes = place_bets(felt, stakes)
    felt.call("no more bets")

    deal_cards(felt, boxes)
    # BJ13: who follows may stop until his box is done; who is still there follows.
    playing = [box for box in boxes if not box.hands[0].is_black_jack]
    felt.aside = {key: _STAY for box in playing for key in box.bets if key != box.seat and stakes[key].follow}

    if felt.cards["dealer"][0] in _ACES:
        felt.call("insurance")
        # BJ6: "At the insurance, time out only declines."
        yield from felt.ask_each(insurances(boxes, options), timeout="decline", forbidden=_BEFORE_THE_BOXES)
    felt.call("go ahead")
    for box in boxes:
        yield from play_box(felt, box, options)

    dealer = draw_dealer(felt, options)
    for box in boxes:
        settle_box(felt, box, dealer, options)


def place_bets(felt: Felt, stakes: Mapping[str, Stake]) -> list[Box]:
    boxes: dict[str, dict[str, int]] = {}
    for key, stake in stakes.items():
        boxes.setdefault(str(stake.seat), {})[key] = felt.place(key, stake)["main"]
    return [Box(seat, bets) for seat, bets in boxes.items()]


def deal_cards(felt: Felt, boxes: list[Box]) -> None:
    """BJ8: one card to every box, one to the dealer, who has no hole card, a second to every box."""
    seats = [box.seat for box in boxes]
    felt.deal_each([*seats, "dealer", *seats], up=True)
    dealer = felt.cards["dealer"]
    felt.facts["dealer"] = {"cards": dealer, "total": count(dealer)[0]}
    felt.facts["boxes"] = {}
    for box in boxes:
        hand = BoxHand(box.seat, felt.cards[box.seat], dict(box.bets))
        box.hands = [hand]
        felt.facts["boxes"][box.seat] = [hand.facts]


def insurances(boxes: list[Box], options: BlackJackOptions) -> Asks:
    """BJ10, for every bettor for whom such an amount exists."""
    asks = {}
    for box in boxes:
        for key, bet in box.bets.items():
            least, most = insurable(bet, options.minimum)
            if least <= most:
                insure = Offer("insure", spot="insurance", least=least, most=most, on=box.seat)
                asks[key] = [insure, Offer("decline", on=box.seat)]
    return asks


def insurable(bet: int, minimum: int) -> tuple[int, int]:
    """BJ10: half of a bet of the minimum, else "from the table minimum to half the bet".

    The least is above the most where no such amount exists.
    """
    return (bet + 1) // 2 if bet == minimum else minimum, bet // 2


def play_box(felt: Felt, box: Box, options: BlackJackOptions) -> Script:
    """BJ11: a split puts its second hand behind the first, so the list grows while it is played."""
    for hand in box.hands:
        yield from play_hand(felt, box, hand, options)
    for key in box.bets:
        felt.aside.pop(key, None)


def play_hand(felt: Felt, box: Box, hand: BoxHand, options: BlackJackOptions) -> Script:
    if len(hand.cards) == 1:
        draw(felt, hand)  # BJ11: a second hand gets its second card when the first has been played to its end
    while hand.total < 21:
        word = yield from decide(felt, box, hand, options)
        if word == "stand":
            return
        if word == "split":
            split(felt, box, hand)
        if word == "double":
            for key, bet in follow(felt, box, hand).items():
                hand.bets[key] += bet
        draw(felt, hand)
        if word == "double":
            return


def decide(felt: Felt, box: Box, hand: BoxHand, options: BlackJackOptions) -> Generator[Asks, Move, str]:
    """The word that is played; who lets his time run out is not asked again on this box (BJ6)."""
    while box.decide:
        offers = offers_on(box, hand, options)
        if not offers:
            return "stand"
        off = {} if box.is_held else _HOLDER_IS_AWAY
        move = yield from felt.ask_one(box.decide[0], offers, forbidden=off)
        if not move.timed_out:
            return move.word
        del box.decide[0]
    # BJ6, the dealer's rule: "draw on 11 or less, stand on 12 or more".
    return "hit" if hand.total <= 11 else "stand"


def offers_on(box: Box, hand: BoxHand, options: BlackJackOptions) -> list[Offer]:
    """What may be done with a hand below 21; nothing: it stands (BJ11)."""
    stand, is_held = plain("stand", hand.on), box.is_held
    can_split = is_held and is_pair(hand.cards)
    if hand.is_split and hand.cards[0] in _ACES:
        # "Split aces get one card each; an ace drawn to a split ace may be split again."
        return [stand, raising("split", box, hand)] if can_split else []
    offers = [plain("hit", hand.on), stand]
    if is_held and can_double(hand.cards, options.double_soft):
        offers.append(raising("double", box, hand))
    if can_split:
        offers.append(raising("split", box, hand))
    return offers


def raising(word: str, box: Box, hand: BoxHand) -> Offer:
    """BJ11: "with a bet equal to the first"."""
    return to_main(word, box.bets[box.seat], hand.on)


# Made once: they never change.
@lru_cache(1000)
def plain(word: str, on: str) -> Offer:
    return Offer(word, on=on)


@lru_cache(1000)
def to_main(word: str, stake: int, on: str) -> Offer:
    return Offer(word, stake=stake, spot="main", on=on)


def split(felt: Felt, box: Box, hand: BoxHand) -> None:
    """BJ13: the bet of who does not follow "stays on the first hand only"."""
    into = f"{box.seat}.{len(box.hands) + 1}"
    bets = follow(felt, box, hand)
    felt.split(box.seat, hand.on, into)
    hand.is_split = True
    box.hands.insert(box.hands.index(hand) + 1, BoxHand(into, felt.cards[into], bets, is_split=True))
    felt.facts["boxes"][box.seat] = [each.facts for each in box.hands]


def follow(felt: Felt, box: Box, hand: BoxHand) -> dict[str, int]:
    """What the holder has put down by his move, and now those behind him on this hand who follow (BJ13)."""
    followers = [key for key in hand.bets if key in felt.aside]
    for key in followers:
        felt.stake(key, "main", box.bets[key])
    return {key: box.bets[key] for key in (box.seat, *followers)}


def draw(felt: Felt, hand: BoxHand) -> None:
    felt.deal_to(hand.on, up=True)
    hand.recount()


def draw_dealer(felt: Felt, options: BlackJackOptions) -> Dealer:
    """BJ14: "always to his end", whatever the boxes hold, "to 16 and stands on all 17s" but the option's soft one."""
    cards = felt.cards["dealer"]
    total, is_soft = count(cards)
    while total < 17 or (total == 17 and is_soft and options.hits_soft_17):
        felt.deal_to("dealer", up=True)
        total, is_soft = count(cards)
    felt.facts["dealer"]["total"] = total
    return Dealer(total, total == 21 and len(cards) == 2)


# Settlement


def settle_box(felt: Felt, box: Box, dealer: Dealer, options: BlackJackOptions) -> None:
    first = box.hands[0]
    for key in box.bets:
        settle_side_bets(felt, key, first.is_black_jack, dealer.has_black_jack)
    # BJ16: "The bonus is kept whatever the dealer makes."
    if len(first.cards) >= 3 and not first.is_split and all(card[0] == "7" for card in first.cards[:3]):
        for key, bet in box.bets.items():
            felt.pay(key, "sevens", bet, "three sevens", "BJ16", odds=(1, 1), on=first.on)
    for hand in box.hands:
        settle_hand(felt, box, hand, dealer, options)


def settle_side_bets(felt: Felt, key: str, has_black_jack: bool, dealer_has: bool) -> None:
    sides = (("admiral", has_black_jack, 19, "BJ17"), ("insurance", dealer_has, 2, "BJ10"))
    for spot, wins, odds, clause in sides:
        stake = felt.staked.get((key, spot))
        if stake and wins:
            felt.pay(key, spot, (odds + 1) * stake, "win", clause, hand=BLACK_JACK, odds=(odds, 1))
        elif stake:
            felt.pay(key, spot, 0, "lose", clause)


def settle_hand(felt: Felt, box: Box, hand: BoxHand, dealer: Dealer, options: BlackJackOptions) -> None:
    """A line for each bettor on it: a spot of several hands is paid hand by hand."""
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
        felt.pay(key, "main", amount, why, clause, hand=name, odds=odds, on=hand.on)


def spared(box: Box, hand: BoxHand, key: str) -> int:
    """What a dealer's Black Jack leaves where it takes the original bet alone, which lies on the first hand (BJ14)."""
    return hand.bets[key] - (box.bets[key] if hand is box.hands[0] else 0)


def judge(hand: BoxHand, dealer: Dealer) -> tuple[str, str]:
    """The result of a hand, and the clause that decides it."""
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


# Cards


def count(cards: Sequence[Card]) -> tuple[int, bool]:
    """The total, and whether it is soft: an ace counts 11 where that fits (BJ9)."""
    low = 0
    for card in cards:  # for two or three cards quicker than `sum`
        low += _POINTS[card]
    return (low + 10, True) if low <= 11 and not _ACES.isdisjoint(cards) else (low, False)


def is_black_jack(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and count(cards)[0] == 21


def is_pair(cards: Sequence[Card]) -> bool:
    """BJ11: "two cards of equal value (a jack and a queen too)"."""
    return len(cards) == 2 and _POINTS[cards[0]] == _POINTS[cards[1]]


def can_double(cards: Sequence[Card], soft: bool) -> bool:
    """BJ11: two cards of "hard 9, 10 or 11"; with `soft` an ace with 8 or 9 too, as 9 and 10."""
    if len(cards) != 2:
        return False
    total, is_soft = count(cards)
    return total in (19, 20) and soft if is_soft else total in (9, 10, 11)


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
    turn="BJ11",
    # BJ5: "Co-players do not decide"; BJ13: one "may double only when the holder does".
    behind={"hit": "BJ5", "stand": "BJ5", "double": "BJ13", "split": "BJ5", "insure": "BJ10", "decline": "BJ10"}
    | {"stay": "BJ13"},
    full_deck=lambda options: FRENCH * options.decks,
)
