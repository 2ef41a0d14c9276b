"""How a hand is shown: its deal, the new cards of who bought one (CS6), its payment."""

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from engine.events import Exchanged


def _are_exchanged(table: Table) -> bool:
    return table.play is not None and any(isinstance(event, Exchanged) for event in table.play.events)


def _stage(table: Table) -> Stage:
    return Stage("1" if _are_exchanged(table) else "0", for_all=True)


def _to_come(table: Table) -> int:
    if table.play is None:
        return 3
    return 1 if _are_exchanged(table) else 2


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=1,
    moves=Places(("fold exchange raise raise",)),
    others=BETS,
    aside=beside_bets(),
    spots=("ante", "bet", "jackpot"),
)
