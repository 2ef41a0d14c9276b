from bot.core.commands.stages import Places, Stage, Stages
from bot.core.state.table import Table


def open_cards(table: Table) -> int:
    return len(table.round.hand.cards(None).get("board", ())) if table.round.hand is not None else 0


def stage(table: Table) -> Stage:
    return Stage(str(open_cards(table)), for_all=True)


def to_come(table: Table) -> int:
    """The deal, the flop, the payment."""
    if table.round.hand is None:
        return 3
    return 1 if open_cards(table) else 2


STAGES = Stages(stage=stage, to_come=to_come, moves=Places(("fold call raise",)))
