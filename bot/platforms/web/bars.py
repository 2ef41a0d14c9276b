"""The value of choices as bars beside their buttons: losses to the left of a line, gains to the right."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.core.guide.coaching import Priced
from engine.felt import Amount

Press = tuple[str, tuple[str, ...]]
"""A button's command: a verb and its arguments."""
# Half the width of a bar's box, from the zero line to either side.
WHOLE = 100


class WorthBar(NamedTuple):
    """A bar by `left` and `width` in its box; `is_best`: no other choice is worth more."""

    worth: Amount
    left: int
    width: int
    is_best: bool


def draw_bars(priced: Sequence[Priced]) -> dict[Press, WorthBar]:
    """Return bars on one scale: the longest reaches the edge."""
    worths = [round(one.worth) for one in priced]
    longest = max(map(abs, worths), default=0) or 1
    bars = {}
    for one, worth in zip(priced, worths, strict=True):
        end = round(WHOLE * worth / longest)
        bars[one.said.verb, one.said.args] = WorthBar(Amount(worth), min(0, end), abs(end), worth == max(worths))
    return bars
