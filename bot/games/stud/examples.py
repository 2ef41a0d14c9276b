"""7 Card Stud as it is shown: stacks of three sizes, and the button before the first who is dealt to."""

from collections.abc import Sequence
from random import Random

from bot.house.state.house import House
from bot.house.state.table import Table
from bot.tools.examples import Examples
from engine.felt import Deal, Game, Stake


def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    """A small stack, a usual one or a large one."""
    return (Stake(seat, f"p{seat}", {}, stack=random.choice((8000, 24000, 50000))),)


def place_button(house: House, table: Table, deal: Deal) -> Table:
    """On the last stake's seat: the deal begins at the dealer's left (SH15)."""
    return table.keep(button=deal.stakes[-1].seat)


EXAMPLES = Examples(lay, furnish=place_button)
