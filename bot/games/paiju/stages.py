"""How a coup is shown: its deal, where somebody turns cards himself (PJ12), and its payment."""

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table

_TURNS = "squeeze-south squeeze-west squeeze-north squeeze-east"


def _stage(table: Table) -> Stage:
    """Whoever turns cards turns them when he likes."""
    return Stage("0", for_all=True)


def _to_come(table: Table) -> int:
    return 1 if table.play is not None or not table.wants_to_turn else 2


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=1,
    moves=Places((_TURNS,)),
    others=BETS,
    aside=beside_bets("squeeze"),
)
