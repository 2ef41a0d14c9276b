"""Punto Banco in a storm: cards that players turn, and equal bets that an inspector decides between (PB10)."""

from bot.house.play import Turn
from bot.house.state.table import Table
from bot.tools.storm.games import Storm
from bot.tools.storm.turning import bet_alike, turn, waits
from engine.games.puntobanco import GAME


def covers(table: Table, to: str, position: int, viewer: int | None) -> bool:
    """PB10: what is turned after something that is still face down, and what another turns now."""
    order = table.plays.turned.turns
    waiting = [one for one in order if one.position in table.turning]
    if not waiting:
        return False
    mine = order.index(next(one for one in order if _has(one, to, position)))
    now = order.index(waiting[0])
    return mine > now or (mine == now and table.turning[waiting[0].position] != viewer)


def _has(turn: Turn, to: str, position: int) -> bool:
    return turn.to == to and turn.first <= position and (not turn.size or position < turn.first + turn.size)


STORM = Storm(
    bets=(
        "bet banco {amount}",
        "bet punto {amount} pair-punto 5",
        "bet egalite {amount}",
        "bet pair-banco 5",
        "bet punto 20",
        "bet banco 20",
    ),
    open_cards={},  # nobody has anything to choose
    says=("squeeze", "squeeze off", "squeeze punto", "squeeze banco"),
    inspects=(
        "table set squeeze off storm",
        "table set squeeze on storm",
        "table set squeeze on storm",
        "table set penetration 60 storm",
        "table set penetration 60 storm",
        "table set penetration 0 storm",
        "table set decks 8 storm",
        "table set commission 0 storm",
        "table set commission 100 storm",
        "table set egalite_pays 9 storm",
        "table turner punto {player} storm",
        "table turner banco {player}",
        "table turner punto-third {player}",
    ),
    plans={bet_alike(GAME.name, "banco"): 6},
    waits=waits,
    beside=turn,
    covers=covers,
)
