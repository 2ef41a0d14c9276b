"""Paiju in a storm: cards that players turn, and equal bets that an inspector decides between (PJ12)."""

from bot.house.state.table import Table
from bot.tools.storm.games import Storm
from bot.tools.storm.turning import bet_alike, turn, waits
from engine.games.paiju import GAME


def covers(table: Table, to: str, position: int, viewer: int | None) -> bool:
    """PJ6, PJ12: the bank's hand comes last, a position is his who turns it until he has."""
    return bool(table.turning) and (to == "east" or table.turning.get(to, viewer) != viewer)


STORM = Storm(
    bets=("bet south {amount}", "bet north-west {amount} west 7", "bet north 20", "bet south 20"),
    open_cards={},  # PJ4: nobody has anything to choose
    says=("squeeze", "squeeze off", "squeeze south", "squeeze north"),
    inspects=(
        "table set squeeze off storm",
        "table set squeeze on storm",
        "table set squeeze on storm",
        "table turner south {player} storm",
        "table turner west {player}",
        "table turner north {player}",
        "noncoup storm",
        "noncoup storm",
        "noncoup storm",
    ),
    plans={bet_alike(GAME.name, "south"): 6},
    waits=waits,
    beside=turn,
    covers=covers,
)
