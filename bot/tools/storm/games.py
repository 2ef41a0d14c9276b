"""What a storm does at the tables of a game, and what it looks for there: the part of a face that the storm reads.

A game is found here by its name alone; who fills `STORMS` is bot/games.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.house.speech.command import Command, Place
from bot.house.state.house import Paper
from bot.house.state.table import Table
from bot.tools.storm.crowd import Crowd
from bot.tools.storm.town import Plan, Town


def never_waits(table: Table) -> bool:
    """A hand of this game waits for moves alone."""
    return False


def says_nothing(crowd: Crowd, at: Place, table: Table) -> Command | None:
    """There is nothing to say beside the moves."""
    return None


def covers_nothing(table: Table, to: str, position: int, viewer: int | None) -> bool:
    """What the hand has shown, everybody may see."""
    return False


@dataclass(frozen=True)
class Storm:
    """What people say at a table of the game, and what the storm's eye and books check there.

    A line is what somebody types, without the slash; one that stands there twice is said twice as often. Filled in by
    chance: {amount} such as "20", "min" or "half"; {seat} a number; {player} a name; {hand} {last} the table's hands.

    bets        lines that put something down before the deal; the first one, with {amount} 20, is taken from a newcomer
                at a table where nobody is
    open_cards  {whose: how many of his cards may lie open} while anybody has something to choose; "" stands for every
                name that is not there. Empty for a game that asks nothing
    says        what else players say there: a command of the game's own, a standing order
    inspects    what inspectors say there: options to set, an act of the game's own
    plans       {plan: how often}: what takes more than one word, weighed against the plans of the others (2 to 6 each)
    waits       whether a hand waits for a word that is no move; people go where one does
    beside      what somebody says in the middle of a hand beside its moves, if anything
    covers      whether the card at `position` (from 1) before `to` is not for `viewer` (None: the public) though the
                hand has shown it
    elsewhere   spots whose stakes leave the hand's account with the deal
    """

    bets: tuple[str, ...]
    open_cards: Mapping[str, int]
    says: tuple[str, ...] = ()
    inspects: tuple[str, ...] = ()
    plans: Mapping[Callable[[Town], Plan], int] = field(default_factory=dict)
    waits: Callable[[Table], bool] = never_waits
    beside: Callable[[Crowd, Place, Table], Command | None] = says_nothing
    covers: Callable[[Table, str, int, int | None], bool] = covers_nothing
    elsewhere: tuple[str, ...] = ()

    def most_open(self, whose: str) -> int:
        return self.open_cards.get(whose, self.open_cards.get("", 0))


_storms: dict[str, Storm] = {}
STORMS: Mapping[str, Storm] = MappingProxyType(_storms)
"""{game: what a storm does there}, in the order in which games are offered."""


def add_storm(game: str, storm: Storm) -> None:
    """For bot.games: what storms do at this game's tables from now on."""
    _storms[game] = storm


def first_bet(game: str) -> str:
    """What a newcomer says at a table where nobody is."""
    return STORMS[game].bets[0].format(amount=20, seat=1)


def learn(crowd: Crowd, draft: Paper) -> None:
    """Who is who, where tables stand and which hands wait for a word, as this batch has it in the books."""
    for (platform, account), player in draft.identities.items():
        crowd.meet(platform, account, player)
    for place in draft.places.values():
        crowd.find(place)
    for table in draft.tables.values():
        crowd.notice(table, waits=STORMS[table.game].waits(table))
