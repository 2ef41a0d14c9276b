"""Black jack as it is shown: a co-player behind the second box, who follows its holder."""

from collections.abc import Sequence
from random import Random

from bot.tools.examples import Examples, main_and_side
from engine.felt import Game, Stake

_lay_box = main_and_side(1000, admiral=1000)


def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    """A bet on the box, and somebody behind the second one who follows."""
    behind = (Stake(seat, "p8", {"main": 2000}, follow=True),) if seat == 2 else ()
    return (*_lay_box(random, game, seat, times), *behind)


EXAMPLES = Examples(lay)
