"""How a house player bets: little, on any of the areas."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest, little
from bot.core.state.table import Table
from engine.games.paiju import AREAS


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    amount = little(random, options)
    return ("bet", random.choice(AREAS), amount)


GUEST = Guest(bet=_bet)
