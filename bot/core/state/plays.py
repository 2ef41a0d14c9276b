"""Description of a game's tables besides its rules: the part of its plugin that bot/core reads.

A game is found here by its name alone; bot/games fills `PLAYS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.hand import Hand


class Seating(Enum):
    """Arrangement of the players at a table, and what they bet with.

    SEATS   a seat each, taken with the first bet, free again after a hand without one (G9)
    AREAS   everyone bets on any area; a seat only tells people apart (PJ2)
    BOXES   boxes that a player holds, and on each of which others may bet too (BJ3)
    STACKS  seats with a stack each, won from each other; no bet before the deal (SH1)
    """

    SEATS = "seats"
    AREAS = "areas"
    BOXES = "boxes"
    STACKS = "stacks"


class FollowUp(NamedTuple):
    """The bet that must follow the first one, or that is lost: its spot, and how many times the bet on the spot
    `after` it costs at least (CS8).
    """

    spot: str
    antes: int
    after: str


NO_FOLLOW_UP = FollowUp("", 0, "")


class Reveal(NamedTuple):
    """Cards that are turned together: those of the hand `to` from the one at `first` (from 1) on.

    position  what it is called in `/squeeze POSITION`, in `table.round.turning` and among the words
    to        whose cards, as the rule script deals them
    spot      the highest bet on it may turn them; "" where the dealer always does
    first     the first of them, from 1
    size      how many cards; 0 for all that there are
    """

    position: str
    to: str
    spot: str
    first: int = 1
    size: int = 0

    def of(self, cards: Mapping[str, Sequence[Card]]) -> Sequence[Card]:
        """Return the cards that this reveal is about; empty where it does not happen."""
        return cards.get(self.to, ())[self.first - 1 :][: self.size or None]


class Reveals(NamedTuple):
    """Order in which players may turn cards themselves, and its clause (PJ12).

    `steps` follow each other: cards of one step may be turned in any order, and none of it is shown, to the player who
    turns it neither, before all of the step before are open. The first cards of a hand are face down until then; later
    ones (`first` above 1) are not shown at all.
    """

    steps: tuple[tuple[Reveal, ...], ...]
    clause: str

    @property
    def in_order(self) -> tuple[Reveal, ...]:
        """Return the turns of all steps, in order."""
        return tuple(turn for step in self.steps for turn in step)

    def due(self, turning: Mapping[str, int]) -> tuple[Reveal, ...]:
        """Return the turns that are possible now, of the positions that are being turned."""
        waiting = (tuple(turn for turn in step if turn.position in turning) for step in self.steps)
        return next((step for step in waiting if step), ())


NO_REVEALS = Reveals((), "")


class GameMemory(msgspec.Struct, frozen=True):
    """State that a game keeps at a table from hand to hand. A game declares its own type, as a frozen Struct below this
    one, with a default for each field; it is stored as JSON, and a later field needs a default too.
    """


Order = Callable[[str, Offers, Mapping[str, Sequence[Card]]], str]
"""(seat, its offers, the cards as it sees them) -> the move played when its time runs out: a word, and after a space
its argument."""


class MoveHelp(NamedTuple):
    """Help for a move. The moves that games have in common (bot.view.words) need neither `label` nor `did`.

    help      what it does, in a sentence
    usage     the argument after its word: POSITION, TIMES, AMOUNT or nothing
    clause    the clause that says so
    here      (options) -> the sentence, where options of a table change what the move does; it names the clause
    done      the sentence that answers the move, with its {argument} and {cost}, if its button does not say it all
    gives_up  (hand, seat) -> what the move gives up besides its price, as a sentence that answers it and is confirmed
              before it, or None
    label     its button, with its {argument}
    did       the seat's state after it, such as "folded"
    """

    help: Text
    usage: str = ""
    clause: str | None = None
    here: Callable[[Any], Text] | None = None
    done: Text | None = None
    gives_up: Callable[[Hand, str], Text | None] | None = None
    label: Text | None = None
    did: str = ""

    def at(self, options: Any) -> Text:
        """Return what the move does at a table with these options."""
        return self.help if self.here is None else self.here(options)


@dataclass(frozen=True)
class Cash:
    """Cash tables of a game that is played from stacks.

    bet          (options) -> the bet in which stacks are counted, in minor units: a big bet, a big blind
    least, most  the smallest and the largest buy-in, in such bets; 0 where each table sets them (`Settings.buy_in_min`)
    usual        the usual one, and the largest stack on a member's first day
    dead         (options) -> what a stack must exceed to post a dead small blind, for a game with blinds, whose button
                 moves with them (HE6); None for a button that moves to the next player
    shows        the clause by which players may show a hidden hand after it; "" where they may not
    """

    bet: Callable[[Any], int]
    usual: int
    least: int = 0
    most: int = 0
    dead: Callable[[Any], int] | None = None
    shows: str = ""


def in_no_words(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Return None, for a game whose cards need no description."""
    return None


@dataclass(frozen=True)
class Play:
    """Description of a game's tables. The defaults are those of a game against the bank with a seat each, where all
    choose at the same time and nothing is kept from hand to hand.

    seats          the number of players who may sit or bet at one table
    seating        where they are, and what they bet with
    follow_up      the bet that must follow the first
    takes_turns    players decide one after the other, and not all at the same time
    private_cards  players hold cards that only they see
    reveals        the cards that players may turn themselves, if the option `squeeze` is on
    memory         what a table keeps from hand to hand: `GameMemory` itself for nothing
    lounge_tables  the number of its tables in a new lounge
    announced      {bet: {spot: chips}}: bets that place several chips of one amount at once (`/bet voisins 10`)
    moves          {word: help and usage} of every move that its players can make; moves of several games are the same
    orders         {name: its moves} of the standing orders that a player may leave (CS10); {} for none
    linked_meter   one meter is shown at all its tables of a casino, and moves with each of them (CS17)
    describe_hand  ({owner: cards}, to) -> description of the cards of `to`, in words; None if one of them is hidden
    cash           its cash tables, for a game that is played from stacks (`Game.stacks`); None for any other
    """

    seats: int
    seating: Seating = Seating.SEATS
    follow_up: FollowUp = NO_FOLLOW_UP
    takes_turns: bool = False
    private_cards: bool = True
    reveals: Reveals = NO_REVEALS
    memory: type[GameMemory] = GameMemory
    lounge_tables: int = 1
    announced: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    moves: Mapping[str, MoveHelp] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    linked_meter: bool = False
    describe_hand: Callable[[Mapping[str, Sequence[Card]], str], Text | None] = in_no_words
    cash: Cash | None = None


NOT_HERE = Play(seats=0, private_cards=False)
"""The play of a table whose game is no longer installed: it is closed."""

_plays: dict[str, Play] = {}
PLAYS: Mapping[str, Play] = MappingProxyType(_plays)
"""{game: its play}, in the order in which games are offered."""


LEFT_OUT: dict[str, str] = {}
"""{game, as its package names it: the reason} of installed packages that cannot be loaded."""


def add_play(game: str, play: Play) -> None:
    """Register the description of a game's tables. For bot.games."""
    _plays[game] = play
