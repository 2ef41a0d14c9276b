"""How a hand is shown: its deal, the flop, the last two cards, its payment (UT3)."""

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from engine.cards import HIDDEN
from engine.hand import lay_out

# By the cards of the board that lie open.
_TO_COME = {0: 3, 3: 2, 5: 1}


def _open_cards(table: Table) -> int:
    assert table.play is not None
    return sum(card != HIDDEN for card in lay_out(table.play.view(None)).get("board", ()))


def _stage(table: Table) -> Stage:
    return Stage(str(_open_cards(table)), for_all=True)


def _to_come(table: Table) -> int:
    return 4 if table.play is None else _TO_COME[_open_cards(table)]


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=0,
    moves=Places(("fold check play-3=play-2=play-1 play-4",)),
    others=BETS,
    aside=beside_bets(),
    spots=("trips", "blind", "ante", "play"),
)
