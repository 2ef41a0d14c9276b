"""How a game is paced and laid out wherever people play it: the part of a game's face that the doors read.

A chat takes so many messages and edits and no more, so a door must know what of a hand is worth one, and how many the
hand still needs. A game is found here by its name alone; who fills `STAGES` is bot/games.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from bot.core.state.table import Table


class Stage(NamedTuple):
    """Where a hand stands: whatever changes its name is shown at once, all else as there is room for it.

    `for_all`: whoever is asked decides at the same time, and the buttons of everybody serve as long as the stage
    lasts. Otherwise a button is of an older state with the next move.
    """

    name: str
    for_all: bool


class Places(NamedTuple):
    """Where buttons stand: rows of names, each a place that is no other button's and stays empty while it is not
    offered, so that nobody presses what has just come there. `.` is a gap; a name again is a wider place;
    `call=bring-in` is one place for what is never offered together.

    A button is called by its verb; `VERB-ask` asks for an amount or a text; `VERB-WORD` is the one that names this word
    (`play-4`, `squeeze-west`), where it is laid; `VERB-most` the second of a verb. What has no place here goes where
    there is room.
    """

    rows: tuple[str, ...]

    @property
    def slots(self) -> dict[str, str]:
        """{button's name: the first name of its place}"""
        places = (place.split("=") for row in self.rows for place in row.split() if place != ".")
        return {name: names[0] for names in places for name in names}


NO_PLACES = Places(())
# What every game has where people bet before the deal.
BETS = Places(("takeback rebet bet-ask ready",))


def beside_bets(own: str = ".") -> Places:
    """What nobody needs to play where people bet before the deal, and one button that is the game's `own`."""
    return Places((f"cut-ask {own}", "leave daily share"))


@dataclass(frozen=True)
class Stages:
    """How a table of the game is shown.

    stage     where the hand of this table stands; asked while one is played
    to_come   how often the table must still be shown after what is shown now, the payment included; before the deal,
              by the bets that lie there, the deal too. A door keeps so many calls for it
    is_long   a hand has many more moves than a chat takes edits: the newest state is shown every few seconds, and
              `to_come` is not asked
    mentions  for how many messages that call somebody who is waited for room is kept in a hand; 0 where its stages
              alone are all that there is room for
    moves     the places of the moves that the rules offer, NO_PLACES where they offer none
    others    the places of the buttons for who plays, beside chips: BETS where people bet before the deal
    aside     the places of all other buttons of the table, which nobody needs to play
    on_felt   the places of the moves that answer a question to everybody: they lie on the felt, not among `moves`
    spots     what is printed before a seat's own cards, from left to right; () for all spots of the game, as its rules
              order them
    """

    stage: Callable[[Table], Stage]
    to_come: Callable[[Table], int]
    is_long: bool
    mentions: int
    moves: Places
    others: Places
    aside: Places
    on_felt: Places = NO_PLACES
    spots: tuple[str, ...] = ()


def one_choice(words: str) -> Stages:
    """Of a game in which everybody chooses once at most, all at the same time: its deal, its payment.

    `words` are the moves from left to right, on a phone too: "fold raise"; "" where nobody is asked.
    """
    row = (words,) if words else ()
    return Stages(
        stage=lambda table: Stage("0", for_all=True),
        to_come=lambda table: 2 if table.play is None else 1,
        is_long=False,
        mentions=1,
        moves=Places(row),
        others=BETS,
        aside=beside_bets(),
    )


_stages: dict[str, Stages] = {}
STAGES: Mapping[str, Stages] = MappingProxyType(_stages)
"""{game: how it is paced}, in the order in which games are offered."""


NO_STAGES = one_choice("")


def stages_of(game: str) -> Stages:
    """Nothing happens at a table whose game is not installed any more."""
    return STAGES.get(game, NO_STAGES)


def add_stages(game: str, stages: Stages) -> None:
    """For bot.games: how tables of this game are paced from now on."""
    _stages[game] = stages


def waited_for(table: Table) -> tuple[int, ...]:
    """The players who are asked now or turn cards, who has let his clock run out left out."""
    if table.play is None:
        return ()
    owners, away = table.owners(), table.away
    asked = [owners[seat] for seat in table.play.asks if seat not in away]
    return tuple(dict.fromkeys(asked + table.turners))
