"""The actions of a rule script. Each leaves an event; none knows a platform, an account or a clock.

A rule script is a generator that reads like the page of the rulebook: it deals, asks, receives moves and pays.

    moves = yield from felt.ask_each({seat: offers})

It yields an ask, {seat: offers}, which must not be changed any more; the received moves have been checked against the
offers by `Hand`.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from engine.cards import FRENCH, Card
from engine.errors import IllegalDeal
from engine.events import (
    Called,
    Dealt,
    Declared,
    Event,
    Exchanged,
    Moved,
    Opened,
    Paid,
    Placed,
    Rolled,
    Shown,
    Split,
    Staked,
    Turned,
    Won,
)
from engine.shuffler import Seed

TIMEOUT = "timeout"
VOID = "void"


@dataclass(frozen=True, slots=True)
class Offer:
    """One button: a word, what it names, and what it stakes on which spot.

    word        the move, one of `Game.words`
    stake       what it takes, in minor units
    spot        where the stake goes
    argument    a card, a multiple; empty where the word stands alone
    least, most  a range in minor units in which the mover names the amount, which then is the stake
    put         what the mover has put in already, where that amount is a total: "raise to 600" (HE17)
    unit        amounts within the range are multiples of it; its ends are always allowed
    half, pot   the amounts of half the pot and of the pot (HE36); 0 where there is no pot to measure by
    public      how a secret argument is told to the others (an exchanged card: its position)
    on          whose cards it is about, where a seat plays several hands
    listed      False for what the rules allow but do not propose
    """

    word: str
    argument: str = ""
    stake: int = 0
    spot: str = ""
    least: int = 0
    most: int = 0
    public: str | None = None
    listed: bool = True
    on: str = ""
    put: int = 0
    unit: int = 1
    half: int = 0
    pot: int = 0

    @property
    def sizes(self) -> tuple[int, ...]:
        """The amounts of a range that get buttons: its ends, or its least, half the pot and the pot (HE36)."""
        sizes = (self.least, self.half, self.pot) if self.pot else (self.least, self.most)
        return tuple(dict.fromkeys(size for size in sizes if self.least <= size <= self.most))

    def cost(self, argument: str) -> int:
        """Return what a move stakes that takes this offer with an argument, in minor units."""
        return int(argument) - self.put if self.most else self.stake

    def allows(self, amount: int) -> bool:
        """Check whether the mover may name this amount of a range."""
        return self.least <= amount <= self.most and (amount % self.unit == 0 or amount in (self.least, self.most))

    def __str__(self) -> str:
        if self.most:
            return f"{self.word} {self.least}..{self.most}"
        return f"{self.word} {self.argument}" if self.argument else self.word


class Move(NamedTuple):
    """A choice: `SEAT WORD [ARGUMENT]` as text. A void has no seat."""

    seat: str
    word: str
    argument: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move that was found among the offers, as the script receives it; `timed_out` where the clock made it."""

    seat: str
    word: str
    argument: str = ""
    stake: int = 0
    timed_out: bool = False


# Cached: equal ones never change.
@lru_cache(10_000)
def _chosen(move: Move, stake: int) -> ChosenMove:
    return ChosenMove(*move, stake)


Offers = Sequence[Offer]
Asks = Mapping[str, Offers]
Script = Generator[Asks, Move, None]
Facts = dict[str, Any]


@dataclass(frozen=True)
class Stake:
    """Bets of one player on one seat before the deal, in minor units.

    seat  its number
    player  a key of the player
    bets  {spot: amount}
    follow  the stake follows what another one on its seat adds (`Game.follow`)
    stack  the stack, in a game that is played from stacks
    post  a word of `Game.posts`: a post of the player besides, or instead of, the usual blinds
    """

    seat: int
    player: str
    bets: Mapping[str, int]
    follow: bool = False
    stack: int = 0
    post: str = ""


