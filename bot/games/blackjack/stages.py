"""How a hand is shown: its deal with the insurance, each player's turn for all his boxes together, its payment."""

from itertools import pairwise

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table

_INSURANCE = Stage("insurance", for_all=True)


def _stage(table: Table) -> Stage:
    """Insurance, which everybody decides at once (BJ10), or the player who draws."""
    assert table.play is not None
    asks = table.play.asks
    if any(offer.word == "decline" for offers in asks.values() for offer in offers):
        return _INSURANCE
    return Stage(" ".join(str(table.owners()[key]) for key in asks), for_all=False)


def _to_come(table: Table) -> int:
    return _turns_to_come(table) + (1 if table.play is not None else 2)


def _turns_to_come(table: Table) -> int:
    """How often the turn will pass to another player: from box to box (BJ10)."""
    if table.play is None:
        return max(0, len({bet.seat for bet in table.bets}) - 1)
    boxes = {key: owner for key, owner in table.owners().items() if "/" not in key}
    is_insurance = _stage(table) == _INSURANCE
    now = "" if is_insurance else next((key.partition("/")[0] for key in table.play.asks), "")
    order = list(boxes.values())[list(boxes).index(now) if now in boxes else 0 :]
    return sum(one != other for one, other in pairwise(order)) + is_insurance


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=1,
    moves=Places(("stand hit double split stay",)),
    others=BETS,
    aside=beside_bets("follow"),
    on_felt=Places(("decline insure insure-most insure-ask",)),
)
