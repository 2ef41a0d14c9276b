"""How a house player comes into a hand: he sits down with the stack that the table proposes (SH1)."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest
from bot.core.state.table import Table


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    return ("sit",)


GUEST = Guest(bet=_bet)