@dataclass(frozen=True)
class Options:
    """Options of a table with their defaults. The constructor raises IllegalDeal for values that cannot be played."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if type(value) is int:
                check(0 <= value < 10**15, "{name} must be an amount.", "G2", name=name)


@dataclass(frozen=True)
class Limits(Options):
    """The options of every game against the bank (G5), in minor units.

    minimum  the least bet on a spot
    step     bets are multiples of it
    maximum  the most on a spot
    """

    minimum: int
    step: int
    maximum: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.minimum > 0, "The minimum must be more than 0.", "G5")
        check(self.step > 0, "The step must be more than 0.", "G5")
        check(self.minimum <= self.maximum, "The minimum must not be above the maximum.", "G5")
        check(self.minimum % self.step == 0, "The minimum must be a multiple of the step.", "G5")

    def check_limits(self, spot: str, amount: int) -> None:
        """Check a bet's limits. Raises IllegalDeal, naming the limit (G5)."""
        if self.minimum <= amount <= self.maximum and amount % self.step == 0:
            return
        spot, step = Word(spot), Amount(self.step)
        least, most = Amount(self.minimum), Amount(self.maximum)
        check(amount >= least, "Bet at least {amount} on {spot}.", "G5", spot=spot, amount=least)
        check(amount <= most, "Bet at most {amount} on {spot}.", "G5", spot=spot, amount=most)
        check(amount % step == 0, "Bets on {spot} must be in steps of {amount}.", "G5", spot=spot, amount=step)


class Amount(int):
    """Minor units in a sentence, which views write as chips."""


class Word(str):
    """A word of the game in a sentence, which views may translate."""


def check(holds: bool, template: str, clause: str | None = None, **values: object) -> None:
    """Check a condition of a deal. Raises IllegalDeal with the sentence, filled with `values`, and its clause."""
    if not holds:
        raise IllegalDeal(template, clause, **values)


def choose(name: str, value: str, *allowed: str) -> None:
    """Check that an option is one of a few words. Raises IllegalDeal."""
    check(value in allowed, "{name} must be one of: {allowed}.", None, name=name, allowed=", ".join(allowed))


def check_seats(stakes: Sequence["Stake"], most: int, clause: str) -> None:
    """Check that seats rise from 1 to `most`, one for each player (G9). Raises IllegalDeal."""
    seats = [stake.seat for stake in stakes]
    check(max(seats) <= most, "Choose a seat from 1 to {most}.", clause, most=most)
    check(seats == sorted(set(seats)), "Stakes must be ordered by seat, one per seat.", "G9")
    check(len({stake.player for stake in stakes}) == len(stakes), "A player can have one seat.", "G9")


def areas_check(clause: str) -> Callable[[Any, Sequence["Stake"]], None]:
    """Return the check of a game in which any number of players bet on areas: each has a bet, and all are within the
    limits of a `Limits`. It raises IllegalDeal.
    """

    def check_areas(options: Any, stakes: Sequence[Stake]) -> None:
        check_seats(stakes, 10**9, clause)  # the seat only tells players apart
        for stake in stakes:
            check(bool(stake.bets), "A player must have a bet on at least one area.", clause)
            for area, amount in stake.bets.items():
                options.check_limits(area, amount)

    return check_areas


class Deal(NamedTuple):
    """A deal: all of a hand before its first move. Frozen, complete and secret: it holds the deck.

    `deck` is what is left to deal, first card first; `seed` says where it came from, None for an explicit deck.
    `stakes` are in the order of the deal.
    """

    game: str
    options: Options
    stakes: tuple[Stake, ...]
    deck: tuple[Card, ...]
    dice: tuple[int, int] | None = None
    seed: Seed | None = None
    jackpot: int | None = None
    rules: int = 1

    def __repr__(self) -> str:
        """Show nothing secret, because a representation can end up in an error message."""
        return f"Deal(game={self.game!r}, stakes={self.stakes!r})"


