"""The hand that teaches a game to newcomers: the part of a game's plugin that lessons read.

It is dealt for one person, always with the same cards, and with practice chips outside of the store. Games are found by
name; bot/games fills `FIRST_HANDS`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.core.state.table import Table
from bot.texts import Text
from engine.cards import Card
from engine.daily import DailyCourse
from engine.felt import Deal, Game, Move, Offers, Stake
from engine.hand import Hand
from engine.simulation import Strategy

# The learner's number, seat, and key in the hand.
LEARNER, SEAT = 1, 1
KEY = str(SEAT)
# The first press in games with stacks, instead of bets.
BUY_IN = "buyin"

Tells = Callable[[Offers, Mapping[str, Sequence[Card]]], tuple[Text, ...]]


@dataclass(frozen=True)
class FirstHand:
    """The first hand of a game. Amounts are in minor units; the options are the game's defaults.

    cards    what is dealt, the first card first: "As Kd"; the others follow in their written order
    bets     {spot: amount} of what the learner may put down on seat 1, the best first; `({},)` with a `stack`
    opening  the table and the task before the first bet
    tells    (offers, visible cards) -> advice, and the reason why one choice is the best.
             No offers when the hand is over, and while cards are to be revealed, which are "??" here
    best     how a good player chooses, for a game whose odds value no choices (`Odds.values`)
    stack    the buy-in, in games with stacks
    others   who plays too, on other seats and under other names than "p1"; they choose as the strategy `guest` does
    dice     of a game that has them
    """

    cards: str
    bets: tuple[Mapping[str, int], ...]
    opening: tuple[Text, ...]
    tells: Tells
    best: Strategy | None = None
    stack: int = 0
    others: tuple[Stake, ...] = ()
    dice: tuple[int, int] | None = None

    def starts(self) -> dict[str, Stake]:
        """Return the stakes that the learner may begin with, by what is typed for each."""
        made = (Stake(SEAT, f"p{LEARNER}", bets, stack=self.stack) for bets in self.bets)
        return {"+".join(stake.bets) or BUY_IN: stake for stake in made}

    def deal(self, game: Game, stake: Stake) -> Deal:
        """Make the deal of the hand with this stake of the learner's."""
        options = game.options()
        stakes = sorted((stake, *self.others), key=lambda one: one.seat)
        deck = tuple(_with_the_rest(self.cards.split(), game.full_deck(options)))
        return Deal(game.name, options, tuple(stakes), deck, self.dice, rules=game.rules)


def _with_the_rest(first: Sequence[Card], full: Sequence[Card]) -> Iterator[Card]:
    yield from first
    dealt = Counter(first)
    for card in full:
        if dealt[card]:
            dealt[card] -= 1
        else:
            yield card


Words = tuple[str, ...]
# Kinds of presses: begin the hand, make a move, or reveal the cards of a position.
LessonPress = Stake | Move | str


@dataclass(frozen=True)
class Lesson:
    """A first hand in progress, computed from the presses so far.

    name    what the learner is called
    said    presses so far, as they could be typed after /learn GAME
    table   one that is nowhere, with the hand on it
    first   of the game
    values  {possible press: its average final net in minor units}, if the game has odds
    best    the best of them
    told    other computed advice
    last    the hand before the last move, and that move; None before the first
    choices what may be pressed now, and what each press does
    day     of a deal of the day, counted from 1970; else None
    course  of a deal of the day: the person's line of play
    """

    game: str
    name: str
    said: Words
    table: Table
    first: FirstHand
    values: Mapping[Words, float] = field(default_factory=dict)
    best: Words = ()
    told: tuple[Text, ...] = ()
    last: tuple[Hand, Move] | None = None
    choices: Mapping[Words, LessonPress] = field(default_factory=dict)
    day: int | None = None
    course: DailyCourse | None = None

    @property
    def is_begun(self) -> bool:
        """Whether something was pressed, so that its message shows what comes next."""
        return bool(self.said if self.course is None else self.course.moves)


_first_hands: dict[str, FirstHand] = {}
FIRST_HANDS: Mapping[str, FirstHand] = MappingProxyType(_first_hands)
"""{game: its practice hand}, in the order in which games are offered."""


def add_first_hand(game: str, first: FirstHand) -> None:
    """Register the first hand of a game. For bot.games."""
    _first_hands[game] = first
