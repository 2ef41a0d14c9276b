"""How a hand is shown: the newest state, move by move, for it has dozens of them."""

from bot.core.commands.stages import Places, Stage, Stages
from bot.core.state.table import Table


def _stage(table: Table) -> Stage:
    assert table.play is not None
    return Stage(str(len(table.play.moves)), for_all=False)


def _to_come(table: Table) -> int:
    """At least its payment; how many moves there will be nobody knows."""
    return 1


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=True,
    mentions=1,
    moves=Places(("fold check call=bring-in bet=complete=raise",)),
    others=Places(("buyin=topup buyin-ask topup-ask",)),
    aside=Places(("sitout back leave", "daily share .")),
)