@dataclass(frozen=True)
class Shoe:
    """Cards that may serve several hands: a deal then starts where the hand before it ended.

    clause       where the rules say so
    penetration  (options) -> how much of it comes out until it is shuffled again, in basis points; 0: a hand
    reserve      how many cards it must still have for one more hand
    """

    clause: str
    penetration: Callable[[Any], int]
    reserve: int

    def limit(self, options: Options, size: int) -> int:
        """Return the limit of a shoe of `size` cards: the next hand is dealt from it while fewer are gone (BJ7)."""
        part = -(-size * self.penetration(options) // 10000)
        return min(part, size - self.reserve + 1)

    def serves(self, options: Options, size: int, gone: int) -> bool:
        """Check whether another hand is dealt from a shoe of `size` cards of which `gone` are used."""
        return gone < self.limit(options, size)


class Settlement(NamedTuple):
    """Effect of one hand on the jackpot meter. `coins + from_bank = sum(prizes) + meter - the meter before`."""

    coins: int
    prizes: dict[str, int]
    from_bank: int
    meter: int


@dataclass(frozen=True)
class Meter:
    """A progressive prize that a deal may name (`Deal.jackpot`), so that a finished hand says what becomes of it.

    spot    where its coin lies, and where its prizes come back
    settle  (options, the deal's meter or None, coins, {seat: prize}) -> Settlement; the prizes are those of `Felt.win`
    """

    spot: str
    settle: Callable[[Any, int | None, int, Mapping[str, str]], Settlement]


@dataclass(frozen=True)
class Game:
    """Declaration of a game. Fields from `dice` on belong to features of some games: most are the clause that allows
    them, and "" or None in other games.

    name    what it is called in commands and books, for ever: one word in lower case, no other game and no command
    script  the rule script, a generator
    options  the options of its tables: a frozen dataclass with a default for each field
    words   each word of a move, and the clause to name where it is refused; none in a game without decisions
    amounts  (options, the offer of that word, argument) -> the clause to name where its argument is refused
    spots   each spot of a bet before the deal; an amount alone goes on the first
    all_spots  these and the spots of the play, in the order of the record; empty where the record names only the spots
            that have money on them
    turn    the clause about whose turn it is
    behind  the clause for each word of a player who bets behind a seat ("1/bea") and is not asked
    check   (options, stakes) -> None, or IllegalDeal: everything that is refused before the deal. It is asked at every
            bet with that player's stake alone, and before the deal with all
    full_deck  (options) -> the cards that are shuffled; `FRENCH * options.decks` for several decks
    place   (options, stake) -> {spot: amount} that the stake puts down (the Blind of Ultimate follows the Ante)
    seats   the most seats of a table
    most_pays  the most that a hand can pay, in times of its stakes, prizes of the progressive left out
    rules   the version of the rules: one more when hands would end otherwise. Open hands of unknown versions are void
    older   versions that the script still plays, for hands dealt under them

    dice    two dice fall before the cards, from the same seed
    stacks  a stake is a stack instead of bets
    posts   {word: clause} of what a stake may post besides the usual blinds (`Stake.post`)
    bonuses  the spots that are paid without a stake of their own
    follow  a stake may follow what another one on its seat adds (`Stake.follow`)
    shoe    a deal may start inside a shoe
    meter   a deal may name a meter
    """

    name: str
    script: Callable[["Felt"], Script]
    options: type[Options]
    check: Callable[[Any, Sequence[Stake]], None]
    spots: tuple[str, ...]
    turn: str
    words: Mapping[str, str] = field(default_factory=dict)
    all_spots: tuple[str, ...] = ()
    amounts: Callable[[Any, Offer, str], str] | None = None
    behind: Mapping[str, str] = field(default_factory=dict)
    full_deck: Callable[[Any], tuple[Card, ...]] = lambda options: FRENCH
    place: Callable[[Any, Stake], Mapping[str, int]] = lambda options, stake: stake.bets
    seats: int = 9
    most_pays: int = 1000
    rules: int = 1
    older: tuple[int, ...] = ()
    dice: str = ""
    stacks: str = ""
    posts: Mapping[str, str] = field(default_factory=dict)
    bonuses: tuple[str, ...] = ()
    follow: str = ""
    shoe: Shoe | None = None
    meter: Meter | None = None

    def knows(self, rules: int) -> bool:
        """Check whether a hand dealt under this version of the rules can be played."""
        return rules == self.rules or rules in self.older

    def parse_options(self, given: Mapping[str, Any]) -> Options:
        """Parse options by name, the rest at their defaults. Raises IllegalDeal for unknown names and wrong types.

        An option whose name is a Python keyword is a field with an underscore behind it: `raise_`.
        """
        defaults: Mapping[str, Any] = vars(self.options())
        given = {f"{name}_" if f"{name}_" in defaults else name: value for name, value in given.items()}
        for name, value in given.items():
            check(name in defaults, "{game} has no option {name}.", None, game=self.name, name=name)
            check(type(value) is type(defaults[name]), "{name} has the wrong type.", None, name=name)
        return self.options(**given)


class Felt:
    """The table during one hand. `cards` include hidden ones: only the script reads them.

    `aside` holds offers outside of the turn, by seat: the script does not wait for them, and the present ask is
    unchanged. A seat that takes one has none left.
    """

    def __init__(self, deal: Deal, game: Game) -> None:
        self.deal = deal
        self.options: Any = deal.options
        self.events: list[Event] = []
        self.facts: Facts = {}
        self.cards: dict[str, list[Card]] = {}
        self.staked: dict[tuple[str, str], int] = {}
        self.forbidden: Mapping[str, str] = {}
        self.aside: dict[str, Offers] = {}
        self._deck = deal.deck
        self.drawn = 0
        """Number of cards that have left the deck."""
        self._place = game.place

    def place_all(self) -> dict[str, dict[str, int]]:
        """Place the bets of every stake, where each seat has one: {seat: {spot: amount}}."""
        bets = {}
        for stake in self.deal.stakes:
            seat = str(stake.seat)
            bets[seat] = self.place(seat, stake)
        return bets

    def place(self, seat: str, stake: Stake) -> dict[str, int]:
        """Record the bets that already lie on the spots; the books took them when they were placed."""
        bets = self._put_down(seat, stake)
        for spot, amount in bets.items():
            self.events.append(Placed(seat, spot, amount))
        return bets

    def _put_down(self, seat: str, stake: Stake) -> dict[str, int]:
        bets = dict(self._place(self.options, stake))
        for spot, amount in bets.items():
            self.staked[seat, spot] = amount
        return bets

    def call(self, words: str) -> None:
        """Let the dealer say something: "no more bets", "go ahead", "showdown", or a call of `Words.calls`."""
        self.events.append(Called(words))

    def roll(self) -> tuple[int, int]:
        """Return the dice of the deal, for all to see."""
        assert self.deal.dice is not None
        self.events.append(Rolled(self.deal.dice))
        return self.deal.dice

    def _draw(self, count: int) -> tuple[Card, ...]:
        first = self.drawn
        self.drawn = after = first + count
        cards = self._deck[first:after]
        if len(cards) < count:
            raise IllegalDeal("The deck has too few cards.", "G6")
        return cards

    def deal_to(self, to: str, count: int = 1, *, up: Iterable[bool] | bool = False) -> tuple[Card, ...]:
        """Deal cards to a seat, or to a hand of the bank by any name, such as "dealer", and return them. The player of
        the seat sees them; `up` tells for all or each whether everybody does.
        """
        cards = self._take_cards(to, count)
        seen = (up,) * count if isinstance(up, bool) else tuple(up)
        self.events.append(Dealt(to, cards, seen))
        return cards

    def _take_cards(self, to: str, count: int = 1, *, up: Iterable[bool] | bool = False) -> tuple[Card, ...]:
        """Deal cards as `deal_to` does, without an event."""
        cards = self._draw(count)
        self.cards.setdefault(to, []).extend(cards)
        return cards

    def deal_each(self, seats: Sequence[str], *, up: bool) -> tuple[Card, ...]:
        """Deal one card to each of them, in this order, and return the cards."""
        cards, seen, tell = self._take_each(seats), (up,), self.events.append
        for to, card in zip(seats, cards, strict=True):
            tell(Dealt(to, (card,), seen))
        return cards

    def _take_each(self, seats: Sequence[str], *, up: bool = False) -> tuple[Card, ...]:
        """Deal a card to each seat as `deal_each` does, without an event."""
        cards, lying = self._draw(len(seats)), self.cards
        for to, card in zip(seats, cards, strict=True):
            lying.setdefault(to, []).append(card)
        return cards

    def lay_open(self, to: str, card: Card) -> None:
        """Lay a card that was dealt before open in front of `to` (SH4)."""
        self.cards.setdefault(to, []).append(card)
        self.events.append(Dealt(to, (card,), (True,)))

    def exchange(self, seat: str, gone: Card) -> Card:
        """Replace a card by the next one of the deck, and return that; the others see its position."""
        position = self.cards[seat].index(gone)
        (card,) = self._draw(1)
        self.cards[seat][position] = card
        self.events.append(Exchanged(seat, position + 1, gone, card))
        return card

    def split(self, seat: str, hand: str, into: str) -> None:
        """Begin the hand `into` with the last card of `hand`."""
        self.cards[into] = [self.cards[hand].pop()]
        self.events.append(Split(seat, hand, into))

    def show(self, to: str) -> None:
        """Turn all cards of a hand."""
        self.events.append(Shown(to, tuple(self.cards[to])))

    def turn(self, to: str, position: int, count: int) -> None:
        """Turn `count` cards face up, from the one at `position` (from 1) on."""
        self.events.append(Turned(to, position, tuple(self.cards[to][position - 1 : position - 1 + count])))

    def open(self, seat: str, why: str, shows: str, instead_of: str = "") -> None:
        """Tell who begins, and why."""
        self.events.append(Opened(seat, why, shows, instead_of))

    def ask_each(
        self, asks: Asks, *, timeout: str | None = None, forbidden: Mapping[str, str] | None = None
    ) -> Generator[Asks, Move, dict[str, ChosenMove]]:
        """Ask all seats at the same time, which answer in any order; the result is in the order of `asks`.

        `timeout` is the word that a time-out plays; without it the script receives "timeout" itself. `forbidden` names
        the clause for a word that is off now.
        """
        left = asks
        chosen: dict[str, ChosenMove] = {}
        self.forbidden = forbidden or {}
        while left:
            move = yield left
            if self.aside and find_offer(self.aside.get(move.seat, ()), move):
                self._enter(move, self.aside.pop(move.seat), timeout)
                continue
            chosen[move.seat] = self._enter(move, left[move.seat], timeout)
            # A new dict, because the former ask belongs to another hand.
            left = {seat: offers for seat, offers in left.items() if seat != move.seat}
        return {seat: chosen[seat] for seat in asks}

    def ask_one(
        self, seat: str, offers: Offers, *, timeout: str | None = None, forbidden: Mapping[str, str] | None = None
    ) -> Generator[Asks, Move, ChosenMove]:
        """Ask one seat, as `ask_each` asks several; the others wait until it has chosen."""
        if self.aside:
            chosen = yield from self.ask_each({seat: offers}, timeout=timeout, forbidden=forbidden)
            return chosen[seat]
        self.forbidden = forbidden or {}
        move = yield {seat: offers}
        return self._enter(move, offers, timeout)

    def _enter(self, move: Move, offers: Offers, timeout: str | None) -> ChosenMove:
        if move.word == TIMEOUT:
            self._tell_move(move, timeout or "", None)
            return ChosenMove(move.seat, timeout or TIMEOUT, timed_out=True)
        offer = find_offer(offers, move)
        assert offer is not None, "Every move is checked against the offers before it comes here"
        self._tell_move(move, "", offer.public)
        amount = offer.cost(move.argument)
        if amount:
            self.stake(move.seat, offer.spot, amount)
        return _chosen(move, amount)

    def _tell_move(self, move: Move, played: str, public: str | None) -> None:
        self.events.append(Moved(*move, played, public))

    def stake(self, seat: str, spot: str, amount: int) -> None:
        """Take forced money, such as a bring-in; the stake of an offer is taken with its move."""
        self.staked[seat, spot] = self.staked.get((seat, spot), 0) + amount
        self.events.append(Staked(seat, spot, amount))

    def pay(
        self,
        seat: str,
        spot: str,
        amount: int,
        why: str,
        clause: str,
        *,
        hand: str = "",
        odds: tuple[int, int] | None = None,
        on: str = "",
        stake: int | None = None,
        pot: int = 0,
    ) -> None:
        """Return so much of a spot, stake included; 0 takes it. `stake` is all that was put on it, unless named.

        `odds` (3, 1) says "pays 3 to 1"; otherwise `why` chooses the sentence (`Words.reasons`).
        """
        if stake is None:
            stake = self.staked.get((seat, spot), 0)
        self.events.append(Paid(seat, spot, amount, why, clause, hand, odds, on, stake, pot))

    def declare(self, seat: str, rank: str) -> None:
        """Tell the rank of a hand that must be told."""
        self.events.append(Declared(seat, rank))

    def win(self, seat: str, prize: str) -> None:
        """Win a prize of the meter."""
        self.events.append(Won(seat, prize))


def find_offer(offers: Offers, move: Move) -> Offer | None:
    """Find the offer that a move takes; None if there is none."""
    _, word, argument = move
    for offer in offers:
        if offer.word != word:
            continue
        if offer.most:
            if is_amount(argument) and offer.allows(int(argument)):
                return offer
        elif offer.argument == argument:
            return offer
    return None


def is_amount(text: str) -> bool:
    """Check for an amount: ASCII digits, no sign, no leading zero, at most 15."""
    return text.isascii() and text.isdigit() and not text.startswith("0") and len(text) <= 15
