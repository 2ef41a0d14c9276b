"""How a hand is shown: its deal, what is turned wave after wave where players turn it (PB10), and its payment."""

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.rounds.turning import highest_on
from bot.core.state.table import Table
from engine.games.puntobanco import HANDS

_TURNS = "squeeze-punto=squeeze-punto-third squeeze-banco=squeeze-banco-third"


def _stage(table: Table) -> Stage:
    """By what is being turned: whoever turns it does so when he likes."""
    return Stage(" ".join(turn.position for turn in table.plays.turned.due(table.turning)), for_all=True)


def _to_come(table: Table) -> int:
    """A hand that is turned has two waves, its third card maybe; the first of a deal is shown with it."""
    if table.play is not None:
        return max(1, len(table.turning))
    return 1 + 2 * sum(_is_turned(table, to) for to in HANDS)


def _is_turned(table: Table, to: str) -> bool:
    """Whether a player will turn it, by the bets that lie there."""
    return any(player in table.wants_to_turn for player in highest_on(table.bets, to))


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=0,
    moves=Places((_TURNS,)),
    others=BETS,
    aside=beside_bets("squeeze"),
)
