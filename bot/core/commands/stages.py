"""Pace and layout of a game: the part of its plugin that platforms read.

A chat allows a limited number of messages and edits, so a platform must know which states of a hand are worth one, and
how many the hand still needs. A game is found here by its name alone; bot/games fills `STAGES`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.core.state.table import Table
from engine.events import Called
from engine.hand import Hand


class Stage(NamedTuple):
    """Stage of a hand: a change of its name is shown at once, everything else as there is room.

    `for_all`: everyone who is asked decides at the same time, and all buttons are good as long as the stage lasts.
    Otherwise a button is outdated with the next move.
    """

    name: str
    for_all: bool


class Places(NamedTuple):
    """Places of buttons: rows of names. Each place belongs to one button and stays empty while it is not offered, so
    that a button never appears under a finger. `.` is a gap; a repeated name is a wider place; `call=bring-in` is one
    place for buttons that are never offered together.

    A button is named by its command; `VERB-ask` asks for an amount or a text; `VERB-WORD` is the one for this word
    (`play-4`, `squeeze-west`); `VERB-most` is the second one of a command, `VERB-third` the third. Buttons without a
    place go where there is room.
    """

    rows: tuple[str, ...]

    @property
    def slots(self) -> dict[str, str]:
        """The first name of each button's place."""
        places = (place.split("=") for row in self.rows for place in row.split() if place != ".")
        return {name: names[0] for names in places for name in names}


NO_PLACES = Places(())
# Buttons of every game with bets before the deal.
BETS = Places(("takeback rebet bet-ask ready",))


def beside_bets(own: str = ".") -> Places:
    """Return places for the buttons beside bets before the deal, with one button of the game's `own`."""
    return Places((f"cut-ask {own}", "leave daily share"))


def only_stage(table: Table) -> Stage:
    """Return the same stage for the whole hand, of a game with at most one choice, made by all at the same time."""
    return Stage("0", for_all=True)


def deal_and_payment(table: Table) -> int:
    """Return how often a table of such a game must still be shown."""
    return 2 if table.round.hand is None else 1


BESIDE_BETS = beside_bets()


@dataclass(frozen=True)
class Stages:
    """Presentation of a table of the game. The defaults are those of a game with at most one choice.

    stage     the stage of this table's hand; asked while one is played
    to_come   how often the table must still be shown after the present state, the payment included; before the deal,
              by the bets on the table, the deal too. A platform reserves that many calls
    is_long   a hand has many more moves than a chat allows edits: the newest state is shown every few seconds, and
              `to_come` is not asked
    is_paced  cards and payments are shown at once, and a turn when its player has thought for a while
    mentions  number of messages reserved in a hand for turn mentions; 0 if its stages alone take all the room
    moves     the places of the moves that the rules offer, NO_PLACES if they offer none
    others    the places of the buttons for players, beside chips: BETS if people bet before the deal
    aside     the places of all other buttons of the table, which are not needed to play
    on_felt   the places of the moves that answer a question to everyone: they are on the felt, not among `moves`
    spots     what is printed before a seat's own cards, from left to right; () for all spots of the game, in the order
              of its rules
    """

    stage: Callable[[Table], Stage] = only_stage
    to_come: Callable[[Table], int] = deal_and_payment
    is_long: bool = False
    is_paced: bool = False
    mentions: int = 1
    moves: Places = NO_PLACES
    others: Places = BETS
    aside: Places = BESIDE_BETS
    on_felt: Places = NO_PLACES
    spots: tuple[str, ...] = ()


def stages_of_moves(*moves: str, beside: str = "sitout back leave", is_paced: bool = False) -> Stages:
    """Return the stages of a game from stacks, one a move: rows of moves, and the buttons beside a seat."""
    return Stages(
        stage=_newest_move,
        to_come=lambda table: 1,
        is_long=True,
        is_paced=is_paced,
        moves=Places(moves),
        others=Places(("buyin=topup buyin-ask topup-ask",)),
        aside=Places((beside, "daily share show")),
    )


def stages_of_rounds(find_round: Callable[[Hand], int], last: int, **more: Any) -> Stages:
    """Return the stages of a game in which everyone chooses in rounds, from 0 to `last`.

    `find_round` answers the round of an open hand; `more` are further fields.
    """

    def stage(table: Table) -> Stage:
        assert table.round.hand is not None
        return Stage(str(find_round(table.round.hand)), for_all=True)

    def to_come(table: Table) -> int:
        return last + (2 if table.round.hand is None else 1 - find_round(table.round.hand))

    return Stages(stage=stage, to_come=to_come, **more)


def _newest_move(table: Table) -> Stage:
    assert table.round.hand is not None
    return Stage(str(len(table.round.hand.moves)), for_all=False)


_stages: dict[str, Stages] = {}
STAGES: Mapping[str, Stages] = MappingProxyType(_stages)
"""{game: its stages}, in the order in which games are offered."""


NO_STAGES = Stages()


def stages_of(game: str) -> Stages:
    """Return the stages of a game; those of an uninstalled game have no events."""
    return STAGES.get(game, NO_STAGES)


def shown_stage(table: Table) -> tuple[int, str]:
    """Return a key that changes with whatever is shown at once: another hand, its deal, a stage, a paced street."""
    hand = table.round.hand
    if hand is None:
        return table.round.hand_id, ""
    stages = stages_of(table.game)
    name = f"street {hand.once(_count_calls)}" if stages.is_paced else f"stage {stages.stage(table).name}"
    return table.round.hand_id, name


def _count_calls(hand: Hand) -> int:
    return sum(isinstance(event, Called) for event in hand.events)


def add_stages(game: str, stages: Stages) -> None:
    """Register the stages of a game. For bot.games."""
    _stages[game] = stages


def waited_for(table: Table) -> tuple[int, ...]:
    """Return the players who must decide or reveal cards now, without those whose clock ran out."""
    if table.round.hand is None:
        return ()
    owners, away = table.owners(), table.round.away
    asked = [owners[seat] for seat in table.round.hand.asks if seat not in away]
    return tuple(dict.fromkeys(asked + table.turners))
