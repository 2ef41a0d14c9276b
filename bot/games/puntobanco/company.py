"""How a house player bets: little, on punto or banco."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest, little
from bot.core.state.table import Table
from engine.games.puntobanco import HANDS


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    amount = little(random, options)
    return ("bet", random.choice(HANDS), amount)


GUEST = Guest(bet=_bet)
